//! How levels are to be read.

use super::palette::Palette;
use super::rule::Rules;

/// How levels are to be read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// What counts as collision, where the level's own properties do not say;
    /// `color:` rules are laid over the palette.
    pub rules: Rules,
    /// What the colours of a bitmap mean.
    pub palette: Palette,
}
