//! Bounds of the scores of objects, with which a choice leaves most of them out.

use glam::Vec2;

use super::field::InterestField;
use super::objects::Object;
use super::seeker::{Seeker, weight};
use super::table::Table;
use super::zones::{Paths, Place};
use navmesh_runtime::mesh::Layer;
use navmesh_runtime::search::{Query, SnapTo};
use navmesh_runtime::shared::{Limits, time_scale};

/// Seconds by which rounding makes the sum of two paths longer than one through their
/// common end; costs of routes are sums of up to a hundred `f32`.
const ROUNDING: f32 = 1e-3;

/// Where a choice starts.
pub struct Start {
    position: Vec2,
    /// Seconds from the centre of its zone.
    from_center: f32,
    /// How many times faster than the paths between zones an agent may be.
    gain: f32,
}

impl<E: Copy + Ord> InterestField<E> {
    /// Finds where a choice starts, and how far from there each zone is.
    pub(crate) fn start(
        &self,
        paths: &mut Paths<'_>,
        seeker: &Seeker<'_, E>,
        table: &mut Table,
    ) -> Start {
        let layer = paths.layer;
        let baked = layer.profile();
        let place = layer.snap(seeker.position, SnapTo::PathEnd);
        let mut start = Start {
            position: match place {
                // Lower bounds in flight are exact, so they begin at the vertex.
                Some(air) if air.platform.is_none() && !baked.edges.walks() => air.position,
                _ => seeker.position,
            },
            from_center: 0.0,
            gain: seeker
                .profile
                .map_or(1.0, |own| time_scale(own, baked).max(1.0) as f32),
        };
        (self.zones.bound).portal_ends(start.position, false, &mut table.heads);
        table.ahead.clear();
        // Paths between zones are a bound for agents that start at the same places and
        // take the same links, at most as fast.
        let own = seeker.profile.unwrap_or(baked);
        let replaces = seeker.filter.resolve && Limits::new(own, baked).change_motion();
        let is_usual = own.edges.contains(baked.edges)
            && seeker.filter.edges.contains(baked.edges)
            && !seeker.filter.keep_off_floor
            && !seeker.filter.keep_to_floor
            && !replaces;
        let zone = place.filter(|_| is_usual);
        let zone = zone.and_then(|place| self.zones.of(layer, place));
        let mut open = Query::new(start.position, start.position);
        let center = zone.and_then(|zone| {
            let center = self.zones.center(zone);
            let (seconds, _) = paths.measure(&mut open, center, start.position);
            seconds.is_finite().then_some((zone, seconds))
        });
        let Some((zone, seconds)) = center else {
            table.ahead.resize(self.zones.len(), 0.0);
            return start;
        };
        start.from_center = seconds + ROUNDING;
        table.ahead.resize(self.zones.len(), self.settings.spread);
        for &(to, seconds) in &self.zones.ahead[zone as usize] {
            table.ahead[to as usize] = seconds;
        }
        start
    }

    /// A lower bound of the duration of the path to an object, seconds.
    pub(crate) fn least_time(
        &self,
        layer: &Layer,
        table: &Table,
        start: &Start,
        object: &Object<E>,
        place: Place,
    ) -> f32 {
        let straight = (self.zones.bound).by_portals(&table.heads, start.position, place.position);
        // On the way to one of the zones beside it the object is mostly passed, so that
        // this bound is mostly the duration itself.
        let own = (place.zone, object.to_center);
        let zones =
            std::iter::once(own).chain(self.zones.beside(layer, place).into_iter().flatten());
        let least = zones
            .map(|(zone, to_center)| table.ahead[zone as usize] - start.from_center - to_center);
        least.fold(straight, f32::max) / start.gain
    }

    /// Computes the highest score that an object of each zone can have.
    pub(crate) fn bound_zones(&self, seeker: &Seeker<'_, E>, start: &Start, table: &mut Table) {
        let count = self.zones.len();
        for list in [&mut table.bounds, &mut table.around, &mut table.times] {
            list.clear();
            list.resize(count, 0.0);
        }
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
        for (exit, head) in &table.heads {
            for (time, center) in table.times.iter_mut().zip(&self.zones.centers) {
                *time = time.min(head + bound.straight(*exit, *center));
            }
        }
        let slack = bound.slack;
        let zones = table.bounds.iter_mut().zip(&table.around).zip(&table.times);
        let zones = zones
            .zip(&table.radius)
            .zip(&table.to_center)
            .zip(&table.ahead);
        for (((((score, around), time), radius), to_center), ahead) in zones {
            let least = (time - radius - slack).max(ahead - start.from_center - to_center);
            let least = least.max(0.0) / start.gain;
            let total = *score + around;
            let most = total * (seeker.half_time / (seeker.half_time + least));
            // More than rounding takes away. What is worthless to the agent is no target.
            let most = most * (1.0 + 1e-5);
            *score = if *score > 0.0 { most } else { 0.0 };
        }
        // The present target has a bonus.
        let current = seeker.habit.current.and_then(|id| self.object(id));
        if let Some(place) = current.and_then(|object| object.place) {
            table.bounds[place.zone as usize] *= 1.0 + seeker.habit.bonus.max(0.0);
        }
    }
}
