//! Dashes, shortcuts and meetings.

use glam::Vec2;
use navmesh_bots::interest::{Course, Dash, heading, shortcut};
use navmesh_runtime::mesh::{
    Cell, Direction, EdgeSet, Layer, Link, NavMesh, PlatformId, Platforms, StepKind,
    TrajectoryParams,
};
use navmesh_runtime::motion::{Activity, Airborne, Environment, NavAgent};
use navmesh_runtime::search::{Doors, PathFinder, PathOutcome, Query, Rect, Step};

use crate::worlds::{self, Dice, Plan};
use crate::{somewhere, world};

/// Whether a straight motion crosses a one-way wall or ceiling against its direction.
fn is_stopped(layer: &Layer, from: Vec2, to: Vec2) -> bool {
    let down = layer.grid().y_axis.down();
    layer.parts().barriers.iter().any(|barrier| {
        let against = match barrier.pass {
            Direction::Left => Vec2::X,
            Direction::Right => Vec2::NEG_X,
            _ => Vec2::new(0.0, -down),
        };
        let [a, b] = barrier.ends();
        let (before, after) = ((a - from).dot(against), (a - to).dot(against));
        let crossing = from.lerp(to, before / (before - after));
        before >= 0.0 && after < 0.0 && (crossing - a).dot(b - a) * (crossing - b).dot(b - a) < 0.0
    })
}

/// Whether the body is free on all of a straight motion, by the vertices around
/// many points of it: independent of the runtime's own test, and a little weaker.
fn is_free(layer: &Layer, from: Vec2, to: Vec2) -> bool {
    let grid = layer.grid();
    let down = grid.y_axis.down();
    let is_among_free_vertices = (0..=400).all(|i| {
        let p = (from.lerp(to, i as f32 / 400.0) - grid.origin) / grid.spacing;
        let (x, y) = (p.x - 0.5, p.y * down - 1.0);
        let hair = 1e-3;
        let span = |at: f32| [(at + hair).floor(), (at - hair).ceil()];
        span(y).iter().all(|&row| {
            span(x).iter().all(|&column| {
                let is_inside = row >= 0.0 && column >= 0.0;
                let cell = Cell {
                    column: column as u32,
                    row: row as u32,
                };
                is_inside
                    && cell.column < grid.columns
                    && cell.row < grid.rows
                    && !layer.parts().blocked.get(cell.column, cell.row)
            })
        })
    });
    is_among_free_vertices && !is_stopped(layer, from, to)
}

fn is_over(dash: &Dash) -> bool {
    dash.position == dash.end
}

fn free_vertex(mesh: &NavMesh, dice: &mut Dice) -> Vec2 {
    let (grid, layer) = (mesh.grid(), &mesh.layers()[0]);
    loop {
        let cell = Cell {
            column: dice.below(grid.columns),
            row: dice.below(grid.rows),
        };
        if !layer.parts().blocked.get(cell.column, cell.row) {
            return grid.position(cell);
        }
    }
}

