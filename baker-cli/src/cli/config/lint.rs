//! `[lint]`: which rules hold, and how much.

use serde::Deserialize;
use toml::Spanned;

use super::Config;
use super::error::ConfigError;
use crate::report::lint::{Rule, Settings, Severity};

/// `[lint]`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct LintTable {
    /// Rules that are off.
    off: Vec<Spanned<String>>,
    /// Rules whose findings are errors.
    error: Vec<Spanned<String>>,
    /// Rules whose findings are warnings.
    warning: Vec<Spanned<String>>,
    /// Seconds of tolerance below which a link is fragile.
    tolerance: Option<Spanned<f32>>,
}

impl Config {
    /// What `navbake lint` goes by.
    ///
    /// # Errors
    /// When a rule does not exist or is named twice, or the tolerance is no
    /// time; names the line and what to do.
    pub fn lint(&self) -> Result<Settings, ConfigError> {
        let table = &self.file.lint;
        let mut settings = Settings::default();
        let lists = [
            (&table.off, None),
            (&table.error, Some(Severity::Error)),
            (&table.warning, Some(Severity::Warning)),
        ];
        for (rules, severity) in lists {
            for name in rules {
                let Some(rule) = Rule::from_name(name.get_ref()) else {
                    let known: Vec<_> = Rule::ALL.iter().map(|rule| rule.name()).collect();
                    let message = format!(
                        "there is no rule {:?}; there are {}",
                        name.get_ref(),
                        known.join(", ")
                    );
                    return Err(self.text.error(name.span(), &message));
                };
                if settings.severities.insert(rule, severity).is_some() {
                    let message =
                        format!("the rule {:?} is named twice; leave one out", rule.name());
                    return Err(self.text.error(name.span(), &message));
                }
            }
        }
        if let Some(tolerance) = &table.tolerance {
            let seconds = *tolerance.get_ref();
            if !(seconds.is_finite() && seconds >= 0.0) {
                let message = format!("tolerance is {seconds}, but it must be seconds, 0 or more");
                return Err(self.text.error(tolerance.span(), &message));
            }
            settings.tolerance = seconds;
        }
        Ok(settings)
    }
}
