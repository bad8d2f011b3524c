//! The texts of one skill: each of its files is read once and taken apart once, for all that look.

use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;

use camino::Utf8Path;

use super::files::{Files, Followed, is_plain};
use super::markdown::Markdown;
use super::words::Words;
use model::tokens;
use skill::source::SourceText;
use skill::{Field, Manifest, Skill, SkillFile};

/// One skill with its texts. Derived facts are in [`Subject`](super::Subject).
pub struct Texts<'a> {
    pub skill: &'a Skill,
    files: Followed<'a, dyn Files + 'a>,
    markdown: OnceCell<Markdown>,
    words: OnceCell<Words>,
    pages: OnceCell<Vec<usize>>,
    body_tokens: OnceCell<u32>,
    /// By the places of files.
    texts: Vec<OnceCell<Option<Rc<Text>>>>,
}

/// A text file of a skill.
#[derive(Debug)]
pub struct Text {
    pub source: Arc<SourceText>,
    markdown: OnceCell<Markdown>,
    words: OnceCell<Words>,
    tokens: OnceCell<u32>,
}

impl Text {
    /// The whole file.
    pub fn text(&self) -> &str {
        &self.source.text
    }

    /// The file, read as Markdown.
    pub fn markdown(&self) -> &Markdown {
        self.markdown.get_or_init(|| Markdown::parse(&self.source.text, 0))
    }

    /// The words in it that rules look for.
    pub fn words(&self) -> &Words {
        self.words.get_or_init(|| Words::of(&self.source.text))
    }

    /// Counted when first asked for; ask only if the file is long enough to matter.
    pub fn tokens(&self) -> u32 {
        *self.tokens.get_or_init(|| tokens::count(&self.source.text))
    }
}

/// A Markdown file that tells the agent something: no template, no test data, no paper for people.
#[derive(Clone, Copy)]
pub struct Page<'a> {
    pub file: usize,
    pub path: &'a Utf8Path,
    /// Relative to the skill's folder.
    pub name: &'a str,
    pub text: &'a str,
    pub markdown: &'a Markdown,
    /// The words in it that rules look for.
    pub words: &'a Words,
}

impl<'a> Texts<'a> {
    /// Reads nothing yet: each file is read when a rule first asks for it.
    pub fn new(skill: &'a Skill, files: &'a dyn Files) -> Self {
        Self {
            skill,
            files: Followed::new(files, &skill.problems),
            markdown: OnceCell::new(),
            words: OnceCell::new(),
            pages: OnceCell::new(),
            body_tokens: OnceCell::new(),
            texts: skill.files.iter().map(|_| OnceCell::new()).collect(),
        }
    }

    /// `SKILL.md`, as it was loaded.
    pub fn manifest(&self) -> &'a Manifest {
        &self.skill.manifest
    }

    /// The path of `SKILL.md`.
    pub fn path(&self) -> &'a Utf8Path {
        &self.skill.manifest.source.path
    }

    /// Whether a file of the skill is its `SKILL.md`.
    pub fn is_manifest(&self, file: &SkillFile) -> bool {
        // As texts: paths would be taken apart, for each rule and file again.
        file.path.as_str() == self.path().as_str()
    }

    /// The text of `SKILL.md`; spans of the manifest are into it.
    pub fn text(&self) -> &'a str {
        &self.skill.manifest.source.text
    }

    /// The instructions: what follows the frontmatter.
    pub fn body(&self) -> &'a str {
        self.skill.manifest.body.of(self.text())
    }

    /// The instructions as Markdown, with spans into [`Texts::text`].
    pub fn markdown(&self) -> &Markdown {
        self.markdown.get_or_init(|| Markdown::parse(self.body(), self.skill.manifest.body.start))
    }

    /// The words in [`Texts::text`] that rules look for.
    pub fn words(&self) -> &Words {
        self.words.get_or_init(|| Words::of(self.text()))
    }

    /// The Markdown files that tell the agent something, `SKILL.md` too, by their places among the skill's files.
    pub fn pages(&self) -> &[usize] {
        let is_page = |file: &SkillFile| self.is_manifest(file) || is_page(&file.name);
        self.pages.get_or_init(|| {
            let files = self.skill.files.iter().enumerate();
            files.filter(|(_, file)| is_page(file)).map(|(place, _)| place).collect()
        })
    }

    /// Tokens of the instructions, counted when first asked for; ask only if they are long enough to matter.
    pub fn body_tokens(&self) -> u32 {
        *self.body_tokens.get_or_init(|| tokens::count(self.body()))
    }

    /// The first field of that name.
    pub fn field(&self, key: &str) -> Option<&'a Field> {
        self.skill.manifest.field(key)
    }

    /// A field that is text.
    pub fn value(&self, key: &str) -> Option<&'a str> {
        self.field(key)?.value.as_str()
    }

    /// By its path in the skill's folder, with `/`.
    pub fn file(&self, name: &str) -> Option<&'a SkillFile> {
        self.skill.files.iter().find(|file| file.name == name)
    }

    /// The text of one of the skill's files; `None` if it is not text.
    pub fn read(&self, file: &'a SkillFile) -> Option<Rc<Text>> {
        let read = || {
            if file.outside {
                return None;
            }
            let at_hand = Some(&self.manifest().source).filter(|own| self.is_manifest(file) && is_plain(own));
            let source = at_hand.cloned().or_else(|| self.files.text(&file.path))?;
            let (markdown, words, tokens) = (OnceCell::new(), OnceCell::new(), OnceCell::new());
            Some(Rc::new(Text { source, markdown, words, tokens }))
        };
        match self.skill.files.element_offset(file) {
            Some(place) => self.texts[place].get_or_init(read).clone(),
            None => read(),
        }
    }

    /// What the rules may read.
    pub fn disk(&self) -> &dyn Files {
        &self.files
    }
}

