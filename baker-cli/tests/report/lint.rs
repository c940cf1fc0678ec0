//! The rules of `navbake lint` on one small mesh.

use baker_cli::report::lint::{Finding, LintSettings, Rule, lint};
use glam::Vec2;
use navmesh_runtime::mesh::{EdgeSet, LayerParts, Marker, NavMesh};

use crate::sample::{self, with, with_floors};

fn marker(class: &str, x: f32, y: f32, properties: &[(&str, &str)]) -> Marker {
    let pair = |(name, value): &(&str, &str)| ((*name).into(), (*value).into());
    Marker {
        class: class.into(),
        name: "m".into(),
        position: Vec2::new(x, y),
        size: Vec2::ZERO,
        properties: properties.iter().map(pair).collect(),
    }
}

fn of(rule: Rule, mesh: &NavMesh, tolerance: f32) -> Vec<Finding> {
    let settings = LintSettings {
        tolerance,
        ..LintSettings::default()
    };
    let mut found = lint(mesh, &settings);
    found.retain(|finding| finding.rule == rule);
    found
}

#[test]
fn a_part_with_a_spawn_is_no_trap_and_a_trap_has_its_nearest_entrance() {
    let traps = of(Rule::Trap, &sample::mesh(), 0.02);
    assert_eq!(traps.len(), 1);
    assert!(
        traps[0].message.contains("a jump from 126,96"),
        "{}",
        traps[0].message
    );
    let two = with(|parts| parts.markers.push(marker("spawn", 180.0, 96.0, &[])));
    assert_eq!(of(Rule::Trap, &two, 0.02), []);
}

#[test]
fn a_pool_in_the_air_needs_an_agent_that_flies() {
    for (agents, count) in [(2, 0), (1, 1)] {
        let mesh = with(|parts| {
            parts.layers.truncate(agents);
            let air = [("pool", "air")];
            parts.markers.push(marker("waypoint", 30.0, 96.0, &air));
        });
        let found = of(Rule::UnreachableWaypoint, &mesh, 0.02);
        assert_eq!(found.len(), count, "{found:#?}");
        assert!(found.iter().all(|f| f.message.contains("that flies")));
    }
}

#[test]
fn a_flat_door_is_broken() {
    let mesh = with(|parts| {
        let mut door = marker("door", 30.0, 80.0, &[]);
        door.size = Vec2::new(16.0, 0.0);
        parts.markers.push(door);
    });
    assert_eq!(of(Rule::BrokenDoor, &mesh, 0.02).len(), 1);
}

/// Though the bat would hover there.
#[test]
fn a_spawn_of_no_agent_in_particular_needs_a_floor() {
    let mesh = with(|parts| parts.markers.push(marker("spawn", 140.0, 90.0, &[])));
    let found = of(Rule::BrokenSpawn, &mesh, 0.02);
    assert_eq!(found.len(), 1);
    assert!(found[0].message.contains("no floor below"), "{found:#?}");
}

#[test]
fn only_the_most_tolerant_of_fragile_links_is_reported() {
    let mesh = with(|parts| {
        let links = &mut parts.layers[0].links;
        links[1].tolerance = 0.6;
        let mut other = links[1];
        other.tolerance = 0.7;
        other.from.x -= 1.0;
        links.insert(1, other);
    });
    let found = of(Rule::FragileLink, &mesh, 0.9);
    let has = |text: &str| found.iter().any(|f| f.message.contains(text));
    assert!(has("only 0.700 s") && !has("only 0.600 s"), "{found:#?}");
}

#[test]
fn links_are_not_fragile_for_all_agents() {
    let across = |change: &dyn Fn(&mut LayerParts)| {
        let mesh = with(|parts| change(&mut parts.layers[0]));
        let found = of(Rule::FragileLink, &mesh, 0.9);
        found
            .iter()
            .filter(|f| f.message.contains("154,96"))
            .count()
    };
    assert_eq!(across(&|_| ()), 1);
    // With two jumps there is time to spare, and a flier needs no jump.
    assert_eq!(across(&|layer| layer.profile.air_jumps = 1), 0);
    assert_eq!(
        across(&|layer| layer.profile.edges = layer.profile.edges | EdgeSet::FLY),
        0
    );
    // From where nothing goes.
    let mesh = with(|parts| parts.markers[0].position = Vec2::new(180.0, 96.0));
    assert_eq!(of(Rule::FragileLink, &mesh, 0.9), []);
}

