//! Flight curves keep to their limits.

use proptest::prelude::*;

use super::*;

fn limits() -> SpeedProfile {
    SpeedProfile {
        speed: 90.0,
        acceleration: 600.0,
        deceleration: 600.0,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// A curve keeps to its limits at every instant, and its velocity is the
    /// derivative of its position.
    #[test]
    fn limits_hold_all_along_a_curve(
        to in prop::array::uniform2(-200.0..200.0_f64),
        start in prop::array::uniform2(-60.0..60.0_f64),
        end in prop::array::uniform2(-60.0..60.0_f64),
    ) {
        let (to, start, end) = (DVec2::from(to), DVec2::from(start), DVec2::from(end));
        prop_assume!(to.length() > 1.0);
        let limits = limits();
        let Some(curve) = FlightCurve::quickest(DVec2::ZERO, start, to, end, &limits, 60) else {
            return Err(TestCaseError::fail("no duration keeps to the limits"));
        };
        let tick = curve.seconds / 200.0;
        for i in 0..200 {
            let t = tick * f64::from(i);
            let (v, w) = (curve.velocity(t), curve.velocity(t + tick));
            prop_assert!(v.length() <= limits.speed * 1.001);
            prop_assert!((w - v).length() <= limits.acceleration * tick * 1.001);
            let moved = curve.position(t + tick) - curve.position(t);
            prop_assert!((moved - (v + w) * (tick / 2.0)).length() <= 0.1 * (1.0 + moved.length()));
        }
        prop_assert_eq!(curve.position(curve.seconds), to);
    }
}

#[test]
fn a_curve_from_rest_to_rest_takes_the_least_time() {
    let rest = DVec2::ZERO;
    let to = DVec2::new(30.0, -40.0);
    let curve = FlightCurve::quickest(rest, rest, to, rest, &limits(), 1).unwrap();
    // 1.5 · 50 / 90 seconds at least, for the speed.
    assert!((curve.seconds - 1.5 * 50.0 / 90.0).abs() < 1e-9);
}

#[test]
fn an_agent_with_room_to_brake_never_overshoots() {
    let (start, rest) = (DVec2::new(90.0, 0.0), DVec2::ZERO);
    let ramp = limits().stopping_distance(limits().speed);
    for i in 0..400 {
        let to = DVec2::new(ramp * (1.0 + f64::from(i) * 1e-3), 0.0);
        let curve = FlightCurve::quickest(rest, start, to, rest, &limits(), 24).unwrap();
        let furthest = (0..=100)
            .map(|k| curve.position(curve.seconds * f64::from(k) / 100.0).x)
            .fold(0.0, f64::max);
        assert!(furthest <= to.x + 1e-9, "it overshoots at {to}");
    }
}
