//! The way out of a door that closed on an agent.

use glam::Vec2;

use super::environment::Environment;
use super::movement::Movement;
use super::route::flight;
use super::settings::Settings;
use crate::mesh::{Platform, PlatformKind};
use crate::search::free_space::FreeSpace;
use crate::search::regions::{Rect, contains, grown, segment_inside};
use crate::search::{Step, StepKind};

/// How far beyond the border of a door an agent goes, in spacings: more than
/// the rounding of positions, which would leave it inside.
const CLEARANCE: f32 = 1e-3;

/// The feet positions that a closed door covers, for each door.
fn closed(environment: Environment<'_>) -> impl Iterator<Item = Rect> {
    let Environment { layer, doors } = environment;
    doors.closed().iter().map(move |&door| grown(door, layer))
}

/// The first closed door that a body at a position overlaps.
pub(super) fn door_at(environment: Environment<'_>, at: Vec2) -> Option<Rect> {
    closed(environment).find(|&door| contains(door, at))
}

/// The shortest way of an agent out of the closed doors that it is in: along its
/// platform, or straight in flight. `None` when there is none, and for agents
/// that cannot choose where they move.
pub(super) fn way_out(
    environment: Environment<'_>,
    settings: &Settings,
    movement: &Movement,
    at: Vec2,
) -> Option<Step> {
    let layer = environment.layer;
    let profile = &settings.profile;
    if let Movement::Flying(_) = movement {
        let space = FreeSpace::new(layer, [&[], &[]]);
        let gap = CLEARANCE * layer.grid().spacing;
        let to = closed(environment)
            .filter(|&door| contains(door, at))
            .flat_map(|door| {
                [
                    Vec2::new(door.min.x - gap, at.y),
                    Vec2::new(door.max.x + gap, at.y),
                    Vec2::new(at.x, door.min.y - gap),
                    Vec2::new(at.x, door.max.y + gap),
                ]
            })
            .filter(|&to| door_at(environment, to).is_none() && space.sees(at, to))
            .min_by(|a, b| at.distance(*a).total_cmp(&at.distance(*b)))?;
        return Some(flight(at, to, profile.run_speed));
    }
    let platform = layer.platform(movement.platform()?)?;
    let here = platform.along(at);
    let exits = [-1.0, 1.0].map(|side| exit_along(environment, platform, here, side));
    let distance = |exit: &f32| (exit - here).abs();
    let to = (exits.into_iter().flatten())
        .min_by(|a, b| distance(a).total_cmp(&distance(b)))
        .map(|along| platform.at(along))?;
    let speed = match platform.kind {
        PlatformKind::Floor => profile.run_speed,
        _ => profile.climb_speed.max(f32::MIN_POSITIVE),
    };
    Some(Step {
        kind: StepKind::from(platform.kind),
        platform: Some(platform.id),
        ..flight(at, to, speed)
    })
}

/// The first point of a platform outside of all closed doors, on one side of a
/// point of it, by its coordinate along the platform.
fn exit_along(
    environment: Environment<'_>,
    platform: Platform<'_>,
    from: f32,
    side: f32,
) -> Option<f32> {
    let gap = side * CLEARANCE * environment.layer.grid().spacing;
    let (low, high) = platform.extent();
    let mut along = from;
    // Each turn leaves a door, and none is entered again on a flat floor. On a
    // floor that is not flat, an exit may be missed; then another side is taken.
    for _ in 0..=environment.doors.closed().len() {
        let Some(door) = door_at(environment, platform.at(along)) else {
            return Some(along);
        };
        along = (border_along(platform, door, along, side)? + gap).clamp(low, high);
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
