//! The command line.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use clap_complete::Shell;
use glam::Vec2;

use super::bake::Shard;
use super::schema::Subject;

/// The command line of `navbake`.
#[derive(Debug, Parser)]
#[command(
    name = "navbake",
    version,
    about = "Bake side-scroller levels into nav meshes",
    long_about = "Bake side-scroller levels (Tiled, LDtk, collision bitmaps) into nav meshes: where each kind \
                  of agent can walk, jump, drop and fly. A game loads the result with the crate \
                  navmesh-runtime.",
    after_help = "Exit status: 0 fine; 1 the answer is no (bake --check: stale; path: there is none; simulate: it does not arrive; diff: they differ; lint: something found); 2 trouble.",
    after_long_help = "\
Examples:
  navbake bake level.tmx                    write level.navmesh beside it
  navbake render level.navmesh              draw it: level.png
  navbake path level.navmesh --agent ground --from 24,96 --to 400,48
  navbake bake --check levels/              in CI: are the baked files up to date?

Agents, units and what counts as solid are set in navbake.toml: looked for beside the level, then
in its parent folders up to the current one. Without it, agents `ground` and `air` are derived from
the tile size.

`-` stands for stdin or stdout. Data goes to stdout, everything else to stderr.

Exit status: 0 fine; 1 the answer is no (bake --check: stale; path: there is none; simulate: it does
not arrive; diff: they differ; lint: something found); 2 trouble.",
    disable_help_subcommand = true,
    subcommand_required = true,
    arg_required_else_help = true,
    max_term_width = 100
)]
pub(super) struct CommandLine {
    #[command(subcommand)]
    pub(super) command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Bake levels: write LEVEL.navmesh beside each
    #[command(after_long_help = "\
Examples:
  navbake bake level.tmx                      write level.navmesh
  navbake bake levels/ -o build/              a whole folder, mirrored
  navbake bake --check levels/                in CI: exit 1 and say why when one is stale
  navbake bake --watch levels/                bake again on every save
  navbake bake world.ldtk#Level_0             one level of a project; without #, all
  navbake bake cave.png --config bats.toml    a bitmap, with agents of its own
  generate | navbake bake - -o - > a.navmesh  from stdin to stdout

What is up to date is left as it is, without baking: the files a level was read from are hashed and
compared with the hashes in its baked file, and so are the settings. A file is replaced in one step.
The bytes do not depend on the machine, the number of threads, the folder or the time.

In folders, .tmx, .tmj and .ldtk files are levels; hidden ones, and those that a .navbakeignore
(written like .gitignore) names, are not.")]
    Bake(BakeArgs),
    /// Tell what is in a baked file: counts, sizes, agents, fingerprints
    #[command(after_long_help = "\
Examples:
  navbake inspect level.navmesh
  navbake inspect level.navmesh --json | jq '.agents[].edges'")]
    Inspect(InspectArgs),
    /// Write out every vertex row, platform and link of a baked file
    #[command(after_long_help = "\
The text sorts things by where they are and has no numbers that would change for all when one more
comes in, so it suits version control. To see level edits in `git diff`:

