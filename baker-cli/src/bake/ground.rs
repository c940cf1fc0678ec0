//! What an agent stands on and holds on to, and what leads from one such
//! thing to another: stages 2 to 8, each as far as the agent needs it.

use navmesh_runtime::mesh::PlatformKind;

use super::{
    Connection, Floor, Landings, Layout, Limits, Places, Progress, Slabs, World, climbs, gates,
    links, part_at_tops, platforms, steps, stretches, ways_up,
};
use crate::geometry::{BodySpace, Interval};

/// The floors of an agent that walks, and the way between them.
pub struct Ground<'a> {
    space: &'a dyn BodySpace,
    layout: &'a Layout,
    limits: &'a Limits,
    /// Floors, then what is climbed.
    pub floors: Vec<Floor>,
    /// From one onto another without a flight, sorted by the floor they leave.
    steps: Vec<Connection>,
    /// The free space around, for agents that take off into it.
    slabs: Option<Slabs>,
}

impl<'a> Ground<'a> {
    /// Finds the floors and what is climbed.
    pub fn new(space: &'a dyn BodySpace, layout: &'a Layout, limits: &'a Limits) -> Self {
        let stretches = stretches(space, layout, limits);
        let (stretches, forks) = part_at_tops(stretches, space, layout);
        let floors = platforms(&stretches, space, layout, limits);
        let (floors, mut steps) = gates(space, floors, layout, limits);
        steps.extend(ways_up(&forks, &floors, layout, limits));
        steps.sort_by_key(|step| step.from.floor);
        let mut this = Self {
            space,
            layout,
            limits,
            floors,
            steps,
            slabs: None,
        };
        let climbs = limits.climbs_anything();
        if climbs || limits.takes_off() {
            // Climbers may be at any height, so there is a cut at every row.
            let rows: Vec<f64> = (0..=layout.rows)
                .filter(|_| climbs)
                .map(|row| layout.area.min.y + f64::from(row) * layout.spacing)
                .collect();
            let bounds = Interval::new(layout.area.min.x, layout.area.max.x);
            let slabs = Slabs::new(space, bounds, layout.spacing / 8.0, &rows);
            if climbs {
                this.climb(&slabs);
            }
            if limits.takes_off() {
                // The lowest that can be held on to is often all a jump reaches.
                let walls = this.floors.iter().filter(|f| f.kind == PlatformKind::Wall);
                this.slabs = Some(slabs.refined(space, walls.map(|wall| wall.right().y)));
            }
        }
        this
    }

    /// Adds what is climbed.
    fn climb(&mut self, slabs: &Slabs) {
        let (space, layout, limits) = (self.space, self.layout, self.limits);
        let first = self.floors.len();
        self.floors.extend(climbs(space, slabs, layout, limits));
        let more = steps(space, &self.floors, first, layout, limits);
        self.steps.extend(more);
        self.steps.sort_by_key(|step| step.from.floor);
    }

    /// All links, in order of the floor they leave.
    pub fn links(&self, stretch: f64, progress: &dyn Progress) -> Vec<Connection> {
        let (floors, layout, limits) = (&self.floors, self.layout, self.limits);
        let Some(slabs) = &self.slabs else {
            progress.advance(floors.len() as u64);
            return self.steps.clone();
        };
        let places = Places::new(floors, layout, slabs, limits);
        let landings = Landings::new(floors, &places, layout, slabs);
        let world = World {
            limits,
            layout,
            slabs,
            floors,
            places: &places,
            landings: &landings,
        };
        links(&world, self.space, &self.steps, stretch, progress)
    }
}
