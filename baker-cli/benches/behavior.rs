//! The time and the allocations of a tick, compared with two other behaviour tree
//! crates. `cargo bench -p navbake-benches --bench behavior`.
//!
//! All three do the same work: leaves read an array in the context by index, so
//! that the compiler cannot remove them. The other crates have no abort and no
//! typed blackboard. A tree of bonsai must be reset after it completes; that
//! time is included.

use std::sync::Arc;

use bonsai_bt::{Behavior, Event, UpdateArgs};
use divan::{Bencher, black_box};
use glam::Vec2;
use navmesh_behavior::AgentTask::{
    Cue, LocateTarget, RangedAttack, StartNavigation, WaitForAtDestination,
};
use navmesh_behavior::{
    Builder, Context, CueStep, Measure, Navigation, NodeKind, Priority, Score, Status, TaskContext,
    Trace, Tree, TreeState, Wait,
};
use navmesh_behavior::{Pools, TokenPool, WaypointPool};

fn main() {
    let mut answers = SUCCEED;
    let (tree, event) = (sequence(), event());
    let mut state = tree.state(&Pools::default()).expect("no pools");
    let leaves = (0..4).map(Behavior::Action).collect();
    let mut bonsai = bonsai_bt::BT::new(Behavior::Sequence(leaves), SUCCEED);
    let ours = allocation_counter::measure(|| {
        state.tick(&mut answers, DT);
    });
    let theirs = allocation_counter::measure(|| {
        tick_bonsai(&mut bonsai, &event);
    });
    println!(
        "allocations of a four-success sequence: {} here, {} in bonsai-bt",
        ours.count_total, theirs.count_total
    );
    divan::main();
}

/// What the leaves return, by index.
type Answers = [Status; 8];

/// The context of trees whose view is the leaves' results.
enum Scripted {}

impl Context for Scripted {
    type View<'a> = Answers;
}

const DT: f32 = 1.0 / 60.0;

const SUCCEED: Answers = [Status::Success; 8];
const RUN: Answers = [
    Status::Success,
    Status::Success,
    Status::Success,
    Status::Running,
    Status::Success,
    Status::Success,
    Status::Success,
    Status::Success,
];
/// Of the reactive tree: condition, condition, action; fallback.
const REACT: Answers = [
    Status::Success,
    Status::Failure,
    Status::Success,
    Status::Running,
    Status::Success,
    Status::Success,
    Status::Success,
    Status::Success,
];

fn leaf(number: usize) -> impl FnOnce(Builder<Scripted>) -> Builder<Scripted> {
    move |b| b.action("", move |tick| tick.context[number])
}

fn sequence() -> Arc<Tree<Scripted>> {
    Tree::builder("sequence")
        .sequence("")
        .inside(|b| b.then(leaf(0)).then(leaf(1)).then(leaf(2)).then(leaf(3)))
        .build()
        .expect("a valid tree")
}

fn reactive() -> Arc<Tree<Scripted>> {
    Tree::builder("reactive")
        .node("", NodeKind::ReactiveSelector {})
        .inside(|b| {
            b.node("", NodeKind::ReactiveSequence {})
                .inside(|b| b.then(leaf(0)).then(leaf(1)).then(leaf(2)))
                .then(leaf(3))
        })
        .build()
        .expect("a valid tree")
}

fn ours(bencher: Bencher<'_, '_>, tree: &Arc<Tree<Scripted>>, mut answers: Answers) {
    let mut state = tree.state(&Pools::default()).expect("no pools");
    bencher.bench_local(|| black_box(&mut state).tick(black_box(&mut answers), DT));
}

fn ours_traced(bencher: Bencher<'_, '_>, tree: &Arc<Tree<Scripted>>, mut answers: Answers) {
    let mut state = tree.state(&Pools::default()).expect("no pools");
    state.trace = Some(Box::new(Trace::new(60)));
    for _ in 0..120 {
        state.tick(&mut answers, DT);
    }
    bencher.bench_local(|| black_box(&mut state).tick(black_box(&mut answers), DT));
}

fn event() -> Event {
    let dt = DT.into();
    UpdateArgs { dt }.into()
}

