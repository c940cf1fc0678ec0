//! A game that is saved and loaded goes on as one that is not: every tick of every agent is the
//! same, with new pools.

use std::fmt::Write as _;
use std::sync::Arc;

use glam::Vec2;
use navmesh_behavior::{
    Context, NodeKind, Outcome, Pools, Registry, Status, TokenPool, Tree, TreeDef, TreeState, Wait,
    WaypointPool,
};
use serde::Deserialize;
use serde_json::Value;

/// What the leaves of an agent have done: its number, and a hash of the words.
#[derive(Clone, Default, PartialEq, Debug)]
struct Diary {
    me: usize,
    ticks: u64,
    hash: u64,
}

impl Context for Diary {
    type View<'a> = Self;
}

#[derive(Deserialize)]
struct Act {
    ticks: u64,
}

fn tree() -> Arc<Tree<Diary>> {
    let mut registry = Registry::<Diary>::default();
    registry
        .action_with("act", |tick, act: &Act| {
            let diary = &mut *tick.context;
            diary.ticks += 1;
            diary.hash = diary.hash.wrapping_mul(31).wrapping_add(act.ticks);
            // Some acts take a tick or two longer.
            Outcome {
                status: if diary.ticks % act.ticks == 0 {
                    navmesh_behavior::Status::Success
                } else {
                    navmesh_behavior::Status::Running
                },
                ends_turn: false,
            }
        })
        .priority("urgent", |diary| {
            i32::from(diary.ticks % 97 < diary.me as u64)
        });
    let def: TreeDef = ron::from_str(
        r#"(root: repeat(child: random_selector(weights: [3, 1, 1], children: [
            with_token(pool: "melee", wait: 2, priority: "urgent", child: sequence(children: [
                task(task: "act", params: {"ticks": 3}), set(key: "bites", value: 1), random_wait(least: 0.1, most: 0.9),
            ])),
            cooldown(seconds: 3, child: task(task: "act", params: {"ticks": 2})),
            with_waypoint(
                pool: "ground", wait: 0.5, utility: constant(1.0), no_repeat: true,
                child: task(task: "act", params: {"ticks": 7}),
                fallback: state_machine(
                    transitions: {"a": {"go": "b"}, "b": {"success": "a"}},
                    children: [
                        sequence(name: "a", children: [task(task: "act", params: {"ticks": 5}), emit(signal: "go")]),
                        task(name: "b", task: "act", params: {"ticks": 4}),
                    ],
                ),
            ),
        ])))"#,
    )
    .expect("it is RON");
    registry.build(&def).expect("a valid tree")
}

fn pools() -> Pools {
    let places = [0.0, 1.0, 2.0].map(|x| Vec2::new(x, 0.0));
    Pools {
        tokens: [("melee".into(), TokenPool::new(2u32))].into(),
        waypoints: [("ground".into(), WaypointPool::new(places))].into(),
    }
}

type Agents = Vec<(Diary, TreeState<Diary>)>;

fn start(tree: &Arc<Tree<Diary>>) -> Agents {
    let pools = pools();
    let agent = |me| {
        let mut state = tree.state(&pools).expect("the pools are there");
        state.seed = me as u64;
        (
            Diary {
                me,
                ..Diary::default()
            },
            state,
        )
    };
    (0..7).map(agent).collect()
}

/// Ticks all agents, and returns what can be seen of them.
fn tick(agents: &mut Agents) -> String {
    let mut seen = String::new();
    for (diary, state) in agents {
        let outcome = state.tick(diary, 1.0 / 30.0);
        let running: Vec<u32> = state.running().map(|(node, _)| node).collect();
        let waypoint = state.waypoint().map(|claim| claim.index);
        let tokens = state.tokens_held();
        let board = &state.board;
        let parts = (outcome, running, waypoint, tokens, diary, board);
        let _ = writeln!(seen, "{parts:?}");
    }
    seen
}

#[test]
fn a_loaded_game_goes_on_in_the_same_tick() {
    let tree = tree();
    let mut agents = start(&tree);
    let (mut held, mut claimed) = (0, 0);
    for at in 0..400 {
        tick(&mut agents);
        held += agents
            .iter()
            .map(|(_, state)| state.tokens_held())
            .sum::<usize>();
        claimed += agents
            .iter()
            .filter(|(_, state)| state.waypoint().is_some())
            .count();
        if at % 7 != 0 {
            continue;
        }
        let json = agents.iter().map(|(_, state)| serde_json::to_string(state));
        let json: Vec<String> = json.collect::<Result<_, _>>().expect("JSON");
        let pools = pools();
        let diaries = agents.iter().map(|(diary, _)| diary.clone());
        let mut loaded: Agents = diaries
            .zip(&json)
            .map(|(diary, json)| {
                let mut state = tree.state(&pools).expect("the pools are there");
                let mut from = serde_json::Deserializer::from_str(json);
                state.restore(&mut from).expect("it was saved");
                (diary, state)
            })
            .collect();
        // The loaded game goes on as the copy from which it was saved, which is the next one.
        for later in 0..60 {
            assert_eq!(
                tick(&mut loaded),
                tick(&mut agents),
                "{later} ticks after {at}"
            );
        }
        agents = loaded;
    }
    assert!(
        held > 200 && claimed > 20,
        "{held}, {claimed}: nothing to save"
    );
}

