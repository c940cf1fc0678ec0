//! Comparisons report exactly what differs. Checked on random levels, and
//! against closures computed from the JSON dump alone.

use crate::common;
use crate::random_cases;

use std::collections::BTreeSet;
use std::sync::LazyLock;

use baker_cli::report::diff::{
    self, Diff, DifferenceKind, LinkRecord, PlatformDiff, PlatformRecord,
};
use baker_cli::report::dump;
use common::Tiles;
use common::closure::{Closure, Lips};
use glam::Vec2;
use navmesh_bake::LevelMarker;
use navmesh_bake::{NoProgress, Settings, bake, default_agents};
use navmesh_runtime::mesh::{
    AgentProfile, AirCell, Cell, Direction, Grid, LayerParts, Link, Marker, NavMesh, NavMeshParts,
    OneWayBarrier, PlatformId, Platforms, YAxis,
};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use serde_json::Value;

/// Agents that turn at once in the air: how a link is flown does not matter here,
/// and they bake in a fifth of the time.
fn agents() -> Vec<AgentProfile> {
    let mut agents = default_agents(16.0);
    for agent in &mut agents {
        agent.air_acceleration = None;
    }
    agents
}

fn baked(tiles: &Tiles, agents: Vec<AgentProfile>) -> NavMesh {
    baked_with(tiles, agents, YAxis::Down)
}

/// Bakes a random level with spawns in the open above two of its columns.
fn baked_with(tiles: &Tiles, agents: Vec<AgentProfile>, y_axis: YAxis) -> NavMesh {
    let mut level = tiles.level();
    for (name, column) in [("gate", 1), ("tower", tiles.columns() - 2)] {
        let at = glam::DVec2::new((column as f64 + 0.5) * f64::from(tiles.side), 1.0);
        let mut marker = LevelMarker {
            class: "Spawn".into(),
            name: name.into(),
            area: level.bounds,
            properties: Vec::new(),
        };
        (marker.area.min, marker.area.max) = (at, at);
        level.markers.push(marker);
    }
    let mut settings = Settings::for_agents(agents);
    settings.units.y_axis = y_axis;
    bake(&level, &settings, &NoProgress).unwrap()
}

fn draw(runner: &mut TestRunner) -> Tiles {
    common::draw(runner, &common::tiles(8..26, 6..14, 16))
}

/// A level with a rectangle of tiles filled or emptied, and that rectangle.
fn edited(tiles: &Tiles, seed: u32) -> (Tiles, [f64; 4]) {
    let (columns, rows) = (tiles.columns(), tiles.rows.len());
    let mut roll = seed;
    let mut next = |below: usize| {
        roll = roll.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (roll >> 8) as usize % below
    };
    let (c, r) = (next(columns), next(rows));
    let (w, h) = (1 + next(4), 1 + next(3));
    let with = ['#', '.'][next(2)];
    let mut after = tiles.clone();
    for row in after.rows.iter_mut().skip(r).take(h) {
        for cell in row.iter_mut().skip(c).take(w) {
            *cell = with;
        }
    }
    let side = f64::from(tiles.side);
    let [c, r, w, h] = [c, r, w, h].map(|v| v as f64 * side);
    (after, [c, r, c + w, r + h])
}

