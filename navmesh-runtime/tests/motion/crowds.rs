//! A queue answers crowds with one goal from one search, with the results that a
//! search for each agent would have.

use crate::soak;
use crate::worlds;

use glam::Vec2;
use navmesh_runtime::mesh::{AgentProfile, EdgeSet, Layer, NavMesh, YAxis};
use navmesh_runtime::motion::PathQueue;
use navmesh_runtime::search::{
    CostArea, Doors, Filter, NoPath, Path, PathFinder, PathOutcome, Query, QueryError, Rect, Step,
};
use navmesh_runtime::shared::{PathSource, Ticket};
use proptest::prelude::*;
use worlds::{Dice, Plan};

fn on_foot() -> EdgeSet {
    EdgeSet::FLOOR | EdgeSet::JUMP | EdgeSet::DROP
}

fn level(dice: &mut Dice) -> NavMesh {
    let plan = Plan {
        columns: 60,
        rows: 30,
        links: 4,
        edges: on_foot(),
        ..Plan::random(dice)
    };
    worlds::mesh(plan, 1, dice)
}

/// Somewhere on a platform, mostly.
fn somewhere(layer: &Layer, dice: &mut Dice) -> Vec2 {
    let platforms: Vec<_> = layer.platforms().collect();
    let platform = platforms[dice.below(platforms.len() as u32) as usize];
    let x = dice.between(platform.left().x, platform.right().x);
    if dice.chance(0.02) {
        Vec2::splat(-1e4)
    } else {
        platform.clamp(x)
    }
}

fn filter(layer: &Layer, dice: &mut Dice) -> Filter {
    let mut filter = Filter::default();
    let down = layer.grid().y_axis.down();
    let mut box_at = |size: f32| {
        let corner = somewhere(layer, dice) - Vec2::new(0.5, 0.7 * down) * size;
        Rect::new(corner, corner + Vec2::new(size, size * down))
    };
    let doors = [box_at(9.0), box_at(14.0)];
    let areas = [box_at(40.0), box_at(70.0)];
    if dice.chance(0.4) {
        let mut closed = Doors::new();
        for door in doors {
            closed.close_region(door);
        }
        filter.close_doors(&closed);
    }
    if dice.chance(0.4) {
        filter.costs.extend(areas.map(|area| CostArea {
            area,
            factor: 1.0 + 9.0 * dice.unit(),
        }));
    }
    if dice.chance(0.3) {
        filter.replace_jumps = true;
    }
    if dice.chance(0.3) {
        filter.caution = dice.unit();
    }
    if dice.chance(0.1) {
        filter.edges = EdgeSet::FLOOR | EdgeSet::DROP;
    }
    filter
}

/// An answer that outlives its reply.
#[derive(Debug, Clone, PartialEq)]
enum Answer {
    Path(Vec2, Vec<Step>, f64, Option<NoPath>),
    NoPath(NoPath),
}

fn answer_of(outcome: Result<PathOutcome<'_>, QueryError>) -> Answer {
    let path = |path: &Path, short| Answer::Path(path.start, path.steps.clone(), path.cost, short);
    match outcome.unwrap() {
        PathOutcome::Found(found) => path(found, None),
        PathOutcome::Nearest(found, why) => path(found, Some(why)),
        PathOutcome::NoPath(why) => Answer::NoPath(why),
        other => panic!("{other:?}"),
    }
}

fn alone(layer: &Layer, query: &Query, finder: &mut PathFinder) -> Answer {
    answer_of(finder.find(layer, query))
}

/// Asserts that two answers are equally good. Paths of equal cost may differ, but
/// must be connected.
#[track_caller]
fn assert_same(layer: &Layer, query: &Query, crowd: &Answer, own: &Answer) {
    let (
        Answer::Path(start, steps, cost, None),
        Answer::Path(own_start, own_steps, own_cost, None),
    ) = (crowd, own)
    else {
        assert_eq!(crowd, own, "{query:?}");
        return;
    };
    let slack = 1e-6 * own_cost.max(1.0);
    assert!(
        (cost - own_cost).abs() <= slack,
        "{cost} is not {own_cost}: {query:?}"
    );
    assert_eq!(start, own_start);
    // Both end in the same place, and every step begins where the last ended.
    let end = |start: &Vec2, steps: &[Step]| steps.last().map_or(*start, |step| step.to);
    assert_eq!(end(start, steps), end(own_start, own_steps), "{query:?}");
    let mut at = *start;
    let mut time = 0.0;
    for step in steps {
        assert_eq!(step.from, at, "{steps:?}");
        at = step.to;
        time += f64::from(step.duration);
        if let Some(link) = step.link {
            let link = layer.link(link).unwrap();
            assert_eq!((step.from, step.to), (link.from, link.to));
            assert_eq!(step.platform, Some(link.from_platform));
            assert_eq!(step.kind, link.kind.of_step());
        } else {
            let platform = layer.platform(step.platform.unwrap()).unwrap();
            for end in [step.from, step.to] {
                // At a step, either of its heights will do.
                let heights = platform.surface.iter().filter(|p| p.x == end.x);
                let mut on = heights.copied().chain([platform.clamp(end.x)]);
                assert!(on.any(|p| p.distance(end) < 1e-2), "{step:?} {platform:?}");
            }
        }
    }
    if query.filter.costs.is_empty() && query.filter.caution == 0.0 {
        assert!(
            (time - cost).abs() < 1e-4 * cost.max(1.0),
            "{time} is not {cost}"
        );
    }
}

