//! Random trees of scripted leaves, compared with a slow and simple interpreter
//! after each tick: the same outcome, leaf calls, aborts, resets, tokens and
//! waypoints.

use glam::Vec2;
use navmesh_behavior::{
    Node, Outcome, Pace, Pools, Registry, Status, Tick, TokenPool, TreeDef, TurnRule, WaypointPool,
};
use proptest::prelude::*;
use serde::Deserialize;
use serde_json::json;

use crate::mock::{claim_one, free};
use crate::model::{Game, Kind, LeafEvent, Model, NodeDef};
use crate::soak;

const DT: f32 = 0.25;

/// Returns the statuses of its script, and logs what it remembers: the number
/// of its ticks in this run, and since the last restart.
#[derive(Deserialize)]
struct Scripted {
    number: usize,
}

impl Node<Game> for Scripted {
    fn memory(&self) -> [u16; 2] {
        [1, 1]
    }

    fn tick(&self, tick: &mut Tick<'_, '_, Game>) -> Outcome {
        let (run, lasting) = (tick.recall::<u64>(0), tick.recall::<u64>(1));
        tick.remember(0, run + 1);
        tick.remember(1, lasting + 1);
        tick.context.answer(self.number, run, lasting)
    }

    fn abort(&self, tick: &mut Tick<'_, '_, Game>) {
        let run = tick.recall(0);
        tick.context.log.push(LeafEvent::Aborted {
            leaf: self.number,
            run,
        });
    }
}

fn registry() -> Registry<Game> {
    let mut registry = Registry::default();
    registry
        .task("scripted", |task: Scripted| task)
        .utility("score", |game, at| game.scores[at.index as usize]);
    registry
}

fn node(kind: Kind, children: Vec<NodeDef>) -> NodeDef {
    NodeDef { kind, children }
}

fn number_leaves(def: &mut NodeDef, next: &mut usize) {
    if let Kind::Leaf(number) = &mut def.kind {
        *number = *next;
        *next += 1;
    }
    for child in &mut def.children {
        number_leaves(child, next);
    }
}

fn turn() -> impl Strategy<Value = TurnRule> {
    prop_oneof![
        2 => Just(TurnRule::Keep),
        1 => Just(TurnRule::Ends),
        1 => Just(TurnRule::Continues),
    ]
}

fn seconds() -> impl Strategy<Value = f32> {
    (0u8..5).prop_map(|quarters| f32::from(quarters) * DT)
}

fn tree() -> impl Strategy<Value = NodeDef> {
    let leaf = prop_oneof![
        8 => Just(node(Kind::Leaf(0), Vec::new())),
        1 => turn().prop_map(|turn| node(Kind::AlwaysSucceed(turn), Vec::new())),
        1 => turn().prop_map(|turn| node(Kind::AlwaysFail(turn), Vec::new())),
    ];
    leaf.prop_recursive(5, 32, 4, |inner| {
        let some = prop::collection::vec(inner.clone(), 0..4);
        let many = prop::collection::vec(inner.clone(), 1..4);
        let two = prop::collection::vec(inner.clone(), 1..3);
        let one = inner.prop_map(|child| vec![child]);
        let pace = prop_oneof![
            3 => Just(None),
            1 => Just(Some(Pace::Eager)),
            1 => Just(Some(Pace::OneChildPerTick)),
        ];
        let walk = pace.prop_flat_map(|pace| {
            prop_oneof![
                Just(Kind::Sequence(pace)),
                Just(Kind::Selector(pace))
            ]
        });
        let reactive = prop_oneof![
            Just(Kind::ReactiveSequence),
            Just(Kind::ReactiveSelector)
        ];
        let parallel = (many.clone(), 0u16..4, 0u16..4).prop_map(|(children, success, failure)| {
            let most = children.len() as u16;
            let (success, failure) = (success.min(most), failure.min(most));
            node(Kind::Parallel { success, failure }, children)
        });
        let decorator = prop_oneof![
            1 => (0u32..3).prop_map(|count| Kind::Repeat { count }),
            1 => seconds().prop_map(|seconds| Kind::Timeout { seconds }),
            1 => seconds().prop_map(|seconds| Kind::Cooldown { seconds }),
            1 => Just(Kind::Invert),
            1 => turn().prop_map(Kind::ForceSuccess),
            1 => turn().prop_map(Kind::ForceFailure),
            2 => (seconds(), 0i32..3).prop_map(|(wait, priority)| Kind::WithToken { wait, priority }),
        ];
        let wait = prop_oneof![3 => seconds(), 1 => Just(f32::INFINITY)];
        let waypoint = (wait, any::<bool>()).prop_map(|(wait, no_repeat)| Kind::WithWaypoint { wait, no_repeat });
        let with = |(kind, children)| node(kind, children);
        prop_oneof![
            4 => (walk, some.clone()).prop_map(with),
            4 => (reactive, some).prop_map(with),
            2 => many.prop_map(|children| node(Kind::Race, children)),
            2 => parallel,
            8 => (decorator, one).prop_map(with),
            2 => (waypoint, two).prop_map(with),
        ]
    })
}

