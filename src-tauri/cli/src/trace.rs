//! `trace`: recorded runs, walked in the terminal.

use std::collections::HashMap;

use api::dto::{AlignArgs, DiffArgs, ExportArgs, ImportArgs, NoArgs, RunArgs, RunExport, StepArgs};
use api::{ApiError, Code, Workbench};
use camino::Utf8Path;
use harness::Disclosure;
use model::FinishReason;
use trace::diff::{RunDiff, StepPair};
use trace::spending::{Spent, dollars};
use trace::{
    ContextAtStep, CutChoice, Decision, RunList, RunStatus, RunSummary, Step, StepKind, StepState, UnreadableRun,
};

use crate::print::{BOLD, CYAN, DIM, GREEN, Kind, RED, YELLOW, duration, gist, indented, line, out, styled};
use crate::{ExportFormat, Format, OneRun, Outcome, TraceCommand, ask, bench, print};

pub async fn trace(command: TraceCommand) -> Result<Outcome, ApiError> {
    let bench = bench(&[]).await?;
    match command {
        TraceCommand::List(output) => list(&bench, output.format).await,
        TraceCommand::Show(args) => show(&bench, args).await,
        TraceCommand::Step { run, step } => one_step(&bench, run, step).await,
        TraceCommand::Diff { a, b, output } => diff(&bench, &a, &b, output.format).await,
        TraceCommand::Align { runs, output } => align(&bench, &runs, output.format).await,
        TraceCommand::Import { file } => import(&bench, &file).await,
        TraceCommand::Export { run, format } => export(&bench, &run, format).await,
    }
}

/// How deep steps lie in conversations that calls started, as they come by.
#[derive(Default)]
pub struct Depths {
    /// Of the steps of calls, by their ids.
    calls: HashMap<String, usize>,
}

impl Depths {
    /// 0: the run's own conversation.
    pub fn of(&mut self, step: &Step) -> usize {
        let depth = step.within.as_ref().map_or(0, |within| self.calls.get(within).map_or(1, |call| call + 1));
        if let StepKind::Tool { call, .. } = &step.kind {
            // Models use an id again, and the first is the one that a conversation is named by.
            self.calls.entry(call.id.clone()).or_insert(depth);
        }
        depth
    }
}

/// What became of an answer that may be cut off.
fn perhaps_cut(choice: Option<CutChoice>) -> &'static str {
    match choice {
        None => "this answer may be cut off",
        Some(CutChoice::Keep) => "this answer may be cut off; it was kept",
        Some(CutChoice::AskAgain) => "this answer may be cut off; the model was asked again",
        Some(CutChoice::End) => "this answer may be cut off; nobody kept it, so the run ended",
    }
}

/// A step as `run` and `show` print it, indented as deep as it lies.
pub fn step_text(step: &Step, depth: usize) -> String {
    let (title, body) = match &step.kind {
        StepKind::Prompt { text } => (styled(BOLD, "user"), text.clone()),
        StepKind::Answer { text, calls, finish, cut, error, hint, .. } => {
            let asks: Vec<String> = calls.iter().map(|call| line(&call.name)).collect();
            let asks = if asks.is_empty() { String::new() } else { format!(" asks for {}", asks.join(", ")) };
            let hint = hint.as_ref().map(|hint| format!("next: {hint}"));
            let cut = (*finish == Some(FinishReason::PerhapsCut)).then(|| perhaps_cut(*cut).to_owned());
            let lines: Vec<&str> = [Some(text), cut.as_ref(), error.as_ref(), hint.as_ref()]
                .into_iter()
                .flatten()
                .map(String::as_str)
                .collect();
            (format!("{}{asks}", styled(BOLD, "assistant")), lines.join("\n").trim_start().to_owned())
        }
        StepKind::Tool { call, disclosed, asked, decision, reply, .. } => {
            let tier = tier(disclosed);
            let decided = decision.as_ref().map(|decision| format!("  {}", decided(decision))).unwrap_or_default();
            let title = format!(
                "{} {}{tier}{decided}",
                styled(CYAN.bold(), line(&call.name)),
                styled(DIM, line(&call.arguments))
            );
            // What was asked is worth showing where no arguments say it.
            let asked = asked.as_ref().filter(|_| call.arguments.is_empty()).map(ask::gist);
            (title, reply.clone().or(asked).unwrap_or_default())
        }
        StepKind::Note { text, .. } => (styled(YELLOW, "note"), text.clone()),
        StepKind::End { status, error, .. } => (styled(RED, status.word()), error.clone().unwrap_or_default()),
    };
    let mark = match step.state {
        StepState::Failed => styled(RED, "✗"),
        StepState::Waiting => styled(YELLOW, "?"),
        StepState::Running => styled(DIM, "…"),
        StepState::Stopped => styled(YELLOW, "■"),
        StepState::Done => " ".to_owned(),
    };
    let took = step.took.map(duration).unwrap_or_default();
    let cost = match &step.kind {
        StepKind::Answer { spent: Some(Spent { cost: Some(cost), .. }), .. } => format!(" {}", dollars(*cost)),
        _ => String::new(),
    };
    let tail = styled(DIM, format!("+{} tokens {took}{cost}", step.added_tokens));
    let head = format!("{mark}{:>3}  {title}  {tail}", step.index);
    let text = if body.is_empty() { head } else { format!("{head}\n{}", indented(&body, "      ")) };
    match depth {
        0 => text,
        _ => text.lines().map(|line| format!("{}{line}", "    ".repeat(depth))).collect::<Vec<_>>().join("\n"),
    }
}

