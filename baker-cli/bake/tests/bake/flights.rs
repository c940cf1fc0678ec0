//! The air of agents that only fly, compared with all that a body can reach, and their
//! paths, compared with a visibility graph. Both are of the tests' own.

use glam::{DVec2, Vec2};
use navmesh_bake::{Collision, Level, Material, NoProgress, Piece, Rect, Settings, Shape, bake};
use navmesh_runtime::mesh::{AgentProfile, Layer, NavMesh};
use navmesh_runtime::motion::{AgentEvent, Environment, NavAgent};
use navmesh_runtime::search::{NoPath, Path, PathFinder, PathOutcome, Query};

use crate::common::rows;
use crate::random_cases::{offset, times};

/// Boxes as [left, top, right, bottom], in a level of some size.
struct Boxes {
    columns: usize,
    rows: usize,
    tile: u32,
    solid: Vec<[f64; 4]>,
}

/// A sequence of numbers from a seed (splitmix64).
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % end.max(1) as u64) as usize
    }

    /// A multiple of a quarter.
    fn quarter(&mut self, from: f64, to: f64) -> f64 {
        from + 0.25 * self.below(((to - from) * 4.0) as usize + 1) as f64
    }
}

impl Boxes {
    /// Rooms above each other, divided by walls. Floors and walls have openings of about
    /// the size of the body, at any offset.
    fn random(dice: &mut Dice, body: DVec2) -> Self {
        let tile = 5 + dice.below(16) as u32;
        let (columns, rows) = (10 + dice.below(10), 8 + dice.below(8));
        let size = DVec2::new(columns as f64, rows as f64) * f64::from(tile);
        let mut this = Self {
            columns,
            rows,
            tile,
            solid: Vec::new(),
        };
        this.frame(size);
        let rooms = 2 + dice.below(3);
        let mut tops = vec![f64::from(tile)];
        for i in 1..rooms {
            let y = dice.quarter(0.0, 20.0) + size.y * i as f64 / rooms as f64 - 10.0;
            let thickness = dice.quarter(0.25, 30.0);
            let gaps = this.gaps(dice, body.x, size.x);
            for [left, right] in between(&gaps, size.x) {
                this.solid.push([left, y, right, y + thickness]);
            }
            tops.push(y + thickness);
        }
        for _ in 0..dice.below(4) {
            let x = dice.quarter(0.1 * size.x, 0.9 * size.x).floor() + 0.25;
            let thickness = dice.quarter(0.25, 12.0);
            let gaps = this.gaps(dice, body.y, size.y);
            for [top, bottom] in between(&gaps, size.y) {
                this.solid.push([x, top, x + thickness, bottom]);
            }
        }
        for _ in 0..dice.below(8) {
            let (x, y) = (dice.quarter(0.0, size.x), dice.quarter(0.0, size.y));
            let (w, h) = (dice.quarter(0.25, 20.0), dice.quarter(0.25, 20.0));
            this.solid.push([x, y, x + w, y + h]);
        }
        this
    }

    fn frame(&mut self, size: DVec2) {
        let side = f64::from(self.tile);
        self.solid.extend([
            [0.0, 0.0, size.x, side],
            [0.0, size.y - side, size.x, size.y],
            [0.0, 0.0, side, size.y],
            [size.x - side, 0.0, size.x, size.y],
        ]);
    }

    fn gaps(&self, dice: &mut Dice, body: f64, length: f64) -> Vec<[f64; 2]> {
        let spare = [-0.25, 0.0, 0.0, 0.25, 1.0, 5.0];
        let gaps = (0..=dice.below(2)).map(|_| {
            let at = dice.quarter(f64::from(self.tile), length - f64::from(self.tile));
            [at, at + body + spare[dice.below(spare.len())]]
        });
        let mut gaps: Vec<_> = gaps.collect();
        gaps.sort_by(|a, b| a[0].total_cmp(&b[0]));
        gaps
    }

    fn level(&self) -> Level {
        let row = ".".repeat(self.columns);
        let rows = vec![row.as_str(); self.rows];
        let mut level = rows::level("flights", self.tile, &rows);
        let pieces = self.solid.iter().map(|&[left, top, right, bottom]| Piece {
            shape: Shape::Box(Rect::new(DVec2::new(left, top), DVec2::new(right, bottom))),
            material: Material::Solid,
            origin: 0,
        });
        level.collision = Collision::Shapes(pieces.collect());
        level
    }

