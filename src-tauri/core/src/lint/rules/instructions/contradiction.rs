use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use regex::Regex;

use super::words::{is_directive, words};
use crate::lint::{Check, Example, Group, Report, Rule, Subject};
use crate::skill::Severity;
use crate::source::Span;

pub static RULE: Rule = Rule {
    id: "contradiction",
    group: Group::Instructions,
    severity: Severity::Warning,
    on: true,
    title: "Two instructions contradict each other",
    title_zh: "指令相互矛盾",
    what: "The same clause once after `always` or `must` and once after `never`, `must not` or `do not` (必须 \
           and 不要, 禁止), word for word, where neither line names a condition.",
    why: "The agent follows one of them, and nobody knows which.",
    bad: Example::skill(&[(
        "SKILL.md",
        "---\nname: demo\ndescription: Use when asked for a demo.\n---\n- Always ask before deleting files.\n- Never ask before deleting files.\n",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        "---\nname: demo\ndescription: Use when asked for a demo.\n---\n- Always ask before deleting files.\n- If the user is away, never ask before deleting files.\n",
    )]),
    source: "skillsaw content-contradiction",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let text = skill.text();
    let mut known: HashMap<String, (bool, Span)> = HashMap::new();
    let mut told = 0;
    for line in skill.lines() {
        let (is_directive_as_written, line) = (line.is_directive, line.span);
        // Marks may stand in the words that make it one.
        let is_marked = |letter: char| matches!(letter, '*' | '`' | '_');
        if !is_directive_as_written && !line.of(text).contains(is_marked) {
            continue;
        }
        let written = line.of(text);
        let plain = match written.contains(is_marked) {
            true => Cow::Owned(written.replace(is_marked, "")),
            false => Cow::Borrowed(written),
        };
        let is_directive = if plain.len() == written.len() { is_directive_as_written } else { is_directive(&plain) };
        if !is_directive || CONDITION.is_match(&plain) {
            continue;
        }
        for (wanted, clause) in clauses(&plain) {
            match known.get(&clause) {
                Some((other, place)) if *other != wanted && told < MOST => {
                    told += 1;
                    let other = place.of(text);
                    let other = &other[..other.floor_char_boundary(SHOWN)];
                    report.at(
                        skill.path(),
                        line,
                        format!("this contradicts `{other}`; keep one, or say when each holds"),
                    );
                }
                Some(_) => {}
                None => {
                    known.insert(clause, (wanted, line));
                }
            }
        }
    }
}

const MOST: usize = 20;
/// Bytes of the other line in a message.
const SHOWN: usize = 80;

/// What a line tells to do (`true`) and not to do.
fn clauses(line: &str) -> Vec<(bool, String)> {
    let english = ENGLISH.captures_iter(line).filter_map(|found| {
        let verb = found.get(1)?.as_str().to_lowercase();
        let clause: Vec<String> = words(found.get(2)?.as_str()).collect();
        (clause.len() >= 2).then(|| (matches!(verb.as_str(), "always" | "must"), clause.join(" ")))
    });
    let chinese = Some(line).filter(|line| !line.is_ascii());
    let chinese = chinese.into_iter().flat_map(|line| CHINESE.captures_iter(line)).filter_map(|found| {
        let verb = found.get(1)?.as_str();
        let clause: String = words(found.get(2)?.as_str()).collect();
        (clause.chars().count() >= 3).then_some((matches!(verb, "必须" | "务必" | "始终" | "一定要"), clause))
    });
    english.chain(chinese).collect()
}

static ENGLISH: LazyLock<Regex> = LazyLock::new(|| {
    let verbs = "must not|must never|do not|don't|never|always|must";
    Regex::new(&format!(r"(?i)\b({verbs})\s+(?:be sure to\s+)?([^.;:!?,()]{{6,100}})")).expect("a test compiles it")
});

static CHINESE: LazyLock<Regex> = LazyLock::new(|| {
    let verbs = "必须|务必|始终|一定要|不要|禁止|不得|切勿|绝不|请勿";
    Regex::new(&format!(r"({verbs})([^，。；！？、：,.;]{{3,40}})")).expect("a test compiles it")
});

static CONDITION: LazyLock<Regex> = LazyLock::new(|| {
    let english = "if|when|whenever|unless|except|until|once|otherwise|while|during|for";
    Regex::new(&format!(r"(?i)(?-u:\b)(?:{english})(?-u:\b)|如果|若|当|除非|否则|除了|之前|时"))
        .expect("a test compiles it")
});
