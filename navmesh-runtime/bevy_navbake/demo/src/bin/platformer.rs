//! A player among chasers and fliers, in a level with doors and portals.
//!
//! `cargo run -p bevy_navbake_demo` in the folder of `bevy_navbake`:
//! arrows or A and D run, Space jumps, E opens and closes the doors; 1 to 5 show and hide the terrain, links, doors, paths and trees. With
//! `-- --screenshot FILE.png SECONDS` it plays by itself and saves a picture.

use bevy::prelude::*;
use bevy::render::view::screenshot::{Screenshot, save_to_disk};
use bevy::sprite::Anchor;
use bevy::window::WindowResolution;
use bevy_navbake::prelude::*;

/// The map that the mesh was baked from, for its tiles.
const MAP: &str = include_str!("../../../../../fixtures/portals.tmx");
const TILE: f32 = 16.0;
const START: Vec2 = Vec2::new(360.0, -208.0);
const BODY: Vec2 = Vec2::new(12.0, 16.0);
const RUN: f32 = 110.0;
const JUMP: f32 = 290.0;
const GRAVITY: f32 = 800.0;

fn main() {
    let mut app = App::new();
    let window = Window {
        title: "bevy_navbake: platformer".into(),
        resolution: WindowResolution::new(1536, 512),
        ..default()
    };
    let plugins = DefaultPlugins
        .set(ImagePlugin::default_nearest())
        .set(WindowPlugin {
            primary_window: Some(window),
            ..default()
        });
    app.add_plugins((plugins, NavPlugin::default(), NavDebugPlugin))
        .init_resource::<Solid>()
        .init_resource::<Score>()
        .insert_resource(ClearColor(Color::srgb(0.08, 0.09, 0.12)))
        .add_systems(Startup, setup)
        .add_systems(
            Update,
            (
                (move_player, toggle, bite).before(NavSystems::Trees),
                (animate, show_doors, show_score).after(NavSystems::Move),
            ),
        );
    let mut tokens = app.world_mut().resource_mut::<NavTokens>();
    tokens.insert("melee", TokenPool::new(Aggression::Low));
    if let Some(photo) = Photo::from_arguments() {
        app.insert_resource(photo).add_systems(Update, take_photo);
    }
    app.run();
}

#[derive(Component, Default)]
struct Player {
    velocity: Vec2,
    grounded: bool,
}

#[derive(Component)]
struct DoorSprite(String);

/// A chaser bites until the time is over.
#[derive(Component)]
struct Bite(Timer);

#[derive(Resource, Default)]
struct Score {
    bites: u32,
}

/// The tiles of the map, from the top-left one; 0 is empty.
#[derive(Resource)]
struct Solid {
    tiles: Vec<Vec<u32>>,
}

impl Default for Solid {
    fn default() -> Self {
        let csv = MAP
            .split("<data encoding=\"csv\">")
            .nth(1)
            .unwrap_or_default();
        let csv = csv.split("</data>").next().unwrap_or_default();
        let rows = csv.lines().filter(|line| !line.trim().is_empty());
        let tiles = rows.map(|row| {
            row.split(',')
                .filter_map(|tile| tile.trim().parse().ok())
                .collect()
        });
        Self {
            tiles: tiles.collect(),
        }
    }
}

impl Solid {
    /// Whether a body with its feet there overlaps a tile.
    fn overlaps(&self, feet: Vec2) -> bool {
        // A hair smaller, so that touching is free.
        let corner = BODY / 2.0 - 0.01;
        let centre = feet + Vec2::new(0.0, BODY.y / 2.0);
        [-1.0, 0.0, 1.0].into_iter().any(|x| {
            [-1.0, 0.0, 1.0].into_iter().any(|y| {
                let at = centre + corner * Vec2::new(x, y);
                let (column, row) = ((at.x / TILE).floor(), (-at.y / TILE).floor());
                if column < 0.0 || row < 0.0 {
                    return false;
                }
                let row = self.tiles.get(row as usize);
                row.and_then(|row| row.get(column as usize))
                    .is_some_and(|tile| *tile != 0)
            })
        })
    }
}

