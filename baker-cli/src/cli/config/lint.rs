//! `[lint]`: the rules of `navbake lint`.

use serde::Deserialize;
use toml::Spanned;

use crate::cli::config::error::InvalidValue;
use crate::report::Severity;
use crate::report::lint::{LintSettings, Rule};

/// `[lint]`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct LintTable {
    /// Rules that are off.
    off: Vec<Spanned<String>>,
    /// Rules whose findings are errors.
    error: Vec<Spanned<String>>,
    /// Rules whose findings are warnings.
    warning: Vec<Spanned<String>>,
    /// A link with a smaller tolerance, in seconds, is fragile.
    tolerance: Option<Spanned<f32>>,
}

impl LintTable {
    /// The settings that this table describes.
    pub(crate) fn settings(&self) -> Result<LintSettings, InvalidValue> {
        let mut settings = LintSettings::default();
        let lists = [
            (&self.off, None),
            (&self.error, Some(Severity::Error)),
            (&self.warning, Some(Severity::Warning)),
        ];
        for (rules, severity) in lists {
            for name in rules {
                let Some(rule) = Rule::from_name(name.get_ref()) else {
                    let known: Vec<_> = Rule::ALL.iter().map(|rule| rule.name()).collect();
                    return Err(InvalidValue::new(
                        name.span(),
                        format!("unknown rule {:?}", name.get_ref()),
                        format!("the rules are {}", known.join(", ")),
                    ));
                };
                if settings.severities.insert(rule, severity).is_some() {
                    return Err(InvalidValue::new(
                        name.span(),
                        format!("the rule {:?} is listed twice", rule.name()),
                        "remove one of the two",
                    ));
                }
            }
        }
        if let Some(tolerance) = &self.tolerance {
            let seconds = *tolerance.get_ref();
            if !(seconds.is_finite() && seconds >= 0.0) {
                return Err(InvalidValue::new(
                    tolerance.span(),
                    format!("tolerance is {seconds}, but it must be 0 or more seconds"),
                    "",
                ));
            }
            settings.tolerance = seconds;
        }
        Ok(settings)
    }
}
