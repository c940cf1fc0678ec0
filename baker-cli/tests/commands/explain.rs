//! `navbake explain`: links, routes and the attempt that comes closest.

use crate::common;
use crate::sandbox;

use baker_cli::report::explain::{Reason, explain, explain_platforms};
use common::fixtures::configured;
use navmesh_bake::tools::AgentMoves;
use navmesh_bake::{NoProgress, bake};
use navmesh_runtime::glam::Vec2;
use navmesh_runtime::mesh::{Layer, Platform, PlatformId, PlatformKind};
use sandbox::{Run, Sandbox};

fn run_explain(sandbox: &Sandbox, file: &str, from: &str, to: &str) -> Run {
    let places = format!("--from {from} --to {to}");
    sandbox.run(&format!("explain {file} --agent ground {places} --json"))
}

/// A level of tiles.
fn level(middle: &[String]) -> String {
    let width = middle[0].len();
    let cells: Vec<String> = middle
        .iter()
        .map(|row| {
            row.chars()
                .map(|c| if c == '#' { "1," } else { "0," })
                .collect::<String>()
        })
        .collect();
    let csv = cells.join("\n");
    format!(
        r#"<?xml version="1.0"?><map version="1.10" orientation="orthogonal" width="{width}" height="{h}" tilewidth="16" tileheight="16" infinite="0"><tileset firstgid="1" name="t" tilewidth="16" tileheight="16" tilecount="1" columns="1"><image source="t.png" width="16" height="16"/></tileset><layer id="1" name="ground" width="{width}" height="{h}"><data encoding="csv">{csv}</data></layer></map>"#,
        h = middle.len(),
        csv = csv.trim_end_matches(',')
    )
}

#[test]
fn links_and_the_closest_attempts_are_reported() {
    let sandbox = Sandbox::new();
    let cases: [(&[&str], &str, &str, &str); 5] = [
        (
            &["..........", "..........", "..........", "####...###"],
            "8,48",
            "152,48",
            "linked",
        ),
        (
            &["....................", "####..........######"],
            "8,16",
            "300,16",
            "too_far",
        ),
        (
            &[
                "#####", ".....", ".....", ".....", ".....", ".....", ".....", ".....", "#####",
            ],
            "8,128",
            "8,0",
            "no_floor",
        ),
        (
            &[
                "......", "......", "......##", "......", "......", "......", "......", "......",
                "######",
            ],
            "8,128",
            "120,32",
            "too_high",
        ),
        (
            &[
                "..........",
                "....#.....",
                "....#.....",
                "....#.....",
                "....#.....",
                "....#.....",
                "....#.....",
                "....#.....",
                "####.#####",
            ],
            "8,128",
            "152,128",
            "blocked",
        ),
    ];
    for (rows, from, to, reason) in cases {
        let width = rows.iter().map(|r| r.len()).max().unwrap();
        let padded: Vec<String> = rows.iter().map(|r| format!("{r:.<width$}")).collect();
        sandbox.write("level.tmx", &level(&padded));
        let run = run_explain(&sandbox, "level.tmx", from, to);
        let answer = run.json();
        assert_eq!(answer["reason"], reason, "{padded:#?}\n{answer}");
        let linked = answer["linked"].as_bool().unwrap();
        assert_eq!(run.code, i32::from(!linked));
        match reason {
            "too_far" | "too_high" => assert!(answer["by"].as_f64().unwrap() > 0.0),
            "blocked" => {
                assert!(answer["at"].is_array());
                assert!(
                    answer["by_what"].as_str().unwrap().contains("ground"),
                    "{answer}"
                );
            }
            _ => {}
        }
    }
}

/// The first goal is on a floor, the second one in mid-air.
#[test]
fn an_agent_that_only_flies_needs_no_floor() {
    let sandbox = Sandbox::new();
    sandbox.fixture("ledges.tmx");
    sandbox.fixture("tiles.tsx");
    for goal in ["136,272", "352,112"] {
        let places = format!("--from 24,272 --to {goal} --json");
        let run = sandbox.exits(1, &format!("explain ledges.tmx --agent air {places}"));
        assert_eq!(run.json()["reason"], "no_edges", "{goal}: {}", run.stdout);
    }
}

/// The spawn is seven cells above the floor: the agent falls, as for `path`.
#[test]
fn the_start_is_where_an_agent_at_the_spawn_lands() {
    let sandbox = Sandbox::new();
    let spawn = "x=\"24\" y=\"104\"";
    sandbox.write(
        "air.tmx",
        &sandbox::level(&[]).replace("x=\"24\" y=\"160\"", spawn),
    );
    let run = run_explain(&sandbox, "air.tmx", "spawn:player", "300,160");
    let message = run.json()["message"].to_string();
    assert!(
        message.contains("; the start was taken as 24,160, 56 units from 24,104"),
        "{message}"
    );
    assert_eq!(run.json()["reason"], "linked", "{message}");
}

