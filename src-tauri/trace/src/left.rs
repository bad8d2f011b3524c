//! What a turn of a run left on disk: which files of the run's folder it created, changed and deleted, with their texts as
//! far as they are kept, and whether the skills are as they were.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What changed in the folder during a turn.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Left {
    /// By path.
    pub files: Vec<LeftFile>,
    /// Further files, of which nothing is kept.
    #[serde(default)]
    pub more: u32,
    /// The folder could not be read completely: it holds too much, or is not readable.
    #[serde(default)]
    pub partial: bool,
    /// All skills that are on disk, in the order of the run.
    pub skills: Vec<LeftSkill>,
}

/// A file that is not as it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LeftFile {
    /// Below the run's folder, with `/` between its parts.
    pub path: String,
    /// `None`: there was none.
    pub before: Option<Content>,
    /// `None`: the file no longer exists.
    pub after: Option<Content>,
}

/// The content of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Content {
    /// Bytes; 0 if it is not known.
    pub size: u64,
    /// SHA-256 in hexadecimal digits; `None`: it was not read to its end.
    pub digest: Option<String>,
    /// The text, if it is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Why it is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unkept: Option<Unkept>,
}

/// Why the record does not hold a file's content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Unkept {
    /// It is not UTF-8.
    Binary,
    /// It is larger than the limit for one file.
    Large,
    /// The files before it used up the limit for one turn.
    Full,
    /// A key of a model is in it.
    Secret,
    /// It is a link; its target is not read.
    Link,
    /// It was written and deleted again in one turn.
    Passing,
    Unreadable,
}

/// What happened to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Change {
    Created,
    Changed,
    Deleted,
}

/// A skill, and whether it is to the byte what it was before the first thing that could change it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct LeftSkill {
    pub name: String,
    /// `null`: it is too large, or cannot be read, so nobody knows.
    pub same: Option<bool>,
}

impl LeftFile {
    /// What happened to it in the turn.
    pub fn change(&self) -> Change {
        match (&self.before, &self.after) {
            (_, None) => Change::Deleted,
            (None, Some(_)) => Change::Created,
            (Some(_), Some(_)) => Change::Changed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_left_is_read_as_it_was_written() {
        let content =
            |text: Option<&str>| Content { size: 3, digest: None, text: text.map(str::to_owned), unkept: None };
        let file = |before, after| LeftFile { path: "a".into(), before, after };
        let files = vec![
            file(None, Some(content(Some("a\r\n")))),
            file(Some(content(None)), Some(Content { unkept: Some(Unkept::Binary), ..content(None) })),
            file(Some(content(None)), None),
        ];
        assert_eq!(
            files.iter().map(LeftFile::change).collect::<Vec<_>>(),
            [Change::Created, Change::Changed, Change::Deleted]
        );
        let left = Left { files, more: 1, partial: true, skills: vec![LeftSkill { name: "a".into(), same: None }] };
        let written = serde_json::to_string(&left).unwrap();
        assert_eq!(serde_json::from_str::<Left>(&written).unwrap(), left);
    }
}