    /// The same on whole pixels, drawn as a bitmap.
    fn bitmap(&mut self) -> Level {
        let side = self.tile as usize;
        let (width, height) = (self.columns * side, self.rows * side);
        let mut picture = vec![vec![b'.'; width]; height];
        let size = DVec2::new(width as f64, height as f64);
        for solid in &mut self.solid {
            let [left, top, right, bottom] = solid.map(f64::round);
            *solid = [left, top, right, bottom];
            let (from, to) = (DVec2::new(left, top), DVec2::new(right, bottom));
            let (from, to) = (from.clamp(DVec2::ZERO, size), to.clamp(DVec2::ZERO, size));
            for row in &mut picture[from.y as usize..to.y as usize] {
                row[from.x as usize..to.x as usize].fill(b'#');
            }
        }
        self.solid
            .retain(|[left, top, right, bottom]| left < right && top < bottom);
        let rows = picture
            .into_iter()
            .map(|row| String::from_utf8(row).unwrap());
        let rows: Vec<String> = rows.collect();
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let mut level = rows::bitmap("flights", 1, &rows);
        level.tile_size = Some([self.tile; 2]);
        level
    }

    /// The boxes of feet positions at which a body is blocked, open.
    fn grown(&self, body: DVec2) -> Vec<[f64; 4]> {
        let half = 0.5 * body.x;
        let grow = |&[left, top, right, bottom]: &[f64; 4]| {
            [left - half, top, right + half, bottom + body.y]
        };
        self.solid.iter().map(grow).collect()
    }
}

/// What gaps leave of a length.
fn between(gaps: &[[f64; 2]], length: f64) -> Vec<[f64; 2]> {
    let (mut from, mut parts) = (0.0, Vec::new());
    for &[start, end] in gaps {
        if start > from {
            parts.push([from, start]);
        }
        from = end.max(from);
    }
    if from < length {
        parts.push([from, length]);
    }
    parts
}

/// Whether a point is inside one of some open boxes.
fn is_blocked(boxes: &[[f64; 4]], at: DVec2) -> bool {
    boxes.iter().any(|&[left, top, right, bottom]| {
        left < at.x && at.x < right && top < at.y && at.y < bottom
    })
}

/// Whether a segment enters one of some open boxes, made smaller by a skin.
fn is_cut(boxes: &[[f64; 4]], a: DVec2, b: DVec2, skin: f64) -> bool {
    boxes.iter().any(|&[left, top, right, bottom]| {
        let (mut from, mut to) = (0.0_f64, 1.0_f64);
        for (p, q, low, high) in [
            (a.x, b.x, left + skin, right - skin),
            (a.y, b.y, top + skin, bottom - skin),
        ] {
            if low >= high {
                return false;
            }
            if (q - p).abs() < 1e-12 {
                if p <= low || p >= high {
                    return false;
                }
                continue;
            }
            let (enter, leave) = ((low - p) / (q - p), (high - p) / (q - p));
            from = from.max(enter.min(leave));
            to = to.min(enter.max(leave));
        }
        from < to
    })
}

/// Everything that the body can reach, on the lines of all sides of the boxes: these hold
/// a point of every free part, and a way wherever there is one.
struct Reach {
    points: Vec<DVec2>,
    /// The part of each point; `None` where the body is blocked.
    part: Vec<Option<usize>>,
}

impl Reach {
    fn new(boxes: &[[f64; 4]], min: DVec2, max: DVec2) -> Self {
        let lines = |low: usize, high: usize, from: f64, to: f64| {
            let ends = boxes.iter().flat_map(|grown| [grown[low], grown[high]]);
            let inside = ends.filter(|at| from < *at && *at < to);
            let mut lines: Vec<f64> = inside.chain([from, to]).collect();
            lines.sort_by(f64::total_cmp);
            lines.dedup();
            lines
        };
        let (xs, ys) = (lines(0, 2, min.x, max.x), lines(1, 3, min.y, max.y));
        let points: Vec<DVec2> = ys
            .iter()
            .flat_map(|&y| xs.iter().map(move |&x| DVec2::new(x, y)))
            .collect();
        let free: Vec<bool> = points.iter().map(|at| !is_blocked(boxes, *at)).collect();
        let mut part = vec![None; points.len()];
        for start in 0..points.len() {
            if part[start].is_some() || !free[start] {
                continue;
            }
            let mut open = vec![start];
            part[start] = Some(start);
            while let Some(at) = open.pop() {
                let column = at % xs.len();
                let mut near = Vec::new();
                near.extend((column > 0).then(|| at - 1));
                near.extend((column + 1 < xs.len()).then(|| at + 1));
                near.extend(at.checked_sub(xs.len()));
                near.extend(Some(at + xs.len()).filter(|next| *next < points.len()));
                for next in near {
                    let middle = points[at].midpoint(points[next]);
                    if free[next] && part[next].is_none() && !is_blocked(boxes, middle) {
                        part[next] = Some(start);
                        open.push(next);
                    }
                }
            }
        }
        Self { points, part }
    }
}

