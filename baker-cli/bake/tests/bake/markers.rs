//! Markers of a level in the baked mesh.

use crate::common;

use common::fixtures::fixture;
use glam::Vec2;
use navmesh_bake::tools::Portals;
use navmesh_bake::{NoProgress, Settings, bake, default_agents};
use navmesh_behavior::{Pools, Waypoint};
use navmesh_runtime::mesh::{MarkerKind, NavMesh, YAxis};

fn mesh(y_axis: YAxis) -> NavMesh {
    let level = fixture("portals.tmx");
    let mut settings = Settings::for_agents(default_agents(16.0));
    settings.units.y_axis = y_axis;
    bake(&level, &settings, &NoProgress).unwrap()
}

#[test]
fn every_class_of_marker_keeps_its_meaning() {
    for (axis, down) in [(YAxis::Down, 1.0), (YAxis::Up, -1.0)] {
        let mesh = mesh(axis);
        let at = |x: f32, y: f32| Vec2::new(x, y * down);
        let spawns: Vec<_> = mesh.spawns().map(|s| (s.agent, s.position)).collect();
        assert_eq!(
            spawns,
            [(None, at(56.0, 208.0)), (Some("air"), at(560.0, 96.0))]
        );

        let waypoints: Vec<_> = mesh
            .waypoints()
            .map(|w| (w.marker.name.as_str(), w.pool, w.position))
            .collect();
        assert_eq!(
            waypoints,
            [
                ("post", "ground", at(360.0, 208.0)),
                // Without a pool name, a waypoint belongs to the platform up to
                // a cell below it.
                ("vault", "ground", at(712.0, 200.0)),
                ("sky", "air", at(352.0, 64.0)),
            ]
        );
        let post = mesh.waypoints().next().unwrap();
        let post = Waypoint::from(post);
        let tags: Vec<&str> = post.tags.iter().map(|tag| &**tag).collect();
        assert_eq!(tags, ["cover", "low"]);
        assert!(post.has_tag("Low") && !post.has_tag("high"));
        let pools = Pools::from(&mesh).waypoints;
        assert_eq!(pools["air"].waypoints()[0].name, "sky".into());
        let ground = pools["ground"].waypoints();
        assert_eq!(ground.len(), 2);
        assert!(ground[0].has_tag("cover"));

        let doors: Vec<_> = mesh
            .doors()
            .map(|d| {
                (
                    d.marker.name.as_str(),
                    d.marker.flag("closed") == Some(true),
                )
            })
            .collect();
        assert_eq!(doors, [("gate", false), ("hatch", true)]);
        let gate = mesh.doors().next().unwrap();
        let (a, b) = (at(500.0, 160.0), at(508.0, 208.0));
        assert_eq!((gate.min, gate.max), (a.min(b), a.max(b)));

        let areas: Vec<_> = mesh.areas().map(|area| area.marker.name.as_str()).collect();
        assert_eq!(
            areas,
            ["leash", "slope", "glow"],
            "polygons and ellipses too"
        );
        let slope = mesh.areas().nth(1).unwrap();
        assert_eq!(slope.max - slope.min, Vec2::splat(64.0), "its bounding box");
        assert!(slope.contains(at(600.0, 60.0)) && !slope.contains(at(600.0, 30.0)));
        assert_eq!(slope.marker.property("Trigger"), Some("storm"));

        let of = |kind| mesh.markers().iter().filter(move |m| m.kind() == kind);
        let others: Vec<_> = of(MarkerKind::Other).collect();
        assert_eq!(others.len(), 1, "unknown classes are kept");
        assert_eq!(others[0].flag("lit"), Some(true));
        assert_eq!(of(MarkerKind::Portal).count(), 8);
        let portals = Portals::of(mesh.markers());
        assert_eq!((portals.connections.len(), portals.errors.len()), (7, 0));
    }
}

// Every portal that stands on a floor is a link for agents that use
// portals, and for no others.
#[test]
fn portals_are_links_of_agents_that_use_them() {
    let mesh = mesh(YAxis::Down);
    let ground = mesh.layer_named("ground").unwrap();
    let portals: Vec<_> = ground
        .links()
        .iter()
        .filter(|l| l.kind.name() == "portal")
        .map(|l| (l.from.to_array(), l.to.to_array(), l.duration))
        .collect();
    let expected = [
        ([32.0, 208.0], [272.0, 208.0], 0.5),
        ([136.0, 208.0], [72.0, 96.0], 0.0),
        ([72.0, 96.0], [136.0, 208.0], 0.0),
        ([272.0, 208.0], [32.0, 208.0], 0.5),
        ([312.0, 208.0], [616.0, 208.0], 1.0),
        ([440.0, 208.0], [440.0, 64.0], 0.0),
        ([616.0, 208.0], [312.0, 208.0], 1.0),
    ];
    assert_eq!(portals, expected, "by platform, from the left");
    assert!(mesh.layer_named("air").unwrap().links().is_empty());

    let level = fixture("portals.tmx");
    let mut agents = default_agents(16.0);
    agents[0].edges = agents[0].edges - navmesh_runtime::mesh::EdgeSet::PORTAL;
    let mesh = bake(&level, &Settings::for_agents(agents), &NoProgress).unwrap();
    let links = mesh.layer_named("ground").unwrap().links();
    assert_eq!(links.len(), ground.links().len() - 7);
}
