//! The movement of an agent, and how far it has come in it.

use glam::{DVec2, Vec2};

use super::airborne::Airborne;
use super::flight_curve::FlightCurve;
use super::free_flight::FreeFlight;
use super::kinematics::Runner;
use super::report::{Activity, AgentEvent, Stranded};
use super::riding::{RideStage, Riding};
use super::settings::Settings;
use crate::mesh::{Layer, Link, LinkLine, PlatformId, PlatformKind, StepKind};
use crate::search::SnapTo;

/// The movement an agent is in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Movement {
    /// The next step finds the agent's place.
    Unplaced,
    /// On a floor. The runner moves along x.
    Floor(PlatformId, Runner),
    /// In a jump, a drop or a fall, which ends on a platform.
    Airborne(Airborne, StepKind, PlatformId),
    /// Launched, and not landed yet.
    Launched(FreeFlight),
    /// Flying or hovering.
    Flying(Flier),
    /// On a ladder, a wall or a ceiling.
    Climbing(Climber),
    /// Standing at the entrance of a portal, or on the line of a link that the game performs,
    /// for some seconds more; less than 0 where the body is late.
    InPortal(Link, f64),
    /// On its way from floor to floor over a platform that moves.
    Riding(Riding),
    /// There is no place for the agent, whose feet are at this position.
    Stranded(Stranded, Vec2),
}

/// An agent in flight.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Flier {
    /// Feet, world units. While there is a curve, the position at its
    /// beginning.
    pub at: DVec2,
    /// Units/s. While there is a curve, the velocity at its beginning.
    pub velocity: DVec2,
    /// The present curve, and seconds since its beginning.
    pub curve: Option<(FlightCurve, f64)>,
    /// The curve that stops the agent after the present one, if it has to.
    pub brake: Option<FlightCurve>,
    /// Whether the route changed since the present curve began.
    pub is_redirected: bool,
}

impl Flier {
    /// An agent at rest in the air.
    pub fn hovering(at: Vec2) -> Self {
        Self {
            at: at.as_dvec2(),
            ..Self::default()
        }
    }

    /// Begins a curve where the agent is now, with the one that stops it after that.
    pub fn follow(&mut self, curve: FlightCurve, brake: Option<FlightCurve>) {
        self.leave_curve();
        self.curve = Some((curve, 0.0));
        self.brake = brake;
        self.is_redirected = false;
    }

    /// Position and velocity now.
    pub fn state(&self) -> (DVec2, DVec2) {
        match &self.curve {
            Some((curve, t)) => (curve.position(*t), curve.velocity(*t)),
            None => (self.at, self.velocity),
        }
    }

    /// Ends the curve where it is now; the velocity is kept.
    pub fn leave_curve(&mut self) {
        (self.at, self.velocity) = self.state();
        self.curve = None;
    }
}

/// An agent that climbs. It has a single speed, and starts and stops at once.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Climber {
    /// A ladder, a wall or a ceiling.
    pub on: PlatformId,
    /// Feet, world units.
    pub at: DVec2,
    /// Units/s.
    pub velocity: DVec2,
}

/// How an agent comes to the position where it finds its place.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Placing {
    /// Whether it moved there by itself. Its body is free then, also where the mesh does not
    /// prove that, and moves on from exactly there.
    pub was_free: bool,
    /// The velocity with which it begins to fall where nothing is below, out of the level
    /// if need be. `None` for an agent that waits there to be moved.
    pub falls_with: Option<Vec2>,
}

