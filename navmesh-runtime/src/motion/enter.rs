//! Finding a place to be: after spawning, a stun, a push, a new level.
//! Feature A7.

use glam::Vec2;

use super::agent::{Flier, Mode, NavAgent};
use super::free_space::FreeSpace;
use super::{Ballistic, Event, Runner, Stranded, World};
use crate::mesh::{EdgeSet, FloorSpot};
use crate::search::{Place, StepKind, locate};

impl NavAgent {
    /// Where floor is beneath the feet, it stands; a flier hovers where it is
    /// free. Otherwise it falls to the first floor straight below. Inside
    /// geometry it is put at the nearest place within two spacings.
    pub(super) fn enter(&mut self, world: World<'_>) {
        let layer = world.layer;
        let at = self.position;
        if !at.is_finite() {
            self.strand(Stranded::NotFinite);
            return;
        }
        let edges = layer.profile().edges;
        let (walks, flies) = (edges.walks(), edges.contains(EdgeSet::FLY));
        if walks && let Some(spot) = layer.floor_below(at, layer.grid().spacing * 1e-2) {
            self.stand(spot);
            return;
        }
        if flies && FreeSpace::new(layer, [&[], &[]]).has(at) {
            self.mode = Mode::Flying(Flier::hover(at));
            return;
        }
        if !walks {
            match locate(layer, at, false, true) {
                Some(place) => {
                    self.position = place.position(layer);
                    self.mode = Mode::Flying(Flier::hover(self.position));
                }
                None => self.strand(Stranded::NoFreeVertex),
            }
            return;
        }
        // A lip is known to a hair; just beside it, it is what is landed on.
        let hair = layer.grid().spacing * 2e-3;
        let below = [0.0, -hair, hair].into_iter().find_map(|aside| {
            let x = Vec2::new(at.x + aside, at.y);
            let spot = layer.floor_below(x, f32::INFINITY)?;
            FreeSpace::can_fall(layer, x, spot.position).then_some(spot)
        });
        if let Some(spot) = below {
            let down = layer.grid().y_axis.down();
            match Ballistic::fall(at, spot.position, self.profile.fall(layer), down) {
                Some(fall) => {
                    self.mode = Mode::Airborne(fall, StepKind::Drop, spot.platform);
                    self.events.push(Event::Dropped {
                        from: at,
                        to: spot.position,
                    });
                }
                None => self.stand(spot),
            }
            return;
        }
        // Free, but with nothing below, is no place to be moved from: only who
        // is inside geometry is put outside.
        let nearest = layer.grid().nearest_cell(at);
        let is_inside = layer.blocked().get(nearest.column, nearest.row);
        let place = is_inside.then(|| locate(layer, at, walks, flies)).flatten();
        match place {
            Some(Place::Floor(spot)) => self.stand(spot),
            Some(Place::Air(cell)) => {
                self.position = layer.grid().position(cell);
                self.mode = Mode::Flying(Flier::hover(self.position));
            }
            None => self.strand(Stranded::NothingBelow),
        }
    }

    fn stand(&mut self, spot: FloorSpot) {
        self.position = spot.position;
        let runner = Runner {
            at: f64::from(spot.position.x),
            velocity: 0.0,
        };
        self.mode = Mode::Ground(spot.platform, runner);
    }

    fn strand(&mut self, why: Stranded) {
        self.mode = Mode::Stranded(why);
        self.events.push(Event::Stranded(why));
    }
}
