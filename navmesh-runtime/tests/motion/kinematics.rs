//! Motion along a line, and the speed at which a body closes a distance.

use navmesh_runtime::shared::{Runner, SpeedProfile, Target, closing_speed};
use proptest::prelude::*;

const FREE: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];

fn speeds() -> SpeedProfile {
    SpeedProfile {
        speed: 90.0,
        acceleration: 600.0,
        deceleration: 900.0,
    }
}

fn to(at: f64) -> Target {
    Target {
        at,
        speed: 0.0,
        bounds: FREE,
    }
}

#[test]
fn a_run_accelerates_holds_and_decelerates_in_that_order() {
    let limits = speeds();
    let mut runner = Runner::default();
    let mut speeds = Vec::new();
    while limits.advance(&mut runner, to(100.0), 0.01).is_none() {
        speeds.push(runner.velocity);
        assert!(speeds.len() < 1000);
    }
    let top = speeds.iter().position(|&v| v == 90.0).unwrap();
    let last = speeds.iter().rposition(|&v| v == 90.0).unwrap();
    assert!(speeds[..top].windows(2).all(|w| w[0] < w[1]));
    assert!(speeds[top..=last].iter().all(|&v| v == 90.0));
    assert!(speeds[last..].windows(2).all(|w| w[0] > w[1]));
    assert_eq!((runner.at, runner.velocity), (100.0, 0.0));
}

#[test]
fn positions_follow_from_the_time() {
    let speeds = SpeedProfile {
        speed: 10.0,
        acceleration: 10.0,
        deceleration: 20.0,
    };
    let mut runner = Runner::default();
    assert_eq!(speeds.advance(&mut runner, to(20.0), 2.0), None);
    // 5 units in the second of acceleration, 10 in the next.
    assert_eq!((runner.at, runner.velocity), (15.0, 10.0));
}

#[test]
fn a_short_run_never_reaches_full_speed() {
    let speeds = speeds();
    // Peak p with p²/1200 + p²/1800 = 1 is sqrt(720).
    let left = speeds
        .advance(&mut Runner::default(), to(1.0), 10.0)
        .unwrap();
    let time = 10.0 - left;
    let peak = 720.0_f64.sqrt();
    assert!((time - (peak / 600.0 + peak / 900.0)).abs() < 1e-9);
}

/// Without room to do so, the speed is lost at once.
#[test]
fn a_runner_too_fast_for_its_target_passes_it_and_comes_back() {
    let speeds = speeds();
    for (room, furthest) in [(100.0, 4.5), (3.0, 3.0), (1.0, 1.0)] {
        let mut runner = Runner {
            at: 0.0,
            velocity: 90.0,
        };
        let target = Target {
            bounds: [-100.0, room],
            ..to(1.0)
        };
        let (mut most, mut changes): (f64, Vec<f64>) = (0.0, Vec::new());
        loop {
            let before = runner.velocity;
            let left = speeds.advance(&mut runner, target, 0.001);
            most = most.max(runner.at);
            changes.push((runner.velocity - before).abs());
            if left.is_some() {
                break;
            }
        }
        assert!((most - furthest).abs() < 0.01, "{most}");
        assert_eq!((runner.at, runner.velocity), (1.0, 0.0));
        let is_limited = changes.iter().all(|change| *change <= 0.9 + 1e-9);
        assert_eq!(is_limited, room > 4.5, "{changes:?}");
    }
}

#[test]
fn a_runner_that_turns_round_keeps_to_its_bounds() {
    let speeds = speeds();
    for (bound, furthest) in [(2.0, 2.0), (50.0, 4.5)] {
        let mut runner = Runner {
            at: 0.0,
            velocity: 90.0,
        };
        let target = Target {
            bounds: [-100.0, bound],
            ..to(-20.0)
        };
        let mut most: f64 = 0.0;
        while speeds.advance(&mut runner, target, 0.001).is_none() {
            most = most.max(runner.at);
        }
        assert!((most - furthest).abs() < 0.05, "{most}");
        assert_eq!(runner.at, -20.0);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Any partition of the time ends at the same position, within the limits.
    #[test]
    fn a_run_is_exact_for_any_partition_of_time(
        velocity in -150.0..150.0_f64,
        at in -200.0..200.0_f64,
        end in prop_oneof![Just(0.0), 0.0..120.0_f64],
        bounds in prop_oneof![Just(FREE), (0.0..20.0_f64, 0.0..20.0_f64).prop_map(|(a, b)| [-a, b])],
        up in 1.0..2000.0_f64,
        down in 1.0..2000.0_f64,
        seconds in 0.0..4.0_f64,
        cuts in prop::collection::vec(0.0..1.0_f64, 0..40),
    ) {
        let speeds = SpeedProfile { speed: 90.0, acceleration: up, deceleration: down };
        let target = Target { at, speed: end, bounds };
        let start = Runner { at: 0.0, velocity };
        let mut whole = start;
        let whole_left = speeds.advance(&mut whole, target, seconds);
        let total: f64 = cuts.iter().sum::<f64>() + 1.0;
        let mut parts = start;
        let mut left: Option<f64> = None;
        let top = velocity.abs().max(90.0) + 1e-9;
        for cut in cuts.iter().copied().chain([1.0]) {
            let dt = seconds * cut / total;
            // It wants a velocity at the end: from beyond the target, that is the opposite
            // speed.
            let is_beyond = parts.at != at && (at - parts.at) * at < 0.0;
            let target = Target { speed: if is_beyond { -end } else { end }, ..target };
            if left.is_none() {
                left = speeds.advance(&mut parts, target, dt);
                prop_assert!(parts.velocity.abs() <= top);
                prop_assert!(parts.at.is_finite());
            } else {
                left = left.map(|l| l + dt);
            }
        }
        let near = |a: f64, b: f64| (a - b).abs() <= 1e-6 * (1.0 + a.abs());
        // Just before the target or at it is the same position.
        prop_assert!(near(whole.at, parts.at), "{:?} {:?}", whole, parts);
        if whole_left.is_some() == left.is_some() {
            prop_assert!((whole.velocity - parts.velocity).abs() <= 1e-3, "{:?} {:?}", whole, parts);
        }
        // The target is reached in the end.
        prop_assert!(speeds.advance(&mut whole, target, 1e4).is_some());
    }
}

/// A body that slows down after its first step is never past the distance when it has
/// its end speed, however long the next steps are. In short ones, it gets near to it.
#[test]
fn a_body_at_the_closing_speed_brakes_just_in_time() {
    let mut cases = 0;
    for dt in [1.0 / 30.0, 1.0 / 50.0, 1.0 / 144.0] {
        for deceleration in [60.0, 700.0, 3000.0] {
            for end in [0.0, 5.0, 90.0, 240.0] {
                for distance in (1..400).map(|i| f64::from(i) * 0.73) {
                    let first = closing_speed(distance, end, deceleration, dt);
                    for next in [4.0 * dt, dt, 0.25 * dt, 0.05 * dt] {
                        let (mut covered, mut speed) = (first * dt, first);
                        while speed > end + deceleration * next {
                            speed -= deceleration * next;
                            covered += speed * next;
                        }
                        let left = distance - covered;
                        let reached = first > end;
                        assert!(!reached || left > -1e-6, "{first} is too fast by {left}");
                        if reached && next < 0.1 * dt {
                            let near = left < first * next + 1e-6;
                            assert!(near, "{first} is too slow by {left}");
                            cases += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(cases > 10_000, "{cases}");
}
