//! `difflib` of CPython 3.11, as far as `unified_diff` goes.

use std::collections::HashMap;

/// Lines around a change.
const AROUND: usize = 3;
/// From this many lines of the second text on, very frequent lines are not used to start a match.
const LONG: usize = 200;
/// Steps of a comparison, past which there is none: it may take the square of the lines.
const STEPS: u64 = 10_000_000;

/// `unified_diff(a, b, from, to, lineterm="")`. `None`: it would take too long.
pub fn unified_diff(a: &[&str], b: &[&str], from: &str, to: &str) -> Option<Vec<String>> {
    let mut out = Vec::new();
    for group in grouped(opcodes(a, b)?) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else { continue };
        if out.is_empty() {
            out.extend([format!("--- {from}"), format!("+++ {to}")]);
        }
        let (of_a, of_b) = (range(first.a.0, last.a.1), range(first.b.0, last.b.1));
        out.push(format!("@@ -{of_a} +{of_b} @@"));
        for Opcode { is_equal, a: (a1, a2), b: (b1, b2) } in group {
            let mut put = |mark: char, lines: &[&str]| out.extend(lines.iter().map(|line| format!("{mark}{line}")));
            match is_equal {
                true => put(' ', &a[a1..a2]),
                false => {
                    put('-', &a[a1..a2]);
                    put('+', &b[b1..b2]);
                }
            }
        }
    }
    Some(out)
}

/// `_format_range_unified`.
fn range(start: usize, stop: usize) -> String {
    match stop - start {
        0 => format!("{start},0"),
        1 => format!("{}", start + 1),
        length => format!("{},{length}", start + 1),
    }
}

/// How a piece of the first text changes, and the matching piece of the second.
#[derive(Debug, Clone, Copy)]
struct Opcode {
    is_equal: bool,
    a: (usize, usize),
    b: (usize, usize),
}

/// `get_grouped_opcodes`.
fn grouped(mut codes: Vec<Opcode>) -> Vec<Vec<Opcode>> {
    if let Some(first) = codes.first_mut().filter(|code| code.is_equal) {
        first.a.0 = first.a.0.max(first.a.1.saturating_sub(AROUND));
        first.b.0 = first.b.0.max(first.b.1.saturating_sub(AROUND));
    }
    if let Some(last) = codes.last_mut().filter(|code| code.is_equal) {
        last.a.1 = last.a.1.min(last.a.0 + AROUND);
        last.b.1 = last.b.1.min(last.b.0 + AROUND);
    }
    let mut groups = Vec::new();
    let mut group = Vec::new();
    for mut code in codes {
        if code.is_equal && code.a.1 - code.a.0 > 2 * AROUND {
            let end = |(start, end): (usize, usize)| (start, end.min(start + AROUND));
            group.push(Opcode { a: end(code.a), b: end(code.b), ..code });
            groups.push(std::mem::take(&mut group));
            code.a.0 = code.a.0.max(code.a.1.saturating_sub(AROUND));
            code.b.0 = code.b.0.max(code.b.1.saturating_sub(AROUND));
        }
        group.push(code);
    }
    if !matches!(group[..], [] | [Opcode { is_equal: true, .. }]) {
        groups.push(group);
    }
    groups
}