impl Movement {
    /// The movement of an agent that begins at a position.
    pub fn placed(
        layer: &Layer,
        settings: &Settings,
        at: Vec2,
        placing: Placing,
        events: &mut Vec<AgentEvent>,
    ) -> Self {
        if let Some(riding) = Riding::standing(layer, at, settings.clock.seconds()) {
            return Self::Riding(riding);
        }
        let down = layer.grid().y_axis.down();
        let Some(rest) = layer.snap(at, SnapTo::Rest) else {
            let why = Stranded::at(layer, at);
            if let Some(velocity) = placing.falls_with
                && why == Stranded::NothingBelow
            {
                return Self::Launched(FreeFlight::begin(at, velocity));
            }
            events.push(AgentEvent::Stranded(why));
            return Self::Stranded(why, at);
        };
        let Some(platform) = rest.platform else {
            return Self::hovering(rest.position);
        };
        let to = rest.position;
        let (speed, fall) = (settings.profile.run_speed, settings.fall(layer));
        let from = if placing.was_free { at } else { rest.start };
        let fall = rest
            .fall_x
            .and_then(|over| Airborne::fall(from, over, to, speed, fall, down));
        match fall {
            Some(fall) => {
                events.push(AgentEvent::Dropped { from, to });
                Self::Airborne(fall, StepKind::Drop, platform)
            }
            None => Self::on_platform(layer, platform, to, 0.0),
        }
    }

    /// Places the agent on a platform of any kind, with a horizontal velocity
    /// (units/s). Only agents on floors keep that velocity.
    pub fn on_platform(layer: &Layer, platform: PlatformId, at: Vec2, velocity: f64) -> Self {
        match layer.platform(platform).map(|p| p.kind) {
            None | Some(PlatformKind::Floor) => {
                let at = f64::from(at.x);
                Self::Floor(platform, Runner { at, velocity })
            }
            Some(_) => Self::Climbing(Climber {
                on: platform,
                at: at.as_dvec2(),
                velocity: DVec2::ZERO,
            }),
        }
    }

    /// Through a link that is not a flight, with a horizontal velocity: standing at the
    /// entrance of a portal; otherwise the ends touch, so the agent is there at once.
    pub fn through(
        link: &Link,
        layer: &Layer,
        velocity: f64,
        events: &mut Vec<AgentEvent>,
    ) -> Self {
        let (from, to) = (link.from, link.to);
        if link.kind != StepKind::Portal {
            return Self::on_platform(layer, link.to_platform, to, velocity);
        }
        events.push(match layer.line_of(link) {
            Some(&LinkLine { marker, .. }) => AgentEvent::LinkStarted { marker, from, to },
            None => AgentEvent::EnteredPortal { from, to },
        });
        Self::InPortal(*link, link.duration.into())
    }

    /// Hovering at rest.
    pub fn hovering(at: Vec2) -> Self {
        Self::Flying(Flier::hovering(at))
    }

    /// Feet and velocity now; `None` when the agent has no place.
    pub fn state(&self, layer: &Layer) -> Option<(Vec2, Vec2)> {
        Some(match self {
            Self::Floor(platform, runner) => {
                let platform = layer.platform(*platform)?;
                let at = platform.clamp(runner.at as f32);
                let across = runner.velocity as f32;
                (
                    at,
                    Vec2::new(across, across * platform.slope_at(at.x, across)),
                )
            }
            Self::Airborne(airborne, ..) => (airborne.position(), airborne.velocity()),
            Self::Launched(flight) => {
                let (at, velocity) = flight.state();
                (at.as_vec2(), velocity.as_vec2())
            }
            Self::Flying(flier) => {
                let (at, velocity) = flier.state();
                (at.as_vec2(), velocity.as_vec2())
            }
            Self::Climbing(climber) => (climber.at.as_vec2(), climber.velocity.as_vec2()),
            Self::InPortal(portal, left) => match layer.line_of(portal) {
                Some(line) => line.state(*left as f32, portal.duration),
                None => (portal.from, Vec2::ZERO),
            },
            Self::Riding(riding) => riding.state(layer)?,
            Self::Stranded(_, at) => (*at, Vec2::ZERO),
            Self::Unplaced => return None,
        })
    }

    /// Where the next path begins: where a jump, a fall or a portal ends, and
    /// where the agent is in any other movement; `None` while it is not known, and on the way
    /// onto a platform that moves.
    pub fn planning_start(&self, layer: &Layer) -> Option<Vec2> {
        match self {
            Self::Launched(_) | Self::Stranded(..) => None,
            Self::Riding(riding) if riding.stage == RideStage::Boarding => None,
            _ => self.end().or_else(|| Some(self.state(layer)?.0)),
        }
    }

