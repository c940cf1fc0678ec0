//! A crowd that chases four targets. Each target is somewhere else every second.

use bevy::ecs::schedule::ScheduleLabel;
use bevy::prelude::*;
use bevy_navbake::prelude::*;

/// Updates a second.
pub(crate) const RATE: usize = 60;

/// Layers and positions in the coordinates of the level.
pub(crate) type Places = Vec<(String, [f32; 2])>;

/// Spawns the crowd when the level is loaded, and moves the targets in the schedule of
/// the [`NavPlugin`].
pub(crate) struct CrowdPlugin<S> {
    pub(crate) count: usize,
    /// Where an agent or a target may be.
    pub(crate) places: fn(&NavMesh) -> Places,
    pub(crate) schedule: S,
}

impl<S: ScheduleLabel + Clone> Plugin for CrowdPlugin<S> {
    fn build(&self, app: &mut App) {
        app.insert_resource(Crowd {
            count: self.count,
            places_of: self.places,
            places: Vec::new(),
            tour: Tour::default(),
        })
        .add_systems(PreUpdate, spawn.after(NavSystems::Level))
        .add_systems(
            self.schedule.clone(),
            move_targets.before(NavSystems::Trees),
        );
    }
}

#[derive(Resource)]
pub(crate) struct Crowd {
    count: usize,
    places_of: fn(&NavMesh) -> Places,
    /// In the world; empty until the level is loaded.
    pub(crate) places: Vec<(String, Vec2)>,
    tour: Tour,
}

#[derive(Component)]
struct Target;

/// Where the targets are.
#[derive(Default)]
pub(crate) struct Tour {
    updates: usize,
    random: u32,
}

impl Tour {
    /// The index of a place among `count` for each of the targets, when they move in this
    /// update.
    pub(crate) fn next(&mut self, count: usize) -> Option<[usize; 4]> {
        let moves = self.updates.is_multiple_of(RATE);
        self.updates += 1;
        moves.then(|| {
            std::array::from_fn(|_| {
                self.random = self
                    .random
                    .wrapping_mul(1_664_525)
                    .wrapping_add(1_013_904_223);
                (self.random >> 8) as usize % count
            })
        })
    }
}

/// The ends of the platforms of all layers whose agents walk.
pub(crate) fn platform_ends(mesh: &NavMesh) -> Places {
    let layers = mesh.layers().iter();
    let on_foot = layers.filter(|layer| layer.profile().edges.walks());
    let ends = on_foot.flat_map(|layer| {
        let platforms = layer.platforms();
        let ends = platforms.flat_map(|platform| [platform.left(), platform.right()]);
        ends.map(|end| (layer.profile().name.clone(), end.to_array()))
    });
    ends.collect()
}

/// The place where agent `i` starts, of `count`. The agents of a level are all over it.
pub(crate) fn start(i: usize, count: usize) -> usize {
    // A prime number.
    i * 7_919 % count
}

fn spawn(
    mut commands: Commands,
    mut loads: MessageReader<NavLevelLoaded>,
    level: Option<Res<NavLevel>>,
    meshes: Res<Assets<NavMesh>>,
    mut crowd: ResMut<Crowd>,
) {
    let Some(level) = level.filter(|_| loads.read().any(|load| !load.is_reload)) else {
        return;
    };
    let Some(mesh) = meshes.get(&level.mesh) else {
        return;
    };
    let places = (crowd.places_of)(mesh).into_iter();
    crowd.places = places
        .map(|(layer, at)| (layer, level.to_world(mesh, at.into())))
        .collect();
    if crowd.places.is_empty() {
        eprintln!("the level has no agent for this crowd");
        return;
    }
    let targets: [Entity; 4] =
        std::array::from_fn(|_| commands.spawn((Target, Transform::default())).id());
    for i in 0..crowd.count {
        let (layer, at) = &crowd.places[start(i, crowd.places.len())];
        commands.spawn((
            NavAgent::new(layer.as_str()).allow_partial_path(),
            NavDestination::Entity(targets[i % targets.len()]),
            Transform::from_translation(at.extend(0.0)),
        ));
    }
}

fn move_targets(mut crowd: ResMut<Crowd>, mut targets: Query<&mut Transform, With<Target>>) {
    let Crowd { places, tour, .. } = &mut *crowd;
    if places.is_empty() {
        return;
    }
    if let Some(next) = tour.next(places.len()) {
        for (mut target, place) in targets.iter_mut().zip(next) {
            target.translation = places[place].1.extend(0.0);
        }
    }
}