fn tick_bonsai(tree: &mut bonsai_bt::BT<u8, Answers>, event: &Event) -> bool {
    let result = tree.tick(event, &mut |args, answers: &mut Answers| {
        let status = match answers[usize::from(*args.action)] {
            Status::Success => bonsai_bt::Status::Success,
            Status::Failure => bonsai_bt::Status::Failure,
            Status::Running => bonsai_bt::Status::Running,
        };
        (status, args.dt)
    });
    if tree.is_finished() {
        tree.reset_bt();
    }
    result.is_some()
}

fn bonsai(bencher: Bencher<'_, '_>, tree: Behavior<u8>, answers: Answers) {
    let (mut tree, event) = (bonsai_bt::BT::new(tree, answers), event());
    bencher.bench_local(|| tick_bonsai(black_box(&mut tree), &event));
}

mod lite {
    use super::{Answers, Bencher, Status, black_box};
    use behavior_tree_lite::{
        BehaviorCallback, BehaviorNode, BehaviorNodeContainer, BehaviorResult, Context,
    };
    use std::cell::Cell;
    use std::rc::Rc;

    pub(super) struct Leaf(pub usize, pub Rc<Cell<Answers>>);

    impl BehaviorNode for Leaf {
        fn tick(&mut self, _: BehaviorCallback<'_>, _: &mut Context) -> BehaviorResult {
            match self.1.get()[self.0] {
                Status::Success => BehaviorResult::Success,
                Status::Failure => BehaviorResult::Fail,
                Status::Running => BehaviorResult::Running,
            }
        }
    }

    pub(super) fn node(node: impl BehaviorNode + 'static) -> BehaviorNodeContainer {
        BehaviorNodeContainer::new_node(node)
    }

    pub(super) fn named(name: &str) -> BehaviorNodeContainer {
        let node = behavior_tree_lite::Registry::default().build(name);
        BehaviorNodeContainer::new_raw(node.expect("it is built in"))
    }

    pub(super) fn with(
        mut parent: BehaviorNodeContainer,
        children: Vec<BehaviorNodeContainer>,
    ) -> BehaviorNodeContainer {
        for child in children {
            parent.add_child(child).expect("it takes many children");
        }
        parent
    }

    pub(super) fn bench(bencher: Bencher<'_, '_>, mut tree: BehaviorNodeContainer) {
        let mut context = Context::default();
        bencher.bench_local(|| black_box(&mut tree).tick(&mut |_| None, &mut context));
    }
}

mod four_success_sequence {
    use super::{Behavior, Bencher, SUCCEED, bonsai, lite, ours, ours_traced, sequence};

    #[divan::bench]
    fn navmesh_runtime(bencher: Bencher<'_, '_>) {
        ours(bencher, &sequence(), SUCCEED);
    }

    #[divan::bench]
    fn navmesh_runtime_traced(bencher: Bencher<'_, '_>) {
        ours_traced(bencher, &sequence(), SUCCEED);
    }

    #[divan::bench]
    fn bonsai_bt(bencher: Bencher<'_, '_>) {
        let leaves = (0..4).map(Behavior::Action).collect();
        bonsai(bencher, Behavior::Sequence(leaves), SUCCEED);
    }

    #[divan::bench]
    fn behavior_tree_lite(bencher: Bencher<'_, '_>) {
        let answers = std::rc::Rc::new(std::cell::Cell::new(SUCCEED));
        let leaves = (0..4).map(|i| lite::node(lite::Leaf(i, answers.clone())));
        let root = lite::node(behavior_tree_lite::SequenceNode::default());
        lite::bench(bencher, lite::with(root, leaves.collect()));
    }
}

mod resume_running_leaf {
    use super::{Behavior, Bencher, RUN, bonsai, lite, ours, sequence};

    #[divan::bench]
    fn navmesh_runtime(bencher: Bencher<'_, '_>) {
        ours(bencher, &sequence(), RUN);
    }

    #[divan::bench]
    fn bonsai_bt(bencher: Bencher<'_, '_>) {
        let leaves = (0..4).map(Behavior::Action).collect();
        bonsai(bencher, Behavior::Sequence(leaves), RUN);
    }

