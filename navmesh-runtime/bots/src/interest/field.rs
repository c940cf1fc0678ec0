//! How the interest of objects spreads over a layer.

use std::collections::BTreeMap;

use glam::Vec2;

use super::objects::{DangerArea, Interest, InvalidInterest, Object, WORTH_UNIT, whole};
use super::seeker::weight;
use super::table::Table;
use super::zones::{Paths, Place, Zones};
use navmesh_runtime::mesh::Layer;
use navmesh_runtime::search::{Doors, PathFinder, Query, Rect, SnapTo};

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
        let lengths = [self.zone_size, self.spread, self.reach, self.retry];
        if !(1..=256).contains(&self.kinds) {
            return Err(InvalidInterest("there must be 1 to 256 kinds"));
        }
        if self.searches == 0 {
            return Err(InvalidInterest("there must be at least 1 search"));
        }
        if !lengths
            .iter()
            .all(|length| length.is_finite() && *length > 0.0)
        {
            return Err(InvalidInterest(
                "sizes and times must be finite and above 0",
            ));
        }
        Ok(())
    }
}

/// Fractions of shares: see [`WORTH_UNIT`].
const SHARE_UNIT: f32 = 1024.0;

/// The interest of all objects in a layer, by zone.
///
/// Ids `E` are the game's. The methods take the layer that the agents move in; with
/// another layer than before, the field is computed again. See the
/// [module](super) for the formula and an example.
#[derive(Debug, Clone)]
pub struct InterestField<E> {
    pub(crate) settings: FieldSettings,
    pub(crate) doors: Doors,
    pub(crate) zones: Zones,
    pub(crate) objects: Vec<Object<E>>,
    /// The index of each object.
    index: BTreeMap<E, usize>,
    /// For each kind and zone, the worth of the objects in the zone.
    pub(crate) here: Vec<i64>,
    /// For each kind and zone, the worth with what spreads from others.
    sums: Vec<i64>,
    /// [`sums`](Self::sums), for fast reading.
    pub(crate) around: Vec<f32>,
    pub(crate) dangers: BTreeMap<E, Area>,
    /// For each zone, the harm of the dangers that last now.
    harm: Vec<i64>,
    pub(crate) now: f64,
    /// The objects by zone; not made again yet when an object has changed.
    pub(crate) table: Table,
}

#[derive(Debug, Clone)]
pub struct Area {
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

    /// The index of a kind in a zone. All zones of a kind are in a row, so that choices
    /// read them fast.
    pub(crate) fn slot(&self, zone: u32, kind: usize) -> usize {
        kind * self.zones.len() + zone as usize
    }

