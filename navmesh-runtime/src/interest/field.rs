//! The interest of objects, and how it spreads over a layer.

use std::collections::BTreeMap;

use glam::Vec2;

use super::habits::{Hysteresis, Recovery};
use super::zones::{Place, Zones};
use crate::mesh::{AgentProfile, Layer};
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
    /// Seconds until an object without such a place is tried again.
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

/// A number for an [`InterestField`] is out of range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("interest: {0}")]
pub struct InvalidInterest(&'static str);

/// An object that interests agents: a coin, a powerup, another agent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interest {
    /// Its kind: a number below [`FieldSettings::kinds`].
    pub kind: u8,
    /// Its position, world units: any point near where an agent takes it.
    pub position: Vec2,
    /// What it is worth when it is inserted, −1,000,000 to 1,000,000.
    pub worth: f32,
    /// Change of its worth per second, added every [`GROWTH_STEP`].
    pub growth: f32,
    /// The worth at which growth ends.
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

    /// The same object, whose worth changes by `growth` per second up to `limit`
    /// (or down to it, where `growth` is negative).
    #[must_use]
    pub fn growing(self, growth: f32, limit: f32) -> Self {
        Self {
            growth,
            limit,
            ..self
        }
    }

    /// Its worth some seconds after it was inserted.
    pub fn worth_after(&self, seconds: f64) -> f32 {
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

/// Seconds between two changes of a growing object: longer than a frame, so that
/// most frames change few objects.
pub const GROWTH_STEP: f64 = 0.25;

/// An area to keep away from for some time: the blast of a bomb, a trap.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Danger {
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

/// What one agent wants now.
#[derive(Debug, Clone)]
pub struct Seeker<'a, E> {
    /// Feet, world units.
    pub position: Vec2,
    /// What the objects of each kind count for this agent in its state: a factor
    /// for each kind. Kinds past the end count fully.
    pub weights: &'a [f32],
    /// How much the interest around an object counts beside its own; 0 or more.
    pub zone_weight: f32,
    /// How much danger counts; 0 or more.
    pub caution: f32,
    /// Seconds of travel at which an object counts half; above 0.
    pub half_time: f32,
    /// The filter of its paths.
    pub filter: &'a Filter,
    /// Its limits, when they are not those of the layer.
    pub profile: Option<&'a AgentProfile>,
    /// Its present target, and the bonus for it.
    pub habit: Hysteresis<E>,
    /// Greatest number of path searches for one choice.
    pub searches: usize,
}

impl<'a, E> Seeker<'a, E> {
    /// An agent at a position: zone weight ½, caution 1, half time 2 s, no present
    /// target, at most 16 searches.
    pub fn new(position: Vec2, weights: &'a [f32], filter: &'a Filter) -> Self {
        Self {
            position,
            weights,
            zone_weight: 0.5,
            caution: 1.0,
            half_time: 2.0,
            filter,
            profile: None,
            habit: Hysteresis::new(0.0),
            searches: 16,
        }
    }

    fn weight(&self, kind: usize) -> f32 {
        self.weights.get(kind).copied().unwrap_or(1.0)
    }
}

/// The object that an agent chose.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Target<E> {
    /// The object.
    pub id: E,
    /// Feet at which it is taken, world units.
    pub position: Vec2,
    /// Its interest after distance, context and the bonus of the present target.
    pub score: f32,
    /// The duration of the path, seconds.
    pub seconds: f64,
}

/// Fractions of interest and of shares: sums of whole numbers do not depend on
/// their order, so a field after any changes equals a new one.
const WORTH_UNIT: f64 = 4096.0;
const SHARE_UNIT: f32 = 1024.0;
const MOST_WORTH: f32 = 1e6;

/// The interest of all objects in a layer, by zone.
///
/// Ids `E` are the game's. The methods take the layer that the agents move in; with
/// another layer than before, the field is computed again. See the
/// [module](super) for the formula and an example.
#[derive(Debug, Clone)]
pub struct InterestField<E> {
    settings: FieldSettings,
    doors: Doors,
    /// The query of paths between zones, with the doors closed.
    query: Query,
    zones: Zones,
    objects: Vec<Object<E>>,
    /// The index of each object.
    index: BTreeMap<E, usize>,
    /// For each zone and kind, the worth of the objects in the zone.
    here: Vec<i64>,
    /// For each zone and kind, the worth with what spreads from others.
    sums: Vec<i64>,
    /// [`sums`](Self::sums), for fast reading.
    spread: Vec<f32>,
    dangers: BTreeMap<E, Area>,
    /// For each zone, the harm.
    harm: Vec<i64>,
    now: f64,
    /// Memory of [`choose`](Self::choose).
    heads: Vec<(Vec2, f32)>,
    best: Vec<(f32, usize)>,
}

