//! Hashes that tell a stale asset without baking again.

use std::hash::Hasher;

use navmesh_runtime::mesh::Fingerprint;
use siphasher::sip128::{Hasher128, SipHasher13};

use super::Settings;
use crate::source::Level;

/// Counted up whenever the same level and settings bake to other bytes.
const BAKER_REVISION: u32 = 4;

/// The hash of every file a level was read from: names and contents.
pub fn source_fingerprint(level: &Level) -> Fingerprint {
    let mut hasher = SipHasher13::new();
    for input in &level.inputs {
        hasher.write(input.name.as_bytes());
        hasher.write(&[0]);
        hasher.write(&input.hash);
    }
    Fingerprint(hasher.finish128().as_bytes())
}

/// The revision of this baker: bakers of one revision make the same bytes of
/// the same level and settings.
pub const fn baker_revision() -> u32 {
    BAKER_REVISION
}

/// The hash of the settings.
pub fn settings_fingerprint(settings: &Settings) -> Fingerprint {
    let mut hasher = SipHasher13::new();
    // Debug output lists every field in order, floats in full.
    hasher.write(format!("{settings:?}").as_bytes());
    Fingerprint(hasher.finish128().as_bytes())
}
