//! Which object an agent chooses.

use super::field::InterestField;
use super::habits::Recovery;
use super::objects::Object;
use super::seeker::{Seeker, Target, weight};
use super::zones::Place;
use navmesh_runtime::mesh::Layer;
use navmesh_runtime::search::{NoPath, PathFinder, PathOutcome, Query};

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
                let is_barred = || recovery.is_barred(&object.id, self.now);
                (total > 0.0 && can_win(most) && !is_barred()).then_some((most, index))
            }));
            let id = |index: u32| self.objects[index as usize].id;
            found.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(id(a.1).cmp(&id(b.1))));
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
                        recovery.bar(object.id, self.now + f64::from(self.settings.retry));
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
                order[1..].sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
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
        let mut total = own;
        if seeker.zone_weight > 0.0 {
            total += seeker.zone_weight * self.around(place.zone, seeker.weights);
        }
        // What is worthless to the agent is no target because of its surroundings.
        if own > 0.0 {
            total - seeker.caution * self.harm(place.zone)
        } else {
            0.0
        }
    }
}
