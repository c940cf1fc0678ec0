//! What each part of the bots is good for, measured over many matches.

use std::io::{self, Write};
use std::ops::Range;

use glam::Vec2;
use navmesh_runtime::motion::{Environment, NavAgent};

use super::bot::{Log, Style};
use super::rules::{DT, Dice, Match};
use super::stage::Stage;
use super::tactics::meeting;

/// The result of some matches between two styles.
#[derive(Debug, Clone, Copy, Default)]
pub struct Duel {
    pub matches: u32,
    /// Matches that the first style won.
    pub wins: u32,
    /// Points of each style in all matches.
    pub points: [f32; 2],
    /// Target changes of each style per minute of one bot.
    pub changes: [f64; 2],
    /// The longest time that any bot was stuck, seconds.
    pub stuck: f64,
    /// Of all bots of all matches.
    pub log: Log,
}

impl Duel {
    /// The share of matches that the first style won, 0 to 1.
    pub fn share(&self) -> f64 {
        f64::from(self.wins) / f64::from(self.matches.max(1))
    }
}

/// Plays some matches between two styles, one for each seed.
pub fn duel(stage: &Stage, styles: [Style; 2], seeds: Range<u32>) -> Duel {
    let count = seeds.len() as u32;
    let mut duel = Duel {
        matches: count,
        ..Duel::default()
    };
    for seed in seeds.map(u64::from) {
        let mut game = Match::new(stage, styles, seed);
        game.play();
        let [first, second] = game.score();
        duel.wins += u32::from(first > second);
        duel.points[0] += first;
        duel.points[1] += second;
        for (i, bot) in game.bots.iter().enumerate() {
            let minutes = game.now / 60.0 * 2.0 * f64::from(count);
            duel.changes[i % 2] += f64::from(bot.log.target_changes) / minutes;
            duel.stuck = duel.stuck.max(bot.log.stuck);
            let (all, own) = (&mut duel.log, bot.log);
            all.dashes += own.dashes;
            all.broken += own.broken;
            all.thrown += own.thrown;
            all.shields += own.shields;
            all.portals += own.portals;
            all.coins += own.coins;
            all.powerups += own.powerups;
            all.goats += own.goats;
            all.blasts += own.blasts;
        }
    }
    duel
}

/// Seconds until a hunter catches a carrier that runs from place to place at 0.8
/// times its speed, on average; a chase ends after 30 s.
pub fn chase(stage: &Stage, intercepts: bool, count: u32) -> f64 {
    let layer = stage.layer();
    let environment = Environment::new(layer);
    let mut finder = stage.finder.clone();
    let mut sum = 0.0;
    let places: Vec<Vec2> = layer
        .platforms()
        .flat_map(|platform| {
            let (low, high) = platform.extent();
            [0.2, 0.8].map(|share| platform.at(low + share * (high - low)))
        })
        .collect();
    for seed in 0..u64::from(count) {
        let mut dice = Dice(seed);
        let mut place = || places[(dice.unit() * places.len() as f32) as usize % places.len()];
        let mut hunter = NavAgent::new(layer, place());
        let mut carrier = NavAgent::new(layer, place());
        let mut slow = layer.profile().clone();
        slow.run_speed *= 0.8;
        carrier
            .set_profile(slow)
            .expect("a slower profile is valid");
        let mut ticks = 0;
        while ticks < 900 && hunter.pose().position.distance(carrier.pose().position) > 14.0 {
            if !carrier.is_under_way() {
                carrier.go_to(place());
            }
            if ticks % 6 == 0 {
                let to = if intercepts {
                    meeting(layer, &mut finder, &hunter, &carrier)
                } else {
                    carrier.pose().position
                };
                hunter.go_to(to);
            }
            carrier.step(environment, &mut finder, DT);
            hunter.step(environment, &mut finder, DT);
            ticks += 1;
        }
        sum += f64::from(ticks) * f64::from(DT);
    }
    sum / f64::from(count.max(1))
}

pub const EASY: Style = Style {
    difficulty: 0.0,
    ..Style::FULL
};
pub const MEDIUM: Style = Style {
    difficulty: 0.5,
    ..Style::FULL
};
pub const NO_SPREAD: Style = Style {
    zone_weight: 0.0,
    ..Style::FULL
};
pub const NO_HYSTERESIS: Style = Style {
    bonus: 0.0,
    ..Style::FULL
};

/// Writes the table of the documentation, row by row as the matches are played.
pub fn write_table(mut out: impl Write, stage: &Stage, count: u32) -> io::Result<()> {
    let duels = [
        (
            "with interest spread against without",
            [Style::FULL, NO_SPREAD],
        ),
        (
            "with hysteresis against without",
            [Style::FULL, NO_HYSTERESIS],
        ),
        ("medium against easy", [MEDIUM, EASY]),
        ("hard against medium", [Style::FULL, MEDIUM]),
    ];
    writeln!(
        out,
        "| match of two against two | won | points of a side | target changes per minute | longest time stuck |"
    )?;
    writeln!(out, "|---|---|---|---|---|")?;
    let mut log = Log::default();
    let per_match = |sum: f64| sum / f64::from(count.max(1));
    for (name, styles) in duels {
        let duel = duel(stage, styles, 0..count);
        let share = 100.0 * duel.share();
        let points = duel.points.map(|sum| per_match(sum.into()));
        let [with, without] = duel.changes;
        writeln!(
            out,
            "| {name} | {share:.0} % | {:.0} : {:.0} | {with:.1} : {without:.1} | {:.1} s |",
            points[0], points[1], duel.stuck
        )?;
        log = duel.log;
    }
    let [with, without] = [true, false].map(|intercepts| chase(stage, intercepts, count));
    writeln!(
        out,
        "\nA carrier is caught after {with:.1} s with interception, after {without:.1} s without.\n"
    )?;
    let per = |number: u32| per_match(number.into());
    writeln!(
        out,
        "In a match of the last row, the four bots take {:.0} coins, {:.1} powerups and {:.1} times the goat, dash {:.1} times, \
         break {:.1} blocks, are thrown {:.1} times by a geyser, pass {:.1} portals, raise {:.1} shields and are hit by {:.1} blasts.",
        per(log.coins),
        per(log.powerups),
        per(log.goats),
        per(log.dashes),
        per(log.broken),
        per(log.thrown),
        per(log.portals),
        per(log.shields),
        per(log.blasts)
    )
}
