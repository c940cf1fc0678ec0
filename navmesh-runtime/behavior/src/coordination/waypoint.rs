//! Positions that one agent at a time may use.

use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use glam::Vec2;

use navmesh_runtime::mesh::WaypointMarker;

/// A position that agents may claim.
#[derive(Debug, Clone, PartialEq)]
pub struct Waypoint {
    /// Its index in the pool.
    pub index: u32,
    /// Where the agent's feet stand (or hover), in world units.
    pub position: Vec2,
    /// The name of its marker; empty when it has none.
    pub name: Box<str>,
    /// Words that describe the position, for scores: `ledge`, `cover`.
    pub tags: Box<[Box<str>]>,
}

impl Waypoint {
    /// Whether it has a tag. Case is ignored.
    pub fn has_tag(&self, tag: &str) -> bool {
        self.tags.iter().any(|t| t.eq_ignore_ascii_case(tag))
    }
}

/// Waypoints shared by many agents; each waypoint is claimed by at most one.
///
/// A pool is a handle; clones share the claims. A level usually has two pools,
/// `ground` for walkers and `air` for flyers; [`Pools`](super::Pools) are made from the
/// level's markers.
///
/// ```
/// use glam::Vec2;
/// use navmesh_behavior::WaypointPool;
///
/// let ground = WaypointPool::new([Vec2::new(0.0, 64.0), Vec2::new(96.0, 32.0)]);
/// let claim = ground
///     .claim(None, |waypoint| waypoint.position.x)
///     .expect("both are free");
/// assert_eq!(claim.index, 1);
/// assert!(!ground.is_free(1));
/// drop(claim);
/// assert!(ground.is_free(1));
/// ```
#[derive(Debug, Clone)]
pub struct WaypointPool(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    waypoints: Box<[Waypoint]>,
    /// One per waypoint, shared with the other pools that have the waypoint.
    /// Atomic, so that no lock is held while the game's score functions run.
    claimed: Box<[Arc<AtomicBool>]>,
    /// How many waypoints are not claimed through this pool. Increased before a
    /// claim is released and decreased after a claim is made, so it is never
    /// below the number of free waypoints: 0 means that scoring would be in
    /// vain.
    free: AtomicUsize,
}

impl WaypointPool {
    /// A pool of these waypoints, or positions; their indices are set to their
    /// order.
    pub fn new(waypoints: impl IntoIterator<Item = impl Into<Waypoint>>) -> Self {
        Self::with_claims(waypoints.into_iter().map(|w| (w.into(), Arc::default())))
    }

    /// A pool of some of the waypoints of this pool; their indices are set to
    /// their order. A waypoint that is claimed in one of the two pools is taken
    /// in the other.
    pub(crate) fn subset(&self, belongs: impl Fn(&Waypoint) -> bool) -> Self {
        let all = self.0.waypoints.iter().zip(&self.0.claimed);
        let some = all.filter(|(waypoint, _)| belongs(waypoint));
        Self::with_claims(some.map(|(waypoint, claimed)| (waypoint.clone(), claimed.clone())))
    }

    fn with_claims(waypoints: impl Iterator<Item = (Waypoint, Arc<AtomicBool>)>) -> Self {
        let numbered = waypoints.zip(0..);
        let (waypoints, claimed): (Vec<_>, Vec<_>) = numbered
            .map(|((waypoint, claimed), index)| (Waypoint { index, ..waypoint }, claimed))
            .unzip();
        let free = AtomicUsize::new(waypoints.len());
        let (waypoints, claimed) = (waypoints.into(), claimed.into());
        Self(Arc::new(Shared {
            waypoints,
            claimed,
            free,
        }))
    }

    /// Every waypoint, claimed or not.
    pub fn waypoints(&self) -> &[Waypoint] {
        &self.0.waypoints
    }

    /// Whether a waypoint is free; `false` if there is no such waypoint.
    pub fn is_free(&self, index: u32) -> bool {
        let claimed = self.0.claimed.get(index as usize);
        claimed.is_some_and(|c| !c.load(Ordering::Acquire))
    }

    /// Claims one waypoint; `None` if it is claimed already or does not exist.
    pub(crate) fn claim_one(&self, index: u32) -> Option<WaypointClaim> {
        let claimed = self.0.claimed.get(index as usize)?;
        claimed
            .compare_exchange(false, true, Ordering::AcqRel, Ordering::Acquire)
            .ok()?;
        self.0.free.fetch_sub(1, Ordering::AcqRel);
        Some(WaypointClaim {
            pool: self.clone(),
            index,
        })
    }

    /// Scores every free waypoint except `except`, and claims the one with the
    /// highest score; in a tie, the one with the lowest index. A score that is
    /// negative or NaN means never. `None` when no waypoint is left.
    pub fn claim(
        &self,
        except: Option<u32>,
        mut score: impl FnMut(&Waypoint) -> f32,
    ) -> Option<WaypointClaim> {
        loop {
            if self.0.free.load(Ordering::Acquire) == 0 {
                return None;
            }
            let mut best: Option<(f32, u32)> = None;
            for waypoint in &self.0.waypoints {
                if except == Some(waypoint.index) || !self.is_free(waypoint.index) {
                    continue;
                }
                let score = score(waypoint);
                if score >= 0.0 && best.is_none_or(|(most, _)| score > most) {
                    best = Some((score, waypoint.index));
                }
            }
            // If another thread claimed it first, score the rest again. Each
            // round one waypoint gets claimed, so the loop ends.
            if let Some(claim) = self.claim_one(best?.1) {
                return Some(claim);
            }
        }
    }
}

/// A waypoint without a name and tags.
impl From<Vec2> for Waypoint {
    fn from(position: Vec2) -> Self {
        Self {
            index: 0,
            position,
            name: Box::default(),
            tags: Box::default(),
        }
    }
}

impl From<WaypointMarker<'_>> for Waypoint {
    fn from(marker: WaypointMarker<'_>) -> Self {
        Self {
            index: 0,
            position: marker.position,
            name: marker.marker.name.as_str().into(),
            tags: marker.tags().map(Box::from).collect(),
        }
    }
}

/// A claim of a waypoint, to which it derefs. The waypoint is free again when the claim is
/// dropped.
#[must_use = "a claim is released when it is dropped"]
#[derive(Debug)]
pub struct WaypointClaim {
    pool: WaypointPool,
    index: u32,
}

impl Deref for WaypointClaim {
    type Target = Waypoint;

    fn deref(&self) -> &Waypoint {
        // `claim_one` checks that the index exists.
        &self.pool.0.waypoints[self.index as usize]
    }
}

impl Drop for WaypointClaim {
    fn drop(&mut self) {
        if let Some(claimed) = self.pool.0.claimed.get(self.index as usize) {
            // Before the waypoint is free: `claim` gives up where the count is 0, so
            // it must never be too low.
            self.pool.0.free.fetch_add(1, Ordering::AcqRel);
            claimed.store(false, Ordering::Release);
        }
    }
}
