//! Navigation meshes and their provenance.

use std::collections::HashSet;
use std::fmt;

use super::error::MeshError;
use super::grid::{Grid, Units};
use super::ids::{LayerId, MarkerId};
use super::layer::{Layer, LayerParts};
use super::marker::Marker;
use super::moving_platform::MovingPlatform;
use super::route_index::StoredIndex;

/// A 128-bit hash of the inputs of a bake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Fingerprint(pub [u8; 16]);

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// The level, the settings and the baker that a mesh was made with.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Provenance {
    /// The name of the level file, without folders.
    pub source: String,
    /// The hash of what the bake read of the level: collision, markers, sizes.
    pub source_fingerprint: Fingerprint,
    /// The hash of the settings of the bake.
    pub settings_fingerprint: Fingerprint,
    /// The revision of the baker. Bakers of the same revision write the same
    /// bytes for the same level and settings.
    pub baker: u32,
    /// Width and height of a tile of the level in pixels, from which default
    /// settings are derived; `None` for a level without tiles.
    pub tile_size: Option<[u32; 2]>,
}

/// The parts of a [`NavMesh`], not yet checked.
#[derive(Debug, Clone, PartialEq)]
pub struct NavMeshParts {
    /// The level, the settings and the baker it was made with.
    pub provenance: Provenance,
    /// How the pixels of the level became world units.
    pub units: Units,
    /// The grid that all layers share.
    pub grid: Grid,
    /// One layer per agent.
    pub layers: Vec<LayerParts>,
    /// The markers of the level.
    pub markers: Vec<Marker>,
}

/// A level, baked for one or more agents. Every index and number in it has been
/// checked.
///
/// ```
/// use navmesh_runtime::mesh::NavMesh;
///
/// fn describe(mesh: &NavMesh) {
///     for layer in mesh.layers() {
///         let (name, platforms) = (&layer.profile().name, layer.platforms().len());
///         println!("{name}: {platforms} platforms, {} links", layer.links().len());
///     }
///     for spawn in mesh.spawns() {
///         println!("{} enters at {}", spawn.marker.name, spawn.position);
///     }
/// }
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct NavMesh {
    provenance: Provenance,
    units: Units,
    grid: Grid,
    layers: Vec<Layer>,
    markers: Vec<Marker>,
}

impl NavMesh {
    /// Checks the parts against each other and builds the indices of the mesh.
    /// Needs the feature `write`.
    ///
    /// # Errors
    /// The first part that is not valid.
    #[cfg(feature = "write")]
    pub fn new(parts: NavMeshParts) -> Result<Self, MeshError> {
        Self::from_parts(parts, &[])
    }

    /// `motions` are the numbers of the motions of each layer's links, as far as they are known
    /// to share them.
    pub(crate) fn from_parts(parts: NavMeshParts, motions: &[Vec<u32>]) -> Result<Self, MeshError> {
        let (units, grid) = (parts.units, parts.grid);
        if !(units.pixels_per_unit.is_finite() && units.pixels_per_unit > 0.0) {
            let value = units.pixels_per_unit;
            return Err(format!(
                "units: pixels_per_unit is {value}, but it must be a finite number above 0"
            )
            .into());
        }
        grid.check()?;
        if grid.y_axis != units.y_axis {
            return Err(MeshError::new("grid: its y axis differs from the units'"));
        }
        for (i, marker) in parts.markers.iter().enumerate() {
            if !(marker.position.is_finite() && marker.size.is_finite()) {
                let what = "has a coordinate that is not finite";
                return Err(MeshError::of("marker", i, what));
            }
        }
        let motions = motions.iter().map(Vec::as_slice);
        let layers = (parts.layers)
            .into_iter()
            .zip(motions.chain(std::iter::repeat(&[][..])))
            .map(|(layer, motions)| Layer::new(layer, motions, &grid))
            .collect::<Result<Vec<_>, _>>()?;
        let count = parts.markers.len();
        let mut lines = layers.iter().flat_map(Layer::lines);
        if let Some(line) = lines.find(|line| line.marker.index() >= count) {
            return Err(MeshError::of("marker", line.marker, "does not exist"));
        }
        for (i, layer) in layers.iter().enumerate() {
            let name = &layer.profile().name;
            let mut others = layers[..i].iter();
            if others.any(|other| other.profile().name == *name) {
                return Err(format!("two agents are named {name:?}").into());
            }
        }
        Ok(Self {
            provenance: parts.provenance,
            units,
            grid,
            layers,
            markers: parts.markers,
        })
    }

