//! Following a route through the air. Feature A4.

use glam::Vec2;

use super::agent::{Flier, Mode, NavAgent};
use super::flight::{FlightLimits, next_cubic};
use super::{AgentEvent, Environment, PathLostReason, Runner, SpeedProfile};
use crate::search::free_space::FreeSpace;
use crate::search::{Step, StepKind};

/// How near a point counts as there, world units.
const THERE: f64 = 1e-4;

impl NavAgent {
    /// Goes on in flight. The seconds that are left.
    pub(super) fn fly(&mut self, world: Environment<'_>, mut flier: Flier, seconds: f64) -> f64 {
        if let Some((curve, t)) = flier.curve {
            let t = t + seconds;
            if t < curve.duration() {
                flier.curve = Some((curve, t));
                self.mode = Mode::Flying(flier);
                return 0.0;
            }
            (flier.at, flier.velocity) = curve.end();
            flier.curve = None;
            self.mode = Mode::Flying(flier);
            let step = self.route.get(self.cursor);
            if step.is_some_and(|step| flier.at.distance(step.to.as_dvec2()) < THERE) {
                self.cursor += 1;
            }
            return t - curve.duration();
        }
        let layer = world.layer;
        let Some(&step) = self.route.get(self.cursor) else {
            self.end_flight(world, flier);
            return 0.0;
        };
        if step.kind != StepKind::Fly {
            return self.touch_down(world, flier, &step, seconds);
        }
        if self.holds {
            self.halt();
            return 0.0;
        }
        if flier.at.distance(step.to.as_dvec2()) < THERE {
            self.cursor += 1;
            return seconds;
        }
        let next = self.route.get(self.cursor + 1);
        let next = next.filter(|s| s.kind == StepKind::Fly).map(|s| s.to);
        let limits = FlightLimits::from(SpeedProfile::from(&self.profile));
        let space = FreeSpace::new(layer, [world.doors.closed(), &self.filter.closed]);
        let edge = [step.from, step.to];
        let is_known = self.cursor > 0 || step.from.distance(step.to) > 4.0 * space.spacing();
        let curve = next_cubic(
            flier.at,
            flier.velocity,
            edge,
            next,
            &limits,
            &space,
            is_known,
        );
        flier.curve = Some((curve, 0.0));
        self.mode = Mode::Flying(flier);
        seconds
    }

    /// The end of a route in the air, or on floor that was flown to.
    fn end_flight(&mut self, world: Environment<'_>, flier: Flier) {
        let at = flier.at.as_vec2();
        let walks = world.layer.profile().edges.walks();
        let floor = walks.then(|| world.layer.floor_below(at, 0.0)).flatten();
        self.mode = match floor {
            Some(spot) if !self.wants_path => {
                self.events.push(AgentEvent::Landed { at });
                let runner = Runner {
                    at: f64::from(at.x),
                    velocity: 0.0,
                };
                Mode::Ground(spot.platform, runner)
            }
            _ => Mode::Flying(Flier::hover(at)),
        };
        self.arrive(at);
    }

    /// Goes on on foot.
    fn touch_down(
        &mut self,
        world: Environment<'_>,
        flier: Flier,
        step: &Step,
        seconds: f64,
    ) -> f64 {
        let at = flier.at.as_vec2();
        let platform = step.platform.and_then(|id| world.layer.platform(id));
        let near = world.layer.grid().spacing;
        match platform {
            Some(platform) if platform.clamp(at.x).distance(at) <= near => {
                let runner = Runner {
                    at: f64::from(at.x),
                    velocity: 0.0,
                };
                self.mode = Mode::Ground(platform.id(), runner);
                self.events.push(AgentEvent::Landed { at });
            }
            _ => {
                self.mode = Mode::Flying(Flier::hover(at));
                self.lose(PathLostReason::Level);
            }
        }
        seconds
    }
}

/// A straight flight as a step.
pub(super) fn fly_step(from: Vec2, to: Vec2, speed: f32) -> Step {
    Step::fly(from, to, from.distance(to) / speed)
}

/// Replaces flights along the grid by straight ones, as far as the body can
/// see.
pub(super) fn pull_straight(route: &mut Vec<Step>, space: &FreeSpace<'_>) {
    let is_flight = |step: &Step| step.kind == StepKind::Fly;
    if !route.windows(2).any(|w| w.iter().all(is_flight)) {
        return;
    }
    let mut kept: usize = 0;
    for i in 0..route.len() {
        let Some(&step) = route.get(i) else { break };
        let last = kept.checked_sub(1).and_then(|k| route.get_mut(k));
        match last {
            Some(last) if is_flight(last) && is_flight(&step) && space.sees(last.from, step.to) => {
                last.duration *=
                    last.from.distance(step.to) / last.from.distance(last.to).max(1e-6);
                last.to = step.to;
            }
            _ => {
                if let Some(slot) = route.get_mut(kept) {
                    *slot = step;
                }
                kept += 1;
            }
        }
    }
    route.truncate(kept);
}
