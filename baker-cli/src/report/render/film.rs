//! A GIF of a moving agent.
//!
//! The level is drawn once. Each frame contains only the rectangle in which
//! pixels changed, and in it only those pixels.

use std::borrow::Cow;
use std::collections::BTreeMap;

use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};
use glam::Vec2;
use image::RgbImage;
use navmesh_runtime::mesh::{Grid, Layer, NavMesh};
use navmesh_runtime::motion::{Activity, Facing, Pose};
use navmesh_runtime::search::Doors;

use super::canvas::{Canvas, View};
use super::list::{Colour, Form, Mark, Shape, Size};
use super::palette::{BACKGROUND, DOOR, DROP, FLOOR, FLY, INSIDE, JUMP, ROUTE, SOLID, TEXT, WALL};
use super::picture::part;
use super::scene::{self, in_cells};
use crate::report::simulation::{AgentCommand, Moment, Occurrence, Simulation};

/// The longest side, in pixels. Twice as much makes files four times as large.
const MAX_SIDE: f32 = 720.0;
/// How many cells around the motion are shown.
const AROUND: f32 = 8.0;
/// The number of colours, with the transparent one.
const COLOURS: usize = 64;
/// How long the end is shown, in hundredths of a second.
const LINGER: u16 = 150;
/// The trail of an agent that runs.
const RUN: Colour = Colour(0xe8_c547);
const REST: Colour = Colour(0x9a_a3b2);
/// The height of the strip with the caption, pixels.
const CAPTION: u32 = 22;

/// Films an agent, with one frame per moment of the simulation. Times are
/// rounded to hundredths of a second, the unit of the format.
///
/// # Errors
/// Those of the encoder; none for pictures of this size.
pub fn film(
    mesh: &NavMesh,
    layer: &Layer,
    simulation: &Simulation,
) -> Result<Vec<u8>, EncodingError> {
    let (view, [width, height]) = part(bounds(mesh.grid(), &simulation.moments), MAX_SIDE);
    let mut background = Canvas::new([width, height + CAPTION]);
    let mut level = scene::of_layer(layer, None);
    level.retain(|shape| ["terrain", "floor"].contains(&shape.layer));
    background.draw(&level, &view);
    let scene = Scene {
        view,
        mesh,
        layer,
        simulation,
        height,
    };
    let mut palette = Palette::new();
    // Neither is more than some hundred pixels.
    let (width, height) = (width as u16, (height + CAPTION) as u16);
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, width, height, &palette.bytes())?;
    encoder.set_repeat(Repeat::Infinite)?;
    let mut before: Option<RgbImage> = None;
    let mut shown = 0_u64;
    // A moment that rounds to the time of the one before has no frame, except
    // for the last.
    let mut moments = simulation.moments.iter().enumerate().peekable();
    let mut trail = background;
    while let Some((i, moment)) = moments.next() {
        scene.add_to_trail(&mut trail, i);
        let until = moments.peek().map(|(_, next)| next.time);
        let end = (until.unwrap_or(moment.time) * 100.0).round() as u64;
        if until.is_some() && end <= shown {
            continue;
        }
        let delay = match until {
            Some(_) => u16::try_from(end - shown).unwrap_or(u16::MAX),
            None => LINGER,
        };
        shown = end;
        let image = scene.picture(&trail, moment);
        let mut frame = palette.frame(before.as_ref(), &image);
        frame.delay = delay;
        encoder.write_frame(&frame)?;
        before = Some(image);
    }
    drop(encoder);
    Ok(bytes)
}

/// The corners of the part of the level in which the agent moves, in cells.
fn bounds(grid: &Grid, moments: &[Moment]) -> [Vec2; 2] {
    let size = Vec2::new(grid.columns as f32, grid.rows as f32);
    let whole = [Vec2::splat(-1.0), size + 1.0];
    let goals = moments.iter().filter_map(|m| m.destination);
    let places = moments.iter().map(|m| m.pose.position).chain(goals);
    // In cells, a place far away may be infinite.
    let cells = places
        .map(|p| in_cells(grid, p.as_dvec2()))
        .filter(|p| p.is_finite());
    let around = cells
        .map(|p| [p, p])
        .reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])]);
    let [min, max] = around.unwrap_or(whole);
    // Beyond the edges of the level only as far as the agent goes.
    let min = (min - AROUND).max(whole[0]).min(min - 2.0).floor();
    let max = (max + AROUND).min(whole[1]).max(max + 2.0).ceil();
    [min, max.max(min + 1.0)]
}