/// The length of the shortest path among boxes, over their corners (Dijkstra).
fn shortest(boxes: &[[f64; 4]], from: DVec2, to: DVec2) -> Option<f64> {
    let corners = boxes.iter().flat_map(|&[left, top, right, bottom]| {
        [(left, top), (right, top), (left, bottom), (right, bottom)].map(DVec2::from)
    });
    let mut nodes = vec![from, to];
    nodes.extend(corners.filter(|at| !is_blocked(boxes, *at)));
    let mut lengths = vec![f64::INFINITY; nodes.len()];
    let mut done = vec![false; nodes.len()];
    lengths[0] = 0.0;
    loop {
        let open = (0..nodes.len()).filter(|i| !done[*i] && lengths[*i] < f64::INFINITY);
        let at = open.min_by(|a, b| lengths[*a].total_cmp(&lengths[*b]))?;
        if at == 1 {
            return Some(lengths[1]);
        }
        done[at] = true;
        for next in 0..nodes.len() {
            let length = lengths[at] + nodes[at].distance(nodes[next]);
            if length < lengths[next] && !is_cut(boxes, nodes[at], nodes[next], 1e-9) {
                lengths[next] = length;
            }
        }
    }
}

fn flier(name: &str, [width, height]: [f64; 2]) -> AgentProfile {
    AgentProfile {
        body: [width as f32, height as f32],
        step_height: 0.0,
        ..AgentProfile::air(name, 16.0)
    }
}

/// The mesh of a level for a flier, sometimes with a smaller one beside it.
fn baked(level: &Level, dice: &mut Dice, body: DVec2) -> NavMesh {
    let mut agents = vec![flier("flier", body.into())];
    if dice.below(2) == 0 {
        let side = dice.quarter(4.0, body.min_element().min(12.0));
        agents.push(flier("other", [side; 2]));
    }
    let mut settings = Settings::for_agents(agents);
    if dice.below(3) == 0 {
        let least = settings.agents.iter().flat_map(|agent| agent.body);
        let least = least.fold(f32::INFINITY, f32::min);
        settings.spacing = Some(least * (0.5 + 0.1 * dice.below(6) as f32));
    }
    settings.index_routes = dice.below(2) == 0;
    bake(level, &settings, &NoProgress).unwrap()
}

fn hull(layer: &Layer) -> [DVec2; 2] {
    let grid = layer.grid();
    let (right, low) = (grid.columns - 1, grid.rows - 1);
    [
        Vec2::new(grid.column_x(0), grid.row_y(0)).as_dvec2(),
        Vec2::new(grid.column_x(right), grid.row_y(low)).as_dvec2(),
    ]
}

fn find(finder: &mut PathFinder, layer: &Layer, from: DVec2, to: DVec2) -> Result<Path, NoPath> {
    let query = Query::new(from.as_vec2(), to.as_vec2());
    match finder.find(layer, &query).unwrap() {
        PathOutcome::Found(path) => Ok(path.clone()),
        PathOutcome::NoPath(why) => Err(why),
        other => panic!("{other:?}"),
    }
}

