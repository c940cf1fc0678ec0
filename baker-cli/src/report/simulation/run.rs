//! Running an agent.

use glam::Vec2;
use navmesh_runtime::mesh::Layer;
use navmesh_runtime::motion::{Activity, Environment, IdleReason, NavAgent};
use navmesh_runtime::search::PathFinder;

use crate::report::route::{Route, Sample};

use super::{Ending, Happening, Moment, Order, Script, Simulation};

/// How often the step in which something happened is halved to find when.
const HALVINGS: u32 = 24;

/// The motion an agent makes along a path that was found, `hz` times a second
/// and at its very end; none where there is no path.
pub fn samples_along(layer: &Layer, route: &Route, to: Vec2, hz: f64) -> Vec<Sample> {
    let Some(first) = route.steps.first().filter(|_| route.is_found()) else {
        return Vec::new();
    };
    let script = Script {
        from: first.from,
        to,
        orders: Vec::new(),
        hz,
        // Braking and speeding up at every corner is no tenth of this.
        limit: 60.0 + 10.0 * route.cost,
    };
    let at = |moment: &Moment| {
        let at = moment.pose.position.as_dvec2();
        [moment.time, at.x, at.y]
    };
    simulate(layer, &script).moments.iter().map(at).collect()
}

/// Runs an agent on a layer until it has been told everything and is at rest.
pub fn simulate(layer: &Layer, script: &Script) -> Simulation {
    let mut orders = script.orders.clone();
    orders.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut stage = Stage {
        world: Environment::new(layer),
        finder: PathFinder::new(),
        agent: NavAgent::new(layer, script.from),
        time: 0.0,
        spent: 0.0,
        happenings: Vec::new(),
    };
    let mut moments = Vec::new();
    stage.tell(Order::Go(script.to));
    let mut waiting = orders.into_iter().peekable();
    while let Some((_, order)) = waiting.next_if(|(at, _)| *at <= 0.0) {
        stage.tell(order);
    }
    stage.step(0.0);
    moments.push(stage.moment());
    let mut next = 1_u64;
    loop {
        let activity = stage.agent.activity();
        if waiting.peek().is_none() && is_at_rest(activity) {
            return stage.end(moments, Ending::AtRest(activity));
        }
        if stage.time >= script.limit {
            return stage.end(moments, Ending::TimeUp(activity));
        }
        let tick = next as f64 / script.hz;
        let until = waiting.peek().map_or(tick, |(at, _)| at.min(tick));
        let until = until.min(script.limit);
        stage.step_to(until, waiting.peek().is_none());
        if until >= tick || until >= script.limit {
            moments.push(stage.moment());
            next += 1;
        } else if waiting.peek().is_none() && is_at_rest(stage.agent.activity()) {
            moments.push(stage.moment());
        }
        let mut told = false;
        while let Some((_, order)) = waiting.next_if(|(at, _)| *at <= stage.time) {
            stage.tell(order);
            told = true;
        }
        if told {
            stage.step(0.0);
        }
    }
}

/// Whether an agent left alone stays as it is.
fn is_at_rest(activity: Activity) -> bool {
    match activity {
        Activity::Idle(why) => why != IdleReason::Waiting,
        Activity::Disabled => true,
        other => !other.is_moving(),
    }
}

struct Stage<'a> {
    world: Environment<'a>,
    finder: PathFinder,
    agent: NavAgent,
    /// Seconds since the spawn.
    time: f64,
    /// The same as the agent was given it, rounded to its steps.
    spent: f64,
    happenings: Vec<(f64, Happening)>,
}

impl Stage<'_> {
    fn tell(&mut self, order: Order) {
        match order {
            Order::Go(to) => self.agent.set_destination(to),
            Order::Disable => self.agent.disable(),
            Order::Enable => self.agent.enable(),
        }
        self.happenings.push((self.time, Happening::Told(order)));
    }

    fn moment(&self) -> Moment {
        Moment {
            time: self.time,
            pose: self.agent.pose(),
            destination: self.agent.destination(),
        }
    }

    fn end(self, moments: Vec<Moment>, ending: Ending) -> Simulation {
        Simulation {
            agent: self.world.layer.profile().name.clone(),
            moments,
            happenings: self.happenings,
            ending,
        }
    }

    /// Steps to a time; or, when nothing more is to come, to where the agent
    /// came to rest before.
    fn step_to(&mut self, until: f64, is_last: bool) {
        let (before, begin) = (self.agent.clone(), self.time);
        // From what it was given, so that rounding does not add up.
        let dt = (until - self.spent) as f32;
        self.step(dt);
        let last = self.happenings.last().map_or(0.0, |last| last.0);
        if is_last && is_at_rest(self.agent.activity()) && last > begin {
            self.agent = before;
            let dt = (last - begin) as f32;
            self.agent.step(self.world, &mut self.finder, dt);
            self.time = last;
            return;
        }
        self.time = until;
        self.spent += f64::from(dt);
    }

    /// Steps, and notes what happens, and when.
    fn step(&mut self, dt: f32) {
        let before = self.agent.clone();
        self.agent.step(self.world, &mut self.finder, dt);
        let mut after = 0.0;
        for (i, &event) in self.agent.events().iter().enumerate() {
            after = moment_of(&before, self.world, &mut self.finder, i, (after, dt));
            let time = self.time + f64::from(after);
            self.happenings.push((time, Happening::Did(event)));
        }
    }
}

/// How many seconds into a step its event number `index` happens, to a
/// 2²⁴th of the step.
fn moment_of(
    before: &NavAgent,
    world: Environment<'_>,
    finder: &mut PathFinder,
    index: usize,
    (mut early, mut late): (f32, f32),
) -> f32 {
    let mut has_happened = |dt: f32| {
        let mut agent = before.clone();
        agent.step(world, finder, dt);
        agent.events().len() > index
    };
    if has_happened(early) {
        return early;
    }
    for _ in 0..HALVINGS {
        let middle = f32::midpoint(early, late);
        if has_happened(middle) {
            late = middle;
        } else {
            early = middle;
        }
    }
    late
}
