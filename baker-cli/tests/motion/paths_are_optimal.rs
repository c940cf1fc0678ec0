//! Paths cost what a plain Dijkstra finds in the fully expanded vertex graph,
//! which is built from the JSON dump alone. Those of fliers cost at most as much.

use crate::common;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use baker_cli::report::dump;
use common::fixtures::{baked, fixture};
use glam::Vec2;
use navmesh_runtime::mesh::NavMesh;
use navmesh_runtime::search::{PathFinder, PathOutcome, Query};
use proptest::test_runner::TestRunner;
use serde_json::Value;

/// A graph of numbered nodes with positions, and costs in seconds.
#[derive(Default)]
struct Graph {
    nodes: Vec<Vec2>,
    edges: Vec<Vec<(usize, f64)>>,
}

impl Graph {
    fn add(&mut self, at: Vec2) -> usize {
        self.nodes.push(at);
        self.edges.push(Vec::new());
        self.nodes.len() - 1
    }

    fn costs_from(&self, start: usize) -> Vec<f64> {
        let mut costs = vec![f64::INFINITY; self.nodes.len()];
        let mut open = BinaryHeap::from([(Reverse(0u64), start)]);
        costs[start] = 0.0;
        // Costs are not negative, so their bits sort as they do.
        while let Some((Reverse(bits), node)) = open.pop() {
            let cost = f64::from_bits(bits);
            if cost > costs[node] {
                continue;
            }
            for &(to, edge) in &self.edges[node] {
                if cost + edge < costs[to] {
                    costs[to] = cost + edge;
                    open.push((Reverse((cost + edge).to_bits()), to));
                }
            }
        }
        costs
    }
}

fn pair(value: &Value) -> Vec2 {
    Vec2::new(
        value[0].as_f64().unwrap() as f32,
        value[1].as_f64().unwrap() as f32,
    )
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap()
}

/// Floor edges between neighbours on a platform, and the links.
fn ground_graph(dump: &Value, agent: &Value) -> Graph {
    let mut graph = Graph::default();
    let run_speed = agent["profile"]["run_speed"].as_f64().unwrap();
    let spacing = dump["grid"]["spacing"].as_f64().unwrap();
    let origin = pair(&dump["grid"]["origin"]);
    // The points of every platform by x: vertices, ends, the ends of links.
    let mut places: Vec<BTreeMap<u64, usize>> = Vec::new();
    for platform in list(&agent["platforms"]) {
        let surface: Vec<Vec2> = list(&platform["surface"]).iter().map(pair).collect();
        let (left, right) = (pair(&platform["left"]), pair(&platform["right"]));
        let mut xs = vec![left.x, right.x];
        let columns = dump["grid"]["columns"].as_u64().unwrap();
        let column = |c: u64| (f64::from(origin.x) + (c as f64 + 0.5) * spacing) as f32;
        xs.extend(
            (0..columns)
                .map(column)
                .filter(|x| left.x <= *x && *x <= right.x),
        );
        let links = list(&agent["links"]);
        xs.extend(
            links
                .iter()
                .filter(|l| l["from_platform"] == platform["id"])
                .map(|l| pair(&l["from"]).x),
        );
        xs.extend(
            links
                .iter()
                .filter(|l| l["to_platform"] == platform["id"])
                .map(|l| pair(&l["to"]).x),
        );
        xs.sort_by(f32::total_cmp);
        xs.dedup();
        let mut known = BTreeMap::new();
        let mut last: Option<(f32, usize)> = None;
        for x in xs {
            let after = surface.partition_point(|p| p.x <= x).max(1);
            let a = surface[after - 1];
            let y = surface
                .get(after)
                .filter(|b| b.x > a.x)
                .map_or(a.y, |b| a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x));
            let node = graph.add(Vec2::new(x, y));
            known.insert(u64::from(x.to_bits()), node);
            if let Some((lx, before)) = last {
                let cost = f64::from(x - lx) / run_speed;
                graph.edges[before].push((node, cost));
                graph.edges[node].push((before, cost));
            }
            last = Some((x, node));
        }
        places.push(known);
    }
    for link in list(&agent["links"]) {
        let node = |end: &str, platform: &str| {
            let platform = link[platform].as_u64().unwrap() as usize;
            places[platform][&u64::from(pair(&link[end]).x.to_bits())]
        };
        let (from, to) = (node("from", "from_platform"), node("to", "to_platform"));
        graph.edges[from].push((to, link["cost"].as_f64().unwrap()));
    }
    graph
}

