//! The bots of the example `contest` (I1 to I15). `SOAK` multiplies the number of
//! matches and of chases; `docs/interest.md` has the figures of 200 matches.

use std::sync::OnceLock;

use crate::game::bot::Style;
use crate::game::film;
use crate::game::rules::Match;
use crate::game::stage::Stage;
use crate::game::study::{EASY, MEDIUM, NO_HYSTERESIS, NO_SPREAD, chase, duel};

fn stage() -> &'static Stage {
    static STAGE: OnceLock<Stage> = OnceLock::new();
    STAGE.get_or_init(|| Stage::load().expect("the level is valid"))
}

fn many(count: u32) -> u32 {
    let factor = std::env::var("SOAK").ok();
    count * factor.and_then(|text| text.parse().ok()).unwrap_or(1)
}

/// The share of matches that the first style won, and the target changes of both.
/// Each match is played twice, the second time with exchanged sides: equal styles win
/// half of them and change their targets equally often, whatever the seeds.
fn matches(styles: [Style; 2], count: u32) -> (f64, [f64; 2]) {
    let seeds = 0..many(count);
    let [a, b] = styles;
    let [own, other] = [[a, b], [b, a]].map(|styles| duel(stage(), styles, seeds.clone()));
    let stuck = own.stuck.max(other.stuck);
    assert!(stuck <= 3.0, "stuck for {stuck} s");
    let share = 0.5 * (own.share() + 1.0 - other.share());
    let changes = [0, 1].map(|side| own.changes[side] + other.changes[1 - side]);
    (share, changes)
}

#[test]
fn a_bot_with_interest_spread_beats_one_without() {
    let (share, _) = matches([Style::FULL, NO_SPREAD], 24);
    assert!(share >= 0.6, "{share}");
}

#[test]
fn a_hard_bot_beats_a_medium_one() {
    let (share, _) = matches([Style::FULL, MEDIUM], 6);
    assert!(share >= 0.7, "{share}");
}

#[test]
fn a_medium_bot_beats_an_easy_one() {
    let (share, _) = matches([MEDIUM, EASY], 4);
    assert!(share >= 0.7, "{share}");
}

#[test]
fn a_bot_with_hysteresis_changes_its_target_less_often() {
    let (_, [with, without]) = matches([Style::FULL, NO_HYSTERESIS], 3);
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
