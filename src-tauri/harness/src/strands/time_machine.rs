//! `time_machine` of `file_read`: the history of a file in Git or on disk, in the tool's words.

use std::fmt::Write as _;

use jiff::civil::DateTime;

use crate::presentation::grouped;
use crate::{FileHistory, FileRevision};

/// `Err`: the text of the exception.
pub fn told(path: &str, history: &FileHistory) -> Result<String, String> {
    let shown = match history {
        // It asks in the folder that the path names.
        FileHistory::Git { .. } | FileHistory::NoRepository | FileHistory::NoGit if !path.contains('/') => {
            Err("[Errno 2] No such file or directory: ''".to_owned())
        }
        FileHistory::Git { revisions, tracked, path: below } => of_git(name(path), revisions, *tracked, below),
        FileHistory::NoRepository => Err("File is not in a git repository".to_owned()),
        FileHistory::NoGit => Err("[Errno 2] No such file or directory: 'git'".to_owned()),
        FileHistory::Disk { size, changed, modified, accessed, owner, permissions } => {
            let mut out = format!("=== File Information for {} ===\n", name(path));
            for (label, time) in [("Created", changed), ("Modified", modified), ("Accessed", accessed)] {
                write!(out, "\n{label}: {}", clock(time)).expect("a String takes everything");
            }
            let size = grouped(*size);
            write!(out, "\nSize: {size} bytes\nOwner: {owner}\nPermissions: {permissions:03o}")
                .expect("a String takes everything");
            Ok(out)
        }
    };
    let shown = shown.map_err(|why| format!("Error in time machine view: {why}"))?;
    Ok(format!("Time Machine view for {path}:\n{shown}"))
}

fn of_git(name: &str, revisions: &[FileRevision], tracked: bool, below: &str) -> Result<String, String> {
    if !tracked {
        let below = super::python::repr_text(below);
        return Err(format!(
            "Command '['git', 'blame', '--line-porcelain', {below}]' returned non-zero exit status 128."
        ));
    }
    let mut lines = vec![format!("=== Time Machine View for {name} ===\n"), "Git History:\n".to_owned()];
    for FileRevision { id, author, ago, subject, patch } in revisions {
        // It takes its line apart at bars.
        if author.contains('|') || subject.contains('|') {
            return Err("too many values to unpack (expected 4)".into());
        }
        lines.extend([
            format!("Commit: {id}"),
            format!("Author: {author}"),
            format!("Time: {ago}"),
            format!("Message: {subject}"),
            "\nChanges:".to_owned(),
            patch.replace("\r\n", "\n").replace('\r', "\n"),
            format!("{}\n", "-".repeat(40)),
        ]);
    }
    Ok(lines.join("\n"))
}

fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}

/// `time.ctime`.
fn clock(time: &str) -> String {
    match time.parse::<DateTime>() {
        Ok(time) => time.strftime("%a %b %e %H:%M:%S %Y").to_string(),
        Err(_) => time.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_disk_says_times_sizes_and_owners() {
        let history = FileHistory::Disk {
            size: 1_234_567,
            changed: "2026-11-06T10:47:09".into(),
            modified: "2026-11-26T00:00:00".into(),
            accessed: "2026-11-26T23:59:59".into(),
            owner: 1000,
            permissions: 0o44,
        };
        let expected = "Time Machine view for a.md:\n=== File Information for a.md ===\n\nCreated: Fri Nov  6 10:47:09 2026\n\
                        Modified: Thu Nov 26 00:00:00 2026\nAccessed: Thu Nov 26 23:59:59 2026\nSize: 1,234,567 bytes\n\
                        Owner: 1000\nPermissions: 044";
        assert_eq!(told("a.md", &history).unwrap(), expected);
    }
}
