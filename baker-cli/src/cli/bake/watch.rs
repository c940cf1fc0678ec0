//! `--watch`: bakes again whenever something is saved.
//!
//! What was read is asked for its time and length, some ten times a second:
//! that works on network shares and in containers, where systems send no
//! word of changes, and a hundred levels take less than a millisecond.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use super::super::pipeline::{Seen, Stamp, stamp};
use super::super::{Answer, Failure};
use super::Session;
use super::job::config_of;
use super::targets::Target;

/// The shortest time between two looks.
const PAUSE: Duration = Duration::from_millis(100);

/// Looking takes at most one part in so many of the time.
const SHARE: u32 = 10;

/// Programs save in several steps: nothing may have changed for so long.
const SETTLE: Duration = Duration::from_millis(40);

/// A file that is written to without end is read as it is after so many looks.
const MOST_LOOKS: u32 = 25;

/// What is known of a level since it was last baked.
struct Known {
    seen: Vec<Seen>,
    config: Option<PathBuf>,
    output: Stamp,
}

/// Bakes all levels, then those that change, until Ctrl-C.
pub(super) fn watch(session: &Session<'_>) -> Result<Answer, Failure> {
    let (wake, woken) = mpsc::channel();
    let stop = Arc::clone(&session.stop);
    ctrlc::set_handler(move || {
        // Who asks twice does not want to wait for the level in work. A file
        // that is being written is not hurt by it.
        if stop.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        let _ = wake.send(());
    })
    .map_err(|e| Failure::new(format!("cannot listen for Ctrl-C: {e}")))?;

    let mut known: BTreeMap<PathBuf, Known> = BTreeMap::new();
    let mut complaint = String::new();
    let mut first = true;
    loop {
        let start = Instant::now();
        let mut looking = Duration::ZERO;
        match session.plan() {
            Ok(targets) => {
                complaint.clear();
                known.retain(|level, _| targets.iter().any(|t| t.level == *level));
                let due = due(session, &known, targets);
                looking = start.elapsed();
                if !due.is_empty() {
                    round(session, &mut known, &due)?;
                }
            }
            Err(Failure::NobodyReads) => return Err(Failure::NobodyReads),
            Err(failure) => {
                let told = failure.to_string();
                if told != complaint {
                    session.terminal.error(&told);
                    complaint = told;
                }
            }
        }
        if std::mem::take(&mut first) {
            session.terminal.note("watching; Ctrl-C ends it");
        }
        // After a round the next look comes soon: what took so long was baking.
        let pause = PAUSE.max(looking * SHARE).min(PAUSE * 20);
        if session.stop.load(Ordering::Relaxed) || woken.recv_timeout(pause).is_ok() {
            session.terminal.note("stopped");
            return Ok(Answer::Yes);
        }
    }
}

/// The levels that are new or of which something has changed.
fn due(
    session: &Session<'_>,
    known: &BTreeMap<PathBuf, Known>,
    targets: Vec<Target>,
) -> Vec<Target> {
    // Levels share tilesets.
    let mut stamps: BTreeMap<PathBuf, Stamp> = BTreeMap::new();
    targets
        .into_iter()
        .filter(|target| {
            let Some(known) = known.get(&target.level) else {
                return true;
            };
            let config = config_of(session.args, &target.level, &session.cwd);
            config != known.config
                || stamp(&target.output) != known.output
                || known.seen.iter().any(|seen| {
                    let now = stamps
                        .entry(seen.path.clone())
                        .or_insert_with(|| stamp(&seen.path));
                    *now != seen.stamp
                })
        })
        .collect()
}

/// Waits until files are at rest, bakes, and remembers what was looked at.
fn round(
    session: &Session<'_>,
    known: &mut BTreeMap<PathBuf, Known>,
    due: &[Target],
) -> Result<(), Failure> {
    let look = || -> Vec<Stamp> {
        (due.iter())
            .flat_map(|target| {
                let before = known.get(&target.level).map_or(&[][..], |k| &k.seen);
                before.iter().map(|seen| stamp(&seen.path))
            })
            .collect()
    };
    let mut before = look();
    for _ in 0..MOST_LOOKS {
        // At the start nothing has been looked at, and nothing is waited for.
        if before.is_empty() {
            break;
        }
        std::thread::sleep(SETTLE);
        let now = look();
        if now == before {
            break;
        }
        before = now;
    }
    let batch = session.bake(due)?;
    for (target, looked) in due.iter().zip(batch.looked) {
        let mut seen = looked.seen;
        if seen.is_empty() {
            seen.push(Seen::now(target.level.clone()));
        }
        known.insert(
            target.level.clone(),
            Known {
                seen,
                config: looked.config,
                output: stamp(&target.output),
            },
        );
    }
    Ok(())
}
