//! The findings of `navbake lint` compared with a search over the links of the
//! JSON dump, on random levels.

use crate::common;
use crate::random_cases;

use std::collections::{BTreeMap, BTreeSet};

use baker_cli::report::dump;
use baker_cli::report::lint::{Finding, LintSettings, Rule, lint};
use common::Geometry as _;
use common::fixtures::{baked, fixture};
use glam::DVec2;
use navmesh_bake::{LevelMarker, Rect};
use navmesh_bake::{NoProgress, Settings, bake, default_agents};
use navmesh_runtime::mesh::NavMesh;
use proptest::test_runner::TestRunner;
use serde_json::Value;

/// The platforms and links of an agent, from the dump.
struct Plain {
    /// Left, right and y of its left end.
    platforms: Vec<[f64; 3]>,
    vertices: Vec<u64>,
    next: Vec<BTreeSet<usize>>,
}

impl Plain {
    fn new(mesh: &NavMesh, agent: &str) -> Self {
        let mut text = Vec::new();
        dump::json(mesh, "1.0", &mut text).unwrap();
        let dump: Value = serde_json::from_slice(&text).unwrap();
        let agents = dump["agents"].as_array().unwrap();
        let agent = agents.iter().find(|a| a["name"] == agent).unwrap();
        let list = agent["platforms"].as_array().unwrap();
        let mut this = Self {
            platforms: list
                .iter()
                .map(|p| {
                    let at = |end: &str, i: usize| p[end][i].as_f64().unwrap();
                    [at("left", 0), at("right", 0), at("left", 1)]
                })
                .collect(),
            vertices: list
                .iter()
                .map(|p| p["vertices"].as_u64().unwrap())
                .collect(),
            next: vec![BTreeSet::new(); list.len()],
        };
        for link in agent["links"].as_array().unwrap() {
            let end = |name: &str| link[name].as_u64().unwrap() as usize;
            this.next[end("from_platform")].insert(end("to_platform"));
        }
        this
    }

    fn reached(&self, from: &[usize]) -> BTreeSet<usize> {
        let mut seen = BTreeSet::new();
        let mut open = from.to_vec();
        while let Some(platform) = open.pop() {
            if seen.insert(platform) {
                open.extend(&self.next[platform]);
            }
        }
        seen
    }

    /// The platform straight below a point, the highest of several.
    fn below(&self, [x, y]: [f64; 2]) -> Option<usize> {
        let under = self.platforms.iter().enumerate();
        under
            .filter(|(_, [l, r, h])| *l <= x && x <= *r && *h >= y - 0.08)
            .min_by(|(_, a), (_, b)| a[2].total_cmp(&b[2]))
            .map(|(i, _)| i)
    }

    fn size(&self, of: &BTreeSet<usize>) -> f64 {
        let sizes = of
            .iter()
            .map(|&i| self.platforms[i][1] - self.platforms[i][0]);
        sizes.sum()
    }

    /// Everything that can be reached from a platform and leads back to it.
    fn part(&self, of: usize) -> BTreeSet<usize> {
        let reached = self.reached(&[of]).into_iter();
        reached
            .filter(|&p| self.reached(&[p]).contains(&of))
            .collect()
    }

    /// Parts that can be entered from the starts and from which nothing else
    /// can be reached, without the largest part that can be entered and those
    /// that contain a start.
    fn traps(&self, starts: &[usize]) -> BTreeSet<BTreeSet<usize>> {
        let reached = self.reached(starts);
        let parts: BTreeSet<_> = reached.iter().map(|&p| self.part(p)).collect();
        let largest = parts.iter().map(|part| self.size(part)).fold(0.0, f64::max);
        let parts = parts.into_iter().filter(|part| {
            let first = *part.first().unwrap();
            self.reached(&[first]) == *part
                && self.size(part) < largest
                && !starts.iter().any(|start| part.contains(start))
        });
        parts.collect()
    }
}

fn of_rule(findings: &[Finding], rule: Rule) -> Vec<&Finding> {
    findings.iter().filter(|f| f.rule == rule).collect()
}

fn platform_at(plain: &Plain, at: glam::Vec2) -> usize {
    plain.below([at.x.into(), at.y.into()]).unwrap()
}

