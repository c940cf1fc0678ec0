//! Collision bitmaps: a pixel is a unit of the level, and its colour says what
//! is there: black is solid, white empty, red hazard, blue one-way, green ladder,
//! and rules `color:` of the configuration come before that.

use crate::source::level_file::LevelFile;
use std::collections::HashMap;

use glam::DAffine2;
use image::DynamicImage;

use super::color::Color;
use super::error::{Guess, SourceError};
use super::files::{LevelBytes, check_size, input};
use super::limits::MAX_FILE_BYTES;
use super::picture::{PLAIN, Picture, decode};
use super::rule::{Rule, Rules};
use super::words;
use navmesh_bake::{Collision, Level, Material, PassDirection, PixelMap};

/// The most unknown colours that are counted. A bitmap with more is a picture,
/// not a level, and one with a colour for each pixel must not fill the memory.
const MAX_UNKNOWN_COLORS: usize = 4096;

/// Rows whose colours are converted at a time: the bitmap itself may have one bit
/// a pixel, and its colours have 32.
const BAND: u32 = 64;

/// How many of the unknown colours an error lists.
const MAX_LISTED_COLORS: usize = 5;

/// How many colours a decision lists, and a drawing has: pictures of terrain have
/// thousands.
const MAX_DECIDED_COLORS: usize = 32;

/// Beyond this part of black, white is probably the wall. Of 40 real bitmaps with
/// black walls, none has more than 0.93; three with white walls on a canvas that is
/// too large have more than 0.98.
const INVERTED: f64 = 0.95;

/// So few pixels of a hazard, a ladder or a platform mostly mark places.
const MAX_MARK: u64 = 64;

/// Black that is the air of a picture has at least this part of it. Outlines and shadows
/// have less.
const MIN_SKY: f64 = 0.25;

/// Reads a PNG.
pub fn read(file: LevelBytes<'_>, rules: &Rules) -> Result<LevelFile, SourceError> {
    let LevelBytes { name, bytes, files } = file;
    check_size(name, bytes.len() as u64, MAX_FILE_BYTES)?;
    let image = decode(name, bytes)?;
    let (width, height) = (image.width(), image.height());
    let mut painter = Painter {
        file: name,
        rules,
        pixels: PixelMap::empty(width, height),
        found: Vec::new(),
        index: HashMap::new(),
        unknown: 0,
        overflowed: false,
    };
    for top in (0..height).step_by(BAND as usize) {
        let colors = colors(&image, top, BAND.min(height - top));
        for (row, colors) in (top..).zip(colors.chunks(width as usize)) {
            painter.row(row, colors);
        }
    }
    painter.check()?;
    let (decision, unused_rules) = (painter.decision(), painter.unused_rules());
    let warnings = painter.warnings();
    let pixels = painter.pixels;
    let source = name.rsplit('/').next().unwrap_or(name);
    let collision = Collision::Pixels(pixels);
    let mut level = Level::in_memory(source, collision, f64::from(width), f64::from(height));
    level.origins = vec!["bitmap".to_owned()];
    let mut level = LevelFile::new(level, vec![input(files, name)]);
    level.decisions = vec![decision];
    level.warnings = warnings;
    level.note_unused_rules(unused_rules);
    Ok(level)
}

/// The colours of some rows of a bitmap. Greys, as in most bitmaps, are copied:
/// the image library converts them by their colour space, which took an eighth of
/// the time of a bake.
fn colors(image: &DynamicImage, top: u32, rows: u32) -> Vec<[u8; 4]> {
    let width = image.width();
    if let DynamicImage::ImageLuma8(image) = image {
        let greys = image.as_raw().iter().skip(top as usize * width as usize);
        let greys = greys.take(rows as usize * width as usize);
        return greys.map(|&grey| [grey, grey, grey, 255]).collect();
    }
    let band = image.crop_imm(0, top, width, rows).into_rgba8();
    band.as_raw().as_chunks::<4>().0.to_vec()
}

/// Draws the bitmap itself.
pub fn draw(name: &str, bytes: &[u8], picture: &mut Picture<'_>) -> Result<(), SourceError> {
    let image = decode(name, bytes)?.into_rgba8();
    let (width, height) = image.dimensions();
    picture.draw(&image, [0, 0, width, height], &DAffine2::IDENTITY, PLAIN);
    Ok(())
}