    #[divan::bench]
    fn behavior_tree_lite(bencher: Bencher<'_, '_>) {
        let answers = std::rc::Rc::new(std::cell::Cell::new(RUN));
        let leaves = (0..4).map(|i| lite::node(lite::Leaf(i, answers.clone())));
        let root = lite::node(behavior_tree_lite::SequenceNode::default());
        lite::bench(bencher, lite::with(root, leaves.collect()));
    }
}

mod six_node_reactive {
    use super::{Behavior, Bencher, REACT, bonsai, lite, ours, reactive};

    #[divan::bench]
    fn navmesh_runtime(bencher: Bencher<'_, '_>) {
        ours(bencher, &reactive(), REACT);
    }

    #[divan::bench]
    fn bonsai_bt(bencher: Bencher<'_, '_>) {
        let leaves = (0..3).map(Behavior::Action).collect();
        let attack = Behavior::Sequence(leaves).memory(false);
        let tree = Behavior::Select(vec![attack, Behavior::Action(3)]).memory(false);
        bonsai(bencher, tree, REACT);
    }

    #[divan::bench]
    fn behavior_tree_lite(bencher: Bencher<'_, '_>) {
        let answers = std::rc::Rc::new(std::cell::Cell::new(REACT));
        let leaf = |i| lite::node(lite::Leaf(i, answers.clone()));
        let sequence = lite::named("ReactiveSequence");
        let attack = lite::with(sequence, (0..3).map(leaf).collect());
        let root = lite::named("ReactiveFallback");
        lite::bench(bencher, lite::with(root, vec![attack, leaf(3)]));
    }
}

/// A spitter: attacks from a waypoint with sight, else in melee.
fn spitter() -> Arc<Tree<Arena>> {
    let sight = Score::from(Measure::LineOfSight) + Measure::NearSelf { distance: 100.0 };
    let travel = |b: Builder<Arena>| {
        b.task("", StartNavigation {})
            .task("", WaitForAtDestination {})
    };
    Tree::builder("spitter")
        .node("", NodeKind::Repeat { count: 0 })
        .inside(|b| {
            b.with_waypoint("spit", "ground", 1.0, sight).inside(|b| {
                b.sequence("")
                    .inside(|b| {
                        b.then(travel)
                            .node(
                                "",
                                NodeKind::WithToken {
                                    pool: "ranged".into(),
                                    wait: f32::INFINITY,
                                    priority: Priority::default(),
                                },
                            )
                            .inside(|b| {
                                b.task(
                                    "",
                                    RangedAttack {
                                        cue: "ranged_attack".into(),
                                    },
                                )
                            })
                            .task("", Wait { seconds: 1.0 })
                    })
                    .node(
                        "",
                        NodeKind::WithToken {
                            pool: "melee".into(),
                            wait: 2.0,
                            priority: Priority::default(),
                        },
                    )
                    .inside(|b| {
                        b.sequence("").inside(|b| {
                            b.task(
                                "",
                                LocateTarget {
                                    key: "target".into(),
                                },
                            )
                            .then(travel)
                            .task("", Cue { cue: "bite".into() })
                            .task("", Wait { seconds: 1.0 })
                        })
                    })
            })
        })
        .build()
        .expect("a valid tree")
}

/// A world in which every walk takes 30 ticks and every attack 10.
struct Arena {
    agents: Vec<(Vec2, u32)>,
    me: usize,
}

impl Context for Arena {
    type View<'a> = Self;
}

impl TaskContext for Arena {
    fn position(&self) -> Vec2 {
        self.agents[self.me].0
    }
    fn target(&self) -> Option<Vec2> {
        Some(Vec2::new(500.0, 0.0))
    }
    fn line_of_sight(&self, from: Vec2, to: Vec2) -> bool {
        from.distance_squared(to) < 300.0 * 300.0
    }
    fn start_navigation(&mut self, to: Vec2) -> bool {
        self.agents[self.me] = (to, 30);
        true
    }
    fn stop_navigation(&mut self) {}
    fn navigation(&self) -> Navigation {
        match self.agents[self.me].1 {
            0 => Navigation::AtDestination,
            _ => Navigation::Moving,
        }
    }
    fn cue(&mut self, _: &str, step: CueStep) -> Status {
        let timer = &mut self.agents[self.me].1;
        if step == CueStep::Begin {
            *timer = 10;
        }
        if *timer == 0 {
            Status::Success
        } else {
            Status::Running
        }
    }
}