/// Compares traps and unreachable floor of the agent `ground`; returns the
/// number of each.
fn compare(mesh: &NavMesh, spawns: &[[f64; 2]]) -> [usize; 2] {
    let plain = Plain::new(mesh, "ground");
    let layer = mesh.layer_named("ground").unwrap();
    let starts: Vec<usize> = (spawns.iter())
        .filter_map(|s| plain.below(common::resting_place(layer, *s)?))
        .collect();
    let findings = lint(mesh, &LintSettings::default());
    let traps: BTreeSet<_> = of_rule(&findings, Rule::Trap)
        .into_iter()
        .map(|f| plain.part(platform_at(&plain, f.position)))
        .collect();
    if starts.is_empty() {
        return [traps.len(), 0];
    }
    assert_eq!(traps, plain.traps(&starts));

    // Findings are groups of platforms that links join in either direction.
    let reached = plain.reached(&starts);
    let mut joined: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for lost in (0..plain.platforms.len()).filter(|p| !reached.contains(p)) {
        let mut group = BTreeSet::from([lost]);
        loop {
            let more: BTreeSet<usize> = (0..plain.platforms.len())
                .filter(|p| !reached.contains(p))
                .filter(|p| {
                    let touches = |a: usize, b: usize| plain.next[a].contains(&b);
                    group.iter().any(|&g| touches(g, *p) || touches(*p, g))
                })
                .collect();
            let before = group.len();
            group.extend(more);
            if group.len() == before {
                break;
            }
        }
        joined.insert(*group.first().unwrap(), group);
    }
    joined.retain(|_, group| group.iter().any(|&p| plain.vertices[p] > 0));
    let reported: BTreeSet<usize> = of_rule(&findings, Rule::UnreachablePlatform)
        .into_iter()
        .map(|f| platform_at(&plain, f.position))
        .collect();
    assert_eq!(reported.len(), joined.len());
    for group in joined.values() {
        assert_eq!(
            group.intersection(&reported).count(),
            1,
            "{group:?} {reported:?}"
        );
    }
    [traps.len(), reported.len()]
}

fn spawn(x: f64, y: f64) -> LevelMarker {
    let at = DVec2::new(x, y);
    LevelMarker {
        class: "spawn".into(),
        name: String::new(),
        area: Rect::new(at, at),
        properties: Vec::new(),
    }
}

#[test]
fn traps_and_unreachable_floor_are_those_of_a_plain_search() {
    let mut runner = TestRunner::deterministic();
    let mut settings = Settings::for_agents(default_agents(16.0));
    settings.agents.truncate(1);
    let mut sums = [0, 0];
    for i in 0..14 {
        let world = common::draw(&mut runner, &common::tiles(8..26, 8..18, 16));
        let mut level = world.level();
        let width = level.bounds.max.x;
        let spawns = [[width * 0.3, 1.0], [width * 0.7, 40.0]];
        let spawns = &spawns[..=i % 2];
        // Agents cannot begin inside geometry.
        let body = DVec2::new(12.0, 16.0);
        let free: Vec<[f64; 2]> = spawns
            .iter()
            .copied()
            .filter(|[x, y]| !world.blocked(DVec2::new(*x, *y), body, 0.0))
            .collect();
        level
            .markers
            .extend(free.iter().map(|[x, y]| spawn(*x, *y)));
        let mesh = bake(&level, &settings, &NoProgress).unwrap();
        let found = compare(&mesh, &free);
        sums = [sums[0] + found[0], sums[1] + found[1]];
    }
    assert!(
        sums[0] > 3 && sums[1] > 10,
        "{sums:?}: too few to test anything"
    );
}

// The README of the fixtures says what they contain.
#[test]
fn the_fixtures_have_what_their_readme_says() {
    let ledges = baked(&fixture("ledges.tmx"));
    let found = compare(&ledges, &[[56.0, 272.0]]);
    assert_eq!(found[0], 1, "the shaft");
    let findings = lint(&ledges, &LintSettings::default());
    let trap = of_rule(&findings, Rule::Trap)[0];
    assert_eq!(
        (trap.position.y, trap.agent.as_deref()),
        (272.0, Some("ground"))
    );
    assert!((592.0..=608.0).contains(&trap.position.x), "{trap:?}");

    assert_eq!(
        lint(&baked(&fixture("portals.tmx")), &LintSettings::default()),
        []
    );
}

