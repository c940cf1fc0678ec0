//! Which object an agent chooses, and the bounds with which a choice leaves most
//! objects out.

use glam::Vec2;

use super::zones::{Paths, Place, Zones};
use super::{InterestField, Object};
use crate::interest::habits::{Hysteresis, Recovery, bar, with_bonus};
use navmesh_runtime::mesh::{AgentProfile, Layer};
use navmesh_runtime::search::SnapTo;
use navmesh_runtime::search::{Filter, NoPath, PathFinder, PathOutcome, Query};
use navmesh_runtime::shared::Limits;

/// Seconds by which rounding makes the sum of two paths longer than one through their
/// common end; costs of routes are sums of up to a hundred `f32`.
const ROUNDING: f32 = 1e-3;

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
    /// Greatest number of paths to objects that are searched for one choice.
    pub searches: usize,
}

impl<'a, E: Copy + Ord> Seeker<'a, E> {
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
            habit: Hysteresis {
                current: None,
                bonus: 0.0,
            },
            searches: 16,
        }
    }

    #[inline]
    fn score(&self, id: E, total: f32, seconds: f64) -> f32 {
        let near = total * (self.half_time / (self.half_time + seconds as f32));
        with_bonus(&self.habit, &id, near)
    }
}

/// What objects of a kind count: see [`Seeker::weights`].
pub fn weight(weights: &[f32], kind: usize) -> f32 {
    weights.get(kind).copied().unwrap_or(1.0)
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

/// Where a choice starts.
struct Start {
    position: Vec2,
    /// Seconds from the centre of its zone.
    from_center: f32,
    /// The least time from there through a portal, seconds.
    through_portals: f32,
    /// How many times faster than the paths between zones an agent may be.
    gain: f32,
}

/// The objects by zone, and the lists of one choice, which are kept for the next one.
/// Numbers of all zones are in a row, because a choice reads those of every zone: it
/// compares sums of a few arrays, without branches.
#[derive(Debug, Clone, Default)]
pub struct Table {
    is_current: bool,
    /// For each kind and zone, the greatest worth of its objects, or 0.
    most: Vec<f32>,
    /// For each kind and zone, the least worth of its objects, or 0.
    least: Vec<f32>,
    /// For each zone, the greatest straight time between its centre and an object.
    radius: Vec<f32>,
    /// For each zone, the greatest [`Object::to_center`].
    to_center: Vec<f32>,
    /// The first of the `objects` of each zone, and the end of the last.
    first: Vec<u32>,
    objects: Vec<u32>,
    /// For each zone, the duration of the path from the zone of the start, or the
    /// spread when it is longer.
    ahead: Vec<f32>,
    times: Vec<f32>,
    around: Vec<f32>,
    /// For each zone, the highest score that one of its objects can have.
    bounds: Vec<f32>,
    /// Bounds and zones, in the order in which they are visited.
    order: Vec<(f32, u32)>,
    /// Bounds and objects of a zone.
    found: Vec<(f32, u32)>,
}

impl Table {
    /// Has the table made again before the next choice: an object has changed.
    pub fn expire(&mut self) {
        self.is_current = false;
    }

    fn refresh<E>(&mut self, objects: &[Object<E>], zones: &Zones, kinds: usize) {
        if std::mem::replace(&mut self.is_current, true) {
            return;
        }
        let count = zones.len();
        reset(&mut self.most, kinds * count);
        reset(&mut self.least, kinds * count);
        reset(&mut self.radius, count);
        reset(&mut self.to_center, count);
        // A counting sort. Until all objects are placed, the entry after that of a zone is
        // where its next object goes.
        self.first.clear();
        self.first.resize(count + 2, 0);
        self.objects.clear();
        for object in objects {
            let Some(Place { zone, position }) = object.place else {
                continue;
            };
            let zone = zone as usize;
            let slot = usize::from(object.interest.kind) * count + zone;
            self.most[slot] = self.most[slot].max(object.worth());
            self.least[slot] = self.least[slot].min(object.worth());
            // Rounding up.
            let straight = zones.bound.straight(zones.centers[zone], position) * 1.0001;
            self.radius[zone] = self.radius[zone].max(straight);
            self.to_center[zone] = self.to_center[zone].max(object.to_center);
            self.first[zone + 2] += 1;
            self.objects.push(0);
        }
        for zone in 2..self.first.len() {
            self.first[zone] += self.first[zone - 1];
        }
        for (index, object) in (0..).zip(objects) {
            if let Some(place) = object.place {
                let next = &mut self.first[place.zone as usize + 1];
                self.objects[*next as usize] = index;
                *next += 1;
            }
        }
    }

    fn objects(&self, zone: u32) -> &[u32] {
        let [first, end] = [zone, zone + 1].map(|zone| self.first[zone as usize] as usize);
        &self.objects[first..end]
    }

    /// The zone with the highest bound above 0, the first of equal ones.
    fn best(&self) -> Option<(f32, u32)> {
        let mut best = (0.0, 0);
        for (zone, &bound) in (0..).zip(&self.bounds) {
            if bound > best.0 {
                best = (bound, zone);
            }
        }
        (best.0 > 0.0).then_some(best)
    }
}

fn reset(list: &mut Vec<f32>, length: usize) {
    list.clear();
    list.resize(length, 0.0);
}

/// Sorts by bound, the highest first, and equal ones by what `key` returns.
fn sort_by_bound<K: Ord>(list: &mut [(f32, u32)], key: impl Fn(u32) -> K) {
    list.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then_with(|| key(a.1).cmp(&key(b.1))));
}

