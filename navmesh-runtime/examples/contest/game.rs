//! A match of four bots: coins, a goat to carry, powerups that grow, bombs, portals,
//! blocks to break, and geysers.

use std::error::Error;

use glam::Vec2;
use navmesh_runtime::asset;
use navmesh_runtime::interest::{
    ActionClock, Course, Danger, Dash, DecisionMemory, FieldSettings, Handicap, Hysteresis,
    Interest, InterestField, Noticing, Recovery, RouteChoice, RouteLimits, Seeker, Stimulus,
    Target, alternative_paths, intercept, react, shortcut,
};
use navmesh_runtime::mesh::{Layer, NavMesh, RegionMarker};
use navmesh_runtime::motion::{Environment, NavAgent};
use navmesh_runtime::search::{Doors, Filter, PathFinder, Query, Rect, StepKind};

/// `fixtures/contest.tmx`, baked; `just arena-asset` bakes it again.
const LEVEL: &[u8] = include_bytes!("contest.navmesh");

/// Seconds of a tick.
pub(crate) const DT: f32 = 1.0 / 30.0;
/// Seconds of a match.
pub(crate) const SECONDS: f32 = 60.0;
/// A thing is taken by a bot whose feet are this near.
const TOUCH: f32 = 12.0;

const COIN: u8 = 0;
const POWERUP: u8 = 1;
const GOAT: u8 = 2;
const KINDS: usize = 3;

const GOAT_ID: u32 = 0;
/// Points per second for the carrier of the goat, and its worth as a target.
const GOAT_POINTS: f32 = 8.0;
const GOAT_WORTH: f32 = 50.0;
const CARRIER_SPEED: f32 = 0.8;
/// Seconds for which the goat cannot be taken again after it changed hands.
const GRACE: f64 = 2.0;

const FUSE: f64 = 2.5;
const BLAST: f32 = 48.0;
const STUN: f64 = 1.2;
const DASH_LENGTH: f32 = 80.0;
const DASH_SPEED: f32 = 400.0;
const SHIELD: f64 = 0.8;
/// Seconds until a broken block is whole again.
const REPAIR: f64 = 20.0;
/// The velocity that a geyser gives: across to the middle of the level, and up.
const GEYSER: [f32; 2] = [70.0, 700.0];
/// A geyser throws a bot again only after this many seconds.
const GEYSER_PAUSE: f64 = 2.0;

/// How a bot plays.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Style {
    pub(crate) difficulty: f32,
    pub(crate) zone_weight: f32,
    pub(crate) bonus: f32,
    pub(crate) intercepts: bool,
}

impl Style {
    pub(crate) const FULL: Self = Self {
        difficulty: 1.0,
        zone_weight: 0.6,
        bonus: 0.25,
        intercepts: true,
    };
}

