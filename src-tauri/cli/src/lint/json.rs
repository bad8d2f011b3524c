//! For programs.

use std::io::{self, Write};

use api::dto::{FindingDto, QuirkDto, SecurityDto, SwitchedOff};
use lint::verdict::Verdict;
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
    /// Of each skill that is not clear; `null`: only some rules were asked for.
    security: Option<Vec<Security<'a>>>,
    quirks: Vec<&'a QuirkDto>,
    /// Settings in `workbench.yaml` that could not be applied.
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

/// The verdict on one skill.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Security<'a> {
    /// The skill's folder, as it would be typed where the program was started.
    file: &'a str,
    skill: &'a str,
    verdict: Verdict,
    evidence: Vec<Evidence<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Evidence<'a> {
    #[serde(flatten)]
    found: Found<'a>,
    /// It is also among the findings, if `--quiet` and the baseline let it.
    listed: bool,
}

pub fn write(answer: &Answer, sources: &Sources, out: &mut dyn Write) -> io::Result<()> {
    let shape = Shape {
        skills: answer.skills,
        rules: answer.rules,
        findings: answer.findings().map(|finding| found(finding, sources)).collect(),
        security: answer
            .security
            .as_ref()
            .map(|security| security.iter().map(|security| of_security(security, sources)).collect()),
        quirks: answer.quirks().collect(),
        complaints: answer.complaints.iter().map(|complaint| complaint.en.as_str()).collect(),
        switched_off: answer.switched_off,
        fixed: answer.fixed.as_ref(),
        baseline: answer.baseline.as_ref(),
    };
    serde_json::to_writer_pretty(&mut *out, &shape)?;
    writeln!(out)
}

fn found<'a>(finding: &'a FindingDto, sources: &Sources) -> Found<'a> {
    Found { file: sources.shown(&finding.path), finding }
}

fn of_security<'a>(security: &'a SecurityDto, sources: &Sources) -> Security<'a> {
    let evidence = security.evidence.iter();
    let evidence =
        evidence.map(|evidence| Evidence { found: found(&evidence.finding, sources), listed: evidence.listed });
    Security {
        file: sources.shown(&security.skill),
        skill: &security.skill,
        verdict: security.verdict,
        evidence: evidence.collect(),
    }
}
