//! Works out the gates of expressions, writes them down, and proves that they open for what the expressions match.

use std::collections::BTreeSet;
use std::fs;

use regex_syntax::ParserBuilder;
use regex_syntax::hir::literal::{ExtractKind, Extractor};
use regex_syntax::hir::{Class, Hir, HirKind, Look};

use crate::finder::compiled;
use crate::gate::{Also, GATES, Gate};
use crate::pattern::Pattern;
use crate::plain::as_read;
use crate::words::Words;
use crate::{Rule, rules};

/// Limits for a gate: at most so many literals, of so many bytes.
const MOST: usize = 96;
const SHORTEST: usize = 3;
/// Longer ones exclude no more texts.
const LENGTHS: [usize; 6] = [16, 10, 8, 6, 4, 3];

/// Literals, and whether each begins a word.
#[derive(Clone)]
struct Set {
    literals: BTreeSet<String>,
    word: bool,
}

impl Set {
    /// How often they will be met with in texts, about.
    fn rate(&self) -> f64 {
        let of_letters = |literal: &str| 2_f64.powf(-literal.chars().map(bits).sum::<f64>());
        let rate = |literal: &String| {
            if COMMON.iter().any(|word| literal.contains(word)) { RATE_OF_COMMON } else { of_letters(literal) }
        };
        let rate: f64 = self.literals.iter().map(rate).sum();
        // Each makes the search slower, short ones most.
        let cost: f64 = self.literals.iter().map(|literal| if literal.len() == SHORTEST { 8e-6 } else { 1e-6 }).sum();
        cost + if self.word { rate / 4.0 } else { rate }
    }

    fn without_white_space(&self) -> Self {
        let cut = |literal: &String| literal.split(char::is_whitespace).next().unwrap_or_default().to_owned();
        Self { word: self.word, literals: without_longer(self.literals.iter().map(cut).collect()) }
    }

    /// Whether a literal of it is in any text that another literal is in.
    fn is_in(&self, other: &str) -> bool {
        self.literals.iter().any(|literal| other.contains(literal.as_str()))
    }

    fn is_fit(&self) -> bool {
        let count = self.literals.len();
        (1..=MOST).contains(&count) && self.literals.iter().all(|literal| literal.len() >= SHORTEST)
    }
}

/// Words that skills are full of.
const COMMON: [&str; 23] = [
    "ask",
    "content",
    "each",
    "every",
    "file",
    "from",
    "have",
    "http",
    "instruction",
    "mode",
    "prompt",
    "request",
    "rule",
    "run",
    "script",
    "shell",
    "skill",
    "system",
    "the",
    "use",
    "with",
    "write",
    "you",
];
const RATE_OF_COMMON: f64 = 1.0 / 500.0;
/// A literal that occurs less often is not worth a second search …
const RARE: f64 = 1.0 / 50_000.0;
/// … and one that occurs more often is in most windows.
const RATE_OF_LINES: f64 = 1.0 / 300.0;

/// How rare a letter is.
fn bits(letter: char) -> f64 {
    match letter {
        ' ' => 2.4,
        'e' => 3.3,
        't' | 'a' | 'o' | 'i' | 'n' | 's' | 'r' => 4.0,
        'h' | 'l' | 'd' | 'c' | 'u' | 'm' | 'p' => 5.0,
        'a'..='z' => 6.0,
        '\n' => 5.0,
        '0'..='9' | '-' | '.' | '/' | '_' | '`' | '"' | '\'' => 6.5,
        _ => 8.0,
    }
}

/// `None`: matches have nothing in common.
fn gate(rule: &Rule, expression: &str) -> Option<Gate> {
    let hir = parsed(expression);
    let set = best(&hir, false)?;
    let also = also(&hir, &set).map(|also| Also { word: also.word, literals: also.literals.into_iter().collect() });
    Some(Gate { rule: rule.id.to_owned(), word: set.word, literals: set.literals.into_iter().collect(), also })
}

/// Other literals of every match, if they are rarer than once in a line or two, and the gate is not rare itself.
fn also(hir: &Hir, gate: &Set) -> Option<Set> {
    let also = other(&sets(hir, false), gate)?;
    (gate.rate() > RARE && also.rate() < RATE_OF_LINES).then_some(also)
}

/// The literals that are met with least among those that are not met with wherever a set is.
fn other(sets: &[Set], set: &Set) -> Option<Set> {
    let sets = sets.iter().map(Set::without_white_space).filter(Set::is_fit);
    let sets = sets.filter(|other| !set.literals.iter().all(|literal| other.is_in(literal)));
    sets.min_by(|a, b| a.rate().total_cmp(&b.rate()))
}

