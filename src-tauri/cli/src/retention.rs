//! `trace pin`, `unpin`, `delete`, `keep` and `prune`: which runs stay.

use api::dto::{NoArgs, PinArgs, PruneArgs, PrunedRuns, Retention, RunArgs, SettingsArgs};
use api::{ApiError, Code, Workbench};
use trace::RunSummary;
use trace::store::{GoingRun, GoingWhy};
use wording::message;

use crate::print::{BOLD, DIM, gist, out, styled};
use crate::steps::find;
use crate::{Format, Formatted, Outcome, print};

#[derive(clap::Args)]
pub struct Named {
    /// A run's id, the beginning of one, or `last`
    #[arg(value_name = "RUN")]
    run: String,
}

#[derive(clap::Args)]
pub struct Keep {
    /// Keep the runs of the last N days
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    days: Option<u32>,
    /// Keep the latest runs that take no more than N GB, with the files that they wrote
    #[arg(long, value_name = "N", value_parser = crate::amount)]
    gb: Option<f64>,
    /// Also remove runs with a verdict, a note or a bookmark
    #[arg(long)]
    reviewed: bool,
}

#[derive(clap::Args)]
pub struct Delete {
    #[command(flatten)]
    run: Named,
    /// Delete it even if it is pinned
    #[arg(long)]
    force: bool,
}

impl Keep {
    fn rule(&self) -> Option<Retention> {
        let Self { days, gb, reviewed } = *self;
        (days.is_some() || gb.is_some()).then_some(Retention { days, gigabytes: gb, reviewed_too: reviewed })
    }
}

#[derive(clap::Args)]
pub struct Settings {
    #[command(flatten)]
    keep: Keep,
    /// Keep all runs
    #[arg(long, conflicts_with_all = ["days", "gb", "reviewed"])]
    all: bool,
    #[command(flatten)]
    output: Formatted,
}

#[derive(clap::Args)]
pub struct Prune {
    #[command(flatten)]
    keep: Keep,
    /// Only list them
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    output: Formatted,
}

pub async fn pin(bench: &Workbench, Named { run }: Named, pinned: bool) -> Result<Outcome, ApiError> {
    let run = find(bench, &run).await?.id;
    bench.run_pin(PinArgs { run, pinned }).await?;
    Ok(Outcome::Good)
}

/// Reports what was deleted, without a question.
pub async fn delete(bench: &Workbench, Delete { run, force }: Delete) -> Result<Outcome, ApiError> {
    let RunSummary { id, setup, steps, pinned, .. } = find(bench, &run.run).await?;
    if pinned && !force {
        let hint = message!(
            "`--force` deletes it anyway; `skillbench trace unpin {id}` removes the pin",
            "`--force` 会照样删除；`skillbench trace unpin {id}` 取消固定"
        );
        return Err(ApiError::new(Code::Invalid, message!("the run is pinned", "此运行已固定")).hint(hint));
    }
    bench.run_delete(RunArgs { run: id }).await?;
    let (many, prompt) = (if steps == 1 { "step" } else { "steps" }, gist(&setup.prompt, 60));
    out(&words!("Deleted run {id}, {steps} {many}: {prompt}", "已删除运行 {id}，共 {steps} 步：{prompt}"));
    Ok(Outcome::Good)
}

/// Shows what is kept, or sets it. Nothing is removed.
pub async fn keep(bench: &Workbench, args: Settings) -> Result<Outcome, ApiError> {
    let mut settings = bench.bench_state(NoArgs {}).await?.settings;
    if args.keep.reviewed && args.keep.rule().is_none() {
        return Err(lacks_rule());
    }
    let rule = if args.all { Some(Retention::default()) } else { args.keep.rule() };
    if let Some(rule) = rule {
        // Settings that make no sense are refused before they are saved.
        bench.run_prune(PruneArgs { retention: Some(rule), dry_run: true }).await?;
        settings.retention = rule;
        settings = bench.settings_set(SettingsArgs { settings }).await?;
    }
    let rule = settings.retention;
    match args.output.format {
        Format::Json => print::json(&rule)?,
        Format::Text => out(&rule_text(&rule)),
    }
    Ok(Outcome::Good)
}

