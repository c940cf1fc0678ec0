//! The objects of a field by zone, and the highest score that each zone can hold.

use glam::Vec2;

use super::objects::Object;
use super::zones::{Place, Zones};

/// The objects by zone. Numbers of all zones are in a row, because a choice reads
/// those of every zone: it compares sums of a few arrays, without branches.
#[derive(Debug, Clone, Default)]
pub struct Table {
    is_current: bool,
    /// For each kind and zone, the greatest worth of its objects, or 0.
    pub most: Vec<f32>,
    /// For each kind and zone, the least worth of its objects, or 0.
    pub least: Vec<f32>,
    /// For each zone, the greatest straight time between its centre and an object.
    pub radius: Vec<f32>,
    /// For each zone, the greatest [`Object::to_center`].
    pub to_center: Vec<f32>,
    /// The first of the `objects` of each zone, and the end of the last.
    first: Vec<u32>,
    objects: Vec<u32>,
    /// Of the present choice: for each portal, its exit and the least time to it.
    pub heads: Vec<(Vec2, f32)>,
    /// For each zone, the duration of the path from the zone of the start, or the
    /// spread when it is longer.
    pub ahead: Vec<f32>,
    pub times: Vec<f32>,
    pub around: Vec<f32>,
    /// For each zone, the highest score that one of its objects can have.
    pub bounds: Vec<f32>,
    /// Zones and their bounds, in the order in which they are visited.
    pub order: Vec<(f32, u32)>,
    pub found: Vec<(f32, u32)>,
}

impl Table {
    /// Has the table made again before the next choice: an object has changed.
    pub fn expire(&mut self) {
        self.is_current = false;
    }

    pub fn refresh<E>(&mut self, objects: &[Object<E>], zones: &Zones, kinds: usize) {
        if std::mem::replace(&mut self.is_current, true) {
            return;
        }
        let count = zones.len();
        for (list, length) in [
            (&mut self.most, kinds * count),
            (&mut self.least, kinds * count),
            (&mut self.radius, count),
            (&mut self.to_center, count),
        ] {
            list.clear();
            list.resize(length, 0.0);
        }
        // A counting sort. Until all objects are placed, the entry after that of a zone is
        // where its next object goes.
        self.first.clear();
        self.first.resize(count + 2, 0);
        self.objects.clear();
        let placed = (0..).zip(objects);
        let placed = placed.filter_map(|(index, object)| Some((index, object, object.place?)));
        for (_, object, Place { zone, position }) in placed.clone() {
            let zone = zone as usize;
            let (worth, slot) = (
                object.worth(),
                usize::from(object.interest.kind) * count + zone,
            );
            self.most[slot] = self.most[slot].max(worth);
            self.least[slot] = self.least[slot].min(worth);
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
        for (index, _, place) in placed {
            let next = &mut self.first[place.zone as usize + 1];
            self.objects[*next as usize] = index;
            *next += 1;
        }
    }

    pub fn objects(&self, zone: u32) -> &[u32] {
        let [first, end] = [zone, zone + 1].map(|zone| self.first[zone as usize] as usize);
        &self.objects[first..end]
    }

    /// The zone with the highest bound above 0, the first of equal ones.
    pub fn best(&self) -> Option<(f32, u32)> {
        let mut best = (0.0, 0);
        for (zone, &bound) in (0..).zip(&self.bounds) {
            if bound > best.0 {
                best = (bound, zone);
            }
        }
        (best.0 > 0.0).then_some(best)
    }
}
