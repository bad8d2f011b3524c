//! The numbers of the steps that a page has, and of those that it mentions.

use std::collections::HashSet;
use std::sync::LazyLock;

use regex::Regex;

use crate::markdown::Markdown;
use skill::source::Span;

/// Numbers of steps that a text mentions, each with its place; `None`: not in digits.
pub fn numbers(text: &str) -> impl Iterator<Item = (Span, Option<u32>)> {
    MENTION.captures_iter(text).flat_map(|found| {
        let numbers = found
            .iter()
            .skip(1)
            .flatten()
            .map(|number| (Span::new(number.start(), number.end()), number.as_str().parse().ok()));
        numbers.collect::<Vec<_>>()
    })
}

/// Steps that a text mentions, the last of each range.
pub fn mentions(text: &str) -> impl Iterator<Item = (Span, u32)> {
    MENTION.captures_iter(text).filter_map(|found| {
        let whole = found.get(0)?;
        let number = found.iter().skip(1).flatten().last()?;
        Some((Span::new(whole.start(), whole.end()), number_of(number.as_str())?))
    })
}

static MENTION: LazyLock<Regex> = LazyLock::new(|| {
    let numeral = "([0-9]{1,2}|[一二三四五六七八九十]{1,3})";
    let english = r"(?i-u:\bsteps?)\s+#?([0-9]{1,2})(?:\s*(?:-|–|,|to|through|and|or)\s*([0-9]{1,2}))?(?-u:\b)";
    Regex::new(&format!(r"{english}|第\s*{numeral}\s*步|步骤\s*{numeral}")).expect("a test compiles it")
});

/// All numbers of steps that a page has.
pub fn steps(text: &str, markdown: &Markdown) -> HashSet<u32> {
    let mut found = HashSet::new();
    for list in &markdown.lists {
        let first = list.first.and_then(|first| u32::try_from(first).ok());
        let count = u32::try_from(list.items.len().min(100)).unwrap_or_default();
        found.extend(first.into_iter().flat_map(|first| first..first.saturating_add(count)));
    }
    found.extend(text.lines().filter_map(step_of));
    found
}

/// The number of a line that begins as a step does: `### Step 2: …`, `- 2. …`, `| 2 | …`, `第二步`.
fn step_of(line: &str) -> Option<u32> {
    // Marks and pictures may be before it, `### 🔍 Step 2: …`.
    let line = line.trim_start_matches(|letter: char| letter == 'x' || !letter.is_alphanumeric());
    let word = ["step", "phase", "stage", "步骤", "阶段", "第"]
        .iter()
        .find(|word| line.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word)));
    let rest = line[word.map_or(0, |word| word.len())..].trim_start_matches([' ', '#']);
    let end = rest.find(|letter: char| !letter.is_ascii_digit() && !DIGITS.contains(letter)).unwrap_or(rest.len());
    let after = rest[end..].trim_start().chars().next();
    let ends = after.is_none_or(|letter| ".):：、)|*步".contains(letter));
    (word.is_some() || ends).then(|| number_of(&rest[..end]))?
}

const DIGITS: &str = "一二三四五六七八九十";

/// `12` and 十二 alike.
pub fn number_of(text: &str) -> Option<u32> {
    if let Ok(number) = text.parse() {
        return Some(number);
    }
    let digit =
        |letter: char| DIGITS.chars().position(|digit| digit == letter).and_then(|at| u32::try_from(at + 1).ok());
    let letters: Vec<u32> = text.chars().map(digit).collect::<Option<_>>()?;
    match letters[..] {
        [one] => Some(one),
        [10, ones] => Some(10 + ones),
        [tens, 10] => Some(tens * 10),
        [tens, 10, ones] => Some(tens * 10 + ones),
        _ => None,
    }
}