/// What all frames have in common.
struct Scene<'a> {
    view: View,
    mesh: &'a NavMesh,
    layer: &'a Layer,
    simulation: &'a Simulation,
    /// The height of the level's picture, pixels.
    height: u32,
}

impl Scene<'_> {
    fn in_cells(&self, position: Vec2) -> Vec2 {
        in_cells(self.mesh.grid(), position.as_dvec2())
    }

    /// Draws the line from the moment before.
    fn add_to_trail(&self, canvas: &mut Canvas, index: usize) {
        if index > 0 {
            let poses = [index - 1, index].map(|i| self.simulation.moments[i].pose);
            let line = poses.map(|pose| self.in_cells(pose.position)).to_vec();
            let (paint, width) = (colour(&poses[1]).solid(), Size::new(0.12, 1.0, 2.0));
            canvas.draw(&[Shape::lines("", paint, vec![line], width)], &self.view);
        }
    }

    fn picture(&self, trail: &Canvas, moment: &Moment) -> RgbImage {
        let mut shapes = self.doors(moment.time);
        if let Some(goal) = moment.destination {
            let (points, arm) = (vec![self.in_cells(goal)], Size::new(0.5, 4.0, 7.0));
            shapes.push(Shape::marks("", ROUTE.solid(), Mark::Cross, points, arm));
        }
        shapes.extend(self.body(&moment.pose));
        let mut canvas = trail.clone();
        canvas.draw(&shapes, &self.view);
        // The agent, the time and the activity, in a strip below the level.
        let (agent, activity) = (&self.simulation.agent, moment.pose.activity.name());
        let text = format!("{agent}  {:.1} s  {activity}", moment.time);
        let bottom = (self.height + CAPTION) as f32;
        let strip = vec![[0.0, self.height as f32, MAX_SIDE, bottom]];
        let texts = vec![(Vec2::new(6.0, bottom), 3.0, text)];
        let texts = Form::Labels { texts, height: 16 };
        let strip = Shape::areas("", BACKGROUND.solid(), strip);
        canvas.draw(&[strip, Shape::new("", TEXT.solid(), texts)], &View::PIXELS);
        canvas.into_image()
    }

    /// Open doors as outlines, and filled those that are closed at a time.
    fn doors(&self, time: f64) -> Vec<Shape> {
        let mut doors = Doors::from_mesh(self.mesh);
        for (_, what) in (self.simulation.occurrences.iter()).filter(|(at, _)| *at <= time) {
            // The simulation has found doors of these names.
            match what {
                Occurrence::Commanded(AgentCommand::CloseDoor(name)) => drop(doors.close(name)),
                Occurrence::Commanded(AgentCommand::OpenDoor(name)) => drop(doors.open(name)),
                _ => {}
            }
        }
        let shapes = self.mesh.doors().map(|door| {
            let rect = scene::rect([door.min, door.max].map(|corner| self.in_cells(corner)));
            if doors.is_closed(&door.marker.name) == Some(true) {
                return Shape::areas("", DOOR.solid(), vec![rect]);
            }
            Shape::lines("", DOOR.solid(), vec![scene::frame(rect)], Size::fixed(1.0))
        });
        shapes.collect()
    }

    fn body(&self, pose: &Pose) -> [Shape; 2] {
        let spacing = self.mesh.grid().spacing;
        let [width, height] = self.layer.profile().body.map(|side| side / spacing);
        let feet = self.in_cells(pose.position);
        // At least 3 pixels across and high.
        let least = 3.0 / self.view.scale;
        let (half, tall) = (0.5 * width.max(least), height.max(least));
        let body = vec![[feet.x - half, feet.y - tall, feet.x + half, feet.y]];
        // An eye shows the direction it faces.
        let side = match pose.facing {
            Facing::Left => -0.45,
            Facing::Right => 0.45,
        };
        let eye = vec![feet + Vec2::new(side * half, -0.72 * tall)];
        let radius = Size::fixed((0.22 * half * self.view.scale).max(1.0));
        [
            Shape::areas("", colour(pose).solid(), body),
            Shape::marks("", BACKGROUND.solid(), Mark::Disc, eye, radius),
        ]
    }
}