fn setup(
    mut commands: Commands,
    assets: Res<AssetServer>,
    solid: Res<Solid>,
    mut layouts: ResMut<Assets<TextureAtlasLayout>>,
) {
    commands.insert_resource(NavLevel::new(assets.load("portals.navmesh")));
    let view = Transform::from_xyz(384.0, -128.0, 0.0).with_scale(Vec3::splat(0.5));
    commands.spawn((Camera2d, view));

    let image: Handle<Image> = assets.load("tiles.png");
    let layout = layouts.add(TextureAtlasLayout::from_grid(
        UVec2::splat(16),
        6,
        2,
        None,
        None,
    ));
    for (row, tiles) in solid.tiles.iter().enumerate() {
        for (column, tile) in tiles.iter().enumerate().filter(|(_, tile)| **tile != 0) {
            let index = *tile as usize - 1;
            let atlas = TextureAtlas {
                layout: layout.clone(),
                index,
            };
            let at = Vec3::new(column as f32 * TILE, row as f32 * -TILE, 0.0);
            commands.spawn((
                Sprite::from_atlas_image(image.clone(), atlas),
                Anchor::TOP_LEFT,
                Transform::from_translation(at),
            ));
        }
    }

    let player = commands
        .spawn((
            Player::default(),
            body(Color::srgb(0.35, 0.75, 1.0)),
            Anchor::BOTTOM_CENTER,
            place(START),
        ))
        .id();
    let tree: Handle<NavTree> = assets.load("chaser.tree.ron");
    for x in [56.0, 120.0, 600.0] {
        commands.spawn((
            NavAgent::new("ground").allow_partial_path(),
            NavBrain::new(tree.clone()).with_target(player),
            body(Color::srgb(0.95, 0.35, 0.25)),
            Anchor::BOTTOM_CENTER,
            place(Vec2::new(x, -208.0)),
        ));
    }
    for x in [240.0, 560.0] {
        commands.spawn((
            NavAgent::new("air").allow_partial_path(),
            NavDestination::Entity(player),
            Sprite::from_color(Color::srgb(0.8, 0.5, 0.95), Vec2::splat(10.0)),
            Anchor::BOTTOM_CENTER,
            place(Vec2::new(x, -60.0)),
        ));
    }
}

fn body(color: Color) -> Sprite {
    Sprite::from_color(color, BODY)
}

fn place(feet: Vec2) -> Transform {
    Transform::from_translation(feet.extend(2.0))
}

/// Runs, jumps and falls among tiles; a closed door is no obstacle for the player.
fn move_player(
    keys: Res<ButtonInput<KeyCode>>,
    time: Res<Time>,
    photo: Option<Res<Photo>>,
    solid: Res<Solid>,
    player: Single<(&mut Player, &mut Transform)>,
) {
    let (mut player, mut transform) = player.into_inner();
    let dt = time.delta_secs().min(0.05);
    let pressed = |names: [KeyCode; 2]| f32::from(keys.any_pressed(names));
    let mut run = pressed([KeyCode::ArrowRight, KeyCode::KeyD])
        - pressed([KeyCode::ArrowLeft, KeyCode::KeyA]);
    let mut jumps = keys.any_pressed([KeyCode::Space, KeyCode::ArrowUp]);
    if photo.is_some() {
        // Plays by itself: to and fro, with jumps.
        run = (time.elapsed_secs() * 0.7).cos().signum();
        jumps = time.elapsed_secs() % 1.3 < 0.1;
    }
    player.velocity.x = run * RUN;
    if jumps && player.grounded {
        player.velocity.y = JUMP;
    }
    player.velocity.y = (player.velocity.y - GRAVITY * dt).max(-400.0);
    player.grounded = false;
    let mut feet = transform.translation.truncate();
    let x = feet + Vec2::new(player.velocity.x * dt, 0.0);
    if !solid.overlaps(x) {
        feet = x;
    }
    let y = feet + Vec2::new(0.0, player.velocity.y * dt);
    if !solid.overlaps(y) {
        feet = y;
    } else if player.velocity.y < 0.0 {
        // The top of the tile that it fell into.
        feet.y = (y.y / TILE).ceil() * TILE;
        (player.grounded, player.velocity.y) = (true, 0.0);
    } else {
        player.velocity.y = 0.0;
    }
    if feet.y < -300.0 {
        (feet, player.velocity) = (START, Vec2::ZERO);
    }
    transform.translation = feet.extend(transform.translation.z);
}

/// The doors and what is drawn.
fn toggle(
    keys: Res<ButtonInput<KeyCode>>,
    mut doors: ResMut<NavWorld>,
    mut debug: ResMut<NavDebug>,
) {
    if keys.just_pressed(KeyCode::KeyE) {
        for name in ["gate", "hatch"] {
            match doors.is_closed(name) {
                Some(true) => doors.open(name),
                Some(false) => doors.close(name),
                // The level is not loaded yet.
                None => false,
            };
        }
    }
    let debug = &mut *debug;
    for (key, shown) in [
        (KeyCode::Digit1, &mut debug.terrain),
        (KeyCode::Digit2, &mut debug.links),
        (KeyCode::Digit3, &mut debug.doors),
        (KeyCode::Digit4, &mut debug.paths),
        (KeyCode::Digit5, &mut debug.trees),
    ] {
        *shown ^= keys.just_pressed(key);
    }
}

