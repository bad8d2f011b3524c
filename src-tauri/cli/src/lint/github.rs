//! Annotations for GitHub Actions.
//! https://docs.github.com/actions/reference/workflow-commands-for-github-actions

use std::io::{self, Write};

use camino::Utf8Path;
use lint::verdict::Verdict;
use skill::Severity;
use skill::manifest::FILE_NAME;

use super::source::Sources;
use super::{Answer, Said, told_verdict};
use crate::print::plain;

pub fn write(answer: &Answer, sources: &mut Sources, out: &mut dyn Write) -> io::Result<()> {
    answer.said().try_for_each(|said| writeln!(out, "{}", annotation(&said, sources)))?;
    let least = if answer.least == Severity::Info { Verdict::Hints } else { Verdict::Look };
    for security in answer.verdicts_from(least) {
        let command = match security.verdict {
            // With this one the step fails.
            Verdict::Dangerous => "error",
            Verdict::Look => "warning",
            Verdict::Hints | Verdict::Clear => "notice",
        };
        let manifest = Utf8Path::new(&security.skill).join(FILE_NAME);
        let (file, told) = (property(sources.shown(manifest.as_str())), escaped(&told_verdict(security, sources)));
        writeln!(out, "::{command} file={file},title=security::{told}")?;
    }
    Ok(())
}

fn annotation(said: &Said<'_>, sources: &mut Sources) -> String {
    let command = match said.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "notice",
    };
    let mut properties = Vec::new();
    if let Some(path) = said.path {
        properties.push(format!("file={}", property(sources.shown(path))));
        if let Some(range) = said.range {
            properties.push(format!("line={},col={}", range.line, range.column));
            if let Some(end) = sources.of(path).map(|source| source.end(range)) {
                // Columns are only accepted if it ends on the line where it begins.
                let column = if end.line == range.line { format!(",endColumn={}", end.column) } else { String::new() };
                properties.push(format!("endLine={}{column}", end.line));
            }
        }
    }
    properties.push(format!("title={}", property(said.code)));
    format!("::{command} {}::{}", properties.join(","), escaped(&said.message))
}

fn escaped(text: &str) -> String {
    plain(text).replace('%', "%25").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    escaped(text).replace(':', "%3A").replace(',', "%2C")
}
