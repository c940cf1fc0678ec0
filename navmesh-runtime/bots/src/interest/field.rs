//! How the interest of objects spreads over a layer.

use std::collections::{BTreeMap, BTreeSet};

use glam::Vec2;

pub use choice::{Seeker, Target};

use super::cells::Cells;
use super::routes::{duration, samples};
use choice::{Table, weight};
use navmesh_runtime::mesh::Layer;
use navmesh_runtime::search::{Doors, Path, PathFinder, Query, Rect, SnapTo, Step};
use zones::{Paths, Place, Zones, difference};

mod choice;
mod zones;

/// A number for an [`InterestField`] is out of range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("interest: {0}")]
pub struct InvalidInterest(pub &'static str);

fn require(is_valid: bool, message: &'static str) -> Result<(), InvalidInterest> {
    is_valid.then_some(()).ok_or(InvalidInterest(message))
}

const MOST_WORTH: f32 = 1e6;

/// Fractions of interest: sums of whole numbers do not depend on their order, so a
/// field after any changes equals a new one.
const WORTH_UNIT: f64 = 4096.0;

/// Fractions of shares: see [`WORTH_UNIT`].
const SHARE_UNIT: f32 = 1024.0;

/// Seconds between two changes of a growing object: longer than a frame, so that
/// most frames change few objects.
const GROWTH_STEP: f64 = 0.25;

/// An object that interests agents: a coin, a powerup, another agent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interest {
    /// Its kind: a number below [`FieldSettings::kinds`].
    pub kind: u8,
    /// Its position, world units: any point near where an agent takes it.
    pub position: Vec2,
    /// What it is worth when it is inserted, −1,000,000 to 1,000,000.
    pub worth: f32,
    /// Change of its worth per second, added every quarter of a second.
    pub growth: f32,
    /// The worth at which growth ends: the greatest one, or the least where growth is
    /// negative.
    pub limit: f32,
}

impl Interest {
    /// An object whose worth does not change.
    pub fn new(kind: u8, position: Vec2, worth: f32) -> Self {
        Self {
            kind,
            position,
            worth,
            growth: 0.0,
            limit: worth,
        }
    }

    fn check(&self, kinds: usize) -> Result<(), InvalidInterest> {
        let is_worth = self.worth.abs() <= MOST_WORTH && self.limit.abs() <= MOST_WORTH;
        require(
            usize::from(self.kind) < kinds,
            "there are fewer kinds than that",
        )?;
        require(
            is_worth && self.growth.is_finite(),
            "worth must be within ±1,000,000",
        )?;
        require(self.position.is_finite(), "the position is not finite")
    }

    /// Its worth some seconds after it was inserted.
    fn worth_after(&self, seconds: f64) -> f32 {
        let steps = (seconds.max(0.0) / GROWTH_STEP).floor();
        let grown = f64::from(self.worth) + f64::from(self.growth) * GROWTH_STEP * steps;
        if self.growth > 0.0 {
            grown.min(f64::from(self.limit.max(self.worth))) as f32
        } else if self.growth < 0.0 {
            grown.max(f64::from(self.limit.min(self.worth))) as f32
        } else {
            self.worth
        }
    }
}

/// An area to keep away from for some time: the blast of a bomb, a trap.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DangerArea {
    /// The area, world units.
    pub area: Rect,
    /// What is subtracted from the interest of everything inside, 0 to 1,000,000.
    pub harm: f32,
    /// Seconds of travel over which the harm spreads outward and fades, 0 or more;
    /// at most [`FieldSettings::spread`] counts.
    pub spread: f32,
    /// When it begins, on the clock of [`InterestField::update`].
    pub starts: f64,
    /// When it ends, on the same clock. It is removed then.
    pub ends: f64,
}

impl DangerArea {
    fn check(&self) -> Result<(), InvalidInterest> {
        let is_area = self.area.min.is_finite() && self.area.max.is_finite();
        let is_harm = (0.0..=MOST_WORTH).contains(&self.harm) && self.spread >= 0.0;
        require(
            is_area && is_harm && !self.starts.is_nan() && !self.ends.is_nan(),
            "the area must be finite, the harm within 0 to 1,000,000, the spread 0 or more",
        )
    }

