//! Ctrl-C. Where the system has no signals, it ends the process at once.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::cli::failure::Failure;

/// Receives Ctrl-C instead of the system.
pub struct Interrupt {
    #[cfg(not(target_family = "wasm"))]
    received: std::sync::mpsc::Receiver<()>,
}

#[cfg(not(target_family = "wasm"))]
impl Interrupt {
    /// Sets `stop` on Ctrl-C. The second Ctrl-C ends the process without waiting for the level in
    /// work: files are replaced in one step, so none is left half-written.
    pub fn listen(stop: &Arc<AtomicBool>) -> Result<Self, Failure> {
        let stop = Arc::clone(stop);
        let (sender, received) = std::sync::mpsc::channel();
        ctrlc::set_handler(move || {
            if stop.swap(true, std::sync::atomic::Ordering::Relaxed) {
                std::process::exit(130);
            }
            let _ = sender.send(());
        })
        .map_err(|e| Failure::new(format!("cannot listen for Ctrl-C: {e}")))?;
        Ok(Self { received })
    }

    /// Waits; returns whether Ctrl-C was pressed.
    pub fn comes_within(&self, pause: Duration) -> bool {
        self.received.recv_timeout(pause).is_ok()
    }
}

#[cfg(target_family = "wasm")]
#[allow(clippy::unnecessary_wraps, clippy::unused_self)]
impl Interrupt {
    pub fn listen(_: &Arc<AtomicBool>) -> Result<Self, Failure> {
        Ok(Self {})
    }

    pub fn comes_within(&self, pause: Duration) -> bool {
        std::thread::sleep(pause);
        false
    }
}
