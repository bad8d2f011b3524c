//! `trace search`: steps of all recorded runs by words and filters; and the same filters for `trace list`.

use ::trace::passage::{ExcerptPiece, KindOfStep};
use ::trace::store::{Found, FoundStep};
use ::trace::{RunId, RunSummary};
use api::dto::SearchArgs;
use api::{ApiError, Workbench};

use crate::print::{BOLD, CYAN, DIM, GREEN, gist, line, out, styled};
use crate::{Format, Formatted, Outcome, numbered, print};

#[derive(clap::Args)]
pub struct Args {
    /// Words, "phrases" and filters, all of which one step must match: kind:tool status:error tool:NAME skill:NAME
    /// dur:>500ms cost:>0.01 tokens:>1000 harness:eino model:NAME verdict:fail since:7d until:2026-01-31. Put the query in
    /// quotes: shells have a meaning for `>`
    #[arg(required = true, value_name = "QUERY")]
    query: Vec<String>,
    #[command(flatten)]
    output: Formatted,
}

pub async fn search(bench: &Workbench, args: Args) -> Result<Outcome, ApiError> {
    let found = found(bench, args.query.join(" ")).await?;
    match args.output.format {
        Format::Json => numbered::json(&found, &["runs/*/steps/*/step"])?,
        Format::Text => text(&found, &bench.runs_of(found.runs.iter().map(|of| of.run).collect()).await?),
    }
    Ok(if found.runs.is_empty() { Outcome::Bad } else { Outcome::Good })
}

/// The runs that match, for the list of runs; `None`: it is not filtered.
pub async fn filtered(bench: &Workbench, filters: &[String]) -> Result<Option<Vec<RunId>>, ApiError> {
    if filters.is_empty() {
        return Ok(None);
    }
    let found = found(bench, filters.join(" ")).await?;
    if found.more {
        print::warning(&words!("there are further runs; narrow the query down", "还有其他运行；请缩小范围"));
    }
    Ok(Some(found.runs.iter().map(|found| found.run).collect()))
}

/// Once all runs are indexed.
async fn found(bench: &Workbench, query: String) -> Result<Found, ApiError> {
    let waiting = print::WaitingLine::start();
    let found = loop {
        let found = bench.run_search(SearchArgs { query: query.clone() }).await;
        match &found {
            Ok(Found { waiting: left @ 1.., .. }) => {
                waiting.set_message(words!("indexing: {left} runs left", "正在建立索引：还剩 {left} 次运行"));
            }
            _ => break found,
        }
    };
    waiting.finish_and_clear();
    found
}

fn text(found: &Found, runs: &[RunSummary]) {
    if found.runs.is_empty() {
        out(&words!("Nothing matches.", "没有匹配的内容。"));
    }
    for of in &found.runs {
        let run = runs.iter().find(|run| run.id == of.run);
        let told = run.map(|run| {
            let (harness, model) = (line(&run.setup.harness), line(&run.setup.model));
            format!("{harness} {model}  {}", gist(&run.setup.prompt, 60))
        });
        out(&format!("{}  {}", styled(BOLD, of.run), told.unwrap_or_default()));
        for step in &of.steps {
            out(&one(step));
        }
        if of.more {
            out(&styled(DIM, words!("       and further steps", "       还有其他步骤")));
        }
    }
    if found.more {
        out(&styled(DIM, words!("There are further runs; narrow the query down.", "还有其他运行；请缩小范围。")));
    }
    if found.running > 0 {
        print::note(&words!(
            "unfinished runs are not searched: {}",
            "进行中的运行不在搜索范围内：{} 次",
            found.running
        ));
    }
}

fn one(FoundStep { step, kind, tool, excerpt }: &FoundStep) -> String {
    let what = tool.as_ref().map_or_else(|| called(*kind), |tool| line(tool));
    let piece = |ExcerptPiece { text, found }: &ExcerptPiece| match found {
        true => styled(GREEN.bold(), line(text)),
        false => line(text),
    };
    let excerpt: String = excerpt.iter().map(piece).collect();
    format!("  {:>3}  {}  {excerpt}", step + 1, styled(CYAN, what))
}

fn called(kind: KindOfStep) -> String {
    match kind {
        KindOfStep::Prompt => words!("prompt", "提示词"),
        KindOfStep::Answer => words!("answer", "回答"),
        KindOfStep::Tool => words!("tool", "调用"),
        KindOfStep::Note => words!("note", "备注"),
        KindOfStep::End => words!("end", "结束"),
        KindOfStep::System => words!("sent before the conversation", "对话之前发送的内容"),
    }
}
