//! Sharing between agents: who may attack now, and who stands where. Pools work without
//! behaviour trees.

mod token;
mod waypoint;

pub use token::{Aggression, Request, Token, TokenPool, TokenState};
pub use waypoint::{Waypoint, WaypointClaim, WaypointPool};

use std::collections::BTreeMap;

use crate::error;
use navmesh_runtime::mesh::NavMesh;

/// Token and waypoint pools by name.
///
/// A behaviour tree names its pools; the state of each agent is bound to the
/// pools of its level, so one tree can serve several levels. Names ignore case in trees.
///
/// ```
/// use navmesh_behavior::{Aggression, Pools, TokenPool};
///
/// let mut pools = Pools::default();
/// pools.tokens.insert("melee".into(), TokenPool::new(Aggression::Medium));
/// assert_eq!(pools.tokens["melee"].held(), 0);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Pools {
    /// Pools of tokens.
    pub tokens: BTreeMap<String, TokenPool>,
    /// Pools of waypoints.
    pub waypoints: BTreeMap<String, WaypointPool>,
}

/// The waypoint pools of a baked level: one for each pool that its
/// [waypoint markers](NavMesh::waypoints) name, with its name in lower case, in the
/// level's order. A marker that names several pools is one waypoint: claimed in one
/// pool, it is taken in all.
impl From<&NavMesh> for Pools {
    fn from(mesh: &NavMesh) -> Self {
        let all = WaypointPool::new(mesh.waypoints());
        let mut by_pool: BTreeMap<String, Vec<u32>> = BTreeMap::new();
        for (waypoint, index) in mesh.waypoints().zip(0..) {
            for pool in waypoint.pools() {
                by_pool
                    .entry(pool.to_ascii_lowercase())
                    .or_default()
                    .push(index);
            }
        }
        let mut pools = Self::default();
        for (name, members) in by_pool {
            let pool = all.subset(|waypoint| members.contains(&waypoint.index));
            pools.waypoints.insert(name, pool);
        }
        pools
    }
}

impl Pools {
    pub(crate) fn find_tokens(&self, name: &str) -> Result<&TokenPool, String> {
        find(&self.tokens, "token pool", name)
    }

    pub(crate) fn find_waypoints(&self, name: &str) -> Result<&WaypointPool, String> {
        find(&self.waypoints, "waypoint pool", name)
    }
}

/// A pool, or that there is none. Case is ignored: levels and trees are written by different
/// people, who may capitalize differently.
fn find<'a, P>(pools: &'a BTreeMap<String, P>, what: &str, name: &str) -> Result<&'a P, String> {
    let mut all = pools.iter();
    let found = all.find(|(other, _)| other.eq_ignore_ascii_case(name));
    found.map(|(_, pool)| pool).ok_or_else(|| {
        let hint = error::similar(name, pools.keys().map(String::as_str));
        let hint = hint.unwrap_or_else(|| "add it to the pools of the level".to_owned());
        error::unknown(what, name, &hint)
    })
}