#[test]
fn the_largest_lost_part_is_first() {
    let mesh = with(|parts| parts.layers[0].links.clear());
    let found = of(Rule::UnreachablePlatform, &mesh, 0.02);
    let xs: Vec<bool> = found.iter().map(|f| f.position.x > 140.0).collect();
    assert_eq!(xs, [true, false], "{found:#?}");
}

#[test]
fn the_most_fragile_link_is_first() {
    let mesh = with(|parts| {
        let links = &mut parts.layers[0].links;
        (links[0].tolerance, links[1].tolerance) = (0.7, 0.6);
        links.truncate(2);
    });
    let found = of(Rule::FragileLink, &mesh, 0.9);
    let tolerances = ["only 0.600 s", "only 0.700 s"];
    assert_eq!(found.len(), 2, "{found:#?}");
    for (finding, tolerance) in found.iter().zip(tolerances) {
        assert!(finding.message.contains(tolerance), "{found:#?}");
    }
}

/// One of them counts as the place that the level leads to, always the same. Both links
/// into the other are as long.
#[test]
fn of_two_traps_as_large_one_is_reported_with_its_first_entrance() {
    let floors: &[&[[f32; 2]]] = &[
        &[[0.0, 96.0], [20.0, 96.0]],
        &[[30.0, 56.0], [90.0, 56.0]],
        &[[40.0, 96.0], [100.0, 96.0]],
    ];
    let links = [
        (0, [0, 1], [[17.0, 96.0], [32.0, 56.0]]),
        (0, [0, 1], [[15.0, 96.0], [30.0, 56.0]]),
        (1, [0, 2], [[20.0, 96.0], [42.0, 96.0]]),
    ];
    let traps = of(Rule::Trap, &with_floors(floors, &links), 0.02);
    assert_eq!(traps.len(), 1, "{traps:#?}");
    let message = &traps[0].message;
    assert!(message.contains("a jump from 17,96"), "{message}");
}

/// The upper one leads to the lower one, which is nearer to what is reached.
#[test]
fn of_two_lost_floors_as_large_the_first_needs_the_way() {
    let floors: &[&[[f32; 2]]] = &[
        &[[0.0, 96.0], [40.0, 96.0]],
        &[[100.0, 56.0], [160.0, 56.0]],
        &[[60.0, 96.0], [120.0, 96.0]],
    ];
    let links = [(2, [1, 2], [[100.0, 56.0], [96.0, 96.0]])];
    let found = of(
        Rule::UnreachablePlatform,
        &with_floors(floors, &links),
        0.02,
    );
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(found[0].position.y, 56.0, "{found:#?}");
}

/// The upper one leads to the lower one, which is larger, but not back.
#[test]
fn a_way_to_the_largest_lost_floor_may_leave_the_others_lost() {
    let floors: &[&[[f32; 2]]] = &[
        &[[0.0, 96.0], [40.0, 96.0]],
        &[[100.0, 56.0], [130.0, 56.0]],
        &[[60.0, 96.0], [140.0, 96.0]],
    ];
    let drop = (2, [1, 2], [[100.0, 56.0], [96.0, 96.0]]);
    let back = (0, [2, 1], [[96.0, 96.0], [100.0, 56.0]]);
    let message = |links: &[_]| {
        let mesh = with_floors(floors, links);
        of(Rule::UnreachablePlatform, &mesh, 0.02)[0]
            .message
            .clone()
    };
    let none = message(&[drop]);
    let text = "1 other linked to it; the nearest place in reach is at 40,96: add a way, which \
                makes none of the others reachable, or remove them";
    assert!(none.contains(text), "{none}");
    let all = message(&[drop, back]);
    assert!(all.contains("40,96: add a way, or remove them"), "{all}");
}
