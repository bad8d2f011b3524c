//! The lines of what is sent that say something of a skill.

use super::owner;
use crate::dto::{Inspection, TextMark};

/// As the model reads them, from the instructions, else from the description of a tool; `None`: there are none.
pub fn of(shown: &Inspection, skill: &str) -> Option<String> {
    let said = shown.instructions.iter().map(|said| (&said.text, &said.marks));
    let tools = shown.tools.iter().map(|tool| (&tool.description, &tool.marks));
    said.chain(tools).find_map(|(text, marks)| within(text, marks, skill))
}

/// Whole lines, from the first that has something of the skill to the last before another skill's. A value on lines of its own
/// has the lines around it too, which are its tags. What is further on comes behind a line that says that something is left
/// out.
fn within(text: &str, marks: &[TextMark], skill: &str) -> Option<String> {
    let units: Vec<u16> = text.encode_utf16().collect();
    let mut runs: Vec<(usize, usize)> = Vec::new();
    let mut is_open = false;
    for mark in marks {
        match owner(&mark.origin) {
            Some(owner) if owner == skill => {
                let (from, to) = (mark.from as usize, mark.to as usize);
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
    let line_end = u16::from(b'\n');
    let lines = runs.into_iter().map(|(from, to)| {
        let (from, to) = (from.min(units.len()), to.min(units.len()));
        let start = units[..from].iter().rposition(|unit| *unit == line_end).map_or(0, |at| at + 1);
        // A value may end with its line.
        let last = to - usize::from(to > from && units[to - 1] == line_end);
        let end = units[last..].iter().position(|unit| *unit == line_end).map_or(units.len(), |at| last + at);
        let is_framework = |from: usize, to: usize| {
            let is_in = |mark: &&TextMark| (mark.from as usize) < to && from < mark.to as usize;
            from < to && !marks.iter().filter(is_in).any(|mark| owner(&mark.origin).is_some())
        };
        let has_own_lines = units[start..end.max(start)].contains(&line_end);
        let before = start.saturating_sub(1);
        let above = units[..before].iter().rposition(|unit| *unit == line_end).map_or(0, |at| at + 1);
        let start = if has_own_lines && from == start && is_framework(above, before) { above } else { start };
        let after = (end + 1).min(units.len());
        let below = units[after..].iter().position(|unit| *unit == line_end).map_or(units.len(), |at| after + at);
        let end = if has_own_lines && last == end && is_framework(after, below) { below } else { end };
        String::from_utf16_lossy(&units[start..end.max(start)])
    });
    let lines: Vec<String> = lines.collect();
    (!lines.is_empty()).then(|| lines.join("\n…\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use harness::Origin;

    #[test]
    fn whole_lines_up_to_another_skill() {
        let text = "List:\n- a: 说明 (file)\n- b: B\nAlso a.";
        let mark = |part: &str, nth: usize, skill: &str| {
            let at = text.match_indices(part).nth(nth).unwrap().0;
            let units = |bytes: usize| u32::try_from(text[..bytes].encode_utf16().count()).unwrap();
            let origin = Origin::Skill { skill: skill.into(), field: "name".into() };
            TextMark { from: units(at), to: units(at + part.len()), origin }
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
            let at = u32::try_from(text.find(part).unwrap() + 1).unwrap();
            let origin = Origin::Skill { skill: "a".into(), field: "name".into() };
            TextMark { from: at, to: at + 1, origin }
        };
        let found = within(text, &[mark("\na\n"), mark("\nA\n")], "a");
        assert_eq!(found.as_deref(), Some("<name>\na\n</name>\n<description>\nA\n</description>"));
    }
}
