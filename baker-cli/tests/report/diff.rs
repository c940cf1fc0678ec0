//! Differences between two small meshes.

use baker_cli::report::diff::{
    AgentDiff, Diff, DifferenceKind, MarkerDiff, github, human, markdown,
};
use glam::Vec2;
use navmesh_runtime::mesh::{
    BitGrid, Direction, Fingerprint, Launch, Layer, Marker, NavMesh, NavMeshParts, PlatformId,
    PlatformKind, Platforms, TrajectoryParams,
};

use crate::sample::{self, with, with_climbs, with_floors};

fn compare(old: &NavMesh, new: &NavMesh) -> Diff {
    Diff::new(old, new, ["a", "b"])
}

/// Moves all of a mesh.
fn shift(parts: &mut NavMeshParts, by: Vec2) {
    parts.grid.origin += by;
    for marker in &mut parts.markers {
        marker.position += by;
    }
    for layer in &mut parts.layers {
        let surfaces: Vec<Vec<Vec2>> = (layer.platforms.iter())
            .map(|p| p.surface.iter().map(|v| *v + by).collect())
            .collect();
        layer.platforms = Platforms::new(surfaces).unwrap();
        for link in &mut layer.links {
            (link.from, link.to) = (link.from + by, link.to + by);
        }
        for gate in &mut layer.barriers {
            // It is upright.
            gate.at += by.x;
            (gate.low, gate.high) = (gate.low + by.y, gate.high + by.y);
        }
    }
}