/// The same mesh with everything moved, and its platforms in reverse order.
fn moved(mesh: &NavMesh, by: Vec2) -> NavMesh {
    let layers = mesh.layers().iter().map(|layer| {
        let count = layer.platforms().len() as u32;
        let other = |id: PlatformId| PlatformId(count - 1 - id.0);
        let surfaces = layer.platforms().rev();
        let surfaces: Vec<Vec<Vec2>> = surfaces
            .map(|p| p.surface.iter().map(|v| *v + by).collect())
            .collect();
        let mut links: Vec<Link> = (layer.links().iter())
            .map(|link| Link {
                from_platform: other(link.from_platform),
                to_platform: other(link.to_platform),
                from: link.from + by,
                to: link.to + by,
                ..*link
            })
            .collect();
        links.sort_by_key(|link| link.from_platform);
        LayerParts {
            profile: layer.profile().clone(),
            blocked: layer.parts().blocked.clone(),
            platforms: Platforms::new(surfaces).unwrap(),
            links,
            barriers: (layer.parts().barriers.iter())
                .map(|gate| {
                    let (across, along) = match gate.pass {
                        Direction::Down => (by.y, by.x),
                        _ => (by.x, by.y),
                    };
                    OneWayBarrier {
                        pass: gate.pass,
                        at: gate.at + across,
                        low: gate.low + along,
                        high: gate.high + along,
                    }
                })
                .collect(),
            lines: layer.parts().lines.clone(),
            air: (layer.parts().air.iter())
                .map(|cell| AirCell {
                    top: cell.top + by.y,
                    bottom: cell.bottom + by.y,
                    upper: cell.upper.map(|x| x + by.x),
                    lower: cell.lower.map(|x| x + by.x),
                })
                .collect(),
        }
    });
    let markers = mesh.markers().iter().map(|marker| Marker {
        position: marker.position + by,
        ..marker.clone()
    });
    NavMesh::new(NavMeshParts {
        provenance: mesh.provenance().clone(),
        units: mesh.units(),
        grid: Grid {
            origin: mesh.grid().origin + by,
            ..*mesh.grid()
        },
        layers: layers.collect(),
        markers: markers.collect(),
    })
    .unwrap()
}

fn compare(old: &NavMesh, new: &NavMesh) -> Diff {
    Diff::new(old, new, ["old.navmesh", "new.navmesh"])
}

#[test]
fn nothing_differs_from_itself_or_under_other_numbers() {
    let mut runner = TestRunner::deterministic();
    for _ in 0..12 {
        let mesh = baked(&draw(&mut runner), agents());
        let diff = compare(&mesh, &mesh);
        assert!(diff.same, "{diff:#?}");
        let renumbered = compare(&mesh, &moved(&mesh, Vec2::ZERO));
        assert!(renumbered.same, "{renumbered:#?}");
        assert!(!renumbered.has(DifferenceKind::Any));
    }
}

/// The upper end of a ladder is a cell lower.
#[test]
fn a_ladder_that_grew_shorter_is_the_same_ladder() {
    let (level, settings) = common::fixtures::configured("movement.tmx");
    let map = std::fs::read_to_string(common::fixtures::fixtures().join("movement.tmx")).unwrap();
    let shorter = map.replace(
        r#"y="48" width="16" height="176""#,
        r#"y="64" width="16" height="160""#,
    );
    assert_ne!(map, shorter);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("movement.tmx");
    std::fs::write(&file, shorter).unwrap();
    let tileset = common::fixtures::fixtures().join("tiles.tsx");
    std::fs::copy(tileset, folder.path().join("tiles.tsx")).unwrap();
    let edited = baker_cli::source::read(&file, &baker_cli::source::Rules::default()).unwrap();
    let [old, new] =
        [level, edited.level].map(|level| bake(&level, &settings, &NoProgress).unwrap());
    let diff = compare(&old, &new);
    let agents = diff
        .agents
        .iter()
        .filter(|agent| !agent.platforms.reshaped.is_empty());
    assert!(agents.count() > 0, "{diff:#?}");
    for agent in &diff.agents {
        assert!(agent.platforms.vanished.is_empty(), "{diff:#?}");
    }
}

#[test]
fn a_shift_is_reported_as_a_shift_and_nothing_else() {
    let mut runner = TestRunner::deterministic();
    for i in 0..12_u8 {
        let mesh = baked(&draw(&mut runner), agents());
        let by = Vec2::new(16.0 * (f32::from(i) - 5.0), 5.0 * f32::from(i) + 3.0);
        let diff = compare(&mesh, &moved(&mesh, by));
        let reported = Diff {
            shift: None,
            same: true,
            ..diff.clone()
        };
        assert_eq!(diff.shift, Some([by.x, by.y].map(f64::from)));
        assert!(!diff.same);
        let nothing = compare(&mesh, &mesh);
        assert_eq!(reported.settings, nothing.settings);
        assert_eq!(reported.markers, nothing.markers);
        assert!(
            reported.agents.iter().all(diff::AgentDiff::is_empty),
            "{reported:#?}"
        );
    }
}

