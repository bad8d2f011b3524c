//! What each framework makes of one skill: not guessed, but asked of the harnesses.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Arc, LazyLock};

use camino::{Utf8Path, Utf8PathBuf};

use crate::harness::{self, Catalog, Harness, Options, VariantInfo};
use crate::skill::{Entry, File, Folder, Link, Root, Skill, SkillSet};
use crate::source::{SourceText, Span};

/// One skill, under every variant of every harness.
#[derive(Debug, Clone, PartialEq)]
pub struct Loading {
    pub loads: Vec<Load>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Load {
    pub by: Framework,
    pub outcome: Outcome,
}

/// A variant of a harness.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Framework {
    /// The places of the harness and of the variant in the lists of them.
    harness: usize,
    variant: usize,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    Loaded {
        name: String,
        description: String,
    },
    LeftOut {
        /// In the framework's words.
        reason: String,
        /// What it stumbles over, in the text of `SKILL.md`.
        span: Option<Span>,
        /// It then starts with no skill at all.
        refuses_all: bool,
    },
}

impl Loading {
    /// The skill alone in a folder of skills.
    pub fn of(skill: &Skill) -> Self {
        let source = shortened(skill);
        // What cannot be read, or is empty, is no skill to anybody.
        if source.text.trim().is_empty() || skill.manifest.body.start > FRONTMATTER_SHOWN {
            return Self { loads: Vec::new() };
        }
        let path = &skill.path;
        let below = alone(path, Arc::clone(&source), &[None]);
        let itself = alone(path, source, &[]);
        let outcome = |by: Framework| match LOOKING_BELOW.contains(&by) {
            true => by.outcome(&below, path),
            false => by.outcome(&itself, path),
        };
        Self { loads: frameworks().map(|by| Load { by, outcome: outcome(by) }).collect() }
    }
}

impl Framework {
    fn harness(self) -> &'static dyn Harness {
        harness::all()[self.harness]
    }

    /// Of the harness.
    pub fn id(self) -> &'static str {
        self.harness().profile().id
    }

    fn variant(self) -> &'static VariantInfo {
        &self.harness().profile().variants[self.variant]
    }

    fn outcome(self, set: &SkillSet, path: &Utf8Path) -> Outcome {
        let options = Options { variant: Some(self.variant().id.to_owned()), ..Options::default() };
        outcome(&self.harness().select(set, &options), path)
    }

    /// Whether a good skill is found below a folder of skills, past these folders, the skill's own last; `true`: a link.
    fn finds(self, place: &[bool]) -> bool {
        let between: Vec<&str> = place[1..].iter().map(|_| "folder").collect();
        let path = Utf8Path::new("/skills").join(between.join("/")).join("demo");
        let text = "---\nname: demo\ndescription: Shows what a skill is.\n---\nDo it.\n";
        let source = Arc::new(SourceText::of_text(path.join(MANIFEST), text.into()));
        let link = |linked: &bool| linked.then(|| Link { target: "/elsewhere".into(), broken: false });
        let links: Vec<Option<Link>> = place.iter().map(link).collect();
        matches!(self.outcome(&alone(&path, source, &links), &path), Outcome::Loaded { .. })
    }
}

/// Names for a sentence: a framework once, with its variants in brackets where not all of them are meant.
pub fn named(frameworks: impl IntoIterator<Item = Framework>) -> String {
    let mut by_harness: BTreeMap<usize, Vec<Framework>> = BTreeMap::new();
    for framework in frameworks {
        by_harness.entry(framework.harness).or_default().push(framework);
    }
    let mut names = String::new();
    for variants in by_harness.values() {
        let profile = variants[0].harness().profile();
        if !names.is_empty() {
            names.push_str(", ");
        }
        names.push_str(profile.title);
        if variants.len() < profile.variants.len() {
            let titles: Vec<&str> = variants.iter().map(|framework| framework.variant().title).collect();
            write!(names, " ({})", titles.join("; ")).expect("a String takes everything");
        }
    }
    names
}

/// The frameworks that do not find a good skill at a place below a folder of skills: one item for each folder on the way,
/// the skill's own last, `true` where it is a link.
pub fn not_looking(place: &[bool]) -> Vec<Framework> {
    LOOKING_BELOW.iter().copied().filter(|framework| !framework.finds(place)).collect()
}

/// Those that look in the folders of a folder. The others are pointed at each skill itself.
static LOOKING_BELOW: LazyLock<Vec<Framework>> =
    LazyLock::new(|| frameworks().filter(|framework| framework.finds(&[false])).collect());

