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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_is_in_exactly_one_part() {
        for bad in ["", "1", "0/3", "4/3", "1/0", "a/b", "-1/2"] {
            assert!(bad.parse::<Shard>().is_err(), "{bad}");
        }
        assert!(format!("{0}/{0}", u32::MAX).parse::<Shard>().is_ok());
        let cwd = Path::new("/game");
        let shards: Vec<Shard> = (1..=4).map(|i| format!("{i}/4").parse().unwrap()).collect();
        let mut sizes = [0; 4];
        for i in 0..200 {
            let level = format!("levels/{i}.tmx");
            let of: Vec<_> = (0..4)
                .filter(|s| shards[*s].contains(Path::new(&level), cwd))
                .collect();
            assert_eq!(of.len(), 1);
            sizes[of[0]] += 1;
            let same = format!("/game/levels/../levels/./{i}.tmx");
            assert!(shards[of[0]].contains(Path::new(&same), cwd));
        }
        assert!(sizes.iter().all(|n| *n > 30), "{sizes:?}");
        // Fixed results: all jobs of a workflow must agree, on any machine.
        let of = |level: &str| (0..4).find(|s| shards[*s].contains(Path::new(level), cwd));
        let first: Vec<_> = (1..6).map(|i| of(&format!("levels/{i}.tmx"))).collect();
        assert_eq!(first, [3, 3, 0, 2, 0].map(Some));
    }
}
