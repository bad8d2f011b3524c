//! What rules look at: a skill with its texts, and what analysis makes of them, worked out once for all rules.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use super::analysis::flow::{self, Flow};
use super::analysis::likeness::{self, Pair};
use super::analysis::lines::{Line, lines};
use super::analysis::mentions::{Mention, mentions};
use super::analysis::reached::reached;
use super::analysis::said::Said;
use super::analysis::tags::{self, Fault};
use super::code::Code;
use super::files::{Files, Followed};
use super::loading::{Load, Loading};
use super::options::LintOptions;
use super::references::References;
use super::texts::Texts;
use skill::source::SourceText;
use skill::{Skill, SkillSet};

/// One skill. It also offers everything that its [`Texts`] do.
pub struct Subject<'a> {
    pub options: &'a LintOptions,
    texts: Texts<'a>,
    lines: OnceCell<Vec<Line>>,
    references: OnceCell<References>,
    reached: OnceCell<Vec<bool>>,
    loading: OnceCell<Loading>,
    code: OnceCell<Code<'a>>,
    flows: OnceCell<Vec<Flow>>,
    tag_faults: OnceCell<Vec<Fault>>,
    pub(super) description: Said,
}

impl<'a> Deref for Subject<'a> {
    type Target = Texts<'a>;

    fn deref(&self) -> &Texts<'a> {
        &self.texts
    }
}

impl<'a> Subject<'a> {
    /// Reads nothing yet: each part is taken apart when a rule first asks for it.
    pub fn new(skill: &'a Skill, options: &'a LintOptions, files: &'a dyn Files) -> Self {
        Self {
            options,
            texts: Texts::new(skill, files),
            lines: OnceCell::new(),
            references: OnceCell::new(),
            reached: OnceCell::new(),
            loading: OnceCell::new(),
            code: OnceCell::new(),
            flows: OnceCell::new(),
            tag_faults: OnceCell::new(),
            description: Said::default(),
        }
    }

    /// Whether it is only a list of skills in its folder, and not a skill itself.
    pub fn is_collection(&self) -> bool {
        let is_skill = |name: &str| {
            let (folder, file) = name.rsplit_once('/').unwrap_or_default();
            file == "SKILL.md" && !folder.split('/').any(|part| SAMPLES.contains(&part))
        };
        self.skill.files.iter().filter(|file| is_skill(&file.name)).count() >= SKILLS
    }

    /// Lines of the instructions that have words, outside of code.
    pub fn lines(&self) -> &[Line] {
        self.lines.get_or_init(|| lines(self.text(), self.skill.manifest.body.start, self.markdown()))
    }

    /// What the skill's Markdown refers to.
    pub fn references(&self) -> &References {
        self.references.get_or_init(|| References::of(self))
    }

    /// For each of the skill's files, whether its instructions lead to it.
    pub fn reached(&self) -> &[bool] {
        self.reached.get_or_init(|| reached(self, self.references()))
    }

    /// How the frameworks that the skill is for treat it.
    pub fn loads(&self) -> impl Iterator<Item = &Load> {
        self.loading().loads.iter().filter(|load| load.by.is_asked(self.options))
    }

    /// How all frameworks treat it.
    pub(super) fn loading(&self) -> &Loading {
        self.loading.get_or_init(|| Loading::of(self.skill))
    }

    /// Scripts, data files and commands, parsed when first asked for.
    pub fn code(&self) -> &Code<'a> {
        self.code.get_or_init(|| Code::of(self))
    }

    /// How private data flows in its scripts and fences.
    pub fn flows(&self) -> &[Flow] {
        self.flows.get_or_init(|| flow::all(self))
    }

    /// Tags of its pages that do not fit together.
    pub fn tag_faults(&self) -> &[Fault] {
        self.tag_faults.get_or_init(|| tags::faults(self))
    }
}

/// Skills in a folder that make it a collection.
const SKILLS: usize = 2;
/// Folders of a skill in which other skills are samples, or what tests read.
const SAMPLES: [&str; 10] =
    ["assets", "evals", "examples", "fixtures", "references", "resources", "samples", "templates", "test", "tests"];

/// The skills that skills mention, by the numbers of those that do.
pub type Mentions = BTreeMap<usize, Vec<Mention>>;

/// All skills that are checked together.
pub struct SubjectSet<'a> {
    pub set: &'a SkillSet,
    /// Of many only the frontmatter may be here: ask [`SubjectSet::whole`].
    pub skills: &'a [Skill],
    pub options: &'a LintOptions,
    files: Followed<'a, dyn Files + Sync + 'a>,
    mentions: OnceLock<Mentions>,
    pairs: OnceLock<Vec<Pair>>,
}

impl<'a> SubjectSet<'a> {
    /// `skills`: those of `set`, or as much of each as is in memory.
    pub fn new(
        set: &'a SkillSet,
        skills: &'a [Skill],
        options: &'a LintOptions,
        files: &'a (dyn Files + Sync),
    ) -> Self {
        let files = Followed::new(files, &set.problems);
        Self { set, skills, options, files, mentions: OnceLock::new(), pairs: OnceLock::new() }
    }

    /// What the rules may read.
    pub fn files(&self) -> &dyn Files {
        &self.files
    }

    /// With what [`mentions`] found in the whole of each skill's instructions.
    pub(super) fn with_mentions(self, found: Mentions) -> Self {
        Self { mentions: OnceLock::from(found), ..self }
    }

    /// By the place of a skill: what its instructions say of others.
    pub fn mentions(&self) -> &Mentions {
        let of = |skill: &Skill| mentions(&self.whole(skill).text, skill.manifest.body.start);
        self.mentions
            .get_or_init(|| self.skills.iter().map(of).enumerate().filter(|(_, found)| !found.is_empty()).collect())
    }

    /// The whole `SKILL.md`, read again if only its frontmatter was kept.
    pub fn whole(&self, skill: &Skill) -> Arc<SourceText> {
        let source = &skill.manifest.source;
        let whole = source.truncated_from.and_then(|_| self.files.text(&source.path));
        whole.unwrap_or_else(|| Arc::clone(source))
    }

    /// Skills whose descriptions are much alike.
    pub fn pairs(&self) -> &[Pair] {
        self.pairs.get_or_init(|| likeness::pairs(self.skills))
    }
}
