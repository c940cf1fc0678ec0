//! `--watch`: bakes again whenever a file is saved.
//!
//! The time and the length of every input are read about ten times a second.
//! For a hundred levels it takes less than a millisecond. Unlike change notifications, this
//! works on network shares and in containers, and needs no limit of the system for large
//! projects. With notifications, levels would still have to be found and compared.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use crate::cli::bake::job::Shared;
use crate::cli::bake::levels::FoundLevel;
use crate::cli::bake::outputs::Work;
use crate::cli::bake::session::Session;
use crate::cli::failure::{ExitStatus, Failure};
use crate::cli::interrupt::Interrupt;
use crate::cli::level_input::{FileStamp, LevelInputs, SeenFile, stamp};

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
pub fn watch(session: &Session<'_>) -> Result<ExitStatus, Failure> {
    let interrupt = Interrupt::listen(&session.stop)?;
    let mut baked = Baked::new();
    let mut last_error = String::new();
    let mut orphans = BTreeMap::new();
    let mut is_first = true;
    loop {
        let start = Instant::now();
        let mut scan = Duration::ZERO;
        match session.work() {
            Ok(mut work) => {
                last_error.clear();
                baked.retain(|level, _| work.targets.iter().any(|t| t.level == *level));
                retain_changed(session, &baked, &mut work.targets);
                retain_new(&mut work.orphans, &mut orphans, is_first);
                scan = start.elapsed();
                if !(work.targets.is_empty() && work.orphans.is_empty()) {
                    bake(session, &mut baked, &work)?;
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
        if session.stop.load(Ordering::Relaxed) || interrupt.comes_within(pause) {
            session.shared.terminal.note("stopped");
            return Ok(ExitStatus::Success);
        }
    }
}

/// Keeps the baked files without a level that are to be reported, each once. An editor may remove
/// a level before it writes the new one, so a level is gone only when two scans do not find it, or
/// the first. `seen` are those of the last scan, and whether they were reported.
fn retain_new(orphans: &mut Vec<FoundLevel>, seen: &mut BTreeMap<PathBuf, bool>, is_first: bool) {
    let before = std::mem::take(seen);
    orphans.retain(|orphan| {
        let known = before.get(&orphan.output).copied();
        let is_due = is_first || known == Some(false);
        seen.insert(orphan.output.clone(), is_due || known == Some(true));
        is_due
    });
}

/// Keeps the levels that are new or have a file that changed.
fn retain_changed(session: &Session<'_>, baked: &Baked, targets: &mut Vec<FoundLevel>) {
    // Levels share tilesets: each file's stamp is read once.
    let mut stamps: BTreeMap<&Path, FileStamp> = BTreeMap::new();
    targets.retain(|target| {
        let Some(inputs) = baked.get(&target.level) else {
            return true;
        };
        // A `navbake.toml` that is now nearer to the level is in no list of files.
        let Shared { args, cwd, .. } = &session.shared;
        let config = args.config.locate(&target.level, cwd);
        let mut seen = inputs.seen.iter();
        config != inputs.config
            || seen.any(|seen| {
                let now = stamps.entry(&seen.path);
                *now.or_insert_with(|| stamp(&seen.path)) != seen.stamp
            })
    });
}

/// The stamps of the files of some levels.
fn stamps(baked: &Baked, targets: &[FoundLevel]) -> Vec<FileStamp> {
    let levels = targets.iter().filter_map(|target| baked.get(&target.level));
    let seen = levels.flat_map(|inputs| &inputs.seen);
    seen.map(|seen| stamp(&seen.path)).collect()
}

/// Waits until the files no longer change, then bakes.
fn bake(session: &Session<'_>, baked: &mut Baked, work: &Work) -> Result<(), Failure> {
    let mut before = stamps(baked, &work.targets);
    for _ in 0..MAX_SETTLES {
        // In the first run no inputs are known, and there is nothing to wait for.
        if before.is_empty() {
            break;
        }
        std::thread::sleep(SETTLE);
        let now = stamps(baked, &work.targets);
        if now == before {
            break;
        }
        before = now;
    }
    let (_, inputs) = session.bake(work)?;
    for (target, mut inputs) in work.targets.iter().zip(inputs) {
        if inputs.seen.is_empty() {
            inputs.seen.push(SeenFile::now(target.level.clone()));
        }
        // A baked file that is removed or replaced is baked again.
        inputs.seen.push(SeenFile::now(target.output.clone()));
        baked.insert(target.level.clone(), inputs);
    }
    Ok(())
}
