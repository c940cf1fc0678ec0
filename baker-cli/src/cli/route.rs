//! Paths through a baked file, for `path` and `render`.

use glam::Vec2;
use navmesh_runtime::mesh::{Layer, NavMesh};
use navmesh_runtime::search::{Doors, NoPath, PathFinder, PathOutcome, Query, SnapTo, Step};

use crate::cli::failure::Failure;
use crate::cli::place::Place;
use crate::cli::terminal::Terminal;
use crate::report::explain::{away_text, nearest_floor_text};
use crate::report::place_text;
use crate::report::route::Route;

/// The doors of a level in their initial state, except for those named.
pub fn doors(mesh: &NavMesh, close: &[String], open: &[String]) -> Result<Doors, Failure> {
    if let Some(name) = open.iter().find(|name| close.contains(name)) {
        let problem = format_args!("the door {name:?} is in both --close and --open");
        return Err(Failure::with_help(problem, "leave one of the two out"));
    }
    let mut doors = Doors::from_mesh(mesh);
    for name in close {
        doors.close(name)?;
    }
    for name in open {
        doors.open(name)?;
    }
    Ok(doors)
}

/// The path between two places of a level, with its doors in their initial state. Prints a
/// warning if there is none.
pub fn between(
    (from, to): &(Place, Place),
    mesh: &NavMesh,
    layer: &Layer,
    terminal: &Terminal,
) -> Result<Route, Failure> {
    let (from, to) = (from.resolve(mesh)?, to.resolve(mesh)?);
    let route = find_path(layer, from, to, &Doors::from_mesh(mesh))?;
    if !route.is_found() {
        terminal.warn(&route.describe());
        advise(&route.reason, layer, terminal);
    }
    Ok(route)
}

/// Names the command that says what is missing, if the reason for no path does not.
pub fn advise(reason: &str, layer: &Layer, terminal: &Terminal) {
    if reason == NoPath::Disconnected.to_string() && layer.profile().edges.walks() {
        terminal.help("`navbake explain` says which link is missing");
    }
}

/// Says where a path begins and ends if that is not at the positions that were given.
pub fn note_moved_ends(route: &Route, [from, to]: [Vec2; 2], terminal: &Terminal) {
    let (Some(first), Some(last)) = (route.steps.first(), route.steps.last()) else {
        return;
    };
    for (which, verb, given, at) in [
        ("start", "begins", from, first.from),
        ("goal", "ends", to, last.to),
    ] {
        if let Some(away) = away_text(given, at) {
            let (given, at) = (place_text(given), place_text(at));
            terminal.note(&format!(
                "the path {verb} at {at}, {away} the {which} {given}"
            ));
        }
    }
}

/// Finds the fastest path that uses no closed door.
pub fn find_path(layer: &Layer, from: Vec2, to: Vec2, doors: &Doors) -> Result<Route, Failure> {
    let mut finder = PathFinder::new();
    // The path begins where an agent put at the position comes to rest.
    let start = layer
        .snap(from, SnapTo::Rest)
        .map_or(from, |rest| rest.position);
    // Rides begin when the level does.
    let mut query = Query {
        departure: Some(0.0),
        ..Query::new(start, to)
    };
    query.filter.close_doors(doors);
    let found = finder.find(layer, &query).map_err(|e| Failure::of(&e))?;
    // The query asks for nothing but a path to the goal, without a budget.
    let reason = match found {
        PathOutcome::NoPath(why @ NoPath::StartNotNavigable) => {
            format!("{why}{}", nearest_floor_text(layer, start))
        }
        PathOutcome::NoPath(why @ NoPath::GoalNotNavigable) => {
            format!("{why}{}", nearest_floor_text(layer, to))
        }
        PathOutcome::NoPath(why) => why.to_string(),
        _ => String::new(),
    };
    let path = found.path();
    // Grabbing a ladder at its foot is a step of no length: it is left out.
    let has_extent = |step: &&Step| step.from != step.to || step.duration > 0.0;
    let last = path.and_then(|path| query.final_flight(layer, path));
    let steps = path.into_iter().flat_map(|path| &path.steps).chain(&last);
    Ok(Route {
        reason,
        cost: path.map_or(0.0, |path| path.cost) + last.map_or(0.0, |step| step.duration.into()),
        steps: steps.filter(has_extent).copied().collect(),
        expanded: finder.expanded().into(),
    })
}
