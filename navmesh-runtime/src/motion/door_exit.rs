//! The way out of a door that closed on an agent.

use glam::Vec2;

use super::environment::Environment;
use super::movement::Movement;
use super::route::{crosses_door, flight};
use super::settings::Settings;
use crate::mesh::{Layer, Platform, PlatformKind};
use crate::search::free_space::FreeSpace;
use crate::search::regions::{Rect, contains, grown, segment_inside};
use crate::search::{Step, StepKind};

/// How far beyond the border of a door an agent goes: more than the rounding of
/// positions, which would leave it inside.
pub fn clearance(layer: &Layer) -> f32 {
    1e-3 * layer.grid().spacing
}

/// The feet positions that a closed door covers, for each door.
pub fn closed(environment: Environment<'_>) -> impl Iterator<Item = Rect> + Clone {
    let Environment { layer, doors } = environment;
    doors.closed().iter().map(move |&door| grown(door, layer))
}

/// The first closed door that a body at a position overlaps.
pub fn door_at(environment: Environment<'_>, at: Vec2) -> Option<Rect> {
    closed(environment).find(|&door| contains(door, at))
}

/// The shortest way of an agent out of the closed doors that it is in: along its
/// platform, or straight in flight. A way that enters another closed door is taken only
/// if all do. `None` when there is none, and for agents that cannot choose where they
/// move.
pub fn way_out(
    environment: Environment<'_>,
    settings: &Settings,
    movement: &Movement,
    at: Vec2,
) -> Option<Step> {
    let layer = environment.layer;
    let profile = &settings.profile;
    let gap = clearance(layer);
    let ways = if let Movement::Flying(_) = movement {
        let space = FreeSpace::new(layer, [&[], &[]]);
        [Vec2::NEG_X, Vec2::X, Vec2::NEG_Y, Vec2::Y].map(|ahead| {
            let to = first_outside(environment, at, |door, at| {
                let is_far = ahead.element_sum() > 0.0;
                let border = if is_far { door.max } else { door.min };
                Some(Vec2::select(
                    ahead.cmpeq(Vec2::ZERO),
                    at,
                    border + ahead * gap,
                ))
            })?;
            let is_free = space.sees(at, to);
            is_free.then(|| flight(at, to, profile.run_speed))
        })
    } else {
        let platform = layer.platform(movement.platform()?)?;
        let (low, high) = platform.extent();
        let here = platform.at(platform.along(at));
        let speed = match platform.kind {
            PlatformKind::Floor => profile.run_speed,
            _ => profile.climb_speed.max(f32::MIN_POSITIVE),
        };
        let way = |side: f32| {
            let to = first_outside(environment, here, |door, at| {
                let border = border_along(platform, door, platform.along(at), side)?;
                Some(platform.at((border + side * gap).clamp(low, high)))
            })?;
            Some(Step {
                kind: StepKind::from(platform.kind),
                platform: Some(platform.id),
                ..flight(at, to, speed)
            })
        };
        [way(-1.0), way(1.0), None, None]
    };
    let others = closed(environment).filter(|&door| !contains(door, at));
    let ways = ways.into_iter().flatten().map(|way| {
        let enters = crosses_door(&way, layer, &others, profile);
        (enters, at.distance(way.to), way)
    });
    let best = ways.min_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    best.map(|(.., way)| way)
}

/// The first point outside of all closed doors on a way. `beyond` returns the point
/// of the way at which it leaves a door that it is in.
fn first_outside(
    environment: Environment<'_>,
    from: Vec2,
    beyond: impl Fn(Rect, Vec2) -> Option<Vec2>,
) -> Option<Vec2> {
    let mut at = from;
    // Each turn leaves a door, and none is entered again in flight and on a flat floor.
    // On a floor that is not flat, an exit may be missed; then another side is taken.
    for _ in 0..=environment.doors.closed().len() {
        let Some(door) = door_at(environment, at) else {
            return Some(at);
        };
        at = beyond(door, at)?;
    }
    None
}

/// Where a platform leaves a rectangle, on one side of a point inside it.
fn border_along(platform: Platform<'_>, rect: Rect, from: f32, side: f32) -> Option<f32> {
    let is_ahead = |point: &Vec2| (platform.along(*point) - from) * side > 0.0;
    let mut last = platform.at(from);
    let mut leave = |point: Vec2| {
        let (a, b) = (last, point);
        last = point;
        match segment_inside(rect, a, b) {
            Some((_, leave)) if leave >= 1.0 => None,
            Some((_, leave)) => Some(platform.along(a.lerp(b, leave as f32))),
            None => Some(platform.along(a)),
        }
    };
    let points = platform.surface.iter().copied();
    if side > 0.0 {
        points.filter(is_ahead).find_map(&mut leave)
    } else {
        points.rev().filter(is_ahead).find_map(&mut leave)
    }
}