#[test]
fn a_dash_goes_straight_or_around_a_corner() {
    let mut counts = [0; 4];
    for seed in 0..600 {
        let dice = &mut Dice::case(seed);
        let mesh = world(1, dice);
        let layer = &mesh.layers()[0];
        let doors = Doors::new();
        let (from, to) = (free_vertex(&mesh, dice), free_vertex(&mesh, dice));
        if from == to {
            continue;
        }
        let off = to - from;
        let (x, y) = (Vec2::new(to.x, from.y), Vec2::new(from.x, to.y));
        let (longer, shorter) = if off.x.abs() >= off.y.abs() {
            (x, y)
        } else {
            (y, x)
        };
        let free = |corner: Vec2| is_free(layer, from, corner) && is_free(layer, corner, to);
        let kind = if is_free(layer, from, to) {
            0
        } else if free(longer) {
            1
        } else if free(shorter) {
            2
        } else {
            3
        };
        counts[kind] += 1;
        let dash = Dash::plan(layer, &doors, from, to, 1e4);
        assert_eq!(dash.is_some(), kind < 3, "seed {seed}: {from} to {to}");
        let Some(mut dash) = dash else {
            continue;
        };
        // It is followed in steps of any size, and passes the corner.
        let corner = [to, longer, shorter][kind];
        let length = from.distance(corner) + corner.distance(to);
        let (mut nearest, mut travelled) = (f32::INFINITY, 0.0);
        while !is_over(&dash) {
            let step = dice.between(0.0, 3.0);
            let before = dash.position;
            nearest = nearest.min(dash.advance(step).distance(corner));
            travelled += before.distance(dash.position).min(step);
            assert!(is_free(layer, dash.position, dash.position));
        }
        assert_eq!(dash.position, to);
        assert!(
            nearest <= 3.0 && travelled <= length + 0.1,
            "{travelled} {length}"
        );
        // Limited, it ends on the way.
        let most = dice.between(0.1, 0.9) * length;
        if let Some(mut short) = Dash::plan(layer, &doors, from, to, most) {
            let end = short.end;
            short.advance(1e6);
            assert!(short.position == end && end != to);
            let more = Dash::plan(layer, &doors, short.position, to, short.left);
            assert_eq!(more, None, "nothing is left of its length");
        }
    }
    assert!(counts.iter().all(|count| *count > 8), "{counts:?}");
}

#[test]
fn no_dash_leads_to_a_target_whose_distance_is_no_number() {
    let dice = &mut Dice::case(8);
    let mesh = world(1, dice);
    let (layer, doors) = (&mesh.layers()[0], Doors::new());
    let from = free_vertex(&mesh, dice);
    for far in [1e30, f32::MAX, f32::INFINITY, f32::NAN] {
        let dash = Dash::plan(layer, &doors, from, from + far, f32::INFINITY);
        assert_eq!(dash, None, "{far}");
    }
}

/// At positions and lengths of any size, where the end of a shortened dash is
/// rounded.
#[test]
fn a_dash_that_has_used_up_its_length_is_over() {
    let (mut planned, mut slower) = (0, 0);
    for seed in 0..40 {
        let dice = &mut Dice::case(seed);
        let mesh = world(1, dice);
        let (layer, doors) = (&mesh.layers()[0], Doors::new());
        for _ in 0..50 {
            let from = free_vertex(&mesh, dice);
            let to = free_vertex(&mesh, dice) + Vec2::new(dice.between(-2.0, 2.0), 0.0);
            let length = dice.between(1.0, 300.0);
            let Some(mut dash) = Dash::plan(layer, &doors, from, to, length) else {
                continue;
            };
            planned += 1;
            let step = dice.between(0.5, 12.0);
            let steps = (length / step).ceil() as u32;
            let end = dash.end;
            for _ in 0..steps {
                dash.advance(step);
            }
            // A last step may be as short as rounding.
            slower += u32::from(!is_over(&dash));
            dash.advance(1e-2);
            assert!(is_over(&dash), "seed {seed}: {dash:?}");
            assert_eq!(dash.position, end);
        }
    }
    assert!(planned > 300 && slower < planned / 50, "{planned} {slower}");
}

