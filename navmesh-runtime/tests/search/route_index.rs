//! Searches with an index of the cheapest routes find paths of the same cost as
//! without, and as Dijkstra's algorithm does.

use crate::oracle::{self, Rules, check_flight};
use crate::soak;
use crate::worlds;

use glam::Vec2;
use navmesh_runtime::mesh::{AgentProfile, EdgeSet, Layer, NavMesh};
use navmesh_runtime::search::{
    CostArea, Doors, Filter, PathFinder, PathOutcome, Query, Rect, Snap, SnapTo,
};
use proptest::prelude::*;
use worlds::{Dice, Plan, somewhere};

fn on_foot() -> EdgeSet {
    EdgeSet::ALL - EdgeSet::CLIMB - EdgeSet::FLY
}

/// Places on the floor, with a position near each.
fn places(mesh: &NavMesh, count: usize, dice: &mut Dice) -> Vec<(Vec2, Snap)> {
    let mut places = Vec::new();
    while places.len() < count {
        let position = somewhere(mesh, dice);
        let place = mesh.layers()[0].snap(position, SnapTo::PathEnd);
        places.extend(place.map(|place| (position, place)));
    }
    places
}

/// In a level of 1,000 platforms and 5,000 links, 1,000 queries cost what
/// Dijkstra's algorithm finds.
#[test]
fn indexed_paths_are_the_cheapest() {
    let mesh = worlds::large(on_foot());
    let layer = &mesh.layers()[0];
    layer.index_routes();
    let mut dice = Dice(3);
    let (starts, goals) = (places(&mesh, 20, &mut dice), places(&mesh, 50, &mut dice));
    let all: Vec<Snap> = starts.iter().chain(&goals).map(|place| place.1).collect();
    let graph = oracle::graph(layer, mesh.grid(), &Rules::plain(layer), &all);
    let mut finder = PathFinder::new();
    let (mut found, mut expanded) = (0, 0);
    for (from, start) in &starts {
        let costs = oracle::costs(&graph, oracle::node(layer, *start));
        for (to, goal) in &goals {
            let least = costs.get(&oracle::node(layer, *goal));
            match (finder.find(layer, &Query::new(*from, *to)).unwrap(), least) {
                (PathOutcome::Found(path), Some(least)) => {
                    let difference = (path.cost - least).abs();
                    assert!(difference <= 1e-5 * (1.0 + least), "{path:?} {least}");
                    let steps: f64 = path.steps.iter().map(|s| f64::from(s.duration)).sum();
                    assert!((path.cost - steps).abs() <= 1e-5 * (1.0 + least));
                    let links = path.steps.iter().filter(|s| s.link.is_some()).count();
                    (found, expanded) = (found + 1, expanded + finder.expanded() - links as u32);
                }
                (PathOutcome::NoPath(_), None) => {}
                (outcome, least) => panic!("{outcome:?} {least:?}"),
            }
        }
    }
    assert!(found > 500, "{found}");
    // A path that is looked up counts as many nodes as it has links.
    assert_eq!(expanded, 0);
}

/// A query with a random filter, for a random agent.
fn query(mesh: &NavMesh, dice: &mut Dice) -> Query {
    let mut filter = Filter::default();
    let mut profile: AgentProfile = mesh.layers()[0].profile().clone();
    let area = |dice: &mut Dice| {
        let corner = somewhere(mesh, dice);
        Rect::new(
            corner,
            corner + Vec2::new(dice.between(1.0, 90.0), dice.between(1.0, 90.0)),
        )
    };
    if dice.chance(0.3) {
        let mut doors = Doors::new();
        for _ in 0..4 {
            doors.close_region(area(dice));
        }
        filter.close_doors(&doors);
    }
    if dice.chance(0.3) {
        let factor = dice.between(1.0, 4.0);
        filter.costs.push(CostArea {
            area: area(dice),
            factor,
        });
    }
    if dice.chance(0.2) {
        filter.caution = dice.unit();
    }
    for edge in [EdgeSet::DROP, EdgeSet::DROP_THROUGH, EdgeSet::PORTAL] {
        if dice.chance(0.1) {
            filter.edges = filter.edges - edge;
        }
    }
    if dice.chance(0.2) {
        profile.run_speed *= dice.between(0.5, 1.1);
    }
    if dice.chance(0.2) {
        profile.gravity *= dice.between(0.5, 3.0);
        profile.jump_speed *= dice.between(0.9, 2.0);
    }
    filter.replace_jumps = dice.chance(0.5);
    let mut query = Query {
        filter,
        ..Query::new(somewhere(mesh, dice), somewhere(mesh, dice))
    };
    if dice.chance(0.5) {
        query.profile = Some(profile);
    }
    query.allow_partial_path = dice.chance(0.3);
    query
}

