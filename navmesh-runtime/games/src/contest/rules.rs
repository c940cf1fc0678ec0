//! A match of four bots: coins, a goat to carry, powerups that grow, bombs, portals,
//! blocks to break, and geysers.

use glam::Vec2;
use navmesh_bots::interest::{DangerArea, DecisionMemory, Interest, InterestField};
use navmesh_runtime::search::{Doors, PathFinder, Rect, SnapTo};

use super::bot::{Bot, Style};
use super::stage::{COIN, GOAT, POWERUP, Stage};

/// Seconds of a tick.
pub const DT: f32 = 1.0 / 30.0;
/// Seconds of a match.
pub const SECONDS: f32 = 60.0;
/// A thing is taken by a bot whose feet are this near.
const TOUCH: f32 = 12.0;

pub const GOAT_ID: u32 = 0;
/// Points per second for the carrier of the goat, and its worth as a target.
const GOAT_POINTS: f32 = 8.0;
const GOAT_WORTH: f32 = 50.0;
/// Seconds for which the goat cannot be taken again after it changed hands.
const GRACE: f64 = 2.0;

const FUSE: f64 = 2.5;
pub const BLAST: f32 = 48.0;
const STUN: f64 = 1.2;
/// Seconds until a broken block is whole again.
pub const REPAIR: f64 = 20.0;

/// Random numbers (`SplitMix64`).
pub struct Dice(pub u64);

impl Dice {
    pub fn unit(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 40) as f32 / (1_u64 << 24) as f32
    }

    fn below(&mut self, end: usize) -> usize {
        ((self.unit() * end as f32) as usize).min(end.saturating_sub(1))
    }
}

#[derive(Debug, Clone, Copy)]
pub struct Thing {
    pub id: u32,
    pub at: Vec2,
    /// Points of a coin; 0 for a powerup, whose worth grows in the field.
    pub points: f32,
    /// When it appears again, after it was taken.
    appears: Option<f64>,
}

impl Thing {
    pub fn is_there(&self) -> bool {
        self.appears.is_none()
    }
}

#[derive(Debug, Clone, Copy)]
pub struct Bomb {
    id: u32,
    pub at: Vec2,
    pub explodes: f64,
}

pub struct Match<'a> {
    pub stage: &'a Stage,
    pub field: InterestField<u32>,
    pub finder: PathFinder,
    pub bots: Vec<Bot>,
    pub things: Vec<Thing>,
    pub bombs: Vec<Bomb>,
    pub doors: Doors,
    /// For each block, its door while it is whole, and when it is repaired.
    pub whole: Vec<(Option<Rect>, f64)>,
    pub carrier: Option<usize>,
    pub goat: Vec2,
    goat_free: f64,
    dice: Dice,
    next_bomb: f64,
    next_id: u32,
    pub now: f64,
}

impl<'a> Match<'a> {
    /// A match; bots 0 and 2 play in one style, 1 and 3 in the other. An odd seed
    /// exchanges their places.
    pub fn new(stage: &'a Stage, styles: [Style; 2], seed: u64) -> Self {
        let layer = stage.layer();
        let bots = (0..4)
            .map(|i| {
                let start = stage.starts[i ^ (seed & 1) as usize];
                Bot::new(layer, styles[i % 2], start, seed ^ (i as u64) << 32)
            })
            .collect();
        let mut this = Self {
            stage,
            field: stage.field.clone(),
            finder: stage.finder.clone(),
            bots,
            things: Vec::new(),
            bombs: Vec::new(),
            doors: Doors::new(),
            whole: Vec::new(),
            carrier: None,
            goat: stage.goat,
            goat_free: 0.0,
            dice: Dice(seed),
            next_bomb: 3.0,
            next_id: GOAT_ID + 1,
            now: 0.0,
        };
        for block in &stage.blocks {
            let id = this.doors.close_region(*block);
            this.whole.push((Some(id), 0.0));
        }
        let goat = Interest::new(GOAT, this.goat, GOAT_WORTH);
        this.insert(GOAT_ID, goat);
        // More than four bots can take, so that it matters where they go: eight rows
        // of five coins, 15 alone, one of 50 and of 155, and two powerups.
        for _ in 0..8 {
            this.add_row();
        }
        let alone = std::iter::repeat_n(10.0, 15);
        for points in alone.chain([50.0, 155.0, 0.0, 0.0]) {
            let at = this.somewhere();
            this.add_thing(at, points);
        }
        this
    }

    fn insert(&mut self, id: u32, interest: Interest) {
        let layer = self.stage.layer();
        (self.field.insert(layer, &mut self.finder, id, interest)).expect("its numbers are valid");
    }

    pub fn somewhere(&mut self) -> Vec2 {
        let zones = self.stage.field.zones();
        zones[self.dice.below(zones.len())]
    }

    /// Five coins of 10 beside each other.
    fn add_row(&mut self) {
        let middle = self.somewhere();
        for i in 0..5 {
            let at = middle + Vec2::new(16.0 * (i as f32 - 2.0), 0.0);
            self.add_thing(at, 10.0);
        }
    }

    fn add_thing(&mut self, at: Vec2, points: f32) {
        // In the air beside a platform it is taken from the platform.
        let near = self.stage.layer().snap(at, SnapTo::NearestFloor(48.0));
        let at = near.map_or(at, |spot| spot.position);
        let thing = Thing {
            id: self.next_id,
            at,
            points,
            appears: None,
        };
        self.next_id += 1;
        self.things.push(thing);
        self.show(thing);
    }