fn rule_text(rule: &Retention) -> String {
    let reviewed = match rule.reviewed_too {
        true => String::new(),
        false => words!(
            "; runs that are pinned, or have a verdict, a note or a bookmark, stay",
            "；已固定的运行，以及有结论、批注或书签的运行会保留"
        ),
    };
    match (rule.days, rule.gigabytes) {
        (None, None) => words!("All runs are kept.", "保留所有运行。"),
        (Some(days), None) => {
            words!("Runs of the last {days} days are kept{reviewed}.", "保留最近 {days} 天的运行{reviewed}。")
        }
        (None, Some(gb)) => {
            words!("The latest runs up to {gb} GB are kept{reviewed}.", "保留总共不超过 {gb} GB 的最新运行{reviewed}。")
        }
        (Some(days), Some(gb)) => words!(
            "Runs of the last {days} days are kept, up to {gb} GB{reviewed}.",
            "保留最近 {days} 天、总共不超过 {gb} GB 的运行{reviewed}。"
        ),
    }
}

pub async fn prune(bench: &Workbench, Prune { keep, dry_run, output }: Prune) -> Result<Outcome, ApiError> {
    let retention = match keep.rule() {
        Some(rule) => rule,
        None => bench.bench_state(NoArgs {}).await?.settings.retention,
    };
    if retention.days.is_none() && retention.gigabytes.is_none() {
        return Err(lacks_rule());
    }
    let pruned = bench.run_prune(PruneArgs { retention: Some(retention), dry_run }).await?;
    if output.format == Format::Json {
        print::json(&pruned)?;
        return Ok(Outcome::Good);
    }
    told(&pruned, dry_run);
    Ok(Outcome::Good)
}

fn told(pruned: &PrunedRuns, dry_run: bool) {
    let PrunedRuns { runs, bytes, freed, reusable, pinned, reviewed } = pruned;
    for GoingRun { run, prompt, at, bytes, why } in runs {
        let why = match why {
            GoingWhy::Old => words!("too old", "已过期"),
            GoingWhy::Room => words!("over the size limit", "超出容量上限"),
        };
        let day = jiff::Timestamp::from_millisecond(*at).map(|at| at.strftime("%Y-%m-%d").to_string());
        out(&format!(
            "{}  {}  {:>9}  {}  {}",
            styled(BOLD, run),
            day.unwrap_or_default(),
            size(*bytes),
            styled(DIM, why),
            gist(prompt, 60)
        ));
    }
    let (count, all, free) = (runs.len(), size(*bytes), size(*freed));
    let many = if count == 1 { "run" } else { "runs" };
    out(&match dry_run {
        true => words!(
            "{count} {many} would be removed: about {free} of {all}.",
            "将移除 {count} 次运行：约 {free}，共 {all}。"
        ),
        false => {
            words!("{count} {many} removed: {free} of {all} freed.", "已移除 {count} 次运行：释放 {free}，共 {all}。")
        }
    });
    if *reusable > 0 {
        let room = size(*reusable);
        print::note(&words!("{room} in the store are free for later runs", "轨迹库中有 {room} 可供之后的运行使用"));
    }
    if pinned + reviewed > 0 {
        print::note(&words!(
            "kept anyway: {pinned} pinned, {reviewed} with a verdict, a note or a bookmark",
            "仍然保留：{pinned} 次已固定，{reviewed} 次有结论、批注或书签"
        ));
    }
}

/// As people read it: 1.5 GB.
fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{:.1} KB", bytes as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.2} GB", bytes as f64 / 1e9),
    }
}

fn lacks_rule() -> ApiError {
    ApiError::new(Code::Invalid, message!("no rule says which runs to remove", "没有规则说明要移除哪些运行")).hint(
        message!(
            "give --days N or --gb N, or set it with `trace keep`",
            "请指定 --days N 或 --gb N，或用 `trace keep` 设置"
        ),
    )
}
