//! 2,000 agents chase four targets at 60 updates a second, without a window:
//! `cargo run --release --example stress -- [AGENTS] [SECONDS] [LEVEL.navmesh]`.
//!
//! Prints the time of an update: what the systems of the plugin and all of
//! Bevy's schedule take on one thread. The demo has the same with a window:
//! `cargo run --release -p bevy_navbake_demo --bin stress`.

mod crowd;

use std::error::Error;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use bevy::app::{TaskPoolOptions, TaskPoolPlugin};
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_navbake::prelude::*;

use crowd::{Crowd, CrowdPlugin, RATE, platform_ends};

/// The seconds for which all agents make their first plan.
const WARM_UP: usize = 2;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let count: usize = arguments.next().map_or(Ok(2_000), |text| text.parse())?;
    let seconds: usize = arguments.next().map_or(Ok(20), |text| text.parse())?;
    if seconds == 0 {
        return Err("SECONDS is at least 1".into());
    }
    let arena = "../games/levels/arena.navmesh";
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
        CrowdPlugin {
            count,
            places: platform_ends,
            schedule: Update,
        },
    ))
    .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(
        1.0 / RATE as f64,
    )));
    let mesh = app.world().resource::<AssetServer>();
    let mesh = mesh.load(name.to_string_lossy().into_owned());
    app.insert_resource(NavLevel::new(mesh));
    let begin = Instant::now();
    while app.world().resource::<Crowd>().places.is_empty() {
        if begin.elapsed() > Duration::from_secs(10) {
            return Err("the level cannot be loaded, or no agent of it walks".into());
        }
        app.update();
    }

    let mut times = Vec::new();
    let mut arrived = 0;
    for frame in 0..(WARM_UP + seconds) * RATE {
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
        app.world().resource::<NavWorld>().waiting(),
    );
    Ok(())
}
