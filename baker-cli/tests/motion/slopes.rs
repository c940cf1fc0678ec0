//! Bodies that a character controller moves over slopes and steps. It shares no code
//! with baker or runtime.

use crate::common::Geometry as _;
use crate::common::baked_level::{Random, crossed_hills};
use crate::common::drawn::Drawn;
use crate::physics_body::{Body, FRAMES, Trip};
use crate::random_cases;
use crate::trips::{Report, Score};

use glam::{DVec2, Vec2};
use navmesh_bake::{Collision, Level, Material};
use navmesh_bake::{NoProgress, Settings, bake};
use navmesh_runtime::mesh::{AgentProfile, Layer, NavMesh};
use navmesh_runtime::motion::{BodyCommand, BodyState};

/// How deep the body may be in what it touches.
const SKIN: f64 = 0.01;

/// A box with its own gravity.
struct Walker<'a> {
    world: Drawn,
    profile: &'a AgentProfile,
    /// Whether it is kept on the floor where that leads down. A body that is not falls
    /// along the slope.
    snaps: bool,
    feet: DVec2,
    velocity: DVec2,
    grounded: bool,
}

impl Walker<'_> {
    fn is_free(&self, feet: DVec2) -> bool {
        let size = DVec2::from(self.profile.body.map(f64::from));
        !self.world.solid_at(feet, size, SKIN)
    }

    /// How much of a way is free, from 0 to 1.
    fn free_part(&self, by: DVec2) -> f64 {
        let pieces = (4.0 * by.length()).ceil().max(1.0);
        let ends = (1..=pieces as u32).map(|k| f64::from(k) / pieces);
        let mut free = 0.0;
        for end in ends {
            if !self.is_free(self.feet + by * end) {
                let mut blocked = end;
                for _ in 0..24 {
                    let middle = f64::midpoint(free, blocked);
                    if self.is_free(self.feet + by * middle) {
                        free = middle;
                    } else {
                        blocked = middle;
                    }
                }
                return free;
            }
            free = end;
        }
        1.0
    }

    /// Moves across, up slopes and steps, and down them if it snaps.
    fn move_across(&mut self, by: f64, stands: bool) {
        let pieces = (2.0 * by.abs()).ceil().max(1.0);
        let dx = by / pieces;
        let slope = dx.abs() * f64::from(self.profile.max_slope).to_radians().tan();
        let step = f64::from(self.profile.step_height);
        let most = 1e-3 + 1.01 * if stands { slope.max(step) } else { slope };
        for _ in 0..pieces as u32 {
            let to = self.feet + DVec2::new(dx, 0.0);
            let up = |k: u32| to - DVec2::new(0.0, most * f64::from(k) / 256.0);
            let Some(feet) = (0..=256).map(up).find(|feet| self.is_free(*feet)) else {
                self.velocity.x = 0.0;
                return;
            };
            self.feet = feet;
            let down = DVec2::new(0.0, most);
            let free = self.free_part(down);
            if self.snaps && stands && free < 1.0 {
                self.feet += free * down;
            }
        }
    }
}

impl Body for Walker<'_> {
    fn state(&self) -> BodyState {
        BodyState {
            position: self.feet.as_vec2(),
            velocity: self.velocity.as_vec2(),
            grounded: self.grounded,
        }
    }

    fn step(&mut self, command: BodyCommand, dt: f64) {
        if let Some(jump) = command.jump {
            self.velocity.y = jump.y.into();
        }
        let rate = if self.grounded {
            self.profile.deceleration
        } else {
            self.profile.air_acceleration.unwrap()
        };
        let change = f64::from(rate) * dt;
        let wanted = f64::from(command.velocity.x);
        self.velocity.x += (wanted - self.velocity.x).clamp(-change, change);
        self.move_across(
            self.velocity.x * dt,
            self.grounded && command.jump.is_none(),
        );
        self.velocity.y += f64::from(self.profile.gravity) * dt;
        let down = DVec2::new(0.0, self.velocity.y * dt);
        let free = self.free_part(down);
        self.feet += free * down;
        self.grounded = free < 1.0 && self.velocity.y >= 0.0;
        if free < 1.0 {
            self.velocity.y = 0.0;
        }
    }
}

/// Boxes, steps and slopes of every angle, all solid; the body of the agent is so many
/// units wide.
pub(crate) fn hills(seed: u64, width: f32) -> (Level, NavMesh) {
    let mut level = crossed_hills(&mut Random(seed));
    if let Collision::Shapes(pieces) = &mut level.collision {
        for piece in pieces {
            piece.material = Material::Solid;
        }
    }
    let mut agent = AgentProfile::ground("agent", 16.0);
    agent.body[0] = width;
    let mesh = bake(&level, &Settings::for_agents(vec![agent]), &NoProgress).unwrap();
    (level, mesh)
}

/// Lets bodies travel in such levels, at some rates.
pub(crate) fn travel<'a, B: Body>(
    report: &mut Report,
    name: &str,
    levels: &'a [(Level, NavMesh)],
    least: [f64; 2],
    body: impl Fn(&'a Level, &'a Layer, Vec2) -> B,
) {
    for hz in [30.0, 50.0, 60.0, 144.0, FRAMES] {
        let mut score = Score::default();
        for (seed, (level, mesh)) in (0..).zip(levels) {
            let layer = &mesh.layers()[0];
            let air = layer.profile().air_acceleration.unwrap().into();
            score.travel(&format!("level {seed}"), layer, seed, |from| {
                Trip::with_body(layer, body(level, layer, from), air, from, hz)
            });
        }
        report.add(&format!("{name}, {hz} Hz"), score, least);
    }
}

#[test]
fn bodies_complete_trips_over_slopes() {
    let count = u64::from(random_cases::samples(24));
    let levels: Vec<_> = (0..count).map(|seed| hills(seed, 12.0)).collect();
    let mut report = Report::default();
    for snaps in [true, false] {
        let name = if snaps { "held on the floor" } else { "free" };
        travel(
            &mut report,
            name,
            &levels,
            [99.4, 97.5],
            |level, layer, from| Walker {
                world: Drawn::new(level),
                profile: layer.profile(),
                snaps,
                feet: from.as_dvec2(),
                velocity: DVec2::ZERO,
                grounded: true,
            },
        );
    }
    report.assert();
}
