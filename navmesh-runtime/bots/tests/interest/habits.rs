//! Hysteresis, decision memory, reaction, handicap and recovery.

use glam::Vec2;
use navmesh_bots::interest::{DecisionMemory, Handicap, Hysteresis, Recovery, Stimulus};
use navmesh_runtime::mesh::EdgeSet;

use crate::worlds::{self, Dice};

fn hysteresis<T>(bonus: f32) -> Hysteresis<T> {
    Hysteresis {
        current: None,
        bonus,
    }
}

#[test]
fn hysteresis_changes_the_target_less_often() {
    let changes = |bonus: f32| {
        let dice = &mut Dice::case(1);
        let mut target = hysteresis(bonus);
        let mut changes = 0;
        for _ in 0..1000 {
            let before = target.current;
            target.choose((0..4).map(|i| (i, 10.0 + dice.unit())));
            changes += usize::from(target.current != before);
        }
        changes
    };
    let counts = [0.0, 0.03, 0.06, 0.12].map(changes);
    assert!(counts.is_sorted_by(|a, b| a > b), "{counts:?}");
    assert!(counts[0] > 700 && counts[3] == 1, "{counts:?}");
    // A bonus never makes a bad score worse than another bad one.
    let mut target = hysteresis(0.5);
    assert_eq!(target.choose([("lost", f32::NAN)]), None);
    assert_eq!(
        target.choose([("lost", f32::NAN), ("found", -10.0), ("lost", f32::NAN)]),
        Some("found")
    );
    let mut target = hysteresis(0.5);
    target.current = Some('a');
    assert_eq!(target.choose([('a', -2.0), ('b', -1.5)]), Some('a'));
    assert_eq!(target.choose([]), None);
}

#[test]
fn a_decision_is_kept_until_its_time_or_an_event() {
    let mut memory = DecisionMemory::default();
    let mut asked = 0;
    for tick in 0..30 {
        let now = f64::from(tick) * 0.25;
        // "No" is kept like "yes".
        let decision = memory.decide(now, 1.0, || {
            asked += 1;
            (asked % 2 == 0).then_some(asked)
        });
        assert_eq!(decision.is_some(), (tick / 4) % 2 == 1, "tick {tick}");
    }
    assert_eq!(asked, 8);
    assert!(memory.decide(7.3, 1.0, || None).is_some(), "kept until 8");
    memory = DecisionMemory::default();
    assert_eq!(memory.decide(7.4, 1.0, || None), None);
}

#[test]
fn of_near_things_the_strongest_wins_alone() {
    let thing = |x: f32, pull: f32| Stimulus {
        position: Vec2::new(x, 0.0),
        pull,
        radius: 10.0,
    };
    let at = Vec2::ZERO;
    // A weaker thing that is nearer, against a stronger one farther off.
    let strongest = |things: &[Stimulus]| Stimulus::strongest(at, things.iter().copied());
    let both = strongest(&[thing(2.0, 1.0), thing(-5.0, 3.0)]);
    assert_eq!(both, Some((1, Vec2::NEG_X)));
    let away = strongest(&[thing(2.0, -5.0), thing(-5.0, 3.0)]);
    assert_eq!(away, Some((0, Vec2::NEG_X)));
    assert_eq!(strongest(&[thing(10.0, 9.0), thing(-30.0, -9.0)]), None);
    assert_eq!(strongest(&[thing(1.0, 0.0), thing(f32::NAN, 1.0)]), None);
    assert_eq!(strongest(&[thing(0.0, 1.0)]), Some((0, Vec2::ZERO)));
}

