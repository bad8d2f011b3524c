use std::collections::HashMap;

use crate::references::Aim;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "reference-cycle",
    group: Group::Links,
    severity: Severity::Info,
    on: false,
    title: Wording::new("References that lead back", "循环引用"),
    what: Wording::new(
        "Pages other than `SKILL.md` that refer to each other in a circle.",
        "除 `SKILL.md` 外，互相引用形成循环的页面。",
    ),
    why: Wording::new(
        "An agent that follows every link reads the same files again; and it is unclear which is to be read \
           first.",
        "跟随每个链接的智能体会反复读取同样的文件；也看不出应该先读哪个。",
    ),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Read [a](a.md) and [b](b.md).
",
        ),
        ("a.md", "See [b](b.md).\n"),
        ("b.md", "See [a](a.md).\n"),
    ]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Read [a](a.md) and [b](b.md).
",
        ),
        ("a.md", "See [b](b.md).\n"),
        ("b.md", "# B\n"),
    ]),
    hides: &[],
    marks: &[],
    source: "Skill Workbench",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let pages = &skill.references().pages;
    let places: HashMap<usize, usize> = pages.iter().enumerate().map(|(place, page)| (page.file, place)).collect();
    let mut state = vec![State::Fresh; pages.len()];
    // `SKILL.md` comes first; a link back to it is not a cycle.
    for start in 1..pages.len() {
        if state[start] != State::Fresh {
            continue;
        }
        // Pages that are open, and how far each was looked through.
        let mut open = vec![(start, 0)];
        state[start] = State::Open;
        while let Some((place, next)) = open.last_mut() {
            let (from, page) = (*place, &pages[*place]);
            let Some(reference) = page.references.get(*next) else {
                state[from] = State::Done;
                open.pop();
                continue;
            };
            *next += 1;
            let (Aim::File(file) | Aim::Miscased(file)) = reference.aim else { continue };
            let Some(to) = places.get(&file).copied().filter(|to| *to != 0 && *to != from) else { continue };
            match state[to] {
                State::Fresh => {
                    state[to] = State::Open;
                    open.push((to, 0));
                }
                State::Open => {
                    let name = &skill.skill.files[file].name;
                    let message = message!(
                        "`{name}` leads here, and this leads back to it; let one of them end the chain",
                        "`{name}` 引到这里，这里又引回 `{name}`；去掉其中一个引用"
                    );
                    report.at(&page.path, reference.span, message);
                }
                State::Done => {}
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Fresh,
    Open,
    Done,
}
