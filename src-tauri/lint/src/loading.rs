//! How each framework treats one skill, according to the harnesses.

mod alike;

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use camino::{Utf8Path, Utf8PathBuf};

use self::alike::{Alike, Reading};
use crate::LintOptions;
use harness::{Catalog, Harness, Options, Presentation, Session, VariantInfo};
use serde_json::{Map, Value};
use skill::source::{SourceText, Span};
use skill::{Entry, File, Folder, Link, Root, Seen, Skill, SkillSet};
use wording::{Message, Wording, message};

/// One skill, under every variant of every harness.
#[derive(Debug, Clone, PartialEq)]
pub struct Loading {
    pub loads: Vec<Load>,
}

/// How a framework treats a skill.
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

/// Whether it takes it.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    Loaded {
        name: String,
        description: String,
    },
    LeftOut {
        /// In the framework's words, or that it has none.
        reason: Message,
        /// The cause in the text of `SKILL.md`.
        span: Option<Span>,
        /// It then starts with no skill at all.
        refuses_all: bool,
    },
}

impl Loading {
    /// The skill alone in a folder of skills.
    pub fn of(skill: &Skill) -> Self {
        let (Some(alike), Some(alone)) = (Alike::of(skill), Alone::of(skill)) else { return Self::asked(skill) };
        let ways = ways(&alike.form);
        let load = |(by, way): (Framework, &Option<Way>)| {
            let outcome = way.as_ref().map_or_else(|| alone.outcome(by), |way| way.outcome(&alike));
            Load { by, outcome }
        };
        Self { loads: frameworks().zip(&*ways).map(load).collect() }
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
    /// `None`: no framework loads a file that is empty or cannot be read.
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
        by.outcome(self.set(by), self.path)
    }

    fn set(&self, by: Framework) -> &SkillSet {
        if LOOKING_BELOW.contains(&by) { &self.below } else { &self.itself }
    }
}

/// How a framework takes name and description out of frontmatter that is written in one way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Way {
    name: Reading,
    description: Reading,
}

impl Way {
    fn outcome(&self, skill: &Alike<'_>) -> Outcome {
        let name = skill.name.read(self.name).to_owned();
        Outcome::Loaded { name, description: skill.description.read(self.description).to_owned() }
    }

    /// `None`: that framework does not load it, or makes something else of it.
    fn of(outcome: &Outcome, skill: &Alike<'_>) -> Option<Self> {
        let Outcome::Loaded { name, description } = outcome else { return None };
        Some(Self { name: skill.name.reading(name)?, description: skill.description.reading(description)? })
    }
}

/// How each framework reads a form; `None`: it has to be asked each time.
type Ways = Arc<[Option<Way>]>;

/// How each framework reads a form. All are asked once, of a sample: most skills are written like others, and to ask of
/// each would cost as much as all rules together.
fn ways(form: &str) -> Ways {
    static KNOWN: LazyLock<Mutex<HashMap<String, Ways>>> = LazyLock::new(Mutex::default);
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(ways) = known().get(form) {
        return Arc::clone(ways);
    }
    let sample = Alike::sample(form);
    let alike = Alike::of(&sample).filter(|alike| alike.form == form);
    let way = |load: &Load| Way::of(&load.outcome, alike.as_ref()?);
    let mut ways: Vec<Option<Way>> = Loading::asked(&sample).loads.iter().map(way).collect();
    ways.resize(frameworks().count(), None);
    let ways: Ways = ways.into();
    let mut known = known();
    if known.len() >= FORMS {
        known.clear();
    }
    known.insert(form.to_owned(), Arc::clone(&ways));
    ways
}

/// Forms that are remembered.
const FORMS: usize = 4096;

/// The errors of the specification's reference validator for a skill, in its own words; empty: it accepts the skill.
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

/// Whether all frameworks that read a skill make the same of it after a change of its frontmatter: they show a model the
/// same, to the letter, and give it the same instructions, and values that they keep are still there, with the same text.
/// Only the frontmatter itself may differ, if a model is shown the file as it is.
pub fn is_same(before: &Skill, after: &Skill) -> bool {
    let (Some(old), Some(new)) = (Alone::of(before), Alone::of(after)) else { return false };
    frameworks().all(|by| {
        let Some(old) = Made::of(by, &old, before) else { return true };
        Made::of(by, &new, after).is_some_and(|new| new.shows(&old) && (by.is_demonstration() || new.keeps(&old)))
    })
}

