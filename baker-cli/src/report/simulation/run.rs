//! Runs an agent.

use std::sync::Arc;

use glam::Vec2;
use navmesh_runtime::mesh::{Layer, NavMesh};
use navmesh_runtime::motion::{Activity, Environment, IdleReason, NavAgent};
use navmesh_runtime::search::{Doors, PathFinder};

use crate::report::route::{Route, Sample};

use super::record::{AgentCommand, Ending, Moment, Occurrence, Script, Simulation};

/// How often the step in which an event happens is halved to find its time:
/// an f32 has no more digits.
const HALVINGS: u32 = 24;

/// The motion of an agent along a path, `hz` times per second and at its end.
/// Empty without a path.
pub fn samples_along(
    layer: &Layer,
    route: &Route,
    to: Vec2,
    doors: &Doors,
    hz: f64,
) -> Vec<Sample> {
    let Some(first) = route.steps.first().filter(|_| route.is_found()) else {
        return Vec::new();
    };
    let script = Script {
        from: first.from,
        to,
        doors: doors.clone(),
        commands: Vec::new(),
        hz,
        // Ample: braking and accelerating at corners adds a few seconds.
        limit: 60.0 + 10.0 * route.cost,
    };
    let at = |moment: &Moment| {
        let at = moment.pose.position.as_dvec2();
        [moment.time, at.x, at.y]
    };
    simulate(layer, &script).moments.iter().map(at).collect()
}

/// Runs an agent on a layer until it has got all commands and is at rest.
pub fn simulate(layer: &Layer, script: &Script) -> Simulation {
    let mut commands = script.commands.clone();
    commands.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut run = Run {
        whole: layer,
        level: None,
        doors: script.doors.clone(),
        finder: PathFinder::new(),
        agent: NavAgent::new(layer, script.from),
        time: 0.0,
        spent: 0.0,
        occurrences: Vec::new(),
    };
    let mut moments = Vec::new();
    run.give(AgentCommand::Go(script.to));
    let mut waiting = commands.into_iter().peekable();
    while let Some((_, command)) = waiting.next_if(|(at, _)| *at <= 0.0) {
        run.give(command);
    }
    run.step(0.0);
    moments.push(run.moment());
    let mut next = 1_u64;
    loop {
        let activity = run.agent.pose().activity;
        if waiting.peek().is_none() && is_at_rest(activity) {
            return run.end(moments, Ending::AtRest(activity));
        }
        if run.time >= script.limit {
            return run.end(moments, Ending::TimeUp(activity));
        }
        let tick = next as f64 / script.hz;
        let until = waiting.peek().map_or(tick, |(at, _)| at.min(tick));
        let until = until.min(script.limit);
        run.step_to(until, waiting.peek().is_none());
        if until >= tick || until >= script.limit {
            moments.push(run.moment());
            next += 1;
        }
        let given = run.occurrences.len();
        while let Some((_, command)) = waiting.next_if(|(at, _)| *at <= run.time) {
            run.give(command);
        }
        if run.occurrences.len() > given {
            run.step(0.0);
        }
    }
}

/// Whether the agent stays as it is without further commands.
fn is_at_rest(activity: Activity) -> bool {
    match activity {
        Activity::Idle(why) => why != IdleReason::Waiting,
        Activity::Disabled => true,
        other => !other.is_moving(),
    }
}

struct Run<'a> {
    /// The layer at the start.
    whole: &'a Layer,
    /// The level, once it has changed.
    level: Option<Arc<NavMesh>>,
    doors: Doors,
    finder: PathFinder,
    agent: NavAgent,
    /// Seconds since the start.
    time: f64,
    /// The sum of the steps that the agent got, each rounded to f32.
    spent: f64,
    occurrences: Vec<(f64, Occurrence)>,
}

/// The layer of the level as it is now.
fn layer_now<'a>(whole: &'a Layer, level: Option<&'a NavMesh>) -> &'a Layer {
    let left = level.and_then(|level| level.layer_named(&whole.profile().name));
    left.unwrap_or(whole)
}

impl Run<'_> {
    fn give(&mut self, command: AgentCommand) {
        match command {
            AgentCommand::Go(to) => self.agent.go_to(to),
            AgentCommand::Disable => self.agent.disable(),
            AgentCommand::Enable => self.agent.enable(),
            // A level without such a door stays as it is.
            AgentCommand::CloseDoor(ref name) => drop(self.doors.close(name)),
            AgentCommand::OpenDoor(ref name) => drop(self.doors.open(name)),
            AgentCommand::Ground { ref level, .. } => self.level = Some(Arc::clone(level)),
        }
        self.occurrences
            .push((self.time, Occurrence::Commanded(command)));
    }

    fn moment(&self) -> Moment {
        Moment {
            time: self.time,
            pose: self.agent.pose(),
            destination: self.agent.destination(),
        }
    }

    fn end(self, mut moments: Vec<Moment>, ending: Ending) -> Simulation {
        // A command may have changed the agent since the moment at this time.
        moments.pop_if(|last| last.time >= self.time);
        moments.push(self.moment());
        Simulation {
            agent: self.whole.profile().name.clone(),
            moments,
            occurrences: self.occurrences,
            ending,
        }
    }

    /// Steps to a time. After the last command, stops at the time at which the
    /// agent came to rest.
    fn step_to(&mut self, until: f64, is_last: bool) {
        let (before, begin) = (self.agent.clone(), self.time);
        // Relative to the rounded sum, so that rounding errors do not add up.
        let dt = (until - self.spent) as f32;
        self.step(dt);
        let last = self.occurrences.last().map_or(0.0, |last| last.0);
        if is_last && is_at_rest(self.agent.pose().activity) && last > begin {
            self.agent = before;
            let dt = (last - begin) as f32;
            let layer = layer_now(self.whole, self.level.as_deref());
            let doors = &self.doors;
            let environment = Environment { layer, doors };
            self.agent.set_clock(Some(begin));
            self.agent.step(environment, &mut self.finder, dt);
            self.time = last;
            return;
        }
        self.time = until;
        self.spent += f64::from(dt);
    }

    /// Steps, and records events with their times.
    fn step(&mut self, dt: f32) {
        self.agent.set_clock(Some(self.time));
        let before = self.agent.clone();
        let layer = layer_now(self.whole, self.level.as_deref());
        let doors = &self.doors;
        let environment = Environment { layer, doors };
        self.agent.step(environment, &mut self.finder, dt);
        // Events are in the order of time, so the search for one begins at the
        // time of the one before.
        let mut after = 0.0;
        for (i, &event) in self.agent.events().iter().enumerate() {
            after = moment_of(&before, environment, &mut self.finder, i, (after, dt));
            let time = self.time + f64::from(after);
            self.occurrences.push((time, Occurrence::Event(event)));
        }
    }
}

/// How many seconds into a step its event number `index` happens.
fn moment_of(
    before: &NavAgent,
    environment: Environment<'_>,
    finder: &mut PathFinder,
    index: usize,
    (mut early, mut late): (f32, f32),
) -> f32 {
    let mut has_happened = |dt: f32| {
        let mut agent = before.clone();
        agent.step(environment, finder, dt);
        agent.events().len() > index
    };
    // Several events can happen at once.
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