    fn is_active(&self, now: f64) -> bool {
        self.starts <= now && now < self.ends
    }
}

#[derive(Debug, Clone)]
pub struct Object<E> {
    pub id: E,
    pub interest: Interest,
    /// When it was inserted.
    since: f64,
    /// Its worth now, in units of [`WORTH_UNIT`].
    worth: i64,
    /// Where it is taken; `None` while it is set aside.
    pub place: Option<Place>,
    /// Seconds from there to the centre of the zone with every door open, infinite
    /// without a path.
    pub to_center: f32,
}

impl<E> Object<E> {
    #[inline]
    pub fn worth(&self) -> f32 {
        (self.worth as f64 / WORTH_UNIT) as f32
    }
}

/// How an [`InterestField`] divides a layer and spreads interest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FieldSettings {
    /// Number of kinds of objects, 1 to 256: kinds are numbers below it.
    pub kinds: usize,
    /// Greatest length of a zone, world units. The smaller, the more exact the
    /// interest of a place, and the more memory and time are needed.
    pub zone_size: f32,
    /// Seconds of travel after which nothing is left of an object's interest.
    pub spread: f32,
    /// Greatest length of the free line from an object to the place where an agent
    /// takes it, world units.
    pub reach: f32,
    /// Seconds for which an object to which an agent finds no path is barred for that
    /// agent; then it is tried again.
    pub retry: f32,
    /// Greatest number of path searches in one [`InterestField::update`] after doors
    /// have changed; at least 1. Each takes some microseconds.
    pub searches: usize,
}

impl FieldSettings {
    /// Settings for a layer: zones of 4 spacings, a spread of as many seconds as it
    /// takes to run 24 spacings, a reach of 6 spacings, a retry every second, 64
    /// searches in an update.
    pub fn new(layer: &Layer, kinds: usize) -> Self {
        let spacing = layer.grid().spacing;
        Self {
            kinds,
            zone_size: 4.0 * spacing,
            spread: 24.0 * spacing / layer.profile().run_speed,
            reach: 6.0 * spacing,
            retry: 1.0,
            searches: 64,
        }
    }

    fn check(&self) -> Result<(), InvalidInterest> {
        let sizes = [self.zone_size, self.spread, self.reach, self.retry];
        require(
            (1..=256).contains(&self.kinds),
            "there must be 1 to 256 kinds",
        )?;
        require(self.searches > 0, "there must be at least 1 search")?;
        require(
            sizes.iter().all(|size| size.is_finite() && *size > 0.0),
            "sizes and times must be finite and above 0",
        )
    }
}

/// The interest of all objects in a layer, by zone.
///
/// Ids `E` are the game's. The methods take the layer that the agents move in; with
/// another layer than before, the field is computed again. See the
/// [module](super) for the formula and an example.
#[derive(Debug, Clone)]
pub struct InterestField<E> {
    settings: FieldSettings,
    doors: Doors,
    zones: Zones,
    objects: Vec<Object<E>>,
    /// The index of each object.
    index: BTreeMap<E, usize>,
    /// For each kind and zone, the worth of the objects in the zone. All zones of a kind
    /// are in a row, so that choices read them fast.
    here: Vec<i64>,
    /// For each kind and zone, the worth with what spreads from others.
    sums: Vec<i64>,
    /// [`sums`](Self::sums), for fast reading.
    around: Vec<f32>,
    dangers: BTreeMap<E, Area>,
    /// For each zone, the harm of the dangers that last now.
    harm: Vec<i64>,
    now: f64,
    /// The objects by zone; not made again yet when an object has changed.
    table: Table,
}

#[derive(Debug, Clone)]
struct Area {
    danger: DangerArea,
    /// Zones and their shares of the harm, in [`SHARE_UNIT`]s.
    shares: Vec<(u32, i64)>,
}