#[test]
fn a_level_that_grew_to_the_left_and_was_edited_is_found_again() {
    let mut runner = TestRunner::deterministic();
    let mut found = 0;
    for seed in 0..12 {
        let before = draw(&mut runner);
        let (mut after, _) = edited(&before, seed);
        for row in &mut after.rows {
            row.splice(0..0, std::iter::repeat_n('.', 3));
        }
        for column in 0..3 {
            after.rows[2][column] = '#';
        }
        let diff = compare(&baked(&before, agents()), &baked(&after, agents()));
        println!(
            "seed {seed}: {:?}, {} columns",
            diff.shift,
            before.columns()
        );
        found += usize::from(diff.shift == Some([48.0, 0.0]));
    }
    assert!(found >= 11, "{found} of 12");
}

#[test]
fn a_level_that_grew_at_the_top_is_found_again_whichever_way_y_points() {
    let mut runner = TestRunner::deterministic();
    for (axis, down) in [(YAxis::Down, 48.0), (YAxis::Up, -48.0)] {
        let mut found = 0;
        for _ in 0..6 {
            let before = draw(&mut runner);
            let mut after = before.clone();
            let air = vec!['.'; before.columns()];
            after.rows.splice(0..0, std::iter::repeat_n(air, 3));
            let [old, new] = [&before, &after].map(|tiles| baked_with(tiles, agents(), axis));
            let diff = compare(&old, &new);
            let is_found = diff.shift == Some([0.0, down]);
            found += usize::from(is_found);
            for agent in diff.agents.iter().filter(|_| is_found) {
                assert!(agent.platforms.vanished.is_empty(), "{agent:#?}");
                assert!(agent.terrain.regions.is_empty(), "{agent:#?}");
            }
        }
        assert!(found >= 5, "{axis:?}: {found} of 6");
    }
}

// Changes of terrain and platforms are where the edit was. Without a reported
// change, the dumps are equal.
#[test]
fn an_edit_is_reported_where_it_happened() {
    let mut runner = TestRunner::deterministic();
    let mut reported = 0;
    for seed in 0..40 {
        let before = draw(&mut runner);
        let (after, [left, top, right, bottom]) = edited(&before, seed);
        let (a, b) = (baked(&before, agents()), baked(&after, agents()));
        let diff = compare(&a, &b);
        assert_eq!(diff.shift, None);
        for agent in &diff.agents {
            let body = a
                .layer_named(&agent.name)
                .unwrap()
                .profile()
                .body
                .map(f64::from);
            let spacing = f64::from(a.grid().spacing);
            // Obstacles grow by the body, and feet stand a cell higher.
            let (across, down) = (body[0] + 2.0 * spacing, body[1] + 2.0 * spacing);
            let near = |min: [f64; 2], max: [f64; 2]| {
                min[0] <= right + across
                    && max[0] >= left - across
                    && min[1] <= bottom + down
                    && max[1] >= top - down
            };
            for region in &agent.terrain.regions {
                assert!(near(region.min, region.max), "{region:?} of {}", agent.name);
                let inside = region.min[0] >= left - across
                    && region.max[0] <= right + across
                    && region.min[1] >= top - down
                    && region.max[1] <= bottom + down;
                assert!(inside, "{region:?} goes beyond the edit");
            }
            let p = &agent.platforms;
            for place in p.vanished.iter().chain(&p.appeared) {
                let y = [
                    place.left[1].min(place.right[1]),
                    place.left[1].max(place.right[1]),
                ];
                assert!(
                    near([place.left[0], y[0]], [place.right[0], y[1]]),
                    "{place:?} of {}, edit {left}..{right} {top}..{bottom}",
                    agent.name
                );
            }
            reported += usize::from(!agent.is_empty());
            // Brute force: every vertex that differs is counted.
            let (old, new) = (
                a.layer_named(&agent.name).unwrap(),
                b.layer_named(&agent.name).unwrap(),
            );
            let columns = a.grid().columns;
            let cells = (0..columns * a.grid().rows).map(|v| Cell {
                column: v % columns,
                row: v / columns,
            });
            let changed = cells.filter(|c| old.terrain(*c) != new.terrain(*c)).count();
            assert_eq!(agent.terrain.changed, changed as u64);
        }
        // No difference means equal bytes except for fingerprints, and vice versa.
        let same = dump_of(&a)["agents"] == dump_of(&b)["agents"];
        assert_eq!(diff.same, same);
    }
    assert!(reported > 40, "{reported}");
}

