//! What each kind of enemy does to a player that keeps moving: the sums of many games.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;

use navmesh_behavior::Aggression;

use super::acts::Act;
use super::body::Kind;
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

/// The sums of some games.
#[derive(Debug, Default)]
pub struct Table {
    pub attacks: BTreeMap<(Kind, Act), Row>,
    /// Frames in which a kind could act, and in which it neither moved nor acted.
    pub frames: BTreeMap<Kind, [u32; 2]>,
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
            for body in arena.enemies.iter().filter(|body| body.is_able()) {
                let [able, idle] = self.frames.entry(body.kind).or_default();
                *able += 1;
                let moves = body.actor.agent.pose().activity.is_moving();
                *idle += u32::from(!moves && body.acting.is_none());
            }
            let now = arena.effects.time as f32;
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
        for (kind, [able, idle]) in &self.frames {
            let share = f64::from(*idle) * 100.0 / f64::from(*able);
            let _ = writeln!(text, "{:10} idle {share:.0} % of the time", kind.name());
        }
        let young = self.rock_ages.iter().filter(|age| **age < 1.0).count();
        let _ = writeln!(
            text,
            "rocks {}, exploded within 1 s {young}",
            self.rock_ages.len()
        );
        text
    }
}
