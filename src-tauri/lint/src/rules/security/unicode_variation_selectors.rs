use crate::analysis::unicode::{is_ideograph, is_variation_selector, runs};
use crate::texts::each_text;
use crate::{Applicability, Check, Deed, Example, Group, Mark, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "unicode-variation-selectors",
    group: Group::Security,
    severity: Severity::Error,
    on: true,
    title: Wording::new("Data hidden in variation selectors", "变体选择符中藏有数据"),
    what: Wording::new(
        "Two or more variation selectors in a row, or one of the supplement (U+E0100 to U+E01EF) that follows \
           no ideograph.",
        "连续两个以上的变体选择符，或不跟在表意文字之后的补充变体选择符（U+E0100 至 U+E01EF）。",
    ),
    why: Wording::new(
        "Each holds a byte that no editor shows; whole programs have been hidden this way.",
        "每个都能藏一个字节，编辑器却不显示；曾有人这样藏下整个程序。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        "---\nname: demo\ndescription: Use when asked for a demo.\n---\nDo it.😀\u{E0162}\u{E015D}\u{E0110}\u{E011D}\u{E0162}\u{E0156}\n",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        "---\nname: demo\ndescription: Use when asked for a demo.\n---\nI ❤\u{FE0F} the character 葛\u{E0100}.\n",
    )]),
    hides: &[],
    marks: &[Mark::Evidence(Deed::Hides)],
    source: "skillsaw; GlassWorm reports",
    fix: Some(Applicability::Unsafe),
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    each_text(skill, |path, text| {
        for run in runs(text, is_variation_selector).into_iter() {
            let count = run.text.chars().count();
            let of_supplement = run.text.starts_with(|letter| letter >= '\u{E0100}');
            if count < 2 && (!of_supplement || run.before.is_some_and(is_ideograph)) {
                continue;
            }
            let hidden: String =
                run.text.chars().filter_map(byte).filter(u8::is_ascii_graphic).map(char::from).take(60).collect();
            let message = match hidden.len() {
                0..3 => message!(
                    "{count} variation selectors here change no character: delete them",
                    "这里有 {count} 个变体选择符，却没有改变任何字符，请删除"
                ),
                _ => message!(
                    "{count} variation selectors hide `{hidden}`: delete them",
                    "{count} 个变体选择符中藏有 `{hidden}`，请删除"
                ),
            };
            report.at(path, run.span, message).replace(
                Wording::new("Delete the selectors", "删除变体选择符"),
                run.span,
                "",
            );
        }
    });
}

/// The byte that a selector encodes, if data is hidden in selectors.
fn byte(selector: char) -> Option<u8> {
    match u32::from(selector) {
        code @ 0xFE00..=0xFE0F => u8::try_from(code - 0xFE00).ok(),
        code @ 0xE0100..=0xE01EF => u8::try_from(code - 0xE0100 + 16).ok(),
        _ => None,
    }
}
