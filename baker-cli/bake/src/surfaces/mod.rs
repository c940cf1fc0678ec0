//! The stages that find platforms.

pub mod barriers;
pub mod climbs;
pub mod one_way_tops;
pub mod platform_line;
pub mod platforms;
pub mod stretches;

use navmesh_runtime::mesh::PlatformKind;

use crate::agent_limits::AgentLimits;
use crate::connection::Connection;
use crate::geometry::ConfigurationSpace;
use crate::layout::Layout;
use crate::space::slabs::Slabs;

/// The platforms of an agent, and the steps that join them without a flight.
pub struct Surfaces {
    /// Floors, then ladders, walls and ceilings.
    pub platforms: Vec<platform_line::PlatformLine>,
    /// Steps, sorted by the platform they leave.
    pub steps: Vec<Connection>,
    /// Free space, for agents that jump or drop.
    pub slabs: Option<Slabs>,
}

impl Surfaces {
    /// Runs the stages from stretches to climbing.
    pub fn find(space: &dyn ConfigurationSpace, layout: &Layout, limits: &AgentLimits) -> Self {
        let stretches = stretches::find_stretches(space, layout, limits);
        let (stretches, crossings) = one_way_tops::split_at_tops(stretches, space, layout);
        let floors = platforms::join_stretches(&stretches, space, layout, limits);
        let (mut platforms, mut steps) = barriers::split_at_walls(space, floors, layout, limits);
        steps.extend(one_way_tops::steps_up(
            &crossings, &platforms, layout, limits,
        ));
        let mut slabs = None;
        let climbs_anything = limits.climbs_anything();
        if climbs_anything || limits.takes_off() {
            // A climber can be at any height, so it needs a cut at every row.
            let rows: Vec<f64> = (0..=layout.rows)
                .filter(|_| climbs_anything)
                .map(|row| layout.area.min.y + f64::from(row) * layout.spacing)
                .collect();
            // Slabs take slanted ground as larger than it is, so higher ones lose moves close to
            // slopes; lower ones take more time, in proportion to their number.
            let fine = layout.spacing / 8.0;
            let coarse = Slabs::new(space, layout.width(), fine, &rows);
            if climbs_anything {
                let floors = platforms.len();
                platforms.extend(climbs::find_climbs(space, &coarse, layout, limits));
                steps.extend(climbs::steps(space, &platforms, floors, layout, limits));
            }
            if limits.takes_off() {
                // The lower end of a wall is often all that a jump reaches, so
                // there must be a cut at its height.
                let walls = platforms.iter().filter(|p| p.kind == PlatformKind::Wall);
                slabs = Some(coarse.refined(space, walls.map(|wall| wall.end().y)));
            }
        }
        // The steps of a platform are found by binary search when links are chosen.
        steps.sort_by_key(|step| step.from.platform);
        Self {
            platforms,
            steps,
            slabs,
        }
    }
}
