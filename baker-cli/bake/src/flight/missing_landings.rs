//! Which landings the take-offs from one endpoint have found, and which they may
//! still find.
//!
//! Most take-offs reach only what others reach, and most of what lies below a level
//! cannot be reached at all. So a take-off is followed down to the lowest cut at
//! which it could find a landing that is missing, if nothing were in its way.

use crate::flight::landing_index::Landing;
use crate::flight::region::Region;
use crate::flight::slab_traversal::FlightWindow;
use crate::flight::vertical_motion::VerticalMotion;
use crate::geometry::Interval;

/// Columns that a body crosses in a step back from the end of a motion. With 1,
/// bakes of a bitmap and of tiles take 0.2 % more instructions.
const STEP_COLUMNS: f64 = 2.0;

/// The landings that the take-offs from one endpoint have found. Its memory is
/// reused for the next endpoint.
#[derive(Debug, Default)]
pub struct MissingLandings {
    /// For each endpoint, the number of the search that last found it.
    endpoints: Vec<u32>,
    /// The same for each platform.
    platforms: Vec<u32>,
    search: u32,
    /// How many landings this search has found.
    count: usize,
    /// For each cut of the region, where landings may be missing.
    missing: Vec<Missing>,
    /// The cuts at which the last take-off found landings, and the x of these.
    new: Vec<(usize, Interval)>,
}

/// Where landings may be missing at a cut.
#[derive(Debug, Clone, Copy)]
struct Missing {
    columns: u64,
    /// How many landings had been found when this was brought up to date.
    count: usize,
}

impl MissingLandings {
    /// Begins a search in a region of a level with so many endpoints and platforms.
    pub fn begin(&mut self, region: &Region, endpoints: usize, platforms: usize) {
        self.endpoints.resize(endpoints, 0);
        self.platforms.resize(platforms, 0);
        self.search = self.search.wrapping_add(1);
        // After 2^32 searches, the numbers of earlier ones are used again.
        if self.search == 0 {
            self.endpoints.fill(0);
            self.platforms.fill(0);
            self.search = 1;
        }
        self.count = 0;
        self.new.clear();
        self.missing.clear();
        let columns = region.landing_columns.iter();
        self.missing
            .extend(columns.map(|&columns| Missing { columns, count: 0 }));
    }

    /// Whether a landing is missing. Positions between endpoints are needed only on
    /// platforms of which nothing is found.
    pub fn needs(&self, landing: &Landing) -> bool {
        let known = match landing.index {
            Some(index) => self.endpoints[index],
            None => self.platforms[landing.to.platform as usize],
        };
        known != self.search
    }

    /// Adds a landing that is missing, at a cut.
    pub fn add(&mut self, landing: &Landing, cut: usize) {
        if let Some(index) = landing.index {
            self.endpoints[index] = self.search;
        }
        self.platforms[landing.to.platform as usize] = self.search;
        self.count += 1;
        let x = landing.to.x;
        match self.new.last_mut() {
            Some((last, all)) if *last == cut => *all = all.extended_to(x),
            _ => self.new.push((cut, Interval::at(x))),
        }
    }

    /// Whether landings may be missing at a cut of the region, within some columns.
    pub fn is_missing(&self, cut: usize, columns: u64) -> bool {
        self.missing[cut].columns & columns != 0
    }

    /// How far down a motion must be followed so that no landing that it reaches is
    /// missing; `None` if it can reach none that is.
    pub fn lowest_missing(
        &mut self,
        region: &Region,
        motion: &VerticalMotion,
        window: &FlightWindow,
        run_speed: f64,
    ) -> Option<f64> {
        if region.is_large {
            return Some(window.lowest);
        }
        while let Some((cut, x)) = self.new.pop() {
            self.update(region, cut, x);
        }
        let (cuts, flight) = (&region.slabs.cuts, motion.last());
        let bottom = window.lowest + window.tolerance;
        let first = region.slabs.slab_above(flight.apex(), window.tolerance);
        let end = cuts.partition_point(|y| *y <= bottom);
        // From the bottom up in steps: at each cut, the body is taken to be where it
        // can be at the lowest cut of the step.
        let mut above = f64::INFINITY;
        let (mut x, mut columns) = (window.x, 0);
        for cut in (first..end).rev() {
            if cuts[cut] <= above {
                let time = flight.falling_at(cuts[cut]);
                let across = run_speed * (time - motion.first().start);
                x = Interval::at(motion.x).grown(across).intersection(&window.x);
                columns = region.columns.set(x);
                let before = time - STEP_COLUMNS * region.columns.width() / run_speed;
                above = if before > flight.apex_at() {
                    flight.height_at(before)
                } else {
                    f64::NEG_INFINITY
                };
            }
            if !self.is_missing(cut, columns) {
                continue;
            }
            if self.missing[cut].count != self.count {
                self.missing[cut].count = self.count;
                self.update(region, cut, x);
            }
            if self.is_missing(cut, columns) {
                // Flights before the last one land nowhere.
                let before = motion.flights()[1..].iter().map(|flight| flight.y);
                return Some(before.fold(cuts[cut], f64::max).min(window.lowest));
            }
        }
        None
    }

    /// Finds out which landings are missing at a cut, within `x`.
    fn update(&mut self, region: &Region, cut: usize, x: Interval) {
        let (columns, landings) = (&region.columns, &region.landings);
        let missing = landings.columns(
            cut,
            columns.around(x),
            columns,
            |endpoint| self.endpoints[endpoint] != self.search,
            |platform| self.platforms[platform] != self.search,
        );
        // Columns beyond `x` were not looked at, so what is missing there stays.
        self.missing[cut].columns &= !columns.set(x) | missing;
    }
}
