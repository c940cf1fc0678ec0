//! `--shard I/N`: a part of the levels, for one of several CI jobs.

use std::hash::Hasher as _;
use std::path::Path;
use std::str::FromStr;

use siphasher::sip::SipHasher13;

use crate::cli::io::normalized;

/// Part `index` of `count` parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// Counted from 1.
    index: u32,
    count: u32,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text
            .split_once('/')
            .and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
        match numbers {
            Some((index, count)) if (1..=count).contains(&index) => Ok(Self { index, count }),
            _ => Err("a shard is I/N with I from 1 to N, for example 2/4".to_owned()),
        }
    }
}

impl Shard {
    /// Whether a level belongs to this part. Only the hash of its path decides,
    /// so adding a level moves no other level to another part.
    pub fn contains(self, level: &Path, cwd: &Path) -> bool {
        let path = normalized(level);
        let path = path.strip_prefix(cwd).unwrap_or(&path);
        // It has fixed keys, so that all jobs get the same hash, on any machine.
        let mut hasher = SipHasher13::new();
        for part in path.components() {
            hasher.write(part.as_os_str().to_string_lossy().as_bytes());
            // The same on Windows. Without it, `a/bc` and `ab/c` would have one hash.
            hasher.write(b"/");
        }
        hasher.finish() % u64::from(self.count) == u64::from(self.index - 1)
    }
}
