//! The ready-made tasks in a mock world (B13), and the trees of the bestiary
//! as data: each can be written, built and run (E1–E6, E8, E11, P3, P8).

#[path = "support/mock.rs"]
mod mock;

use glam::Vec2;
use mock::Mock;
use navmesh_runtime::behavior::tasks::{
    Charge, Cue, FaceTarget, FindEdgesOfPlatform, Frame, LocateFloorBeneathTarget, LocateTarget,
    PickNearerEdge, RangedAttack, Region, SeesTarget, SetDestination, Shout, StartNavigation,
    StopNavigation, TargetWithin, WaitForAtDestination, Watch,
};
use navmesh_runtime::behavior::{Builder, Registry, Status, Trace, Tree, TreeDef, TreeState};
use navmesh_runtime::coordination::{Pools, TokenPool, WaypointPool};

use Status::{Failure, Running, Success};

const DT: f32 = 0.1;

fn sequence(name: &str, tasks: impl FnOnce(Builder<Mock>) -> Builder<Mock>) -> Tree<Mock> {
    let tree = Tree::builder(name).sequence(name).inside(tasks).build();
    tree.expect("a sound tree")
}

fn tick(tree: &Tree<Mock>, state: &mut TreeState, world: &mut Mock) -> Status {
    let status = state.tick(tree, world, DT).status;
    world.walk();
    status
}

/// Ticks until the tree completes: the status, and how many ticks it took.
fn finish(tree: &Tree<Mock>, world: &mut Mock) -> (Status, usize) {
    let mut state = tree.state();
    for ticks in 1..1000 {
        let status = tick(tree, &mut state, world);
        if status.is_done() {
            return (status, ticks);
        }
    }
    panic!("it never ends: {state:?}");
}

fn go(b: Builder<Mock>) -> Builder<Mock> {
    b.task("", StartNavigation {})
        .task("", WaitForAtDestination {})
}

// B13: locate_target, start_navigation, wait_for_at_destination
#[test]
fn chasing_a_target() {
    let tree = sequence("chase", |b| b.task("", LocateTarget::default()).then(go));
    let mut world = Mock::at(0.0, 5.0);
    assert_eq!(finish(&tree, &mut world), (Success, 6));
    assert_eq!(world.position.x, 5.0);
    let mut world = Mock::at(0.0, 50.0);
    assert_eq!(finish(&tree, &mut world), (Failure, 1), "no path");
    world.target = None;
    assert_eq!(finish(&tree, &mut world), (Failure, 1), "no target");
}

// B13: wait_for_at_destination, stop_navigation
#[test]
fn stopping_short_fails() {
    let tree = sequence("go", |b| {
        b.task("", SetDestination { to: Vec2::X * 5.0 }).then(go)
    });
    let mut world = Mock::at(0.0, 0.0);
    let mut state = tree.state();
    assert_eq!(tick(&tree, &mut state, &mut world), Running);
    let stop = sequence("stop", |b| b.task("", StopNavigation {}));
    assert_eq!(finish(&stop, &mut world), (Success, 1));
    assert_eq!(tick(&tree, &mut state, &mut world), Failure);
}

// B13: locate_floor_beneath_target
#[test]
fn a_walker_heads_for_the_floor_beneath_a_flying_target() {
    let tree = sequence("", |b| b.task("", LocateFloorBeneathTarget::default()));
    let mut world = Mock::at(0.0, 3.0);
    world.target = Some(Vec2::new(3.0, -40.0));
    assert_eq!(finish(&tree, &mut world).0, Success);
    assert_eq!(world.destination, Some(Vec2::X * 3.0));
    world.target = Some(Vec2::new(30.0, -40.0));
    assert_eq!(finish(&tree, &mut world).0, Failure, "no floor there");
}

fn charger(b: Builder<Mock>) -> Builder<Mock> {
    b.task("", LocateTarget::default())
        .task("", FindEdgesOfPlatform::default())
        .task("", PickNearerEdge::default())
        .then(go)
        .task("", Charge::default())
}

// B13: find_edges_of_platform, pick_nearer_edge, charge; E3
#[test]
fn a_charger_goes_to_the_nearer_edge_and_charges_to_the_far_one() {
    let tree = sequence("charger", charger);
    let mut world = Mock::at(-4.0, 5.0);
    world.cue_ticks.insert("charge", 3);
    let (status, _) = finish(&tree, &mut world);
    assert_eq!((status, world.position.x), (Success, 10.0));
    assert_eq!(world.log, ["charge"]);
    assert_eq!(world.facing, 1.0);
    let edge = tree.key::<Vec2>("edge_left").expect("it is interned");
    let mut state = tree.state();
    tick(&tree, &mut state, &mut world);
    assert_eq!(state.board().get(edge), Ok(Vec2::X * -10.0));
}

