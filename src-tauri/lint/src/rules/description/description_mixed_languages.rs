use crate::analysis::described::Described;
use crate::analysis::language::{Language, length};
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "description-mixed-languages",
    group: Group::Description,
    severity: Severity::Info,
    on: false,
    title: Wording::new("Description is in two languages", "描述混用两种语言"),
    what: Wording::new(
        "A description with whole sentences in English and whole sentences in Chinese. Terms of one in a sentence of the \
           other are fine.",
        "描述中既有完整的英文句子，又有完整的中文句子。句中夹用另一种语言的术语没有问题。",
    ),
    why: Wording::new(
        "It costs twice the tokens in every conversation, and a model may answer in the language it read last. Some authors \
          do it on purpose, to be found by users of both.",
        "每次对话都要付出双倍的 token，模型还可能用最后读到的语言回答。有些作者是有意为之，\
         好让两种语言的用户都能找到它。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Extracts tables from the files. 从文件中提取表格并导出，当用户需要表格时使用。
---
Do it.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: 从 PDF 中提取表格并导出为 CSV 或 Excel。当用户需要表格时使用。
---
Do it.
",
    )]),
    hides: &[],
    marks: &[],
    source: "Skill Workbench",
    fix: None,
    check: Check::Skill(check),
};

const FEWEST_WORDS: usize = 5;

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(description) = Described::of(skill) else { return };
    let sentences = description.text.split(['。', '！', '？', '\n']).flat_map(|part| part.split(". "));
    let (mut english, mut chinese) = (None, None);
    for sentence in sentences.filter(|sentence| length(sentence) >= FEWEST_WORDS) {
        match Language::of(sentence) {
            Language::English => english = english.or(Some(sentence)),
            Language::Chinese => chinese = chinese.or(Some(sentence)),
            Language::Other => {}
        }
    }
    if let (Some(english), Some(_)) = (english, chinese) {
        let message = Wording::new(
            "the description is in English and in Chinese; keep the language your users write in",
            "描述混用了英文和中文；请只保留用户使用的语言",
        );
        report.at(skill.path(), description.place(english.trim()), message);
    }
}