fn cost(layer: &Layer, finder: &mut PathFinder, query: &Query) -> (String, f64) {
    let outcome = finder.find(layer, query).unwrap();
    let cost = outcome.path().map_or(0.0, |path| path.cost);
    if let Some(path) = outcome.path()
        && !layer.profile().edges.walks()
    {
        check_flight(path, layer, &[]);
    }
    let kind = match outcome {
        PathOutcome::Found(_) => "found".to_owned(),
        PathOutcome::Nearest(path, why) => format!("{:?} {why}", path.end),
        outcome => format!("{outcome:?}"),
    };
    (kind, cost)
}

proptest! {
    #![proptest_config(soak::cases(24))]

    #[test]
    fn an_index_changes_no_outcome_under_any_filter(seed in any::<u64>()) {
        let mut dice = Dice(seed);
        let plan = Plan {
            columns: 30 + dice.below(120),
            rows: 10 + dice.below(60),
            links: 1 + dice.below(8),
            edges: if dice.chance(0.6) { on_foot() } else { EdgeSet::FLY },
            ..Plan::random(&mut dice)
        };
        let mesh = worlds::mesh(plan, 1, &mut dice);
        let indexed = mesh.clone();
        prop_assert!(indexed.layers()[0].index_routes() > 0);
        let mut finders = [PathFinder::new(), PathFinder::new()];
        let mut own = 0;
        for number in 0..40 {
            let query = query(&mesh, &mut dice);
            if number % 13 == 0 {
                let size = finders[1].index_routes(&indexed.layers()[0], &query);
                own += usize::from(size.unwrap() > 0);
            }
            let (kind, least) = cost(&mesh.layers()[0], &mut finders[0], &query);
            let (other, cost) = cost(&indexed.layers()[0], &mut finders[1], &query);
            prop_assert_eq!(kind, other);
            prop_assert!((cost - least).abs() <= 1e-5 * (1.0 + least), "{} {}", cost, least);
        }
        prop_assert!(own > 0);
    }
}

/// Where the goal cannot be reached, the path to the point nearest to it is looked up.
#[test]
fn indexed_paths_to_the_nearest_point_are_not_searched_for() {
    let mut dice = Dice(8);
    let plan = Plan {
        columns: 400,
        rows: 100,
        links: 2,
        edges: on_foot(),
        ..Plan::random(&mut dice)
    };
    let mesh = worlds::mesh(plan, 1, &mut dice);
    let indexed = mesh.clone();
    indexed.layers()[0].index_routes();
    let mut finders = [PathFinder::new(), PathFinder::new()];
    let (mut nearest, mut looked_up) = (0, 0);
    for pair in places(&mesh, 600, &mut dice).windows(2) {
        let query = Query {
            allow_partial_path: true,
            ..Query::new(pair[0].0, pair[1].0)
        };
        let (kind, least) = cost(&mesh.layers()[0], &mut finders[0], &query);
        let (other, cost) = cost(&indexed.layers()[0], &mut finders[1], &query);
        assert_eq!(kind, other);
        assert!(
            (cost - least).abs() <= 1e-5 * (1.0 + least),
            "{cost} {least}"
        );
        if kind != "found" {
            nearest += 1;
            let outcome = finders[1].find(&indexed.layers()[0], &query).unwrap();
            let steps = outcome.path().map_or(&[][..], |path| &path.steps);
            let links = steps.iter().filter(|step| step.link.is_some()).count();
            looked_up += usize::from(finders[1].expanded() == links as u32);
        }
    }
    // Where two points are equally near, a search finds the one that costs less.
    assert!(
        nearest > 50 && looked_up * 10 > nearest * 9,
        "{looked_up} of {nearest}"
    );
}

