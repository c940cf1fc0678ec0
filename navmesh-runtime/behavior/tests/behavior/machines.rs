//! State machines.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use navmesh_behavior::Pools;
use navmesh_behavior::{Context, NodeKind, Registry, Status, Tick, Trace, Tree, TreeDef};
use proptest::prelude::*;

/// What the states read and do.
#[derive(Default)]
struct Boss {
    /// The signal that a state should emit now.
    notice: &'static str,
    log: String,
}

impl Context for Boss {
    type View<'a> = Self;
}

fn registry() -> Registry<Boss> {
    #[derive(serde::Deserialize)]
    struct Word {
        word: String,
    }
    struct Guarded(String);
    impl navmesh_behavior::Node<Boss> for Guarded {
        fn tick(&self, tick: &mut Tick<'_, '_, Boss>) -> navmesh_behavior::Outcome {
            tick.context.log += &self.0;
            Status::Running.into()
        }
        fn abort(&self, tick: &mut Tick<'_, '_, Boss>) {
            tick.context.log += "!";
        }
    }
    impl<'de> serde::Deserialize<'de> for Guarded {
        fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
            let word: Word = serde::Deserialize::deserialize(from)?;
            Ok(Self(word.word))
        }
    }
    let mut registry = Registry::default();
    registry
        .action_with("notice", |tick: &mut Tick<'_, '_, Boss>, word: &Word| {
            tick.context.notice == word.word
        })
        .action_with("is", |_: &mut Tick<'_, '_, Boss>, word: &Word| {
            word.word == "fine"
        })
        .task("act", |task: Guarded| task);
    registry
}

/// A state that acts until it gets one of some signals, and then emits it.
fn listener(name: &str, signals: &[&str]) -> String {
    let mut children: Vec<_> = (signals.iter())
        .map(|signal| {
            format!(
                r#"sequence(children: [
                    task(task: "notice", params: {{"word": "{signal}"}}),
                    emit(signal: "{signal}"),
                    task(task: "act", params: {{"word": "never"}}),
                ])"#
            )
        })
        .collect();
    children.push(format!(
        r#"task(task: "act", params: {{"word": "{name}"}})"#
    ));
    format!(
        r#"reactive_selector(name: "{name}", children: [{}])"#,
        children.join(",")
    )
}

