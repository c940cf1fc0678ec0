//! A baked file as a resource.

use std::sync::Arc;

use godot::classes::{FileAccess, Resource, file_access::ModeFlags};
use godot::global::Error;
use godot::prelude::*;
use navmesh_runtime::mesh::Platform;
use navmesh_runtime::{Layer, NavMesh, asset};

use crate::to_godot;

/// A baked level: the bytes of a `.navmesh` file.
#[derive(GodotClass)]
#[class(tool, init, base = Resource)]
pub struct NavbakeMesh {
    /// The bytes of the file.
    #[var(set = set_data)]
    #[export]
    data: PackedByteArray,
    /// What the bytes are, once they were needed.
    mesh: Option<Arc<NavMesh>>,
    base: Base<Resource>,
}

#[godot_api]
impl NavbakeMesh {
    #[func]
    fn set_data(&mut self, data: PackedByteArray) {
        self.data = data;
        self.mesh = None;
        self.base_mut().emit_changed();
    }

    /// Loads a `.navmesh` file. Null, with an error in the console, if it cannot be read.
    #[func]
    fn load_file(path: GString) -> Option<Gd<Self>> {
        let data = FileAccess::get_file_as_bytes(&path);
        let mut this = Self::new_gd();
        this.bind_mut().data = data;
        let decoded = this.bind_mut().decoded();
        if let Err(error) = decoded {
            godot_error!("{path}: {error}");
            return None;
        }
        Some(this)
    }

    /// Writes the bytes to a file, as the command `navbake` does.
    #[func]
    fn save_file(&self, path: GString) -> Error {
        let Some(mut file) = FileAccess::open(&path, ModeFlags::WRITE) else {
            return FileAccess::get_open_error();
        };
        file.store_buffer(&self.data);
        file.get_error()
    }

    /// The names of the agents that it was baked for.
    #[func]
    fn get_agent_names(&mut self) -> PackedStringArray {
        let mesh = self.decoded().ok();
        let layers = mesh.iter().flat_map(|mesh| mesh.layers());
        let names = layers.map(|layer| GString::from(&layer.profile().name));
        names.collect()
    }

    /// The number of platforms and of links of an agent; (0, 0) without it.
    #[func]
    fn get_counts(&mut self, agent_name: GString) -> Vector2i {
        let counts = self.with_layer(&agent_name, |layer| {
            let [platforms, links] = [layer.platforms().len(), layer.links().len()];
            Vector2i::new(platforms as i32, links as i32)
        });
        counts.unwrap_or_default()
    }

    /// The points of each platform of an agent, from left to right.
    #[func]
    fn get_platforms(&mut self, agent_name: GString) -> Array<PackedVector2Array> {
        let points = |on: Platform<'_>| on.surface.iter().copied().map(to_godot).collect();
        let all = self.with_layer(&agent_name, |layer| layer.platforms().map(points).collect());
        all.unwrap_or_default()
    }
}

impl NavbakeMesh {
    pub fn baked(mesh: Arc<NavMesh>) -> Gd<Self> {
        let mut this = Self::new_gd();
        {
            let mut this = this.bind_mut();
            this.data = PackedByteArray::from(asset::encode(&mesh).as_slice());
            this.mesh = Some(mesh);
        }
        this
    }

    pub fn decoded(&mut self) -> Result<Arc<NavMesh>, String> {
        if let Some(mesh) = &self.mesh {
            return Ok(Arc::clone(mesh));
        }
        let mesh = asset::decode(self.data.as_slice()).map_err(|error| error.to_string())?;
        Ok(Arc::clone(self.mesh.insert(Arc::new(mesh))))
    }

    fn with_layer<T>(&mut self, name: &GString, find: impl FnOnce(&Layer) -> T) -> Option<T> {
        let mesh = self.decoded().ok()?;
        mesh.layer_named(&name.to_string()).map(find)
    }
}
