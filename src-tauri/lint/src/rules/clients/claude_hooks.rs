use crate::analysis::client;
use crate::{Applicability, Check, Example, Group, Report, Rule, Subject};
use skill::{Severity, YamlValue};
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "claude-hooks",
    group: Group::Clients,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Hooks that do not run", "hooks 无法运行"),
    what: Wording::new(
        "`hooks` in the frontmatter with a misspelt event among known ones, an event that is not a list, or an \
         entry with nothing to run. Only if `hooks` has an event of Claude Code, or the skill is for it.",
        "前置元数据的 `hooks` 中有拼错的事件名、不是列表的事件，或没有写明运行什么的条目。\
         只在 `hooks` 含有 Claude Code 的事件，或技能面向 Claude Code 时检查。",
    ),
    why: Wording::new(
        "Claude Code ignores what it does not understand: the check that should run before each edit never does.",
        "Claude Code 会忽略它不认识的内容：本应在每次编辑前运行的检查永远不会运行。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
hooks:
  PreTooluse:
    - matcher: Bash
      hooks:
        - type: command
          command: ./scripts/check.sh
---
Do it.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
hooks:
  PreToolUse:
    - matcher: Bash
      hooks:
        - type: command
          command: ./scripts/check.sh
---
Do it.
",
    )]),
    hides: &[],
    marks: &[],
    source: "Claude Code documentation: hooks",
    fix: Some(Applicability::Unsafe),
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(field) = skill.field("hooks") else { return };
    let is_claude = client::is_for(skill, &client::CLAUDE_CODE);
    let events = match &field.value {
        YamlValue::Map(events) => events,
        YamlValue::Null | YamlValue::Scalar { .. } | YamlValue::List(_) => {
            if is_claude {
                let message = Wording::new(
                    "`hooks` must be a map of events, e.g. `PreToolUse:` with a list below it",
                    "`hooks` 必须是由事件组成的映射，例如 `PreToolUse:` 下接一个列表",
                );
                report.at(skill.path(), client::place(field), message);
            }
            return;
        }
    };
    let near = |event: &str| client::nearest(event, &EVENTS);
    if !is_claude && !events.iter().any(|(event, _)| EVENTS.contains(&event.as_str()) || near(event).is_some()) {
        return;
    }
    for (event, entries) in events.iter().take(MOST) {
        let place = client::place_of(skill, field, event);
        if let Some(meant) = near(event) {
            let message =
                message!("the event is called `{meant}`, not `{event}`", "事件名是 `{meant}`，不是 `{event}`");
            let finding = report.at(skill.path(), place, message);
            if place.of(skill.text()) == event {
                finding.replace(message!("Write {meant}", "改为 {meant}"), place, meant);
            }
        }
        if let Some(Wording { en, zh }) = mistake(entries) {
            report.at(skill.path(), place, message!("`{event}` {en}", "`{event}` {zh}"));
        }
    }
}

/// What keeps an event's hooks from running.
fn mistake(entries: &YamlValue) -> Option<Wording> {
    let YamlValue::List(entries) = entries else { return Some(NO_LIST) };
    entries.iter().find_map(|entry| match (get(entry, "hooks"), entry) {
        (Some(YamlValue::List(handlers)), _) => handlers.iter().any(|handler| !runs(handler)).then_some(NOTHING_TO_RUN),
        (Some(_), _) => Some(INNER_NO_LIST),
        (None, YamlValue::Map(_)) if runs(entry) => Some(WITHOUT_INNER_LIST),
        (None, YamlValue::Map(_)) => Some(NOTHING_TO_RUN),
        (None, _) => Some(NO_MAP),
    })
}

const NO_LIST: Wording = Wording::new("must be a list; put `- ` before its entries", "必须是列表；在各条目前加 `- `");
const INNER_NO_LIST: Wording = Wording::new("has `hooks` that are not a list", "中的 `hooks` 不是列表");
const WITHOUT_INNER_LIST: Wording = Wording::new(
    "has an entry without a list of `hooks`, which never runs; put what it runs below `hooks:`",
    "中有条目没有 `hooks` 列表，永远不会运行；把要运行的内容放到 `hooks:` 下",
);
const NO_MAP: Wording = Wording::new(
    "has an entry that is not a map of `matcher` and `hooks`",
    "中有条目不是由 `matcher` 和 `hooks` 组成的映射",
);
const NOTHING_TO_RUN: Wording = Wording::new(
    "has a hook with nothing to run; give it `type: command` and `command`",
    "中有 hook 没有写明运行什么；加上 `type: command` 和 `command`",
);

fn runs(handler: &YamlValue) -> bool {
    ["command", "prompt", "url", "tool"].iter().any(|key| get(handler, key).is_some())
}

fn get<'a>(map: &'a YamlValue, key: &str) -> Option<&'a YamlValue> {
    let YamlValue::Map(pairs) = map else { return None };
    pairs.iter().find(|(name, _)| name == key).map(|(_, value)| value)
}

/// How many events are checked; nobody has more.
const MOST: usize = 100;
const EVENTS: [&str; 26] = [
    "ConfigChange",
    "CwdChanged",
    "Elicitation",
    "ElicitationResult",
    "FileChanged",
    "InstructionsLoaded",
    "Notification",
    "PermissionRequest",
    "PostCompact",
    "PostToolUse",
    "PostToolUseFailure",
    "PreCompact",
    "PreToolUse",
    "SessionEnd",
    "SessionStart",
    "Setup",
    "Stop",
    "StopFailure",
    "SubagentStart",
    "SubagentStop",
    "TaskCompleted",
    "TaskCreated",
    "TeammateIdle",
    "UserPromptSubmit",
    "WorktreeCreate",
    "WorktreeRemove",
];
