//! Kinds of nodes of tree files, by example: repetition, chance, notes and subtrees.

use std::collections::BTreeMap;
use std::sync::Arc;

use navmesh_behavior::{
    Context, Entity, Outcome, Pools, Registry, Status, Tree, TreeDef, TreeState, Value,
};
use serde::Deserialize;

use Status::{Failure, Running, Success};

/// Statuses that leaves return in turn, by name, and the names of the leaves that were ticked.
#[derive(Default)]
struct Script {
    statuses: BTreeMap<String, Vec<Status>>,
    ticked: Vec<String>,
}

impl Context for Script {
    type View<'a> = Self;
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Say {
    word: String,
}

fn build(file: &str) -> Result<Arc<Tree<Script>>, String> {
    let mut registry = Registry::<Script>::default();
    registry.action_with("say", |tick, Say { word }: &Say| {
        let script = &mut *tick.context;
        script.ticked.push(word.clone());
        let left = script.statuses.get_mut(word);
        match left {
            Some(left) if !left.is_empty() => left.remove(0),
            _ => Success,
        }
    });
    let def: TreeDef = ron::from_str(file).map_err(|error| error.to_string())?;
    let tree = registry.build(&def).map_err(|error| error.to_string())?;
    assert_eq!(tree.to_def().as_ref(), Ok(&def), "and back");
    Ok(tree)
}

fn start(root: &str) -> TreeState<Script> {
    let tree = build(&format!("(root: {root})")).expect("a valid tree");
    tree.state(&Pools::default()).expect("no pools")
}

fn say(word: &str) -> String {
    format!("task(task: \"say\", params: {{\"word\": {word:?}}})")
}

/// The statuses of ticks of 0.5 s of a decorator whose child returns these.
fn decorated(decorator: &str, child: &[Status], ticks: usize) -> Vec<Status> {
    let mut state = start(&decorator.replace("CHILD", &say("a")));
    let mut script = Script::default();
    script.statuses.insert("a".into(), child.to_vec());
    let mut tick = || state.tick(&mut script, 0.5).status;
    (0..ticks).map(|_| tick()).collect()
}

#[test]
fn repetition_ends_with_the_status_that_its_name_says() {
    let child = [Failure, Running, Failure, Success];
    let cases: [(&str, &[Status]); 6] = [
        (
            "retry(count: 2, child: CHILD)",
            &[Running, Running, Failure],
        ),
        (
            "retry(count: 3, child: CHILD)",
            &[Running, Running, Running, Success],
        ),
        ("retry(child: CHILD)", &[Running, Running, Running, Success]),
        (
            "until_success(child: CHILD)",
            &[Running, Running, Running, Success],
        ),
        ("until_failure(child: CHILD)", &[Success]),
        (
            "until_failure(child: invert(child: CHILD))",
            &[Running, Running, Running, Success],
        ),
    ];
    for (decorator, expected) in cases {
        assert_eq!(
            decorated(decorator, &child, expected.len()),
            expected,
            "{decorator}"
        );
    }
}

#[test]
fn a_delay_ticks_its_child_late() {
    let statuses = decorated("delay(seconds: 1, child: CHILD)", &[Running, Failure], 5);
    assert_eq!(statuses, [Running, Running, Running, Failure, Running]);
}

// Two nodes of one name cool down together, each for its own time; another key is independent.
#[test]
fn nodes_share_a_cooldown_by_its_key() {
    let root = format!(
        "sequence(children: [
            force_success(child: cooldown(seconds: 1, shared: \"teeth\", child: {})),
            force_success(child: cooldown(seconds: 2, shared: \"teeth\", child: {})),
            force_success(child: cooldown(seconds: 1, shared: \"tail\", child: {})),
        ])",
        say("bite"),
        say("tear"),
        say("sweep"),
    );
    let (mut state, mut script) = (start(&root), Script::default());
    let mut words = Vec::new();
    for _ in 0..6 {
        state.tick(&mut script, 0.5);
        words.push(std::mem::take(&mut script.ticked).join(" "));
    }
    // The bite starts the cooldown again as soon as its own time is over.
    assert_eq!(
        words,
        ["bite sweep", "", "bite sweep", "", "bite sweep", ""]
    );
    script.statuses.insert("bite".into(), vec![Failure; 9]);
    for _ in 0..3 {
        state.tick(&mut script, 0.5);
    }
    // Two seconds after the last bite.
    let words = ["bite", "sweep", "bite", "bite", "tear", "sweep"];
    assert_eq!(script.ticked, words);
}

/// The orders in which a random node has ticked three children, with how often.
fn orders(kind: &str, status: Status, seeds: u64) -> BTreeMap<String, u32> {
    let children = ["a", "b", "c"].map(say).join(", ");
    let mut orders = BTreeMap::new();
    for seed in 0..seeds {
        let mut state = start(&kind.replace("CHILDREN", &format!("children: [{children}]")));
        state.seed = seed;
        let mut script = Script::default();
        for word in ["a", "b", "c"] {
            // Running in the first tick: it is resumed.
            script.statuses.insert(word.into(), vec![Running, status]);
        }
        while state.tick(&mut script, 0.5) == Outcome::RUNNING {}
        script.ticked.dedup();
        *orders.entry(script.ticked.concat()).or_default() += 1;
    }
    orders
}

#[test]
fn random_nodes_tick_their_children_in_orders_of_their_weights() {
    for (kind, onward) in [("random_selector", Failure), ("random_sequence", Success)] {
        let even = orders(&format!("{kind}(CHILDREN)"), onward, 6000);
        assert_eq!(even.len(), 6, "{even:?}");
        // 1000 each; the deviation of such a count is 29.
        assert!(
            even.values().all(|count| (870..1130).contains(count)),
            "{even:?}"
        );
        let weighted = orders(
            &format!("{kind}(weights: [1, 3, 0], CHILDREN)"),
            onward,
            4000,
        );
        assert_eq!(weighted.keys().collect::<Vec<_>>(), ["ab", "ba"]);
        assert!((890..1110).contains(&weighted["ab"]), "{weighted:?}");
        // The first child decides.
        let first = if onward == Failure { Success } else { Failure };
        let first = orders(&format!("{kind}(CHILDREN)"), first, 3000);
        assert_eq!(first.keys().collect::<Vec<_>>(), ["a", "b", "c"]);
    }
}

#[test]
fn agents_of_one_seed_do_the_same() {
    let root = "repeat(child: random_wait(least: 0.5, most: 4))";
    let mut times = BTreeMap::new();
    for seed in [1, 2, 1, 3] {
        let mut state = start(root);
        state.seed = seed;
        let mut ends = Vec::new();
        for number in 0..2000 {
            let seed = state.seed;
            state.tick(&mut Script::default(), 0.1);
            // A new number is drawn when the next wait begins.
            if state.seed != seed {
                ends.push(number);
            }
        }
        let waits = ends.windows(2).map(|pair| pair[1] - pair[0]);
        let (least, most) = waits.fold((9999, 0), |(least, most), wait| {
            (least.min(wait), most.max(wait))
        });
        // A tick more, because the next wait begins in the next tick.
        assert!(
            (6..=8).contains(&least) && (38..=42).contains(&most),
            "{least} to {most}"
        );
        assert_eq!(times.entry(seed).or_insert_with(|| ends.clone()), &ends);
    }
    assert_ne!(times[&1], times[&2]);
}

#[test]
fn notes_are_set_and_compared() {
    let mut state = start(
        "sequence(children: [
            set(key: \"ammo\", value: 3), set(key: \"speed\", value: 1.5), set(key: \"awake\", value: true),
            set(key: \"mood\", value: \"calm\"), set(key: \"post\", value: (4, 8)), set(key: \"foe\", value: (entity: 7)),
        ])",
    );
    assert_eq!(state.tick(&mut Script::default(), 0.5).status, Success);
    let tree = Arc::clone(state.tree());
    assert_eq!(
        state.board.get(tree.key::<i64>("ammo").expect("an int")),
        Ok(3)
    );
    assert_eq!(
        state.board.get(tree.key("foe").expect("an entity")),
        Ok(Entity(7))
    );
    for (value, is, other, holds) in [
        (Value::Int(3), "at_least", "3", true),
        (Value::Int(3), "less", "3", false),
        (Value::Int(2), "less", "3", true),
        (Value::Int(4), "at_most", "3", false),
        (Value::Int(4), "greater", "3", true),
        (Value::Float(2.5), "greater", "2.0", true),
        (Value::Float(f32::NAN), "less", "2.0", false),
        (Value::Float(f32::NAN), "not_equal", "2.0", true),
        (Value::Bool(true), "equal", "true", true),
        (Value::Text("calm".into()), "equal", "\"calm\"", true),
        (Value::Text("calm".into()), "not_equal", "\"calm\"", false),
    ] {
        let mut state = start(&format!("compare(key: \"x\", is: {is}, value: {other})"));
        assert_eq!(
            state.tick(&mut Script::default(), 0.5).status,
            Failure,
            "not set"
        );
        assert!(state.board.set_value("x", value.clone()));
        let found = state.tick(&mut Script::default(), 0.5).status == Success;
        assert_eq!(found, holds, "{value:?} {is} {other}");
    }
    // The file says that a whole number is a fraction.
    let file = "(keys: {\"x\": float}, root: compare(key: \"x\", is: less, value: 3))";
    let mut state = build(file)
        .expect("valid")
        .state(&Pools::default())
        .expect("no pools");
    assert!(state.board.set_value("x", Value::Float(2.9)));
    assert_eq!(state.tick(&mut Script::default(), 0.5).status, Success);
    let mixed =
        "(root: sequence(children: [set(key: \"x\", value: 1), set(key: \"x\", value: \"one\")]))";
    let error = build(mixed).expect_err("two types");
    assert!(
        error.contains("`sequence/set~2`: blackboard key \"x\" holds int"),
        "{error}"
    );
}

#[test]
fn subtrees_are_parts_of_a_file_with_parameters() {
    let file = r#"(
        subtrees: {
            "greet": sequence(name: "both", children: [
                task(task: "say", params: {"word": "$word"}), subtree(subtree: "nod", params: {"times": "$n", "word": "ok"}),
            ]),
            "nod": sequence(children: [set(key: "nods", value: "$times"), task(task: "say", params: {"word": "$word"})]),
        },
        root: sequence(children: [
            subtree(name: "first", subtree: "greet", params: {"word": "hello", "n": 2}),
            subtree(subtree: "greet", params: {"word": "bye", "n": 1}),
        ]),
    )"#;
    let tree = build(file).expect("a valid tree");
    assert!(format!("{tree:?}").contains("\"sequence/first/both\""));
    let mut state = tree.state(&Pools::default()).expect("no pools");
    let mut script = Script::default();
    assert_eq!(state.tick(&mut script, 0.5).status, Success);
    assert_eq!(script.ticked, ["hello", "ok", "bye", "ok"]);
    assert_eq!(
        state.board.get(tree.key::<i64>("nods").expect("an int")),
        Ok(1)
    );
    for (old, new, message) in [
        (
            "\"n\": 1",
            "",
            "`sequence/subtree`: subtree \"greet\": no parameter \"n\" is given",
        ),
        (
            "subtree: \"greet\", params: {\"word\": \"bye\"",
            "subtree: \"great\", params: {\"word\": \"bye\"",
            "`sequence/subtree`: there is no subtree named \"great\"; did you mean \"greet\"?",
        ),
        (
            "\"n\": 2",
            "\"n\": \"two\"",
            "blackboard key \"nods\" holds text",
        ),
        // Endless.
        (
            "subtree(subtree: \"nod\", params: {\"times\"",
            "subtree(subtree: \"greet\", params: {\"n\"",
            "is nested deeper than 128 nodes",
        ),
    ] {
        let error = build(&file.replace(old, new)).expect_err(new);
        assert!(error.contains(message), "{error}");
    }
    // Each has two of the next: 2^30 nodes.
    let parts = (0..30).map(|n| {
        let next = format!("subtree(subtree: \"{}\")", n + 1);
        format!("\"{n}\": sequence(children: [{next}, {next}])")
    });
    let parts = parts.collect::<Vec<_>>().join(", ");
    let file =
        format!("(subtrees: {{{parts}, \"30\": always_fail()}}, root: subtree(subtree: \"0\"))");
    let error = build(&file).expect_err("too many");
    assert!(error.contains("one node more than the 65536"), "{error}");
}

#[test]
fn wrong_numbers_are_reported() {
    let a = say("a");
    for (root, message) in [
        (
            format!("random_selector(weights: [1, 2], children: [{a}])"),
            "the number of weights is 2",
        ),
        (
            format!("random_sequence(weights: [-1], children: [{a}])"),
            "a weight is -1",
        ),
        (
            "random_selector(children: [])".into(),
            "takes 1 to 64 children",
        ),
        ("random_wait(least: 2, most: 1)".into(), "`most` is 1"),
        (format!("delay(seconds: -1, child: {a})"), "its time is -1"),
    ] {
        let error = build(&format!("(root: {root})")).expect_err("wrong");
        assert!(error.contains(message), "{error}");
    }
}
