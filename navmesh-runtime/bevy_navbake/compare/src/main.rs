//! A crowd chases four targets in one level: with `bevy_navbake`, and with `landmass`,
//! which `bevy_landmass` runs. In the folder of `bevy_navbake`:
//! `cargo run --release -p bevy_navbake_compare -- [AGENTS] [SECONDS]`.
//!
//! landmass has no gravity. So the comparison is between fliers, in the same free space:
//! the lattice of the baked layer here, polygons of the same cells there. The first line
//! is for agents that run and jump.
//!
//! Every engine gets the same places, the same targets and 60 updates a second, and moves
//! the transforms of the same number of entities, on one thread.

#[path = "../../examples/stress/crowd.rs"]
mod crowd;

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bevy::app::{TaskPoolOptions, TaskPoolPlugin};
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_navbake::navmesh_runtime::mesh::{Cell, Layer, Terrain};
use bevy_navbake::prelude::*;
use landmass::{
    Agent, AgentId, Archipelago, ArchipelagoOptions, FromAgentRadius as _, Island, NavigationMesh,
    XY,
};

use crowd::{Crowd, CrowdPlugin, Places, RATE, Tour, platform_ends, start};

const LEVEL: &str = "arena.navmesh";
const LAYER: &str = "flyer";
/// The seconds for which all agents make their first plan.
const WARM_UP: usize = 2;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let count: usize = arguments.next().map_or(Ok(2_000), |text| text.parse())?;
    let seconds: usize = arguments.next().map_or(Ok(20), |text| text.parse())?;
    if seconds == 0 {
        return Err("SECONDS is at least 1".into());
    }
    println!("{count} agents, {seconds} s at {RATE} updates a second; times in ms");
    println!("| engine | mean | median | 99 % | longest | distance to the target |");
    println!("|---|---|---|---|---|---|");
    measure(
        "bevy_navbake, on foot",
        navbake(count, platform_ends)?,
        seconds,
    );
    measure(
        "bevy_navbake, fliers",
        navbake(count, open_places)?,
        seconds,
    );
    for (name, avoids) in [("landmass", false), ("landmass, avoiding each other", true)] {
        measure(name, landmass(count, avoids)?, seconds);
    }
    Ok(())
}

/// Runs an app and prints the times of its updates.
fn measure(name: &str, mut app: App, seconds: usize) {
    let mut times = Vec::new();
    let mut distance = 0.0;
    for frame in 1..=(WARM_UP + seconds) * RATE {
        let begin = Instant::now();
        app.update();
        if frame > WARM_UP * RATE {
            times.push(begin.elapsed());
            // Before the targets move.
            if frame % RATE == RATE - 1 {
                distance += mean_distance(&mut app) / seconds as f64;
            }
        }
    }
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    let mean = ms(times.iter().sum::<Duration>()) / times.len() as f64;
    times.sort_unstable();
    let at = |share: usize| ms(times[(times.len() - 1) * share / 100]);
    println!(
        "| {name} | {mean:.2} | {:.2} | {:.2} | {:.2} | {distance:.0} |",
        at(50),
        at(99),
        at(100)
    );
}

/// Who follows whom, for [`mean_distance`].
#[derive(Component)]
struct Follows(usize);

#[derive(Component)]
struct Hunted(usize);

/// How far the agents are from their targets on average, as the crow flies.
fn mean_distance(app: &mut App) -> f64 {
    let world = app.world_mut();
    let mut hunted = world.query::<(&Hunted, &Transform)>();
    let targets: BTreeMap<usize, Vec3> = hunted
        .iter(world)
        .map(|(hunted, transform)| (hunted.0, transform.translation))
        .collect();
    let mut agents = world.query::<(&Follows, &Transform)>();
    let distances = agents.iter(world).filter_map(|(follows, transform)| {
        let target = targets.get(&follows.0)?;
        Some(f64::from(target.distance(transform.translation)))
    });
    let distances: Vec<f64> = distances.collect();
    distances.iter().sum::<f64>() / distances.len().max(1) as f64
}

fn app() -> App {
    let one_thread = TaskPoolPlugin {
        task_pool_options: TaskPoolOptions::with_num_threads(1),
    };
    let mut app = App::new();
    app.add_plugins(MinimalPlugins.set(one_thread))
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(
            1.0 / RATE as f64,
        )));
    app
}

