//! What each node does, by example; `src/random_trees_test.rs` tests random trees.

use std::ops::RangeInclusive;
use std::sync::Arc;

use navmesh_behavior::{
    Blackboard, BoardError, Builder, Context, Entity, Node, NodeKind, Outcome, Pace, Pools,
    Registry, Status, Tick, Trace, Tree, TreeDef, TurnRule, Wait,
};

use Status::{Failure, Running, Success};

/// The calls of leaves, in order.
type Log = Vec<&'static str>;

/// The context of trees whose view is a log.
enum Words {}

impl Context for Words {
    type View<'a> = Log;
}

/// Returns the same status each time, and logs its calls.
struct Leaf(&'static str, Status);

impl Node<Words> for Leaf {
    fn tick(&self, tick: &mut Tick<'_, '_, Words>) -> Outcome {
        tick.context.push(self.0);
        self.1.into()
    }
    fn abort(&self, tick: &mut Tick<'_, '_, Words>) {
        tick.context.push("abort");
        tick.context.push(self.0);
    }
}

fn leaf(name: &'static str, status: Status) -> impl FnOnce(Builder<Words>) -> Builder<Words> {
    move |b| b.task(name, Leaf(name, status))
}

fn build(make: impl FnOnce(Builder<Words>) -> Builder<Words>) -> Arc<Tree<Words>> {
    make(Tree::builder("test")).build().expect("a valid tree")
}

/// The statuses of that many ticks, 0.5 s each, and the calls of leaves.
fn run(tree: &Arc<Tree<Words>>, ticks: usize) -> (Vec<Status>, Log) {
    let (mut state, mut log) = (tree.state(&Pools::default()).expect("no pools"), Log::new());
    let tick = |_| state.tick(&mut log, 0.5).status;
    ((0..ticks).map(tick).collect(), log)
}

#[test]
fn empty_sequence_succeeds_and_empty_selector_fails() {
    assert_eq!(
        run(&build(|b| b.sequence("").inside(|b| b)), 1).0,
        [Success]
    );
    assert_eq!(
        run(&build(|b| b.selector("").inside(|b| b)), 1).0,
        [Failure]
    );
    let tree = build(|b| b.node("", NodeKind::ReactiveSequence {}).inside(|b| b));
    assert_eq!(run(&tree, 1).0, [Success]);
    let tree = build(|b| b.node("", NodeKind::ReactiveSelector {}).inside(|b| b));
    assert_eq!(run(&tree, 1).0, [Failure]);
}

// At both paces.
#[test]
fn one_child_per_tick_takes_as_many_ticks_as_children() {
    let three = |b: Builder<Words>| {
        b.then(leaf("a", Success))
            .then(leaf("b", Success))
            .then(leaf("c", Success))
    };
    let eager = build(|b| b.sequence("").inside(three));
    assert_eq!(run(&eager, 1), (vec![Success], vec!["a", "b", "c"]));
    let slow = build(|b| b.pace(Pace::OneChildPerTick).sequence("").inside(three));
    assert_eq!(run(&slow, 3).0, [Running, Running, Success]);
    let own = build(|b| {
        b.pace(Pace::OneChildPerTick)
            .sequence("")
            .pace(Pace::Eager)
            .inside(three)
    });
    assert_eq!(run(&own, 1).0, [Success]);
}

#[test]
fn abort_reaches_children_before_parents_and_only_once() {
    struct Loud;
    impl Node<Words> for Loud {
        fn children(&self) -> RangeInclusive<usize> {
            0..=usize::MAX
        }
        fn tick(&self, tick: &mut Tick<'_, '_, Words>) -> Outcome {
            let all = (0..).take_while(|child| tick.visit(*child).is_some());
            assert_eq!(all.count(), 3);
            Outcome::RUNNING
        }
        fn abort(&self, tick: &mut Tick<'_, '_, Words>) {
            tick.context.push("abort parent");
        }
    }
    let tree = build(|b| {
        b.task("", Loud).inside(|b| {
            b.then(leaf("a", Running))
                .then(leaf("done", Success))
                .then(leaf("b", Running))
        })
    });
    let (mut state, mut log) = (tree.state(&Pools::default()).expect("no pools"), Log::new());
    state.tick(&mut log, 0.1);
    log.clear();
    state.reset(&mut log);
    state.reset(&mut log);
    assert_eq!(log, ["abort", "b", "abort", "a", "abort parent"]);
    assert_eq!(state.running().count(), 0);
}

// The child that takes over is ticked first, then the other is aborted.
#[test]
fn reactive_selector_aborts_what_was_taken_over() {
    enum Guard {}
    impl Context for Guard {
        type View<'a> = (bool, Log);
    }
    struct Patrol;
    impl Node<Guard> for Patrol {
        fn tick(&self, tick: &mut Tick<'_, '_, Guard>) -> Outcome {
            tick.context.1.push("patrol");
            Outcome::RUNNING
        }
        fn abort(&self, tick: &mut Tick<'_, '_, Guard>) {
            tick.context.1.push("stop patrol");
        }
    }

    let tree = Tree::<Guard>::builder("")
        .node("", NodeKind::ReactiveSelector {})
        .inside(|b| {
            b.sequence("")
                .inside(|b| {
                    b.action("alarm", |tick| tick.context.0)
                        .action("fight", |tick| {
                            tick.context.1.push("fight");
                            Running
                        })
                })
                .task("", Patrol)
        })
        .build()
        .expect("a valid tree");
    let (mut state, mut game) = (
        tree.state(&Pools::default()).expect("no pools"),
        (false, Log::new()),
    );
    state.tick(&mut game, 0.1);
    game.0 = true;
    state.tick(&mut game, 0.1);
    assert_eq!(game.1, ["patrol", "fight", "stop patrol"]);
}

#[test]
fn repeat_is_always_running_unless_it_counts() {
    let tree = build(|b| {
        b.node("", NodeKind::Repeat { count: 0 })
            .inside(leaf("a", Failure))
    });
    assert_eq!(run(&tree, 3), (vec![Running; 3], vec!["a"; 3]));
    let tree = build(|b| {
        b.node("", NodeKind::Repeat { count: 2 })
            .inside(leaf("a", Failure))
    });
    let expected = [Running, Success, Running, Success];
    assert_eq!(run(&tree, 4).0, expected);
}

#[test]
fn timeout_ticks_first_and_wait_begins_with_its_first_tick() {
    let tree = build(|b| {
        b.node("", NodeKind::Timeout { seconds: 1.0 })
            .inside(leaf("a", Running))
    });
    let (statuses, log) = run(&tree, 3);
    assert_eq!(statuses, [Running, Running, Failure]);
    assert_eq!(log, ["a", "a", "a", "abort", "a"]);
    let tree = build(|b| {
        b.node("", NodeKind::Timeout { seconds: 0.0 })
            .inside(leaf("a", Success))
    });
    assert_eq!(run(&tree, 1).0, [Success]);
    // Two waits of half a second take a second, not less.
    let tree = build(|b| {
        b.sequence("").inside(|b| {
            b.task("", Wait { seconds: 0.5 })
                .task("", Wait { seconds: 0.5 })
        })
    });
    assert_eq!(run(&tree, 3).0, [Running, Running, Success]);
    let tree = build(|b| b.task("", Wait { seconds: 0.0 }));
    assert_eq!(run(&tree, 1).0, [Success]);
}

#[test]
fn frame_times_that_do_not_add_up_exactly_still_count() {
    let tree = build(|b| b.task("", Wait { seconds: 7.0 }));
    for (dt, ticks) in [(0.7f32, 11), (0.1, 71), (1.0 / 60.0, 421)] {
        let (mut state, mut log) = (tree.state(&Pools::default()).expect("no pools"), Log::new());
        let took = (1..1000).find(|_| state.tick(&mut log, dt).status == Success);
        assert_eq!(took, Some(ticks), "{dt}");
    }
}

#[test]
fn cooldown_follows_success_alone_and_survives_reset() {
    let tree = build(|b| {
        b.node(
            "",
            NodeKind::Cooldown {
                seconds: 1.0,
                shared: None,
            },
        )
        .inside(leaf("a", Success))
    });
    assert_eq!(run(&tree, 4).0, [Success, Failure, Success, Failure]);
    let tree_of_failure = build(|b| {
        b.node(
            "",
            NodeKind::Cooldown {
                seconds: 1.0,
                shared: None,
            },
        )
        .inside(leaf("a", Failure))
    });
    assert_eq!(run(&tree_of_failure, 2).1, ["a", "a"]);

    let (mut state, mut log) = (tree.state(&Pools::default()).expect("no pools"), Log::new());
    state.tick(&mut log, 0.5);
    state.reset(&mut log);
    assert_eq!(state.tick(&mut log, 0.1).status, Failure);
    state.restart(&mut log);
    assert_eq!(state.tick(&mut log, 0.1).status, Success);
    // Time passes while the agent is disabled.
    state.now += 2.0;
    assert_eq!(state.tick(&mut log, 0.0).status, Success);
}

#[test]
fn race_ticks_all_and_the_first_wins_a_tie() {
    let tree = build(|b| {
        b.node("", NodeKind::Race {}).inside(|b| {
            b.then(leaf("a", Running))
                .then(leaf("b", Failure))
                .then(leaf("c", Success))
        })
    });
    let (statuses, log) = run(&tree, 1);
    assert_eq!(statuses, [Failure]);
    assert_eq!(log, ["a", "b", "c", "abort", "a"]);
}

#[test]
fn parallel_counts_successes_and_failures() {
    let children = |b: Builder<Words>| {
        b.then(leaf("a", Success))
            .then(leaf("b", Failure))
            .then(leaf("c", Running))
    };
    let with = |success, failure| {
        build(|b| {
            b.node("", NodeKind::Parallel { success, failure })
                .inside(children)
        })
    };
    assert_eq!(run(&with(1, 2), 1).0, [Success]);
    assert_eq!(run(&with(2, 1), 1).0, [Failure]);
    let (statuses, log) = run(&with(2, 2), 3);
    assert_eq!(statuses, [Running; 3]);
    assert_eq!(log, ["a", "b", "c", "c", "c"]);
    // More children than fit a word of memory.
    let wide = build(|b| {
        b.node(
            "",
            NodeKind::Parallel {
                success: 0,
                failure: 1,
            },
        )
        .inside(|b| (0..130).fold(b, |b, _| b.then(leaf("x", Success))))
    });
    assert_eq!(run(&wide, 2).0, [Success, Success]);
}

fn ends(outcome: Outcome) -> Outcome {
    Outcome {
        ends_turn: true,
        ..outcome
    }
}

#[test]
fn decorators_change_the_outcome_of_a_child() {
    let run = |make: &dyn Fn(Builder<Words>) -> Builder<Words>| {
        let tree = build(make);
        tree.state(&Pools::default())
            .expect("no pools")
            .tick(&mut Log::new(), 0.1)
    };
    assert_eq!(
        run(&|b| b.node("", NodeKind::Invert {}).inside(leaf("", Success))),
        Outcome::FAILURE
    );
    assert_eq!(
        run(&|b| b.node("", NodeKind::Invert {}).inside(leaf("", Running))),
        Outcome::RUNNING
    );
    assert_eq!(
        run(&|b| b
            .node(
                "",
                NodeKind::ForceSuccess {
                    turn: TurnRule::Ends
                }
            )
            .inside(leaf("", Failure))),
        ends(Outcome::SUCCESS)
    );
    assert_eq!(
        run(&|b| b
            .node(
                "",
                NodeKind::ForceFailure {
                    turn: TurnRule::Continues
                }
            )
            .inside(|b| b.action("", |_| Outcome::TURN_TAKEN))),
        Outcome::FAILURE
    );
    let run = |root: &str| {
        let def: TreeDef = serde_json::from_str(&format!(r#"{{"root": {root}}}"#)).unwrap();
        let tree = Registry::<Words>::default().build(&def).unwrap();
        tree.state(&Pools::default())
            .expect("no pools")
            .tick(&mut Vec::new(), 0.1)
    };
    assert_eq!(run(r#"{"always_succeed": {}}"#), Outcome::SUCCESS);
    let fails = run(r#"{"always_fail": {"turn": "ends"}}"#);
    assert_eq!(fails, ends(Outcome::FAILURE));
}

#[test]
fn a_tree_spans_turns_and_not_every_action_costs_one() {
    let act = |name: &'static str, ends_turn: bool| {
        move |tick: &mut Tick<'_, '_, Words>| {
            tick.context.push(name);
            Outcome {
                status: Success,
                ends_turn,
            }
        }
    };
    let tree = build(|b| {
        b.sequence("").inside(|b| {
            b.action("", act("look", false))
                .action("", act("step", true))
                .action("", act("aim", false))
                .action("", act("fire", true))
        })
    });
    let (mut state, mut log) = (tree.state(&Pools::default()).expect("no pools"), Log::new());
    let first = state.take_turn(&mut log, 10);
    assert_eq!(first, ends(Outcome::RUNNING));
    assert_eq!(log, ["look", "step"]);
    let second = state.take_turn(&mut log, 10);
    assert_eq!(second, Outcome::TURN_TAKEN);
    assert_eq!(log, ["look", "step", "aim", "fire"]);
    // Four projectiles in one turn.
    let tree = build(|b| {
        b.sequence("").inside(|b| {
            (0..4).fold(b, |b, _| {
                b.node(
                    "",
                    NodeKind::ForceSuccess {
                        turn: TurnRule::Continues,
                    },
                )
                .inside(|b| b.action("", act("spawn", true)))
            })
        })
    });
    let (mut state, mut log) = (tree.state(&Pools::default()).expect("no pools"), Log::new());
    assert_eq!(state.take_turn(&mut log, 10), Outcome::SUCCESS);
    assert_eq!(log, ["spawn"; 4]);
}

#[test]
fn a_user_composite_ends_the_turn_with_its_child() {
    /// Never completes, and drops the outcomes of its children.
    struct All;
    impl Node<Words> for All {
        fn children(&self) -> RangeInclusive<usize> {
            0..=usize::MAX
        }
        fn tick(&self, tick: &mut Tick<'_, '_, Words>) -> Outcome {
            let all = (0..).take_while(|child| tick.visit(*child).is_some());
            assert_eq!(all.count(), 3);
            Outcome::RUNNING
        }
    }
    let tree = build(|b| {
        b.task("", All).inside(|b| {
            b.then(leaf("look", Success))
                .action("", |tick: &mut Tick<'_, '_, Words>| {
                    tick.context.push("act");
                    Outcome::TURN_TAKEN
                })
                .then(leaf("look", Success))
        })
    });
    let (mut state, mut log) = (tree.state(&Pools::default()).expect("no pools"), Log::new());
    let outcome = state.take_turn(&mut log, 16);
    assert_eq!(outcome, ends(Outcome::RUNNING));
    assert_eq!(log, ["look", "act"]);
}

#[test]
fn a_missing_key_or_a_wrong_type_fails_the_task() {
    let mut b = Tree::<()>::builder("");
    let who = b.key::<Entity>("who");
    let tree = b
        .action("", move |tick| tick.board.get(who).map(|_| ()))
        .build()
        .expect("a valid tree");
    let mut state = tree.state(&Pools::default()).expect("no pools");
    assert_eq!(state.tick(&mut (), 0.1), Outcome::FAILURE);
    state.board.set(who, Entity(7)).expect("the key is its own");
    assert_eq!(state.tick(&mut (), 0.1), Outcome::SUCCESS);
    assert_eq!(state.board.get(who), Ok(Entity(7)));
    assert_eq!(tree.key::<bool>("who").map(|_| ()), None);

    // Keys of other trees return errors.
    let mut other = Tree::<()>::builder("");
    let (flag, extra) = (other.key::<bool>("flag"), other.key::<f32>("extra"));
    let board: &mut Blackboard = &mut state.board;
    assert!(matches!(board.get(flag), Err(BoardError::WrongType { .. })));
    assert!(matches!(
        board.set(flag, true),
        Err(BoardError::WrongType { .. })
    ));
    assert_eq!(board.get(extra), Err(BoardError::Unknown(1)));
    board.set(who, None).expect("the key is its own");
    let error = board.get(who).expect_err("it was cleared");
    assert_eq!(error.to_string(), "blackboard key \"who\" is not set");
}

#[test]
fn user_nodes_have_memory_and_are_cleaned_up() {
    /// Succeeds at its child's third success; runs a second child beside it.
    struct ThreeTimes;
    impl Node<Words> for ThreeTimes {
        fn children(&self) -> RangeInclusive<usize> {
            2..=2
        }
        fn memory(&self) -> [u16; 2] {
            [1, 1]
        }
        fn tick(&self, tick: &mut Tick<'_, '_, Words>) -> Outcome {
            tick.visit(1);
            let outcome = tick.visit(0).expect("it has two children");
            let count = tick.recall::<u32>(0) + u32::from(outcome.status == Success);
            tick.remember(0, count);
            let ever = tick.recall::<u32>(1) + 1;
            tick.remember(1, ever);
            assert_eq!(tick.visit(9), None);
            if count == 3 {
                Outcome::SUCCESS
            } else {
                Outcome::RUNNING
            }
        }
    }
    let tree = build(|b| {
        b.task("", ThreeTimes)
            .inside(|b| b.then(leaf("a", Success)).then(leaf("b", Running)))
    });
    let (statuses, log) = run(&tree, 4);
    assert_eq!(statuses, [Running, Running, Success, Running]);
    assert_eq!(log, ["b", "a", "b", "a", "b", "a", "abort", "b", "b", "a"]);
}

#[test]
fn mistakes_are_reported_with_the_path_of_the_node() {
    let error = |make: &dyn Fn(Builder<Words>) -> Builder<Words>| {
        let built = make(Tree::builder("crawler")).build();
        built.map(|_| ()).expect_err("a mistake").to_string()
    };
    let a = |b: Builder<Words>| b.then(leaf("a", Success));
    assert_eq!(
        error(&|b| b
            .sequence("root")
            .inside(|b| b.node("loop", NodeKind::Repeat { count: 0 }))),
        "`root/loop` is never closed; add `.inside(|b| …)` with its children"
    );
    assert_eq!(
        error(&|b| b.sequence("root").inside(|b| b
            .node("", NodeKind::Invert {})
            .inside(|b| b.then(a).then(a)))),
        "`root/invert` (invert) takes exactly one child, but has 2"
    );
    assert!(error(&|b| b.sequence("root")).starts_with("`root` is never closed"));
    assert_eq!(
        error(&|b| b.sequence("root").inside(|b| b).inside(|b| b)),
        "`root` is followed by `.inside()`, which only a composite or decorator has, and only once"
    );
    let after_a_leaf = |b: Builder<Words>| {
        b.sequence("root").inside(|b| {
            b.sequence("first")
                .inside(|b| b.then(a).inside(|b| b).sequence("second"))
        })
    };
    assert!(error(&after_a_leaf).starts_with("`root/first/a` is followed by `.inside()`"));
    assert_eq!(
        error(&|b| b.inside(|b| b)),
        "tree \"crawler\" has an `.inside()` that follows no composite or decorator"
    );
    assert_eq!(
        error(&|b| b),
        "tree \"crawler\" has no node; it needs a root"
    );
    assert!(error(&|b| b.then(a).then(a)).starts_with("`a~2` comes after the end of the root"));
    assert!(
        error(&|b| b.node("r", NodeKind::Race {}).inside(|b| b)).contains("at least one child")
    );
    assert!(
        error(&|b| b
            .node("t", NodeKind::Timeout { seconds: f32::NAN })
            .inside(|b| b.then(a)))
        .contains("`t`: its time is NaN")
    );
    for seconds in [f32::NAN, -1.0] {
        let what = format!("`w`: `seconds` is {seconds}, but must be a number, 0 or more");
        assert_eq!(error(&|b| b.task("w", Wait { seconds })), what);
    }
    assert!(
        error(&|b| b
            .node(
                "p",
                NodeKind::Parallel {
                    success: 2,
                    failure: 1
                }
            )
            .inside(|b| b.then(a)))
        .contains("at most 1")
    );
    assert!(
        error(&|b| b
            .node("r", NodeKind::Repeat { count: 0 })
            .pace(Pace::Eager)
            .inside(|b| b.then(a)))
        .contains("`r`")
    );
    assert!(
        error(&|b| b
            .node("r", NodeKind::Race {})
            .no_repeat()
            .inside(|b| b.then(a)))
        .contains("must directly follow `with_waypoint`")
    );
    assert!(
        error(&|b| b
            .node("r", NodeKind::Race {})
            .priority("", |_| 1)
            .inside(|b| b.then(a)))
        .contains("`with_token`")
    );
    let deep = |b: Builder<Words>| (0..=128).fold(b, |b, _| b.node("i", NodeKind::Invert {}));
    assert!(error(&|b| deep(b)).contains("deeper than 128"));
    let mut b = Tree::<Words>::builder("keys");
    let _ = (b.key::<bool>("x"), b.key::<f32>("x"));
    let error = b.then(a).build().map(|_| ()).expect_err("two types");
    assert_eq!(
        error.to_string(),
        "`keys`: blackboard key \"x\" holds bool, not float"
    );
}

/// The reason for the limit of 128: a tick recurses as deep as the tree.
#[test]
fn the_deepest_tree_needs_less_than_256_kib_of_stack() {
    struct Pass;
    impl Node<Words> for Pass {
        fn children(&self) -> RangeInclusive<usize> {
            1..=1
        }
        fn tick(&self, tick: &mut Tick<'_, '_, Words>) -> Outcome {
            tick.visit(0).expect("a child")
        }
    }
    fn nested(b: Builder<Words>, depth: u32) -> Builder<Words> {
        match depth {
            0 => b.then(leaf("a", Running)),
            _ => b.task("", Pass).inside(|b| nested(b, depth - 1)),
        }
    }
    let tree = build(|b| nested(b, 128));
    let thread = std::thread::Builder::new().stack_size(256 * 1024);
    let ticked = thread.spawn(move || {
        let (mut state, mut log) = (tree.state(&Pools::default()).expect("no pools"), Log::new());
        state.tick(&mut log, 0.1);
        state.trace = Some(Box::new(Trace::new(1)));
        state.tick(&mut log, 0.1);
        log
    });
    let log = ticked.expect("a thread").join().expect("no overflow");
    assert_eq!(log, ["a", "a"]);
}

#[test]
fn paths_are_unique() {
    let tree = build(|b| {
        b.sequence("").inside(|b| {
            b.task("", Wait { seconds: 1.0 })
                .task("", Wait { seconds: 1.0 })
                .node("x", NodeKind::Invert {})
                .inside(|b| b.task("x", Wait { seconds: 1.0 }))
                .task("x", Wait { seconds: 1.0 })
        })
    });
    let expected = [
        "sequence",
        "sequence/wait",
        "sequence/wait~2",
        "sequence/x",
        "sequence/x/x",
        "sequence/x~2",
    ];
    assert!(format!("{tree:?}").contains(&format!("{expected:?}")));
}

/// A state cannot be ticked with another tree: it holds its own.
#[test]
fn a_state_ticks_the_tree_that_made_it() {
    let (one, two) = (build(leaf("a", Success)), build(leaf("b", Failure)));
    let mut states = [
        two.state(&Pools::default()).expect("no pools"),
        one.state(&Pools::default()).expect("no pools"),
    ];
    assert!(Arc::ptr_eq(states[0].tree(), &two));
    drop((one, two));
    let mut log = Log::new();
    let statuses = states
        .each_mut()
        .map(|state| state.tick(&mut log, 0.1).status);
    assert_eq!((statuses, log), ([Failure, Success], vec!["b", "a"]));
}

#[test]
fn invalid_frame_times_do_not_stop_the_clock() {
    let tree = build(|b| b.task("", Wait { seconds: 1.0 }));
    let (mut state, mut log) = (tree.state(&Pools::default()).expect("no pools"), Log::new());
    let times = [f32::NAN, -1.0, f32::INFINITY, 0.5, 0.5];
    let statuses = times.map(|dt| state.tick(&mut log, dt).status);
    assert_eq!(statuses, [Running, Running, Running, Running, Success]);
}
