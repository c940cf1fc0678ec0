//! Bakes of files in memory.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use baker_cli::config::{Config, NAME};
use baker_cli::glam::{DVec2, Vec2};
use baker_cli::report::explain::explain;
use baker_cli::report::lint::{Finding, of_bake};
use baker_cli::source::{
    self, FileProvider, LEVEL_EXTENSIONS, LdtkProject, LevelFile, POSSIBLE_LEVEL_EXTENSIONS,
    level_file,
};
use js_sys::{Array, Function, Object, Uint8Array};
use navmesh_bake::tools::{AgentMoves, advice};
use navmesh_bake::{
    BakeError, Collision, LiveLevel, Material, PassDirection, Piece, Progress, Rect, Settings,
    Shape, Stage,
};
use navmesh_runtime::asset;
use navmesh_runtime::mesh::BitGrid;
use wasm_bindgen::prelude::*;

use crate::{JsTexts, object, points, texts};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r##"
/** Files by name. Names may have folders: `maps/level.tmx`. */
export type Files = Record<string, Uint8Array | ArrayBuffer | string>;

export interface BakeOptions {
  /** The level and the files that it refers to: tilesets, templates, images. */
  files: Files;
  /** The name of the level, if it is not the only one. A level of an LDtk project is `world.ldtk#Level_0`. */
  level?: string;
  /** The text of `navbake.toml`. Without it, a file of that name among `files` is used. */
  config?: string;
  /** Is called while it bakes: the agent, what is done for it, and which part of that is done, 0 to 1. */
  progress?: (agent: string, stage: string, part: number) => void;
}

export type MaterialName = "solid" | "one_way" | "hazard" | "ladder";

/** A piece of collision in level pixels, y down: x, y, x, y, … */
export interface CollisionPiece { material: MaterialName; points: Float32Array }

/** What the level looks like: `width` × `height` pixels of RGBA that cover the rectangle `area` (x, y, width, height in level pixels). */
export interface Picture { width: number; height: number; rgba: Uint8ClampedArray; area: number[]; warnings: string[] }

/** Something of which the level does not say whether it is collision. */
export interface Undecided {
  /** The question, and what to write into `navbake.toml`. */
  text: string;
  /** What it may be, and the line of `[collision]` that says so. The first is what it is taken for. */
  answers: { meaning: string; line: string }[];
}

/** Why there is a link between two places, or why there is none. */
export interface Explanation {
  linked: boolean; reason: string; message: string;
  /** Where the body is stopped. */
  at?: [number, number];
  /** The ends of the link, or of the attempt that comes closest. */
  arc?: [[number, number], [number, number]];
  by?: number; by_what?: string;
  route?: { kind: string; from: [number, number]; to: [number, number] }[];
  missing?: { from_platform: number; to_platform: number; reason: string; message: string; further: number };
}
"##;

#[wasm_bindgen]
extern "C" {
    /// An object `BakeOptions`.
    #[wasm_bindgen(typescript_type = "BakeOptions")]
    pub type JsOptions;
    #[wasm_bindgen(method, getter)]
    fn files(this: &JsOptions) -> JsFiles;
    #[wasm_bindgen(method, getter)]
    fn level(this: &JsOptions) -> Option<String>;
    #[wasm_bindgen(method, getter)]
    fn config(this: &JsOptions) -> Option<String>;
    #[wasm_bindgen(method, getter)]
    fn progress(this: &JsOptions) -> Option<Function>;
    /// An object `Files`.
    #[wasm_bindgen(extends = Object, typescript_type = "Files")]
    pub type JsFiles;
    /// A list of `Undecided`.
    #[wasm_bindgen(typescript_type = "Undecided[]")]
    pub type JsUndecided;
    /// A list of `CollisionPiece`.
    #[wasm_bindgen(typescript_type = "CollisionPiece[]")]
    pub type JsPieces;
    /// An object `Picture`.
    #[wasm_bindgen(typescript_type = "Picture")]
    pub type JsPicture;
    /// An object `Explanation`.
    #[wasm_bindgen(typescript_type = "Explanation")]
    pub type JsExplanation;
    /// A name of a material, or nothing.
    #[wasm_bindgen(typescript_type = "MaterialName | undefined")]
    pub type JsMaterial;
}

