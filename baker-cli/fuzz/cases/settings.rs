//! A configuration.

use baker_cli::config::Config;

/// Runs one case. Returns whether the configuration is valid.
pub(crate) fn run(case: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(case) else {
        return false;
    };
    match Config::parse("navbake.toml", text.to_owned()) {
        Ok(config) => {
            // Defaults depend on the tile size.
            for tile in [None, Some([1, 1]), Some([16, 24]), Some([4096, 4096])] {
                let _ = config.settings(tile);
            }
            true
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            false
        }
    }
}
