//! `navbake schema`: the schemas agree with what the commands write and read.
//! Also `init`, `completions` and `man`.

use crate::sandbox;

use std::fs;
use std::process::Stdio;

use crate::common::fixtures::fixtures;
use jsonschema::Validator;
use navmesh_runtime::mesh::EdgeSet;
use sandbox::{Sandbox, installed, level};
use serde_json::{Value, json};

pub(crate) fn schema(subject: &str) -> (Value, Validator) {
    let run = Sandbox::new().fine(&["schema", subject]);
    let schema = run.json();
    jsonschema::meta::validate(&schema).unwrap_or_else(|e| panic!("{subject}: {e}"));
    let mut complete = schema.clone();
    forbid_others(&mut complete);
    let validator = jsonschema::validator_for(&complete).unwrap();
    (schema, validator)
}

/// Forbids keys that a schema does not describe. Schemas allow them, because later
/// versions may add some; what the commands write now must be described.
fn forbid_others(schema: &mut Value) {
    let conditions = ["if", "then", "else", "not", "allOf", "anyOf", "oneOf"];
    match schema {
        Value::Array(list) => list.iter_mut().for_each(forbid_others),
        Value::Object(keys) => {
            let is_object = keys.contains_key("properties") && keys.contains_key("type");
            for (_, inner) in
                (keys.iter_mut()).filter(|(key, _)| !conditions.contains(&key.as_str()))
            {
                forbid_others(inner);
            }
            if is_object && !keys.contains_key("additionalProperties") {
                keys.insert("additionalProperties".to_owned(), false.into());
            }
        }
        _ => {}
    }
}