fn folder() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/levels");
    folder.to_string_lossy().into_owned()
}

fn navbake(count: usize, places: fn(&NavMesh) -> Places) -> Result<App, Box<dyn Error>> {
    let mut app = app();
    app.add_plugins((
        AssetPlugin {
            file_path: folder(),
            ..default()
        },
        NavPlugin::default(),
        CrowdPlugin {
            count,
            places,
            schedule: Update,
        },
    ));
    let mesh = app.world().resource::<AssetServer>().load(LEVEL);
    app.insert_resource(NavLevel::new(mesh));
    let begin = Instant::now();
    while app.world().resource::<Crowd>().places.is_empty() {
        if begin.elapsed() > Duration::from_secs(10) {
            return Err("the level cannot be loaded".into());
        }
        app.update();
    }
    let world = app.world_mut();
    let mut agents = world.query::<(Entity, &NavDestination)>();
    let pairs: Vec<(Entity, NavDestination)> = agents
        .iter(world)
        .map(|(entity, to)| (entity, *to))
        .collect();
    for (entity, to) in pairs {
        let NavDestination::Entity(target) = to else {
            continue;
        };
        // Any number that differs between targets.
        let number = target.index_u32() as usize;
        world.entity_mut(entity).insert(Follows(number));
        world.entity_mut(target).insert(Hunted(number));
    }
    Ok(app)
}

/// The vertices in the corners of cells that are free.
fn open_places(mesh: &NavMesh) -> Places {
    let layers = mesh.layers().iter();
    let layers = layers.filter(|layer| layer.profile().name == LAYER);
    let places = layers.flat_map(|layer| {
        let corners: BTreeSet<[u32; 2]> = free_cells(layer)
            .into_iter()
            .flat_map(|[x, y]| [[x, y], [x + 1, y], [x, y + 1], [x + 1, y + 1]])
            .collect();
        corners.into_iter().map(|[column, row]| {
            let at = layer.grid().position(Cell { column, row });
            (LAYER.to_owned(), at.to_array())
        })
    });
    places.collect()
}

/// The top-left corners of the squares between four vertices at which the body is free.
fn free_cells(layer: &Layer) -> BTreeSet<[u32; 2]> {
    let grid = layer.grid();
    let is_free = |column, row| layer.terrain(Cell { column, row }) != Terrain::InsideGeometry;
    let cells = (1..grid.rows).flat_map(|row| (1..grid.columns).map(move |c| [c - 1, row - 1]));
    cells
        .filter(|[x, y]| {
            is_free(*x, *y) && is_free(x + 1, *y) && is_free(*x, y + 1) && is_free(x + 1, y + 1)
        })
        .collect()
}

/// The free cells in few rectangles, as an editor would make them: minimum and maximum.
fn rectangles(mut cells: BTreeSet<[u32; 2]>) -> Vec<[[u32; 2]; 2]> {
    let mut rectangles = Vec::new();
    while let Some([x, y]) = cells.iter().min_by_key(|[x, y]| (*y, *x)).copied() {
        let mut right = x + 1;
        while cells.contains(&[right, y]) {
            right += 1;
        }
        let mut bottom = y + 1;
        while (x..right).all(|x| cells.contains(&[x, bottom])) {
            bottom += 1;
        }
        cells.retain(|[cx, cy]| !((x..right).contains(cx) && (y..bottom).contains(cy)));
        rectangles.push([[x, y], [right, bottom]]);
    }
    rectangles
}

#[derive(Resource)]
struct Landmass {
    archipelago: Archipelago<XY>,
    places: Vec<Vec2>,
    targets: [Vec2; 4],
    tour: Tour,
}

#[derive(Component)]
struct LandmassAgent(AgentId);

