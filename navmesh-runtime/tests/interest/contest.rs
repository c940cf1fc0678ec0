//! The bots of the example `contest` (I1 to I15). `SOAK` multiplies the number of
//! matches and of chases; `docs/interest.md` has the figures of 200 matches.

use std::ops::Range;
use std::sync::OnceLock;

use crate::game::bot::Style;
use crate::game::film;
use crate::game::rules::Match;
use crate::game::stage::Stage;
use crate::game::study::{Duel, EASY, MEDIUM, NO_HYSTERESIS, NO_SPREAD, chase, duel};

fn stage() -> &'static Stage {
    static STAGE: OnceLock<Stage> = OnceLock::new();
    STAGE.get_or_init(|| Stage::load().expect("the level is valid"))
}

fn many(count: u32) -> u32 {
    let factor = std::env::var("SOAK").ok();
    count * factor.and_then(|text| text.parse().ok()).unwrap_or(1)
}

/// Some matches, in none of which a bot is stuck.
fn matches(styles: [Style; 2], seeds: Range<u32>) -> Duel {
    let count = many(seeds.len() as u32);
    let duel = duel(stage(), styles, seeds.start..seeds.start + count);
    assert!(duel.stuck <= 3.0, "stuck for {} s", duel.stuck);
    duel
}

/// It wins 70 % of 200 matches, but half of the first 50. These are others.
#[test]
fn a_bot_with_interest_spread_beats_one_without() {
    let duel = matches([Style::FULL, NO_SPREAD], 100..130);
    assert!(duel.share() >= 0.6, "{}", duel.share());
}

#[test]
fn a_hard_bot_beats_a_medium_one() {
    let duel = matches([Style::FULL, MEDIUM], 0..24);
    assert!(duel.share() >= 0.7, "{}", duel.share());
}

#[test]
fn a_medium_bot_beats_an_easy_one() {
    let duel = matches([MEDIUM, EASY], 0..8);
    assert!(duel.share() >= 0.7, "{}", duel.share());
}

#[test]
fn a_bot_with_hysteresis_changes_its_target_less_often() {
    let duel = matches([Style::FULL, NO_HYSTERESIS], 0..6);
    let [with, without] = duel.changes;
    assert!(with < 0.95 * without, "{with} {without}");
}

#[test]
fn interception_catches_a_carrier_sooner() {
    let [with, without] = [true, false].map(|own| chase(stage(), own, many(20)));
    assert!(with < 0.9 * without, "{with} {without}");
}

#[test]
fn a_match_is_the_same_for_the_same_seed() {
    let play = |seed| {
        let mut game = Match::new(stage(), [Style::FULL, MEDIUM], seed);
        while game.now < 20.0 {
            game.step();
        }
        game.score().map(f32::to_bits)
    };
    assert_eq!(play(5), play(5));
    assert_ne!(play(5), play(6));
}

#[test]
fn the_animation_in_the_documentation_is_up_to_date() {
    const FILM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/img/contest.gif");
    let mut new = Vec::new();
    film::write(&mut new, &mut film::scene(stage()), film::SECONDS).expect("it can be written");
    let old = std::fs::read(FILM).expect("it is in the repository");
    assert!(
        old == new,
        "docs/img/contest.gif is stale: run `just contest-film`"
    );
}
