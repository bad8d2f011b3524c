use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use regex::Regex;

use super::negative_only;
use crate::analysis::lines::{is_directive, joined_words, words};
use crate::literals::Literals;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Heading;
use skill::Severity;
use skill::source::Span;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "contradiction",
    group: Group::Instructions,
    severity: Severity::Warning,
    on: false,
    title: Wording::new("Two instructions contradict each other", "指令相互矛盾"),
    what: Wording::new(
        "The same clause, word for word and about the same actor, once after `always` or `must` and once after \
         `never`, `must not` or `do not` (必须 and 不要, 禁止). Neither it nor the heading above it may name a \
         condition or a case (`for drafts`, `in tests, …`), and the two may not be below headings for two things \
         (`Python` and `JavaScript`).",
        "同一主体的同一句话，一处用 `always` 或 `must`，另一处用 `never`、`must not` 或 `do not`（必须与不要、\
         禁止），其余逐字相同。如果句子或上方的标题带有条件或场合（`for drafts`、`in tests, …`），\
         或者两处位于不同主题的标题下（`Python` 与 `JavaScript`），则不报告。",
    ),
    why: Wording::new(
        "The agent follows one of them, and nobody knows which.",
        "智能体会遵循其中一条，但没人知道是哪一条。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
- Always ask before deleting files.
- Never ask before deleting files.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
- Always ask before deleting files.
- If the user is away, never ask before deleting files.
",
    )]),
    hides: &[&negative_only::RULE],
    marks: &[],
    source: "skillsaw content-contradiction",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let text = skill.text();
    let mut known: HashMap<(String, String), (bool, Span, Option<usize>)> = HashMap::new();
    let mut told = 0;
    let headings = &skill.markdown().headings;
    let parents = parents(headings);
    for line in skill.lines() {
        let (is_directive_as_written, line) = (line.is_directive, line.span);
        let written = line.of(text);
        // Marks may be in the words that make it one.
        let is_marked = MARKS.iter().any(|mark| written.contains(*mark));
        if !is_directive_as_written && !is_marked {
            continue;
        }
        let plain = match is_marked {
            true => Cow::Owned(written.replace(MARKS, "")),
            false => Cow::Borrowed(written),
        };
        let is_directive = if plain.len() == written.len() { is_directive_as_written } else { is_directive(&plain) };
        if !is_directive || !VERBS.is_in(&plain) || CONDITION.is_match(&plain) {
            continue;
        }
        let above = headings.partition_point(|heading| heading.span.start <= line.start).checked_sub(1);
        if above.is_some_and(|above| CASE.is_match(&headings[above].text)) {
            continue;
        }
        for (wanted, actor, clause) in clauses(&plain) {
            let clause = (actor, clause);
            match known.get(&clause) {
                Some((other, place, beside))
                    if *other != wanted && told < MOST && !are_of_two(headings, &parents, *beside, above) =>
                {
                    told += 1;
                    let other = place.of(text);
                    let other = &other[..other.floor_char_boundary(SHOWN)];
                    report.at(
                        skill.path(),
                        line,
                        message!(
                            "this contradicts `{other}`; keep one, or say when each holds",
                            "与 `{other}` 矛盾；保留一条，或说明各自何时适用"
                        ),
                    );
                }
                Some(_) => {}
                None => {
                    known.insert(clause, (wanted, line, above));
                }
            }
        }
    }
}

/// For each heading, the heading of the section around it.
fn parents(headings: &[Heading]) -> Vec<Option<usize>> {
    let mut open: Vec<usize> = Vec::new();
    let mut parents = Vec::with_capacity(headings.len());
    for (place, heading) in headings.iter().enumerate() {
        while open.last().is_some_and(|above| headings[*above].level >= heading.level) {
            open.pop();
        }
        parents.push(open.last().copied());
        open.push(place);
    }
    parents
}

/// Whether two sections are about two things of a kind, such as two languages, or are in two such sections.
fn are_of_two(headings: &[Heading], parents: &[Option<usize>], one: Option<usize>, other: Option<usize>) -> bool {
    let path = |place: Option<usize>| {
        let mut path: Vec<usize> = std::iter::successors(place, |place| parents[*place]).collect();
        path.reverse();
        path
    };
    let parting = path(one).into_iter().zip(path(other)).find(|(one, other)| one != other);
    let is_topic = |place: usize| !GENERAL.is_match(&headings[place].text);
    parting.is_some_and(|(one, other)| is_topic(one) && is_topic(other))
}

/// What makes words bold, slanted or code.
const MARKS: [char; 3] = ['*', '`', '_'];
const MOST: usize = 20;
/// Bytes of the other line in a message.
const SHOWN: usize = 80;

/// How many bytes around a clause are searched for its case: a very long line is not searched again for each clause.
const REACH: usize = 300;

/// The text before a place in a line, as far as it is searched.
fn near_before(line: &str, end: usize) -> &str {
    &line[line.ceil_char_boundary(end.saturating_sub(REACH))..end]
}

