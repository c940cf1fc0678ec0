//! Which portals lead to which others, from their properties.

use glam::Vec2;
use navmesh_bake::tools::Portals;
use navmesh_runtime::mesh::Marker;

/// A portal: its name, and its properties as `key=value` words.
fn portal(name: &str, properties: &str) -> Marker {
    let properties = properties.split_whitespace().map(|word| {
        let (key, value) = word.split_once('=').unwrap();
        (key.to_owned(), value.to_owned())
    });
    Marker {
        class: "Portal".into(),
        name: name.into(),
        position: Vec2::ZERO,
        size: Vec2::ZERO,
        properties: properties.collect(),
    }
}

type Connections = Vec<(usize, usize, f32)>;

fn connect(markers: &[Marker]) -> (Connections, Vec<(usize, String)>) {
    let portals = Portals::of(markers);
    let connections = portals.connections.iter();
    let connections = connections.map(|c| (c.from, c.to, c.cost)).collect();
    (connections, portals.errors)
}

// Pairs by `to`, in both directions and in one, with costs.
#[test]
fn a_portal_leads_to_its_partner_and_back() {
    let both = [portal("a", "to=b cost=2"), portal("b", "")];
    assert_eq!(connect(&both).0, [(0, 1, 2.0), (1, 0, 2.0)]);
    let one = [portal("a", "to=b one_way=true"), portal("b", "")];
    assert_eq!(connect(&one), (vec![(0, 1, 0.0)], vec![]));
    let costs = [portal("a", "to=b cost=2"), portal("b", "cost=0.5")];
    assert_eq!(connect(&costs).0, [(0, 1, 2.0), (1, 0, 0.5)]);
}

#[test]
fn a_portal_leads_to_an_entity_by_its_iid() {
    let both = [portal("", "to=e2 iid=e1"), portal("", "iid=e2")];
    assert_eq!(connect(&both), (vec![(0, 1, 0.0), (1, 0, 0.0)], vec![]));
}

// Which of the two says it does not matter: with `to`, that portal is the entrance.
#[test]
fn either_portal_of_a_pair_may_be_marked_one_way() {
    let one_way = "one_way=true";
    for [a, b] in [["to=b", one_way], ["to=b one_way=true", one_way]] {
        let forth = [portal("a", a), portal("b", b)];
        assert_eq!(connect(&forth), (vec![(0, 1, 0.0)], vec![]), "{a} {b}");
        let back = [portal("b", b), portal("a", a)];
        assert_eq!(connect(&back), (vec![(1, 0, 0.0)], vec![]), "{b} {a}");
    }
    let funnel = [
        portal("a", "to=c"),
        portal("b", "to=c"),
        portal("c", one_way),
    ];
    assert_eq!(connect(&funnel), (vec![(0, 2, 0.0), (1, 2, 0.0)], vec![]));
    let ring = [
        portal("a", "to=b one_way=true"),
        portal("b", "to=c one_way=true"),
        portal("c", "to=a"),
    ];
    let leads = vec![(0, 1, 0.0), (1, 2, 0.0), (2, 0, 0.0)];
    assert_eq!(connect(&ring), (leads, vec![]));
}

#[test]
fn contradictions_about_one_way_are_errors_that_name_both_portals() {
    let both = vec![(0, 1, 0.0), (1, 0, 0.0)];
    let cases = [
        // Both are marked, and neither is more of an entrance than the other.
        (
            ["x", "one_way=true", "x", "one_way=true id=8"],
            both.clone(),
            0,
        ),
        (
            ["a", "to=b one_way=true", "b", "to=a one_way=true id=8"],
            both,
            0,
        ),
        // One leads back to the other, which is marked.
        (
            ["a", "to=b one_way=true", "b", "to=a id=8"],
            vec![(0, 1, 0.0)],
            0,
        ),
        (
            ["a", "to=b id=8", "b", "to=a one_way=true"],
            vec![(1, 0, 0.0)],
            1,
        ),
    ];
    for ([a, of_a, b, of_b], leads, at) in cases {
        let (found, errors) = connect(&[portal(a, of_a), portal(b, of_b)]);
        assert_eq!(found, leads, "{of_a} {of_b}");
        let [(index, error)] = errors.as_slice() else {
            panic!("{errors:?}");
        };
        let other = [a, b][1 - at];
        assert_eq!(*index, at, "{error}");
        assert!(
            error.contains(&format!("portal {other:?} (object 8)")),
            "{error}"
        );
        assert!(error.contains("remove"), "{error}");
    }
}

#[test]
fn rings_and_funnels_lead_in_one_direction() {
    let ring = [
        portal("a", "to=b"),
        portal("b", "to=c"),
        portal("c", "to=a"),
    ];
    assert_eq!(connect(&ring).0, [(0, 1, 0.0), (1, 2, 0.0), (2, 0, 0.0)]);
    let funnel = [portal("a", "to=c"), portal("b", "to=c"), portal("c", "")];
    assert_eq!(connect(&funnel), (vec![(0, 2, 0.0), (1, 2, 0.0)], vec![]));
}

#[test]
fn two_portals_of_one_name_are_a_pair() {
    let two = [portal("x", ""), portal("x", "")];
    assert_eq!(connect(&two), (vec![(0, 1, 0.0), (1, 0, 0.0)], vec![]));
    let one_way = [portal("x", ""), portal("x", "one_way=true")];
    assert_eq!(connect(&one_way), (vec![(1, 0, 0.0)], vec![]));
}

#[test]
fn numbers_refer_to_objects_unless_a_name_matches() {
    let by_number = [portal("", "id=7 to=9"), portal("", "id=9")];
    assert_eq!(connect(&by_number).0, [(0, 1, 0.0), (1, 0, 0.0)]);
    let named = [
        portal("9", "id=7"),
        portal("", "id=9"),
        portal("", "id=8 to=9"),
    ];
    assert_eq!(
        connect(&named).0,
        [(0, 2, 0.0), (2, 0, 0.0)],
        "the name takes precedence"
    );
}

#[test]
fn portals_that_cannot_be_paired_are_errors() {
    let markers = [
        portal("alone", ""),
        portal("", ""),
        portal("lost", "to=nowhere"),
        portal("self", "to=self"),
        portal("three", ""),
        portal("three", ""),
        portal("three", ""),
        portal("costly", "to=cheap cost=much"),
        portal("cheap", "cost=-1"),
    ];
    let (found, errors) = connect(&markers);
    assert_eq!(found, [(7, 8, 0.0), (8, 7, 0.0)]);
    let at: Vec<usize> = errors.iter().map(|(i, _)| *i).collect();
    assert_eq!(at, [0, 1, 2, 3, 4, 5, 6, 7, 8]);
    for (i, words) in [
        (0, "no partner"),
        (2, "\"nowhere\""),
        (3, "itself"),
        (4, "several portals"),
        (7, "\"much\""),
    ] {
        assert!(errors[i].1.contains(words), "{:?}", errors[i]);
    }
}

// What Tiled writes for a property of type object that refers to none.
#[test]
fn a_reference_to_object_0_is_none() {
    let pair = [portal("a", "to=0"), portal("a", "")];
    assert_eq!(connect(&pair), (vec![(0, 1, 0.0), (1, 0, 0.0)], vec![]));
}
