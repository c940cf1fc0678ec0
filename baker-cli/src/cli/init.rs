//! `navbake init`: writes a configuration to start from.
//!
//! Its values are the defaults, so a level bakes to the same bytes with it as
//! without it, until the user changes something.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use navmesh_runtime::mesh::AgentProfile;

use crate::bake::default_agents;
use crate::bake::tools::grid_spacing;
use crate::cli::bake::levels_of;
use crate::cli::config::{Config, DEFAULT_TILE, NAME};
use crate::cli::editor_files;
use crate::cli::failure::{ExitStatus, Failure};
use crate::cli::io::{self, file_name, is_dash, read_bytes, refuse_overwrite};
use crate::cli::level_input::read_level;
use crate::cli::terminal::Terminal;
use crate::source::{Guess, SourceError, one_line};

/// Write a commented navbake.toml to start from
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  navbake init levels/first.tmx        levels/navbake.toml, with agents sized for its tiles
  navbake init levels/first.tmx -o -   print it
  navbake init levels                  the same for a folder, an LDtk project or a Tiled world
  navbake init --tiled-types           navbake-types.json: classes of markers and collision
  navbake init --ldtk-template         navbake-template.ldtk: the same for LDtk

All values are the defaults: levels bake to the same bytes until you change something. If a level
does not say what is solid, the file lists its layers or colours, and a line that probably makes
its ground solid.")]
pub struct InitArgs {
    /// A level, project, world or folder of levels to size the agents for; `-` reads stdin
    #[arg(value_name = "LEVEL", value_hint = ValueHint::FilePath)]
    level: Option<PathBuf>,
    /// Write to this file; the default is navbake.toml beside the level, `-` is stdout
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// Replace an existing navbake.toml
    #[arg(long)]
    force: bool,
    /// Write custom types for Tiled instead: navbake-types.json, which the Custom Types Editor imports. An
    /// existing file is never replaced
    #[arg(long, conflicts_with_all = ["force", "ldtk_template"])]
    tiled_types: bool,
    /// Write a project for LDtk instead, with tiles of the level's size: navbake-template.ldtk. An existing
    /// file is never replaced
    #[arg(long, conflicts_with = "force")]
    ldtk_template: bool,
}

pub fn run(args: &InitArgs, terminal: &Terminal) -> Result<ExitStatus, Failure> {
    let level = args.level.as_deref();
    let name = if args.tiled_types {
        "navbake-types.json"
    } else if args.ldtk_template {
        "navbake-template.ldtk"
    } else {
        NAME
    };
    let output = match (&args.output, level) {
        (Some(output), _) => output.clone(),
        (None, Some(level)) if level.is_dir() => level.join(name),
        (None, Some(level)) if !is_dash(level) => level.with_file_name(name),
        _ => PathBuf::from(name),
    };
    let exists = !is_dash(&output) && output.exists();
    // Nothing but a configuration is replaced.
    let is_config = output.file_name().is_some_and(|file| file == NAME)
        || (output.is_file() && Config::load(&output).is_ok());
    if exists && !(args.force && (is_config || !output.is_file())) {
        let help = if name == NAME && is_config {
            "--force replaces it, -o - only prints the configuration"
        } else {
            "-o writes to another file, -o - only prints it"
        };
        return Err(Failure::about(&output, "the file exists already", help));
    }
    refuse_overwrite(&output, level.as_slice(), "-o")?;
    if args.tiled_types {
        return written(&output, &editor_files::tiled_types(), terminal);
    }
    let facts = match level {
        Some(level) => LevelFacts::of(level, terminal)?,
        None => LevelFacts::default(),
    };
    if args.ldtk_template {
        let path = std::path::absolute(&output).unwrap_or_else(|_| output.clone());
        let tile = Config::default().tile(facts.tile_size) as u32;
        let template = editor_files::ldtk_template(tile, &path);
        return written(&output, &template, terminal);
    }
    let text = text(&facts, &output);
    // The written file must be a valid configuration.
    Config::parse(&output, text.clone())?;
    written(&output, &text, terminal)
}

fn written(output: &Path, text: &str, terminal: &Terminal) -> Result<ExitStatus, Failure> {
    io::write(output, text.as_bytes(), "written", terminal)?;
    Ok(ExitStatus::Success)
}