/// Adjacent and diagonal free vertices; no corner is cut.
fn air_graph(dump: &Value, agent: &Value) -> Graph {
    let mut graph = Graph::default();
    let speed = agent["profile"]["run_speed"].as_f64().unwrap();
    let spacing = dump["grid"]["spacing"].as_f64().unwrap();
    let origin = pair(&dump["grid"]["origin"]);
    let rows: Vec<Vec<u8>> = list(&agent["terrain"])
        .iter()
        .map(|r| r.as_str().unwrap().bytes().collect())
        .collect();
    let buried: Vec<(i64, i64)> = agent["buried"]
        .as_array()
        .map(|list| {
            list.iter()
                .map(|c| (c[0].as_i64().unwrap(), c[1].as_i64().unwrap()))
                .collect()
        })
        .unwrap_or_default();
    let free = |c: i64, r: i64| {
        let cell = usize::try_from(r)
            .ok()
            .and_then(|r| rows.get(r))
            .and_then(|row| row.get(usize::try_from(c).ok()?));
        cell.is_some_and(|cell| *cell != b'#') && !buried.contains(&(c, r))
    };
    let mut numbers = BTreeMap::new();
    for (r, row) in rows.iter().enumerate() {
        for c in 0..row.len() {
            if free(c as i64, r as i64) {
                let x = f64::from(origin.x) + (c as f64 + 0.5) * spacing;
                let y = f64::from(origin.y) + (r as f64 + 1.0) * spacing;
                numbers.insert(
                    (c as i64, r as i64),
                    graph.add(Vec2::new(x as f32, y as f32)),
                );
            }
        }
    }
    for (&(c, r), &node) in &numbers {
        for (dc, dr) in [
            (1, 0),
            (-1, 0),
            (0, 1),
            (0, -1),
            (1, 1),
            (1, -1),
            (-1, 1),
            (-1, -1),
        ] {
            if free(c + dc, r + dr) && free(c + dc, r) && free(c, r + dr) {
                let length = f64::from(((dc * dc + dr * dr) as f32).sqrt()) * spacing;
                graph.edges[node].push((numbers[&(c + dc, r + dr)], length / speed));
            }
        }
    }
    graph
}

/// Compares every `stride`-th start with every `stride`-th goal.
fn compare(mesh: &NavMesh, stride: usize) -> usize {
    let mut text = Vec::new();
    dump::json(mesh, "1.0", &mut text).unwrap();
    let dump: Value = serde_json::from_slice(&text).unwrap();
    let mut finder = PathFinder::new();
    let mut compared = 0;
    for agent in list(&dump["agents"]) {
        let layer = mesh.layer_named(agent["name"].as_str().unwrap()).unwrap();
        let flies = agent["edges"]["fly"].as_u64().unwrap() > 0;
        let graph = if flies {
            air_graph(&dump, agent)
        } else {
            ground_graph(&dump, agent)
        };
        for start in (0..graph.nodes.len()).step_by(stride) {
            let costs = graph.costs_from(start);
            for goal in (0..graph.nodes.len()).step_by(stride) {
                let query = Query::new(graph.nodes[start], graph.nodes[goal]);
                let found = finder.find(layer, &query).unwrap();
                let expected = costs[goal];
                let reported = format!(
                    "{} from {} to {}",
                    agent["name"], graph.nodes[start], graph.nodes[goal]
                );
                match found {
                    PathOutcome::Found(path) => {
                        let cost = path.cost;
                        let slack = cost * 1e-4 + 1e-4;
                        // Flights also lead in other directions than those of the vertices,
                        // and through openings between them.
                        let straight = path.start.distance(path.end);
                        let least = f64::from(straight / layer.profile().run_speed);
                        let least = if flies { least } else { expected };
                        assert!(
                            least - slack <= cost && cost <= expected + slack,
                            "{reported}: {cost}, not {least} to {expected}"
                        );
                    }
                    PathOutcome::NoPath(why) => {
                        assert!(expected.is_infinite(), "{reported}: {why}, not {expected}");
                    }
                    _ => panic!("{reported}: neither found nor refused"),
                }
                compared += 1;
            }
        }
    }
    compared
}

#[test]
fn paths_through_the_fixtures_are_optimal() {
    // With portals, also of no cost, and one within a platform.
    for name in ["ledges.tmx", "organic.png", "portals.tmx"] {
        assert!(compare(&baked(&fixture(name)), 23) > 500);
    }
}

#[test]
fn paths_through_random_levels_are_optimal() {
    let mut runner = TestRunner::deterministic();
    for _ in 0..12 {
        let world = common::draw(&mut runner, &common::tiles(8..24, 6..14, 16));
        compare(&baked(&world.level()), 11);
    }
}
