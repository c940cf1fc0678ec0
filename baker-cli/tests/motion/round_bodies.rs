//! Capsules, which a controller moves and lets slide along what they touch. They slip
//! off the ends of platforms where a box still stands, and stand lower on slopes. The
//! controller shares no code with baker or runtime.

use crate::physics_body::Body;
use crate::random_cases;
use crate::slopes::{RATES, hills, travel};
use crate::trips::Report;

use glam::{DVec2, Vec2};
use navmesh_bake::{Collision, Level, Shape};
use navmesh_runtime::mesh::{AgentProfile, Layer};
use navmesh_runtime::motion::{BodyCommand, BodyState};

/// Width of the capsule.
const WIDTH: f64 = 12.0;
/// How deep the body may be in what it touches.
const SKIN: f64 = 0.01;

/// A piece of the level, with the corners of a box around it.
struct Block {
    corners: Vec<DVec2>,
    bounds: [DVec2; 2],
}

impl Block {
    fn new(shape: &Shape) -> Self {
        let corners = match shape {
            Shape::Convex(corners) => corners.clone(),
            Shape::Box(_) => panic!("these levels have no boxes"),
        };
        let low = corners.iter().copied().reduce(DVec2::min).unwrap();
        let high = corners.iter().copied().reduce(DVec2::max).unwrap();
        Self {
            corners,
            bounds: [low, high],
        }
    }

    fn sides(&self) -> impl Iterator<Item = [DVec2; 2]> {
        let next = self.corners.iter().cycle().skip(1);
        (self.corners.iter().zip(next)).map(|(a, b)| [*a, *b])
    }

    fn has(&self, point: DVec2) -> bool {
        let turn = |[a, b]: [DVec2; 2]| (b - a).perp_dot(point - a);
        self.sides().all(|side| turn(side) > 0.0) || self.sides().all(|side| turn(side) < 0.0)
    }
}

/// The point of a line that is nearest to another point.
fn nearest_on([a, b]: [DVec2; 2], point: DVec2) -> DVec2 {
    let part = (point - a).dot(b - a) / (b - a).length_squared();
    a + (b - a) * part.clamp(0.0, 1.0)
}

struct Capsule<'a> {
    blocks: Vec<Block>,
    profile: &'a AgentProfile,
    feet: DVec2,
    velocity: DVec2,
    grounded: bool,
}

impl Capsule<'_> {
    /// The ways from the nearest points of blocks to the line in the middle of the capsule.
    fn ways_from_blocks(&self, feet: DVec2) -> Vec<DVec2> {
        let core = self.core(feet);
        let mut ways = Vec::new();
        for block in self.blocks_near(core) {
            for side in block.sides() {
                ways.extend([
                    core[0] - nearest_on(side, core[0]),
                    core[1] - nearest_on(side, core[1]),
                    nearest_on(core, side[0]) - side[0],
                ]);
            }
        }
        ways
    }

    fn core(&self, feet: DVec2) -> [DVec2; 2] {
        let (radius, height) = (0.5 * WIDTH, f64::from(self.profile.body[1]));
        [radius, height - radius].map(|up| feet - DVec2::new(0.0, up))
    }

    fn blocks_near(&self, core: [DVec2; 2]) -> impl Iterator<Item = &Block> {
        self.blocks.iter().filter(move |block| {
            let [low, high] = block.bounds;
            (low - WIDTH).cmple(core[0]).all() && (high + WIDTH).cmpge(core[1]).all()
        })
    }

    fn is_free(&self, feet: DVec2) -> bool {
        let core = self.core(feet);
        let mut blocks = self.blocks_near(core);
        let is_outside = !blocks.any(|block| core.iter().any(|end| block.has(*end)));
        let mut ways = self.ways_from_blocks(feet).into_iter();
        is_outside && ways.all(|way| way.length() > 0.5 * WIDTH - SKIN)
    }

    /// The direction from what the capsule touches that is most against a movement: in a
    /// corner, it touches two blocks.
    fn normal(&self, feet: DVec2, movement: DVec2) -> DVec2 {
        let ways = self.ways_from_blocks(feet).into_iter();
        let touching = ways.filter(|way| way.length() < 0.5 * WIDTH + SKIN);
        let normals = touching.map(DVec2::normalize_or_zero);
        let against = |normal: &DVec2| normal.dot(movement);
        (normals.min_by(|a, b| against(a).total_cmp(&against(b)))).unwrap_or_default()
    }

    /// How much of a way is free, from 0 to 1.
    fn free_part(&self, by: DVec2) -> f64 {
        let pieces = by.length().ceil().max(1.0);
        let (mut free, mut blocked) = (0.0, 2.0);
        for end in (1..=pieces as u32).map(|k| f64::from(k) / pieces) {
            if !self.is_free(self.feet + by * end) {
                blocked = end;
                break;
            }
            free = end;
        }
        if blocked > 1.0 {
            return 1.0;
        }
        for _ in 0..16 {
            let middle = f64::midpoint(free, blocked);
            if self.is_free(self.feet + by * middle) {
                free = middle;
            } else {
                blocked = middle;
            }
        }
        free
    }

    /// Whether what it touches in a direction is not too steep to stand on.
    fn is_floor(&self, normal: DVec2) -> bool {
        -normal.y >= f64::from(self.profile.max_slope).to_radians().cos() - 1e-3
    }

    /// The same where it stands, as near as possible: at the ends of platforms it slips off.
    fn standing(mut self) -> Option<Self> {
        let (at, down) = (self.feet, DVec2::new(0.0, 0.5 * WIDTH));
        let aside = [0.0, -0.06, 0.06, -0.12, 0.12].map(|part| part * WIDTH);
        let places = aside
            .into_iter()
            .flat_map(|x| [[x, 0.0], [x, -1.0], [x, -2.0]]);
        for place in places {
            self.feet = at + DVec2::from(place);
            let is_free = self.is_free(self.feet);
            self.feet += down * self.free_part(down);
            if is_free && self.is_floor(self.normal(self.feet, down)) {
                return Some(self);
            }
        }
        None
    }

    /// Over a step, if one is ahead.
    fn step_up(&mut self, across: f64) -> bool {
        let step = f64::from(self.profile.step_height);
        let over = self.feet + DVec2::new(across, -step);
        if !self.is_free(self.feet - DVec2::new(0.0, step)) || !self.is_free(over) {
            return false;
        }
        self.feet = over;
        let down = DVec2::new(0.0, step + 1.0);
        self.feet += down * self.free_part(down);
        true
    }

    /// Down to the floor that it walked on, if it leads down.
    fn snap(&mut self, walked: f64) -> bool {
        let down = DVec2::new(0.0, 1.3 * walked + 0.5);
        let free = self.free_part(down);
        let at = self.feet + down * free;
        let is_floor = free < 1.0 && self.is_floor(self.normal(at, down));
        if is_floor {
            self.feet = at;
        }
        is_floor
    }
}

