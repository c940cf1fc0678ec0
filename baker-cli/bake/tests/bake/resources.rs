//! A level that is twice as long takes twice as much to bake. Allocations stand
//! for operations: unlike times, they are the same in every run.

use std::fmt::Write as _;

use baker_cli::source::{MemoryFiles, Rules, read_bytes};
use navmesh_bake::{NoProgress, Settings, bake, default_agents};

/// A floor with `count` parts, 64 pixels apart: objects of this class, name,
/// height above the floor and size.
fn row_of(count: usize, class: &str, name: &str, above: i32, [width, height]: [i32; 2]) -> String {
    let long = count * 64 + 64;
    let mut objects = format!(
        "<object id=\"1\" class=\"solid\" x=\"0\" y=\"160\" width=\"{long}\" height=\"32\"/>"
    );
    for i in 0..count {
        let (id, x, y) = (i + 2, i * 64 + 30, 160 - above - height);
        let name = name.replace('#', &i.to_string());
        let _ = write!(
            objects,
            "<object id=\"{id}\" name=\"{name}\" class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>"
        );
    }
    let columns = long / 16;
    format!(
        "<map orientation=\"orthogonal\" width=\"{columns}\" height=\"12\" tilewidth=\"16\" tileheight=\"16\"><objectgroup id=\"1\" name=\"things\">{objects}</objectgroup></map>"
    )
}

/// What reading and baking allocates, in bytes and in calls.
fn allocated(map: &str) -> [u64; 2] {
    let agents = default_agents(16.0).into_iter().take(1).collect();
    let settings = Settings::for_agents(agents);
    // Allocations are counted for one thread.
    let alone = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .unwrap();
    let counted = alone.install(|| {
        allocation_counter::measure(|| {
            let files = MemoryFiles::default();
            let level = read_bytes("a.tmx", map.as_bytes(), &files, &Rules::default()).unwrap();
            bake(&level, &settings, &NoProgress).unwrap();
        })
    });
    [counted.bytes_total, counted.count_total]
}

/// Objects that are no collision may cover the whole level, for example where music
/// plays.
#[test]
fn large_areas_take_no_memory_for_the_cells_that_they_cover() {
    let areas = |count: usize| {
        let layer = |i| {
            format!(
                "<objectgroup id=\"{}\" name=\"music {i}\"><object id=\"{}\" class=\"region\" width=\"4096\" height=\"4096\"/></objectgroup>",
                i + 2,
                i + 2
            )
        };
        let layers: String = (0..count).map(layer).collect();
        format!(
            "<map orientation=\"orthogonal\" width=\"256\" height=\"256\" tilewidth=\"16\" tileheight=\"16\"><objectgroup id=\"1\" name=\"solid\"><object id=\"1\" y=\"160\" width=\"4096\" height=\"32\"/></objectgroup>{layers}</map>"
        )
    };
    let [none, many] = [0, 20].map(|count| allocated(&areas(count))[0]);
    // A layer takes 39 KB; the 65,536 cells of one would take 512 KB more.
    assert!(many < none + 20 * 64_000, "{none} {many}");
}

#[test]
fn a_level_of_twice_the_length_takes_about_twice_as_much() {
    for (class, name, above, size) in [
        ("one_way", "", 40, [30, 4]),
        ("one_way_right", "", 0, [4, 40]),
        ("solid", "", 30, [20, 6]),
        ("ladder", "", 0, [12, 60]),
        ("hazard", "", 0, [12, 6]),
        ("door", "gate #", 0, [6, 40]),
        ("portal", "same", 8, [8, 8]),
        ("portal", "own #", 8, [8, 8]),
    ] {
        let of = |count| allocated(&row_of(count, class, name, above, size));
        let (some, twice) = (of(40), of(80));
        for (some, twice) in some.into_iter().zip(twice) {
            assert!(
                twice < some * 5 / 2,
                "{class} {name:?}: {some}, and {twice} for twice as many"
            );
        }
    }
}
