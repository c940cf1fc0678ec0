//! The field equals one that is computed from scratch, by another path search, and the
//! choice is the best of all.

use std::collections::BTreeMap;

use glam::Vec2;
use navmesh_bots::interest::{
    DangerArea, FieldSettings, Interest, InterestField, Recovery, Seeker, Target,
};
use navmesh_runtime::mesh::{AirCell, Cell, EdgeSet, Layer, NavMesh, Platforms, Terrain};
use navmesh_runtime::search::{
    Doors, Filter, NoPath, PathFinder, PathOutcome, Query, Rect, Snap, SnapTo, line_of_sight,
};

use crate::oracle::{self, Rules};
use crate::worlds::{self, Dice, Plan};
use crate::{somewhere, world};

const KINDS: usize = 3;

/// Whether a body flies straight from one vertex to another: along free edges of the
/// grid, or through squares whose corners are free. In whole numbers, so exact.
fn sees(is_free: &impl Fn(i64, i64) -> bool, [x, y]: [i64; 2], [to_x, to_y]: [i64; 2]) -> bool {
    if to_x < x {
        return sees(is_free, [to_x, to_y], [x, y]);
    }
    let (across, down) = (to_x - x, to_y - y);
    if across == 0 || down == 0 {
        let length = across.max(down.abs());
        return (0..=length).all(|i| is_free(x + i * across.signum(), y + i * down.signum()));
    }
    // The rows of squares that it passes between two columns.
    (0..across).all(|i| {
        let ends = [i * down, (i + 1) * down];
        let first = ends[0].min(ends[1]).div_euclid(across);
        let last = (ends[0].max(ends[1]) - 1).div_euclid(across);
        (first..=last).all(|row| (0..2).all(|c| (0..2).all(|r| is_free(x + i + c, y + row + r))))
    })
}

/// A graph of all pairs of free vertices of which one is seen from the other. Where only
/// edges and squares of the grid are free, a shortest flight turns at vertices.
fn flights(layer: &Layer) -> oracle::Graph {
    let grid = layer.grid();
    let (columns, rows) = (i64::from(grid.columns), i64::from(grid.rows));
    let is_free = |x: i64, y: i64| {
        (0..columns).contains(&x)
            && (0..rows).contains(&y)
            && !layer.parts().blocked.get(x as u32, y as u32)
    };
    let cells = (0..rows).flat_map(|y| (0..columns).map(move |x| [x, y]));
    let free: Vec<[i64; 2]> = cells.filter(|&[x, y]| is_free(x, y)).collect();
    let speed = f64::from(layer.profile().run_speed);
    let node = |[x, y]: [i64; 2]| oracle::Node::Air(x as u32, y as u32);
    let mut graph = oracle::Graph::new();
    for &from in &free {
        let seen = free.iter().filter(|&&to| sees(&is_free, from, to));
        let edges = seen.map(|&to| {
            let [x, y] = [0, 1].map(|axis| (to[axis] - from[axis]) as f64);
            (node(to), x.hypot(y) * f64::from(grid.spacing) / speed)
        });
        graph.insert(node(from), edges.collect());
    }
    graph
}

/// The seconds from each zone's center to each other's, by Dijkstra's algorithm
/// over every vertex.
fn distances(layer: &Layer, centers: &[Vec2]) -> Vec<Vec<f64>> {
    let places: Vec<Snap> = centers
        .iter()
        .map(|&center| {
            layer
                .snap(center, SnapTo::PathEnd)
                .expect("centers are places")
        })
        .collect();
    let graph = if layer.profile().edges.walks() {
        oracle::graph(layer, layer.grid(), &Rules::plain(layer), &places)
    } else {
        flights(layer)
    };
    let row = |from: &Snap| {
        let costs = oracle::costs(&graph, oracle::node(layer, *from));
        let cost = |to: &Snap| costs.get(&oracle::node(layer, *to)).copied();
        places
            .iter()
            .map(|to| cost(to).unwrap_or(f64::INFINITY))
            .collect()
    };
    places.iter().map(row).collect()
}

/// The nearest place with a free line to an object, by trying all.
fn join(layer: &Layer, object: Vec2, reach: f32) -> Option<f32> {
    let grid = layer.grid();
    let edges = layer.profile().edges;
    let height = layer.profile().body[1];
    let middle = Vec2::new(0.0, -0.5 * height * grid.y_axis.down());
    let stands =
        (layer.snap(object, SnapTo::FloorBelow(height))).map(|spot| spot.position + middle);
    let mut places: Vec<Vec2> = Vec::new();
    for row in 0..grid.rows {
        for column in 0..grid.columns {
            let cell = Cell { column, row };
            let is_air = edges.contains(EdgeSet::FLY) && !layer.parts().blocked.get(column, row);
            if is_air || edges.walks() && layer.terrain(cell) == Terrain::OnFloor {
                places.push(grid.position(cell));
            }
        }
    }
    let spots = if edges.walks() {
        [SnapTo::FloorBelow(reach), SnapTo::NearestFloor(reach)]
    } else {
        [SnapTo::PathEnd; 2]
    };
    for spot in spots {
        places.extend(layer.snap(object, spot).map(|spot| spot.position));
    }
    // Where a search from there begins, which is where it begins from there.
    let settled = |place: Vec2| Some(layer.snap(place, SnapTo::PathEnd)?.position);
    places
        .into_iter()
        .filter_map(|place| settled(settled(place)?))
        .filter(|place| place.distance(object) <= reach)
        .filter(|place| {
            let sees = |from| line_of_sight(layer, &Doors::new(), from, *place + middle);
            // From the object, or from the middle of a body that stands at it.
            sees(object) || stands.is_some_and(|at| at == *place + middle || sees(at))
        })
        .map(|place| place.distance(object))
        .min_by(f32::total_cmp)
}

