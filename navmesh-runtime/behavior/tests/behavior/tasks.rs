//! The ready-made tasks in a mock world; `bestiary.rs` tests them in a
//! baked level.

use std::sync::Arc;

use crate::mock;

use glam::Vec2;
use mock::Mock;
use navmesh_behavior::AgentTask::{
    FaceTarget, Pursue, SeesTarget, SetDestination, StartNavigation, StopNavigation, TargetWithin,
    WaitForAtDestination, Watch,
};
use navmesh_behavior::{
    AgentTask, Builder, Frame, Pools, Region, Registry, Status, Trace, Tree, TreeState,
};

use Status::{Failure, Running, Success};

const DT: f32 = 0.1;

fn sequence(name: &str, tasks: impl FnOnce(Builder<Mock>) -> Builder<Mock>) -> Arc<Tree<Mock>> {
    let tree = Tree::builder(name).sequence(name).inside(tasks).build();
    tree.expect("a valid tree")
}

/// A task as tree files have it, with the defaults of its parameters.
fn by_name(name: &str, params: &str) -> AgentTask {
    serde_json::from_str(&format!(r#"{{"{name}": {params}}}"#)).expect(name)
}

fn tick(state: &mut TreeState<Mock>, world: &mut Mock) -> Status {
    let status = state.tick(world, DT).status;
    world.walk();
    status
}

/// Ticks until the tree completes; returns its status and the number of ticks.
fn finish(tree: &Arc<Tree<Mock>>, world: &mut Mock) -> (Status, usize) {
    let mut state = tree.state(&Pools::default()).expect("no pools");
    for ticks in 1..1000 {
        let status = tick(&mut state, world);
        if status.is_done() {
            return (status, ticks);
        }
    }
    panic!("it does not complete: {state:?}");
}

fn go(b: Builder<Mock>) -> Builder<Mock> {
    b.task("", StartNavigation {})
        .task("", WaitForAtDestination {})
}

// Numbers that no task can mean are no tree.
#[test]
fn tasks_with_invalid_numbers_are_rejected() {
    let nothing = f32::NAN;
    let pursue = |range, seconds| Pursue {
        range,
        sight: false,
        floor: false,
        seconds,
    };
    let watch = |min, max| Watch {
        region: Region::Box {
            min,
            max,
            frame: Frame::World,
        },
        sight: false,
    };
    let builds = |task: AgentTask| Tree::<Mock>::builder("t").task("t", task).build().is_ok();
    assert!(builds(pursue(0.0, f32::INFINITY)) && builds(watch(Vec2::ZERO, Vec2::ZERO)));
    for wrong in [
        pursue(-5.0, 1.0),
        pursue(nothing, 1.0),
        pursue(5.0, -1.0),
        pursue(5.0, nothing),
        watch(Vec2::ONE, Vec2::ZERO),
        watch(Vec2::ZERO, Vec2::new(1.0, nothing)),
        TargetWithin { distance: nothing },
        SetDestination { to: Vec2::NAN },
    ] {
        assert!(!builds(wrong.clone()), "{wrong:?}");
    }
    let read = r#"{"root": {"task": {"task": "pursue", "params": {"range": -5}}}}"#;
    let def = serde_json::from_str(read).expect("a tree file");
    let built = Registry::<Mock>::with_agent_tasks().build(&def);
    let error = built.map(|_| ()).expect_err("a range below 0");
    assert_eq!(error.path, "pursue");
    assert!(error.message.contains("`range` is -5"), "{error}");
}

// locate_target, start_navigation, wait_for_at_destination
#[test]
fn an_agent_walks_to_its_target() {
    let tree = sequence("chase", |b| {
        b.task("", by_name("locate_target", "{}")).then(go)
    });
    let mut world = Mock::at(0.0, 5.0);
    assert_eq!(finish(&tree, &mut world), (Success, 6));
    assert_eq!(world.position.x, 5.0);
    let mut world = Mock::at(0.0, 50.0);
    assert_eq!(finish(&tree, &mut world), (Failure, 1), "no path");
    world.target = None;
    assert_eq!(finish(&tree, &mut world), (Failure, 1), "no target");
}

// wait_for_at_destination, stop_navigation
#[test]
fn waiting_for_the_destination_succeeds_after_a_stop() {
    let tree = sequence("go", |b| {
        b.task("", SetDestination { to: Vec2::X * 5.0 }).then(go)
    });
    let mut world = Mock::at(0.0, 0.0);
    let mut state = tree.state(&Pools::default()).expect("no pools");
    assert_eq!(tick(&mut state, &mut world), Running);
    let stop = sequence("stop", |b| b.task("", StopNavigation {}));
    assert_eq!(finish(&stop, &mut world), (Success, 1));
    assert_eq!(tick(&mut state, &mut world), Success);
    // Stopped by something else, it fails.
    let mut world = Mock::at(0.0, 0.0);
    let mut state = tree.state(&Pools::default()).expect("no pools");
    assert_eq!(tick(&mut state, &mut world), Running);
    world.moving = false;
    assert_eq!(tick(&mut state, &mut world), Failure);
}

// locate_floor_beneath_target
#[test]
fn a_walker_walks_to_the_floor_below_a_flying_target() {
    let tree = sequence("", |b| {
        b.task("", by_name("locate_floor_beneath_target", "{}"))
    });
    let mut world = Mock::at(0.0, 3.0);
    world.target = Some(Vec2::new(3.0, -40.0));
    let mut state = tree.state(&Pools::default()).expect("no pools");
    assert_eq!(tick(&mut state, &mut world), Success);
    assert_eq!(state.destination, Some(Vec2::X * 3.0));
    world.target = Some(Vec2::new(30.0, -40.0));
    assert_eq!(finish(&tree, &mut world).0, Failure, "no floor there");
}

fn charger(b: Builder<Mock>) -> Builder<Mock> {
    b.task("", by_name("locate_target", "{}"))
        .task("", by_name("find_edges_of_platform", "{}"))
        .task("", by_name("pick_nearer_edge", "{}"))
        .then(go)
        .task("", by_name("charge", "{}"))
}

// find_edges_of_platform, pick_nearer_edge, charge
#[test]
fn a_charger_goes_to_the_nearer_edge_and_charges_to_the_far_one() {
    let tree = sequence("charger", charger);
    let mut world = Mock::at(-4.0, 5.0);
    world.cue_ticks.insert("charge", 3);
    let (status, _) = finish(&tree, &mut world);
    assert_eq!((status, world.position.x), (Success, 10.0));
    assert_eq!(world.log, ["charge"]);
    // A cue that is not over at the far end is not cancelled.
    world.cue_ticks.insert("charge", 99);
    world.log.clear();
    world.position = Vec2::X * -4.0;
    assert_eq!(finish(&tree, &mut world).0, Success);
    assert_eq!(world.log, ["charge", "end charge"]);
    assert_eq!(world.facing, 1.0);
    let edge = tree.key::<Vec2>("edge_left").expect("it is interned");
    let mut state = tree.state(&Pools::default()).expect("no pools");
    tick(&mut state, &mut world);
    assert_eq!(state.board.get(edge), Ok(Vec2::X * -10.0));
}

// charge, aborted
#[test]
fn an_aborted_charge_stops_unless_there_is_a_new_destination() {
    let tree = sequence("", |b| b.task("", by_name("charge", "{}")));
    let mut world = Mock::at(0.0, 0.0);
    world.cue_ticks.insert("charge", 100);
    let mut state = tree.state(&Pools::default()).expect("no pools");
    tick(&mut state, &mut world);
    state.reset(&mut world);
    assert_eq!(world.log, ["charge", "cancel charge", "stop"]);
    tick(&mut state, &mut world);
    state.destination = Some(Vec2::ZERO);
    state.reset(&mut world);
    assert_eq!(world.log[3..], ["charge", "cancel charge"]);
}

// cue, ranged_attack, shout, face_target
#[test]
fn cues_run_until_the_game_reports_their_end() {
    let tree = sequence("", |b| {
        b.task("", by_name("shout", "{}"))
            .task("", by_name("ranged_attack", "{}"))
            .task("", by_name("cue", r#"{"cue": "bite"}"#))
    });
    let mut world = Mock::at(0.0, -5.0);
    world.cue_ticks = [("bite", 2), ("shout", 50)].into();
    assert_eq!(finish(&tree, &mut world), (Success, 3));
    assert_eq!(world.log, ["shout", "ranged_attack", "bite"]);
    assert_eq!(world.facing, -1.0, "it faces the target before it shoots");
    world.target = None;
    assert_eq!(finish(&tree, &mut world).0, Failure);
    let face = sequence("", |b| b.task("", FaceTarget {}));
    assert_eq!(finish(&face, &mut world).0, Failure);

    let mut state = tree.state(&Pools::default()).expect("no pools");
    world.target = Some(Vec2::ZERO);
    tick(&mut state, &mut world);
    world.log.clear();
    state.reset(&mut world);
    assert_eq!(world.log, ["cancel bite"]);
}

// watch, sees_target, target_within
#[test]
fn watch_succeeds_when_the_target_is_seen_in_the_region() {
    let region = Region::Box {
        min: Vec2::new(0.0, -2.0),
        max: Vec2::new(6.0, 2.0),
        frame: Frame::Facing,
    };
    let watch = |sight| {
        sequence("", |b| {
            let region = region.clone();
            b.task("", Watch { region, sight })
        })
    };
    let mut world = Mock::at(0.0, -5.0);
    let (tree, blind) = (watch(true), watch(false));
    let (mut state, mut blind_state) = (
        tree.state(&Pools::default()).expect("no pools"),
        blind.state(&Pools::default()).expect("no pools"),
    );
    assert_eq!(tick(&mut state, &mut world), Running, "behind");
    world.facing = -1.0;
    world.walls = vec![-3.0];
    assert_eq!(tick(&mut state, &mut world), Running, "hidden");
    assert_eq!(tick(&mut blind_state, &mut world), Success);
    world.walls.clear();
    assert_eq!(tick(&mut state, &mut world), Success);
    world.target = None;
    assert_eq!(tick(&mut state, &mut world), Running);

    let near = sequence("", |b| {
        b.task("", SeesTarget {})
            .task("", TargetWithin { distance: 5.0 })
    });
    assert_eq!(finish(&near, &mut world).0, Failure);
    for (x, status) in [(5.0, Success), (5.1, Failure)] {
        world.target = Some(Vec2::X * x);
        assert_eq!(finish(&near, &mut world).0, status);
    }
}

// A task whose key was never set fails, and the trace says why.
#[test]
fn failures_have_traced_reasons() {
    let tree = sequence("edges", |b| {
        b.task("find", by_name("find_edges_of_platform", "{}"))
    });
    let mut state = tree.state(&Pools::default()).expect("no pools");
    state.trace = Some(Box::new(Trace::new(1)));
    state.tick(&mut Mock::at(0.0, 0.0), DT);
    let text = state.trace.expect("it is its own").text(&tree);
    let reason = "task \"find\": failure (blackboard key \"target\" is not set)";
    assert!(text.contains(reason), "{text}");
}

// head_for, with a position that the game stored
#[test]
fn head_for_walks_to_a_stored_position() {
    let tree = sequence("home", |b| {
        b.task("", by_name("head_for", r#"{"key": "home"}"#))
            .then(go)
    });
    let mut world = Mock::at(0.0, 0.0);
    assert_eq!(finish(&tree, &mut world), (Failure, 1), "nothing stored");
    let home = tree.key::<Vec2>("home").expect("it is interned");
    let mut state = tree.state(&Pools::default()).expect("no pools");
    let stored = state.board.set(home, Vec2::X * -3.0);
    stored.expect("the key is the tree's");
    let mut ticks = 1;
    while tick(&mut state, &mut world) == Running {
        ticks += 1;
    }
    assert_eq!((ticks, world.position.x), (4, -3.0));
}

// watch and target_inside on a named area of the level
#[test]
fn regions_can_name_an_area_of_the_level() {
    let watch = |area: &str| {
        let params = format!(r#"{{"region": {{"area": "{area}"}}, "sight": false}}"#);
        sequence("", |b| b.task("", by_name("watch", &params)))
    };
    let (vault, typo) = (watch("vault"), watch("valut"));
    let mut world = Mock::at(0.0, 5.0);
    let mut state = vault.state(&Pools::default()).expect("no pools");
    assert_eq!(tick(&mut state, &mut world), Running);
    world.target = Some(Vec2::X * 7.0);
    assert_eq!(tick(&mut state, &mut world), Success);
    assert_eq!(finish(&typo, &mut world).0, Failure, "no such area");
    let inside = |area: &str| {
        let params = format!(r#"{{"region": {{"area": "{area}"}}}}"#);
        sequence("", |b| b.task("", by_name("target_inside", &params)))
    };
    let (vault, typo) = (inside("vault"), inside("valut"));
    assert_eq!(finish(&vault, &mut world), (Success, 1));
    assert_eq!(finish(&typo, &mut world), (Failure, 1));
    world.target = Some(Vec2::X * 5.0);
    assert_eq!(finish(&vault, &mut world), (Failure, 1), "it has left");
    world.target = None;
    assert_eq!(finish(&vault, &mut world), (Failure, 1), "no target");
    for wrong in [r#"{"area": "vault", "min": [0, 0]}"#, r#"{"min": [0, 0]}"#] {
        let error = serde_json::from_str::<Region>(wrong).expect_err("neither");
        assert!(error.to_string().contains("`min` and `max`, or `area`"));
    }
}

// start_navigation through a queue
#[test]
fn start_navigation_runs_until_the_path_is_known() {
    let tree = sequence("", |b| {
        b.task("", SetDestination { to: Vec2::X * 3.0 })
            .task("", StartNavigation {})
    });
    for (end, found) in [(Success, true), (Failure, false)] {
        let mut world = Mock::at(0.0, 0.0);
        world.planning = Some(found);
        let mut state = tree.state(&Pools::default()).expect("no pools");
        assert_eq!(state.tick(&mut world, DT).status, Running);
        assert_eq!(state.tick(&mut world, DT).status, Running);
        world.find();
        assert_eq!(state.tick(&mut world, DT).status, end);
    }
}

// pursue
#[test]
fn a_pursuer_follows_its_target_until_it_is_in_range() {
    let tree = sequence("", |b| b.task("", by_name("pursue", r#"{"range": 2}"#)));
    // The target walks away at half the pursuer's speed.
    let mut world = Mock::at(-10.0, -4.0);
    let mut state = tree.state(&Pools::default()).expect("no pools");
    let mut ticks = 0;
    while tick(&mut state, &mut world) == Running {
        ticks += 1;
        assert!(world.moving, "it never arrives in between");
        world.target = world.target.map(|target| target + Vec2::X * 0.5);
        assert!(ticks < 20);
    }
    assert_eq!(ticks, 8);
    assert!(world.position.x < world.target.expect("it has one").x);
    assert!(world.log.is_empty(), "it did not stop");

    // A target far away, which moves less than an eighth of the distance: twice a
    // second all the same. One that rests has one destination.
    for (speed, goals) in [(0.1, 5), (0.0, 1)] {
        let mut world = Mock::at(0.0, 100.0);
        world.platforms = vec![(Vec2::X * -10.0, Vec2::X * 200.0)];
        let (mut state, mut found) = (tree.state(&Pools::default()).expect("no pools"), Vec::new());
        for _ in 0..25 {
            assert_eq!(tick(&mut state, &mut world), Running);
            found.push(world.destination.expect("it has one").x.to_bits());
            world.target = world.target.map(|target| target + Vec2::X * speed);
        }
        found.dedup();
        assert_eq!(found.len(), goals, "{speed}");
    }

    // Out of sight; then unreachable, without a target, and too slow.
    let looks = r#"{"range": 2, "sight": true, "seconds": 1}"#;
    let looks = sequence("", |b| b.task("", by_name("pursue", looks)));
    let mut world = Mock::at(0.0, 4.0);
    world.walls = vec![3.5];
    assert_eq!(finish(&looks, &mut world), (Success, 5), "past the wall");
    let mut world = Mock::at(0.0, 4.0);
    world.walls = vec![3.5];
    world.platforms = vec![(Vec2::X * -10.0, Vec2::X * 3.0)];
    assert_eq!(finish(&looks, &mut world), (Failure, 1), "no path");
    world.target = None;
    assert_eq!(finish(&looks, &mut world), (Failure, 1), "no target");
    let mut world = Mock::at(-10.0, 10.0);
    assert_eq!(finish(&looks, &mut world), (Failure, 11), "a second");
    assert_eq!(world.log, ["stop"]);
    // It stands below a target that rests out of range.
    let floor = r#"{"range": 2, "floor": true}"#;
    let floor = sequence("", |b| b.task("", by_name("pursue", floor)));
    let mut world = Mock::at(0.0, 0.0);
    world.target = Some(Vec2::new(3.0, -9.0));
    assert_eq!(finish(&floor, &mut world), (Failure, 4));
    // An abort stops it.
    let mut state = tree.state(&Pools::default()).expect("no pools");
    world.target = Some(Vec2::X * 9.0);
    tick(&mut state, &mut world);
    world.log.clear();
    state.reset(&mut world);
    assert_eq!(world.log, ["stop"]);
}
