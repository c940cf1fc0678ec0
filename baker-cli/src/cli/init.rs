//! `navbake init`: writes a configuration to start from.
//!
//! Its values are the defaults, so a level bakes to the same bytes with it as
//! without it, until the user changes something.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use navmesh_runtime::mesh::AgentProfile;

use crate::bake::{Layout, default_agents};
use crate::cli::config::{Config, DEFAULT_TILE, NAME};
use crate::cli::exit_status::ExitStatus;
use crate::cli::failure::Failure;
use crate::cli::level_input::{ldtk_levels, read_level};
use crate::cli::output;
use crate::cli::paths::{file_name, has_extension, is_dash};
use crate::cli::protected::Protected;
use crate::cli::terminal::Terminal;
use crate::source::SourceError;

/// Write a commented navbake.toml to start from
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  navbake init levels/first.tmx        levels/navbake.toml, with agents sized for its tiles
  navbake init levels/first.tmx -o -   print it

All values are the defaults: levels bake to the same bytes until you change something.")]
pub(crate) struct InitArgs {
    /// A level to size the agents for; `-` reads stdin
    #[arg(value_name = "LEVEL", value_hint = ValueHint::FilePath)]
    level: Option<PathBuf>,
    /// Write to this file; the default is navbake.toml beside the level, `-` is stdout
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// Replace an existing file
    #[arg(long)]
    force: bool,
}

pub(crate) fn run(args: &InitArgs, terminal: &Terminal) -> Result<ExitStatus, Failure> {
    let level = args.level.as_deref();
    let output = match (&args.output, level) {
        (Some(output), _) => output.clone(),
        (None, Some(level)) if !is_dash(level) => level.with_file_name(NAME),
        _ => PathBuf::from(NAME),
    };
    if !is_dash(&output) && output.exists() && !args.force {
        return Err(Failure::with_help(
            format_args!("{}: the file exists already", output.display()),
            "--force replaces it, -o - only prints the configuration",
        ));
    }
    if let Some(level) = level {
        let mut inputs = Protected::default();
        inputs.insert(level);
        inputs.refuse(&output, "-o")?;
    }
    let facts = match level {
        Some(level) => LevelFacts::of(level, terminal)?,
        None => LevelFacts::default(),
    };
    let text = text(&facts);
    // The written file must be a valid configuration.
    Config::parse(&output, text.clone())?;
    output::write(&output, text.as_bytes(), "written", terminal)?;
    Ok(ExitStatus::Success)
}

/// What the comments and the sizes are derived from.
#[derive(Default)]
struct LevelFacts {
    name: Option<String>,
    tile_size: Option<[u32; 2]>,
    /// The spacing that the grid will have.
    spacing: Option<f64>,
    /// Why each layer counts as collision or does not.
    decisions: Vec<String>,
    /// The layers, if nothing in the level says what is solid; the colours of a
    /// bitmap that have no meaning.
    undecided: Vec<String>,
    /// The rule that probably makes the ground solid.
    guess: Option<String>,
}

impl LevelFacts {
    fn of(level: &Path, terminal: &Terminal) -> Result<Self, Failure> {
        let config = Config::default();
        let name = Some(file_name(level)).filter(|_| !is_dash(level));
        match read_level(&first_level(level)?, &config)? {
            Ok(read) => {
                let settings = config.settings(read.tile_size)?;
                Ok(Self {
                    name,
                    tile_size: read.tile_size,
                    spacing: Layout::new(&read, &settings).ok().map(|l| l.spacing),
                    decisions: read.decisions,
                    ..Self::default()
                })
            }
            Err(SourceError::UnknownColors {
                common, example, ..
            }) => {
                terminal.warn(&format!(
                    "{}: colours without a meaning\nhelp: say in [collision] what each of them is",
                    level.display()
                ));
                let mut undecided = common;
                undecided.push("all others: color:*".to_owned());
                Ok(Self {
                    name,
                    undecided,
                    guess: Some(format!("color:{example}")),
                    ..Self::default()
                })
            }
            Err(SourceError::NothingSolid { layers, guess, .. }) => {
                terminal.warn(&format!(
                    "{}: nothing in the level says what is solid\nhelp: choose a layer in [collision]",
                    level.display()
                ));
                Ok(Self {
                    name,
                    undecided: layers,
                    guess: guess.map(|guess| guess.rule),
                    ..Self::default()
                })
            }
            Err(error) => Err(error.into()),
        }
    }
}

/// The level itself, or the first one of a project of LDtk.
fn first_level(level: &Path) -> Result<PathBuf, Failure> {
    if !has_extension(level, "ldtk") {
        return Ok(level.to_path_buf());
    }
    let mut path = level.as_os_str().to_owned();
    if let Some(first) = ldtk_levels(level)?.first() {
        path.push("#");
        path.push(first);
    }
    Ok(PathBuf::from(path))
}

