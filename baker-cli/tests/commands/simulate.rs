//! `navbake simulate`, and the samples of `navbake path`.

use crate::sandbox;

use sandbox::{Run, Sandbox, level};

/// A sandbox with a baked level.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("tiny.tmx", &level(&[]));
    sandbox.fine("bake tiny.tmx");
    sandbox
}

fn simulate(sandbox: &Sandbox, more: &str) -> Run {
    sandbox.run(&format!(
        "simulate tiny.navmesh --agent ground --from 24,160 {more}"
    ))
}

fn number(value: &serde_json::Value) -> f64 {
    value.as_f64().unwrap()
}

fn names(run: &serde_json::Value) -> Vec<&str> {
    let events = run["events"].as_array().unwrap().iter();
    events.map(|e| e["event"].as_str().unwrap()).collect()
}

#[test]
fn a_run_lists_positions_and_events() {
    let sandbox = sandbox();
    let run = simulate(&sandbox, "--to 296,160 --sample 10");
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    insta::assert_snapshot!(run.stdout);

    let run = simulate(&sandbox, "--to 296,160 --json --sample 60");
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let answer = run.json();
    assert_eq!(answer["outcome"], "arrived");
    assert_eq!(names(&answer), ["sent", "jumped", "landed", "arrived"]);
    let samples = answer["samples"].as_array().unwrap();
    let last = samples.last().unwrap();
    assert_eq!(last["at"], serde_json::json!([296.0, 160.0]));
    assert_eq!(last["t"], answer["duration"]);
    assert_eq!(answer["events"][3]["t"], answer["duration"]);
    // No step is longer than the speed of the agent allows.
    for pair in samples.windows(2) {
        let dt = number(&pair[1]["t"]) - number(&pair[0]["t"]);
        let dx = number(&pair[1]["at"][0]) - number(&pair[0]["at"][0]);
        assert!(dx.abs() <= 90.001 * dt + 1e-4, "{pair:?}");
    }
}

#[test]
fn redirects_and_stuns_change_the_run() {
    let sandbox = sandbox();
    // Stunned above the gap, the agent falls out of the level.
    let stunned = simulate(&sandbox, "--to 296,160 --stun 1.8:0.5 --json");
    assert_eq!(stunned.code, 1, "{}", stunned.stdout);
    let answer = stunned.json();
    assert_eq!(answer["outcome"], "stranded");
    assert!(!answer["reason"].as_str().unwrap().is_empty());
    assert_eq!(
        names(&answer),
        ["sent", "jumped", "stunned", "enabled", "stranded"]
    );

    // A stun on the way to the gap costs its duration and some more.
    let late = simulate(&sandbox, "--to 296,160 --stun 0.5:1 --json");
    let plain = simulate(&sandbox, "--to 296,160 --json");
    assert_eq!(late.code, 0, "{}", late.stdout);
    let lost = number(&late.json()["duration"]) - number(&plain.json()["duration"]);
    assert!((1.0..1.4).contains(&lost), "{lost}");
    // One that ends within another does not end that one.
    let both = simulate(&sandbox, "--to 296,160 --stun 0.5:1 --stun 0.8:0.1 --json");
    assert_eq!(both.json()["duration"], late.json()["duration"]);

    let back = simulate(&sandbox, "--to 296,160 --then 1:24,160 --sample 10");
    assert_eq!(back.code, 0, "{}", back.stdout);
    assert!(back.stdout.contains("sent to 24,160"), "{}", back.stdout);
    let end = back.stdout.lines().last().unwrap();
    assert!(end.contains(" 24,160 "), "{end}");

    let never = simulate(&sandbox, "--to 280,64");
    assert_eq!(never.code, 1);
    assert!(
        never.stdout.starts_with("cannot reach after "),
        "{}",
        never.stdout
    );
    let hurried = simulate(&sandbox, "--to 296,160 --limit 1 --json");
    assert_eq!(
        (hurried.code, hurried.json()["outcome"].as_str()),
        (1, Some("time_up"))
    );
}

#[test]
fn edits_of_the_level_are_baked() {
    let sandbox = sandbox();
    let trip = "--agent ground --from 24,160 --to 296,160";
    let walled = format!("simulate tiny.tmx {trip} --edit 0.1:150,-100,170,160=solid --json");
    let stopped = sandbox.run(&walled);
    assert_eq!(stopped.code, 1, "{}{}", stopped.stdout, stopped.stderr);
    assert_eq!(names(&stopped.json())[..2], ["sent", "ground_edited"]);
    // The wall is blown up, and the agent goes on.
    let arrived = sandbox.run(&format!("{walled} --edit 2:150,-100,170,160=empty"));
    assert_eq!(arrived.code, 0, "{}{}", arrived.stdout, arrived.stderr);

    let unknown = simulate(&sandbox, "--to 296,160 --edit 1:0,0,9,9=lava");
    assert_eq!(unknown.code, 2, "{}", unknown.stderr);
    let baked = simulate(&sandbox, "--to 296,160 --edit 1:0,0,9,9=empty");
    assert_eq!(baked.code, 2, "{}", baked.stderr);
    assert!(baked.stderr.contains("no collision"), "{}", baked.stderr);
}

