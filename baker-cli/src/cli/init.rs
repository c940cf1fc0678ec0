//! `navbake init`: a configuration to begin with.
//!
//! What it says is what holds without it, so that a level bakes to the same
//! bytes; a person then changes what should be otherwise.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use navmesh_runtime::mesh::AgentProfile;

use super::config::{Config, DEFAULT_TILE};
use super::pipeline::{self, is_dash};
use super::terminal::Terminal;
use super::{Answer, Failure, output};
use crate::bake::{Layout, default_agents};

/// The name of a configuration.
const NAME: &str = "navbake.toml";

/// Write a commented navbake.toml to begin with
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  navbake init levels/first.tmx        levels/navbake.toml, with agents sized for its tiles
  navbake init levels/first.tmx -o -   only show it

It says what holds without it, so that levels bake to the same bytes until something is changed.")]
pub(super) struct InitArgs {
    /// The level it is for; `-` for stdin
    #[arg(value_name = "LEVEL", value_hint = ValueHint::FilePath)]
    level: Option<PathBuf>,
    /// Where to write; navbake.toml beside the level by default, `-` for stdout
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// Replace a file that is there already
    #[arg(long)]
    force: bool,
}

pub(super) fn run(args: &InitArgs, terminal: &Terminal) -> Result<Answer, Failure> {
    let level = args.level.as_deref();
    let output = match (&args.output, level) {
        (Some(output), _) => output.clone(),
        (None, Some(level)) if !is_dash(level) => level.with_file_name(NAME),
        _ => PathBuf::from(NAME),
    };
    if !is_dash(&output) && output.exists() && !args.force {
        return Err(Failure::new(format!(
            "{} is there already; --force replaces it, -o - only shows",
            output.display()
        )));
    }
    let facts = match level {
        Some(level) => Facts::of(level, terminal)?,
        None => Facts::default(),
    };
    let text = text(&facts);
    // Whatever it says must be read back.
    Config::parse(&output, text.clone())?;
    output::write(&output, text.as_bytes(), "written", terminal)?;
    Ok(Answer::Yes)
}

/// What of a level the configuration tells.
#[derive(Default)]
struct Facts {
    name: Option<String>,
    tile_size: Option<[u32; 2]>,
    /// The spacing the grid will have.
    spacing: Option<f64>,
    /// Why each layer counts as collision or does not.
    decisions: Vec<String>,
    /// The layers, where nothing says what is solid.
    unsaid: Vec<String>,
}

impl Facts {
    fn of(level: &Path, terminal: &Terminal) -> Result<Self, Failure> {
        let config = Config::default();
        let name = level.file_name().map(|n| n.to_string_lossy().into_owned());
        match pipeline::read_or_layers(level, &config)? {
            Ok(read) => {
                let settings = config.settings(read.tile_size)?;
                Ok(Self {
                    name: name.filter(|_| !is_dash(level)),
                    tile_size: read.tile_size,
                    spacing: Layout::new(&read, &settings).ok().map(|l| l.spacing),
                    decisions: read.decisions,
                    unsaid: Vec::new(),
                })
            }
            Err(layers) => {
                terminal.warn(
                    "nothing in the level says what is solid: choose a layer in the configuration",
                );
                Ok(Self {
                    name,
                    unsaid: layers,
                    ..Self::default()
                })
            }
        }
    }
}

