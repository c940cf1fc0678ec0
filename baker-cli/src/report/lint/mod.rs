//! Finds mistakes in a level before a player does.

mod finding;
mod markers;
mod output;
mod platforms;

pub use finding::{Finding, LintSettings, Rule};
pub use output::{FileFindings, github, human, json};

use navmesh_runtime::mesh::{MarkerKind, NavMesh};

use platforms::Components;

/// Checks a mesh: findings by rule, then by agent. The same mesh and settings
/// give the same findings in the same order.
pub fn lint(mesh: &NavMesh, settings: &LintSettings) -> Vec<Finding> {
    let layers: Vec<Components<'_>> = (mesh.layers().iter())
        .map(|layer| Components::new(mesh, layer))
        .collect();
    Rule::ALL
        .into_iter()
        .filter_map(|rule| Some((rule, settings.severity(rule)?)))
        .flat_map(|(rule, severity)| {
            let layers = layers.iter();
            let mut findings = match rule {
                Rule::NoFloor => platforms::no_floor(mesh),
                Rule::BrokenSpawn => markers::broken_spawns(mesh),
                Rule::BrokenPortal => markers::broken_portals(mesh),
                Rule::BrokenDoor => markers::broken_doors(mesh),
                Rule::UnreachableWaypoint => markers::unreachable_waypoints(mesh),
                Rule::Trap => layers.flat_map(platforms::traps).collect(),
                Rule::UnreachablePlatform => layers.flat_map(platforms::unreachable).collect(),
                Rule::FragileLink => layers
                    .flat_map(|layer| platforms::fragile_links(layer, settings.tolerance))
                    .collect(),
            };
            findings.retain(|finding| !is_accepted(mesh, finding));
            for finding in &mut findings {
                finding.severity = severity;
            }
            findings
        })
        .collect()
}

/// The findings that a bake reports as warnings: agents without floor, and
/// broken portals.
pub fn of_bake(mesh: &NavMesh) -> Vec<Finding> {
    let mut findings = platforms::no_floor(mesh);
    findings.extend(markers::broken_portals(mesh));
    findings.retain(|finding| !is_accepted(mesh, finding));
    findings
}

/// Whether the level turns the rule off here: by the property `lint_off` of
/// the marker in question or of an `area` around it.
fn is_accepted(mesh: &NavMesh, finding: &Finding) -> bool {
    let turns_off = |text: &str| {
        text.split(|c: char| c == ',' || c.is_whitespace())
            .any(|word| word == "all" || word == finding.rule.name())
    };
    mesh.markers().iter().enumerate().any(|(index, marker)| {
        let [min, max] = marker.bounds(mesh.down());
        let is_inside = finding.position.cmpge(min).all() && finding.position.cmple(max).all();
        let applies =
            finding.marker == Some(index) || marker.kind() == MarkerKind::Area && is_inside;
        applies && marker.property("lint_off").is_some_and(turns_off)
    })
}
