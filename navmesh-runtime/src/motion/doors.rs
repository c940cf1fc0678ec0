//! Regions that are blocked and unblocked while the game runs. Feature A10.

use super::level_doors::Named;
use super::{Ballistic, MotionProfile};
use crate::mesh::Layer;
use crate::search::regions::{arc_inside, contains, grown, segment_inside};
use crate::search::{Rect, Step, StepKind};

/// Seconds inside a closed door that are put down to rounding, as in the
/// search.
const TOUCH: f64 = 1e-6;

/// A door of a [`Doors`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DoorId(u64);

/// The regions that are blocked now. One is shared by all agents of a level.
///
/// The doors of the level itself have [names](Self::from_mesh); any other
/// region can be blocked too:
///
/// ```
/// use glam::Vec2;
/// use navmesh_runtime::{motion::Doors, search::Rect};
///
/// let mut doors = Doors::new();
/// let gate = doors.block(Rect::new(Vec2::new(64.0, 0.0), Vec2::new(72.0, 48.0)));
/// assert_eq!(doors.blocked().len(), 1);
/// assert!(doors.unblock(gate));
/// assert!(!doors.unblock(gate), "it is open already");
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Doors {
    regions: Vec<Rect>,
    ids: Vec<DoorId>,
    /// Those that came with the level.
    pub(super) named: Vec<Named>,
    /// How many were blocked so far.
    count: u64,
    /// Tells sets of blocked regions apart, whoever holds them; agents look
    /// again when it is another one. 0 when nothing is blocked.
    version: u64,
}

impl Doors {
    /// Nothing is blocked.
    pub const fn new() -> Self {
        Self {
            regions: Vec::new(),
            ids: Vec::new(),
            named: Vec::new(),
            count: 0,
            version: 0,
        }
    }

    /// Blocks a region (world units). A rectangle with a coordinate that is
    /// not a number blocks nothing.
    pub fn block(&mut self, region: Rect) -> DoorId {
        self.count += 1;
        let id = DoorId(self.count);
        if region.min.is_finite() && region.max.is_finite() {
            self.regions.push(Rect::new(region.min, region.max));
            self.ids.push(id);
            self.renew();
        }
        id
    }

    /// Unblocks a region. `false` when it is not blocked.
    pub fn unblock(&mut self, door: DoorId) -> bool {
        let Some(at) = self.ids.iter().position(|&id| id == door) else {
            return false;
        };
        self.regions.remove(at);
        self.ids.remove(at);
        self.renew();
        true
    }

    /// Works out the version: a number that follows from the regions, so that
    /// other doors are told from these however often they were changed.
    fn renew(&mut self) {
        let corners = self.regions.iter().flat_map(|door| [door.min, door.max]);
        let words = corners.flat_map(|at| at.to_array()).map(f32::to_bits);
        self.version = words.fold(0, |sum: u64, word| {
            // The finish of SplitMix64.
            let mut z = sum.wrapping_add(0x9E37_79B9_7F4A_7C15) ^ u64::from(word);
            z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            z ^ (z >> 31)
        });
    }

    /// What is blocked, oldest first.
    pub fn blocked(&self) -> &[Rect] {
        &self.regions
    }

    pub(super) fn version(&self) -> u64 {
        self.version
    }

    /// Whether a step of a path leads through a blocked region, as an agent of
    /// some limits makes it.
    pub(super) fn cross(&self, layer: &Layer, limits: &MotionProfile, step: &Step) -> bool {
        let doors = || self.regions.iter().map(|&door| grown(door, layer));
        if self.regions.is_empty() {
            return false;
        }
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
}