/// Which model was asked and what its answers cost, where one was.
pub fn asked_and_spent(run: &RunSummary) -> String {
    match run.setup.rehearsal {
        true => format!("{}: no model was asked", line(&run.setup.model)),
        false => format!("{}: {}", line(&run.setup.model), print::spent(&run.spent)),
    }
}

async fn list(bench: &Workbench, format: Format) -> Result<Outcome, ApiError> {
    let RunList { runs, unreadable } = bench.run_list(NoArgs {}).await?;
    for UnreadableRun { id, reason } in &unreadable {
        print::warning(&format!("run {id} cannot be read: {reason}"));
    }
    if format == Format::Json {
        print::json(&runs)?;
        return Ok(Outcome::Good);
    }
    if runs.is_empty() && unreadable.is_empty() {
        out("No runs yet. `skillbench run skills --prompt \"How many pounds is 1 kilogram?\"` records one.");
    }
    for run in &runs {
        out(&format!(
            "{}  {:<12} {:>3} steps  {:>9}  {:<16} {:<12} {}",
            styled(BOLD, run.id),
            status_colour(run),
            run.steps,
            run.spent.cost.map(dollars).unwrap_or_default(),
            line(&run.setup.harness),
            line(&run.setup.model),
            gist(&run.setup.prompt, 60),
        ));
    }
    Ok(Outcome::Good)
}

async fn show(bench: &Workbench, args: OneRun) -> Result<Outcome, ApiError> {
    let run = find(bench, &args.run).await?.id;
    let detail = bench.run_get(RunArgs { run }).await?;
    if args.output.format == Format::Json {
        print::json(&detail)?;
        return Ok(Outcome::Good);
    }
    let setup = &detail.summary.setup;
    let by = asked_and_spent(&detail.summary);
    let harness = line(&format!("{} {}", setup.harness, setup.variant));
    out(&format!("{}  {harness} · {by}", status_colour(&detail.summary)));
    let mut depths = Depths::default();
    for step in &detail.steps {
        out(&step_text(step, depths.of(step)));
    }
    Ok(Outcome::Good)
}

async fn one_step(bench: &Workbench, args: OneRun, step: u32) -> Result<Outcome, ApiError> {
    let run = find(bench, &args.run).await?.id;
    let detail = bench.run_get(RunArgs { run }).await?;
    let Some(found) = detail.steps.get(step as usize) else {
        return Err(ApiError::new(Code::NotFound, format!("the run has no step {step}"))
            .hint(format!("its steps are 0 to {}", detail.steps.len().saturating_sub(1))));
    };
    let context = bench.step_context(StepArgs { run, step }).await?;
    if args.output.format == Format::Json {
        print::json(&serde_json::json!({ "step": found, "context": context }))?;
        return Ok(Outcome::Good);
    }
    let mut depths = Depths::default();
    let depth = detail.steps.iter().map(|step| depths.of(step)).nth(step as usize).unwrap_or_default();
    out(&step_text(found, depth));
    context_text(&context);
    Ok(Outcome::Good)
}

