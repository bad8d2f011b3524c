//! The lines of a request that contain something about a skill.

use super::owner;
use harness::Mark;

/// As the model reads them, from the first of the texts that has any; `None`: there are none.
pub fn of<'a>(mut texts: impl Iterator<Item = (&'a str, &'a [Mark])>, skill: &str) -> Option<String> {
    texts.find_map(|(text, marks)| within(text, marks, skill))
}

/// Whole lines, from the first with something of the skill to the last before another skill's. If a value is on
/// separate lines, the lines around it, which are its tags, are included. Later parts come after a line that says that
/// something is left out.
fn within(text: &str, marks: &[Mark], skill: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let mut runs: Vec<(usize, usize)> = Vec::new();
    let mut is_open = false;
    for mark in marks {
        match owner(&mark.origin) {
            Some(owner) if owner == skill => {
                let (from, to) = (mark.span.start, mark.span.end);
                match runs.last_mut().filter(|_| is_open) {
                    Some(run) => run.1 = to,
                    None => runs.push((from, to)),
                }
                is_open = true;
            }
            Some(_) => is_open = false,
            None => {}
        }
    }
    let lines = runs.into_iter().map(|(from, to)| {
        let start = bytes[..from].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        // A value may end with its line.
        let last = to - usize::from(to > from && bytes[to - 1] == b'\n');
        let end = bytes[last..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |at| last + at);
        let is_framework = |from: usize, to: usize| {
            let is_in = |mark: &&Mark| mark.span.start < to && from < mark.span.end;
            from < to && !marks.iter().filter(is_in).any(|mark| owner(&mark.origin).is_some())
        };
        let has_own_lines = bytes[start..end.max(start)].contains(&b'\n');
        let before = start.saturating_sub(1);
        let above = bytes[..before].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let start = if has_own_lines && from == start && is_framework(above, before) { above } else { start };
        let after = (end + 1).min(bytes.len());
        let below = bytes[after..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |at| after + at);
        let end = if has_own_lines && last == end && is_framework(after, below) { below } else { end };
        &text[start..end.max(start)]
    });
    let lines: Vec<&str> = lines.collect();
    (!lines.is_empty()).then(|| lines.join("\n…\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use harness::Origin;
    use skill::source::Span;

    #[test]
    fn whole_lines_up_to_another_skill() {
        let text = "List:\n- a: 说明 (file)\n- b: B\nAlso a.";
        let mark = |part: &str, nth: usize, skill: &str| {
            let at = text.match_indices(part).nth(nth).unwrap().0;
            let origin = Origin::Skill { skill: skill.into(), field: "name".into() };
            Mark { span: Span::new(at, at + part.len()), origin }
        };
        let marks = [mark("a:", 0, "a"), mark("说明", 0, "a"), mark("b:", 0, "b"), mark("a.", 0, "a")];
        assert_eq!(within(text, &marks, "a").as_deref(), Some("- a: 说明 (file)\n…\nAlso a."));
        assert_eq!(within(text, &marks, "b").as_deref(), Some("- b: B"));
        assert_eq!(within(text, &marks, "c"), None);
    }

    #[test]
    fn a_value_on_lines_of_its_own_has_its_tags() {
        let text = "<skill>\n<name>\na\n</name>\n<description>\nA\n</description>\n</skill>\n";
        let mark = |part: &str| {
            let at = text.find(part).unwrap() + 1;
            let origin = Origin::Skill { skill: "a".into(), field: "name".into() };
            Mark { span: Span::new(at, at + 1), origin }
        };
        let found = within(text, &[mark("\na\n"), mark("\nA\n")], "a");
        assert_eq!(found.as_deref(), Some("<name>\na\n</name>\n<description>\nA\n</description>"));
    }
}
