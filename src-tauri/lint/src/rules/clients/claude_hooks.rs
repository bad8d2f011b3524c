use crate::analysis::client;
use crate::{Applicability, Check, Example, Group, Report, Rule, Subject};
use skill::wording::Wording;
use skill::{Severity, YamlValue};

pub static RULE: Rule = Rule {
    id: "claude-hooks",
    group: Group::Clients,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Hooks that do not run", "hooks 无法运行"),
    what: Wording::new(
        "`hooks` in the frontmatter with a misspelt event beside known ones, an event that is no list, or an \
           entry that says nothing to run. Only where `hooks` has an event of Claude Code, or the skill is for it.",
        "",
    ),
    why: Wording::new(
        "Claude Code leaves out what it does not understand: the check that should run before each edit never \
          does.",
        "",
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
                let message = "`hooks` must be a map of events, e.g. `PreToolUse:` with a list below it";
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
            let finding = report.at(skill.path(), place, format!("the event is called `{meant}`, not `{event}`"));
            if place.of(skill.text()) == event {
                finding.replace(format!("Write {meant}"), place, meant);
            }
        }
        if let Some(wrong) = mistake(entries) {
            report.at(skill.path(), place, format!("`{event}` {wrong}"));
        }
    }
}

/// What keeps an event's hooks from running.
fn mistake(entries: &YamlValue) -> Option<&'static str> {
    let YamlValue::List(entries) = entries else { return Some("must be a list; put `- ` before its entries") };
    entries.iter().find_map(|entry| match (get(entry, "hooks"), entry) {
        (Some(YamlValue::List(handlers)), _) => handlers.iter().any(|handler| !runs(handler)).then_some(NOTHING_TO_RUN),
        (Some(_), _) => Some("has `hooks` that are no list"),
        (None, YamlValue::Map(_)) if runs(entry) => {
            Some("has an entry without a list of `hooks`, which never runs; put what it runs below `hooks:`")
        }
        (None, YamlValue::Map(_)) => Some(NOTHING_TO_RUN),
        (None, _) => Some("has an entry that is no map of `matcher` and `hooks`"),
    })
}

const NOTHING_TO_RUN: &str = "has a hook that says nothing to run; give it `type: command` and `command`";

fn runs(handler: &YamlValue) -> bool {
    ["command", "prompt", "url", "tool"].iter().any(|key| get(handler, key).is_some())
}

fn get<'a>(map: &'a YamlValue, key: &str) -> Option<&'a YamlValue> {
    let YamlValue::Map(pairs) = map else { return None };
    pairs.iter().find(|(name, _)| name == key).map(|(_, value)| value)
}

/// Events looked at; nobody has more.
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