#[test]
fn a_dash_is_extended_and_stopped_by_things() {
    let dice = &mut Dice::case(8);
    let mesh = world(1, dice);
    let layer = &mesh.layers()[0];
    let spacing = layer.grid().spacing;
    let mut doors = Doors::new();
    let (from, to) = loop {
        let from = free_vertex(&mesh, dice);
        let to = from + Vec2::new(4.0 * spacing, 0.0);
        if is_free(layer, from, to) {
            break (from, to);
        }
    };
    let half = from.midpoint(to);
    // First it sees half the way, in mid-dash all of it.
    let mut dash = Dash::plan(layer, &doors, from, half, 4.5 * spacing).unwrap();
    dash.advance(spacing);
    let mut dash = Dash::plan(layer, &doors, dash.position, to, dash.left).unwrap();
    dash.advance(1e6);
    assert_eq!(dash.position, to);
    // A block in the way: the dash is refused; into the block, the game plans
    // without it and learns when the body touches it.
    let block = Rect::new(half - spacing * 0.25, half + spacing * 0.25);
    let dash = Dash::plan(layer, &doors, from, to, 1e3).unwrap();
    let (index, length) = dash
        .first_hit(layer, &[Rect::new(from, from), block])
        .unwrap();
    let expected = half.x - 0.25 * spacing - 0.5 * layer.profile().body[0] - from.x;
    assert_eq!(index, 1);
    assert!(
        (length - expected.max(0.0)).abs() < 1e-2,
        "{length} {expected}"
    );
    doors.close_region(block);
    assert_eq!(Dash::plan(layer, &doors, from, from, 9.0), None);
    let around = Dash::plan(layer, &doors, from, to, 1e3);
    assert_eq!(around, None, "a corner of a level dash is its end");
}

#[test]
fn a_shortcut_is_the_farthest_visible_point() {
    let (mut straight, mut partly) = (0, 0);
    // A straight flight is rare.
    for seed in 0..300 {
        let dice = &mut Dice::case(seed);
        let mesh = world(1, dice);
        let layer = &mesh.layers()[0];
        let mut finder = PathFinder::new();
        let (from, to) = (free_vertex(&mesh, dice), free_vertex(&mesh, dice));
        let Ok(PathOutcome::Found(path)) = finder.find(layer, &Query::new(from, to)) else {
            continue;
        };
        let found = shortcut(layer, &Doors::new(), from, &path.steps, to);
        if is_free(layer, from, to) {
            assert_eq!(found, Some(to));
            straight += 1;
            continue;
        }
        let at = found.expect("the first step is straight");
        assert!(is_free(layer, from, at), "seed {seed}");
        // No point of the path that is farther along it is visible.
        let mut is_beyond = false;
        for step in &path.steps {
            for i in 0..=8 {
                let point = step.from.lerp(step.to, i as f32 / 8.0);
                let is_later = is_beyond && point.distance(at) > layer.grid().spacing;
                assert!(
                    !is_later || !is_free(layer, from, point),
                    "seed {seed}: {at} {point}"
                );
                let rest = at.distance(step.from) + at.distance(step.to);
                if i == 8 && rest <= step.from.distance(step.to) + 0.01 {
                    is_beyond = true;
                }
            }
        }
        partly += 1;
    }
    assert!(straight > 4 && partly > 20, "{straight} {partly}");
}

/// Feet on a step, as the agent of the bake moves along it.
fn motion_along(layer: &Layer, step: &Step) -> Vec<Vec2> {
    let link = step.link.and_then(|id| layer.link(id));
    let mut points = vec![step.from, step.to];
    if let Some(mut flight) = link.and_then(|l| Airborne::along(l, layer, layer.profile())) {
        while flight.advance(0.005).is_none() {
            points.push(flight.position());
        }
    } else if step.kind != StepKind::Portal {
        let platform = step.platform.and_then(|id| layer.platform(id)).unwrap();
        points.extend((0..=200).map(|i| {
            let at = step.from.lerp(step.to, i as f32 / 200.0);
            platform.clamp(at.x)
        }));
    }
    points
}

#[test]
fn a_shortcut_into_a_jump_is_on_its_trajectory() {
    let mut in_jumps = 0;
    for seed in 0..400 {
        let dice = &mut Dice::case(seed);
        let mesh = world(0, dice);
        let layer = &mesh.layers()[0];
        let mut finder = PathFinder::new();
        let (from, to) = (somewhere(&mesh, dice), somewhere(&mesh, dice));
        let Ok(PathOutcome::Found(path)) = finder.find(layer, &Query::new(from, to)) else {
            continue;
        };
        let found = shortcut(layer, &Doors::new(), path.start, &path.steps, to);
        let Some(at) = found.filter(|at| *at != to) else {
            continue;
        };
        let way: Vec<Vec2> = (path.steps.iter())
            .flat_map(|step| motion_along(layer, step))
            .collect();
        let off = way.iter().map(|p| p.distance(at)).fold(f32::MAX, f32::min);
        assert!(
            off <= layer.grid().spacing,
            "seed {seed}: {at} is off by {off}"
        );
        in_jumps += usize::from(path.steps.iter().any(|s| s.kind == StepKind::Jump));
    }
    assert!(in_jumps > 10, "{in_jumps}");
}

