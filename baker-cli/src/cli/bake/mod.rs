//! `navbake bake`: bakes levels that are not up to date.
//!
//! - `args`: the arguments.
//! - `collect` finds the levels, with `world` for Tiled worlds; `shard` keeps a
//!   part of them; `targets` says where each baked file goes; `orphans` finds
//!   baked files whose level is gone.
//! - `session` bakes them in parallel; `job` bakes one level, unless
//!   `freshness` finds its baked file up to date.
//! - `report`: lines, table and JSON; `depfile`: rules for make and ninja.
//! - `watch`: `--watch`.

mod args;
mod collect;
mod depfile;
mod freshness;
mod job;
mod orphans;
mod report;
mod session;
mod shard;
mod targets;
mod watch;
mod world;

pub(crate) use args::BakeArgs;
pub(crate) use collect::{FoundLevel, levels_of};

use crate::cli::failure::{ExitStatus, Failure};
use crate::cli::paths::is_dash;
use crate::cli::terminal::Terminal;
use session::Session;

pub(crate) fn run(args: &BakeArgs, terminal: &Terminal) -> Result<ExitStatus, Failure> {
    let mut paths = args.levels.iter().chain(&args.output);
    if args.watch && paths.any(|path| is_dash(path)) {
        let problem = "--watch cannot read stdin (-) or write stdout";
        return Err(Failure::with_help(problem, "name files or folders"));
    }
    let session = Session::new(args, terminal)?;
    if args.watch {
        return watch::watch(&session);
    }
    let found = session.targets()?;
    if args.depfile.is_some() {
        depfile::check(&found.targets)?;
    }
    let batch = session.bake(&found)?;
    if let Some(path) = &args.depfile {
        depfile::write(path, &found.targets, &batch.inputs)?;
    }
    Ok(batch.status)
}