/// Flights that are looked up take as long as those that are searched for, turn
/// less often, and count fewer nodes than they have steps.
#[test]
fn indexed_flights_are_the_shortest() {
    let plan = Plan::noisy(160, 80, EdgeSet::FLY);
    let mesh = worlds::mesh(plan, 1, &mut Dice(6));
    let indexed = mesh.clone();
    let layer = &indexed.layers()[0];
    assert!(layer.index_routes() > 0);
    let mut finders = [PathFinder::new(), PathFinder::new()];
    let mut dice = Dice(5);
    let (mut nodes, mut turns, mut found) = ([0; 2], [0; 2], 0);
    while found < 300 {
        let query = Query::new(somewhere(&mesh, &mut dice), somewhere(&mesh, &mut dice));
        let (kind, least) = cost(&mesh.layers()[0], &mut finders[0], &query);
        let (other, cost) = cost(layer, &mut finders[1], &query);
        assert_eq!(kind, other);
        assert!(
            (cost - least).abs() <= 1e-5 * (1.0 + least),
            "{cost} {least}"
        );
        if kind == "found" {
            found += 1;
            let meshes = [&mesh, &indexed];
            for (number, (finder, mesh)) in finders.iter_mut().zip(meshes).enumerate() {
                let outcome = finder.find(&mesh.layers()[0], &query).unwrap();
                let steps = outcome.path().map_or(0, |path| path.steps.len());
                nodes[number] += finder.expanded() as usize;
                turns[number] += steps;
            }
        }
    }
    assert!(nodes[1] < turns[1], "{nodes:?} {turns:?}");
    assert!(turns[1].abs_diff(turns[0]) * 100 < turns[0], "{turns:?}");
    let [searched, looked_up] = nodes;
    assert!(looked_up * 3 < searched, "{nodes:?}");
}

/// Where an index would take too long to build, there is none, and searches go on.
#[test]
fn crowded_air_is_not_indexed() {
    let mesh = worlds::mesh(Plan::noisy(400, 120, EdgeSet::FLY), 1, &mut Dice(6));
    let layer = &mesh.layers()[0];
    assert_eq!(layer.index_routes(), 0);
    let mut finder = PathFinder::new();
    let places = places(&mesh, 20, &mut Dice(7));
    let mut is_found = |pair: &[(Vec2, Snap)]| {
        let query = Query::new(pair[0].0, pair[1].0);
        let outcome = finder.find(layer, &query).unwrap();
        matches!(outcome, PathOutcome::Found(_))
    };
    let found = places.windows(2).filter(|pair| is_found(pair));
    assert!(found.count() > 5);
}

/// With an index of its own, a kind of agent needs no search.
#[test]
fn an_index_for_a_kind_of_agent_answers_its_queries() {
    let mesh = worlds::large(on_foot());
    let layer = &mesh.layers()[0];
    let mut careful = Query::new(Vec2::ZERO, Vec2::ZERO);
    careful.filter.caution = 0.5;
    let mut slow = careful.clone();
    let mut profile = layer.profile().clone();
    profile.run_speed *= 0.8;
    slow.profile = Some(profile);
    slow.filter.replace_jumps = true;
    let mut finder = PathFinder::new();
    let mut dice = Dice(4);
    let places = places(&mesh, 20, &mut dice);
    for kind in [careful, slow] {
        let ask = |finder: &mut PathFinder| {
            let mut answers = Vec::new();
            for pair in places.windows(2) {
                let mut query = kind.clone();
                (query.from, query.to) = (pair[0].0, pair[1].0);
                let (kind, cost) = cost(layer, finder, &query);
                let path = finder.find(layer, &query).unwrap().path().cloned();
                let steps = path.map_or(Vec::new(), |path| path.steps);
                let links = steps.iter().filter(|step| step.link.is_some()).count();
                answers.push((kind, cost, links, finder.expanded()));
            }
            answers
        };
        let searched = ask(&mut finder);
        assert!(finder.index_routes(layer, &kind).unwrap() > 0);
        let looked_up = ask(&mut finder);
        let mut found = 0;
        for ((kind, least, ..), (other, cost, links, expanded)) in
            searched.into_iter().zip(looked_up)
        {
            assert_eq!(kind, other);
            assert!(
                (cost - least).abs() <= 1e-5 * (1.0 + least),
                "{cost} {least}"
            );
            if kind == "found" {
                assert_eq!(links as u32, expanded);
                found += 1;
            }
        }
        assert!(found > 5, "{found}");
    }
}
