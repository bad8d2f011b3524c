//! Runs that are forked off recorded ones, and the tree that they make.

use api::dto::{ForkArgs, RunArgs as OneRunArgs, TreeRun};
use api::{ApiError, Code, Workbench};
use camino::Utf8Path;
use trace::{RunId, RunSummary};
use wording::message;

use crate::choice::Chosen;
use crate::images::images;
use crate::print::{BOLD, DIM, gist, line, out, styled};
use crate::steps::{find, status};
use crate::{Format, OneRun, Outcome, RunArgs, means, numbered, print};

/// Begins a run that goes another way than a recorded one; with it, who answers.
pub async fn begin(bench: &Workbench, args: &RunArgs, name: &str, at: u32) -> Result<(RunId, String), ApiError> {
    let parent = find(bench, name).await?;
    let chosen = &args.shown.harness;
    let (harness, variant) = match chosen.harness.is_empty() {
        true => (None, chosen.variant.clone()),
        false => match chosen.to_run(bench).await? {
            Chosen::One(choice) => (Some(choice.harness), choice.variant),
            Chosen::Several(_) => {
                return Err(ApiError::new(
                    Code::Invalid,
                    message!("a fork goes on under one framework", "一次分叉只在一个框架下继续"),
                )
                .hint(message!("name one with --harness", "请用 --harness 指明一个框架")));
            }
        },
    };
    let run = bench
        .run_fork(ForkArgs {
            run: parent.id,
            step: at - 1,
            roots: None,
            prompt: args.prompt.clone(),
            images: Some(images(args)?).filter(|images| !images.is_empty()),
            result: args.result.as_deref().map(given).transpose()?,
            answer: args.answer.as_deref().map(given).transpose()?,
            harness,
            variant,
            model: args.model.clone(),
            screenplay: args.screenplay.as_ref().map(|path| path.to_string()),
            means: means::of(args),
        })
        .await?;
    Ok((run, args.model.clone().unwrap_or(parent.setup.model)))
}

/// A text, or `@` and the file that holds it.
fn given(given: &str) -> Result<String, ApiError> {
    match given.strip_prefix('@') {
        Some(file) => print::given(Utf8Path::new(file), TEXT_BYTES),
        None => Ok(given.to_owned()),
    }
}

/// More than any tool returns to a model, or a model answers.
const TEXT_BYTES: u64 = 16 << 20;

/// Which run it was forked off, and where.
pub fn from_text(run: &RunSummary) -> Option<String> {
    let from = run.setup.forked?;
    Some(styled(DIM, words!("from run {}, step {}", "来自运行 {}，第 {} 步", from.run, from.step.saturating_add(1))))
}

pub async fn tree(bench: &Workbench, args: OneRun) -> Result<Outcome, ApiError> {
    let run = find(bench, &args.run).await?.id;
    let tree = bench.run_tree(OneRunArgs { run }).await?;
    if args.output.format == Format::Json {
        numbered::json(&tree, &["runs/*/from/step", "runs/*/summary/setup/forked/step"])?;
        return Ok(Outcome::Good);
    }
    for one in &tree.runs {
        out(&row(one, run));
    }
    if tree.runs.len() == 1 {
        out(&words!(
            "It was not forked off another run, and none was forked off it. `skillbench run ROOT --fork {run} --at STEP` does that.",
            "它不是从其他运行分叉而来，也没有从它分叉的运行。`skillbench run ROOT --fork {run} --at STEP` 可以分叉。"
        ));
    }
    Ok(Outcome::Good)
}

fn row(one: &TreeRun, asked: RunId) -> String {
    let indent = "  ".repeat(one.depth.min(DEEPEST) as usize);
    let at = one.from.map(|from| words!("step {}  ", "第 {} 步  ", from.step.saturating_add(1))).unwrap_or_default();
    let mark = if one.run == asked { "›" } else { " " };
    let what = match &one.summary {
        None => styled(DIM, words!("not here", "不在这里")),
        Some(run) => format!(
            "{}  {}  {}  {}",
            status(run.status),
            line(&run.setup.harness),
            line(&run.setup.model),
            gist(&run.setup.prompt, 60)
        ),
    };
    format!("{mark} {indent}{at}{}  {what}", styled(BOLD, one.run))
}

/// Forks of forks differ in their indentation up to here.
const DEEPEST: u32 = 24;