/// One frame of 10,000 agents.
#[divan::bench]
fn ten_thousand_spitters(bencher: Bencher<'_, '_>) {
    const AGENTS: usize = 10_000;
    let places = (0..32).map(|i| Vec2::new(i as f32 * 32.0, 0.0));
    let pools = Pools {
        tokens: [
            ("melee".into(), TokenPool::new(3u32)),
            ("ranged".into(), TokenPool::new(3u32)),
        ]
        .into(),
        waypoints: [("ground".into(), WaypointPool::new(places))].into(),
    };
    let tree = spitter();
    let mut arena = Arena {
        agents: (0..AGENTS).map(|i| (Vec2::X * i as f32, 0)).collect(),
        me: 0,
    };
    let mut states: Vec<TreeState<Arena>> = (0..AGENTS)
        .map(|_| tree.state(&pools).expect("the pools are there"))
        .collect();
    let mut frame = || {
        for (me, state) in states.iter_mut().enumerate() {
            arena.me = me;
            arena.agents[me].1 = arena.agents[me].1.saturating_sub(1);
            state.tick(&mut arena, DT);
        }
    };
    (0..200).for_each(|_| frame());
    bencher
        .counter(divan::counter::ItemsCount::new(AGENTS))
        .bench_local(frame);
}

/// Context steering: one update of each agent of a crowd in a room.
mod steering {
    use super::{Bencher, black_box};
    use divan::counter::ItemsCount;
    use glam::Vec2;
    use navmesh_bots::steering::{
        Danger, Favour, Obstacle, Steering, SteeringLimits, Surroundings,
    };
    use navmesh_runtime::asset;
    use navmesh_runtime::motion::Environment;

    const LEVEL: &[u8] = include_bytes!("../../navmesh-runtime/games/levels/arena.navmesh");

    fn update(bencher: Bencher<'_, '_>, count: usize, dangers: &[Danger]) {
        let mesh = asset::decode(LEVEL).expect("the level of the example");
        let layer = mesh.layer_named("flyer").expect("a layer for fliers");
        let environment = Environment::new(layer);
        let limits = SteeringLimits {
            max_speed: 110.0,
            max_acceleration: 800.0,
            turn_rate: 8.0,
        };
        let mut steering = Steering::new(16, limits);
        steering.favours.push(Favour::Chase {
            weight: 1.0,
            arrive: 20.0,
        });
        steering.dangers.extend_from_slice(dangers);
        let mut agents: Vec<_> = (0..count)
            .map(|i| {
                let (column, row) = ((i % 12) as f32, (i / 12 % 5) as f32);
                let position = Vec2::new(60.0 + 50.0 * column, 60.0 + 22.0 * row);
                let velocity = Vec2::ZERO;
                let body = Obstacle {
                    position,
                    velocity,
                    radius: 14.0,
                };
                (steering.clone(), body)
            })
            .collect();
        let mut frame = 0;
        bencher.counter(ItemsCount::new(count)).bench_local(|| {
            frame += 1;
            let target = Vec2::new(if frame / 120 % 2 == 0 { 640.0 } else { 60.0 }, 80.0);
            let allies: Vec<_> = agents.iter().map(|(_, body)| *body).collect();
            for (steering, body) in &mut agents {
                let mut around = Surroundings::new(environment, body.position);
                around.velocity = body.velocity;
                around.target = Some(target);
                around.allies = black_box(&allies);
                body.velocity = steering.update(&around, 1.0 / 60.0);
                body.position += body.velocity / 60.0;
            }
        });
    }

    #[divan::bench(args = [1, 50])]
    fn walls_and_allies(bencher: Bencher<'_, '_>, agents: usize) {
        let walls = Danger::Walls { look_ahead: 40.0 };
        let allies = Danger::Allies { look_ahead: 24.0 };
        update(bencher, agents, &[walls, allies]);
    }

    #[divan::bench]
    fn no_dangers(bencher: Bencher<'_, '_>) {
        update(bencher, 50, &[]);
    }
}
