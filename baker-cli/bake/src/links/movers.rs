//! Platforms that move by a schedule, as markers of a level describe them.

use std::collections::BTreeSet;

use glam::{DVec2, Vec2};
use navmesh_runtime::mesh::{Marker, MovingPlatform, Schedule, TICKS};

use crate::layout::Layout;
use crate::level::Rect;
use crate::portal_pairs::line_points;

/// The class of markers that are platforms that move.
pub const MOVING_PLATFORM: &str = "moving_platform";

/// The class of markers that are ways of platforms.
pub const PLATFORM_PATH: &str = "platform_path";

/// Most boxes around what a platform passes. On longer slanted ways they are larger.
const MAX_BOXES: usize = 4096;

/// A smooth stretch is this many straight pieces, which are at most 0.3 % of its length beside
/// the curve.
const SMOOTH_PIECES: u32 = 16;

/// A platform that moves, as the level describes it: in pixels, in the mesh's direction of y.
#[derive(Debug, Clone, PartialEq)]
pub struct Mover {
    /// The index of its marker.
    pub marker: usize,
    /// Width and height.
    pub size: Vec2,
    /// Whether it carries only bodies that come from above.
    pub one_way: bool,
    /// Where the left end of its top is.
    pub schedule: Schedule,
    /// Its greatest speed.
    pub speed: f64,
}

/// The platforms of a level that move, and what is wrong with those that do not. Markers are
/// in units of which `scale` are one unit of the game. Their positions are multiples of
/// `quantum`.
pub fn movers(markers: &[Marker], scale: f64, quantum: f64) -> Vec<(usize, Result<Mover, String>)> {
    let own = markers.iter().enumerate();
    own.filter(|(_, marker)| is_class(marker, MOVING_PLATFORM))
        .map(|(index, _)| (index, mover(markers, index, scale, quantum)))
        .collect()
}

fn is_class(marker: &Marker, class: &str) -> bool {
    marker.class.trim().eq_ignore_ascii_case(class)
}

/// The points of the line that a platform follows: its own, or those of the marker that its
/// property `path` names.
fn way(markers: &[Marker], own: &Marker) -> Result<Vec<Vec2>, String> {
    let points = line_points(own);
    let Some(path) = own.property("path").filter(|path| !path.is_empty()) else {
        return match points.len() {
            0 | 1 => Err("it has no way: `path` must name a line of class `platform_path`".into()),
            _ => Ok(points),
        };
    };
    let is_named = |marker: &&Marker| {
        let names = [
            Some(marker.name.as_str()),
            marker.property("id"),
            marker.property("iid"),
        ];
        is_class(marker, PLATFORM_PATH) && names.contains(&Some(path))
    };
    let points = markers.iter().find(is_named).map(line_points);
    points
        .filter(|points| points.len() > 1)
        .ok_or_else(|| format!("its `path` {path:?} is no line of class `platform_path`"))
}

fn mover(markers: &[Marker], index: usize, scale: f64, quantum: f64) -> Result<Mover, String> {
    let own = &markers[index];
    let mut stops: Vec<DVec2> = way(markers, own)?.iter().map(|at| at.as_dvec2()).collect();
    if own.size.min_element() <= 0.0 {
        return Err("it must be a rectangle".into());
    }
    choice(own.property("starts"), "starts", &["always"])?;
    let is_loop = choice(own.property("mode"), "mode", &["ping_pong", "loop"])? == "loop";
    let is_smooth = choice(own.property("ease"), "ease", &["linear", "smooth"])? == "smooth";
    let pause = seconds(own.number("pause"), "pause", 0.0)?;
    let phase = seconds(own.number("phase"), "phase", -600.0)?;
    stops.extend(is_loop.then_some(stops[0]));
    stops.dedup();
    if stops.len() < 2 {
        return Err("its way is a point".into());
    }
    let lengths = stops.windows(2).map(|ends| ends[0].distance(ends[1]));
    let mut times = times(own, &lengths.collect::<Vec<_>>(), scale)?;
    if !is_loop {
        times.extend_from_within(..);
        let back = times.len() / 2;
        times[back..].reverse();
        stops.extend(stops.clone().into_iter().rev().skip(1));
    }
    let first = stops[0];
    for stop in &mut stops {
        let offset = ((*stop - first) / quantum).round() * quantum;
        *stop = own.position.as_dvec2() + offset;
    }
    let pieces = if is_smooth { SMOOTH_PIECES } else { 1 };
    let (mut tick, mut keys, mut fastest) = (0.0, vec![(0, stops[0].as_vec2())], 0.0_f64);
    for (ends, time) in stops.windows(2).zip(times) {
        let waits = (pause * TICKS).round();
        if waits > 0.0 {
            tick += waits;
            keys.push((tick as u32, ends[0].as_vec2()));
        }
        let ticks = (time * TICKS).round().max(1.0);
        let pieces = f64::from(pieces).min(ticks);
        for piece in 1..=pieces as u32 {
            let part = f64::from(piece) / pieces;
            let key = (tick + (part * ticks).round()) as u32;
            let way = if is_smooth {
                part * part * (3.0 - 2.0 * part)
            } else {
                part
            };
            let at = ends[0].lerp(ends[1], way).as_vec2();
            let &(before, from) = keys.last().unwrap_or(&(0, at));
            fastest = fastest.max(f64::from(from.distance(at)) / f64::from(key - before) * TICKS);
            keys.push((key, at));
        }
        tick += ticks;
    }
    if !(1.0..=f64::from(MovingPlatform::MAX_PERIOD)).contains(&tick) {
        return Err("its period must be at most ten minutes".into());
    }
    Ok(Mover {
        marker: index,
        size: own.size,
        one_way: own.flag("one_way").unwrap_or(false),
        schedule: Schedule {
            keys,
            phase: (phase * TICKS).round().rem_euclid(tick) as u32,
        },
        speed: fastest,
    })
}

