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
use crate::geometry::{ConfigurationSpace, Interval};
use crate::layout::Layout;
use crate::level::Rect;
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
    /// The steps that leave a platform.
    pub fn steps_from(&self, platform: u32) -> &[Connection] {
        let first = self.steps.partition_point(|s| s.from.platform < platform);
        let end = self.steps.partition_point(|s| s.from.platform <= platform);
        &self.steps[first..end]
    }

    /// Runs the stages from stretches to slabs.
    pub fn find(space: &dyn ConfigurationSpace, layout: &Layout, limits: &AgentLimits) -> Self {
        let mut this = Self::without_slabs(space, layout, limits);
        if limits.takes_off() {
            let heights = heights(space, layout, limits, this.platforms.iter());
            let slabs = Slabs::new(space, layout.width(), heights, Interval::EVERYTHING);
            this.slabs = Some(slabs);
        }
        this
    }

    /// Runs the stages from stretches to climbing.
    pub fn without_slabs(
        space: &dyn ConfigurationSpace,
        layout: &Layout,
        limits: &AgentLimits,
    ) -> Self {
        let stretches = stretches::find_stretches(space, layout, limits);
        let (stretches, crossings) = one_way_tops::split_at_tops(stretches, space, layout);
        let mut platforms = platforms::join_stretches(&stretches, space, layout, limits);
        if limits.climbs_anything() {
            platforms.extend(climbs::find_climbs(space, layout, limits));
        }
        let (platforms, mut steps) = barriers::split_at_barriers(space, platforms, layout, limits);
        let floors = platforms.partition_point(|line| line.kind == PlatformKind::Floor);
        steps.extend(one_way_tops::steps_up(
            &crossings,
            &platforms[..floors],
            layout,
            limits,
        ));
        steps.extend(climbs::steps(space, &platforms, floors, layout, limits));
        // The steps of a platform are found by binary search when links are chosen.
        steps.sort_by_key(|step| step.from.platform);
        Self {
            platforms,
            steps,
            slabs: None,
        }
    }

    /// Keeps the platforms that meet a rectangle, and the steps between them.
    pub fn keep_in(&mut self, rect: &Rect) {
        let mut count = 0;
        let numbers: Vec<Option<u32>> = (self.platforms.iter())
            .map(|line| {
                let is_kept = line.bounds().meets(rect);
                count += u32::from(is_kept);
                is_kept.then(|| count - 1)
            })
            .collect();
        let mut kept = numbers.iter();
        self.platforms
            .retain(|_| kept.next().is_some_and(Option::is_some));
        let steps = self.steps.drain(..).filter_map(|step| {
            step.renumbered(|platform| numbers.get(platform as usize).copied().flatten())
        });
        self.steps = steps.collect();
    }
}

/// The cuts and the corners of the slabs of an agent that has these platforms.
pub fn heights<'a>(
    space: &dyn ConfigurationSpace,
    layout: &Layout,
    limits: &AgentLimits,
    platforms: impl Iterator<Item = &'a platform_line::PlatformLine>,
) -> [Vec<f64>; 2] {
    // Slabs take slanted ground as larger than it is, so higher ones lose moves close to
    // slopes; lower ones take more time, in proportion to their number.
    let step = layout.search_step(limits.body);
    let fine = step / 8.0;
    // A climber can be at any height, so it needs a cut at every step, the same ones
    // wherever the geometry lies in the area. The lower end of a wall is often all that a
    // jump reaches, so there must be a cut at its height.
    let (top, bottom) = (layout.area.min.y, layout.area.max.y);
    let highest = space.cuts(f64::INFINITY).first().copied();
    let row = highest.map_or(top, |y| top + (y - top).rem_euclid(step));
    let rows = (0..).map(|number| layout.round(row + f64::from(number) * step));
    let rows = rows.take_while(|y| limits.climbs_anything() && *y <= bottom);
    let walls = platforms.filter(|p| p.kind == PlatformKind::Wall);
    let cuts: Vec<f64> = rows.chain(walls.map(|wall| wall.end().y)).collect();
    Slabs::heights(space, fine, &cuts)
}