/// What a framework makes of a skill.
struct Made {
    id: String,
    name: String,
    description: String,
    /// Without frontmatter.
    content: String,
    presentation: Presentation,
    kept: Map<String, Value>,
}

impl Made {
    /// `None`: it does not load it.
    fn of(by: Framework, alone: &Alone<'_>, skill: &Skill) -> Option<Self> {
        let catalog = by.catalog(alone.set(by));
        let loaded = catalog.skills.iter().find(|skill| skill.path.as_deref() == Some(alone.path))?;
        let front = skill.manifest.source.text[..skill.manifest.body.start].replace("\r\n", "\n");
        let content = loaded.content.replace("\r\n", "\n").replacen(&front, "", 1);
        Some(Self {
            id: loaded.id.clone(),
            name: loaded.name.clone(),
            description: loaded.description.clone(),
            content,
            kept: loaded.detail.kept(),
            presentation: by.harness().present(&catalog, &Session::default()),
        })
    }

    /// Whether a model sees the same.
    fn shows(&self, old: &Self) -> bool {
        let told = |made: &Self| (made.id.clone(), made.name.clone(), made.description.clone(), made.content.clone());
        told(self) == told(old)
            && self.presentation.definitions() == old.presentation.definitions()
            && self.presentation.system() == old.presentation.system()
    }

    /// Whether what the framework kept is still there.
    fn keeps(&self, old: &Self) -> bool {
        let is_kept = |(key, value): (&String, &Value)| key == METADATA || self.kept.get(key) == Some(value);
        old.kept.iter().all(is_kept) && texts(old.kept.get(METADATA)).is_subset(&texts(self.kept.get(METADATA)))
    }
}

const METADATA: &str = "metadata";

/// The values in a map, at any depth, as text, with their keys. Anything but a map has none.
fn texts(value: Option<&Value>) -> BTreeSet<(String, String)> {
    let mut texts = BTreeSet::new();
    let mut maps: Vec<&Map<String, Value>> = value.and_then(Value::as_object).into_iter().collect();
    while let Some(map) = maps.pop() {
        for (key, value) in map {
            match value {
                Value::Object(map) => maps.push(map),
                Value::String(text) => _ = texts.insert((key.clone(), text.clone())),
                value => _ = texts.insert((key.clone(), value.to_string())),
            }
        }
    }
    texts
}

impl Loading {
    /// Whether some framework that reads the skill so would not read it as it is after a change.
    pub fn is_lost_in(&self, after: &Skill) -> bool {
        let is_loaded = |outcome: &Outcome| matches!(outcome, Outcome::Loaded { .. });
        let ways = Alike::of(after).map(|alike| ways(&alike.form));
        let is_known = |by: Framework| {
            let way =
                |ways: &Arc<[Option<Way>]>| frameworks().zip(&**ways).any(|(one, way)| one == by && way.is_some());
            ways.as_ref().is_some_and(way)
        };
        let alone = OnceCell::new();
        let is_lost = |by| {
            let alone = alone.get_or_init(|| Alone::of(after));
            alone.as_ref().is_none_or(|alone| !is_loaded(&alone.outcome(by)))
        };
        self.loads.iter().any(|load| is_loaded(&load.outcome) && !is_known(load.by) && is_lost(load.by))
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

    /// Whether the settings ask for it: they name it, or they name none and it can run skills, not only present them.
    pub fn is_asked(self, options: &LintOptions) -> bool {
        options.is_for(self.id()) && (self.harness().profile().runs || !options.clients.is_empty())
    }

    /// Code of a course, an article or a demonstration, which no product uses.
    pub fn is_demonstration(self) -> bool {
        self.id() == COURSE || DEMONSTRATIONS.contains(&(self.id(), self.variant().id))
    }

    /// An old release, and the article about it, that reads frontmatter line by line, which later ones do not.
    pub fn reads_lines(self) -> bool {
        LINE_READERS.contains(&(self.id(), self.variant().id))
    }

    fn variant(self) -> &'static VariantInfo {
        &self.harness().profile().variants[self.variant]
    }

