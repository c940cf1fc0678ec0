//! A GIF of a moving agent.
//!
//! The level is drawn once. Each frame contains only the rectangle in which
//! pixels changed, and in it only those pixels.

use std::borrow::Cow;
use std::collections::BTreeMap;

use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};
use glam::Vec2;
use image::RgbImage;
use navmesh_runtime::mesh::{Layer, NavMesh};
use navmesh_runtime::motion::{Activity, Facing, Pose};
use navmesh_runtime::search::Doors;

use super::canvas::{Canvas, Colour};
use super::font;
use super::layer::solid;
use super::palette::{BACKGROUND, DOOR, DROP, FLOOR, FLY, INSIDE, JUMP, ROUTE, SOLID, TEXT};
use super::projection::Projection;
use crate::report::simulation::{AgentCommand, Moment, Occurrence, Simulation};

/// The longest side, in pixels. Twice as much makes files four times as large.
const MAX_SIDE: f32 = 720.0;
/// How many cells around the motion are shown.
const AROUND: f32 = 8.0;
/// The number of colours, with the transparent one. The drawing uses about a
/// dozen; the rest are for the blended pixels at their borders.
const COLOURS: usize = 64;
/// How long the end is shown, in hundredths of a second.
const LINGER: u16 = 150;
/// The trail of an agent that runs.
const RUN: Colour = Colour::hex(0xe8_c547);
const REST: Colour = Colour::hex(0x9a_a3b2);

/// Films an agent, with one frame per moment of the simulation. Times are
/// rounded to hundredths of a second, the unit of the format.
///
/// # Errors
/// When the picture is larger than a GIF can be.
pub fn film(
    mesh: &NavMesh,
    layer: &Layer,
    simulation: &Simulation,
) -> Result<Vec<u8>, EncodingError> {
    let view = view(mesh, &simulation.moments);
    let [width, height] = view.size();
    let strip = font::HEIGHT * 2 + 8;
    let mut background = Canvas::new(width, height + strip, BACKGROUND);
    solid(&mut background, &view, layer, 1.0);
    for platform in layer.platforms() {
        let surface = view.line(platform.surface);
        background.stroke(&surface, view.width(0.2, 1.5, 2.5), FLOOR);
    }
    let below = Vec2::new(0.0, height as f32);
    let corner = Vec2::new(width as f32, (height + strip) as f32);
    background.rect(below, corner, BACKGROUND);
    let scene = Scene {
        view,
        mesh,
        layer,
        simulation,
        height,
    };
    let mut palette = Palette::of(&scene.everything(&background));
    let side = |pixels: u32| {
        let too_big = |_| std::io::Error::other("the picture is too big");
        u16::try_from(pixels).map_err(too_big)
    };
    let (width, height) = (side(width)?, side(height + strip)?);
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

/// The part of the level in which the agent moves.
fn view<'a>(mesh: &'a NavMesh, moments: &[Moment]) -> Projection<'a> {
    let grid = mesh.grid();
    let flip = Vec2::new(1.0, grid.y_axis.down());
    let cell = |p: Vec2| (p - grid.origin) * flip / grid.spacing;
    let goals = moments.iter().filter_map(|m| m.destination);
    let places = moments.iter().map(|m| m.pose.position).chain(goals);
    let places = places.filter(|p| p.is_finite()).map(|p| (cell(p), cell(p)));
    let bounds = places.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
    let size = Vec2::new(grid.columns as f32, grid.rows as f32);
    let whole = (Vec2::splat(-1.0), size + 1.0);
    // In cells, a place far away may be infinite.
    let bounds = bounds.filter(|(min, max)| min.is_finite() && max.is_finite());
    let (min, max) = bounds.unwrap_or(whole);
    // Beyond the edges of the level only as far as the agent goes.
    let (min, max) = (min - AROUND, max + AROUND);
    let min = min.max(whole.0).min(min + AROUND - 2.0).floor();
    let max = max.min(whole.1).max(max - AROUND + 2.0).ceil();
    Projection::part(grid, -min, (max - min).max(Vec2::ONE), MAX_SIDE)
}

/// What all frames have in common.
struct Scene<'a> {
    view: Projection<'a>,
    mesh: &'a NavMesh,
    layer: &'a Layer,
    simulation: &'a Simulation,
    /// The height of the level's picture, pixels.
    height: u32,
}