/// Whatever the offsets of openings, the spacing and the other agents: what is connected
/// is connected in the mesh, and nothing else. Paths are free and the shortest, with and
/// without an index, to many goals and to one.
#[test]
fn fliers_reach_all_that_their_body_fits_through_on_the_shortest_path() {
    let (mut trips, mut narrow) = (0, 0);
    for case in 0..u64::from(times(2000)) {
        let mut dice = Dice(offset() + case);
        let mut body = DVec2::new(dice.quarter(4.0, 40.0), dice.quarter(4.0, 40.0));
        if case % 3 == 0 {
            body = body.round();
        }
        let mut boxes = Boxes::random(&mut dice, body);
        let level = if case % 3 == 0 {
            boxes.bitmap()
        } else {
            boxes.level()
        };
        let mesh = baked(&level, &mut dice, body);
        let layer = mesh.layer_named("flier").unwrap();
        if case % 2 == 0 {
            layer.index_routes();
        }
        let boxes = boxes.grown(body);
        let [min, max] = hull(layer);
        let reach = Reach::new(&boxes, min, max);
        let free: Vec<usize> = (0..reach.points.len())
            .filter(|i| reach.part[*i].is_some())
            .collect();
        if free.is_empty() {
            continue;
        }
        let speed = f64::from(layer.profile().run_speed);
        let mut finder = PathFinder::new();
        // Flights to one goal share a search after a while.
        let goal = (case % 4 < 2).then(|| free[dice.below(free.len())]);
        for _ in 0..40 {
            let [a, b] = [free[dice.below(free.len())], free[dice.below(free.len())]];
            let b = goal.unwrap_or(b);
            let (from, to) = (reach.points[a], reach.points[b]);
            let name = format!("case {case}, body {body}: {from} to {to}");
            let path = match find(&mut finder, layer, from, to) {
                Ok(path) => path,
                Err(why) => {
                    assert_ne!(reach.part[a], reach.part[b], "{name}: {why}");
                    continue;
                }
            };
            assert_eq!(reach.part[a], reach.part[b], "{name}: {path:?}");
            assert!(
                path.start.as_dvec2().distance(from) < 1e-2,
                "{name}: {path:?}"
            );
            assert!(path.end.as_dvec2().distance(to) < 1e-2, "{name}: {path:?}");
            for step in &path.steps {
                let (from, to) = (step.from.as_dvec2(), step.to.as_dvec2());
                assert!(!is_cut(&boxes, from, to, 2e-3), "{name}: {step:?}");
            }
            let best = shortest(&boxes, from, to).unwrap();
            let length = path.cost * speed;
            assert!(
                (length - best).abs() < 1e-2 + 1e-5 * best,
                "{name}: {length} {best}"
            );
            trips += 1;
            narrow += usize::from(path.steps.len() > 2);
        }
    }
    println!("{trips} trips, {narrow} with two turns or more");
    assert!(trips > 5000 && narrow > 900);
}

/// A room above another, and a shaft between them that is one tile wide.
#[test]
fn fliers_follow_paths_through_shafts_of_one_tile() {
    let mut picture = vec!["#..................#"; 14];
    picture.splice(5..9, ["##########.#########"; 4]);
    picture.insert(0, "####################");
    picture.push("####################");
    let level = rows::level("shaft", 16, &picture);
    for (width, height) in [
        (9, 9),
        (10, 14),
        (12, 12),
        (13, 11),
        (15, 15),
        (16, 16),
        (16, 30),
    ] {
        for others in [&[][..], &[8.0], &[12.0]] {
            let mut agents = vec![flier("flier", [width, height].map(f64::from))];
            agents.extend(others.iter().map(|side| flier("other", [*side; 2])));
            let settings = Settings::for_agents(agents);
            let mesh = bake(&level, &settings, &NoProgress).unwrap();
            let layer = mesh.layer_named("flier").unwrap();
            let body = DVec2::new(width.into(), height.into());
            let mut agent = NavAgent::new(layer, Vec2::new(60.0, 80.0));
            let goal = Vec2::new(60.0, 200.0);
            agent.go_to(goal);
            let mut finder = PathFinder::new();
            let mut has_arrived = false;
            for _ in 0..600 {
                agent.step(Environment::new(layer), &mut finder, 1.0 / 60.0);
                let at = agent.pose().position.as_dvec2();
                let walls = [[0.0, 96.0, 160.0, 160.0], [176.0, 96.0, 320.0, 160.0]];
                let half = 0.5 * body.x - 1e-2;
                let overlaps = walls.iter().any(|[left, top, right, bottom]| {
                    at.x + half > *left
                        && at.x - half < *right
                        && at.y > top + 1e-2
                        && at.y - body.y < bottom - 1e-2
                });
                assert!(!overlaps, "{body} at {at}");
                has_arrived |= (agent.events().iter())
                    .any(|event| matches!(event, AgentEvent::Arrived { .. }));
            }
            let at = agent.pose().position;
            assert!(
                has_arrived && at.distance(goal) < 1.0,
                "{body}, {others:?}: at {at}"
            );
        }
    }
}

/// A convex polygon, its corners clockwise on screen.
type Polygon = Vec<DVec2>;

/// Whether the body with its feet at a point, larger by a margin on all sides, overlaps a
/// polygon (separating axes).
fn overlaps(polygon: &Polygon, feet: DVec2, body: DVec2, margin: f64) -> bool {
    let half = 0.5 * body.x + margin;
    let (min, max) = (
        DVec2::new(feet.x - half, feet.y - body.y - margin),
        DVec2::new(feet.x + half, feet.y + margin),
    );
    let corners = [min, DVec2::new(max.x, min.y), max, DVec2::new(min.x, max.y)];
    let edges = (0..polygon.len()).map(|i| polygon[(i + 1) % polygon.len()] - polygon[i]);
    let mut axes = edges.map(DVec2::perp).chain([DVec2::X, DVec2::Y]);
    axes.all(|axis| {
        let span = |points: &[DVec2]| {
            let along = points.iter().map(|p| p.dot(axis));
            along.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| {
                (low.min(v), high.max(v))
            })
        };
        let (a, b) = (span(polygon), span(&corners));
        a.0 < b.1 && b.0 < a.1
    })
}