/// Requests all paths and works on them with a budget for each frame. Returns the
/// answers and the number of frames.
fn ask_all(
    layer: &Layer,
    queue: &mut PathQueue,
    queries: &[Query],
    budget: u32,
) -> (Vec<Answer>, u32) {
    let mut tickets: Vec<Option<Ticket>> = vec![None; queries.len()];
    for (ticket, query) in tickets.iter_mut().zip(queries) {
        assert_eq!(
            queue.ask(layer, ticket, query),
            Ok(PathOutcome::BudgetExhausted)
        );
    }
    let mut frames = 0;
    while !queue.is_empty() {
        queue.work(layer, budget);
        frames += 1;
    }
    let answers = tickets.iter_mut().zip(queries);
    let answers = answers.map(|(ticket, query)| answer_of(queue.ask(layer, ticket, query)));
    (answers.collect(), frames)
}

proptest! {
    #![proptest_config(soak::cases(10))]

    /// Crowds with several goals and filters, mixed with single agents, in a queue
    /// that worked in other layers before.
    #[test]
    fn a_crowd_gets_the_answers_that_each_would_get_alone(seed in any::<u64>()) {
        let mut dice = Dice(seed);
        let mut queue = PathQueue::new();
        let mut finder = PathFinder::new();
        for _ in 0..3 {
            let mesh = level(&mut dice);
            let layer = &mesh.layers()[0];
            if layer.platforms().len() == 0 {
                continue;
            }
            let wishes: Vec<(Vec2, Filter, Option<AgentProfile>)> = (0..=dice.below(6))
                .map(|_| {
                    let slow = dice.chance(0.3).then(|| AgentProfile {
                        run_speed: dice.between(20.0, 120.0),
                        ..layer.profile().clone()
                    });
                    let to = somewhere(layer, &mut dice);
                    (to, filter(layer, &mut dice), slow)
                })
                .collect();
            for _ in 0..3 {
                let queries: Vec<Query> = (0..120)
                    .map(|_| {
                        let (to, filter, profile) = &wishes[dice.below(wishes.len() as u32) as usize];
                        let to = if dice.chance(0.1) {
                            somewhere(layer, &mut dice)
                        } else {
                            *to
                        };
                        let mut query = Query::new(somewhere(layer, &mut dice), to);
                        query = Query { filter: filter.clone(), ..query };
                        query.profile.clone_from(profile);
                        query.allow_partial_path = dice.chance(0.3);
                        query
                    })
                    .collect();
                let budget = [3, 50, u32::MAX][dice.below(3) as usize];
                let (answers, _) = ask_all(layer, &mut queue, &queries, budget);
                for (answer, query) in answers.iter().zip(&queries) {
                    assert_same(layer, query, answer, &alone(layer, query, &mut finder));
                }
            }
        }
    }
}

fn plan() -> Plan {
    Plan {
        columns: 200,
        rows: 60,
        links: 10,
        row_step: 6,
        shelves: 0.0,
        noise: 0.0,
        edges: on_foot(),
        tidy: true,
        y_axis: YAxis::Down,
    }
}

/// A connected level, and the queries of a crowd in it.
fn crowd(count: usize, goals: &[f32]) -> (NavMesh, Vec<Query>) {
    let mut dice = Dice(3);
    let mesh = worlds::mesh(plan(), 1, &mut dice);
    let layer = &mesh.layers()[0];
    let platforms: Vec<_> = layer.platforms().collect();
    let goals: Vec<Vec2> = goals
        .iter()
        .map(|at| platforms[(at * platforms.len() as f32) as usize].left())
        .collect();
    let queries = (0..count)
        .map(|i| Query::new(somewhere(layer, &mut dice), goals[i % goals.len()]))
        .collect();
    (mesh, queries)
}

/// The number of nodes that a queue looks at for its answers.
fn nodes(layer: &Layer, queue: &mut PathQueue, queries: &[Query]) -> u32 {
    ask_all(layer, queue, queries, 1).1
}

#[test]
fn a_crowd_looks_at_fewer_nodes_than_its_members() {
    let mut finder = PathFinder::new();
    for goals in [&[0.5][..], &[0.1, 0.4, 0.7, 0.9]] {
        let (mesh, queries) = crowd(400, goals);
        let layer = &mesh.layers()[0];
        let alone: u32 = queries
            .iter()
            .map(|query| {
                let has_path = finder.find(layer, query).unwrap().path().is_some();
                if has_path {
                    finder.expanded().max(1)
                } else {
                    1
                }
            })
            .sum();
        let queue = &mut PathQueue::new();
        let crowd = nodes(layer, queue, &queries);
        assert!(
            crowd * 3 < alone,
            "{crowd} nodes for {}, {alone} alone",
            goals.len()
        );
        // Later requests find the search done and cost 1 each.
        assert_eq!(nodes(layer, queue, &queries), queries.len() as u32);
    }
}

