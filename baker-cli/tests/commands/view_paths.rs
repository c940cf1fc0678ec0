//! The page of `navbake view` finds the paths that the runtime finds.

use crate::common;
use crate::page;

use baker_cli::bake::{NoProgress, bake};
use baker_cli::cli::config::Config;
use baker_cli::report::view::view;
use glam::Vec2;
use navmesh_runtime::mesh::NavMesh;
use navmesh_runtime::search::{PathFinder, PathOutcome, Query};
use page::{baked, fixture, has_node, run_page};
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

/// Random positions in and a little around the grid, some of them exactly on
/// vertices and on lips, where rounding matters.
fn positions(mesh: &NavMesh, count: usize) -> Vec<Vec2> {
    let grid = mesh.grid();
    let size = Vec2::new(grid.columns as f32, grid.rows as f32) * grid.spacing;
    let mut state = 0x2545_f491_u32;
    let mut next = move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 24) as f32
    };
    let platforms: Vec<_> = mesh
        .layers()
        .iter()
        .flat_map(|l| l.platforms().iter())
        .collect();
    (0..count)
        .map(|i| {
            let part = Vec2::new(next(), next() * grid.y_axis.down()) * 1.04 - 0.02;
            let anywhere = grid.origin + part * size;
            match i % 4 {
                0 => grid.position(grid.nearest_cell(anywhere)),
                1 => {
                    let platform = &platforms[(next() * platforms.len() as f32) as usize];
                    platform.at(platform.along(anywhere))
                }
                _ => anywhere,
            }
        })
        .collect()
}

/// Compares the page's paths with the runtime's, for every agent.
fn compare(mesh: &NavMesh, pairs: usize) -> (usize, usize) {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    let mut html = Vec::new();
    view(&[("level.navmesh", mesh)], None, &mut html).unwrap();
    std::fs::write(&page, html).unwrap();
    let points = positions(mesh, 2 * pairs);
    let names: Vec<&str> = mesh
        .layers()
        .iter()
        .map(|l| l.profile().name.as_str())
        .collect();
    let queries: Vec<(&str, Vec2, Vec2)> = (names.iter())
        .flat_map(|name| points.chunks(2).map(|p| (*name, p[0], p[1])))
        .collect();
    let tasks: Vec<Value> = (queries.iter())
        .map(|(agent, from, to)| json!({"agent": agent, "from": from.to_array(), "to": to.to_array()}))
        .collect();
    let answers = run_page(&page, &json!([{"paths": tasks}]));
    let mut finder = PathFinder::new();
    let (mut found, mut refused) = (0, 0);
    for ((agent, from, to), answer) in queries.iter().zip(answers[0].as_array().unwrap()) {
        let layer = mesh.layer_named(agent).unwrap();
        let told = format!("{agent} from {from} to {to}");
        match finder.find(layer, &Query::new(*from, *to)).unwrap() {
            PathOutcome::Found(path) => {
                assert_eq!(answer["outcome"], "found", "{told}: {answer}");
                let (here, there) = (path.cost(), answer["cost"].as_f64().unwrap());
                assert!(
                    (here - there).abs() <= 1e-6 * (1.0 + here),
                    "{told}: {here} and {there} in the page"
                );
                // The steps add up, and each begins where the last ended.
                let steps = answer["steps"].as_array().unwrap();
                let sum: f64 = steps.iter().map(|s| s["duration"].as_f64().unwrap()).sum();
                assert!(
                    (sum - there).abs() <= 1e-4 * (1.0 + there),
                    "{told}: {sum}, not {there}"
                );
                for pair in steps.windows(2) {
                    assert_eq!(pair[0]["to"], pair[1]["from"], "{told}");
                }
                found += 1;
            }
            PathOutcome::NoPath(why) => {
                assert_eq!(answer["outcome"], "no_path", "{told}: {why}, not {answer}");
                refused += 1;
            }
            _ => panic!("{told}: neither found nor refused"),
        }
    }
    (found, refused)
}

#[test]
fn paths_in_the_page_cost_what_the_runtime_says() {
    if !has_node() {
        return;
    }
    for name in ["ledges.tmx", "organic.png"] {
        let (found, refused) = compare(&baked(&fixture(name)), 150);
        println!("{name}: {found} paths alike, {refused} refused by both");
        assert!(found > 100 && refused > 10, "{found} {refused}");
    }
    // Ladders, walls, ceilings and gates; and portals.
    for (name, agents) in [("movement", Some("movement.toml")), ("portals", None)] {
        let fixtures = format!("{}/../fixtures", env!("CARGO_MANIFEST_DIR"));
        let level = fixture(&format!("{name}.tmx"));
        let mesh = match agents {
            Some(file) => {
                let config = Config::load(format!("{fixtures}/{file}").as_ref()).unwrap();
                let settings = config.settings(level.tile_size).unwrap();
                bake(&level, &settings, &NoProgress).unwrap()
            }
            None => baked(&level),
        };
        let (found, refused) = compare(&mesh, 250);
        println!("{name}: {found} paths alike, {refused} refused by both");
        assert!(found > 40, "{found} {refused}");
    }
    let mut runner = TestRunner::deterministic();
    for _ in 0..6 {
        let tiles = common::draw(&mut runner, &common::tiles(8..26, 6..14, 16));
        compare(&baked(&tiles.level()), 60);
    }
}
