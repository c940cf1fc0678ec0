//! Random trees of scripted leaves, compared with a slow and simple interpreter
//! after each tick: the same outcome, leaf calls, aborts, resets, tokens and
//! waypoints (B1, B2, B4–B10, P1, P2, P4–P7, T3).

use crate::model;
use crate::soak;

use glam::Vec2;
use model::{Game, LeafEvent, Model, Shape};
use navmesh_runtime::behavior::{
    Builder, MemorySize, Outcome, Pace, Score, Status, Task, Tick, Tree, TurnRule,
};
use navmesh_runtime::coordination::{Pools, TokenPool, WaypointPool};
use proptest::prelude::*;

const DT: f32 = 0.25;

/// Returns the statuses of its script, and logs what it remembers: the number
/// of its ticks in this run, and since the last restart.
struct Scripted(usize);

impl Task<Game> for Scripted {
    fn memory(&self) -> MemorySize {
        MemorySize::run(1).and_lasting(1)
    }

    fn tick(&self, tick: &mut Tick<'_, '_, Game>) -> Outcome {
        let (run, lasting) = (tick.recall::<u64>(0), tick.recall_lasting::<u64>(0));
        tick.remember(0, run + 1);
        tick.remember_lasting(0, lasting + 1);
        tick.context.answer(self.0, run, lasting)
    }

    fn abort(&self, tick: &mut Tick<'_, '_, Game>) {
        let run = tick.recall(0);
        tick.context
            .log
            .push(LeafEvent::Aborted { leaf: self.0, run });
    }
}