#[test]
fn wrong_data_is_refused() {
    let tree = tree();
    let mut agents = start(&tree);
    while agents[0].1.waypoint().is_none() {
        tick(&mut agents);
    }
    let json = serde_json::to_string(&agents[0].1).expect("JSON");
    let restore = |json: &str, pools: &Pools| {
        let mut state = tree.state(pools).expect("the pools are there");
        let mut from = serde_json::Deserializer::from_str(json);
        let result = state.restore(&mut from).map_err(|error| error.to_string());
        result.map(|()| state)
    };
    let pools = pools();
    let first = restore(&json, &pools).expect("it is free");
    let taken = restore(&json, &pools).expect_err("it is taken");
    assert!(taken.contains("waypoint"), "{taken}");
    drop(first);
    restore(&json, &pools).expect("free again");
    let mut data: Value = serde_json::from_str(&json).expect("JSON");
    let cursors = data["cursors"].as_array().expect("cursors").len();
    for cursor in 0..cursors {
        let before = std::mem::replace(&mut data["cursors"][cursor], 77.into());
        let error = restore(&data.to_string(), &pools).expect_err("no such child");
        assert!(error.contains("another tree"), "{error}");
        // Any state of a running node does no harm.
        data["cursors"][cursor] = ((1 << 30) + 3).into();
        if let Ok(mut state) = restore(&data.to_string(), &pools) {
            for _ in 0..100 {
                state.tick(&mut Diary::default(), 0.1);
            }
        }
        data["cursors"][cursor] = before;
    }
    data["tree"] = 1.into();
    restore(&data.to_string(), &pools).expect_err("another tree");
}

/// The values in a JSON document that are no lists, in order.
fn leaves<'a>(value: &'a mut Value, found: &mut Vec<&'a mut Value>) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(|value| leaves(value, found)),
        Value::Object(values) => (values.values_mut()).for_each(|value| leaves(value, found)),
        leaf => found.push(leaf),
    }
}

/// A player can edit a saved game.
#[test]
fn a_state_edited_by_hand_is_refused_or_goes_on() {
    let (tree, pools) = (tree(), pools());
    let mut agents = start(&tree);
    let mut random = 1_u64;
    let mut below = |end: usize| {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (random >> 33) as usize % end
    };
    let [mut accepted, mut refused] = [0, 0];
    for _ in 0..2000 {
        tick(&mut agents);
        let mut data = serde_json::to_value(&agents[0].1).expect("JSON");
        let odd = [
            Value::Null,
            0.into(),
            (-1).into(),
            u32::MAX.into(),
            u64::MAX.into(),
            f64::MAX.into(),
            (-1e300).into(),
            1e-300.into(),
            (1_u64 << 62).into(),
            0x7FF8_0000_0000_0000_u64.into(),
            f64::to_bits(-1e9).into(),
            "melee".into(),
            serde_json::json!([0, 1]),
            true.into(),
        ];
        for _ in 0..=below(3) {
            let mut found = Vec::new();
            leaves(&mut data, &mut found);
            let at = below(found.len());
            *found.swap_remove(at) = odd[below(odd.len())].clone();
        }
        let mut state = tree.state(&pools).expect("the pools are there");
        match state.restore(&data) {
            Ok(()) => {
                accepted += 1;
                for _ in 0..30 {
                    state.tick(&mut Diary::default(), 0.1);
                }
                serde_json::to_string(&state).expect("JSON");
            }
            Err(_) => refused += 1,
        }
    }
    assert!(accepted > 200 && refused > 200, "{accepted}, {refused}");
}

/// A tree that waits for a second below a node of some kind.
fn waiting(kind: NodeKind, names: [&str; 2]) -> TreeState<()> {
    let tree = Tree::builder("waiting")
        .node(names[0], kind)
        .inside(|b| b.task(names[1], Wait { seconds: 1.0 }))
        .build();
    let state = tree.expect("a valid tree").state(&Pools::default());
    state.expect("it needs no pools")
}

#[test]
fn a_node_is_found_by_its_place_and_not_by_its_name() {
    let mut state = waiting(NodeKind::Invert {}, ["", ""]);
    state.tick(&mut (), 0.7);
    let file = serde_json::to_string(&state).expect("it can be saved");
    let mut renamed = waiting(NodeKind::Invert {}, ["not", "patience"]);
    let mut read = serde_json::Deserializer::from_str(&file);
    renamed.restore(&mut read).expect("the same places");
    assert_eq!(renamed.tick(&mut (), 1.1).status, Status::Failure);
    let mut read = serde_json::Deserializer::from_str(&file);
    let mut other = waiting(NodeKind::Repeat { count: 0 }, ["", ""]);
    let error = other.restore(&mut read).expect_err("another kind");
    assert!(error.to_string().contains("another tree"), "{error}");
}
