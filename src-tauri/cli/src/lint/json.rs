//! For programs.

use std::io::{self, Write};

use api::dto::{FindingDto, QuirkDto, SwitchedOff};
use serde::Serialize;

use super::Answer;
use super::baseline::Compared;
use super::fixes::Fixed;
use super::source::Sources;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Shape<'a> {
    skills: usize,
    /// How many rules looked.
    rules: usize,
    findings: Vec<Found<'a>>,
    quirks: Vec<&'a QuirkDto>,
    /// What in `workbench.yaml` could not be followed.
    complaints: Vec<&'a str>,
    switched_off: SwitchedOff,
    fixed: Option<&'a Fixed>,
    baseline: Option<&'a Compared>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Found<'a> {
    /// As it would be typed where the program was started.
    file: &'a str,
    #[serde(flatten)]
    finding: &'a FindingDto,
}

pub fn write(answer: &Answer, sources: &Sources, out: &mut dyn Write) -> io::Result<()> {
    let shape = Shape {
        skills: answer.skills,
        rules: answer.rules,
        findings: answer.findings().map(|finding| Found { file: sources.shown(&finding.path), finding }).collect(),
        quirks: answer.quirks().collect(),
        complaints: answer.complaints.iter().map(|complaint| complaint.en.as_str()).collect(),
        switched_off: answer.switched_off,
        fixed: answer.fixed.as_ref(),
        baseline: answer.baseline.as_ref(),
    };
    serde_json::to_writer_pretty(&mut *out, &shape)?;
    writeln!(out)
}
