//! Interception, limited actions, kept decisions and recovery as nodes of trees, built
//! from data.

use std::sync::Arc;

use glam::Vec2;
use navmesh_behavior::{
    Context, CueStep, Navigation, Outcome, Pools, Registry, Status, TaskContext, Tick, Tree,
    TreeDef,
};
use navmesh_bots::interest::{Handicap, InterestContext, InterestTask, Recover};

#[derive(Default)]
struct View {
    target: Option<Vec2>,
    asked: u32,
    now: f64,
    handicap: Option<Handicap>,
    idle: u32,
}

impl Context for View {
    type View<'a> = Self;
}

impl TaskContext for View {
    fn position(&self) -> Vec2 {
        Vec2::ZERO
    }
    fn target(&self) -> Option<Vec2> {
        self.target
    }
    fn line_of_sight(&self, _: Vec2, _: Vec2) -> bool {
        true
    }
    fn start_navigation(&mut self, _: Vec2) -> bool {
        true
    }
    fn stop_navigation(&mut self) {}
    fn navigation(&self) -> Navigation {
        Navigation::Stopped
    }
    fn cue(&mut self, _: &str, _: CueStep) -> Status {
        Status::Success
    }
}

impl InterestContext for View {
    fn choose_target(&mut self) -> Option<Vec2> {
        self.asked += 1;
        self.target
    }
    fn meeting(&mut self) -> Option<Vec2> {
        self.target.map(|target| target + Vec2::X)
    }
    fn act(&mut self) -> bool {
        let handicap = self.handicap.as_mut();
        handicap.is_some_and(|handicap| handicap.act(self.now))
    }
}

fn tree(file: &str) -> Arc<Tree<View>> {
    let def: TreeDef = serde_json::from_str(file).unwrap();
    let mut registry = Registry::<View>::with_agent_tasks();
    InterestTask::register(&mut registry);
    registry.action("idle", |tick| {
        tick.context.idle += 1;
    });
    let tree = registry.build(&def).unwrap();
    assert_eq!(tree.to_def().unwrap(), def);
    tree
}

#[test]
fn a_decision_is_kept_in_a_tree_also_a_no() {
    let tree = tree(
        r#"{"name": "bot", "root": {"composite": {"composite": "keep_decision",
            "params": {"seconds": 1.0}, "children": [{"task": {"task": "choose_target"}}]}}}"#,
    );
    let (mut state, mut view) = (
        tree.state(&Pools::default()).expect("no pools"),
        View::default(),
    );
    let statuses: Vec<Status> = (0..24)
        .map(|tick| {
            view.target = (tick >= 2).then_some(Vec2::Y);
            state.tick(&mut view, 0.25).status
        })
        .collect();
    assert!(
        statuses[..4].iter().all(|s| *s == Status::Failure),
        "{statuses:?}"
    );
    assert!(
        statuses[4..].iter().all(|s| *s == Status::Success),
        "{statuses:?}"
    );
    assert_eq!((view.asked, state.destination), (6, Some(Vec2::Y)));
}

#[test]
fn a_failure_resets_one_tick_and_is_barred() {
    let tree = tree(
        r#"{"name": "bot", "root": {"selector": {"children": [
            {"composite": {"composite": "recover", "params": {"seconds": 1.0},
             "children": [{"task": {"task": "intercept_target"}}]}},
            {"task": {"task": "idle"}}]}}}"#,
    );
    let (mut state, mut view) = (
        tree.state(&Pools::default()).expect("no pools"),
        View::default(),
    );
    let statuses: Vec<Status> = (0..6)
        .map(|tick| {
            view.target = (tick >= 1).then_some(Vec2::Y);
            state.tick(&mut view, 0.25).status
        })
        .collect();
    // One tick of nothing, then the other branch, then the first one again.
    assert_eq!(statuses[0], Status::Running);
    assert_eq!(view.idle, 3);
    assert_eq!(state.destination, Some(Vec2::new(1.0, 1.0)));
}

#[test]
fn a_failure_that_ended_the_turn_leaves_no_other_action() {
    let act = |status: Status| {
        move |tick: &mut Tick<'_, '_, View>| {
            tick.context.idle += 1;
            Outcome {
                status,
                ends_turn: true,
            }
        }
    };
    let tree = Tree::<View>::builder("bot")
        .selector("")
        .inside(|b| {
            b.task("", Recover { seconds: 3.0 })
                .inside(|b| b.action("miss", act(Status::Failure)))
                .action("step", act(Status::Success))
        })
        .build()
        .unwrap();
    let (mut state, mut view) = (
        tree.state(&Pools::default()).expect("no pools"),
        View::default(),
    );
    for turn in 1..=4 {
        assert!(state.take_turn(&mut view, 16).ends_turn);
        assert_eq!(view.idle, turn);
    }
}

#[test]
fn a_tree_acts_within_the_handicap() {
    let tree = Tree::<View>::builder("bot")
        .task("act", InterestTask::Act)
        .build()
        .unwrap();
    let mut state = tree.state(&Pools::default()).expect("no pools");
    let mut view = View {
        handicap: Some(Handicap::new(0.0, 1)),
        ..View::default()
    };
    let mut acted = 0;
    for _ in 0..600 {
        view.now += 0.1;
        acted += u32::from(state.tick(&mut view, 0.1).status == Status::Success);
    }
    // Pauses of 1.5 to 3 s in a minute.
    assert!((20..=40).contains(&acted), "{acted}");
}