/// Among slopes, the mesh connects all that a body a tenth larger on each side can reach
/// in small steps, and no flight overlaps anything.
#[test]
fn fliers_pass_between_slopes() {
    const STEP: f64 = 2.0;
    let mut found = 0;
    for case in 0..u64::from(times(60)) {
        let mut dice = Dice(offset() + 7_000 + case);
        let body = DVec2::new(dice.quarter(4.0, 24.0), dice.quarter(4.0, 24.0));
        let size = DVec2::new(160.0, 120.0);
        let mut frame = Boxes {
            columns: 20,
            rows: 15,
            tile: 8,
            solid: Vec::new(),
        };
        frame.frame(size);
        let mut level = frame.level();
        let mut polygons: Vec<Polygon> = Vec::new();
        for _ in 0..6 + dice.below(14) {
            let center = DVec2::new(dice.quarter(0.0, size.x), dice.quarter(0.0, size.y));
            let radius = dice.quarter(2.0, 26.0);
            let count = 3 + dice.below(4);
            let turn = dice.quarter(0.0, 6.0);
            let corners = (0..count).map(|i| {
                let angle = turn + i as f64 * std::f64::consts::TAU / count as f64;
                center + DVec2::from_angle(angle) * radius
            });
            polygons.push(corners.collect());
        }
        if let Collision::Shapes(pieces) = &mut level.collision {
            pieces.extend(polygons.iter().map(|polygon| Piece {
                shape: Shape::Convex(polygon.clone()),
                material: Material::Solid,
                origin: 0,
            }));
        }
        polygons.extend(frame.solid.iter().map(|&[left, top, right, bottom]| {
            [(left, top), (right, top), (right, bottom), (left, bottom)]
                .map(DVec2::from)
                .to_vec()
        }));
        let mesh = baked(&level, &mut dice, body);
        let layer = mesh.layer_named("flier").unwrap();
        if case % 2 == 0 {
            layer.index_routes();
        }
        let is_free =
            |at: DVec2, margin: f64| !polygons.iter().any(|p| overlaps(p, at, body, margin));
        // A flood in small steps.
        let (columns, rows) = ((size.x / STEP) as usize, (size.y / STEP) as usize);
        let at = |i: usize| DVec2::new((i % columns) as f64, (i / columns) as f64) * STEP;
        let free: Vec<bool> = (0..columns * rows).map(|i| is_free(at(i), 0.1)).collect();
        let joins = |a: usize, b: usize| {
            free[b] && (1..8).all(|k| is_free(at(a).lerp(at(b), f64::from(k) / 8.0), 0.1))
        };
        let mut part = vec![usize::MAX; free.len()];
        for start in 0..free.len() {
            if !free[start] || part[start] != usize::MAX {
                continue;
            }
            let mut open = vec![start];
            part[start] = start;
            while let Some(i) = open.pop() {
                for next in [
                    i.wrapping_sub(1),
                    i + 1,
                    i.wrapping_sub(columns),
                    i + columns,
                ] {
                    if next < free.len() && part[next] == usize::MAX && joins(i, next) {
                        part[next] = start;
                        open.push(next);
                    }
                }
            }
        }
        let places: Vec<usize> = (0..free.len()).filter(|i| free[*i]).collect();
        let mut finder = PathFinder::new();
        for _ in 0..30 {
            if places.is_empty() {
                break;
            }
            let [a, b] = [
                places[dice.below(places.len())],
                places[dice.below(places.len())],
            ];
            let name = format!("case {case}, body {body}: {} to {}", at(a), at(b));
            match find(&mut finder, layer, at(a), at(b)) {
                Ok(path) => {
                    found += 1;
                    for step in &path.steps {
                        let (from, to) = (step.from.as_dvec2(), step.to.as_dvec2());
                        let count = (from.distance(to) * 4.0).ceil().max(1.0);
                        for k in 0..=count as u32 {
                            let at = from.lerp(to, f64::from(k) / count);
                            assert!(is_free(at, -5e-3), "{name}: {at} in {step:?}");
                        }
                    }
                }
                Err(why) => assert_ne!(part[a], part[b], "{name}: {why}"),
            }
        }
    }
    println!("{found} trips between slopes");
    assert!(found > 100);
}
