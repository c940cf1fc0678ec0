//! A game without a window.

#![allow(dead_code, reason = "each test uses some of it")]

pub(crate) mod log;

use std::path::{Path, PathBuf};
use std::time::Duration;

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_navbake::prelude::*;

/// An app with an asset folder of its own.
pub(crate) struct Game {
    pub(crate) app: App,
    pub(crate) folder: PathBuf,
    /// Every event so far.
    pub(crate) events: Vec<NavEvent>,
    pub(crate) cues: Vec<NavCue>,
    pub(crate) loads: Vec<NavLevelLoaded>,
}

impl Game {
    /// A game without a level. `name` is that of its asset folder, which is empty.
    /// Changed files are loaded again by themselves if it `watches` them.
    pub(crate) fn empty(name: &str, plugin: NavPlugin, watches: bool) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        // It may not be there.
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        let mut app = App::new();
        app.add_plugins((
            MinimalPlugins,
            AssetPlugin {
                file_path: folder.to_str().unwrap().to_owned(),
                watch_for_changes_override: Some(watches),
                ..default()
            },
            plugin,
        ))
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(
            1.0 / 60.0,
        )));
        Self {
            app,
            folder,
            events: Vec::new(),
            cues: Vec::new(),
            loads: Vec::new(),
        }
    }

    /// Loads a file of the asset folder and enters it as the level.
    pub(crate) fn enter(&mut self, file: &'static str) -> Handle<NavMesh> {
        let mesh = self.app.world().resource::<AssetServer>().load(file);
        self.app.insert_resource(NavLevel::new(mesh.clone()));
        mesh
    }

    pub(crate) fn write(&self, file: &str, bytes: &[u8]) {
        std::fs::write(self.folder.join(file), bytes).unwrap();
    }

    /// Writes a file again and lets Bevy load it, as it does by itself with the
    /// feature `file_watcher`.
    pub(crate) fn rewrite(&mut self, file: &'static str, bytes: &[u8]) {
        self.write(file, bytes);
        self.app.world().resource::<AssetServer>().reload(file);
    }

    pub(crate) fn update(&mut self) {
        self.app.update();
        let world = self.app.world_mut();
        self.events
            .extend(world.resource_mut::<Messages<NavEvent>>().drain());
        self.cues
            .extend(world.resource_mut::<Messages<NavCue>>().drain());
        let mut loads = world.resource_mut::<Messages<NavLevelLoaded>>();
        self.loads.extend(loads.drain());
    }

    /// Updates until something is the case, for at most a minute of the game.
    pub(crate) fn until(&mut self, what: &str, is_so: impl Fn(&Self) -> bool) {
        if self.loads.is_empty() {
            self.wait_for_load(1);
        }
        for _ in 0..3600 {
            self.update();
            if is_so(self) {
                return;
            }
        }
        panic!(
            "never {what}; the last events were {:?}",
            self.events.iter().rev().take(8).collect::<Vec<_>>()
        );
    }

    /// Waits for another thread, for at most ten seconds.
    pub(crate) fn wait(&mut self, what: &str, is_so: impl Fn(&Self) -> bool) {
        for _ in 0..5000 {
            self.update();
            if is_so(self) {
                return;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        panic!("never {what}");
    }

    pub(crate) fn wait_for_load(&mut self, count: usize) {
        self.wait("loaded", |game| game.loads.len() == count);
    }

    /// Waits until the asset of a tree has a text in it.
    pub(crate) fn wait_for_tree(&mut self, tree: &Handle<NavTree>, text: &str) {
        self.wait("loaded the tree", |game| {
            let trees = game.app.world().resource::<Assets<NavTree>>();
            trees
                .get(tree)
                .is_some_and(|tree| format!("{tree:?}").contains(text))
        });
        // The plugin has read the event of the asset.
        self.update();
        self.update();
    }

    pub(crate) fn position(&self, entity: Entity) -> Vec2 {
        self.app
            .world()
            .get::<Transform>(entity)
            .unwrap()
            .translation
            .truncate()
    }

    pub(crate) fn agent(&self, entity: Entity) -> &NavAgent {
        self.app.world().get(entity).unwrap()
    }

    pub(crate) fn has(&self, entity: Entity, kind: NavEventKind) -> bool {
        let mut events = self.events.iter();
        events.any(|event| event.agent == entity && event.kind == kind)
    }

    pub(crate) fn doors(&mut self) -> Mut<'_, NavWorld> {
        self.app.world_mut().resource_mut()
    }
}

/// A position of the level editor in the Bevy world.
pub(crate) fn at(x: f32, y: f32) -> Vec2 {
    Vec2::new(x, -y)
}

pub(crate) fn place(at: Vec2) -> Transform {
    Transform::from_translation(at.extend(3.0))
}
