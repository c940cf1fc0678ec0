//! Links of agents whose acceleration in the air is bounded: each can be made,
//! and what can be made is linked. Compared with a replay and an exhaustive
//! search that share no code with the baker.

use crate::common;
use crate::random_cases;

use common::drawn::Drawn;
use common::fixtures::fixture;
use common::reachable::{Pairs, baked, closure};
use common::replay::replay;
use common::state_lattice::can_do_smoothly;
use common::{Tiles, draw, rich_tiles, rows, tiles};
use glam::DVec2;
use navmesh_bake::{Collision, Level, Material, NoProgress, Piece, Rect, Settings, Shape, bake};
use navmesh_runtime::mesh::{AgentProfile, EdgeSet, StepKind};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

/// An agent that changes its speed in the air by so many times its run speed in
/// a second.
fn agent(factor: f32, edges: EdgeSet) -> AgentProfile {
    let mut agent = AgentProfile::ground("ground", 16.0);
    agent.edges = EdgeSet::FLOOR | EdgeSet::JUMP | EdgeSet::DROP | edges;
    agent.air_acceleration = Some(factor * agent.run_speed);
    agent
}

proptest! {
    #![proptest_config(random_cases::cases(8))]

    #[test]
    fn every_smooth_link_can_be_made(
        world in rich_tiles(6..18, 5..12, 16),
        factor in 3.0f32..30.0,
        moves in 0u8..4,
        air_jumps in 0u8..3,
        fall in proptest::option::of(90.0f32..400.0),
        width in 8u32..16,
        thin in any::<bool>(),
    ) {
        let edges = [
            EdgeSet::NONE,
            EdgeSet::DROP_THROUGH,
            EdgeSet::LADDER | EdgeSet::DROP_THROUGH,
            EdgeSet::CLIMB,
        ];
        let mut agent = agent(factor, edges[usize::from(moves)]);
        agent.body[0] = width as f32;
        agent.max_fall_speed = fall;
        agent.air_jumps = air_jumps;
        agent.max_jump[1] *= f32::from(air_jumps) + 1.0;
        if moves >= 2 {
            agent.climb_speed = 40.0;
        }
        let mesh = world.baked(agent, if thin { 1.1 } else { 1.0 });
        let wrong = replay(&world, &mesh, &mesh.layers()[0]);
        prop_assert!(wrong.is_empty(), "{:#?}\n{:#?}", wrong, world.lines());
    }
}

/// The same on fixtures with slopes and organic ground.
#[test]
fn every_smooth_link_of_the_fixtures_can_be_made() {
    for name in ["ledges.tmx", "organic.png"] {
        let level = fixture(name);
        let settings = Settings::for_agents(vec![agent(8.0, EdgeSet::NONE)]);
        let mesh = bake(&level, &settings, &NoProgress).unwrap();
        let layer = &mesh.layers()[0];
        let wrong = replay(&Drawn::new(&level), &mesh, layer);
        assert!(wrong.is_empty(), "{name}: {wrong:#?}");
        let tolerant = layer.links().iter().filter(|link| link.tolerance > 0.0);
        let (tolerant, all) = (tolerant.count(), layer.links().len());
        println!("{name}: {tolerant} of {all} links have a tolerance");
    }
}

/// Two floors with a gap of a width between them, of which the right one is this much higher.
fn gap(width: f64, rise: f64) -> Level {
    let [left, right] = [[0.0, 200.0], [200.0 + width, 400.0 + width]];
    let pieces = [(left, 160.0), (right, 160.0 - rise)].map(|([from, to], top)| Piece {
        shape: Shape::Box(Rect::new(DVec2::new(from, top), DVec2::new(to, top + 32.0))),
        material: Material::Solid,
        origin: 0,
    });
    let collision = Collision::Shapes(pieces.to_vec());
    let mut level = Level::in_memory("gap", collision, 400.0 + width, 256.0);
    level.tile_size = Some([16, 16]);
    level
}

/// Seconds until a body that jumps comes down to a height above its take-off.
fn seconds_in_air(up: f64, rise: f64, gravity: f64) -> f64 {
    (up + (up * up - 2.0 * gravity * rise).sqrt()) / gravity
}

/// Over a gap, a body gets as far as it runs while it is in the air: the best jump leaves
/// exactly the room that this formula says.
#[test]
fn jumps_over_gaps_have_a_tolerance_where_there_is_room() {
    let agent = AgentProfile::ground("ground", 16.0);
    let [run, gravity, up] = [agent.run_speed, agent.gravity, agent.jump_speed].map(f64::from);
    let body = f64::from(agent.body[0]);
    let mut counts = [0, 0];
    for rise in [-32.0, 0.0, 16.0, 32.0] {
        let width = body + run * seconds_in_air(up, rise, gravity);
        for shorter in 0..40 {
            let width = width - 0.1 * f64::from(shorter);
            let settings = Settings::for_agents(vec![agent.clone()]);
            let mesh = bake(&gap(width, rise), &settings, &NoProgress).unwrap();
            let jumps = mesh.layers()[0].links().iter();
            let jumps = jumps.filter(|link| link.kind == StepKind::Jump && link.from.x < link.to.x);
            let best = jumps.map(|link| link.tolerance).fold(0.0, f32::max);
            // A body with a slower launch lands with room for the least tolerance.
            let slower = seconds_in_air(up - gravity / 120.0, rise, gravity);
            let room = run * (slower - 1.0 / 256.0) - (width - body);
            let what = format!("rise {rise}, width {width}, room {room}: {best}");
            if room > 0.1 {
                assert!(best > 0.0, "{what}");
                counts[0] += 1;
            } else if room < 0.0 {
                assert_eq!(best, 0.0, "{what}");
                counts[1] += 1;
            }
        }
    }
    assert!(counts.iter().all(|count| *count > 40), "{counts:?}");
}

