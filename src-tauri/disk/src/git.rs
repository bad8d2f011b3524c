//! A file's versions in a git repository. Calls the program `git` so that it writes nothing and runs no other programs:
//! a repository may come from anybody, and its configuration may name programs.

use std::io;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use camino::Utf8Path;
use wording::message;

use crate::{program, read_stream};

/// A revision that changed the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revision {
    pub id: String,
    /// In milliseconds since the Unix epoch.
    pub at: i64,
    pub author: String,
    pub subject: String,
}

/// Why git said nothing.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    #[error("git is not installed")]
    Missing,
    #[error("no repository holds it")]
    NoRepository,
    /// The repository belongs to somebody else, and the user's own git does not trust it.
    #[error("git does not trust the repository: {0}")]
    Untrusted(String),
    #[error("{0}")]
    Failed(String),
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Up to `most` revisions that changed the file, the newest first. None if it is not in the repository.
pub fn revisions(path: &Utf8Path, most: usize) -> Result<Vec<Revision>, GitError> {
    let (folder, name) = parts(path)?;
    let most = format!("--max-count={most}");
    let format = "--format=%H%x00%ct%x00%an%x00%s";
    // `rev-list` ignores the settings of `log`, which could let a program check signatures. Between the lines that we
    // ask for it prints others, which have no fields.
    let asked = ["rev-list", &most, format, "HEAD", "--", name];
    let said = match git(folder, &asked, LIST_BYTES) {
        Err(GitError::Failed(said)) if said.contains("bad revision 'HEAD'") || said.contains("ambiguous argument") => {
            return Ok(Vec::new());
        }
        other => other?,
    };
    Ok(String::from_utf8_lossy(&said).lines().filter_map(revision).collect())
}

/// What a revision changed of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Short.
    pub id: String,
    pub author: String,
    /// `3 days ago`
    pub ago: String,
    pub subject: String,
    /// As a patch.
    pub patch: String,
}

/// Up to `most` revisions that changed the file, the newest first, with what they changed; of each up to `limit` bytes.
pub fn changes(path: &Utf8Path, most: usize, limit: u64) -> Result<Vec<Change>, GitError> {
    let (folder, name) = parts(path)?;
    let most = format!("--max-count={most}");
    let asked = ["rev-list", &most, "--format=%H%x00%h%x00%an%x00%ar%x00%s", "HEAD", "--", name];
    let said = git(folder, &asked, LIST_BYTES)?;
    let said = String::from_utf8_lossy(&said);
    let fields = said.lines().map(|line| line.split('\0').collect::<Vec<_>>());
    let changes = fields.filter_map(|fields| match fields[..] {
        [whole, id, author, ago, subject] => Some((whole.to_owned(), id, author, ago, subject)),
        _ => None,
    });
    changes
        .map(|(whole, id, author, ago, subject)| {
            // No program that the repository names may show differences or convert binary files to text.
            let asked = ["show", "--format=", "--patch", "--no-ext-diff", "--no-textconv", &whole, "--", name];
            let patch = git(folder, &asked, limit)?;
            Ok(Change {
                id: id.to_owned(),
                author: author.to_owned(),
                ago: ago.to_owned(),
                subject: subject.to_owned(),
                patch: String::from_utf8_lossy(&patch).into_owned(),
            })
        })
        .collect()
}

/// Whether the newest revision has the file.
pub fn has(path: &Utf8Path) -> Result<bool, GitError> {
    let (folder, name) = parts(path)?;
    match git(folder, &["cat-file", "-e", &format!("HEAD:./{name}")], WORDS_BYTES) {
        Ok(_) => Ok(true),
        Err(GitError::Failed(_)) => Ok(false),
        Err(error) => Err(error),
    }
}

/// The file's path below the folder of its repository.
pub fn within(path: &Utf8Path) -> Result<String, GitError> {
    let (folder, name) = parts(path)?;
    let said = git(folder, &["rev-parse", "--show-prefix"], WORDS_BYTES)?;
    Ok(format!("{}{name}", String::from_utf8_lossy(&said).trim_end_matches('\n')))
}

/// The file as it is in a revision.
pub fn at_revision(path: &Utf8Path, id: &str, limit: u64) -> Result<Vec<u8>, GitError> {
    let (folder, name) = parts(path)?;
    let is_id = matches!(id.len(), 40 | 64) && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !is_id {
        return Err(GitError::Failed(format!("{id} is not the full id of a revision")));
    }
    // A blob as it is stored: no filter of the repository is asked.
    git(folder, &["cat-file", "blob", &format!("{id}:./{name}")], limit)
}

/// Switches off all that a repository may name as a program, and whatever could write or reach a server.
const FLAGS: [&str; 18] = [
    "--no-pager",
    "--no-replace-objects",
    "--no-optional-locks",
    "--literal-pathspecs",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "core.pager=cat",
    "-c",
    "log.showSignature=false",
    "-c",
    "protocol.allow=never",
    "-c",
    "safe.bareRepository=explicit",
    "-c",
    "diff.external=",
];