// A link is fragile when neither its own trajectory nor the highest one has
// tolerance.
#[test]
fn fragile_links_are_the_only_links_to_a_place() {
    let mesh = baked(&fixture("ledges.tmx"));
    let findings_at = |tolerance: f32| {
        let settings = LintSettings {
            tolerance,
            ..LintSettings::default()
        };
        lint(&mesh, &settings)
    };
    let findings = findings_at(0.04);
    let fragile = of_rule(&findings, Rule::FragileLink);
    let at: Vec<[f32; 2]> = fragile
        .iter()
        .map(|f| f.position.to_array().map(f32::round))
        .collect();
    // The widest possible gap, in both directions: 60 of 64.8 units.
    assert!(
        at.contains(&[150.0, 272.0]) && at.contains(&[210.0, 272.0]),
        "{at:?}"
    );
    let findings = findings_at(0.005);
    let fragile = of_rule(&findings, Rule::FragileLink);
    assert!(
        fragile.iter().all(|f| (f.position.x - 150.0).abs() > 1.0),
        "{fragile:?}"
    );
    assert_eq!(of_rule(&findings_at(0.0), Rule::FragileLink).len(), 0);
}

/// Pixels in a unit, as games choose them.
const UNITS: [f32; 14] = [
    2.5, 3.7, 10.0, 16.0, 20.0, 24.0, 32.0, 48.0, 50.0, 64.0, 72.0, 100.0, 128.0, 200.0,
];

/// Random markers of every kind that has rules: some stand on floors, some in walls.
fn markers(noise: &mut common::Noise, columns: usize, rows: usize) -> Vec<LevelMarker> {
    let classes = [
        "spawn", "spawn", "waypoint", "waypoint", "portal", "portal", "door",
    ];
    let marker = |(number, class): (usize, &&str)| {
        let tile = DVec2::new(noise.below(columns) as f64, noise.below(rows) as f64);
        let min = 16.0 * tile + DVec2::new(8.0, 8.0 * (noise.below(2) + 1) as f64);
        let size = if matches!(*class, "portal" | "door") {
            8.0 * DVec2::new(noise.below(3) as f64, noise.below(4) as f64)
        } else {
            DVec2::ZERO
        };
        let name = if *class == "portal" { 0 } else { number };
        LevelMarker {
            class: (*class).into(),
            name: format!("{class} {name}"),
            area: Rect::new(min, min + size),
            properties: Vec::new(),
        }
    };
    classes.iter().enumerate().map(marker).collect()
}

/// What a finding says, without numbers in units, and its places in pixels.
fn verdict(finding: &Finding, pixels: f32) -> (String, Vec<glam::Vec2>) {
    let Finding {
        rule, agent, name, ..
    } = finding;
    let mut places = vec![finding.position * pixels];
    places.extend(finding.bounds.into_iter().flatten().map(|p| p * pixels));
    (format!("{} {agent:?} {name}", rule.name()), places)
}

#[test]
fn findings_are_the_same_in_all_units() {
    let mut runner = TestRunner::deterministic();
    let mut rules: BTreeMap<String, usize> = BTreeMap::new();
    for number in 0..random_cases::times(200) {
        let world = common::draw(&mut runner, &common::rich_tiles(12..26, 8..14, 16));
        let mut level = world.level();
        let mut noise = common::Noise::new(u64::from(number) * 31 + 7);
        level.markers = markers(&mut noise, world.columns(), world.rows.len());
        let of = |pixels: f32| {
            let mut agents = default_agents(16.0 / pixels);
            agents.truncate(1);
            if number % 2 == 0 {
                agents[0].air_acceleration = None;
            }
            let mut settings = Settings::for_agents(agents);
            settings.units.pixels_per_unit = pixels;
            let mesh = bake(&level, &settings, &NoProgress).unwrap();
            let findings = lint(&mesh, &LintSettings::default());
            findings
                .iter()
                .map(|finding| verdict(finding, pixels))
                .collect::<Vec<_>>()
        };
        let units = UNITS[number as usize % UNITS.len()];
        let [before, after] = [of(1.0), of(units)];
        let show = || format!("{number}: {before:#?}, {units}: {after:#?}");
        assert_eq!(before.len(), after.len(), "{}", show());
        for (a, b) in before.iter().zip(&after) {
            let is_near = |(a, b): (&glam::Vec2, &glam::Vec2)| a.distance(*b) < 0.05;
            let is_same = a.0 == b.0 && a.1.len() == b.1.len();
            assert!(is_same && a.1.iter().zip(&b.1).all(is_near), "{}", show());
            *rules
                .entry(a.0.split(' ').next().unwrap().to_owned())
                .or_default() += 1;
        }
    }
    println!("{rules:?}");
    assert!(rules.len() >= 7, "{rules:?}");
}
