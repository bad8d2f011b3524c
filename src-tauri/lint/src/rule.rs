//! A rule as a value, and what it says.

use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize, Serializer};
use ts_rs::TS;

use super::analysis::flow::Step;
use super::comments::{Comment, Fault};
use super::files::Files;
use super::group::Group;
use super::mark::{Deed, Mark};
use super::pattern::Patterns;
use super::secrets::Secrets;
use super::subject::{Subject, SubjectSet};
use skill::source::Span;
use skill::{Problem, ProblemKind, Severity};
use wording::{Message, Wording};

/// One thing that is checked, with all that is to be said about it.
#[derive(Debug)]
pub struct Rule {
    /// Kebab case, unique, and the name of its file, e.g. `name-uppercase`.
    pub id: &'static str,
    pub group: Group,
    pub severity: Severity,
    /// In the profile `recommended`. `false`: only in `all`, or if it is selected.
    pub on: bool,
    /// What is wrong, in a few words without a full stop, e.g. `Name has capital letters`.
    pub title: Wording,
    /// What it looks for, exactly.
    pub what: Wording,
    /// Who is hurt, and how.
    pub why: Wording,
    /// It fires here …
    pub bad: Example,
    /// … and not here.
    pub good: Example,
    /// Rules whose findings in the same place add nothing: those are left out.
    pub hides: &'static [&'static Rule],
    /// Further properties; most rules have none.
    pub marks: &'static [Mark],
    /// Where the rule comes from: a specification, a framework's documentation or source, measurement.
    pub source: &'static str,
    /// `None`: it offers no fix.
    pub fix: Option<Applicability>,
    pub check: Check,
}

/// Whether a fix may be applied unseen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Applicability {
    /// It keeps the meaning.
    Safe,
    /// Its author should look at it.
    Unsafe,
}

/// Files of a skill, by their paths in the skill's folder; `SKILL.md` is one of them.
#[derive(Debug, Clone, Copy)]
pub struct Example {
    /// The name of the skill's folder.
    pub folder: &'static str,
    pub files: &'static [(&'static str, &'static str)],
}

impl Example {
    /// A skill in the folder `demo` that is only a `SKILL.md`.
    pub const fn skill(files: &'static [(&'static str, &'static str)]) -> Self {
        Self { folder: "demo", files }
    }
}

/// How a rule looks.
#[derive(Debug)]
pub enum Check {
    /// Reading found this already.
    Load(LoadCheck),
    /// Looks at one skill.
    Skill(SkillCheck),
    /// Texts that match a pattern. All patterns are looked for in one pass.
    Pattern(Patterns),
    /// The same for secrets: no message quotes a match, whichever rule it is from.
    Secret(Patterns),
    /// What is wrong with a comment that ignores findings.
    Comment(CommentCheck),
    /// Checks all skills together.
    Set(SetCheck),
}

/// Whether a rule is about a problem of loading.
pub type LoadCheck = fn(&Problem) -> bool;
/// A rule's message about a `lint-ignore` comment.
pub type CommentCheck = fn(&Comment, Fault) -> Option<Message>;
/// Looks at one skill.
pub type SkillCheck = fn(&Subject<'_>, &mut Report<'_>);
/// Looks at all open skills together.
pub type SetCheck = fn(&SubjectSet<'_>, &mut Report<'_>);

impl Rule {
    /// Of a rule that is patterns.
    pub fn patterns(&self) -> Option<&Patterns> {
        match &self.check {
            Check::Pattern(patterns) | Check::Secret(patterns) => Some(patterns),
            Check::Load(_) | Check::Comment(_) | Check::Skill(_) | Check::Set(_) => None,
        }
    }

    /// What its findings are evidence of, if it is a rule of security.
    pub fn deed(&self) -> Option<Deed> {
        self.marks.iter().find_map(|mark| match mark {
            Mark::Evidence(deed) => Some(*deed),
            Mark::Needless | Mark::FolderName | Mark::SafeIfSame => None,
        })
    }

    /// Its matches are never shown.
    pub fn is_about_secrets(&self) -> bool {
        matches!(self.check, Check::Secret(_))
    }
}

/// As its id. It is read again by the list of all rules.
impl Serialize for Rule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id)
    }
}

/// One place that a rule reports.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Finding {
    pub rule: &'static Rule,
    pub severity: Severity,
    /// The file, or the skill's folder.
    pub path: Utf8PathBuf,
    /// In bytes of the file's text; `None`: it is about the file as a whole.
    pub span: Option<Span>,
    /// What is wrong here, with the names and figures of this case, and what to do; without a full stop.
    pub message: Message,
    /// The problem, if reading the skill found it already; the window words it in its own language.
    pub problem: Option<ProblemKind>,
    /// The consequence, for a finding that gives only the cause.
    pub consequence: Option<Message>,
    /// It is about a link, a file or a folder itself, and quotes none of its contents.
    pub quotes_nothing: bool,
    /// What made it weigh one step less already.
    pub lowered: Option<Lowered>,
    /// For private data that leaves: the way it takes, from where it is read to where it is sent.
    pub steps: Vec<Step>,
    pub fix: Option<Fix>,
}

