//! Finds mistakes in a level before a player does.

mod finding;
mod markers;
mod output;
mod platforms;

pub use finding::{Finding, LintSettings, Rule};
pub(crate) use output::{FileFindings, LintJson, LintReport};

use std::cell::LazyCell;

use navmesh_runtime::mesh::{Marker, MarkerKind, NavMesh};

use finding::title;
use platforms::Components;

/// Checks a mesh: findings by rule, then by agent. The same mesh and settings
/// give the same findings in the same order.
pub fn lint(mesh: &NavMesh, settings: &LintSettings) -> Vec<Finding> {
    check(mesh, settings, &Rule::ALL, false)
}

/// The findings that a bake reports as warnings: agents without floor, spawns for
/// agents that are not baked, and broken portals. The plugin for Bevy bakes, too.
pub fn of_bake(mesh: &NavMesh, settings: &LintSettings) -> Vec<Finding> {
    let rules = [Rule::NoFloor, Rule::BrokenSpawn, Rule::BrokenPortal];
    check(mesh, settings, &rules, true)
}

/// The agents whose spawns reach less than half of their platforms: the name, the number of
/// platforms out of reach, and of all.
pub(crate) fn mostly_out_of_reach<'m>(
    mesh: &'m NavMesh,
    settings: &LintSettings,
) -> impl Iterator<Item = (&'m str, usize, usize)> + use<'m> {
    let is_on = settings.severity(Rule::UnreachablePlatform).is_some();
    let layers = mesh.layers().iter().filter(move |_| is_on);
    layers.filter_map(|layer| {
        let (lost, all) = Components::new(mesh, layer).out_of_reach();
        (2 * lost > all).then_some((layer.profile().name.as_str(), lost, all))
    })
}

fn check(mesh: &NavMesh, settings: &LintSettings, rules: &[Rule], of_bake: bool) -> Vec<Finding> {
    let layers = LazyCell::new(|| -> Vec<Components<'_>> {
        let layers = mesh.layers().iter();
        layers.map(|layer| Components::new(mesh, layer)).collect()
    });
    let markers = mesh.markers().iter().enumerate();
    let exceptions =
        markers.filter_map(|(i, marker)| Some((i, marker, marker.property("lint_off")?)));
    let exceptions: Vec<_> = exceptions.collect();
    let mut findings = Vec::new();
    for &rule in rules {
        let Some(severity) = settings.severity(rule) else {
            continue;
        };
        let mut of_markers = Vec::new();
        let mut found = Vec::new();
        match rule {
            Rule::NoFloor => found = platforms::no_floor(mesh),
            Rule::BrokenSpawn => of_markers = markers::broken_spawns(mesh, of_bake),
            Rule::BrokenPortal => of_markers = markers::broken_portals(mesh),
            Rule::BrokenDoor => of_markers = markers::broken_doors(mesh),
            Rule::UnreachableWaypoint => of_markers = markers::unreachable_waypoints(mesh),
            Rule::Trap => found.extend(layers.iter().flat_map(platforms::traps)),
            Rule::UnreachablePlatform => {
                found.extend(layers.iter().flat_map(platforms::unreachable));
            }
            Rule::FragileLink => {
                let tolerance = settings.tolerance;
                let fragile = layers
                    .iter()
                    .flat_map(|l| platforms::fragile_links(l, tolerance));
                found.extend(fragile);
            }
        }
        for (index, message) in of_markers {
            found.push(Finding::of_marker(mesh, index, rule, message));
        }
        found.retain(|finding| !is_off(mesh, &exceptions, finding));
        for mut finding in found {
            finding.severity = severity;
            findings.push(finding);
        }
    }
    findings
}

/// Whether the level turns the rule of a finding off: by the property `lint_off`
/// of the marker in question or of an `area` around it. `exceptions` are the markers
/// with the property, and their numbers.
fn is_off(mesh: &NavMesh, exceptions: &[(usize, &Marker, &str)], finding: &Finding) -> bool {
    exceptions.iter().any(|&(index, marker, rules)| {
        let applies = finding.marker == Some(index)
            || marker.kind() == MarkerKind::Area && {
                let [min, max] = marker.bounds(mesh.down());
                finding.position.cmpge(min).all() && finding.position.cmple(max).all()
            };
        applies && words(rules).any(|word| word == "all" || word == finding.rule.name())
    })
}

/// The names in the property `lint_off`.
fn words(rules: &str) -> impl Iterator<Item = &str> {
    let words = rules.split(|c: char| c == ',' || c.is_whitespace());
    words.filter(|word| !word.is_empty())
}

/// The names in the property `lint_off` that no rule has, each after its marker.
pub(crate) fn unknown_rules(mesh: &NavMesh) -> impl Iterator<Item = (String, &str)> {
    mesh.markers().iter().flat_map(|marker| {
        let names = words(marker.property("lint_off").unwrap_or_default());
        let unknown = names.filter(|name| *name != "all" && Rule::from_name(name).is_none());
        unknown.map(|name| (title(marker), name))
    })
}