fn text_of(diff: &Diff) -> String {
    let mut text = Vec::new();
    human(diff, &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

#[test]
fn fingerprints_alone_are_no_difference() {
    let new = with(|parts| parts.provenance.source_fingerprint = Fingerprint([1; 16]));
    let diff = compare(&sample::mesh(), &new);
    assert!(diff.same, "{diff:#?}");
    assert_ne!(diff.old.source_fingerprint, diff.new.source_fingerprint);
}

/// No bake places markers so far away.
#[test]
fn markers_at_an_enormous_distance_are_only_moved() {
    let crowd = |x: f32| {
        with(|parts| {
            for number in 0..60 {
                let mut marker = parts.markers[0].clone();
                marker.name = format!("crowd {number}");
                marker.position.x = x;
                parts.markers.push(marker);
            }
        })
    };
    let (near, far) = (crowd(0.0), crowd(1e30));
    for (old, new) in [(&near, &far), (&far, &near)] {
        assert!(compare(old, new).has(DifferenceKind::Any));
    }
}

#[test]
fn one_way_walls_come_and_go() {
    let new = with(|parts| {
        let gate = &mut parts.layers[0].barriers[0];
        gate.pass = Direction::Left;
    });
    let diff = compare(&sample::mesh(), &new);
    assert!(diff.has(DifferenceKind::Any) && !diff.has(DifferenceKind::Unreachable));
    let gates = &diff.agents[0].gates;
    assert_eq!(
        (gates.removed[0].pass, gates.added[0].pass),
        ("right", "left")
    );
    assert_eq!(gates.added[0].from, [140.0, 8.0]);
    let text = text_of(&diff);
    assert!(text.contains("- 140,8 to 140,112, passed right"), "{text}");
    assert!(text.contains("+ 140,8 to 140,112, passed left"), "{text}");
    assert!(text.contains("2 one-way walls changed"), "{text}");
}

// The ledge can be left, but only the one jump leads up to it.
#[test]
fn a_platform_whose_only_link_goes_can_no_longer_be_reached() {
    let new = with(|parts| parts.layers[0].links.retain(|l| l.to_platform.0 != 1));
    let diff = compare(&sample::mesh(), &new);
    let grunt = &diff.agents[0];
    assert_eq!(grunt.reach.spawns, ["player"]);
    assert_eq!(grunt.reach.lost.len(), 1);
    assert_eq!(grunt.reach.lost[0].platforms[0].id, 1);
    assert!(grunt.links.removed[0].only_way);
    assert!(
        diff.has(DifferenceKind::Unreachable)
            && diff.has(DifferenceKind::RemovedLinks)
            && !diff.has(DifferenceKind::Traps)
    );
    let text = text_of(&diff);
    assert!(
        text.contains("platform 1 (x 58..118, y 56) can no longer be reached from spawn `player`"),
        "{text}"
    );
    // Errors come before warnings.
    assert!(text.find("no longer reachable") < text.find("links removed"));
}

#[test]
fn an_agent_that_is_no_longer_baked_reaches_nothing() {
    let without = with(|parts| parts.layers.truncate(1));
    let diff = compare(&sample::mesh(), &without);
    assert_eq!(diff.agents_removed, ["bat"]);
    assert!(diff.has(DifferenceKind::Unreachable) && !diff.has(DifferenceKind::Traps));
    assert!(!compare(&without, &sample::mesh()).has(DifferenceKind::Unreachable));
}

// The ledge loses its ways down; only the spawn for `bat` is above it.
#[test]
fn spawns_of_other_agents_do_not_count() {
    let with_roost = |cut: bool| {
        with(|parts| {
            let roost = Marker {
                class: "spawn".into(),
                name: "roost".into(),
                position: Vec2::new(88.0, 50.0),
                size: Vec2::ZERO,
                properties: vec![("agent".into(), "bat".into())],
            };
            parts.markers.push(roost);
            if cut {
                parts.layers[0].links.retain(|l| l.from_platform.0 != 1);
            }
        })
    };
    let diff = compare(&with_roost(false), &with_roost(true));
    let [grunt, bat] = &diff.agents[..] else {
        panic!("two agents")
    };
    assert_eq!(grunt.reach.spawns, ["player"]);
    assert_eq!(bat.reach.spawns, ["player", "roost"]);
    let text = text_of(&diff);
    assert!(!text.contains("`roost`"), "{text}");
}

#[test]
fn without_spawns_pairs_are_reported() {
    let old = with(|parts| parts.markers.clear());
    let new = with(|parts| {
        parts.markers.clear();
        parts.layers[0].links.retain(|l| l.to_platform.0 != 1);
    });
    let diff = compare(&old, &new);
    let pairs = diff.agents[0].reach.pairs.as_ref().unwrap();
    // From the first floor to the ledge; from the far floor nothing led there.
    assert_eq!((pairs.lost, pairs.gained), (1, 0));
    assert!(diff.has(DifferenceKind::Unreachable));
    let back = compare(&new, &old);
    assert_eq!(back.agents[0].reach.pairs.as_ref().unwrap().gained, 1);
    assert!(!back.has(DifferenceKind::Unreachable));
}

/// The only spawn is above the gap in both files.
#[test]
fn a_spawn_without_floor_hides_nothing() {
    let old = with(|parts| parts.markers[0].position.x = 140.0);
    let new = with(|parts| {
        parts.markers[0].position.x = 140.0;
        parts.layers[0].links.retain(|l| l.to_platform.0 != 1);
    });
    let diff = compare(&old, &new);
    assert!(diff.agents[0].reach.spawns.is_empty());
    assert!(diff.has(DifferenceKind::Unreachable));
}

/// Twice as many coins take about twice the memory, not four times.
#[test]
fn thousands_of_equal_markers_are_compared() {
    let coins = |count: usize, first: f32| {
        with(|parts| {
            parts.markers.extend((0..count).map(|number| Marker {
                class: "coin".into(),
                name: String::new(),
                position: Vec2::new(if number == 0 { first } else { number as f32 }, 40.0),
                size: Vec2::ZERO,
                properties: Vec::new(),
            }));
        })
    };
    let [few, many] = [1000, 2000].map(|count| {
        let [old, new] = [0.0, -8.0].map(|first| coins(count, first));
        let mut changed = 0;
        let used = allocation_counter::measure(|| {
            changed = compare(&old, &new).markers.changed.len();
        });
        assert_eq!(changed, 1);
        used.bytes_total
    });
    assert!(many < 3 * few, "{few} and {many} bytes");
}

#[test]
fn a_new_dead_end_is_a_trap() {
    // Without its jump there is no way into the far floor; with it none out.
    let old = with(|parts| parts.layers[0].links.retain(|l| l.to_platform.0 != 2));
    let diff = compare(&old, &sample::mesh());
    let trap = &diff.agents[0].reach.traps[0];
    assert_eq!(trap.platforms[0].id, 2);
    assert_eq!(trap.spawns, ["player"]);
    assert_eq!(trap.entered_by.as_ref().unwrap().from_platform, 0);
    assert!(diff.has(DifferenceKind::Traps) && !diff.has(DifferenceKind::Unreachable));
    assert!(text_of(&diff).contains("a one-way trap appeared from spawn `player`: platform 2"));
}

#[test]
fn platforms_split_merge_move_and_change() {
    let mesh = |lines: &[&[[f32; 2]]]| with_floors(lines, &[]);
    let old = mesh(&[
        &[[0.0, 96.0], [126.0, 96.0]],
        &[[58.0, 56.0], [118.0, 56.0]],
        &[[154.0, 96.0], [200.0, 96.0], [208.0, 92.0], [240.0, 92.0]],
        &[[154.0, 40.0], [160.0, 40.0]],
    ]);
    let new = mesh(&[
        &[[0.0, 96.0], [40.0, 96.0]],
        &[[60.0, 96.0], [126.0, 96.0]],
        &[[58.0, 40.0], [118.0, 40.0]],
        &[[154.0, 96.0], [200.0, 96.0], [208.0, 92.0], [220.0, 92.0]],
    ]);
    let diff = compare(&old, &new);
    let p = &diff.agents[0].platforms;
    assert_eq!(p.split.len(), 1);
    assert_eq!((p.split[0].old.len(), p.split[0].new.len()), (1, 2));
    assert_eq!(p.moved[0].new.left, [58.0, 40.0]);
    assert_eq!(p.reshaped[0].new.right, [220.0, 92.0]);
    assert_eq!(p.vanished[0].left, [154.0, 40.0]);
    assert!(p.appeared.is_empty() && p.merged.is_empty());
    let back = compare(&new, &old);
    assert_eq!(back.agents[0].platforms.merged.len(), 1);
    assert_eq!(back.agents[0].platforms.appeared[0].id, 3);
}

/// The agent walks between the two ends in the file without the link.
#[test]
fn a_jump_within_one_platform_of_the_other_file_is_not_the_only_way() {
    let old = with_floors(
        &[&[[0.0, 56.0], [40.0, 56.0], [60.0, 96.0], [126.0, 96.0]]],
        &[],
    );
    let new = with_floors(
        &[&[[0.0, 56.0], [40.0, 56.0]], &[[60.0, 96.0], [126.0, 96.0]]],
        &[(2, [0, 1], [[40.0, 56.0], [60.0, 96.0]])],
    );
    let [there, back] = [compare(&old, &new), compare(&new, &old)];
    assert!(!there.agents[0].links.added[0].only_way);
    assert!(!back.agents[0].links.removed[0].only_way);
    assert!(!text_of(&there).contains("nothing led there before"));
    assert!(!text_of(&back).contains("no other link leads there"));
}

/// The jump takes 0.36 s, but the `f32` values say 0.36000004 s and 0.36 s.
#[test]
fn a_jump_time_that_only_rounding_changes_is_not_reported() {
    let jumps = |gravity: f32, jump_speed: f32| {
        with(|parts| {
            let profile = &mut parts.layers[0].profile;
            (profile.gravity, profile.jump_speed) = (gravity, jump_speed);
            parts.layers[0].links.clear();
        })
    };
    let diff = compare(
        &jumps(802.469_06, 288.888_9),
        &jumps(864.197_45, 311.111_08),
    );
    let names: Vec<_> = diff.agents[0].profile.iter().map(|c| &c.what).collect();
    assert_eq!(names, ["gravity", "jump_speed"]);
}

#[test]
fn costs_tolerances_and_ends_of_links_are_compared() {
    let new = with(|parts| {
        let links = &mut parts.layers[0].links;
        links[0].tolerance = 0.05;
        links[2].to.x -= 1.0;
    });
    let diff = compare(&sample::mesh(), &new);
    let links = &diff.agents[0].links;
    assert_eq!(links.kinds["jump"].changed, 1);
    assert_eq!(links.kinds["drop"].changed, 1);
    assert_eq!(links.changed[0].what, ["tolerance"]);
    assert_eq!(links.changed[1].what, ["ends"]);
    assert!(links.added.is_empty() && links.removed.is_empty());
    assert!(text_of(&diff).contains("tolerance 0.125 -> 0.05 s"));
}

// A wall across the air cuts off agents that only fly.
#[test]
fn air_that_is_walled_off_is_reported() {
    let wall = |parts: &mut NavMeshParts| {
        let blocked: &mut BitGrid = &mut parts.layers[1].blocked;
        for row in 0..blocked.rows() {
            blocked.set(17, row, true);
        }
    };
    let new = with(wall);
    let diff = compare(&sample::mesh(), &new);
    let bat = &diff.agents[1];
    assert_eq!(bat.reach.spawns, ["player"]);
    let cut = &bat.reach.air_lost[0];
    assert_eq!(cut.spawns, ["player"]);
    // All that was free right of the wall.
    let free = |layer: &Layer| {
        let cells = (18..30).flat_map(|c| (0..14).map(move |r| (c, r)));
        cells
            .filter(|(c, r)| !layer.parts().blocked.get(*c, *r))
            .count() as u64
    };
    let vertices: u64 = cut.parts.iter().map(|part| part.vertices).sum();
    assert!(
        vertices > 0 && vertices <= free(&new.layers()[1]),
        "{vertices}"
    );
    assert!(bat.terrain.changed > 0 && bat.terrain.regions.len() == 1);
    assert!(diff.has(DifferenceKind::Unreachable));
    // The same without spawns: the smaller side is cut off from the rest.
    let bare = |change: &dyn Fn(&mut NavMeshParts)| {
        with(|parts| {
            parts.markers.clear();
            change(parts);
        })
    };
    let diff = compare(&bare(&|_| {}), &bare(&wall));
    assert!(diff.agents[1].reach.air_lost[0].spawns.is_empty());
    assert!(diff.has(DifferenceKind::Unreachable));
    let back = compare(&bare(&wall), &bare(&|_| {}));
    assert!(!back.has(DifferenceKind::Unreachable) && !back.agents[1].reach.air_gained.is_empty());
    // In a level that has moved, what is gained is where it is now.
    let by = Vec2::new(48.0, -16.0);
    let moved = compare(&bare(&wall), &bare(&|parts| shift(parts, by)));
    assert_eq!(moved.shift, Some([48.0, -16.0]));
    let (was, is) = (&back.agents[1].reach, &moved.agents[1].reach);
    let [was, is] = [was, is].map(|reach| &reach.air_gained[0].parts[0]);
    assert_eq!((was.min, was.max), ([144.0, 16.0], [240.0, 112.0]));
    assert_eq!((is.min, is.max), ([192.0, 0.0], [288.0, 96.0]));
}

#[test]
fn a_shift_of_the_origin_is_found_though_ids_differ() {
    let new = with(|parts| {
        shift(parts, Vec2::new(48.0, -16.0));
        let layer = &mut parts.layers[0];
        let surfaces: Vec<Vec<Vec2>> = (layer.platforms.iter().rev())
            .map(|p| p.surface.to_vec())
            .collect();
        layer.platforms = Platforms::new(surfaces).unwrap();
        for link in &mut layer.links {
            let other = |id: PlatformId| PlatformId(2 - id.0);
            (link.from_platform, link.to_platform) =
                (other(link.from_platform), other(link.to_platform));
        }
        layer.links.sort_by_key(|link| link.from_platform);
    });
    let diff = compare(&sample::mesh(), &new);
    assert_eq!(diff.shift, Some([48.0, -16.0]));
    assert!(diff.agents.iter().all(AgentDiff::is_empty), "{diff:#?}");
    assert!(diff.markers == MarkerDiff::default() && diff.settings.is_empty());
    assert_eq!(
        text_of(&diff).lines().count(),
        1,
        "one line says it: {}",
        text_of(&diff)
    );
}

#[test]
fn a_changed_link_is_where_it_is_in_the_new_file() {
    let new = with(|parts| {
        shift(parts, Vec2::new(48.0, 0.0));
        parts.layers[0].links[0].tolerance = 0.05;
    });
    let text = text_of(&compare(&sample::mesh(), &new));
    assert!(text.contains("~ jump 98,96 -> "), "{text}");
}

/// Air with these columns blocked, and coins at these x.
fn columns_and_coins(columns: &[u32], coins: &[f32]) -> NavMesh {
    with(|parts| {
        let coin = |x: &f32| Marker {
            class: "coin".into(),
            name: String::new(),
            position: Vec2::new(*x, 0.0),
            size: Vec2::ZERO,
            properties: Vec::new(),
        };
        parts.markers = coins.iter().map(coin).collect();
        for layer in &mut parts.layers {
            (layer.platforms, layer.links) = (Platforms::default(), Vec::new());
            layer.blocked = BitGrid::new(parts.grid.columns, parts.grid.rows);
            for row in 0..parts.grid.rows {
                for column in columns {
                    layer.blocked.set(*column, row, true);
                }
            }
        }
    })
}

#[test]
fn of_two_shifts_that_are_equally_good_none_is_taken() {
    let shift = |old: (&[u32], &[f32]), new: (&[u32], &[f32])| {
        let [old, new] = [old, new].map(|(columns, coins)| columns_and_coins(columns, coins));
        compare(&old, &new).shift
    };
    // By whole cells, of 8 units, and by less than one.
    for by in [16.0, 3.0] {
        let one = shift((&[], &[0.0]), (&[], &[by]));
        assert_eq!(one, Some([f64::from(by), 0.0]));
        assert_eq!(shift((&[], &[0.0]), (&[], &[by, -by])), None, "{by}");
        // As many coins are where they were.
        assert_eq!(shift((&[], &[0.0]), (&[], &[0.0, by])), None, "{by}");
    }
    // At both places two columns of three are the same.
    let stays = shift((&[10, 12], &[0.0]), (&[10, 12, 14], &[16.0]));
    assert_eq!(stays, None);
    let moves = shift((&[10, 12], &[0.0]), (&[12, 14], &[16.0]));
    assert_eq!(moves, Some([16.0, 0.0]));
    // Of many coins, none tells where the others went.
    let coins: Vec<f32> = (0..12).map(|i| -24.0 * i as f32).collect();
    assert_eq!(shift((&[10, 12], &[0.0]), (&[12, 14], &coins)), None);
}

#[test]
fn long_lists_are_folded_and_odd_names_are_harmless() {
    let new = with(|parts| {
        for i in 0..100_u8 {
            parts.markers.push(Marker {
                class: "coin".into(),
                name: format!("<b>`{i}\u{1b}[2J\n::error::"),
                position: Vec2::new(f32::from(i), 0.0),
                size: Vec2::ZERO,
                properties: Vec::new(),
            });
        }
    });
    let diff = compare(&sample::mesh(), &new);
    let written = |write: fn(&Diff, &mut dyn std::io::Write) -> std::io::Result<()>| {
        let mut text = Vec::new();
        write(&diff, &mut text).unwrap();
        String::from_utf8(text).unwrap()
    };
    let markdown = written(markdown);
    assert!(markdown.contains("<details><summary>Markers (100)</summary>"));
    assert!(markdown.contains("and 40 more"));
    let github = written(|diff, out| github(diff, "level.tmx", out));
    assert_eq!(github.lines().count(), 2, "{github}");
    for text in [markdown, github, written(human)] {
        assert!(!text.contains("\u{1b}[2J"), "{text}");
    }
}

#[test]
fn a_link_that_moves_by_two_cells_is_changed_and_not_another() {
    let new = with(|parts| parts.layers[0].links[0].from.x -= 16.0);
    let links = &compare(&sample::mesh(), &new).agents[0].links;
    let counts = [links.changed.len(), links.added.len(), links.removed.len()];
    assert_eq!(counts, [1, 0, 0], "{links:#?}");
}

#[test]
fn a_platform_that_sinks_a_little_and_grows_is_reshaped() {
    let new = with(|parts| {
        let layer = &mut parts.layers[0];
        let mut lines: Vec<Vec<Vec2>> = (layer.platforms.iter())
            .map(|platform| platform.surface.to_vec())
            .collect();
        lines[1] = vec![Vec2::new(58.0, 58.0), Vec2::new(125.0, 58.0)];
        layer.platforms = Platforms::new(lines).unwrap();
    });
    let diff = compare(&sample::mesh(), &new);
    let platforms = &diff.agents[0].platforms;
    assert_eq!(platforms.reshaped.len(), 1, "{platforms:#?}");
}

#[test]
fn a_wall_is_compared_by_height_and_not_with_the_floor_at_its_foot() {
    use PlatformKind::{Floor, Wall};
    let old = with_climbs(&[(Wall, [[126.0, 60.0], [126.0, 88.0]])]);
    let new = with_climbs(&[
        (Wall, [[126.0, 40.0], [126.0, 88.0]]),
        (Floor, [[126.0, 88.0], [150.0, 88.0]]),
    ]);
    let counts = |old, new| {
        let p = &compare(old, new).agents[0].platforms;
        let lists = [p.split.len(), p.merged.len(), p.recut.len()];
        (p.reshaped.len(), p.appeared.len(), p.vanished.len(), lists)
    };
    assert_eq!(counts(&old, &new), (1, 1, 0, [0; 3]));
    assert_eq!(counts(&new, &old), (1, 0, 1, [0; 3]));
    // Half a cell to the side.
    let beside = with_climbs(&[(Wall, [[122.0, 60.0], [122.0, 80.0]])]);
    assert_eq!(counts(&old, &beside), (1, 0, 0, [0; 3]));
    assert_eq!(counts(&beside, &old), (1, 0, 0, [0; 3]));
    // A floor in the place of a ceiling is another platform.
    let [floor, ceiling] = [Floor, PlatformKind::Ceiling]
        .map(|kind| with_climbs(&[(kind, [[58.0, 64.0], [118.0, 64.0]])]));
    assert_eq!(counts(&ceiling, &floor), (0, 1, 1, [0; 3]));
}

#[test]
fn a_bump_in_a_platform_reshapes_it() {
    let flat: &[&[[f32; 2]]] = &[&[[0.0, 96.0], [126.0, 96.0]]];
    let bumpy: &[&[[f32; 2]]] = &[&[[0.0, 96.0], [60.0, 93.0], [126.0, 96.0]]];
    for (old, new) in [(flat, bumpy), (bumpy, flat)] {
        let diff = compare(&with_floors(old, &[]), &with_floors(new, &[]));
        assert_eq!(diff.agents[0].platforms.reshaped.len(), 1, "{diff:#?}");
    }
    // A point on a straight line is none.
    let same: &[&[[f32; 2]]] = &[&[[0.0, 96.0], [60.0, 96.0], [126.0, 96.0]]];
    let diff = compare(&with_floors(flat, &[]), &with_floors(same, &[]));
    assert!(diff.agents[0].is_empty(), "{diff:#?}");
}

/// Both copies are 40 units away.
#[test]
fn of_two_copies_of_a_platform_it_moved_to_the_one_straight_below() {
    let old = with_floors(&[&[[58.0, 40.0], [118.0, 40.0]]], &[]);
    let new = with_floors(
        &[
            &[[34.0, 72.0], [94.0, 72.0]],
            &[[58.0, 80.0], [118.0, 80.0]],
        ],
        &[],
    );
    let platforms = &compare(&old, &new).agents[0].platforms;
    assert_eq!(platforms.moved[0].new.left, [58.0, 80.0], "{platforms:#?}");
    assert_eq!(platforms.appeared[0].left, [34.0, 72.0]);
}

#[test]
fn links_between_the_same_ends_are_compared_with_those_that_take_as_long() {
    let two = |is_reversed: bool| {
        with(|parts| {
            let links = &mut parts.layers[0].links;
            let mut higher = links[0];
            let launch = Launch {
                time: 0.0,
                speed: 280.0,
            };
            let legs: Vec<_> = higher.params.legs().collect();
            higher.params = TrajectoryParams::new(&[launch], &legs).unwrap();
            let arc = higher.params.between(higher.from, higher.to, 800.0, 1.0);
            higher.duration = arc.unwrap().duration as f32;
            links.insert(usize::from(!is_reversed), higher);
        })
    };
    let diff = compare(&two(false), &two(true));
    assert!(diff.agents[0].is_empty(), "{:#?}", diff.agents[0].links);
}

/// A bake may keep two trajectories between the same ends that take equally long.
#[test]
fn of_two_equal_links_one_is_enough() {
    let twice = with(|parts| {
        let links = &mut parts.layers[0].links;
        links.insert(0, links[0]);
    });
    for (old, new) in [(&twice, &sample::mesh()), (&sample::mesh(), &twice)] {
        let diff = compare(old, new);
        assert!(diff.agents[0].is_empty(), "{:#?}", diff.agents[0].links);
    }
}

/// Only a forged file has them. Each with each would be a million pairs.
#[test]
fn thousands_of_equal_links_are_compared() {
    let copies = |count: usize, late: f32| {
        with(|parts| {
            let links = &mut parts.layers[0].links;
            let mut copy = links[0];
            copy.tolerance += late;
            links.splice(0..1, std::iter::repeat_n(copy, count));
        })
    };
    let [few, many] = [1000, 2000].map(|count| {
        let (old, new) = (copies(count, 0.0), copies(count, 0.5));
        assert!(compare(&old, &old).same);
        let mut changed = 0;
        let used = allocation_counter::measure(|| {
            changed = compare(&old, &new).agents[0].links.changed.len();
        });
        assert_eq!(changed, count);
        used.bytes_max
    });
    assert!(many < 3 * few, "{few} and {many} bytes");
}

/// Two links are where one was before. The ends of both moved by 16 units in all.
#[test]
fn of_two_links_as_near_the_one_whose_farther_end_moved_less_is_the_same() {
    let new = with(|parts| {
        let links = &mut parts.layers[0].links;
        let (mut both, mut one) = (links[0], links[0]);
        (both.from.x, both.to.x) = (both.from.x - 8.0, both.to.x + 8.0);
        one.from.x -= 16.0;
        links.splice(0..1, [one, both]);
    });
    let links = &compare(&sample::mesh(), &new).agents[0].links;
    assert_eq!(links.changed[0].new.to, [66.0, 56.0], "{links:#?}");
    assert_eq!(links.added[0].from, [34.0, 96.0], "{links:#?}");
}

#[test]
fn a_trap_is_entered_from_outside() {
    let mesh = |is_open: bool| {
        with(|parts| {
            parts.markers[0].position = Vec2::new(180.0, 96.0);
            let layer = &mut parts.layers[0];
            layer.barriers.clear();
            // Back over the gap, to the two platforms that lead to each other.
            let mut back = layer.links[1];
            (back.from, back.to) = (back.to, back.from);
            (back.from_platform, back.to_platform) = (back.to_platform, back.from_platform);
            layer.links.retain(|link| link.to_platform.0 != 2);
            layer.links.extend(is_open.then_some(back));
        })
    };
    let diff = compare(&mesh(false), &mesh(true));
    let trap = &diff.agents[0].reach.traps[0];
    assert_eq!(trap.platforms.len(), 2, "{trap:#?}");
    assert_eq!(trap.entered_by.as_ref().unwrap().from_platform, 2);
}

/// A wall in the middle, and nobody's spawn.
#[test]
fn of_two_halves_of_the_air_the_second_is_cut_off() {
    let [old, new] = [&[][..], &[14, 15]].map(|columns| columns_and_coins(columns, &[]));
    let lost = &compare(&old, &new).agents[1].reach.air_lost[0].parts;
    assert_eq!((lost.len(), lost[0].min[0]), (1, 128.0), "{lost:#?}");
}