/// The environment variables that git needs to find the user's settings, which say what repositories they trust. Not
/// `GIT_DIR` and others that would make it use another repository.
const KEPT: [&str; 9] =
    ["PATH", "HOME", "XDG_CONFIG_HOME", "TMPDIR", "TEMP", "SYSTEMROOT", "USERPROFILE", "HOMEDRIVE", "HOMEPATH"];

const SET: [(&str, &str); 4] =
    [("GIT_TERMINAL_PROMPT", "0"), ("GIT_NO_LAZY_FETCH", "1"), ("GIT_OPTIONAL_LOCKS", "0"), ("LC_ALL", "C")];

/// A list of revisions is read so far.
const LIST_BYTES: u64 = 4 << 20;
const WORDS_BYTES: u64 = 64 << 10;
/// Even in a large repository the last revisions of a file are found faster.
const PATIENCE: Duration = Duration::from_secs(20);

fn git(folder: &Utf8Path, asked: &[&str], limit: u64) -> Result<Vec<u8>, GitError> {
    let program = program("git").ok_or(GitError::Missing)?;
    let mut command = Command::new(program);
    command.env_clear().envs(KEPT.iter().filter_map(|name| Some((name, std::env::var_os(name)?)))).envs(SET);
    command.arg("-C").arg(folder).args(FLAGS).args(asked);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // No window of a terminal flashes up.
    #[cfg(windows)]
    std::os::windows::process::CommandExt::creation_flags(&mut command, 0x0800_0000);
    let mut child = command.spawn()?;
    let (sender, receiver) = mpsc::channel();
    let (output, words) = (child.stdout.take(), child.stderr.take());
    std::thread::spawn(move || {
        let reading = std::thread::spawn(move || words.map(|words| read_stream(words, WORDS_BYTES)));
        let output = output.map_or(Ok(Vec::new()), |output| read_stream(output, limit));
        let words = reading.join().ok().flatten().and_then(Result::ok).unwrap_or_default();
        let _ = sender.send((output, words));
    });
    let Ok((output, words)) = receiver.recv_timeout(PATIENCE) else {
        child.kill()?;
        child.wait()?;
        let waited = PATIENCE.as_secs();
        let reason = message!("git took longer than {waited} s", "git 超过 {waited} 秒没有完成");
        return Err(GitError::Io(wording::refused(io::ErrorKind::TimedOut, reason)));
    };
    let status = child.wait()?;
    if status.success() {
        return Ok(output?);
    }
    // A file that is too large breaks git's pipe.
    if let Err(error) = output {
        return Err(error.into());
    }
    Err(refused(String::from_utf8_lossy(&words).trim()))
}

fn refused(words: &str) -> GitError {
    let first = words.lines().next().unwrap_or_default();
    let first = first.strip_prefix("fatal: ").unwrap_or(first).to_owned();
    if words.contains("not a git repository") || words.contains("cannot use bare repository") {
        GitError::NoRepository
    } else if words.contains("dubious ownership") {
        GitError::Untrusted(first)
    } else {
        GitError::Failed(first)
    }
}

/// A path that git takes neither for an option nor for a pattern, in the folder that it is asked in.
fn parts(path: &Utf8Path) -> Result<(&Utf8Path, &str), GitError> {
    path.parent().zip(path.file_name()).ok_or_else(|| {
        let reason = message!("{path} is not a file", "{path} 不是文件");
        GitError::Io(wording::refused(io::ErrorKind::InvalidInput, reason))
    })
}