/// What a rule says of a colour: `None` for empty space.
type Meaning = Option<Material>;

/// The meaning of a colour: `None` when it has none, `Some(None)` for empty
/// space.
fn meaning(rules: &Rules, color: Color) -> Option<Meaning> {
    let configured = |wanted: Rule| {
        let mut rules = rules.by_strength();
        rules.find_map(|(material, rule)| (*rule == wanted).then_some(material))
    };
    if color.0[3] == 0 {
        return Some(None);
    }
    let known = configured(Rule::Color(color)).or(default_meaning(color));
    known.or_else(|| configured(Rule::AnyColor))
}

/// The meaning of a colour without any rule.
fn default_meaning(color: Color) -> Option<Meaning> {
    match color.0 {
        [0, 0, 0, 255] => Some(Some(Material::Solid)),
        [.., 0] | [255, 255, 255, 255] => Some(None),
        [255, 0, 0, 255] => Some(Some(Material::Hazard)),
        [0, 0, 255, 255] => Some(Some(Material::OneWay(PassDirection::Up))),
        [0, 255, 0, 255] => Some(Some(Material::Ladder)),
        _ => None,
    }
}

/// A colour of the bitmap.
struct Found {
    color: Color,
    /// As [`meaning`] returns it.
    meaning: Option<Meaning>,
    /// How many pixels have it.
    count: u64,
    /// How many of them are in the lowest third, and in the lowest row.
    low: u64,
    floor: u64,
    /// Column and row of the first of them.
    first: [u32; 2],
}

/// A colour with less than this part of the pixels is no ground.
const MIN_GROUND: f64 = 0.05;

/// The colour that lies lowest: skies have more pixels than ground. Of equal
/// ones, the first.
fn likely_ground<'f>(among: &[&'f Found]) -> Option<&'f Found> {
    let total = pixels(among.iter().copied());
    let share = |found: &Found| found.low as f64 / found.count.max(1) as f64;
    let large = |found: &&&Found| found.count as f64 >= MIN_GROUND * total as f64;
    // Of equal ones, the last is the greatest.
    let large = among.iter().rev().filter(large).copied();
    let lowest = large.max_by(|a, b| share(a).total_cmp(&share(b)));
    lowest.or(among.first().copied())
}

/// In a bitmap with a transparent background, black is the ground if this part of the
/// rest is black, else it is a picture. Of 15 real pictures of terrain with much black, it
/// is at most 0.51, of three black drawings with soft edges at least 0.63.
const MASK: f64 = 0.6;

/// How many pixels have one of some colours.
fn pixels<'f>(among: impl Iterator<Item = &'f Found>) -> u64 {
    among.map(|found| found.count).sum()
}

const BLACK: Color = Color([0, 0, 0, 255]);
const WHITE: Color = Color([255, 255, 255, 255]);

/// The rule about a colour, or about all others.
fn rule(color: impl std::fmt::Display) -> String {
    format!("color:{color}")
}

/// Fills the bit planes, run by run.
struct Painter<'r> {
    file: &'r str,
    rules: &'r Rules,
    pixels: PixelMap,
    /// In order of first appearance; looked up through `index`.
    found: Vec<Found>,
    index: HashMap<[u8; 4], usize>,
    unknown: usize,
    /// There were more unknown colours than are counted.
    overflowed: bool,
}