/// The worth of an object some seconds after it was inserted: it changes four times a
/// second.
fn worth_after(interest: &Interest, seconds: f64) -> f32 {
    let Interest {
        worth,
        growth,
        limit,
        ..
    } = *interest;
    let grown = f64::from(worth) + f64::from(growth) * 0.25 * (4.0 * seconds).floor();
    let limit = f64::from(limit);
    if growth > 0.0 {
        grown.min(limit.max(worth.into())) as f32
    } else if growth < 0.0 {
        grown.max(limit.min(worth.into())) as f32
    } else {
        worth
    }
}

struct Model {
    objects: BTreeMap<u32, (Interest, f64)>,
    dangers: BTreeMap<u32, DangerArea>,
    now: f64,
}

impl Model {
    /// The interest of every zone for each kind, and the harm.
    fn zones(
        &self,
        layer: &Layer,
        field: &InterestField<u32>,
        settings: &FieldSettings,
        seconds: &[Vec<f64>],
    ) -> Vec<[f64; KINDS + 1]> {
        let share = |seconds: f64, spread: f32| {
            if seconds == 0.0 {
                1.0
            } else {
                (1.0 - seconds / f64::from(spread)).max(0.0)
            }
        };
        let mut zones = vec![[0.0; KINDS + 1]; seconds.len()];
        for (id, (interest, since)) in &self.objects {
            let Some(place) = field.place(*id) else {
                continue;
            };
            let at = field.zone_at(layer, place).expect("a place has a zone");
            let worth = f64::from(worth_after(interest, self.now - since));
            for (zone, from) in zones.iter_mut().zip(seconds) {
                zone[usize::from(interest.kind)] += worth * share(from[at], settings.spread);
            }
        }
        for danger in self.dangers.values() {
            if !(danger.starts <= self.now && self.now < danger.ends) {
                continue;
            }
            let Rect { min, max } = danger.area;
            let middle = min.midpoint(max);
            let centers = field.zones().iter();
            let mut inside: Vec<usize> = centers
                .enumerate()
                .filter(|(_, c)| c.cmpge(min).all() && c.cmple(max).all())
                .map(|(zone, _)| zone)
                .collect();
            // The place at its middle, as a field with only that object finds it.
            let mut finder = PathFinder::new();
            let mut single = InterestField::new(layer, *settings).unwrap();
            single
                .insert(layer, &mut finder, 0, Interest::new(0, middle, 1.0))
                .unwrap();
            inside.extend(
                single
                    .place(0)
                    .and_then(|place| single.zone_at(layer, place)),
            );
            let spread = danger.spread.min(settings.spread);
            for (zone, from) in zones.iter_mut().zip(seconds) {
                let shares = inside.iter().map(|&to| {
                    // Farther than the field looks.
                    let near = from[to] < f64::from(settings.spread);
                    if near { share(from[to], spread) } else { 0.0 }
                });
                zone[KINDS] += f64::from(danger.harm) * shares.fold(0.0, f64::max);
            }
        }
        zones
    }
}

fn check(
    mesh: &NavMesh,
    field: &InterestField<u32>,
    model: &Model,
    settings: &FieldSettings,
    seconds: &[Vec<f64>],
) {
    let layer = &mesh.layers()[0];
    let expected = model.zones(layer, field, settings, seconds);
    // Shares are rounded to 1/1024.
    let sum: f32 = model
        .objects
        .values()
        .map(|(o, _)| o.worth.abs().max(o.limit.abs()))
        .sum();
    let tolerance = f64::from(1.0 + sum + 100.0 * model.dangers.len() as f32) / 1000.0;
    for (zone, (expected, &center)) in expected.iter().zip(field.zones()).enumerate() {
        if field.zone_at(layer, center) != Some(zone) {
            // Two platforms pass through one vertex.
            continue;
        }
        for kind in 0..KINDS {
            let mut weights = [0.0; KINDS];
            weights[kind] = 1.0;
            let found = f64::from(field.zone_interest(layer, center, &weights, 0.0));
            assert!(
                (found - expected[kind]).abs() <= tolerance,
                "kind {kind} at {center}: {found}, not {}",
                expected[kind]
            );
        }
        let found = -f64::from(field.zone_interest(layer, center, &[0.0; KINDS], 1.0));
        assert!(
            (found - expected[KINDS]).abs() <= tolerance,
            "harm {found} {expected:?}"
        );
    }
    // Exactly what a new field with the same objects has.
    let mut finder = PathFinder::new();
    let mut fresh = InterestField::new(layer, *settings).unwrap();
    fresh.update(layer, &mut finder, model.now);
    for (id, (interest, since)) in model.objects.iter().rev() {
        let worth = worth_after(interest, model.now - since);
        let now = Interest::new(interest.kind, interest.position, worth);
        fresh.insert(layer, &mut finder, *id, now).unwrap();
    }
    for (id, danger) in &model.dangers {
        fresh
            .set_danger(layer, &mut finder, *id, Some(*danger))
            .unwrap();
    }
    for &center in field.zones() {
        assert_eq!(
            field.zone_interest(layer, center, &[0.3, 1.7], 0.5),
            fresh.zone_interest(layer, center, &[0.3, 1.7], 0.5)
        );
    }
}

