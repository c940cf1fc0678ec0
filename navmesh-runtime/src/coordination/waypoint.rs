//! Places that one agent uses at a time.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use glam::Vec2;

use crate::mesh::{self, NavMesh};

/// A point of interest.
#[derive(Debug, Clone, PartialEq)]
pub struct Waypoint {
    /// Its number in the pool.
    pub index: u32,
    /// Where feet stand (or hover), world units.
    pub position: Vec2,
    /// The marker's name; empty when it has none.
    pub name: Box<str>,
    /// Words that say what kind of place it is, for utilities to go by.
    pub tags: Box<[Box<str>]>,
}

impl Waypoint {
    /// Whether it has a tag; case does not matter.
    pub fn has_tag(&self, tag: &str) -> bool {
        self.tags.iter().any(|t| t.eq_ignore_ascii_case(tag))
    }
}

/// Waypoints shared by many agents, each claimed by at most one.
///
/// A pool is a handle; clones share the claims. A level usually has two, one
/// for walkers and one for flyers, made from its markers.
///
/// ```
/// use glam::Vec2;
/// use navmesh_runtime::coordination::WaypointPool;
///
/// let ground = WaypointPool::new([Vec2::new(0.0, 64.0), Vec2::new(96.0, 32.0)]);
/// let claim = ground
///     .claim_best(None, |waypoint| waypoint.position.x)
///     .expect("both are free");
/// assert_eq!(claim.waypoint().index, 1);
/// assert_eq!(ground.free(), 1);
/// drop(claim);
/// assert_eq!(ground.free(), 2);
/// ```
#[derive(Clone)]
pub struct WaypointPool(Arc<Shared>);

struct Shared {
    waypoints: Box<[Waypoint]>,
    /// One a waypoint. Atomic, so that no lock is held while the game's
    /// utility functions run.
    claimed: Box<[AtomicBool]>,
    /// How many are free, or about to be: none is looked for in vain. Raised
    /// before a claim is undone, and lowered after one is made, so that it is
    /// never too low.
    free: AtomicUsize,
}

impl WaypointPool {
    /// A pool of unnamed waypoints.
    pub fn new(positions: impl IntoIterator<Item = Vec2>) -> Self {
        Self::from_named(
            positions
                .into_iter()
                .map(|position| (Box::<str>::default(), position)),
        )
    }

    /// A pool of waypoints with names.
    pub fn from_named(waypoints: impl IntoIterator<Item = (Box<str>, Vec2)>) -> Self {
        let waypoints = waypoints.into_iter();
        Self::from_waypoints(waypoints.map(|(name, position)| Waypoint {
            index: 0,
            position,
            name,
            tags: Box::default(),
        }))
    }

    /// A pool of waypoints as they are, but numbered anew in their order.
    pub fn from_waypoints(waypoints: impl IntoIterator<Item = Waypoint>) -> Self {
        let waypoints: Box<[Waypoint]> = waypoints
            .into_iter()
            .zip(0..)
            .map(|(waypoint, index)| Waypoint { index, ..waypoint })
            .collect();
        let claimed = waypoints.iter().map(|_| AtomicBool::new(false)).collect();
        let free = AtomicUsize::new(waypoints.len());
        Self(Arc::new(Shared {
            waypoints,
            claimed,
            free,
        }))
    }

    /// The waypoints of a baked level that are for one pool (property `pool`
    /// of the markers; see [`Waypoint::pools`](crate::mesh::WaypointMarker::pools)),
    /// in its order; case does not matter.
    pub fn of_pool(mesh: &NavMesh, pool: &str) -> Self {
        let is_in =
            |w: &mesh::WaypointMarker<'_>| w.pools().any(|own| own.eq_ignore_ascii_case(pool));
        Self::from_waypoints(mesh.waypoints().filter(is_in).map(Waypoint::from))
    }

    /// Every waypoint, claimed or not.
    pub fn waypoints(&self) -> &[Waypoint] {
        &self.0.waypoints
    }

    /// How many are free.
    pub fn free(&self) -> usize {
        let claimed = self.0.claimed.iter();
        claimed.filter(|c| !c.load(Ordering::Acquire)).count()
    }

    /// Whether one is free; one that does not exist is not.
    pub fn is_free(&self, index: u32) -> bool {
        let claimed = self.0.claimed.get(index as usize);
        claimed.is_some_and(|c| !c.load(Ordering::Acquire))
    }

    /// Claims one waypoint; `None` when it is taken or does not exist.
    #[must_use = "a claim that is dropped is given back at once"]
    pub fn claim(&self, index: u32) -> Option<WaypointClaim> {
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

    /// Scores every free waypoint but `except` and claims the best: the
    /// highest score, the lowest index on a tie. A negative score, or one that
    /// is not a number, means never. `None` when nothing is left.
    #[must_use = "a claim that is dropped is given back at once"]
    pub fn claim_best(
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
            // Another thread may have been faster; then the rest is judged
            // anew. Each round somebody gets one, so this ends.
            if let Some(claim) = self.claim(best?.1) {
                return Some(claim);
            }
        }
    }

    /// Whether two handles belong to one pool.
    pub fn same_pool(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl From<mesh::WaypointMarker<'_>> for Waypoint {
    fn from(waypoint: mesh::WaypointMarker<'_>) -> Self {
        Self {
            index: 0,
            position: waypoint.position,
            name: waypoint.marker.name.as_str().into(),
            tags: waypoint.tags().map(Box::from).collect(),
        }
    }
}

impl fmt::Debug for WaypointPool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WaypointPool")
            .field("waypoints", &self.0.waypoints.len())
            .field("free", &self.free())
            .finish()
    }
}

/// A claimed waypoint, free again when this is dropped.
#[must_use = "a claim that is dropped is given back at once"]
#[derive(Debug)]
pub struct WaypointClaim {
    pool: WaypointPool,
    index: u32,
}

impl WaypointClaim {
    /// The waypoint.
    pub fn waypoint(&self) -> &Waypoint {
        // A claim is only made for an index that exists.
        &self.pool.0.waypoints[self.index as usize]
    }

    /// The pool it came from.
    pub fn pool(&self) -> &WaypointPool {
        &self.pool
    }
}

impl Drop for WaypointClaim {
    fn drop(&mut self) {
        if let Some(claimed) = self.pool.0.claimed.get(self.index as usize) {
            self.pool.0.free.fetch_add(1, Ordering::AcqRel);
            claimed.store(false, Ordering::Release);
        }
    }
}