/// Random numbers (`SplitMix64`).
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn unit(&mut self) -> f32 {
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

/// The level, loaded once for all matches.
pub(crate) struct Stage {
    pub(crate) mesh: NavMesh,
    field: InterestField<u32>,
    pub(crate) geysers: Vec<Rect>,
    pub(crate) blocks: Vec<Rect>,
    portals: Vec<Vec2>,
    starts: Vec<Vec2>,
    goat: Vec2,
}

impl Stage {
    pub(crate) fn load() -> Result<Self, Box<dyn Error>> {
        let mesh = asset::decode(LEVEL)?;
        let layer = mesh.layer_named("bot").ok_or("no layer `bot`")?;
        // For each difficulty, with the goat and without.
        let mut finder = PathFinder::new();
        for (difficulty, speed) in [0.0, 0.5, 1.0]
            .into_iter()
            .flat_map(|d| [(d, 1.0), (d, CARRIER_SPEED)])
        {
            let mut profile = Handicap::of(difficulty).applied_to(layer.profile());
            profile.run_speed *= speed;
            let mut query = Query::new(Vec2::ZERO, Vec2::ZERO);
            query.filter.resolve = true;
            query.profile = Some(profile);
            finder.index_routes(layer, &query)?;
        }
        layer.index_routes();
        let mut field = InterestField::new(layer, FieldSettings::new(layer, KINDS))?;
        field.prepare(layer, &mut finder);
        let rect = |region: RegionMarker<'_>| Rect::new(region.min, region.max);
        let goat = mesh.markers().iter().find(|marker| marker.name == "goat");
        Ok(Self {
            geysers: mesh
                .areas()
                .filter(|area| area.marker.name == "geyser")
                .map(rect)
                .collect(),
            blocks: mesh.doors().map(rect).collect(),
            portals: layer
                .links()
                .iter()
                .filter(|link| StepKind::from(link.kind) == StepKind::Portal)
                .map(|link| link.from)
                .collect(),
            starts: mesh.spawns().map(|spawn| spawn.position).collect(),
            goat: goat
                .map(|marker| marker.position)
                .ok_or("no waypoint `goat`")?,
            field,
            mesh,
        })
    }

    pub(crate) fn layer(&self) -> &Layer {
        &self.mesh.layers()[0]
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Thing {
    pub(crate) id: u32,
    pub(crate) at: Vec2,
    /// Points of a coin; 0 for a powerup, whose worth grows in the field.
    pub(crate) points: f32,
    /// When it appears again, after it was taken.
    appears: Option<f64>,
}

impl Thing {
    pub(crate) fn is_there(&self) -> bool {
        self.appears.is_none()
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Bomb {
    id: u32,
    pub(crate) at: Vec2,
    pub(crate) explodes: f64,
}

/// What a bot does about its target now.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Aim {
    Target(u32),
    /// The block to break first, and the index.
    Block(usize),
    Geyser(usize),
}

pub(crate) struct Bot {
    pub(crate) agent: NavAgent,
    style: Style,
    handicap: Handicap,
    pub(crate) points: f32,
    pub(crate) dash: Option<Dash>,
    stunned_until: f64,
    pub(crate) shield_until: f64,
    shield: DecisionMemory<bool>,
    decision: DecisionMemory<Option<Target<u32>>>,
    habit: Hysteresis<u32>,
    recovery: Recovery<u32>,
    noticing: Noticing,
    clock: ActionClock,
    aim: Option<Aim>,
    aimed: f64,
    recovered: f64,
    thrown: f64,
    /// Where it was when it last moved on, and when.
    anchor: (Vec2, f64),
    is_slow: bool,
    pub(crate) log: Log,
}

/// What is measured of a bot.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Log {
    pub(crate) target_changes: u32,
    /// Greatest number of seconds for which it stayed within a body's length of a
    /// place although it was free to go.
    pub(crate) stuck: f64,
    pub(crate) dashes: u32,
    pub(crate) broken: u32,
    pub(crate) thrown: u32,
    pub(crate) shields: u32,
    pub(crate) portals: u32,
    pub(crate) coins: u32,
    pub(crate) powerups: u32,
    pub(crate) goats: u32,
    pub(crate) blasts: u32,
}

pub(crate) struct Match<'a> {
    pub(crate) stage: &'a Stage,
    field: InterestField<u32>,
    finder: PathFinder,
    pub(crate) bots: Vec<Bot>,
    pub(crate) things: Vec<Thing>,
    pub(crate) bombs: Vec<Bomb>,
    pub(crate) doors: Doors,
    /// For each block, its door while it is whole, and when it is repaired.
    whole: Vec<(Option<navmesh_runtime::search::DoorId>, f64)>,
    pub(crate) carrier: Option<usize>,
    pub(crate) goat: Vec2,
    goat_free: f64,
    dice: Dice,
    next_bomb: f64,
    next_id: u32,
    pub(crate) now: f64,
}

impl<'a> Match<'a> {
    /// A match; bots 0 and 2 play in one style, 1 and 3 in the other. An odd seed
    /// exchanges their places.
    pub(crate) fn new(stage: &'a Stage, styles: [Style; 2], seed: u64) -> Self {
        let layer = stage.layer();
        let bots = (0..4)
            .map(|i| {
                let style = styles[i % 2];
                let start = stage.starts[i ^ (seed & 1) as usize];
                let handicap = Handicap::of(style.difficulty);
                let mut agent = NavAgent::new(layer, start);
                agent.set_or_nearest(true);
                agent
                    .set_profile(handicap.applied_to(layer.profile()))
                    .expect("a slower profile is valid");
                Bot {
                    agent,
                    style,
                    handicap,
                    points: 0.0,
                    dash: None,
                    stunned_until: 0.0,
                    shield_until: 0.0,
                    shield: DecisionMemory::default(),
                    decision: DecisionMemory::default(),
                    habit: Hysteresis::new(style.bonus),
                    recovery: Recovery::default(),
                    noticing: Noticing::default(),
                    clock: ActionClock::new(seed ^ (i as u64) << 32),
                    aim: None,
                    aimed: 0.0,
                    recovered: 0.0,
                    thrown: -GEYSER_PAUSE,
                    anchor: (start, 0.0),
                    is_slow: false,
                    log: Log::default(),
                }
            })
            .collect();
        let mut this = Self {
            stage,
            field: stage.field.clone(),
            finder: PathFinder::new(),
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
        // Five rows of five coins, some alone, one of 155, and two powerups.
        for _ in 0..5 {
            this.add_row();
        }
        for points in [50.0, 50.0, 50.0, 155.0, 0.0, 0.0] {
            let at = this.somewhere();
            this.add_thing(at, points);
        }
        this
    }

    fn insert(&mut self, id: u32, interest: Interest) {
        let layer = self.stage.layer();
        (self.field.insert(layer, &mut self.finder, id, interest)).expect("its numbers are valid");
    }

    fn somewhere(&mut self) -> Vec2 {
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
        let near = self.stage.layer().nearest_floor(at, 48.0);
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
            Interest::new(POWERUP, thing.at, 10.0).growing(5.0, 90.0)
        };
        self.insert(thing.id, interest);
    }

    /// The points of the two sides.
    pub(crate) fn score(&self) -> [f32; 2] {
        [0, 1].map(|side| self.bots[side].points + self.bots[side + 2].points)
    }

    /// Plays to the end.
    pub(crate) fn play(&mut self) {
        while self.now < f64::from(SECONDS) {
            self.step();
        }
    }

    pub(crate) fn step(&mut self) {
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
            let is_free = |bot: &Bot| !overlaps(*block, bot.agent.position(), 14.0);
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
            let danger = Danger {
                area: Rect::new(at - BLAST, at + BLAST),
                harm: 60.0,
                spread: 0.3,
                starts: now + 0.5,
                ends: bomb.explodes,
            };
            let layer = self.stage.layer();
            (self.field)
                .insert_danger(layer, &mut self.finder, bomb.id, danger)
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
            self.field.remove_danger(bomb.id);
            for i in 0..self.bots.len() {
                let bot = &mut self.bots[i];
                if bot.agent.position().distance(bomb.at) > BLAST || bot.shield_until > now {
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
            self.bots[bot].decision.forget();
        }
        self.carrier = to;
        self.goat_free = self.now + GRACE;
        if let Some(to) = to {
            self.bots[to].log.goats += 1;
        }
    }

    /// Decides where a bot goes.
    fn think(&mut self, i: usize) {
        let (layer, now) = (self.stage.layer(), self.now);
        let is_carrier = self.carrier == Some(i);
        let bot = &mut self.bots[i];
        if bot.stunned_until > now || bot.dash.is_some() {
            return;
        }
        if bot.recovery.resets() {
            bot.agent.stop();
            bot.aim = None;
            return;
        }
        // What is near attracts or repels, and one of them wins.
        let position = bot.agent.position();
        let bombs = self.bombs.iter().filter(|bomb| bomb.explodes - now < 1.5);
        let bombs = bombs.map(|bomb| (bomb.at, -200.0, BLAST * 1.4));
        let coins = self
            .things
            .iter()
            .filter(|thing| thing.is_there() && thing.points > 0.0);
        let coins = coins.map(|coin| (coin.at, coin.points, 40.0));
        let near: Vec<(Vec2, f32, f32)> = bombs.chain(coins).collect();
        let stimuli = near.iter().map(|&(position, pull, radius)| Stimulus {
            position,
            pull,
            radius,
        });
        if let Some(reaction) = react(position, stimuli) {
            let (at, pull, _) = near[reaction.index];
            let away = position + Vec2::new(reaction.heading.x.signum() * 72.0, 0.0);
            // To a coin only where the body goes straight, on the same floor.
            let floor = |at| layer.floor_below(at, 1.0).map(|spot| spot.platform);
            let is_level = floor(position).is_some() && floor(position) == floor(at);
            let is_seen = is_level && shortcut(layer, &self.doors, position, &[], at) == Some(at);
            if pull < 0.0 || is_seen {
                bot.agent
                    .set_destination(if pull < 0.0 { away } else { at });
                bot.aim = None;
                return;
            }
        }
        // A target that is gone is noticed late.
        let current = bot.habit.current;
        let is_gone = current.is_some_and(|id| {
            let is_carried_by_me = id == GOAT_ID && is_carrier;
            is_carried_by_me || (id != GOAT_ID && self.field.place(id).is_none())
        });
        if bot.noticing.notices(is_gone, bot.handicap.notice, now) {
            bot.decision.forget();
            bot.habit.current = None;
        } else if is_gone {
            return;
        }
        let (field, finder) = (&mut self.field, &mut self.finder);
        let points = bot.points;
        let (habit, style) = (bot.habit, bot.style);
        let recovery = &mut bot.recovery;
        let profile = bot.agent.profile().clone();
        let decision = bot.decision.decide(now, 0.5, || {
            // The context: a carrier wants no second goat, and coins less than to get
            // away; who has few points wants the goat more.
            let goat = if is_carrier {
                0.0
            } else {
                1.0 + 20.0 / (40.0 + points)
            };
            let weights = [if is_carrier { 0.8 } else { 1.0 }, 1.0, goat];
            let mut filter = Filter::default();
            filter.resolve = true;
            let mut seeker = Seeker::new(position, &weights, &filter);
            seeker.zone_weight = style.zone_weight;
            seeker.habit = habit;
            seeker.profile = Some(&profile);
            recovery.clean(now);
            field.choose(layer, finder, &seeker, recovery)
        });
        let Some(target) = decision else {
            return;
        };
        if bot.habit.current != Some(target.id) {
            bot.log.target_changes += u32::from(bot.habit.current.is_some());
            bot.habit.current = Some(target.id);
            bot.aim = None;
        }
        // A carrier moves on: aim again five times a second.
        let is_moving = target.id == GOAT_ID && self.carrier.is_some();
        if bot.aim.is_some() && (!is_moving || now < bot.aimed + 0.2) {
            return;
        }
        bot.aimed = now;
        let to = self.destination(i, target);
        self.send(i, target.id, to);
    }

    /// Where a bot takes its target: a carrier where the bot meets it.
    fn destination(&mut self, i: usize, target: Target<u32>) -> Vec2 {
        let Some(carrier) = self.carrier.filter(|_| target.id == GOAT_ID) else {
            return target.position;
        };
        let bot = &self.bots[i];
        let carrier = &self.bots[carrier].agent;
        if !bot.style.intercepts {
            return carrier.position();
        }
        meeting(self.stage.layer(), &mut self.finder, &bot.agent, carrier)
    }

    /// Sends a bot to a place: directly, or first to a block in the way or to a
    /// geyser that is a shorter way.
    fn send(&mut self, i: usize, id: u32, to: Vec2) {
        let layer = self.stage.layer();
        let bot = &mut self.bots[i];
        let position = bot.agent.position();
        let mut query = query(&bot.agent, to);
        // Another way is worth a look where the way is long.
        let cost = self.finder.find(layer, &query).ok();
        let cost = cost.and_then(|o| o.path()).map_or(0.0, |path| path.cost);
        let limits = RouteLimits {
            count: if cost > 2.0 && id != GOAT_ID { 2 } else { 1 },
            ..RouteLimits::default()
        };
        let paths = alternative_paths(layer, &mut self.finder, &query, &limits).unwrap_or_default();
        let choice = RouteChoice {
            weights: &[0.2],
            caution: 0.2,
            second: 15.0,
            current: None,
        };
        let Some(path) = choice
            .best(layer, &self.field, &paths)
            .and_then(|best| paths.get(best))
        else {
            bot.recovery.fail(id, self.now);
            bot.decision.forget();
            return;
        };
        let seconds: f32 = path.steps.iter().map(|step| step.duration).sum();
        // A block in the way is broken first.
        let mut before = position;
        for step in &path.steps {
            for t in 0..=16 {
                let at = step.from.lerp(step.to, t as f32 / 16.0);
                let is_whole = |&index: &usize| self.whole[index].0.is_some();
                let hit = (0..self.stage.blocks.len())
                    .filter(is_whole)
                    .find(|&index| overlaps(self.stage.blocks[index], at, 7.0));
                if let Some(index) = hit {
                    let block = self.stage.blocks[index];
                    let is_left = before.x < 0.5 * (block.min.x + block.max.x);
                    let side = if is_left {
                        block.min.x - 20.0
                    } else {
                        block.max.x + 20.0
                    };
                    bot.agent.set_destination(Vec2::new(side, block.max.y));
                    bot.aim = Some(Aim::Block(index));
                    return;
                }
                before = at;
            }
        }
        // A geyser throws higher than a jump: when that is quicker.
        if position.y - to.y > 100.0 && bot.thrown + GEYSER_PAUSE < self.now {
            let floor = self
                .stage
                .geysers
                .iter()
                .map(|geyser| Vec2::new(0.5 * (geyser.min.x + geyser.max.x), geyser.max.y));
            let nearest = floor
                .enumerate()
                .min_by(|a, b| a.1.distance(position).total_cmp(&b.1.distance(position)));
            if let Some((index, vent)) = nearest {
                let landing = vent + Vec2::new(inwards(vent.x) * 60.0, -230.0);
                let mut cost = |from: Vec2, to: Vec2| {
                    (query.from, query.to) = (from, to);
                    let outcome = self.finder.find(layer, &query).ok();
                    outcome
                        .and_then(|o| o.path())
                        .map_or(f64::INFINITY, |path| path.cost)
                };
                let thrown = cost(position, vent) + 1.0 + cost(landing, to);
                if thrown < f64::from(seconds) {
                    bot.agent.set_destination(vent);
                    bot.aim = Some(Aim::Geyser(index));
                    return;
                }
            }
        }
        bot.agent.set_destination(to);
        bot.aim = Some(Aim::Target(id));
    }

    /// Moves a bot, and lets it dash and shield itself.
    fn act(&mut self, i: usize) {
        let (layer, now) = (self.stage.layer(), self.now);
        let others: Vec<Vec2> = (0..self.bots.len())
            .filter(|other| *other != i)
            .map(|other| self.bots[other].agent.position())
            .collect();
        let is_carrier = self.carrier == Some(i);
        let bot = &mut self.bots[i];
        if bot.stunned_until > 0.0 && now >= bot.stunned_until {
            bot.stunned_until = 0.0;
            bot.agent.enable();
            bot.aim = None;
        }
        if is_carrier != bot.is_slow {
            bot.is_slow = is_carrier;
            let mut profile = bot.handicap.applied_to(layer.profile());
            profile.run_speed *= if is_carrier { CARRIER_SPEED } else { 1.0 };
            bot.agent
                .set_profile(profile)
                .expect("a slower profile is valid");
            bot.aim = None;
        }
        let position = bot.agent.position();
        // A shield when someone comes too close: decided once a second.
        let is_close = is_carrier && others.iter().any(|other| other.distance(position) < 36.0);
        let (clock, handicap) = (&mut bot.clock, bot.handicap);
        let wants = is_close && bot.shield.decide(now, 1.0, || clock.act(&handicap, now));
        if wants && bot.shield_until < now - 1.0 {
            bot.shield_until = now + SHIELD;
            bot.log.shields += 1;
        }
        if let Some(dash) = &mut bot.dash {
            let before = dash.position();
            let whole = (0..self.whole.len()).filter(|&i| self.whole[i].0.is_some());
            let whole: Vec<usize> = whole.collect();
            let rects: Vec<Rect> = whole.iter().map(|&i| self.stage.blocks[i]).collect();
            let hit = dash.first_hit(layer, &rects);
            let length = DASH_SPEED * DT;
            dash.advance(hit.map_or(length, |(_, until)| length.min(until)));
            let touched = hit.filter(|(_, until)| *until <= length);
            let (at, is_over) = (dash.position(), dash.is_over() || touched.is_some());
            bot.agent.teleport(at);
            if let Some(block) = touched.map(|(hit, _)| whole[hit])
                && let Some(door) = self.whole[block].0.take()
            {
                self.doors.open_region(door);
                self.whole[block].1 = now + REPAIR;
                bot.log.broken += 1;
            }
            if is_over || at == before {
                bot.dash = None;
                bot.aim = None;
                let environment = Environment::new(layer).with_doors(&self.doors);
                bot.agent.step(environment, &mut self.finder, 0.0);
            }
            return;
        }
        let was = bot.agent.remaining_path().first().map(|step| step.kind);
        let environment = Environment::new(layer).with_doors(&self.doors);
        bot.agent.step(environment, &mut self.finder, DT);
        let position = bot.agent.position();
        if was == Some(StepKind::Portal)
            && self
                .stage
                .portals
                .iter()
                .any(|p| p.distance(position) < 1.0)
        {
            bot.log.portals += 1;
        }
        if bot.stunned_until > now {
            bot.anchor = (position, now);
            return;
        }
        // A geyser throws what stands in it on purpose.
        if let Some(Aim::Geyser(index)) = bot.aim
            && overlaps(self.stage.geysers[index], position, 0.0)
        {
            bot.agent
                .launch(Vec2::new(GEYSER[0] * inwards(position.x), -GEYSER[1]));
            bot.thrown = now;
            bot.log.thrown += 1;
            bot.aim = None;
        }
        self.start_dash(i);
        let bot = &mut self.bots[i];
        // Fault recovery: a bot that gets nowhere gives its decision up.
        if bot.anchor.0.distance(position) > 20.0 {
            bot.anchor = (position, now);
        }
        let idle = now - bot.anchor.1;
        bot.log.stuck = bot.log.stuck.max(idle);
        let rests = !bot.agent.is_under_way();
        if idle > if rests { 0.7 } else { 1.5 } && now > bot.recovered + 1.0 {
            bot.recovered = now;
            if let Some(id) = bot.habit.current.take() {
                bot.recovery.fail(id, now);
            }
            bot.decision.forget();
            bot.aim = None;
        }
    }

    fn start_dash(&mut self, i: usize) {
        let (layer, now) = (self.stage.layer(), self.now);
        let bot = &mut self.bots[i];
        let position = bot.agent.position();
        let is_on_floor = layer.floor_below(position, 0.5).is_some();
        if !is_on_floor || !bot.clock.is_ready(now) {
            return;
        }
        let to = match bot.aim {
            Some(Aim::Block(index)) => {
                let block = self.stage.blocks[index];
                if self.whole[index].0.is_none() {
                    bot.aim = None;
                    return;
                }
                Vec2::new(0.5 * (block.min.x + block.max.x), position.y)
            }
            Some(Aim::Target(GOAT_ID)) => self.goat,
            Some(Aim::Target(id)) => match self.field.place(id) {
                Some(place) => place,
                None => return,
            },
            Some(Aim::Geyser(_)) | None => return,
        };
        let distance = to.distance(position);
        let is_block = matches!(bot.aim, Some(Aim::Block(_)));
        if !(20.0..DASH_LENGTH).contains(&distance) {
            return;
        }
        // Into a block: planned as if it were broken already.
        let open = Doors::new();
        let doors = if is_block { &open } else { &self.doors };
        let Some(dash) = Dash::plan(layer, doors, position, to, DASH_LENGTH) else {
            return;
        };
        if bot.clock.act(&bot.handicap, now) {
            bot.log.dashes += 1;
            bot.dash = Some(dash);
        }
    }

    /// Bots take what they touch.
    fn touch(&mut self) {
        let now = self.now;
        let layer = self.stage.layer();
        for i in 0..self.bots.len() {
            let position = self.bots[i].agent.position();
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
            self.goat = self.bots[carrier].agent.position();
            self.bots[carrier].points += GOAT_POINTS * DT;
            self.field
                .move_to(layer, &mut self.finder, GOAT_ID, self.goat);
        }
    }
}

/// Where one agent meets another, which follows its path; where that one is, if it
/// cannot be met.
pub(crate) fn meeting(
    layer: &Layer,
    finder: &mut PathFinder,
    me: &NavAgent,
    other: &NavAgent,
) -> Vec2 {
    let query = query(me, other.position());
    let met = intercept(layer, finder, &query, &Course::of_agent(other));
    met.ok()
        .flatten()
        .map_or(other.position(), |met| met.position)
}

/// The query that an agent makes itself: one kind of queries for each profile has an
/// index.
fn query(agent: &NavAgent, to: Vec2) -> Query {
    let mut query = Query::new(agent.position(), to);
    query.profile = Some(agent.profile().clone());
    query.filter.resolve = true;
    query
}

/// The direction to the middle of the level.
fn inwards(x: f32) -> f32 {
    if x < 352.0 { 1.0 } else { -1.0 }
}

/// Whether feet are in a rectangle, or at most `margin` beside it.
fn overlaps(rect: Rect, feet: Vec2, margin: f32) -> bool {
    let (min, max) = (rect.min - margin, rect.max + margin);
    min.cmple(feet).all() && feet.cmple(max).all()
}