#[test]
fn a_changed_field_equals_one_from_scratch() {
    let (mut reached, mut aside) = (0, 0);
    for seed in 0..12 {
        let dice = &mut Dice::case(seed);
        let mesh = world(seed as u32, dice);
        let layer = &mesh.layers()[0];
        let mut settings = FieldSettings::new(layer, KINDS);
        settings.spread *= dice.between(0.3, 1.5);
        let mut field = InterestField::new(layer, settings).unwrap();
        if field.zones().is_empty() {
            continue;
        }
        let seconds = distances(layer, field.zones());
        let mut finder = PathFinder::new();
        let mut model = Model {
            objects: BTreeMap::new(),
            dangers: BTreeMap::new(),
            now: 0.0,
        };
        for round in 0..60 {
            let id = dice.below(20);
            match dice.below(6) {
                0 | 1 => {
                    let kind = dice.below(KINDS as u32) as u8;
                    let mut interest =
                        Interest::new(kind, somewhere(&mesh, dice), dice.between(-5.0, 50.0));
                    if dice.chance(0.4) {
                        interest.growth = dice.between(-9.0, 9.0);
                        interest.limit = dice.between(0.0, 80.0);
                    }
                    let joined = field.insert(layer, &mut finder, id, interest).unwrap();
                    let expected = join(layer, interest.position, settings.reach);
                    assert_eq!(joined, expected.is_some());
                    if let Some((place, distance)) = field.place(id).zip(expected) {
                        assert!((place.distance(interest.position) - distance).abs() < 1e-3);
                        reached += 1;
                    } else {
                        aside += 1;
                    }
                    model.objects.insert(id, (interest, model.now));
                }
                2 => {
                    let to = somewhere(&mesh, dice);
                    field.move_to(layer, &mut finder, id, to);
                    if let Some((interest, _)) = model.objects.get_mut(&id) {
                        interest.position = to;
                    }
                }
                3 => {
                    let removed = field.remove(layer, &mut finder, id);
                    assert_eq!(removed, model.objects.remove(&id).is_some());
                }
                4 if model.dangers.remove(&id).is_some() => {
                    field.set_danger(layer, &mut finder, id, None).unwrap();
                }
                4 => {
                    let at = somewhere(&mesh, dice);
                    let size = layer.grid().spacing * dice.between(0.0, 8.0);
                    let danger = DangerArea {
                        area: Rect::new(at, at + size),
                        harm: dice.between(0.0, 99.0),
                        spread: settings.spread * dice.between(0.0, 1.5),
                        starts: model.now + f64::from(dice.between(-1.0, 2.0)),
                        ends: model.now + f64::from(dice.between(0.0, 4.0)),
                    };
                    field
                        .set_danger(layer, &mut finder, id, Some(danger))
                        .unwrap();
                    model.dangers.insert(id, danger);
                }
                _ => {
                    model.now += f64::from(dice.unit());
                    field.update(layer, &mut finder, model.now);
                }
            }
            if round % 10 == 9 {
                check(&mesh, &field, &model, &settings, &seconds);
            }
        }
    }
    assert!(reached > 60 && aside > 3, "{reached} {aside}");
}

