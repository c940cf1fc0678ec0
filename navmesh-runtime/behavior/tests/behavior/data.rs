//! Trees from data and back, mistakes in tree files, and replacing a tree while
//! agents run it.

use std::sync::Arc;

use crate::mock::Mock;
use crate::soak;

use crate::mock::free;
use navmesh_behavior::{
    Context, Migration, Node, Outcome, Pace, Region, Registry, Score, Status, Tick, Tree, TreeDef,
    Wait,
};
use navmesh_behavior::{Pools, TokenPool, WaypointPool};
use proptest::prelude::*;
use serde::Deserialize;
use serde_json::json;

type Log = Vec<String>;

/// The context of trees whose view is a log.
enum Words {}

impl Context for Words {
    type View<'a> = Log;
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Say {
    text: String,
    #[serde(default)]
    times: u32,
    mood: Option<Mood>,
    at: Option<(f32, f32)>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Mood {
    Calm,
    Angry {
        #[expect(dead_code, reason = "read by `Debug`")]
        level: u8,
    },
}

/// Always running.
#[derive(Deserialize)]
struct Hold {
    name: String,
}

impl Node<Words> for Hold {
    fn tick(&self, tick: &mut Tick<'_, '_, Words>) -> Outcome {
        tick.context.push(format!("hold {}", self.name));
        Outcome::RUNNING
    }
    fn abort(&self, tick: &mut Tick<'_, '_, Words>) {
        tick.context.push(format!("abort {}", self.name));
    }
}

#[derive(Deserialize)]
struct Pass {}

impl<C: Context> Node<C> for Pass {
    fn children(&self) -> std::ops::RangeInclusive<usize> {
        1..=1
    }
    fn tick(&self, tick: &mut Tick<'_, '_, C>) -> Outcome {
        tick.visit(0).expect("a child")
    }
}

fn registry() -> Registry<Words> {
    let mut registry = Registry::<Words>::default();
    registry
        .action("noop", |_| ())
        .action_with("say", |tick, say: &Say| {
            let Say {
                text,
                times,
                mood,
                at,
            } = say;
            tick.context.push(format!("{text} {times} {mood:?} {at:?}"));
        })
        .task("hold", |task: Hold| task)
        .task("pass", |node: Pass| node)
        .priority("busy", |log| log.len() as i32)
        .utility("first", |_, at| -(at.index as f32) + 10.0);
    registry
}

fn tree_def(root: &str) -> TreeDef {
    serde_json::from_str(&format!(r#"{{"name": "t", "root": {root}}}"#)).expect(root)
}

fn build(root: &str) -> Arc<Tree<Words>> {
    registry().build(&tree_def(root)).expect("a valid tree")
}

fn error(root: &str) -> String {
    let built = registry().build(&tree_def(root));
    built.map(|_| ()).expect_err("a mistake").to_string()
}

#[test]
fn parameters_are_typed() {
    let tree = build(
        r#"{"sequence": {"children": [
            {"task": {"task": "say", "params": {"text": "hi", "times": 2, "mood": "calm"}}},
            {"task": {"task": "say", "params": {"text": "ho", "mood": {"angry": {"level": 3}}, "at": [1, 2.5]}}}
        ]}}"#,
    );
    let mut log = Log::new();
    assert_eq!(
        tree.state(&Pools::default())
            .expect("no pools")
            .tick(&mut log, 0.1),
        Outcome::SUCCESS
    );
    let expected = [
        "hi 2 Some(Calm) None",
        "ho 0 Some(Angry { level: 3 }) Some((1.0, 2.5))",
    ];
    assert_eq!(log, expected);
}

#[test]
fn mistakes_name_the_node() {
    let in_sequence = |node: &str| {
        format!(
            r#"{{"sequence": {{"name": "root", "children": [{{"always_succeed": {{}}}}, {node}]}}}}"#
        )
    };
    let error = |node: &str| error(&in_sequence(node));
    assert_eq!(
        error(r#"{"task": {"name": "greet", "task": "sya"}}"#),
        "`root/greet`: there is no task named \"sya\"; did you mean \"say\"?"
    );
    // The second node of that name.
    assert_eq!(
        error(r#"{"task": {"name": "always_succeed", "task": "sya"}}"#),
        "`root/always_succeed~2`: there is no task named \"sya\"; did you mean \"say\"?"
    );
    assert_eq!(
        error(r#"{"task": {"task": "teleport"}}"#),
        "`root/teleport`: there is no task named \"teleport\"; the registry has hold, noop, pass, say, wait"
    );
    assert_eq!(
        error(r#"{"task": {"task": "say", "params": {"times": 1}}}"#),
        "`root/say`: parameters of \"say\": missing field `text`"
    );
    assert!(
        error(r#"{"task": {"task": "say", "params": {"text": 5}}}"#)
            .contains("invalid type: integer")
    );
    assert!(
        error(r#"{"task": {"task": "noop", "params": {"x": 5}}}"#).contains("unknown field `x`")
    );
    assert_eq!(
        error(r#"{"timeout": {"seconds": -1, "child": {"task": {"task": "noop"}}}}"#),
        "`root/timeout`: its time is -1, but must be a number of seconds, 0 or more"
    );
    assert_eq!(
        error(r#"{"task": {"task": "wait", "params": {"seconds": -1}}}"#),
        "`root/wait`: parameters of \"wait\": `seconds` is -1, but must be a number, 0 or more"
    );
    assert_eq!(
        error(r#"{"composite": {"composite": "pass", "children": []}}"#),
        "`root/pass` (composite) takes exactly one child, but has 0"
    );
    let token = |priority: &str| {
        format!(
            r#"{{"with_token": {{"pool": "melee", "priority": {priority}, "child": {{"task": {{"task": "noop"}}}}}}}}"#
        )
    };
    assert!(error(&token(r#""bussy""#)).contains("did you mean \"busy\"?"));
    let waypoint = r#"{"with_waypoint": {"pool": "ground", "utility": {"measure": "line_of_sight"}, "child": {"task": {"task": "noop"}}}}"#;
    assert!(error(waypoint).contains("`Registry::with_agent_tasks`"));
}

#[test]
fn scores_with_wrong_numbers_are_mistakes() {
    let registry = Registry::<Mock>::with_agent_tasks();
    let parsed = |utility: &str| {
        ron::from_str::<TreeDef>(&format!(
            r#"(root: with_waypoint(name: "seek", pool: "ground", utility: {utility}, child: always_succeed()))"#
        ))
    };
    let finite = |what: &str| format!("{what}, but must be a finite number, 0 or more");
    let far = |what: &str| format!("`far` is {what} (`near`) or more");
    for (utility, what) in [
        (
            "measure(distance_band(near: -1, far: 2, fade: 3))",
            finite("`near` is -1"),
        ),
        (
            "measure(distance_band(near: 1, far: 2, fade: -3))",
            finite("`fade` is -3"),
        ),
        (
            "measure(distance_band(near: 2, far: 1, fade: 3))",
            far("1, but must be a number, 2"),
        ),
        (
            "measure(distance_band(near: 2, far: NaN, fade: 3))",
            far("NaN, but must be a number, 2"),
        ),
        (
            "measure(different_elevation(height: -1))",
            finite("`height` is -1"),
        ),
        (
            "measure(near_self(distance: inf))",
            finite("`distance` is inf"),
        ),
        (
            "weighted(weight: -1, score: constant(1))",
            finite("`weight` is -1"),
        ),
        (
            "sum([constant(1), constant(NaN)])",
            "`constant` is NaN, but must be a number".to_owned(),
        ),
        (
            "product([weighted(weight: NaN, score: constant(1))])",
            finite("`weight` is NaN"),
        ),
        (
            "only_if(needs: measure(near_self(distance: -1)), score: constant(1))",
            finite("`distance` is -1"),
        ),
        (
            "only_if(needs: constant(1), score: measure(near_self(distance: -1)))",
            finite("`distance` is -1"),
        ),
    ] {
        let built = registry.build(&parsed(utility).expect(utility)).map(|_| ());
        let error = built.expect_err(utility);
        assert_eq!(error.to_string(), format!("`seek`: {what}"));
    }
    for valid in [
        "measure(distance_band(near: 0, far: inf, fade: 0))",
        "measure(different_elevation(height: 0))",
        "weighted(weight: 0, score: constant(-1))",
    ] {
        registry.build(&parsed(valid).expect(valid)).expect(valid);
    }
    // In code too, and where a measure has a field that it does not take.
    let score = Score::from(1.0) * f32::NAN;
    let b = Tree::<Mock>::builder("t").with_waypoint("seek", "ground", 1.0, score);
    let error = b
        .inside(|b| b.task("w", Wait { seconds: 1.0 }))
        .build()
        .map(|_| ());
    let error = error.expect_err("a factor that is no number").to_string();
    assert_eq!(error, "`seek`: `constant` is NaN, but must be a number");
    let unknown = parsed("measure(near_self(distance: 1, fade: 3))").expect_err("no `fade`");
    assert!(unknown.to_string().contains("`fade`"), "{unknown}");
    let json = r#"{"root": {"with_waypoint": {"pool": "p", "utility": {"measure": {"near_self": {"distance": 1, "fade": 3}}}, "child": {"always_succeed": {}}}}}"#;
    let unknown = serde_json::from_str::<TreeDef>(json).expect_err("no `fade`");
    assert!(unknown.to_string().contains("`fade`"), "{unknown}");
}

#[test]
fn a_tree_that_is_nested_too_deeply_is_an_error() {
    let mut node = r#"{"task": {"task": "noop"}}"#.to_owned();
    let deep = (0..500).fold(
        json!({"task": {"task": "noop"}}),
        |child, _| json!({"invert": {"name": "i", "child": child}}),
    );
    let def: TreeDef = serde_json::from_value(json!({"root": deep})).expect("a tree");
    let built = registry().build(&def).map(|_| ());
    assert!(built.expect_err("too deep").to_string().contains("deeper"));
    // The parsers have limits of their own.
    for _ in 0..500 {
        node = format!(r#"{{"invert": {{"child": {node}}}}}"#);
    }
    let file = format!(r#"{{"root": {node}}}"#);
    assert!(serde_json::from_str::<TreeDef>(&file).is_err());
}

#[test]
fn pools_must_exist() {
    let tree = build(
        r#"{"sequence": {"name": "root", "children": [
            {"with_token": {"name": "bite", "pool": "melee", "priority": "busy", "child": {"task": {"task": "noop"}}}},
            {"with_waypoint": {"pool": "ground", "utility": {"named": "first"}, "child": {"task": {"task": "noop"}}}}
        ]}}"#,
    );
    let error = tree.state(&Pools::default()).expect_err("no pools");
    assert_eq!(
        error.to_string(),
        "`root/bite`: there is no token pool named \"melee\"; add it to the pools of the level"
    );
    let pools = Pools {
        tokens: [("meele".into(), TokenPool::new(1u32))].into(),
        ..Pools::default()
    };
    let error = tree.state(&pools).expect_err("misspelt");
    let hint = "no token pool named \"melee\"; did you mean \"meele\"?";
    assert!(error.to_string().ends_with(hint), "{error}");
    let pools = Pools {
        tokens: [("melee".into(), TokenPool::new(1u32))].into(),
        ..Pools::default()
    };
    let error = tree.state(&pools).expect_err("no ground");
    assert!(
        error
            .to_string()
            .contains("no waypoint pool named \"ground\"")
    );
    let ground = WaypointPool::new([glam::Vec2::ZERO]);
    let pools = Pools {
        waypoints: [("ground".into(), ground)].into(),
        ..pools
    };
    let mut log = Log::new();
    let mut state = tree.state(&pools).expect("both are there");
    assert_eq!(state.tick(&mut log, 0.1), Outcome::SUCCESS);
    assert_eq!(state.destination, Some(glam::Vec2::ZERO));
}

#[test]
fn a_tree_with_a_closure_cannot_be_saved() {
    let tree = Tree::<Words>::builder("t")
        .sequence("root")
        .inside(|b| {
            b.task("pause", Wait { seconds: 1.0 })
                .action("secret", |_| ())
        })
        .build()
        .expect("a valid tree");
    let error = tree.to_def().expect_err("it has a closure");
    assert!(
        error
            .to_string()
            .starts_with("`root/secret` cannot be saved")
    );
}

#[test]
fn a_tree_made_in_code_of_ready_made_tasks_can_be_saved() {
    let mut b = Tree::<Words>::builder("t").pace(Pace::OneChildPerTick);
    b.key::<bool>("alarmed");
    let b = b
        .sequence("root")
        .pace(Pace::Eager)
        .inside(|b| b.task("pause", Wait { seconds: 0.1 }));
    let def = b.build().expect("a valid tree").to_def();
    let file = r#"{"name":"t","pace":"one_child_per_tick","keys":{"alarmed":"bool"},"root":{"sequence":{"name":"root","pace":"eager","children":[{"task":{"name":"pause","task":"wait","params":{"seconds":0.1}}}]}}}"#;
    let def = def.expect("ready-made tasks have a form");
    assert_eq!(serde_json::to_string(&def).expect("JSON"), file);
}

/// One node of every kind, with every setting different from its default.
#[test]
fn every_kind_of_node_keeps_its_form_in_both_formats() {
    let leaf = r#"{"task": {"name": "t", "task": "noop", "params": {"x": [1, {"y": "z"}]}}}"#;
    let turn = r#""turn":"ends""#;
    let child = format!(r#""child":{leaf}"#);
    let children = format!(r#""children":[{leaf},{leaf}]"#);
    let utility = r#""utility":{"only_if":{"needs":{"tagged":"a"},"score":{"sum":[{"measure":"line_of_sight"},{"product":[{"named":"f"},{"constant":2.0}]},{"weighted":{"weight":0.5,"score":{"measure":{"near_self":{"distance":1.0}}}}}]}}}"#;
    let nodes = [
        leaf.to_owned(),
        format!(
            r#"{{"composite":{{"name":"n","composite":"c","params":{{"x":true}},{children}}}}}"#
        ),
        format!(r#"{{"sequence":{{"name":"n","pace":"eager",{children}}}}}"#),
        format!(r#"{{"selector":{{"name":"n","pace":"one_child_per_tick",{children}}}}}"#),
        format!(r#"{{"reactive_sequence":{{"name":"n",{children}}}}}"#),
        format!(r#"{{"reactive_selector":{{"name":"n",{children}}}}}"#),
        format!(r#"{{"race":{{"name":"n",{children}}}}}"#),
        format!(r#"{{"parallel":{{"name":"n","success":2,"failure":2,{children}}}}}"#),
        format!(
            r#"{{"state_machine":{{"name":"n","transitions":{{"t":{{"success":"t"}}}},{children}}}}}"#
        ),
        r#"{"emit":{"name":"n","signal":"s"}}"#.to_owned(),
        format!(r#"{{"repeat":{{"name":"n","count":3,{child}}}}}"#),
        format!(r#"{{"timeout":{{"name":"n","seconds":1.5,{child}}}}}"#),
        format!(r#"{{"cooldown":{{"name":"n","seconds":1.5,{child}}}}}"#),
        format!(r#"{{"invert":{{"name":"n",{child}}}}}"#),
        format!(r#"{{"force_success":{{"name":"n",{turn},{child}}}}}"#),
        format!(r#"{{"force_failure":{{"name":"n",{turn},{child}}}}}"#),
        format!(r#"{{"always_succeed":{{"name":"n",{turn}}}}}"#),
        format!(r#"{{"always_fail":{{"name":"n",{turn}}}}}"#),
        format!(r#"{{"with_token":{{"name":"n","pool":"p","wait":1.5,"priority":2,{child}}}}}"#),
        format!(r#"{{"with_token":{{"name":"n","pool":"p","priority":"p",{child}}}}}"#),
        format!(
            r#"{{"with_waypoint":{{"name":"n","pool":"p","wait":1.5,{utility},"no_repeat":true,{child},"fallback":{leaf}}}}}"#
        ),
    ];
    for node in nodes {
        let def = tree_def(&node);
        // Defaults are left out.
        let json = serde_json::to_value(&def).expect(&node);
        let expected: serde_json::Value = serde_json::from_str(&node).expect(&node);
        assert_eq!(json["root"], expected);
        let ron = ron::to_string(&def).expect(&node);
        assert_eq!(ron::from_str::<TreeDef>(&ron).expect(&ron), def);
    }
    // The order of the fields does not matter.
    let fallback_first = r#"{"with_waypoint": {"fallback": {"always_fail": {}}, "pool": "p", "utility": {"constant": 1}, "child": {"always_succeed": {}}}}"#;
    let json = serde_json::to_value(tree_def(fallback_first)).expect("valid");
    let children = &json["root"]["with_waypoint"];
    assert_eq!(children["child"], json!({"always_succeed": {}}));
    assert_eq!(children["fallback"], json!({"always_fail": {}}));
}

#[test]
fn mistakes_in_a_region_name_the_field() {
    let error = |text| {
        serde_json::from_str::<Region>(text)
            .unwrap_err()
            .to_string()
    };
    let frame = error(r#"{"min": [0, 0], "max": [1, 1], "frame": "wrld"}"#);
    assert!(
        frame.contains("unknown variant `wrld`, expected one of `world`"),
        "{frame}"
    );
    let field = error(r#"{"min": [0, 0], "mx": [1, 1]}"#);
    assert!(
        field.contains("unknown field `mx`, expected one of `min`"),
        "{field}"
    );
    let both = error(r#"{"area": "vault", "min": [0, 0]}"#);
    assert!(both.contains("either `min` and `max`, or `area`"), "{both}");
}

#[test]
fn mistakes_in_the_form_of_a_file_name_the_field() {
    let error = |node: &str| {
        let parsed = serde_json::from_str::<TreeDef>(&format!(r#"{{"root": {node}}}"#));
        parsed.expect_err(node).to_string()
    };
    assert!(error(r#"{"sequense": {}}"#).contains("unknown variant `sequense`"));
    assert!(error(r#"{"invert": {}}"#).contains("missing field `child`"));
    assert!(
        error(r#"{"sequence": {"children": [], "seconds": 1}}"#)
            .contains("unknown field `seconds`, expected one of `name`, `pace`, `children`")
    );
    assert!(
        error(r#"{"always_fail": {"name": "a", "name": "b"}}"#).contains("duplicate field `name`")
    );
    assert!(
        error(r#"{"timeout": {"seconds": "long", "child": {"always_fail": {}}}}"#)
            .contains("invalid type: string")
    );
}

fn params() -> impl Strategy<Value = serde_json::Value> {
    let param = prop_oneof![
        any::<bool>().prop_map(|b| json!(b)),
        any::<i32>().prop_map(|i| json!(i)),
        (-1000i32..1000).prop_map(|i| json!(f64::from(i) + 0.5)),
        "[a-z \"\\\\\u{e9}]{0,6}".prop_map(|s| json!(s)),
    ];
    let param = param.prop_recursive(2, 8, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(|list| json!(list)),
            prop::collection::btree_map("[a-z]{1,3}", inner, 0..3).prop_map(|map| json!(map)),
        ]
    });
    prop::collection::btree_map("[a-z]{1,4}", param, 0..3).prop_map(|map| json!(map))
}

proptest! {
    #![proptest_config(soak::cases(200))]

    /// Parameters of every form survive both formats, and the tree.
    #[test]
    fn data_makes_a_round_trip(params in params(), name in "[a-z]{0,3}") {
        let mut registry = Registry::<()>::default();
        registry.action_with("any", |_, _: &serde_json::Value| ());
        let child = json!({"task": {"task": "any", "params": params}});
        let root = json!({"repeat": {"count": 2, "child": child}});
        let def: TreeDef = serde_json::from_value(json!({"name": name, "root": root})).expect("a tree");
        let json = serde_json::to_string(&def).expect("JSON");
        prop_assert_eq!(&serde_json::from_str::<TreeDef>(&json).expect("JSON"), &def);
        let ron = ron::to_string(&def).expect("RON");
        prop_assert_eq!(&ron::from_str::<TreeDef>(&ron).expect("RON"), &def);
        let tree = registry.build(&def).expect("a valid tree");
        prop_assert_eq!(tree.to_def().expect("data"), def);
    }
}

// ---- reloading ----

const HOLD_B: &str = r#"{"task": {"name": "b", "task": "hold", "params": {"name": "b"}}}"#;

fn sequence(children: &[&str]) -> String {
    let children = children.join(",");
    format!(r#"{{"sequence": {{"name": "root", "children": [{children}]}}}}"#)
}

fn moved(kept: u32, aborted: u32) -> Migration {
    Migration { kept, aborted }
}

/// Runs `old` for some ticks, migrates, and ticks once more.
fn reload(old: &str, new: &str) -> (Migration, Log, Status) {
    let (old, new) = (build(old), build(new));
    let pools = Pools {
        tokens: [("melee".into(), TokenPool::new(1u32))].into(),
        ..Pools::default()
    };
    let mut state = old.state(&pools).expect("the pool is there");
    let mut log = Log::new();
    state.tick(&mut log, 0.5);
    state.tick(&mut log, 0.5);
    log.clear();
    let migration = state
        .migrate(&new, &pools, &mut log)
        .expect("the pool is there");
    let status = state.tick(&mut log, 0.5).status;
    (migration, log, status)
}

#[test]
fn a_running_node_continues_at_its_new_position() {
    let noop = r#"{"task": {"name": "a", "task": "noop"}}"#;
    let say = r#"{"task": {"name": "new", "task": "say", "params": {"text": "new"}}}"#;
    let (migration, log, status) =
        reload(&sequence(&[noop, HOLD_B]), &sequence(&[say, noop, HOLD_B]));
    assert_eq!(migration, moved(2, 0));
    assert_eq!(log, ["hold b"]);
    assert_eq!(status, Status::Running);
}

#[test]
fn a_running_node_that_is_gone_is_aborted_and_its_sequence_starts_again() {
    let say = r#"{"task": {"name": "a", "task": "say", "params": {"text": "a"}}}"#;
    let (migration, log, _) = reload(&sequence(&[say, HOLD_B]), &sequence(&[say]));
    assert_eq!(migration, moved(1, 1));
    assert_eq!(log, ["abort b", "a 0 None None"]);
    // Another task at the same path cannot continue either.
    let other = r#"{"task": {"name": "b", "task": "noop"}}"#;
    let (migration, log, status) = reload(&sequence(&[HOLD_B]), &sequence(&[other]));
    assert_eq!(migration.aborted, 1);
    assert_eq!((log, status), (vec!["abort b".to_owned()], Status::Success));
}

#[test]
fn a_name_with_a_slash_is_not_taken_for_a_child_of_a_child() {
    let slash = HOLD_B.replacen("\"b\"", "\"a/b\"", 1);
    let say = r#"{"task": {"task": "say", "params": {"text": "say"}}}"#;
    let nested = format!(r#"{{"sequence": {{"name": "a", "children": [{say}, {HOLD_B}]}}}}"#);
    let (migration, log, _) = reload(&sequence(&[&slash]), &sequence(&[&nested]));
    assert_eq!(migration, moved(1, 1));
    assert_eq!(log, ["abort b", "say 0 None None", "hold b"]);
}

#[test]
fn timers_cooldowns_and_tokens_are_carried_over() {
    let timeout = |seconds: f32| {
        format!(r#"{{"timeout": {{"name": "t", "seconds": {seconds}, "child": {HOLD_B}}}}}"#)
    };
    // 0.5 s have passed; the new length counts at once.
    let (_, log, status) = reload(&timeout(9.0), &timeout(1.0));
    assert_eq!(status, Status::Failure);
    assert_eq!(log, ["hold b", "abort b"]);

    let cooldown = |seconds: f32| {
        format!(
            r#"{{"cooldown": {{"seconds": {seconds}, "child": {{"task": {{"task": "noop"}}}}}}}}"#
        )
    };
    let (_, _, status) = reload(&cooldown(2.0), &cooldown(2.5));
    assert_eq!(status, Status::Failure);

    // A repeater gets an end, or has none any more.
    let repeat = |count: u32| {
        format!(r#"{{"repeat": {{"name": "r", "count": {count}, "child": {HOLD_B}}}}}"#)
    };
    for (old, new) in [(3, 0), (0, 3)] {
        let (migration, log, _) = reload(&repeat(old), &repeat(new));
        assert_eq!((migration, log), (moved(2, 0), vec!["hold b".to_owned()]));
    }

    let token = |pool: &str| {
        format!(
            r#"{{"with_token": {{"name": "k", "pool": "{pool}", "wait": 0, "child": {HOLD_B}}}}}"#
        )
    };
    let (migration, log, _) = reload(&token("melee"), &token("melee"));
    assert_eq!(migration.kept, 2);
    assert_eq!(log, ["hold b"]);
    let (old, new) = (build(&token("melee")), build(&token("other")));
    let (melee, other) = (TokenPool::new(1u32), TokenPool::new(1u32));
    let pools = Pools {
        tokens: [("melee".into(), melee.clone())].into(),
        ..Pools::default()
    };
    let (mut state, mut log) = (old.state(&pools).expect("there"), Log::new());
    state.tick(&mut log, 0.1);
    let refused = state.migrate(&new, &pools, &mut log);
    assert!(refused.is_err(), "the new pool is not there");
    assert_eq!(melee.held(), 1, "and nothing has changed");
    let tokens = [
        ("melee".into(), melee.clone()),
        ("other".into(), other.clone()),
    ];
    let pools = Pools {
        tokens: tokens.into(),
        ..pools
    };
    let migration = state.migrate(&new, &pools, &mut log);
    assert_eq!(migration.expect("there").aborted, 2);
    assert_eq!((melee.held(), other.held()), (0, 0));
}

#[test]
fn a_parallel_keeps_the_results_of_its_children() {
    let child = |name: &str, task: &str| {
        format!(
            r#"{{"task": {{"name": "{name}", "task": "{task}", "params": {{{}}}}}}}"#,
            if task == "hold" {
                format!(r#""name": "{name}""#)
            } else {
                String::new()
            }
        )
    };
    let parallel = |children: &[String]| {
        format!(
            r#"{{"parallel": {{"name": "p", "children": [{}]}}}}"#,
            children.join(",")
        )
    };
    let (a, b) = (child("a", "noop"), child("b", "hold"));
    let (migration, log, status) = reload(
        &parallel(&[a.clone(), b.clone()]),
        &parallel(&[b, child("c", "noop"), a]),
    );
    assert_eq!(migration, moved(2, 0));
    assert_eq!((log, status), (vec!["hold b".to_owned()], Status::Running));
}

#[test]
fn a_fallback_that_became_the_child_starts_again() {
    let waypoint = |first: &str, second: &str| {
        let hold = |name: &str| {
            format!(
                r#"{{"task": {{"name": "{name}", "task": "hold", "params": {{"name": "{name}"}}}}}}"#
            )
        };
        let (first, second) = (hold(first), hold(second));
        format!(
            r#"{{"with_waypoint": {{"pool": "ground", "utility": {{"named": "first"}}, "child": {first}, "fallback": {second}}}}}"#
        )
    };
    let (old, new) = (build(&waypoint("a", "b")), build(&waypoint("b", "a")));
    let ground = WaypointPool::new([glam::Vec2::ZERO]);
    let pools = Pools {
        waypoints: [("ground".into(), ground.clone())].into(),
        ..Pools::default()
    };
    let (mut state, mut log) = (old.state(&pools).expect("there"), Log::new());
    state.tick(&mut log, 0.1);
    let migration = state.migrate(&new, &pools, &mut log);
    assert_eq!(migration.expect("there"), moved(1, 1));
    assert_eq!(free(&ground), 0, "the waypoint is kept");
    state.tick(&mut log, 0.1);
    state.reset(&mut log);
    assert_eq!(log, ["hold a", "abort a", "hold b", "abort b"]);
    assert_eq!(free(&ground), 1);
}

#[test]
fn nodes_that_tick_all_children_continue_where_nodes_before_them_are_gone() {
    let noop = r#"{"task": {"name": "a", "task": "noop"}}"#;
    let hold_c = HOLD_B.replace(r#""b""#, r#""c""#);
    for kind in ["race", "parallel"] {
        let all = format!(r#"{{"{kind}": {{"children": [{HOLD_B}, {hold_c}]}}}}"#);
        for (before, after) in [(4, 0), (3, 1), (0, 4)] {
            let file = |noops| sequence(&[vec![noop; noops], vec![all.as_str(), noop]].concat());
            let (migration, log, status) = reload(&file(before), &file(after));
            assert_eq!(migration.kept, 4, "{kind}, {before} to {after}");
            assert_eq!(log, ["hold b", "hold c"], "{kind}, {before} to {after}");
            assert_eq!(status, Status::Running);
        }
    }
}

#[test]
fn a_node_whose_child_has_ended_the_turn_goes_on_with_the_next_one() {
    let ends = r#"{"always_succeed": {"name": "a", "turn": "ends"}}"#;
    let say = r#"{"task": {"name": "new", "task": "say", "params": {"text": "new"}}}"#;
    for kind in ["sequence", "reactive_sequence", "race", "parallel"] {
        let file = |children: &[&str]| sequence(children).replace("sequence", kind);
        let pair = format!(r#"{{"invert": {{"child": {ends}}}}}"#);
        // A race would be over.
        let first = match kind {
            "race" => format!(r#"{{"repeat": {{"child": {pair}}}}}"#),
            _ => ends.to_owned(),
        };
        let (old, new) = (file(&[&first, HOLD_B]), file(&[say, &first, HOLD_B]));
        let (old, new) = (build(&old), build(&new));
        let (mut state, mut log) = (old.state(&Pools::default()).expect("no pools"), Log::new());
        assert!(state.tick(&mut log, 0.5).ends_turn, "{kind}");
        state
            .migrate(&new, &Pools::default(), &mut log)
            .expect("no pools");
        state.tick(&mut log, 0.5);
        assert_eq!(log.first().map(String::as_str), Some("hold b"), "{kind}");
    }
}

#[test]
fn a_cue_with_another_name_is_cancelled_and_begins() {
    let registry = Registry::<Mock>::with_agent_tasks();
    let tree = |cue: &str| {
        let file =
            format!(r#"{{"root": {{"task": {{"task": "cue", "params": {{"cue": "{cue}"}}}}}}}}"#);
        let def: TreeDef = serde_json::from_str(&file).expect("JSON");
        registry.build(&def).expect("a valid tree")
    };
    let mut mock = Mock::at(0.0, 5.0);
    mock.cue_ticks.extend([("bite", 9), ("claw", 9)]);
    let mut state = tree("bite").state(&Pools::default()).expect("no pools");
    for cue in ["bite", "claw"] {
        state
            .migrate(&tree(cue), &Pools::default(), &mut mock)
            .expect("no pools");
        state.tick(&mut mock, 0.1);
    }
    assert_eq!(mock.log, ["bite", "cancel bite", "claw"]);
}

#[test]
fn blackboard_values_move_with_their_names_and_types() {
    let with_keys = |keys: &str| -> Arc<Tree<Words>> {
        let file = format!(r#"{{"keys": {keys}, "root": {{"task": {{"task": "noop"}}}}}}"#);
        let def: TreeDef = serde_json::from_str(&file).expect("JSON");
        registry().build(&def).expect("a valid tree")
    };
    let old = with_keys(r#"{"a": "float", "b": "int"}"#);
    let new = with_keys(r#"{"b": "int", "a": "bool", "0": "text"}"#);
    let mut state = old.state(&Pools::default()).expect("no pools");
    let (a, b) = (
        old.key::<f32>("a").expect("a"),
        old.key::<i64>("b").expect("b"),
    );
    state.board.set(a, 1.5).expect("its own key");
    state.board.set(b, 7).expect("its own key");
    state
        .migrate(&new, &Pools::default(), &mut Log::new())
        .expect("no pools");
    assert_eq!(state.board.get(new.key::<i64>("b").expect("b")), Ok(7));
    assert!(state.board.get(new.key::<bool>("a").expect("a")).is_err());
}
