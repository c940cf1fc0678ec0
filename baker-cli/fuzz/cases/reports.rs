//! A forged baked file, and every report about it if it is accepted.

use baker_cli::report::diff::{self, Diff, DifferenceKind};
use baker_cli::report::dump;
use baker_cli::report::explain::explain;
use baker_cli::report::inspect::Summary;
use baker_cli::report::lint::{LintSettings, lint};
use baker_cli::report::render::render;
use baker_cli::report::simulation::{AgentCommand, Script, simulate};
use baker_cli::report::view::{PageFile, view};
use navmesh_runtime::asset;
use navmesh_runtime::glam::Vec2;
use navmesh_runtime::mesh::{Layer, NavMesh};
use navmesh_runtime::search::Doors;

#[path = "../../../navmesh-runtime/fuzz/cases/checksums.rs"]
mod checksums;

/// The first bytes of a case choose places and reports; the rest is the file.
const CHOICES: usize = 32;

/// Reports about larger meshes take too long for a fuzzer: 16,384 vertices.
const MOST_VERTICES: usize = 1 << 14;

/// Runs one case. Returns whether the file was accepted.
pub(crate) fn run(case: &[u8]) -> bool {
    let (choices, file) = case.split_at(case.len().min(CHOICES));
    let Some(mesh) = decoded(file.to_vec()) else {
        return false;
    };
    let grid = mesh.grid();
    if grid.columns as usize * grid.rows as usize <= MOST_VERTICES {
        about_one(&mesh, file.len() as u64, choices).expect("a sink takes everything");
        // A file that differs in a few bytes.
        let mut other = file.to_vec();
        for edit in choices.chunks_exact(4) {
            let at = usize::from(edit[0]) << 8 | usize::from(edit[1]);
            if let Some(byte) = other.get_mut(at) {
                *byte = edit[2];
            }
        }
        let other = decoded(other).unwrap_or_else(|| mesh.clone());
        for (old, new) in [(&mesh, &mesh), (&mesh, &other), (&other, &mesh)] {
            about_two(old, new).expect("a sink takes everything");
        }
    }
    true
}

fn decoded(mut file: Vec<u8>) -> Option<NavMesh> {
    checksums::correct(&mut file);
    asset::decode(&file).ok()
}

fn about_one(mesh: &NavMesh, bytes: u64, choices: &[u8]) -> std::io::Result<()> {
    let out = &mut std::io::sink();
    lint(mesh, &LintSettings::default());
    dump::json(mesh, "4.0", out)?;
    dump::text(mesh, "4.0", out)?;
    let summary = Summary::new(mesh, "4.0", bytes, Vec::new());
    summary.json(out)?;
    summary.text(out)?;
    for layer in mesh.layers() {
        for choice in choices.chunks_exact(4).take(3) {
            let [from, to] = [&choice[..2], &choice[2..]].map(|at| place(layer, at[0], at[1]));
            explain(layer, None, from, to);
            let simulation = simulate(
                layer,
                &Script {
                    from,
                    to,
                    doors: Doors::from_mesh(mesh),
                    commands: vec![
                        (0.5, AgentCommand::Go(from)),
                        (0.7, AgentCommand::Disable),
                        (0.9, AgentCommand::Enable),
                    ],
                    hz: 20.0,
                    limit: 8.0,
                },
            );
            simulation.json(out)?;
            simulation.text(true, out)?;
            if choice[0] == choice[2] {
                render(mesh, layer, &[from, to], None);
            }
        }
    }
    Ok(())
}

/// Half of all places are on a floor.
fn place(layer: &Layer, x: u8, y: u8) -> Vec2 {
    let grid = layer.grid();
    let size = Vec2::new(grid.columns as f32, grid.rows as f32) * grid.spacing;
    let count = layer.platforms().len().max(1);
    let floor = layer.platforms().nth(usize::from(x) % count);
    match floor {
        Some(floor) if y.is_multiple_of(2) => floor.left(),
        _ => grid.origin + Vec2::new(f32::from(x), f32::from(y)) / 255.0 * size,
    }
}

fn about_two(old: &NavMesh, new: &NavMesh) -> std::io::Result<()> {
    let out = &mut std::io::sink();
    let found = Diff::new(old, new, ["old", "new"]);
    assert!(!std::ptr::eq(old, new) || !found.has(DifferenceKind::Any));
    diff::human(&found, out)?;
    diff::github(&found, "level", out)?;
    diff::markdown(&found, out)?;
    let page = |name, mesh| PageFile {
        name,
        mesh,
        art: None,
    };
    view(
        &[page("old", old), page("new", new)],
        Some(&found),
        None,
        out,
    )
}