#[test]
fn the_choice_is_the_best_of_all() {
    let (mut chosen, mut kept) = (0, 0);
    for seed in 0..30 {
        let dice = &mut Dice::case(seed);
        let mesh = world(seed as u32, dice);
        let layer = &mesh.layers()[0];
        let mut field = InterestField::new(layer, FieldSettings::new(layer, KINDS)).unwrap();
        let mut finder = PathFinder::new();
        let mut objects = Vec::new();
        for id in 0..40_u32 {
            let kind = dice.below(KINDS as u32) as u8;
            let interest = Interest::new(kind, somewhere(&mesh, dice), dice.between(-9.0, 50.0));
            field.insert(layer, &mut finder, id, interest).unwrap();
            objects.push(interest);
            let worth = field.worth(id).unwrap();
            assert!(
                (worth - interest.worth).abs() < 1e-3,
                "{worth} {interest:?}"
            );
        }
        let danger = DangerArea {
            area: region(&mesh, dice),
            harm: dice.between(0.0, 40.0),
            spread: 0.5,
            starts: 0.0,
            ends: 9.0,
        };
        field
            .set_danger(layer, &mut finder, 0, Some(danger))
            .unwrap();
        let mut doors = Doors::new();
        for _ in 0..seed % 3 {
            doors.close_region(region(&mesh, dice));
        }
        field.set_doors(layer, &mut finder, &doors);
        let weights = [dice.unit(), dice.unit(), dice.between(-0.5, 1.0)];
        let filter = Filter::default();
        let mut plain = Filter::default();
        plain.close_doors(&doors);
        let mut seeker = Seeker::new(somewhere(&mesh, dice), &weights, &filter);
        seeker.searches = 40;
        seeker.half_time = dice.between(0.2, 3.0);
        seeker.zone_weight = dice.unit();
        for round in 0..4 {
            if round == 2 {
                // Most paths wait to be searched again, and bounds hold all the same.
                doors = Doors::new();
                doors.close_region(region(&mesh, dice));
                field.set_doors(layer, &mut finder, &doors);
                plain = Filter::default();
                plain.close_doors(&doors);
            }
            // Every object, without bounds of any kind.
            let mut best: Option<(f32, u32)> = None;
            for id in 0..40_u32 {
                let Some(place) = field.place(id) else {
                    continue;
                };
                let query = Query {
                    filter: plain.clone(),
                    ..Query::new(seeker.position, place)
                };
                let Some(seconds) = finder
                    .find(layer, &query)
                    .unwrap()
                    .path()
                    .map(|path| path.cost)
                else {
                    continue;
                };
                let around = field.zone_interest(layer, place, &weights, 0.0);
                let harm = field.zone_interest(layer, place, &[0.0; KINDS], 1.0);
                let object = &objects[id as usize];
                let own = weights[usize::from(object.kind)] * object.worth;
                if own <= 0.0 {
                    continue;
                }
                let total = own + seeker.zone_weight * around + harm;
                let near = total * (seeker.half_time / (seeker.half_time + seconds as f32));
                let is_current = seeker.habit.current == Some(id);
                let score = if is_current { near * 1.3 } else { near };
                if score > 0.0 && best.is_none_or(|(most, _)| score > most) {
                    best = Some((score, id));
                }
            }
            let mut recovery = Recovery::default();
            let target = field.choose(layer, &mut finder, &seeker, &mut recovery);
            match (target, best) {
                (Some(target), Some((score, id))) => {
                    assert!(
                        (target.score - score).abs() <= 1e-3 * score,
                        "{target:?}, not {id} with {score}"
                    );
                    kept += usize::from(seeker.habit.current == Some(target.id));
                    chosen += 1;
                    seeker.habit.current = Some(target.id);
                    seeker.habit.bonus = 0.3;
                }
                (None, None) => {}
                other => panic!("{other:?}"),
            }
            // A little farther on, the target is the same.
            if let Some(target) = target {
                seeker.position = seeker.position.lerp(target.position, 0.1);
            }
        }
    }
    assert!(chosen > 25 && kept > 12, "{chosen} {kept}");
}

/// An empty level for agents that fly.
fn open_air() -> NavMesh {
    let plan = Plan {
        noise: 0.0,
        ..Plan::noisy(60, 40, EdgeSet::FLY)
    };
    let mut parts = worlds::parts(plan, 1, &mut Dice::case(0));
    parts.layers[0].platforms = Platforms::default();
    parts.layers[0].barriers.clear();
    NavMesh::new(parts).unwrap()
}

/// A wall stands beside a column of vertices, and the column before it is blocked.
#[test]
fn between_a_wall_and_vertices_is_a_zone() {
    let plan = Plan {
        noise: 0.0,
        ..Plan::noisy(20, 10, EdgeSet::FLY)
    };
    let mut parts = worlds::parts(plan, 1, &mut Dice::case(0));
    let grid = parts.grid;
    let wall = grid.column_x(10) - 0.2 * grid.spacing;
    let layer = &mut parts.layers[0];
    (0..10).for_each(|row| layer.blocked.set(10, row, true));
    layer.platforms = Platforms::default();
    layer.barriers.clear();
    let [top, bottom] = [0, 9].map(|row| grid.row_y(row));
    let sides = [
        [grid.column_x(0), wall],
        [grid.column_x(11), grid.column_x(19)],
    ];
    layer.air = sides
        .map(|upper| AirCell {
            top,
            bottom,
            upper,
            lower: upper,
        })
        .to_vec();
    let mesh = NavMesh::new(parts).unwrap();
    let (layer, mut finder) = (&mesh.layers()[0], PathFinder::new());
    let mut field = InterestField::new(layer, FieldSettings::new(layer, 1)).unwrap();
    let at = Vec2::new(
        wall - 0.1 * grid.spacing,
        grid.row_y(5) + 0.3 * grid.spacing,
    );
    let zone = field.zone_at(layer, at).unwrap();
    assert!(field.zones()[zone].x < wall, "on the same side");
    assert!(
        field
            .insert(layer, &mut finder, 0, Interest::new(0, at, 9.0))
            .unwrap()
    );
    assert_eq!(field.place(0), Some(at));
    let filter = Filter::default();
    let seeker = Seeker::new(at, &[1.0], &filter);
    let target = field.choose(layer, &mut finder, &seeker, &mut Recovery::default());
    assert_eq!(target.map(|target| target.seconds), Some(0.0));
}

