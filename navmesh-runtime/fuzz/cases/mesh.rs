//! A forged baked file, and what a game does with the mesh if it is accepted.

use navmesh_runtime::NavAgent;
use navmesh_runtime::asset;
use navmesh_runtime::glam::Vec2;
use navmesh_runtime::mesh::NavMesh;
use navmesh_runtime::motion::{BodyState, Environment, PathQueue};
use navmesh_runtime::search::{Doors, Filter, Rect, line_of_sight};
use navmesh_runtime::search::{PathFinder, Query};

mod checksums;

/// The first bytes of a case are commands to agents; the rest is the file.
pub(crate) const COMMANDS: usize = 32;

/// Searches of larger meshes take too long for a fuzzer: 65,536 vertices.
pub(crate) const MOST_VERTICES: usize = 1 << 16;

/// Runs one case. Returns whether the file was accepted.
pub(crate) fn run(case: &[u8]) -> bool {
    let (commands, file) = case.split_at(case.len().min(COMMANDS));
    let mut file = file.to_vec();
    checksums::correct(&mut file);
    let Ok(mesh) = asset::decode(&file) else {
        return false;
    };
    written_again(&mesh);
    let grid = mesh.grid();
    if grid.columns as usize * grid.rows as usize <= MOST_VERTICES {
        play(&mesh, commands);
    }
    true
}

/// What was accepted can be written and read.
pub(crate) fn written_again(mesh: &NavMesh) {
    let again = asset::decode(&asset::encode(mesh)).expect("what was read can be written");
    assert_eq!(again, *mesh);
}

/// Moves agents by the commands.
pub(crate) fn play(mesh: &NavMesh, commands: &[u8]) {
    let (mut finder, mut queue) = (PathFinder::new(), PathQueue::new());
    let mut doors = Doors::from_mesh(mesh);
    for layer in mesh.layers() {
        let grid = layer.grid();
        let size = Vec2::new(grid.columns as f32, grid.rows as f32) * grid.spacing;
        let place = |x: u8, y: u8| {
            let part = Vec2::new(f32::from(x), f32::from(y)) / 255.0;
            // Half of all places are on a floor.
            let count = layer.platforms().len();
            let floor = layer.platforms().nth(usize::from(x) % count.max(1));
            match floor {
                Some(floor) if y.is_multiple_of(2) => floor.left(),
                _ => grid.origin + part * size,
            }
        };
        let mut agent = NavAgent::new(layer, place(0, 0));
        let mut clock = 0.0;
        for command in commands.chunks_exact(4) {
            let &[what, x, y, more] = command else {
                continue;
            };
            let at = place(x, y);
            match what % 12 {
                0 | 1 => agent.go_to(at),
                2 => agent.teleport(at),
                3 => {
                    let body = BodyState {
                        position: at,
                        velocity: Vec2::new(f32::from(more), f32::from(y) - 128.0),
                        grounded: x.is_multiple_of(2),
                    };
                    let environment = Environment {
                        layer,
                        doors: &doors,
                    };
                    agent.drive_with(environment, &mut finder, body, 1.0 / 60.0);
                }
                4 => agent.launch(Vec2::new(f32::from(more) - 128.0, f32::from(y) - 128.0)),
                5 => agent.stun(),
                10 => clock = f64::from(i32::from(more) - 64) * f64::from(1_u32 << (y % 32)),
                11 => agent.set_clock(None),
                6 => agent.enable(),
                7 => {
                    doors.close_region(Rect::new(at, at + grid.spacing * f32::from(more)));
                }
                8 => {
                    let mut filter = Filter::default();
                    filter.caution = f32::from(more) / 64.0;
                    filter.close_doors(&doors);
                    agent.set_filter(filter);
                }
                _ => {
                    let query = Query::new(agent.pose().position, at);
                    let query = if more.is_multiple_of(2) {
                        Query {
                            allow_partial_path: true,
                            ..query
                        }
                    } else {
                        query
                    };
                    let _ = finder.index_routes(layer, &query);
                    let _ = finder.find(layer, &query);
                    line_of_sight(layer, &doors, agent.pose().position, at);
                }
            }
            let environment = Environment {
                layer,
                doors: &doors,
            };
            for _ in 0..more % 40 {
                if what % 12 != 11 {
                    clock += 1.0 / 30.0;
                    agent.set_clock(Some(clock));
                }
                if x.is_multiple_of(2) {
                    agent.step(environment, &mut queue, 1.0 / 30.0);
                    queue.work(layer, 200);
                } else {
                    agent.step(environment, &mut finder, 1.0 / 30.0);
                }
            }
        }
        queue = PathQueue::new();
    }
}
