//! How the interest of objects spreads over a layer.

use std::collections::BTreeMap;

use glam::Vec2;

use super::objects::{Danger, Interest, InvalidInterest, Object, WORTH_UNIT, whole};
use super::table::Table;
use super::zones::{Place, Zones, measure};
use crate::mesh::Layer;
use crate::search::{Doors, Filter, PathFinder, Query, Rect, locate};

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
    pub(super) settings: FieldSettings,
    pub(super) doors: Doors,
    /// The query of paths between zones, with the doors closed.
    query: Query,
    pub(super) zones: Zones,
    pub(super) objects: Vec<Object<E>>,
    /// The index of each object.
    index: BTreeMap<E, usize>,
    /// For each kind and zone, the worth of the objects in the zone.
    pub(super) here: Vec<i64>,
    /// For each kind and zone, the worth with what spreads from others.
    sums: Vec<i64>,
    /// [`sums`](Self::sums), for fast reading.
    around: Vec<f32>,
    dangers: BTreeMap<E, Area>,
    /// For each zone, the harm.
    harm: Vec<i64>,
    pub(super) now: f64,
    /// The objects by zone; not made again yet when an object has changed.
    pub(super) table: Table,
}

#[derive(Debug, Clone)]
struct Area {
    danger: Danger,
    /// Zones and their shares of the harm, in [`SHARE_UNIT`]s.
    shares: Vec<(u32, i64)>,
    is_active: bool,
}

