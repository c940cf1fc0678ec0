//! What a designer would want to hear of a level before a player finds it.
//!
//! One rule a file; each tells its findings in an order of its own, the most
//! important first where that can be told.
//!
//! - `graph`: what the rules ask of a layer.
//! - `finding`: rules, severities, findings.
//! - `told`: findings as text, JSON and notes for a code review.

mod door;
mod finding;
mod fragile;
mod graph;
mod portal;
mod spawn;
mod told;
mod trap;
mod unreachable;
mod waypoint;

pub use finding::{Finding, Rule, Settings, Severity};
pub use told::{FileFindings, github, human, json};

use navmesh_runtime::mesh::{MarkerKind, NavMesh};

use finding::Draft;
use graph::Graph;

/// Everything the rules find in a mesh, rule by rule, agent by agent; the
/// same for the same mesh and settings.
pub fn lint(mesh: &NavMesh, settings: &Settings) -> Vec<Finding> {
    let graphs: Vec<Graph<'_>> = mesh
        .layers()
        .iter()
        .map(|layer| Graph::new(mesh, layer))
        .collect();
    Rule::ALL
        .into_iter()
        .filter_map(|rule| Some((rule, settings.severity(rule)?)))
        .flat_map(|(rule, severity)| {
            let drafts = match rule {
                Rule::BrokenSpawn => spawn::find(mesh),
                Rule::BrokenPortal => portal::find(mesh),
                Rule::BrokenDoor => door::find(mesh),
                Rule::UnreachableWaypoint => waypoint::find(mesh),
                Rule::Trap => graphs.iter().flat_map(trap::find).collect(),
                Rule::UnreachablePlatform => graphs.iter().flat_map(unreachable::find).collect(),
                Rule::FragileLink => {
                    let tolerance = settings.tolerance;
                    let graphs = graphs.iter();
                    graphs.flat_map(|g| fragile::find(g, tolerance)).collect()
                }
            };
            drafts
                .into_iter()
                .filter(move |draft| !is_accepted(mesh, rule, draft))
                .map(move |draft| draft.of(rule, severity))
        })
        .collect()
}

/// The findings about portals alone: what a bake warns of.
pub fn portals(mesh: &NavMesh) -> Vec<Finding> {
    let severity = Severity::Warning;
    let drafts = portal::find(mesh).into_iter();
    drafts
        .filter(|draft| !is_accepted(mesh, Rule::BrokenPortal, draft))
        .map(|draft| draft.of(Rule::BrokenPortal, severity))
        .collect()
}

/// Whether the level itself says that this is meant: property `lint_off` of
/// the marker it is about, or of an `area` around it.
fn is_accepted(mesh: &NavMesh, rule: Rule, draft: &Draft) -> bool {
    let turns_off = |text: &str| {
        text.split(|c: char| c == ',' || c.is_whitespace())
            .any(|word| word == "all" || word == rule.name())
    };
    mesh.markers().iter().enumerate().any(|(index, marker)| {
        let [min, max] = marker.bounds(mesh.down());
        let inside = draft.position.cmpge(min).all() && draft.position.cmple(max).all();
        let concerns = match marker.kind() {
            MarkerKind::Area => inside || draft.marker == Some(index),
            _ => draft.marker == Some(index),
        };
        concerns && marker.property("lint_off").is_some_and(turns_off)
    })
}
