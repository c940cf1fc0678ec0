//! What was baked for one agent.

use super::{
    AgentProfile, BitGrid, Cell, Grid, Link, LinkId, MeshError, Platform, PlatformId, Platforms,
    Terrain,
};

/// The parts of a layer, not yet checked.
#[derive(Debug, Clone, PartialEq)]
pub struct LayerParts {
    /// The agent it was baked for.
    pub profile: AgentProfile,
    /// Vertices at which the body is blocked.
    pub blocked: BitGrid,
    /// The floor, in a fixed order.
    pub platforms: Platforms,
    /// The links, sorted by the platform they leave.
    pub links: Vec<Link>,
}

/// What was baked for one agent: terrain, platforms, links, components.
#[derive(Debug, Clone, PartialEq)]
pub struct Layer {
    profile: AgentProfile,
    blocked: BitGrid,
    floor: BitGrid,
    platforms: Platforms,
    links: Vec<Link>,
    /// Where the links of each platform end.
    link_ends: Vec<u32>,
}

/// Where the durations of links come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Durations {
    /// They are given, and must agree with the arcs.
    Given,
    /// They are to be taken from the arcs.
    Missing,
}

impl Layer {
    /// Checks the parts against each other and derives what follows from
    /// them.
    pub(super) fn new(
        parts: LayerParts,
        grid: &Grid,
        durations: Durations,
    ) -> Result<Self, MeshError> {
        let LayerParts {
            profile,
            blocked,
            mut platforms,
            mut links,
        } = parts;
        profile.validate()?;
        if (blocked.columns(), blocked.rows()) != (grid.columns, grid.rows) {
            return Err(MeshError::Terrain {
                columns: blocked.columns(),
                rows: blocked.rows(),
            });
        }
        let (floor, counts) = floor_vertices(&platforms, grid)?;
        for (i, count) in counts.into_iter().enumerate() {
            platforms.set_vertices(PlatformId(i as u32), count);
        }
        let link_ends = check_links(&mut links, durations, &platforms, &profile, grid)?;
        let components = super::components::strong(&links, &link_ends);
        platforms.set_components(components);
        Ok(Self {
            profile,
            blocked,
            floor,
            platforms,
            links,
            link_ends,
        })
    }

    /// The agent it was baked for, with every limit the bake kept to.
    pub fn profile(&self) -> &AgentProfile {
        &self.profile
    }

    /// Vertices at which the body is blocked. An `OnFloor` vertex may be
    /// among them: on a slope the feet can rest higher in the cell than its
    /// vertex.
    pub fn blocked(&self) -> &BitGrid {
        &self.blocked
    }

    /// `OnFloor` vertices.
    pub fn floor(&self) -> &BitGrid {
        &self.floor
    }

    /// The type of a vertex.
    pub fn terrain(&self, cell: Cell) -> Terrain {
        if self.floor.get(cell.column, cell.row) {
            Terrain::OnFloor
        } else if self.blocked.get(cell.column, cell.row) {
            Terrain::InsideGeometry
        } else {
            Terrain::InAir
        }
    }

    /// The platforms, in order of their ids.
    pub fn platforms(&self) -> &Platforms {
        &self.platforms
    }

    /// The platform of that number.
    pub fn platform(&self, id: PlatformId) -> Option<Platform<'_>> {
        self.platforms.get(id)
    }

    /// All links, sorted by the platform they leave.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// The link of that number.
    pub fn link(&self, id: LinkId) -> Option<&Link> {
        self.links.get(id.index())
    }

    /// The links that leave a platform, with the number of the first.
    pub fn links_from(&self, platform: PlatformId) -> (u32, &[Link]) {
        let end = |i: usize| self.link_ends.get(i).copied().unwrap_or(0);
        let start = platform.index().checked_sub(1).map_or(0, end);
        let end = end(platform.index()).max(start);
        (start, &self.links[start as usize..end as usize])
    }
}

/// Marks the vertex of every column a platform spans. Also counts them.
///
/// Takes time in proportion to the surfaces' points and the grid's vertices,
/// whatever the platforms are: stretches of surface above or below the grid
/// are skipped as a whole.
fn floor_vertices(platforms: &Platforms, grid: &Grid) -> Result<(BitGrid, Vec<u32>), MeshError> {
    let mut floor = BitGrid::new(grid.columns, grid.rows);
    let mut counts = Vec::with_capacity(platforms.len());
    let mut outside = 0;
    for platform in platforms.iter() {
        let mut count = 0;
        let columns = platform.columns(grid);
        let surface = platform.surface();
        // The first column not yet looked at, and the surface before it.
        let mut column = columns.start;
        for (i, &a) in surface.iter().enumerate() {
            // The last of several points of equal x counts, and the last
            // point of all for itself.
            let b = surface.get(i + 1).copied().unwrap_or(a);
            let last = i + 1 == surface.len();
            let end = if last {
                columns.end
            } else {
                column_at_or_after(b.x, grid, &columns)
            };
            if end <= column {
                continue;
            }
            for c in inside(a, b, grid, column..end) {
                let x = grid.column_x(c);
                let y = if a.x < x && !last {
                    a.y + (b.y - a.y) * ((x - a.x) / (b.x - a.x))
                } else {
                    a.y
                };
                let Some(cell) = grid.cell_at(glam::Vec2::new(x, y)) else {
                    // The baked area is narrower than the platform. Where a
                    // surface leaves the grid a column or two end up here;
                    // only a forged file has more of them than vertices.
                    outside += 1;
                    if outside > grid.len() + 4 * platforms.points() {
                        return Err(MeshError::Platform {
                            platform: platform.id().0,
                            what: "runs along the outside of the grid",
                        });
                    }
                    continue;
                };
                if floor.get(cell.column, cell.row) {
                    return Err(MeshError::Platform {
                        platform: platform.id().0,
                        what: "shares a vertex with another platform",
                    });
                }
                floor.set(cell.column, cell.row, true);
                count += 1;
            }
            column = end;
        }
        counts.push(count);
    }
    Ok((floor, counts))
}

