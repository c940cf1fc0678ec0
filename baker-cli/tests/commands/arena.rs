//! The levels of the runtime's examples: their baked files in the repository are
//! fresh, and line of sight agrees with the level's geometry, which is sampled
//! point by point.

use crate::common;

use std::process::Command;

use common::Geometry as _;
use common::drawn::Drawn;
use common::fixtures::fixture;
use glam::{DVec2, Vec2};
use navmesh_bake::{NoProgress, Settings, bake, default_agents};
use navmesh_behavior::{Context, Measure, Score, TaskContext};
use navmesh_behavior::{Pools, WaypointPool};
use navmesh_runtime::asset;
use navmesh_runtime::mesh::{Layer, NavMesh};
use navmesh_runtime::search::{Doors, line_of_sight};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
const FOLDER: &str = "navmesh-runtime/games/levels";

fn arena() -> NavMesh {
    asset::decode(&std::fs::read(format!("{ROOT}/{FOLDER}/arena.navmesh")).unwrap()).unwrap()
}

#[test]
fn the_baked_files_in_the_repository_are_fresh() {
    let levels = [
        ("arena", Some("arena"), "games/levels/arena"),
        ("rooms", Some("arena"), "games/levels/rooms"),
        ("dungeon", Some("dungeon"), "games/levels/dungeon"),
        ("contest", Some("contest"), "games/levels/contest"),
        ("portals", None, "bevy_navbake/demo/assets/portals"),
    ];
    for (level, config, file) in levels {
        let mut command = Command::new(env!("CARGO_BIN_EXE_navbake"));
        command.args(["bake", &format!("fixtures/{level}.tmx"), "--check", "-o"]);
        command.arg(format!("navmesh-runtime/{file}.navmesh"));
        if let Some(config) = config {
            command.args(["--config", &format!("fixtures/{config}.toml")]);
        }
        let run = command.current_dir(ROOT).output().unwrap();
        let reported = String::from_utf8_lossy(&run.stderr);
        assert!(
            run.status.success(),
            "{file}.navmesh is stale: run `just arena-asset`\n{reported}"
        );
    }
}

/// Random numbers from a fixed seed.
struct Random(u64);

impl Random {
    fn roll(&mut self, below: f32) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 40) as f32 / (1_u64 << 24) as f32 * below
    }

    fn place(&mut self, size: Vec2) -> Vec2 {
        Vec2::new(self.roll(size.x), self.roll(size.y))
    }
}

fn size(layer: &Layer) -> Vec2 {
    let grid = layer.grid();
    Vec2::new(grid.columns as f32, grid.rows as f32) * grid.spacing
}

/// Whether a square that moves along a line overlaps anything.
fn meets(world: &Drawn, from: Vec2, to: Vec2, side: f64) -> bool {
    let (from, to) = (from.as_dvec2(), to.as_dvec2());
    let steps = (from.distance(to) / 0.2).ceil().max(1.0) as u32;
    (0..=steps).any(|step| {
        let centre = from.lerp(to, f64::from(step) / f64::from(steps));
        let feet = centre + DVec2::new(0.0, side / 2.0);
        world.blocked(feet, DVec2::splat(side), 0.0)
    })
}

/// Compares random lines of sight with the geometry: a line that crosses
/// geometry must be blocked, and one along which a square of the given side fits
/// must be free. Returns how many are free, blocked, and in between.
fn compare(layer: &Layer, world: &Drawn, side: f64, looks: u32) -> [u32; 3] {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut counts = [0; 3];
    for _ in 0..looks {
        let from = random.place(size(layer));
        // Half of the lines are short, so that enough are free.
        let reach = if random.roll(1.0) < 0.5 { 60.0 } else { 400.0 };
        let to = from + random.place(Vec2::splat(2.0 * reach)) - Vec2::splat(reach);
        if to.min_element() < 0.0 || (size(layer) - to).min_element() < 0.0 {
            continue;
        }
        let sees = line_of_sight(layer, &Doors::new(), from, to);
        assert_eq!(
            sees,
            line_of_sight(layer, &Doors::new(), to, from),
            "{from} {to}"
        );
        if meets(world, from, to, 0.0) {
            assert!(!sees, "sight crosses geometry from {from} to {to}");
            counts[1] += 1;
        } else if !meets(world, from, to, side) {
            assert!(sees, "sight is blocked from {from} to {to}");
            counts[0] += 1;
        } else {
            counts[2] += 1;
        }
    }
    counts
}

// Exact to half a pixel where the geometry is made of cells.
#[test]
fn sight_on_a_tile_map_is_exact_to_half_a_pixel() {
    let (mesh, world) = (arena(), Drawn::new(&fixture("arena.tmx")));
    let layer = mesh.layer_named("shot").unwrap();
    let [seen, hidden, close] = compare(layer, &world, 0.5, 3000);
    assert!(seen > 500 && hidden > 500, "{seen} {hidden} {close}");
    assert!(close * 20 < seen, "{close} too close to call");
}

// With a larger body more lines are blocked, but none crosses geometry.
#[test]
fn sight_of_a_large_body_never_crosses_geometry() {
    let (mesh, world) = (arena(), Drawn::new(&fixture("arena.tmx")));
    // The side of the body's box, enlarged by the spacing to all sides.
    let walker = compare(mesh.layer_named("walker").unwrap(), &world, 56.0, 2000);
    assert!(walker[0] > 20 && walker[1] > 300, "{walker:?}");
}

