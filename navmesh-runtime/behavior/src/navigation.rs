//! Connects the navigation tasks of a tree to an agent of
//! [`motion`](navmesh_runtime::motion).

use glam::Vec2;

use navmesh_runtime::motion::{Activity, Environment, IdleReason, NavAgent};
use navmesh_runtime::shared::PathSource;

/// What an agent's body is doing, as trees see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Navigation {
    /// It waits for the path to its destination, and may still move along the
    /// path before.
    Planning,
    /// It moves. Also while it finishes a jump after it was stopped.
    Moving,
    /// It rests at its destination, or where it was stopped on purpose.
    AtDestination,
    /// It rests somewhere else, or was never sent anywhere.
    Stopped,
}

/// For games whose agents are moved by [`motion`](navmesh_runtime::motion): implements
/// the navigation methods of [`TaskContext`](crate::TaskContext). Between the
/// ticks of the tree, the game steps the agent as usual.
///
/// For an example, see the [guide](crate::guide#move-the-agent).
impl Navigation {
    /// What an agent's body is doing.
    pub fn of(agent: &NavAgent) -> Self {
        match agent.pose().activity {
            Activity::Stranded(_) | Activity::Disabled => Self::Stopped,
            _ if agent.is_planning() => Self::Planning,
            Activity::Idle(IdleReason::Arrived) => Self::AtDestination,
            Activity::Idle(IdleReason::Waiting) => Self::Moving,
            activity if activity.is_moving() => Self::Moving,
            _ => Self::Stopped,
        }
    }

    /// Sends an agent to a destination and returns whether there is a path. Unless
    /// [`set_allow_partial_path`](NavAgent::set_allow_partial_path) was called, it must lead to exactly the
    /// destination. Without a path the agent stops, after it has finished a jump or drop.
    /// [Events](NavAgent::events) of this call, such as an arrival on the spot, are
    /// reported with those of the next step.
    ///
    /// With a [`PathQueue`](navmesh_runtime::motion::PathQueue) the path is found later:
    /// then this returns `true`, the agent is [`Planning`](Self::Planning), and
    /// it stops short of the destination if there turns out to be no path.
    pub fn start(
        agent: &mut NavAgent,
        environment: Environment<'_>,
        destination: Vec2,
        paths: &mut impl PathSource,
    ) -> bool {
        agent.go_to(destination);
        agent.plan_now(environment, paths);
        let has_path = match agent.pose().activity {
            Activity::Idle(reason) => matches!(reason, IdleReason::Arrived | IdleReason::Waiting),
            Activity::Stranded(_) | Activity::Disabled => false,
            // It follows the path, or it is in the air and has a path from
            // where it will land.
            _ => agent.is_under_way(),
        };
        if !has_path {
            agent.give_up();
        }
        has_path
    }
}
