//! `[lint]`: the rules of `navbake lint`.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;

use crate::cli::config::error::InvalidValue;
use crate::report::Severity;
use crate::report::lint::{LintSettings, Rule};

/// `[lint]`.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct LintTable {
    /// Rules that are off.
    #[schemars(schema_with = "rule_names")]
    off: Vec<String>,
    /// Rules whose findings are errors.
    #[schemars(schema_with = "rule_names")]
    error: Vec<String>,
    /// Rules whose findings are warnings.
    #[schemars(schema_with = "rule_names")]
    warning: Vec<String>,
    /// Seconds. A link with less tolerance is fragile.
    #[schemars(extend("minimum" = 0, "default" = 0.02))]
    tolerance: Option<f32>,
}

fn rule_names(_: &mut SchemaGenerator) -> Schema {
    let names = Rule::ALL.map(Rule::name);
    json_schema!({"type": "array", "items": {"enum": names}})
}

impl LintTable {
    /// The settings that this table describes.
    pub fn settings(&self) -> Result<LintSettings, InvalidValue> {
        let mut settings = LintSettings::default();
        let lists = [
            ("off", &self.off, None),
            ("error", &self.error, Some(Severity::Error)),
            ("warning", &self.warning, Some(Severity::Warning)),
        ];
        for (list, rules, severity) in lists {
            for (i, name) in rules.iter().enumerate() {
                let key = format!("{list}.{i}");
                let Some(rule) = Rule::from_name(name) else {
                    let known: Vec<_> = Rule::ALL.iter().map(|rule| rule.name()).collect();
                    let problem = format!("unknown rule {name:?}");
                    let help = format!("the rules are {}", known.join(", "));
                    return Err(InvalidValue::new(key, problem, help));
                };
                if settings.severities.insert(rule, severity).is_some() {
                    let problem = format!("the rule {:?} is listed twice", rule.name());
                    let help = "remove one of the two";
                    return Err(InvalidValue::new(key, problem, help));
                }
            }
        }
        if let Some(seconds) = self.tolerance {
            if !(seconds.is_finite() && seconds >= 0.0) {
                let problem = format!("tolerance is {seconds}, but it must be 0 or more seconds");
                return Err(InvalidValue::new("tolerance", problem, ""));
            }
            settings.tolerance = seconds;
        }
        Ok(settings)
    }
}