/// Files by their whole names.
struct Files(BTreeMap<String, Vec<u8>>);

impl Files {
    fn new(files: &JsFiles) -> Self {
        let mut found = BTreeMap::new();
        for entry in Object::entries(files).iter() {
            let entry = Array::from(&entry);
            let (name, content) = (entry.get(0), entry.get(1));
            let bytes = match content.as_string() {
                Some(text) => text.into_bytes(),
                None => Uint8Array::new(&content).to_vec(),
            };
            found.insert(name.as_string().unwrap_or_default(), bytes);
        }
        Self(found)
    }

    /// The names of the levels: of files that are nothing else, or else of those that may be.
    /// Each level of an LDtk project has its own name.
    fn levels(&self) -> Vec<String> {
        for extensions in [&LEVEL_EXTENSIONS[..], &POSSIBLE_LEVEL_EXTENSIONS[..]] {
            let names = self.0.keys().filter(|name| {
                let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
                extensions
                    .iter()
                    .any(|known| known.eq_ignore_ascii_case(extension))
            });
            let levels: Vec<String> = names.flat_map(|name| self.levels_in(name)).collect();
            if !levels.is_empty() {
                return levels;
            }
        }
        Vec::new()
    }

    fn levels_in(&self, name: &str) -> Vec<String> {
        let bytes = self.0.get(name).map_or(&[][..], Vec::as_slice);
        let project = name
            .to_ascii_lowercase()
            .ends_with(".ldtk")
            .then(|| LdtkProject::parse(name, bytes));
        match project {
            Some(Ok(project)) => project
                .levels()
                .map(|level| format!("{name}#{level}"))
                .collect(),
            // Reading the level says what is wrong with a project.
            _ => vec![name.to_owned()],
        }
    }

    fn level(&self, wanted: Option<String>) -> Result<String, JsError> {
        let levels = self.levels();
        match (wanted, &levels[..]) {
            (Some(level), _) => Ok(level),
            (None, [level]) => Ok(level.clone()),
            (None, []) => Err(JsError::new(
                "no level is among the files; levels are .tmx, .tmj, .ldtk, .png, .txt, .csv, .p8, .tscn and .json",
            )),
            (None, _) => Err(JsError::new(&format!(
                "there are several levels; name one of them: {}",
                levels.join(", ")
            ))),
        }
    }

    fn config(&self, text: Option<String>) -> Result<Config, JsError> {
        let is_config = |name: &&String| name.rsplit('/').next() == Some(NAME);
        let file = self.0.keys().find(is_config);
        Ok(match (text, file.and_then(|name| self.0.get(name))) {
            (Some(text), _) => Config::parse(NAME, text)?,
            (None, Some(bytes)) => Config::of_bytes(NAME, bytes.clone())?,
            (None, None) => Config::default(),
        })
    }
}

/// The files of a level. Files that were chosen or dropped have lost their folders, so a
/// file that is not where the level says is the one of that name, wherever it is.
struct LevelFiles<'a> {
    files: &'a BTreeMap<String, Vec<u8>>,
    /// The folder of the level, with a `/` at its end.
    folder: String,
}

impl<'a> LevelFiles<'a> {
    fn of(files: &'a Files, level: &str) -> Self {
        let folder = level_file(level).rsplit_once('/');
        Self {
            files: &files.0,
            folder: folder.map_or(String::new(), |(folder, _)| format!("{folder}/")),
        }
    }