impl<E: Copy + Ord> InterestField<E> {
    /// A field without objects.
    ///
    /// # Errors
    /// When a setting is out of range.
    pub fn new(layer: &Layer, settings: FieldSettings) -> Result<Self, InvalidInterest> {
        settings.check()?;
        let mut this = Self {
            settings,
            doors: Doors::new(),
            zones: Zones::new(layer, settings.zone_size, settings.spread),
            objects: Vec::new(),
            index: BTreeMap::new(),
            here: Vec::new(),
            sums: Vec::new(),
            around: Vec::new(),
            dangers: BTreeMap::new(),
            harm: Vec::new(),
            now: 0.0,
            table: Table::default(),
        };
        this.clear_sums();
        Ok(this)
    }

    fn clear_sums(&mut self) {
        let zones = self.zones.len();
        self.here = vec![0; zones * self.settings.kinds];
        self.sums.clone_from(&self.here);
        self.around = vec![0.0; self.here.len()];
        self.harm = vec![0; zones];
        // Its rows are those of the old zones.
        self.table.expire();
    }

    /// Searches paths in a layer from now on; computes the field again when it is
    /// another one than before.
    fn enter<'a>(&mut self, layer: &'a Layer, finder: &'a mut PathFinder) -> Paths<'a> {
        let mut paths = Paths { layer, finder };
        if self.zones.layer != layer.identity() {
            self.zones = Zones::new(layer, self.settings.zone_size, self.settings.spread);
            self.clear_sums();
            self.zones.set_doors(layer, &self.doors, &[]);
            for index in 0..self.objects.len() {
                self.objects[index].place = None;
                self.replace(&mut paths, index);
            }
            self.join_dangers(&mut paths);
        }
        paths
    }

    /// The centres of the zones: feet, world units.
    pub fn zones(&self) -> &[Vec2] {
        &self.zones.centers
    }

    /// The index of the zone around a position (feet, world units) in
    /// [`zones`](Self::zones); `None` where no agent can be.
    pub fn zone_at(&self, layer: &Layer, position: Vec2) -> Option<usize> {
        let is_own = self.zones.layer == layer.identity();
        let place = layer.snap(position, SnapTo::PathEnd).filter(|_| is_own)?;
        Some(self.zones.of(layer, place)? as usize)
    }

    /// Finds the surroundings of every zone, which is otherwise done when an object
    /// is first in it: some 100 path searches a zone. Call it while a level loads.
    pub fn prepare(&mut self, layer: &Layer, finder: &mut PathFinder) {
        let paths = &mut self.enter(layer, finder);
        for zone in 0..self.zones.len() as u32 {
            self.zones.near(paths, zone);
        }
    }

    /// Sets the doors of the level. Interest does not spread through closed ones, but
    /// all of a zone that a door divides has the interest of its centre.
    ///
    /// Choices and the places of objects near the doors change at once. The paths by
    /// which interest spreads are searched again in the next calls of
    /// [`update`](Self::update), [`FieldSettings::searches`] in each: those that a
    /// closed door may block or that an opened one may make shorter. Returns how many
    /// there are.
    pub fn set_doors(&mut self, layer: &Layer, finder: &mut PathFinder, doors: &Doors) -> usize {
        let opened = difference(self.doors.closed(), doors.closed());
        let closed = difference(doors.closed(), self.doors.closed());
        if opened.is_empty() && closed.is_empty() {
            return self.zones.stale.len();
        }
        let paths = &mut self.enter(layer, finder);
        self.doors.clone_from(doors);
        self.zones.set_doors(layer, doors, &opened);
        let near = self.settings.reach + Vec2::from(layer.profile().body).max_element();
        for index in 0..self.objects.len() {
            let at = self.objects[index].interest.position;
            let mut changed = opened.iter().chain(&closed);
            if changed.any(|door| at.distance(at.clamp(door.min, door.max)) <= near) {
                self.replace(paths, index);
            }
        }
        self.join_dangers(paths);
        self.zones.stale.len()
    }

