//! Links through portals, compared with a brute-force search for where bodies stand in
//! them: portals in the air, at walls and on slopes, in pairs and chains, mirrored, for
//! bodies of five sizes.

use crate::common;
use crate::random_cases;

use common::drawn::Drawn;
use common::replay::{body_of, point};
use common::rows;
use common::{Geometry, Noise};
use glam::{DVec2, Vec2};
use navmesh_bake::{Level, LevelMarker, NoProgress, Rect, Settings, bake};
use navmesh_runtime::mesh::{AgentProfile, EdgeSet, Layer, Link, NavMesh, StepKind, Units, YAxis};

const TILE: u32 = 16;

/// The bodies that each level is baked for. The smallest sets the grid's spacing.
const BODIES: [[f32; 2]; 5] = [
    [8.0, 12.0],
    [12.0, 20.0],
    [16.0, 16.0],
    [24.0, 30.0],
    [40.0, 24.0],
];

const SPACING: f64 = 8.0;

/// A level with portals, and which of them leads to which.
struct Case {
    rows: Vec<String>,
    portals: Vec<LevelMarker>,
    leads: Vec<[usize; 2]>,
}

impl Case {
    fn random(seed: u64) -> Self {
        let mut noise = Noise::new(seed);
        let (columns, rows) = (22, 11);
        let tiles: Vec<char> = "##//\\\\-^".chars().collect();
        let mut lines: Vec<Vec<char>> = vec![vec!['.'; columns]; rows];
        for line in &mut lines {
            for cell in line {
                let tile = tiles[noise.below(tiles.len())];
                if noise.below(4) == 0 {
                    *cell = tile;
                }
            }
        }
        lines[rows - 1].fill('#');
        let mut case = Self {
            rows: lines.iter().map(String::from_iter).collect(),
            portals: Vec::new(),
            leads: Vec::new(),
        };
        for _ in 0..8 {
            case.connect(&mut noise);
        }
        case
    }

    /// Adds a portal. Its size is a point's, a flat line's or a box's.
    fn add(&mut self, noise: &mut Noise, name: &str, properties: &[(&str, &str)]) -> usize {
        let widths = [0.0, 4.0, 16.0, 40.0];
        let heights = [0.0, 1.0, 4.0, 16.0, 48.0];
        let size = DVec2::new(widths[noise.below(4)], heights[noise.below(5)]);
        let min = 0.5 * DVec2::new(noise.below(600) as f64, noise.below(340) as f64);
        let properties = properties.iter();
        self.portals.push(LevelMarker {
            class: "portal".into(),
            name: name.into(),
            area: Rect::new(min, min + size),
            properties: properties
                .map(|(key, value)| ((*key).into(), (*value).into()))
                .collect(),
        });
        self.portals.len() - 1
    }

    /// Adds some portals that belong together.
    fn connect(&mut self, noise: &mut Noise) {
        let first = self.portals.len();
        let name = |k: usize| format!("p{}", first + k);
        let one_way = ("one_way", "true");
        match noise.below(6) {
            // A pair by name; one-way from its first portal; from its second.
            0 => {
                let marked = noise.below(3);
                for k in 0..2 {
                    let properties = if marked == k { &[one_way][..] } else { &[] };
                    self.add(noise, &name(0), properties);
                }
                let leads = [[first, first + 1], [first + 1, first]];
                let kept = leads.into_iter().enumerate();
                let kept = kept.filter(|(k, _)| marked == 2 || marked == *k);
                self.leads.extend(kept.map(|(_, lead)| lead));
            }
            // A pair by `to`, in both directions or in one, whichever says so.
            1 | 2 => {
                let marked = noise.below(3);
                let to = name(1);
                let mut properties = vec![("to", to.as_str())];
                properties.extend((marked == 0).then_some(one_way));
                self.add(noise, &name(0), &properties);
                let properties = if marked == 1 { &[one_way][..] } else { &[] };
                self.add(noise, &name(1), properties);
                self.leads.push([first, first + 1]);
                self.leads
                    .extend((marked == 2).then_some([first + 1, first]));
            }
            // A chain, and a ring: each portal leads to the next. The last of a chain
            // leads back.
            kind => {
                let count = 3 + noise.below(2);
                let is_ring = kind == 3;
                for k in 0..count {
                    let to = name((k + 1) % count);
                    let properties = [("to", to.as_str())];
                    let is_end = k + 1 == count && !is_ring;
                    self.add(noise, &name(k), if is_end { &[] } else { &properties });
                    let next = match (is_end, is_ring) {
                        (true, _) => first + k - 1,
                        (false, true) => first + (k + 1) % count,
                        (false, false) => first + k + 1,
                    };
                    self.leads.push([first + k, next]);
                }
            }
        }
    }

