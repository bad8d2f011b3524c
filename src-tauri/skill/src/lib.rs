//! The folders of skills on disk, read once into values. Loading never fails; what could not be read becomes a
//! [`Problem`]. No framework's rules are here: each harness walks [`Folder`] by its own rules.

mod apart;
pub mod body;
pub mod discover;
mod drafted;
pub mod edit;
pub mod files;
pub mod frontmatter;
mod listing;
pub mod manifest;
pub mod merge;
mod neutral;
pub mod package;
mod parallel;
pub mod paths;
mod problem;
pub mod recent;
mod severity;
pub mod source;
pub mod template;
pub mod watch;
pub mod yaml;

pub use apart::{apart, followed, without};
pub use discover::{load, load_trusting, survey, survey_trusting};
pub use drafted::{Drafts, Texts, drafted};
pub use neutral::{SkillPlace, places, skills, taken_names};
pub use parallel::in_parallel;

use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::source::{SourceText, Span};
use wording::Message;

/// Everything found below some roots.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SkillSet {
    pub roots: Vec<Root>,
    pub problems: Vec<Problem>,
}

/// One folder the user opened, and the tree below it.
#[derive(Debug, Clone, PartialEq)]
pub struct Root {
    /// Absolute, as the user named it (a root that is a link keeps the link's path).
    pub path: Utf8PathBuf,
    pub tree: Folder,
}

/// A folder, its entries sorted by the bytes of their names.
#[derive(Debug, Clone, PartialEq)]
pub struct Folder {
    pub name: String,
    pub path: Utf8PathBuf,
    pub link: Option<Link>,
    /// `false` if the entries could not be listed, or the walk stopped here (depth, count, link loop, a folder of the
    /// system, `.git`, a large `node_modules`).
    pub listed: bool,
    pub entries: Vec<Entry>,
}

impl Folder {
    /// Those in it, not those of folders in it.
    pub fn files(&self) -> impl Iterator<Item = &File> {
        self.entries.iter().filter_map(|entry| match entry {
            Entry::File(file) => Some(file),
            Entry::Folder(_) => None,
        })
    }

    /// Those in it, not those further down.
    pub fn folders(&self) -> impl Iterator<Item = &Folder> {
        self.entries.iter().filter_map(|entry| match entry {
            Entry::Folder(folder) => Some(folder),
            Entry::File(_) => None,
        })
    }
}

/// What is in a folder.
#[derive(Debug, Clone, PartialEq)]
pub enum Entry {
    Folder(Folder),
    File(File),
}

/// A file, as the walk found it.
#[derive(Debug, Clone, PartialEq)]
pub struct File {
    pub name: String,
    pub path: Utf8PathBuf,
    /// Bytes.
    pub size: u64,
    /// It is not a pipe, socket or device, nor a link to one.
    pub is_regular: bool,
    pub link: Option<Link>,
    pub seen: Seen,
    /// Read for files called `SKILL.md` in any case, and for the few others that clients read with them (`agents/openai.yaml`,
    /// `.claude/commands/*.md`, what says of extensions of Gemini CLI, ignore files); other files are read when asked for.
    pub source: Option<Arc<SourceText>>,
}

/// The file's metadata when its folder was listed. It takes no part in comparisons of files: an unsaved text has none.
#[derive(Debug, Clone, Copy, Default)]
pub struct Seen(pub Option<Stamp>);

impl PartialEq for Seen {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// That by which a file is known to have changed: of the file itself, or of the one that a link leads to.
#[derive(Debug, Clone, Copy)]
pub struct Stamp {
    pub inode: u64,
    pub mode: u32,
    /// In nanoseconds since 1970.
    pub modified: i128,
    /// The time that only the system sets, so that a change is noticed even if the file's own time was set back.
    pub changed: i128,
}

impl Stamp {
    /// `None`: the system does not say enough.
    #[cfg(unix)]
    pub fn of(facts: &std::fs::Metadata) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        let time = |seconds: i64, nanos: i64| i128::from(seconds) * 1_000_000_000 + i128::from(nanos);
        Some(Self {
            inode: facts.ino(),
            mode: facts.mode(),
            modified: time(facts.mtime(), facts.mtime_nsec()),
            changed: time(facts.ctime(), facts.ctime_nsec()),
        })
    }

    /// Size and time of a file can be the same after a change.
    #[cfg(not(unix))]
    pub fn of(_: &std::fs::Metadata) -> Option<Self> {
        None
    }
}