impl Scene<'_> {
    /// Draws the line from the moment before.
    fn add_to_trail(&self, canvas: &mut Canvas, index: usize) {
        if index > 0 {
            let poses = [index - 1, index].map(|i| self.simulation.moments[i].pose);
            let line = poses.map(|pose| self.view.point(pose.position));
            canvas.stroke(&line, self.view.width(0.12, 1.0, 2.0), colour(&poses[1]));
        }
    }

    fn picture(&self, trail: &Canvas, moment: &Moment) -> RgbImage {
        let mut canvas = trail.clone();
        self.doors(&mut canvas, moment.time);
        if let Some(goal) = moment.destination {
            let arm = self.view.width(0.5, 4.0, 7.0);
            canvas.cross(self.view.point(goal), arm, 2.0, ROUTE);
        }
        self.body(&mut canvas, &moment.pose);
        let (agent, activity) = (&self.simulation.agent, moment.pose.activity.name());
        let caption = format!("{agent}  {:.1} s  {activity}", moment.time);
        let below = Vec2::new(6.0, self.height as f32 + 4.0);
        canvas.text(below, 2, &caption, TEXT);
        canvas.into_image()
    }

    /// Draws open doors as outlines, and fills those that are closed at a time.
    fn doors(&self, canvas: &mut Canvas, time: f64) {
        let mut doors = Doors::from_mesh(self.mesh);
        for (_, what) in (self.simulation.occurrences.iter()).filter(|(at, _)| *at <= time) {
            // The simulation has found doors of these names.
            match what {
                Occurrence::Commanded(AgentCommand::CloseDoor(name)) => drop(doors.close(name)),
                Occurrence::Commanded(AgentCommand::OpenDoor(name)) => drop(doors.open(name)),
                _ => {}
            }
        }
        for door in self.mesh.doors() {
            let [min, max] = [door.min, door.max].map(|corner| self.view.point(corner));
            if doors.is_closed(&door.marker.name) == Some(true) {
                canvas.rect(min.min(max), min.max(max), DOOR);
            } else {
                canvas.frame(min, max, 1.0, DOOR);
            }
        }
    }

    fn body(&self, canvas: &mut Canvas, pose: &Pose) {
        let [width, height] = self.layer.profile().body;
        let pixels = self.view.scale / self.view.grid.spacing;
        let feet = self.view.point(pose.position);
        let (half, tall) = ((0.5 * width * pixels).max(1.5), (height * pixels).max(3.0));
        let (min, max) = (feet - Vec2::new(half, tall), feet + Vec2::new(half, 0.0));
        canvas.rect(min, max, colour(pose));
        // An eye shows the direction it faces.
        let side = match pose.facing {
            Facing::Left => -0.45,
            Facing::Right => 0.45,
        };
        let eye = feet + Vec2::new(side * half, -0.72 * tall);
        canvas.disc(eye, (0.22 * half).max(1.0), BACKGROUND);
    }

    /// A picture that contains every colour of the film.
    fn everything(&self, background: &Canvas) -> RgbImage {
        let mut canvas = background.clone();
        for (i, moment) in self.simulation.moments.iter().enumerate() {
            self.add_to_trail(&mut canvas, i);
            if i % 8 == 0 {
                self.body(&mut canvas, &moment.pose);
            }
        }
        match self.simulation.moments.last() {
            Some(last) => self.picture(&canvas, last),
            None => canvas.into_image(),
        }
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

/// The colours of a film. The last one is transparent: a pixel that did not
/// change.
struct Palette {
    colours: Vec<[u8; 3]>,
    known: BTreeMap<[u8; 3], u8>,
}

impl Palette {
    /// The most frequent colours of a picture, and those of the parts of the
    /// film that may be small in it.
    fn of(image: &RgbImage) -> Self {
        let mut count: BTreeMap<[u8; 3], u32> = BTreeMap::new();
        for pixel in image.pixels() {
            *count.entry(pixel.0).or_default() += 1;
        }
        // 2^30 is more than a picture has pixels, so these come first.
        for colour in [
            BACKGROUND, SOLID, FLOOR, RUN, JUMP, DROP, FLY, INSIDE, REST, ROUTE, TEXT, DOOR,
        ] {
            *count.entry(colour.bytes()).or_default() += 1 << 30;
        }
        let mut colours: Vec<_> = count.into_iter().collect();
        colours.sort_by_key(|(colour, count)| (std::cmp::Reverse(*count), *colour));
        let frequent = colours.into_iter().take(COLOURS - 1);
        Self {
            colours: frequent.map(|(colour, _)| colour).collect(),
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
