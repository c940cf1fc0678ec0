//! Pools by name.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::Vec2;

use super::waypoint::{property, waypoint};
use super::{TokenPool, Waypoint, WaypointPool};
use crate::mesh::NavMesh;

/// Token and waypoint pools by name: what a behaviour tree is bound to when an
/// agent is spawned with it. One tree can thus serve several levels, each with
/// pools of its own. Cheap to clone.
///
/// ```
/// use navmesh_runtime::coordination::{Aggression, Pools, TokenPool};
///
/// let pools = Pools::new().with_tokens("melee", TokenPool::new(Aggression::Medium));
/// assert_eq!(pools.tokens("melee").map(TokenPool::limit), Some(2));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Pools(Arc<Named>);

#[derive(Debug, Clone, Default)]
struct Named {
    tokens: BTreeMap<String, TokenPool>,
    waypoints: BTreeMap<String, WaypointPool>,
}

/// A tree names a pool that does not exist.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "node `{path}` uses the {what} pool {name:?}, but there is none of that name; add it to the `Pools` the agent is spawned with"
)]
pub struct UnknownPool {
    /// The node that names it.
    pub path: String,
    /// `token` or `waypoint`.
    pub what: &'static str,
    /// The name.
    pub name: String,
}

/// A waypoint of a level that belongs to no pool.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error(
    "{level}: the waypoint {marker:?} at {at} names no pool; give the marker a property `pool`, such as `ground`"
)]
pub struct NoPoolNamed {
    /// The level's source file.
    pub level: String,
    /// The marker's name; empty when it has none.
    pub marker: String,
    /// The top-left corner of its box, world units.
    pub at: Vec2,
}

impl Pools {
    /// No pools.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a token pool, or replaces the one of that name.
    #[must_use]
    pub fn with_tokens(mut self, name: impl Into<String>, pool: TokenPool) -> Self {
        Arc::make_mut(&mut self.0).tokens.insert(name.into(), pool);
        self
    }

    /// Adds a waypoint pool, or replaces the one of that name.
    #[must_use]
    pub fn with_waypoints(mut self, name: impl Into<String>, pool: WaypointPool) -> Self {
        let named = Arc::make_mut(&mut self.0);
        named.waypoints.insert(name.into(), pool);
        self
    }

    /// Adds the waypoint pools of a baked level: every marker of the class
    /// `waypoint` belongs to the pool that its property `pool` names, or to
    /// several, with commas between. Its property `tags`, words with commas or
    /// spaces between, becomes [`Waypoint::tags`]. Pools keep the level's
    /// order.
    ///
    /// # Errors
    /// When a waypoint names no pool.
    pub fn with_waypoints_of(mut self, mesh: &NavMesh) -> Result<Self, NoPoolNamed> {
        let mut by_pool: BTreeMap<&str, Vec<Waypoint>> = BTreeMap::new();
        for marker in mesh.markers().iter().filter(|m| m.class == "waypoint") {
            let names = property(marker, "pool").unwrap_or_default();
            let mut is_in_one = false;
            for pool in names.split(',').map(str::trim).filter(|p| !p.is_empty()) {
                is_in_one = true;
                let waypoint = waypoint(marker, mesh.down());
                by_pool.entry(pool).or_default().push(waypoint);
            }
            if !is_in_one {
                return Err(NoPoolNamed {
                    level: mesh.provenance().source.clone(),
                    marker: marker.name.clone(),
                    at: marker.position,
                });
            }
        }
        for (name, waypoints) in by_pool {
            self = self.with_waypoints(name, WaypointPool::from_waypoints(waypoints));
        }
        Ok(self)
    }

    /// Every token pool and its name, in the order of their names.
    pub fn token_pools(&self) -> impl Iterator<Item = (&str, &TokenPool)> {
        self.0
            .tokens
            .iter()
            .map(|(name, pool)| (name.as_str(), pool))
    }

    /// Every waypoint pool and its name, in the order of their names.
    pub fn waypoint_pools(&self) -> impl Iterator<Item = (&str, &WaypointPool)> {
        let pools = self.0.waypoints.iter();
        pools.map(|(name, pool)| (name.as_str(), pool))
    }

    /// The token pool of that name.
    pub fn tokens(&self, name: &str) -> Option<&TokenPool> {
        self.0.tokens.get(name)
    }

    /// The waypoint pool of that name.
    pub fn waypoints(&self, name: &str) -> Option<&WaypointPool> {
        self.0.waypoints.get(name)
    }
}
