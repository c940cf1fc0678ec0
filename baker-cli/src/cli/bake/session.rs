//! Baking many levels in parallel.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rayon::ThreadPool;
use rayon::prelude::*;

use crate::cli::bake::args::BakeArgs;
use crate::cli::bake::freshness::StaleReason;
use crate::cli::bake::job::{self, Done, LevelOutcome, Log, Shared, Status};
use crate::cli::bake::levels::FoundLevel;
use crate::cli::bake::outputs::Work;
use crate::cli::bake::report::Reporter;
use crate::cli::failure::{ExitStatus, Failure};
use crate::cli::io::{current_folder, folder_of, is_dash, read_bytes, sweep};
use crate::cli::level_input::LevelInputs;
use crate::cli::terminal::Terminal;

/// What stays the same from one run to the next; `--watch` has many runs.
pub struct Session<'a> {
    pub shared: Shared<'a>,
    pool: ThreadPool,
    /// While it is set, no further level is started.
    pub stop: Arc<AtomicBool>,
}

impl<'a> Session<'a> {
    pub fn new(args: &'a BakeArgs, terminal: &'a Terminal) -> Result<Self, Failure> {
        (args.config).inputs(args.levels.iter().map(PathBuf::as_path))?;
        args.config.load()?;
        // 0 is one thread for each core.
        let mut pool =
            rayon::ThreadPoolBuilder::new().num_threads(args.threads.map_or(0, usize::from));
        if cfg!(target_family = "wasm") {
            // It starts no threads.
            pool = pool.num_threads(1).use_current_thread();
        }
        let stdin = args.levels.iter().find(|level| is_dash(level));
        Ok(Self {
            shared: Shared {
                args,
                terminal,
                cwd: current_folder()?,
                stdin: stdin.map(|level| read_bytes(level)).transpose()?,
            },
            pool: (pool.build()).map_err(|e| Failure::new(format!("cannot start threads: {e}")))?,
            stop: Arc::default(),
        })
    }

    /// The levels to bake and where their baked files go.
    pub fn work(&self) -> Result<Work, Failure> {
        Work::find(self.shared.args)
    }

    /// Bakes the targets that are not up to date. Returns the files that each of them was made
    /// from, in their order.
    pub fn bake(&self, work: &Work) -> Result<(ExitStatus, Vec<LevelInputs>), Failure> {
        let start = Instant::now();
        let Shared { args, terminal, .. } = self.shared;
        terminal.begin_run();
        if args.watch {
            args.config.forget_files();
        }
        for note in &work.notes {
            terminal.note(note);
        }
        let targets = &work.targets[..];
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
                    let outcome = job::bake(&self.shared, target, &work.projects);
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
        for (orphan, outcome) in orphans {
            reporter.print(orphan, outcome);
        }
        reporter.print_warnings();
        if !is_single && !targets.is_empty() {
            terminal.print(&reporter.summary(start.elapsed()));
        }
        let is_stale = reporter.count(Status::Stale) > 0;
        if args.check && is_stale {
            let prune = match work.orphans[..] {
                [] => "",
                _ => " and with --prune",
            };
            terminal.help(&format!("run the same command without --check{prune}"));
        }
        let is_refused = (args.strict || args.check) && reporter.has_guessed();
        if is_refused {
            terminal
                .help("put a line for each guess into navbake.toml; `navbake init` writes them");
        }
        let status = if reporter.count(Status::Error) > 0 {
            ExitStatus::Error
        } else {
            ExitStatus::answer(!is_refused && (args.dry_run || !is_stale))
        };
        reporter.stdout?;
        Ok((status, inputs))
    }

    /// Removes the baked files whose level is gone, or reports them.
    fn orphans<'f>(&self, work: &'f Work) -> Vec<(&'f FoundLevel, LevelOutcome)> {
        let Shared { args, terminal, .. } = self.shared;
        let mut outcomes = Vec::new();
        for orphan in &work.orphans {
            let FoundLevel { output, level, .. } = orphan;
            if !(args.prune || args.check) {
                let text = "is not there\nhelp: --prune removes it";
                let (output, level) = (output.display(), level.display());
                terminal.warn(&format!("{output}: its level {level} {text}"));
                continue;
            }
            let result = if args.writes_nothing() {
                Ok(Status::Stale)
            } else {
                std::fs::remove_file(output)
                    .map(|()| Status::Removed)
                    .map_err(|e| Failure::file("remove the file", output, &e))
            };
            let outcome = LevelOutcome {
                result: result.map(|status| Done::new(status, vec![StaleReason::Orphan])),
                log: Log::default(),
                inputs: LevelInputs::default(),
                took: Duration::ZERO,
            };
            outcomes.push((orphan, outcome));
        }
        outcomes
    }

    /// Removes temporary files that a killed run left beside the outputs.
    fn sweep(&self, targets: &[FoundLevel]) {
        let outputs = targets.iter().map(|target| target.output.as_path());
        let outputs = outputs.chain(self.shared.args.depfile.as_deref());
        let files = outputs.filter(|output| !is_dash(output));
        let folders: BTreeSet<_> = files.map(folder_of).collect();
        folders.into_iter().for_each(sweep);
    }
}