#[derive(Debug, Clone)]
struct Object<E> {
    id: E,
    interest: Interest,
    /// When it was inserted.
    since: f64,
    /// Its worth now.
    worth: i64,
    /// Where it is taken; without one, when it is tried again.
    place: Result<Place, f64>,
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
        let zones = Zones::new(layer, &doors, settings.zone_size);
        let mut this = Self {
            settings,
            doors,
            query: Query::new(Vec2::ZERO, Vec2::ZERO),
            zones,
            objects: Vec::new(),
            index: BTreeMap::new(),
            here: Vec::new(),
            sums: Vec::new(),
            spread: Vec::new(),
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
        self.spread = vec![0.0; zones * kinds];
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

    /// Sets the doors of the level. Interest does not spread through closed ones.
    /// When they changed, everything is computed again: objects are joined to
    /// places, and surroundings of their zones searched.
    pub fn set_doors(&mut self, layer: &Layer, finder: &mut PathFinder, doors: &Doors) {
        if self.doors.closed() != doors.closed() {
            self.doors.clone_from(doors);
            self.query.filter = Filter::default();
            self.query.filter.close_doors(doors);
            self.rebuild(layer, finder);
        }
    }

    /// Computes the field again in another layer.
    fn renew(&mut self, layer: &Layer, finder: &mut PathFinder) {
        if self.zones.layer != layer.identity() {
            self.rebuild(layer, finder);
        }
    }

    fn rebuild(&mut self, layer: &Layer, finder: &mut PathFinder) {
        self.zones = Zones::new(layer, &self.doors, self.settings.zone_size);
        self.clear_sums();
        for i in 0..self.objects.len() {
            self.objects[i].place = self.find_place(layer, self.objects[i].interest.position);
            let worth = self.objects[i].worth;
            self.add(layer, finder, i, worth);
        }
        let ids: Vec<E> = self.dangers.keys().copied().collect();
        for id in ids {
            if let Some(mut area) = self.dangers.remove(&id) {
                area.shares = self.shares(layer, finder, &area.danger);
                self.add_harm(&area);
                self.dangers.insert(id, area);
            }
        }
    }

    /// Adds an object, or replaces the one with this id. Returns whether a free line
    /// leads to a place where agents can be; otherwise the object is set aside and
    /// tried again after [`FieldSettings::retry`].
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
        if usize::from(interest.kind) >= self.settings.kinds {
            return Err(InvalidInterest("there are fewer kinds than that"));
        }
        let worths = [interest.worth, interest.limit];
        if !(interest.growth.is_finite() && worths.iter().all(|worth| worth.abs() <= MOST_WORTH)) {
            return Err(InvalidInterest("worth must be within ±1,000,000"));
        }
        if !interest.position.is_finite() {
            return Err(InvalidInterest("the position is not finite"));
        }
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
        Ok(place.is_ok())
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
        place.is_ok()
    }

