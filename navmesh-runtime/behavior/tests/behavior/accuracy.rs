//! Shots at targets of all speeds, flown in small steps.

use glam::Vec2;
use navmesh_behavior::Accuracy;

use crate::random::Dice;

/// How near a shot at a point comes to a target that keeps its velocity.
fn miss(from: Vec2, at: Vec2, shot: f32, target: Vec2, velocity: Vec2) -> f32 {
    let way = (at - from).normalize() * shot;
    let ticks = (0..4000).map(|tick| tick as f32 / 1000.0);
    let distances = ticks.map(|t| (from + way * t).distance(target + velocity * t));
    distances.fold(f32::INFINITY, f32::min)
}

#[test]
fn the_error_is_in_proportion_to_the_speed() {
    let accuracy = Accuracy {
        spread: 4.0,
        lag: 30.0,
        full_speed: 120.0,
        lead: None,
    };
    let mut dice = Dice(1);
    for speed in [0.0, 30.0, 60.0, 120.0, 500.0] {
        let (from, target) = (Vec2::new(-100.0, 20.0), Vec2::new(40.0, -60.0));
        let velocity = Vec2::X * speed;
        let (mut sum, shots) = (Vec2::ZERO, 4000);
        for _ in 0..shots {
            let chance = [dice.between(0.0, 1.0), dice.between(0.0, 1.0)];
            let off = accuracy.aim(from, target, velocity, chance) - target;
            let least = -30.0 * (speed / 120.0).min(1.0);
            assert!(
                (off.x - least).abs() <= 4.001 && off.y.abs() <= 4.001,
                "{off}"
            );
            sum += off;
        }
        let mean = sum / shots as f32;
        let wanted = Vec2::X * -30.0 * (speed / 120.0).min(1.0);
        assert!(mean.distance(wanted) < 0.3, "{speed}: {mean}");
    }
}

#[test]
fn a_leading_shot_meets_a_target_that_keeps_its_velocity() {
    let mut dice = Dice(2);
    let mut met = 0;
    for case in 0..500 {
        let [from, target] =
            [(); 2].map(|()| Vec2::new(dice.between(-200.0, 200.0), dice.between(-200.0, 200.0)));
        let velocity = Vec2::new(dice.between(-150.0, 150.0), dice.between(-150.0, 150.0));
        let shot = dice.between(50.0, 400.0);
        let perfect = Accuracy {
            spread: 0.0,
            lag: 0.0,
            full_speed: 100.0,
            lead: Some(shot),
        };
        let at = perfect.aim(from, target, velocity, [0.5; 2]);
        assert!(at.is_finite());
        // One that flees faster than the shot is not met.
        if shot > velocity.length() * 1.3 {
            let off = miss(from, at, shot, target, velocity);
            let late = (target - from).length() / (shot - velocity.length());
            assert!(off < 1.0 || late > 3.9, "case {case}: {off}");
            met += u32::from(off < 1.0);
        }
    }
    assert!(met > 200, "{met}");
}

#[test]
fn any_numbers_give_a_point() {
    let odd = [0.0, -0.0, 1.0, -1.0, 1e-30, 3e30, f32::MAX];
    for spread in odd {
        for lead in odd {
            for speed in odd {
                let accuracy = Accuracy {
                    spread: 1.0,
                    lag: spread,
                    full_speed: speed,
                    lead: Some(lead),
                };
                let at = accuracy.aim(Vec2::ZERO, Vec2::X, Vec2::new(speed, 0.0), [0.5; 2]);
                assert!(!at.is_nan(), "{accuracy:?}: {at}");
            }
        }
    }
}
