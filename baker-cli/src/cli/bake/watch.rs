//! `--watch`: bakes again whenever a file is saved.
//!
//! The time and the length of every input are read about ten times a second.
//! Unlike change notifications, this works on network shares and in containers.
//! For a hundred levels it takes less than a millisecond.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use crate::cli::bake::job::Shared;
use crate::cli::bake::orphans::Orphan;
use crate::cli::bake::session::Session;
use crate::cli::bake::targets::{Target, Targets};
use crate::cli::failure::{ExitStatus, Failure};
use crate::cli::input_files::{FileStamp, LevelInputs, SeenFile, stamp};

/// Pause between two scans: a tenth of a second feels immediate, and the scans
/// of a hundred levels take under one per cent of a core.
const PAUSE: Duration = Duration::from_millis(100);

/// In large projects a scan takes longer. The pause is then so many times the
/// scan, which keeps the load below a tenth of a core.
const PAUSE_PER_SCAN: u32 = 10;

/// But no pause is longer than this.
const MAX_PAUSE: Duration = Duration::from_secs(2);

/// Editors save in several steps. A bake starts when no input has changed for
/// so long.
const SETTLE: Duration = Duration::from_millis(40);

/// A file that never stops changing is baked after so many settle times, one
/// second in all.
const MAX_SETTLES: u32 = 25;

/// The files of each level since its last bake, its baked file among them.
type Baked = BTreeMap<PathBuf, LevelInputs>;

/// Bakes all levels, then those that change, until Ctrl-C.
pub(crate) fn watch(session: &Session<'_>) -> Result<ExitStatus, Failure> {
    let (interrupt, interrupted) = mpsc::channel();
    let stop = Arc::clone(&session.stop);
    ctrlc::set_handler(move || {
        // The second Ctrl-C does not wait for the level in work. Files are
        // replaced in one step, so none is left half-written.
        if stop.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        let _ = interrupt.send(());
    })
    .map_err(|e| Failure::new(format!("cannot listen for Ctrl-C: {e}")))?;

    let mut baked = Baked::new();
    let mut last_error = String::new();
    let mut orphans = NewOrphans::default();
    let mut is_first = true;
    loop {
        let start = Instant::now();
        let mut scan = Duration::ZERO;
        match session.targets() {
            Ok(mut found) => {
                last_error.clear();
                baked.retain(|level, _| found.targets.iter().any(|t| t.level == *level));
                found.targets = changed(session, &baked, found.targets);
                if !is_first {
                    found.notes.clear();
                }
                orphans.keep_new(&mut found.orphans, is_first);
                scan = start.elapsed();
                if !(found.targets.is_empty() && found.orphans.is_empty()) {
                    bake(session, &mut baked, &found)?;
                }
            }
            Err(Failure::ClosedPipe) => return Err(Failure::ClosedPipe),
            // The same error is not printed ten times a second.
            Err(Failure::Message(error)) => {
                if error != last_error {
                    session.shared.terminal.error(&error);
                    last_error = error;
                }
            }
        }
        if std::mem::take(&mut is_first) {
            session.shared.terminal.note("watching; stop with Ctrl-C");
        }
        let pause = PAUSE.max(scan * PAUSE_PER_SCAN).min(MAX_PAUSE);
        if session.stop.load(Ordering::Relaxed) || interrupted.recv_timeout(pause).is_ok() {
            session.shared.terminal.note("stopped");
            return Ok(ExitStatus::Success);
        }
    }
}

/// The baked files without a level, so that each is reported once.
#[derive(Default)]
struct NewOrphans {
    /// Those of the last scan, and whether they were reported.
    seen: BTreeMap<PathBuf, bool>,
}

impl NewOrphans {
    /// Keeps those to report. An editor may remove a level before it writes the new one, so a level is
    /// gone only when two scans do not find it, or the first.
    fn keep_new(&mut self, found: &mut Vec<Orphan>, is_first: bool) {
        let before = std::mem::take(&mut self.seen);
        found.retain(|orphan| {
            let known = before.get(&orphan.output).copied();
            let is_due = is_first || known == Some(false);
            let reported = is_due || known == Some(true);
            self.seen.insert(orphan.output.clone(), reported);
            is_due
        });
    }
}

/// The levels that are new or have a file that changed.
fn changed(session: &Session<'_>, baked: &Baked, targets: Vec<Target>) -> Vec<Target> {
    // Levels share tilesets: each file's stamp is read once.
    let mut stamps: BTreeMap<PathBuf, FileStamp> = BTreeMap::new();
    let Shared { args, cwd, .. } = &session.shared;
    let mut is_other = |seen: &SeenFile| {
        let now = stamps.entry(seen.path.clone());
        *now.or_insert_with(|| stamp(&seen.path)) != seen.stamp
    };
    let has_changed = |target: &Target| {
        // A `navbake.toml` that is now nearer to the level is in no list of files.
        let config = args.config.locate(&target.level, cwd);
        (baked.get(&target.level))
            .is_none_or(|inputs| config != inputs.config || inputs.seen.iter().any(&mut is_other))
    };
    targets.into_iter().filter(has_changed).collect()
}

/// Waits until the files no longer change, then bakes.
fn bake(session: &Session<'_>, baked: &mut Baked, found: &Targets) -> Result<(), Failure> {
    let targets = &found.targets;
    let stamps = || -> Vec<FileStamp> {
        let levels = targets.iter().filter_map(|target| baked.get(&target.level));
        let seen = levels.flat_map(|inputs| &inputs.seen);
        seen.map(|seen| stamp(&seen.path)).collect()
    };
    let mut before = stamps();
    for _ in 0..MAX_SETTLES {
        // In the first run no inputs are known, and there is nothing to wait for.
        if before.is_empty() {
            break;
        }
        std::thread::sleep(SETTLE);
        let now = stamps();
        if now == before {
            break;
        }
        before = now;
    }
    let batch = session.bake(found)?;
    for (target, mut inputs) in targets.iter().zip(batch.inputs) {
        if inputs.seen.is_empty() {
            inputs.seen.push(SeenFile::now(target.level.clone()));
        }
        // A baked file that is removed or replaced is baked again.
        inputs.seen.push(SeenFile::now(target.output.clone()));
        baked.insert(target.level.clone(), inputs);
    }
    Ok(())
}
