//! What the model is shown before the first message, and who put each byte there.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use model::ToolDef;
use skill::source::Span;

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Presentation {
    /// `None` where there is no system message.
    pub instructions: Option<Marked>,
    pub tools: Vec<PresentedTool>,
}

impl Presentation {
    pub fn definitions(&self) -> Vec<ToolDef> {
        self.tools.iter().map(|tool| tool.definition.clone()).collect()
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct PresentedTool {
    pub definition: ToolDef,
    /// Of the description.
    pub marks: Vec<Mark>,
}

impl PresentedTool {
    /// A tool whose description is the framework's own text.
    pub fn plain(definition: ToolDef) -> Self {
        let mut description = Marked::default();
        description.push(&definition.description, Origin::Framework);
        Self { definition, marks: description.marks }
    }
}

/// Text whose every byte has an origin; `marks` are in order, without gaps or overlaps.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Marked {
    pub text: String,
    pub marks: Vec<Mark>,
}

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
}

impl Marked {
    /// Puts another text behind, with its marks.
    pub fn append(&mut self, other: &Self) {
        for mark in &other.marks {
            self.push(mark.span.of(&other.text), mark.origin.clone());
        }
    }

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
