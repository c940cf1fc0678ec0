//! `navbake init`: writes a configuration to start from.
//!
//! Its values are the defaults, with agents for the level's spawns, and a rule for each guess
//! of what is collision, which a picture shows.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use navmesh_bake::{Collision, Material, PassDirection, Rect};
use navmesh_runtime::mesh::{AgentProfile, EdgeSet};

use crate::bake::default_agents;
use crate::bake::tools::grid_spacing;
use crate::cli::bake::levels_of;
use crate::cli::editor_files;
use crate::cli::failure::{ExitStatus, Failure};
use crate::cli::io::{self, file_name, is_dash, read_bytes, refuse_overwrite};
use crate::cli::level_input::{LevelFiles, read_level};
use crate::cli::terminal::Terminal;
use crate::config::{Config, DEFAULT_TILE, NAME};
use crate::report::render;
use crate::source::{LevelFile, Undecided, one_line, read_art};

/// Write a commented navbake.toml to start from
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  navbake init levels/first.tmx        levels/navbake.toml, with agents sized for its tiles
  navbake init levels/first.tmx -o -   print it
  navbake init levels                  the same for a folder, an LDtk project or a Tiled world
  navbake init --tiled-types           navbake-types.json: classes of markers and collision
  navbake init --ldtk-template         navbake-template.ldtk: the same for LDtk

Values are the defaults; agents have the names of the level's spawns, and the edges that it has a
use for. What a level
does not say to be collision or not is guessed: the file has a rule for each guess, and
navbake-guesses.png beside it shows the guesses of the level with most of them.")]
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
        return written(&output, editor_files::tiled_types(), terminal);
    }
    let facts = match level {
        Some(level) => LevelFacts::of(level, terminal)?,
        None => LevelFacts::default(),
    };
    if args.ldtk_template {
        let path = std::path::absolute(&output).unwrap_or_else(|_| output.clone());
        let tile = Config::default().tile(facts.tile_size) as u32;
        return written(&output, editor_files::ldtk_template(tile, &path), terminal);
    }
    let text = text(&facts, &output);
    // The written file must be a valid configuration.
    Config::parse(&output, text.clone())?;
    let status = written(&output, text, terminal)?;
    if let Some((level, bounds)) = facts.pictured.as_ref().filter(|_| !is_dash(&output)) {
        let output = output.with_file_name(PICTURE);
        write_picture(level, *bounds, &facts.guesses, &output, terminal)?;
    }
    Ok(status)
}

/// The picture of what was guessed.
const PICTURE: &str = "navbake-guesses.png";

/// Draws a level with what was guessed in it.
fn write_picture(
    level: &Path,
    bounds: Rect,
    guesses: &[Undecided],
    output: &Path,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let files = LevelFiles::beside(level);
    let art = read_art(level, &files, bounds)?;
    refuse_overwrite(output, &files.seen(), "-o")?;
    let guesses = guesses.iter().take(MAX_DRAWN).map(|guess| {
        let name = format!(
            "{}: {} {}s, {}",
            guess.place, guess.number, guess.noun, guess.guess
        );
        (one_line(&name), guess.areas.as_slice())
    });
    let guesses: Vec<(String, &[Rect])> = guesses.collect();
    let title = format!("{}: what was guessed", file_name(level));
    let picture = render::guesses(title, bounds, &art.image, &guesses);
    io::write_png(&picture, output, terminal)
}