/// Sets of which each has a literal in every match.
fn sets(hir: &Hir, word: bool) -> Vec<Set> {
    let mut sets = match hir.kind() {
        HirKind::Capture(capture) => sets(&capture.sub, word),
        HirKind::Repetition(repetition) if repetition.min > 0 => sets(&repetition.sub, word),
        HirKind::Concat(parts) => {
            let each = (0..parts.len()).flat_map(|at| {
                let rest = Hir::concat(parts[at..].to_vec());
                let begins = begins(parts, at, word);
                sets(&parts[at], begins).into_iter().chain(first(&rest, begins))
            });
            each.collect()
        }
        HirKind::Alternation(parts) => {
            let pair = |part: &Hir| {
                let best = best(part, word)?;
                let other = other(&sets(part, word), &best).unwrap_or_else(|| best.clone());
                Some([best, other])
            };
            let pairs: Option<Vec<[Set; 2]>> = parts.iter().map(pair).collect();
            let joined = |place: usize, pairs: &[[Set; 2]]| Set {
                word: pairs.iter().all(|pair| pair[place].word),
                literals: without_longer(pairs.iter().flat_map(|pair| pair[place].literals.clone()).collect()),
            };
            pairs.map_or_else(Vec::new, |pairs| vec![joined(0, &pairs), joined(1, &pairs)])
        }
        _ => Vec::new(),
    };
    sets.extend(first(hir, word));
    sets
}

/// Case makes no difference to a gate, and letters in both cases are many.
fn parsed(expression: &str) -> Hir {
    let plain = expression.replace("(?i)", "").replace("(?im)", "(?m)").replace("(?i:", "(?:").replace("(?-i:", "(?:");
    assert!(!plain.contains("(?i") && !plain.contains("(?s"), "{expression} has flags that this does not know");
    ParserBuilder::new().multi_line(true).build().parse(&plain).unwrap()
}

/// The rarest literals. `word`: matches begin a word.
fn best(hir: &Hir, word: bool) -> Option<Set> {
    let inner = match hir.kind() {
        HirKind::Capture(capture) => best(&capture.sub, word),
        HirKind::Repetition(repetition) if repetition.min > 0 => best(&repetition.sub, word),
        HirKind::Alternation(parts) => {
            let sets: Option<Vec<Set>> = parts.iter().map(|part| best(part, word)).collect();
            sets.map(|sets| Set {
                word: sets.iter().all(|set| set.word),
                literals: without_longer(sets.into_iter().flat_map(|set| set.literals).collect()),
            })
        }
        HirKind::Concat(parts) => {
            let sets = (0..parts.len()).flat_map(|at| {
                let rest = Hir::concat(parts[at..].to_vec());
                let begins = begins(parts, at, word);
                best(&parts[at], begins).into_iter().chain(first(&rest, begins))
            });
            sets.min_by(|a, b| a.rate().total_cmp(&b.rate()))
        }
        _ => None,
    };
    inner.into_iter().chain(first(hir, word)).filter(Set::is_fit).min_by(|a, b| a.rate().total_cmp(&b.rate()))
}

/// Whether a part begins a word; `word`: the whole does.
fn begins(parts: &[Hir], at: usize, word: bool) -> bool {
    match at.checked_sub(1).map(|before| parts[before].kind()) {
        Some(HirKind::Look(Look::WordAscii | Look::WordUnicode)) => true,
        Some(HirKind::Look(_)) | None => at == 0 && word,
        Some(_) => false,
    }
}

/// What matches begin with, as long as it is worth it.
fn first(hir: &Hir, word: bool) -> Option<Set> {
    let mut extractor = Extractor::new();
    extractor.kind(ExtractKind::Prefix).limit_class(32).limit_repeat(4).limit_literal_len(48).limit_total(2000);
    let found = extractor.extract(hir);
    let literals: BTreeSet<String> =
        found.literals()?.iter().map(|literal| whole(literal.as_bytes()).to_ascii_lowercase()).collect();
    let sets = LENGTHS.iter().map(|length| {
        let cut = literals.iter().map(|literal| literal[..literal.floor_char_boundary(*length)].to_owned());
        // Rare spaces are read as the usual one.
        let cut = cut.filter(|literal| !literal.contains(|letter: char| letter.is_whitespace() && !letter.is_ascii()));
        let literals = without_longer(cut.collect());
        let is_part = |letter: u8| letter.is_ascii_alphanumeric() || letter == b'_';
        let word = word && literals.iter().all(|literal| literal.bytes().next().is_some_and(is_part));
        Set { literals, word }
    });
    sets.filter(Set::is_fit).min_by(|a, b| a.rate().total_cmp(&b.rate()))
}

/// Without a last character that was cut in the middle.
fn whole(bytes: &[u8]) -> &str {
    match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap(),
    }
}

/// If a word begins with another, the other is enough.
fn without_longer(literals: BTreeSet<String>) -> BTreeSet<String> {
    let mut kept: BTreeSet<String> = BTreeSet::new();
    for literal in literals {
        if !kept.iter().any(|shorter| literal.starts_with(shorter)) {
            kept.insert(literal);
        }
    }
    kept
}