/// `get_opcodes`.
fn opcodes(a: &[&str], b: &[&str]) -> Option<Vec<Opcode>> {
    let mut codes = Vec::new();
    let (mut i, mut j) = (0, 0);
    for Match { a: ai, b: bj, size } in matching_blocks(a, b)? {
        if i < ai || j < bj {
            codes.push(Opcode { is_equal: false, a: (i, ai), b: (j, bj) });
        }
        (i, j) = (ai + size, bj + size);
        if size > 0 {
            codes.push(Opcode { is_equal: true, a: (ai, i), b: (bj, j) });
        }
    }
    Some(codes)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Match {
    a: usize,
    b: usize,
    size: usize,
}

/// `get_matching_blocks`, with the empty one at the end.
fn matching_blocks(a: &[&str], b: &[&str]) -> Option<Vec<Match>> {
    let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
    for (place, line) in b.iter().enumerate() {
        places.entry(line).or_default().push(place);
    }
    if b.len() >= LONG {
        let most = b.len() / 100 + 1;
        places.retain(|_, places| places.len() <= most);
    }
    let mut steps = STEPS;
    let mut todo = vec![(0, a.len(), 0, b.len())];
    let mut found = Vec::new();
    while let Some((alo, ahi, blo, bhi)) = todo.pop() {
        let longest = longest((a, alo, ahi), (b, blo, bhi), &places, &mut steps)?;
        let Match { a: i, b: j, size } = longest;
        if size == 0 {
            continue;
        }
        found.push(longest);
        if alo < i && blo < j {
            todo.push((alo, i, blo, j));
        }
        if i + size < ahi && j + size < bhi {
            todo.push((i + size, ahi, j + size, bhi));
        }
    }
    found.sort_unstable();
    let mut blocks: Vec<Match> = Vec::new();
    for next in found {
        match blocks.last_mut() {
            Some(last) if (last.a + last.size, last.b + last.size) == (next.a, next.b) => last.size += next.size,
            _ => blocks.push(next),
        }
    }
    blocks.push(Match { a: a.len(), b: b.len(), size: 0 });
    Some(blocks)
}

/// `find_longest_match`: of the longest the first in `a`, and of these the first in `b`.
fn longest(
    (a, alo, ahi): (&[&str], usize, usize),
    (b, blo, bhi): (&[&str], usize, usize),
    places: &HashMap<&str, Vec<usize>>,
    steps: &mut u64,
) -> Option<Match> {
    let mut best = Match { a: alo, b: blo, size: 0 };
    let mut lengths: HashMap<usize, usize> = HashMap::new();
    for (i, line) in a.iter().enumerate().take(ahi).skip(alo) {
        let mut next = HashMap::new();
        let of_line = places.get(line).map(Vec::as_slice).unwrap_or_default();
        let from = of_line.partition_point(|place| *place < blo);
        for &j in of_line[from..].iter().take_while(|place| **place < bhi) {
            *steps = steps.checked_sub(1)?;
            let length = j.checked_sub(1).and_then(|before| lengths.get(&before)).copied().unwrap_or_default() + 1;
            next.insert(j, length);
            if length > best.size {
                best = Match { a: i + 1 - length, b: j + 1 - length, size: length };
            }
        }
        lengths = next;
    }
    // Lines that are there very often belong to it all the same.
    while best.a > alo && best.b > blo && a[best.a - 1] == b[best.b - 1] {
        best = Match { a: best.a - 1, b: best.b - 1, size: best.size + 1 };
    }
    while best.a + best.size < ahi && best.b + best.size < bhi && a[best.a + best.size] == b[best.b + best.size] {
        best.size += 1;
    }
    Some(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diff(a: &str, b: &str) -> String {
        let (a, b): (Vec<&str>, Vec<&str>) = (a.split_inclusive('\n').collect(), b.split_inclusive('\n').collect());
        unified_diff(&a, &b, "a", "b").unwrap().join("\n")
    }

    /// By CPython 3.11.
    #[test]
    fn compares_as_python_does() {
        let Ok(super::super::Value::List(cases)) = super::super::loads(include_str!("difflib_cases.json")) else {
            panic!("a list")
        };
        assert!(cases.len() > 50);
        for case in cases {
            let super::super::Value::List(case) = case else { panic!("{case:?}") };
            let texts: Vec<&str> = case.iter().filter_map(super::super::Value::as_text).collect();
            let [a, b, expected] = texts[..] else { panic!("{texts:?}") };
            assert_eq!(diff(a, b), expected, "{a:?} {b:?}");
        }
    }

    #[test]
    fn what_would_take_too_long_is_not_compared() {
        let many: Vec<String> = (0..33_000).map(|line| format!("{}", line % 100)).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert!(unified_diff(&many, &many[1..], "a", "b").is_none());
    }
}