/// Of flights, the straight line is the only lower bound in all directions.
#[test]
fn interest_of_agents_that_fly_spreads_as_far_in_every_direction() {
    let mesh = open_air();
    let (layer, mut finder) = (&mesh.layers()[0], PathFinder::new());
    let settings = FieldSettings::new(layer, 1);
    let mut field = InterestField::new(layer, settings).unwrap();
    let centers = field.zones().to_vec();
    let middle = centers[centers.len() / 2];
    let coin = Interest::new(0, middle, 100.0);
    assert!(field.insert(layer, &mut finder, 0, coin).unwrap());
    let mut faint = 0;
    for center in centers {
        let seconds = center.distance(middle) / layer.profile().run_speed;
        let share = (1.0 - seconds / settings.spread).max(0.0);
        let found = field.zone_interest(layer, center, &[1.0], 0.0);
        assert!((found - 100.0 * share).abs() < 0.2, "{center}: {found}");
        faint += u32::from(share > 0.0 && share < 0.08);
    }
    assert!(faint > 4, "{faint}");
}

#[test]
fn the_best_of_two_is_chosen_in_every_direction() {
    let mesh = open_air();
    let (layer, mut finder) = (&mesh.layers()[0], PathFinder::new());
    let (dice, filter) = (&mut Dice::case(5), Filter::default());
    let [mut firsts, mut close] = [0; 2];
    for _ in 0..400 {
        let mut field = InterestField::new(layer, FieldSettings::new(layer, 1)).unwrap();
        let mut place = || {
            let cell = Cell {
                column: dice.below(60),
                row: dice.below(40),
            };
            mesh.grid().position(cell)
        };
        let [from, first, second] = [place(), place(), place()];
        for (id, at) in [(0, first), (1, second)] {
            field
                .insert(layer, &mut finder, id, Interest::new(0, at, 50.0))
                .unwrap();
        }
        let mut seeker = Seeker::new(from, &[1.0], &filter);
        seeker.zone_weight = 0.0;
        let target = field.choose(layer, &mut finder, &seeker, &mut Recovery::default());
        let target = target.unwrap();
        let [a, b] = [first, second].map(|at| from.distance(at));
        let chosen = if target.id == 0 { a } else { b };
        assert!(chosen <= a.min(b) + 1e-2, "{from}: {first} or {second}");
        firsts += u32::from(target.id == 0);
        close += u32::from(a.max(b) < 1.05 * a.min(b));
    }
    assert!(firsts > 150 && close > 10, "{firsts} {close}");
}

#[test]
fn what_is_set_aside_is_tried_again_when_doors_change() {
    let dice = &mut Dice::case(3);
    let mesh = world(1, dice);
    let layer = &mesh.layers()[0];
    let mut field = InterestField::new(layer, FieldSettings::new(layer, KINDS)).unwrap();
    let (mut finder, filter) = (PathFinder::new(), Filter::default());
    let free = field.zones()[field.zones().len() / 2];
    // A shutter around the object, and one around the agent's vertex.
    let size = Vec2::splat(layer.grid().spacing);
    let mut doors = Doors::new();
    let shutter = doors.close_region(Rect::new(free - size, free + size));
    field.set_doors(layer, &mut finder, &doors);
    let coin = Interest::new(0, free, 5.0);
    assert!(!field.insert(layer, &mut finder, 7, coin).unwrap());
    let seeker = Seeker::new(free, &[], &filter);
    let mut recovery = Recovery::default();
    assert_eq!(
        field.choose(layer, &mut finder, &seeker, &mut recovery),
        None
    );
    doors.open_region(shutter);
    field.set_doors(layer, &mut finder, &doors);
    let target = field
        .choose(layer, &mut finder, &seeker, &mut recovery)
        .unwrap();
    assert_eq!((target.id, target.seconds), (7, 0.0));
}

/// A part of the level, a few spacings wide.
fn region(mesh: &NavMesh, dice: &mut Dice) -> Rect {
    let (at, spacing) = (somewhere(mesh, dice), mesh.grid().spacing);
    let size = Vec2::new(dice.between(1.0, 9.0), dice.between(1.0, 9.0)) * spacing;
    Rect::new(at, at + size)
}

