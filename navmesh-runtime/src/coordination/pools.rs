//! Pools by name.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{TokenPool, WaypointPool};

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

    /// The token pool of that name.
    pub fn tokens(&self, name: &str) -> Option<&TokenPool> {
        self.0.tokens.get(name)
    }

    /// The waypoint pool of that name.
    pub fn waypoints(&self, name: &str) -> Option<&WaypointPool> {
        self.0.waypoints.get(name)
    }
}
