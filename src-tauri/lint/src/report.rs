//! What rules say.

use camino::{Utf8Path, Utf8PathBuf};

use super::rules::security::secret;
use super::{Applicability, Rule};
use skill::source::Span;
use skill::wording::{Message, Wording};
use skill::{ProblemKind, Severity};

/// One place that a rule minds.
#[derive(Debug, Clone)]
pub struct Finding {
    pub rule: &'static Rule,
    pub severity: Severity,
    /// The file, or the skill's folder.
    pub path: Utf8PathBuf,
    /// In bytes of the file's text; `None`: it is about the file as a whole.
    pub span: Option<Span>,
    /// What is wrong here, with the names and figures of this case, and what to do; without a full stop.
    pub message: Message,
    /// Where reading the skill found it already; the window says it in its own language.
    pub problem: Option<ProblemKind>,
    /// What follows from it, for a finding that says only why.
    pub consequence: Option<Message>,
    pub fix: Option<Fix>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// What it does, as a button says it, e.g. `Write the name as pdf-tools`.
    pub title: Message,
    pub applicability: Applicability,
    /// In one or several files; none overlaps another.
    pub edits: Vec<Edit>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    pub path: Utf8PathBuf,
    pub span: Span,
    pub text: String,
}

/// Takes down what one rule says.
pub struct Report<'a> {
    rule: &'static Rule,
    severity: Severity,
    findings: &'a mut Vec<Finding>,
}

impl<'a> Report<'a> {
    pub fn new(rule: &'static Rule, severity: Severity, findings: &'a mut Vec<Finding>) -> Self {
        Self { rule, severity, findings }
    }

    /// About a place in a file.
    pub fn at(&mut self, path: &Utf8Path, span: Span, message: impl Into<Message>) -> &mut Finding {
        self.push(path, Some(span), message.into())
    }

    /// About a file, or a folder, as a whole.
    pub fn about(&mut self, path: &Utf8Path, message: impl Into<Message>) -> &mut Finding {
        self.push(path, None, message.into())
    }

    fn push(&mut self, path: &Utf8Path, span: Option<Span>, message: Message) -> &mut Finding {
        let place = self.findings.len();
        self.findings.push(Finding {
            rule: self.rule,
            severity: self.severity,
            path: path.to_owned(),
            span,
            message,
            problem: None,
            consequence: None,
            fix: None,
        });
        &mut self.findings[place]
    }
}

impl Finding {
    /// The text around it, or the way it is written, speaks for it: it weighs one step less, and says why.
    pub fn weigh_less(&mut self, reason: Wording) {
        let severity = match self.severity {
            Severity::Error => Severity::Warning,
            Severity::Warning | Severity::Info => Severity::Info,
        };
        if severity != self.severity {
            self.severity = severity;
            self.message.en.push_str(&format!(" (less severe here: {})", reason.en));
            self.message.zh.push_str(&format!("（此处减轻一级：{}）", reason.zh));
        }
    }

    /// Says of a file that lies elsewhere no more than what is wrong with it.
    pub(super) fn unquote(&mut self) {
        let Wording { en, zh } = self.rule.title;
        self.message = Message {
            en: format!("{en} (outside of the opened folders, so nothing of it is shown)"),
            zh: format!("{zh}（位于打开的文件夹之外，因此不显示其中内容）"),
        };
        (self.span, self.problem, self.fix) = (None, None, None);
    }

    /// Takes out secrets that it quotes.
    pub(super) fn keep_back(&mut self, secrets: &[String]) {
        let before = self.message.clone();
        self.message.each(|text| secret::unsaid(text, secrets));
        if let Some(fix) = &mut self.fix {
            fix.title.each(|text| secret::unsaid(text, secrets));
        }
        // Only the message is without them.
        if self.message != before {
            self.problem = None;
        }
    }

    /// A fix of one place in the finding's own file, as applicable as the rule says.
    pub fn replace(&mut self, title: impl Into<Message>, span: Span, text: impl Into<String>) {
        let edit = Edit { path: self.path.clone(), span, text: text.into() };
        self.fixed_by(title, vec![edit]);
    }

    pub fn fixed_by(&mut self, title: impl Into<Message>, edits: Vec<Edit>) {
        if let Some(applicability) = self.rule.fix {
            self.fix = Some(Fix { title: title.into(), applicability, edits });
        }
    }
}