/// The first of `columns` whose vertices are at `x` or right of it.
fn column_at_or_after(x: f32, grid: &Grid, columns: &std::ops::Range<u32>) -> u32 {
    let guess = ((x - grid.origin.x) / grid.spacing - 0.5).ceil().max(0.0) as u32;
    let mut column = guess.clamp(columns.start, columns.end);
    while column > columns.start && grid.column_x(column - 1) >= x {
        column -= 1;
    }
    while column < columns.end && grid.column_x(column) < x {
        column += 1;
    }
    column
}

/// Those of `columns` at which a straight stretch of surface may lie between
/// the top and the bottom of the grid; possibly one too many at either end.
fn inside(
    a: glam::Vec2,
    b: glam::Vec2,
    grid: &Grid,
    columns: std::ops::Range<u32>,
) -> std::ops::Range<u32> {
    let row = |p: glam::Vec2| {
        f64::from(p.y - grid.origin.y) * f64::from(grid.y_axis.down() / grid.spacing)
    };
    let (from, to) = (row(a), row(b));
    let (top, bottom) = (-0.01, f64::from(grid.rows) + 0.01);
    let nothing = columns.start..columns.start;
    if from.max(to) < top || from.min(to) > bottom {
        return nothing;
    }
    if from == to || a.x >= b.x {
        return columns;
    }
    // Where along the stretch it crosses the two lines.
    let along = |line: f64| (line - from) / (to - from);
    let (enter, leave) = (along(top).min(along(bottom)), along(top).max(along(bottom)));
    let column = |t: f64| {
        let x = f64::from(a.x) + f64::from(b.x - a.x) * t.clamp(0.0, 1.0);
        (x - f64::from(grid.origin.x)) / f64::from(grid.spacing) - 0.5
    };
    let first = (column(enter) - 1.0).floor().max(0.0) as u32;
    let end = (column(leave) + 2.0).ceil().max(0.0) as u32;
    let first = first.clamp(columns.start, columns.end);
    first..end.clamp(first, columns.end)
}

/// Checks every link, sets its duration to that of its arc, and finds where
/// the links of each platform end.
fn check_links(
    links: &mut [Link],
    durations: Durations,
    platforms: &Platforms,
    profile: &AgentProfile,
    grid: &Grid,
) -> Result<Vec<u32>, MeshError> {
    let mut ends = vec![0u32; platforms.len()];
    let mut last = PlatformId(0);
    // Ends lie on the surface up to the rounding of its interpolation.
    let slack = grid.spacing * 1e-2;
    for (i, link) in links.iter_mut().enumerate() {
        let number = i as u32;
        let bad = |what| MeshError::Link { link: number, what };
        let (Some(from), Some(to)) = (
            platforms.get(link.from_platform),
            platforms.get(link.to_platform),
        ) else {
            return Err(bad("joins a platform that does not exist"));
        };
        if link.from_platform < last {
            return Err(bad("is out of order"));
        }
        last = link.from_platform;
        let on = |platform: &Platform<'_>, p: glam::Vec2| {
            p.is_finite()
                && platform.spans(p.x)
                && (platform.clamp(p.x).y - p.y).abs() <= slack + profile.step_height
        };
        if !on(&from, link.from) || !on(&to, link.to) {
            return Err(bad("does not end on its platforms"));
        }
        let arc = link
            .program
            .between(
                link.from,
                link.to,
                f64::from(profile.gravity),
                grid.y_axis.down(),
            )
            .map_err(|source| MeshError::Arc {
                link: number,
                source,
            })?;
        let off = (arc.duration() - f64::from(link.duration)).abs();
        if durations == Durations::Given && (off.is_nan() || off > 1e-3) {
            return Err(bad("takes another time than its arc"));
        }
        link.duration = arc.duration() as f32;
        if !(link.tolerance.is_finite() && link.tolerance >= 0.0) {
            return Err(bad("has a tolerance that is not a number, 0 or more"));
        }
        ends[link.from_platform.index()] = number + 1;
    }
    // A platform without links ends where the one before it does.
    let mut end = 0;
    for e in &mut ends {
        end = end.max(*e);
        *e = end;
    }
    Ok(ends)
}