#[test]
fn a_field_whose_doors_change_equals_a_new_one() {
    let (mut differs, mut aside, mut searched) = (0, 0, 0);
    for seed in 0..14 {
        let dice = &mut Dice::case(seed);
        let mesh = world(seed as u32, dice);
        let layer = &mesh.layers()[0];
        let mut settings = FieldSettings::new(layer, KINDS);
        settings.spread *= dice.between(0.2, 1.0);
        settings.searches = 1 + dice.below(40) as usize;
        let mut finder = PathFinder::new();
        let mut field = InterestField::new(layer, settings).unwrap();
        if dice.chance(0.5) {
            field.prepare(layer, &mut finder);
        }
        let objects: Vec<Interest> = (0..12)
            .map(|_| {
                let kind = dice.below(KINDS as u32) as u8;
                Interest::new(kind, somewhere(&mesh, dice), dice.between(1.0, 50.0))
            })
            .collect();
        let danger = DangerArea {
            area: region(&mesh, dice),
            harm: 30.0,
            spread: settings.spread,
            starts: 0.0,
            ends: 9.0,
        };
        let fill = |field: &mut InterestField<u32>, finder: &mut PathFinder| {
            for (id, object) in (0..).zip(&objects) {
                field.insert(layer, finder, id, *object).unwrap();
            }
            field.set_danger(layer, finder, 0, Some(danger)).unwrap();
        };
        fill(&mut field, &mut finder);
        let values = |field: &InterestField<u32>| -> Vec<f32> {
            let zones = field.zones().iter();
            let interest = |at: &Vec2| field.zone_interest(layer, *at, &[0.3, 1.7, 1.0], 0.5);
            zones.map(interest).collect()
        };
        let mut doors = Doors::new();
        let mut closed = Vec::new();
        for _ in 0..8 {
            let before = values(&field);
            if closed.is_empty() || dice.chance(0.6) {
                closed.push(doors.close_region(region(&mesh, dice)));
            } else {
                let door = dice.below(closed.len() as u32) as usize;
                doors.open_region(closed.swap_remove(door));
            }
            let mut pending = field.set_doors(layer, &mut finder, &doors);
            // Some doors change while paths wait to be searched again.
            let waits = dice.chance(0.3);
            while !waits && pending > 0 {
                let before = pending;
                pending = field.update(layer, &mut finder, 0.0);
                assert_eq!(pending, before.saturating_sub(settings.searches));
                searched += before - pending;
            }
            let mut fresh = InterestField::new(layer, settings).unwrap();
            assert_eq!(fresh.set_doors(layer, &mut finder, &doors), 0);
            fill(&mut fresh, &mut finder);
            for id in 0..objects.len() as u32 {
                assert_eq!(field.place(id), fresh.place(id), "seed {seed}: {id}");
                aside += usize::from(fresh.place(id).is_none());
            }
            let now = values(&field);
            if pending == 0 {
                assert_eq!(now, values(&fresh), "seed {seed}");
            }
            differs += usize::from(now != before);
        }
    }
    assert!(
        differs > 60 && aside > 20 && searched > 500,
        "{differs} {aside} {searched}"
    );
}

#[test]
fn a_danger_with_a_spread_of_minus_zero_does_not_spread() {
    let dice = &mut Dice::case(3);
    let mesh = world(3, dice);
    let layer = &mesh.layers()[0];
    let (mut finder, settings) = (PathFinder::new(), FieldSettings::new(layer, KINDS));
    let field = || InterestField::<u32>::new(layer, settings).unwrap();
    let (zone, spacing) = (field().zones()[0], mesh.grid().spacing);
    let area = Rect::new(zone - spacing, zone + spacing);
    let mut harm = |spread| {
        let mut field = field();
        let danger = DangerArea {
            area,
            harm: 30.0,
            spread,
            starts: 0.0,
            ends: 9.0,
        };
        field
            .set_danger(layer, &mut finder, 0, Some(danger))
            .unwrap();
        let zones = field.zones().iter();
        let harm = |at: &Vec2| field.zone_interest(layer, *at, &[], 1.0);
        zones.map(harm).collect::<Vec<f32>>()
    };
    let [none, minus] = [0.0, -0.0].map(&mut harm);
    assert_eq!(none, minus);
    assert!(none.contains(&-30.0), "{none:?}");
}

#[test]
fn a_field_in_another_layer_equals_a_new_one() {
    let mut joined = 0;
    for seed in 0..8 {
        let dice = &mut Dice::case(seed);
        let [old, new] = [0, 1].map(|kind| world(seed as u32 + kind, dice));
        let layers = [&old, &new].map(|mesh| &mesh.layers()[0]);
        let settings = FieldSettings::new(layers[0], KINDS);
        let mut finder = PathFinder::new();
        let mut doors = Doors::new();
        doors.close_region(region(&new, dice));
        let objects: Vec<Vec2> = (0..12).map(|_| somewhere(&new, dice)).collect();
        let danger = DangerArea {
            area: region(&new, dice),
            harm: 30.0,
            spread: settings.spread,
            starts: 0.0,
            ends: 9.0,
        };
        let mut fill = |layer| {
            let mut field = InterestField::new(layer, settings).unwrap();
            field.set_doors(layer, &mut finder, &doors);
            for (id, &at) in (0..).zip(&objects) {
                let object = Interest::new(0, at, 9.0);
                field.insert(layer, &mut finder, id, object).unwrap();
            }
            field
                .set_danger(layer, &mut finder, 0, Some(danger))
                .unwrap();
            field
        };
        let [mut field, fresh] = layers.map(&mut fill);
        let aside: Vec<bool> = (0..12).map(|id| field.place(id).is_none()).collect();
        field.update(layers[1], &mut finder, 0.0);
        assert_eq!(field.zones(), fresh.zones());
        for id in 0..12 {
            assert_eq!(field.place(id), fresh.place(id), "seed {seed}: {id}");
            joined += usize::from(aside[id as usize] && field.place(id).is_some());
        }
        for &at in field.zones() {
            let [own, other] = [&field, &fresh].map(|f| f.zone_interest(layers[1], at, &[], 0.5));
            assert_eq!(own, other, "seed {seed}");
        }
    }
    assert!(joined > 0, "nothing that was set aside has a place now");
}