/// Few agents with one destination are no crowd.
#[test]
fn a_few_are_searched_for_one_by_one() {
    let (mesh, queries) = crowd(5, &[0.5]);
    let layer = &mesh.layers()[0];
    let mut finder = PathFinder::new();
    let (answers, _) = ask_all(layer, &mut PathQueue::new(), &queries, u32::MAX);
    for (answer, query) in answers.iter().zip(&queries) {
        // So the path is the same.
        assert_eq!(*answer, alone(layer, query, &mut finder));
    }
}

/// Requests are cancelled in mid-search, and the level is swapped in
/// mid-search for one of the same shape.
#[test]
fn requests_of_a_crowd_are_cancelled_and_levels_swapped() {
    let (mesh, queries) = crowd(100, &[0.5]);
    let layer = &mesh.layers()[0];
    let mut finder = PathFinder::new();
    for swapped in [false, true] {
        let (twin, _) = crowd(100, &[0.5]);
        let other = if swapped { &twin.layers()[0] } else { layer };
        let mut queue = PathQueue::new();
        let mut tickets: Vec<Option<Ticket>> = vec![None; queries.len()];
        for (ticket, query) in tickets.iter_mut().zip(&queries) {
            let _ = queue.ask(layer, ticket, query);
        }
        queue.work(layer, 7);
        for ticket in tickets.iter().step_by(2).flatten() {
            queue.cancel(*ticket);
        }
        while !queue.is_empty() {
            queue.work(other, 7);
        }
        for (i, (ticket, query)) in tickets.iter_mut().zip(&queries).enumerate() {
            let reply = queue.ask(other, ticket, query);
            if i % 2 == 0 {
                assert_eq!(
                    reply,
                    Ok(PathOutcome::BudgetExhausted),
                    "it is a new request"
                );
            } else {
                let answer = answer_of(reply);
                assert_same(other, query, &answer, &alone(other, query, &mut finder));
            }
        }
    }
}

/// Results of one level are not used in the next. When the first level
/// comes back, its search goes on.
#[test]
fn searches_in_one_level_do_not_answer_in_another() {
    let (old, mut queries) = crowd(100, &[0.5]);
    // The nearest first, so that later requests need more of the search.
    queries.sort_by_key(|query| query.from.distance(query.to) as u32);
    let mut parts = worlds::parts(plan(), 1, &mut Dice(3));
    // Every third link is gone.
    let mut i = 0;
    parts.layers[0].links.retain(|_| {
        i += 1;
        i % 3 > 0
    });
    let new = NavMesh::new(parts).unwrap();
    let (mut queue, mut finder) = (PathQueue::new(), PathFinder::new());
    let mut by_level = Vec::new();
    for (mesh, some) in [(&old, &queries[..20]), (&new, &queries), (&old, &queries)] {
        let layer = &mesh.layers()[0];
        let (answers, _) = ask_all(layer, &mut queue, some, u32::MAX);
        for (answer, query) in answers.iter().zip(some) {
            assert_same(layer, query, answer, &alone(layer, query, &mut finder));
        }
        by_level.push(answers);
    }
    assert_ne!(by_level[1], by_level[2]);
}

#[test]
fn a_warm_queue_allocates_nothing_for_crowds() {
    let (mesh, queries) = crowd(200, &[0.2, 0.5, 0.8]);
    let layer = &mesh.layers()[0];
    let mut queue = PathQueue::new();
    let mut tickets: Vec<Option<Ticket>> = vec![None; queries.len()];
    let mut round = |queries: &[Query]| {
        let mut found = 0;
        for (ticket, query) in tickets.iter_mut().zip(queries) {
            let _ = queue.ask(layer, ticket, query);
        }
        while queue.work(layer, 100) > 0 || !queue.is_empty() {}
        for (ticket, query) in tickets.iter_mut().zip(queries) {
            found += u32::from(matches!(
                queue.ask(layer, ticket, query),
                Ok(PathOutcome::Found(_))
            ));
        }
        found
    };
    // Two more goals than are kept, so that some searches start again.
    let rounds: Vec<Vec<Query>> = [0.0, 0.1, 0.3, 0.4]
        .map(|at| {
            let to = somewhere(layer, &mut Dice((at * 1000.0) as u64));
            let other = queries.iter().map(|query| Query::new(query.from, to));
            queries
                .iter()
                .take(50)
                .cloned()
                .chain(other.take(150))
                .collect()
        })
        .into();
    let mut found = 0;
    for queries in rounds.iter().chain(&rounds) {
        found += round(queries);
    }
    assert!(found > 400, "{found}");
    let info = allocation_counter::measure(|| {
        for queries in &rounds {
            round(queries);
        }
    });
    assert_eq!(info.count_total, 0);
}
