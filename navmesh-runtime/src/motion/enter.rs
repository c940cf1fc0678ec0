//! Finding a place to be: after spawning, a stun, a push, a new level.
//! Feature A7.

use super::agent::{Flier, Mode, NavAgent};
use super::landing::landing;
use super::{AgentEvent, Ballistic, Environment, PathLostReason, Stranded};
use crate::mesh::{EdgeSet, Fall, FloorSpot, Layer};
use crate::search::free_space::FreeSpace;
use crate::search::limits::time_scale;
use crate::search::{Location, StepKind, locate};

impl NavAgent {
    /// Where floor is beneath the feet, it stands; a flier hovers where it is
    /// free. Otherwise it falls to the first floor below. Inside geometry it
    /// is put at the nearest place within two spacings.
    pub(super) fn enter(&mut self, world: Environment<'_>) {
        let layer = world.layer;
        let at = self.position;
        if !self.has_own_profile {
            self.profile.clone_from(layer.profile());
        }
        if !at.is_finite() {
            self.strand(Stranded::NotFinite);
            return;
        }
        let edges = layer.profile().edges;
        let (walks, flies) = (edges.walks(), edges.contains(EdgeSet::FLY));
        if walks && let Some(spot) = layer.floor_below(at, layer.grid().spacing * 1e-2) {
            self.stand(layer, spot);
            return;
        }
        if walks && let Some(spot) = layer.nearest_hold(at, layer.grid().spacing * 1e-2) {
            self.stand(layer, spot);
            return;
        }
        if flies && FreeSpace::new(layer, [&[], &[]]).has(at) {
            self.mode = Mode::Flying(Flier::hover(at));
            return;
        }
        if !walks {
            match locate(layer, at) {
                Some(place) => {
                    self.position = place.position(layer);
                    self.mode = Mode::Flying(Flier::hover(self.position));
                }
                None => self.strand(Stranded::NoFreeVertex),
            }
            return;
        }
        if let Some(landing) = landing(layer, at) {
            let to = landing.spot.position;
            let down = layer.grid().y_axis.down();
            let baked = layer.profile();
            // As baked, but in as much less time as under the own gravity.
            let fall = Fall {
                gravity: f64::from(self.profile.gravity),
                max_speed: baked.fall().max_speed * time_scale(&self.profile, baked),
            };
            let speed = self.profile.run_speed;
            match Ballistic::fall(at, landing.x, to, speed, fall, down) {
                Some(fall) => {
                    let platform = landing.spot.platform;
                    self.mode = Mode::Airborne(fall, StepKind::Drop, platform);
                    self.events.push(AgentEvent::Dropped { from: at, to });
                }
                None => self.stand(layer, landing.spot),
            }
            return;
        }
        // Free, but with nothing below, is no place to be moved from: only who
        // is inside geometry is put outside.
        let nearest = layer.grid().nearest_cell(at);
        let is_inside = layer.blocked().get(nearest.column, nearest.row);
        let place = is_inside.then(|| locate(layer, at)).flatten();
        match place {
            Some(Location::Floor(spot)) => self.stand(layer, spot),
            Some(Location::Air(cell)) => {
                self.position = layer.grid().position(cell);
                self.mode = Mode::Flying(Flier::hover(self.position));
            }
            None => self.strand(Stranded::NothingBelow),
        }
    }

    fn stand(&mut self, layer: &Layer, spot: FloorSpot) {
        self.hold(layer, spot.platform, spot.position, 0.0);
    }

    /// Whether the layer was baked for this agent. When it is not that of the
    /// last step, the level was swapped: the agent finds its place in the new
    /// one. In a layer of another agent it stays where it is, and finds its
    /// place when it is back in its own.
    pub(super) fn accept_layer(&mut self, layer: &Layer) -> bool {
        const REFUSED: Mode = Mode::Stranded(Stranded::WrongLayer);
        let is_new = layer.identity() != self.layer_identity;
        if is_new && *layer.profile().name != *self.layer_agent {
            if self.mode != REFUSED {
                self.enter_anew();
                self.strand(Stranded::WrongLayer);
            }
            return false;
        }
        if is_new && self.under_way {
            self.events
                .push(AgentEvent::PathLost(PathLostReason::Level));
        }
        if is_new || self.mode == REFUSED {
            self.layer_identity = layer.identity();
            self.enter_anew();
        }
        true
    }

    fn strand(&mut self, why: Stranded) {
        self.mode = Mode::Stranded(why);
        self.events.push(AgentEvent::Stranded(why));
    }
}
