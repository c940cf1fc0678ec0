//! Baking many levels in parallel.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use rayon::ThreadPool;
use rayon::prelude::*;

use crate::cli::bake::args::BakeArgs;
use crate::cli::bake::job::{self, LevelOutcome, Status};
use crate::cli::bake::outputs::{Orphan, Target, Work};
use crate::cli::bake::report::Reporter;
use crate::cli::failure::{ExitStatus, Failure};
use crate::cli::io::{current_folder, folder_of, is_dash, read_bytes, sweep};
use crate::cli::level_input::LevelInputs;
use crate::cli::terminal::Terminal;

/// What stays the same from one run to the next; `--watch` has many runs.
pub struct Session<'a> {
    pub args: &'a BakeArgs,
    pub terminal: &'a Terminal,
    pub cwd: PathBuf,
    /// The bytes of stdin, if a level is read from it.
    pub stdin: Option<Vec<u8>>,
    pool: ThreadPool,
    /// While it is set, no further level is started.
    pub stop: Arc<AtomicBool>,
}

/// The result of one run.
pub struct Batch {
    pub status: ExitStatus,
    /// The files that each target was made from, in the order of the targets.
    pub inputs: Vec<LevelInputs>,
}

impl<'a> Session<'a> {
    pub fn new(args: &'a BakeArgs, terminal: &'a Terminal) -> Result<Self, Failure> {
        (args.config).inputs(args.levels.iter().map(PathBuf::as_path))?;
        args.config.load()?;
        // 0 is one thread for each core.
        let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads.map_or(0, usize::from));
        let stdin = args.levels.iter().find(|level| is_dash(level));
        Ok(Self {
            args,
            terminal,
            cwd: current_folder()?,
            stdin: stdin.map(|level| read_bytes(level)).transpose()?,
            pool: (pool.build()).map_err(|e| Failure::new(format!("cannot start threads: {e}")))?,
            stop: Arc::default(),
        })
    }

    /// The levels to bake and where their baked files go.
    pub fn work(&self) -> Result<Work, Failure> {
        let mut work = Work::find(self.args)?;
        if let Some(shard) = self.args.shard {
            let is_mine = |level: &Path| shard.contains(level, &self.cwd);
            work.targets.retain(|target| is_mine(&target.level));
            work.orphans.retain(|orphan| is_mine(&orphan.level));
            if work.targets.is_empty() {
                (work.notes).push("no level belongs to this shard".to_owned());
            }
        }
        Ok(work)
    }

    /// Bakes the targets that are not up to date.
    pub fn bake(&self, work: &Work) -> Result<Batch, Failure> {
        let start = Instant::now();
        let Self { args, terminal, .. } = self;
        terminal.begin_run();
        if args.watch {
            args.config.forget_files();
        }
        for note in &work.notes {
            terminal.note(note);
        }
        let targets = work.targets.as_slice();
        let orphans = self.orphans(work);
        if !args.writes_nothing() {
            self.sweep(targets);
        }
        let is_single = targets.len() + orphans.len() == 1;
        let reporter = Mutex::new(Reporter::new(terminal, args, is_single));
        let bar = terminal.batch_bar(targets.len());
        let inputs = self.pool.install(|| {
            (targets.par_iter().enumerate())
                .map(|(number, target)| {
                    if self.stop.load(Ordering::Relaxed) {
                        return LevelInputs::default();
                    }
                    let outcome = job::bake(self, target, &work.projects);
                    bar.inc(1);
                    let inputs = outcome.inputs.clone();
                    let mut reporter = reporter.lock().unwrap_or_else(PoisonError::into_inner);
                    reporter.add(number, target, outcome);
                    // When stdout is closed, the remaining levels are not baked.
                    if reporter.stdout.is_err() {
                        self.stop.store(true, Ordering::Relaxed);
                    }
                    inputs
                })
                .collect()
        });
        // The bar must not stand between the lines that follow.
        drop(bar);
        let reporter = reporter.into_inner();
        let mut reporter = reporter.unwrap_or_else(PoisonError::into_inner);
        reporter.flush();
        for (Orphan { level, output }, outcome) in orphans {
            reporter.print(level, output, outcome);
        }
        reporter.print_warnings();
        if !is_single && !targets.is_empty() {
            terminal.print(&reporter.summary(start.elapsed()));
        }
        let is_stale = reporter.count(Status::Stale) > 0;
        if args.check && is_stale {
            let prune = if work.orphans.is_empty() {
                ""
            } else {
                " and with --prune"
            };
            terminal.help(&format!("run the same command without --check{prune}"));
        }
        let status = if reporter.count(Status::Error) > 0 {
            ExitStatus::Error
        } else {
            ExitStatus::answer(args.dry_run || !is_stale)
        };
        reporter.stdout?;
        Ok(Batch { status, inputs })
    }

    /// Removes the baked files whose level is gone, or reports them.
    fn orphans<'f>(&self, work: &'f Work) -> Vec<(&'f Orphan, LevelOutcome)> {
        let mut outcomes = Vec::new();
        for orphan in &work.orphans {
            let Orphan { output, level } = orphan;
            if !(self.args.prune || self.args.check) {
                let text = "is not there\nhelp: --prune removes it";
                let (output, level) = (output.display(), level.display());
                (self.terminal).warn(&format!("{output}: its level {level} {text}"));
                continue;
            }
            let result = if self.args.writes_nothing() {
                Ok(Status::Stale)
            } else {
                std::fs::remove_file(output)
                    .map(|()| Status::Removed)
                    .map_err(|e| Failure::file("remove the file", output, &e))
            };
            outcomes.push((orphan, LevelOutcome::of_orphan(result)));
        }
        outcomes
    }

    /// Removes temporary files that a killed run left beside the outputs.
    fn sweep(&self, targets: &[Target]) {
        let outputs = targets.iter().map(|target| target.output.as_path());
        let mut folders: Vec<_> = (outputs.chain(self.args.depfile.as_deref()))
            .filter(|output| !is_dash(output))
            .map(folder_of)
            .collect();
        folders.sort_unstable();
        folders.dedup();
        folders.into_iter().for_each(sweep);
    }
}