/// What the comments and the sizes are derived from.
#[derive(Default)]
struct LevelFacts {
    name: Option<String>,
    tile_size: Option<[u32; 2]>,
    /// The spacing that the grid will have.
    spacing: Option<f32>,
    /// Why each layer counts as collision or does not, without those that differ only in
    /// numbers.
    decisions: Vec<String>,
    /// The first level that does not say what is solid.
    undecided: Option<Undecided>,
}

/// A level that does not say what is solid.
struct Undecided {
    level: String,
    /// What is in its layers, or the colours of a bitmap without a meaning.
    contents: Vec<String>,
    guess: Option<Guess>,
    /// A rule for what is not collision, as an example.
    empty: &'static str,
}

impl LevelFacts {
    /// The facts of a level, or of all levels of a folder, a world or a project.
    fn of(named: &Path, terminal: &Terminal) -> Result<Self, Failure> {
        let config = Config::default();
        let mut facts = Self {
            name: Some(file_name(named)).filter(|name| !is_dash(named) && !name.is_empty()),
            ..Self::default()
        };
        let mut failure = None;
        let mut is_read = false;
        let mut reasons = BTreeSet::new();
        let mut tile_sizes = BTreeSet::new();
        for found in levels_of(named) {
            if let Some(problem) = found.problem {
                failure.get_or_insert(Failure::new(problem));
                continue;
            }
            let piped = is_dash(&found.level).then(|| read_bytes(&found.level));
            let read = read_level(&found.level, piped.transpose()?.as_deref(), &config);
            let (contents, guess, empty) = match read {
                Ok(read) => {
                    if !std::mem::replace(&mut is_read, true) {
                        let settings = config.settings(read.tile_size)?;
                        facts.tile_size = read.tile_size;
                        facts.spacing = grid_spacing(&read, &settings).ok();
                    }
                    tile_sizes.extend(read.tile_size);
                    let mut new = read.decisions;
                    new.retain(|text| {
                        reasons.insert(text.replace(|c: char| c.is_ascii_digit(), ""))
                    });
                    facts.decisions.extend(new);
                    continue;
                }
                Err(SourceError::UnknownColors { common, guess, .. }) => {
                    (common, Some(guess), "color:#ffffff")
                }
                Err(SourceError::NothingSolid { layers, guess, .. }) => {
                    (layers, guess, "layer:background")
                }
                Err(error) => {
                    failure.get_or_insert(error.into());
                    continue;
                }
            };
            // The first level with a guess, or else the first.
            let known = facts.undecided.as_ref();
            if known.is_none_or(|known| known.guess.is_none() && guess.is_some()) {
                facts.undecided = Some(Undecided {
                    level: found.level.display().to_string(),
                    contents,
                    guess: guess.map(|guess| *guess),
                    empty,
                });
            }
        }
        if tile_sizes.len() > 1 {
            let sizes = tile_sizes.iter().map(|[w, h]| format!("{w} x {h}"));
            let sizes = sizes.collect::<Vec<_>>().join(", ");
            terminal.warn(&format!(
                "{}: the levels have tiles of {sizes} pixels, and the agents fit those of the \
                 first level\nhelp: write a configuration for each size, in a folder of its own",
                named.display()
            ));
        }
        if let Some(undecided) = &facts.undecided {
            let problem = "nothing in the level says what is solid";
            let help = "choose a line of [collision]";
            terminal.warn(&format!("{}: {problem}\nhelp: {help}", undecided.level));
        } else if let Some(failure) = failure.filter(|_| !is_read) {
            return Err(failure);
        }
        Ok(facts)
    }
}

/// Most lines about layers: a reader wants an overview, and folders have any number.
const MAX_DECISIONS: usize = 32;

/// The configuration up to the rules and agents.
const TEMPLATE: &str = include_str!("template.toml");

fn text(facts: &LevelFacts, output: &Path) -> String {
    let tile = Config::default().tile(facts.tile_size);
    let origin = match (&facts.name, facts.tile_size) {
        (Some(name), Some([w, h])) => format!("for {name}, whose tiles are {w} x {h} pixels"),
        (Some(name), None) => format!("for {name}"),
        (None, Some([w, h])) => format!("for tiles of {w} x {h} pixels"),
        (None, None) => format!("for tiles of {DEFAULT_TILE} pixels"),
    };
    let name = file_name(output);
    let scope = if is_dash(output) || name == NAME {
        "It applies to the levels in this folder and in the folders below it.".to_owned()
    } else {
        let name = one_line(&name);
        format!("It applies where `--config {name}` names it; only a {NAME} is found without.")
    };
    let spacing = facts.spacing.unwrap_or(8.0).to_string();
    let mut text = TEMPLATE
        .replace("$SPACING", &spacing)
        .replace("$SCOPE", &scope)
        .replace("$ORIGIN", &one_line(&origin));
    write_rules(facts, &mut text);
    for (i, agent) in default_agents(tile).iter().enumerate() {
        write_agent(agent, i == 0, &mut text);
    }
    text
}