/// The whole file.
fn text(facts: &Facts) -> String {
    let tile = facts
        .tile_size
        .map_or(DEFAULT_TILE, |[w, h]| w.min(h).max(1) as f32);
    let mut text = String::new();
    let whence = match (&facts.name, facts.tile_size) {
        (Some(name), Some([w, h])) => format!("from {name}, whose tiles are {w} x {h} pixels"),
        (Some(name), None) => format!("from {name}"),
        (None, _) => format!("for tiles of {DEFAULT_TILE} pixels"),
    };
    let _ = write!(
        text,
        "# What navbake bakes, and for whom: made by `navbake init` {}.
# It says what holds without it: change what should be otherwise, and leave out the rest.
# It holds for the levels beside it and in the folders below. `navbake schema config` is its JSON Schema.

[level]
# Side of a grid cell, world units: by default the largest divisor of the tile size that every body covers.
# spacing = {}
# How many times dearer a route may get by thinning links; 1 keeps all.
link_stretch = 1.1
# Which way y grows in the world: down | up.
y_axis = \"down\"
# Level pixels in a world unit.
pixels_per_unit = 1.0
# Bake only this: x, y, width, height in level pixels.
# area = [0, 0, 640, 352]

[collision]
# What counts, where the level itself does not say: layer:NAME, property:NAME, property:NAME=VALUE, class:NAME,
# name:NAME, intgrid:VALUE (LDtk), color:#rrggbb (bitmaps).
",
        one_line(&whence),
        facts.spacing.unwrap_or(8.0)
    );
    if !facts.decisions.is_empty() {
        text.push_str("# Without any rule:\n");
        for decision in &facts.decisions {
            let _ = writeln!(text, "#   {}", one_line(decision));
        }
    }
    if facts.unsaid.is_empty() {
        text.push_str("# solid = [\"layer:ground\", \"property:solid\", \"class:wall\"]\n");
    } else {
        text.push_str("# Nothing in the level says what is solid. Its layers:\n");
        for layer in &facts.unsaid {
            let _ = writeln!(text, "#   {}", one_line(layer));
        }
        text.push_str("# solid = [\"layer:NAME\"]\n");
    }
    text.push_str(
        "# one_way = [\"class:bridge\"]\n# hazard = [\"class:spikes\"]\n# ladder = []\n# empty = [\"layer:background\"]\n",
    );
    for (i, agent) in default_agents(tile).iter().enumerate() {
        self::agent(agent, i == 0, &mut text);
    }
    text
}

/// A text that ends no comment.
fn one_line(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect()
}

/// One `[[agent]]`; the first with what its keys mean.
fn agent(agent: &AgentProfile, explained: bool, text: &mut String) {
    let preset = if agent.edges.names().any(|edge| edge == "fly") {
        "air"
    } else {
        "ground"
    };
    let edges: Vec<_> = agent.edges.names().map(|e| format!("\"{e}\"")).collect();
    let pair = |[a, b]: [f32; 2]| format!("[{a:?}, {b:?}]");
    let number = |v: f32| format!("{v:?}");
    let lines = [
        (
            "name",
            format!("\"{}\"", agent.name),
            "by which the game asks for it",
        ),
        (
            "preset",
            format!("\"{preset}\""),
            "ground | air: where what is left out comes from",
        ),
        ("body", pair(agent.body), "width, height"),
        (
            "run_speed",
            number(agent.run_speed),
            "units/s; the speed of flight in the air",
        ),
        ("acceleration", number(agent.acceleration), "units/s²"),
        ("deceleration", number(agent.deceleration), ""),
        (
            "jump_height",
            number(agent.jump_height),
            "apex above take-off; 0: does not jump",
        ),
        (
            "jump_time",
            "0.36".to_owned(),
            "seconds from take-off to apex; or give gravity, units/s²",
        ),
        (
            "max_jump",
            pair(agent.max_jump),
            "furthest across, highest up",
        ),
        (
            "max_drop",
            pair(agent.max_drop),
            "furthest across, deepest down",
        ),
        (
            "air_control",
            agent.air_control.to_string(),
            "may change its horizontal speed in the air",
        ),
        (
            "step_height",
            number(agent.step_height),
            "walked up and down without a jump",
        ),
        ("max_slope", number(agent.max_slope), "degrees"),
        (
            "edges",
            format!("[{}]", edges.join(", ")),
            "what it may use",
        ),
    ];
    text.push_str("\n[[agent]]\n");
    for (key, value, meaning) in lines {
        let line = format!("{key} = {value}");
        if explained && !meaning.is_empty() {
            let _ = writeln!(text, "{line:<32} # {meaning}");
        } else {
            let _ = writeln!(text, "{line}");
        }
    }
}
