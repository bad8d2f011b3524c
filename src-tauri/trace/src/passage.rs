//! Which parts of a step are searched, how texts are compared for that, and the excerpt that is shown of a match. The
//! user's query is in [`crate::query`].

use std::ops::Range;

use serde::Serialize;
use ts_rs::TS;

use crate::{Step, StepKind, StepState};
use harness::Disclosure;

/// What a step is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum KindOfStep {
    Prompt,
    Answer,
    Tool,
    Note,
    End,
    /// What the request of an answer was the first to have before the conversation: system texts, definitions of tools.
    System,
}

impl KindOfStep {
    const ALL: [Self; 6] = [Self::Prompt, Self::Answer, Self::Tool, Self::Note, Self::End, Self::System];

    /// As queries and the store write it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Prompt => "prompt",
            Self::Answer => "answer",
            Self::Tool => "tool",
            Self::Note => "note",
            Self::End => "end",
            Self::System => "system",
        }
    }

    /// The opposite of [`KindOfStep::word`]; `None` for other words.
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }
}

/// What filters ask about a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    pub step: u32,
    pub kind: KindOfStep,
    pub state: StepState,
    /// Empty: the step is not a call.
    pub tool: String,
    /// That the call reached into, or that the prompt names, one a line. Empty: none.
    pub skill: String,
    pub took: Option<i64>,
    /// In millionths of a US dollar.
    pub cost: Option<i64>,
    pub tokens: i64,
}

/// A step as it is looked through.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    pub facts: Facts,
    pub text: String,
}

/// Bytes of a step's text that are looked through.
pub const TEXT: usize = 1 << 20;

impl Passage {
    /// The text is cut at [`TEXT`] bytes.
    pub fn of(step: &Step) -> Self {
        let (mut tool, mut skill, mut cost) = (String::new(), String::new(), None);
        let mut texts: Vec<&str> = Vec::new();
        let kind = match &step.kind {
            StepKind::Prompt { text, skills, .. } => {
                texts.push(text);
                skill = skills.join("\n");
                KindOfStep::Prompt
            }
            StepKind::Answer { text, reasoning, spent, error, .. } => {
                texts.extend([text.as_str(), reasoning.as_str()]);
                texts.extend(error.as_deref());
                let millionths = |cost: f64| (cost * 1e6).round() as i64;
                cost = spent.and_then(|spent| spent.cost).map(millionths);
                KindOfStep::Answer
            }
            StepKind::Tool { call, disclosed, reply, .. } => {
                tool.clone_from(&call.name);
                skill = match disclosed {
                    Disclosure::Instructions { skill }
                    | Disclosure::Resource { skill, .. }
                    | Disclosure::Script { skill, .. } => skill.clone(),
                    Disclosure::None => String::new(),
                };
                texts.extend([&*call.name, &*call.arguments]);
                texts.extend(reply.as_deref());
                KindOfStep::Tool
            }
            StepKind::Note { text, zh, .. } => {
                texts.push(text);
                texts.extend(zh.as_deref());
                KindOfStep::Note
            }
            StepKind::End { error, zh, .. } => {
                texts.extend(error.as_deref());
                texts.extend(zh.as_deref());
                KindOfStep::End
            }
        };
        texts.retain(|text| !text.is_empty());
        let text = cut(texts.join("\n"));
        let facts = Facts {
            step: step.index,
            kind,
            state: step.state,
            tool,
            skill,
            took: step.took,
            cost,
            tokens: step.added_tokens.into(),
        };
        Self { facts, text }
    }

    /// What the request of a step had before the conversation.
    pub fn before(step: &Step, text: String) -> Self {
        let facts = Facts {
            step: step.index,
            kind: KindOfStep::System,
            state: StepState::Done,
            tool: String::new(),
            skill: String::new(),
            took: None,
            cost: None,
            tokens: 0,
        };
        Self { facts, text: cut(text) }
    }
}

fn cut(mut text: String) -> String {
    text.truncate(text.floor_char_boundary(TEXT));
    text
}

/// A piece of an excerpt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ExcerptPiece {
    pub text: String,
    /// It is one of the words that were looked for.
    pub found: bool,
}

/// Characters of a text that are shown before and after the first word that was found.
const BEFORE: usize = 40;
const AFTER: usize = 100;