    /// Sets where an object is taken, and moves its interest there.
    fn replace(
        &mut self,
        layer: &Layer,
        finder: &mut PathFinder,
        index: usize,
        place: Result<Place, f64>,
    ) {
        let zone = |place: Result<Place, f64>| place.ok().map(|place| place.zone);
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

    fn find_place(&self, layer: &Layer, position: Vec2) -> Result<Place, f64> {
        let place = (self.zones).join(layer, &self.doors, position, self.settings.reach);
        place.ok_or(self.now + f64::from(self.settings.retry))
    }

    /// Adds to the interest that an object spreads.
    fn add(&mut self, layer: &Layer, finder: &mut PathFinder, index: usize, worth: i64) {
        let object = &self.objects[index];
        let Ok(place) = object.place else {
            return;
        };
        let (kinds, kind) = (self.settings.kinds, usize::from(object.interest.kind));
        self.here[place.zone as usize * kinds + kind] += worth;
        let spread = self.settings.spread;
        let near = (self.zones).near(layer, finder, &mut self.query, place.zone, spread);
        for near in near {
            let slot = near.zone as usize * kinds + kind;
            self.sums[slot] += worth * share(near.seconds, spread);
            let unit = WORTH_UNIT * f64::from(SHARE_UNIT);
            self.spread[slot] = (self.sums[slot] as f64 / unit) as f32;
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
        let is_area = danger.area.min.is_finite() && danger.area.max.is_finite();
        let is_harm = (0.0..=MOST_WORTH).contains(&danger.harm) && danger.spread >= 0.0;
        if !is_area || !is_harm || danger.starts.is_nan() || danger.ends.is_nan() {
            return Err(InvalidInterest(
                "the area must be finite, the harm within 0 to 1,000,000, the spread 0 or more",
            ));
        }
        self.renew(layer, finder);
        self.remove_danger(id);
        let area = Area {
            danger,
            shares: self.shares(layer, finder, &danger),
            is_active: danger.is_active(self.now),
        };
        self.add_harm(&area);
        self.dangers.insert(id, area);
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

    fn add_harm(&mut self, area: &Area) {
        if area.is_active {
            self.change_harm(area, 1);
        }
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
    /// back): objects grow, dangers begin and end, objects that were set aside are
    /// tried again.
    pub fn update(&mut self, layer: &Layer, finder: &mut PathFinder, now: f64) {
        self.renew(layer, finder);
        if now.is_nan() || now < self.now {
            return;
        }
        self.now = now;
        for index in 0..self.objects.len() {
            let object = &self.objects[index];
            if object.place.is_err_and(|retry| retry <= now) {
                let place = self.find_place(layer, object.interest.position);
                self.replace(layer, finder, index, place);
            }
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
        object.place.ok().map(|place| place.position)
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

    fn around(&self, zone: u32, weight: impl Fn(usize) -> f32) -> f32 {
        let kinds = self.settings.kinds;
        let sums = self.spread.get(zone as usize * kinds..).unwrap_or_default();
        let sums = sums.iter().take(kinds).enumerate();
        sums.map(|(kind, sum)| weight(kind) * sum).sum()
    }

    fn harm(&self, zone: u32) -> f32 {
        let harm = self.harm.get(zone as usize).copied().unwrap_or(0);
        (harm as f64 / WORTH_UNIT / f64::from(SHARE_UNIT)) as f32
    }

    /// What an agent passes on a path: the worth of the objects in the zones that it
    /// crosses, each zone once, minus their harm.
    pub fn gathered(&self, layer: &Layer, path: &Path, weights: &[f32], caution: f32) -> f32 {
        if self.zones.layer != layer.identity() {
            return 0.0;
        }
        let points = super::routes::samples(layer, path, 0.5 * self.settings.zone_size);
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

    /// Chooses the object with the highest score for an agent, of those that it can
    /// reach and that are not barred. Objects without a path are barred in
    /// `recovery` for [`FieldSettings::retry`].
    ///
    /// Objects are looked at in the order of the highest score that they can have,
    /// with a lower bound of their distance; for each a path is searched, until none
    /// of the others can have a higher score, or [`Seeker::searches`] were made. Of
    /// equal scores, the lower id wins. `None` when no score is above 0.
    pub fn choose(
        &mut self,
        layer: &Layer,
        finder: &mut PathFinder,
        seeker: &Seeker<'_, E>,
        recovery: &mut Recovery<E>,
    ) -> Option<Target<E>> {
        self.renew(layer, finder);
        let bound = &self.zones.bound;
        bound.heads(seeker.position, &mut self.heads);
        let mut best = std::mem::take(&mut self.best);
        best.clear();
        for (index, object) in self.objects.iter().enumerate() {
            let Ok(place) = object.place else {
                continue;
            };
            let total = self.total(object, place, seeker);
            if total <= 0.0 {
                continue;
            }
            let least = bound.after(&self.heads, seeker.position, place.position);
            let most = seeker.score(object.id, total, f64::from(least));
            let is_full = best.len() >= seeker.searches;
            if is_full && best.last().is_none_or(|(last, _)| most <= *last) {
                continue;
            }
            if recovery.is_barred(&object.id, self.now) {
                continue;
            }
            if is_full {
                best.pop();
            }
            let at = best.partition_point(|(score, other)| {
                *score > most || (*score == most && self.objects[*other].id < object.id)
            });
            best.insert(at, (most, index));
        }
        let mut query = Query::new(seeker.position, seeker.position);
        query.filter.clone_from(seeker.filter);
        query.filter.close_doors(&self.doors);
        query.profile = seeker.profile.cloned();
        let mut target: Option<Target<E>> = None;
        for &(most, index) in &best {
            if target.is_some_and(|target| target.score > most) {
                break;
            }
            let object = &self.objects[index];
            let Ok(place) = object.place else {
                continue;
            };
            query.to = place.position;
            let path = finder.find(layer, &query).ok();
            let Some(path) = path.and_then(|outcome| outcome.path()) else {
                recovery.bar(object.id, self.now + f64::from(self.settings.retry));
                continue;
            };
            let seconds = path.cost;
            let score = seeker.score(object.id, self.total(object, place, seeker), seconds);
            let is_better = |target: Target<E>| {
                score > target.score || (score == target.score && object.id < target.id)
            };
            if target.is_none_or(is_better) {
                target = Some(Target {
                    id: object.id,
                    position: place.position,
                    score,
                    seconds,
                });
            }
        }
        self.best = best;
        target
    }

    /// The interest of an object for an agent, before distance and bonus.
    #[inline]
    fn total(&self, object: &Object<E>, place: Place, seeker: &Seeker<'_, E>) -> f32 {
        let weight = |kind| seeker.weight(kind);
        let own = weight(usize::from(object.interest.kind)) * object.worth();
        let mut total = own;
        if seeker.zone_weight > 0.0 {
            total += seeker.zone_weight * self.around(place.zone, weight);
        }
        // What is worthless to the agent is no target because of its surroundings.
        if own > 0.0 {
            total - seeker.caution * self.harm(place.zone)
        } else {
            0.0
        }
    }
}

impl<E: Copy + Ord> Seeker<'_, E> {
    #[inline]
    fn score(&self, id: E, total: f32, seconds: f64) -> f32 {
        let near = total * (self.half_time / (self.half_time + seconds as f32));
        self.habit.score(&id, near)
    }
}

impl<E> Object<E> {
    #[inline]
    fn worth(&self) -> f32 {
        (self.worth as f64 / WORTH_UNIT) as f32
    }
}

impl Danger {
    fn is_active(&self, now: f64) -> bool {
        self.starts <= now && now < self.ends
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
