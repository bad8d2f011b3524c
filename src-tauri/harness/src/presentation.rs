//! What the model is shown before the first message, and who put each byte there.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use model::{Message, Part, Role, ToolDef};
use skill::source::Span;

/// What the model is shown before the user says anything.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Presentation {
    /// `None` if there is no system message.
    pub instructions: Option<Marked>,
    /// Bytes of the instructions behind which the framework puts a cache point, ascending.
    pub cache_points: Vec<usize>,
    pub tools: Vec<PresentedTool>,
}

impl Presentation {
    /// The system message, with its cache points.
    pub fn system(&self) -> Option<Message> {
        let instructions = self.instructions.as_ref()?;
        let mut system = Message { role: Role::System, parts: Vec::new() };
        let mut from = 0;
        for point in self.cache_points.iter().filter_map(|point| instructions.text.get(..*point).map(str::len)) {
            if let Some(text) = instructions.text.get(from..point).filter(|text| !text.is_empty()) {
                system.parts.push(Part::Text { text: text.to_owned() });
            }
            system.parts.push(Part::CachePoint);
            from = point;
        }
        let rest = &instructions.text[from..];
        if !rest.is_empty() || system.parts.is_empty() {
            system.parts.push(Part::Text { text: rest.to_owned() });
        }
        Some(system)
    }

    /// The tools as a request has them, in the order in which they are shown.
    pub fn definitions(&self) -> Vec<ToolDef> {
        self.tools.iter().map(|tool| tool.definition.clone()).collect()
    }
}

/// A tool that it is offered.
#[derive(Debug, Clone, PartialEq)]
pub struct PresentedTool {
    pub definition: ToolDef,
    /// Of the description.
    pub marks: Vec<Mark>,
    /// `false`: one of a client's own tools, which is here so that a run can use it, and was not compared with the
    /// client's.
    pub compared: bool,
}

impl PresentedTool {
    /// A client's own tool, which is not about skills.
    pub fn base(definition: ToolDef) -> Self {
        Self { compared: false, ..Self::plain(definition) }
    }

    /// A tool whose description is the framework's own text.
    pub fn plain(definition: ToolDef) -> Self {
        let mut description = Marked::default();
        description.push(&definition.description, Origin::Framework);
        Self { definition, marks: description.marks, compared: true }
    }
}

/// Text whose every byte has an origin; `marks` are in order, without gaps or overlaps.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Marked {
    pub text: String,
    pub marks: Vec<Mark>,
}

/// The origin of a piece of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    pub span: Span,
    pub origin: Origin,
}

/// Who put a byte there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Origin {
    /// The framework's own text.
    Framework,
    /// A field of a skill, e.g. `description`, or its `body`.
    Skill { skill: String, field: String },
    /// The user's prompt, agent instructions or template.
    User,
    /// A tool's output.
    Tool { tool: String },
    /// The place of a text of the client that is not reproduced here. The text there says so.
    Withheld {
        /// Whose text it is.
        client: String,
        /// How long it is; `null`: that was not recorded.
        characters: Option<u32>,
    },
}

impl Marked {
    /// Puts another text after, with its marks.
    pub fn append(&mut self, other: &Self) {
        for mark in &other.marks {
            self.push(mark.span.of(&other.text), mark.origin.clone());
        }
    }

    /// The place of a client's own text, with its length if that is known.
    pub fn push_withheld(&mut self, client: &str, characters: Option<u32>) {
        let length = characters.map_or_else(String::new, |characters| format!("{} characters, ", grouped(characters)));
        let text = format!("[{client}'s own text, {length}not reproduced]");
        self.push(&text, Origin::Withheld { client: client.to_owned(), characters });
    }

    /// Adds a text, and who put it there.
    pub fn push(&mut self, text: &str, origin: Origin) {
        if text.is_empty() {
            return;
        }
        let start = self.text.len();
        self.text.push_str(text);
        let end = self.text.len();
        match self.marks.last_mut() {
            Some(last) if last.origin == origin => last.span.end = end,
            _ => self.marks.push(Mark { span: Span { start, end }, origin }),
        }
    }
}

/// With a comma between thousands.
pub(crate) fn grouped(number: impl Into<u64>) -> String {
    let digits = number.into().to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_of_a_text_that_is_not_reproduced_says_whose_and_how_long() {
        let shown = [7, 1417, 1_000_000].map(|characters| {
            let mut text = Marked::default();
            text.push_withheld("Claude Code", Some(characters));
            assert_eq!(
                text.marks[0].origin,
                Origin::Withheld { client: "Claude Code".into(), characters: Some(characters) }
            );
            text.text
        });
        let said =
            ["7", "1,417", "1,000,000"].map(|n| format!("[Claude Code's own text, {n} characters, not reproduced]"));
        assert_eq!(shown, said);
    }
}