    fn level(&self) -> Level {
        let rows: Vec<&str> = self.rows.iter().map(String::as_str).collect();
        let mut level = rows::level("portals", TILE, &rows);
        level.markers.clone_from(&self.portals);
        level
    }

    /// The same with left and right exchanged.
    fn mirrored(&self) -> Self {
        let width = self.rows[0].len() as f64 * f64::from(TILE);
        let flipped = |c: char| match c {
            '/' => '\\',
            '\\' => '/',
            other => other,
        };
        let rows = self.rows.iter();
        let portals = self.portals.iter().map(|portal| {
            let Rect { min, max } = portal.area;
            let (left, right) = (width - max.x, width - min.x);
            LevelMarker {
                area: Rect::new(DVec2::new(left, min.y), DVec2::new(right, max.y)),
                ..portal.clone()
            }
        });
        Self {
            rows: (rows.map(|row| row.chars().rev().map(flipped).collect())).collect(),
            portals: portals.collect(),
            leads: self.leads.clone(),
        }
    }

    fn baked(&self) -> NavMesh {
        let agents = BODIES.map(|body| AgentProfile {
            body,
            edges: EdgeSet::FLOOR | EdgeSet::PORTAL,
            ..AgentProfile::ground(&format!("{body:?}"), 16.0)
        });
        let mesh = bake(
            &self.level(),
            &Settings::for_agents(agents.to_vec()),
            &NoProgress,
        );
        let mesh = mesh.unwrap();
        assert_eq!(f64::from(mesh.grid().spacing), SPACING);
        mesh
    }

    fn bottom_centre(&self, portal: usize) -> DVec2 {
        let Rect { min, max } = self.portals[portal].area;
        DVec2::new(0.5 * (min.x + max.x), max.y)
    }

    /// Whether feet may be there for a body that uses a portal: not beyond its left and
    /// right sides, and the body touches its box, or is less than a cell below it. With
    /// a negative `slack`, it is surely so.
    fn is_in(&self, portal: usize, feet: DVec2, body: DVec2, slack: f64) -> bool {
        let Rect { min, max } = self.portals[portal].area;
        min.x - slack.max(0.0) <= feet.x
            && feet.x <= max.x + slack.max(0.0)
            // A flat box is taken to be a hundredth of a cell high.
            && min.y.min(max.y - 0.01 * SPACING) - slack <= feet.y
            && feet.y <= max.y + body.y.max(SPACING) + slack
    }

    /// Where a body stands in a portal, as near to its bottom centre as a search in
    /// small steps finds.
    fn stand(&self, world: &Drawn, portal: usize, body: DVec2) -> Option<DVec2> {
        let Rect { min, max } = self.portals[portal].area;
        let steps = ((max.x - min.x) * 8.0) as u32;
        let mut best: Option<DVec2> = None;
        let centre = self.bottom_centre(portal);
        for x in (0..=steps).map(|k| min.x + f64::from(k) * 0.125) {
            for y in world.rests(x, body) {
                let feet = DVec2::new(x, y);
                let is_nearer =
                    best.is_none_or(|best| feet.distance(centre) < best.distance(centre));
                if is_nearer
                    && self.is_in(portal, feet, body, -0.01)
                    && can_stand(world, feet, body)
                {
                    best = Some(feet);
                }
            }
        }
        best
    }
}

/// Whether a body stands there, and not only at this very x.
fn can_stand(world: &Drawn, feet: DVec2, body: DVec2) -> bool {
    let half = 0.5 * body.x;
    let inside = half <= feet.x && feet.x <= world.width() - half && feet.y > 0.01;
    inside
        && [-0.01, 0.0, 0.01].iter().all(|aside| {
            let x = feet.x + aside;
            // The feet follow a slope of 45 degrees.
            let near = |y: &f64| (y - feet.y).abs() <= 0.011;
            let rests = world.rests(x, body);
            rests
                .iter()
                .any(|y| near(y) && !world.blocked(DVec2::new(x, *y), body, 1e-4))
        })
}

fn portal_links(layer: &Layer) -> Vec<&Link> {
    let links = layer.links().iter();
    links.filter(|link| link.kind == StepKind::Portal).collect()
}

/// What the test has seen, to know that the levels are not too easy.
#[derive(Debug, Default)]
struct Seen {
    links: usize,
    /// Portals in which a body stands, on a slope or beside the middle of the portal.
    slanted: usize,
    aside: usize,
    /// Connections of which a body can use no end or one end only.
    unusable: usize,
}