#[test]
fn additions_one_way_are_removals_the_other_way() {
    let mut runner = TestRunner::deterministic();
    for seed in 100..130 {
        let before = draw(&mut runner);
        let (after, _) = edited(&before, seed);
        let (a, b) = (baked(&before, agents()), baked(&after, agents()));
        let (there, back) = (compare(&a, &b), compare(&b, &a));
        assert_eq!(there.same, back.same);
        for (x, y) in there.agents.iter().zip(&back.agents) {
            let bare = |links: &[LinkRecord]| -> Vec<String> {
                let mut all: Vec<_> = links
                    .iter()
                    .map(|l| format!("{} {:?} {:?}", l.kind, l.from, l.to))
                    .collect();
                all.sort();
                all
            };
            assert_eq!(bare(&x.links.added), bare(&y.links.removed));
            assert_eq!(bare(&x.links.removed), bare(&y.links.added));
            assert_eq!(x.links.changed.len(), y.links.changed.len());
            assert_eq!(x.platforms.appeared, y.platforms.vanished);
            assert_eq!(x.platforms.vanished, y.platforms.appeared);
            assert_eq!(x.platforms.moved.len(), y.platforms.moved.len());
            assert_eq!(x.platforms.split.len(), y.platforms.merged.len());
            assert_eq!(x.platforms.merged.len(), y.platforms.split.len());
            assert_eq!(x.platforms.reshaped.len(), y.platforms.reshaped.len());
            assert_eq!(x.terrain.changed, y.terrain.changed);
            let pairs = |d: &diff::AgentDiff| d.reach.pairs.clone().unwrap_or_default();
            if x.platforms == PlatformDiff::default() {
                assert_eq!(pairs(x).lost, pairs(y).gained);
                assert_eq!(pairs(x).gained, pairs(y).lost);
            }
        }
    }
}

fn dump_of(mesh: &NavMesh) -> Value {
    let mut text = Vec::new();
    dump::json(mesh, "1.0", &mut text).unwrap();
    serde_json::from_slice(&text).unwrap()
}

fn lips(place: &PlatformRecord) -> Lips {
    [place.left[0], place.left[1], place.right[0], place.right[1]].map(f64::to_bits)
}

// For every platform that both files have unchanged, the comparison and the
// closure agree.
#[test]
fn claims_of_reachability_are_those_of_the_closure() {
    let mut runner = TestRunner::deterministic();
    let (mut lost, mut trapped, mut checked) = (0, 0, 0);
    for seed in 200..260 {
        let before = draw(&mut runner);
        let (after, _) = edited(&before, seed);
        let (a, b) = (baked(&before, agents()), baked(&after, agents()));
        let diff = compare(&a, &b);
        let agent = diff.agents.iter().find(|x| x.name == "ground").unwrap();
        let old = Closure::new(&dump_of(&a), "ground");
        let new = Closure::new(&dump_of(&b), "ground");
        let common: BTreeSet<Lips> = (old.lips.iter())
            .filter(|l| new.lips.contains(l))
            .copied()
            .collect();
        for (name, column) in [("gate", 1), ("tower", before.columns() - 2)] {
            let at = [(column as f64 + 0.5) * 16.0, 1.0];
            let home = |mesh: &NavMesh, closure: &Closure| {
                let [x, y] = common::resting_place(mesh.layer_named("ground")?, at)?;
                closure.below([x, y - 0.01])
            };
            let home = (home(&a, &old), home(&b, &new));
            let (Some(was), Some(is)) = home else {
                continue;
            };
            let claimed = |cuts: &[diff::FromSpawns]| -> BTreeSet<Lips> {
                (cuts.iter())
                    .filter(|cut| cut.spawns.iter().any(|s| s == name))
                    .flat_map(|cut| cut.platforms.iter().map(lips))
                    .filter(|l| common.contains(l))
                    .collect()
            };
            let of = |test: &dyn Fn(&Lips) -> bool| -> BTreeSet<Lips> {
                common.iter().filter(|l| test(l)).copied().collect()
            };
            let gone = of(&|l| old.reaches(&was, l) && !new.reaches(&is, l));
            assert_eq!(claimed(&agent.reach.lost), gone, "{name}, seed {seed}");
            let come = of(&|l| !old.reaches(&was, l) && new.reaches(&is, l));
            assert_eq!(claimed(&agent.reach.gained), come, "{name}, seed {seed}");
            let in_trap =
                |g: &Closure, home: &Lips, l: &Lips| g.reaches(home, l) && !g.reaches(l, home);
            let traps = of(&|l| in_trap(&new, &is, l) && !in_trap(&old, &was, l));
            let reported: BTreeSet<Lips> = (agent.reach.traps.iter())
                .filter(|t| t.spawns.iter().any(|s| s == name))
                .flat_map(|t| t.platforms.iter().map(lips))
                .filter(|l| common.contains(l))
                .collect();
            assert_eq!(reported, traps, "{name}, seed {seed}");
            (lost, trapped) = (lost + gone.len(), trapped + traps.len());
            checked += 1;
        }
    }
    println!("{checked} spawns, {lost} platforms lost, {trapped} in new traps");
    assert!(
        checked > 60 && lost > 15 && trapped > 3,
        "{checked} {lost} {trapped}"
    );
}

