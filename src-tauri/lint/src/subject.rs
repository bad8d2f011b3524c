//! What rules look at: a skill with its texts, taken apart once.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::{Arc, OnceLock};

use camino::Utf8Path;

use super::LintOptions;
use super::code::Code;
use super::files::is_plain;
use super::loading::{Load, Loading};
use super::markdown::Markdown;
use super::references::{self, References};
use super::rules::description::described::Said;
use super::rules::instructions::tags::{self, Fault};
use super::rules::instructions::words::{Line, lines};
use super::rules::security::flow::{self, Flow};
use super::rules::sets::names_missing_skill::{Mention, mentions};
use super::rules::sets::overlap::{self, Pair};
use super::words::Words;
use model::tokens;
use skill::source::SourceText;
use skill::{Field, Manifest, Skill, SkillFile, SkillSet};

/// Reads files for rules. A file is read once for all of them.
pub trait Files {
    /// `None` where it cannot be read or is not text.
    fn text(&self, path: &Utf8Path) -> Option<Arc<SourceText>>;
    /// The first bytes of a file, for telling what it is.
    fn start(&self, path: &Utf8Path) -> Option<Vec<u8>>;
    /// For what is neither text nor told by its first bytes: archives, documents.
    fn open(&self, path: &Utf8Path) -> Option<std::fs::File>;
    fn exists(&self, path: &Utf8Path) -> bool;
    fn is_executable(&self, path: &Utf8Path) -> bool;
}

/// One skill.
pub struct Subject<'a> {
    pub skill: &'a Skill,
    pub options: &'a LintOptions,
    files: &'a dyn Files,
    markdown: OnceCell<Markdown>,
    words: OnceCell<Words>,
    lines: OnceCell<Vec<Line>>,
    pages: OnceCell<Vec<usize>>,
    references: OnceCell<References>,
    body_tokens: OnceCell<u32>,
    loading: OnceCell<Loading>,
    /// By the places of files.
    texts: Vec<OnceCell<Option<Rc<Text>>>>,
    code: OnceCell<Code<'a>>,
    flows: OnceCell<Vec<Flow>>,
    tag_faults: OnceCell<Vec<Fault>>,
    pub(super) description: Said,
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

    /// Counted when first asked for; ask only where the file is long enough to matter.
    pub fn tokens(&self) -> u32 {
        *self.tokens.get_or_init(|| tokens::count(&self.source.text))
    }
}

impl<'a> Subject<'a> {
    pub fn new(skill: &'a Skill, options: &'a LintOptions, files: &'a dyn Files) -> Self {
        Self {
            skill,
            options,
            files,
            markdown: OnceCell::new(),
            words: OnceCell::new(),
            lines: OnceCell::new(),
            pages: OnceCell::new(),
            references: OnceCell::new(),
            body_tokens: OnceCell::new(),
            loading: OnceCell::new(),
            texts: skill.files.iter().map(|_| OnceCell::new()).collect(),
            code: OnceCell::new(),
            flows: OnceCell::new(),
            tag_faults: OnceCell::new(),
            description: Said::default(),
        }
    }