/// What is wrong with the links of one agent.
fn check(case: &Case, world: &Drawn, layer: &Layer, seen: &mut Seen) -> Vec<String> {
    let body = body_of(layer.profile());
    let stands: Vec<Option<DVec2>> = (0..case.portals.len())
        .map(|portal| case.stand(world, portal, body))
        .collect();
    let links = portal_links(layer);
    let mut wrong = Vec::new();
    // Replayed: a body at either end is free and supported.
    for link in &links {
        for feet in [point(link.from), point(link.to)] {
            if world.blocked(feet, body, 1e-3) || !world.supported(feet, body, 1e-2) {
                wrong.push(format!("no body stands at {feet}"));
            }
        }
    }
    let is_end = |portal: usize, feet: DVec2| {
        let centre = case.bottom_centre(portal);
        case.is_in(portal, feet, body, 0.01)
            // As near to the middle as the search finds, which looks every eighth of a unit.
            && stands[portal].is_none_or(|best| feet.distance(centre) <= best.distance(centre) + 0.02)
    };
    let leads = |lead: &[usize; 2], link: &Link| {
        is_end(lead[0], point(link.from)) && is_end(lead[1], point(link.to))
    };
    for link in &links {
        if !case.leads.iter().any(|lead| leads(lead, link)) {
            wrong.push(format!("no portal leads from {} to {}", link.from, link.to));
        }
    }
    for lead in &case.leads {
        let [Some(from), Some(to)] = lead.map(|portal| stands[portal]) else {
            seen.unusable += 1;
            continue;
        };
        // Two portals at one position need no link.
        if from.distance(to) > 1.0 && !links.iter().any(|link| leads(lead, link)) {
            wrong.push(format!("missing from {from} to {to}"));
        }
    }
    seen.links += links.len();
    for (portal, feet) in stands.iter().enumerate() {
        let Some(feet) = feet else { continue };
        let rests = world.rests(feet.x + 0.125, body);
        let is_level = rests.iter().any(|y| (y - feet.y).abs() < 1e-9);
        seen.slanted += usize::from(!is_level);
        seen.aside += usize::from((feet.x - case.bottom_centre(portal).x).abs() > 0.5);
    }
    wrong
}

#[test]
fn portals_lead_to_where_bodies_stand_in_them() {
    let mut seen = Seen::default();
    for seed in 0..u64::from(random_cases::times(100)) {
        let case = Case::random(seed + 1 + random_cases::offset());
        let world = Drawn::new(&case.level());
        let mesh = case.baked();
        for layer in mesh.layers() {
            let wrong = check(&case, &world, layer, &mut seen);
            let name = &layer.profile().name;
            assert!(
                wrong.is_empty(),
                "{seed} {name}\n{wrong:#?}\n{:#?}",
                case.rows
            );
        }
    }
    println!("{seen:?}");
    assert!(seen.links > random_cases::share(1000), "{seen:?}");
    assert!(seen.slanted > random_cases::share(500), "{seen:?}");
    assert!(seen.aside > random_cases::share(500), "{seen:?}");
    assert!(seen.unusable > random_cases::share(1000), "{seen:?}");
}

#[test]
fn mirrored_portals_have_mirrored_links() {
    for seed in 0..u64::from(random_cases::times(50)) {
        let case = Case::random(seed + 1 + random_cases::offset());
        let mirrored = case.mirrored();
        let meshes = [case.baked(), mirrored.baked()];
        for (agent, body) in BODIES.iter().enumerate() {
            let [one, other] = meshes.each_ref().map(|mesh| ends(mesh, agent));
            let width = case.rows[0].len() as f64 * f64::from(TILE);
            let other: Vec<[DVec2; 2]> = (other.into_iter())
                .map(|link| link.map(|end| DVec2::new(width - end.x, end.y)))
                .collect();
            assert_eq!(one.len(), other.len(), "{seed} {body:?}");
            for link in &one {
                // Where two positions are equally near, either is taken.
                let is_same = |mirrored: &&[DVec2; 2]| {
                    [0, 1].iter().all(|&end| {
                        (0..case.portals.len()).any(|portal| {
                            let centre = case.bottom_centre(portal);
                            let away = [link, *mirrored].map(|l| l[end].distance(centre));
                            (away[0] - away[1]).abs() < 0.01
                        })
                    })
                };
                assert!(
                    other.iter().any(|l| is_same(&l)),
                    "{seed} {link:?}\n{other:?}"
                );
            }
        }
    }
}

/// The two ends of each portal link of an agent.
fn ends(mesh: &NavMesh, agent: usize) -> Vec<[DVec2; 2]> {
    let links = portal_links(&mesh.layers()[agent]);
    let ends = links.iter().map(|l| [point(l.from), point(l.to)]);
    ends.collect()
}

