use crate::texts::each_text;
use crate::{Check, Deed, Example, Group, Mark, Report, Rule, Subject};
use skill::Severity;
use skill::source::Span;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "pii-in-skill",
    group: Group::Security,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Personal data", "包含个人敏感信息"),
    what: Wording::new(
        "Numbers of Chinese identity cards (with a valid date and check digit) and of payment cards in groups of four (valid by Luhn, no known test number).",
        "中国居民身份证号（日期和校验位正确）和四位一组的银行卡号（通过 Luhn 校验，且不是已知的测试卡号）。",
    ),
    why: Wording::new(
        "Skills are published and put into prompts; the person concerned has not agreed to either.",
        "技能会公开发布，也会放进提示词；当事人对两者都没有同意过。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Bill the customer with ID 110105199003078537.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Use the test card 4242 4242 4242 4242, order 202405170000123456.
",
    )]),
    hides: &[],
    marks: &[Mark::Evidence(Deed::Leaks)],
    source: "cisco-ai-skill-scanner; GB 11643; ISO/IEC 7812",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    each_text(skill, |path, text| {
        if !has_long_number(text) {
            return;
        }
        for span in numbers(text) {
            let number = span.of(text);
            let message = if SAMPLES.contains(&number) {
                continue;
            } else if is_identity(number) {
                Wording::new(
                    "this is the number of an identity card: take it out, or make one up",
                    "这是身份证号，请删除，或换成虚构的号码",
                )
            } else if is_card(number) {
                Wording::new(
                    "this is the number of a payment card: take it out, or use a test number",
                    "这是银行卡号，请删除，或换成测试卡号",
                )
            } else {
                continue;
            };
            let finding = report.at(path, span, message);
            if is_called_sample(text, span) {
                finding.weigh_less(Wording::new("its line speaks of an example", "所在行说的是例子"));
            }
        }
    });
}

/// Whether so many digits, with what may be between them, are in a row. One in so many bytes is enough to look at
/// first.
fn has_long_number(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_part = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b' ' | b'-');
    let mut at = DIGITS - 1;
    while let Some(byte) = bytes.get(at) {
        match bytes[at + 1 - DIGITS..=at].iter().rposition(|byte| !is_part(byte)).filter(|_| is_part(byte)) {
            None if is_part(byte) => return true,
            Some(other) => at += other + 1,
            None => at += DIGITS,
        }
    }
    false
}

/// The last one may be an X.
const DIGITS: usize = 17;

/// Runs of digits of 18 or 19 characters, with single spaces or hyphens between groups.
fn numbers(text: &str) -> impl Iterator<Item = Span> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < bytes.len() {
            let start = at;
            if !bytes[at].is_ascii_digit() {
                at += 1;
                continue;
            }
            let is_part = |at: usize| {
                bytes.get(at).is_some_and(|byte| byte.is_ascii_digit())
                    || (matches!(bytes.get(at), Some(b' ' | b'-')) && bytes.get(at + 1).is_some_and(u8::is_ascii_digit))
            };
            while is_part(at) {
                at += 1;
            }
            if matches!(bytes.get(at), Some(b'X' | b'x')) {
                at += 1;
            }
            let joined = |byte: Option<&u8>| {
                byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_'))
            };
            let before = start.checked_sub(1).and_then(|at| bytes.get(at));
            let after = bytes.get(at).filter(|byte| **byte != b'.');
            if (18..=19).contains(&(at - start)) && !joined(before) && !joined(after) {
                return Some(Span::new(start, at));
            }
        }
        None
    })
}

/// What its line calls an example.
fn is_called_sample(text: &str, span: Span) -> bool {
    let line = text[..span.start].rfind('\n').map_or(0, |at| at + 1);
    let line = &text[text.floor_char_boundary(line.max(span.start.saturating_sub(200)))..span.start];
    let lower = line.to_lowercase();
    ["示例", "例如", "样例", "sample", "example"].iter().any(|word| lower.contains(word))
}

/// Those of the standard.
const SAMPLES: [&str; 3] = ["11010519491231002X", "11010519491231002x", "440524188001010014"];

/// GB 11643: place, day of birth, number, check digit.
fn is_identity(number: &str) -> bool {
    let digits: Vec<u32> = number
        .bytes()
        .map_while(|byte| match byte {
            b'0'..=b'9' => Some(u32::from(byte - b'0')),
            b'X' | b'x' => Some(10),
            _ => None,
        })
        .collect();
    let (Some(year), Some(month), Some(day)) = (number.get(6..10), number.get(10..12), number.get(12..14)) else {
        return false;
    };
    let within = |text: &str, low: u32, high: u32| text.parse().is_ok_and(|value: u32| (low..=high).contains(&value));
    const WEIGHTS: [u32; 17] = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
    let sum: u32 = digits.iter().zip(WEIGHTS).map(|(digit, weight)| digit * weight).sum();
    digits.len() == 18
        && matches!(digits[0], 1..=6 | 8)
        && within(year, 1900, 2030)
        && within(month, 1, 12)
        && within(day, 1, 31)
        && digits[17] == (12 - sum % 11) % 11
}

fn is_card(number: &str) -> bool {
    let groups: Vec<&str> = number.split([' ', '-']).collect();
    let digits: String = groups.concat();
    let tests = ["4242", "4111", "5555", "4000", "4012", "3782", "6011", "1234", "0000"];
    let doubled =
        |place: usize, digit: u32| if place.is_multiple_of(2) { digit * 2 / 10 + digit * 2 % 10 } else { digit };
    let sum: u32 = digits.bytes().enumerate().map(|(place, byte)| doubled(place, u32::from(byte) - 48)).sum();
    groups.len() == 4
        && groups.iter().all(|group| group.len() == 4)
        && digits.starts_with(['3', '4', '5', '6'])
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && !tests.iter().any(|test| digits.starts_with(test))
        && sum.is_multiple_of(10)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn no_number_is_passed_over(text in "([0-9]{0,20}[ X.a-]){0,12}") {
            prop_assert!(has_long_number(&text) || numbers(&text).next().is_none());
        }
    }
}
