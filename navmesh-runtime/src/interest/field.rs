//! How the interest of objects spreads over a layer.

use std::collections::BTreeMap;

use glam::Vec2;

use super::objects::{Danger, Interest, InvalidInterest};
use super::routes::samples;
use super::zones::{Place, Zones};
use crate::mesh::Layer;
use crate::search::{Doors, Filter, Path, PathFinder, Query, Rect, locate};

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
}

impl FieldSettings {
    /// Settings for a layer: zones of 4 spacings, a spread of as many seconds as it
    /// takes to run 24 spacings, a reach of 6 spacings, a retry every second.
    pub fn new(layer: &Layer, kinds: usize) -> Self {
        let spacing = layer.grid().spacing;
        Self {
            kinds,
            zone_size: 4.0 * spacing,
            spread: 24.0 * spacing / layer.profile().run_speed,
            reach: 6.0 * spacing,
            retry: 1.0,
        }
    }

    fn check(&self) -> Result<(), InvalidInterest> {
        let lengths = [self.zone_size, self.spread, self.reach, self.retry];
        if !(1..=256).contains(&self.kinds) {
            return Err(InvalidInterest("there must be 1 to 256 kinds"));
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

/// Fractions of interest and of shares: sums of whole numbers do not depend on
/// their order, so a field after any changes equals a new one.
const WORTH_UNIT: f64 = 4096.0;
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
    /// For each zone and kind, the worth of the objects in the zone.
    here: Vec<i64>,
    /// For each zone and kind, the worth with what spreads from others.
    sums: Vec<i64>,
    /// [`sums`](Self::sums), for fast reading.
    around: Vec<f32>,
    dangers: BTreeMap<E, Area>,
    /// For each zone, the harm.
    harm: Vec<i64>,
    pub(super) now: f64,
    /// Memory of `choose`.
    pub(super) heads: Vec<(Vec2, f32)>,
    pub(super) best: Vec<(f32, usize)>,
}

#[derive(Debug, Clone)]
pub(super) struct Object<E> {
    pub(super) id: E,
    pub(super) interest: Interest,
    /// When it was inserted.
    since: f64,
    /// Its worth now.
    worth: i64,
    /// Where it is taken; `None` while it is set aside.
    pub(super) place: Option<Place>,
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
            heads: Vec::new(),
            best: Vec::new(),
        };
        this.clear_sums();
        Ok(this)
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
    /// Only what is near the doors that changed is computed again: objects within
    /// [`FieldSettings::reach`] are joined to places, and the surroundings of zones
    /// within [`FieldSettings::spread`] are searched if they hold objects.
    pub fn set_doors(&mut self, layer: &Layer, finder: &mut PathFinder, doors: &Doors) {
        let [old, new] = [self.doors.closed(), doors.closed()];
        let changed = |a: &[Rect], b: &[Rect]| {
            let rects = a.iter().filter(|rect| !b.contains(rect));
            rects.copied().collect::<Vec<_>>()
        };
        let changed = [changed(old, new), changed(new, old)].concat();
        if changed.is_empty() {
            return;
        }
        self.renew(layer, finder);
        let spread = self.settings.spread;
        let affected = self.zones.affected(layer, &changed, spread);
        for &zone in &affected {
            self.spread_zone(layer, finder, zone, -1);
        }
        self.zones.forget(&affected);
        self.doors.clone_from(doors);
        self.query.filter = Filter::default();
        self.query.filter.close_doors(doors);
        for &zone in &affected {
            self.spread_zone(layer, finder, zone, 1);
        }
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

    /// Adds what the objects of a zone spread, times a sign.
    fn spread_zone(&mut self, layer: &Layer, finder: &mut PathFinder, zone: u32, sign: i64) {
        for kind in 0..self.settings.kinds {
            let worth = self.here[zone as usize * self.settings.kinds + kind];
            if worth != 0 {
                self.spread(layer, finder, zone, kind, sign * worth);
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
        for i in 0..self.objects.len() {
            self.objects[i].place = self.find_place(layer, self.objects[i].interest.position);
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
            place,
        };
        let index = self.objects.len();
        self.objects.push(object);
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
        self.objects[index].place = place;
        if has_moved {
            self.add(layer, finder, index, worth);
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
        let (kinds, kind) = (self.settings.kinds, usize::from(object.interest.kind));
        self.here[place.zone as usize * kinds + kind] += worth;
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
        let (kinds, spread) = (self.settings.kinds, self.settings.spread);
        let near = (self.zones).near(layer, finder, &mut self.query, zone, spread);
        for near in near {
            let slot = near.zone as usize * kinds + kind;
            self.sums[slot] += worth * share(near.seconds, spread);
            let unit = WORTH_UNIT * f64::from(SHARE_UNIT);
            self.around[slot] = (self.sums[slot] as f64 / unit) as f32;
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
    /// back): objects grow, dangers begin and end.
    pub fn update(&mut self, layer: &Layer, finder: &mut PathFinder, now: f64) {
        self.renew(layer, finder);
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

    /// What an object is worth now, without its surroundings; `None` for an unknown
    /// one.
    pub fn worth(&self, id: E) -> Option<f32> {
        let object = self.objects.get(*self.index.get(&id)?)?;
        Some(object.worth())
    }

    /// The feet of an agent that takes an object (world units); `None` for an
    /// unknown one, and for one that is set aside.
    pub fn place(&self, id: E) -> Option<Vec2> {
        let object = self.objects.get(*self.index.get(&id)?)?;
        object.place.map(|place| place.position)
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
        let kinds = self.settings.kinds;
        let sums = self.around.get(zone as usize * kinds..).unwrap_or_default();
        let sums = sums.iter().take(kinds).enumerate();
        sums.map(|(kind, sum)| weight(kind) * sum).sum()
    }

    pub(super) fn harm(&self, zone: u32) -> f32 {
        let harm = self.harm.get(zone as usize).copied().unwrap_or(0);
        (harm as f64 / WORTH_UNIT / f64::from(SHARE_UNIT)) as f32
    }

    /// What an agent passes on a path: the worth of the objects in the zones that it
    /// crosses, each zone once, minus their harm.
    pub(super) fn gathered(
        &self,
        layer: &Layer,
        path: &Path,
        weights: &[f32],
        caution: f32,
    ) -> f32 {
        if self.zones.layer != layer.identity() {
            return 0.0;
        }
        let points = samples(layer, &path.steps, 0.5 * self.settings.zone_size);
        let mut zones: Vec<u32> = points
            .iter()
            .filter_map(|&point| self.zones.of(layer, locate(layer, point)?))
            .collect();
        zones.sort_unstable();
        zones.dedup();
        let kinds = self.settings.kinds;
        let worth = |zone: u32| -> f32 {
            let here = self.here.get(zone as usize * kinds..).unwrap_or_default();
            let here = here.iter().take(kinds).enumerate();
            here.map(|(kind, worth)| {
                let weight = weights.get(kind).copied().unwrap_or(1.0);
                weight * (*worth as f64 / WORTH_UNIT) as f32
            })
            .sum::<f32>()
                - caution * self.harm(zone)
        };
        zones.into_iter().map(worth).sum()
    }
}

impl<E> Object<E> {
    #[inline]
    pub(super) fn worth(&self) -> f32 {
        (self.worth as f64 / WORTH_UNIT) as f32
    }
}

fn whole(worth: f32) -> i64 {
    (f64::from(worth) * WORTH_UNIT).round() as i64
}

/// The share of interest that is left after some seconds.
fn share(seconds: f32, spread: f32) -> i64 {
    if seconds <= 0.0 {
        return SHARE_UNIT as i64;
    }
    ((1.0 - seconds / spread).max(0.0) * SHARE_UNIT).round() as i64
}