    fn show(&mut self, thing: Thing) {
        let interest = if thing.points > 0.0 {
            Interest::new(COIN, thing.at, thing.points)
        } else {
            let powerup = Interest::new(POWERUP, thing.at, 10.0);
            Interest {
                growth: 5.0,
                limit: 90.0,
                ..powerup
            }
        };
        self.insert(thing.id, interest);
    }

    /// The points of the two sides.
    pub fn score(&self) -> [f32; 2] {
        [0, 1].map(|side| self.bots[side].points + self.bots[side + 2].points)
    }

    /// Plays to the end.
    pub fn play(&mut self) {
        while self.now < f64::from(SECONDS) {
            self.step();
        }
    }

    pub fn step(&mut self) {
        self.now += f64::from(DT);
        self.change_level();
        let layer = self.stage.layer();
        self.field.update(layer, &mut self.finder, self.now);
        for i in 0..self.bots.len() {
            self.think(i);
            self.act(i);
        }
        self.touch();
    }

    /// Things appear, bombs fall and explode, blocks are repaired.
    fn change_level(&mut self) {
        let now = self.now;
        for i in 0..self.things.len() {
            if self.things[i].appears.is_some_and(|at| at <= now) {
                if self.things[i].points != 10.0 {
                    self.things[i].at = self.somewhere();
                }
                self.things[i].appears = None;
                self.show(self.things[i]);
            }
        }
        for (block, (door, repaired)) in self.stage.blocks.iter().zip(&mut self.whole) {
            let is_free = |bot: &Bot| !overlaps(*block, bot.agent.pose().position, 14.0);
            if door.is_none() && now >= *repaired && self.bots.iter().all(is_free) {
                *door = Some(self.doors.close_region(*block));
            }
        }
        if now >= self.next_bomb {
            self.next_bomb = now + 2.0 + 2.0 * f64::from(self.dice.unit());
            let at = self.somewhere();
            let bomb = Bomb {
                id: self.next_id,
                at,
                explodes: now + FUSE,
            };
            self.next_id += 1;
            let danger = DangerArea {
                area: Rect::new(at - BLAST, at + BLAST),
                harm: 60.0,
                spread: 0.3,
                starts: now + 0.5,
                ends: bomb.explodes,
            };
            let layer = self.stage.layer();
            (self.field)
                .set_danger(layer, &mut self.finder, bomb.id, Some(danger))
                .expect("its numbers are valid");
            self.bombs.push(bomb);
        }
        let exploded: Vec<Bomb> = self
            .bombs
            .iter()
            .copied()
            .filter(|b| b.explodes <= now)
            .collect();
        self.bombs.retain(|bomb| bomb.explodes > now);
        for bomb in exploded {
            for i in 0..self.bots.len() {
                let bot = &mut self.bots[i];
                if bot.agent.pose().position.distance(bomb.at) > BLAST || bot.shield_until > now {
                    continue;
                }
                bot.points = (bot.points - 20.0).max(0.0);
                bot.stunned_until = now + STUN;
                bot.dash = None;
                bot.agent.stun();
                bot.log.blasts += 1;
                if self.carrier == Some(i) {
                    self.hand_over(None);
                }
            }
        }
    }

    /// Gives the goat to a bot, or drops it.
    fn hand_over(&mut self, to: Option<usize>) {
        for bot in [self.carrier, to].into_iter().flatten() {
            // Its state is another one: an event that makes its decision old.
            self.bots[bot].decision = DecisionMemory::default();
        }
        self.carrier = to;
        self.goat_free = self.now + GRACE;
        if let Some(to) = to {
            self.bots[to].log.goats += 1;
        }
    }

    /// Bots take what they touch.
    fn touch(&mut self) {
        let now = self.now;
        let layer = self.stage.layer();
        for i in 0..self.bots.len() {
            let position = self.bots[i].agent.pose().position;
            if self.bots[i].stunned_until > now {
                continue;
            }
            for t in 0..self.things.len() {
                let thing = self.things[t];
                if !thing.is_there() || thing.at.distance(position) > TOUCH {
                    continue;
                }
                let worth = self.field.worth(thing.id).unwrap_or(0.0);
                self.bots[i].points += worth;
                if thing.points > 0.0 {
                    self.bots[i].log.coins += 1;
                } else {
                    self.bots[i].log.powerups += 1;
                }
                self.field.remove(layer, &mut self.finder, thing.id);
                let pause = if thing.points > 100.0 { 20.0 } else { 8.0 };
                self.things[t].appears = Some(now + pause + 3.0 * f64::from(self.dice.unit()));
            }
            let is_near = self.goat.distance(position) <= TOUCH;
            let holder = self.carrier.map(|carrier| &self.bots[carrier]);
            let is_shielded = holder.is_some_and(|holder| holder.shield_until > now);
            if is_near && self.carrier != Some(i) && now >= self.goat_free && !is_shielded {
                self.hand_over(Some(i));
            }
        }
        if let Some(carrier) = self.carrier {
            self.goat = self.bots[carrier].agent.pose().position;
            self.bots[carrier].points += GOAT_POINTS * DT;
            self.field
                .move_to(layer, &mut self.finder, GOAT_ID, self.goat);
        }
    }
}

/// Whether feet are in a rectangle, or at most `margin` beside it.
pub fn overlaps(rect: Rect, feet: Vec2, margin: f32) -> bool {
    let (min, max) = (rect.min - margin, rect.max + margin);
    min.cmple(feet).all() && feet.cmple(max).all()
}