#[test]
fn a_baked_file_gives_the_same_reason() {
    let sandbox = Sandbox::new();
    sandbox.fixture("ledges.tmx");
    sandbox.fixture("tiles.tsx");
    sandbox.fine("bake ledges.tmx");
    for (from, to) in [
        ("24,304", "136,304"),
        ("24,304", "250,80"),
        ("24,304", "40,304"),
    ] {
        let a = run_explain(&sandbox, "ledges.navmesh", from, to);
        let b = run_explain(&sandbox, "ledges.tmx", from, to);
        assert_eq!(a.json()["reason"], b.json()["reason"], "{from} to {to}");
        assert_eq!(a.code, b.code);
    }
}

#[test]
fn errors_have_status_2() {
    let run = run_explain(&Sandbox::new(), "no-such.tmx", "0,0", "1,1");
    assert_eq!(run.code, 2);
    run.says("no-such.tmx");
}

/// The square of the gap between the rectangles around two platforms, and that of a
/// grid step.
fn hop_cost(layer: &Layer, a: PlatformId, b: PlatformId) -> f64 {
    let [a, b] = [a, b].map(|id| {
        let platform = layer.platform(id).unwrap();
        let points = platform.surface.iter();
        points.fold([Vec2::MAX, Vec2::MIN], |[low, high], p| {
            [low.min(*p), high.max(*p)]
        })
    });
    let gap = (b[0] - a[1]).max(a[0] - b[1]).max(Vec2::ZERO);
    f64::from(gap.length_squared() + layer.grid().spacing.powi(2))
}

/// For all pairs of platforms, the least sum of the costs of hops between them, where
/// links cost nothing (Floyd and Warshall).
fn hop_sums(layer: &Layer) -> Vec<Vec<f64>> {
    let ids: Vec<_> = layer.platforms().map(|platform| platform.id).collect();
    let row = |a: &PlatformId| ids.iter().map(|b| hop_cost(layer, *a, *b)).collect();
    let mut sums: Vec<Vec<f64>> = ids.iter().map(row).collect();
    for link in layer.links() {
        sums[link.from_platform.0 as usize][link.to_platform.0 as usize] = 0.0;
    }
    for middle in 0..ids.len() {
        for a in 0..ids.len() {
            for b in 0..ids.len() {
                sums[a][b] = sums[a][b].min(sums[a][middle] + sums[middle][b]);
            }
        }
    }
    for (i, row) in sums.iter_mut().enumerate() {
        row[i] = 0.0;
    }
    sums
}

/// For pairs of platforms of every agent, compares the explanation with the
/// bake: a kept link, a thinned one with the route that replaces it, or none
/// and why. Returns how many pairs were linked, thinned and impossible.
fn compare(name: &str) -> [usize; 3] {
    let (level, mut settings) = configured(name);
    // Smooth jumps take several times as long to find: one fixture has them.
    if name != "ledges.tmx" {
        for agent in &mut settings.agents {
            agent.air_acceleration = None;
        }
    }
    let mesh = bake(&level, &settings, &NoProgress).unwrap();
    let mut counts = [0; 3];
    for layer in mesh.layers() {
        let moves = AgentMoves::new(&level, &settings, layer.profile()).unwrap();
        let platforms: Vec<_> = layer.platforms().collect();
        let pairs = (0..platforms.len().pow(2))
            .map(|i| {
                (
                    platforms[i / platforms.len()],
                    platforms[i % platforms.len()],
                )
            })
            .filter(|(a, b)| a.id != b.id);
        let sums = hop_sums(layer);
        // At most 100 pairs, evenly spread.
        let step = (platforms.len().pow(2) / 100).max(1);
        for (start, goal) in pairs.step_by(step) {
            let middle = |p: &navmesh_runtime::mesh::Platform<'_>| {
                let (low, high) = p.extent();
                p.at(f32::midpoint(low, high))
            };
            let places = [middle(&start), middle(&goal)];
            let answer = explain_platforms(layer, Some(&moves), [start, goal], places);
            if !layer.profile().edges.walks() {
                assert_eq!(answer.reason, Reason::NoEdges, "{answer:?}");
                continue;
            }
            let agent = &layer.profile().name;
            let pair = format!("{name}, {agent}: {} to {}", start.id, goal.id);
            let reaches = |from: PlatformId, to: PlatformId| {
                let graph = layer.link_graph();
                let [from, to] = [from, to].map(|id| graph.component(id).unwrap());
                graph.reached_from([from])[to as usize]
            };
            let reachable = reaches(start.id, goal.id);
            let wanted = (start.id, goal.id);
            let mut links = layer.links().iter();
            if links.any(|link| (link.from_platform, link.to_platform) == wanted) {
                assert_eq!(answer.reason, Reason::Linked, "{pair}");
                counts[0] += 1;
                continue;
            }
            assert!(!answer.linked, "{pair}: {answer:?}");
            if moves.between(start.id, goal.id).is_ok() {
                assert_eq!(answer.reason, Reason::Thinned, "{pair}");
                assert!(reachable, "{pair}: {answer:?}");
                // Routes over one link leave a link of the pair.
                assert!(answer.route.len() > 1, "{pair}: {answer:?}");
                counts[1] += 1;
            } else {
                assert_ne!(answer.reason, Reason::Thinned, "{pair}");
                let has_route = !answer.route.is_empty();
                assert_eq!(has_route, reachable, "{pair}: {answer:?}");
                if let Some(hop) = &answer.missing {
                    let [from, to] = [hop.from_platform, hop.to_platform].map(PlatformId);
                    assert!(from == start.id || reaches(start.id, from));
                    assert_eq!(
                        hop.further == 0,
                        to == goal.id || reaches(to, goal.id),
                        "{pair}: {answer:?}"
                    );
                    let sum = |a: PlatformId, b: PlatformId| sums[a.0 as usize][b.0 as usize];
                    let first = hop_cost(layer, from, to);
                    let whole = sum(start.id, goal.id);
                    let rest = sum(to, goal.id);
                    assert!(
                        (first + rest - whole).abs() <= 1e-4 * whole,
                        "{pair}: {first} + {rest} is not {whole}"
                    );
                    assert!(moves.between(from, to).is_err());
                }
                counts[2] += 1;
            }
        }
    }
    counts
}

