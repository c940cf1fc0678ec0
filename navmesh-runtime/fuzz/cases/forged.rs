//! A baked file whose fields are changed one by one and which is then sealed again, so that
//! the checks of fields are reached that damaged bytes do not get to.

use navmesh_runtime::glam::Vec2;
use navmesh_runtime::mesh::{
    EdgeSet, LayerParts, MovingPlatform, NavMesh, NavMeshParts, PlatformId, PlatformKind,
    Platforms, StepKind,
};

use super::mesh::{COMMANDS, MOST_VERTICES, play, written_again};

/// Numbers at which checks may go wrong.
const ODD: [f32; 12] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    1e-20,
    1e9,
    -1e9,
    3e38,
    f32::NAN,
    f32::INFINITY,
    f32::MIN_POSITIVE,
];

/// Most copies of a thing.
const MOST_COPIES: usize = 1 << 10;

/// Runs one case on a mesh: the first bytes are commands to agents, then each change takes
/// six. Returns whether the mesh was accepted.
pub(crate) fn run(mesh: &NavMesh, case: &[u8]) -> bool {
    let (commands, changes) = case.split_at(case.len().min(COMMANDS));
    let mut parts = NavMeshParts {
        provenance: mesh.provenance().clone(),
        units: mesh.units(),
        grid: *mesh.grid(),
        layers: (mesh.layers().iter().map(|layer| layer.parts().clone())).collect(),
        markers: mesh.markers().to_vec(),
    };
    let moving = mesh.layers().iter();
    let mut moving: Vec<_> = moving.map(|own| own.moving_platforms().to_vec()).collect();
    for change in changes.chunks_exact(6) {
        apply(&mut parts, &mut moving, change);
    }
    for layer in &mut parts.layers {
        layer.links.sort_by_key(|link| link.from_platform);
    }
    let Ok(mut mesh) = NavMesh::new(parts) else {
        return false;
    };
    if mesh.set_moving_platforms(moving).is_err() {
        return false;
    }
    written_again(&mesh);
    if mesh.grid().columns as usize * mesh.grid().rows as usize <= MOST_VERTICES {
        play(&mesh, commands);
    }
    true
}

/// A number of the case: near to what was there, or an odd one.
fn number(was: f32, byte: u8) -> f32 {
    match byte {
        0..128 => was + (f32::from(byte) - 64.0),
        128..244 => was * (f32::from(byte) - 128.0) / 64.0,
        _ => ODD[usize::from(byte - 244)],
    }
}

fn apply(parts: &mut NavMeshParts, moving: &mut [Vec<MovingPlatform>], change: &[u8]) {
    let &[what, which, low, high, a, b] = change else {
        return;
    };
    let at = usize::from(low) | usize::from(high) << 8;
    if what.is_multiple_of(16) {
        let grid = &mut parts.grid;
        match which % 3 {
            0 => grid.spacing = number(grid.spacing, a),
            1 => grid.origin.x = number(grid.origin.x, a),
            _ => grid.origin.y = number(grid.origin.y, a),
        }
        return;
    }
    if what % 16 == 1 {
        let count = parts.markers.len().max(1);
        if let Some(marker) = parts.markers.get_mut(at % count) {
            marker.position = Vec2::new(number(marker.position.x, a), number(marker.position.y, b));
        }
        return;
    }
    let count = parts.layers.len().max(1);
    let own = usize::from(which) % count;
    let Some(layer) = parts.layers.get_mut(own) else {
        return;
    };
    if what % 16 > 12 && !moving[own].is_empty() {
        let count = moving[own].len();
        change_moving(&mut moving[own][at % count], at / count, [what / 16, a, b]);
        return;
    }
    match what % 16 {
        2..=4 => change_profile(layer, low, a),
        5..=8 => change_platforms(layer, at, [a, b]),
        9 => {
            let (columns, rows) = (layer.blocked.columns(), layer.blocked.rows());
            let (column, row) = (u32::from(low) % columns, u32::from(high) % rows);
            for column in column..(column + u32::from(a)).min(columns) {
                layer.blocked.set(column, row, b.is_multiple_of(2));
            }
        }
        10 => {
            let count = layer.barriers.len().max(1);
            if let Some(barrier) = layer.barriers.get_mut(at % count) {
                barrier.at = number(barrier.at, a);
                barrier.low = number(barrier.low, b);
            }
        }
        11 => {
            let count = layer.air.len().max(1);
            if let Some(cell) = layer.air.get_mut(at % count) {
                cell.upper[usize::from(a % 2)] = number(cell.upper[0], b);
            }
        }
        _ => change_links(layer, at, [what, a, b]),
    }
}