/// Why a finding weighs less than its rule says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Lowered {
    /// The text around it, or the way it is written, speaks for it.
    Said,
    /// It is in a place where it does less harm.
    Placed,
}

/// The fix of a finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fix {
    /// What it does, as a button says it, e.g. `Write the name as pdf-tools`.
    pub title: Message,
    pub applicability: Applicability,
    /// In one or several files; none overlaps another.
    pub edits: Vec<Edit>,
}

/// A piece of a file, and the text in its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edit {
    pub path: Utf8PathBuf,
    pub span: Span,
    pub text: String,
}

impl Fix {
    fn around(mut self, secrets: &Secrets, files: &dyn Files) -> Option<Self> {
        self.title.each(|text| _ = secrets.hide(text));
        if self.edits.iter().all(|edit| secrets.spans(&edit.text).is_empty()) {
            return Some(self);
        }
        let mut edits = Vec::with_capacity(self.edits.len());
        for edit in self.edits {
            if secrets.spans(&edit.text).is_empty() {
                edits.push(edit);
                continue;
            }
            let source = files.text(&edit.path)?;
            let old = source.text.get(edit.span.start..edit.span.end)?;
            let parts = secrets.around(old, &edit.text)?;
            let part = |(span, text): (Span, String)| Edit {
                path: edit.path.clone(),
                span: span.shift(edit.span.start),
                text,
            };
            edits.extend(parts.into_iter().map(part));
        }
        Some(Self { edits, ..self })
    }
}

/// Takes down what one rule says.
pub struct Report<'a> {
    rule: &'static Rule,
    severity: Severity,
    quotes_nothing: bool,
    findings: &'a mut Vec<Finding>,
}

impl<'a> Report<'a> {
    /// Adds this rule's findings to `findings` with this severity.
    pub fn new(rule: &'static Rule, severity: Severity, findings: &'a mut Vec<Finding>) -> Self {
        Self { rule, severity, quotes_nothing: false, findings }
    }

    /// From here on findings are about links, files and folders themselves: those outside of the opened folders are
    /// named too.
    pub fn quotes_nothing(&mut self) {
        self.quotes_nothing = true;
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
            quotes_nothing: self.quotes_nothing,
            lowered: None,
            steps: Vec::new(),
            fix: None,
        });
        &mut self.findings[place]
    }
}

impl Finding {
    /// The text around it, or the way it is written, makes it less serious: it weighs one step less, and says why.
    /// Never two steps, however many reasons there are: nobody can hide an error by writing more text around it.
    pub fn weigh_less(&mut self, reason: Wording) {
        self.lower(Lowered::Said, reason);
    }

    /// The same because of the place where it is.
    pub(super) fn weigh_less_there(&mut self, reason: Wording) {
        self.lower(Lowered::Placed, reason);
    }

    fn lower(&mut self, lowered: Lowered, reason: Wording) {
        if self.lowered.is_some() {
            return;
        }
        self.lowered = Some(lowered);
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

    /// Reduces a finding about a file elsewhere to the plain fault, without quotes.
    pub(super) fn unquote(&mut self) {
        let Wording { en, zh } = self.rule.title;
        self.message = Message {
            en: format!("{en} (outside of the opened folders, so nothing of it is shown)"),
            zh: format!("{zh}（位于打开的文件夹之外，因此不显示其中内容）"),
        };
        (self.span, self.problem, self.fix) = (None, None, None);
        self.steps.clear();
    }

    /// Removes secrets that it quotes. A fix leaves out secrets that stay where they are; a fix that would move or
    /// change one is dropped.
    pub(super) fn keep_back(&mut self, secrets: &Secrets, files: &dyn Files) {
        let mut quotes = false;
        self.message.each(|text| quotes |= secrets.hide(text));
        self.consequence.iter_mut().for_each(|text| text.each(|text| _ = secrets.hide(text)));
        self.steps.iter_mut().for_each(|step| step.message.each(|text| _ = secrets.hide(text)));
        // Only the message is without them.
        self.problem = self.problem.take().filter(|kind| {
            let written = serde_json::to_string(kind).map(|mut written| secrets.hide(&mut written));
            !quotes && matches!(written, Ok(false))
        });
        self.fix = self.fix.take().and_then(|fix| fix.around(secrets, files));
    }

    /// A fix of one place in the finding's own file, as applicable as the rule says.
    pub fn replace(&mut self, title: impl Into<Message>, span: Span, text: impl Into<String>) {
        let edit = Edit { path: self.path.clone(), span, text: text.into() };
        self.fixed_by(title, vec![edit]);
    }

    /// Gives it a fix that is safe or not, whatever its rule says of most.
    pub fn fixed_as(&mut self, applicability: Applicability, title: impl Into<Message>, edits: Vec<Edit>) {
        self.fix = Some(Fix { title: title.into(), applicability, edits });
    }

    /// Gives it a fix, if its rule has any.
    pub fn fixed_by(&mut self, title: impl Into<Message>, edits: Vec<Edit>) {
        if let Some(applicability) = self.rule.fix {
            self.fix = Some(Fix { title: title.into(), applicability, edits });
        }
    }
}
