//! `lint`: what is wrong with skills on disk, with the lines it is wrong in.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use serde_json::json;
use skillbench_core::api::ApiError;
use skillbench_core::api::dto::{NoArgs, ProblemDto};
use skillbench_core::skill::Severity;

use crate::print::{GREEN, out, styled};
use crate::{LintArgs, LintFormat, Outcome, bench_on, print};

pub async fn lint(args: LintArgs) -> Result<Outcome, ApiError> {
    let bench = bench_on(&args.paths).await;
    let list = bench.skill_list(NoArgs {}).await?;
    let problems = bench.lint().await;
    let errors = problems.iter().filter(|problem| problem.severity == Severity::Error).count();
    match args.format {
        LintFormat::Json => print::json(&json!({ "skills": list.skills.len(), "problems": problems }))?,
        LintFormat::Github => problems.iter().for_each(|problem| out(&github(problem))),
        LintFormat::Text => {
            for problem in &problems {
                out(&framed(problem));
            }
            out(&summary(list.skills.len(), &problems));
        }
    }
    Ok(if errors > 0 { Outcome::Bad } else { Outcome::Good })
}

fn summary(skills: usize, problems: &[ProblemDto]) -> String {
    let skills = if skills == 1 { "1 skill".to_owned() } else { format!("{skills} skills") };
    if problems.is_empty() {
        return styled(GREEN, format!("{skills}, no problems"));
    }
    let count = |severity| problems.iter().filter(|problem| problem.severity == severity).count();
    format!("{skills}, {} errors, {} warnings", count(Severity::Error), count(Severity::Warning))
}

/// The problem over its lines of source, or alone where it has no place or the file cannot be read.
fn framed(problem: &ProblemDto) -> String {
    let level = match problem.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info => Level::INFO,
    };
    let source = problem.range.and_then(|range| {
        let text = std::fs::read_to_string(&problem.path).ok()?;
        // Ranges count in the text as editors show it.
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text).replace("\r\n", "\n");
        Some((byte_at(&text, range.from)..byte_at(&text, range.to), text))
    });
    let title = level.primary_title(problem.message.as_str());
    let group = match &source {
        Some((span, text)) => title.element(
            Snippet::source(text.as_str())
                .path(problem.path.as_str())
                .annotation(AnnotationKind::Primary.span(span.clone())),
        ),
        None => Group::with_title(title).element(annotate_snippets::Origin::path(problem.path.as_str())),
    };
    Renderer::styled().render(&[group]).to_string()
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

/// https://docs.github.com/actions/reference/workflow-commands-for-github-actions
fn github(problem: &ProblemDto) -> String {
    let command = match problem.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "notice",
    };
    let escape = |text: &str| text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    let file = escape(&problem.path).replace(':', "%3A").replace(',', "%2C");
    let place = problem.range.map(|range| format!(",line={},col={}", range.line, range.column)).unwrap_or_default();
    format!("::{command} file={file}{place}::{}", escape(&problem.message))
}