impl<E: Copy + Ord> InterestField<E> {
    /// Chooses the object with the highest score for an agent, of those that it can
    /// reach and that are not barred. Objects without a path are barred in
    /// `recovery` for [`FieldSettings::retry`](super::FieldSettings::retry).
    ///
    /// Zones are visited in the order of the highest score that an object in them can
    /// have, with a lower bound of the distance: straight, through portals, or by the
    /// known paths between zones. A path is searched to each object that can still
    /// win, until none can or [`Seeker::searches`] were made. Of equal scores, the
    /// lower id wins. `None` when no score is above 0, and where no path starts, for
    /// instance in a jump; then nothing is barred.
    pub fn choose(
        &mut self,
        layer: &Layer,
        finder: &mut PathFinder,
        seeker: &Seeker<'_, E>,
        recovery: &mut Recovery<E>,
    ) -> Option<Target<E>> {
        let paths = &mut self.enter(layer, finder);
        let mut table = std::mem::take(&mut self.table);
        table.refresh(&self.objects, &self.zones, self.settings.kinds);
        let start = self.start(paths, seeker, &mut table);
        self.bound_zones(seeker, &start, &mut table);
        let mut query = Query::new(seeker.position, seeker.position);
        query.filter.clone_from(seeker.filter);
        query.filter.close_doors(&self.doors);
        query.profile = seeker.profile.cloned();
        let mut order = std::mem::take(&mut table.order);
        let mut found = std::mem::take(&mut table.found);
        let mut target: Option<Target<E>> = None;
        let mut left = seeker.searches;
        order.clear();
        order.extend(table.best());
        let mut visited = 0;
        while let Some(&(bound, zone)) = order.get(visited) {
            let can_win = |most: f32| target.is_none_or(|target| target.score <= most);
            if !can_win(bound) || left == 0 {
                break;
            }
            found.clear();
            found.extend(table.objects(zone).iter().filter_map(|&index| {
                let object = &self.objects[index as usize];
                let place = object.place?;
                let total = self.total(object, place, seeker);
                let least = self.least_time(layer, &table, &start, object, place);
                let most = seeker.score(object.id, total, f64::from(least));
                (total > 0.0 && can_win(most) && !recovery.is_barred(object.id, self.now))
                    .then_some((most, index))
            }));
            sort_by_bound(&mut found, |index| self.objects[index as usize].id);
            for &(most, index) in &found {
                if left == 0 || target.is_some_and(|target| target.score > most) {
                    break;
                }
                let object = &self.objects[index as usize];
                let Some(place) = object.place else {
                    continue;
                };
                left -= 1;
                query.to = place.position;
                let outcome = paths.finder.find(layer, &query).ok();
                let Some(path) = outcome.and_then(|outcome| outcome.path()) else {
                    use NoPath::{StartClosed, StartNotNavigable};
                    if let Some(PathOutcome::NoPath(StartClosed | StartNotNavigable)) = outcome {
                        // It is not the object: no path starts where the agent is.
                        left = 0;
                    } else {
                        let retry = f64::from(self.settings.retry);
                        bar(recovery, object.id, self.now, retry);
                    }
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
            visited += 1;
            if visited == 1 {
                // Sorted only now, because a known score leaves few.
                let least = target.map_or(0.0, |target| target.score);
                let others = table.bounds.iter().copied().zip(0..);
                order.extend(
                    others.filter(|&(bound, other)| bound > 0.0 && bound >= least && other != zone),
                );
                sort_by_bound(&mut order[1..], |zone| zone);
            }
        }
        (table.order, table.found) = (order, found);
        self.table = table;
        target
    }

    /// The interest of an object for an agent, before distance and bonus.
    #[inline]
    fn total(&self, object: &Object<E>, place: Place, seeker: &Seeker<'_, E>) -> f32 {
        let own = weight(seeker.weights, usize::from(object.interest.kind)) * object.worth();
        // What is worthless to the agent is no target because of its surroundings.
        if own <= 0.0 || own.is_nan() {
            return 0.0;
        }
        let mut total = own;
        if seeker.zone_weight > 0.0 {
            total += seeker.zone_weight * self.around(place.zone, seeker.weights);
        }
        total - seeker.caution * self.harm(place.zone)
    }

    /// Finds where a choice starts, and how far from there each zone is.
    fn start(&self, paths: &mut Paths<'_>, seeker: &Seeker<'_, E>, table: &mut Table) -> Start {
        let layer = paths.layer;
        let baked = layer.profile();
        let own = seeker.profile.unwrap_or(baked);
        let limits = Limits::new(own, baked);
        let place = layer.snap(seeker.position, SnapTo::PathEnd);
        let position = match place {
            // Lower bounds in flight have no slack for where a search begins, so they begin there.
            Some(air) if air.platform.is_none() && !baked.edges.walks() => air.position,
            _ => seeker.position,
        };
        let mut start = Start {
            position,
            from_center: 0.0,
            through_portals: self.zones.bound.through_portals(position),
            gain: limits.time_scale.max(1.0) as f32,
        };
        reset(&mut table.ahead, self.zones.len());
        // Paths between zones are a bound for agents that start at the same places and
        // take the same links, at most as fast.
        let is_usual = own.edges.contains(baked.edges)
            && seeker.filter.edges.contains(baked.edges)
            && !seeker.filter.keep_off_floor
            && !seeker.filter.keep_to_floor
            && !(seeker.filter.replace_jumps && limits.change_motion());
        let zone = place.filter(|_| is_usual);
        let Some(zone) = zone.and_then(|place| self.zones.of(layer, place)) else {
            return start;
        };
        let mut open = Query::new(start.position, start.position);
        let center = self.zones.center(zone);
        let (seconds, _) = paths.measure(&mut open, center, start.position);
        if seconds.is_finite() {
            start.from_center = seconds + ROUNDING;
            table.ahead.fill(self.settings.spread);
            for &(to, seconds) in &self.zones.ahead[zone as usize] {
                table.ahead[to as usize] = seconds;
            }
        }
        start
    }

    /// A lower bound of the duration of the path to an object, seconds.
    fn least_time(
        &self,
        layer: &Layer,
        table: &Table,
        start: &Start,
        object: &Object<E>,
        place: Place,
    ) -> f32 {
        let bound = &self.zones.bound;
        let least = bound.least(start.position, start.through_portals, place.position);
        // On the way to one of the zones beside it the object is mostly passed, so that
        // this bound is mostly the duration itself.
        let beside = self.zones.beside(layer, place).into_iter().flatten();
        let own = (place.zone, object.to_center);
        let by_zones = std::iter::once(own)
            .chain(beside)
            .map(|(zone, to_center)| table.ahead[zone as usize] - start.from_center - to_center);
        by_zones.fold(least, f32::max) / start.gain
    }

    /// Computes the highest score that an object of each zone can have.
    fn bound_zones(&self, seeker: &Seeker<'_, E>, start: &Start, table: &mut Table) {
        let count = self.zones.len();
        reset(&mut table.bounds, count);
        reset(&mut table.around, count);
        reset(&mut table.times, count);
        for kind in 0..self.settings.kinds {
            let weight = weight(seeker.weights, kind);
            let worths = if weight >= 0.0 {
                &table.most
            } else {
                &table.least
            };
            for (own, worth) in table.bounds.iter_mut().zip(&worths[kind * count..]) {
                *own = own.max(weight * worth);
            }
            if seeker.zone_weight > 0.0 {
                let weight = seeker.zone_weight * weight;
                for (around, sum) in table.around.iter_mut().zip(&self.around[kind * count..]) {
                    *around += weight * sum;
                }
            }
        }
        if !self.dangers.is_empty() {
            for (zone, around) in (0..).zip(&mut table.around) {
                *around -= seeker.caution * self.harm(zone);
            }
        }
        let bound = &self.zones.bound;
        for (time, center) in table.times.iter_mut().zip(&self.zones.centers) {
            *time = bound.straight(start.position, *center);
        }
        if !bound.portals.is_empty() {
            for (time, center) in table.times.iter_mut().zip(&self.zones.centers) {
                *time = time.min(start.through_portals + bound.out_of_portals(*center));
            }
        }
        let zones = (table.bounds.iter_mut().zip(&table.around).zip(&table.times))
            .zip(&table.radius)
            .zip(&table.to_center)
            .zip(&table.ahead);
        for (((((score, around), time), radius), to_center), ahead) in zones {
            let by_zones = ahead - start.from_center - to_center;
            let least = (time - radius - bound.slack).max(by_zones).max(0.0) / start.gain;
            let most = (*score + around) * (seeker.half_time / (seeker.half_time + least));
            // More than rounding takes away. What is worthless to the agent is no target.
            *score = if *score > 0.0 {
                most * (1.0 + 1e-5)
            } else {
                0.0
            };
        }
        // The present target has a bonus.
        let current = seeker.habit.current.and_then(|id| self.object(id));
        if let Some(place) = current.and_then(|object| object.place) {
            table.bounds[place.zone as usize] *= 1.0 + seeker.habit.bonus.max(0.0);
        }
    }
}
