//! Features: A5, A6, A8.

use navmesh_runtime::motion::Facing;

use super::*;
use crate::report::sample;

fn script(to: [f32; 2]) -> Script {
    Script {
        from: Vec2::new(20.0, 96.0),
        to: to.into(),
        orders: Vec::new(),
        hz: 10.0,
        limit: 60.0,
    }
}

fn run(script: &Script) -> Simulation {
    let mesh = sample::mesh();
    simulate(mesh.layer_named("grunt").unwrap(), script)
}

#[test]
fn it_runs_jumps_and_arrives_when_it_arrives() {
    let simulation = run(&script([204.0, 94.0]));
    assert!(simulation.has_arrived(), "{}", simulation.describe());
    let last = simulation.moments.last().unwrap();
    assert_eq!(last.pose.position, Vec2::new(204.0, 94.0));
    let (time, arrival) = simulation.happenings.last().unwrap();
    assert!(matches!(
        arrival,
        Happening::Did(AgentEvent::Arrived { .. })
    ));
    assert_eq!(*time, last.time);
    assert!(simulation.moments.is_sorted_by(|a, b| a.time < b.time));
    assert!(simulation.happenings.is_sorted_by(|a, b| a.0 <= b.0));
    // 184 units, mostly at 90 units/s.
    assert!((2.0..2.6).contains(&last.time), "{}", last.time);
}

#[test]
fn how_often_it_is_looked_at_changes_nothing() {
    let mut told = script([204.0, 94.0]);
    told.orders = vec![
        (0.9, Order::Enable),
        (0.4, Order::Disable),
        (3.05, Order::Go(Vec2::new(170.0, 96.0))),
    ];
    let (coarse, fine) = (run(&told), run(&Script { hz: 173.0, ..told }));
    assert!(coarse.has_arrived(), "{}", coarse.describe());
    assert_eq!(coarse.happenings.len(), fine.happenings.len());
    for (a, b) in coarse.happenings.iter().zip(&fine.happenings) {
        assert!((a.0 - b.0).abs() < 1e-4, "{a:?} {b:?}");
    }
    let end = |s: &Simulation| s.moments.last().unwrap().pose;
    assert_eq!(end(&coarse).position, end(&fine).position);
    assert_eq!(end(&coarse).facing, Facing::Left);
}

#[test]
fn a_stun_in_mid_jump_over_the_gap_strands_it() {
    let mut told = script([204.0, 94.0]);
    told.orders = vec![(1.4, Order::Disable), (1.5, Order::Enable)];
    let simulation = run(&told);
    assert_eq!(simulation.ending.name(), "stranded");
    assert!(!simulation.ending.reason().is_empty());
}

#[test]
fn endings_short_of_the_destination_say_why() {
    let nowhere = run(&script([150.0, 20.0]));
    assert_eq!(nowhere.ending.name(), "cannot_reach");
    let hurried = run(&Script {
        limit: 0.5,
        ..script([204.0, 94.0])
    });
    assert_eq!(hurried.ending.name(), "time_up");
    assert_eq!(hurried.duration(), 0.5);
    assert!(hurried.describe().contains("running"));
    let mut stunned = script([204.0, 94.0]);
    stunned.orders = vec![(0.25, Order::Disable)];
    assert_eq!(run(&stunned).ending.name(), "disabled");
}

#[test]
fn a_run_as_people_and_programs_read_it() {
    let simulation = run(&Script {
        hz: 4.0,
        ..script([204.0, 94.0])
    });
    let (mut text, mut json) = (Vec::new(), Vec::new());
    simulation.text(&mut text).unwrap();
    simulation.json(&mut json).unwrap();
    let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    assert_eq!(json["outcome"], "arrived");
    assert_eq!(
        json["samples"].as_array().unwrap().len(),
        simulation.moments.len()
    );
    insta::assert_snapshot!(String::from_utf8(text).unwrap());
}