/// Plays the cue `bite` of the trees: it takes 0.6 s and throws the player up.
fn bite(
    mut commands: Commands,
    time: Res<Time>,
    mut cues: MessageReader<NavCue>,
    mut score: ResMut<Score>,
    mut player: Single<&mut Player>,
    mut biters: Query<(Entity, &mut NavBrain, &mut Bite)>,
) {
    for cue in cues.read() {
        // An agent that was despawned meanwhile is none of our concern.
        let Ok(mut biter) = commands.get_entity(cue.agent) else {
            continue;
        };
        if cue.phase == CuePhase::Begin {
            score.bites += 1;
            player.velocity.y = 200.0;
            biter.insert(Bite(Timer::from_seconds(0.6, TimerMode::Once)));
        } else {
            biter.remove::<Bite>();
        }
    }
    for (entity, mut brain, mut bite) in &mut biters {
        if bite.0.tick(time.delta()).is_finished() {
            brain.finish_cue(true);
            commands.entity(entity).remove::<Bite>();
        }
    }
}

/// Agents lean in the direction in which they run, and are bright while they bite.
fn animate(mut agents: Query<(&NavAgent, &mut Transform, &mut Sprite, Has<Bite>)>) {
    for (agent, mut transform, mut sprite, bites) in &mut agents {
        let lean = if agent.activity().is_moving() {
            0.12
        } else {
            0.0
        };
        let side = if agent.facing() == Facing::Left {
            1.0
        } else {
            -1.0
        };
        transform.rotation = Quat::from_rotation_z(lean * side);
        let alpha = if bites { 1.0 } else { 0.85 };
        sprite.color.set_alpha(alpha);
    }
}

/// One bar for each door of the level, red while closed.
fn show_doors(
    mut commands: Commands,
    doors: Res<NavWorld>,
    mut loads: MessageReader<NavLevelLoaded>,
    mut bars: Query<(Entity, &DoorSprite, &mut Sprite)>,
) {
    if loads.read().count() > 0 {
        for (entity, ..) in &bars {
            commands.entity(entity).despawn();
        }
        for (name, place, _) in doors.doors() {
            commands.spawn((
                DoorSprite(name.to_owned()),
                Sprite::from_color(Color::WHITE, place.size()),
                Transform::from_translation(place.center().extend(1.0)),
            ));
        }
        return;
    }
    for (_, bar, mut sprite) in &mut bars {
        sprite.color = match doors.is_closed(&bar.0) {
            Some(true) => Color::srgba(0.8, 0.25, 0.2, 0.9),
            _ => Color::srgba(0.3, 0.8, 0.4, 0.25),
        };
    }
}

fn show_score(score: Res<Score>, agents: Query<&NavBrain>, mut gizmos: Gizmos) {
    let held: usize = agents.iter().map(NavBrain::tokens_held).sum();
    let text = format!(
        "bites {}   tokens held {held} of 1   E doors   1-5 gizmos",
        score.bites
    );
    let at = Isometry2d::from_xy(20.0, -8.0);
    gizmos.text_2d(at, &text, 8.0, Vec2::new(-0.5, 0.5), Color::WHITE);
}

/// Saves a picture of the window after some seconds, and exits.
#[derive(Resource)]
struct Photo {
    file: String,
    after: f32,
    is_taken: bool,
}

impl Photo {
    fn from_arguments() -> Option<Self> {
        let mut arguments = std::env::args().skip_while(|argument| argument != "--screenshot");
        let file = arguments.nth(1)?;
        let after = arguments
            .next()
            .and_then(|text| text.parse().ok())
            .unwrap_or(5.0);
        Some(Self {
            file,
            after,
            is_taken: false,
        })
    }
}

fn take_photo(
    mut commands: Commands,
    time: Res<Time>,
    mut photo: ResMut<Photo>,
    mut exit: MessageWriter<AppExit>,
) {
    if time.elapsed_secs() > photo.after && !photo.is_taken {
        photo.is_taken = true;
        let save = save_to_disk(photo.file.clone());
        commands.spawn(Screenshot::primary_window()).observe(save);
    } else if time.elapsed_secs() > photo.after + 2.0 {
        exit.write(AppExit::Success);
    }
}
