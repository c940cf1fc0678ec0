//! Baking many levels in parallel.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use rayon::ThreadPool;
use rayon::prelude::*;

use crate::cli::args::current_folder;
use crate::cli::atomic_file::sweep;
use crate::cli::bake::args::BakeArgs;
use crate::cli::bake::collect::collect;
use crate::cli::bake::job::{LevelOutcome, Shared, Status};
use crate::cli::bake::orphans::Orphan;
use crate::cli::bake::report::Reporter;
use crate::cli::bake::targets::{Target, Targets, targets};
use crate::cli::failure::{ExitStatus, Failure};
use crate::cli::input_files::LevelInputs;
use crate::cli::level_input::read_bytes;
use crate::cli::paths::{folder_of, is_dash};
use crate::cli::terminal::Terminal;

/// What stays the same from one run to the next; `--watch` has many runs.
pub(crate) struct Session<'a> {
    pub(crate) shared: Shared<'a>,
    pool: ThreadPool,
    /// While it is set, no further level is started.
    pub(crate) stop: Arc<AtomicBool>,
}

/// The result of one run.
pub(crate) struct Batch {
    pub(crate) status: ExitStatus,
    /// The files that each target was made from, in the order of the targets.
    pub(crate) inputs: Vec<LevelInputs>,
}

impl<'a> Session<'a> {
    pub(crate) fn new(args: &'a BakeArgs, terminal: &'a Terminal) -> Result<Self, Failure> {
        (args.config).inputs(args.levels.iter().map(PathBuf::as_path))?;
        args.config.load()?;
        let mut pool = rayon::ThreadPoolBuilder::new();
        if let Some(threads) = args.threads {
            pool = pool.num_threads(usize::from(threads));
        }
        let stdin = args.levels.iter().find(|level| is_dash(level));
        let stdin = stdin.map(|level| read_bytes(level));
        let shared = Shared {
            args,
            terminal,
            cwd: current_folder()?,
            stdin: stdin.transpose()?,
        };
        Ok(Self {
            shared,
            pool: (pool.build()).map_err(|e| Failure::new(format!("cannot start threads: {e}")))?,
            stop: Arc::default(),
        })
    }

    /// The levels to bake and where their baked files go.
    pub(crate) fn targets(&self) -> Result<Targets, Failure> {
        let Shared { args, cwd, .. } = &self.shared;
        let mut found = targets(args, collect(args)?)?;
        if let Some(shard) = args.shard {
            let is_mine = |level: &Path| shard.contains(level, cwd);
            found.targets.retain(|target| is_mine(&target.level));
            found.orphans.retain(|orphan| is_mine(&orphan.level));
            if found.targets.is_empty() {
                let note = "no level belongs to this shard";
                found.notes.push(note.to_owned());
            }
        }
        Ok(found)
    }

    /// Bakes the targets that are not up to date.
    pub(crate) fn bake(&self, found: &Targets) -> Result<Batch, Failure> {
        let start = Instant::now();
        let Shared { args, terminal, .. } = self.shared;
        terminal.begin_run();
        if args.watch {
            args.config.forget_files();
        }
        for note in &found.notes {
            terminal.note(note);
        }
        let targets = found.targets.as_slice();
        let orphans = self.orphans(found);
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
                    let outcome = self.shared.bake(target, &found.projects);
                    bar.inc(1);
                    let inputs = outcome.inputs.clone();
                    let mut reporter = reporter.lock().unwrap_or_else(PoisonError::into_inner);
                    reporter.add(number, target, outcome);
                    // When stdout is closed, the remaining levels are not
                    // baked.
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
        if args.check && reporter.count(Status::Stale) > 0 {
            let prune = if found.orphans.is_empty() {
                ""
            } else {
                " and with --prune"
            };
            terminal.help(&format!("run the same command without --check{prune}"));
        }
        let status = if reporter.count(Status::Error) > 0 {
            ExitStatus::Error
        } else {
            ExitStatus::answer(args.dry_run || reporter.count(Status::Stale) == 0)
        };
        reporter.stdout?;
        Ok(Batch { status, inputs })
    }

    /// Removes the baked files whose level is gone, or reports them.
    fn orphans<'f>(&self, found: &'f Targets) -> Vec<(&'f Orphan, LevelOutcome)> {
        let Shared { args, terminal, .. } = self.shared;
        if !(args.prune || args.check) {
            for Orphan { output, level } in &found.orphans {
                let (output, level) = (output.display(), level.display());
                let text = format!("{output}: its level {level} is not there");
                terminal.warn(&format!("{text}\nhelp: --prune removes it"));
            }
            return Vec::new();
        }
        let outcome = |orphan: &'f Orphan| {
            let result = if args.writes_nothing() {
                Ok(Status::Stale)
            } else {
                std::fs::remove_file(&orphan.output)
                    .map(|()| Status::Removed)
                    .map_err(|e| Failure::file("remove the file", &orphan.output, &e))
            };
            (orphan, LevelOutcome::of_orphan(result))
        };
        found.orphans.iter().map(outcome).collect()
    }

    /// Removes temporary files that a killed run left beside the outputs.
    fn sweep(&self, targets: &[Target]) {
        let outputs = targets.iter().map(|target| target.output.as_path());
        let mut folders: Vec<_> = (outputs.chain(self.shared.args.depfile.as_deref()))
            .filter(|output| !is_dash(output))
            .map(folder_of)
            .collect();
        folders.sort_unstable();
        folders.dedup();
        folders.into_iter().for_each(sweep);
    }
}
