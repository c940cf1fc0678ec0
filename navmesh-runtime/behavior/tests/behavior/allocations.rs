//! A tick allocates nothing, as counted by an allocator: nested reactive trees,
//! aborts, tokens and waypoints included.

use std::ops::RangeInclusive;
use std::sync::Arc;

use glam::Vec2;
use navmesh_behavior::{
    Builder, Context, Node, NodeKind, Outcome, Pace, Priority, Score, Tick, Trace, Tree, TurnRule,
    Wait,
};
use navmesh_behavior::{Pools, TokenPool, WaypointPool};

/// Counts how often leaves ran and were aborted.
#[derive(Default)]
struct Game {
    frame: u32,
    ran: u32,
    aborted: u32,
    reached_waypoint: u32,
}

impl Context for Game {
    type View<'a> = Self;
}

struct Busy;
impl Node<Game> for Busy {
    fn tick(&self, tick: &mut Tick<'_, '_, Game>) -> Outcome {
        tick.context.ran += 1;
        Outcome::RUNNING
    }
    fn abort(&self, tick: &mut Tick<'_, '_, Game>) {
        tick.context.aborted += 1;
    }
}

struct First;
impl Node<Game> for First {
    fn children(&self) -> RangeInclusive<usize> {
        1..=usize::MAX
    }
    fn tick(&self, tick: &mut Tick<'_, '_, Game>) -> Outcome {
        tick.visit(0).expect("a child")
    }
}

fn every(period: u32) -> impl Fn(&mut Tick<'_, '_, Game>) -> bool + Send + Sync + 'static {
    move |tick| tick.context.frame.is_multiple_of(period)
}

fn tree() -> Arc<Tree<Game>> {
    let mut b = Tree::<Game>::builder("everything");
    let (speed, mood) = (b.key::<f32>("speed"), b.key::<Arc<str>>("mood"));
    let missing = b.key::<i64>("never set");
    let calm: Arc<str> = "calm".into();
    b.node("root", NodeKind::ReactiveSelector {})
        .inside(|b| {
            b.node("interrupts", NodeKind::ReactiveSequence {})
                .inside(|b| {
                    b.action("now and then", every(7))
                        .node("", NodeKind::ReactiveSelector {})
                        .inside(|b| b.action("", every(14)).task("", Busy))
                })
                .action("reads nothing", move |tick| {
                    tick.set_reason(|| -> String { unreachable!("the tick is not traced") });
                    tick.board.get(missing).map(|_| ())
                })
                .node("", NodeKind::Race {})
                .inside(|b| {
                    b.node("", NodeKind::Repeat { count: 0 })
                        .inside(|b| {
                            b.node(
                                "",
                                NodeKind::WithToken {
                                    pool: "melee".into(),
                                    wait: 0.2,
                                    priority: Priority::default(),
                                },
                            )
                            .inside(|b| {
                                b.node("", NodeKind::Timeout { seconds: 0.15 })
                                    .inside(|b| b.task("", Busy))
                            })
                        })
                        .then(roaming)
                        .node("", NodeKind::Repeat { count: 0 })
                        .inside(|b| {
                            b.node(
                                "",
                                NodeKind::Parallel {
                                    success: 1,
                                    failure: 3,
                                },
                            )
                            .inside(|b| {
                                b.task("", Wait { seconds: 0.1 })
                                    .task("", First)
                                    .inside(|b| {
                                        b.node(
                                            "",
                                            NodeKind::ForceFailure {
                                                turn: TurnRule::Keep,
                                            },
                                        )
                                        .inside(|b| {
                                            b.action("", move |tick| {
                                                let old = tick.board.get(speed).unwrap_or(0.0);
                                                tick.board.set(speed, old + 1.0)?;
                                                tick.board.set(mood, calm.clone())
                                            })
                                        })
                                    })
                                    .task("", Busy)
                            })
                        })
                })
        })
        .build()
        .expect("a valid tree")
}

fn roaming(b: Builder<Game>) -> Builder<Game> {
    let score = Score::from_fn(|game: &Game, at| at.position.x - (game.frame % 3) as f32);
    b.node("", NodeKind::Repeat { count: 0 }).inside(|b| {
        b.with_waypoint("", "ground", 0.1, score)
            .no_repeat()
            .inside(|b| {
                b.sequence("")
                    .pace(Pace::OneChildPerTick)
                    .inside(|b| {
                        b.action("", |tick| tick.context.reached_waypoint += 1)
                            .task("", Wait { seconds: 0.05 })
                            .node(
                                "",
                                NodeKind::Cooldown {
                                    seconds: 0.2,
                                    shared: None,
                                },
                            )
                            .inside(|b| {
                                b.node("", NodeKind::Invert {})
                                    .inside(|b| b.action("", every(2)))
                            })
                    })
                    .action("", |_| true)
            })
    })
}