impl Body for Capsule<'_> {
    fn state(&self) -> BodyState {
        BodyState {
            position: self.feet.as_vec2(),
            velocity: self.velocity.as_vec2(),
            grounded: self.grounded,
        }
    }

    fn step(&mut self, command: BodyCommand, dt: f64) {
        let stands = self.grounded && command.jump.is_none();
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
        self.velocity.y += f64::from(self.profile.gravity) * dt;
        let (from, mut left) = (self.feet, self.velocity * dt);
        self.grounded = false;
        for _ in 0..5 {
            let free = self.free_part(left);
            self.feet += left * free;
            if free >= 1.0 {
                break;
            }
            left *= 1.0 - free;
            let normal = self.normal(self.feet, left);
            if self.is_floor(normal) {
                // Along the floor, as fast across.
                self.grounded = true;
                self.velocity.y = 0.0;
                left = DVec2::new(left.x, left.x * normal.x / -normal.y);
            } else if stands && normal.y.abs() < 0.9 && self.step_up(left.x) {
                self.grounded = true;
                self.velocity.y = 0.0;
                break;
            } else {
                left -= normal * left.dot(normal).min(0.0);
                self.velocity -= normal * self.velocity.dot(normal).min(0.0);
            }
        }
        if stands && !self.grounded && self.snap((self.feet.x - from.x).abs()) {
            self.grounded = true;
            self.velocity.y = 0.0;
        }
    }
}

fn capsule<'a>(level: &Level, layer: &'a Layer, from: Vec2) -> Capsule<'a> {
    let Collision::Shapes(pieces) = &level.collision else {
        panic!("these levels are shapes");
    };
    Capsule {
        blocks: pieces
            .iter()
            .map(|piece| Block::new(&piece.shape))
            .collect(),
        profile: layer.profile(),
        feet: from.as_dvec2(),
        velocity: DVec2::ZERO,
        grounded: true,
    }
}

/// Agents that are three quarters as wide as the capsule, and as wide. Of the narrower
/// ones, some trips begin or end where the capsule does not fit.
#[test]
fn capsules_complete_trips_of_narrower_agents() {
    let count = u64::from(random_cases::samples(24));
    let mut report = Report::default();
    // Half of the failures end on platforms so short that a capsule slips off everywhere.
    for (share, least, slow) in [
        (0.75, [96.5, 95.9], [96.3, 95.9]),
        (1.0, [97.4, 95.6], [97.6, 94.8]),
    ] {
        let width = (share * WIDTH) as f32;
        let levels: Vec<_> = (0..count).map(|seed| hills(seed, width)).collect();
        let name = format!("capsules, agents {share} x as wide");
        let least = |hz: f64| if hz < 50.0 { slow } else { least };
        travel(
            &mut report,
            &name,
            &levels,
            &RATES,
            least,
            |level, layer, [from, _]| capsule(level, layer, from).standing(),
        );
    }
    report.assert();
}