#[test]
fn a_field_without_objects_chooses_in_another_layer_with_more_zones() {
    let mut grew = 0;
    for seed in 0..8 {
        let dice = &mut Dice::case(seed);
        let worlds = [0, 1].map(|kind| world(seed as u32 + kind, dice));
        let first = &worlds[0].layers()[0];
        let mut field = InterestField::new(first, FieldSettings::new(first, KINDS)).unwrap();
        let (mut finder, filter) = (PathFinder::new(), Filter::default());
        let mut recovery = Recovery::default();
        let before = field.zones().len();
        for mesh in &worlds {
            let seeker = Seeker::new(somewhere(mesh, dice), &[1.0; KINDS], &filter);
            let target = field.choose(&mesh.layers()[0], &mut finder, &seeker, &mut recovery);
            assert_eq!(target, None::<Target<u32>>);
        }
        grew += usize::from(field.zones().len() > before);
    }
    assert!(grew > 0);
}

/// A hill for agents on foot: a floor that rises and falls between the vertices.
fn hill() -> NavMesh {
    let plan = Plan {
        links: 0,
        noise: 0.0,
        ..Plan::noisy(40, 20, EdgeSet::FLOOR)
    };
    let mut parts = worlds::parts(plan, 1, &mut Dice::case(1));
    parts.grid.origin = Vec2::ZERO;
    let points = [[8.0, 141.0], [100.0, 90.0], [200.0, 83.0], [300.0, 147.0]].map(Vec2::from);
    let layer = &mut parts.layers[0];
    layer.platforms = Platforms::new([points]).unwrap();
    let grid = parts.grid;
    for (column, row) in (0..40).flat_map(|column| (0..20).map(move |row| (column, row))) {
        let feet = grid.position(Cell { column, row });
        let pieces = points.windows(2);
        let floor = pieces.filter(|ab| (ab[0].x..=ab[1].x).contains(&feet.x));
        let is_in = |ab: &[Vec2]| {
            let share = (feet.x - ab[0].x) / (ab[1].x - ab[0].x);
            feet.y > ab[0].lerp(ab[1], share).y
        };
        let is_blocked = floor.map(is_in).next().unwrap_or(true);
        layer.blocked.set(column, row, is_blocked);
    }
    NavMesh::new(parts).unwrap()
}

#[test]
fn an_object_on_a_floor_has_a_place_whatever_its_slope_and_height() {
    let mesh = hill();
    let layer = &mesh.layers()[0];
    let mut finder = PathFinder::new();
    let mut field = InterestField::new(layer, FieldSettings::new(layer, 1)).unwrap();
    let floor = layer.platforms().next().unwrap();
    let mut aside = Vec::new();
    for x in (10..299).map(|x| x as f32) {
        // On the floor, and as high as the body's middle.
        for up in [0.0, 0.5 * layer.profile().body[1]] {
            let at = floor.clamp(x) - Vec2::new(0.0, up);
            if !field
                .insert(layer, &mut finder, 1, Interest::new(0, at, 1.0))
                .unwrap()
            {
                aside.push(at);
            }
        }
    }
    assert!(aside.is_empty(), "{aside:?}");
    // A closed door around it is still in the way.
    let at = floor.clamp(50.0);
    let mut doors = Doors::new();
    doors.close_region(Rect::new(at - 4.0, at + 4.0));
    field.set_doors(layer, &mut finder, &doors);
    assert!(
        !field
            .insert(layer, &mut finder, 1, Interest::new(0, at, 1.0))
            .unwrap()
    );
}

#[test]
fn a_choice_in_the_air_bars_nothing() {
    let mesh = hill();
    let layer = &mesh.layers()[0];
    let mut finder = PathFinder::new();
    let mut field = InterestField::new(layer, FieldSettings::new(layer, 1)).unwrap();
    let floor = layer.platforms().next().unwrap();
    let coin = Interest::new(0, floor.clamp(120.0), 1.0);
    assert!(field.insert(layer, &mut finder, 1, coin).unwrap());
    let (filter, mut recovery) = (Filter::default(), Recovery::default());
    let landing = floor.clamp(150.0);
    let mut choose = |position: Vec2| {
        let seeker = Seeker::new(position, &[], &filter);
        let target = field.choose(layer, &mut finder, &seeker, &mut recovery);
        target.map(|target| target.id)
    };
    // In a jump, and after it.
    let jump = Vec2::new(0.0, 4.0 * layer.grid().spacing);
    assert_eq!(choose(landing - jump), None);
    assert_eq!(choose(landing), Some(1));
}

