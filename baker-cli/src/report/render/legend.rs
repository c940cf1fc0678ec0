//! The legend: what the colours of a picture mean.

use std::collections::BTreeMap;

use glam::Vec2;

use super::canvas::text_width;
use super::list::{Form, Mark, Shape, Size};
use super::palette::TEXT;
use crate::report::format::grouped;

/// How an entry shows its colour.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Sample {
    Dot,
    Line,
    Arrow,
}

fn sample(shape: &Shape) -> Sample {
    match shape.form {
        Form::Lines { head: Some(_), .. } => Sample::Arrow,
        Form::Lines { .. } => Sample::Line,
        _ => Sample::Dot,
    }
}

/// The strip below a picture of a size: a title, and the named shapes wrapped to
/// its width, each name once, with the sum of their numbers. Returns its shapes in pixels of
/// the picture, and the height of both.
pub fn legend(title: String, shapes: &[Shape], [width, top]: [u32; 2]) -> (Vec<Shape>, u32) {
    let mut entries: Vec<&Shape> = Vec::new();
    let mut counts: BTreeMap<&str, Option<usize>> = BTreeMap::new();
    for shape in shapes.iter().filter(|shape| !shape.name.is_empty()) {
        let sum = counts.entry(&shape.name).or_insert_with(|| {
            entries.push(shape);
            None
        });
        *sum = shape.count.map(|count| sum.unwrap_or(0) + count);
    }
    entries.sort_by_key(|shape| sample(shape));
    let (width, top) = (width as f32, top as f32);
    let is_large = width >= 1000.0 && text_width(&title, 24) + 24.0 <= width;
    let height = if is_large { 24 } else { 16 };
    // Half the height of a line, of which all distances are multiples.
    let unit = 0.5 * height as f32;
    let mut at = Vec2::new(unit, top + 3.0 * unit);
    let mut texts = vec![(at, 0.0, title)];
    let separator = vec![[0.0, top, width, top + 2.0]];
    let mut drawn = vec![Shape::areas("", TEXT.faint(0.25), separator)];
    at.y += 3.0 * unit;
    for shape in entries {
        let count = counts[&*shape.name].map(|count| format!(" {}", grouped(count as u64)));
        let text = format!("{}{}", shape.name, count.unwrap_or_default());
        let takes = 3.0 * unit + text_width(&text, height);
        if at.x > unit && at.x + takes > width {
            at = Vec2::new(unit, at.y + 2.5 * unit);
        }
        let from = at - Vec2::new(0.0, unit);
        let line = vec![from, from + Vec2::new(2.2 * unit, 0.0)];
        let [small, medium, large] = [0.2, 0.4, 0.9].map(|part| Size::fixed(part * unit));
        let paint = shape.paint.colour.solid();
        drawn.push(match sample(shape) {
            Sample::Dot => {
                Shape::marks("", paint, Mark::Disc, vec![from.midpoint(line[1])], medium)
            }
            Sample::Line => Shape::lines("", paint, vec![line], small),
            Sample::Arrow => Shape::arrows("", paint, vec![line], [small, large]),
        });
        texts.push((at + Vec2::new(3.0 * unit, 0.0), 0.0, text));
        at.x += takes + 2.0 * unit;
    }
    drawn.push(Shape::new("", TEXT.solid(), Form::Labels { texts, height }));
    (drawn, (at.y + unit) as u32)
}