/// A property that is one of some words, or none for the first of them.
fn choice<'a>(text: Option<&str>, name: &str, words: &[&'a str]) -> Result<&'a str, String> {
    let text = text.unwrap_or_default().trim();
    let known = words.iter().find(|word| word.eq_ignore_ascii_case(text));
    match known {
        Some(word) => Ok(word),
        None if text.is_empty() => Ok(words[0]),
        None => {
            let words = words.iter().map(|word| format!("\"{word}\""));
            let words = words.collect::<Vec<_>>().join(" and ");
            Err(format!(
                "its `{name}` {text:?} is not supported, only {words}"
            ))
        }
    }
}

fn seconds(number: Option<f32>, name: &str, least: f64) -> Result<f64, String> {
    let seconds = f64::from(number.unwrap_or(0.0));
    let is_valid = (least..=600.0).contains(&seconds);
    is_valid
        .then_some(seconds)
        .ok_or_else(|| format!("its `{name}` must be seconds, at most 600"))
}

/// The seconds for each stretch of a way with these lengths: its `time`, one for all or one for
/// each, or by its `speed`.
fn times(own: &Marker, lengths: &[f64], scale: f64) -> Result<Vec<f64>, String> {
    let text = own.property("time").unwrap_or_default();
    let words = text.split([',', ' ']).filter(|word| !word.is_empty());
    let times: Vec<f64> = words.map(|word| word.parse().unwrap_or(f64::NAN)).collect();
    let speed = f64::from(own.number("speed").unwrap_or(0.0)) * scale;
    let times = match times.len() {
        0 if speed > 0.0 && speed.is_finite() => lengths.iter().map(|own| own / speed).collect(),
        0 => return Err("its `speed` must be above 0, in units per second".into()),
        1 => vec![times[0]; lengths.len()],
        _ => times,
    };
    let are_valid =
        times.len() == lengths.len() && times.iter().all(|own| (1e-3..=600.0).contains(own));
    are_valid.then_some(times).ok_or_else(|| {
        let count = lengths.len();
        format!("its way must be {count} times of at most 600 seconds, in `time` or by its `speed`")
    })
}

/// Where platforms pass, in level pixels, but for one of them.
pub fn swept(movers: &[Mover], but: Option<usize>, layout: &Layout) -> Vec<Rect> {
    let down = f64::from(layout.units.y_axis.down());
    let (mut rects, mut known) = (Vec::new(), BTreeSet::new());
    let others = movers.iter().filter(|mover| Some(mover.marker) != but);
    for mover in others {
        let most = (MAX_BOXES / mover.schedule.keys.len()).max(1) as f64;
        for ends in mover.schedule.keys.windows(2) {
            let [from, to] = [ends[0].1, ends[1].1].map(|at| in_level(at.as_dvec2(), down));
            let way = (to - from).abs();
            // Boxes around short pieces of a slanted way are hardly larger than what is passed.
            let parts = if way.min_element() > 0.0 {
                (way.max_element() / (0.25 * layout.detail))
                    .ceil()
                    .min(most)
            } else {
                1.0
            };
            for part in 0..parts as u32 {
                let [a, b] = [part, part + 1].map(|i| from.lerp(to, f64::from(i) / parts));
                let rect = Rect::new(a.min(b), a.max(b) + mover.size.as_dvec2());
                let bits = [rect.min, rect.max].map(|at| at.to_array().map(f64::to_bits));
                if known.insert(bits) {
                    rects.push(rect);
                }
            }
        }
    }
    rects
}

/// A point in level pixels, y down.
pub fn in_level(at: DVec2, down: f64) -> DVec2 {
    DVec2::new(at.x, at.y * down)
}
