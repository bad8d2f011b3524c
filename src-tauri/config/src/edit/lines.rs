//! A YAML file line by line: finds its keys by indentation alone. Callers parse an edited text again before they use
//! it.

use std::ops::Range;

/// The text in lines, with their ends.
pub struct Lines<'a>(pub Vec<&'a str>);

impl<'a> Lines<'a> {
    pub fn of(text: &'a str) -> Self {
        Self(text.split_inclusive('\n').collect())
    }

    /// The first line among the outermost of `range` that holds `key`.
    pub fn key(&self, key: &str, mut range: Range<usize>) -> Option<usize> {
        let outermost = self.indent_in(&range)?;
        range.find(|&line| {
            let line = self.0[line];
            has_content(line) && indent(line) == outermost && split(line).is_some_and(|(found, _)| found == key)
        })
    }

    /// The lines below a key that has nothing on its own line, up to the last that is not empty or a comment.
    pub fn block(&self, at: usize) -> Option<Range<usize>> {
        let (_, rest) = split(self.0[at])?;
        if !rest.is_empty() && !rest.starts_with('#') {
            return None;
        }
        Some(self.below(at))
    }

    /// The lines below a key that belong to it, up to the last that is not empty or a comment. Entries of a list may be
    /// indented no further than their key.
    pub fn below(&self, at: usize) -> Range<usize> {
        let outer = indent(self.0[at]);
        let holds_list = split(self.0[at]).is_some_and(|(_, rest)| !has_content(rest));
        let mut end = at + 1;
        for (line, text) in self.0.iter().enumerate().skip(at + 1).filter(|(_, text)| has_content(text)) {
            let is_inside = indent(text) > outer || (indent(text) == outer && holds_list && is_entry(text));
            if !is_inside {
                break;
            }
            end = line + 1;
        }
        at + 1..end
    }

    /// The lines of each entry of the list in `range`, up to the last that is not empty or a comment.
    pub fn entries(&self, range: &Range<usize>) -> Vec<Range<usize>> {
        let Some(outermost) = self.indent_in(range) else { return Vec::new() };
        let is_start = |line: &usize| has_content(self.0[*line]) && indent(self.0[*line]) == outermost;
        let starts: Vec<usize> = range.clone().filter(|line| is_start(line) && is_entry(self.0[*line])).collect();
        let ends = starts.iter().skip(1).copied().chain([range.end]);
        let last_content = |start: usize, end: usize| {
            (start..end).rev().find(|line| has_content(self.0[*line])).map_or(start + 1, |line| line + 1)
        };
        starts.iter().zip(ends).map(|(start, end)| *start..last_content(*start, end)).collect()
    }

    pub fn indent_in(&self, range: &Range<usize>) -> Option<usize> {
        self.0[range.clone()].iter().find(|line| has_content(line)).map(|line| indent(line))
    }

    pub fn contents(&self, range: &Range<usize>) -> usize {
        self.0[range.clone()].iter().filter(|line| has_content(line)).count()
    }

    /// The text with further lines before line `at`.
    pub fn inserted(&self, at: usize, added: &[String]) -> String {
        self.replaced(at..at, added)
    }

    /// The text with other lines in place of `range`.
    pub fn replaced(&self, range: Range<usize>, added: &[String]) -> String {
        let newline = if self.0.first().is_some_and(|line| line.ends_with("\r\n")) { "\r\n" } else { "\n" };
        let mut text = self.0[..range.start].concat();
        if !text.is_empty() && !text.ends_with('\n') {
            text.push_str(newline);
        }
        for line in added {
            text.push_str(line);
            text.push_str(newline);
        }
        text.push_str(&self.0[range.end..].concat());
        text
    }
}

/// Neither empty nor a comment.
pub fn has_content(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && !line.starts_with('#')
}

/// An entry of a list begins here.
pub fn is_entry(line: &str) -> bool {
    let line = line.trim();
    line == "-" || line.starts_with("- ")
}

pub fn indent(line: &str) -> usize {
    line.bytes().take_while(|byte| *byte == b' ').count()
}

/// A key without its quotes, and what follows its colon.
pub fn split(line: &str) -> Option<(&str, &str)> {
    let (key, rest) = line.trim().split_once(':')?;
    let bare = |quote: char| key.strip_prefix(quote).and_then(|key| key.strip_suffix(quote));
    let separate = rest.is_empty() || rest.starts_with([' ', '\t']);
    separate.then(|| (bare('"').or_else(|| bare('\'')).unwrap_or(key).trim_end(), rest.trim_start()))
}
