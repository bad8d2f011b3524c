//! What each framework makes of one skill: not guessed, but asked of the harnesses.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use camino::{Utf8Path, Utf8PathBuf};

use crate::LintOptions;
use harness::{Catalog, Harness, Options, VariantInfo};
use skill::manifest::{DESCRIPTION_LIMIT, is_valid_name};
use skill::source::{SourceText, Span};
use skill::{Entry, File, Folder, Link, Root, Seen, Skill, SkillSet};
use wording::{Message, Wording, message};

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
        /// In the framework's words, or that it has none.
        reason: Message,
        /// What it stumbles over, in the text of `SKILL.md`.
        span: Option<Span>,
        /// It then starts with no skill at all.
        refuses_all: bool,
    },
}

impl Loading {
    /// The skill alone in a folder of skills.
    pub fn of(skill: &Skill) -> Self {
        let Some((name, description)) = plain(skill) else { return Self::asked(skill) };
        let loaded = || Outcome::Loaded { name: name.to_owned(), description: description.to_owned() };
        Self { loads: frameworks().map(|by| Load { by, outcome: loaded() }).collect() }
    }

    /// What the harnesses say.
    fn asked(skill: &Skill) -> Self {
        let loads = Alone::of(skill).map(|alone| {
            let load = |by| Load { by, outcome: alone.outcome(by) };
            frameworks().map(load).collect()
        });
        Self { loads: loads.unwrap_or_default() }
    }
}

/// A skill alone in a folder of skills, and in no folder.
struct Alone<'a> {
    path: &'a Utf8Path,
    below: SkillSet,
    itself: SkillSet,
}

impl<'a> Alone<'a> {
    /// `None`: what cannot be read, or is empty, is no skill to anybody.
    fn of(skill: &'a Skill) -> Option<Self> {
        let source = shortened(skill);
        if source.text.trim().is_empty() || skill.manifest.body.start > FRONTMATTER_SHOWN {
            return None;
        }
        let path = &skill.path;
        let below = alone(path, Arc::clone(&source), &[None]);
        Some(Self { path, below, itself: alone(path, source, &[]) })
    }

    fn outcome(&self, by: Framework) -> Outcome {
        let set = if LOOKING_BELOW.contains(&by) { &self.below } else { &self.itself };
        by.outcome(set, self.path)
    }
}

/// What the reference validator of the specification says of a skill, in its own words; nothing: it accepts it.
pub fn refusals(skill: &Skill) -> Vec<String> {
    let source = &skill.manifest.source;
    if !matches!(source.path.file_name(), Some("SKILL.md" | "skill.md")) {
        return vec![format!("Missing required file: {MANIFEST}")];
    }
    let Some(validator) = harness::all().iter().find(|harness| harness.profile().id == REFERENCE) else {
        return Vec::new();
    };
    let set = alone(&skill.path, Arc::clone(source), &[]);
    let said = validator.select(&set, &Options::default()).log;
    said.iter().filter_map(|line| line.strip_prefix("  - ").map(str::to_owned)).collect()
}

const REFERENCE: &str = "agent-skills";

/// Whether some framework reads a skill before a change and not after it.
pub fn is_lost(before: &Skill, after: &Skill) -> bool {
    before.manifest.source.text != after.manifest.source.text && Loading::of(before).is_lost_in(after)
}