fn context_text(context: &ContextAtStep) {
    let exact = if context.exact { styled(GREEN, "exact") } else { styled(YELLOW, "partly reconstructed") };
    out(&format!("\n{} {} tokens, {exact}", styled(BOLD, "Context at this step:"), context.tokens));
    let tools: Vec<String> = context.tools.iter().map(|tool| line(&tool.name)).collect();
    out(&format!("  {} {}", styled(DIM, "tools"), tools.join(", ")));
    for message in &context.messages {
        let mark = if message.added { styled(GREEN, "+") } else { " ".to_owned() };
        let role = format!("{:?}", message.role).to_lowercase();
        out(&format!("{mark} {} {}", styled(BOLD, role), styled(DIM, format!("{} tokens", message.tokens))));
        if !message.text.is_empty() {
            out(&indented(&message.text, "    "));
        }
        for call in &message.calls {
            out(&format!("    {} {}", styled(CYAN, line(&call.name)), line(&call.arguments)));
        }
    }
}

async fn diff(bench: &Workbench, a: &str, b: &str, format: Format) -> Result<Outcome, ApiError> {
    let (a, b) = (find(bench, a).await?.id, find(bench, b).await?.id);
    let found = bench.run_diff(DiffArgs { a, b }).await?;
    if format == Format::Json {
        print::json(&found)?;
        return Ok(Outcome::Good);
    }
    let (a, b) = (bench.run_get(RunArgs { run: a }).await?, bench.run_get(RunArgs { run: b }).await?);
    diff_text(&found, &a.steps, &b.steps);
    Ok(Outcome::Good)
}

fn diff_text(diff: &RunDiff, a: &[Step], b: &[Step]) {
    let title = |steps: &[Step], index: u32| steps.get(index as usize).map(step_title).unwrap_or_default();
    for pair in &diff.pairs {
        let (mark, style, left, right, title) = match *pair {
            StepPair::Same { a: left, b: right } => (" ", DIM, Some(left), Some(right), title(a, left)),
            StepPair::Changed { a: left, b: right } => ("~", YELLOW, Some(left), Some(right), title(b, right)),
            StepPair::OnlyA { a: left } => ("-", RED, Some(left), None, title(a, left)),
            StepPair::OnlyB { b: right } => ("+", GREEN, None, Some(right), title(b, right)),
        };
        let at = |index: Option<u32>| index.map_or_else(|| "·".to_owned(), |index| index.to_string());
        out(&styled(style, format!("{mark} {:>3} {:>3}  {title}", at(left), at(right))));
    }
    match diff.first_divergence {
        None => out(&styled(GREEN, "The two runs are the same, step by step.")),
        Some(row) => out(&format!("They first differ in line {}.", row + 1)),
    }
}

/// A step in one line, without colours.
pub fn step_title(step: &Step) -> String {
    match &step.kind {
        StepKind::Prompt { text } => format!("user: {}", gist(text, 80)),
        StepKind::Answer { text, calls, .. } if calls.is_empty() => format!("assistant: {}", gist(text, 80)),
        StepKind::Answer { calls, .. } => {
            let names: Vec<String> = calls.iter().map(|call| line(&call.name)).collect();
            format!("assistant asks for {}", names.join(", "))
        }
        StepKind::Tool { call, .. } => format!("{} {}", line(&call.name), gist(&call.arguments, 80)),
        StepKind::Note { text, .. } => format!("note: {}", gist(text, 80)),
        StepKind::End { status, .. } => status.word().to_owned(),
    }
}

async fn align(bench: &Workbench, names: &[String], format: Format) -> Result<Outcome, ApiError> {
    let mut runs = Vec::new();
    for name in names {
        runs.push(find(bench, name).await?.id);
    }
    crate::rehearse::show(&bench.run_align(AlignArgs { runs }).await?, format)?;
    Ok(Outcome::Good)
}

async fn import(bench: &Workbench, file: &Utf8Path) -> Result<Outcome, ApiError> {
    let text = print::given(file, RUN_BYTES)?;
    let run = bench.run_import(ImportArgs { text }).await.map_err(|error| match error.code {
        Code::Invalid => ApiError { message: format!("{file}: {}", error.message), ..error },
        _ => error,
    })?;
    out(&run.to_string());
    Ok(Outcome::Good)
}

