//! The legend: what the colours of a picture mean.

use glam::Vec2;

use super::canvas::text_width;
use super::list::{Colour, Form, Shape, Size};
use super::palette::TEXT;
use crate::report::format::{grouped, label};

/// How an entry shows its colour.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Sample {
    Dot,
    Line,
    Arrow,
}

struct Entry {
    sample: Sample,
    colour: Colour,
    name: &'static str,
    count: u64,
}

/// The shapes with a name, each name once.
fn entries(shapes: &[Shape]) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    for shape in shapes.iter().filter(|shape| !shape.name.is_empty()) {
        let sample = match shape.form {
            Form::Lines { head: Some(_), .. } => Sample::Arrow,
            Form::Lines { .. } => Sample::Line,
            _ => Sample::Dot,
        };
        let (name, colour) = (shape.name, shape.paint.colour);
        match entries.iter_mut().find(|entry| entry.name == name) {
            Some(entry) => entry.count += shape.count,
            None => entries.push(Entry {
                sample,
                colour,
                name,
                count: shape.count,
            }),
        }
    }
    entries.sort_by_key(|entry| entry.sample);
    entries
}

/// The strip below a picture of a size: a title, and the named shapes wrapped to
/// its width. Returns its shapes in pixels of the picture, and the height of
/// both.
pub fn legend(title: String, shapes: &[Shape], [width, top]: [u32; 2]) -> (Vec<Shape>, u32) {
    let fits = text_width(&title, 24) + 24.0 <= width as f32;
    let height = if width >= 1000 && fits { 24 } else { 16 };
    // Half the height of a line, which all distances are multiples of.
    let unit = 0.5 * height as f32;
    let mut at = Vec2::new(unit, top as f32 + 3.0 * unit);
    let mut texts = vec![(at, title)];
    let mut drawn = vec![separator([width as f32, top as f32])];
    at.y += 3.0 * unit;
    for entry in entries(shapes) {
        let mut text = label(entry.name);
        if entry.count > 0 {
            text = format!("{text} {}", grouped(entry.count));
        }
        let takes = 3.0 * unit + text_width(&text, height);
        if at.x > unit && at.x + takes > width as f32 {
            at = Vec2::new(unit, at.y + 2.5 * unit);
        }
        let middle = at - Vec2::new(0.0, unit);
        drawn.push(sample(&entry, middle, unit));
        texts.push((at + Vec2::new(3.0 * unit, 0.0), text));
        at.x += takes + 2.0 * unit;
    }
    let texts = Form::Labels { texts, height };
    drawn.push(Shape::new("legend", TEXT.solid(), texts));
    (drawn, (at.y + unit) as u32)
}

fn separator([width, top]: [f32; 2]) -> Shape {
    let line = Form::Areas {
        rects: vec![[0.0, top, width, top + 2.0]],
    };
    Shape::new("legend", TEXT.faint(0.25), line)
}

fn sample(entry: &Entry, from: Vec2, unit: f32) -> Shape {
    let to = from + Vec2::new(2.2 * unit, 0.0);
    let form = if entry.sample == Sample::Dot {
        Form::discs(vec![from.midpoint(to)], Size::fixed(0.4 * unit))
    } else {
        let head = (entry.sample == Sample::Arrow).then_some(Size::fixed(0.9 * unit));
        Form::Lines {
            lines: vec![vec![from, to]],
            width: Size::fixed(0.2 * unit),
            head,
            dash: None,
        }
    };
    Shape::new("legend", entry.colour.solid(), form)
}
