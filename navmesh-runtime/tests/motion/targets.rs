//! Where an agent waits for a target, compared with a dense sampling of its floors.

use crate::levels;

use glam::Vec2;
use levels::{BODY, Dice, Level, TILE, walking};
use navmesh_runtime::mesh::Layer;
use navmesh_runtime::search::SnapTo;

/// Widths and heights of targets: narrower, wider, lower and taller than the agent.
const BODIES: [[f32; 2]; 6] = [
    [2.0, 4.0],
    [8.0, 14.0],
    [12.0, 16.0],
    [16.0, 12.0],
    [24.0, 30.0],
    [40.0, 15.0],
];

/// Whether a body overlaps a tile.
fn overlaps(level: &Level, feet: Vec2, [width, height]: [f32; 2]) -> bool {
    let (left, right) = (feet.x - width / 2.0, feet.x + width / 2.0);
    level.rows.iter().enumerate().any(|(row, tiles)| {
        let top = row as f32 * TILE;
        tiles.iter().enumerate().any(|(column, &is_solid)| {
            let side = column as f32 * TILE;
            is_solid
                && left < side + TILE
                && side < right
                && feet.y - height < top + TILE
                && top < feet.y
        })
    })
}

/// Where a body that is free at a position lands, by falling in small steps.
fn lands(level: &Level, mut feet: Vec2, body: [f32; 2]) -> Option<Vec2> {
    const STEP: f32 = 0.25;
    while feet.y <= level.size().y {
        let next = feet + Vec2::new(0.0, STEP);
        if overlaps(level, next, body) {
            return Some(Vec2::new(feet.x, (feet.y / TILE).round() * TILE));
        }
        feet = next;
    }
    None
}

/// How far a place of the agent is from the body of a target, and then from its feet.
fn distance(place: Vec2, feet: Vec2, [width, height]: [f32; 2]) -> [f32; 2] {
    let aside = ((place.x - feet.x).abs() - width / 2.0).max(0.0);
    let above = (feet.y - height - place.y).max(place.y - feet.y).max(0.0);
    [aside.hypot(above), place.distance(feet)]
}

/// The nearest of many places on the floors of a layer.
fn nearest(layer: &Layer, feet: Vec2, body: [f32; 2]) -> [f32; 2] {
    const STEP: f32 = 0.25;
    let places = layer.platforms().flat_map(|on| {
        let (left, right) = (on.left(), on.right());
        let count = ((right.x - left.x) / STEP).ceil().max(1.0);
        (0..=count as u32).map(move |i| left.lerp(right, i as f32 / count))
    });
    let distances = places.map(|place| distance(place, feet, body));
    distances
        .min_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])))
        .unwrap()
}

/// Whether a distance is not greater than the least, up to the steps of the sampling.
fn is_least(found: [f32; 2], least: [f32; 2]) -> bool {
    found[0] <= least[0] + 0.01 && found[1] <= least[1] + 0.5
}

/// Also where the feet of the agent cannot be: next to a wall, at the end of a platform, in
/// a passage that is too low or too narrow for it.
#[test]
fn a_target_that_stands_is_met_at_the_nearest_place_to_its_body() {
    let (mut probes, mut without_floor, mut wrong) = (0, 0, 0);
    for seed in 0..20 {
        let dice = &mut Dice(seed);
        let level = Level::random(24, 14, walking(), dice);
        let layer = level.layer();
        for body in BODIES {
            for _ in 0..70 {
                let size = level.size();
                let at = Vec2::new(
                    dice.between(body[0] / 2.0, size.x - body[0] / 2.0),
                    dice.between(body[1], size.y),
                );
                // Half of them stand exactly at a wall, or at the end of what they stand on.
                let edge = (at.x / TILE).round() * TILE;
                let aside = [0.5, -0.5, 0.499, -0.499][dice.below(4) as usize] * body[0];
                let at = if dice.chance(0.5) {
                    Vec2::new(edge + aside, at.y)
                } else {
                    at
                };
                if overlaps(&level, at, body) {
                    continue;
                }
                let Some(feet) = lands(&level, at, body) else {
                    continue;
                };
                let found = layer
                    .snap(feet, SnapTo::Target { body: Some(body) })
                    .unwrap();
                let found = distance(found.position, feet, body);
                let least = nearest(layer, feet, body);
                probes += 1;
                let below = layer.snap(feet, SnapTo::FloorBelow(TILE));
                without_floor += usize::from(below.is_none());
                wrong += usize::from(!is_least(found, least));
            }
        }
    }
    assert!(
        probes > 4_000 && without_floor > 200,
        "{probes}, {without_floor}"
    );
    assert_eq!(wrong, 0, "of {probes}");
}

/// A target in mid-air is met where it will land.
#[test]
fn a_target_that_falls_is_met_near_where_it_lands() {
    let (mut probes, mut wrong) = (0, 0);
    for seed in 0..20 {
        let dice = &mut Dice(seed);
        let level = Level::random(24, 14, walking(), dice);
        let layer = level.layer();
        for body in BODIES {
            for _ in 0..60 {
                let size = level.size();
                let at = Vec2::new(
                    dice.between(body[0] / 2.0, size.x - body[0] / 2.0),
                    dice.between(body[1], size.y),
                );
                if overlaps(&level, at, body) {
                    continue;
                }
                let Some(feet) = lands(&level, at, body) else {
                    continue;
                };
                let target = SnapTo::Target { body: Some(body) };
                let found = layer.snap(at, target).unwrap().position;
                let landed = layer.snap(feet, target).unwrap().position;
                probes += 1;
                // At a platform that it passes by, closer than the agent, it may be met as well.
                let passes = (found.x - at.x).abs() <= f32::midpoint(body[0], BODY[0]) + 0.1
                    && (at.y..=landed.y).contains(&found.y);
                wrong += usize::from(found != landed && !passes);
            }
        }
    }
    // In shafts that are narrower than the spacing, the mesh does not always show the way.
    assert!(probes > 2_000, "{probes}");
    assert!(wrong * 1000 <= probes, "{wrong} of {probes}");
}