    /// Searches some of the paths again that doors may have changed.
    fn settle(&mut self, paths: &mut Paths<'_>) {
        for _ in 0..self.settings.searches {
            let Some((from, to, seconds)) = self.zones.settle(paths) else {
                return;
            };
            let [old, new] = seconds.map(|seconds| share(seconds, self.settings.spread));
            for row in (0..self.here.len()).step_by(self.zones.len()) {
                let (slot, worth) = (row + from as usize, self.here[row + to as usize]);
                self.sums[slot] += worth * (new - old);
                self.around[slot] = fast(self.sums[slot]);
            }
            if self.zones.stale.is_empty() {
                self.join_dangers(paths);
            }
        }
    }

    /// Finds what the dangers reach.
    fn join_dangers(&mut self, paths: &mut Paths<'_>) {
        let mut dangers = std::mem::take(&mut self.dangers);
        for area in dangers.values_mut() {
            area.shares = self.shares(paths, &area.danger);
        }
        self.dangers = dangers;
        self.sum_harm();
    }

    /// Adds up the harm of the dangers that last now.
    fn sum_harm(&mut self) {
        self.harm.fill(0);
        for Area { danger, shares } in self.dangers.values() {
            if danger.is_active(self.now) {
                for &(zone, share) in shares {
                    self.harm[zone as usize] += whole(danger.harm) * share;
                }
            }
        }
    }

    /// Adds an object, or replaces the one with this id. Returns whether a free line
    /// leads to a place where agents can be; otherwise the object is set aside, and
    /// tried again when it is moved or doors near it change.
    ///
    /// # Errors
    /// When the kind does not exist or a number is out of range; nothing changes
    /// then.
    pub fn insert(
        &mut self,
        layer: &Layer,
        finder: &mut PathFinder,
        id: E,
        interest: Interest,
    ) -> Result<bool, InvalidInterest> {
        interest.check(self.settings.kinds)?;
        self.remove(layer, finder, id);
        let paths = &mut self.enter(layer, finder);
        let index = self.objects.len();
        self.index.insert(id, index);
        self.objects.push(Object {
            id,
            interest,
            since: self.now,
            worth: whole(interest.worth),
            place: None,
            to_center: 0.0,
        });
        Ok(self.replace(paths, index))
    }

    /// Removes an object. Returns whether there was one.
    pub fn remove(&mut self, layer: &Layer, finder: &mut PathFinder, id: E) -> bool {
        let paths = &mut self.enter(layer, finder);
        let Some(index) = self.index.remove(&id) else {
            return false;
        };
        self.add(paths, index, -self.objects[index].worth);
        self.table.expire();
        self.objects.swap_remove(index);
        if let Some(moved) = self.objects.get(index) {
            self.index.insert(moved.id, index);
        }
        true
    }

    /// Moves an object, for instance an agent that others chase. Returns whether a
    /// free line leads to it; `false` for an unknown one and for a position that is
    /// not finite. The spread changes when it enters another zone.
    pub fn move_to(
        &mut self,
        layer: &Layer,
        finder: &mut PathFinder,
        id: E,
        position: Vec2,
    ) -> bool {
        let paths = &mut self.enter(layer, finder);
        let Some(&index) = self.index.get(&id).filter(|_| position.is_finite()) else {
            return false;
        };
        self.objects[index].interest.position = position;
        self.replace(paths, index)
    }

    /// Finds where an object is taken, and moves its interest there. Returns whether
    /// there is such a place.
    fn replace(&mut self, paths: &mut Paths<'_>, index: usize) -> bool {
        let place = self.find_place(paths.layer, self.objects[index].interest.position);
        let (old, worth) = (self.objects[index].place, self.objects[index].worth);
        let has_moved = old.map(|place| place.zone) != place.map(|place| place.zone);
        if has_moved {
            self.add(paths, index, -worth);
        }
        let object = &mut self.objects[index];
        object.place = place;
        self.table.expire();
        if let Some(Place { zone, position }) = place {
            let center = self.zones.center(zone);
            let mut open = Query::new(position, center);
            (object.to_center, _) = paths.measure(&mut open, position, center);
        }
        if has_moved {
            self.add(paths, index, worth);
        }
        place.is_some()
    }

