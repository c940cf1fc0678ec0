//! `[lint]`: the rules of `navbake lint`.

use serde::Deserialize;

use crate::cli::config::error::InvalidValue;
use crate::report::Severity;
use crate::report::lint::{LintSettings, Rule};

/// `[lint]`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct LintTable {
    /// Rules that are off.
    off: Vec<String>,
    /// Rules whose findings are errors.
    error: Vec<String>,
    /// Rules whose findings are warnings.
    warning: Vec<String>,
    /// A link with a smaller tolerance, in seconds, is fragile.
    tolerance: Option<f32>,
}

impl LintTable {
    /// The settings that this table describes.
    pub(crate) fn settings(&self) -> Result<LintSettings, InvalidValue> {
        let mut settings = LintSettings::default();
        let lists = [
            ("off", &self.off, None),
            ("error", &self.error, Some(Severity::Error)),
            ("warning", &self.warning, Some(Severity::Warning)),
        ];
        for (list, rules, severity) in lists {
            for (i, name) in rules.iter().enumerate() {
                let Some(rule) = Rule::from_name(name) else {
                    let known: Vec<_> = Rule::ALL.iter().map(|rule| rule.name()).collect();
                    return Err(InvalidValue::new(
                        format!("{list}.{i}"),
                        format!("unknown rule {name:?}"),
                        format!("the rules are {}", known.join(", ")),
                    ));
                };
                if settings.severities.insert(rule, severity).is_some() {
                    return Err(InvalidValue::new(
                        format!("{list}.{i}"),
                        format!("the rule {:?} is listed twice", rule.name()),
                        "remove one of the two",
                    ));
                }
            }
        }
        if let Some(seconds) = self.tolerance {
            if !(seconds.is_finite() && seconds >= 0.0) {
                return Err(InvalidValue::new(
                    "tolerance",
                    format!("tolerance is {seconds}, but it must be 0 or more seconds"),
                    "",
                ));
            }
            settings.tolerance = seconds;
        }
        Ok(settings)
    }
}
