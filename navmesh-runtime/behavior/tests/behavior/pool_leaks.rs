//! Tokens and waypoints do not leak: random ticks, resets, restarts, despawns
//! and lost tokens, with the pools counted after each step.

use std::sync::Arc;

use crate::soak;

use crate::mock::free;
use glam::Vec2;
use navmesh_behavior::{Context, NodeKind, Priority, Score, Status, Tree, TreeState, Wait};
use navmesh_behavior::{Pools, TokenPool, WaypointPool};
use proptest::prelude::*;

const LIMIT: u32 = 2;
const PLACES: u32 = 3;

/// The next results of the leaves, and the priority of the agent.
struct Game {
    answers: Vec<Status>,
    next: usize,
    priority: i32,
}

impl Context for Game {
    type View<'a> = Self;
}

impl Game {
    fn answer(&mut self) -> Status {
        self.next += 1;
        self.answers[self.next % self.answers.len()]
    }
}

/// A token beside a waypoint, which has another token inside and a fallback.
fn tree() -> Arc<Tree<Game>> {
    let score = Score::from_fn(|game: &Game, at| (game.next as u32 + at.index) as f32 % 4.0 - 1.0);
    Tree::<Game>::builder("greedy")
        .node("", NodeKind::Race {})
        .inside(|b| {
            b.node(
                "",
                NodeKind::WithToken {
                    pool: "melee".into(),
                    wait: 0.3,
                    priority: Priority::default(),
                },
            )
            .priority("", |game| game.priority)
            .inside(|b| b.action("", |tick| tick.context.answer()))
            .node("", NodeKind::ReactiveSequence {})
            .inside(|b| {
                b.action("", |tick| tick.context.answer())
                    .with_waypoint("", "ground", 0.2, score)
                    .no_repeat()
                    .inside(|b| {
                        b.sequence("")
                            .inside(|b| {
                                b.action("", |tick| tick.context.answer())
                                    .node(
                                        "",
                                        NodeKind::WithToken {
                                            pool: "ranged".into(),
                                            wait: 0.1,
                                            priority: Priority::default(),
                                        },
                                    )
                                    .inside(|b| b.action("", |tick| tick.context.answer()))
                            })
                            .node(
                                "",
                                NodeKind::WithToken {
                                    pool: "ranged".into(),
                                    wait: 0.0,
                                    priority: Priority::default(),
                                },
                            )
                            .inside(|b| b.action("", |tick| tick.context.answer()))
                    })
            })
            .task("", Wait { seconds: 10.0 })
        })
        .build()
        .expect("a valid tree")
}

#[derive(Debug, Clone)]
enum Step {
    Tick {
        agent: usize,
        priority: i32,
    },
    Reset(usize),
    Restart(usize),
    Despawn(usize),
    /// All agents once, in order.
    Frame,
}

fn step() -> impl Strategy<Value = Step> {
    let agent = 0usize..6;
    prop_oneof![
        4 => (agent.clone(), 0i32..3).prop_map(|(agent, priority)| Step::Tick { agent, priority }),
        1 => agent.clone().prop_map(Step::Reset),
        1 => agent.clone().prop_map(Step::Restart),
        1 => agent.prop_map(Step::Despawn),
        2 => Just(Step::Frame),
    ]
}

proptest! {
    #![proptest_config(soak::cases(400))]

    #[test]
    fn pools_and_agents_agree_on_what_is_held(
        steps in prop::collection::vec(step(), 1..80),
        answers in prop::collection::vec(
            prop_oneof![Just(Status::Success), Just(Status::Failure), Just(Status::Running)],
            1..20,
        ),
    ) {
        let tree = tree();
        let (melee, ranged) = (TokenPool::new(LIMIT), TokenPool::new(1u32));
        let ground = WaypointPool::new((0..PLACES).map(|i| Vec2::X * i as f32));
        let pools = Pools { tokens: [("melee".into(), melee.clone()), ("ranged".into(), ranged.clone())].into(), waypoints: [("ground".into(), ground.clone())].into() };
        let spawn = || tree.state(&pools).expect("the pools are there");
        let mut agents: Vec<TreeState<Game>> = (0..6).map(|_| spawn()).collect();
        let mut game = Game { answers, next: 0, priority: 0  };
        for step in steps {
            match step {
                Step::Tick { agent, priority } => {
                    game.priority = priority;
                    agents[agent].tick(&mut game, 0.1);
                }
                Step::Reset(agent) => agents[agent].reset(&mut game),
                Step::Restart(agent) => agents[agent].restart(&mut game),
                Step::Despawn(agent) => agents[agent] = spawn(),
                Step::Frame => {
                    game.priority = 1;
                    for agent in &mut agents {
                        agent.tick(&mut game, 0.1);
                    }
                }
            }
            prop_assert!(melee.held() <= LIMIT && ranged.held() <= 1);
            let held: usize = agents.iter().map(TreeState::tokens_held).sum();
            prop_assert_eq!(held as u32, melee.held() + ranged.held());
            let claimed = agents.iter().filter(|agent| agent.waypoint().is_some()).count();
            prop_assert_eq!(free(&ground), PLACES as usize - claimed);
        }
        for agent in &mut agents {
            agent.reset(&mut game);
        }
        prop_assert_eq!(melee.held() + ranged.held(), 0);
        prop_assert_eq!(free(&ground), PLACES as usize);
    }
}
