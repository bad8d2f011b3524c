//! The patterns that a rule searches for in text.

use camino::Utf8Path;

use wording::Wording;

/// The patterns of one rule.
#[derive(Debug, Clone, Copy)]
pub struct Patterns {
    pub scope: Scope,
    pub patterns: &'static [Pattern],
    /// If this returns `true` a match is not a finding. It decides by the match itself, not by the text around it.
    pub unless: Option<fn(&Match<'_>) -> bool>,
    /// Why a finding weighs less, if it does: the text around it may give a reason.
    pub milder: Option<fn(&Match<'_>) -> Option<Wording>>,
}

/// An expression that a rule looks for, and where.
#[derive(Debug, Clone, Copy)]
pub struct Pattern {
    /// Tried on the lines around a literal of its [`Gate`](super::gate::Gate): from [`Pattern::lines`] before to as many
    /// after. `^` and `$` are the ends of lines. Compiled once. What a security rule for texts reads has the lines of a
    /// paragraph joined.
    pub expression: &'static str,
    /// How many lines before and after the literal's own a match may reach.
    pub lines: u8,
    /// The message for a match; `{}` is the matched text, cut to a readable length.
    pub message: Wording,
}

/// Which texts are searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// The body of `SKILL.md`.
    Body,
    /// The body of `SKILL.md` and Markdown files of the skill.
    Instructions,
    /// Scripts, and code fences in the above.
    Code,
    /// Scripts, and code in `SKILL.md`: no samples of references.
    Programs,
    /// Every text file, `SKILL.md` with its frontmatter too.
    All,
}

/// A match and its surroundings.
#[derive(Debug, Clone, Copy)]
pub struct Match<'a> {
    pub text: &'a str,
    /// The lines it is in, whole.
    pub line: &'a str,
    /// The match is in a code fence, a code span, or a script.
    pub in_code: bool,
    /// It is in a script, or in a fence of a language that can be run.
    pub is_run: bool,
    /// What is before it, as far as it can affect how it is meant.
    pub before: &'a str,
    /// The same, from further up: the text before a fence, the head of a table.
    pub above: &'a str,
    /// The rest of the lines it is in.
    pub after: &'a str,
    /// The file it is in.
    pub path: &'a Utf8Path,
    /// The skill it is of.
    pub skill: Told<'a>,
}

/// A skill, as far as it bears on how a match is meant.
#[derive(Debug, Clone, Copy, Default)]
pub struct Told<'a> {
    pub name: &'a str,
    pub description: &'a str,
}

/// Bytes of [`Match::above`].
pub const ABOVE: usize = 2000;