/// A level of two floors with a gap, and a link over it.
fn with_link(properties: &[(&str, &str)]) -> Level {
    let mut level = rows::level(
        "rope",
        TILE,
        &[
            "..........",
            "..........",
            "..........",
            "####......",
            "####...###",
        ],
    );
    level.markers.push(LevelMarker {
        class: "Link".into(),
        name: "rope".into(),
        area: Rect::new(DVec2::new(24.0, 8.0), DVec2::new(136.0, 60.0)),
        properties: (properties.iter())
            .map(|(key, value)| ((*key).into(), (*value).into()))
            .collect(),
    });
    level
}

fn baked_link(properties: &[(&str, &str)], units: Units) -> NavMesh {
    let scale = 1.0 / units.pixels_per_unit;
    let agents = ["ground", "other"].map(|name| AgentProfile {
        body: [16.0 * scale, 16.0 * scale],
        edges: EdgeSet::FLOOR | EdgeSet::PORTAL,
        ..AgentProfile::ground(name, 16.0 * scale)
    });
    let settings = Settings {
        units,
        ..Settings::for_agents(agents.to_vec())
    };
    bake(&with_link(properties), &settings, &NoProgress).unwrap()
}

// The left floor is at y 48, the right one at 64. The line begins above the one and ends above
// the other, less than the body is high.
const LINE: (&str, &str) = ("points", "24,40 80,8 136,60");

#[test]
fn a_link_leads_from_floor_to_floor_along_its_line() {
    for (pixels_per_unit, y_axis) in [(1.0, YAxis::Down), (1.0, YAxis::Up), (16.0, YAxis::Up)] {
        let units = Units {
            pixels_per_unit,
            y_axis,
        };
        let world = |x: f32, y: f32| Vec2::new(x, y * y_axis.down()) / pixels_per_unit;
        let ends = [world(24.0, 48.0), world(136.0, 64.0)];
        let mesh = baked_link(&[LINE, ("time", "1.5")], units);
        for layer in mesh.layers() {
            let links = portal_links(layer);
            let found: Vec<_> = links.iter().map(|l| [l.from, l.to]).collect();
            assert_eq!(found, [ends, [ends[1], ends[0]]]);
            for (link, is_back) in links.iter().zip([false, true]) {
                let line = layer.line_of(link).unwrap();
                let mut wanted = vec![ends[0], world(80.0, 8.0), ends[1]];
                if is_back {
                    wanted.reverse();
                }
                assert_eq!((line.marker.0, &line.points), (0, &wanted));
                assert_eq!(link.duration, 1.5);
            }
        }
        // Without a time, at the speed of a run.
        let mesh = baked_link(&[LINE, ("one_way", "true"), ("agents", "other")], units);
        let [first, second] = mesh.layers() else {
            panic!("two agents")
        };
        assert_eq!(portal_links(first).len(), 0);
        let links = portal_links(second);
        let [link] = links[..] else {
            panic!("{links:?}")
        };
        let length = 56.0_f32.hypot(40.0) + 56.0_f32.hypot(56.0);
        let speed = second.profile().run_speed * pixels_per_unit;
        assert!((link.duration - length / speed).abs() < 1e-4);
        assert_eq!([link.from, link.to], ends);
    }
}

#[test]
fn a_link_without_a_floor_or_a_line_is_none() {
    let units = Units::default();
    for points in [
        "24,20 136,60",
        "24,40 100,60",
        "24,40",
        "24,40 x,60",
        "24,40 nan,60",
    ] {
        let mesh = baked_link(&[("points", points)], units);
        assert_eq!(portal_links(&mesh.layers()[0]).len(), 0, "{points}");
    }
}

// Two markers are a link, too.
#[test]
fn two_links_of_one_name_are_a_pair() {
    let mut level = with_link(&[("time", "2")]);
    level.markers[0].area = Rect::new(DVec2::new(16.0, 32.0), DVec2::new(32.0, 48.0));
    let mut other = level.markers[0].clone();
    other.area = Rect::new(DVec2::new(128.0, 48.0), DVec2::new(144.0, 64.0));
    other.properties.clear();
    level.markers.push(other);
    let agent = AgentProfile {
        edges: EdgeSet::FLOOR | EdgeSet::PORTAL,
        ..AgentProfile::ground("ground", 16.0)
    };
    let mesh = bake(&level, &Settings::for_agents(vec![agent]), &NoProgress).unwrap();
    let layer = &mesh.layers()[0];
    let links = portal_links(layer);
    assert_eq!(links.len(), 2);
    for link in links {
        assert_eq!(link.duration, 2.0);
        let line = layer.line_of(link).unwrap();
        assert_eq!(line.points, [link.from, link.to]);
    }
}
