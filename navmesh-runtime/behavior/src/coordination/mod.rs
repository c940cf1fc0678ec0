//! Sharing between agents: who may attack now, and who stands where. Pools work without
//! behaviour trees.

mod token;
mod waypoint;

pub use token::{Aggression, Token, TokenPool, TokenState};
pub use waypoint::{Waypoint, WaypointClaim, WaypointPool};

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::error;
use navmesh_runtime::mesh::NavMesh;

/// Token and waypoint pools by name.
///
/// A behaviour tree names its pools; the state of each agent is bound to the
/// pools of its level, so one tree can serve several levels. Names ignore case.
/// Cheap to clone.
///
/// ```
/// use navmesh_behavior::{Aggression, Pools, TokenPool};
///
/// let pools = Pools::new().with_tokens("melee", TokenPool::new(Aggression::Medium));
/// let limits: Vec<_> = pools.token_pools().map(|(name, pool)| (name, pool.limit())).collect();
/// assert_eq!(limits, [("melee", 2)]);
/// ```
#[derive(Debug, Clone, Default)]
#[must_use]
pub struct Pools(Arc<Named>);

#[derive(Debug, Clone, Default)]
struct Named {
    tokens: BTreeMap<String, TokenPool>,
    waypoints: BTreeMap<String, WaypointPool>,
}

impl Pools {
    /// Without pools.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a token pool, or replaces the one of that name.
    pub fn with_tokens(mut self, name: impl Into<String>, pool: TokenPool) -> Self {
        let named = Arc::make_mut(&mut self.0);
        named.tokens.insert(key(name.into()), pool);
        self
    }

    /// Adds a waypoint pool, or replaces the one of that name.
    pub fn with_waypoints(mut self, name: impl Into<String>, pool: WaypointPool) -> Self {
        let named = Arc::make_mut(&mut self.0);
        named.waypoints.insert(key(name.into()), pool);
        self
    }

    /// Adds the waypoint pools of a baked level: one for each pool that its
    /// [waypoint markers](NavMesh::waypoints) name, in the level's order. A
    /// marker that names several pools is one waypoint: claimed in one pool, it
    /// is taken in all.
    pub fn with_waypoints_of(mut self, mesh: &NavMesh) -> Self {
        let all = WaypointPool::new(mesh.waypoints());
        let mut by_pool: BTreeMap<String, Vec<u32>> = BTreeMap::new();
        for (waypoint, index) in mesh.waypoints().zip(0..) {
            for pool in waypoint.pools() {
                by_pool.entry(key(pool.to_owned())).or_default().push(index);
            }
        }
        for (name, members) in by_pool {
            let pool = all.subset(|waypoint| members.contains(&waypoint.index));
            self = self.with_waypoints(name, pool);
        }
        self
    }

    /// Every token pool with its name in lower case, ordered by name.
    pub fn token_pools(&self) -> impl Iterator<Item = (&str, &TokenPool)> {
        let pools = self.0.tokens.iter();
        pools.map(|(name, pool)| (name.as_str(), pool))
    }

    /// Every waypoint pool with its name in lower case, ordered by name.
    pub fn waypoint_pools(&self) -> impl Iterator<Item = (&str, &WaypointPool)> {
        let pools = self.0.waypoints.iter();
        pools.map(|(name, pool)| (name.as_str(), pool))
    }

    /// The waypoint pool of that name.
    pub fn waypoints(&self, name: &str) -> Option<&WaypointPool> {
        self.find_waypoints(name).ok()
    }

    pub(crate) fn find_tokens(&self, name: &str) -> Result<&TokenPool, String> {
        find(&self.0.tokens, "token pool", name)
    }

    pub(crate) fn find_waypoints(&self, name: &str) -> Result<&WaypointPool, String> {
        find(&self.0.waypoints, "waypoint pool", name)
    }
}

/// A pool, or that there is none.
fn find<'a, P>(pools: &'a BTreeMap<String, P>, what: &str, name: &str) -> Result<&'a P, String> {
    pools.get(&key(name.to_owned())).ok_or_else(|| {
        let hint = error::similar(name, pools.keys().map(String::as_str));
        let hint = hint.unwrap_or_else(|| "add it to the pools of the level".to_owned());
        error::unknown(what, name, &hint)
    })
}

/// Names are stored in lower case: levels and trees are written by different
/// people, who may capitalize differently.
fn key(mut name: String) -> String {
    name.make_ascii_lowercase();
    name
}