impl Painter<'_> {
    /// Paints a row. Colours are looked up once for each run, because runs of
    /// one colour are long.
    fn row(&mut self, row: u32, colors: &[[u8; 4]]) {
        let mut from = 0;
        for run in colors.chunk_by(|a, b| a == b) {
            let to = from + run.len() as u32;
            if let Some(index) = self.number(run[0], [from, row]) {
                let found = &mut self.found[index];
                let (length, rows) = (u64::from(to - from), self.pixels.solid.rows());
                found.count += length;
                found.low += length * u64::from(u64::from(row) * 3 >= u64::from(rows) * 2);
                found.floor += length * u64::from(row + 1 == rows);
                if let Some(Some(material)) = found.meaning {
                    self.pixels.plane_mut(material).set_run(row, from, to);
                }
            }
            from = to;
        }
    }

    /// The number of a colour in `found`, to which new ones are added, unless
    /// too many are unknown already.
    fn number(&mut self, rgba: [u8; 4], first: [u32; 2]) -> Option<usize> {
        if let Some(&index) = self.index.get(&rgba) {
            return Some(index);
        }
        let color = Color(rgba);
        let meaning = meaning(self.rules, color);
        if meaning.is_none() {
            if self.unknown == MAX_UNKNOWN_COLORS {
                self.overflowed = true;
                return None;
            }
            self.unknown += 1;
        }
        let index = self.found.len();
        self.found.push(Found {
            color,
            meaning,
            count: 0,
            low: 0,
            floor: 0,
            first,
        });
        self.index.insert(rgba, index);
        Some(index)
    }

    /// An error when colours have no meaning.
    fn check(&self) -> Result<(), SourceError> {
        let mut unknown: Vec<&Found> = self.found.iter().collect();
        unknown.retain(|found| found.meaning.is_none());
        let Some(first) = unknown.first().map(|found| found.first) else {
            return Ok(());
        };
        unknown.sort_by_key(|found| (std::cmp::Reverse(found.count), found.color));
        let guess = self.guess(&unknown);
        let shown = unknown.iter().take(MAX_LISTED_COLORS);
        let shown = shown.map(|found| format!("{} ({} pixels)", found.color, found.count));
        let mut common: Vec<String> = shown.collect();
        if unknown.len() > MAX_LISTED_COLORS {
            common.push("...".to_owned());
        }
        Err(SourceError::UnknownColors {
            file: self.file.to_owned(),
            distinct: unknown.len(),
            more: self.overflowed,
            first,
            common,
            guess: Box::new(guess),
        })
    }

    /// What is probably solid, and what is not, when colours have no meaning.
    fn guess(&self, unknown: &[&Found]) -> Guess {
        let solid = self.pixels.solid.count_ones();
        let clear = self.found.iter().filter(|found| found.color.0[3] == 0);
        let opaque = self.all() - pixels(clear);
        let is_cut_out = opaque as f64 <= (1.0 - MIN_GROUND) * self.all() as f64;
        // Of a picture with too many colours, not all are in the list.
        let known = self.found.iter().filter(|found| found.meaning.is_some());
        let others = self.all() - pixels(known);
        let (marks, parts): (Vec<&Found>, Vec<_>) =
            unknown.iter().partition(|found| self.is_mark(found));
        // Where all others mark places, the ground has a colour that means something else.
        let is_wall = |found: &&Found| found.meaning.flatten().is_some() && self.is_default(found);
        let has_marks_only = parts.is_empty()
            && solid == 0
            && marks.len() <= MAX_DECIDED_COLORS
            && self.found.iter().any(|found| is_wall(&found));
        let known = self.found.iter();
        let known = known.filter(|f| f.color == BLACK || has_marks_only && is_wall(f));
        let colors: Vec<&Found> = unknown.iter().copied().chain(known).collect();
        let ground = likely_ground(&colors).map_or(BLACK, |found| found.color);
        let is_black = if is_cut_out {
            solid as f64 >= MASK * (solid + others) as f64
        } else {
            solid >= others || ground == BLACK
        };
        // Where all else has one colour, black may be the air.
        let drawn = unknown.first().map_or(0, |found| found.count);
        let is_mask = self.default(BLACK).is_some()
            && drawn as f64 >= (1.0 - MIN_GROUND) * (self.all() - solid) as f64;
        // A few large areas and some single pixels are tiles and creatures.
        let has_few = (1..=MAX_LISTED_COLORS).contains(&parts.len());
        let all_parts = || parts.iter().map(|found| rule(found.color)).collect();
        let (reason, rules, empty) = if let Some((wall, reason)) = self.inverted() {
            (reason, vec![rule(wall)], vec![rule(BLACK), rule("*")])
        } else if !is_cut_out && self.is_sky_black() {
            let number = self.all() - solid;
            let reason = format!("{number} pixels are not black, which is probably the air");
            if has_few {
                (reason, all_parts(), vec![rule(BLACK), rule("*")])
            } else {
                (reason, vec![rule("*")], vec![rule(BLACK)])
            }
        } else if is_black {
            let (all, black) = (rule("*"), rule(BLACK));
            let unless = format!(
                ", unless black is the air: then solid = [\"{all}\"] and empty = [\"{black}\"]"
            );
            let unless = if is_mask { &*unless } else { "" };
            let reason = format!("{solid} pixels are solid already{unless}");
            (reason, Vec::new(), vec![rule("*")])
        } else if is_cut_out && has_few && (1..MAX_DECIDED_COLORS).contains(&marks.len()) {
            let reason = format!(
                "{opaque} pixels are not transparent, and single ones probably mark places"
            );
            (reason, all_parts(), vec![rule("*")])
        } else if is_cut_out && !has_marks_only {
            let reason = format!("{opaque} pixels are not transparent");
            // Where the sky is transparent, white is a part of the picture. Of many
            // colours, red, green and blue are too.
            let has_many = unknown.len() > MAX_DECIDED_COLORS;
            let parts = self.found.iter().filter(|found| {
                let is_part = found.color == WHITE || has_many && found.color.0[3] > 0;
                is_part && found.color != BLACK && self.is_default(found)
            });
            let parts = parts.map(|found| rule(found.color));
            let rules = std::iter::once(rule("*")).chain(parts);
            (reason, rules.collect(), Vec::new())
        } else {
            let reason = format!("of the large areas, that of {ground} lies lowest");
            // Grass lies as low as what it grows on.
            let low = parts.iter().filter(|found| found.low * 2 > found.count);
            let low = low
                .map(|found| found.color)
                .filter(|color| *color != ground);
            let rules = std::iter::once(ground).chain(low).take(MAX_LISTED_COLORS);
            (reason, rules.map(rule).collect(), vec![rule("*")])
        };
        Guess {
            reason,
            rules,
            empty,
        }
    }

    /// The colour that is probably the wall where black is the air, and why: a level has a
    /// floor, and what a mask shows is white. Nothing but black and a hazard, a ladder or a
    /// platform is no level either.
    fn inverted(&self) -> Option<(Color, String)> {
        let black = self.default(BLACK)?;
        let walls = self.found.iter().filter(|found| self.is_default(found));
        let walls = walls.filter(|found| found.color != BLACK && found.color.0[3] > 0);
        let wall = walls.max_by_key(|found| (found.color == WHITE, found.count))?;
        let share = self.share(black.count);
        let is_two = self.share(black.count + wall.count) >= 1.0 - MIN_GROUND;
        let (shown, is_inverted) = if wall.color == WHITE {
            let is_open = share > 0.5 && !self.is_floor(black.floor);
            let name = self.file.rsplit('/').next().unwrap_or_default();
            let is_mask = is_two && words::has_word(name, "mask masque");
            ("white".to_owned(), is_open || share > INVERTED || is_mask)
        } else {
            let is_open = share > 0.5 || self.is_floor(wall.floor);
            (wall.color.to_string(), is_two && is_open)
        };
        let percent = share * 100.0;
        let reason = format!(
            "{shown} is probably the wall and black, {percent:.0} % of the bitmap, the air"
        );
        is_inverted.then_some((wall.color, reason))
    }

    /// Whether black is probably the air of a picture: a large part of it, where most of
    /// the lowest row has colours without a meaning.
    fn is_sky_black(&self) -> bool {
        let known = self.found.iter().filter(|found| found.meaning.is_some());
        let known: u64 = known.map(|found| found.floor).sum();
        let white = self.default(WHITE).map_or(0, |found| found.count);
        let is_sky = |black: &Found| self.share(black.count) >= MIN_SKY && black.count > white;
        let columns = u64::from(self.pixels.solid.columns());
        self.default(BLACK).is_some_and(is_sky) && self.is_floor(columns - known)
    }

    /// What has a colour, if no rule says what it is.
    fn default(&self, color: Color) -> Option<&Found> {
        let mut found = self.found.iter();
        found.find(|found| found.color == color && self.is_default(found))
    }

    /// Whether so many pixels of the lowest row are most of it.
    fn is_floor(&self, pixels: u64) -> bool {
        pixels > u64::from(self.pixels.solid.columns()) / 2
    }

    /// Whether so few pixels have a colour that it probably marks places.
    fn is_mark(&self, found: &Found) -> bool {
        found.count <= MAX_MARK && found.count * 50 < self.all()
    }

    /// The part of all pixels that this number is.
    fn share(&self, number: u64) -> f64 {
        number as f64 / self.all() as f64
    }

    /// Whether no rule says what a colour is.
    fn is_default(&self, found: &Found) -> bool {
        let wanted = Rule::Color(found.color);
        let is_ruled = self.rules.by_strength().any(|(_, rule)| *rule == wanted);
        default_meaning(found.color).is_some() && !is_ruled
    }

    /// How many pixels there are.
    fn all(&self) -> u64 {
        u64::from(self.pixels.solid.columns()) * u64::from(self.pixels.solid.rows())
    }

    /// Warnings about meanings that are probably not meant.
    fn warnings(&self) -> Vec<String> {
        let mut problems = Vec::new();
        let inverted = self.inverted();
        if let Some((wall, reason)) = &inverted {
            problems.push(format!(
                "black is solid, but {reason}: if so, write solid = [\"{}\"] and empty = [\"{}\"] under [collision]",
                rule(wall),
                rule(BLACK)
            ));
        }
        let all = self.all();
        let is_wall = |color| inverted.as_ref().is_some_and(|(wall, _)| *wall == color);
        for found in self.found.iter().filter(|found| self.is_default(found)) {
            let (color, count) = (found.color, found.count);
            let (meant, list) = if is_wall(color) {
                continue;
            } else if self.is_mark(found) {
                ("marks places", "empty")
            } else if count * 2 > all && self.is_floor(found.floor) {
                ("is ground", "solid")
            } else if count * 2 > all {
                ("is the background", "empty")
            } else if self.found.len() > MAX_DECIDED_COLORS {
                ("is a part of the picture", "solid")
            } else {
                continue;
            };
            let material = found.meaning.flatten();
            if let Some(material) = material.filter(|material| *material != Material::Solid) {
                let (name, rule) = (material.name(), rule(color));
                problems.push(format!(
                    "{color} is {name}, and {count} of {all} pixels have it: if it {meant}, write \
                     {list} = [\"{rule}\"] under [collision]"
                ));
            }
        }
        if self.pixels.solid.count_ones() == 0 {
            let is_part = |found: &&Found| found.color.0[3] > 0 && found.count < all;
            let opaque: Vec<&Found> = self.found.iter().filter(is_part).collect();
            let hint = likely_ground(&opaque).map_or(String::new(), |Found { color, .. }| {
                let rule = rule(color);
                format!("; if {color} is ground, write solid = [\"{rule}\"] under [collision]")
            });
            problems.push(format!("nothing is solid{hint}"));
        }
        let problems = problems.into_iter();
        problems
            .map(|problem| format!("{}: {problem}", self.file))
            .collect()
    }

    /// Rules that match no pixel.
    fn unused_rules(&self) -> Vec<String> {
        let is_unused = |rule: &&Rule| match rule {
            Rule::Color(color) => !self.found.iter().any(|found| found.color == *color),
            rule => **rule != Rule::AnyColor,
        };
        let rules = self.rules.by_strength().map(|(_, rule)| rule);
        rules.filter(is_unused).map(ToString::to_string).collect()
    }

    /// The decision: how many pixels have which meaning.
    fn decision(&self) -> String {
        let mut found: Vec<&Found> = self.found.iter().collect();
        found.sort_by_key(|found| std::cmp::Reverse(found.count));
        let more = found.len().saturating_sub(MAX_DECIDED_COLORS);
        found.truncate(MAX_DECIDED_COLORS);
        found.sort_by_key(|found| found.color);
        let part = |found: &Found| {
            let material = found.meaning.flatten();
            let meaning = material.map_or("empty", Material::name);
            let color = match found.color.0 {
                [.., 0] => "transparent".to_owned(),
                _ => found.color.to_string(),
            };
            format!("{} pixels {meaning} ({color})", found.count)
        };
        let mut parts: Vec<String> = found.into_iter().map(part).collect();
        if more > 0 {
            parts.push(format!("{more} more colours"));
        }
        format!("bitmap: {}", parts.join(", "))
    }
}
