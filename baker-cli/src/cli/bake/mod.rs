//! `navbake bake`: bakes levels that are not up to date.
//!
//! - `args`: the arguments.
//! - `levels` finds the levels, with `world` for Tiled worlds; `outputs` says where each
//!   baked file goes, and finds baked files whose level is gone.
//! - `session` bakes them in parallel; `job` bakes one level, unless
//!   `freshness` finds its baked file up to date.
//! - `report`: lines, table and JSON; `depfile`: rules for make and ninja.
//! - `watch`: `--watch`.

mod args;
mod depfile;
mod freshness;
mod job;
mod levels;
mod outputs;
mod report;
mod session;
mod watch;
mod world;

pub use args::BakeArgs;
pub use levels::{FoundLevel, levels_of};
pub use report::JsonLine;

use crate::cli::failure::{ExitStatus, Failure};
use crate::cli::io::is_dash;
use crate::cli::terminal::Terminal;
use session::Session;

pub fn run(args: &BakeArgs, terminal: &Terminal) -> Result<ExitStatus, Failure> {
    let mut paths = args.levels.iter().chain(&args.output);
    if args.watch && paths.any(|path| is_dash(path)) {
        let problem = "--watch cannot read stdin (-) or write stdout";
        return Err(Failure::with_help(problem, "name files or folders"));
    }
    let session = Session::new(args, terminal)?;
    if args.watch {
        return watch::watch(&session);
    }
    let work = session.work()?;
    if args.depfile.is_some() {
        depfile::check(&work.targets)?;
    }
    let (status, inputs) = session.bake(&work)?;
    if let Some(path) = &args.depfile {
        depfile::write(path, &work.targets, &inputs)?;
    }
    Ok(status)
}