  echo '*.navmesh diff=navbake' >> .gitattributes
  git config diff.navbake.textconv 'navbake dump'

--json is for programs; docs/cli.md lists its keys.")]
    Dump(DumpArgs),
    /// Find a path in a baked file
    #[command(after_long_help = "\
Examples:
  navbake path level.navmesh --agent ground --from 24,96 --to 400,48
  navbake path level.navmesh --agent ground --from 24,96 --to 400,48 --json --sample 60

Positions are world units and name the agent's feet: the bottom centre of its box. Doors are open,
but for those that the level begins with closed; --closed and --open change that.
Exit status 1 when there is no path.")]
    Path(PathArgs),
    /// Tell why two places are linked, or are not
    #[command(after_long_help = "\
Examples:
  navbake explain level.tmx --agent ground --from 24,96 --to 400,48
  navbake explain level.navmesh --agent ground --from 24,96 --to 400,48 --json

The platforms at (or nearest to) both places are compared. Where no single link joins them, the
failure that comes closest to success is told: too far by how much, too high by how much, or
blocked where and by what. A level is baked first; a baked file knows less of what is in the way.
Exit status 1 when there is no link.")]
    Explain(ExplainArgs),
    /// Draw a baked file: vertices, edges, arcs, a path
    #[command(after_long_help = "\
Examples:
  navbake render level.navmesh                           level.png, the first agent
  navbake render level.navmesh --agent air -o air.png
  navbake render level.navmesh --path 24,96:400,48       with a path on top

Vertices: white in air, green on floor, red inside geometry. Edges: white flying, green floor,
blue jump, red drop. Dark red: where the agent's feet cannot be.")]
    Render(RenderArgs),
    /// Run an agent on a baked file: where it is when, what happens, a film
    #[command(after_long_help = "\
Examples:
  navbake simulate level.navmesh --agent ground --from 24,96 --to 400,48
  navbake simulate level.navmesh --agent ground --from 24,96 --to 400,48 -o chase.gif
  navbake simulate level.navmesh --agent ground --from 24,96 --to 400,48 \\
      --then 2.5:24,96 --stun 1.2:0.5 --json

The agent is the one of the crate navmesh-runtime, as a game would step it. --then sends it
elsewhere at a time, --stun stuns it for so long; both can be given many times. Positions are world
units and name the agent's feet. Exit status 1 when it does not end at its last destination.")]
    Simulate(SimulateArgs),
    /// Write a commented navbake.toml to begin with
    #[command(after_long_help = "\
Examples:
  navbake init levels/first.tmx        levels/navbake.toml, with agents sized for its tiles
  navbake init levels/first.tmx -o -   only show it

It says what holds without it, so that levels bake to the same bytes until something is changed.")]
    Init(InitArgs),
    /// Write the JSON Schema of navbake.toml or of what a command writes
    Schema(SchemaArgs),
    /// Write a script that completes commands in a shell
    #[command(after_long_help = "\
Examples:
  navbake completions bash > ~/.local/share/bash-completion/completions/navbake
  navbake completions zsh > ~/.zfunc/_navbake
  navbake completions fish > ~/.config/fish/completions/navbake.fish")]
    Completions(CompletionsArgs),
    /// Write the manual page
    #[command(after_long_help = "\
Examples:
  navbake man | man -l -
  navbake man -o ~/.local/share/man/man1     a page for each command, too")]
    Man(ManArgs),
    /// Tell what a level edit did to navigation: two baked files compared
    #[command(after_long_help = "\
Examples:
  navbake diff old.navmesh new.navmesh
  navbake diff old.navmesh new.navmesh --image diff.png
  navbake diff old.navmesh new.navmesh --format markdown > comment.md
  navbake diff old.navmesh new.navmesh --format github --fail-on unreachable,traps
  git show HEAD:level.navmesh | navbake diff - level.navmesh

Things are compared by where they are and what can be reached, not by their bytes or numbers; a
level that grew to the left or to the top is found again. What breaks comes first: what can no
longer be reached from the markers of class `spawn`, then what can be entered but not left.

Exit status: 0 when nothing differs (with --fail-on: nothing of these kinds), 1 when it does.")]
    Diff(DiffArgs),
    /// Make a page to look at a baked file with, or at two and what they differ in
    #[command(after_long_help = "\
Examples:
  navbake view level.navmesh                             level.html
  navbake view old.navmesh new.navmesh -o review.html

The page is one file and needs no network. Drag to pan, wheel to zoom, hover for numbers, click two
points for a path; the keyboard does all of it too.")]
    View(ViewArgs),
    /// Tell what a designer should hear of a level before a player finds it
    #[command(after_long_help = "\
Examples:
  navbake lint levels/*.tmx                    bake in memory, tell what is found
  navbake lint build/*.navmesh --json          of baked files, for programs
  navbake lint levels/*.tmx --format github    notes beside the files of a change

Rules:
  broken-spawn          a spawn inside geometry, or over nothing
  broken-portal         a portal without partner, or not on a floor
  broken-door           a door without extent, or without name
  unreachable-waypoint  a waypoint inside geometry, or out of every agent's reach
  trap                  a place an agent can get into, but never out of
  unreachable-platform  floor that no spawn leads to
  fragile-link          a connection that hangs on a link with almost no tolerance

Rules are switched off, or made errors or warnings, in navbake.toml:

  [lint]
  off = [\"fragile-link\"]
  error = [\"trap\"]
  tolerance = 0.02          # seconds; a link that forgives less is fragile

In the level itself, the property `lint_off` of a marker, or of an `area` around a place, names
rules that do not hold there, or `all`.

Exit status 1 when something was found.")]
    Lint(LintArgs),
}

/// `navbake bake`.
#[derive(Debug, Args)]
#[allow(clippy::struct_excessive_bools)] // they are switches
pub(super) struct BakeArgs {
    /// Levels: .tmx, .tmj, .ldtk, .png; folders of them; Tiled .world files; `-` for stdin
    #[arg(required = true, value_name = "LEVEL", value_hint = ValueHint::AnyPath)]
    pub(super) levels: Vec<PathBuf>,
    /// Where to write: a file for one level, a folder for many, `-` for stdout
    #[arg(short, long, value_name = "FILE|DIR", value_hint = ValueHint::AnyPath)]
    pub(super) output: Option<PathBuf>,
    /// Take the configuration from this file
    #[arg(long, value_name = "navbake.toml", value_hint = ValueHint::FilePath)]
    pub(super) config: Option<PathBuf>,
    /// In folders, also take bitmaps (and .json maps) that match, as in .gitignore
    #[arg(long, value_name = "GLOB")]
    pub(super) include: Vec<String>,
    /// Use so many threads instead of one a core
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) threads: Option<u16>,
    /// Bake only the I-th of N parts of the levels, shared out by their paths
    #[arg(long, value_name = "I/N")]
    pub(super) shard: Option<Shard>,
    /// Write nothing; exit 1 when a baked file is missing or stale, and say why
    #[arg(long)]
    pub(super) check: bool,
    /// Bake even what is up to date; with --check, compare the bytes
    #[arg(long)]
    pub(super) force: bool,
    /// Write what was read, as make and ninja understand it
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "check")]
    pub(super) depfile: Option<PathBuf>,
    /// Stay, and bake again whenever something is saved, until Ctrl-C
    #[arg(long, conflicts_with_all = ["check", "force", "depfile"])]
    pub(super) watch: bool,
    /// Tell what was done as JSON on stdout, one line a level
    #[arg(long)]
    pub(super) json: bool,
    /// Tell why each layer counted as collision or not, and the agents used
    #[arg(short, long)]
    pub(super) verbose: bool,
}

/// `navbake inspect`.
#[derive(Debug, Args)]
pub(super) struct InspectArgs {
    /// A baked file; `-` for stdin
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) file: PathBuf,
    /// As JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// `navbake dump`.
#[derive(Debug, Args)]
pub(super) struct DumpArgs {
    /// A baked file; `-` for stdin
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) file: PathBuf,
    /// As JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// `navbake path`.
#[derive(Debug, Args)]
pub(super) struct PathArgs {
    /// A baked file; `-` for stdin
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) file: PathBuf,
    /// Whose path
    #[arg(long, value_name = "NAME")]
    pub(super) agent: String,
    /// Where it starts, world units
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true)]
    pub(super) from: Point,
    /// Where it should end, world units
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true)]
    pub(super) to: Point,
    /// As JSON
    #[arg(long)]
    pub(super) json: bool,
    /// Close the doors of this name; can be given several times
    #[arg(long, value_name = "NAME")]
    pub(super) closed: Vec<String>,
    /// Open doors that are closed when the level begins (property `closed`)
    #[arg(long, value_name = "NAME")]
    pub(super) open: Vec<String>,
    /// Also the motion an agent makes along it, so many times a second
    #[arg(long, value_name = "HZ", value_parser = frequency)]
    pub(super) sample: Option<f64>,
}

/// `navbake explain`.
#[derive(Debug, Args)]
pub(super) struct ExplainArgs {
    /// A level, or a baked file
    #[arg(value_name = "FILE|LEVEL", value_hint = ValueHint::FilePath)]
    pub(super) file: PathBuf,
    /// Whose link
    #[arg(long, value_name = "NAME")]
    pub(super) agent: String,
    /// Where it would leave, world units
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true)]
    pub(super) from: Point,
    /// Where it would land, world units
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true)]
    pub(super) to: Point,
    /// Take the configuration from this file (levels only)
    #[arg(long, value_name = "navbake.toml", value_hint = ValueHint::FilePath)]
    pub(super) config: Option<PathBuf>,
    /// As JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// `navbake render`.
#[derive(Debug, Args)]
pub(super) struct RenderArgs {
    /// A baked file; `-` for stdin
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) file: PathBuf,
    /// Where to write; FILE with .png by default, `-` for stdout
    #[arg(short, long, value_name = "PNG", value_hint = ValueHint::FilePath)]
    pub(super) output: Option<PathBuf>,
    /// Whose layer; the first by default
    #[arg(long, value_name = "NAME")]
    pub(super) agent: Option<String>,
    /// Draw the path between two positions on top
    #[arg(long, value_name = "X,Y:X,Y", allow_hyphen_values = true)]
    pub(super) path: Option<Ends>,
}

/// `navbake simulate`.
#[derive(Debug, Args)]
pub(super) struct SimulateArgs {
    /// A baked file; `-` for stdin
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) file: PathBuf,
    /// Who moves
    #[arg(long, value_name = "NAME")]
    pub(super) agent: String,
    /// Where it spawns, world units
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true)]
    pub(super) from: Point,
    /// Where it is sent, world units
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true)]
    pub(super) to: Point,
    /// Send it elsewhere after T seconds
    #[arg(long, value_name = "T:X,Y", allow_hyphen_values = true)]
    pub(super) then: Vec<Later>,
    /// Stun it after T seconds, for so many seconds
    #[arg(long, value_name = "T:SECONDS", allow_hyphen_values = true)]
    pub(super) stun: Vec<Stun>,
    /// Tell so many times a second where it is
    #[arg(long, value_name = "HZ", value_parser = frequency, default_value = "10")]
    pub(super) sample: f64,
    /// Give up after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "60")]
    pub(super) limit: f64,
    /// As JSON
    #[arg(long)]
    pub(super) json: bool,
    /// Draw it as an animation; `-` for stdout, instead of the text
    #[arg(short, long, value_name = "GIF", value_hint = ValueHint::FilePath)]
    pub(super) output: Option<PathBuf>,
}

/// A destination for later.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Later {
    pub(super) time: f64,
    pub(super) to: Vec2,
}

impl FromStr for Later {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (time, to) = text
            .split_once(':')
            .ok_or("when and where to, T:X,Y, such as 2.5:400,48")?;
        Ok(Self {
            time: seconds(time)?,
            to: to.parse::<Point>()?.0,
        })
    }
}

/// When a stun begins and how long it lasts, in seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Stun {
    pub(super) time: f64,
    pub(super) length: f64,
}

impl FromStr for Stun {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (time, length) = text
            .split_once(':')
            .ok_or("when and how long, T:SECONDS, such as 1.2:0.5")?;
        Ok(Self {
            time: seconds(time)?,
            length: seconds(length)?,
        })
    }
}

/// `navbake init`.
#[derive(Debug, Args)]
pub(super) struct InitArgs {
    /// The level it is for; `-` for stdin
    #[arg(value_name = "LEVEL", value_hint = ValueHint::FilePath)]
    pub(super) level: Option<PathBuf>,
    /// Where to write; navbake.toml beside the level by default, `-` for stdout
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) output: Option<PathBuf>,
    /// Replace a file that is there already
    #[arg(long)]
    pub(super) force: bool,
}

/// `navbake schema`.
#[derive(Debug, Args)]
pub(super) struct SchemaArgs {
    /// Of what
    #[arg(value_enum, value_name = "OF")]
    pub(super) subject: Subject,
}

/// `navbake completions`.
#[derive(Debug, Args)]
pub(super) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    pub(super) shell: Shell,
}

/// `navbake man`.
#[derive(Debug, Args)]
pub(super) struct ManArgs {
    /// A folder for the pages of all commands
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(super) output: Option<PathBuf>,
}

/// `navbake diff`.
#[derive(Debug, Args)]
pub(super) struct DiffArgs {
    /// The baked file before; `-` for stdin
    #[arg(value_name = "OLD", value_hint = ValueHint::FilePath)]
    pub(super) old: PathBuf,
    /// The baked file after; `-` for stdin
    #[arg(value_name = "NEW", value_hint = ValueHint::FilePath)]
    pub(super) new: PathBuf,
    /// How to tell it
    #[arg(long, value_enum, default_value_t = DiffFormat::Human)]
    pub(super) format: DiffFormat,
    /// Exit 1 only for these kinds of difference
    #[arg(long, value_enum, value_name = "KIND", value_delimiter = ',')]
    pub(super) fail_on: Vec<FailOn>,
    /// Also draw both: added in one colour, removed in another
    #[arg(long, value_name = "PNG", value_hint = ValueHint::FilePath)]
    pub(super) image: Option<PathBuf>,
    /// Whose layer to draw; the first with a difference by default
    #[arg(long, value_name = "NAME")]
    pub(super) agent: Option<String>,
}

/// `navbake view`.
#[derive(Debug, Args)]
pub(super) struct ViewArgs {
    /// A baked file; `-` for stdin
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) file: PathBuf,
    /// A newer one, to compare it with
    #[arg(value_name = "OTHER", value_hint = ValueHint::FilePath)]
    pub(super) other: Option<PathBuf>,
    /// Where to write; the last file with .html by default, `-` for stdout
    #[arg(short, long, value_name = "HTML", value_hint = ValueHint::FilePath)]
    pub(super) output: Option<PathBuf>,
}

/// How `navbake diff` tells what differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum DiffFormat {
    /// For a terminal
    Human,
    /// For programs
    Json,
    /// For a comment on a pull request
    Markdown,
    /// Annotations of a GitHub workflow
    Github,
}

/// Kinds of difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum FailOn {
    /// A link is gone
    RemovedLinks,
    /// Something can no longer be reached
    Unreachable,
    /// Something new can be entered but not left
    Traps,
    /// Anything at all
    Any,
}

/// `navbake lint`.
#[derive(Debug, Args)]
pub(super) struct LintArgs {
    /// Levels (baked in memory) and baked files; `-` for a level on stdin
    #[arg(required = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) files: Vec<PathBuf>,
    /// Take the configuration from this file
    #[arg(long, value_name = "navbake.toml", value_hint = ValueHint::FilePath)]
    pub(super) config: Option<PathBuf>,
    /// How findings are told
    #[arg(long, value_enum, default_value_t = LintFormat::Human, conflicts_with = "json")]
    format: LintFormat,
    /// As JSON: the same as --format json
    #[arg(long)]
    json: bool,
    /// Tell people every finding, not only the first few of each rule
    #[arg(long)]
    pub(super) all: bool,
}

impl LintArgs {
    pub(super) fn format(&self) -> LintFormat {
        if self.json {
            LintFormat::Json
        } else {
            self.format
        }
    }
}

/// How findings are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum LintFormat {
    /// Text
    Human,
    /// For programs
    Json,
    /// GitHub's workflow commands
    Github,
}

/// A position on the command line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Point(pub(super) Vec2);

impl FromStr for Point {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| text.trim().parse::<f32>().ok().filter(|v| v.is_finite());
        text.split_once(',')
            .and_then(|(x, y)| Some(Self(Vec2::new(number(x)?, number(y)?))))
            .ok_or_else(|| "a position is two numbers, X,Y, such as 24,96.5".to_string())
    }
}

/// Two positions on the command line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Ends {
    pub(super) from: Vec2,
    pub(super) to: Vec2,
}

impl FromStr for Ends {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (from, to) = text
            .split_once(':')
            .ok_or("a path is two positions, X,Y:X,Y, such as 24,96:400,48")?;
        Ok(Self {
            from: from.parse::<Point>()?.0,
            to: to.parse::<Point>()?.0,
        })
    }
}

fn frequency(text: &str) -> Result<f64, String> {
    let rule = "samples a second: a number above 0, at most 10000";
    let hz: f64 = text.parse().map_err(|_| rule.to_string())?;
    if hz > 0.0 && hz <= 10_000.0 {
        Ok(hz)
    } else {
        Err(rule.to_string())
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    let value = text.trim().parse::<f64>().ok();
    value
        .filter(|v| (0.0..=3600.0).contains(v))
        .ok_or_else(|| format!("{text:?} is not a number of seconds from 0 to 3600"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        <CommandLine as clap::CommandFactory>::command().debug_assert();
    }

    #[test]
    fn positions_are_pairs_of_numbers() {
        assert_eq!("-1,2.5".parse(), Ok(Point(Vec2::new(-1.0, 2.5))));
        assert_eq!(
            "0,0: -3,4".parse(),
            Ok(Ends {
                from: Vec2::ZERO,
                to: Vec2::new(-3.0, 4.0)
            })
        );
        for wrong in ["", "1", "1;2", "1,2,3", "nan,1", "inf,0"] {
            assert!(wrong.parse::<Point>().is_err(), "{wrong}");
        }
        assert!("1,2".parse::<Ends>().is_err());
        assert!(frequency("0").is_err() && frequency("60").is_ok());
    }

    #[test]
    fn orders_have_a_time_and_a_place_or_a_length() {
        let later = Later {
            time: 2.5,
            to: Vec2::new(-4.0, 8.0),
        };
        assert_eq!("2.5:-4,8".parse(), Ok(later));
        let stun = Stun {
            time: 1.0,
            length: 0.5,
        };
        assert_eq!("1:0.5".parse(), Ok(stun));
        for wrong in ["4,8", "-1:4,8", "nan:4,8", "1:4", "9999:4,8"] {
            assert!(wrong.parse::<Later>().is_err(), "{wrong}");
        }
        for wrong in ["1", "1:-2", "x:1", "1:inf"] {
            assert!(wrong.parse::<Stun>().is_err(), "{wrong}");
        }
    }
}
