//! Following a route on floor, and through jumps and drops. Features A2, A3,
//! A5.

use super::agent::{Flier, Mode, NavAgent};
use super::{Ballistic, Event, Lost, Runner, Target, World};
use crate::mesh::{Link, LinkKind, Platform, PlatformId};
use crate::search::regions::grown;
use crate::search::{Step, StepKind};

/// How far from where a jump begins counts as there, world units.
const THERE: f64 = 1e-4;

impl NavAgent {
    /// Goes on from a platform. The seconds that are left.
    pub(super) fn run(
        &mut self,
        world: World<'_>,
        on: PlatformId,
        runner: Runner,
        seconds: f64,
    ) -> f64 {
        let layer = world.layer;
        let Some(platform) = layer.platform(on) else {
            // Another level than it knows.
            self.level_swapped();
            return seconds;
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
            (StepKind::Floor, _) if step.platform == Some(on) => {
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
                match Ballistic::along(link, layer, &self.profile) {
                    Ok(arc) => {
                        self.mode = Mode::Airborne(arc, step.kind, link.to_platform);
                        self.cursor += 1;
                        let (from, to) = (link.from, link.to);
                        self.events.push(if step.kind == StepKind::Jump {
                            Event::Jumped { from, to }
                        } else {
                            Event::Dropped { from, to }
                        });
                    }
                    Err(_) => self.lose(Lost::Limits),
                }
                seconds
            }
            (StepKind::Portal, Some(link)) if link.from_platform == on => {
                if (runner.at - f64::from(link.from.x)).abs() > THERE {
                    let left = self.run_to(world, platform, runner, link.from.x, None, seconds);
                    return left.unwrap_or(0.0);
                }
                if self.holds {
                    self.mode = Mode::Ground(on, still_at(runner.at));
                    return 0.0;
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
                self.events.push(Event::TookOff { from });
                seconds
            }
            _ => {
                self.lose(Lost::Level);
                seconds
            }
        }
    }

    /// Runs to an x of a platform. The seconds that are left when it is
    /// there.
    fn run_to(
        &mut self,
        world: World<'_>,
        platform: Platform<'_>,
        mut runner: Runner,
        x: f32,
        next: Option<Step>,
        seconds: f64,
    ) -> Option<f64> {
        let pace = self.profile.pace(&self.filter);
        let side = (f64::from(x) - runner.at).signum();
        let speed = match next.and_then(|step| world.layer.link(step.link?)) {
            // A jump that goes on the same way is taken at a run.
            Some(link) if !self.holds && link.kind != LinkKind::Portal => {
                let speed = take_off(link) * self.profile.haste(world.layer) * side;
                speed.clamp(0.0, pace.speed)
            }
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

    /// How far it may slide while it turns round: to the lips, and not
    /// through a door.
    fn bounds(
        &self,
        world: World<'_>,
        platform: Platform<'_>,
        runner: Runner,
        stopping: f64,
    ) -> [f64; 2] {
        let lips = [platform.left().x, platform.right().x].map(f64::from);
        let doors = world.doors.blocked().iter().chain(&self.filter.blocked);
        let is_near_a_door = doors.map(|&door| grown(door, world.layer)).any(|door| {
            f64::from(door.min.x) < runner.at + stopping
                && runner.at - stopping < f64::from(door.max.x)
        });
        if is_near_a_door { [runner.at; 2] } else { lips }
    }

    /// Goes on with a jump or a drop. The seconds that are left.
    pub(super) fn fall(&mut self, seconds: f64) -> f64 {
        let Mode::Airborne(arc, _, platform) = &mut self.mode else {
            return seconds;
        };
        let Some(left) = arc.advance(seconds) else {
            return 0.0;
        };
        let (to, velocity) = (arc.landing(), arc.velocity());
        let most = self.profile.run_speed;
        let runner = Runner {
            at: f64::from(to.x),
            velocity: f64::from(velocity.x.clamp(-most, most)),
        };
        self.mode = Mode::Ground(*platform, runner);
        self.events.push(Event::Landed { at: to });
        left
    }
}

fn still_at(at: f64) -> Runner {
    Runner { at, velocity: 0.0 }
}

/// The horizontal velocity with which a link leaves, as baked.
fn take_off(link: &Link) -> f64 {
    match link.program.legs().first() {
        Some(leg) => f64::from(leg[1]),
        None => (f64::from(link.to.x) - f64::from(link.from.x)) / f64::from(link.duration),
    }
}