/// A place on a wall or a ceiling is on that, although there is a floor nearby.
#[test]
fn places_are_on_walls_and_ceilings_too() {
    let (level, settings) = configured("movement.tmx");
    let mesh = bake(&level, &settings, &NoProgress).unwrap();
    let layer = mesh.layer_named("gecko").unwrap();
    let middle = |platform: &Platform<'_>| {
        let (low, high) = platform.extent();
        platform.at(f32::midpoint(low, high))
    };
    let (mut held, mut floors, mut short) = (0, 0, 0);
    let start = layer.platforms().next().unwrap();
    for platform in layer.platforms().skip(1) {
        let reason = explain(layer, None, middle(&start), middle(&platform)).reason;
        assert_ne!(reason, Reason::SamePlatform, "{:?}", platform.id);
        let own = explain(layer, None, middle(&platform), middle(&platform)).reason;
        assert_eq!(own, Reason::SamePlatform, "{:?}", platform.id);
        held += usize::from(platform.kind != PlatformKind::Floor);
        floors += usize::from(platform.kind == PlatformKind::Floor);
        for other in layer.platforms().filter(|other| other.id != platform.id) {
            let found = explain(layer, None, middle(&platform), middle(&other));
            let pair = (platform.id, other.id);
            assert_ne!(found.reason, Reason::SamePlatform, "{pair:?}");
            // Onto and off a wall, steps have almost no length.
            let near = |a: [f32; 2], b: [f32; 2]| Vec2::from(a).distance(b.into()) < 1e-3;
            for link in found.route.iter().filter(|link| near(link.from, link.to)) {
                let shown = format!("{} at ", link.kind.replace('_', " "));
                assert!(found.message.contains(&shown), "{pair:?} {}", found.message);
                short += 1;
            }
        }
    }
    assert!(
        held > 10 && floors > 10 && short > 10,
        "{held} {floors} {short}"
    );
}

/// A level of dots, none of which can be reached from another. With every pair of its
/// 90,000 platforms compared, this took minutes.
#[test]
fn places_many_platforms_apart_are_explained_step_by_step() {
    let sandbox = Sandbox::new();
    let dot = |x: u32, y: u32| image::Luma([if x % 10 == 5 && y % 10 == 5 { 0 } else { 255 }]);
    let dots = image::GrayImage::from_fn(600, 600, dot);
    dots.save(sandbox.path("dots.png")).unwrap();
    let agent = "name = \"ground\"\nbody = [4, 4]\njump_height = 0\nmax_drop = [1, 1]\n";
    sandbox.configure(&format!("[[agent]]\n{agent}"));
    let run = run_explain(&sandbox, "dots.png", "5,5", "595,595");
    assert_eq!(run.json()["missing"]["further"], 58, "{}", run.stdout);
}

#[test]
fn explanations_agree_with_the_bake() {
    let mut sums = [0; 3];
    for name in ["ledges.tmx", "portals.tmx", "movement.tmx", "organic.png"] {
        let counts = compare(name);
        println!("{name}: {counts:?} linked, thinned, impossible");
        for (sum, count) in sums.iter_mut().zip(counts) {
            *sum += count;
        }
    }
    assert!(
        sums.iter().all(|sum| *sum > 0),
        "{sums:?}: a case is missing"
    );
}