    fn find(&self, name: &str) -> Option<&'a Vec<u8>> {
        let mut folder = self.folder.trim_end_matches('/');
        let mut rest = name;
        while let Some(above) = rest.strip_prefix("../") {
            folder = folder.rsplit_once('/').map_or("", |(folder, _)| folder);
            rest = above;
        }
        let whole = if folder.is_empty() {
            rest.to_owned()
        } else {
            format!("{folder}/{rest}")
        };
        self.files.get(&whole).or_else(|| {
            let last = base_name(name);
            let mut same = self
                .files
                .iter()
                .filter(|(known, _)| base_name(known) == last);
            same.next()
                .filter(|_| same.next().is_none())
                .map(|(_, bytes)| bytes)
        })
    }
}

fn base_name(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

impl FileProvider for LevelFiles<'_> {
    fn read(&self, name: &str, limit: u64) -> io::Result<Vec<u8>> {
        let bytes = self.find(name).ok_or(io::ErrorKind::NotFound)?;
        if bytes.len() as u64 > limit {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        Ok(bytes.clone())
    }

    fn list(&self) -> io::Result<Vec<String>> {
        let names = self
            .files
            .keys()
            .filter_map(|name| name.strip_prefix(&self.folder));
        Ok(names
            .filter(|name| !name.contains('/'))
            .map(str::to_owned)
            .collect())
    }
}

/// Calls a function of JavaScript as the bake proceeds.
#[derive(Default)]
struct Steps {
    function: Option<Function>,
    stage: Mutex<StageInWork>,
}

#[derive(Default)]
struct StageInWork {
    agent: String,
    name: &'static str,
    done: u64,
    total: u64,
}

/// So many calls for a stage: with more, they take longer than the bake of a small level.
const PARTS: u64 = 50;

impl Steps {
    fn change(&self, change: impl FnOnce(&mut StageInWork)) {
        let mut stage = self.stage.lock().unwrap_or_else(PoisonError::into_inner);
        let before = (stage.name, stage.done * PARTS / stage.total.max(1));
        change(&mut stage);
        let total = stage.total.max(1);
        if let Some(function) = &self.function
            && before != (stage.name, stage.done * PARTS / total)
        {
            let part = stage.done as f64 / total as f64;
            let [agent, name] = [stage.agent.as_str(), stage.name].map(JsValue::from);
            // What it throws does not stop a bake.
            let _ = function.call3(&JsValue::UNDEFINED, &agent, &name, &part.into());
        }
    }
}

impl Progress for Steps {
    fn begin(&self, agent: &str, stage: Stage, total: u64) {
        self.change(|now| {
            *now = StageInWork {
                agent: agent.to_owned(),
                name: stage.name(),
                done: 0,
                total,
            }
        });
    }

    fn advance(&self, steps: u64) {
        self.change(|now| now.done += steps);
    }
}

/// The names of the levels among some files, each of which `bake` can bake.
#[wasm_bindgen(js_name = levelNames)]
pub fn level_names(files: &JsFiles) -> JsTexts {
    texts(Files::new(files).levels()).unchecked_into()
}

/// Bakes a level. The bytes are the same as those that the command `navbake` writes.
///
/// Throws an error that says which file is wrong, and what to do.
#[wasm_bindgen]
pub fn bake(options: &JsOptions) -> Result<Level, JsError> {
    let files = Files::new(&options.files());
    let name = files.level(options.level())?;
    let config = files.config(options.config())?;
    let provider = LevelFiles::of(&files, &name);
    let file = source::read_from(Path::new(&name), &provider, config.rules())?;
    let settings = config.settings_of(&file)?;
    let progress = Steps {
        function: options.progress(),
        ..Steps::default()
    };
    let live = LiveLevel::with_progress(file.level.clone(), settings.clone(), &progress)
        .map_err(|error| JsError::new(&format!("{name}: {error}")))?;
    Ok(Level {
        name,
        files,
        file,
        config,
        settings,
        live,
    })
}

/// A level and its mesh. `free` releases its memory.
#[wasm_bindgen]
pub struct Level {
    name: String,
    files: Files,
    /// As it was read, before edits.
    file: LevelFile,
    config: Config,
    settings: Settings,
    live: LiveLevel,
}

#[wasm_bindgen]
impl Level {
    /// The bytes of the `.navmesh` file.
    #[wasm_bindgen(getter)]
    pub fn bytes(&self) -> Vec<u8> {
        asset::encode(self.live.mesh())
    }

    /// The name of the level among the files.
    #[wasm_bindgen(getter)]
    pub fn name(&self) -> String {
        self.name.clone()
    }

    /// What a person should know: the warnings of the command.
    #[wasm_bindgen(getter)]
    pub fn warnings(&self) -> Result<JsTexts, JsError> {
        let mut warnings = self.file.warnings.clone();
        warnings.extend(advice(&self.file, &self.settings));
        let findings = of_bake(self.live.mesh(), &self.config.lint()?);
        warnings.extend(findings.iter().map(Finding::description));
        Ok(texts(warnings).unchecked_into())
    }

    /// A line for each layer: what in it is collision, and why.
    #[wasm_bindgen(getter)]
    pub fn decisions(&self) -> JsTexts {
        texts(&self.file.decisions).unchecked_into()
    }

    /// What was guessed, the most important first.
    #[wasm_bindgen(getter)]
    pub fn undecided(&self) -> JsUndecided {
        let undecided = self.file.undecided.iter().map(|one| {
            let answers = std::iter::once(&one.guess).chain(&one.otherwise);
            let answers = answers.map(|&meaning| {
                JsValue::from(object([
                    ("meaning", meaning.to_string().into()),
                    ("line", one.line_for(meaning).into()),
                ]))
            });
            JsValue::from(object([
                ("text", one.to_string().into()),
                ("answers", answers.collect::<Array>().into()),
            ]))
        });
        undecided.collect::<Array>().unchecked_into()
    }

    /// The agents as JSON: their names, bodies, speeds, jumps. Keys are those of `navbake.toml`.
    #[wasm_bindgen(getter)]
    pub fn agents(&self) -> Result<String, JsError> {
        Ok(serde_json::to_string(&self.settings.agents)?)
    }

    /// The level's extent in pixels: x, y, width, height.
    #[wasm_bindgen(getter)]
    pub fn bounds(&self) -> Vec<f64> {
        numbers(self.live.level().bounds)
    }

    /// The width and height of a tile in pixels; empty without tiles.
    #[wasm_bindgen(getter, js_name = tileSize)]
    pub fn tile_size(&self) -> Vec<u32> {
        self.file.tile_size.map_or(Vec::new(), Vec::from)
    }

    /// The collision, with all edits.
    #[wasm_bindgen(getter)]
    pub fn collision(&self) -> JsPieces {
        let pieces: Array = match &self.live.level().collision {
            Collision::Shapes(pieces) => pieces.iter().map(piece).collect(),
            Collision::Pixels(map) => [
                (Material::Solid, &map.solid),
                (Material::OneWay(PassDirection::Up), &map.one_way),
                (Material::Hazard, &map.hazard),
                (Material::Ladder, &map.ladder),
            ]
            .into_iter()
            .flat_map(|(material, plane)| runs(material, plane))
            .collect(),
        };
        pieces.unchecked_into()
    }

    /// What the level shows: its tiles and images.
    pub fn picture(&self) -> Result<JsPicture, JsError> {
        let area = self.file.bounds;
        let provider = LevelFiles::of(&self.files, &self.name);
        let art = source::read_art(Path::new(&self.name), &provider, area)?;
        let rgba = js_sys::Uint8ClampedArray::from(art.image.as_raw().as_slice());
        let picture = object([
            ("width", art.image.width().into()),
            ("height", art.image.height().into()),
            ("rgba", rgba.into()),
            (
                "area",
                numbers(area)
                    .into_iter()
                    .map(JsValue::from)
                    .collect::<Array>()
                    .into(),
            ),
            ("warnings", texts(&art.warnings).into()),
        ]);
        Ok(JsValue::from(picture).unchecked_into())
    }

    /// Fills a rectangle (level pixels, y down) with a material, or empties it. `update` bakes the edits.
    #[wasm_bindgen(js_name = setTiles)]
    pub fn set_tiles(
        &mut self,
        x: f64,
        y: f64,
        width: f64,
        height: f64,
        material: &JsMaterial,
    ) -> Result<(), JsError> {
        let name: Option<String> = AsRef::<JsValue>::as_ref(material).as_string();
        let material = match name.as_deref() {
            None => None,
            Some("solid") => Some(Material::Solid),
            Some("one_way") => Some(Material::OneWay(PassDirection::Up)),
            Some("hazard") => Some(Material::Hazard),
            Some("ladder") => Some(Material::Ladder),
            Some(other) => {
                let text =
                    format!("{other:?} is no material; they are solid, one_way, hazard and ladder");
                return Err(JsError::new(&text));
            }
        };
        let corner = DVec2::new(x, y);
        let cells = Rect::new(corner, corner + DVec2::new(width, height));
        self.live.set_cells(cells, material);
        Ok(())
    }

    /// Bakes the edits again, for `Navigator.setMesh`, and returns the new bytes. Links far from the edits are kept.
    pub fn update(&mut self) -> Result<Vec<u8>, JsError> {
        self.live.update()?;
        Ok(self.bytes())
    }

    /// Bakes the level, with all edits, for other agents: the text of another `navbake.toml`.
    /// Its rules of collision are not read: for these, call `bake`.
    pub fn configure(&mut self, config: String) -> Result<Vec<u8>, JsError> {
        let config = Config::parse(NAME, config)?;
        let settings = config.settings_of(&self.file)?;
        self.live = LiveLevel::new(self.live.level().clone(), settings.clone())?;
        (self.config, self.settings) = (config, settings);
        Ok(self.bytes())
    }

    /// Says why there is a link between two places (world units), or why there is none.
    pub fn explain(
        &self,
        agent: &str,
        from_x: f32,
        from_y: f32,
        to_x: f32,
        to_y: f32,
    ) -> Result<JsExplanation, JsError> {
        let layer = self.live.mesh().layer_named(agent);
        let layer = layer.ok_or_else(|| JsError::new(&format!("no agent is named {agent:?}")))?;
        let moves = AgentMoves::new(self.live.level(), &self.settings, layer.profile())
            .map_err(|error: BakeError| JsError::from(error))?;
        let [from, to] = [Vec2::new(from_x, from_y), Vec2::new(to_x, to_y)];
        let explanation = serde_json::to_string(&explain(layer, Some(&moves), from, to))?;
        let parsed = js_sys::JSON::parse(&explanation);
        Ok(parsed.unwrap_or(JsValue::NULL).unchecked_into())
    }
}

fn numbers(rect: Rect) -> Vec<f64> {
    vec![rect.min.x, rect.min.y, rect.size().x, rect.size().y]
}

fn piece(piece: &Piece) -> JsValue {
    let corners = match &piece.shape {
        Shape::Box(rect) => rect.corners().to_vec(),
        Shape::Convex(points) => points.clone(),
    };
    part(piece.material, corners)
}

fn part(material: Material, corners: Vec<DVec2>) -> JsValue {
    let material = match material {
        Material::OneWay(_) => "one_way",
        other => other.name(),
    };
    let corners = corners
        .into_iter()
        .map(|corner| corner.as_vec2().to_array());
    object([("material", material.into()), ("points", points(corners))]).into()
}

/// The pixels of a plane, as a box for each run in a row.
fn runs(material: Material, plane: &BitGrid) -> impl Iterator<Item = JsValue> {
    (0..plane.rows()).flat_map(move |row| {
        plane.runs(row).map(move |run| {
            let [left, right, top] = [run.start, run.end, row].map(f64::from);
            let rect = Rect::new(DVec2::new(left, top), DVec2::new(right, top + 1.0));
            part(material, rect.corners().to_vec())
        })
    })
}