// B13: charge, aborted
#[test]
fn an_aborted_charge_stops_unless_somebody_else_has_taken_the_wheel() {
    let tree = sequence("", |b| b.task("", Charge::default()));
    let mut world = Mock::at(0.0, 0.0);
    world.cue_ticks.insert("charge", 100);
    let mut state = tree.state();
    tick(&tree, &mut state, &mut world);
    state.reset(&tree, &mut world);
    assert_eq!(world.log, ["charge", "cancel charge", "stop"]);
    tick(&tree, &mut state, &mut world);
    world.set_goal(Vec2::ZERO);
    state.reset(&tree, &mut world);
    assert_eq!(world.log[3..], ["charge", "cancel charge"]);
}

impl Mock {
    fn set_goal(&mut self, goal: Vec2) {
        self.destination = Some(goal);
    }
}

// B13: cue, ranged_attack, shout, face_target
#[test]
fn cues_run_as_long_as_the_game_says() {
    let tree = sequence("", |b| {
        b.task("", Shout::default())
            .task("", RangedAttack::default())
            .task("", Cue::new("bite"))
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

    let mut state = tree.state();
    world.target = Some(Vec2::ZERO);
    tick(&tree, &mut state, &mut world);
    world.log.clear();
    state.reset(&tree, &mut world);
    assert_eq!(world.log, ["cancel bite"]);
}

// B13: watch, sees_target, target_within
#[test]
fn watching_a_region_in_front() {
    let region = Region {
        min: Vec2::new(0.0, -2.0),
        max: Vec2::new(6.0, 2.0),
        frame: Frame::Facing,
    };
    let watch = |sight| sequence("", |b| b.task("", Watch { region, sight }));
    let mut world = Mock::at(0.0, -5.0);
    let (tree, blind) = (watch(true), watch(false));
    let (mut state, mut blind_state) = (tree.state(), blind.state());
    assert_eq!(tick(&tree, &mut state, &mut world), Running, "behind");
    world.facing = -1.0;
    world.walls = vec![-3.0];
    assert_eq!(tick(&tree, &mut state, &mut world), Running, "hidden");
    assert_eq!(tick(&blind, &mut blind_state, &mut world), Success);
    world.walls.clear();
    assert_eq!(tick(&tree, &mut state, &mut world), Success);
    world.target = None;
    assert_eq!(tick(&tree, &mut state, &mut world), Running);

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

// B3, B12: a task whose key was never set fails, and the trace says why.
#[test]
fn failures_have_traced_reasons() {
    let tree = sequence("edges", |b| b.task("find", FindEdgesOfPlatform::default()));
    let (mut state, mut trace) = (tree.state(), Trace::new(1));
    state.tick_traced(&tree, &mut Mock::at(0.0, 0.0), DT, &mut trace);
    let text = trace.text(&tree);
    let reason = "task \"find\": failure (blackboard key \"target\" is not set)";
    assert!(text.contains(reason), "{text}");
}

fn pools() -> Pools {
    let places = |y: f32| WaypointPool::new([-8.0, 0.0, 8.0].map(|x| Vec2::new(x, y)));
    Pools::new()
        .with_tokens("melee", TokenPool::new(1u32))
        .with_tokens("ranged", TokenPool::new(1u32))
        .with_waypoints("ground", places(0.0))
        .with_waypoints("air", places(-8.0))
}

fn registry() -> Registry<Mock> {
    let mut registry = Registry::<Mock>::for_world();
    registry
        .action("target_alive", |tick| tick.context.target.is_some())
        .action("badly_hurt_near", |_| false)
        .action("drain", |tick| tick.context.log.push("drain".into()))
        .utility("far_from_others", |_, at| at.position.x.abs());
    registry
}

const GO: &str = r#"
    task(task: "start_navigation"),
    task(task: "wait_for_at_destination"),
"#;

/// Name, RON, and the cue that shows it has done what it is for.
fn bestiary() -> Vec<(&'static str, String, &'static str)> {
    let melee = format!(
        r#"with_token(pool: "melee", wait: 2.0, priority: "on_screen", child: sequence(children: [
            task(task: "locate_target"), {GO}
            task(task: "cue", params: {{"cue": "bite"}}),
            task(task: "wait", params: {{"seconds": 0.3}}),
        ]))"#
    );
    let sight = "sum([measure(line_of_sight), weighted(weight: 0.5, score: measure(distance_band(near: 4.0, far: 9.0, fade: 4.0)))])";
    vec![
        (
            "crawler",
            format!(
                r#"repeat(child: sequence(children: [
                    race(children: [
                        repeat(name: "patrol", child: sequence(children: [
                            task(task: "set_destination", params: {{"to": [-10, 0.0]}}), {GO}
                            task(task: "set_destination", params: {{"to": [10, 0.0]}}), {GO}
                        ])),
                        task(task: "watch", params: {{"region": {{"min": [0, -4], "max": [12, 4]}}}}),
                    ]),
                    task(task: "stop_navigation"),
                    task(task: "cue", params: {{"cue": "bite"}}),
                    task(task: "wait", params: {{"seconds": 0.3}}),
                ]))"#
            ),
            "bite",
        ),
        (
            "spitter",
            format!(
                r#"repeat(child: with_waypoint(pool: "ground", wait: 1.0, utility: {sight},
                    child: sequence(children: [ {GO}
                        with_token(pool: "ranged", child: task(task: "ranged_attack")),
                        task(task: "wait", params: {{"seconds": 0.3}}),
                    ]),
                    fallback: {melee},
                ))"#
            ),
            "ranged_attack",
        ),
        (
            "charger",
            format!(
                r#"repeat(child: sequence(children: [
                    task(task: "locate_target"), task(task: "find_edges_of_platform"),
                    task(task: "pick_nearer_edge"), {GO} task(task: "charge"),
                ]))"#
            ),
            "charge",
        ),
        (
            "spiker",
            format!(
                r#"repeat(child: selector(children: [
                    cooldown(seconds: 5.0, child: with_waypoint(pool: "ground", wait: 0.0, utility: {sight},
                        child: sequence(children: [ {GO}
                            task(task: "shout", params: {{"cue": "warning"}}),
                            task(task: "wait", params: {{"seconds": 1.0}}),
                            task(task: "cue", params: {{"cue": "spike"}}),
                        ]))),
                    {melee},
                ]))"#
            ),
            "spike",
        ),
        (
            "immolator",
            format!(
                r#"race(children: [
                    repeat(child: task(task: "drain")),
                    sequence(children: [
                        task(task: "locate_target"), {GO}
                        task(task: "cue", params: {{"cue": "fire"}}),
                    ]),
                ])"#
            ),
            "fire",
        ),
        (
            "defender",
            format!(
                r#"repeat(child: selector(children: [
                    cooldown(seconds: 15.0, child: sequence(children: [
                        task(task: "shout", params: {{"cue": "shield"}}),
                        task(task: "wait", params: {{"seconds": 10.0}}),
                    ])),
                    with_waypoint(pool: "ground", no_repeat: true, wait: 1.0,
                        utility: product([measure(away_from_target), named("far_from_others")]),
                        child: sequence(children: [ {GO} ])),
                ]))"#
            ),
            "shield",
        ),
        (
            "flyer",
            format!(
                r#"repeat(child: with_waypoint(pool: "air",
                    utility: only_if(needs: measure(different_elevation(height: 4.0)), score: {sight}),
                    child: sequence(children: [
                        task(task: "locate_target"),
                        task(task: "cue", params: {{"cue": "dive"}}),
                    ])))"#
            ),
            "dive",
        ),
        (
            "gunner",
            format!(
                r#"repeat(child: selector(children: [
                    sequence(name: "attack", children: [
                        task(task: "target_alive"), task(task: "target_within", params: {{"distance": 4.0}}),
                        task(task: "face_target"),
                        task(task: "cue", params: {{"cue": "aim"}}),
                        task(task: "sees_target"),
                        task(task: "cue", params: {{"cue": "fire"}}),
                    ]),
                    sequence(name: "move", children: [ task(task: "locate_target"), {GO} ]),
                ]))"#
            ),
            "fire",
        ),
    ]
}

