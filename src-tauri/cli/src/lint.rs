//! `lint`: what is wrong with skills on disk, and where frameworks hurt them, with the lines it is about.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use serde_json::json;
use skillbench_core::api::dto::{FindingDto, LintArgs as Ask, NoArgs, QuirkDto, TextRange};
use skillbench_core::api::{ApiError, Workbench};
use skillbench_core::skill::Severity;

use crate::print::{GREEN, YELLOW, gist, out, styled};
use crate::{LintArgs, LintFormat, Outcome, bench_on, choice, print};

pub async fn lint(args: LintArgs) -> Result<Outcome, ApiError> {
    let bench = bench_on(&args.paths).await;
    let found = bench.lint(Ask { select: Vec::new(), ignore: Vec::new() }).await?;
    found.complaints.iter().for_each(|complaint| print::warning(complaint));
    let problems = found.findings;
    let quirks = quirks(&bench, &args.harness).await?;
    let errors = problems.iter().filter(|problem| problem.severity == Severity::Error).count();
    match args.format {
        LintFormat::Json => {
            print::json(
                &json!({ "skills": found.skills, "rules": found.rules, "findings": problems, "quirks": quirks }),
            )?;
        }
        LintFormat::Github => findings(&problems, &quirks).for_each(|finding| out(&finding.github())),
        LintFormat::Text => {
            findings(&problems, &quirks).for_each(|finding| out(&finding.framed()));
            out(&summary(found.skills as usize, &problems, &quirks));
        }
    }
    Ok(if errors > 0 { Outcome::Bad } else { Outcome::Good })
}

/// Of the harnesses named, else of the one the project uses, if it says.
async fn quirks(bench: &Workbench, names: &[String]) -> Result<Vec<QuirkDto>, ApiError> {
    if !names.is_empty() {
        let known = bench.harness_list(NoArgs {}).await?;
        return bench.quirks(&choice::several(names, &known)).await;
    }
    let of_project = match bench.project_harness().await {
        Ok(Some(harness)) => bench.quirks(&[harness]).await,
        Ok(None) => Ok(Vec::new()),
        Err(error) => Err(error),
    };
    // What is wrong with the skills is told all the same.
    Ok(of_project.unwrap_or_else(|error| {
        print::warning(&error.message);
        Vec::new()
    }))
}

fn findings<'a>(problems: &'a [FindingDto], quirks: &'a [QuirkDto]) -> impl Iterator<Item = Finding<'a>> {
    problems.iter().map(Finding::from).chain(quirks.iter().map(Finding::from))
}

fn summary(skills: usize, problems: &[FindingDto], quirks: &[QuirkDto]) -> String {
    let counted = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    let skills = counted(skills, "skill");
    let quirks = match quirks.len() {
        0 => String::new(),
        count => format!(", {}", counted(count, "quirk")),
    };
    if problems.is_empty() {
        let style = if quirks.is_empty() { GREEN } else { YELLOW };
        return styled(style, format!("{skills}, no problems{quirks}"));
    }
    let count = |severity| problems.iter().filter(|problem| problem.severity == severity).count();
    format!("{skills}, {} errors, {} warnings{quirks}", count(Severity::Error), count(Severity::Warning))
}

/// A problem or a quirk.
struct Finding<'a> {
    severity: Severity,
    /// Of a quirk: harness and kind.
    code: Option<&'a str>,
    message: String,
    path: Option<&'a str>,
    range: Option<TextRange>,
}

impl<'a> From<&'a FindingDto> for Finding<'a> {
    fn from(problem: &'a FindingDto) -> Self {
        Self {
            severity: problem.severity,
            code: Some(&problem.rule),
            message: problem.message.clone(),
            path: Some(&problem.path),
            range: problem.range,
        }
    }
}

impl<'a> From<&'a QuirkDto> for Finding<'a> {
    fn from(quirk: &'a QuirkDto) -> Self {
        let detail = if quirk.detail.is_empty() { String::new() } else { format!(": {}", gist(&quirk.detail, 100)) };
        Self {
            severity: quirk.severity,
            code: Some(&quirk.code),
            message: format!("{}{detail}", quirk.message),
            path: quirk.path.as_deref(),
            range: quirk.range,
        }
    }
}

impl Finding<'_> {
    /// Over its lines of source, or alone where it has no place or the file cannot be read.
    fn framed(&self) -> String {
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Info => Level::INFO,
        };
        let title = level.primary_title(self.message.as_str());
        let title = match self.code {
            Some(code) => title.id(code),
            None => title,
        };
        let Some(path) = self.path else { return Renderer::styled().render(&[Group::with_title(title)]).to_string() };
        let source = self.range.and_then(|range| {
            let text = std::fs::read_to_string(path).ok()?;
            // Ranges count in the text as editors show it.
            let text = text.strip_prefix('\u{feff}').unwrap_or(&text).replace("\r\n", "\n");
            Some((byte_at(&text, range.from)..byte_at(&text, range.to), text))
        });
        let group = match &source {
            Some((span, text)) => title.element(
                Snippet::source(text.as_str()).path(path).annotation(AnnotationKind::Primary.span(span.clone())),
            ),
            None => Group::with_title(title).element(annotate_snippets::Origin::path(path)),
        };
        Renderer::styled().render(&[group]).to_string()
    }

    /// https://docs.github.com/actions/reference/workflow-commands-for-github-actions
    fn github(&self) -> String {
        let command = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "notice",
        };
        let escape = |text: &str| text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
        let value = |text: &str| escape(text).replace(':', "%3A").replace(',', "%2C");
        let place = self.range.map(|range| [("line", range.line.to_string()), ("col", range.column.to_string())]);
        let mut properties: Vec<String> = self.path.map(|path| format!("file={}", value(path))).into_iter().collect();
        properties.extend(place.into_iter().flatten().map(|(key, place)| format!("{key}={place}")));
        properties.extend(self.code.map(|code| format!("title={}", value(code))));
        let space = if properties.is_empty() { "" } else { " " };
        format!("::{command}{space}{}::{}", properties.join(","), escape(&self.message))
    }
}

/// The byte at a UTF-16 offset.
fn byte_at(text: &str, offset: u32) -> usize {
    let mut units = 0;
    for (byte, character) in text.char_indices() {
        if units >= offset as usize {
            return byte;
        }
        units += character.len_utf16();
    }
    text.len()
}
