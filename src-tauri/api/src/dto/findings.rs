//! What the linter says, and its rules.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::parts::{TextPlace, TextRange};
use config::{Profile, Setting};
use lint::Applicability;
use lint::verdict::Verdict;
use skill::{ProblemKind, Severity};

/// A finding of a lint rule in a skill.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct FindingDto {
    /// The rule's id.
    pub rule: String,
    pub severity: Severity,
    /// With the names and figures of this case.
    pub message: String,
    pub message_zh: String,
    /// Where reading the skill found it: the window has its own words for these.
    pub problem: Option<ProblemKind>,
    pub path: String,
    /// `null`: it is about the file, or the folder, as a whole.
    pub range: Option<TextRange>,
    /// Where the range ends, for programs that count lines: the window asks its editor.
    #[ts(skip)]
    pub end: Option<TextPlace>,
    pub fix: Option<FixDto>,
    /// The way of private data, from where it is read to where it is sent; empty for other findings.
    pub steps: Vec<StepDto>,
    /// The same as long as the rule finds the same on the same line, wherever the line moves to in the file.
    pub fingerprint: String,
}

/// One place on the way of private data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct StepDto {
    pub path: String,
    pub range: Option<TextRange>,
    /// Where the range ends, for programs that count lines.
    #[ts(skip)]
    pub end: Option<TextPlace>,
    /// What happens there.
    pub message: String,
    pub message_zh: String,
}

/// The verdict of the security rules on one skill, with all of its evidence.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SecurityDto {
    /// Its folder.
    pub skill: String,
    pub verdict: Verdict,
    /// The strongest first.
    pub evidence: Vec<EvidenceDto>,
}

/// A finding that contributed to a verdict.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct EvidenceDto {
    pub finding: FindingDto,
    /// It is also among the findings. If not, it is weak by itself, or the profile is without its rule.
    pub listed: bool,
}

/// What a finding's fix would do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct FixDto {
    /// What it does, as a button says it.
    pub title: String,
    pub title_zh: String,
    pub applicability: Applicability,
    /// Places before the fix, in the files' texts as an editor has them; none overlaps another.
    pub edits: Vec<EditDto>,
}

/// A piece of a file, and the text in its place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct EditDto {
    pub path: String,
    pub range: TextRange,
    pub text: String,
}

/// What a file's text becomes.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct FixedText {
    pub path: String,
    pub text: String,
}

/// Texts with all safe fixes made.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Fixed {
    pub texts: Vec<FixedText>,
    pub fixes: u32,
}

/// The result of checking skills.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct LintResult {
    pub skills: u32,
    /// How many rules looked.
    pub rules: u32,
    /// By file, then place.
    pub findings: Vec<FindingDto>,
    /// Verdicts on skills that are not clear. `null`: only some rules were selected, so there is no verdict.
    pub security: Option<Vec<SecurityDto>>,
    /// Settings in `workbench.yaml` that could not be applied.
    pub complaints: Vec<wording::Message>,
    pub switched_off: SwitchedOff,
    /// Of the skills' texts, for callers in this process that show parts of them.
    #[serde(skip)]
    #[ts(skip)]
    pub secrets: lint::Secrets,
}

/// How many more findings security rules would give.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SwitchedOff {
    /// Except for the project's settings.
    pub settings: u32,
    /// Except for comments in the skills' files.
    pub comments: u32,
}

/// Whether a project's word on its own findings counts: the settings in its `workbench.yaml`, and comments in its files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum ProjectSettings {
    #[default]
    Followed,
    Ignored,
}

/// How many findings a skill has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SkillCounts {
    pub skill: String,
    pub errors: u32,
    pub warnings: u32,
    pub infos: u32,
    /// On its security. `null`: the project wants none.
    pub verdict: Option<Verdict>,
}

/// A lint rule, with all that is to be said about it.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct RuleDto {
    pub id: String,
    pub group: lint::Group,
    /// What its findings weigh unless the project says otherwise.
    pub severity: Severity,
    /// `false`: it looks only where it is asked to.
    pub on: bool,
    /// What the project says of it.
    pub setting: Option<Setting>,
    pub title: String,
    pub title_zh: String,
    pub what: String,
    pub what_zh: String,
    pub why: String,
    pub why_zh: String,
    pub source: String,
    pub fix: Option<Applicability>,
    pub bad: Vec<RuleExampleFile>,
    pub good: Vec<RuleExampleFile>,
}

/// Invisible characters are shown as `<U+200B>`; long texts are cut.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct RuleExampleFile {
    pub path: String,
    pub text: String,
}

arguments! {
    /// Rules and groups to look for, by id; none: those of the project.
    LintArgs { profile: Option<Profile>, select: Vec<String>, ignore: Vec<String>, settings: ProjectSettings }
    /// The project's new setting for a rule; `null`: none.
    RuleSetArgs { rule: String, setting: Option<Setting> }
    /// Writes which profile the project follows.
    RuleProfileArgs { profile: Profile }
}