    fn outcome(self, set: &SkillSet, path: &Utf8Path) -> Outcome {
        outcome(&self.catalog(set), path)
    }

    fn catalog(self, set: &SkillSet) -> Catalog {
        let options = Options { variant: Some(self.variant().id.to_owned()), ..Options::default() };
        self.harness().select(set, &options)
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

/// The frameworks that do not find a good skill at a place below a folder of skills: one item for each folder on the
/// way, the skill's own last, `true` if it is a link.
pub fn not_looking(place: &[bool]) -> Vec<Framework> {
    LOOKING_BELOW.iter().copied().filter(|framework| !framework.finds(place)).collect()
}

/// Those that look in the folders of a folder. The others are pointed at each skill itself.
static LOOKING_BELOW: LazyLock<Vec<Framework>> =
    LazyLock::new(|| frameworks().filter(|framework| framework.finds(&[false])).collect());

const DEMONSTRATIONS: [(&str, &str); 2] = [("strands", "seed"), ("strands", "demo-repo")];
const LINE_READERS: [(&str, &str); 2] = [("agentscope", "seed"), ("agentscope", "java-1.0.8")];
/// All of its variants are chapters.
const COURSE: &str = "learn-claude-code";

const MANIFEST: &str = "SKILL.md";
/// Frameworks are not asked about longer frontmatter: it costs much, and nobody writes it.
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

    /// Words, and marks that YAML or a framework may take for its own.
    fn words() -> impl Strategy<Value = String> {
        let marks = [
            "'",
            "\"",
            ".",
            ",",
            "(",
            ")",
            "/",
            ";",
            ":",
            ": ",
            "_",
            "-",
            " - ",
            "  ",
            " '",
            "' ",
            "yes",
            "null",
            "1.10",
            "1e5",
            "0x1",
            "True",
            "off",
            "None",
            "!",
            " !",
            "?",
            " ? ",
            "*",
            " *",
            "&",
            " & ",
            "@",
            " @",
            "%",
            "$",
            "~",
            "=",
            " = ",
            "+",
            "^",
            "`",
            "|",
            "#",
            " #",
            "[",
            "] ",
            "{",
            "}}",
            "name: ",
            "description:",
            "—",
            " → ",
            "’",
            "“",
            "你",
            "。",
            "é",
            "ß",
            "\u{130}",
            "²",
            "\\n",
            "<b>",
        ];
        let piece =
            prop_oneof![4 => "[a-zA-Z]{1,8} ?", 1 => proptest::sample::select(marks.to_vec()).prop_map(str::to_owned)];
        proptest::collection::vec(piece, 1..40).prop_map(|pieces| pieces.concat())
    }

    /// A value as it may be written after its key.
    fn value() -> impl Strategy<Value = String> {
        let version = "\"?[0-9]{1,4}(\\.[0-9]{1,4}){0,3}\"?";
        let day = "[12][0-9]{3}-[01][0-9]-[0-3][0-9]";
        let truth = proptest::sample::select(vec!["true", "false", "null", "~", "[a, b]", "{a: b}", "\"\"", ""]);
        prop_oneof![
            4 => words(),
            4 => words().prop_map(|words| format!("\"{}\"", words.trim())),
            2 => words().prop_map(|words| format!("'{}'", words.trim())),
            1 => version,
            1 => day,
            1 => truth.prop_map(str::to_owned),
        ]
    }

    fn description() -> impl Strategy<Value = String> {
        let style = proptest::sample::select(vec![">", ">-", "|", "|-", ">+", "|2"]);
        let lines = proptest::collection::vec(("  ?", words()), 1..4);
        let block = (style, lines, "\n{0,2}").prop_map(|(style, lines, end)| {
            let lines: String = lines.iter().map(|(indent, words)| format!("\n {indent}{}", words.trim())).collect();
            format!("{style}{lines}{end}")
        });
        prop_oneof![2 => value(), 1 => block]
    }

    /// Lines that are neither name nor description.
    fn others() -> impl Strategy<Value = Vec<String>> {
        let keys = vec![
            "license",
            "compatibility",
            "version",
            "author",
            "created",
            "allowed-tools",
            "argument-hint",
            "args",
            "category",
            "model",
            "user-invocable",
            "hooks",
            "tags",
            "hostname",
            "metadata",
            "Name",
        ];
        let line = (proptest::sample::select(keys), value()).prop_map(|(key, value)| format!("{key}: {value}"));
        let inner = ("[a-z-]{1,9}|name|version|1", value()).prop_map(|(key, value)| format!("\n  {key}: {value}"));
        let above = proptest::sample::select(vec!["metadata:", "requires:", "hooks:"]);
        let map = (above, proptest::collection::vec(inner, 1..4))
            .prop_map(|(above, lines)| format!("{above}{}", lines.concat()));
        let odd = proptest::sample::select(vec![
            "tags:\n  - a\n  - b",
            "allowed-tools:\n  - Read",
            "tags:\n  - \"a b\"\n  - \"c\"",
            "tags:\n- a\n- b",
            "hooks:\n- a",
            "  - a",
            "# a: b",
            "",
            "x:",
            "triggers:\n- a: b",
            "--- ",
            "a",
        ]);
        let line = prop_oneof![4 => line, 2 => map, 1 => odd.prop_map(str::to_owned)];
        proptest::collection::vec(line, 0..4)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(512))]