/// The pairs of floors of some random levels: possible, linked, lost.
#[derive(Debug, Default)]
struct Count {
    can: usize,
    linked: usize,
    closure_can: usize,
    lost: usize,
    report: Vec<String>,
}

fn count(factor: f32, edges: EdgeSet, levels: u32, change: fn(&mut Tiles)) -> Count {
    let mut runner = TestRunner::deterministic();
    let mut total = Count::default();
    for _ in 0..random_cases::times(levels) {
        let mut world = draw(&mut runner, &tiles(8..18, 6..11, 16));
        change(&mut world);
        let mut agent = agent(factor, edges);
        agent.climb_speed = 40.0;
        // The search starts everywhere at once, so distances are not limited.
        agent.max_jump[0] = 1000.0;
        agent.max_drop[0] = 1000.0;
        let [all, thinned] = [1.0, 1.1].map(|stretch| world.baked(agent.clone(), stretch));
        let can = can_do_smoothly(&world, &all.layers()[0]);
        let (links, thin) = (baked(&all.layers()[0]), baked(&thinned.layers()[0]));
        let missing: Pairs = can.difference(&links).copied().collect();
        let lost: Pairs = (closure(&can).difference(&closure(&thin)))
            .copied()
            .collect();
        total.can += can.len();
        total.linked += can.len() - missing.len();
        total.closure_can += closure(&can).len();
        total.lost += lost.len();
        if !missing.is_empty() || !lost.is_empty() {
            let ends = |id: u32| {
                let platform = all.layers()[0].platforms().nth(id as usize).unwrap();
                format!("{} {}", platform.left(), platform.right())
            };
            let show = |pairs: &Pairs| -> Vec<String> {
                let pairs = pairs.iter();
                pairs
                    .map(|(a, b)| format!("{} -> {}", ends(*a), ends(*b)))
                    .collect()
            };
            total.report.push(format!(
                "missing {:#?}\nlost {:#?}\n{}",
                show(&missing),
                show(&lost),
                world.lines().join("\n")
            ));
        }
    }
    println!(
        "{factor} times run speed: {}/{} pairs, {} of {} lost",
        total.linked, total.can, total.lost, total.closure_can
    );
    total
}

/// All pairs are linked, and reached over several links when thinned.
fn assert_joined(factor: f32) {
    for edges in [EdgeSet::NONE, EdgeSet::DROP_THROUGH] {
        let found = count(factor, edges, 28, |_| ());
        let report = found.report.join("\n\n");
        assert!(
            found.can > random_cases::share(100),
            "the levels are too easy: {}",
            found.can
        );
        assert_eq!((found.linked, found.lost), (found.can, 0), "{report}");
    }
}

/// Adds a column of slopes at every height beside a level, walled off.
fn add_slopes(world: &mut Tiles) {
    let last = world.rows.len() - 1;
    for (r, row) in world.rows.iter_mut().enumerate() {
        let slope = if r == 0 || r == last { '#' } else { '/' };
        row.extend(['#', slope, '#']);
    }
}

/// Jumps and drops between floors, walls and ceilings, in a level with slopes elsewhere.
#[test]
fn smooth_links_join_walls_and_ceilings_that_can_be_reached() {
    for edges in [EdgeSet::WALL_CLIMB, EdgeSet::CEILING_CLIMB] {
        let found = count(8.0, edges, 5, add_slopes);
        let report = found.report.join("\n\n");
        assert!(found.can > random_cases::share(40), "{}", found.can);
        assert_eq!(found.linked, found.can, "{report}");
        assert_eq!(found.lost, 0, "{report}");
    }
}

#[test]
fn smooth_links_join_what_can_be_reached() {
    assert_joined(8.0);
}

#[test]
fn slow_smooth_links_join_what_can_be_reached() {
    assert_joined(4.0);
}

#[test]
fn fast_smooth_links_join_what_can_be_reached() {
    assert_joined(20.0);
}

/// Without air control nothing changes the speed in the air, whatever the agent
/// could do with it.
#[test]
fn agents_without_air_control_do_not_steer() {
    use navmesh_runtime::mesh::AgentProfile;
    let rows = [
        "................",
        "................",
        ".....###........",
        "................",
        "####....###..###",
        "####....###..###",
    ];
    let mut agent = AgentProfile::ground("ground", 16.0);
    assert!(agent.air_acceleration.is_some());
    agent.air_control = false;
    let level = rows::level("rows", 16, &rows);
    let mesh = bake(&level, &Settings::for_agents(vec![agent]), &NoProgress).unwrap();
    let links = mesh.layers()[0].links();
    assert!(links.len() > 4, "{links:?}");
    assert!(links.iter().all(|link| link.params.start_speed().is_none()));
}

/// A one-way wall also stops what hangs on a ceiling.
#[test]
fn ceilings_are_climbed_through_one_way_walls_in_their_direction() {
    use navmesh_runtime::mesh::{AgentProfile, EdgeSet, StepKind};
    let rows = [
        "############",
        "......<.....",
        "......<.....",
        "......<.....",
        "############",
    ];
    let mut agent = AgentProfile::ground("gecko", 16.0);
    agent.edges = EdgeSet::FLOOR | EdgeSet::CEILING_CLIMB;
    agent.climb_speed = 50.0;
    let level = rows::level("rows", 16, &rows);
    let mesh = bake(&level, &Settings::for_agents(vec![agent]), &NoProgress).unwrap();
    let links = mesh.layers()[0].links().iter();
    let ways: Vec<bool> = links
        .filter(|link| link.kind == StepKind::CeilingClimb)
        .map(|link| link.to.x < link.from.x)
        .collect();
    assert_eq!(ways, [true]);
}
