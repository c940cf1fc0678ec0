//! What each kind of enemy does to a player that keeps moving: the sums of many games.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;

use glam::Vec2;
use navmesh_behavior::Aggression;

use super::acts::Act;
use super::body::{Body, Kind};
use super::effects::Sight;
use super::play::Arena;
use super::player::Script;
use super::stage;

/// Seconds of each game, and between its frames.
const SECONDS: f32 = 300.0;
const DT: f32 = 1.0 / 30.0;

/// The sums of one attack of a kind of enemy.
#[derive(Debug, Default, Clone, Copy)]
pub struct Row {
    pub begun: u32,
    pub in_reach: u32,
    /// Begun with the back to the player.
    pub turned_away: u32,
    pub hits: u32,
    pub cancelled: u32,
    /// Seconds from the begin to the strike, of all strikes.
    pub anticipation: f64,
    pub strikes: u32,
}

/// The sums of all enemies of a kind, over the frames in which they could act.
#[derive(Debug, Default, Clone, Copy)]
pub struct Life {
    pub frames: u32,
    /// It neither moved nor acted.
    pub idle: u32,
    /// More than a tenth of its body was inside of another one.
    pub overlapping: u32,
    /// It turned round within half a second of the last turn.
    pub quick_turns: u32,
}

impl Life {
    /// A number for each minute of one enemy.
    pub fn per_minute(self, count: u32) -> f64 {
        f64::from(count) * 60.0 / (f64::from(self.frames.max(1)) * f64::from(DT))
    }
}

/// Whether two bodies are inside of each other by more than a tenth.
fn overlap(one: &Body, other: &Body) -> bool {
    let size = |body: &Body| Vec2::from(body.actor.agent.profile().body);
    let away = (one.position() - other.position()).abs();
    let room = 0.5 * (size(one) + size(other));
    let high = if one.position().y > other.position().y {
        size(one).y
    } else {
        size(other).y
    };
    away.x < 0.9 * room.x && away.y < 0.9 * high
}

/// The sums of some games.
#[derive(Debug, Default)]
pub struct Table {
    pub attacks: BTreeMap<(Kind, Act), Row>,
    pub lives: BTreeMap<Kind, Life>,
    pub hurts: u32,
    /// How old rocks were when they exploded.
    pub rock_ages: Vec<f64>,
}

impl Table {
    /// Plays games on both levels, with players that run and that flee, on each aggression.
    pub fn of_games(seeds: u64) -> Result<Self, Box<dyn Error>> {
        let mut table = Self::default();
        for level in [stage::ARENA, stage::ROOMS] {
            for aggression in [Aggression::Low, Aggression::Medium, Aggression::High] {
                for seed in 0..seeds {
                    for script in [Script::Run(seed), Script::Flee(seed)] {
                        table.play(level, script, aggression)?;
                    }
                }
            }
        }
        Ok(table)
    }

    fn play(
        &mut self,
        level: &[u8],
        script: Script,
        aggression: Aggression,
    ) -> Result<(), Box<dyn Error>> {
        let mut arena = Arena::without_enemies(level, aggression)?;
        arena.populate(|_| true)?;
        arena.dt = DT;
        arena.player.script = script;
        let mut begun = vec![0.0; arena.enemies.len()];
        // Where it looked, and when it turned.
        let mut sides = vec![[0.0; 2]; arena.enemies.len()];
        let mut rocks: Vec<(f32, f32)> = Vec::new();
        for _ in 0..(SECONDS / DT) as u32 {
            let seen = arena.effects.log.len();
            arena.step();
            for entry in &arena.effects.log[seen..] {
                let body = &arena.enemies[entry.enemy];
                let away = arena.player.position().x - body.position().x;
                match entry.sight {
                    Sight::Begins(act) if act.pool().is_some() => {
                        begun[entry.enemy] = entry.time;
                        let row = self.attacks.entry((entry.kind, act)).or_default();
                        row.begun += 1;
                        row.in_reach += u32::from(entry.in_reach);
                        // Within a unit there is no side.
                        row.turned_away += u32::from(away * body.facing() < -1.0);
                    }
                    Sight::Strikes(act) if act.pool().is_some() => {
                        let row = self.attacks.entry((entry.kind, act)).or_default();
                        row.strikes += 1;
                        row.anticipation += entry.time - begun[entry.enemy];
                    }
                    Sight::Hits(act) => {
                        self.attacks.entry((entry.kind, act)).or_default().hits += 1;
                    }
                    Sight::Cancelled(act) if act.pool().is_some() => {
                        self.attacks.entry((entry.kind, act)).or_default().cancelled += 1;
                    }
                    _ => {}
                }
            }
            let now = arena.effects.time as f32;
            for (number, body) in arena.enemies.iter().enumerate() {
                let [side, turned] = &mut sides[number];
                if !body.is_able() {
                    *side = 0.0;
                    continue;
                }
                let life = self.lives.entry(body.kind).or_default();
                life.frames += 1;
                let pose = body.actor.agent.pose();
                life.idle += u32::from(!pose.activity.is_moving() && body.acting.is_none());
                let mut others = arena.enemies.iter().enumerate();
                life.overlapping +=
                    u32::from(others.any(|(other, its)| {
                        other != number && its.is_able() && overlap(body, its)
                    }));
                let is_turn = body.facing() * *side < 0.0;
                life.quick_turns += u32::from(is_turn && now - *turned < 0.5);
                *turned = if is_turn { now } else { *turned };
                *side = body.facing();
            }
            rocks.retain(|(x, since)| {
                let stays = arena.effects.rocks.iter().any(|rock| rock.at.x == *x);
                if !stays {
                    self.rock_ages.push(f64::from(now - since));
                }
                stays
            });
            for rock in &arena.effects.rocks {
                if !rocks.iter().any(|(x, _)| *x == rock.at.x) {
                    rocks.push((rock.at.x, now));
                }
            }
        }
        self.hurts += arena.player.hurts;
        Ok(())
    }

    /// The table as text.
    pub fn text(&self) -> String {
        let mut text = format!("player hurt {} times\n", self.hurts);
        text +=
            "kind       attack     begun  in reach  turned away    hits  cancelled  anticipation\n";
        for ((kind, act), row) in &self.attacks {
            let percent = |count: u32| f64::from(count) * 100.0 / f64::from(row.begun.max(1));
            let _ = writeln!(
                text,
                "{:10} {:8} {:7}   {:5.1} %      {:5.1} % {:7}    {:5.1} %        {:.2} s",
                kind.name(),
                act.name(),
                row.begun,
                percent(row.in_reach),
                percent(row.turned_away),
                row.hits,
                percent(row.cancelled),
                row.anticipation / f64::from(row.strikes.max(1)),
            );
        }
        text += "kind       idle   in another one  quick turns\n";
        for (kind, life) in &self.lives {
            let share = f64::from(life.idle) * 100.0 / f64::from(life.frames);
            let _ = writeln!(
                text,
                "{:10} {share:3.0} %  {:5.0} frames/min  {:4.1}/min",
                kind.name(),
                life.per_minute(life.overlapping),
                life.per_minute(life.quick_turns),
            );
        }
        let burns: u32 = (self.attacks.iter())
            .filter(|((_, act), _)| *act == Act::Ignite)
            .map(|(_, row)| row.hits)
            .sum();
        let _ = writeln!(text, "hurt by fire {burns} times");
        let young = self.rock_ages.iter().filter(|age| **age < 1.0).count();
        let _ = writeln!(
            text,
            "rocks {}, exploded within 1 s {young}",
            self.rock_ages.len()
        );
        text
    }
}
