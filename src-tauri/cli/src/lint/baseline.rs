//! Findings that were there when a project began to look: they are neither shown nor counted until they are gone.

use std::collections::BTreeSet;
use std::io::ErrorKind;

use api::dto::FindingDto;
use api::{ApiError, Code, Tried, absolute};
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};

use super::Args;
use super::source::relative;
use wording::{Wording, message};

/// A finding as the file keeps it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Relative to the folder of the baseline file.
    pub path: String,
    pub rule: String,
    pub fingerprint: String,
    /// For people who read the file.
    pub message: String,
}

pub struct Baseline {
    path: Utf8PathBuf,
    /// Without links: entries are named from here.
    folder: Utf8PathBuf,
    entries: Vec<Entry>,
}

/// More than the findings of any project take.
const BYTES: u64 = 256 << 20;

/// What happened to the baseline.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Compared {
    /// Findings that are in it.
    pub known: usize,
    /// Its entries that no longer occur.
    pub gone: Vec<Entry>,
}

impl Baseline {
    pub fn read(path: &Utf8Path) -> Result<Self, ApiError> {
        let bytes = match std::fs::metadata(path) {
            // Opening a pipe would wait for a writer that may never come.
            Ok(facts) if !facts.is_file() => {
                let what = match facts.is_dir() {
                    true => Wording::new("a folder", "文件夹"),
                    false => Wording::new("not a regular file", "非普通文件"),
                };
                let message = message!("the baseline {path} is {what}", "基线 {path} 是{what}"; what);
                return Err(ApiError::new(Code::Invalid, message).hint(message!(
                    "name a file; --write-baseline creates it",
                    "请指定一个文件；--write-baseline 会创建它"
                )));
            }
            Ok(_) => disk::read(path, BYTES),
            Err(error) => Err(error),
        };
        let bytes = bytes.map_err(|error| match error.kind() {
            ErrorKind::NotFound => {
                ApiError::new(Code::NotFound, message!("there is no baseline {path}", "没有基线 {path}"))
                    .hint(message!("--write-baseline creates it", "--write-baseline 会创建它"))
            }
            _ => ApiError::io(path, Tried::Read, error),
        })?;
        let entries = serde_json::from_slice(&bytes).map_err(|error| {
            let why = wording::refusal(&error.to_string());
            ApiError::new(
                Code::Invalid,
                message!("cannot read the baseline {path}: {why}", "无法读取基线 {path}：{why}"; why),
            )
            .hint(message!(
                "correct the file, or move it away: then --write-baseline creates it again",
                "请更正文件，或把它移走：--write-baseline 会重新创建"
            ))
        })?;
        Ok(Self { entries, ..Self::empty(path) })
    }

    /// The existing baseline, to keep entries that are not checked now, or an empty one if there is no file. Any other
    /// file is not overwritten.
    pub fn read_to_renew(path: &Utf8Path) -> Result<Self, ApiError> {
        match Self::read(path) {
            Err(error) if error.code == Code::NotFound => Ok(Self::empty(path)),
            read => read,
        }
    }

    fn empty(path: &Utf8Path) -> Self {
        let whole = absolute(path);
        let folder = real(whole.parent().unwrap_or(&whole));
        Self { path: path.to_owned(), folder, entries: Vec::new() }
    }

    /// Takes out the findings that it holds.
    pub fn apply(&self, findings: &mut Vec<FindingDto>, roots: &[Utf8PathBuf], args: &Args) -> Compared {
        let roots = &real_roots(roots);
        let key = |entry: &Entry| (entry.path.clone(), entry.rule.clone(), entry.fingerprint.clone());
        let mut left: BTreeSet<_> = self.entries.iter().map(key).collect();
        let before = findings.len();
        findings.retain(|finding| !left.remove(&key(&self.entry(finding, roots))));
        let gone = |entry: &&Entry| left.contains(&key(entry)) && self.is_looked_at(entry, roots, args);
        Compared { known: before - findings.len(), gone: self.entries.iter().filter(gone).cloned().collect() }
    }

    /// Writes the findings; entries of other folders and of rules that did not run stay. Returns the number of all
    /// entries.
    pub fn write(&self, findings: &[FindingDto], roots: &[Utf8PathBuf], args: &Args) -> Result<usize, ApiError> {
        let path = absolute(&self.path);
        let unwritable = |error| ApiError::io(&self.path, Tried::Write, error);
        let _turn = disk::turn(&path).map_err(unwritable)?;
        // Another process may have written to it since it was read.
        let held = Self::read_to_renew(&self.path)?;
        let roots = &real_roots(roots);
        let found = findings.iter().map(|finding| self.entry(finding, roots));
        let others = held.entries.iter().filter(|entry| !self.is_looked_at(entry, roots, args)).cloned();
        let entries: BTreeSet<Entry> = found.chain(others).collect();
        // One a line, so that versions of the file merge.
        let lines: Result<Vec<String>, _> = entries.iter().map(serde_json::to_string).collect();
        let lines =
            lines.map_err(|error| ApiError::new(Code::Invalid, message!("{}: {error}", "{}：{error}", self.path)))?;
        let text = if lines.is_empty() { "[]\n".to_owned() } else { format!("[\n{}\n]\n", lines.join(",\n")) };
        disk::write_atomically(&path, text.as_bytes()).map_err(unwritable)?;
        Ok(entries.len())
    }

    fn entry(&self, finding: &FindingDto, roots: &[(Utf8PathBuf, Utf8PathBuf)]) -> Entry {
        let path = Utf8Path::new(&finding.path);
        let in_root = roots.iter().find_map(|(named, real)| Some((path.strip_prefix(named).ok()?, real)));
        let path = in_root.map_or_else(|| path.to_owned(), |(below, real)| inside(real, below));
        Entry {
            path: relative(&path, &self.folder),
            rule: finding.rule.clone(),
            fingerprint: finding.fingerprint.clone(),
            message: finding.message.clone(),
        }
    }

    fn is_looked_at(&self, entry: &Entry, roots: &[(Utf8PathBuf, Utf8PathBuf)], args: &Args) -> bool {
        let path = absolute(&self.folder.join(&entry.path));
        let group = lint::find(&entry.rule).map(|rule| rule.group.id());
        let names = |list: &[String]| list.iter().any(|name| *name == entry.rule || Some(name.as_str()) == group);
        roots.iter().any(|(_, real)| path.starts_with(real))
            && (args.select.is_empty() || names(&args.select))
            && !names(&args.ignore)
    }
}

/// Each root as it was named, and without links: however one comes there, entries have the same paths.
fn real_roots(roots: &[Utf8PathBuf]) -> Vec<(Utf8PathBuf, Utf8PathBuf)> {
    roots.iter().map(|root| (root.clone(), real(root))).collect()
}

fn real(path: &Utf8Path) -> Utf8PathBuf {
    path.canonicalize_utf8().unwrap_or_else(|_| path.to_owned())
}

/// Without a slash at the end if `below` is empty.
fn inside(root: &Utf8Path, below: &Utf8Path) -> Utf8PathBuf {
    if below.as_str().is_empty() { root.to_owned() } else { root.join(below) }
}