    pub fn manifest(&self) -> &'a Manifest {
        &self.skill.manifest
    }

    /// The path of `SKILL.md`.
    pub fn path(&self) -> &'a Utf8Path {
        &self.skill.manifest.source.path
    }

    /// Whether a file of the skill is its `SKILL.md`.
    pub fn is_manifest(&self, file: &SkillFile) -> bool {
        // As texts: paths would be taken apart, for each rule and file anew.
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

    /// The instructions as Markdown, with spans into [`Subject::text`].
    pub fn markdown(&self) -> &Markdown {
        self.markdown.get_or_init(|| Markdown::parse(self.body(), self.skill.manifest.body.start))
    }

    /// The words in [`Subject::text`] that rules look for.
    pub fn words(&self) -> &Words {
        self.words.get_or_init(|| Words::of(self.text()))
    }

    /// Lines of the instructions that have words, outside of code.
    pub fn lines(&self) -> &[Line] {
        self.lines.get_or_init(|| lines(self.text(), self.skill.manifest.body.start, self.markdown()))
    }

    /// The Markdown files that tell the agent something, `SKILL.md` too, by their places among the skill's files.
    pub fn pages(&self) -> &[usize] {
        let is_page = |file: &SkillFile| self.is_manifest(file) || references::is_page(&file.name);
        self.pages.get_or_init(|| {
            let files = self.skill.files.iter().enumerate();
            files.filter(|(_, file)| is_page(file)).map(|(place, _)| place).collect()
        })
    }

    /// What the skill's Markdown refers to.
    pub fn references(&self) -> &References {
        self.references.get_or_init(|| References::of(self))
    }

    /// Tokens of the instructions, counted when first asked for; ask only where they are long enough to matter.
    pub fn body_tokens(&self) -> u32 {
        *self.body_tokens.get_or_init(|| tokens::count(self.body()))
    }

    /// What the frameworks that the skill is for make of it.
    pub fn loads(&self) -> impl Iterator<Item = &Load> {
        let loads = &self.loading.get_or_init(|| Loading::of(self.skill)).loads;
        loads.iter().filter(|load| self.options.is_for(load.by.id()))
    }

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

    /// The text of one of the skill's files; `None` where it is no text.
    pub fn read(&self, file: &'a SkillFile) -> Option<Rc<Text>> {
        let read = || {
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

    /// Scripts, data files and commands, parsed when first asked for.
    pub fn code(&self) -> &Code<'a> {
        self.code.get_or_init(|| Code::of(self))
    }

    /// Where private data goes in its scripts and fences.
    pub fn flows(&self) -> &[Flow] {
        self.flows.get_or_init(|| flow::all(self))
    }

    /// Tags of its pages that do not fit together.
    pub fn tag_faults(&self) -> &[Fault] {
        self.tag_faults.get_or_init(|| tags::faults(self))
    }

    pub fn disk(&self) -> &'a dyn Files {
        self.files
    }
}

/// The files as its rules read them: what was read for them is not read again.
impl Files for Subject<'_> {
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

/// The skills that skills mention, by the numbers of those that do.
pub type Mentions = BTreeMap<usize, Vec<Mention>>;

/// All skills that are looked at together.
pub struct SubjectSet<'a> {
    pub set: &'a SkillSet,
    /// Of many only the frontmatter may be here: ask [`SubjectSet::whole`].
    pub skills: &'a [Skill],
    pub options: &'a LintOptions,
    pub files: &'a (dyn Files + Sync),
    mentions: OnceLock<Mentions>,
    pairs: OnceLock<Vec<Pair>>,
}

impl<'a> SubjectSet<'a> {
    pub fn new(
        set: &'a SkillSet,
        skills: &'a [Skill],
        options: &'a LintOptions,
        files: &'a (dyn Files + Sync),
    ) -> Self {
        Self { set, skills, options, files, mentions: OnceLock::new(), pairs: OnceLock::new() }
    }

    /// With what [`mentions`] found in the whole of each skill's instructions.
    pub(super) fn with_mentions(self, found: Mentions) -> Self {
        Self { mentions: OnceLock::from(found), ..self }
    }

    pub fn mentions(&self) -> &Mentions {
        let of = |skill: &Skill| mentions(&self.whole(skill).text, skill.manifest.body.start);
        self.mentions
            .get_or_init(|| self.skills.iter().map(of).enumerate().filter(|(_, found)| !found.is_empty()).collect())
    }

    /// The whole `SKILL.md`, read again where only its frontmatter was kept.
    pub fn whole(&self, skill: &Skill) -> Arc<SourceText> {
        let source = &skill.manifest.source;
        let whole = source.truncated_from.and_then(|_| self.files.text(&source.path));
        whole.unwrap_or_else(|| Arc::clone(source))
    }

    /// Skills whose descriptions are much alike.
    pub fn pairs(&self) -> &[Pair] {
        self.pairs.get_or_init(|| overlap::pairs(self.skills))
    }
}
