//! Following a route on floor, and through jumps and drops. Features A2, A3,
//! A5.

use super::agent::{Flier, Mode, NavAgent};
use super::{AgentEvent, Ballistic, Environment, PathLostReason, Runner, SpeedProfile, Target};
use crate::mesh::{Link, LinkId, LinkKind, Platform, PlatformId};
use crate::search::regions::grown;
use crate::search::{Step, StepKind};

/// How far from where a jump begins counts as there, world units.
const THERE: f64 = 1e-4;

impl NavAgent {
    /// Goes on from a platform. The seconds that are left.
    pub(super) fn run(
        &mut self,
        world: Environment<'_>,
        on: PlatformId,
        runner: Runner,
        seconds: f64,
    ) -> f64 {
        let layer = world.layer;
        let Some(platform) = layer.platform(on) else {
            self.lose(PathLostReason::Level);
            return 0.0;
        };
        let Some(&step) = self.route.get(self.cursor) else {
            let still = Runner {
                velocity: 0.0,
                ..runner
            };
            self.mode = Mode::Ground(on, still);
            self.arrive(platform.clamp(runner.at as f32));
            return 0.0;
        };
        match (step.kind, step.link.and_then(|id| layer.link(id))) {
            (StepKind::Floor, Some(link)) if link.from_platform == on => {
                // Through a one-way gate, and on without stopping.
                if (runner.at - f64::from(link.from.x)).abs() > THERE {
                    let (x, next) = (link.from.x, Some(step));
                    let left = self.run_to(world, platform, runner, x, next, seconds);
                    return left.unwrap_or(0.0);
                }
                if self.holds {
                    self.mode = Mode::Ground(on, still_at(runner.at));
                    return 0.0;
                }
                self.hold(layer, link.to_platform, link.to, runner.velocity);
                self.cursor += 1;
                seconds
            }
            (StepKind::Floor, None) if step.platform == Some(on) => {
                let next = self.route.get(self.cursor + 1).copied();
                match self.run_to(world, platform, runner, step.to.x, next, seconds) {
                    Some(left) => {
                        self.cursor += 1;
                        left
                    }
                    None => 0.0,
                }
            }
            (kind, Some(link)) if kind.is_airborne() && link.from_platform == on => {
                if (runner.at - f64::from(link.from.x)).abs() > THERE {
                    let (x, next) = (link.from.x, Some(step));
                    let left = self.run_to(world, platform, runner, x, next, seconds);
                    return left.unwrap_or(0.0);
                }
                if self.holds {
                    self.mode = Mode::Ground(on, still_at(runner.at));
                    return 0.0;
                }
                self.leap(layer, link, kind);
                seconds
            }
            (kind, Some(link))
                if (kind == StepKind::Portal || kind.is_climb()) && link.from_platform == on =>
            {
                if (runner.at - f64::from(link.from.x)).abs() > THERE {
                    let left = self.run_to(world, platform, runner, link.from.x, None, seconds);
                    return left.unwrap_or(0.0);
                }
                if self.holds {
                    self.mode = Mode::Ground(on, still_at(runner.at));
                    return 0.0;
                }
                if kind.is_climb() {
                    return self.change_hold(layer, link, seconds);
                }
                self.enter_portal(link);
                seconds
            }
            (StepKind::Fly, _) => {
                let near = layer.grid().spacing * 1e-2;
                if platform.spans(step.from.x)
                    && (runner.at - f64::from(step.from.x)).abs() > f64::from(near)
                {
                    let left = self.run_to(world, platform, runner, step.from.x, None, seconds);
                    return left.unwrap_or(0.0);
                }
                if self.holds {
                    self.mode = Mode::Ground(on, still_at(runner.at));
                    return 0.0;
                }
                let from = platform.clamp(runner.at as f32);
                self.mode = Mode::Flying(Flier::hover(from));
                self.events.push(AgentEvent::TookOff { from });
                seconds
            }
            _ => {
                self.lose(PathLostReason::Level);
                seconds
            }
        }
    }

    /// Runs to an x of a platform. The seconds that are left when it is
    /// there.
    fn run_to(
        &mut self,
        world: Environment<'_>,
        platform: Platform<'_>,
        mut runner: Runner,
        x: f32,
        next: Option<Step>,
        seconds: f64,
    ) -> Option<f64> {
        let pace = SpeedProfile::from(&self.profile);
        let side = (f64::from(x) - runner.at).signum();
        let leap = next.and_then(|step| Some((step.link?, world.layer.link(step.link?)?)));
        let speed = match leap {
            // A jump that goes on the same way is taken at a run.
            Some((id, link)) if !self.holds && link.kind.is_airborne() => {
                let speed = self.take_off(world, id, link) * side;
                speed.clamp(0.0, pace.speed)
            }
            // So is a gate.
            Some((_, link)) if !self.holds && link.kind == LinkKind::OneWayStep => pace.speed,
            _ => 0.0,
        };
        let target = Target {
            at: f64::from(x),
            speed,
            bounds: self.bounds(
                world,
                platform,
                runner,
                pace.stopping_distance(runner.velocity),
            ),
        };
        let left = pace.advance(&mut runner, target, seconds);
        self.mode = Mode::Ground(platform.id(), runner);
        left
    }

    /// The velocity across with which it leaves along a link.
    fn take_off(&mut self, world: Environment<'_>, id: LinkId, link: &Link) -> f64 {
        if let Some((_, speed)) = self.take_off.filter(|known| known.0 == id) {
            return speed;
        }
        let arc = Ballistic::along(link, world.layer, &self.profile);
        let speed = arc.map_or(0.0, |arc| f64::from(arc.velocity().x));
        self.take_off = Some((id, speed));
        speed
    }

    /// How far it may slide while it turns round: to the lips, and not
    /// through a door.
    fn bounds(
        &self,
        world: Environment<'_>,
        platform: Platform<'_>,
        runner: Runner,
        stopping: f64,
    ) -> [f64; 2] {
        let lips = [platform.left().x, platform.right().x].map(f64::from);
        let doors = world.doors.closed().iter().chain(&self.filter.closed);
        let is_near_a_door = doors.map(|&door| grown(door, world.layer)).any(|door| {
            f64::from(door.min.x) < runner.at + stopping
                && runner.at - stopping < f64::from(door.max.x)
        });
        if is_near_a_door { [runner.at; 2] } else { lips }
    }

    /// Goes on with a jump or a drop. The seconds that are left.
    pub(super) fn fall(&mut self, world: Environment<'_>, seconds: f64) -> f64 {
        let Mode::Airborne(arc, _, platform) = &mut self.mode else {
            return seconds;
        };
        let Some(left) = arc.advance(seconds) else {
            return 0.0;
        };
        let (to, velocity) = (arc.landing(), arc.velocity());
        let most = self.profile.run_speed;
        let (platform, vx) = (*platform, f64::from(velocity.x.clamp(-most, most)));
        self.hold(world.layer, platform, to, vx);
        self.events.push(AgentEvent::Landed { at: to });
        left
    }
}

fn still_at(at: f64) -> Runner {
    Runner { at, velocity: 0.0 }
}