fn add(b: Builder<Game>, shape: &Shape) -> Builder<Game> {
    let (opened, children) = match shape {
        Shape::Leaf(leaf) => return b.task("", Scripted(*leaf)),
        Shape::Always(success, turn) => {
            return if *success {
                b.always_succeed("", *turn)
            } else {
                b.always_fail("", *turn)
            };
        }
        Shape::Walk {
            selector,
            pace,
            children,
        } => {
            let b = if *selector {
                b.selector("")
            } else {
                b.sequence("")
            };
            let b = match pace {
                Some(pace) => b.own_pace(*pace),
                None => b,
            };
            (b, children)
        }
        Shape::Reactive { selector, children } => {
            let b = if *selector {
                b.reactive_selector("")
            } else {
                b.reactive_sequence("")
            };
            (b, children)
        }
        Shape::Race(children) => (b.race(""), children),
        Shape::Parallel {
            success,
            failure,
            children,
        } => (b.parallel("", *success, *failure), children),
        Shape::Repeat(count, child) => (b.repeat_times("", *count), child),
        Shape::Timeout(seconds, child) => (b.timeout("", *seconds), child),
        Shape::Cooldown(seconds, child) => (b.cooldown("", *seconds), child),
        Shape::Invert(child) => (b.invert(""), child),
        Shape::Force(true, turn, child) => (b.force_success("", *turn), child),
        Shape::Force(false, turn, child) => (b.force_failure("", *turn), child),
        Shape::Token {
            wait,
            priority,
            child,
        } => {
            let b = b.with_token("", "tokens", *wait);
            (b.fixed_priority(*priority), child)
        }
        Shape::Waypoint {
            wait,
            no_repeat,
            children,
        } => {
            let score = Score::from_fn(|game: &Game, at| game.scores[at.index as usize]);
            let b = b.with_waypoint_by("", "places", *wait, score, |game, at| {
                game.log.push(LeafEvent::Arrived(at.index));
            });
            let b = if *no_repeat { b.no_repeat() } else { b };
            (b, children)
        }
    };
    children.iter().fold(opened, add).end()
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

fn shape() -> impl Strategy<Value = Shape> {
    let leaf = prop_oneof![
        8 => Just(Shape::Leaf(0)),
        1 => (any::<bool>(), turn()).prop_map(|(success, turn)| Shape::Always(success, turn)),
    ];
    leaf.prop_recursive(5, 32, 4, |inner| {
        let some = prop::collection::vec(inner.clone(), 0..4);
        let many = prop::collection::vec(inner.clone(), 1..4);
        let one = inner.clone().prop_map(|child| vec![child]);
        let pace = prop_oneof![
            3 => Just(None),
            1 => Just(Some(Pace::Eager)),
            1 => Just(Some(Pace::OneChildPerTick)),
        ];
        prop_oneof![
            4 => (any::<bool>(), pace, some.clone())
                .prop_map(|(selector, pace, children)| Shape::Walk { selector, pace, children }),
            4 => (any::<bool>(), some)
                .prop_map(|(selector, children)| Shape::Reactive { selector, children }),
            2 => many.clone().prop_map(Shape::Race),
            2 => (many, 0u16..4, 0u16..4).prop_map(|(children, success, failure)| {
                let most = children.len() as u16;
                Shape::Parallel {
                    success: success.min(most),
                    failure: failure.min(most),
                    children,
                }
            }),
            1 => (0u32..3, one.clone()).prop_map(|(count, child)| Shape::Repeat(count, child)),
            1 => (seconds(), one.clone()).prop_map(|(t, child)| Shape::Timeout(t, child)),
            1 => (seconds(), one.clone()).prop_map(|(t, child)| Shape::Cooldown(t, child)),
            1 => one.clone().prop_map(Shape::Invert),
            1 => (any::<bool>(), turn(), one.clone())
                .prop_map(|(success, turn, child)| Shape::Force(success, turn, child)),
            2 => (seconds(), 0i32..3, one)
                .prop_map(|(wait, priority, child)| Shape::Token { wait, priority, child }),
            2 => (seconds(), any::<bool>(), prop::collection::vec(inner, 1..3)).prop_map(
                |(wait, no_repeat, children)| Shape::Waypoint { wait, no_repeat, children }
            ),
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
    #![proptest_config(soak::cases(3000))]

    #[test]
    fn trees_behave_like_the_model(
        mut shape in shape(),
        pace in prop_oneof![3 => Just(Pace::Eager), 1 => Just(Pace::OneChildPerTick)],
        scripts in prop::collection::vec(script(), 16),
        disturbances in prop::collection::vec(disturbance(), 24),
    ) {
        shape.number_leaves(&mut 0);
        let tree: Tree<Game> = add(Tree::builder("model").pace(pace), &shape)
            .build()
            .expect("the shapes are valid");
        let (tokens, places) = (TokenPool::new(2u32), WaypointPool::new([Vec2::ZERO; 3]));
        let pools = Pools::new()
            .with_tokens("tokens", tokens.clone())
            .with_waypoints("places", places.clone());
        let mut state = tree.state_in(&pools).expect("the pools are there");
        let mut model = Model::new(&shape, pace);
        let (mut game, mut expected) = (Game::new(&scripts), Game::new(&scripts));
        let (mut rivals, mut rival_claims) = (Vec::new(), [const { None }; 3]);
        for disturbance in disturbances {
            match disturbance {
                Disturbance::Nothing => {}
                Disturbance::Reset => {
                    state.reset(&tree, &mut game);
                    model.reset(&mut expected);
                }
                Disturbance::Restart => {
                    state.restart(&tree, &mut game);
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
                        None => places.claim(place),
                        Some(_) => None,
                    };
                    expected.rival_at(place as usize);
                }
                Disturbance::Scores(scores) => {
                    game.scores = scores;
                    expected.scores = scores;
                }
            }
            let outcome = state.tick(&tree, &mut game, DT);
            let wanted = model.tick(&mut expected, DT);
            prop_assert_eq!(outcome, wanted);
            prop_assert_eq!(&game.log, &expected.log);
            prop_assert_eq!(tokens.held() as usize, expected.tokens.len());
            for place in 0..3 {
                let taken = expected.places[place as usize].is_some();
                prop_assert_eq!(!places.is_free(place), taken);
            }
            game.log.clear();
            expected.log.clear();
        }
        // A despawned agent returns everything.
        drop((state, rivals, rival_claims));
        prop_assert_eq!(tokens.free(), 2);
        prop_assert_eq!(places.free(), 3);
    }
}