fn revision(line: &str) -> Option<Revision> {
    let mut fields = line.split('\0');
    let (id, seconds) = (fields.next()?, fields.next()?.parse::<i64>().ok()?);
    let (author, subject) = (fields.next()?, fields.next().unwrap_or_default());
    Some(Revision {
        id: id.to_owned(),
        at: seconds.saturating_mul(1000),
        author: author.to_owned(),
        subject: subject.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use camino::Utf8PathBuf;

    use super::*;

    /// A repository of one's own, made by git itself.
    struct Made {
        _folder: tempfile::TempDir,
        path: Utf8PathBuf,
    }

    impl Made {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let path = Utf8PathBuf::from_path_buf(folder.path().canonicalize().unwrap()).unwrap();
            let made = Self { _folder: folder, path };
            made.git(&["init", "-q"]);
            made
        }

        fn git(&self, asked: &[&str]) {
            let who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false"];
            let mut command = Command::new("git");
            let command = command.arg("-C").arg(&self.path).args(who).args(asked).env_remove("GIT_DIR");
            assert!(command.status().unwrap().success(), "{asked:?}");
        }

        fn commit(&self, name: &str, text: &str, subject: &str) {
            std::fs::write(self.path.join(name), text).unwrap();
            self.git(&["add", "."]);
            self.git(&["commit", "-q", "-m", subject]);
        }
    }

    #[test]
    fn lists_the_revisions_that_changed_a_file_and_reads_it_there() {
        let made = Made::new();
        let file = made.path.join("-SKILL *.md");
        assert_eq!(revisions(&file, 10).unwrap(), [], "there is no revision yet");
        made.commit("-SKILL *.md", "one\n", "Begin\nwith one");
        made.commit("other.md", "x\n", "Another file");
        made.commit("-SKILL *.md", "two\n", "Go on");
        let found = revisions(&file, 10).unwrap();
        let said: Vec<_> = found.iter().map(|each| (&*each.author, &*each.subject)).collect();
        assert_eq!(said, [("Ada", "Go on"), ("Ada", "Begin with one")]);
        let texts: Vec<_> = found.iter().map(|each| at_revision(&file, &each.id, 100).unwrap()).collect();
        assert_eq!(texts, [b"two\n", b"one\n"]);
        let changed = changes(&file, 10, 1000).unwrap();
        let said: Vec<_> = changed.iter().map(|each| (&*each.author, &*each.subject)).collect();
        assert_eq!(said, [("Ada", "Go on"), ("Ada", "Begin with one")]);
        assert!(found[0].id.starts_with(&changed[0].id), "{changed:?}");
        assert!(changed[0].patch.ends_with("@@ -1 +1 @@\n-one\n+two\n"), "{changed:?}");
        assert!(matches!(changes(&file, 1, 10), Err(GitError::Io(_))), "what is too long is not shown in part");
        assert_eq!(within(&file).unwrap(), "-SKILL *.md");
        assert_eq!((has(&file).unwrap(), has(&made.path.join("new.md")).unwrap()), (true, false));
        assert_eq!(revisions(&file, 1).unwrap().len(), 1);
        assert_eq!(revisions(&made.path.join("new.md"), 10).unwrap(), []);
    }

    #[test]
    fn a_folder_outside_of_repositories_has_none_and_no_other_revision_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(folder.path().join("a.md")).unwrap();
        assert!(matches!(revisions(&path, 10), Err(GitError::NoRepository)));
        for id in ["HEAD", "--help", "main:secret", ""] {
            assert!(matches!(at_revision(&path, id, 10), Err(GitError::Failed(_))), "{id}");
        }
    }

    #[test]
    fn a_large_file_is_not_read_whole() {
        let made = Made::new();
        made.commit("a.md", &"x".repeat(2000), "Large");
        let file = made.path.join("a.md");
        let id = revisions(&file, 1).unwrap().remove(0).id;
        assert!(matches!(at_revision(&file, &id, 1000), Err(GitError::Io(_))));
    }

    /// Settings with which a repository could name a program.
    #[cfg(unix)]
    #[test]
    fn nothing_that_the_repository_names_is_run() {
        let made = Made::new();
        made.commit("a.md", "one\n", "Begin");
        std::fs::write(made.path.join(".gitattributes"), "*.md diff=evil filter=evil\n").unwrap();
        let witness = made.path.join("witness");
        let script = format!("touch {witness}");
        let keys = [
            "core.fsmonitor",
            "core.pager",
            "core.editor",
            "core.sshCommand",
            "core.askPass",
            "gpg.program",
            "diff.external",
            "diff.evil.command",
            "diff.evil.textconv",
            "filter.evil.smudge",
            "filter.evil.clean",
            "filter.evil.process",
            "alias.rev-list",
            "alias.cat-file",
            "credential.helper",
            "pager.rev-list",
        ];
        let mut settings = String::from("[log]\nshowSignature = true\n[core]\nhooksPath = hooks\n");
        for key in keys {
            let (section, name) = key.rsplit_once('.').unwrap();
            let section = match section.split_once('.') {
                Some((outer, inner)) => format!("[{outer} \"{inner}\"]"),
                None => format!("[{section}]"),
            };
            settings.push_str(&format!("{section}\n{name} = \"!{script}; {script} #\"\n"));
        }
        let config = made.path.join(".git/config");
        let before = std::fs::read_to_string(&config).unwrap();
        std::fs::write(&config, format!("{before}{settings}")).unwrap();
        let file = made.path.join("a.md");
        let found = revisions(&file, 10).unwrap();
        assert_eq!(at_revision(&file, &found[0].id, 100).unwrap(), b"one\n");
        let changed = changes(&file, 10, 1000).unwrap();
        assert!(changed[0].patch.ends_with("@@ -0,0 +1 @@\n+one\n"), "{changed:?}");
        assert!(has(&file).unwrap());
        assert!(!witness.exists());
    }

    /// A shared folder of skills may contain a folder that looks like a bare repository.
    #[test]
    fn a_bare_repository_in_a_folder_of_skills_is_not_taken_for_one() {
        let made = Made::new();
        made.git(&["init", "-q", "--bare", "skill"]);
        let file = made.path.join("skill/SKILL.md");
        assert!(matches!(revisions(&file, 10), Err(GitError::NoRepository)));
    }
}