fn landmass(count: usize, avoids: bool) -> Result<App, Box<dyn Error>> {
    let mesh = bevy_navbake::navmesh_runtime::asset::load(Path::new(&folder()).join(LEVEL))?;
    let layer = mesh.layer_named(LAYER).ok_or("the level has no fliers")?;
    // y upwards, as in Bevy.
    let world = |[column, row]: [u32; 2]| {
        let at = layer.grid().position(Cell { column, row });
        Vec2::new(at.x, -at.y)
    };
    let rectangles = rectangles(free_cells(layer));
    let corners: BTreeSet<[u32; 2]> = rectangles
        .iter()
        .flat_map(|[[x0, y0], [x1, y1]]| [[*x0, *y0], [*x1, *y0], [*x0, *y1], [*x1, *y1]])
        .collect();
    let numbers: BTreeMap<[u32; 2], usize> = corners.iter().copied().zip(0..).collect();
    let polygons = rectangles.iter().map(|[[x0, y0], [x1, y1]]| {
        // Counterclockwise with y upwards, so down the left side first, with the corners
        // of the neighbours, because polygons are connected by whole edges.
        let left = (*y0..*y1).map(|y| [*x0, y]);
        let bottom = (*x0..*x1).map(|x| [x, *y1]);
        let right = (y0 + 1..=*y1).rev().map(|y| [*x1, y]);
        let top = (x0 + 1..=*x1).rev().map(|x| [x, *y0]);
        let outline = left.chain(bottom).chain(right).chain(top);
        outline.filter_map(|at| numbers.get(&at).copied()).collect()
    });
    let polygons: Vec<Vec<usize>> = polygons.collect();
    let island = NavigationMesh::<XY> {
        vertices: corners.iter().map(|at| convert(world(*at))).collect(),
        polygon_type_indices: vec![0; polygons.len()],
        polygons,
        height_mesh: None,
    };
    let island = island.validate().map_err(|error| format!("{error:?}"))?;
    let [width, _] = layer.profile().body;
    let speed = layer.profile().run_speed;
    let mut options = ArchipelagoOptions::from_agent_radius(width / 2.0);
    if !avoids {
        options.neighbourhood = 0.0;
    }
    let mut archipelago = Archipelago::<XY>::new(options);
    archipelago.add_island(Island::new(
        landmass::Transform {
            translation: convert(Vec2::ZERO),
            rotation: 0.0,
        },
        Arc::new(island),
    ));

    let places: Vec<Vec2> = open_places(&mesh.clone().into())
        .into_iter()
        .map(|(_, [x, y])| Vec2::new(x, -y))
        .collect();
    let mut app = app();
    for i in 0..count {
        let at = places[start(i, places.len())];
        let agent = Agent::create(convert(at), convert(Vec2::ZERO), width / 2.0, speed, speed);
        let id = archipelago.add_agent(agent);
        app.world_mut().spawn((
            LandmassAgent(id),
            Follows(i % 4),
            Transform::from_translation(at.extend(0.0)),
        ));
    }
    for i in 0..4 {
        app.world_mut().spawn((Hunted(i), Transform::default()));
    }
    app.insert_resource(Landmass {
        archipelago,
        places,
        targets: [Vec2::ZERO; 4],
        tour: Tour::default(),
    })
    .add_systems(Update, update);
    Ok(app)
}

/// The glam of landmass is not that of Bevy.
fn convert(at: Vec2) -> <XY as landmass::CoordinateSystem>::Coordinate {
    at.to_array().into()
}

/// What `bevy_landmass` and a game do in an update.
fn update(
    time: Res<Time>,
    mut engine: ResMut<Landmass>,
    mut agents: Query<(&LandmassAgent, &Follows, &mut Transform), Without<Hunted>>,
    mut hunted: Query<(&Hunted, &mut Transform)>,
) {
    let Landmass {
        archipelago,
        places,
        targets,
        tour,
    } = &mut *engine;
    if let Some(next) = tour.next(places.len()) {
        *targets = next.map(|place| places[place]);
        for (hunted, mut transform) in &mut hunted {
            transform.translation = targets[hunted.0].extend(0.0);
        }
        for (id, follows, _) in &agents {
            if let Some(agent) = archipelago.get_agent_mut(id.0) {
                agent.current_target = Some(convert(targets[follows.0]));
            }
        }
    }
    let dt = time.delta_secs();
    archipelago.update(dt);
    for (id, _, mut transform) in &mut agents {
        let Some(agent) = archipelago.get_agent_mut(id.0) else {
            continue;
        };
        agent.velocity = *agent.get_desired_velocity();
        agent.position += agent.velocity * dt;
        let [x, y] = agent.position.to_array();
        transform.translation = Vec3::new(x, y, 0.0);
    }
}
