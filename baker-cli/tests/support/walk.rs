//! A body that is pushed along platforms in small steps.

use glam::DVec2;
use navmesh_runtime::mesh::{Layer, PlatformKind};

use super::drawn::Drawn;
use super::{Geometry, replay::body_of};

/// How far the body is pushed in a step: half a pixel.
pub const STRIDE: f64 = 0.5;

/// The defects of walking along the platforms of a layer.
pub fn stumbles(drawn: &Drawn, layer: &Layer) -> Vec<String> {
    let profile = layer.profile();
    let body = body_of(profile);
    let step = f64::from(profile.step_height) + 2e-3;
    let slope = f64::from(profile.max_slope).to_radians().tan();
    let mut wrong = Vec::new();
    let floors = layer.platforms();
    for floor in floors.filter(|p| p.kind == PlatformKind::Floor) {
        let (low, high) = floor.extent();
        let count = (f64::from(high - low) / STRIDE).ceil().max(1.0) as u32;
        let places: Vec<DVec2> = (0..=count)
            .map(|i| {
                floor
                    .at(low + (high - low) * (i as f32 / count as f32))
                    .as_dvec2()
            })
            .collect();
        for p in &places {
            if drawn.blocked(*p, body, 2e-3) {
                wrong.push(format!("{:?} is blocked at {p}", floor.id));
            }
        }
        let back = places.iter().rev().copied();
        for walk in [places.clone(), back.collect()] {
            for pair in walk.windows(2) {
                let (a, b) = (pair[0], pair[1]);
                if (b.y - a.y).abs() > step + slope * (b.x - a.x).abs() {
                    wrong.push(format!("{:?} leaps from {a} to {b}", floor.id));
                }
                if drawn.sinks(a, b, body, 2e-2) {
                    wrong.push(format!("{:?} sinks from {a} to {b}", floor.id));
                }
            }
        }
    }
    wrong
}