fn written(output: &Path, text: String, terminal: &Terminal) -> Result<ExitStatus, Failure> {
    io::write(
        output,
        text.into_bytes(),
        Some("written".to_owned()),
        terminal,
    )?;
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
    /// What was guessed in all levels, each once.
    guesses: Vec<Undecided>,
    /// The first level in which most was guessed, and its extent.
    pictured: Option<(PathBuf, Rect)>,
    /// The agents of its spawns.
    agents: BTreeSet<String>,
    has_ladder: bool,
    has_one_way: bool,
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
        let mut reasons = BTreeSet::new();
        let mut tile_sizes = BTreeSet::new();
        let mut most = 0;
        let mut is_read = false;
        for found in levels_of(named) {
            if let Some(problem) = found.problem {
                failure.get_or_insert(Failure::new(problem));
                continue;
            }
            let piped = is_dash(&found.level).then(|| read_bytes(&found.level));
            let mut read = match read_level(&found.level, piped.transpose()?.as_deref(), &config) {
                Ok(read) => read,
                Err(error) => {
                    failure.get_or_insert(error.into());
                    continue;
                }
            };
            if !std::mem::replace(&mut is_read, true) {
                let settings = config.settings(read.tile_size)?;
                facts.tile_size = read.tile_size;
                facts.spacing = grid_spacing(&read, &settings).ok();
            }
            tile_sizes.extend(read.tile_size);
            let mut new = std::mem::take(&mut read.decisions);
            new.retain(|text| reasons.insert(text.replace(|c: char| c.is_ascii_digit(), "")));
            facts.decisions.extend(new);
            if read.undecided.len() > most && !is_dash(&found.level) {
                most = read.undecided.len();
                facts.pictured = Some((found.level.clone(), read.bounds));
            }
            facts.add_level(read);
        }
        // Those of the level that is drawn come first, as they are drawn.
        facts.guesses.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        if tile_sizes.len() > 1 {
            let sizes = tile_sizes.iter().map(|[w, h]| format!("{w} x {h}"));
            let sizes = sizes.collect::<Vec<_>>().join(", ");
            terminal.warn(&format!(
                "{}: the levels have tiles of {sizes} pixels, and the agents fit those of the \
                 first level\nhelp: write a configuration for each size, in a folder of its own",
                named.display()
            ));
        }
        if !facts.guesses.is_empty() {
            terminal.warn(&format!(
                "{}: not all says whether it is solid, so {} rules are guesses\nhelp: look at each rule of [collision]",
                named.display(),
                facts.guesses.len()
            ));
        }
        match failure.filter(|_| !is_read) {
            Some(failure) => Err(failure),
            None => Ok(facts),
        }
    }

    /// Adds what a level needs of agents, and what was guessed in it.
    fn add_level(&mut self, level: LevelFile) {
        let markers = level.markers.iter();
        for marker in markers.filter(|marker| marker.class.eq_ignore_ascii_case("spawn")) {
            let mut properties = marker.properties.iter();
            let agent = properties.find(|(name, _)| name.eq_ignore_ascii_case("agent"));
            let names = agent
                .map(|(_, name)| name.trim())
                .filter(|name| !name.is_empty() && !name.chars().any(char::is_control));
            self.agents.extend(names.map(str::to_owned));
        }
        match &level.collision {
            Collision::Shapes(pieces) => {
                for piece in pieces {
                    self.has_ladder |= piece.material == Material::Ladder;
                    self.has_one_way |= piece.material == ONE_WAY;
                }
            }
            Collision::Pixels(map) => {
                self.has_ladder |= map.ladder.count_ones() > 0;
                self.has_one_way |= map.one_way.count_ones() > 0;
            }
        }
        for guess in level.undecided {
            if !self.guesses.iter().any(|known| known.rules == guess.rules) {
                self.guesses.push(guess);
            }
        }
    }
}

const ONE_WAY: Material = Material::OneWay(PassDirection::Up);

/// Most guesses in the picture: more colours cannot be distinguished.
const MAX_DRAWN: usize = 8;

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
    for (i, agent) in agents(facts, tile).iter().enumerate() {
        write_agent(agent, i == 0, &mut text);
    }
    text
}

