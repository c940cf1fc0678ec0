//! Findings as text, as JSON and as annotations of a GitHub workflow.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;

use super::finding::{Finding, Rule};
use crate::report::finding::{Severity, annotate};
use crate::report::format::{count, list, point};

/// The findings of one file.
#[derive(Debug, Clone, PartialEq)]
pub struct FileFindings {
    /// The file as the caller names it.
    pub file: String,
    /// What was found in it.
    pub findings: Vec<Finding>,
}

impl FileFindings {
    fn count(&self, severity: Severity) -> usize {
        let findings = self.findings.iter();
        findings.filter(|f| f.severity == severity).count()
    }
}

/// How many findings of one rule and agent the text shows unless all are
/// wanted.
const SHOWN: usize = 8;

#[derive(Serialize)]
struct FindingJson<'a> {
    file: &'a str,
    rule: &'static str,
    severity: &'static str,
    agent: Option<&'a str>,
    position: [f64; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds: Option<[[f64; 2]; 2]>,
    name: &'a str,
    message: &'a str,
}

/// Writes text, file by file: the first few findings of each rule and agent,
/// or `all`.
///
/// # Errors
/// Those of `out`.
pub fn human(files: &[FileFindings], all: bool, out: &mut dyn Write) -> io::Result<()> {
    for file in files {
        let name = &file.file;
        if file.findings.is_empty() {
            writeln!(out, "{name}: nothing found")?;
            continue;
        }
        let totals: Vec<String> = [
            (Severity::Error, "error", "errors"),
            (Severity::Warning, "warning", "warnings"),
        ]
        .into_iter()
        .map(|(severity, one, more)| (file.count(severity) as u64, one, more))
        .filter(|(number, ..)| *number > 0)
        .map(|(number, one, more)| count(number, one, more))
        .collect();
        writeln!(out, "{name}: {}", totals.join(", "))?;
        let key = |f: &Finding| (f.rule, f.agent.clone());
        let mut written: BTreeMap<(Rule, Option<String>), usize> = BTreeMap::new();
        for (i, finding) in file.findings.iter().enumerate() {
            let number = written.entry(key(finding)).or_default();
            *number += 1;
            if all || *number <= SHOWN {
                let (severity, rule) = (finding.severity.name(), finding.rule.name());
                writeln!(out, "  {severity}: {rule}: {}", finding.description())?;
            }
            let next = file.findings.get(i + 1);
            let is_last = next.is_none_or(|next| key(next) != key(finding));
            if is_last && !all && *number > SHOWN {
                let more = *number - SHOWN;
                let (rule, agent) = (finding.rule.name(), finding.for_agent());
                writeln!(out, "  … {more} more of {rule}{agent} (--all)")?;
            }
        }
    }
    Ok(())
}

/// Writes JSON, one finding per line.
///
/// # Errors
/// Those of `out`.
pub fn json(files: &[FileFindings], out: &mut dyn Write) -> io::Result<()> {
    write!(out, "{{\"findings\": ")?;
    let items = (files.iter())
        .flat_map(|file| file.findings.iter().map(move |finding| (file, finding)))
        .map(|(file, finding)| FindingJson {
            file: &file.file,
            rule: finding.rule.name(),
            severity: finding.severity.name(),
            agent: finding.agent.as_deref(),
            position: point(finding.position),
            bounds: finding.bounds.map(|corners| corners.map(point)),
            name: &finding.name,
            message: &finding.message,
        });
    list(out, 2, items)?;
    let sum = |severity| -> usize { files.iter().map(|file| file.count(severity)).sum() };
    let (errors, warnings) = (sum(Severity::Error), sum(Severity::Warning));
    let files = files.len();
    writeln!(
        out,
        ",\n \"files\": {files}, \"errors\": {errors}, \"warnings\": {warnings}}}"
    )
}

/// Writes annotations of a GitHub workflow, one per finding.
///
/// # Errors
/// Those of `out`.
pub fn github(files: &[FileFindings], out: &mut dyn Write) -> io::Result<()> {
    for FileFindings { file, findings } in files {
        for finding in findings {
            let title = format!("navbake {}", finding.rule.name());
            let message = finding.description();
            annotate(out, finding.severity, file, &title, &message)?;
        }
    }
    Ok(())
}