fn colour(pose: &Pose) -> Colour {
    match pose.activity {
        Activity::Running | Activity::Climbing => RUN,
        Activity::Jumping => JUMP,
        Activity::Dropping | Activity::Launched => DROP,
        Activity::Flying => FLY,
        Activity::Disabled | Activity::Stranded(_) => INSIDE,
        _ => REST,
    }
}

/// The colours of a film: those of its parts, and blends with the background
/// for the pixels at their borders. The last one is transparent: a pixel that
/// did not change.
struct Palette {
    colours: Vec<[u8; 3]>,
    known: BTreeMap<[u8; 3], u8>,
}

impl Palette {
    fn new() -> Self {
        let mut colours = vec![BACKGROUND.rgb()];
        for colour in [
            SOLID, FLOOR, RUN, JUMP, DROP, FLY, INSIDE, REST, ROUTE, TEXT, DOOR, WALL,
        ] {
            let quarters = (1..=4).map(|quarter| {
                let ends = [BACKGROUND.rgb(), colour.rgb()];
                [0, 1, 2].map(|i| {
                    let [from, to] = ends.map(|end| u16::from(end[i]));
                    ((from * (4 - quarter) + to * quarter) / 4) as u8
                })
            });
            colours.extend(quarters);
        }
        Self {
            colours,
            known: BTreeMap::new(),
        }
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.colours.concat();
        bytes.resize(COLOURS * 3, 0);
        bytes
    }

    fn index(&mut self, colour: [u8; 3]) -> u8 {
        *self.known.entry(colour).or_insert_with(|| {
            let distance = |other: &[u8; 3]| -> u32 {
                (other.iter().zip(colour))
                    .map(|(a, b)| u32::from(a.abs_diff(b)).pow(2))
                    .sum()
            };
            let nearest = (0..)
                .zip(&self.colours)
                .min_by_key(|(_, other)| distance(other));
            nearest.map_or(0, |(i, _)| i)
        })
    }

    /// The pixels that changed from one picture to the next.
    fn frame(&mut self, before: Option<&RgbImage>, now: &RgbImage) -> Frame<'static> {
        let changed =
            |x: u32, y: u32| before.is_none_or(|b| b.get_pixel(x, y) != now.get_pixel(x, y));
        let [mut x0, mut y0, mut x1, mut y1] = [now.width(), now.height(), 0, 0];
        for (x, y, _) in now.enumerate_pixels() {
            if changed(x, y) {
                (x0, y0) = (x0.min(x), y0.min(y));
                (x1, y1) = (x1.max(x + 1), y1.max(y + 1));
            }
        }
        if x1 == 0 {
            // A frame cannot be empty.
            [x0, y0, x1, y1] = [0, 0, 1, 1];
        }
        let clear = (COLOURS - 1) as u8;
        let pixels = (y0..y1).flat_map(|y| (x0..x1).map(move |x| (x, y)));
        let index = |(x, y)| {
            if changed(x, y) {
                self.index(now.get_pixel(x, y).0)
            } else {
                clear
            }
        };
        let indices = pixels.map(index).collect();
        Frame {
            dispose: DisposalMethod::Keep,
            transparent: Some(clear),
            left: x0 as u16,
            top: y0 as u16,
            width: (x1 - x0) as u16,
            height: (y1 - y0) as u16,
            buffer: Cow::Owned(indices),
            ..Frame::default()
        }
    }
}
