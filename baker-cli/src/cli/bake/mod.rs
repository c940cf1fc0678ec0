//! `navbake bake`: many levels, none of them twice.
//!
//! - `args`: what it can be told.
//! - `collect`: which levels are meant; `world`: those of a Tiled world;
//!   `shard`: a part of them.
//! - `targets`: where each goes.
//! - `job`: one level, baked unless it is up to date.
//! - `report`: what became of them; `depfile`: what they were made from.
//! - `watch`: again whenever something is saved.

mod args;
mod collect;
mod depfile;
mod job;
mod report;
mod shard;
mod targets;
mod watch;
mod world;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use rayon::ThreadPool;
use rayon::prelude::*;

use super::config::Config;
use super::pipeline::{self, Hashes, Seen, is_dash};
use super::terminal::Terminal;
use super::{Answer, Failure};
pub(super) use args::BakeArgs;
use job::{Configs, Run, Status};
use report::Reporter;
use targets::Target;

pub(super) fn run(args: &BakeArgs, terminal: &Terminal) -> Result<Answer, Failure> {
    let dashes = args.levels.iter().chain(&args.output);
    if args.watch && dashes.into_iter().any(|path| is_dash(path)) {
        return Err(Failure::new(
            "--watch needs files to watch and to write, not stdin (-) or stdout",
        ));
    }
    let session = Session::new(args, terminal)?;
    if args.watch {
        return watch::watch(&session);
    }
    let targets = session.plan()?;
    let batch = session.bake(&targets)?;
    if let Some(path) = &args.depfile {
        write_depfile(path, &targets, &batch)?;
    }
    Ok(batch.answer)
}

/// What does not change from one run to the next.
struct Session<'a> {
    args: &'a BakeArgs,
    terminal: &'a Terminal,
    cwd: PathBuf,
    stdin: Option<Vec<u8>>,
    pool: ThreadPool,
    /// Nothing more is to be begun.
    stop: Arc<AtomicBool>,
}

/// What a run did.
struct Batch {
    answer: Answer,
    /// For each target, what was looked at and by which configuration.
    looked: Vec<Looked>,
}

/// What was looked at for one level.
struct Looked {
    seen: Vec<Seen>,
    config: Option<PathBuf>,
}

impl<'a> Session<'a> {
    fn new(args: &'a BakeArgs, terminal: &'a Terminal) -> Result<Self, Failure> {
        // A configuration that was asked for and is wrong is wrong for all.
        args.config.path().map(Config::load).transpose()?;
        let mut pool = rayon::ThreadPoolBuilder::new();
        if let Some(threads) = args.threads {
            pool = pool.num_threads(usize::from(threads));
        }
        let reads_stdin = args.levels.iter().any(|level| is_dash(level));
        Ok(Self {
            args,
            terminal,
            cwd: pipeline::current_folder()?,
            stdin: reads_stdin
                .then(|| pipeline::bytes_of(Path::new("-")))
                .transpose()?,
            pool: pool
                .build()
                .map_err(|e| Failure::new(format!("cannot start threads: {e}")))?,
            stop: Arc::default(),
        })
    }

    /// Which levels go where.
    fn plan(&self) -> Result<Vec<Target>, Failure> {
        let collected = collect::collect(self.args)?;
        let mut targets = targets::targets(self.args, collected)?;
        if let Some(shard) = self.args.shard {
            targets.retain(|target| shard.has(&target.level, &self.cwd));
            if targets.is_empty() {
                self.terminal.note("no level belongs to this shard");
            }
        }
        Ok(targets)
    }

    /// Bakes what is not up to date.
    fn bake(&self, targets: &[Target]) -> Result<Batch, Failure> {
        let start = Instant::now();
        let run = Run {
            args: self.args,
            terminal: self.terminal,
            cwd: &self.cwd,
            stdin: self.stdin.as_deref(),
            hashes: Hashes::default(),
            configs: Configs::default(),
        };
        if !self.args.check {
            let outputs = targets.iter().map(|target| target.output.as_path());
            pipeline::sweep(outputs.chain(self.args.depfile.as_deref()));
        }
        let many = targets.len() > 1;
        let reporter = Mutex::new(Reporter::new(self.terminal, self.args.json, !many));
        let whole = self.terminal.whole(if many { targets.len() } else { 0 });
        let looked = self.pool.install(|| {
            (targets.par_iter().enumerate())
                .map(|(number, target)| {
                    if self.stop.load(Ordering::Relaxed) {
                        return None;
                    }
                    let outcome = run.level(target);
                    whole.advance();
                    let looked = Looked {
                        seen: outcome.seen.clone(),
                        config: outcome.config.clone(),
                    };
                    let mut reporter = reporter.lock().unwrap_or_else(PoisonError::into_inner);
                    reporter.hear(number, target, outcome);
                    // Nobody reads what is baked: no use to go on.
                    if reporter.stdout.is_err() {
                        self.stop.store(true, Ordering::Relaxed);
                    }
                    Some(looked)
                })
                .collect::<Vec<_>>()
        });
        drop(whole);
        let mut reporter = reporter
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        reporter.flush();
        if many {
            self.terminal.say(&reporter.summary(start.elapsed()));
        }
        let answer = if reporter.has(Status::Error) {
            Answer::Error
        } else if reporter.has(Status::Stale) {
            Answer::No
        } else {
            Answer::Yes
        };
        reporter.stdout?;
        let none = || Looked {
            seen: Vec::new(),
            config: None,
        };
        Ok(Batch {
            answer,
            looked: looked.into_iter().map(|l| l.unwrap_or_else(none)).collect(),
        })
    }
}

/// Writes down what every baked file was made from.
fn write_depfile(path: &Path, targets: &[Target], batch: &Batch) -> Result<(), Failure> {
    let rules: Vec<_> = targets
        .iter()
        .zip(&batch.looked)
        .filter(|(target, _)| !is_dash(&target.output) && target.problem.is_none())
        .map(|(target, looked)| depfile::Rule {
            output: target.output.clone(),
            inputs: looked.seen.iter().map(|seen| seen.path.clone()).collect(),
        })
        .collect();
    let text = depfile::depfile(&rules)?;
    pipeline::write(path, text.as_bytes()).map_err(|e| Failure::file("write", path, &e))?;
    Ok(())
}