#[test]
fn the_bestiary_can_be_written_as_data() {
    let registry = registry();
    for (name, root, cue) in bestiary() {
        let file = format!("(name: {name:?}, root: {root})");
        let def: TreeDef = ron::from_str(&file).unwrap_or_else(|e| panic!("{name}: {e}"));
        let tree = registry.build(&def).unwrap_or_else(|e| panic!("{e}"));
        let saved = tree.to_def().expect("it came from data");
        assert_eq!(saved, def, "{name}");
        let text = ron::to_string(&saved).expect("it can be written");
        assert_eq!(ron::from_str::<TreeDef>(&text).expect(&text), def);
        let json = serde_json::to_string(&saved).expect("it can be written");
        assert_eq!(serde_json::from_str::<TreeDef>(&json).expect(&json), def);

        let pools = pools();
        let mut state = tree.state_in(&pools).expect("the pools are there");
        let mut world = Mock::at(-6.0, 6.0);
        world.cue_ticks = [("aim", 3)].into();
        for _ in 0..200 {
            tick(&tree, &mut state, &mut world);
        }
        assert!(
            world.log.iter().any(|l| l == cue),
            "{name}: {:?}",
            world.log
        );
        drop(state);
        assert_eq!(pools.tokens("melee").map(TokenPool::free), Some(1));
        assert_eq!(pools.waypoints("ground").map(WaypointPool::free), Some(3));
    }
}

// E11: a gunner out of range aims only once it has arrived.
#[test]
fn a_gunner_does_not_stutter_between_step_and_aim() {
    let (_, root, _) = bestiary().pop().expect("the gunner");
    let def: TreeDef = ron::from_str(&format!("(root: {root})")).expect("it parses");
    let tree = registry().build(&def).expect("a sound tree");
    let (mut state, mut world) = (tree.state(), Mock::at(-9.0, 9.0));
    world.cue_ticks = [("aim", 3)].into();
    let mut steps = 0;
    while !world.log.contains(&"aim".to_owned()) {
        let before = world.position;
        tick(&tree, &mut state, &mut world);
        assert!(world.position != before || !world.moving);
        steps += 1;
    }
    assert!(steps >= 18, "aimed after {steps} steps");
}
