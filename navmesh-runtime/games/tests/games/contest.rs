//! The bots of the example `contest`. `SOAK` multiplies the number of
//! matches and of chases; `bots/docs/interest.md` has the figures of 200 matches.

use std::sync::OnceLock;

use glam::Vec2;

use navmesh_games::contest::bot::{Bot, Style};
#[cfg(feature = "pictures")]
use navmesh_games::contest::film;
use navmesh_games::contest::rules::Match;
use navmesh_games::contest::stage::Stage;
use navmesh_games::contest::study::{EASY, MEDIUM, NO_HYSTERESIS, NO_SPREAD, chase, duel};

fn stage() -> &'static Stage {
    static STAGE: OnceLock<Stage> = OnceLock::new();
    STAGE.get_or_init(|| Stage::load().expect("the level is valid"))
}

fn many(count: u32) -> u32 {
    let soak = std::env::var("SOAK").ok();
    // The counts are those of `SOAK=5`; fewer matches would not show the figures.
    let soak: u32 = soak.and_then(|text| text.parse().ok()).unwrap_or(1);
    count * soak.max(5) / 5
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

/// Seen from outside: no dash is longer than it may be, blocks break in a dash, geysers
/// throw, and a carrier that someone comes close to raises a shield, behind which it
/// keeps the goat.
#[test]
fn bots_use_blocks_geysers_and_shields() {
    let [mut broken, mut thrown, mut shields, mut answered, mut close] = [0; 5];
    for seed in 0..u64::from(many(2)) {
        let mut game = Match::new(stage(), [Style::FULL, MEDIUM], seed);
        let mut dashed = [0.0_f32; 4];
        let mut came = [f64::NEG_INFINITY; 4];
        let mut throws = Vec::new();
        while game.now < 60.0 {
            let position = |bot: &Bot| bot.agent.pose().position;
            let from: Vec<Vec2> = game.bots.iter().map(position).collect();
            let before: Vec<_> = game
                .bots
                .iter()
                .map(|b| (b.log, b.dash.is_some()))
                .collect();
            let carrier = game.carrier;
            game.step();
            let now = game.now;
            for (i, bot) in game.bots.iter().enumerate() {
                let ((log, dashes), at) = (before[i], position(bot));
                dashed[i] = if dashes {
                    dashed[i] + from[i].distance(at)
                } else {
                    0.0
                };
                assert!(dashed[i] < 82.0, "seed {seed}, bot {i}: {}", dashed[i]);
                broken += bot.log.broken - log.broken;
                assert!(
                    dashes || bot.log.broken == log.broken,
                    "seed {seed}, bot {i}"
                );
                if bot.log.thrown > log.thrown {
                    throws.push((i, now, at.y));
                }
                // Some of the others have moved before this one, through a portal at most.
                let others = (0..4).filter(|other| *other != i);
                let others = others.flat_map(|other| [from[other], position(&game.bots[other])]);
                let nearest = others.map(|other| other.distance(from[i]));
                let is_close = nearest.fold(f32::INFINITY, f32::min) < 36.0;
                let raises = bot.log.shields > log.shields;
                shields += u32::from(raises);
                assert!(
                    !raises || is_close && carrier == Some(i),
                    "seed {seed}, bot {i}"
                );
                if carrier == Some(i) && is_close && now > came[i] + 2.0 {
                    (close, came[i]) = (close + 1, now);
                    answered += u32::from(bot.shield_until > now);
                } else if raises && now < came[i] + 1.0 {
                    answered += 1;
                }
                let is_safe = carrier == Some(i) && bot.shield_until > now;
                assert!(!is_safe || game.carrier == carrier, "seed {seed}, bot {i}");
            }
            throws.retain(|(i, begun, y)| {
                let is_up = y - position(&game.bots[*i]).y > 100.0;
                thrown += u32::from(is_up);
                assert!(is_up || now < begun + 1.0, "seed {seed}, bot {i}");
                !is_up
            });
        }
    }
    println!("{broken} blocks, {thrown} throws, {shields} shields, {answered} of {close}");
    assert!(
        broken > 2 && thrown > 5 && shields > 30,
        "{broken} {thrown} {shields}"
    );
    assert!(
        answered * 10 > close * 7,
        "a shield in {answered} of {close} cases"
    );
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

#[cfg(feature = "pictures")]
#[test]
fn the_animation_in_the_documentation_is_up_to_date() {
    const FILM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/img/contest.gif");
    let mut new = Vec::new();
    film::write(&mut new, &mut film::scene(stage()), film::SECONDS).expect("it can be written");
    let old = std::fs::read(FILM).expect("it is in the repository");
    assert!(
        old == new,
        "docs/img/contest.gif is stale: run `just contest-film`"
    );
}