/// The default agents, or one that walks for each name that spawns have, with the edges
/// that the level has a use for.
fn agents(facts: &LevelFacts, tile: f32) -> Vec<AgentProfile> {
    let mut agents = default_agents(tile);
    if !facts.agents.is_empty() {
        let known = |name: &String| agents.iter().find(|agent| agent.name == *name).cloned();
        let named = facts.agents.iter();
        let named =
            named.map(|name| known(name).unwrap_or_else(|| AgentProfile::ground(name, tile)));
        agents = named.collect();
    }
    for agent in agents.iter_mut().filter(|agent| !is_flier(agent)) {
        if facts.has_ladder {
            agent.edges = agent.edges | EdgeSet::LADDER;
            agent.climb_speed = CLIMB_SPEED * agent.run_speed;
        }
        if facts.has_one_way {
            agent.edges = agent.edges | EdgeSet::DROP_THROUGH;
        }
    }
    agents
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
    if facts.guesses.is_empty() {
        text.push_str(EXAMPLES);
        return;
    }
    text.push_str("# What the levels do not say was guessed. Look at each rule, and move it to the list that is right.\n");
    for meaning in LISTS {
        let guesses: Vec<&Undecided> = facts
            .guesses
            .iter()
            .filter(|guess| guess.guess.list() == meaning)
            .collect();
        if guesses.is_empty() {
            let _ = writeln!(text, "# {meaning} = []");
            continue;
        }
        let _ = writeln!(text, "{meaning} = [");
        for guess in guesses {
            let (number, noun, why) = (guess.number, guess.noun, one_line(&guess.why));
            let plural = if number == 1 { "" } else { "s" };
            let place = one_line(&guess.place);
            let _ = writeln!(text, "  # {place}: {number} {noun}{plural}; {why}");
            for rule in &guess.rules {
                let _ = writeln!(text, "  {},", toml::Value::from(one_line(rule)));
            }
        }
        text.push_str("]\n");
    }
}

/// The lists of rules.
const LISTS: [&str; 7] = [
    "solid",
    "one_way",
    "hazard",
    "ladder",
    "slope_right",
    "slope_left",
    "empty",
];

/// Examples of rules, where none is needed.
const EXAMPLES: &str = "\
# solid = [\"layer:ground\", \"property:solid\", \"class:wall\"]
# empty = [\"layer:background\"]
# one_way = [\"class:bridge\"]
# hazard = [\"class:spikes\"]
# ladder = []
";

fn write_list<'a>(lines: impl IntoIterator<Item = &'a String>, text: &mut String) {
    for line in lines {
        let _ = writeln!(text, "#   {}", one_line(line));
    }
}

fn number(value: f32) -> String {
    format!("{value:?}")
}

/// The climb speed of agents, as a part of the run speed.
const CLIMB_SPEED: f32 = 0.4;

fn is_flier(agent: &AgentProfile) -> bool {
    agent.edges.names().any(|edge| edge == "fly")
}

/// Writes an `[[agent]]`; with `comments`, keys have a comment. Keys that follow from
/// others are comments themselves: written out, they would stay when the others change.
fn write_agent(agent: &AgentProfile, comments: bool, text: &mut String) {
    let preset = if is_flier(agent) { "air" } else { "ground" };
    let list = |edges: EdgeSet| {
        let names: Vec<_> = edges.names().map(|edge| format!("\"{edge}\"")).collect();
        format!("[{}]", names.join(", "))
    };
    let steering = agent.air_acceleration.map_or("inf".to_owned(), number);
    let all = format!("the kinds of movement, of {}", list(EdgeSet::ALL));
    let climb = number(agent.climb_speed);
    #[rustfmt::skip]
    let lines = [
        ("name", format!("{:?}", agent.name), "the game asks for the agent by this name"),
        ("preset", format!("{preset:?}"), "ground | air: defaults of the keys left out"),
        ("body", format!("{:?}", agent.body), "width, height"),
        ("run_speed", number(agent.run_speed), "units/s; for fliers the speed of flight"),
        ("# acceleration", number(agent.acceleration), "units/s²; follows from run_speed"),
        ("# deceleration", number(agent.deceleration), "units/s²; follows from run_speed"),
        ("jump_height", number(agent.jump_height), "apex above the take-off; 0: cannot jump"),
        ("jump_time", "0.36".to_owned(), "seconds from take-off to apex; or give gravity, units/s²"),
        ("# max_jump", format!("{:?}", agent.max_jump), "farthest across, highest up; follows from jump_height and run_speed"),
        ("# max_drop", format!("{:?}", agent.max_drop), "farthest across, deepest down; follows from run_speed"),
        ("air_control", agent.air_control.to_string(), "can change its horizontal speed in the air"),
        ("# air_acceleration", steering, "how fast it changes it, units/s²; inf: at once; follows from run_speed"),
        ("# climb_speed", climb, "units/s on ladders, walls and ceilings; follows from edges"),
        ("step_height", number(agent.step_height), "steps up to this height are walked, not jumped"),
        ("max_slope", number(agent.max_slope), "degrees"),
        ("edges", list(agent.edges), &all),
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