#[test]
fn a_tick_allocates_nothing() {
    let tree = tree();
    let places = [Vec2::ZERO, Vec2::X, Vec2::X * 2.0];
    let pools = Pools {
        tokens: [("melee".into(), TokenPool::new(1u32))].into(),
        waypoints: [("ground".into(), WaypointPool::new(places))].into(),
    };
    let mut states: Vec<_> = (0..4)
        .map(|_| tree.state(&pools).expect("the pools are there"))
        .collect();
    let mut game = Game::default();
    let counted = allocation_counter::measure(|| {
        for frame in 0..500 {
            game.frame = frame;
            for (i, state) in states.iter_mut().enumerate() {
                state.tick(&mut game, 1.0 / 60.0);
                if frame % 97 == i as u32 {
                    state.reset(&mut game);
                }
            }
        }
    });
    assert_eq!(counted.count_total, 0, "{counted:?}");
    // All parts of the tree ran.
    assert!(game.ran > 500, "{}", game.ran);
    assert!(game.aborted > 50, "{}", game.aborted);
    assert!(game.reached_waypoint > 50, "{}", game.reached_waypoint);
}

#[test]
fn a_traced_tick_allocates_nothing_once_its_ring_is_full() {
    let tree: Arc<Tree<Game>> = Tree::builder("")
        .node("", NodeKind::ReactiveSequence {})
        .inside(|b| b.action("", |_| true).task("", Busy))
        .build()
        .expect("a valid tree");
    let (mut state, mut game) = (
        tree.state(&Pools::default()).expect("no pools"),
        Game::default(),
    );
    state.trace = Some(Box::new(Trace::new(8)));
    let mut ticks = |count: u32| {
        for _ in 0..count {
            state.tick(&mut game, 0.1);
        }
    };
    ticks(20);
    let counted = allocation_counter::measure(|| ticks(20));
    assert_eq!(counted.count_total, 0, "{counted:?}");
}

/// Bytes allocated while a tree with that many bad siblings of one name is
/// built, and while the paths of a good one are listed.
fn bytes_for_siblings(count: usize) -> [u64; 2] {
    let build = |seconds: f32| {
        let twin = |b: Builder<Game>, _| {
            b.node(
                "twin",
                NodeKind::Cooldown {
                    seconds,
                    shared: None,
                },
            )
            .inside(|b| b.action("", |_| true))
        };
        let root = Tree::<Game>::builder("").sequence("root");
        root.inside(|b| (0..count).fold(b, twin)).build()
    };
    let building = allocation_counter::measure(|| {
        let error = build(-1.0).expect_err("times below 0 are refused");
        assert_eq!(error.path, "root/twin");
    });
    let tree = build(1.0).expect("a valid tree");
    let listing = allocation_counter::measure(|| {
        let paths = format!("{tree:?}");
        assert!(paths.contains(&format!("\"root/twin~{count}\"")));
    });
    [building.bytes_total, listing.bytes_total]
}

#[test]
fn memory_for_repeated_names_and_errors_is_linear() {
    let (some, twice) = (bytes_for_siblings(4000), bytes_for_siblings(8000));
    for (some, twice) in some.into_iter().zip(twice) {
        assert!(
            twice < some * 5 / 2,
            "{some} bytes, and {twice} for twice as many nodes"
        );
    }
}

#[test]
fn errors_of_huge_names_and_depths_are_short() {
    let name = "very ".repeat(200_000);
    let error = Tree::<Game>::builder("")
        .node(
            &name,
            NodeKind::Cooldown {
                seconds: -1.0,
                shared: None,
            },
        )
        .inside(|b| b)
        .build();
    let message = error.map(|_| ()).expect_err("no child, a bad time").message;
    assert!(message.len() < 500, "{} bytes", message.len());

    let mut b = Tree::<Game>::builder("");
    for _ in 0..200_000 {
        b = b.node("deeper", NodeKind::Invert {});
    }
    let message = b.build().map(|_| ()).expect_err("too deep").message;
    assert!(
        message.contains("nested deeper than") && message.len() < 500,
        "{message}"
    );
}

#[test]
fn a_state_of_eleven_nodes_takes_at_most_256_bytes() {
    let leaves = |b| (0..10).fold(b, |b: Builder<()>, _| b.action("", |_| ()));
    let tree = Tree::<()>::builder("").sequence("").inside(leaves).build();
    let tree = tree.expect("a valid tree");
    let mut state = None;
    let heap = allocation_counter::measure(|| {
        state = Some(tree.state(&Pools::default()).expect("no pools"));
    });
    let size = size_of_val(&state) as u64 + heap.bytes_total;
    assert!(size <= 256, "{size} bytes");
}