/// What a line says to do (`true`) or not to do, and who should.
fn clauses(line: &str) -> Vec<(bool, String, String)> {
    let english = ENGLISH.captures_iter(line).filter_map(|found| {
        let (verb, told) = (found.get(1)?, found.get(2)?);
        let before = near_before(line, verb.start()).rsplit(['.', ';', '!', '?']).next().unwrap_or_default();
        let after = &line[told.end()..line.floor_char_boundary(line.len().min(told.end() + REACH))];
        let after = after.split(['.', ';', '!', '?']).next().unwrap_or_default();
        // If the clause is cut, the difference between two may follow.
        let is_cut = !after.is_empty() && !after.starts_with([':', ',', '(', ')']);
        if CASE.is_match(before) || CASE.is_match(after) || is_cut {
            return None;
        }
        let (clause, words) = joined_words(told.as_str());
        let wanted = matches!(verb.as_str().to_lowercase().as_str(), "always" | "must");
        (words >= 2).then(|| (wanted, actor(before), clause))
    });
    let chinese = Some(line).filter(|line| !line.is_ascii());
    let chinese = chinese.into_iter().flat_map(|line| CHINESE.captures_iter(line)).filter_map(|found| {
        let verb = found.get(1)?;
        let before = near_before(line, verb.start());
        let before = before.rsplit(['。', '；', '！', '？', '.', ';']).next().unwrap_or_default();
        let case: String = words(before).filter(|word| !READER_ZH.contains(&word.as_str())).collect();
        let clause: String = words(found.get(2)?.as_str()).collect();
        let wanted = matches!(verb.as_str(), "必须" | "务必" | "始终" | "一定要");
        (clause.chars().count() >= 3).then_some((wanted, case, clause))
    });
    english.chain(chinese).collect()
}

/// Whom a sentence addresses, found from the text before its verb; empty for the reader of the skill.
fn actor(before: &str) -> String {
    let named: Vec<String> = words(before).filter(|word| !READER.contains(&word.as_str())).collect();
    // After `and` comes something else that the same reader must do.
    let goes_on = words(before).any(|word| matches!(word.as_str(), "and" | "but" | "then" | "so" | "also"));
    if goes_on || named.iter().all(|word| word.bytes().all(|byte| byte.is_ascii_digit())) {
        return String::new();
    }
    named.join(" ")
}

/// Each character is a word.
const READER_ZH: [&str; 10] = ["你", "您", "请", "并", "且", "也", "都", "还", "注", "意"];

const READER: [&str; 22] = [
    "you",
    "the",
    "a",
    "an",
    "agent",
    "assistant",
    "claude",
    "model",
    "please",
    "and",
    "but",
    "so",
    "then",
    "also",
    "it",
    "we",
    "should",
    "important",
    "critical",
    "note",
    "rule",
    "skill",
];

/// Without one of these a line has no clause that [`ENGLISH`] or [`CHINESE`] finds.
static VERBS: LazyLock<Literals> = LazyLock::new(|| {
    Literals::new(&[
        "must",
        "do not",
        "don't",
        "never",
        "always",
        "必须",
        "务必",
        "始终",
        "一定要",
        "不要",
        "禁止",
        "不得",
        "切勿",
        "绝不",
        "请勿",
    ])
});

static ENGLISH: LazyLock<Regex> = LazyLock::new(|| {
    let verbs = "must not|must never|do not|don't|never|always|must";
    Regex::new(&format!(r"(?i)\b({verbs})\s+(?:be sure to\s+)?([^.;:!?,()]{{6,100}})")).expect("a test compiles it")
});

static CHINESE: LazyLock<Regex> = LazyLock::new(|| {
    let verbs = "必须|务必|始终|一定要|不要|禁止|不得|切勿|绝不|请勿";
    Regex::new(&format!(r"({verbs})([^，。；！？、：,.;]{{3,40}})")).expect("a test compiles it")
});

static CONDITION: LazyLock<Regex> = LazyLock::new(|| {
    let english = "if|when|whenever|unless|except|until|once|otherwise|while|during";
    Regex::new(&format!(r"(?i)(?-u:\b)(?:{english})(?-u:\b)|如果|若|当|除非|否则|除了|之前|时"))
        .expect("a test compiles it")
});

/// A heading that names the kind of text that follows, but not its subject.
static GENERAL: LazyLock<Regex> = LazyLock::new(|| {
    let english = "workflow|rules?|steps?|instructions?|guid(?:e|es|elines?|ance)|overview|notes?|usage|how|important|\
                   critical|constraints?|principles?|practices?|process|procedure|requirements?|checks?|checklist|\
                   reminders?|summary|general|core|key|basics?|tips|mistakes|pitfalls|gotchas|do|dos|don['’]?ts|always|\
                   never|quick|start|getting|setup|introduction|about|conventions?|policy|policies|what|when|why|safety";
    Regex::new(&format!(
        r"(?i)(?-u:\b)(?:{english})(?-u:\b)|流程|规则|步骤|说明|注意|原则|要求|概述|总结|检查|用法|使用|规范|约束|事项"
    ))
    .expect("a test compiles it")
});

/// Says which case a sentence is for: `for drafts`, `on Windows`.
static CASE: LazyLock<Regex> = LazyLock::new(|| {
    let english =
        "for|in|on|at|with|within|without|under|inside|outside|as|before|after|per|by|from|only|where|when|if|mode";
    Regex::new(&format!(r"(?i)(?-u:\b)(?:{english})(?-u:\b)")).expect("a test compiles it")
});