/// Writes what the level says about collision, and examples of rules.
fn write_rules(facts: &LevelFacts, text: &mut String) {
    if !facts.decisions.is_empty() {
        text.push_str("# Without any rule:\n");
        write_list(facts.decisions.iter().take(MAX_DECISIONS), text);
        let more = facts.decisions.len().saturating_sub(MAX_DECISIONS);
        if more > 0 {
            let _ = writeln!(text, "#   … and {more} more; `navbake bake -v` lists them");
        }
    }
    let mut solid = ["layer:ground", "property:solid", "class:wall"]
        .map(str::to_owned)
        .to_vec();
    let mut empty = vec!["layer:background".to_owned()];
    if let Some(undecided) = &facts.undecided {
        let level = one_line(&undecided.level);
        let _ = writeln!(text, "# {level} does not say what is solid. In it:");
        write_list(&undecided.contents, text);
        let lines =
            |rules: &[String]| -> Vec<String> { rules.iter().map(|rule| one_line(rule)).collect() };
        let guess = undecided.guess.as_ref();
        solid = guess.map_or(vec!["layer:NAME".to_owned()], |guess| lines(&guess.rules));
        empty = guess.map_or(Vec::new(), |guess| lines(&guess.empty));
        if empty.is_empty() {
            empty.push(undecided.empty.to_owned());
        }
    }
    let [solid, empty] = [solid, empty].map(toml::Value::from);
    let _ = writeln!(
        text,
        "# solid = {solid}\n# empty = {empty}\n# one_way = [\"class:bridge\"]\n\
         # hazard = [\"class:spikes\"]\n# ladder = []"
    );
}

fn write_list<'a>(lines: impl IntoIterator<Item = &'a String>, text: &mut String) {
    for line in lines {
        let _ = writeln!(text, "#   {}", one_line(line));
    }
}

fn number(value: f32) -> String {
    format!("{value:?}")
}

/// Writes an `[[agent]]`; with `comments`, keys have a comment.
fn write_agent(agent: &AgentProfile, comments: bool, text: &mut String) {
    let is_flier = agent.edges.names().any(|edge| edge == "fly");
    let preset = if is_flier { "air" } else { "ground" };
    let edges: Vec<_> = agent.edges.names().map(|e| format!("\"{e}\"")).collect();
    let edges = format!("[{}]", edges.join(", "));
    let steering = agent.air_acceleration.map_or("inf".to_owned(), number);
    #[rustfmt::skip]
    let lines = [
        ("name", format!("{:?}", agent.name), "the game asks for the agent by this name"),
        ("preset", format!("{preset:?}"), "ground | air: defaults of the keys left out"),
        ("body", format!("{:?}", agent.body), "width, height"),
        ("run_speed", number(agent.run_speed), "units/s; for fliers the speed of flight"),
        ("acceleration", number(agent.acceleration), "units/s²"),
        ("deceleration", number(agent.deceleration), ""),
        ("jump_height", number(agent.jump_height), "apex above the take-off; 0: cannot jump"),
        ("jump_time", "0.36".to_owned(), "seconds from take-off to apex; or give gravity, units/s²"),
        ("max_jump", format!("{:?}", agent.max_jump), "farthest across, highest up"),
        ("max_drop", format!("{:?}", agent.max_drop), "farthest across, deepest down"),
        ("air_control", agent.air_control.to_string(), "can change its horizontal speed in the air"),
        ("air_acceleration", steering, "how fast it changes it, units/s²; inf: at once"),
        ("step_height", number(agent.step_height), "steps up to this height are walked, not jumped"),
        ("max_slope", number(agent.max_slope), "degrees"),
        ("edges", edges, "the kinds of movement"),
    ];
    text.push_str("\n[[agent]]\n");
    for (key, value, comment) in lines {
        let line = format!("{key} = {value}");
        let _ = match comment {
            comment if comments && !comment.is_empty() => writeln!(text, "{line:<32} # {comment}"),
            _ => writeln!(text, "{line}"),
        };
    }
}