fn machine(transitions: &str, states: &[String]) -> String {
    let states = states.join(",");
    format!(r#"state_machine(name: "m", transitions: {{{transitions}}}, children: [{states}])"#)
}

fn build(root: &str) -> Result<Arc<Tree<Boss>>, String> {
    let def: TreeDef = ron::from_str(&format!("(root: {root})")).map_err(|e| e.to_string())?;
    let tree = registry().build(&def).map_err(|error| error.to_string())?;
    assert_eq!(tree.to_def().expect("all of it has a form"), def);
    Ok(tree)
}

#[test]
fn the_owner_maps_signals_to_states() {
    let tree = build(&machine(
        r#""a": {"hit": "b"}, "b": {"hit": "a", "calm": "a"}"#,
        &[listener("a", &["hit"]), listener("b", &["hit", "calm"])],
    ))
    .expect("a machine");
    let (mut state, mut boss) = (
        tree.state(&Pools::default()).expect("no pools"),
        Boss::default(),
    );
    for notice in ["", "calm", "hit", "", "calm", "hit", ""] {
        boss.notice = notice;
        assert_eq!(state.tick(&mut boss, 0.1).status, Status::Running);
    }
    assert_eq!(boss.log, "aa!b!b", "each state stops before the next acts");
    state.reset(&mut boss);
    boss.notice = "";
    state.tick(&mut boss, 0.1);
    assert!(
        boss.log.ends_with("!a"),
        "a reset starts at the first state"
    );
}

#[test]
fn a_trace_says_who_emitted_what_and_which_state_follows() {
    let tree = build(&machine(
        r#""a": {"hit": "b"}, "b": {}"#,
        &[listener("a", &["hit"]), listener("b", &[])],
    ))
    .expect("a machine");
    let mut state = tree.state(&Pools::default()).expect("no pools");
    state.trace = Some(Box::new(Trace::new(4)));
    let mut boss = Boss {
        notice: "hit",
        ..Boss::default()
    };
    state.tick(&mut boss, 0.5);
    let trace = state.trace.expect("it was set");
    assert_eq!(
        trace.text(&tree),
        r#", tick 0 at 0.5 s: running
state_machine "m": running (a -> b)
  reactive_selector "a": running, aborted
    sequence: running, aborted
      task notice: success
      emit: running (emits hit), aborted
      task act
    task act
  reactive_selector "b"
    task act
"#
    );
}

#[test]
fn completion_is_a_signal_and_unmapped_it_completes_the_machine() {
    let step = |name: &str, word: &str| {
        format!(r#"task(name: "{name}", task: "is", params: {{"word": "{word}"}})"#)
    };
    let tree = build(&format!(
        r#"sequence(children: [{}, task(task: "act", params: {{"word": "after"}})])"#,
        machine(
            r#""one": {"success": "two"}, "two": {"failure": "three"}"#,
            &[
                step("one", "fine"),
                step("two", "bad"),
                step("three", "fine")
            ],
        )
    ))
    .expect("a machine as a part of a tree");
    let (mut state, mut boss) = (
        tree.state(&Pools::default()).expect("no pools"),
        Boss::default(),
    );
    for _ in 0..2 {
        state.tick(&mut boss, 0.1);
        assert_eq!(boss.log, "");
    }
    state.tick(&mut boss, 0.1);
    assert_eq!(boss.log, "after");
}

#[test]
fn a_machine_in_a_state_passes_on_what_it_does_not_handle() {
    let inner = machine(
        r#""x": {"turn": "y"}, "y": {"turn": "x"}"#,
        &[listener("x", &["turn", "die"]), listener("y", &["turn"])],
    )
    .replace("\"m\"", "\"alive\"");
    let tree = build(&machine(
        r#""alive": {"die": "dead"}"#,
        &[inner, listener("dead", &[])],
    ))
    .expect("nested machines");
    let (mut state, mut boss) = (
        tree.state(&Pools::default()).expect("no pools"),
        Boss::default(),
    );
    for notice in ["", "turn", "die", "turn", "die", ""] {
        boss.notice = notice;
        state.tick(&mut boss, 0.1);
    }
    assert_eq!(boss.log, "x!y!dead");
}

#[test]
fn mistakes_are_build_errors_that_name_the_node() {
    let (a, b) = (listener("a", &["hit"]), listener("b", &["hit"]));
    let cases = [
        (
            machine(r#""a": {"hit": "b"}"#, &[a.clone(), b.clone()]),
            "`m/b/sequence/emit`: no state machine handles the signal \"hit\" of the state \"b\"; \
             add a transition for it",
        ),
        (
            machine(
                r#""a": {"hit": "a"}, "b": {"hit": "a"}"#,
                &[a.clone(), b.clone()],
            ),
            "`m/b` is a state that cannot be reached; no transition from the first state leads to it",
        ),
        (
            machine(r#""a": {"hit": "c"}"#, std::slice::from_ref(&a)),
            "`m`: a transition names the state \"c\", but the states are a",
        ),
        (
            machine(r#""a": {"hit": "a", "hti": "a"}"#, std::slice::from_ref(&a)),
            "`m/a`: there is a transition for the signal \"hti\", but the state never emits it",
        ),
        (
            machine("", &[a.clone(), a.clone()]),
            "`m/a~2`: there are two states named \"a\"",
        ),
        (
            machine("", &[r#"emit(signal: "x")"#.to_owned()]),
            "`m/emit` is a state without a name; transitions refer to states by name",
        ),
        (
            machine("", &[r#"emit(name: "a", signal: "success")"#.to_owned()]),
            "`m/a`: a state emits \"success\" when it completes; give the signal another name",
        ),
        (
            r#"emit(signal: "x")"#.to_owned(),
            "`emit`: the signal \"x\" has no state machine around it",
        ),
        (
            machine("", &[]),
            "`m` (state_machine) takes at least one child, but has 0",
        ),
    ];
    for (root, expected) in cases {
        let error = build(&root).err();
        assert_eq!(error.as_deref(), Some(expected), "{root}");
    }
    // A mistake in the form has its line.
    let error = build("state_machine(\n  transitions: {\"a\": 1},\n  children: [])").err();
    assert!(error.is_some_and(|error| error.starts_with("2:")));
    let rows = r#""a": {"hit": "a", "hit": "b"}"#;
    let error = build(&machine(rows, &[a, b])).err();
    assert!(error.is_some_and(|error| error.contains("\"hit\" is there twice")));
    let twice = Tree::<()>::builder("")
        .state_machine("m", &[("a", "x", "a"), ("a", "x", "b")])
        .inside(|b| b.node("a", NodeKind::Emit { signal: "x".into() }))
        .build()
        .err()
        .map(|error| error.to_string());
    assert_eq!(
        twice.as_deref(),
        Some("`m`: there are two rows for \"a\" and \"x\"")
    );
}

#[test]
fn a_running_state_continues_in_a_changed_machine() {
    let old = build(&machine(
        r#""a": {"hit": "b"}"#,
        &[listener("a", &["hit"]), listener("b", &[])],
    ))
    .expect("a machine");
    let new = build(&machine(
        r#""a": {"hit": "c"}, "c": {"hit": "b"}, "b": {"hit": "c"}"#,
        &[
            listener("a", &["hit"]),
            listener("c", &["hit"]),
            listener("b", &["hit"]),
        ],
    ))
    .expect("a machine");
    let (mut state, mut boss) = (
        old.state(&Pools::default()).expect("no pools"),
        Boss::default(),
    );
    boss.notice = "hit";
    state.tick(&mut boss, 0.1);
    boss.notice = "";
    state.tick(&mut boss, 0.1);
    let migration = state
        .migrate(&new, &Pools::default(), &mut boss)
        .expect("no pools");
    assert_eq!((migration.kept, migration.aborted), (3, 0));
    boss.log.clear();
    state.tick(&mut boss, 0.1);
    boss.notice = "hit";
    state.tick(&mut boss, 0.1);
    boss.notice = "";
    state.tick(&mut boss, 0.1);
    assert_eq!(boss.log, "b!c");
}

const SIGNALS: [&str; 3] = ["p", "q", "r"];

proptest! {
    /// Random machines against a table: which build, and which state acts.
    #[test]
    fn machines_do_what_their_table_says(
        rows in prop::collection::btree_map((0_usize..5, 0_usize..3), 0_usize..5, 0..15),
        notice in prop::collection::vec(0_usize..4, 40),
    ) {
        let name = |state: usize| ["s0", "s1", "s2", "s3", "s4"][state];
        let states: Vec<String> = (0..5)
            .map(|state| {
                let signals: Vec<_> = (0..3)
                    .filter(|signal| rows.contains_key(&(state, *signal)))
                    .map(|signal| SIGNALS[signal])
                    .collect();
                listener(name(state), &signals)
            })
            .collect();
        let mut table = BTreeMap::<usize, Vec<String>>::new();
        for ((state, signal), next) in &rows {
            let row = format!("\"{}\": \"{}\"", SIGNALS[*signal], name(*next));
            table.entry(*state).or_default().push(row);
        }
        let table: Vec<_> = (table.iter())
            .map(|(state, rows)| format!("\"{}\": {{{}}}", name(*state), rows.join(",")))
            .collect();
        let mut reached = BTreeSet::from([0]);
        for _ in 0..5 {
            let next: Vec<_> = (rows.iter())
                .filter(|((from, _), _)| reached.contains(from))
                .map(|(_, to)| *to)
                .collect();
            reached.extend(next);
        }
        let built = build(&machine(&table.join(","), &states));
        prop_assert_eq!(built.is_ok(), reached.len() == 5);
        let Ok(tree) = built else { return Ok(()) };
        let (mut state, mut boss) = (tree.state(&Pools::default()).expect("no pools"), Boss::default());
        let mut now = 0;
        for signal in notice {
            boss.notice = SIGNALS.get(signal).copied().unwrap_or("");
            boss.log.clear();
            state.tick(&mut boss, 0.1);
            if let Some(next) = rows.get(&(now, signal)) {
                prop_assert!(!boss.log.contains('s'), "{}", boss.log);
                now = *next;
            } else {
                prop_assert_eq!(boss.log.as_str(), name(now));
            }
        }
    }
}

#[test]
fn of_several_signals_in_a_tick_the_first_counts() {
    let both = r#"parallel(name: "a", children: [emit(signal: "one"), emit(signal: "two")])"#;
    let tree = build(&machine(
        r#""a": {"one": "b", "two": "c"}, "b": {}, "c": {}"#,
        &[both.to_owned(), listener("b", &[]), listener("c", &[])],
    ))
    .expect("a machine");
    let (mut state, mut boss) = (
        tree.state(&Pools::default()).expect("no pools"),
        Boss::default(),
    );
    state.tick(&mut boss, 0.1);
    state.tick(&mut boss, 0.1);
    assert_eq!(boss.log, "b");
}