impl<E: Copy + Ord> InterestField<E> {
    /// A field without objects.
    ///
    /// # Errors
    /// When a setting is out of range.
    pub fn new(layer: &Layer, settings: FieldSettings) -> Result<Self, InvalidInterest> {
        settings.check()?;
        let doors = Doors::new();
        let zones = Zones::new(layer, settings.zone_size);
        let mut this = Self {
            settings,
            doors,
            query: Query::new(Vec2::ZERO, Vec2::ZERO),
            zones,
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
    pub(super) fn slot(&self, zone: u32, kind: usize) -> usize {
        kind * self.zones.len() + zone as usize
    }

    fn clear_sums(&mut self) {
        let (zones, kinds) = (self.zones.len(), self.settings.kinds);
        self.here = vec![0; zones * kinds];
        self.sums = vec![0; zones * kinds];
        self.around = vec![0.0; zones * kinds];
        self.harm = vec![0; zones];
    }

    /// The centers of the zones: feet, world units.
    pub fn zones(&self) -> &[Vec2] {
        &self.zones.centers
    }

    /// The index of the zone around a position (feet, world units) in
    /// [`zones`](Self::zones); `None` where no agent can be.
    pub fn zone_at(&self, layer: &Layer, position: Vec2) -> Option<usize> {
        let is_own = self.zones.layer == layer.identity();
        let place = locate(layer, position).filter(|_| is_own)?;
        Some(self.zones.of(layer, place)? as usize)
    }

    /// Finds the surroundings of every zone, which is otherwise done when an object
    /// is first in it: some 100 path searches a zone. Call it while a level loads.
    pub fn prepare(&mut self, layer: &Layer, finder: &mut PathFinder) {
        self.renew(layer, finder);
        for zone in 0..self.zones.len() as u32 {
            let (query, spread) = (&mut self.query, self.settings.spread);
            self.zones.near(layer, finder, query, zone, spread);
        }
    }

    /// Sets the doors of the level. Interest does not spread through closed ones, but
    /// all of a zone that a door divides has the interest of its center.
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
        self.renew(layer, finder);
        self.doors.clone_from(doors);
        self.query.filter = Filter::default();
        self.query.filter.close_doors(doors);
        let spread = self.settings.spread;
        self.zones.set_doors(layer, doors, &opened, spread);
        let body = Vec2::from(layer.profile().body).max_element();
        let near = self.settings.reach + body;
        for index in 0..self.objects.len() {
            let at = self.objects[index].interest.position;
            let distance = |rect: &Rect| at.distance(at.clamp(rect.min, rect.max));
            if changed.iter().any(|rect| distance(rect) <= near) {
                let place = self.find_place(layer, at);
                self.replace(layer, finder, index, place);
            }
        }
        self.join_dangers(layer, finder);
    }

    /// How many paths [`update`](Self::update) has to search again until the field is
    /// equal to a new one with the same doors.
    pub fn pending(&self) -> usize {
        self.zones.pending()
    }

    /// Searches some of the paths again that doors may have changed.
    fn settle(&mut self, layer: &Layer, finder: &mut PathFinder) {
        let spread = self.settings.spread;
        for _ in 0..self.settings.searches {
            let Some(change) = self.zones.settle(layer, finder, &mut self.query) else {
                return;
            };
            let [old, new] = change.seconds.map(|seconds| share(seconds, spread));
            for kind in 0..self.settings.kinds {
                let worth = self.here[self.slot(change.to, kind)];
                if worth != 0 && old != new {
                    self.add_at(change.from, kind, worth * (new - old));
                }
            }
            if self.pending() == 0 {
                self.join_dangers(layer, finder);
            }
        }
    }

    fn join_dangers(&mut self, layer: &Layer, finder: &mut PathFinder) {
        let ids: Vec<E> = self.dangers.keys().copied().collect();
        for id in ids {
            if let Some(area) = self.dangers.remove(&id) {
                if area.is_active {
                    self.change_harm(&area, -1);
                }
                self.add_danger(layer, finder, id, area.danger);
            }
        }
    }

    fn add_danger(&mut self, layer: &Layer, finder: &mut PathFinder, id: E, danger: Danger) {
        let area = Area {
            danger,
            shares: self.shares(layer, finder, &danger),
            is_active: danger.is_active(self.now),
        };
        if area.is_active {
            self.change_harm(&area, 1);
        }
        self.dangers.insert(id, area);
    }

    /// Computes the field again in another layer.
    pub(super) fn renew(&mut self, layer: &Layer, finder: &mut PathFinder) {
        if self.zones.layer != layer.identity() {
            self.rebuild(layer, finder);
        }
    }

    fn rebuild(&mut self, layer: &Layer, finder: &mut PathFinder) {
        self.zones = Zones::new(layer, self.settings.zone_size);
        self.clear_sums();
        // Their harm went with the sums.
        for area in self.dangers.values_mut() {
            area.is_active = false;
        }
        self.zones.set_doors(layer, &self.doors, &[], 0.0);
        for i in 0..self.objects.len() {
            let place = self.find_place(layer, self.objects[i].interest.position);
            self.set_place(layer, finder, i, place);
            let worth = self.objects[i].worth;
            self.add(layer, finder, i, worth);
        }
        self.join_dangers(layer, finder);
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
        self.renew(layer, finder);
        self.remove(layer, finder, id);
        let place = self.find_place(layer, interest.position);
        let worth = whole(interest.worth);
        let object = Object {
            id,
            interest,
            since: self.now,
            worth,
            place: None,
            aside: 0.0,
        };
        let index = self.objects.len();
        self.objects.push(object);
        self.set_place(layer, finder, index, place);
        self.index.insert(id, index);
        self.add(layer, finder, index, worth);
        Ok(place.is_some())
    }

    /// Removes an object; whether there was one.
    pub fn remove(&mut self, layer: &Layer, finder: &mut PathFinder, id: E) -> bool {
        self.renew(layer, finder);
        let Some(index) = self.index.remove(&id) else {
            return false;
        };
        self.add(layer, finder, index, -self.objects[index].worth);
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
        self.renew(layer, finder);
        let Some(&index) = self.index.get(&id).filter(|_| position.is_finite()) else {
            return false;
        };
        let place = self.find_place(layer, position);
        self.replace(layer, finder, index, place);
        self.objects[index].interest.position = position;
        place.is_some()
    }

    /// Sets where an object is taken, and moves its interest there.
    fn replace(
        &mut self,
        layer: &Layer,
        finder: &mut PathFinder,
        index: usize,
        place: Option<Place>,
    ) {
        let zone = |place: Option<Place>| place.map(|place| place.zone);
        let worth = self.objects[index].worth;
        let has_moved = zone(self.objects[index].place) != zone(place);
        if has_moved {
            self.add(layer, finder, index, -worth);
        }
        self.set_place(layer, finder, index, place);
        if has_moved {
            self.add(layer, finder, index, worth);
        }
    }

    fn set_place(
        &mut self,
        layer: &Layer,
        finder: &mut PathFinder,
        index: usize,
        place: Option<Place>,
    ) {
        let object = &mut self.objects[index];
        object.place = place;
        self.table.expire();
        if let Some(place) = place
            && let Some(center) = self.zones.center(place.zone)
        {
            let mut open = Query::new(place.position, center);
            (object.aside, _) = measure(layer, finder, &mut open, place.position, center);
        }
    }

    fn find_place(&self, layer: &Layer, position: Vec2) -> Option<Place> {
        (self.zones).join(layer, &self.doors, position, self.settings.reach)
    }

    /// Adds to the interest that an object spreads.
    fn add(&mut self, layer: &Layer, finder: &mut PathFinder, index: usize, worth: i64) {
        let object = &self.objects[index];
        let Some(place) = object.place else {
            return;
        };
        let kind = usize::from(object.interest.kind);
        let slot = self.slot(place.zone, kind);
        self.here[slot] += worth;
        self.table.expire();
        self.spread(layer, finder, place.zone, kind, worth);
    }

    /// Adds to the interest around a zone.
    fn spread(
        &mut self,
        layer: &Layer,
        finder: &mut PathFinder,
        zone: u32,
        kind: usize,
        worth: i64,
    ) {
        let (row, spread) = (kind * self.zones.len(), self.settings.spread);
        let near = (self.zones).near(layer, finder, &mut self.query, zone, spread);
        for near in near {
            let slot = row + near.zone as usize;
            self.sums[slot] += worth * share(near.seconds, spread);
            self.around[slot] = fast(self.sums[slot]);
        }
    }

    /// Adds to the interest around one zone, in units of worth times share.
    fn add_at(&mut self, zone: u32, kind: usize, change: i64) {
        let slot = self.slot(zone, kind);
        self.sums[slot] += change;
        self.around[slot] = fast(self.sums[slot]);
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
        danger: Danger,
    ) -> Result<(), InvalidInterest> {
        danger.check()?;
        self.renew(layer, finder);
        self.remove_danger(id);
        self.add_danger(layer, finder, id, danger);
        Ok(())
    }

    /// Removes an area to keep away from; whether there was one.
    pub fn remove_danger(&mut self, id: E) -> bool {
        let Some(area) = self.dangers.remove(&id) else {
            return false;
        };
        if area.is_active {
            self.change_harm(&area, -1);
        }
        true
    }

    fn change_harm(&mut self, area: &Area, sign: i64) {
        let harm = sign * whole(area.danger.harm);
        for &(zone, share) in &area.shares {
            if let Some(slot) = self.harm.get_mut(zone as usize) {
                *slot += harm * share;
            }
        }
    }

    /// The zones that a danger reaches, and how much of it: all of it for those
    /// whose center is inside, and for the one at its middle.
    fn shares(
        &mut self,
        layer: &Layer,
        finder: &mut PathFinder,
        danger: &Danger,
    ) -> Vec<(u32, i64)> {
        let Rect { min, max } = danger.area;
        let is_inside = |center: Vec2| center.cmpge(min).all() && center.cmple(max).all();
        let mut inside: Vec<u32> = (0..)
            .zip(&self.zones.centers)
            .filter(|(_, center)| is_inside(**center))
            .map(|(zone, _)| zone)
            .collect();
        let middle = min.midpoint(max);
        let place = (self.zones).join(layer, &self.doors, middle, self.settings.reach);
        inside.extend(place.map(|place| place.zone));
        let mut shares: BTreeMap<u32, i64> = BTreeMap::new();
        for &zone in &inside {
            let spread = self.settings.spread;
            let near = (self.zones).near(layer, finder, &mut self.query, zone, spread);
            for near in near {
                let own = share(near.seconds, danger.spread.min(spread));
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
        self.renew(layer, finder);
        self.settle(layer, finder);
        if now.is_nan() || now < self.now {
            return;
        }
        self.now = now;
        for index in 0..self.objects.len() {
            let object = &self.objects[index];
            if object.interest.growth != 0.0 {
                let worth = whole(object.interest.worth_after(now - object.since));
                let change = worth - object.worth;
                if change != 0 {
                    self.objects[index].worth = worth;
                    self.add(layer, finder, index, change);
                }
            }
        }
        let changed = |area: &Area| area.danger.is_active(now) != area.is_active;
        let has_ended = |area: &Area| area.danger.ends <= now;
        let ids = self.dangers.iter();
        let ids = ids.filter(|(_, area)| changed(area) || has_ended(area));
        let ids: Vec<E> = ids.map(|(id, _)| *id).collect();
        for id in ids {
            let Some(mut area) = self.dangers.remove(&id) else {
                continue;
            };
            let is_active = area.danger.is_active(now);
            if is_active != area.is_active {
                self.change_harm(&area, if is_active { 1 } else { -1 });
                area.is_active = is_active;
            }
            if !has_ended(&area) {
                self.dangers.insert(id, area);
            }
        }
    }

    pub(super) fn object(&self, id: E) -> Option<&Object<E>> {
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
            let weight = |kind| weights.get(kind).copied().unwrap_or(1.0);
            self.around(zone, weight) - caution * self.harm(zone)
        })
    }

    pub(super) fn around(&self, zone: u32, weight: impl Fn(usize) -> f32) -> f32 {
        let sum = |kind| self.around.get(self.slot(zone, kind)).copied();
        let kinds = 0..self.settings.kinds;
        kinds
            .map(|kind| weight(kind) * sum(kind).unwrap_or(0.0))
            .sum()
    }

    /// For each zone, the worth of a kind with what spreads from others.
    pub(super) fn around_all(&self, kind: usize) -> &[f32] {
        let zones = self.zones.len();
        &self.around[kind * zones..][..zones]
    }

    pub(super) fn harm(&self, zone: u32) -> f32 {
        let harm = self.harm.get(zone as usize).copied().unwrap_or(0);
        fast(harm)
    }

    pub(super) fn has_dangers(&self) -> bool {
        !self.dangers.is_empty()
    }
}

/// A sum of worth times share, in worth.
fn fast(sum: i64) -> f32 {
    (sum as f64 / (WORTH_UNIT * f64::from(SHARE_UNIT))) as f32
}

/// The share of interest that is left after some seconds.
fn share(seconds: f32, spread: f32) -> i64 {
    if seconds <= 0.0 {
        return SHARE_UNIT as i64;
    }
    ((1.0 - seconds / spread).max(0.0) * SHARE_UNIT).round() as i64
}