/// The files as rules read them: files that were read are not read again.
impl Files for Texts<'_> {
    fn text(&self, path: &Utf8Path) -> Option<Arc<SourceText>> {
        if path.as_str() == self.path().as_str() {
            return Some(Arc::clone(&self.manifest().source));
        }
        match self.skill.files.iter().find(|file| file.path.as_str() == path.as_str()) {
            Some(file) => self.read(file).map(|text| Arc::clone(&text.source)),
            None => self.files.text(path),
        }
    }

    fn start(&self, path: &Utf8Path) -> Option<Vec<u8>> {
        self.files.start(path)
    }

    fn open(&self, path: &Utf8Path) -> Option<std::fs::File> {
        self.files.open(path)
    }

    fn exists(&self, path: &Utf8Path) -> bool {
        self.files.exists(path)
    }

    fn is_executable(&self, path: &Utf8Path) -> bool {
        self.files.is_executable(path)
    }
}

/// Calls `look` for each page, `SKILL.md` first.
pub fn for_each_page(texts: &Texts<'_>, mut look: impl FnMut(Page<'_>)) {
    for place in texts.pages() {
        let file = &texts.skill.files[*place];
        let (path, name) = (&*file.path, &*file.name);
        if texts.is_manifest(file) {
            let (text, markdown, words) = (texts.text(), texts.markdown(), texts.words());
            look(Page { file: *place, path, name, text, markdown, words });
        } else if let Some(read) = texts.read(file) {
            let (text, markdown, words) = (read.text(), read.markdown(), read.words());
            look(Page { file: *place, path, name, text, markdown, words });
        }
    }
}

/// Every text of a skill, `SKILL.md` first, with its path.
pub fn each_text(texts: &Texts<'_>, mut look: impl FnMut(&Utf8Path, &str)) {
    look(texts.path(), texts.text());
    for file in texts.skill.files.iter().filter(|file| !texts.is_manifest(file)) {
        if let Some(text) = texts.read(file) {
            look(&file.path, text.text());
        }
    }
}

/// Files for people who work on the skill, not for the agent that uses it.
pub fn is_for_people(name: &str) -> bool {
    let file = name.rsplit('/').next().unwrap_or(name).to_ascii_lowercase();
    let stem = file.split('.').next().unwrap_or_default();
    // With hyphens in place of all the underscores, too.
    let is_mixed = stem.contains('_') && stem.contains('-');
    let is_same = |(ours, theirs): (u8, u8)| ours == theirs || (ours == b'_' && theirs == b'-');
    let is_stem = |paper: &&str| paper.len() == stem.len() && paper.bytes().zip(stem.bytes()).all(is_same);
    // `README-de.md`, `README_HEALER.md`
    file.starts_with("readme") || !is_mixed && PAPERS.iter().any(is_stem)
}

/// A page that shows what another is to look like: `readme-example.md`, `hub_template.md`, `bundle_SKILL.md`.
pub fn is_model(name: &str) -> bool {
    let file = name.rsplit('/').next().unwrap_or(name);
    let is_manifest = file == skill::manifest::FILE_NAME;
    !is_manifest
        && file.split(['-', '_', '.']).any(|word| {
            word == "SKILL" || ["example", "sample", "template"].iter().any(|model| word.eq_ignore_ascii_case(model))
        })
}

const PAPERS: [&str; 15] = [
    "readme",
    "changelog",
    "changes",
    "history",
    "contributing",
    "code_of_conduct",
    "authors",
    "installation",
    "installation_guide",
    "install",
    "release_notes",
    "quick_start",
    "quick_reference",
    "upgrading",
    "maintainers",
];

/// Folders whose Markdown is material: templates, samples, test data.
const MATERIAL: [&str; 10] =
    ["assets", "templates", "template", "evals", "eval", "tests", "test", "fixtures", "examples", "node_modules"];

/// By its name in the skill's folder.
fn is_page(name: &str) -> bool {
    let markdown = matches!(Utf8Path::new(name).extension(), Some("md" | "markdown" | "mdx"));
    let folder = name.split_once('/').map_or("", |(folder, _)| folder);
    markdown && !MATERIAL.contains(&folder) && !is_for_people(name)
}
