//! What an agent does when its level has changed: it goes on with its movement and its
//! path as far as the other version of the level has them, too.
//!
//! Versions are compared by positions: platforms and links have other numbers in each.

use glam::Vec2;

use super::airborne::Airborne;
use super::movement::{Climber, Movement};
use super::mover::Mover;
use super::plan::Plan;
use super::report::{AgentEvent, IdleReason, PathLostReason};
use crate::mesh::{Layer, Link, LinkId, Platform, PlatformId, StepKind};
use crate::search::Step;
use crate::search::free_space::FreeSpace;

/// Positions on a platform are the same in two versions if they differ by less than this,
/// in grid spacings: far above rounding, far below what anyone notices.
const SAME: f32 = 1e-3;

impl Mover<'_> {
    /// Goes on in another version of the level, with the feet at a position. Returns
    /// `false`, and changes nothing, when its floor, or the way or the end of its jump has
    /// gone.
    pub fn goes_on(&mut self, at: Vec2) -> bool {
        let in_flight = self.memory.flight.link;
        let last = self.journey.route.previous().copied();
        let last = last.filter(|step| step.link.is_some() && step.link == in_flight);
        let Some(movement) = self.movement_in_layer(at, last.as_ref()) else {
            return false;
        };
        *self.movement = movement;
        let mut links: Vec<(LinkId, LinkId)> = Vec::new();
        let is_kept = self.route_in_layer(at, &mut links);
        let known = |old: LinkId| {
            links
                .iter()
                .find(|(link, _)| *link == old)
                .map(|(_, new)| *new)
        };
        self.memory.relink(known);
        let journey = &mut *self.journey;
        if !is_kept {
            if journey.is_under_way() {
                self.events
                    .push(AgentEvent::PathLost(PathLostReason::Level));
            }
            journey.restart();
        } else if journey.ticket.is_some()
            || matches!(
                journey.plan,
                Plan::Following(Some(_))
                    | Plan::Idle(IdleReason::CannotReach(_) | IdleReason::NearestReached(_))
            )
        {
            // There may be a path now. The request was made in the other version.
            journey.replan();
        }
        true
    }

    /// The movement in this layer; `None` where it has none like it. `last` is the step
    /// whose link a driven body follows.
    fn movement_in_layer(&self, at: Vec2, last: Option<&Step>) -> Option<Movement> {
        let layer = self.layer();
        let slack = SAME * layer.grid().spacing;
        Some(match *self.movement {
            Movement::Floor(_, runner) => {
                // A body of an engine may be off its floor.
                let reach = if self.is_driven { self.slop() } else { slack };
                let spot = layer.floor_within(at, reach, reach)?;
                Movement::Floor(spot.platform, runner)
            }
            Movement::Climbing(climber) => {
                let on = layer.nearest_hold(at, slack)?.platform;
                Movement::Climbing(Climber { on, ..climber })
            }
            Movement::Airborne(now, kind, _) => {
                if let Some(step) = last.filter(|_| self.is_driven) {
                    let (_, link) = link_of(step, layer)?;
                    return Some(Movement::Airborne(now, kind, link.to_platform));
                }
                let begun = now.with(now.trajectory, [now.from, now.to]);
                let mut links = links_at(layer, now.from, now.to);
                let link = links.find(|(_, link)| {
                    Airborne::along(link, layer, &self.settings.profile) == Some(begun)
                });
                let to = if let Some((_, link)) = link {
                    link.to_platform
                } else {
                    // The rest of a fall is a line.
                    let (from, to) = (now.position().as_dvec2(), now.to.as_dvec2());
                    let space = FreeSpace::new(layer, [&[], &[]]);
                    let is_free = from.x == to.x && space.has_box(from.min(to), from.max(to));
                    let floor = layer.floor_within(now.to, slack, slack);
                    floor.filter(|_| is_free)?.platform
                };
                Movement::Airborne(now, kind, to)
            }
            Movement::InPortal(portal, left) => {
                let mut links = links_at(layer, portal.from, portal.to);
                let (_, link) = links.find(|(_, link)| link.kind == portal.kind)?;
                Movement::InPortal(*link, left)
            }
            Movement::Launched(mut flight) => {
                flight.retrace();
                Movement::Launched(flight)
            }
            Movement::Flying(mut flier) => {
                let space = self.free_space();
                if !space.has(at) {
                    return None;
                }
                if let Some((curve, _)) = &flier.curve {
                    flier.brake = flier.brake.filter(|brake| brake.is_clear(&space));
                    if !curve.is_clear(&space) {
                        flier.brake = None;
                        flier.leave_curve();
                    }
                }
                Movement::Flying(flier)
            }
            // Its platform may have another way.
            Movement::Riding(_) | Movement::Unplaced | Movement::Stranded(..) => return None,
        })
    }

    /// Renumbers the platforms and links of what is left of the route, and adds what each
    /// link was and is to `links`. Returns `false` if this layer does not have all of them.
    fn route_in_layer(&mut self, at: Vec2, links: &mut Vec<(LinkId, LinkId)>) -> bool {
        let layer = self.layer();
        let slack = SAME * layer.grid().spacing + if self.is_driven { self.slop() } else { 0.0 };
        let space = self.settings.free_space(self.environment);
        let is_committed = self.movement.is_committed();
        let in_flight = self.memory.flight.link;
        let route = &mut self.journey.route;
        let cursor = route.cursor;
        for (number, step) in route.steps.iter_mut().enumerate() {
            // Of the steps that it has taken, only that of a flight is used.
            if number < cursor && (step.link.is_none() || step.link != in_flight) {
                continue;
            }
            let from = if number == cursor && !is_committed {
                at
            } else {
                step.from
            };
            if step.ride.is_some() {
                return false;
            }
            if step.link.is_some() {
                let Some((id, link)) = link_of(step, layer) else {
                    return false;
                };
                links.extend(step.link.map(|old| (old, id)));
                (step.link, step.platform) = (Some(id), Some(link.from_platform));
            } else if step.kind == StepKind::Fly {
                if !space.sees(from, step.to) {
                    return false;
                }
            } else {
                let on = platforms_at(layer, step.to, slack)
                    .into_iter()
                    .find(|on| StepKind::from(on.kind) == step.kind && on.holds(from, slack));
                let Some(on) = on else {
                    return false;
                };
                step.platform = Some(on.id);
            }
        }
        true
    }
}