    fn clear_sums(&mut self) {
        let (zones, kinds) = (self.zones.len(), self.settings.kinds);
        self.here = vec![0; zones * kinds];
        self.sums = vec![0; zones * kinds];
        self.around = vec![0.0; zones * kinds];
        self.harm = vec![0; zones];
        // Its rows are those of the old zones.
        self.table.expire();
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
    /// closed door may block or that an opened one may make shorter.
    /// [`pending`](Self::pending) returns how many are left.
    pub fn set_doors(&mut self, layer: &Layer, finder: &mut PathFinder, doors: &Doors) {
        let [old, new] = [self.doors.closed(), doors.closed()];
        let without = |a: &[Rect], b: &[Rect]| {
            let rects = a.iter().filter(|rect| !b.contains(rect));
            rects.copied().collect::<Vec<_>>()
        };
        let opened = without(old, new);
        let changed = [opened.clone(), without(new, old)].concat();
        if changed.is_empty() {
            return;
        }
        let paths = &mut self.enter(layer, finder);
        self.doors.clone_from(doors);
        self.zones.set_doors(layer, doors, &opened);
        let body = Vec2::from(layer.profile().body).max_element();
        let near = self.settings.reach + body;
        for index in 0..self.objects.len() {
            let at = self.objects[index].interest.position;
            let distance = |rect: &Rect| at.distance(at.clamp(rect.min, rect.max));
            if changed.iter().any(|rect| distance(rect) <= near) {
                self.replace(paths, index);
            }
        }
        self.join_dangers(paths);
    }

    /// How many paths [`update`](Self::update) has to search again until the field is
    /// equal to a new one with the same doors.
    pub fn pending(&self) -> usize {
        self.zones.pending()
    }

    /// Searches some of the paths again that doors may have changed.
    fn settle(&mut self, paths: &mut Paths<'_>) {
        let spread = self.settings.spread;
        for _ in 0..self.settings.searches {
            let Some((from, to, seconds)) = self.zones.settle(paths) else {
                return;
            };
            let [old, new] = seconds.map(|seconds| share(seconds, spread));
            for kind in 0..self.settings.kinds {
                let (slot, worth) = (self.slot(from, kind), self.here[self.slot(to, kind)]);
                self.sums[slot] += worth * (new - old);
                self.around[slot] = fast(self.sums[slot]);
            }
            if self.pending() == 0 {
                self.join_dangers(paths);
            }
        }
    }

    fn join_dangers(&mut self, paths: &mut Paths<'_>) {
        self.harm.fill(0);
        let mut dangers = std::mem::take(&mut self.dangers);
        for area in dangers.values_mut() {
            area.shares = self.shares(paths, &area.danger);
            self.add_harm(area, i64::from(area.danger.is_active(self.now)));
        }
        self.dangers = dangers;
    }

    /// Adds the harm of an area to the field, or takes it out when `times` is -1.
    fn add_harm(&mut self, area: &Area, times: i64) {
        if times == 0 {
            return;
        }
        let harm = times * whole(area.danger.harm);
        for &(zone, share) in &area.shares {
            self.harm[zone as usize] += harm * share;
        }
    }

    /// Searches paths in a layer from now on; computes the field again when it is
    /// another one than before.
    pub(crate) fn enter<'a>(&mut self, layer: &'a Layer, finder: &'a mut PathFinder) -> Paths<'a> {
        let mut paths = Paths { layer, finder };
        if self.zones.layer != layer.identity() {
            self.rebuild(&mut paths);
        }
        paths
    }

    fn rebuild(&mut self, paths: &mut Paths<'_>) {
        let (size, spread) = (self.settings.zone_size, self.settings.spread);
        self.zones = Zones::new(paths.layer, size, spread);
        self.clear_sums();
        self.zones.set_doors(paths.layer, &self.doors, &[]);
        for index in 0..self.objects.len() {
            self.objects[index].place = None;
            self.replace(paths, index);
        }
        self.join_dangers(paths);
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
        let zone = |place: Option<Place>| place.map(|place| place.zone);
        let (old, worth) = (self.objects[index].place, self.objects[index].worth);
        let has_moved = zone(old) != zone(place);
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

    /// Adds an area to keep away from, or replaces the one with this id. Ids of
    /// areas and of objects do not collide.
    ///
    /// # Errors
    /// When a number is out of range; nothing changes then.
    pub fn insert_danger(
        &mut self,
        layer: &Layer,
        finder: &mut PathFinder,
        id: E,
        danger: DangerArea,
    ) -> Result<(), InvalidInterest> {
        danger.check()?;
        let paths = &mut self.enter(layer, finder);
        let shares = self.shares(paths, &danger);
        self.remove_danger(id);
        let area = Area { danger, shares };
        self.add_harm(&area, i64::from(danger.is_active(self.now)));
        self.dangers.insert(id, area);
        Ok(())
    }

    /// Removes an area to keep away from. Returns whether there was one.
    pub fn remove_danger(&mut self, id: E) -> bool {
        let Some(area) = self.dangers.remove(&id) else {
            return false;
        };
        self.add_harm(&area, -i64::from(area.danger.is_active(self.now)));
        true
    }

    /// The zones that a danger reaches, and how much of it: all of it for those
    /// whose centre is inside, and for the one at its middle.
    fn shares(&mut self, paths: &mut Paths<'_>, danger: &DangerArea) -> Vec<(u32, i64)> {
        let Rect { min, max } = danger.area;
        let is_inside = |center: Vec2| center.cmpge(min).all() && center.cmple(max).all();
        let mut inside: Vec<u32> = (0..)
            .zip(&self.zones.centers)
            .filter(|(_, center)| is_inside(**center))
            .map(|(zone, _)| zone)
            .collect();
        let place = self.find_place(paths.layer, min.midpoint(max));
        inside.extend(place.map(|place| place.zone));
        let mut shares: BTreeMap<u32, i64> = BTreeMap::new();
        let spread = danger.spread.min(self.settings.spread);
        for &zone in &inside {
            for near in self.zones.near(paths, zone) {
                let own = share(near.seconds, spread);
                let slot = shares.entry(near.zone).or_default();
                *slot = own.max(*slot);
            }
        }
        shares.into_iter().filter(|(_, share)| *share > 0).collect()
    }

    /// Advances the clock of the field to `now` (seconds, from any start, never
    /// back): objects grow, dangers begin and end. Also goes on with the work of
    /// [`set_doors`](Self::set_doors).
    pub fn update(&mut self, layer: &Layer, finder: &mut PathFinder, now: f64) {
        let paths = &mut self.enter(layer, finder);
        self.settle(paths);
        if now.is_nan() || now < self.now {
            return;
        }
        let before = std::mem::replace(&mut self.now, now);
        for index in 0..self.objects.len() {
            let object = &self.objects[index];
            if object.interest.growth != 0.0 {
                let worth = whole(object.interest.worth_after(now - object.since));
                let change = worth - object.worth;
                if change != 0 {
                    self.objects[index].worth = worth;
                    self.add(paths, index, change);
                }
            }
        }
        let mut dangers = std::mem::take(&mut self.dangers);
        dangers.retain(|_, area| {
            let [was, is] = [before, now].map(|time| i64::from(area.danger.is_active(time)));
            self.add_harm(area, is - was);
            now < area.danger.ends
        });
        self.dangers = dangers;
    }

    pub(crate) fn object(&self, id: E) -> Option<&Object<E>> {
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

    pub(crate) fn around(&self, zone: u32, weights: &[f32]) -> f32 {
        (0..self.settings.kinds)
            .map(|kind| weight(weights, kind) * self.around[self.slot(zone, kind)])
            .sum()
    }

    pub(crate) fn harm(&self, zone: u32) -> f32 {
        fast(self.harm[zone as usize])
    }
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
