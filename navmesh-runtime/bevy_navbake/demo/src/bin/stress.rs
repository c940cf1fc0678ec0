//! 2,000 agents chase four targets at 60 updates a second, with the figures on screen.
//! Bevy's tasks have one thread. The share of the time that the updates take is that of
//! the plugin, and what is left is Bevy's drawing.
//!
//! `cargo run --release -p bevy_navbake_demo --bin stress -- [AGENTS]` in the folder of
//! `bevy_navbake`; Space shows and hides the platforms, links and doors.

#[path = "../../../examples/stress/crowd.rs"]
mod crowd;

use std::time::{Duration, Instant};

use bevy::app::{TaskPoolOptions, TaskPoolPlugin};
use bevy::prelude::*;
use bevy::sprite::Anchor;
use bevy_navbake::prelude::*;

use crowd::{CrowdPlugin, RATE, platform_ends};

fn main() {
    let count = std::env::args().nth(1).and_then(|text| text.parse().ok());
    let one_thread = TaskPoolPlugin {
        task_pool_options: TaskPoolOptions::with_num_threads(1),
    };
    let debug = NavDebug {
        paths: false,
        ..default()
    };
    App::new()
        .add_plugins((
            DefaultPlugins.set(one_thread),
            // 60 updates a second, whatever the screen does.
            NavPlugin::in_schedule(FixedUpdate),
            NavDebugPlugin,
            CrowdPlugin {
                count: count.unwrap_or(2_000),
                places: platform_ends,
                schedule: FixedUpdate,
            },
        ))
        .insert_resource(Time::<Fixed>::from_hz(RATE as f64))
        // Also with less than four frames a second, as with a renderer in software.
        .insert_resource(Time::<Virtual>::from_max_delta(Duration::from_secs(1)))
        .insert_resource(ClearColor(Color::srgb(0.08, 0.09, 0.12)))
        .insert_resource(debug)
        .init_resource::<Figures>()
        .add_systems(Startup, setup)
        .add_systems(FixedFirst, begin)
        .add_systems(FixedLast, end)
        .add_systems(Update, (draw_agents, toggle, show))
        .run();
}

fn setup(mut commands: Commands, assets: Res<AssetServer>) {
    commands.insert_resource(NavLevel::new(assets.load("level.navmesh")));
    let view = Transform::from_xyz(352.0, -180.0, 0.0).with_scale(Vec3::splat(0.6));
    // With four samples a pixel, a renderer in software takes three times as long, for
    // rectangles that look the same.
    commands.spawn((Camera2d, Msaa::Off, view));
}

/// What was measured in the last second.
#[derive(Resource, Default)]
struct Figures {
    begin: Option<Instant>,
    times: Vec<Duration>,
    frames: u32,
    arrived: usize,
    since: Option<Instant>,
    text: String,
}

fn begin(mut figures: ResMut<Figures>) {
    figures.begin = Some(Instant::now());
}

fn end(mut figures: ResMut<Figures>, mut events: MessageReader<NavEvent>) {
    if let Some(begin) = figures.begin.take() {
        figures.times.push(begin.elapsed());
    }
    let events = events.read();
    figures.arrived += events
        .filter(|event| event.kind == NavEventKind::Arrived)
        .count();
}

/// Gives agents that are new a sprite, in a colour for each layer.
fn draw_agents(mut commands: Commands, agents: Query<(Entity, &NavAgent), Without<Sprite>>) {
    for (entity, agent) in &agents {
        let letters = agent.layer().bytes().map(u32::from).sum::<u32>();
        let color = Color::hsl((letters * 47 % 360) as f32, 0.7, 0.6);
        let sprite = Sprite::from_color(color.with_alpha(0.6), Vec2::new(6.0, 12.0));
        commands
            .entity(entity)
            .insert((sprite, Anchor::BOTTOM_CENTER));
    }
}

fn toggle(keys: Res<ButtonInput<KeyCode>>, mut debug: ResMut<NavDebug>) {
    if keys.just_pressed(KeyCode::Space) {
        debug.links = !debug.links;
        debug.doors = debug.links;
    }
}

fn show(
    mut figures: ResMut<Figures>,
    agents: Query<&NavAgent>,
    paths: Res<NavWorld>,
    mut gizmos: Gizmos,
) {
    figures.frames += 1;
    let now = Instant::now();
    let since = *figures.since.get_or_insert(now);
    let seconds = now.duration_since(since).as_secs_f64();
    if seconds >= 1.0 {
        let mut times = std::mem::take(&mut figures.times);
        times.sort_unstable();
        let busy = times.iter().sum::<Duration>().as_secs_f64() / seconds;
        let ms = |time: Option<&Duration>| time.map_or(0.0, |time| time.as_secs_f64() * 1e3);
        let text = format!(
            "{} agents   {:.0} updates/s in {:.0} % of the time   median {:.1} ms   longest {:.1} ms   {:.0} frames/s   {} wait for a path   {} arrived",
            agents.iter().len(),
            times.len() as f64 / seconds,
            busy * 100.0,
            ms(times.get(times.len() / 2)),
            ms(times.last()),
            f64::from(figures.frames) / seconds,
            paths.waiting(),
            figures.arrived,
        );
        info!("{text}");
        (figures.text, figures.since) = (text, Some(now));
        (figures.frames, figures.arrived) = (0, 0);
    }
    let at = Isometry2d::from_xy(0.0, 20.0);
    gizmos.text_2d(at, &figures.text, 6.0, Vec2::new(-0.5, 0.5), Color::WHITE);
}
