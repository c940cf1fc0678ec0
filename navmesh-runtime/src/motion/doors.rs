//! Whether closed doors are on an agent's path.

use super::Ballistic;
use crate::mesh::{AgentProfile, Layer};
use crate::search::regions::{arc_inside, contains, grown, segment_inside};
use crate::search::{Doors, Step, StepKind};

/// Seconds inside a closed door that are put down to rounding, as in the
/// search.
const TOUCH: f64 = 1e-6;

/// Whether a step of a path leads through a closed door, as an agent of these
/// limits moves along it.
pub(super) fn crosses_door(
    doors: &Doors,
    layer: &Layer,
    limits: &AgentProfile,
    step: &Step,
) -> bool {
    if doors.closed().is_empty() {
        return false;
    }
    let doors = || doors.closed().iter().map(|&door| grown(door, layer));
    match (step.kind, step.link.and_then(|id| layer.link(id))) {
        (kind, Some(link)) if kind.is_airborne() => {
            let down = layer.grid().y_axis.down();
            let Ok(way) = Ballistic::along(link, layer, limits) else {
                return true;
            };
            doors().any(|door| arc_inside(door, link, way.arc(), down) > TOUCH)
        }
        (StepKind::Floor, _) => {
            let Some(platform) = step.platform.and_then(|id| layer.platform(id)) else {
                return true;
            };
            let (low, high) = (step.from.x.min(step.to.x), step.from.x.max(step.to.x));
            let surface = platform.surface();
            let first = surface.partition_point(|p| p.x < low).saturating_sub(1);
            let part = surface.get(first..).unwrap_or_default();
            part.windows(2).take_while(|w| w[0].x <= high).any(|w| {
                let [a, b] = [w[0], w[1]].map(|p| {
                    if (low..=high).contains(&p.x) {
                        p
                    } else {
                        platform.clamp(p.x.clamp(low, high))
                    }
                });
                doors().any(|door| segment_inside(door, a, b).is_some())
            })
        }
        (StepKind::Portal, _) => {
            doors().any(|door| contains(door, step.from) || contains(door, step.to))
        }
        _ => doors().any(|door| segment_inside(door, step.from, step.to).is_some()),
    }
}