/// A run of some thousand requests.
const RUN_BYTES: u64 = 1 << 30;

async fn export(bench: &Workbench, run: &str, format: ExportFormat) -> Result<Outcome, ApiError> {
    let run = find(bench, run).await?.id;
    let (format, kind) = match format {
        ExportFormat::Jsonl => (RunExport::Jsonl, Kind::Json),
        ExportFormat::Screenplay => (RunExport::Screenplay, Kind::Data),
    };
    print::data(kind, bench.run_export(ExportArgs { run, format }).await?.trim_end());
    Ok(Outcome::Good)
}

/// A run by id, by the beginning of one, or `last`.
pub async fn find(bench: &Workbench, text: &str) -> Result<RunSummary, ApiError> {
    let mut runs = bench.run_list(NoArgs {}).await?.runs;
    if text == "last" && !runs.is_empty() {
        return Ok(runs.swap_remove(0));
    }
    let mut found = runs.into_iter().filter(|run| run.id.to_string().starts_with(text));
    match (found.next(), found.next()) {
        (Some(run), None) => Ok(run),
        (Some(_), Some(_)) => Err(ApiError::new(Code::Invalid, format!("several runs begin with `{text}`"))
            .hint("give more of the id; `skillbench trace list` shows them")),
        (None, _) => Err(ApiError::new(Code::NotFound, format!("there is no run `{text}`"))
            .hint("`skillbench trace list` shows the runs there are")),
    }
}

fn tier(disclosed: &Disclosure) -> String {
    let tier = match disclosed {
        Disclosure::Instructions { .. } => "tier 2",
        Disclosure::Resource { .. } | Disclosure::Script { .. } => "tier 3",
        Disclosure::None => return String::new(),
    };
    format!("  {}", styled(GREEN, tier))
}

fn decided(decision: &Decision) -> String {
    match decision {
        Decision::Allow { .. } => styled(GREEN, "allowed"),
        Decision::Deny { reason: Some(reason) } => styled(RED, format!("denied: {}", line(reason))),
        Decision::Deny { reason: None } => styled(RED, "denied"),
        Decision::Stub { .. } => styled(YELLOW, "result given by hand"),
    }
}

fn status_colour(run: &RunSummary) -> String {
    let style = match run.status {
        RunStatus::Done => GREEN,
        RunStatus::Running => CYAN,
        RunStatus::Stopped | RunStatus::Limited | RunStatus::Interrupted => YELLOW,
        RunStatus::Failed => RED,
    };
    styled(style, format!("{:<11}", run.status.word()))
}

#[cfg(test)]
mod tests {
    use harness::Disclosure;
    use model::ToolCall;

    use super::*;

    fn call(id: &str, within: Option<&str>) -> Step {
        Step {
            index: 0,
            at: 0,
            took: None,
            within: within.map(String::from),
            turn: Some(0),
            state: StepState::Stopped,
            kind: StepKind::Tool {
                call: ToolCall { id: id.into(), name: "task".into(), arguments: "{}".into() },
                disclosure: Disclosure::None,
                disclosed: Disclosure::None,
                asked: None,
                leads_to: None,
                decision: None,
                output: None,
                files: Vec::new(),
                reply: Some("a\nb".into()),
                wire: None,
            },
            added_tokens: 0,
            context_tokens: 0,
        }
    }

    #[test]
    fn steps_lie_as_deep_as_the_calls_that_started_their_conversation() {
        let mut depths = Depths::default();
        let steps = [("a", None), ("b", Some("a")), ("a", Some("a")), ("c", Some("b")), ("d", Some("summary-1"))];
        assert_eq!(steps.map(|(id, within)| depths.of(&call(id, within))), [0, 1, 1, 2, 1]);
    }

    #[test]
    fn every_line_of_a_deep_step_is_indented() {
        let plain = |depth| print::unstyled(&step_text(&call("a", None), depth));
        let indented: Vec<String> = plain(0).lines().map(|line| format!("    {line}")).collect();
        assert_eq!(plain(1), indented.join("\n"));
    }
}
