//! Limits that more than one reader applies. Level files come from anywhere,
//! so nothing in them may decide alone how much memory or time reading takes.

/// The most bytes of one file that are read. A map of 16,777,216 cells as
/// CSV fits, at up to seven digits and a comma for each cell.
pub const MAX_FILE_BYTES: u64 = 128 << 20;

/// The most bytes of all files of one level together; they are in memory at
/// the same time.
pub const MAX_TOTAL_BYTES: u64 = 4 * MAX_FILE_BYTES;

/// The most cells of all tile layers of a map together, 4096 x 4096 for one
/// layer. The `tiled` crate keeps a cell in 16 bytes, so they take 256 MiB.
pub const MAX_CELLS: u64 = 1 << 24;

/// How many bytes of templates and tiles may be copied into the objects of a map that use
/// them, all together, and how many of the defaults of classes into its elements. The
/// `tiled` crate copies properties and outlines for each object.
pub const MAX_COPIED_BYTES: u64 = 256 << 20;

/// The most points of one polygon or polyline. Cutting a polygon takes time
/// that grows with the square of its corners; at the limit, the outlines that
/// the tests of `convex` have for it take less than 0.1 s each.
pub const MAX_POINTS: usize = 2000;

/// How deep layer groups may be nested. They are read recursively here and in
/// the `tiled` crate, where 50,000 levels overflow the stack.
pub const MAX_GROUP_DEPTH: u32 = 64;

/// The largest width or height of a tile, pixels. Larger tiles would exceed
/// [`MAX_COORDINATE`](navmesh_bake::MAX_COORDINATE) after 256 cells.
pub const MAX_TILE_SIDE: u32 = 65_536;
