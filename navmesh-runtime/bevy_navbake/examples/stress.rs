//! 2,000 agents chase four targets at 60 updates a second, without a window:
//! `cargo run --release --example stress -- [AGENTS] [SECONDS] [LEVEL.navmesh]`.
//!
//! Prints the time of an update: what the systems of the plugin and all of
//! Bevy's schedule take on one thread.

use std::error::Error;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use bevy::app::{TaskPoolOptions, TaskPoolPlugin};
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_navbake::prelude::*;

/// The seconds for which all agents make their first plan.
const WARM_UP: usize = 2;
const RATE: usize = 60;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let count: usize = arguments.next().map_or(Ok(2_000), |text| text.parse())?;
    let seconds: usize = arguments.next().map_or(Ok(20), |text| text.parse())?;
    let arena = "../examples/arena/arena.navmesh";
    let own = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(arena);
    let level = std::fs::canonicalize(arguments.next().map_or(own, PathBuf::from))?;
    let folder = level.parent().ok_or("the level is not in a folder")?;
    let name = level.file_name().ok_or("the level is not a file")?;

    let mut app = App::new();
    let one_thread = TaskPoolPlugin {
        task_pool_options: TaskPoolOptions::with_num_threads(1),
    };
    app.add_plugins((
        MinimalPlugins.set(one_thread),
        AssetPlugin {
            file_path: folder.to_string_lossy().into_owned(),
            ..default()
        },
        NavPlugin::default(),
    ))
    .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(
        1.0 / RATE as f64,
    )));
    let mesh = app.world().resource::<AssetServer>();
    let mesh = mesh.load(name.to_string_lossy().into_owned());
    app.insert_resource(NavLevel::new(mesh.clone()));
    while app
        .world()
        .resource::<Assets<NavMesh>>()
        .get(&mesh)
        .is_none()
    {
        app.update();
    }
    let places = places(&mut app, &mesh);
    let Some(last) = places.len().checked_sub(1) else {
        return Err("no agent of this level walks".into());
    };
    spawn(&mut app, &places, count);

    // Every second, each target is somewhere else.
    let mut random = 1_u32;
    let mut times = Vec::new();
    let mut arrived = 0;
    for frame in 0..(WARM_UP + seconds) * RATE {
        if frame % RATE == 0 {
            let mut targets = app
                .world_mut()
                .query_filtered::<&mut Transform, With<Target>>();
            for mut target in targets.iter_mut(app.world_mut()) {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let at = places[(random >> 8) as usize % (last + 1)].1;
                target.translation = at.extend(0.0);
            }
        }
        let begin = Instant::now();
        app.update();
        if frame >= WARM_UP * RATE {
            times.push(begin.elapsed());
        }
        let mut events = app.world_mut().resource_mut::<Messages<NavEvent>>();
        arrived += events
            .drain()
            .filter(|event| event.kind == NavEventKind::Arrived)
            .count();
    }
    times.sort_unstable();
    let at = |share: usize| times[(times.len() - 1) * share / 100].as_secs_f64() * 1e3;
    println!(
        "{count} agents, {} updates: median {:.2} ms, 99 % {:.2} ms, longest {:.2} ms; {arrived} arrivals, {} wait for a path",
        times.len(),
        at(50),
        at(99),
        at(100),
        app.world().resource::<NavPaths>().waiting(),
    );
    Ok(())
}

#[derive(Component)]
struct Target;

/// The layer and the position of both ends of every platform.
fn places(app: &mut App, mesh: &Handle<NavMesh>) -> Vec<(String, Vec2)> {
    let world = app.world();
    let (level, meshes) = (
        world.resource::<NavLevel>(),
        world.resource::<Assets<NavMesh>>(),
    );
    let Some(mesh) = meshes.get(mesh) else {
        return Vec::new();
    };
    let layers = mesh.layers().iter();
    let on_foot = layers.filter(|layer| layer.profile().edges.walks());
    let ends = on_foot.flat_map(|layer| {
        let platforms = layer.platforms().iter();
        platforms.flat_map(move |platform| {
            [platform.left(), platform.right()].map(|end| (layer.profile().name.clone(), end))
        })
    });
    ends.map(|(name, at)| (name, level.to_world(mesh, at)))
        .collect()
}

fn spawn(app: &mut App, places: &[(String, Vec2)], count: usize) {
    let targets: [Entity; 4] =
        std::array::from_fn(|_| app.world_mut().spawn((Target, Transform::default())).id());
    for i in 0..count {
        let (layer, at) = &places[i % places.len()];
        app.world_mut().spawn((
            NavAgent::new(layer.as_str()).or_nearest(),
            NavDestination::Entity(targets[i % targets.len()]),
            Transform::from_translation(at.extend(0.0)),
        ));
    }
}
