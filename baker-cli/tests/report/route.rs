//! Paths as text, as JSON and as a line.

use baker_cli::report::route::{Route, RouteOutcome, Sample};
use glam::Vec2;
use navmesh_runtime::search::{PathFinder, Query};

use crate::sample;

/// Along the floor, over the gap, up the slope.
fn route() -> Route {
    let mesh = sample::mesh();
    let query = Query::new(Vec2::new(81.0, 96.0), Vec2::new(204.0, 94.0));
    let mut finder = PathFinder::new();
    let found = finder.find(&mesh.layers()[0], &query).unwrap();
    let steps = found.path().unwrap().steps.clone();
    assert_eq!(steps.len(), 3);
    Route {
        outcome: RouteOutcome::Found,
        reason: String::new(),
        cost: steps.iter().map(|s| f64::from(s.duration)).sum(),
        expanded: 3,
        steps,
    }
}

#[test]
fn the_line_to_draw_touches_every_step() {
    let mesh = sample::mesh();
    let route = route();
    let line = route.polyline(&mesh.layers()[0]);
    for step in &route.steps {
        assert!(line.iter().any(|p| (*p - step.from).length() < 1e-3));
    }
    // The kink of the slope is followed, not cut.
    assert!(
        line.iter()
            .any(|p| (p.x - 199.0).abs() < 1.1 && p.y == 96.0)
    );
}

#[test]
fn a_path_as_people_and_programs_read_it() {
    let written = |route: &Route, samples: Option<&[Sample]>| {
        let (mut text, mut json) = (Vec::new(), Vec::new());
        route.text(samples, &mut text).unwrap();
        route.json(samples, &mut json).unwrap();
        let text = String::from_utf8(text).unwrap();
        let json = String::from_utf8(json).unwrap();
        assert!(serde_json::from_str::<serde_json::Value>(&json).is_ok());
        format!("{text}\n{json}")
    };
    insta::assert_snapshot!(written(&route(), Some(&[[0.0, 81.0, 96.0]])));
    let none = Route {
        outcome: RouteOutcome::NoPath,
        reason: "the goal cannot be reached".into(),
        cost: 0.0,
        expanded: 0,
        steps: Vec::new(),
    };
    insta::assert_snapshot!(written(&none, None));
}