impl Loading {
    /// Whether some framework that reads the skill so would not read it as it is after a change.
    pub fn is_lost_in(&self, after: &Skill) -> bool {
        if plain(after).is_some() {
            return false;
        }
        let is_loaded = |outcome: &Outcome| matches!(outcome, Outcome::Loaded { .. });
        let alone = Alone::of(after);
        let is_lost = |by| alone.as_ref().is_none_or(|alone| !is_loaded(&alone.outcome(by)));
        self.loads.iter().any(|load| is_loaded(&load.outcome) && is_lost(load.by))
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

    /// Whether the settings want to hear of it: it is named, or nothing is and it is more than a library that presents.
    pub fn is_asked(self, options: &LintOptions) -> bool {
        options.is_for(self.id()) && (self.harness().profile().runs || !options.clients.is_empty())
    }

    /// Code of a course, an article or a demonstration, which nobody ships with.
    pub fn is_demonstration(self) -> bool {
        self.id() == COURSE || DEMONSTRATIONS.contains(&(self.id(), self.variant().id))
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
        let link = |linked: &bool| linked.then(|| Link::to("/elsewhere"));
        let links: Vec<Option<Link>> = place.iter().map(link).collect();
        matches!(self.outcome(&alone(&path, source, &links), &path), Outcome::Loaded { .. })
    }
}

/// Names for a sentence: a framework once, with its variants in brackets if not all of them are meant.
pub fn named(frameworks: impl IntoIterator<Item = Framework>) -> Message {
    let mut by_harness: BTreeMap<usize, Vec<Framework>> = BTreeMap::new();
    for framework in frameworks {
        by_harness.entry(framework.harness).or_default().push(framework);
    }
    let names: Vec<Message> = by_harness
        .values()
        .map(|variants| {
            let profile = variants[0].harness().profile();
            let title = profile.title;
            if variants.len() == profile.variants.len() {
                return message!("{title}", "{title}");
            }
            let titles: Vec<Wording> = variants.iter().map(|framework| framework.variant().title).collect();
            let each = |text: fn(&Wording) -> &str| titles.iter().map(text).collect::<Vec<_>>();
            let (en, zh) = (each(|title| title.en).join("; "), each(|title| title.zh).join("、"));
            message!("{title} ({en})", "{title}（{zh}）")
        })
        .collect();
    let each = |text: fn(&Message) -> &str| names.iter().map(text).collect::<Vec<_>>();
    Message { en: each(|name| &name.en).join(", "), zh: each(|name| &name.zh).join("、") }
}

/// The frameworks that do not find a good skill at a place below a folder of skills: one item for each folder on the way,
/// the skill's own last, `true` where it is a link.
pub fn not_looking(place: &[bool]) -> Vec<Framework> {
    LOOKING_BELOW.iter().copied().filter(|framework| !framework.finds(place)).collect()
}

/// Those that look in the folders of a folder. The others are pointed at each skill itself.
static LOOKING_BELOW: LazyLock<Vec<Framework>> =
    LazyLock::new(|| frameworks().filter(|framework| framework.finds(&[false])).collect());

const DEMONSTRATIONS: [(&str, &str); 2] = [("strands", "seed"), ("strands", "demo-repo")];
/// All of its variants are chapters.
const COURSE: &str = "learn-claude-code";

const MANIFEST: &str = "SKILL.md";
/// No framework is asked about longer frontmatter: it costs much, and nobody writes it.
const FRONTMATTER_SHOWN: usize = 32 << 10;
/// Bytes of the instructions that frameworks are shown; more makes no difference to name and description.
const BODY_SHOWN: usize = 512;

/// Name and description of a skill so plain that no two readers of YAML can differ on it, and no framework has a word to
/// say against it. Asking them all costs as much as all other rules together.
fn plain(skill: &Skill) -> Option<(&str, &str)> {
    let source = &skill.manifest.source;
    let front = source.text.strip_prefix("---\n")?;
    let end = front.find("\n---\n")?;
    let is_read_whole = source.truncated_from.is_none() && source.invalid_at.is_none() && !source.bom;
    let body: &str = &front[end + 5..front.floor_char_boundary(end + 5 + BODY_SHOWN)];
    let is_plain_body = !body.trim().is_empty() && !body.contains(|letter: char| letter.is_control() && letter != '\n');
    if !is_read_whole || !is_plain_body || source.path.file_name() != Some(MANIFEST) {
        return None;
    }
    let mut values = [None; PLAIN_FIELDS.len()];
    let mut has_metadata = false;
    let mut lines = front[..end].split('\n').peekable();
    while let Some(line) = lines.next() {
        if line == "metadata:" {
            let mut keys = Vec::new();
            while let Some(line) = lines.next_if(|line| line.starts_with(' ')) {
                keys.push(plain_key(line).filter(|key| !keys.contains(key) && keys.len() < MOST_KEYS)?);
            }
            if keys.is_empty() || std::mem::replace(&mut has_metadata, true) {
                return None;
            }
            continue;
        }
        let (key, value) = line.split_once(": ")?;
        let place = PLAIN_FIELDS.iter().position(|field| *field == key)?;
        if !is_plain(value) || values[place].replace(value).is_some() {
            return None;
        }
    }
    let [Some(name), Some(description), ..] = values else { return None };
    let is_name = is_valid_name(name) && skill.path.file_name() == Some(name);
    (is_name && description.len() <= DESCRIPTION_LIMIT).then_some((name, description))
}

/// Keys of metadata that are compared with each other.
const MOST_KEYS: usize = 16;
const TRUTHS: [&str; 10] = ["y", "n", "yes", "no", "on", "off", "true", "false", "null", "none"];
const PLAIN_FIELDS: [&str; 4] = ["name", "description", "license", "compatibility"];

/// The key of a line of metadata: a word, and a text.
fn plain_key(line: &str) -> Option<&str> {
    let (key, value) = line.strip_prefix("  ")?.split_once(": ")?;
    let quoted = value.strip_prefix('"').and_then(|value| value.strip_suffix('"'));
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let is_key = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_lowercase()) && !TRUTHS.contains(&key);
    let is_value =
        is_plain(value) || quoted.is_some_and(|text| is_plain(text) || (!text.is_empty() && is_number(text)));
    (is_key && is_value).then_some(key)
}

