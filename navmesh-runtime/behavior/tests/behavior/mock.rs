//! A mock world on a line: platforms are intervals of x, agents walk 1 unit per
//! tick, and cues last a given number of ticks.

use std::collections::BTreeMap;

use glam::Vec2;
use navmesh_behavior::{
    Context, CueStep, Navigation, Perception, Status, TaskContext, WaypointClaim, WaypointPool,
};

/// One agent and its target.
#[derive(Default)]
pub(crate) struct Mock {
    pub(crate) position: Vec2,
    pub(crate) target: Option<Vec2>,
    pub(crate) destination: Option<Vec2>,
    pub(crate) moving: bool,
    /// A search that is under way: whether it will find a path.
    pub(crate) planning: Option<bool>,
    /// How often a path was searched for.
    pub(crate) searches: u32,
    pub(crate) facing: f32,
    /// Ends of platforms, left to right.
    pub(crate) platforms: Vec<(Vec2, Vec2)>,
    /// Walls at these x.
    pub(crate) walls: Vec<f32>,
    /// Closed doors at these x, which can be seen through.
    pub(crate) doors: Vec<f32>,
    /// How many ticks a cue runs before it succeeds; 0 if not listed.
    pub(crate) cue_ticks: BTreeMap<&'static str, u32>,
    running_cue: u32,
    pub(crate) off_screen: bool,
    /// What it knows of its target.
    pub(crate) perception: Option<Perception>,
    /// Cues and stops, in order.
    pub(crate) log: Vec<String>,
}

impl Mock {
    pub(crate) fn at(x: f32, target: f32) -> Self {
        Self {
            position: Vec2::X * x,
            target: Some(Vec2::X * target),
            facing: 1.0,
            platforms: vec![(Vec2::X * -10.0, Vec2::X * 10.0)],
            ..Self::default()
        }
    }

    /// Ends the search for a path.
    pub(crate) fn find(&mut self) {
        self.moving = self.planning.take() == Some(true);
    }

    /// Perceives for one tick.
    pub(crate) fn look(&mut self, dt: f32) {
        if let Some(mut perception) = self.perception {
            perception.update(self, dt);
            self.perception = Some(perception);
        }
    }

    /// Moves the body for one tick.
    pub(crate) fn walk(&mut self) {
        let Some(destination) = self.destination.filter(|_| self.moving) else {
            return;
        };
        if destination.x != self.position.x {
            self.facing = (destination.x - self.position.x).signum();
        }
        self.position = self.position.move_towards(destination, 1.0);
        self.moving = self.position != destination;
    }
}

impl Context for Mock {
    type View<'a> = Self;
}

impl TaskContext for Mock {
    fn position(&self) -> Vec2 {
        self.position
    }
    fn target(&self) -> Option<Vec2> {
        self.target
    }
    fn line_of_sight(&self, from: Vec2, to: Vec2) -> bool {
        let between = |wall: &f32| (from.x < *wall) != (to.x < *wall);
        !self.walls.iter().any(between)
    }
    fn start_navigation(&mut self, to: Vec2) -> bool {
        self.searches += 1;
        self.destination = Some(to);
        let on = |(l, r): &(Vec2, Vec2)| l.x <= to.x && to.x <= r.x;
        let between = |door: &f32| (self.position.x < *door) != (to.x < *door);
        let reachable = self.platforms.iter().any(on) && !self.doors.iter().any(between);
        if self.planning.is_some() {
            return true;
        }
        self.moving = reachable && to != self.position;
        reachable
    }
    fn stop_navigation(&mut self) {
        self.moving = false;
        self.destination = Some(self.position);
        self.log.push("stop".into());
    }
    fn navigation(&self) -> Navigation {
        match self.destination {
            _ if self.planning.is_some() => Navigation::Planning,
            _ if self.moving => Navigation::Moving,
            Some(to) if to == self.position => Navigation::AtDestination,
            _ => Navigation::Stopped,
        }
    }
    fn cue(&mut self, name: &str, step: CueStep) -> Status {
        if let CueStep::Cancel | CueStep::End = step {
            let how = if step == CueStep::End {
                "end"
            } else {
                "cancel"
            };
            self.log.push(format!("{how} {name}"));
            return Status::Failure;
        }
        if let CueStep::Begin | CueStep::Shout = step {
            self.running_cue = self.cue_ticks.get(name).copied().unwrap_or(0);
            self.log.push(name.into());
        }
        if self.running_cue == 0 {
            return Status::Success;
        }
        self.running_cue -= 1;
        Status::Running
    }
    fn floor_beneath(&self, position: Vec2) -> Option<Vec2> {
        let (l, _) = self
            .platforms
            .iter()
            .find(|(l, r)| l.x <= position.x && position.x <= r.x)?;
        Some(Vec2::new(position.x, l.y))
    }
    fn platform_ends(&self, position: Vec2) -> Option<[Vec2; 2]> {
        let on = |(l, r): &&(Vec2, Vec2)| l.x <= position.x && position.x <= r.x;
        self.platforms.iter().find(on).map(|(l, r)| [*l, *r])
    }
    fn area_contains(&self, area: &str, position: Vec2) -> Option<bool> {
        (area == "vault").then(|| (6.0..=8.0).contains(&position.x))
    }
    fn facing(&self) -> f32 {
        self.facing
    }
    fn face(&mut self, position: Vec2) {
        self.facing = (position.x - self.position.x).signum();
    }
    fn perception(&self) -> Option<Perception> {
        self.perception
    }
    fn on_screen(&self) -> bool {
        !self.off_screen
    }
}

/// Claims the waypoint of that index, if it is free.
pub(crate) fn claim_one(pool: &WaypointPool, index: u32) -> Option<WaypointClaim> {
    pool.claim(
        None,
        |waypoint| if waypoint.index == index { 1.0 } else { -1.0 },
    )
}

/// How many waypoints are free.
pub(crate) fn free(pool: &WaypointPool) -> usize {
    let all = pool.waypoints().iter();
    all.filter(|waypoint| pool.is_free(waypoint.index)).count()
}
