//! Crowds on levels with everything in them, all asking one queue that has
//! little time, while whatever can happen to them does: they are sent about,
//! stunned, pushed and carried by an engine, slowed, made heavier, shut in, and
//! the level is edited under them. A1, A3 to A10, N2, N3.

use crate::common;
use crate::crowd;
use crate::random_cases;

use common::baked_level::Random;
use crowd::{InterruptedCrowd, LevelStates};

fn dt(dice: &mut Random) -> f32 {
    match dice.below(60) {
        0 => 0.0,
        1 => 1e-6,
        2 => 1.0,
        3 => 0.25,
        4 if dice.chance(0.2) => 10.0,
        _ => dice.between(0.002, 0.03) as f32,
    }
}

fn run(stage: &LevelStates, seed: u64, what: &str) -> (u64, u32) {
    let dice = &mut Random(seed);
    let mut storm = InterruptedCrowd::new(stage, dice, what.to_owned());
    let mut arrived = 0;
    for _ in 0..3 {
        for _ in 0..25 {
            storm.interrupt(dice);
            for _ in 0..dice.below(24) {
                let dt = dt(dice);
                storm.step(dice, dt);
            }
            storm.cut_time(&mut Random(dice.below(1000).into()));
        }
        arrived += storm.settle(dice);
    }
    (storm.trace, arrived)
}

/// A few at random, and those that once found something; as many more as the
/// environment asks for.
fn seeds() -> Vec<u64> {
    let known = [0, 1, 2, 3, 4, 21, 24, 61, 78, 273];
    let more = u64::from(random_cases::times(10)) - 10;
    let more = (1000..1000 + more).map(|seed| seed + random_cases::offset());
    known.into_iter().chain(more).collect()
}

#[test]
fn whatever_happens_to_a_crowd_it_moves_as_it_may() {
    let mut arrived = 0;
    for seed in seeds() {
        let what = format!("storm {seed}");
        let stage = LevelStates::new(seed, (seed % 5) as u32);
        let (trace, there) = run(&stage, seed, &what);
        if seed < 5 {
            let again = run(&stage, seed, &what).0;
            assert_eq!(again, trace, "{what}: the same storm, another course");
        }
        arrived += there;
    }
    assert!(arrived > 100, "{arrived}");
}
