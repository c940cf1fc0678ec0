//! Why an agent gets from one place to another, or why not.

use navmesh_bake::tools::{AgentMoves, MissReason};
use navmesh_bake::{Level, Settings};
use navmesh_runtime::glam::Vec2;
use navmesh_runtime::mesh::StepKind;
use navmesh_runtime::search::SnapTo;
use navmesh_runtime::{Layer, Path};

/// The links of a path and its seconds.
pub fn of_path(path: &Path) -> String {
    let links = path
        .steps
        .iter()
        .filter(|step| step.kind != StepKind::Floor);
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
        Err(miss) => format!("no path, and no link: {}", of_reason(&miss.reason)),
    })
}

fn of_reason(reason: &MissReason) -> String {
    match reason {
        MissReason::NoTakeOff => "the agent cannot jump or drop from there".to_owned(),
        MissReason::TooFar { across, limit } => {
            format!("{across:.0} px across, at most {limit:.0}")
        }
        MissReason::TooHigh { rise, limit } => format!("{rise:.0} px up, at most {limit:.0}"),
        MissReason::TooDeep { drop, limit } => format!("{drop:.0} px down, at most {limit:.0}"),
        MissReason::JumpTooLow { rise, apex } => {
            format!("{rise:.0} px up, the jump rises {apex:.0}")
        }
        MissReason::FlightTooShort {
            across, covered, ..
        } => format!("{across:.0} px across, the flight covers {covered:.0}"),
        MissReason::Blocked { at, by, .. } => {
            let by = by.as_deref().unwrap_or("a one-way platform");
            format!("{by} is in the way at {:.0}, {:.0}", at.x, at.y)
        }
        MissReason::NoTrajectory => "no motion was found".to_owned(),
    }
}
