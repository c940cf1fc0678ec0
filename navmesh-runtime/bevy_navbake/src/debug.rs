//! Gizmos: terrain, links, paths, doors and running trees.

use std::collections::HashSet;

use bevy::app::{App, Plugin, Update};
use bevy::color::palettes::tailwind;
use bevy::color::{Alpha as _, Srgba};
use bevy::ecs::prelude::*;
use bevy::gizmos::prelude::*;
use bevy::math::{Isometry2d, Vec2};
use bevy::reflect::Reflect;
use navmesh_runtime::mesh::{Cell, Layer, Link, Terrain};
use navmesh_runtime::motion::Airborne;

use crate::agent::NavAgent;
use crate::brain::NavBrain;
use crate::level::{Frame, NavWorld};
use crate::plugin::NavSystems;

/// Draws what [`NavDebug`] says. Add it after `DefaultPlugins`.
#[derive(Debug, Default)]
pub struct NavDebugPlugin;

impl Plugin for NavDebugPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<NavDebug>()
            .init_gizmo_group::<NavGizmos>()
            .add_systems(Update, (draw_level, draw_agents).after(NavSystems::Move));
    }
}

/// The gizmos of this crate. `GizmoConfigStore` has their line width and depth.
#[derive(Default, Reflect, GizmoConfigGroup)]
pub struct NavGizmos;

/// What [`NavDebugPlugin`] draws. The game may change it at any time.
#[derive(Resource, Debug, Clone)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each switches one kind of drawing"
)]
pub struct NavDebug {
    /// The name of the layer whose terrain, platforms and links are drawn;
    /// `None` for the first one.
    pub layer: Option<String>,
    /// The vertices of the grid: a dot where the body is free, a cross where it
    /// would overlap something. The default is `false`: there are many.
    pub terrain: bool,
    /// Platforms, jumps, drops and portals.
    pub links: bool,
    /// Doors: filled with a cross while closed.
    pub doors: bool,
    /// The paths of the agents.
    pub paths: bool,
    /// The running nodes of the agents' trees, above them.
    pub trees: bool,
}

impl Default for NavDebug {
    fn default() -> Self {
        Self {
            layer: None,
            terrain: false,
            links: true,
            doors: true,
            paths: true,
            trees: true,
        }
    }
}

fn draw_level(debug: Res<NavDebug>, world: Res<NavWorld>, mut gizmos: Gizmos<NavGizmos>) {
    let Some(nav) = world.navigator() else {
        return;
    };
    let (mesh, frame) = (nav.mesh(), world.frame());
    let named = debug
        .layer
        .as_deref()
        .and_then(|name| mesh.layer_named(name));
    let Some(layer) = named.or(mesh.layers().first()) else {
        return;
    };
    if debug.terrain {
        draw_terrain(layer, frame, &mut gizmos);
    }
    if debug.links {
        draw_links(layer, frame, &mut gizmos);
    }
    for (_, place, is_closed) in world.doors().filter(|_| debug.doors) {
        let color = if is_closed {
            tailwind::RED_500
        } else {
            tailwind::GREEN_500
        };
        gizmos.rect_2d(
            Isometry2d::from_translation(place.center()),
            place.size(),
            color,
        );
        if is_closed {
            gizmos.line_2d(place.min, place.max, color);
        }
    }
}

fn draw_terrain(layer: &Layer, frame: Frame, gizmos: &mut Gizmos<NavGizmos>) {
    let grid = layer.grid();
    let size = grid.spacing * 0.1;
    for (row, column) in (0..grid.rows).flat_map(|row| (0..grid.columns).map(move |c| (row, c))) {
        let cell = Cell { column, row };
        let color = match layer.terrain(cell) {
            Terrain::InAir => tailwind::SLATE_600,
            Terrain::OnFloor => tailwind::GREEN_500,
            Terrain::OnWall | Terrain::OnCeiling => tailwind::AMBER_500,
            Terrain::InsideGeometry => tailwind::RED_900,
        };
        gizmos.cross_2d(frame.to_world(grid.position(cell)), size, color);
    }
}

