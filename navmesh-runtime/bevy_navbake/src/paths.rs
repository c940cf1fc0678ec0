//! The queue of path searches.

use bevy::ecs::prelude::*;
use navmesh_runtime::PathQueue;
use navmesh_runtime::mesh::LayerId;

use crate::level::NavMesh;

/// The path searches that agents wait for, with a budget for each update.
///
/// Requests of one layer are answered in their order, and walking agents with one
/// destination share one search. Agents follow the path they have until the next
/// one is found.
#[derive(Resource, Debug)]
pub struct NavPaths {
    /// The most nodes that the searches of an update look at. With more, agents
    /// react sooner; with less, no update takes long. 2,000 take about a
    /// millisecond; in small levels, where fliers look up short flights in the index of
    /// routes, up to a few.
    pub budget: u32,
    queues: Vec<PathQueue>,
}

impl NavPaths {
    pub(crate) fn new(budget: u32) -> Self {
        Self {
            budget,
            queues: Vec::new(),
        }
    }

    /// The number of agents that wait for a path.
    pub fn waiting(&self) -> usize {
        self.queues.iter().map(PathQueue::len).sum()
    }

    /// Begins with empty queues. Agents that wait make a new request.
    pub(crate) fn enter(&mut self, mesh: &NavMesh) {
        let layers = mesh.layers().iter();
        self.queues = layers.map(|_| PathQueue::new()).collect();
    }

    pub(crate) fn clear(&mut self) {
        self.queues.clear();
    }

    pub(crate) fn queue(&mut self, layer: LayerId) -> Option<&mut PathQueue> {
        self.queues.get_mut(layer.0 as usize)
    }

    /// Works on the requests. Layers with requests share the budget equally.
    pub(crate) fn work(&mut self, mesh: &NavMesh) {
        let has_requests = |queue: &PathQueue| !queue.is_empty();
        let busy = self.queues.iter().filter(|queue| has_requests(queue));
        let share = self.budget / (busy.count() as u32).max(1);
        for (queue, layer) in self.queues.iter_mut().zip(mesh.layers()) {
            if has_requests(queue) {
                queue.work(layer, share.max(1));
            }
        }
    }
}
