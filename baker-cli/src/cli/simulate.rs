//! `navbake simulate`.

use std::io::{BufWriter, Write, stdout};

use super::args::SimulateArgs;
use super::terminal::Terminal;
use super::{Answer, Failure, pipeline};
use crate::report::render::film;
use crate::report::simulation::{Order, Script, simulate};

/// Frames a second of an animation. GIFs count in hundredths of a second, and
/// many viewers slow down what is faster.
const FRAMES: f64 = 20.0;

pub(super) fn run(args: &SimulateArgs, terminal: &Terminal) -> Result<Answer, Failure> {
    let to_stdout = args.output.as_deref().is_some_and(pipeline::is_dash);
    if to_stdout && args.json {
        return Err(Failure::new(
            "no room on stdout for both the animation and --json; give a file with -o",
        ));
    }
    if let Some(output) = args.output.as_ref().filter(|o| **o == args.file)
        && !to_stdout
    {
        return Err(Failure::new(format!(
            "the animation would replace {} itself; give another name with -o",
            output.display()
        )));
    }
    let asset = pipeline::open(&args.file)?;
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
        if to_stdout {
            stdout().write_all(&gif)?;
        } else {
            std::fs::write(output, &gif).map_err(|e| Failure::file("write", output, &e))?;
            terminal.say(&format!("{}: {} bytes", output.display(), gif.len()));
        }
    }
    if !to_stdout {
        let mut out = BufWriter::new(stdout().lock());
        if args.json {
            simulation.json(&mut out)?;
        } else {
            simulation.text(&mut out)?;
        }
        out.flush()?;
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