fn change_profile(layer: &mut LayerParts, which: u8, a: u8) {
    let profile = &mut layer.profile;
    let value = match which % 14 {
        0 => &mut profile.body[0],
        1 => &mut profile.body[1],
        2 => &mut profile.run_speed,
        3 => &mut profile.acceleration,
        4 => &mut profile.deceleration,
        5 => &mut profile.gravity,
        6 => &mut profile.jump_speed,
        7 => &mut profile.max_jump[0],
        8 => &mut profile.max_drop[1],
        9 => &mut profile.step_height,
        10 => &mut profile.climb_speed,
        11 => profile.max_fall_speed.get_or_insert(100.0),
        12 => profile.air_acceleration.get_or_insert(100.0),
        _ => {
            profile.edges = profile.edges
                | if a < 128 {
                    EdgeSet::FLY
                } else {
                    EdgeSet::CLIMB
                };
            return;
        }
    };
    *value = number(*value, a);
}

fn change_platforms(layer: &mut LayerParts, at: usize, [a, b]: [u8; 2]) {
    let all = layer.platforms.iter();
    let mut all: Vec<_> = all.map(|p| (p.kind, p.surface.to_vec())).collect();
    let count = all.len().max(1);
    let Some((kind, surface)) = all.get_mut(at % count) else {
        return;
    };
    match a % 4 {
        0 | 1 => {
            let points = surface.len();
            let point = &mut surface[at / count % points];
            *point = Vec2::new(number(point.x, a), number(point.y, b));
        }
        2 => {
            *kind = [
                PlatformKind::Floor,
                PlatformKind::Ladder,
                PlatformKind::Wall,
            ][usize::from(b % 3)];
        }
        _ => {
            let copy = all[at % count].clone();
            let copies = 1 + usize::from(b) * MOST_COPIES / 256;
            all.extend(std::iter::repeat_n(copy, copies));
        }
    }
    if let Ok(platforms) = Platforms::of_kinds(all) {
        layer.platforms = platforms;
    }
}

fn change_moving(on: &mut MovingPlatform, at: usize, [what, a, b]: [u8; 3]) {
    let schedule = &mut on.schedule;
    let keys = schedule.keys.len();
    match what {
        0 => on.size[at % 2] = number(on.size[at % 2], a),
        1 => on.deck[at % 2] = number(on.deck[at % 2], a),
        2 => on.one_way = !on.one_way,
        3 => schedule.phase = u32::from(a) << (b % 32),
        4 if keys > 0 => schedule.keys[at % keys].0 = u32::from(a) << (b % 32),
        5..=7 if keys > 0 => {
            let place = &mut schedule.keys[at % keys].1;
            *place = Vec2::new(number(place.x, a), number(place.y, b));
        }
        _ => {
            let all = on.boards.iter_mut().chain(&mut on.exits);
            let mut all: Vec<_> = all.collect();
            let count = all.len().max(1);
            let Some(motion) = all.get_mut(at % count) else {
                return;
            };
            match what {
                8 => motion.floor = Vec2::new(number(motion.floor.x, a), number(motion.floor.y, b)),
                9 => motion.deck = number(motion.deck, a),
                10 => motion.launch = (b.is_multiple_of(2)).then(|| number(100.0, a)),
                11 => motion.across = number(motion.across, a),
                12 => motion.ramp = number(motion.ramp, a),
                13 => motion.run = number(motion.run, a),
                14 => motion.platform = PlatformId(a.into()),
                _ => motion
                    .windows
                    .push([a, b].map(|tick| u32::from(tick) << (at % 32))),
            }
        }
    }
}

fn change_links(layer: &mut LayerParts, at: usize, [what, a, b]: [u8; 3]) {
    let count = layer.links.len().max(1);
    let platforms = layer.platforms.len() as u32 + 1;
    let Some(link) = layer.links.get_mut(at % count) else {
        return;
    };
    match what / 16 % 6 {
        0 => link.from = Vec2::new(number(link.from.x, a), number(link.from.y, b)),
        1 => link.to = Vec2::new(number(link.to.x, a), number(link.to.y, b)),
        2 => link.tolerance = number(link.tolerance, a),
        3 => link.to_platform = PlatformId(u32::from(a) % platforms),
        4 => {
            link.kind = [StepKind::Jump, StepKind::Drop, StepKind::Portal][usize::from(a % 3)];
        }
        _ => {
            let copy = *link;
            let copies = 1 + usize::from(b) * MOST_COPIES / 256;
            layer.links.extend(std::iter::repeat_n(copy, copies));
        }
    }
}
