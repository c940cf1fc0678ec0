use super::*;

fn program(launches: &[[f32; 2]], legs: &[[f32; 2]]) -> TrajectoryParams {
    TrajectoryParams::new(launches, legs).unwrap()
}

#[test]
fn a_jump_follows_the_parabola_and_ends_on_its_mark() {
    let arc = program(&[[0.0, 100.0]], &[[0.25, 0.0]])
        .arc(60.0, 8.0, 400.0)
        .unwrap();
    assert!((arc.offset(0.25).y - (25.0 - 12.5)).abs() < 1e-9);
    assert!(arc.offset(0.25).x.abs() < 1e-9);
    assert_eq!(arc.offset(arc.duration()), DVec2::new(60.0, 8.0));
    let before = arc.offset(arc.duration() - 1e-9);
    assert!((before - arc.end()).length() < 1e-5, "{before}");
    assert!(arc.velocity(arc.duration()).y <= 0.0);
}

#[test]
fn a_walk_off_stays_level_until_its_launch() {
    let arc = program(&[[0.1, 0.0]], &[]).arc(30.0, -50.0, 400.0).unwrap();
    assert_eq!(arc.offset(0.1).y, 0.0);
    assert!((arc.duration() - (0.1 + 0.5)).abs() < 1e-6);
    assert_eq!(arc.velocity(0.05).y, 0.0);
}

#[test]
fn a_second_launch_starts_at_the_height_reached() {
    let arc = program(&[[0.0, 100.0], [0.5, 100.0]], &[])
        .arc(0.0, 0.0, 400.0)
        .unwrap();
    // Back at 0 after half a second, so the second jump repeats the first.
    assert!((arc.duration() - 1.0).abs() < 1e-9);
    assert!((arc.offset(0.75).y - 12.5).abs() < 1e-9);
    assert_eq!(
        arc.knots().to_vec(),
        vec![0.0, 0.0, 0.25, 0.5, 0.75, 1.0, 1.0]
    );
}

#[test]
fn impossible_programs_say_why() {
    let high = program(&[[0.0, 100.0]], &[]).arc(0.0, 13.0, 400.0);
    assert_eq!(high, Err(TrajectoryError::TooHigh));
    let long = program(&[[0.0, 100.0]], &[[2.0, 1.0]]).arc(0.0, 0.0, 400.0);
    assert_eq!(long, Err(TrajectoryError::TooLong));
    assert_eq!(
        TrajectoryParams::new(&[[0.0, f32::NAN]], &[]),
        Err(TrajectoryError::Malformed)
    );
    assert_eq!(
        TrajectoryParams::new(&[], &[]),
        Err(TrajectoryError::Count {
            launches: 0,
            legs: 1
        })
    );
}