/// What happens before a tick.
#[derive(Debug, Clone)]
enum Disturbance {
    Nothing,
    Reset,
    Restart,
    /// Another holder asks for a token.
    RivalAsks(i32),
    /// Another holder returns a token.
    RivalLeaves,
    /// Another holder claims a waypoint, or returns it.
    RivalAt(u32),
    Scores([f32; 3]),
}

fn disturbance() -> impl Strategy<Value = Disturbance> {
    let score = prop_oneof![Just(-1.0f32), Just(0.0), Just(1.0), Just(f32::NAN)];
    prop_oneof![
        6 => Just(Disturbance::Nothing),
        1 => Just(Disturbance::Reset),
        1 => Just(Disturbance::Restart),
        2 => (0i32..4).prop_map(Disturbance::RivalAsks),
        2 => Just(Disturbance::RivalLeaves),
        1 => (0u32..3).prop_map(Disturbance::RivalAt),
        2 => [score.clone(), score.clone(), score].prop_map(Disturbance::Scores),
    ]
}

fn script() -> impl Strategy<Value = Vec<Outcome>> {
    let status = prop_oneof![
        1 => Just(Status::Success),
        1 => Just(Status::Failure),
        2 => Just(Status::Running),
    ];
    let ends_turn = prop_oneof![5 => Just(false), 1 => Just(true)];
    let outcome = (status, ends_turn).prop_map(|(status, ends_turn)| Outcome { status, ends_turn });
    prop::collection::vec(outcome, 1..6)
}

proptest! {
    #![proptest_config(soak::cases(1500))]

    #[test]
    fn trees_behave_like_the_model(
        mut root in tree(),
        pace in prop_oneof![3 => Just(Pace::Eager), 1 => Just(Pace::OneChildPerTick)],
        scripts in prop::collection::vec(script(), 16),
        disturbances in prop::collection::vec(disturbance(), 24),
    ) {
        number_leaves(&mut root, &mut 0);
        let mut model = Model::new(&root, pace);
        let def: TreeDef = serde_json::from_value(json!({"pace": pace, "root": root.form()}))
            .expect("a tree file");
        let tree = registry().build(&def).expect("the tree is valid");
        let (tokens, places) = (TokenPool::new(2u32), WaypointPool::new([0.0, 1.0, 2.0].map(|x| Vec2::X * x)));
        let pools = Pools { tokens: [("tokens".into(), tokens.clone())].into(), waypoints: [("places".into(), places.clone())].into() };
        let mut state = tree.state(&pools).expect("the pools are there");
        let (mut game, mut expected) = (Game::new(&scripts), Game::new(&scripts));
        let (mut rivals, mut rival_claims) = (Vec::new(), [const { None }; 3]);
        for disturbance in disturbances {
            match disturbance {
                Disturbance::Nothing => {}
                Disturbance::Reset => {
                    state.reset(&mut game);
                    model.reset(&mut expected);
                }
                Disturbance::Restart => {
                    state.restart(&mut game);
                    model.restart(&mut expected);
                }
                Disturbance::RivalAsks(priority) => {
                    let granted = tokens.request(priority);
                    prop_assert_eq!(granted.is_some(), expected.rival_asks(priority));
                    rivals.extend(granted);
                }
                Disturbance::RivalLeaves => {
                    if !rivals.is_empty() {
                        drop(rivals.remove(0));
                    }
                    expected.rival_leaves();
                }
                Disturbance::RivalAt(place) => {
                    let claim = &mut rival_claims[place as usize];
                    *claim = match claim.take() {
                        None => claim_one(&places, place),
                        Some(_) => None,
                    };
                    expected.rival_at(place as usize);
                }
                Disturbance::Scores(scores) => {
                    game.scores = scores;
                    expected.scores = scores;
                }
            }
            let outcome = state.tick(&mut game, DT);
            let wanted = model.tick(&mut expected, DT);
            prop_assert_eq!(outcome, wanted);
            prop_assert_eq!(&game.log, &expected.log);
            let destination = state.destination.map(|to| to.x as usize);
            prop_assert_eq!(destination, expected.destination);
            prop_assert_eq!(tokens.held() as usize, expected.tokens.len());
            for place in 0..3 {
                let taken = expected.places[place as usize].is_some();
                prop_assert_eq!(claim_one(&places, place).is_none(), taken);
            }
            game.log.clear();
            expected.log.clear();
        }
        // A despawned agent returns everything.
        drop((state, rivals, rival_claims));
        prop_assert_eq!(tokens.held(), 0);
        prop_assert_eq!(free(&places), 3);
    }
}
