//! The view that the trees receive: one enemy in the game. It borrows the
//! game's data, so the trees are over the marker type [`Enemy`].

use glam::Vec2;
use navmesh_behavior::{Accuracy, Actor, Context, CueStep, Status, TaskContext};
use navmesh_runtime::Navigator;

use super::acts::Act;
use super::body::Body;
use super::effects::{Effects, ROCK, Rock, Shot, Sight, Spot};
use super::player::Player;
use super::stage::{Stage, random};

/// One enemy's view of the game, for one tick.
pub struct View<'a> {
    /// The enemy's number.
    pub me: usize,
    pub bodies: &'a mut [Body],
    pub stage: &'a Stage,
    pub player: &'a mut Player,
    pub effects: &'a mut Effects,
    pub nav: &'a mut Navigator,
    /// Seconds since the last tick.
    pub dt: f32,
}

/// The context of this game's trees: each tick receives a [`View`].
pub enum Enemy {}

impl Context for Enemy {
    type View<'a> = View<'a>;
}

/// Half the width of the screen around the player, in world units.
const SCREEN: f32 = 220.0;
/// The radius of a shield, in world units.
const SHIELD: f32 = 100.0;
/// How long shields last, in seconds.
const SHIELDED: f32 = 10.0;
/// The reach of teeth and beaks, in world units.
pub const REACH: f32 = 28.0;
/// A shot at a player that stands may be off by less than half a body. At one that runs, the
/// middle of all shots is a body behind.
const ACCURACY: Accuracy = Accuracy {
    spread: 4.0,
    lag: 16.0,
    full_speed: 90.0,
    lead: None,
};
/// How fast a gun turns, in radians per second.
const TURN: f32 = 8.0;

impl View<'_> {
    pub fn body(&self) -> &Body {
        &self.bodies[self.me]
    }

    pub fn body_mut(&mut self) -> &mut Body {
        &mut self.bodies[self.me]
    }

    fn note(&mut self, sight: Sight) {
        let kind = self.body().kind;
        let in_reach = matches!(sight, Sight::Begins(act) if self.reaches(act));
        self.effects.note_attack(self.me, kind, sight, in_reach);
    }

    /// Whether an attack can reach the player from here.
    fn reaches(&self, act: Act) -> bool {
        match act {
            Act::Brace | Act::Charge => self.is_on_players_platform(),
            Act::Spit | Act::Fire | Act::Warn | Act::Rock => self.sees_target(),
            _ => self.player.position().distance(self.position()) < REACH,
        }
    }

    /// Whether the player is on or above the platform of this enemy.
    pub fn is_on_players_platform(&self) -> bool {
        let on = |at| self.stage.floor_beneath(at).map(|spot| spot.platform);
        on(self.position()).is_some_and(|here| on(self.player.position()) == Some(here))
    }

    /// Whether another enemy stands between this one's gun and the player.
    pub fn is_ally_in_line(&self) -> bool {
        let from = self.position();
        let line = self.player.position() - from;
        let mut others = self.others();
        others.any(|(_, body, _)| {
            let away = body.position() - from;
            let along = away.dot(line) / line.length_squared().max(1.0);
            (0.0..=1.0).contains(&along) && away.distance(line * along) < 10.0
        })
    }

    /// The other enemies that are alive: number, body and distance.
    pub fn others(&self) -> impl Iterator<Item = (usize, &Body, f32)> {
        let here = self.position();
        let others = self.bodies.iter().enumerate();
        others
            .filter(|(number, body)| *number != self.me && body.is_alive())
            .map(move |(number, body)| (number, body, here.distance(body.position())))
    }

    /// Shields the enemies that are near now.
    fn shield_others(&mut self) {
        let here = self.position();
        let me = self.me;
        self.body_mut().casting = SHIELDED;
        for (number, body) in self.bodies.iter_mut().enumerate() {
            if number != me && body.is_alive() && body.position().distance(here) < SHIELD {
                body.shield = SHIELDED;
                if !body.shielded_by.contains(&me) {
                    body.shielded_by.push(me);
                }
            }
        }
    }

    /// Turns the gun to a direction; success when it points there.
    fn turn_gun(&mut self, wanted: Vec2) -> Status {
        let turn = TURN * self.dt;
        let down = self.stage.mesh.down();
        let aim = &mut self.body_mut().aim;
        let mut angle = aim.angle_to(wanted);
        if aim.perp_dot(wanted) == 0.0 {
            // Half round, it turns through the lower side, also where y grows upwards.
            angle *= down;
        }
        if angle.abs() <= turn {
            *aim = wanted.normalize_or(*aim);
            return Status::Success;
        }
        *aim = Vec2::from_angle(turn.copysign(angle)).rotate(*aim);
        Status::Running
    }

    /// Shoots in a direction, which is off the player by more the faster that one runs.
    fn shoot(&mut self, act: Act, direction: Vec2, speed: f32) {
        let (from, player) = (self.position(), self.player.agent.pose());
        let [x, y] = [(); 2].map(|()| random(&mut self.effects.seed));
        // The same error, up or down, where y grows upwards.
        let chance = [x, 0.5 + (y - 0.5) * self.stage.mesh.down()];
        let at = ACCURACY.aim(from, player.position, player.velocity, chance);
        let error = (player.position - from).angle_to(at - from);
        self.effects.shots.push(Shot {
            at: self.stage.chest(from),
            velocity: Vec2::from_angle(error).rotate(direction) * speed,
            left: 3.0,
            by: self.me,
            act,
        });
    }

    /// Leaves a fire behind every few steps.
    pub fn leave_fire(&mut self, left: f32) {
        const APART: f32 = 14.0;
        let here = self.position();
        let last = self.body().burning;
        if last.is_some_and(|last| last.distance(here) < APART) {
            return;
        }
        self.body_mut().burning = Some(here);
        // In a jump, the fire falls to the floor.
        if let Some(spot) = self.stage.floor_beneath(here) {
            let (at, by) = (spot.position, self.me);
            self.effects.fires.push(Spot { at, left, by });
        }
    }

    /// One tick of an act, `elapsed` seconds after it began.
    fn go(&mut self, act: Act, elapsed: f32) -> Status {
        match act {
            Act::Warn if elapsed == 0.0 => {
                let player = self.player.position();
                let at = self.stage.nearest_surface(player);
                self.body_mut().mark = Some(at);
                let (left, by) = (1.0, self.me);
                self.effects.warnings.push(Spot { at, left, by });
            }
            Act::Rock if elapsed == 0.0 => {
                if let Some(at) = self.body_mut().mark.take() {
                    let (left, by) = (ROCK, self.me);
                    self.effects.rocks.push(Rock { at, left, by });
                }
            }
            Act::Shield => self.shield_others(),
            Act::Charge
                if self.player.position().distance(self.position()) < 20.0
                    && self.player.hurt() =>
            {
                self.note(Sight::Hits(Act::Charge));
            }
            Act::Aim => {
                // The gun waits where it points for a player who has just gone
                // out of sight, and for an ally to get out of the way.
                if !self.sees_target() {
                    return Status::Running;
                }
                let status = self.turn_gun(self.player.position() - self.position());
                let holds_fire = status == Status::Success && self.is_ally_in_line();
                return if holds_fire { Status::Running } else { status };
            }
            Act::Lower => return self.turn_gun(Vec2::X * self.body().facing()),
            _ => {}
        }
        let Some([anticipation, recovery]) = act.phases() else {
            return Status::Running;
        };
        // Slightly more, because frame times are rounded.
        let (before, now) = (elapsed - self.dt + 1e-4, elapsed + 1e-4);
        let is_first = elapsed == 0.0;
        if now >= anticipation && (is_first || before < anticipation) {
            self.note(Sight::Strikes(act));
            self.strike(act);
        }
        if now >= anticipation + recovery {
            Status::Success
        } else {
            Status::Running
        }
    }

    /// The effect of an act at its strike.
    fn strike(&mut self, act: Act) {
        let to_player = (self.player.position() - self.position()).normalize_or(Vec2::X);
        match act {
            Act::Bite | Act::Peck | Act::Burst => {
                if self.reaches(act) {
                    self.player.hurt();
                    self.note(Sight::Hits(act));
                }
                if act == Act::Burst {
                    self.body_mut().health = 0.0;
                }
            }
            Act::Spit => self.shoot(act, to_player, 150.0),
            Act::Fire => self.shoot(act, self.body().aim, 280.0),
            Act::Heal => {
                if let Some(patient) = self.body_mut().patient.take()
                    && let Some(body) = self.bodies.get_mut(patient)
                    && body.is_alive()
                {
                    body.health = (body.health + 60.0).min(100.0);
                    let kind = body.kind;
                    self.effects.note(patient, kind, Sight::Healed);
                }
            }
            _ => {}
        }
    }
}