/// Quicker than the things around it, it stays at one that attracts, and none that
/// repels comes near it, at any rate.
#[test]
fn a_body_that_reacts_goes_to_what_attracts_and_away_from_what_repels() {
    for dt in [1.0 / 30.0, 1.0 / 60.0, 1.0 / 144.0] {
        for (count, pull) in [(1, 5.0), (4, 5.0), (1, -5.0), (4, -5.0)] {
            let (mut touches, mut steps) = (0, 0);
            for seed in 0..20 {
                let dice = &mut Dice::case(seed);
                let mut body = Vec2::ZERO;
                let mut place = || Vec2::new(dice.between(-90.0, 90.0), dice.between(25.0, 90.0));
                let mut things: Vec<Vec2> = (0..count).map(|_| place()).collect();
                let mut goals = things.clone();
                for step in 0..(10.0 / dt) as u32 {
                    for (thing, goal) in things.iter_mut().zip(&mut goals) {
                        *thing += (*goal - *thing).clamp_length_max(50.0 * dt);
                        if thing.distance(*goal) < 1.0 {
                            *goal = place();
                        }
                    }
                    let stimuli = things.iter().map(|thing| Stimulus {
                        position: *thing,
                        pull,
                        radius: 120.0,
                    });
                    let strongest = Stimulus::strongest(body, stimuli);
                    let heading = strongest.map_or(Vec2::ZERO, |(_, heading)| heading);
                    body += heading * 80.0 * dt;
                    // The first seconds are those of the way to a thing.
                    if step as f32 * dt > 3.0 {
                        steps += 1;
                        let touched = things.iter().any(|thing| thing.distance(body) < 8.0);
                        touches += u32::from(touched);
                    }
                }
            }
            let share = f64::from(touches) / f64::from(steps);
            let is_right = if pull > 0.0 {
                share > 0.9
            } else {
                touches == 0
            };
            assert!(is_right, "{count} of {pull} at {dt}: {share}");
        }
    }
}

#[test]
fn a_handicap_limits_speed_actions_and_attention() {
    let profile = worlds::profile("bot", EdgeSet::FLY);
    let (easy, hard) = (Handicap::new(0.0, 9), Handicap::new(1.0, 9));
    assert!(easy.applied_to(&profile).run_speed < hard.applied_to(&profile).run_speed);
    assert_eq!(hard.applied_to(&profile), profile);
    assert_eq!(Handicap::new(f32::NAN, 9), easy);
    for mut handicap in [easy, Handicap::new(0.5, 9), hard] {
        let times: Vec<f64> = (0..60_000)
            .map(|tick| f64::from(tick) / 1000.0)
            .filter(|&now| handicap.act(now))
            .collect();
        let pauses: Vec<f64> = times.windows(2).map(|t| t[1] - t[0]).collect();
        for (i, pause) in pauses.iter().enumerate() {
            let ends_chain = (i + 1) % handicap.chain as usize == 0;
            let [least, most] = handicap.cooldown.map(f64::from);
            let bounds = if ends_chain {
                least..=most + 0.001
            } else {
                0.0..=0.0011
            };
            assert!(bounds.contains(pause), "{pause} {bounds:?}");
        }
        let long = pauses.iter().filter(|pause| **pause > 0.1);
        let long: Vec<_> = long.map(|pause| (pause * 1e3) as u64).collect();
        assert!(
            long.iter().any(|pause| *pause != long[0]),
            "pauses are random"
        );
        // It notices a miss late, and forgets a break of it.
        let notice = f64::from(handicap.notice);
        assert!(!handicap.notices(true, 0.0));
        assert!(!handicap.notices(true, 0.9 * notice));
        assert!(handicap.notices(true, notice));
        assert!(!handicap.notices(false, 2.0 * notice));
        assert!(!handicap.notices(true, 2.1 * notice));
    }
}

#[test]
fn a_failed_decision_is_barred_and_resets_once() {
    let mut recovery = Recovery::default();
    assert!(!recovery.resets());
    recovery.fail(1, 10.0);
    recovery.fail(2, 10.5);
    assert!(recovery.resets());
    assert!(!recovery.resets(), "one tick");
    let barred = |now| [1, 2, 3].map(|id| recovery.is_barred(id, now));
    assert_eq!(barred(10.0), [true, true, false]);
    assert_eq!(barred(10.99), [true, true, false]);
    assert_eq!(barred(11.0), [false, true, false]);
    assert_eq!(barred(11.5), [false; 3]);
    // It forgets what is not barred any more.
    recovery.fail(4, 12.5);
    let mut new = Recovery::default();
    new.fail(4, 12.5);
    assert_eq!(recovery, new);
}
