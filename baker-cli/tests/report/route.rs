//! Paths as text, as JSON and as a line.

use baker_cli::report::route::{Route, RouteOutcome, RouteStep, Sample, StepShape};
use navmesh_runtime::mesh::{LinkId, PlatformId};

use crate::sample;

/// Along the floor, over the gap, up the slope.
fn route() -> Route {
    let mesh = sample::mesh();
    let link = mesh.layers()[0].links()[1];
    let floor = |platform, from: [f32; 2], to: [f32; 2]| RouteStep {
        kind: "floor",
        from: from.into(),
        to: to.into(),
        duration: f64::from((to[0] - from[0]).abs() / 90.0),
        shape: StepShape::Floor(PlatformId(platform)),
    };
    let steps = vec![
        floor(0, [81.0, 96.0], [126.0, 96.0]),
        RouteStep {
            kind: "jump",
            from: link.from,
            to: link.to,
            duration: link.duration.into(),
            shape: StepShape::Link(LinkId(1)),
        },
        floor(2, [154.0, 96.0], [204.0, 94.0]),
    ];
    Route {
        outcome: RouteOutcome::Found,
        reason: String::new(),
        cost: steps.iter().map(|s| s.duration).sum(),
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
