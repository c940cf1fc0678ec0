//! Finds mistakes in a level before a player does.

mod finding;
mod markers;
mod output;
mod platforms;

pub use finding::{Finding, LintSettings, Rule};
pub use output::{FileFindings, github, human, json};

use navmesh_runtime::mesh::{Marker, MarkerKind, NavMesh};

use platforms::Components;

/// Checks a mesh: findings by rule, then by agent. The same mesh and settings
/// give the same findings in the same order.
pub fn lint(mesh: &NavMesh, settings: &LintSettings) -> Vec<Finding> {
    let layers: Vec<Components<'_>> = (mesh.layers().iter())
        .map(|layer| Components::new(mesh, layer))
        .collect();
    let exceptions = Exceptions::of(mesh);
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
            findings.retain(|finding| !exceptions.accept(finding));
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
    let exceptions = Exceptions::of(mesh);
    findings.retain(|finding| !exceptions.accept(finding));
    findings
}

/// The markers with a property `lint_off`, and their numbers.
struct Exceptions<'a> {
    mesh: &'a NavMesh,
    markers: Vec<(usize, &'a Marker, &'a str)>,
}

impl<'a> Exceptions<'a> {
    fn of(mesh: &'a NavMesh) -> Self {
        let all = mesh.markers().iter().enumerate();
        let markers =
            all.filter_map(|(index, marker)| Some((index, marker, marker.property("lint_off")?)));
        let markers = markers.collect();
        Self { mesh, markers }
    }

    /// Whether the level turns the rule of a finding off: by the marker in
    /// question or by an `area` around it.
    fn accept(&self, finding: &Finding) -> bool {
        self.markers.iter().any(|&(index, marker, rules)| {
            let applies = finding.marker == Some(index)
                || marker.kind() == MarkerKind::Area && {
                    let [min, max] = marker.bounds(self.mesh.down());
                    finding.position.cmpge(min).all() && finding.position.cmple(max).all()
                };
            let mut rules = rules.split(|c: char| c == ',' || c.is_whitespace());
            applies && rules.any(|word| word == "all" || word == finding.rule.name())
        })
    }
}