#[test]
fn objects_without_a_path_are_barred_and_tried_again_in_time() {
    let (mut barred, mut again) = (0, 0);
    for seed in 0..18 {
        let dice = &mut Dice::case(seed);
        let mesh = world(seed as u32, dice);
        let layer = &mesh.layers()[0];
        let settings = FieldSettings {
            retry: dice.between(0.3, 1.5),
            ..FieldSettings::new(layer, KINDS)
        };
        let mut field = InterestField::new(layer, settings).unwrap();
        let mut finder = PathFinder::new();
        let mut worths = Vec::new();
        for id in 0..10_u32 {
            let worth = dice.between(1.0, 50.0);
            let object = Interest::new(0, somewhere(&mesh, dice), worth);
            field.insert(layer, &mut finder, id, object).unwrap();
            worths.push(worth);
        }
        let position = somewhere(&mesh, dice);
        // The model: until when each object is set aside. What the agent cannot reach
        // changes all the time, by a filter of its own.
        let mut until = [0.0_f64; 10];
        let mut recovery = Recovery::default();
        for tick in 0..40 {
            let now = 0.1 * f64::from(tick);
            field.update(layer, &mut finder, now);
            let mut doors = Doors::new();
            for _ in 0..dice.below(4) {
                doors.close_region(region(&mesh, dice));
            }
            let mut filter = Filter::default();
            filter.close_doors(&doors);
            let mut seeker = Seeker::new(position, &[], &filter);
            seeker.zone_weight = 0.0;
            let mut best: Option<(f32, u32)> = None;
            let mut without_path = Vec::new();
            for id in 0..10_u32 {
                let Some(place) = field.place(id) else {
                    continue;
                };
                if now < until[id as usize] {
                    continue;
                }
                again += usize::from(until[id as usize] > 0.0);
                let mut query = Query::new(position, place);
                query.filter.clone_from(&filter);
                let outcome = finder.find(layer, &query).ok();
                let Some(path) = outcome.and_then(|outcome| outcome.path()) else {
                    // No fault of the object: no path starts at the agent.
                    use NoPath::{StartClosed, StartNotNavigable};
                    let is_start = matches!(
                        outcome,
                        Some(PathOutcome::NoPath(StartClosed | StartNotNavigable))
                    );
                    without_path.extend((!is_start).then_some(id));
                    continue;
                };
                let near = seeker.half_time / (seeker.half_time + path.cost as f32);
                let score = worths[id as usize] * near;
                if best.is_none_or(|(most, _)| score > most) {
                    best = Some((score, id));
                }
            }
            let target = field.choose(layer, &mut finder, &seeker, &mut recovery);
            assert_eq!(target.map(|t| t.id), best.map(|(_, id)| id), "seed {seed}");
            for id in 0..10_u32 {
                // Set aside now, and for how long.
                let slot = &mut until[id as usize];
                if *slot <= now && recovery.is_barred(id, now) {
                    assert!(without_path.contains(&id), "seed {seed}: {id}");
                    *slot = now + f64::from(settings.retry);
                    assert!(recovery.is_barred(id, *slot - 1e-6));
                    barred += 1;
                } else if best.is_none() {
                    let is_aside = !without_path.contains(&id);
                    assert!(is_aside, "it tried all: seed {seed}: {id}");
                }
                assert_eq!(recovery.is_barred(id, now), now < *slot);
                assert!(!recovery.is_barred(id, *slot));
            }
        }
    }
    assert!(barred > 50 && again > 50, "{barred} {again}");
}

#[test]
fn numbers_out_of_range_are_refused() {
    let mesh = world(0, &mut Dice::case(1));
    let layer = &mesh.layers()[0];
    let settings = FieldSettings::new(layer, KINDS);
    let bad = FieldSettings {
        spread: f32::NAN,
        ..settings
    };
    assert!(InterestField::<u32>::new(layer, bad).is_err());
    assert!(
        InterestField::<u32>::new(
            layer,
            FieldSettings {
                kinds: 0,
                ..settings
            }
        )
        .is_err()
    );
    let bad = FieldSettings {
        searches: 0,
        ..settings
    };
    assert!(InterestField::<u32>::new(layer, bad).is_err());
    let mut field = InterestField::new(layer, settings).unwrap();
    let mut finder = PathFinder::new();
    let mut insert = |kind, x, worth| {
        let interest = Interest::new(kind, Vec2::new(x, 0.0), worth);
        field.insert(layer, &mut finder, 1, interest)
    };
    assert!(insert(3, 0.0, 1.0).is_err());
    assert!(insert(0, f32::NAN, 1.0).is_err());
    assert!(insert(0, 0.0, f32::INFINITY).is_err());
    assert!(insert(2, 0.0, 1.0).is_ok());
}