/// Two corridors of equal length, one with a bend, lead to a third one, in which the
/// agent is as early as its target everywhere.
#[test]
fn a_meeting_is_where_two_ways_join() {
    for (length, bend) in [8, 24, 40]
        .into_iter()
        .flat_map(|n| (1..n - 2).map(move |b| (n, b)))
    {
        let plan = Plan {
            columns: 2 * length + 1,
            rows: length + 1,
            ..Plan::noisy(0, 0, EdgeSet::FLY)
        };
        let mut parts = worlds::parts(plan, 1, &mut Dice(u64::from(length)));
        let layer = &mut parts.layers[0];
        layer.barriers.clear();
        // That of the vertices before these.
        layer.air.clear();
        for row in 0..plan.rows {
            for column in 0..plan.columns {
                let is_bend = column == bend && row <= bend;
                let is_free = row == 0 || column == length || is_bend;
                layer.blocked.set(column, row, !is_free);
            }
        }
        let mesh = NavMesh::new(parts).unwrap();
        let at = |column, row| mesh.grid().position(Cell { column, row });
        let (layer, mut finder) = (&mesh.layers()[0], PathFinder::new());
        let query = Query::new(at(bend, bend), at(length, length));
        let outcome = finder.find(layer, &query).unwrap();
        let path = outcome.path().unwrap();
        let course = Course::along(path.start, &path.steps);
        let me = at(2 * length, 0);
        let met = course.intercept(layer, &mut PathFinder::new(), &Query::new(me, me));
        let (position, _) = met.unwrap().unwrap();
        let off = position.distance(at(length, 0));
        assert!(off < 1e-3, "{length} {bend}: {off}");
    }
}

