//! `navbake simulate`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::args::{BakedFile, Form, Later, Point, Stun, frequency, seconds};
use super::terminal::Terminal;
use super::{Answer, Failure, output, pipeline};
use crate::report::render::film;
use crate::report::simulation::{Order, Script, simulate};

/// Frames a second of an animation. GIFs count in hundredths of a second, and
/// many viewers slow down what is faster.
const FRAMES: f64 = 20.0;

/// Run an agent on a baked file: where it is when, what happens, a film
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  navbake simulate level.navmesh --agent ground --from 24,96 --to 400,48
  navbake simulate level.navmesh --agent ground --from 24,96 --to 400,48 -o chase.gif
  navbake simulate level.navmesh --agent ground --from 24,96 --to 400,48 \\
      --then 2.5:24,96 --stun 1.2:0.5 --json

The agent is the one of the crate navmesh-runtime, as a game would step it. --then sends it
elsewhere at a time, --stun stuns it for so long; both can be given many times. Positions are world
units and name the agent's feet. Exit status 1 when it does not end at its last destination.")]
pub(super) struct SimulateArgs {
    #[command(flatten)]
    file: BakedFile,
    /// Who moves
    #[arg(long, value_name = "NAME")]
    agent: String,
    /// Where it spawns, world units
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true)]
    from: Point,
    /// Where it is sent, world units
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true)]
    to: Point,
    /// Send it elsewhere after T seconds
    #[arg(long, value_name = "T:X,Y", allow_hyphen_values = true)]
    then: Vec<Later>,
    /// Stun it after T seconds, for so many seconds
    #[arg(long, value_name = "T:SECONDS", allow_hyphen_values = true)]
    stun: Vec<Stun>,
    /// Tell so many times a second where it is
    #[arg(long, value_name = "HZ", value_parser = frequency, default_value = "10")]
    sample: f64,
    /// Give up after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "60")]
    limit: f64,
    #[command(flatten)]
    form: Form,
    /// Draw it as an animation; `-` for stdout, instead of the text
    #[arg(short, long, value_name = "GIF", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
}

pub(super) fn run(args: &SimulateArgs, terminal: &Terminal) -> Result<Answer, Failure> {
    let to_stdout = args.output.as_deref().is_some_and(pipeline::is_dash);
    if to_stdout && args.form.is_json() {
        return Err(Failure::new(
            "no room on stdout for both the animation and --json; give a file with -o",
        ));
    }
    if let Some(output) = &args.output {
        let inputs = [args.file.path()];
        output::refuse_overwrite(output, &inputs, "animation", "another name with -o")?;
    }
    let asset = args.file.open()?;
    let layer = asset.layer(Some(&args.agent))?;
    let script = script(args);
    let simulation = simulate(layer, &script);
    if let Some(output) = &args.output {
        let frames = simulate(
            layer,
            &Script {
                hz: FRAMES,
                ..script
            },
        );
        let gif = film(&asset.mesh, layer, &frames)
            .map_err(|e| Failure::new(format!("cannot encode the animation: {e}")))?;
        let told = format!("{} bytes", gif.len());
        output::write(output, &gif, &told, terminal)?;
    }
    if !to_stdout {
        args.form
            .write(|out| simulation.json(out), |out| simulation.text(out))?;
    }
    Ok(if simulation.has_arrived() {
        Answer::Yes
    } else {
        Answer::No
    })
}

/// What the agent is told.
fn script(args: &SimulateArgs) -> Script {
    let mut orders: Vec<_> = (args.then.iter())
        .map(|later| (later.time, Order::Go(later.to)))
        .collect();
    for stun in &args.stun {
        orders.push((stun.time, Order::Disable));
        orders.push((stun.time + stun.length, Order::Enable));
    }
    Script {
        from: args.from.0,
        to: args.to.0,
        orders,
        hz: args.sample,
        limit: args.limit,
    }
}
