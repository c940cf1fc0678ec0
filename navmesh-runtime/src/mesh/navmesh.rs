//! A level baked for one or more agents.

use std::fmt;

use super::link_check::Durations;
use super::{Grid, Layer, LayerId, LayerParts, Marker, MeshError, Units};

/// A 128-bit hash of what went into a bake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Fingerprint(pub [u8; 16]);

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Where a mesh came from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Provenance {
    /// The source file's name, without folders.
    pub source: String,
    /// Hash of every file the level was read from.
    pub source_fingerprint: Fingerprint,
    /// Hash of the settings it was baked with.
    pub settings_fingerprint: Fingerprint,
    /// The baker's revision: bakers of one revision make the same bytes of the
    /// same level and settings.
    pub baker: u32,
    /// Width and height of a tile of the level in pixels, which what is not
    /// configured scales with; `None` where it has no tiles.
    pub tile_size: Option<[u32; 2]>,
    /// Every file the level was read from, its own first, then by name.
    pub inputs: Vec<Input>,
}

/// A file that went into a bake.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// Its path relative to the level's folder, with `/` between parts.
    pub name: String,
    /// Hash of its bytes.
    pub hash: Fingerprint,
}

/// The parts of a mesh, not yet checked.
#[derive(Debug, Clone, PartialEq)]
pub struct NavMeshParts {
    /// Where it came from.
    pub provenance: Provenance,
    /// How pixels became units.
    pub units: Units,
    /// The grid all layers share.
    pub grid: Grid,
    /// One layer per agent.
    pub layers: Vec<LayerParts>,
    /// Places the level marked.
    pub markers: Vec<Marker>,
}

/// A level baked for one or more agents; every index and number in it has
/// been checked.
#[derive(Debug, Clone, PartialEq)]
pub struct NavMesh {
    provenance: Provenance,
    units: Units,
    grid: Grid,
    layers: Vec<Layer>,
    markers: Vec<Marker>,
}

impl NavMesh {
    /// Checks the parts and derives what follows from them.
    ///
    /// # Errors
    /// The first part that makes no sense, by its number.
    pub fn new(parts: NavMeshParts) -> Result<Self, MeshError> {
        Self::build(parts, Durations::Given)
    }

    /// As [`new`](Self::new), for links whose durations were not stored.
    pub(crate) fn from_stored(parts: NavMeshParts) -> Result<Self, MeshError> {
        Self::build(parts, Durations::Missing)
    }

    fn build(parts: NavMeshParts, durations: Durations) -> Result<Self, MeshError> {
        let NavMeshParts {
            provenance,
            units,
            grid,
            layers,
            markers,
        } = parts;
        if !(units.pixels_per_unit.is_finite() && units.pixels_per_unit > 0.0) {
            return Err(MeshError::Units(units.pixels_per_unit));
        }
        grid.check()?;
        if grid.y_axis != units.y_axis {
            return Err(MeshError::Grid("its y axis differs from the units'"));
        }
        for (i, marker) in markers.iter().enumerate() {
            if !(marker.position.is_finite() && marker.size.is_finite()) {
                return Err(MeshError::Marker { marker: i as u32 });
            }
        }
        let layers = layers
            .into_iter()
            .map(|layer| Layer::new(layer, &grid, durations))
            .collect::<Result<Vec<_>, _>>()?;
        for (i, layer) in layers.iter().enumerate() {
            let name = &layer.profile().name;
            if layers[..i]
                .iter()
                .any(|other| other.profile().name == *name)
            {
                return Err(MeshError::DuplicateAgent(name.clone()));
            }
        }
        Ok(Self {
            provenance,
            units,
            grid,
            layers,
            markers,
        })
    }

    /// Where it came from.
    pub fn provenance(&self) -> &Provenance {
        &self.provenance
    }

    /// How pixels became units.
    pub fn units(&self) -> Units {
        self.units
    }

    /// The grid all layers share.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The layers, one per agent, in the order they were configured.
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

    /// Places the level marked.
    pub fn markers(&self) -> &[Marker] {
        &self.markers
    }

    /// What one unit of distance downwards adds to y: 1 or −1.
    pub fn down(&self) -> f32 {
        self.grid.y_axis.down()
    }
}
