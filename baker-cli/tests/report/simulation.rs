//! What an agent does in a simulated script: the same events and places as in a game.

use baker_cli::report::simulation::{AgentCommand, Occurrence, Script, Simulation, simulate};
use glam::Vec2;
use navmesh_runtime::motion::{AgentEvent, Facing};
use navmesh_runtime::search::Doors;

use crate::sample;

fn script(to: [f32; 2]) -> Script {
    Script {
        from: Vec2::new(20.0, 96.0),
        to: to.into(),
        doors: Doors::new(),
        commands: Vec::new(),
        hz: 10.0,
        limit: 60.0,
    }
}

fn run(script: &Script) -> Simulation {
    let mesh = sample::mesh();
    simulate(mesh.layer_named("grunt").unwrap(), script)
}

#[test]
fn the_agent_runs_jumps_and_arrives() {
    let simulation = run(&script([204.0, 94.0]));
    assert!(simulation.has_arrived(), "{}", simulation.ending.reason());
    let last = simulation.moments.last().unwrap();
    assert_eq!(last.pose.position, Vec2::new(204.0, 94.0));
    let (time, arrival) = simulation.occurrences.last().unwrap();
    assert!(matches!(
        arrival,
        Occurrence::Event(AgentEvent::Arrived { .. })
    ));
    assert_eq!(*time, last.time);
    assert!(simulation.moments.is_sorted_by(|a, b| a.time < b.time));
    assert!(simulation.occurrences.is_sorted_by(|a, b| a.0 <= b.0));
    // 184 units, mostly at 90 units/s.
    assert!((2.0..2.6).contains(&last.time), "{}", last.time);
}

#[test]
fn the_rate_of_recording_changes_nothing() {
    let mut script = script([204.0, 94.0]);
    script.commands = vec![
        (0.9, AgentCommand::Enable),
        (0.4, AgentCommand::Disable),
        (3.05, AgentCommand::Go(Vec2::new(170.0, 96.0))),
    ];
    let (coarse, fine) = (
        run(&script),
        run(&Script {
            hz: 173.0,
            ..script
        }),
    );
    assert!(coarse.has_arrived(), "{}", coarse.ending.reason());
    assert_eq!(coarse.occurrences.len(), fine.occurrences.len());
    for (a, b) in coarse.occurrences.iter().zip(&fine.occurrences) {
        assert!((a.0 - b.0).abs() < 1e-4, "{a:?} {b:?}");
    }
    let end = |s: &Simulation| s.moments.last().unwrap().pose;
    assert_eq!(end(&coarse).position, end(&fine).position);
    assert_eq!(end(&coarse).facing, Facing::Left);
}

#[test]
fn a_stun_during_a_jump_over_the_gap_strands_the_agent() {
    let mut script = script([204.0, 94.0]);
    script.commands = vec![(1.4, AgentCommand::Disable), (1.5, AgentCommand::Enable)];
    let simulation = run(&script);
    assert_eq!(simulation.ending.name(), "stranded");
    assert!(!simulation.ending.reason().is_empty());
}

#[test]
fn endings_before_the_destination_have_a_reason() {
    let nowhere = run(&script([150.0, 20.0]));
    assert_eq!(nowhere.ending.name(), "cannot_reach");
    let hurried = run(&Script {
        limit: 0.5,
        ..script([204.0, 94.0])
    });
    assert_eq!(hurried.ending.name(), "time_up");
    assert_eq!(hurried.duration(), 0.5);
    assert!(hurried.ending.reason().contains("running"));
    let mut stunned = script([204.0, 94.0]);
    stunned.commands = vec![(0.25, AgentCommand::Disable)];
    assert_eq!(run(&stunned).ending.name(), "disabled");
}

#[test]
fn a_run_as_text_and_json() {
    let simulation = run(&Script {
        hz: 4.0,
        ..script([204.0, 94.0])
    });
    let (mut text, mut json) = (Vec::new(), Vec::new());
    simulation.text(true, &mut text).unwrap();
    simulation.json(&mut json).unwrap();
    let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    assert_eq!(json["outcome"], "arrived");
    assert_eq!(
        json["samples"].as_array().unwrap().len(),
        simulation.moments.len()
    );
    insta::assert_snapshot!(String::from_utf8(text).unwrap());
}