// Also with slopes and bitmaps.
#[test]
fn sight_past_slopes_and_pixels_never_crosses_geometry() {
    for name in ["ledges.tmx", "organic.png"] {
        let level = fixture(name);
        let mut agent = default_agents(16.0).pop().unwrap();
        agent.body = [8.0, 8.0];
        let mesh = bake(&level, &Settings::for_agents(vec![agent]), &NoProgress).unwrap();
        let counts = compare(&mesh.layers()[0], &Drawn::new(&level), 24.0, 1500);
        assert!(counts[0] > 50 && counts[1] > 200, "{name}: {counts:?}");
    }
}

/// An agent that looks for a waypoint.
struct Seeker<'a> {
    layer: &'a Layer,
    here: Vec2,
    target: Vec2,
}

const EYES: Vec2 = Vec2::new(0.0, -10.0);

enum Seeking {}

impl Context for Seeking {
    type View<'a> = Seeker<'a>;
}

impl TaskContext for Seeker<'_> {
    fn position(&self) -> Vec2 {
        self.here
    }
    fn target(&self) -> Option<Vec2> {
        Some(self.target)
    }
    fn line_of_sight(&self, from: Vec2, to: Vec2) -> bool {
        line_of_sight(self.layer, &Doors::new(), from + EYES, to + EYES)
    }
}

/// The score of the test below, computed from its definition.
fn worth(world: &Drawn, seeker: &Seeker<'_>, place: Vec2, is_ledge: bool) -> f32 {
    if meets(world, place + EYES, seeker.target + EYES, 0.0) {
        return -1.0;
    }
    let far = place.distance(seeker.target);
    let outside = if far < 80.0 {
        80.0 - far
    } else if far > 160.0 {
        far - 160.0
    } else {
        0.0
    };
    let band = (1.0 - outside / 100.0).max(0.0);
    let height = ((place.y - seeker.target.y).abs() / 64.0).min(1.0);
    let near = 90.0 / (90.0 + place.distance(seeker.here));
    let away = seeker.here - seeker.target;
    let course = place - seeker.here;
    let cosine = if away == Vec2::ZERO || course == Vec2::ZERO {
        0.0
    } else {
        away.dot(course) / (away.length() * course.length())
    };
    if !is_ledge && height == 0.0 {
        return -1.0;
    }
    1.0 + band * height + 0.25 * near + 0.5 * cosine.midpoint(1.0) + f32::from(is_ledge)
}

// With pools from the level's markers, an agent claims the waypoint
// that is best by the level's geometry.
#[test]
fn the_waypoint_with_the_best_score_is_claimed() {
    use Measure::{AwayFromTarget, DifferentElevation, DistanceBand, LineOfSight, NearSelf};
    let (mesh, world) = (arena(), Drawn::new(&fixture("arena.tmx")));
    let pools = Pools::from(&mesh);
    let names: Vec<&str> = pools.waypoints.keys().map(String::as_str).collect();
    assert_eq!(names, ["air", "ground"]);
    assert_eq!(pools.waypoints["ground"].waypoints().len(), 11);
    let layer = mesh.layer_named("shot").unwrap();
    let score: Score<Seeking> = {
        let band = DistanceBand {
            near: 80.0,
            far: 160.0,
            fade: 100.0,
        };
        let height = DifferentElevation { height: 64.0 };
        let ledge = || Score::<Seeking>::tagged("ledge");
        let score = Score::from(LineOfSight)
            + Score::from(band) * height
            + Score::from(NearSelf { distance: 90.0 }) * 0.25
            + Score::from(AwayFromTarget) * 0.5
            + ledge();
        score.only_if(ledge() + height)
    };
    let mut random = Random(7);
    let (mut found, mut none) = (0, 0);
    while found < 300 {
        let seeker = Seeker {
            layer,
            here: random.place(size(layer)),
            target: random.place(size(layer)),
        };
        for pool in pools.waypoints.values() {
            let best = |pool: &WaypointPool| {
                let worths = pool.waypoints().iter().map(|w| {
                    let worth = worth(&world, &seeker, w.position, w.has_tag("ledge"));
                    (worth, w.index)
                });
                worths.fold((-1.0, None), |best, (worth, index)| {
                    if worth >= 0.0 && worth > best.0 {
                        (worth, Some(index))
                    } else {
                        best
                    }
                })
            };
            // Lines that graze geometry are not compared.
            let grazes = pool.waypoints().iter().any(|w| {
                let (from, to) = (w.position + EYES, seeker.target + EYES);
                meets(&world, from, to, 0.5) != meets(&world, from, to, 0.0)
            });
            if grazes {
                continue;
            }
            let claim = pool.claim(None, |w| score.of(&seeker, w));
            let claimed = claim.as_ref().map(|claim| claim.index);
            assert_eq!(claimed, best(pool).1, "{} {}", seeker.here, seeker.target);
            found += u32::from(claimed.is_some());
            none += u32::from(claimed.is_none());
        }
    }
    assert!(none > 20, "{none}");
}
