//! Skills as archives.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::findings::{FindingDto, SecurityDto};
use super::parts::TierTokens;
use wording::Message;

/// The result of writing a skill as one file.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct PackageSaved {
    pub path: String,
    pub files: u32,
    /// Of the archive.
    #[ts(type = "number")]
    pub bytes: u64,
    pub left_out: Vec<PackageLeftOut>,
}

/// What was left out of a package, and why.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct PackageLeftOut {
    pub name: String,
    pub why: Message,
}

/// What an archive holds.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct PackageLook {
    /// Of the archive's bytes.
    pub version: String,
    pub skills: Vec<PackagedSkill>,
    pub left_out: Vec<PackageLeftOut>,
}

/// A skill in a package.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct PackagedSkill {
    /// The name of its folder.
    pub folder: String,
    pub name: String,
    pub description: String,
    /// `SKILL.md` first.
    pub files: Vec<PackagedFile>,
    pub tokens: TierTokens,
    /// Paths are those in the archive; no settings and no comments of the archive count.
    pub findings: Vec<FindingDto>,
    /// Findings of rules of security, those included that are not among the findings because they are weak by themselves.
    pub security_errors: u32,
    pub security_warnings: u32,
    pub security_hints: u32,
    /// Paths are those in the archive.
    pub security: Option<SecurityDto>,
}

/// A file of it.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct PackagedFile {
    /// Relative to the skill's folder, with `/`.
    pub name: String,
    #[ts(type = "number")]
    pub size: u64,
}

arguments! {
    /// `path`: of the archive.
    PackageSaveArgs { skill: String, path: String }
    /// `version`: of the archive that was reviewed; `null`: any. `names`: the skills that are imported, by their
    /// folders in the archive, each with the name of its new folder; empty: all, under their own. `renamed`: those
    /// whose `SKILL.md` gets that name too, by their folders in the archive.
    PackageOpenArgs { path: String, version: Option<String>, folder: String, names: BTreeMap<String, String>, renamed: Vec<String> }
}
