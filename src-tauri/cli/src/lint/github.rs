//! Annotations for GitHub Actions.
//! https://docs.github.com/actions/reference/workflow-commands-for-github-actions

use std::io::{self, Write};

use skill::Severity;

use super::source::Sources;
use super::{Answer, Said};
use crate::print::plain;

pub fn write(answer: &Answer, sources: &mut Sources, out: &mut dyn Write) -> io::Result<()> {
    answer.said().try_for_each(|said| writeln!(out, "{}", annotation(&said, sources)))
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