impl TaskContext for View<'_> {
    fn actor(&self) -> Option<(&Actor, &Navigator)> {
        Some((&self.bodies[self.me].actor, self.nav))
    }

    fn actor_mut(&mut self) -> Option<(&mut Actor, &mut Navigator)> {
        Some((&mut self.bodies[self.me].actor, self.nav))
    }

    fn target(&self) -> Option<Vec2> {
        (!self.player.is_hidden).then(|| self.player.position())
    }

    fn target_body(&self) -> Option<[f32; 2]> {
        Some(self.player.agent.profile().body)
    }

    // For all kinds of enemies in the layer of shots.
    fn line_of_sight(&self, from: Vec2, to: Vec2) -> bool {
        self.stage.sees(from, to)
    }

    fn cue(&mut self, name: &str, step: CueStep) -> Status {
        let Some(act) = Act::named(name) else {
            return Status::Failure;
        };
        let mut elapsed = 0.0;
        if let CueStep::End | CueStep::Cancel = step {
            self.body_mut().acting = None;
            let is_over = step == CueStep::End;
            self.note(if is_over {
                Sight::Ends(act)
            } else {
                Sight::Cancelled(act)
            });
            return Status::Failure;
        }
        if let CueStep::Begin | CueStep::Shout = step {
            let player = self.player.position();
            if act.pool().is_some() {
                self.face(player);
            }
            let side = player.x - self.position().x;
            self.body_mut().attack_facing = 1.0_f32.copysign(side);
            self.note(Sight::Begins(act));
        } else if let Some((_, before)) = self.body().acting {
            elapsed = before + self.dt;
        }
        self.body_mut().acting = Some((act, elapsed));
        let status = self.go(act, elapsed);
        if status != Status::Running {
            self.body_mut().acting = None;
            self.note(Sight::Ends(act));
        }
        status
    }

    // Each enemy has a leash of its own, and all share the tree.
    fn area_contains(&self, area: &str, position: Vec2) -> Option<bool> {
        let name = match (area, &self.body().leash) {
            ("leash", Some(own)) => own,
            _ => area,
        };
        let areas = self.stage.mesh.areas();
        let mut named = areas.filter(|area| area.marker.name == name).peekable();
        named.peek()?;
        Some(named.any(|area| area.contains(position)))
    }

    fn facing(&self) -> f32 {
        self.body().facing()
    }

    fn on_screen(&self) -> bool {
        (self.position().x - self.player.position().x).abs() < SCREEN
    }
}