/// The text of the file.
fn text(facts: &LevelFacts) -> String {
    let tile = facts
        .tile_size
        .map_or(DEFAULT_TILE, |[w, h]| w.min(h).max(1) as f32);
    let origin = match (&facts.name, facts.tile_size) {
        (Some(name), Some([w, h])) => format!("for {name}, whose tiles are {w} x {h} pixels"),
        (Some(name), None) => format!("for {name}"),
        (None, _) => format!("for tiles of {DEFAULT_TILE} pixels"),
    };
    let mut text = format!(
        "# Configuration of navbake, written by `navbake init` {}.
# All values are the defaults. Change what you need; keys that you remove keep their defaults.
# It applies to the levels in this folder and in the folders below it.
# `navbake schema config` writes its JSON Schema.

[level]
# Side of a grid cell, world units. The default is the largest divisor of the tile size that is not larger
# than any agent's body.
# spacing = {}
# Links are left out when other links give a route that takes at most so many times longer; 1 keeps all.
link_stretch = 1.1
# Direction of y in the world: down | up.
y_axis = \"down\"
# Level pixels per world unit.
pixels_per_unit = 1.0
# Bake only this part: x, y, width, height in level pixels.
# area = [0, 0, 640, 352]

[collision]
# What counts as collision, in addition to what the level says: layer:NAME, property:NAME,
# property:NAME=VALUE, class:NAME, name:NAME, tileset:NAME, tile:TILESET#1-12, intgrid:VALUE (LDtk),
# color:#rrggbb and color:* (bitmaps). Names may have * and ?; \" & \" joins conditions, ! negates one.
",
        one_line(&origin),
        facts.spacing.unwrap_or(8.0)
    );
    if !facts.decisions.is_empty() {
        text.push_str("# Without any rule:\n");
        for decision in &facts.decisions {
            let _ = writeln!(text, "#   {}", one_line(decision));
        }
    }
    if facts.undecided.is_empty() {
        text.push_str("# solid = [\"layer:ground\", \"property:solid\", \"class:wall\"]\n");
    } else {
        text.push_str("# The level does not say what is solid. Its layers or colours:\n");
        for layer in &facts.undecided {
            let _ = writeln!(text, "#   {}", one_line(layer));
        }
        let guess = facts.guess.as_deref().unwrap_or("layer:NAME");
        let _ = writeln!(text, "# solid = [{}]", toml::Value::from(one_line(guess)));
    }
    text.push_str(
        "# one_way = [\"class:bridge\"]\n# hazard = [\"class:spikes\"]\n# ladder = []\n# empty = [\"layer:background\"]\n",
    );
    for (i, agent) in default_agents(tile).iter().enumerate() {
        write_agent(agent, i == 0, &mut text);
    }
    text
}

/// A text without line breaks, which would end a comment.
fn one_line(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect()
}

/// Writes an `[[agent]]`, with a comment for each key if asked for.
fn write_agent(agent: &AgentProfile, comments: bool, text: &mut String) {
    let is_flier = agent.edges.names().any(|edge| edge == "fly");
    let preset = if is_flier { "air" } else { "ground" };
    let edges: Vec<_> = agent.edges.names().map(|e| format!("\"{e}\"")).collect();
    let edges = format!("[{}]", edges.join(", "));
    let pair = |[a, b]: [f32; 2]| format!("[{a:?}, {b:?}]");
    let number = |v: f32| format!("{v:?}");
    #[rustfmt::skip]
    let lines = [
        ("name", format!("{:?}", agent.name), "the game asks for the agent by this name"),
        ("preset", format!("{preset:?}"), "ground | air: defaults of the keys left out"),
        ("body", pair(agent.body), "width, height"),
        ("run_speed", number(agent.run_speed), "units/s; for fliers the speed of flight"),
        ("acceleration", number(agent.acceleration), "units/s²"),
        ("deceleration", number(agent.deceleration), ""),
        ("jump_height", number(agent.jump_height), "apex above the take-off; 0: cannot jump"),
        ("jump_time", "0.36".to_owned(), "seconds from take-off to apex; or give gravity, units/s²"),
        ("max_jump", pair(agent.max_jump), "farthest across, highest up"),
        ("max_drop", pair(agent.max_drop), "farthest across, deepest down"),
        ("air_control", agent.air_control.to_string(), "can change its horizontal speed in the air"),
        ("step_height", number(agent.step_height), "steps up to this height are walked, not jumped"),
        ("max_slope", number(agent.max_slope), "degrees"),
        ("edges", edges, "the kinds of movement"),
    ];
    text.push_str("\n[[agent]]\n");
    for (key, value, comment) in lines {
        let line = format!("{key} = {value}");
        if comments && !comment.is_empty() {
            let _ = writeln!(text, "{line:<32} # {comment}");
        } else {
            let _ = writeln!(text, "{line}");
        }
    }
}
