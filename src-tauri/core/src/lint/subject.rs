//! What rules look at: a skill with its texts, taken apart once.

use std::cell::OnceCell;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use camino::Utf8Path;

use super::LintOptions;
use super::code::Code;
use super::markdown::Markdown;
use crate::skill::{Field, Manifest, Skill, SkillFile, SkillSet};
use crate::source::SourceText;

/// Reads files for rules. A file is read once for all of them.
pub trait Files {
    /// `None` where it cannot be read or is not text.
    fn text(&self, path: &Utf8Path) -> Option<Arc<SourceText>>;
    /// The first bytes of a file, for telling what it is.
    fn start(&self, path: &Utf8Path) -> Option<Vec<u8>>;
    fn exists(&self, path: &Utf8Path) -> bool;
    fn is_executable(&self, path: &Utf8Path) -> bool;
}

/// One skill.
pub struct Subject<'a> {
    pub skill: &'a Skill,
    pub options: &'a LintOptions,
    files: &'a dyn Files,
    markdown: OnceCell<Markdown>,
    texts: RefCell<HashMap<&'a str, Option<Rc<Text>>>>,
    code: OnceCell<Code<'a>>,
}

/// A text file of a skill.
#[derive(Debug)]
pub struct Text {
    pub source: Arc<SourceText>,
    markdown: OnceCell<Markdown>,
}

impl Text {
    pub fn text(&self) -> &str {
        &self.source.text
    }

    /// The file, read as Markdown.
    pub fn markdown(&self) -> &Markdown {
        self.markdown.get_or_init(|| Markdown::parse(&self.source.text, 0))
    }
}

impl<'a> Subject<'a> {
    pub fn new(skill: &'a Skill, options: &'a LintOptions, files: &'a dyn Files) -> Self {
        Self { skill, options, files, markdown: OnceCell::new(), texts: RefCell::default(), code: OnceCell::new() }
    }

    pub fn manifest(&self) -> &'a Manifest {
        &self.skill.manifest
    }

    /// The path of `SKILL.md`.
    pub fn path(&self) -> &'a Utf8Path {
        &self.skill.manifest.source.path
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

    /// The text of one of the skill's files other than `SKILL.md`.
    pub fn read(&self, file: &'a SkillFile) -> Option<Rc<Text>> {
        let mut texts = self.texts.borrow_mut();
        let text = texts.entry(&file.name).or_insert_with(|| {
            self.files.text(&file.path).map(|source| Rc::new(Text { source, markdown: OnceCell::new() }))
        });
        text.clone()
    }

    /// Scripts, data files and commands, parsed when first asked for.
    pub fn code(&self) -> &Code<'a> {
        self.code.get_or_init(|| Code::of(self))
    }

    pub fn disk(&self) -> &'a dyn Files {
        self.files
    }
}

/// All skills that are looked at together.
pub struct SubjectSet<'a> {
    pub set: &'a SkillSet,
    pub skills: &'a [Skill],
    pub options: &'a LintOptions,
    pub files: &'a dyn Files,
}