fn draw_links(layer: &Layer, frame: Frame, gizmos: &mut Gizmos<NavGizmos>) {
    for platform in layer.platforms() {
        let surface = platform.surface.iter();
        gizmos.linestrip_2d(surface.map(|at| frame.to_world(*at)), tailwind::EMERALD_400);
    }
    for link in layer.links() {
        let color: Srgba = if !link.kind.is_airborne() {
            tailwind::FUCHSIA_400
        } else if frame.to_world(link.to).y > frame.to_world(link.from).y {
            tailwind::SKY_400
        } else {
            tailwind::INDIGO_400
        };
        gizmos.linestrip_2d(curve(link, layer, frame), color.with_alpha(0.5));
    }
}

/// The line of a link, world units.
fn curve(link: &Link, layer: &Layer, frame: Frame) -> Vec<Vec2> {
    // Enough for a smooth line at any size on screen.
    let steps = 16;
    let from = frame.to_world(link.from);
    let Some(mut motion) = Airborne::along(link, layer, layer.profile()) else {
        // Through a portal. It is a bow, because both ends may be on one floor.
        let offset = frame.to_world(link.to) - from;
        let height = offset.length() * 0.15;
        let shares = (0..=steps).map(|step| step as f32 / steps as f32);
        let bow = |share: f32| Vec2::new(0.0, height * 4.0 * share * (1.0 - share));
        return shares
            .map(|share| from + offset * share + bow(share))
            .collect();
    };
    let step = motion.duration() / f64::from(steps);
    let points = (0..=steps).map(|_| {
        let at = frame.to_world(motion.position());
        motion.advance(step);
        at
    });
    points.collect()
}

fn draw_agents(
    debug: Res<NavDebug>,
    agents: Query<(&NavAgent, Option<&NavBrain>)>,
    mut gizmos: Gizmos<NavGizmos>,
) {
    let mut texts = Texts::default();
    for (agent, brain) in &agents {
        let Some(feet) = agent.feet() else { continue };
        if debug.paths {
            let ends = agent.path().map(|(_, _, to)| to);
            gizmos.linestrip_2d(std::iter::once(feet).chain(ends), tailwind::YELLOW_300);
        }
        if let (true, Some(brain)) = (debug.trees, brain) {
            let text = brain.running_paths().join(" | ");
            if text.is_empty() {
                continue;
            }
            let at = texts.place(feet + Vec2::new(0.0, 28.0), text.len());
            gizmos.text_2d(
                Isometry2d::from_translation(at),
                &text,
                Texts::SIZE,
                Vec2::new(0.0, -0.5),
                tailwind::ORANGE_300,
            );
        }
    }
}

/// Places texts above each other where they would overlap.
#[derive(Default)]
struct Texts {
    /// The squares that texts cover, [`Self::LINE`] wide and high.
    covered: HashSet<[i32; 2]>,
}

impl Texts {
    /// The height of a letter, world units.
    const SIZE: f32 = 7.0;
    /// The distance between lines.
    const LINE: f32 = 10.0;
    /// What a letter takes of a line, with the gap after it. The widest letters of Bevy's
    /// font for gizmos take it all.
    const ADVANCE: f32 = 6.0;

    /// The place of a text that is wanted centred above a position.
    fn place(&mut self, wanted: Vec2, letters: usize) -> Vec2 {
        let half = letters as f32 * Self::ADVANCE / 2.0;
        let line = |x: f32| (x / Self::LINE).floor() as i32;
        let columns = line(wanted.x - half)..=line(wanted.x + half);
        let mut row = line(wanted.y);
        while columns
            .clone()
            .any(|column| self.covered.contains(&[column, row]))
        {
            row += 1;
        }
        self.covered.extend(columns.map(|column| [column, row]));
        let lifted = row - line(wanted.y);
        wanted + Vec2::new(0.0, lifted as f32 * Self::LINE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_do_not_overlap() {
        let mut texts = Texts::default();
        let places = [0.0, 3.0, 20.0, 500.0].map(|x| texts.place(Vec2::new(x, 41.0), 10));
        let heights = places.map(|at| at.y);
        assert_eq!(heights, [41.0, 51.0, 61.0, 41.0]);
        assert_eq!(places[1].x, 3.0);
    }
}
