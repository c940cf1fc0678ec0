//! Traces as text and as JSON.

use std::sync::Arc;

use navmesh_behavior::{
    Context, NodeKind, Outcome, Pools, Registry, Status, Trace, Tree, TreeDef, TreeState,
};
use serde_json::{Value, json};

use crate::mock::Mock;

/// A guard that sees whether there is an alarm.
enum Guard {}

impl Context for Guard {
    type View<'a> = bool;
}

fn guard() -> Arc<Tree<Guard>> {
    Tree::builder("guard \"one\"")
        .node("decide", NodeKind::ReactiveSelector {})
        .inside(|b| {
            b.sequence("alarm")
                .inside(|b| {
                    b.action("alarmed", |tick| *tick.context)
                        .action("", |_| Outcome::TURN_TAKEN)
                        .action("ring", |_| Err::<(), _>("no bell"))
                })
                .sequence("")
                .inside(|b| {
                    b.action("walk", |tick| {
                        tick.set_reason(|| "still\nwalking");
                        Status::Running
                    })
                })
        })
        .build()
        .expect("a valid tree")
}

/// A state that traces that many ticks.
fn traced(ticks: usize) -> TreeState<Guard> {
    let mut state = guard().state(&Pools::default()).expect("no pools");
    state.trace = Some(Box::new(Trace::new(ticks)));
    state
}

fn text(state: &TreeState<Guard>) -> String {
    let trace = state.trace.as_ref().expect("it was set");
    trace.text(state.tree())
}

fn json_lines(state: &TreeState<Guard>) -> String {
    let trace = state.trace.as_ref().expect("it was set");
    trace.json_lines(state.tree())
}

#[test]
fn text_shows_the_tree_with_statuses_and_reasons() {
    let mut state = traced(2);
    assert_eq!(text(&state), "guard \"one\": not ticked yet\n");
    state.tick(&mut false, 0.25);
    assert_eq!(
        text(&state),
        r#"guard "one", tick 0 at 0.25 s: running
reactive_selector "decide": running
  sequence "alarm": failure
    task "alarmed": failure
    task
    task "ring"
  sequence: running
    task "walk": running (still
walking)
"#
    );
    state.tick(&mut true, 0.25);
    assert_eq!(
        text(&state),
        r#"guard "one", tick 1 at 0.5 s: running
reactive_selector "decide": running (ends turn)
  sequence "alarm": running (ends turn)
    task "alarmed": success
    task: success (ends turn)
    task "ring"
  sequence: aborted
    task "walk": aborted
"#
    );
    state.tick(&mut true, 0.25);
    assert!(text(&state).contains("task \"ring\": failure (no bell)"));
}

#[test]
fn json_lines_hold_the_last_ticks() {
    let mut state = traced(2);
    for alarmed in [false, false, true] {
        state.tick(&mut { alarmed }, 0.1);
    }
    let lines = json_lines(&state);
    let lines: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).expect(line))
        .collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0]["tick"], 1);
    assert_eq!(lines[0]["tree"], "guard \"one\"");
    assert_eq!(lines[1]["time"], 0.3);
    assert_eq!(lines[1]["status"], "running");
    assert_eq!(lines[1]["ends_turn"], true);
    let visits = lines[0]["visits"].as_array().expect("a list");
    let walk = json!({"node": 6, "path": "decide/sequence/walk", "event": "running", "reason": "still\nwalking"});
    assert_eq!(visits[4], walk);
    let aborted = lines[1]["visits"].as_array().expect("a list").iter();
    let aborted: Vec<_> = aborted.filter(|v| v["event"] == "aborted").collect();
    assert_eq!(aborted.len(), 2);
}

#[test]
fn visits_are_in_the_order_of_their_start() {
    // A trace keeps at least one tick.
    let mut state = traced(0);
    state.tick(&mut false, 0.1);
    let tick: Value = serde_json::from_str(&json_lines(&state)).expect("one line");
    let visits = tick["visits"].as_array().expect("a list");
    let nodes: Vec<_> = visits
        .iter()
        .filter_map(|visit| visit["node"].as_u64())
        .collect();
    assert_eq!(nodes, [0, 1, 2, 5, 6]);
    assert_eq!(visits[2]["event"], "failure");
    assert_eq!(
        (&tick["status"], &tick["tick"]),
        (&json!("running"), &json!(0))
    );
}

/// Tracing does not change outcomes.
#[test]
fn traced_and_untraced_ticks_agree() {
    let tree = guard();
    let mut plain = tree.state(&Pools::default()).expect("no pools");
    let mut traced = traced(4);
    for i in 0..20 {
        let mut alarmed = i % 3 == 0;
        let outcome = plain.tick(&mut alarmed, 0.1);
        assert_eq!(traced.tick(&mut alarmed, 0.1), outcome);
    }
}

#[test]
fn likely_mistakes_are_named_with_the_path_of_their_node() {
    let cases = [
        (
            r#"(root: repeat(child: sequence(name: "go home", children: [
                task(task: "head_for", params: {"key": "home"}),
            ])), keys: {"home": vec2})"#,
            Some("`repeat/go home/head_for`: blackboard key \"home\" is not set"),
        ),
        (
            r#"(root: sequence(children: [repeat(name: "again", child: always_fail())]))"#,
            Some("`sequence/again`: its child fails in every tick"),
        ),
        // A condition may fail for as long as it likes, and a wait is no failure.
        (
            r#"(root: repeat(child: selector(children: [always_fail(), task(task: "wait", params: {"seconds": 9})])))"#,
            None,
        ),
    ];
    for (file, mistake) in cases {
        let def: TreeDef = ron::from_str(file).expect("it is RON");
        let tree = Registry::<Mock>::with_agent_tasks()
            .build(&def)
            .expect("a valid tree");
        let mut state = tree.state(&Pools::default()).expect("no pools");
        state.trace = Some(Box::new(Trace::new(8)));
        let mut world = Mock::default();
        for _ in 0..8 {
            state.tick(&mut world, 0.1);
        }
        let trace = state.trace.as_ref().expect("it was set");
        assert_eq!(trace.len(), 8);
        assert_eq!(trace.mistake(&tree).as_deref(), mistake, "{file}");
    }
}