/// The link of a step, in another version of the layer.
fn link_of<'a>(step: &Step, layer: &'a Layer) -> Option<(LinkId, &'a Link)> {
    links_at(layer, step.from, step.to).find(|(_, link)| link.kind.of_step() == step.kind)
}

/// The links from one position to another.
fn links_at(layer: &Layer, from: Vec2, to: Vec2) -> impl Iterator<Item = (LinkId, &Link)> {
    let slack = SAME * layer.grid().spacing + layer.profile().step_height;
    let platforms = platforms_at(layer, from, slack).into_iter();
    platforms.flat_map(move |on| {
        let (first, links) = layer.links_from(on.id);
        let links = (first..).map(LinkId).zip(links);
        links.filter(move |(_, link)| (link.from, link.to) == (from, to))
    })
}

/// The platforms near a position, in order of their numbers.
fn platforms_at(layer: &Layer, at: Vec2, slack: f32) -> Vec<Platform<'_>> {
    let reach = Vec2::splat(slack);
    let mut found: Vec<PlatformId> = Vec::new();
    layer.floor_segments(at - reach, at + reach, |id, _, _| {
        if !found.contains(&id) {
            found.push(id);
        }
    });
    found.sort_unstable();
    found
        .into_iter()
        .filter_map(|id| layer.platform(id))
        .collect()
}