#[test]
fn removed_ground_lets_the_agent_fall_until_it_is_back() {
    let sandbox = sandbox();
    // Below its feet, from one side of the level to the other.
    let fallen = simulate(&sandbox, "--to 296,160 --remove 0.5:0,160,400,400 --json");
    assert_eq!(fallen.code, 1, "{}{}", fallen.stdout, fallen.stderr);
    let answer = fallen.json();
    assert_eq!(answer["outcome"], "stranded");
    assert_eq!(names(&answer)[..2], ["sent", "ground_removed"]);
    assert_eq!(answer["events"][1]["from"], serde_json::json!([0.0, 160.0]));

    // The end of the way: the agent tries again when it is back.
    let removed = "--to 296,160 --remove 0:240,160,400,400";
    let never = simulate(&sandbox, removed);
    assert_eq!(never.code, 1, "{}", never.stdout);
    let back = simulate(
        &sandbox,
        &format!("{removed} --restore 3:400,400,240,160 -o a.gif"),
    );
    assert_eq!(back.code, 0, "{}", back.stdout);
    assert!(back.stdout.contains("ground restored"), "{}", back.stdout);

    let unknown = simulate(&sandbox, "--to 296,160 --restore 1:0,0,1,1");
    assert_eq!(unknown.code, 2);
    assert!(
        unknown.stderr.contains("nothing was removed there"),
        "{}",
        unknown.stderr
    );
}

#[test]
fn the_output_option_writes_an_animation() {
    let sandbox = sandbox();
    let run = simulate(&sandbox, "--to 296,160 -o run.gif --json");
    assert_eq!(run.code, 0, "{}", run.stderr);
    run.says("run.gif: ");
    assert_eq!(run.json()["outcome"], "arrived");
    let bytes = sandbox.bytes("run.gif");
    assert!(bytes.starts_with(b"GIF89a") && bytes.len() < 100_000);
    let dash = simulate(&sandbox, "--to 296,160 -o -");
    assert_eq!((dash.code, dash.bytes == bytes), (0, true));
}

/// Counted in cells of less than a unit, a destination far away is infinite.
#[test]
fn an_animation_shows_the_level_whatever_the_destination() {
    let sandbox = sandbox();
    sandbox.write("small.toml", "[level]\npixels_per_unit = 32\n");
    sandbox.fine("bake tiny.tmx --config small.toml -o small.navmesh");
    sandbox.run(
        "simulate small.navmesh --agent ground --from 0.75,4 --to 4,5 --then=0.2:1,-3e38 -o run.gif",
    );
    let bytes = sandbox.bytes("run.gif");
    let [width, height] = [6, 8].map(|i| u16::from_le_bytes([bytes[i], bytes[i + 1]]));
    assert!(width > 100 && height > 100, "{width} x {height}");
}

#[test]
fn invalid_options_are_refused() {
    let sandbox = sandbox();
    for (args, message) in [
        ("--to 296,160 -o - --json", "cannot hold both"),
        ("--to 296,160 -o tiny.navmesh", "would replace an input"),
        ("--to 296,160 --then 24,160", "T:X,Y"),
        ("--to 296,160 --stun -1:2", "0 to 3600"),
        ("--to 296,160 --stun 1", "T:SECONDS"),
        ("--to 296,160 --stun 1:-2", "0 to 3600"),
        ("--to 296,160 --stun x:1", "0 to 3600"),
        ("--to 296,160 --stun 1:inf", "0 to 3600"),
        ("--to 296,160 --then -1:4,8", "0 to 3600"),
        ("--to 296,160 --then nan:4,8", "0 to 3600"),
        ("--to 296,160 --then 9999:4,8", "0 to 3600"),
        ("--to 296,160 --then 1:4", "two numbers X,Y"),
        ("--to 296,160 --close gate", "T:NAME"),
        ("--to 296,160 --open x:gate", "0 to 3600"),
        ("--to 296,160 --sample 0", "--sample"),
        ("--to 296,160 --limit nan", "--limit"),
        ("--to 296,160 -o no/such/folder.gif", "no/such/folder.gif"),
        ("", "--to"),
    ] {
        let run = simulate(&sandbox, args);
        assert_eq!(run.code, 2, "{args:?}");
        assert!(run.stderr.contains(message), "{args:?}: {}", run.stderr);
    }
    let run = sandbox.exits(2, "simulate tiny.navmesh --agent imp --from 0,0 --to 0,0");
    run.says("ground, air");
    let help = sandbox.run("simulate --help").stdout;
    assert!(help.contains("--stun <T:SECONDS>"), "{help}");
}

// The samples of a path are the motion of an agent from end to end.
#[test]
fn the_samples_of_a_path_are_those_of_an_agent() {
    let sandbox = sandbox();
    let more = "--to 296,160 --json --sample 30";
    let path = format!("path tiny.navmesh --agent ground --from 24,160 {more}");
    let path = sandbox.run(&path).json();
    let run = simulate(&sandbox, more).json();
    let (samples, moments) = (&path["samples"], &run["samples"]);
    let samples = samples.as_array().unwrap();
    assert_eq!(samples.len(), moments.as_array().unwrap().len());
    for (sample, moment) in samples.iter().zip(moments.as_array().unwrap()) {
        assert_eq!(sample[0], moment["t"]);
        assert_eq!(
            (&sample[1], &sample[2]),
            (&moment["at"][0], &moment["at"][1])
        );
    }
    // Accelerating and braking takes a little longer than the path costs.
    let last = number(&samples.last().unwrap()[0]);
    let cost = number(&path["cost"]);
    assert!(cost < last && last < cost + 0.5, "{cost} {last}");
}
