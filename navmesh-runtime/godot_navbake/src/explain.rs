//! Why an agent gets from one place to another, or why not.

use navmesh_bake::{Level, Settings, tools::AgentMoves};
use navmesh_runtime::glam::Vec2;
use navmesh_runtime::mesh::StepKind;
use navmesh_runtime::search::SnapTo;
use navmesh_runtime::{Layer, Path};

/// The links of a path and its seconds.
pub fn of_path(path: &Path) -> String {
    let steps = path.steps.iter();
    let links = steps.filter(|step| step.kind != StepKind::Floor);
    let mut names: Vec<&str> = links.map(|step| step.kind.name()).collect();
    if names.is_empty() {
        names.push("on the same floor");
    }
    format!("{:.1} s: {}", path.cost, names.join(", "))
}

/// Why no link leads from the floor at one place to the floor at another.
pub fn of_miss(
    layer: &Layer,
    (level, settings): &(Level, Settings),
    [from, to]: [Vec2; 2],
) -> Result<String, String> {
    let floor = |at| layer.snap(at, SnapTo::PathEnd)?.platform;
    let (Some(start), Some(goal)) = (floor(from), floor(to)) else {
        return Ok("there is no floor at one of the places".to_owned());
    };
    let moves = AgentMoves::new(level, settings, layer.profile());
    let moves = moves.map_err(|error| error.to_string())?;
    Ok(match moves.between(start, goal) {
        Ok(link) => format!(
            "a {} is possible, but other links are as good",
            link.kind.name()
        ),
        Err(miss) => format!("no path, and no link: {}", miss.reason),
    })
}
