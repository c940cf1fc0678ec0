//! Collision bitmaps: a pixel is a unit of the level, and its colour says what
//! is there: black is solid, white empty, red hazard, blue one-way, green ladder,
//! and rules `color:` of the configuration come before that. Other colours are guessed.

use std::collections::HashMap;
use std::num::NonZeroUsize;

use glam::{DAffine2, DVec2};
use image::DynamicImage;

use super::classify::{Scales, Undecided};
use super::color::Color;
use super::error::SourceError;
use super::files::{LevelBytes, check_size, input};
use super::level_file::LevelFile;
use super::limits::MAX_FILE_BYTES;
use super::picture::{PLAIN, Picture, decode};
use super::rule::{Meaning, Rule, Rules};
use super::words::{cues, has_word, lists};
use navmesh_bake::{Collision, Level, PassDirection, PixelMap, Rect};

/// The most colours that are counted one by one. A bitmap with a colour for each pixel must
/// not fill the memory.
const MAX_COLORS: usize = 4096;

/// A bitmap with more colours without a meaning is a picture, of which all of them are one
/// part.
const MAX_PARTS: usize = 32;

/// Rows whose colours are converted at a time: the bitmap itself may have one bit
/// a pixel, and its colours have 32.
const BAND: u32 = 64;

/// So few pixels of a colour mostly mark places.
const MAX_MARK: u64 = 64;

/// A picture with this part of it transparent is cut out: the rest is ground.
const CUT_OUT: f64 = 0.05;

/// Beyond this part of black, white is probably the wall. Of 40 real bitmaps with
/// black walls, none has more than 0.93; three with white walls on a canvas that is
/// too large have more than 0.98.
const INVERTED: f64 = 0.95;

/// Parts with less doubt are never taken for something else.
const CERTAIN: f64 = 0.02;

/// The most areas of colours that are kept to be drawn.
const MAX_AREAS: usize = 1 << 16;

const BLACK: Color = Color([0, 0, 0, 255]);
const WHITE: Color = Color([255, 255, 255, 255]);

/// Pixels of one colour, or of all colours of a picture.
#[derive(Debug, Default)]
struct Part {
    color: Option<Color>,
    /// By a rule of the configuration; with the rule.
    ruled: Option<Meaning>,
    count: u64,
    /// How many are in the lowest third, in the lowest and in the uppermost row.
    low: u64,
    floor: u64,
    top: u64,
    /// What it is, the reason, and what it may be instead.
    meaning: Meaning,
    why: String,
    otherwise: Vec<Meaning>,
    doubt: f64,
    areas: Vec<Rect>,
}

impl Part {
    /// It may be guessed wrong.
    fn is_open(&self) -> bool {
        self.doubt > CERTAIN
    }
}

/// Reads a PNG.
pub fn read(file: LevelBytes<'_>, rules: &Rules) -> Result<LevelFile, SourceError> {
    let LevelBytes { name, bytes, files } = file;
    check_size(name, bytes.len() as u64, MAX_FILE_BYTES)?;
    let image = decode(name, bytes)?;
    let (width, height) = (image.width(), image.height());
    let mut parts = Parts::count(&image, rules);
    parts.decide(name);
    let pixels = parts.paint(&image);
    let source = name.rsplit('/').next().unwrap_or(name);
    let collision = Collision::Pixels(pixels);
    let mut level = Level::in_memory(source, collision, f64::from(width), f64::from(height));
    level.origins = vec!["bitmap".to_owned()];
    let mut level = LevelFile::new(level, vec![input(files, name)]);
    level.decisions = vec![parts.decision()];
    if !parts
        .all
        .iter()
        .any(|part| part.meaning.carries() && part.count > 0)
    {
        level.warnings = vec![format!("{name}: nothing is solid")];
    }
    level.note_unused_rules(parts.unused_rules(rules));
    level.undecided = parts.undecided(name);
    Ok(level)
}