    fn find_place(&self, layer: &Layer, position: Vec2) -> Option<Place> {
        (self.zones).join(layer, &self.doors, position, self.settings.reach)
    }

    /// Adds to the interest that an object spreads.
    fn add(&mut self, paths: &mut Paths<'_>, index: usize, worth: i64) {
        let object = &self.objects[index];
        let Some(place) = object.place else {
            return;
        };
        let row = usize::from(object.interest.kind) * self.zones.len();
        self.here[row + place.zone as usize] += worth;
        self.table.expire();
        for near in self.zones.near(paths, place.zone) {
            let slot = row + near.zone as usize;
            self.sums[slot] += worth * share(near.seconds, self.settings.spread);
            self.around[slot] = fast(self.sums[slot]);
        }
    }

    /// Adds an area to keep away from, or replaces or removes the one with this id. Ids
    /// of areas and of objects do not collide.
    ///
    /// # Errors
    /// When a number is out of range; nothing changes then.
    pub fn set_danger(
        &mut self,
        layer: &Layer,
        finder: &mut PathFinder,
        id: E,
        danger: Option<DangerArea>,
    ) -> Result<(), InvalidInterest> {
        let paths = &mut self.enter(layer, finder);
        if let Some(danger) = danger {
            danger.check()?;
            let shares = self.shares(paths, &danger);
            self.dangers.insert(id, Area { danger, shares });
        } else {
            self.dangers.remove(&id);
        }
        self.sum_harm();
        Ok(())
    }

    /// The zones that a danger reaches, and how much of it: all of it for those
    /// whose centre is inside, and for the one at its middle.
    fn shares(&mut self, paths: &mut Paths<'_>, danger: &DangerArea) -> Vec<(u32, i64)> {
        let Rect { min, max } = danger.area;
        let place = self.find_place(paths.layer, min.midpoint(max));
        let centers = (0..).zip(&self.zones.centers);
        let mut inside: Vec<u32> = centers
            .filter(|(_, at)| at.cmpge(min).all() && at.cmple(max).all())
            .map(|(zone, _)| zone)
            .collect();
        inside.extend(place.map(|place| place.zone));
        let mut shares: BTreeMap<u32, i64> = BTreeMap::new();
        let spread = danger.spread.min(self.settings.spread);
        for zone in inside {
            for near in self.zones.near(paths, zone) {
                let most = shares.entry(near.zone).or_default();
                *most = share(near.seconds, spread).max(*most);
            }
        }
        shares.into_iter().filter(|(_, share)| *share > 0).collect()
    }

    /// Advances the clock of the field to `now` (seconds, from any start, never
    /// back): objects grow, dangers begin and end. Also goes on with the work of
    /// [`set_doors`](Self::set_doors): returns how many paths are still to be searched
    /// again until the field is equal to a new one with the same doors.
    pub fn update(&mut self, layer: &Layer, finder: &mut PathFinder, now: f64) -> usize {
        let paths = &mut self.enter(layer, finder);
        self.settle(paths);
        if now.is_nan() || now < self.now {
            return self.zones.stale.len();
        }
        let before = std::mem::replace(&mut self.now, now);
        for index in 0..self.objects.len() {
            let object = &mut self.objects[index];
            if object.interest.growth != 0.0 {
                let worth = whole(object.interest.worth_after(now - object.since));
                let change = worth - std::mem::replace(&mut object.worth, worth);
                if change != 0 {
                    self.add(paths, index, change);
                }
            }
        }
        let mut dangers = self.dangers.values().map(|area| &area.danger);
        if dangers.any(|danger| danger.is_active(before) != danger.is_active(now)) {
            self.sum_harm();
        }
        self.dangers.retain(|_, area| now < area.danger.ends);
        self.zones.stale.len()
    }

    fn object(&self, id: E) -> Option<&Object<E>> {
        self.objects.get(*self.index.get(&id)?)
    }