/// One line of a text around the first of the folded `words`, or its beginning if there are none.
pub fn excerpt(text: &str, words: &[String]) -> Vec<ExcerptPiece> {
    let first = words.first().and_then(|word| place(text, word)).unwrap_or(0..0);
    let start = text[..first.start].char_indices().rev().take(BEFORE).last().map_or(first.start, |(at, _)| at);
    let end = text[first.end..].char_indices().nth(AFTER).map_or(text.len(), |(at, _)| first.end + at);
    let shown = &text[start..end];
    let mut pieces: Vec<ExcerptPiece> = Vec::new();
    let mut push = |text: &str, found| {
        let text = text.replace(char::is_control, " ");
        match pieces.last_mut() {
            Some(last) if last.found == found => last.text.push_str(&text),
            _ if text.is_empty() => {}
            _ => pieces.push(ExcerptPiece { text, found }),
        }
    };
    if start > 0 {
        push("…", false);
    }
    let mut at = 0;
    for Range { start, end } in marks(shown, words) {
        push(&shown[at..start], false);
        push(&shown[start..end], true);
        at = end;
    }
    push(&shown[at..], false);
    if end < text.len() {
        push("…", false);
    }
    pieces
}

/// Where words occur in a text, in order, without overlaps.
fn marks(text: &str, words: &[String]) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for word in words {
        let mut from = 0;
        while let Some(at) = place(&text[from..], word) {
            found.push(from + at.start..from + at.end);
            from += at.end;
        }
    }
    found.sort_by_key(|mark| (mark.start, std::cmp::Reverse(mark.end)));
    let mut until = 0;
    found.retain(|mark| {
        let is_after = mark.start >= until;
        until = until.max(mark.end);
        is_after
    });
    found
}

/// A text as it is compared: in lower case, and in half width what keyboards for Chinese write in full width.
pub fn folded(text: &str) -> String {
    text.chars().flat_map(fold).collect()
}

/// Where a folded word is in a text.
pub fn place(text: &str, word: &str) -> Option<Range<usize>> {
    let first = word.chars().next()?;
    text.char_indices().find_map(|(start, letter)| {
        if fold(letter).next() != Some(first) {
            return None;
        }
        let mut wanted = word.chars().peekable();
        for (at, letter) in text[start..].char_indices() {
            for folded in fold(letter) {
                if wanted.next() != Some(folded) {
                    return None;
                }
            }
            if wanted.peek().is_none() {
                return Some(start..start + at + letter.len_utf8());
            }
        }
        None
    })
}

fn fold(letter: char) -> std::char::ToLowercase {
    let half = match letter {
        '！'..='～' => char::from_u32(u32::from(letter) - 0xfee0).unwrap_or(letter),
        '\u{3000}' => ' ',
        letter => letter,
    };
    half.to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str, words: &[&str]) -> String {
        let words: Vec<String> = words.iter().map(|word| folded(word)).collect();
        let mark = |piece: ExcerptPiece| if piece.found { format!("[{}]", piece.text) } else { piece.text };
        excerpt(text, &words).into_iter().map(mark).collect()
    }

    #[test]
    fn an_excerpt_is_one_line_around_the_first_word_with_all_words_marked() {
        assert_eq!(
            told("One kilogram\nis 2.2 pounds. A KILO.", &["kilo", "pound"]),
            "One [kilo]gram is 2.2 [pound]s. A [KILO]."
        );
        let long = format!("{} needle {}", "hay ".repeat(50), "straw ".repeat(50));
        let shown = told(&long, &["needle"]);
        assert!(shown.starts_with('…') && shown.ends_with('…') && shown.contains(" [needle] "), "{shown}");
        assert_eq!(shown.chars().count(), BEFORE + AFTER + "[needle]……".chars().count());
        assert_eq!(told("kilogram", &["kilogram", "kilo"]), "[kilogram]", "words that overlap are marked once");
        assert_eq!(told("", &[]), "");
    }

    #[test]
    fn full_width_and_case_make_no_difference() {
        assert_eq!(told("版本 Ｖ２ 与 v2", &["Ｖ2"]), "版本 [Ｖ２] 与 [v2]");
        assert_eq!(place("把公里", "公里"), Some(3..9));
        assert_eq!(place("公", "公里"), None);
    }
}