#[test]
fn a_meeting_is_the_earliest_by_path_time() {
    let (mut ahead, mut late, mut missed) = (0, 0, 0);
    for seed in 0..75 {
        let dice = &mut Dice::case(seed);
        let mesh = world(seed as u32, dice);
        let layer = &mesh.layers()[0];
        let (mut finder, mut other) = (PathFinder::new(), PathFinder::new());
        let [me, from, to] = [(); 3].map(|()| somewhere(&mesh, dice));
        let Ok(PathOutcome::Found(path)) = other.find(layer, &Query::new(from, to)) else {
            continue;
        };
        let course = Course::along(path.start, &path.steps);
        let seconds: f64 = path.steps.iter().map(|s| f64::from(s.duration)).sum();
        assert!((seconds - path.cost).abs() < 1e-3);
        assert_eq!((course.at(seconds), course.at(1e9)), (path.end, path.end));
        if let Some(last) = path.steps.last()
            && last.duration > 0.02
            && last.from.distance(last.to) > 1.0
            && last.kind != StepKind::Portal
        {
            assert_ne!(
                course.at(seconds - 0.01),
                path.end,
                "it is not there before"
            );
        }
        let query = Query::new(me, me);
        let mut seconds_to = |to: Vec2| {
            let mut query = query.clone();
            query.to = to;
            let outcome = finder.find(layer, &query).unwrap();
            outcome.path().map(|path| path.cost)
        };
        // 400 times, and the ends of all steps; those in a jump or a drop do not count.
        let mut flights = Vec::new();
        let mut times: Vec<f64> = (0..=400)
            .map(|i| path.cost * f64::from(i) / 400.0)
            .collect();
        let mut now = 0.0;
        for step in &path.steps {
            let end = now + f64::from(step.duration);
            if matches!(
                step.kind,
                StepKind::Jump | StepKind::Drop | StepKind::DropThrough
            ) {
                flights.push((now, end));
            }
            times.push(end.min(seconds));
            now = end;
        }
        times.sort_by(f64::total_cmp);
        times.retain(|time| {
            !flights
                .iter()
                .any(|(a, b)| a + 1e-6 < *time && *time < b - 1e-6)
        });
        let in_time: Vec<bool> = times
            .iter()
            .map(|&time| seconds_to(course.at(time)).is_some_and(|own| own <= time * (1.0 + 1e-6)))
            .collect();
        // The first time from which the agent can be there until the next flight.
        let stay = |time: f64| flights.iter().filter(|(a, _)| *a + 1e-6 < time).count();
        let first = (0..times.len()).find(|&i| {
            let rest = (i..times.len()).take_while(|&k| stay(times[k]) == stay(times[i]));
            rest.into_iter().all(|k| in_time[k])
        });
        let first = first.map(|i| times[i]);
        let met = course.intercept(layer, &mut other.clone(), &query).unwrap();
        let end = seconds_to(course.at(seconds));
        match (in_time.contains(&true), met) {
            (true, Some((position, own))) => {
                // Without it, only rounded positions seem to be in time.
                let Some(first) = first else {
                    continue;
                };
                assert!(own <= seconds + 1e-6);
                // Later by 1/128 of the course, and what lies between two of the times
                // looked at.
                let mut dense = (0..=4000).map(|i| seconds * f64::from(i) / 4000.0);
                let at = dense.find(|t| course.at(*t).distance(position) < 0.5);
                let at = at.expect("it is on the course");
                missed += usize::from(at > first + seconds / 128.0 + 0.02);
                ahead += usize::from(first > 0.0);
            }
            (false, Some((position, _))) => {
                late += 1;
                assert!(end.is_none() || position == course.at(seconds));
            }
            (any, None) => assert!(!any && end.is_none()),
        }
    }
    assert!(ahead > 5 && late > 5, "{ahead} {late}");
    assert_eq!(missed, 0, "of {ahead}");
}

#[test]
fn headings_use_the_exit_of_a_portal() {
    let mut through = 0;
    for seed in 0..400 {
        let dice = &mut Dice::case(seed);
        let mesh = world(0, dice);
        let layer = &mesh.layers()[0];
        let mut finder = PathFinder::new();
        let Some(portal) = layer.links().iter().find(|l| l.kind.name() == "portal") else {
            continue;
        };
        let query = Query::new(portal.from, somewhere(&mesh, dice));
        let Ok(PathOutcome::Found(path)) = finder.find(layer, &query) else {
            continue;
        };
        let is_portal = |i: usize| {
            path.steps
                .get(i)
                .is_some_and(|step| step.kind == StepKind::Portal)
        };
        if is_portal(0) && path.steps.len() > 1 && !is_portal(1) {
            let after = path.steps[1];
            // Links of random worlds may have no length.
            let legs = path
                .steps
                .iter()
                .filter(|step| step.kind != StepKind::Portal);
            let leg = legs.map(|s| s.to - s.from).find(|leg| *leg != Vec2::ZERO);
            let expected = leg.unwrap_or(path.end - path.start).normalize_or_zero();
            assert!(heading(path.start, &path.steps).distance(expected) < 1e-5);
            // No time passes, and no part of the way lies between the ends.
            let course = Course::along(path.start, &path.steps);
            assert_eq!(course.at(0.0), after.from);
            through += 1;
        }
    }
    assert!(through > 10, "{through}");
}

