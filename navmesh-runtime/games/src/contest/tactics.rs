//! How a bot plays.

use glam::Vec2;
use navmesh_bots::interest::{Course, Dash, DecisionMemory, RouteLimits, Seeker};
use navmesh_bots::interest::{Stimulus, Target, shortcut};
use navmesh_runtime::mesh::{Layer, StepKind};
use navmesh_runtime::motion::{Environment, NavAgent};
use navmesh_runtime::search::{Doors, Filter, PathFinder, Query, Rect, SnapTo};

use super::bot::Aim;
use super::rules::{BLAST, DT, GOAT_ID, Match, REPAIR, overlaps};
use super::stage::CARRIER_SPEED;

const DASH_LENGTH: f32 = 80.0;
const DASH_SPEED: f32 = 400.0;
const SHIELD: f64 = 0.8;
/// The velocity that a geyser gives: across to the middle of the level, and up.
const GEYSER: [f32; 2] = [70.0, 700.0];
/// A geyser throws a bot again only after this many seconds.
const GEYSER_PAUSE: f64 = 2.0;

impl Match<'_> {
    /// Decides where a bot goes.
    pub fn think(&mut self, i: usize) {
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
        let position = bot.agent.pose().position;
        let bombs = self.bombs.iter().filter(|bomb| bomb.explodes - now < 1.5);
        let bombs = bombs.map(|bomb| Stimulus {
            position: bomb.at,
            pull: -200.0,
            radius: BLAST * 1.4,
        });
        let coins = self
            .things
            .iter()
            .filter(|thing| thing.is_there() && thing.points > 0.0);
        let coins = coins.map(|coin| Stimulus {
            position: coin.at,
            pull: coin.points,
            radius: 40.0,
        });
        let near: Vec<Stimulus> = bombs.chain(coins).collect();
        // A bot in a corner that gets no farther from a bomb does something else.
        let gets_on = now - bot.anchor.1 < 1.0;
        let strongest = Stimulus::strongest(position, near.iter().copied());
        if let Some((index, heading)) = strongest.filter(|_| gets_on) {
            let (at, pull) = (near[index].position, near[index].pull);
            let away = position + Vec2::new(heading.x.signum() * 72.0, 0.0);
            // To a coin only where the body goes straight, on the same floor.
            let floor = |at| layer.snap(at, SnapTo::FloorBelow(1.0))?.platform;
            let is_level = floor(position).is_some() && floor(position) == floor(at);
            let is_seen = is_level && shortcut(layer, &self.doors, position, &[], at) == Some(at);
            if pull < 0.0 || is_seen {
                bot.agent.go_to(if pull < 0.0 { away } else { at });
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
        if bot.handicap.notices(is_gone, now) {
            bot.decision = DecisionMemory::default();
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
            filter.replace_jumps = true;
            let mut seeker = Seeker::new(position, &weights, &filter);
            seeker.zone_weight = style.zone_weight;
            seeker.habit = habit;
            seeker.profile = Some(&profile);
            field.choose(layer, finder, &seeker, recovery)
        });
        let Some(target) = decision else {
            // Everything is taken: people look around then, and do not stand still.
            if !bot.agent.is_under_way() {
                let to = self.somewhere();
                self.bots[i].agent.go_to(to);
            }
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
            return carrier.pose().position;
        }
        meeting(self.stage.layer(), &mut self.finder, &bot.agent, carrier)
    }

    /// Sends a bot to a place: directly, or first to a block in the way or to a
    /// geyser that is a shorter way.
    fn send(&mut self, i: usize, id: u32, to: Vec2) {
        let layer = self.stage.layer();
        let bot = &mut self.bots[i];
        let position = bot.agent.pose().position;
        let mut query = query(&bot.agent, to);
        // Another way is worth a look where the way is long.
        let cost = self.finder.find(layer, &query).ok();
        let cost = cost.and_then(|o| o.path()).map_or(0.0, |path| path.cost);
        let limits = RouteLimits {
            count: if cost > 2.0 && id != GOAT_ID { 2 } else { 1 },
            ..RouteLimits::default()
        };
        let paths = limits.find(layer, &mut self.finder, &query);
        let paths = paths.unwrap_or_default();
        let mut wishes = Seeker::new(position, &[0.2], &query.filter);
        wishes.caution = 0.2;
        let current = Some((bot.agent.remaining_path(), 0.5));
        let best = (self.field).best_path(layer, &wishes, &paths, 15.0, current);
        let Some(path) = best.and_then(|best| paths.get(best)) else {
            bot.recovery.fail(id, self.now);
            bot.decision = DecisionMemory::default();
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
                    bot.agent.go_to(Vec2::new(side, block.max.y));
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
                    bot.agent.go_to(vent);
                    bot.aim = Some(Aim::Geyser(index));
                    return;
                }
            }
        }
        bot.agent.go_to(to);
        bot.aim = Some(Aim::Target(id));
    }

    /// Moves a bot, and lets it dash and shield itself.
    pub fn act(&mut self, i: usize) {
        let (layer, now) = (self.stage.layer(), self.now);
        let others: Vec<Vec2> = (0..self.bots.len())
            .filter(|other| *other != i)
            .map(|other| self.bots[other].agent.pose().position)
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
        let position = bot.agent.pose().position;
        // A shield when someone comes too close: decided once a second.
        let is_close = is_carrier && others.iter().any(|other| other.distance(position) < 36.0);
        let handicap = &mut bot.handicap;
        let wants = is_close && bot.shield.decide(now, 1.0, || handicap.act(now));
        if wants && bot.shield_until < now - 1.0 {
            bot.shield_until = now + SHIELD;
            bot.log.shields += 1;
        }
        if let Some(dash) = &mut bot.dash {
            // A goat that is carried away is followed in mid-dash.
            if bot.aim == Some(Aim::Target(GOAT_ID))
                && dash.end != self.goat
                && let Some(bent) =
                    Dash::plan(layer, &self.doors, dash.position, self.goat, dash.left)
            {
                *dash = bent;
            }
            let before = dash.position;
            let whole = (0..self.whole.len()).filter(|&i| self.whole[i].0.is_some());
            let whole: Vec<usize> = whole.collect();
            let rects: Vec<Rect> = whole.iter().map(|&i| self.stage.blocks[i]).collect();
            let hit = dash.first_hit(layer, &rects);
            let length = DASH_SPEED * DT;
            dash.advance(hit.map_or(length, |(_, until)| length.min(until)));
            let touched = hit.filter(|(_, until)| *until <= length);
            let (at, is_over) = (
                dash.position,
                dash.position == dash.end || touched.is_some(),
            );
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
                let environment = Environment {
                    layer,
                    doors: &self.doors,
                };
                bot.agent.step(environment, &mut self.finder, 0.0);
            }
            return;
        }
        let was = bot.agent.remaining_path().first().map(|step| step.kind);
        let environment = Environment {
            layer,
            doors: &self.doors,
        };
        bot.agent.step(environment, &mut self.finder, DT);
        let position = bot.agent.pose().position;
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
        if idle > if rests { 0.7 } else { 1.2 } && now > bot.recovered + 0.8 {
            bot.recovered = now;
            if let Some(id) = bot.habit.current.take() {
                bot.recovery.fail(id, now);
            }
            bot.decision = DecisionMemory::default();
            bot.aim = None;
        }
    }

    fn start_dash(&mut self, i: usize) {
        let (layer, now) = (self.stage.layer(), self.now);
        let bot = &mut self.bots[i];
        let position = bot.agent.pose().position;
        let is_on_floor = layer.snap(position, SnapTo::FloorBelow(0.5)).is_some();
        // What it is after the dash.
        let mut handicap = bot.handicap;
        if !is_on_floor || !handicap.act(now) {
            return;
        }
        let to = match bot.aim {
            Some(Aim::Block(index)) => {
                let block = self.stage.blocks[index];
                if self.whole[index].0.is_none() {
                    bot.aim = None;
                    return;
                }
                // Not from a floor above it.
                if (position.y - block.max.y).abs() > 2.0 {
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
        bot.handicap = handicap;
        bot.log.dashes += 1;
        bot.dash = Some(dash);
    }
}

/// Where one agent meets another, which follows its path; where that one is, if it
/// cannot be met.
pub fn meeting(layer: &Layer, finder: &mut PathFinder, me: &NavAgent, other: &NavAgent) -> Vec2 {
    let query = query(me, other.pose().position);
    let met = Course::of_agent(other).intercept(layer, finder, &query);
    met.ok()
        .flatten()
        .map_or(other.pose().position, |(position, _)| position)
}

/// The query that an agent makes itself: one kind of queries for each profile has an
/// index.
fn query(agent: &NavAgent, to: Vec2) -> Query {
    let mut query = Query::new(agent.pose().position, to);
    query.profile = Some(agent.profile().clone());
    query.filter.replace_jumps = true;
    query
}

/// The direction to the middle of the level.
fn inwards(x: f32) -> f32 {
    if x < 352.0 { 1.0 } else { -1.0 }
}