    /// What an object is worth now, without its surroundings; `None` for an unknown
    /// one.
    pub fn worth(&self, id: E) -> Option<f32> {
        self.object(id).map(Object::worth)
    }

    /// The feet of an agent that takes an object (world units); `None` for an
    /// unknown one, and for one that is set aside.
    pub fn place(&self, id: E) -> Option<Vec2> {
        self.object(id)?.place.map(|place| place.position)
    }

    /// The interest of the zone around a position, minus its harm: the sum for all
    /// kinds, each times its factor in `weights`. 0 where no agent can be.
    pub fn zone_interest(
        &self,
        layer: &Layer,
        position: Vec2,
        weights: &[f32],
        caution: f32,
    ) -> f32 {
        self.zone_at(layer, position).map_or(0.0, |zone| {
            let zone = zone as u32;
            self.around(zone, weights) - caution * self.harm(zone)
        })
    }

    fn around(&self, zone: u32, weights: &[f32]) -> f32 {
        let rows = self.around.chunks(self.zones.len()).enumerate();
        rows.map(|(kind, row)| weight(weights, kind) * row[zone as usize])
            .sum()
    }

    fn harm(&self, zone: u32) -> f32 {
        fast(self.harm[zone as usize])
    }

    /// Chooses a path by its duration and by what is gathered on it: the worth of the
    /// objects in the zones that it crosses, each zone once, minus their harm. Of the
    /// seeker, its weights and its caution count. `second` is what a second costs, in
    /// interest; `current` what is left of the present path, and the bonus in seconds
    /// for a path that shares all of it. Returns the index of the best path, the first
    /// of equal ones; `None` without paths.
    pub fn best_path(
        &self,
        layer: &Layer,
        seeker: &Seeker<'_, E>,
        paths: &[Path],
        second: f32,
        current: Option<(&[Step], f32)>,
    ) -> Option<usize> {
        let gap = 0.5 * layer.grid().spacing;
        let current = current.map(|(steps, bonus)| (samples(layer, steps, gap), bonus));
        let mut best = None;
        for (index, path) in paths.iter().enumerate() {
            let kept = current.as_ref().map_or(0.0, |(current, bonus)| {
                let cells = Cells::new(layer.grid().spacing, &samples(layer, &path.steps, gap));
                bonus * cells.shared(current)
            });
            let seconds = duration(path) as f32 - kept;
            let score = self.gathered(layer, path, seeker) - second * seconds;
            if best.is_none_or(|(most, _)| score > most) {
                best = Some((score, index));
            }
        }
        best.map(|(_, index)| index)
    }

    /// What an agent passes on a path.
    fn gathered(&self, layer: &Layer, path: &Path, seeker: &Seeker<'_, E>) -> f32 {
        let points = samples(layer, &path.steps, 0.5 * self.settings.zone_size);
        let zones = points
            .iter()
            .filter_map(|&point| self.zone_at(layer, point));
        let zones: BTreeSet<usize> = zones.collect();
        let mut sum = 0.0;
        for zone in zones {
            let rows = self.here.chunks(self.zones.len()).enumerate();
            let worth = rows.map(|(kind, row)| {
                weight(seeker.weights, kind) * (row[zone] as f64 / WORTH_UNIT) as f32
            });
            sum += worth.sum::<f32>() - seeker.caution * self.harm(zone as u32);
        }
        sum
    }
}

/// A worth in units of [`WORTH_UNIT`].
fn whole(worth: f32) -> i64 {
    (f64::from(worth) * WORTH_UNIT).round() as i64
}

/// A sum of worth times share, in worth.
fn fast(sum: i64) -> f32 {
    (sum as f64 / (WORTH_UNIT * f64::from(SHARE_UNIT))) as f32
}

/// The share of interest that is left after some seconds.
fn share(seconds: f32, spread: f32) -> i64 {
    if seconds <= 0.0 {
        SHARE_UNIT as i64
    } else if seconds < spread {
        ((1.0 - seconds / spread) * SHARE_UNIT).round() as i64
    } else {
        // Also with a spread of -0, by which nothing can be divided.
        0
    }
}
