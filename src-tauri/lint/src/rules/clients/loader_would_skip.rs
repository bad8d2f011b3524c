use std::collections::BTreeMap;

use crate::loading::{Framework, Load, Outcome, named};
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::source::Span;
use skill::{Problem, ProblemKind, Severity, YamlValue};
use wording::message;
use wording::{Message, Wording};

pub static RULE: Rule = Rule {
    id: "loader-would-skip",
    group: Group::Clients,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("A framework would not load the skill", "有框架不会加载此技能"),
    what: Wording::new(
        "The workbench loads the skill, alone in a folder, with its own reproduction of each framework's loader, \
         in all their variants. Those that leave it out, or refuse to start, are named, one finding for each \
         cause; if another rule finds the cause itself, they are named there. That some accept no list in \
         `allowed-tools`, which others document, and that AgentScope 1.0.8 accepts only lines of `key: value`, is \
         reported only if the settings name them.",
        "工作台把技能单独放在一个文件夹中，用自己复现的各框架加载器（包括所有变体）加载它，\
         列出不加载它或拒绝启动的框架，每个原因报告一个问题；如果另一条规则已经找到原因，就在那里列出。\
         有些框架不接受 `allowed-tools` 写成列表，另一些框架的文档却允许；AgentScope 1.0.8 只接受 `key: value` 形式的行；\
         只有设置中指定了这些框架时才报告。",
    ),
    why: Wording::new(
        "In these frameworks the model never learns of the skill; some then load no skill at all.",
        "在这些框架中，模型永远不知道有这个技能；有的框架因此一个技能也不加载。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r#"---
"name": demo
"description": Use when asked for a demo.
---
Do it.
"#,
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Do it.
",
    )]),
    hides: &[],
    marks: &[],
    source: "the loaders of the frameworks and clients in docs/conformance.md, as compared with recorded runs",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let problems = problems(skill);
    let tools = listed_tools(skill);
    let mut causes: BTreeMap<Option<(usize, usize)>, Cause> = BTreeMap::new();
    for load in skill.loads() {
        let Some((reason, place)) = stumbling(skill, &problems, load) else { continue };
        if skill.options.clients.is_empty()
            && (place.is_some() && place == tools || is_of_lines(&problems, load, reason))
        {
            continue;
        }
        let cause = causes.entry(place.map(|span| (span.start, span.end))).or_default();
        cause.add(load, reason);
    }
    // Some frameworks say less than others about the same thing.
    if causes.len() == 2
        && let Some(vague) = causes.remove(&None)
    {
        causes.values_mut().for_each(|cause| cause.join(&vague));
    }
    for (place, cause) in causes {
        let place = place.map(|(start, end)| Span::new(start, end));
        let known = problems.iter().find(|problem| problem.span == place);
        let reason = known.map_or_else(|| shown(cause.reason), |problem| problem.kind.message());
        let Message { en, zh } = named(cause.frameworks);
        let mut consequence = message!("{en} would leave this skill out", "{zh} 不会加载这个技能");
        if !cause.refusing.is_empty() {
            let Message { en, zh } = named(cause.refusing);
            consequence.en.push_str(&format!(", after which no skill at all is loaded by {en}"));
            consequence.zh.push_str(&format!("，之后 {zh} 一个技能也不加载"));
        }
        let said = Message {
            en: format!("{}: {}", consequence.en, reason.en),
            zh: format!("{}：{}", consequence.zh, reason.zh),
        };
        let finding = match place {
            Some(span) => report.at(skill.path(), span, said),
            None => report.about(skill.path(), said),
        };
        finding.consequence = Some(consequence);
    }
}

/// A problem of several frameworks.
#[derive(Default)]
struct Cause<'a> {
    frameworks: Vec<Framework>,
    /// Those of them that then refuse to start.
    refusing: Vec<Framework>,
    /// In the words of the one that needs the fewest.
    reason: Option<&'a Message>,
}

impl<'a> Cause<'a> {
    fn add(&mut self, load: &Load, reason: &'a Message) {
        self.frameworks.push(load.by);
        if matches!(load.outcome, Outcome::LeftOut { refuses_all: true, .. }) {
            self.refusing.push(load.by);
        }
        if self.reason.is_none_or(|shortest| reason.en.len() < shortest.en.len()) {
            self.reason = Some(reason);
        }
    }

    fn join(&mut self, other: &Self) {
        self.frameworks.extend(&other.frameworks);
        self.refusing.extend(&other.refusing);
    }
}

/// Violations of the specification that a loader may object to.
fn problems<'a>(skill: &Subject<'a>) -> Vec<&'a Problem> {
    let of_file = skill.skill.problems.iter().filter(|problem| problem.path == skill.path());
    let minded = of_file.filter(|problem| {
        !matches!(
            problem.kind,
            ProblemKind::MixedNewlines | ProblemKind::NameTaken { .. } | ProblemKind::TooLarge { .. }
        )
    });
    minded.collect()
}

/// Whether an old release takes YAML of several lines for none.
fn is_of_lines(problems: &[&Problem], load: &Load, reason: &Message) -> bool {
    let is_yaml = !problems.iter().any(|problem| matches!(problem.kind, ProblemKind::YamlInvalid { .. }));
    is_yaml && load.by.reads_lines() && reason.en.starts_with("Invalid YAML line")
}

/// Why a framework leaves the skill out, and the place of that; `None` if it loads.
fn stumbling<'a>(skill: &Subject<'_>, problems: &[&Problem], load: &'a Load) -> Option<(&'a Message, Option<Span>)> {
    let Outcome::LeftOut { reason, span, .. } = &load.outcome else { return None };
    let sole = problems.first().filter(|first| problems.iter().all(|problem| problem.span == first.span));
    if let Some(sole) = sole {
        return Some((reason, sole.span));
    }
    let place = mentioned(skill, &reason.en).or(*span);
    Some((reason, place.or_else(|| problems.first().and_then(|problem| problem.span))))
}

/// A list in `allowed-tools`, which is legal in many places.
fn listed_tools(skill: &Subject<'_>) -> Option<Span> {
    skill.field("allowed-tools").filter(|field| matches!(field.value, YamlValue::List(_))).map(|field| field.value_span)
}

/// The field that a reason mentions, if there is one.
fn mentioned(skill: &Subject<'_>, reason: &str) -> Option<Span> {
    let fields = &skill.manifest().frontmatter.as_ref()?.fields;
    let keys = KEYS.iter().filter(|key| reason.contains(&format!("'{key}'")) || reason.contains(&format!("`{key}`")));
    let mut named = keys.filter_map(|key| fields.iter().find(|field| field.key == **key));
    let field = named.next().filter(|_| named.next().is_none())?;
    Some(if field.value_span.is_empty() { field.key_span } else { field.value_span })
}

/// Fields whose values loaders check.
const KEYS: [&str; 6] = ["name", "description", "license", "compatibility", "metadata", "allowed-tools"];

fn shown(reason: Option<&Message>) -> Message {
    let mut reason = reason.cloned().unwrap_or_default();
    reason.each(|text| *text = line(text));
    reason
}

fn line(text: &str) -> String {
    let text = text.trim().trim_end_matches('.');
    let line: String = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    match line.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// Characters of a framework's own words.
const SHOWN: usize = 160;