pub(crate) fn valid(validator: &Validator, value: &Value) {
    let errors: Vec<_> = validator
        .iter_errors(value)
        .map(|e| format!("{} at {}", e, e.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{value:#}\n{}", errors.join("\n"));
}

#[test]
fn json_output_matches_its_schema() {
    let sandbox = Sandbox::new();
    for name in ["ledges.tmx", "tiles.tsx", "movement.tmx", "movement.toml"] {
        sandbox.fixture(name);
    }
    sandbox.write("bad.tmx", "<map");
    let (_, bake) = schema("bake");
    let mut reported = 0;
    for args in [
        "bake --json --check ledges.tmx",
        "bake --json ledges.tmx bad.tmx none.tmx",
        "bake --json ledges.tmx",
        "bake --json ledges.tmx --force",
    ] {
        for line in sandbox.run(args).json_lines() {
            valid(&bake, &line);
            reported += 1;
        }
    }
    let map = fs::read_to_string(fixtures().join("ledges.tmx")).unwrap();
    sandbox.write("ledges.tmx", &map.replacen(" x=\"", " x=\"1", 1));
    let stale = sandbox.run("bake --json --check ledges.tmx").json();
    assert_eq!(
        stale["reasons"],
        json!([{"why": "input", "file": "ledges.tmx"}])
    );
    valid(&bake, &stale);
    assert_eq!(reported, 6);
    // The schema rejects lines that are wrong.
    for wrong in [
        json!({"schema": 2, "level": "a", "output": "b", "status": "written", "inputs": [], "warnings": []}),
        json!({"schema": 1, "level": "a", "status": "written", "inputs": [], "warnings": []}),
        json!({"schema": 1, "level": "a", "status": "error", "inputs": [], "warnings": []}),
        json!({"schema": 1, "level": "a", "output": "b", "status": "stale", "reasons": [{"why": "input"}], "inputs": [], "warnings": []}),
    ] {
        assert!(!bake.is_valid(&wrong), "{wrong}");
    }

    let file = "ledges.navmesh";
    sandbox.fine("bake movement.tmx --config movement.toml");
    for subject in ["inspect", "dump"] {
        let (_, validator) = schema(subject);
        for file in [file, "movement.navmesh"] {
            valid(&validator, &sandbox.run(&[subject, file, "--json"]).json());
        }
    }
    let (_, simulate) = schema("simulate");
    for to in ["616,160", "432,112"] {
        let args = [
            "simulate", file, "--agent", "ground", "--from", "56,272", "--to", to, "--stun",
            "1:0.2", "--json",
        ];
        valid(&simulate, &sandbox.run(&args).json());
    }
    assert!(!simulate.is_valid(
        &json!({"agent": "a", "outcome": "idle", "duration": 1, "events": [], "samples": []})
    ));
    let (_, lint) = schema("lint");
    let findings = sandbox.run("lint ledges.tmx --json").json();
    assert!(!findings["findings"].as_array().unwrap().is_empty());
    valid(&lint, &findings);
    assert!(!lint.is_valid(
        &json!({"findings": [{"rule": "trap"}], "files": 1, "errors": 0, "warnings": 0})
    ));
    let compared = ["diff", file, file, "--format", "json"];
    valid(&schema("diff").1, &sandbox.run(&compared).json());
    let (_, path) = schema("path");
    let (_, explain) = schema("explain");
    for to in ["464,256", "432,112", "300,224", "24,160"] {
        let ends = [
            "--agent", "ground", "--from", "56,272", "--to", to, "--json",
        ];
        let run = sandbox.run(&[&["path", file, "--sample", "30"], &ends[..]].concat());
        valid(&path, &run.json());
        for level in [file, "ledges.tmx"] {
            let run = sandbox.run(&[&["explain", level], &ends[..]].concat());
            valid(&explain, &run.json());
        }
    }
}

/// The keys that the error for an unknown key lists.
fn offered(text: &str) -> Vec<String> {
    let sandbox = Sandbox::new();
    sandbox.configure(text);
    sandbox.write("a.tmx", &level(&[]));
    let run = sandbox.run("bake a.tmx");
    assert_eq!(run.code, 2, "{text}");
    let (_, list) = run.stderr.split_once("expected").unwrap();
    let list = list.lines().next().unwrap();
    list.split('`')
        .skip(1)
        .step_by(2)
        .map(str::to_owned)
        .collect()
}

#[test]
fn the_schema_has_every_key_of_the_configuration() {
    let (schema, validator) = schema("config");
    for (text, place) in [
        ("nonsense = 1\n", "/properties"),
        ("[level]\nnonsense = 1\n", "/properties/level/properties"),
        (
            "[collision]\nnonsense = 1\n",
            "/properties/collision/properties",
        ),
        (
            "[[agent]]\nname = \"a\"\nnonsense = 1\n",
            "/properties/agent/items/properties",
        ),
    ] {
        let known = schema.pointer(place).unwrap();
        let offered = offered(text);
        assert!(offered.len() >= 3, "{offered:?}");
        for key in offered {
            assert!(
                known.get(&key).is_some(),
                "the schema of the configuration has no {key} at {place}"
            );
        }
    }
    let edges = &schema["properties"]["agent"]["items"]["properties"]["edges"]["items"]["enum"];
    for edge in EdgeSet::ALL.names() {
        assert!(
            edges.as_array().unwrap().contains(&json!(edge)),
            "no edge {edge} in the schema"
        );
    }
    // So are the forms of rules that the error for another text lists.
    let sandbox = Sandbox::new();
    sandbox.configure("[collision]\nsolid = [\"ground\"]\n");
    sandbox.write("a.tmx", &level(&[]));
    let error = sandbox.exits(2, "bake a.tmx").stderr;
    let (_, forms) = error.split_once("write ").unwrap();
    let (forms, _) = forms.split_once(';').unwrap();
    let forms: Vec<&str> = forms
        .split([',', ' '])
        .filter(|f| f.contains(':'))
        .collect();
    assert!(forms.len() >= 9, "{forms:?}");
    for form in forms {
        for rule in [form, &format!("!{form} & {form}")] {
            valid(&validator, &json!({"collision": {"solid": [rule]}}));
        }
    }
    // The defaults are those of a configuration that changes nothing.
    let defaults: toml::Value = toml::from_str(&sandbox.run("init -o -").stdout).unwrap();
    let defaults = serde_json::to_value(defaults).unwrap();
    for (key, known) in schema["properties"]["level"]["properties"]
        .as_object()
        .unwrap()
    {
        if let Some(default) = known.get("default") {
            assert_eq!(&defaults["level"][key], default, "{key}");
        }
    }
    // The example in docs/cli.md is valid, and mistakes are not.
    let docs = include_str!("../../../docs/cli.md");
    let (_, example) = docs.split_once("```toml\n").unwrap();
    let (example, _) = example.split_once("```").unwrap();
    let example: toml::Value = toml::from_str(example).unwrap();
    valid(&validator, &serde_json::to_value(example).unwrap());
    for wrong in [
        "nonsense = 1",
        "[level]\nspacing = 0",
        "[collision]\nsolid = [\"ground\"]",
        "[[agent]]\nbody = [1, 2]",
        "[[agent]]\nname = \"a\"\nbody = [1]",
        "[[agent]]\nname = \"a\"\ngravity = 1\njump_time = 1",
        "[[agent]]\nname = \"a\"\nedges = [\"walk\"]",
    ] {
        let value: toml::Value = toml::from_str(wrong).unwrap();
        assert!(
            !validator.is_valid(&serde_json::to_value(value).unwrap()),
            "{wrong}"
        );
    }
}

/// The example of the guide, and none with a mistake.
#[test]
fn the_schema_of_levels_fits_the_guide() {
    let (_, validator) = schema("level");
    let guide = include_str!("../../../docs/level-format.md");
    let (_, example) = guide.split_once("```json\n").unwrap();
    let (example, _) = example.split_once("```").unwrap();
    let example: Value = serde_json::from_str(example).unwrap();
    valid(&validator, &example);
    for (place, wrong) in [
        ("/navbake_level", json!(2)),
        ("/y_axis", json!("left")),
        ("/shapes/0/kind", json!("rock")),
        ("/shapes/1/box", json!([1, 2])),
        ("/cells/0/rows", json!("#")),
        ("/markers/0/class", Value::Null),
    ] {
        let mut example = example.clone();
        *example.pointer_mut(place).unwrap() = wrong;
        assert!(!validator.is_valid(&example), "{place}");
    }
}

#[test]
fn init_writes_the_defaults() {
    let (_, validator) = schema("config");
    for (level, others) in [
        ("ledges.tmx", &["tiles.tsx"][..]),
        ("organic.png", &[]),
        ("mine.ldtk#Mine", &["mine.ldtk"]),
    ] {
        let sandbox = Sandbox::new();
        for name in others
            .iter()
            .chain(&[level])
            .filter(|name| !name.contains('#'))
        {
            sandbox.fixture(name);
        }
        sandbox.fine(&["bake", level, "-o", "a.navmesh"]);
        sandbox.fine(&["init", level]);
        let text = sandbox.text("navbake.toml");
        assert!(
            text.lines().filter(|line| line.contains('#')).count() > 20,
            "{text}"
        );
        let value: toml::Value = toml::from_str(&text).unwrap();
        valid(&validator, &serde_json::to_value(value).unwrap());
        // With it, the baked file is fresh and has the same bytes, unless the level has a use
        // for more edges.
        let mut edges = text.lines().filter(|line| line.starts_with("edges = "));
        let has_more = edges.any(|line| {
            let (edges, _) = line.split_once(']').unwrap();
            edges.contains("\"ladder\"") || edges.contains("\"drop_through\"")
        });
        for more in [&["--check"][..], &["--check", "--force"]] {
            let args = [&["bake", level, "-o", "a.navmesh"], more].concat();
            let run = sandbox.run(&args);
            assert_eq!(run.code, i32::from(has_more), "{}", run.stderr);
        }
        // The keys in comments are valid, too.
        let bold: Vec<_> = text
            .lines()
            .map(|line| match line.strip_prefix("# ") {
                Some(rest) if rest.contains(" = ") && !rest.contains(": ") => rest,
                _ => line,
            })
            .collect();
        assert_ne!(bold.join("\n"), text.trim_end());
        sandbox.write("bold.toml", &bold.join("\n"));
        let run = sandbox.run(&["bake", level, "-o", "b.navmesh", "--config", "bold.toml"]);
        assert_eq!(run.code, 0, "{}\n{}", run.stderr, bold.join("\n"));

        let again = sandbox.exits(2, &["init", level]);
        again.says("--force");
        assert_eq!(sandbox.run(&["init", level, "-o", "-"]).stdout, text);
        sandbox.fine(&["init", level, "--force"]);
    }
    // Without a level, and for a level that does not say what is solid.
    let sandbox = Sandbox::new();
    sandbox.fine("init");
    assert!(sandbox.path("navbake.toml").is_file());
    sandbox.write("decor.tmx", &level(&[]).replace("\"ground\"", "\"decor\""));
    let run = sandbox.fine("init decor.tmx -o -");
    assert!(
        run.stdout.contains("tile layer \"decor\""),
        "{}",
        run.stdout
    );
    run.says("solid");
}

#[test]
fn shells_and_groff_read_completions_and_manual_pages() {
    let sandbox = Sandbox::new();
    for (shell, message) in [
        ("bash", "complete -F"),
        ("zsh", "#compdef navbake"),
        ("fish", "complete -c navbake"),
        ("powershell", "Register-ArgumentCompleter"),
        ("elvish", "edit:completion"),
    ] {
        let run = sandbox.fine(&["completions", shell]);
        assert!(run.stdout.contains(message), "{}", run.stdout);
        assert!(run.stdout.contains("depfile"));
        if matches!(shell, "bash" | "zsh" | "fish") && installed(shell) {
            sandbox.write("script", &run.stdout);
            let status = sandbox.tool(shell).args(["-n", "script"]).status();
            assert!(status.unwrap().success());
        }
    }
    sandbox.exits(2, "completions cmd");

    let page = sandbox.run("man").stdout;
    assert!(page.contains(".TH navbake 1"), "{page}");
    sandbox.fine("man -o man1");
    let pages = fs::read_dir(sandbox.path("man1")).unwrap().count();
    assert!(pages > 8, "{pages}");
    let bake = sandbox.text("man1/navbake-bake.1");
    for message in ["\\-\\-depfile", ".navbakeignore", "navbake bake"] {
        assert!(bake.contains(message), "{message}: {bake}");
    }
    if installed("groff") {
        for entry in fs::read_dir(sandbox.path("man1")).unwrap() {
            let output = sandbox
                .tool("groff")
                .args(["-man", "-Tutf8", "-ww", "-z"])
                .arg(entry.unwrap().path())
                .stdout(Stdio::null())
                .output()
                .unwrap();
            assert!(
                output.stderr.is_empty(),
                "{}",
                String::from_utf8_lossy(&output.stderr)
            );
        }
    }
}