/// Words that begin with a letter, one blank apart, and hold no mark that YAML knows; they are no truth value and no null.
fn is_plain(value: &str) -> bool {
    let is_mark = |byte: u8| matches!(byte, b' ' | b'-' | b'_' | b'.' | b',' | b'(' | b')' | b'/' | b';' | b'\'');
    value.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && value.ends_with(|letter: char| letter.is_ascii_alphanumeric() || letter == '.')
        && value.bytes().all(|byte| byte.is_ascii_alphanumeric() || is_mark(byte))
        && !value.contains("--")
        && !value.contains("  ")
        && !TRUTHS.iter().any(|truth| truth.eq_ignore_ascii_case(value))
}

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
    let file = File {
        name,
        path: source.path.clone(),
        size,
        is_regular: true,
        link: None,
        seen: Seen::default(),
        source: Some(source),
    };
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
        let name = skill.detail.alias().unwrap_or(&skill.name).to_owned();
        return Outcome::Loaded { name, description: skill.description.clone() };
    }
    let skipped = catalog.skipped.iter().find(|skipped| Utf8Path::new(&skipped.path).starts_with(path));
    let refused = || catalog.refused.as_ref().map(Message::quoted);
    let silent = || message!("the framework does not say why", "该框架没有说明原因");
    Outcome::LeftOut {
        reason: skipped.map(|skipped| skipped.reason.clone()).or_else(refused).unwrap_or_else(silent),
        span: catalog.quirks.iter().find_map(|quirk| quirk.span),
        refuses_all: catalog.refused.is_some(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use skill::Manifest;

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
            assert_eq!(load.outcome, expected, "{}", named([load.by]).en);
        }
    }

    /// A word, or a mark that YAML or a framework may take for its own.
    fn value() -> impl Strategy<Value = String> {
        let marks = [
            "'", ".", ",", "(", ")", "/", ";", "_", "-", " - ", "  ", " '", "' ", "yes", "null", "1.10", "1e5", "0x1",
            "True", "off", "None",
        ];
        let piece =
            prop_oneof![4 => "[a-zA-Z]{1,8} ?", 1 => proptest::sample::select(marks.to_vec()).prop_map(str::to_owned)];
        proptest::collection::vec(piece, 1..12).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn what_is_plain_is_loaded_as_if_all_had_been_asked(
            name in "[a-z]{1,6}(-[a-z0-9]{1,6}){0,2}",
            values in proptest::collection::vec(value(), 3),
            metadata in proptest::collection::vec(("[a-z]{1,5}", value(), any::<bool>()), 0..3),
            order in Just(vec![0, 1, 2, 3]).prop_shuffle(),
            body in "\n?[#a-z*`<>{}: \n-]{0,40}\n?é?",
        ) {
            let fields = [("name", &name), ("description", &values[0]), ("license", &values[1]), ("compatibility", &values[2])];
            let lines: String = order.iter().map(|place| format!("{}: {}\n", fields[*place].0, fields[*place].1)).collect();
            let inner = |(key, value, quoted): &(String, String, bool)| match quoted {
                true => format!("  {key}: \"{value}\"\n"),
                false => format!("  {key}: {value}\n"),
            };
            let metadata: String = metadata.iter().map(inner).collect();
            let metadata = if metadata.is_empty() { metadata } else { format!("metadata:\n{metadata}") };
            let skill = skill(&format!("/skills/{name}"), &format!("---\n{lines}{metadata}---\n{body}"));
            if plain(&skill).is_some() {
                prop_assert_eq!(Loading::of(&skill), Loading::asked(&skill), "{:?}", skill.manifest.source.text);
            }
        }
    }

    #[test]
    fn usual_skills_are_plain() {
        let text = "---\nname: demo\ndescription: Shows what a skill is. Use when asked for it.\n---\nDo it.\n";
        assert_eq!(
            plain(&skill("/skills/demo", text)),
            Some(("demo", "Shows what a skill is. Use when asked for it."))
        );
    }

    #[test]
    fn demonstrations_are_variants_and_the_course_is_one_whole() {
        let is_named = |framework: &Framework| DEMONSTRATIONS.contains(&(framework.id(), framework.variant().id));
        assert_eq!(frameworks().filter(is_named).count(), DEMONSTRATIONS.len());
        assert!(frameworks().filter(|framework| framework.id() == COURSE).all(Framework::is_demonstration));
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