const MANIFEST: &str = "SKILL.md";
/// No framework is asked about longer frontmatter: it costs much, and nobody writes it.
const FRONTMATTER_SHOWN: usize = 32 << 10;
/// Bytes of the instructions that frameworks are shown; more makes no difference to name and description.
const BODY_SHOWN: usize = 512;

fn frameworks() -> impl Iterator<Item = Framework> {
    harness::all().iter().enumerate().flat_map(|(place, harness)| {
        let variants = 0..harness.profile().variants.len();
        variants.map(move |variant| Framework { harness: place, variant })
    })
}

fn shortened(skill: &Skill) -> Arc<SourceText> {
    let source = &skill.manifest.source;
    let end = skill.manifest.body.start + BODY_SHOWN;
    if source.text.len() <= end {
        return Arc::clone(source);
    }
    let text = source.text[..source.text.floor_char_boundary(end)].to_owned();
    Arc::new(SourceText { text, ..SourceText::clone(source) })
}

/// A tree that holds one skill; `links` says what the folders from its root down to it are.
fn alone(path: &Utf8Path, source: Arc<SourceText>, links: &[Option<Link>]) -> SkillSet {
    let size = u64::try_from(source.text.len()).unwrap_or(u64::MAX);
    let name = source.path.file_name().unwrap_or(MANIFEST).to_owned();
    let file = File { name, path: source.path.clone(), size, link: None, source: Some(source) };
    let mut entry = Entry::File(file);
    let mut at: Utf8PathBuf = path.to_owned();
    for link in links.iter().rev() {
        entry = Entry::Folder(folder(&at, link.clone(), entry));
        at.pop();
    }
    let tree = folder(&at, None, entry);
    SkillSet { roots: vec![Root { path: at, tree }], problems: Vec::new() }
}

fn folder(path: &Utf8Path, link: Option<Link>, entry: Entry) -> Folder {
    let name = path.file_name().unwrap_or_default().to_owned();
    Folder { name, path: path.to_owned(), link, listed: true, entries: vec![entry] }
}

fn outcome(catalog: &Catalog, path: &Utf8Path) -> Outcome {
    let loaded = catalog.skills.iter().find(|skill| skill.path.as_deref() == Some(path));
    if let Some(skill) = loaded.filter(|_| catalog.refused.is_none()) {
        return Outcome::Loaded { name: skill.name.clone(), description: skill.description.clone() };
    }
    let skipped = catalog.skipped.iter().find(|skipped| Utf8Path::new(&skipped.path).starts_with(path));
    let reason = skipped.map(|skipped| &skipped.reason).or(catalog.refused.as_ref());
    Outcome::LeftOut {
        reason: reason.cloned().unwrap_or_else(|| "the framework does not say why".into()),
        span: catalog.quirks.iter().find_map(|quirk| quirk.span),
        refuses_all: catalog.refused.is_some(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skill::{self, Manifest};

    fn skill(path: &str, text: &str) -> Skill {
        let manifest = Manifest::parse(Arc::new(SourceText::of_text(Utf8Path::new(path).join(MANIFEST), text.into())));
        Skill {
            path: path.into(),
            root: "/skills".into(),
            problems: manifest.problems.clone(),
            manifest,
            files: Vec::new(),
        }
    }

    #[test]
    fn a_good_skill_is_loaded_by_all_as_it_is_written() {
        let skill = skill("/skills/demo", "---\nname: demo\ndescription: 当用户要求演示时使用。\n---\n演示。\n");
        let loading = Loading::of(&skill);
        assert!(!loading.loads.is_empty());
        for load in loading.loads {
            let expected =
                Outcome::Loaded { name: "demo".into(), description: "当用户要求演示时使用。".into() };
            assert_eq!(load.outcome, expected, "{}", named([load.by]));
        }
    }

    #[test]
    fn no_framework_is_asked_about_huge_frontmatter() {
        let text = format!("---\nname: demo\ndescription: {}\n---\nDo it.\n", "a ".repeat(1 << 20));
        assert_eq!(Loading::of(&skill("/skills/demo", &text)).loads, []);
    }

    #[test]
    fn a_huge_body_is_not_shown_to_every_framework() {
        let text = format!("---\nname: demo\ndescription: d\n---\n{}", "é\t".repeat(1 << 20));
        assert!(shortened(&skill("/skills/demo", &text)).text.len() < 20 << 10);
    }

    #[test]
    fn the_bundled_skills_are_loaded_by_all() {
        let root = Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("../../skills");
        for skill in skill::skills(&skill::load(&[root])) {
            let left_out: Vec<Load> = Loading::of(&skill).loads;
            let left_out = left_out.into_iter().filter(|load| matches!(load.outcome, Outcome::LeftOut { .. }));
            assert_eq!(left_out.collect::<Vec<_>>(), [], "{}", skill.path);
        }
    }
}
