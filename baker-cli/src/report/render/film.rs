//! A GIF of a moving agent.
//!
//! The level is drawn once, and when it changes. Each frame contains only the rectangle in which
//! pixels changed, and in it only those pixels.

use std::borrow::Cow;
use std::collections::BTreeMap;

use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};
use glam::Vec2;
use image::RgbImage;
use navmesh_runtime::mesh::{Grid, Layer, NavMesh, TICKS};
use navmesh_runtime::motion::{Activity, AgentEvent, Facing, Pose};
use navmesh_runtime::search::Doors;

use super::canvas::{Canvas, View};
use super::list::{Colour, Form, Mark, Shape, Size};
use super::palette::{
    BACKGROUND, DOOR, DROP, FLOOR, FLY, INSIDE, JUMP, MOVING, ROUTE, SOLID, TEXT, WALL,
};
use super::picture::part;
use super::scene::{self, in_cells};
use crate::report::simulation::{AgentCommand, Moment, Occurrence, Simulation};

/// The longest side, in pixels. Twice as much makes files four times as large.
const MAX_SIDE: f32 = 720.0;
/// How many cells around the motion are shown.
const AROUND: f32 = 8.0;
/// The transparent colour, the last of 64: a pixel that did not change.
const CLEAR: u8 = 63;
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
    let scene = Scene {
        view,
        mesh,
        layer,
        simulation,
        width,
        height,
    };
    let mut palette = Palette::new();
    // Neither is more than some hundred pixels.
    let (width, height) = (width as u16, (height + CAPTION) as u16);
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, width, height, &palette.bytes())?;
    encoder.set_repeat(Repeat::Infinite)?;
    let mut before = Vec::new();
    let mut shown = 0_u64;
    // A moment that rounds to the time of the one before has no frame, except
    // for the last.
    let mut moments = simulation.moments.iter().enumerate().peekable();
    let mut changes = scene.changes().peekable();
    let mut trail = scene.background(layer);
    while let Some((i, moment)) = moments.next() {
        while let Some((_, level)) = changes.next_if(|(time, _)| *time <= moment.time) {
            trail = scene.background(level.layer_named(&simulation.agent).unwrap_or(layer));
            for before in 0..i {
                scene.add_to_trail(&mut trail, before);
            }
        }
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
        let now = palette.indices(&scene.picture(&trail, moment));
        let mut frame = frame(&before, &now, width.into());
        frame.delay = delay;
        encoder.write_frame(&frame)?;
        before = now;
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
    /// The size of the level's picture, pixels.
    width: u32,
    height: u32,
}

impl Scene<'_> {
    fn in_cells(&self, position: Vec2) -> Vec2 {
        in_cells(self.mesh.grid(), position.as_dvec2())
    }

    /// The versions of the level, and since when.
    fn changes(&self) -> impl Iterator<Item = (f64, &NavMesh)> {
        let occurrences = self.simulation.occurrences.iter();
        occurrences.filter_map(|(time, what)| match what {
            Occurrence::Commanded(AgentCommand::Ground { level, .. }) => Some((*time, &**level)),
            _ => None,
        })
    }

    /// The level, without anything that moves.
    fn background(&self, layer: &Layer) -> Canvas {
        let mut canvas = Canvas::new([self.width, self.height + CAPTION]);
        let mut level = scene::of_layer(layer, None);
        level.retain(|shape| ["terrain", "floor"].contains(&shape.layer));
        canvas.draw(&level, &self.view);
        canvas
    }

    /// Draws the line from the moment before.
    fn add_to_trail(&self, canvas: &mut Canvas, index: usize) {
        let moments = &self.simulation.moments;
        let Some((before, now)) = index.checked_sub(1).map(|i| (moments[i], moments[index])) else {
            return;
        };
        // It ends at the entrance of a portal, and goes on at the exit.
        let mut ends = vec![before.pose.position];
        for (time, what) in &self.simulation.occurrences {
            if let Occurrence::Event(AgentEvent::Teleported { from, to }) = what
                && (before.time < *time && *time <= now.time)
            {
                ends.extend([*from, *to]);
            }
        }
        ends.push(now.pose.position);
        let ends = ends.into_iter().map(|end| self.in_cells(end));
        let lines = ends
            .collect::<Vec<_>>()
            .chunks(2)
            .map(<[_]>::to_vec)
            .collect();
        let (paint, width) = (colour(&now.pose).solid(), Size::new(0.12, 1.0, 2.0));
        canvas.draw(&[Shape::lines("", paint, lines, width)], &self.view);
    }

    fn picture(&self, trail: &Canvas, moment: &Moment) -> RgbImage {
        let mut shapes = self.doors(moment.time);
        let all = self.layer.moving_platforms().iter();
        let rects = all.map(|on| {
            let at = on.schedule.state(moment.time * TICKS).0;
            scene::moving_rect(self.mesh.grid(), on, at.as_vec2())
        });
        shapes.push(Shape::areas("", MOVING.solid(), rects.collect()));
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
/// for the pixels at their borders.
struct Palette {
    colours: Vec<[u8; 3]>,
    known: BTreeMap<[u8; 3], u8>,
}

impl Palette {
    fn new() -> Self {
        let mut colours = vec![BACKGROUND.rgb()];
        for colour in [
            SOLID, FLOOR, RUN, JUMP, DROP, FLY, INSIDE, REST, ROUTE, TEXT, DOOR, WALL, MOVING,
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
        bytes.resize(3 * (usize::from(CLEAR) + 1), 0);
        bytes
    }

    /// The nearest colour of each pixel.
    fn indices(&mut self, image: &RgbImage) -> Vec<u8> {
        let Self { colours, known } = self;
        let indices = image.pixels().map(|pixel| {
            *known.entry(pixel.0).or_insert_with(|| {
                let nearest = (0..).zip(colours.iter());
                let nearest = nearest.min_by_key(|(_, colour)| {
                    let pairs = colour.iter().zip(pixel.0);
                    let squares = pairs.map(|(a, b)| u32::from(a.abs_diff(b)).pow(2));
                    squares.sum::<u32>()
                });
                nearest.map_or(0, |(i, _)| i)
            })
        });
        indices.collect()
    }
}

/// The pixels that changed from one picture to the next.
fn frame(before: &[u8], now: &[u8], width: usize) -> Frame<'static> {
    let changed = (0..now.len()).filter(|i| before.get(*i) != now.get(*i));
    let changed: Vec<usize> = changed.collect();
    let (columns, rows): (Vec<usize>, Vec<usize>) =
        changed.iter().map(|i| (i % width, i / width)).unzip();
    // A frame cannot be empty.
    let [left, right] = [columns.iter().min(), columns.iter().max()].map(|x| *x.unwrap_or(&0));
    let [top, bottom] = [rows.iter().min(), rows.iter().max()].map(|y| *y.unwrap_or(&0));
    let across = right + 1 - left;
    let mut pixels = vec![CLEAR; across * (bottom + 1 - top)];
    for (i, (x, y)) in changed.into_iter().zip(columns.into_iter().zip(rows)) {
        pixels[(y - top) * across + x - left] = now[i];
    }
    Frame {
        dispose: DisposalMethod::Keep,
        transparent: Some(CLEAR),
        left: left as u16,
        top: top as u16,
        width: across as u16,
        height: (bottom + 1 - top) as u16,
        buffer: Cow::Owned(pixels),
        ..Frame::default()
    }
}