        #[test]
        fn what_is_written_alike_is_loaded_as_if_all_had_been_asked(
            name in "[a-z]{1,6}(-[a-z0-9]{1,6}){0,2}",
            quote in proptest::sample::select(vec!["", "", "", "\"", "'"]),
            description in description(),
            others in others(),
            places in any::<[proptest::sample::Index; 2]>(),
            body in "\n?[#a-z*`<>{}: \n-]{0,40}\n?é?",
        ) {
            let mut lines = others;
            lines.insert(places[0].index(lines.len() + 1), format!("description: {description}"));
            lines.insert(places[1].index(lines.len() + 1), format!("name: {quote}{name}{quote}"));
            let skill = skill(&format!("/skills/{name}"), &format!("---\n{}\n---\n{body}", lines.join("\n")));
            let (loading, asked) = (Loading::of(&skill), Loading::asked(&skill));
            prop_assert_eq!(&loading, &asked, "{}", skill.manifest.source.text);
            // The same holds for questions about a change.
            let is_loaded = |load: &Load| matches!(load.outcome, Outcome::Loaded { .. });
            let all = Loading { loads: frameworks().map(|by| Load { by, outcome: Outcome::Loaded { name: String::new(), description: String::new() } }).collect() };
            prop_assert_eq!(all.is_lost_in(&skill), asked.loads.is_empty() || !asked.loads.iter().all(is_loaded));
        }
    }

    #[test]
    fn a_form_is_asked_once() {
        for (text, words) in [
            (
                "description: Shows what a skill is. Use when asked for it.",
                "Shows what a skill is. Use when asked for it.",
            ),
            ("description: \"Use when: asked for it.\"", "Use when: asked for it."),
            ("description: 'Use when: asked for it.'", "Use when: asked for it."),
            ("description: >-\n  Use when\n  asked for it.\nlicense: MIT", "Use when asked for it."),
            (
                "description: 用户要求时使用。\nallowed-tools: Read, Write\nmetadata:\n  version: \"1.0.0\"",
                "用户要求时使用。",
            ),
        ] {
            let skill = skill("/skills/demo", &format!("---\nname: demo\n{text}\n---\nDo it.\n"));
            let alike = Alike::of(&skill).unwrap();
            assert_eq!(alike.description.text, words);
            let (ways, loading) = (ways(&alike.form), Loading::asked(&skill));
            let read = ways.iter().filter(|way| way.is_some()).count();
            let loaded = loading.loads.iter().filter(|load| matches!(load.outcome, Outcome::Loaded { .. })).count();
            assert!(read + 4 > loaded, "{read} of {loaded}: {text}");
        }
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