/// The length to a thing is measured along the dash, also behind its corner.
#[test]
fn a_thing_behind_the_corner_of_a_dash_is_hit_after_the_corner() {
    let mut behind = 0;
    for seed in 0..300 {
        let dice = &mut Dice::case(seed);
        let mesh = world(1, dice);
        let layer = &mesh.layers()[0];
        let (from, to) = (free_vertex(&mesh, dice), free_vertex(&mesh, dice));
        let Some(mut dash) = Dash::plan(layer, &Doors::new(), from, to, 1e4) else {
            continue;
        };
        let thing = Rect::new(to - Vec2::ONE, to + Vec2::ONE);
        let (_, length) = dash.first_hit(layer, &[thing]).unwrap();
        let [width, height] = layer.profile().body;
        let down = layer.grid().y_axis.down();
        let touches = |p: Vec2| {
            let (aside, below) = ((p.x - to.x).abs(), (p.y - to.y) * down);
            aside < 1.0 + width / 2.0 && -1.0 < below && below < 1.0 + height
        };
        let (step, mut travelled, mut last) = (0.05, 0.0, from);
        while !touches(dash.position) {
            dash.advance(step);
            travelled += last.distance(dash.position);
            last = dash.position;
        }
        behind += u32::from(travelled > from.distance(dash.position) + 1.0);
        assert!(
            (length - travelled).abs() < 0.2,
            "seed {seed}: {length} {travelled}"
        );
    }
    assert!(behind > 8, "{behind}");
}

/// A hall whose ends are joined by a portal that takes a second.
fn hall() -> NavMesh {
    let plan = Plan {
        links: 0,
        noise: 0.0,
        ..Plan::noisy(75, 10, EdgeSet::FLOOR | EdgeSet::PORTAL)
    };
    let mut parts = worlds::parts(plan, 1, &mut Dice::case(1));
    parts.grid.origin = Vec2::ZERO;
    let (left, right) = (Vec2::new(8.0, 64.0), Vec2::new(592.0, 64.0));
    let layer = &mut parts.layers[0];
    layer.platforms = Platforms::new([[left, right]]).unwrap();
    layer.links = vec![Link {
        kind: StepKind::Portal,
        from_platform: PlatformId(0),
        to_platform: PlatformId(0),
        from: Vec2::new(45.0, 64.0),
        to: Vec2::new(565.0, 64.0),
        duration: 1.0,
        tolerance: 0.25,
        params: TrajectoryParams::steady(1.0).unwrap(),
    }];
    NavMesh::new(parts).unwrap()
}

#[test]
fn an_agent_in_a_portal_heads_on_from_the_exit() {
    const TICK: f32 = 1.0 / 60.0;
    let mesh = hall();
    let layer = &mesh.layers()[0];
    let portal = &layer.links()[0];
    let mut finder = PathFinder::new();
    let mut agent = NavAgent::new(layer, Vec2::new(100.0, 64.0));
    agent.go_to(Vec2::new(500.0, 64.0));
    let mut step = |agent: &mut NavAgent| agent.step(Environment::new(layer), &mut finder, TICK);
    let is_inside = |agent: &NavAgent| agent.pose().activity == Activity::InPortal;
    for _ in 0..120 {
        if !is_inside(&agent) {
            step(&mut agent);
        }
    }
    // Also when it is given another destination inside.
    for (to, side) in [(500.0, -1.0), (520.0, -1.0), (585.0, 1.0)] {
        agent.go_to(Vec2::new(to, 64.0));
        for _ in 0..15 {
            step(&mut agent);
        }
        assert!(is_inside(&agent));
        let (at, path) = (agent.pose().position, agent.remaining_path());
        assert_eq!(at, portal.from);
        assert_eq!(heading(at, path), Vec2::new(side, 0.0));
    }
    let course = Course::of_agent(&agent);
    let mut time = 0.0;
    while agent.is_under_way() {
        let pose = step(&mut agent);
        time += f64::from(TICK);
        // At the exit it accelerates, which courses leave out.
        let off = course.at(time).distance(pose.position);
        assert!(
            off <= if is_inside(&agent) { 0.0 } else { 10.0 },
            "{time}: {off}"
        );
    }
    assert_eq!(course.at(f64::INFINITY), agent.pose().position);
}
