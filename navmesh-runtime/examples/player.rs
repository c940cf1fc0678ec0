//! A player on the same floors as the agents: a body of the game's own that stands on floors,
//! slopes and one-way platforms of the collision that the bake read.
//!
//! ```sh
//! navbake bake level.tmx
//! navbake level level.tmx > level.level.json
//! cargo run -p navmesh-runtime --example player -- level.level.json level.navmesh
//! ```

use std::error::Error;

use navmesh_runtime::Navigator;
use navmesh_runtime::glam::Vec2;
use serde_json::Value;

const STEP: f32 = 1.0 / 60.0;
/// What the body may overlap: positions are rounded.
const SKIN: f32 = 0.01;
/// The steepest slope that is walked, as height for each unit across.
const STEEPEST: f32 = 1.2;

/// A convex piece of collision.
struct Piece {
    corners: Vec<Vec2>,
    /// Passed from below.
    is_one_way: bool,
}

impl Piece {
    /// The pieces of some kinds of a level file with y downwards.
    fn all(level: &Value, kinds: &[&str]) -> Vec<Self> {
        let shapes = level["shapes"].as_array().into_iter().flatten();
        let wanted = shapes.filter(|shape| kinds.iter().any(|kind| shape["kind"] == *kind));
        let pieces = wanted.filter_map(|shape| {
            Some(Self {
                corners: corners(shape)?,
                is_one_way: shape["kind"] == "one_way",
            })
        });
        pieces.collect()
    }

    /// The highest and the lowest y between two x; `None` where it is not.
    fn extent(&self, from: f32, to: f32) -> Option<[f32; 2]> {
        let mut extent: Option<[f32; 2]> = None;
        let next = self.corners.iter().cycle().skip(1);
        for (&a, &b) in self.corners.iter().zip(next) {
            let (left, right) = if a.x < b.x { (a, b) } else { (b, a) };
            if right.x <= from || left.x >= to {
                continue;
            }
            let slope = (right.y - left.y) / (right.x - left.x).max(f32::EPSILON);
            for x in [left.x.max(from), right.x.min(to)] {
                let y = left.y + (x - left.x) * slope;
                let [top, bottom] = extent.unwrap_or([y, y]);
                extent = Some([top.min(y), bottom.max(y)]);
            }
        }
        extent
    }
}

fn corners(shape: &Value) -> Option<Vec<Vec2>> {
    let number = |value: &Value| value.as_f64().map(|number| number as f32);
    if let Some(area) = shape["box"].as_array() {
        let area: Option<Vec<f32>> = area.iter().map(number).collect();
        let [x, y, width, height] = area?.try_into().ok()?;
        let corners = [
            (x, y),
            (x + width, y),
            (x + width, y + height),
            (x, y + height),
        ];
        return Some(corners.map(Vec2::from).to_vec());
    }
    let outline = shape["polygon"]
        .as_array()
        .or(shape["polyline"].as_array())?;
    let point = |point: &Value| Some(Vec2::new(number(&point[0])?, number(&point[1])?));
    outline.iter().map(point).collect()
}

/// A body that walks, jumps and falls. Its position is that of its feet.
struct Player {
    body: Vec2,
    feet: Vec2,
    velocity: Vec2,
    is_grounded: bool,
}

impl Player {
    /// Moves on by one step, with a speed across that the game wants.
    fn step(&mut self, pieces: &[Piece], across: f32, gravity: f32) {
        self.velocity = Vec2::new(across, self.velocity.y + gravity * STEP);
        let before = self.feet;
        let climb = across.abs() * STEP * STEEPEST + SKIN;
        self.feet.x += across * STEP;
        // Walls: what would lift the body by more than a slope does.
        let wall = self.blocks(pieces, climb).next().is_some();
        if wall {
            self.feet.x = before.x;
            self.velocity.x = 0.0;
        }
        // A body on the floor follows slopes down as well as up.
        let follow = if self.is_grounded && self.velocity.y >= 0.0 {
            climb
        } else {
            0.0
        };
        let fall = self.velocity.y * STEP;
        let floor = self.floor(pieces, climb, fall.max(0.0) + follow);
        self.is_grounded = floor.is_some() && fall >= 0.0;
        if let Some(top) = floor.filter(|_| self.is_grounded) {
            (self.feet.y, self.velocity.y) = (top, 0.0);
        } else {
            self.feet.y += fall;
            if self.blocks(pieces, SKIN).next().is_some() {
                (self.feet.y, self.velocity.y) = (before.y, 0.0); // a ceiling
            }
        }
    }

    fn sides(&self) -> [f32; 2] {
        let half = self.body.x / 2.0 - SKIN;
        [self.feet.x - half, self.feet.x + half]
    }

    /// Solid pieces that the body overlaps from `above` its feet upwards.
    fn blocks<'a>(&self, pieces: &'a [Piece], above: f32) -> impl Iterator<Item = &'a Piece> {
        let [left, right] = self.sides();
        let (head, foot) = (self.feet.y - self.body.y, self.feet.y - above);
        pieces.iter().filter(move |piece| {
            let extent = piece.extent(left, right).filter(|_| !piece.is_one_way);
            extent.is_some_and(|[top, bottom]| bottom > head && top < foot)
        })
    }

    /// The highest top from `above` the feet to `below` them.
    fn floor(&self, pieces: &[Piece], above: f32, below: f32) -> Option<f32> {
        let [left, right] = self.sides();
        let tops = pieces.iter().filter_map(|piece| {
            let [top, _] = piece.extent(left, right)?;
            // Those that are passed from below carry only what was above them.
            let above = if piece.is_one_way { SKIN } else { above };
            (self.feet.y - above..=self.feet.y + below)
                .contains(&top)
                .then_some(top)
        });
        tops.reduce(f32::min)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let usage = "usage: player LEVEL.level.json LEVEL.navmesh";
    let level = std::fs::read(arguments.next().ok_or(usage)?)?;
    let level = serde_json::from_slice(&level)?;
    let pieces = Piece::all(&level, &["solid", "one_way"]);
    let hazards = Piece::all(&level, &["hazard"]);
    let nav = Navigator::load(arguments.next().ok_or(usage)?)?;
    let layer = nav.mesh().layers().first().ok_or("baked for no agent")?;
    let profile = layer.profile();
    let mut checked = 0;
    // From the middle of each floor of the agents the player falls down, walks to the right,
    // and stands on floors of the agents wherever it stands.
    let floors = layer.platforms().len() as u32;
    for number in 0..floors {
        let floor = layer.platform(navmesh_runtime::mesh::PlatformId(number));
        let floor = floor.ok_or("a platform")?;
        let middle = (floor.left() + floor.right()) / 2.0;
        let mut player = Player {
            body: profile.body.into(),
            feet: middle - Vec2::new(0.0, 2.0),
            velocity: Vec2::ZERO,
            is_grounded: false,
        };
        for _ in 0..120 {
            player.step(&pieces, profile.run_speed, profile.gravity);
            if player.blocks(&hazards, 0.0).next().is_some() {
                break; // the game begins again
            }
            if !player.is_grounded {
                continue;
            }
            let place = layer.snap(player.feet, navmesh_runtime::search::SnapTo::Rest);
            let place = place
                .ok_or("the player stands where no agent can")?
                .position;
            if place.distance(player.feet) > 0.5 {
                let text = format!("the player stands at {}, an agent at {place}", player.feet);
                return Err(text.into());
            }
            checked += 1;
        }
    }
    println!("{checked} steps on {floors} floors: the player stands where agents stand");
    Ok(())
}
