//! The bots of the example `contest` (I1 to I15). `SOAK` multiplies the number of
//! chases.

use std::sync::OnceLock;

use crate::game::{Match, Stage, Style};
use crate::study::{MEDIUM, chase};

fn stage() -> &'static Stage {
    static STAGE: OnceLock<Stage> = OnceLock::new();
    STAGE.get_or_init(|| Stage::load().expect("the level is valid"))
}

#[test]
fn interception_catches_a_carrier_sooner() {
    let factor = std::env::var("SOAK").ok();
    let count = 20 * factor.and_then(|text| text.parse().ok()).unwrap_or(1);
    let [with, without] = [true, false].map(|own| chase(stage(), own, count));
    assert!(with < 0.9 * without, "{with} {without}");
}

#[test]
fn a_match_is_the_same_for_the_same_seed() {
    let play = |seed| {
        let mut game = Match::new(stage(), [Style::FULL, MEDIUM], seed);
        game.play();
        game.score().map(f32::to_bits)
    };
    assert_eq!(play(5), play(5));
    assert_ne!(play(5), play(6));
}
