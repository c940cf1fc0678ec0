//! Paths as text, as JSON and as a line, and why there is a link or none.

use baker_cli::report::explain::{Reason, explain};
use baker_cli::report::route::{Route, Sample};
use glam::Vec2;
use navmesh_runtime::search::{PathFinder, Query};

use crate::sample::{self, with_floors};

/// Along the floor, over the gap, up the slope.
fn route() -> Route {
    let mesh = sample::mesh();
    let query = Query::new(Vec2::new(81.0, 96.0), Vec2::new(204.0, 94.0));
    let mut finder = PathFinder::new();
    let found = finder.find(&mesh.layers()[0], &query).unwrap();
    let steps = found.path().unwrap().steps.clone();
    assert_eq!(steps.len(), 3);
    Route {
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
        reason: "the goal cannot be reached".into(),
        cost: 0.0,
        expanded: 0,
        steps: Vec::new(),
    };
    insta::assert_snapshot!(written(&none, None));
}

#[test]
fn of_two_links_the_one_nearest_to_the_places_is_explained() {
    let floors: &[&[[f32; 2]]] = &[
        &[[0.0, 96.0], [126.0, 96.0]],
        &[[58.0, 56.0], [118.0, 56.0]],
    ];
    let links = [
        (0, [0, 1], [[50.0, 96.0], [58.0, 56.0]]),
        (0, [0, 1], [[102.0, 96.0], [110.0, 56.0]]),
    ];
    let mesh = with_floors(floors, &links);
    for [from, to] in [[50.0, 58.0], [102.0, 110.0]] {
        let places = [Vec2::new(from, 96.0), Vec2::new(to, 56.0)];
        let explanation = explain(&mesh.layers()[0], None, places[0], places[1]);
        let arc = explanation.arc.unwrap();
        assert_eq!(
            [arc[0][0], arc[1][0]],
            [from, to],
            "{}",
            explanation.message
        );
    }
}

/// A baked file does not hold the level, so only the limits of the agent explain.
#[test]
fn a_link_that_the_limits_allow_is_not_explained_by_them() {
    let left: &[[f32; 2]] = &[[0.0, 96.0], [40.0, 96.0]];
    let reason = |floors: &[&[[f32; 2]]]| {
        let mesh = with_floors(floors, &[]);
        let [from, to] = [0, 1].map(|i| Vec2::from(floors[i][0]));
        explain(&mesh.layers()[0], None, from, to).reason
    };
    // Jumps reach 96 across, and positions are rounded.
    assert_eq!(
        reason(&[left, &[[137.0, 96.0], [200.0, 96.0]]]),
        Reason::TooFar
    );
    assert_eq!(
        reason(&[left, &[[136.02, 96.0], [200.0, 96.0]]]),
        Reason::NoLink
    );
    // Above the middle of a floor, far from its ends.
    let long: &[[f32; 2]] = &[[0.0, 96.0], [240.0, 96.0]];
    assert_eq!(
        reason(&[long, &[[118.0, 56.0], [122.0, 56.0]]]),
        Reason::NoLink
    );
    assert_eq!(
        reason(&[&[[118.0, 56.0], [122.0, 56.0]], long]),
        Reason::NoLink
    );
}
