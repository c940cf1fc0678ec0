//! Findings as text, as JSON and as annotations of a GitHub workflow.

use std::io::{self, Write};

use schemars::JsonSchema;
use serde::Serialize;

use super::finding::Finding;
use crate::report::finding::{FailedLevel, Severity, annotate, annotate_failed};
use crate::report::format::{count, point, printable, write_json};

pub struct FileFindings {
    /// The file as the caller names it.
    pub file: String,
    /// The level, to whose file annotations are attached.
    pub level: String,
    pub findings: Vec<Finding>,
    pub has_spawn: bool,
}

impl FileFindings {
    fn count(&self, severity: Severity) -> usize {
        let findings = self.findings.iter();
        findings.filter(|f| f.severity == severity).count()
    }
}

/// The findings in some levels.
#[derive(Default)]
pub struct LintReport {
    pub files: Vec<FileFindings>,
    /// Levels that could not be checked.
    pub failed: Vec<FailedLevel>,
}

/// How many findings of one rule and agent the text shows unless all are
/// wanted.
const SHOWN: usize = 8;

/// `lint --json`.
#[derive(Serialize, JsonSchema)]
pub struct LintJson<'a> {
    findings: Vec<FindingJson<'a>>,
    /// Levels, projects and folders that could not be read or baked.
    failed: &'a [FailedLevel],
    /// How many were checked.
    files: usize,
    errors: usize,
    warnings: usize,
}

#[derive(Serialize, JsonSchema)]
struct FindingJson<'a> {
    file: &'a str,
    #[schemars(regex(pattern = "^[a-z-]+$"))]
    rule: &'static str,
    #[schemars(extend("enum" = ["error", "warning"]))]
    severity: &'static str,
    /// The agent that it is about; null for all agents.
    agent: Option<&'a str>,
    /// x, y in world units.
    position: [f64; 2],
    /// Two corners of what it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds: Option<[[f64; 2]; 2]>,
    /// The marker's name.
    name: &'a str,
    #[schemars(length(min = 1))]
    message: &'a str,
}

impl LintReport {
    /// Writes text, file by file: the first few findings of each rule and agent,
    /// or `all`.
    pub fn human(&self, all: bool, out: &mut dyn Write) -> io::Result<()> {
        for file in &self.files {
            let name = printable(&file.file);
            if file.findings.is_empty() {
                writeln!(out, "{name}: nothing found")?;
                continue;
            }
            let totals = [Severity::Error, Severity::Warning].into_iter();
            let totals: Vec<_> = totals
                .map(|severity| (severity.name(), file.count(severity)))
                .filter(|(_, number)| *number > 0)
                .map(|(name, number)| count(number as u64, name, &format!("{name}s")))
                .collect();
            writeln!(out, "{name}: {}", totals.join(", "))?;
            let findings = &file.findings;
            for group in findings.chunk_by(|a, b| (a.rule, &a.agent) == (b.rule, &b.agent)) {
                let shown = if all { group.len() } else { SHOWN };
                for finding in group.iter().take(shown) {
                    let (severity, rule) = (finding.severity.name(), finding.rule.name());
                    let text = printable(&finding.description());
                    writeln!(out, "  {severity}: {rule}: {text}")?;
                }
                if let Some(finding) = group.get(shown) {
                    let more = group.len() - shown;
                    let (rule, agent) = (finding.rule.name(), printable(&finding.for_agent()));
                    writeln!(out, "  … {more} more of {rule}{agent} (--all)")?;
                }
            }
        }
        for level in &self.failed {
            writeln!(out, "{}: not checked", printable(&level.file))?;
        }
        Ok(())
    }

    /// How many findings have a severity.
    fn count(&self, severity: Severity) -> usize {
        self.files.iter().map(|file| file.count(severity)).sum()
    }

    pub fn json(&self, out: &mut dyn Write) -> io::Result<()> {
        let files = self.files.iter();
        let findings = files.flat_map(|file| {
            file.findings.iter().map(|f| FindingJson {
                file: &file.file,
                rule: f.rule.name(),
                severity: f.severity.name(),
                agent: f.agent.as_deref(),
                position: point(f.position),
                bounds: f.bounds.map(|corners| corners.map(point)),
                name: &f.name,
                message: &f.message,
            })
        });
        let json = LintJson {
            findings: findings.collect(),
            failed: &self.failed,
            files: self.files.len(),
            errors: self.count(Severity::Error),
            warnings: self.count(Severity::Warning),
        };
        write_json(&json, 2, out)
    }

    /// Writes annotations of a GitHub workflow, one per finding and per level that failed.
    pub fn github(&self, out: &mut dyn Write) -> io::Result<()> {
        annotate_failed(&self.failed, "navbake level not checked", out)?;
        for file in &self.files {
            for finding in &file.findings {
                let title = format!("navbake {}", finding.rule.name());
                let message = finding.description();
                annotate(out, finding.severity, &file.level, &title, &message)?;
            }
        }
        Ok(())
    }
}
