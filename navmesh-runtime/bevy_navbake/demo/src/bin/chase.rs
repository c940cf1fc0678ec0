//! The program of the guide: a grunt chases the player.

use bevy::prelude::*;
use bevy::sprite::Anchor;
use bevy_navbake::prelude::*;

fn main() {
    App::new()
        .add_plugins((DefaultPlugins, NavPlugin::default(), NavDebugPlugin))
        .add_systems(Startup, setup)
        .add_systems(Update, (move_player, report))
        .run();
}

#[derive(Component)]
struct Player;

fn setup(mut commands: Commands, assets: Res<AssetServer>) {
    commands.insert_resource(NavLevel::new(assets.load("level.navmesh")));
    // The level is 704 x 384 pixels; its top-left corner is at (0, 0), and y grows upwards.
    let view = Transform::from_xyz(352.0, -192.0, 0.0).with_scale(Vec3::splat(0.6));
    commands.spawn((Camera2d, view));
    let body = Vec2::new(12.0, 20.0);
    let player = (
        Player,
        Sprite::from_color(Color::srgb(0.3, 0.7, 1.0), body),
        Anchor::BOTTOM_CENTER,
        Transform::from_xyz(48.0, -352.0, 1.0),
    );
    let player = commands.spawn(player).id();
    commands.spawn((
        NavAgent::new("walker").allow_partial_path(),
        NavDestination::Entity(player),
        Sprite::from_color(Color::srgb(1.0, 0.3, 0.2), body),
        Anchor::BOTTOM_CENTER,
        Transform::from_xyz(624.0, -128.0, 1.0),
    ));
}

/// A player that floats: put your own controller here.
fn move_player(
    keys: Res<ButtonInput<KeyCode>>,
    time: Res<Time>,
    mut player: Single<&mut Transform, With<Player>>,
) {
    let pressed = |key| f32::from(keys.pressed(key));
    let x = pressed(KeyCode::ArrowRight) - pressed(KeyCode::ArrowLeft);
    let y = pressed(KeyCode::ArrowUp) - pressed(KeyCode::ArrowDown);
    player.translation += Vec3::new(x, y, 0.0) * 150.0 * time.delta_secs();
}

fn report(mut events: MessageReader<NavEvent>) {
    for event in events.read() {
        info!("{:?} at {}", event.kind, event.position);
    }
}