/// A symbolic link's target as written, and whether something is there that may be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    pub target: Utf8PathBuf,
    /// Nothing is there, or a folder outside.
    pub broken: bool,
    /// It leads out of what the user opened or trusts, and what is there was not read. What frameworks see of it:
    /// [`followed`].
    pub outside: bool,
}

impl Link {
    /// One that is followed.
    pub fn to(target: impl Into<Utf8PathBuf>) -> Self {
        Self { target: target.into(), broken: false, outside: false }
    }
}

/// A skill in the neutral reading of the spec: a folder that holds a `SKILL.md`.
#[derive(Debug, Clone, PartialEq)]
pub struct Skill {
    /// The folder's absolute path; what the api calls the skill's id.
    pub path: Utf8PathBuf,
    pub root: Utf8PathBuf,
    pub manifest: Manifest,
    /// All files of the folder, `SKILL.md` first, then by relative path.
    pub files: Vec<SkillFile>,
    /// Problems of `SKILL.md`'s text, then of the file itself and of those next to it.
    pub problems: Vec<Problem>,
}

impl Skill {
    /// The name in the frontmatter, or the folder's.
    pub fn name(&self) -> &str {
        self.manifest
            .field("name")
            .and_then(|field| field.value.as_str())
            .filter(|name| !name.trim().is_empty())
            .unwrap_or_else(|| self.path.file_name().unwrap_or_default())
    }

    /// Whether npm installed it in the opened folder, so that it is not the user's own.
    pub fn is_installed(&self) -> bool {
        discover::is_installed(&self.path, &self.root)
    }

    /// The skill as it would be with another `SKILL.md`. Problems that depend on the disk or on other files stay.
    pub fn with_text(&self, source: Arc<SourceText>) -> Self {
        let manifest = Manifest::parse(source);
        let name =
            |manifest: &Manifest| manifest.field("name").and_then(|field| field.value.as_str().map(str::to_owned));
        let same_name = name(&self.manifest) == name(&manifest);
        let mut problems = manifest.problems.clone();
        // Those of the text come first.
        for problem in self.problems.iter().skip(self.manifest.problems.len()) {
            match problem.kind {
                ProblemKind::NameTaken { .. } if !same_name => {}
                ProblemKind::NameTaken { .. } => {
                    let span = manifest.field("name").map(|field| field.value_span);
                    problems.push(Problem { span, ..problem.clone() });
                }
                _ => problems.push(problem.clone()),
            }
        }
        Self { manifest, problems, ..self.clone() }
    }
}

/// `SKILL.md`, taken apart.
#[derive(Debug, Clone, PartialEq)]
pub struct Manifest {
    pub source: Arc<SourceText>,
    /// `None` if there is no `---` block; its problems say why.
    pub frontmatter: Option<Frontmatter>,
    /// The Markdown after the frontmatter.
    pub body: Span,
    pub problems: Vec<Problem>,
}

impl Manifest {
    /// The first field of that name; `None` also if there is no frontmatter.
    pub fn field(&self, key: &str) -> Option<&Field> {
        self.frontmatter.as_ref()?.fields.iter().find(|field| field.key == key)
    }
}

/// The fields of a `SKILL.md`, with their places.
#[derive(Debug, Clone, PartialEq)]
pub struct Frontmatter {
    /// From the opening `---` to the end of the closing one.
    pub block: Span,
    /// The YAML between the delimiters.
    pub yaml: Span,
    /// Top-level keys in order; duplicates are all here.
    pub fields: Vec<Field>,
}

/// One of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    pub key: String,
    pub key_span: Span,
    pub value: YamlValue,
    pub value_span: Span,
}

/// A YAML value that remembers how scalars were written, since parsers differ on `yes`, `012` and `1.10`.
#[derive(Debug, Clone, PartialEq)]
pub enum YamlValue {
    Null,
    /// The scalar's text after unquoting and folding; `plain` when it was neither quoted nor a block.
    Scalar {
        text: String,
        plain: bool,
    },
    List(Vec<YamlValue>),
    Map(Vec<(String, YamlValue)>),
}

impl YamlValue {
    /// The text of a scalar, quoted or not; `None` for null, lists and maps.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::Scalar { text, .. } => Some(text),
            Self::Null | Self::List(_) | Self::Map(_) => None,
        }
    }
}