fn patterns() -> impl Iterator<Item = (&'static Rule, &'static Pattern)> {
    let of_patterns = rules().filter_map(|rule| Some((rule, rule.patterns()?.patterns)));
    of_patterns.flat_map(|(rule, patterns)| patterns.iter().map(move |pattern| (rule, pattern)))
}

#[test]
fn gates_are_up_to_date() {
    let (mut lines, mut without) = (Vec::new(), Vec::new());
    for (rule, pattern) in patterns() {
        match gate(rule, pattern.expression) {
            Some(gate) => lines.push(serde_json::to_string(&gate).unwrap()),
            None => without.push(format!("{}: {}", rule.id, pattern.expression)),
        }
    }
    assert!(without.is_empty(), "nothing is in every match of these:\n{}", without.join("\n"));
    let text = format!("[\n{}\n]\n", lines.join(",\n"));
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/gates.json");
    if std::env::var_os("SKILLBENCH_GENERATE").is_some() {
        fs::write(path, &text).unwrap();
    }
    assert!(fs::read_to_string(path).unwrap() == text, "run `cargo xtask generate`");
}

/// Not all that an expression can match, but anything of it: from few seeds, always the same.
struct Dice(u64);

impl Dice {
    /// Below `limit`.
    fn roll(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }

    fn text(&mut self, hir: &Hir, out: &mut String) {
        match hir.kind() {
            HirKind::Empty | HirKind::Look(_) => {}
            HirKind::Literal(literal) => out.push_str(std::str::from_utf8(&literal.0).unwrap()),
            HirKind::Class(Class::Unicode(class)) => {
                let ranges = class.ranges();
                let plain: Vec<_> = ranges.iter().filter(|range| range.start().is_ascii()).collect();
                let range = if plain.is_empty() || self.roll(8) == 0 {
                    ranges[self.roll(ranges.len())]
                } else {
                    *plain[self.roll(plain.len())]
                };
                let (low, high) = (u32::from(range.start()), u32::from(range.end()));
                let high = if range.start().is_ascii() && self.roll(8) > 0 { high.min(0x7F) } else { high };
                let letter = low + self.roll((high - low + 1) as usize) as u32;
                out.push(char::from_u32(letter).unwrap_or(range.start()));
            }
            HirKind::Class(Class::Bytes(class)) => {
                let range = class.ranges()[self.roll(class.ranges().len())];
                out.push(char::from(range.start() + self.roll(usize::from(range.end() - range.start()) + 1) as u8));
            }
            HirKind::Repetition(repetition) => {
                let more = repetition.max.map_or(4, |max| (max - repetition.min).min(4)) as usize;
                for _ in 0..repetition.min as usize + self.roll(more + 1) {
                    self.text(&repetition.sub, out);
                }
            }
            HirKind::Capture(capture) => self.text(&capture.sub, out),
            HirKind::Concat(parts) => parts.iter().for_each(|part| self.text(part, out)),
            HirKind::Alternation(parts) => {
                let part = self.roll(parts.len());
                self.text(&parts[part], out);
            }
        }
    }
}

#[test]
fn gates_open_for_whatever_an_expression_matches() {
    const TEXTS: usize = 1000;
    let mut shut = Vec::new();
    for (number, (rule, pattern)) in patterns().enumerate() {
        let hir = ParserBuilder::new().multi_line(true).build().parse(pattern.expression).unwrap();
        let expression = compiled(pattern.expression).unwrap();
        let mut dice = Dice(0x9e37_79b9_7f4a_7c15 ^ number as u64);
        let (mut tried, mut matched) = (0, 0);
        while matched < TEXTS {
            tried += 1;
            assert!(tried < 100 * TEXTS, "{}: too little of what is made of {} matches", rule.id, pattern.expression);
            let mut text = String::new();
            dice.text(&hir, &mut text);
            // As far as it is found: letters that pass for others may make an end of a word out of none.
            let text = as_read(&text);
            if !expression.is_match(&text) {
                continue;
            }
            matched += 1;
            // Text that is read as one line may be wrapped.
            let wrapped = text.replace(' ', "\n");
            let is_prose = rule.id.starts_with("inject-");
            let texts = [Some(&text), Some(&wrapped).filter(|_| is_prose)];
            let opens = |text: &&String| {
                let words = Words::of(text);
                let also = words.also_of_patterns().any(|(other, _)| other == number);
                words.of_patterns().any(|(other, _)| other == number) && (also || GATES[number].also.is_none())
            };
            if let Some(text) = texts.into_iter().flatten().find(|text| !opens(text)) {
                shut.push(format!("{}: {} matches {text:?}", rule.id, pattern.expression));
                break;
            }
        }
    }
    assert!(shut.is_empty(), "{}", shut.join("\n"));
}
