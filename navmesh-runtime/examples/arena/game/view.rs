//! What a tree sees and does, as one enemy: the context of its ticks. It borrows
//! the game's state, so the trees are over [`Enemy`].

use glam::Vec2;
use navmesh_runtime::behavior::{
    Borrowed, ContextFamily, CueStep, Navigation, Navigator, Status, TaskContext,
};
use navmesh_runtime::coordination::Scene;
use navmesh_runtime::motion::{self, platform_edges};
use navmesh_runtime::search::PathFinder;

use super::acts::Act;
use super::body::Body;
use super::effects::{Effects, Sight};
use super::player::Player;
use super::stage::Stage;

/// One enemy's view of the game, for one tick.
pub struct View<'a> {
    /// The enemy's number.
    pub me: usize,
    pub bodies: &'a mut [Body],
    pub stage: &'a Stage,
    pub player: &'a mut Player,
    pub effects: &'a mut Effects,
    pub finder: &'a mut PathFinder,
    /// Seconds since the last tick.
    pub dt: f32,
}

/// The views of all lifetimes.
pub enum Views {}

impl ContextFamily for Views {
    type Context<'a> = View<'a>;
}

/// What the trees of this game are over.
pub type Enemy = Borrowed<Views>;

/// How far from the player the screen shows, across.
const SCREEN: f32 = 220.0;
/// How far a shield reaches.
const SHIELD: f32 = 100.0;
/// How fast a gun turns, radians a second.
const TURN: f32 = 4.0;

impl View<'_> {
    pub fn body(&self) -> &Body {
        &self.bodies[self.me]
    }

    pub fn body_mut(&mut self) -> &mut Body {
        &mut self.bodies[self.me]
    }

    fn note(&mut self, sight: Sight) {
        let kind = self.body().kind;
        self.effects.note(self.me, kind, sight);
    }

    /// The others that are alive, and how far off they are.
    pub fn others(&self) -> impl Iterator<Item = (usize, &Body, f32)> {
        let here = self.position();
        let others = self.bodies.iter().enumerate();
        others
            .filter(|(number, body)| *number != self.me && body.is_alive())
            .map(move |(number, body)| (number, body, here.distance(body.position())))
    }

    /// Shields who is near until the next tick or two.
    pub fn shield_those_near(&mut self) {
        let here = self.position();
        let me = self.me;
        for (number, body) in self.bodies.iter_mut().enumerate() {
            if number != me && body.position().distance(here) < SHIELD {
                body.shield = 0.1;
            }
        }
    }

    /// Turns the gun towards the player; success when it points there.
    pub fn turn_gun(&mut self) -> Status {
        let wanted = self.player.position() - self.position();
        let turn = TURN * self.dt;
        let aim = &mut self.body_mut().aim;
        let angle = aim.angle_to(wanted);
        if angle.abs() <= turn {
            *aim = wanted.normalize_or(*aim);
            return Status::Success;
        }
        *aim = Vec2::from_angle(turn.copysign(angle)).rotate(*aim);
        Status::Running
    }
}

impl Scene for View<'_> {
    fn position(&self) -> Vec2 {
        self.body().position()
    }

    fn target(&self) -> Option<Vec2> {
        Some(self.player.position())
    }

    fn line_of_sight(&self, from: Vec2, to: Vec2) -> bool {
        self.stage.sees(from, to)
    }
}

impl TaskContext for View<'_> {
    fn set_destination(&mut self, destination: Vec2) {
        self.body_mut().destination = Some(destination);
    }

    fn destination(&self) -> Option<Vec2> {
        self.body().destination
    }

    fn start_navigation(&mut self) -> bool {
        let body = &mut self.bodies[self.me];
        let Some(destination) = body.destination else {
            return false;
        };
        let world = motion::Environment::new(self.stage.layer(body.kind.layer()));
        Navigator::new(&mut body.agent, world).start(destination, self.finder)
    }

    fn stop_navigation(&mut self) {
        self.body_mut().agent.stop();
    }

    fn navigation(&self) -> Navigation {
        Navigation::of(&self.body().agent)
    }

    fn cue(&mut self, name: &str, step: CueStep) -> Status {
        let Some(act) = Act::named(name) else {
            return Status::Failure;
        };
        let mut elapsed = 0.0;
        if step == CueStep::Begin {
            self.note(Sight::Begins(act));
        } else if let Some((_, before)) = self.body().acting {
            elapsed = before + self.dt;
        }
        self.body_mut().acting = Some((act, elapsed));
        let status = act.go(self, elapsed);
        if status.is_done() {
            self.body_mut().acting = None;
            self.note(Sight::Ends(act));
        }
        status
    }

    fn cancel_cue(&mut self, name: &str) {
        self.body_mut().acting = None;
        if let Some(act) = Act::named(name) {
            self.note(Sight::BrokenOff(act));
        }
    }

    fn floor_beneath(&self, position: Vec2) -> Option<Vec2> {
        Some(platform_edges(self.stage.layer("walker"), position)?.beneath)
    }

    fn platform_edges(&self, position: Vec2) -> Option<(Vec2, Vec2)> {
        let edges = platform_edges(self.stage.layer("walker"), position)?;
        Some((edges.left, edges.right))
    }

    fn facing(&self) -> f32 {
        self.body().facing
    }

    fn face(&mut self, position: Vec2) {
        let body = self.body_mut();
        body.facing = if position.x < body.position().x {
            -1.0
        } else {
            1.0
        };
    }

    fn on_screen(&self) -> bool {
        (self.position().x - self.player.position().x).abs() < SCREEN
    }
}