    /// The same level with other layers, in the same order.
    pub(crate) fn with_layers(&self, layers: Vec<Layer>) -> Self {
        Self {
            provenance: self.provenance.clone(),
            units: self.units,
            grid: self.grid,
            layers,
            markers: self.markers.clone(),
        }
    }

    /// Builds the index of routes of a layer, and keeps the part that takes long to find,
    /// so that it is written to files and [`Layer::index_routes`] takes little time
    /// after loading. An id that no layer has changes nothing. Needs the feature `write`.
    #[cfg(feature = "write")]
    pub fn store_index(&mut self, layer: LayerId) {
        if let Some(layer) = self.layers.get_mut(layer.index()) {
            layer.store_index();
        }
    }

    /// Sets the platforms that move, for each layer. Needs the feature `write`.
    ///
    /// # Errors
    /// When a number or an index of one of them is not valid.
    #[cfg(feature = "write")]
    pub fn set_moving_platforms(
        &mut self,
        layers: Vec<Vec<MovingPlatform>>,
    ) -> Result<(), MeshError> {
        self.take_moving_platforms(layers)
    }

    pub(crate) fn take_moving_platforms(
        &mut self,
        layers: Vec<Vec<MovingPlatform>>,
    ) -> Result<(), MeshError> {
        let mut all = layers.iter().flatten();
        if let Some(bad) = all.find(|each| each.marker.index() >= self.markers.len()) {
            return Err(MeshError::of("marker", bad.marker, "does not exist"));
        }
        for (layer, moving) in self.layers.iter_mut().zip(layers) {
            layer.set_moving_platforms(moving)?;
        }
        Ok(())
    }

    /// The platforms that move, each once. Those on which no agent rides are left out.
    pub fn moving_platforms(&self) -> impl Iterator<Item = &MovingPlatform> {
        let mut seen = HashSet::new();
        let all = self.layers.iter().flat_map(Layer::moving_platforms);
        all.filter(move |on| seen.insert(on.marker))
    }

    /// Sets what a file holds of the index of each layer.
    pub(crate) fn set_stored_indices(&mut self, indices: Vec<StoredIndex>) {
        for (layer, stored) in self.layers.iter_mut().zip(indices) {
            layer.stored = stored;
        }
    }

    /// The level, the settings and the baker it was made with.
    pub fn provenance(&self) -> &Provenance {
        &self.provenance
    }

    /// How the pixels of the level became world units. Needs the feature `write`.
    #[cfg(feature = "write")]
    pub fn units(&self) -> Units {
        self.units
    }

    /// The grid that all layers share.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The layers, one for each agent, in the order of the configuration.
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// The id of the layer baked for the agent of that name, `None` when there
    /// is no such agent. Compares names; a game keeps the id and passes it to
    /// [`layer`](Self::layer) every frame.
    pub fn layer_id(&self, agent: &str) -> Option<LayerId> {
        let mut layers = (0..).zip(&self.layers);
        let (id, _) = layers.find(|(_, layer)| layer.profile().name == agent)?;
        Some(LayerId(id))
    }

    /// A layer by its id, `None` when this mesh has no layer of that number.
    pub fn layer(&self, id: LayerId) -> Option<&Layer> {
        self.layers.get(id.index())
    }

    /// The layer baked for the agent of that name: [`layer_id`](Self::layer_id)
    /// and [`layer`](Self::layer) in one call, for tools and tests.
    pub fn layer_named(&self, agent: &str) -> Option<&Layer> {
        self.layer(self.layer_id(agent)?)
    }

    /// The markers of the level.
    pub fn markers(&self) -> &[Marker] {
        &self.markers
    }

    /// A marker by its id, as events report it.
    pub fn marker(&self, id: MarkerId) -> Option<&Marker> {
        self.markers.get(id.index())
    }

    /// The change of y when a point moves down by one unit: 1 or −1.
    pub fn down(&self) -> f32 {
        self.grid.y_axis.down()
    }
}
