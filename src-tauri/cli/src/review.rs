//! `trace note` and `trace verdict`: what a person says about a recorded run.

use ::trace::review::{self, Review, StepNote};
use ::trace::{RunId, Step};
use api::dto::{NoteArgs, RunArgs, VerdictArgs};
use api::{ApiError, Code, Workbench};
use clap::ValueEnum;
use wording::message;

use crate::print::{BOLD, CYAN, DIM, GREEN, RED, YELLOW, indented, line, out, styled};
use crate::steps::{find, step_title};
use crate::{Format, OneRun, Outcome, print};

#[derive(clap::Args)]
pub struct Note {
    #[command(flatten)]
    run: OneRun,
    /// The step, from 1; without it all notes of the run are shown
    #[arg(value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    step: Option<u32>,
    /// The note, in place of the one that is there
    #[arg(value_name = "TEXT", requires = "step")]
    text: Option<String>,
    /// Bookmark the step
    #[arg(long, requires = "step", conflicts_with = "no_bookmark")]
    bookmark: bool,
    /// Remove the bookmark
    #[arg(long, requires = "step")]
    no_bookmark: bool,
    /// Remove the note and the bookmark
    #[arg(long, requires = "step", conflicts_with_all = ["text", "bookmark", "no_bookmark"])]
    delete: bool,
}

#[derive(clap::Args)]
pub struct Verdict {
    #[command(flatten)]
    run: OneRun,
    /// Without it the verdict is shown
    #[arg(value_enum, value_name = "VERDICT")]
    verdict: Option<Judged>,
    /// Why, in a line
    #[arg(value_name = "LINE", requires = "verdict")]
    line: Option<String>,
    /// Remove the verdict
    #[arg(long, conflicts_with = "verdict")]
    delete: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Judged {
    Pass,
    Fail,
    Unsure,
}

pub async fn note(bench: &Workbench, args: Note) -> Result<Outcome, ApiError> {
    let run = find(bench, &args.run.run).await?.id;
    let steps = bench.run_get(RunArgs { run }).await?.steps;
    let mut review = bench.run_review(RunArgs { run }).await?;
    let mut shown: Option<&Step> = None;
    if let Some(number) = args.step {
        let step = steps.get(number as usize - 1).ok_or_else(|| {
            ApiError::new(Code::NotFound, message!("the run has no step {number}", "运行没有第 {number} 步"))
                .hint(message!("its steps are 1 to {}", "它有第 1 到 {} 步", steps.len()))
        })?;
        let (text, bookmark) = review
            .of_event(step.event)
            .map(|note| (note.text.clone(), note.bookmark))
            .filter(|_| !args.delete)
            .unwrap_or_default();
        let bookmark = (bookmark || args.bookmark) && !args.no_bookmark;
        if args.text.is_some() || args.bookmark || args.no_bookmark || args.delete {
            let text = args.text.unwrap_or(text);
            review = bench.note_set(NoteArgs { run, event: step.event, text, bookmark }).await?;
        }
        shown = Some(step);
    }
    if args.run.output.format == Format::Json {
        print::json(&review)?;
        return Ok(Outcome::Good);
    }
    let notes = review.notes.iter().filter(|note| shown.is_none_or(|step| step.event == note.event));
    let told: Vec<String> = notes.map(|note| note_text(note, &steps)).collect();
    match told.is_empty() {
        true => print::note(&words!("no notes", "没有批注")),
        false => told.iter().for_each(|note| out(note)),
    }
    Ok(Outcome::Good)
}

pub async fn verdict(bench: &Workbench, args: Verdict) -> Result<Outcome, ApiError> {
    let run: RunId = find(bench, &args.run.run).await?.id;
    let judged = args.verdict.map(|judged| match judged {
        Judged::Pass => review::Judged::Pass,
        Judged::Fail => review::Judged::Fail,
        Judged::Unsure => review::Judged::Unsure,
    });
    let review = match judged.is_some() || args.delete {
        true => bench.verdict_set(VerdictArgs { run, judged, line: args.line.unwrap_or_default() }).await?,
        false => bench.run_review(RunArgs { run }).await?,
    };
    match args.run.output.format {
        Format::Json => print::json(&review.verdict)?,
        Format::Text => match verdict_text(&review) {
            Some(verdict) => out(&verdict),
            None => print::note(&words!("no verdict", "没有结论")),
        },
    }
    Ok(Outcome::Good)
}

pub fn verdict_text(review: &Review) -> Option<String> {
    let review::Verdict { judged, line: why, .. } = review.verdict.as_ref()?;
    Some(format!("{}  {}", judged_text(*judged), line(why)).trim_end().to_owned())
}

pub fn judged_text(judged: review::Judged) -> String {
    let (style, word) = match judged {
        review::Judged::Pass => (GREEN, words!("pass", "通过")),
        review::Judged::Fail => (RED, words!("fail", "不通过")),
        review::Judged::Unsure => (YELLOW, words!("unsure", "不确定")),
    };
    styled(style, word)
}

fn note_text(note: &StepNote, steps: &[Step]) -> String {
    let step = steps.iter().find(|step| step.event == note.event);
    let (number, title) = step.map(|step| (step.index + 1, step_title(step))).unwrap_or_default();
    let mark = if note.bookmark { styled(CYAN, "★") } else { " ".to_owned() };
    let head = format!("{mark}{} {}", styled(BOLD, format!("{number:>3}")), styled(DIM, title));
    if note.text.is_empty() { head } else { format!("{head}\n{}", indented(&note.text, "      ")) }
}

/// A note as it is shown below its step.
pub fn below(note: &StepNote) -> String {
    let mark = if note.bookmark { "★ " } else { "" };
    styled(YELLOW, indented(&format!("{mark}{}", note.text), "      ✎ "))
}
