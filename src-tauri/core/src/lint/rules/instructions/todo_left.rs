use crate::lint::pattern::{Match, Pattern, Patterns, Scope};
use crate::lint::{Check, Example, Group, Rule};
use crate::skill::Severity;

pub static RULE: Rule = Rule {
    id: "todo-left",
    group: Group::Instructions,
    severity: Severity::Warning,
    on: true,
    title: "Something was left to do",
    title_zh: "残留待办或占位内容",
    what: "`TODO`, `FIXME` or `TBD` as a mark of its own, filler such as `lorem ipsum`, `[placeholder]`, 待补充, \
           in the Markdown of a skill. Code, and text about such marks (`search for TODO comments`), are left \
           alone.",
    why: "The agent takes it for an instruction, or does without what was to be written there.",
    bad: Example::skill(&[(
        "SKILL.md",
        "---\nname: demo\ndescription: Use when asked for a demo.\n---\nTODO: describe the steps.\n",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        "---\nname: demo\ndescription: Use when asked for a demo.\n---\nList all TODO comments of the code. A `TODO` is no error.\n",
    )]),
    source: "skill-creator's template; agnix AS-027; skillsaw content-placeholder-text",
    fix: None,
    check: Check::Pattern(Patterns {
        scope: Scope::Instructions,
        patterns: &[
            Pattern {
                literals: &["TODO", "FIXME", "TBD"],
                expression: r#"(?m)(?:\[|<!--\s*)(?:TODO|FIXME|TBD)\b|\b(?:TODO|FIXME|TBD)(?:\s*[:：(（]|\s*[.。]?\s*$)|^[\s>*#+-]*(?:\d+[.)]\s*)?\**(?:TODO|FIXME|TBD)\b"#,
                lines: 0,
                message: "`{}` was left to do; write it, or delete it",
            },
            Pattern {
                literals: &["lorem ipsum"],
                expression: r#"(?i)lorem ipsum"#,
                lines: 0,
                message: "`{}` is filler; write the text",
            },
            Pattern {
                literals: &[
                    "placeholder]",
                    "to be added",
                    "to be written",
                    "to be completed",
                    "fill in]",
                    "fill this in]",
                ],
                expression: r#"(?i)\[(?:placeholder|(?:text|content|details)?\s*to be (?:added|written|completed)[^\]\n]{0,40}|fill (?:this )?in)\]"#,
                lines: 0,
                message: "`{}` was left to do; write it, or delete it",
            },
            Pattern {
                literals: &["待补充", "待完善", "待填写", "此处填写"],
                expression: r#"(?:待补充|待完善|待填写|此处填写)"#,
                lines: 0,
                message: "`{}` was left to do; write it, or delete it",
            },
        ],
        unless: Some(is_talk),
    }),
};

/// The line speaks of such marks.
fn is_talk(found: &Match<'_>) -> bool {
    let line = found.line.to_lowercase();
    found.in_code || TALK.iter().any(|word| line.contains(word))
}

const TALK: [&str; 24] = [
    "comment",
    "marker",
    "grep",
    "search",
    "scan",
    "find ",
    "finds ",
    "leave ",
    "leaves ",
    "mark ",
    "marked",
    "remaining todo",
    "todos",
    "no todo",
    "any todo",
    "each todo",
    "todo list",
    "todo item",
    "detect",
    "注释",
    "标记",
    "查找",
    "搜索",
    "标注",
];
