//! Findings as text, JSON and notes for a code review.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;

use super::graph::{at, count};
use super::{Finding, Rule, Severity};
use crate::report::json::{list, point};

/// The findings of one file.
#[derive(Debug, Clone, PartialEq)]
pub struct FileFindings {
    /// The file as it was named.
    pub file: String,
    /// What was found in it.
    pub findings: Vec<Finding>,
}

/// How many findings of one rule and agent a person is told.
const TOLD: usize = 8;

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

/// Writes findings for people, file by file. Of many findings of one rule
/// for one agent, the first few, unless `all` are wanted.
///
/// # Errors
/// Those of `out`.
pub fn human(files: &[FileFindings], all: bool, out: &mut dyn Write) -> io::Result<()> {
    for FileFindings { file, findings } in files {
        if findings.is_empty() {
            writeln!(out, "{file}: nothing found")?;
            continue;
        }
        let [errors, warnings] = totals(findings);
        let totals: Vec<String> = [(errors, "error"), (warnings, "warning")]
            .into_iter()
            .filter(|(number, _)| *number > 0)
            .map(|(number, what)| count(number, what))
            .collect();
        writeln!(out, "{file}: {}", totals.join(", "))?;
        let mut told: BTreeMap<(Rule, Option<&str>), usize> = BTreeMap::new();
        for (i, finding) in findings.iter().enumerate() {
            let key = |f: &Finding| (f.rule, f.agent.clone());
            let number = told
                .entry((finding.rule, finding.agent.as_deref()))
                .or_default();
            *number += 1;
            if all || *number <= TOLD {
                writeln!(out, "  {}", line(finding))?;
            }
            let is_last = findings
                .get(i + 1)
                .is_none_or(|next| key(next) != key(finding));
            if is_last && !all && *number > TOLD {
                let more = *number - TOLD;
                let rule = finding.rule.name();
                writeln!(
                    out,
                    "  … {more} more of {rule}{} (--all)",
                    for_agent(finding)
                )?;
            }
        }
    }
    Ok(())
}

/// `warning: trap at 600,272 for ground: …`
fn line(finding: &Finding) -> String {
    let Finding {
        rule,
        severity,
        position,
        name,
        message,
        ..
    } = finding;
    let who = for_agent(finding);
    let what = if name.is_empty() {
        String::new()
    } else {
        format!(" {name}")
    };
    format!(
        "{}: {}:{what} at {}{who}: {message}",
        severity.name(),
        rule.name(),
        at(*position)
    )
}

fn for_agent(finding: &Finding) -> String {
    let agent = finding.agent.as_ref();
    agent.map_or_else(String::new, |agent| format!(" for {agent}"))
}

fn totals(findings: &[Finding]) -> [usize; 2] {
    [Severity::Error, Severity::Warning]
        .map(|severity| findings.iter().filter(|f| f.severity == severity).count())
}

/// Writes findings for programs, one a line.
///
/// # Errors
/// Those of `out`.
pub fn json(files: &[FileFindings], out: &mut dyn Write) -> io::Result<()> {
    let all = files.iter().flat_map(|file| {
        let findings = file.findings.iter();
        findings.map(|finding| (file.file.as_str(), finding))
    });
    write!(out, "{{\"findings\": ")?;
    let items = all.map(|(file, finding)| FindingJson {
        file,
        rule: finding.rule.name(),
        severity: finding.severity.name(),
        agent: finding.agent.as_deref(),
        position: point(finding.position),
        bounds: finding.bounds.map(|corners| corners.map(point)),
        name: &finding.name,
        message: &finding.message,
    });
    list(out, 2, items)?;
    let sums = files.iter().map(|file| totals(&file.findings));
    let [errors, warnings] = sums.fold([0, 0], |[a, b], [c, d]| [a + c, b + d]);
    let files = files.len();
    writeln!(
        out,
        ",\n \"files\": {files}, \"errors\": {errors}, \"warnings\": {warnings}}}"
    )
}

/// Writes findings as GitHub's workflow commands, which it shows beside the
/// files of a change.
///
/// # Errors
/// Those of `out`.
pub fn github(files: &[FileFindings], out: &mut dyn Write) -> io::Result<()> {
    for FileFindings { file, findings } in files {
        for finding in findings {
            let title = format!("navbake {}", finding.rule.name());
            let who = for_agent(finding);
            let what = if finding.name.is_empty() {
                String::new()
            } else {
                format!("{} ", finding.name)
            };
            let message = format!(
                "{what}at {}{who}: {}",
                at(finding.position),
                finding.message
            );
            writeln!(
                out,
                "::{} file={},title={}::{}",
                finding.severity.name(),
                property(file),
                property(&title),
                data(&message)
            )?;
        }
    }
    Ok(())
}

/// Text as a workflow command's message.
fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// Text as a workflow command's property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