// With a weaker agent on the same floor, every ordered pair is counted.
#[test]
fn pairs_lost_are_those_of_the_closure() {
    let mut runner = TestRunner::deterministic();
    let mut lost = 0;
    for _ in 0..16 {
        let tiles = draw(&mut runner);
        let mut weak = agents();
        weak[0].jump_height *= 0.5;
        weak[0].jump_speed *= 0.5_f32.sqrt();
        let (a, b) = (baked(&tiles, agents()), baked(&tiles, weak));
        let diff = compare(&a, &b);
        let agent = &diff.agents[0];
        assert!(agent.platforms == PlatformDiff::default());
        assert!(agent.profile.iter().any(|c| c.what == "jump_height"));
        let [old, new] = [&a, &b].map(|m| Closure::new(&dump_of(m), "ground"));
        let pairs = |g: &Closure, h: &Closure| -> u64 {
            let all = g
                .lips
                .iter()
                .flat_map(|x| g.lips.iter().map(move |y| (x, y)));
            all.filter(|(x, y)| g.reaches(x, y) && !h.reaches(x, y))
                .count() as u64
        };
        let reported = agent.reach.pairs.as_ref().unwrap();
        assert_eq!(
            (reported.lost, reported.gained),
            (pairs(&old, &new), pairs(&new, &old))
        );
        lost += reported.lost;
    }
    assert!(lost > 50, "{lost}");
}

proptest! {
    #![proptest_config(random_cases::cases(24))]
    // Names from a level can neither move the cursor nor end the code they are in.
    #[test]
    fn names_are_harmless(name in "[ -~\u{1b}\n`<>|%:,]{1,12}") {
        static MESH: LazyLock<NavMesh> =
            LazyLock::new(|| baked(&draw(&mut TestRunner::deterministic()), agents()));
        let mesh = &*MESH;
        let renamed = NavMesh::new(NavMeshParts {
            provenance: mesh.provenance().clone(),
            units: mesh.units(),
            grid: *mesh.grid(),
            layers: Vec::new(),
            markers: vec![Marker { name: name.clone(), ..mesh.markers()[0].clone() }],
        }).unwrap();
        let diff = compare(mesh, &renamed);
        let written = |write: fn(&Diff, &mut dyn std::io::Write) -> std::io::Result<()>| {
            let mut text = Vec::new();
            write(&diff, &mut text).unwrap();
            String::from_utf8(text).unwrap()
        };
        let markdown = written(diff::markdown);
        let escape = char::from(27);
        prop_assert!(!markdown.contains(escape));
        prop_assert!(!markdown.contains("<script"));
        let commands = written(|diff, out| diff::github(diff, "level.tmx", out));
        let starts = commands.lines().filter(|l| l.starts_with("::")).count();
        prop_assert!(commands.lines().count() == starts + 1, "{}", commands);
    }
}