/// A heading of a Markdown text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    pub level: u8,
    pub text: String,
    pub span: Span,
}

/// A file of a skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillFile {
    /// Relative to the skill's folder, with `/`.
    pub name: String,
    pub path: Utf8PathBuf,
    pub size: u64,
    pub kind: FileKind,
    pub link: bool,
    /// A link that leads out of what the user opened or trusts.
    pub outside: bool,
}

/// What a file is to a skill, by folder and ending; the tiers of progressive disclosure follow from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum FileKind {
    Manifest,
    Reference,
    Script,
    Asset,
    Other,
}

/// How much a problem or a finding weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Severity {
    Info,
    Warning,
    Error,
}

/// Something wrong on disk: which thing, where in it, what to do.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    pub kind: ProblemKind,
    pub path: Utf8PathBuf,
    /// Into the file's `SourceText::text`.
    pub span: Option<Span>,
}

/// The kinds of problems with files on disk. `Display` is the English text; the window translates by `type`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, thiserror::Error)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ProblemKind {
    #[error("the folder does not exist")]
    RootMissing,
    #[error("this is a file, not a folder of skills")]
    RootNotFolder,
    #[error("`roots` names {root}, which lies outside of this folder; it is not read until you trust it")]
    RootOutside { root: String },
    #[error("the folder cannot be read: {}", .reason.en)]
    FolderUnreadable { reason: Message },
    #[error("the file cannot be read: {}", .reason.en)]
    FileUnreadable { reason: Message },
    #[error("it was there when the folder was listed and gone when it was read")]
    Vanished,
    #[error("the link points to {target}, which does not exist")]
    LinkBroken { target: String },
    #[error("the link leads back to a folder that contains it; it was not followed again")]
    LinkLoop,
    #[error("the link leads to {target}, outside of the opened folders; nothing there is read until you trust it")]
    LinkOutside { target: String },
    #[error("{target} is not read: it belongs to the system, or contains the opened folder itself")]
    NotEntered { target: String },
    #[error("a name here is not valid UTF-8 and was left out: {shown}")]
    NameNotUtf8 { shown: String },
    #[error("the folder is nested more than {limit} levels deep; what is below was not read")]
    TooDeep { limit: usize },
    #[error("there are more than {limit} files here; the rest was not listed")]
    TooMany { limit: usize },
    #[error("the file is {size} bytes; only the first {limit} were read")]
    TooLarge { size: u64, limit: u64 },
    #[error("byte {offset} is not valid UTF-8")]
    NotUtf8 { offset: usize },
    #[error("the file starts with a byte order mark, which some frameworks do not accept")]
    Bom,
    #[error("lines end both in LF and in CRLF")]
    MixedNewlines,
    #[error("the file is empty")]
    Empty,
    #[error("there is no frontmatter: the first line must be `---`")]
    FrontmatterMissing,
    #[error("the frontmatter is not closed: a line `---` must end it")]
    FrontmatterUnclosed,
    #[error("the frontmatter is not valid YAML: {}", .reason.en)]
    YamlInvalid { reason: Message },
    #[error("the frontmatter must be a list of `key: value` lines")]
    YamlNotMap,
    #[error("`{key}` occurs twice")]
    KeyDuplicate { key: String },
    #[error("`{key}` is missing")]
    KeyMissing { key: String },
    #[error("`{key}` must be text")]
    KeyNotText { key: String },
    #[error("`{key}` is empty")]
    KeyEmpty { key: String },
    #[error("`{key}` has {length} characters; at most {limit} are allowed")]
    KeyTooLong { key: String, length: usize, limit: usize },
    #[error("a name may only use a-z, 0-9 and single hyphens between them")]
    NameInvalid,
    #[error("the name `{name}` differs from the folder's name `{folder}`")]
    NameNotFolder { name: String, folder: String },
    #[error("the instructions are empty")]
    BodyEmpty,
    #[error("another skill here is also called `{name}`: {other}")]
    NameTaken { name: String, other: String },
    #[error("the file is called `{found}`; frameworks look for `SKILL.md`")]
    ManifestMiscased { found: String },
    #[error("no folder with a SKILL.md was found here")]
    NoSkills,
}

impl SkillSet {
    /// The root a path is in.
    pub fn root_of(&self, path: &Utf8Path) -> Option<&Root> {
        self.roots.iter().find(|root| path.starts_with(&root.path))
    }
}