    /// Where a jump, a fall or a portal ends.
    pub fn end(&self) -> Option<Vec2> {
        match self {
            Self::Airborne(airborne, ..) => Some(airborne.to),
            Self::InPortal(portal, _) => Some(portal.to),
            Self::Riding(riding) if riding.stage == RideStage::Leaving => Some(riding.to),
            _ => None,
        }
    }

    /// The platform on which a jump, a fall or a portal ends.
    pub fn end_platform(&mut self) -> Option<&mut PlatformId> {
        match self {
            Self::Airborne(.., platform) => Some(platform),
            Self::InPortal(portal, _) => Some(&mut portal.to_platform),
            Self::Riding(riding) => Some(&mut riding.platform),
            _ => None,
        }
    }

    /// Whether the movement must finish before another one can begin.
    pub fn is_committed(&self) -> bool {
        match self {
            Self::InPortal(..) => true,
            Self::Riding(riding) => riding.stage != RideStage::Aboard,
            _ => self.is_falling(),
        }
    }

    /// Whether a game's physics moves the body of an agent that it drives.
    pub fn is_physical(&self) -> bool {
        !matches!(
            self,
            Self::Launched(_) | Self::Flying(_) | Self::Climbing(_) | Self::InPortal(..)
        )
    }

    /// Whether it is in the air, and will land by itself.
    pub fn is_falling(&self) -> bool {
        matches!(self, Self::Airborne(..) | Self::Launched(_))
    }

    /// The platform under an agent that stands or climbs.
    pub fn platform(&self) -> Option<PlatformId> {
        match self {
            Self::Floor(platform, _) | Self::Climbing(Climber { on: platform, .. }) => {
                Some(*platform)
            }
            _ => None,
        }
    }

    /// Horizontal velocity of an agent that stands or climbs, units/s.
    pub fn velocity_across(&self) -> f64 {
        match self {
            Self::Floor(_, runner) => runner.velocity,
            Self::Climbing(climber) => climber.velocity.x,
            _ => 0.0,
        }
    }

    /// Stops as fast as the agent's limits allow, once it has no route: on a floor and in
    /// flight it brakes, otherwise it stops at once.
    pub fn brake(&mut self) {
        if !matches!(self, Self::Floor(..)) && !self.redirect() {
            self.halt();
        }
    }

    /// Lets a flier turn from its present curve to its route, or brake without
    /// one. Returns `false` in any other movement.
    pub fn redirect(&mut self) -> bool {
        let Self::Flying(flier) = self else {
            return false;
        };
        flier.is_redirected = true;
        true
    }

    /// Stops at once. Returns `false` when there is nothing to stop, or when
    /// the movement must finish first.
    pub fn halt(&mut self) -> bool {
        match self {
            Self::Floor(_, runner) => runner.velocity = 0.0,
            Self::Flying(flier) => {
                *flier = Flier {
                    at: flier.state().0,
                    ..Flier::default()
                };
            }
            Self::Climbing(climber) => climber.velocity = DVec2::ZERO,
            _ => return false,
        }
        true
    }

    /// The activity of an agent that moves, has a step to follow and so `goes_on`, or has
    /// no place. `None` while it stands, holds on or hovers.
    pub fn activity(&self, goes_on: bool) -> Option<Activity> {
        Some(match self {
            Self::Stranded(why, _) => Activity::Stranded(*why),
            Self::Launched(_) => Activity::Launched,
            Self::Airborne(_, StepKind::Jump | StepKind::Spring, _) => Activity::Jumping,
            Self::Airborne(..) => Activity::Dropping,
            Self::InPortal(..) => Activity::InPortal,
            Self::Riding(riding) if goes_on || !riding.stays() => Activity::Riding,
            Self::Flying(flier) if goes_on || flier.curve.is_some() => Activity::Flying,
            Self::Floor(_, runner) if goes_on || runner.velocity != 0.0 => Activity::Running,
            Self::Climbing(climber) if goes_on || climber.velocity != DVec2::ZERO => {
                Activity::Climbing
            }
            _ => return None,
        })
    }
}