/// Draws the bitmap itself.
pub fn draw(name: &str, bytes: &[u8], picture: &mut Picture<'_>) -> Result<(), SourceError> {
    let image = decode(name, bytes)?.into_rgba8();
    let (width, height) = image.dimensions();
    picture.draw(&image, [0, 0, width, height], &DAffine2::IDENTITY, PLAIN);
    Ok(())
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

/// Calls `run` with the row, the columns and the colour of each run of one colour.
fn runs(image: &DynamicImage, mut run: impl FnMut(u32, [u32; 2], [u8; 4])) {
    let height = image.height();
    let Some(width) = NonZeroUsize::new(image.width() as usize) else {
        return;
    };
    for top in (0..height).step_by(BAND as usize) {
        let colors = colors(image, top, BAND.min(height - top));
        for (row, colors) in (top..).zip(colors.chunks(width.get())) {
            let mut from = 0;
            for same in colors.chunk_by(|a, b| a == b) {
                let to = from + same.len() as u32;
                run(row, [from, to], same[0]);
                from = to;
            }
        }
    }
}

/// The meaning of a colour without any rule.
const fn default_meaning(color: Color) -> Option<Meaning> {
    match color.0 {
        [.., 0] | [255, 255, 255, 255] => Some(Meaning::Empty),
        [0, 0, 0, 255] => Some(Meaning::Solid),
        [255, 0, 0, 255] => Some(Meaning::Hazard),
        [0, 0, 255, 255] => Some(Meaning::OneWay(PassDirection::Up)),
        [0, 255, 0, 255] => Some(Meaning::Ladder),
        _ => None,
    }
}

/// The colours of a bitmap.
struct Parts {
    all: Vec<Part>,
    index: HashMap<[u8; 4], usize>,
    /// The part of all colours that are not in `index`.
    rest: usize,
    size: [u32; 2],
}

impl Parts {
    fn count(image: &DynamicImage, rules: &Rules) -> Self {
        let size = [image.width(), image.height()];
        let mut parts = Self {
            all: vec![Part::default()],
            index: HashMap::new(),
            rest: 0,
            size,
        };
        let ruled = |wanted: Rule| {
            let mut rules = rules.by_strength();
            rules.find_map(|(meaning, rule)| (*rule == wanted).then_some(meaning))
        };
        let of_rest = ruled(Rule::AnyColor);
        parts.all[0].ruled = of_rest;
        runs(image, |row, [from, to], rgba| {
            let mut at = parts.index.get(&rgba).copied();
            if at.is_none() && parts.all.len() < MAX_COLORS {
                let color = Color(rgba);
                let known = default_meaning(color);
                at = Some(parts.all.len());
                parts.index.insert(rgba, parts.all.len());
                parts.all.push(Part {
                    color: Some(color),
                    ruled: match ruled(Rule::Color(color)) {
                        None if known.is_none() => of_rest,
                        rule => rule.filter(|_| rgba[3] > 0),
                    },
                    ..Part::default()
                });
            }
            let part = &mut parts.all[at.unwrap_or(0)];
            let length = u64::from(to - from);
            part.count += length;
            part.low += length * u64::from(u64::from(row) * 3 >= u64::from(size[1]) * 2);
            part.floor += length * u64::from(row + 1 == size[1]);
            part.top += length * u64::from(row == 0);
        });
        parts.join();
        parts
    }

    /// Makes all colours of a picture one part.
    fn join(&mut self) {
        let is_open = |part: &Part| {
            let known = part.color.and_then(default_meaning);
            part.color.is_some() && part.ruled.is_none() && known.is_none()
        };
        let open = self.all.iter().filter(|part| is_open(part)).count();
        if open <= MAX_PARTS && self.all[0].count == 0 {
            return;
        }
        let (rest, kept) = self.all.split_at_mut(1);
        for part in kept.iter_mut().filter(|part| is_open(part)) {
            rest[0].count += part.count;
            rest[0].low += part.low;
            rest[0].floor += part.floor;
            rest[0].top += part.top;
            part.count = 0;
            let color = part.color.take();
            self.index.remove(&color.unwrap_or_default().0);
        }
    }

    fn total(&self) -> f64 {
        f64::from(self.size[0]) * f64::from(self.size[1])
    }

    fn of(&self, color: Color) -> Option<&Part> {
        self.index.get(&color.0).map(|at| &self.all[*at])
    }

    /// Decides what each part is.
    fn decide(&mut self, name: &str) {
        let facts = PictureFacts::of(self, name);
        let total = self.total();
        for part in &mut self.all {
            let color = part.color.unwrap_or_default();
            if let Some(meaning) = part.ruled {
                part.meaning = meaning;
            } else if part.count > 0 && part.color.is_none_or(|color| color.0[3] > 0) {
                let known = part.color.and_then(default_meaning);
                let scales = match known {
                    Some(meaning) => facts.known(part, color, meaning, total),
                    None => facts.open(part, total),
                };
                let decision = scales.decision();
                (part.meaning, part.why) = (decision.meaning, decision.why);
                (part.otherwise, part.doubt) = (decision.otherwise, decision.doubt);
            }
        }
        if self
            .all
            .iter()
            .any(|part| part.meaning.carries() && part.count > 0)
        {
            return;
        }
        // Of what is open, the part that lies lowest.
        let open = self.all.iter_mut().filter(|part| {
            part.count > 0 && part.is_open() && part.count as f64 >= CUT_OUT * total
        });
        let share = |part: &Part| part.low as f64 / part.count.max(1) as f64;
        if let Some(part) = open.max_by(|a, b| share(a).total_cmp(&share(b))) {
            (part.meaning, part.otherwise) = (Meaning::Solid, vec![Meaning::Empty]);
            part.doubt = 0.5;
            "it lies lowest".clone_into(&mut part.why);
        }
    }

    /// Paints the planes of the level.
    fn paint(&mut self, image: &DynamicImage) -> PixelMap {
        let mut pixels = PixelMap::empty(self.size[0], self.size[1]);
        let mut areas = MAX_AREAS;
        runs(image, |row, [from, to], rgba| {
            let at = self.index.get(&rgba).copied().unwrap_or(self.rest);
            let part = &mut self.all[at];
            if let Some(material) = part.meaning.material() {
                pixels.plane_mut(material).set_run(row, from, to);
            }
            if part.is_open() && areas > 0 {
                areas -= 1;
                let corner = |x: u32, y: u32| DVec2::new(x.into(), y.into());
                part.areas
                    .push(Rect::new(corner(from, row), corner(to, row + 1)));
            }
        });
        pixels
    }

    fn undecided(&mut self, name: &str) -> Vec<Undecided> {
        let carries = |part: &&Part| part.count > 0 && part.meaning.carries();
        let is_told = |part: &Part| {
            let known = part.color.and_then(default_meaning);
            part.ruled.is_some() || known == Some(part.meaning)
        };
        let is_guessed = !self.all.iter().filter(carries).any(is_told);
        let parts = self
            .all
            .iter_mut()
            .filter(|part| part.count > 0 && part.is_open());
        let undecided = parts.map(|part| {
            let rule = part
                .color
                .map_or("color:*".to_owned(), |color| format!("color:{color}"));
            Undecided {
                file: name.to_owned(),
                line: None,
                place: rule.clone(),
                number: part.count,
                noun: "pixel",
                guess: part.meaning,
                why: std::mem::take(&mut part.why),
                doubt: part.doubt,
                otherwise: std::mem::take(&mut part.otherwise),
                rules: vec![rule],
                areas: std::mem::take(&mut part.areas),
                weight: part.doubt * part.count as f64,
                is_sure: false,
            }
        });
        let guesses: Vec<Undecided> = undecided.collect();
        let largest = guesses.iter().filter(|guess| guess.guess.carries());
        let largest = largest.max_by_key(|guess| guess.number).cloned();
        let open = guesses.into_iter().filter(Undecided::is_open).collect();
        let mut asked = Undecided::asked(open, 0);
        if is_guessed
            && !asked.iter().any(|asked| asked.guess.carries())
            && let Some(largest) = largest
        {
            asked.push(Undecided {
                is_sure: true,
                ..largest
            });
        }
        asked
    }

    /// Rules that match no pixel.
    fn unused_rules(&self, rules: &Rules) -> Vec<String> {
        let is_unused = |rule: &&Rule| match rule {
            Rule::Color(color) => self.of(*color).is_none(),
            rule => **rule != Rule::AnyColor,
        };
        let rules = rules.by_strength().map(|(_, rule)| rule);
        rules.filter(is_unused).map(ToString::to_string).collect()
    }

    /// The decision: how many pixels have which meaning.
    fn decision(&self) -> String {
        let mut found: Vec<&Part> = self.all.iter().filter(|part| part.count > 0).collect();
        found.sort_by_key(|part| std::cmp::Reverse(part.count));
        let more = found.len().saturating_sub(MAX_PARTS);
        found.truncate(MAX_PARTS);
        found.sort_by_key(|part| part.color);
        let text = |part: &&Part| {
            let color = match part.color {
                Some(Color([.., 0])) => "transparent".to_owned(),
                Some(color) => color.to_string(),
                None => "all other colours".to_owned(),
            };
            let meaning = part
                .meaning
                .material()
                .map_or("empty", |material| material.name());
            format!("{} pixels {meaning} ({color})", part.count)
        };
        let mut parts: Vec<String> = found.iter().map(text).collect();
        if more > 0 {
            parts.push(format!("{more} more colours"));
        }
        format!("bitmap: {}", parts.join(", "))
    }
}

/// What the parts of a bitmap are beside each other.
struct PictureFacts {
    is_cut_out: bool,
    is_picture: bool,
    columns: f64,
    /// Black is probably (or else perhaps) the air.
    is_black_air: Option<bool>,
    has_black_ground: bool,
}

impl PictureFacts {
    fn of(parts: &Parts, name: &str) -> Self {
        let total = parts.total();
        let clear = parts
            .all
            .iter()
            .filter(|part| part.color.is_some_and(|color| color.0[3] == 0));
        let clear: u64 = clear.map(|part| part.count).sum();
        let columns = f64::from(parts.size[0]);
        let is_picture = parts.all[0].count > 0;
        let count = |color| parts.of(color).map_or(0, |part| part.count);
        let (white, black) = (count(WHITE), parts.of(BLACK));
        let share = black.map_or(0.0, |black| black.count as f64 / total);
        let has_floor = black.is_some_and(|black| black.floor as f64 * 2.0 > columns);
        let others = total - white as f64 - clear as f64 - share * total;
        let file = name.rsplit('/').next().unwrap_or_default();
        let is_two = others == 0.0 && clear == 0 && white > 0;
        let is_mask = is_two && has_word(file, &lists().mask);
        let is_open = !has_floor && share > 0.5;
        let is_black_air = if others > CUT_OUT * total && clear == 0 {
            // Something else is drawn on black.
            let is_sky = share > 0.25 && count(BLACK) > white && !has_floor;
            is_sky.then_some(true)
        } else {
            (is_open || share > INVERTED || is_mask).then_some(false)
        };
        Self {
            is_cut_out: clear as f64 >= CUT_OUT * total,
            is_picture,
            columns,
            is_black_air,
            has_black_ground: share > CUT_OUT && is_black_air != Some(true),
        }
    }

    /// The evidence about a colour that has a meaning.
    fn known(&self, part: &Part, color: Color, meaning: Meaning, total: f64) -> Scales {
        let cues = cues();
        let mut scales = Scales::default();
        scales.add(meaning, &cues.color, 1.0);
        let is_special = !matches!(meaning, Meaning::Solid | Meaning::Empty);
        if color == BLACK
            && let Some(is_sky) = self.is_black_air
        {
            let cue = if is_sky {
                &cues.black_sky
            } else {
                &cues.black_air
            };
            scales.add(Meaning::Empty, cue, 1.0);
        }
        let is_wall = color == WHITE && self.is_black_air.is_some();
        scales.add_if(is_wall, Meaning::Solid, &cues.white_wall);
        if is_special && is_mark(part, total) {
            scales.add(Meaning::Empty, &cues.marks, 1.0);
        } else if is_special && part.count as f64 > 0.5 * total {
            let is_ground = part.floor as f64 > 0.5 * self.columns;
            let other = if is_ground {
                Meaning::Solid
            } else {
                Meaning::Empty
            };
            scales.add(other, &cues.most, 1.0);
        }
        let is_cut_out = self.is_picture && self.is_cut_out && color != BLACK;
        scales.add_if(is_cut_out, Meaning::Solid, &cues.cut_out);
        scales
    }

    /// The evidence about a colour without a meaning.
    fn open(&self, part: &Part, total: f64) -> Scales {
        let cues = cues();
        let mut scales = Scales::default();
        scales.add(Meaning::Empty, &cues.no_color, 1.0);
        let floor = part.floor as f64 / self.columns;
        let top = part.top as f64 / self.columns;
        scales.add(Meaning::Solid, &cues.lower_edge, floor);
        scales.add(Meaning::Empty, &cues.upper_edge, top);
        let low = part.low as f64 / part.count.max(1) as f64;
        scales.add(Meaning::Solid, &cues.lies_low, low);
        if is_mark(part, total) {
            scales.add(Meaning::Empty, &cues.few, 1.0);
        } else if self.is_cut_out {
            scales.add(Meaning::Solid, &cues.rest_clear, 1.0);
        }
        if self.is_black_air == Some(true) {
            scales.add(Meaning::Solid, &cues.on_black, 1.0);
        } else if self.has_black_ground {
            scales.add(Meaning::Empty, &cues.black_solid, 1.0);
        }
        scales
    }
}

/// Whether so few pixels have a colour that it probably marks places.
fn is_mark(part: &Part, total: f64) -> bool {
    part.count <= MAX_MARK && part.count as f64 * 50.0 < total
}
