//! `trace`: recorded runs, walked in the terminal.

use api::dto::{
    AlignArgs, Counted, DiffArgs, ExportArgs, ImportFileArgs, ImportProgress, ImportStopArgs, Imported, NoArgs,
    PageArgs, PrivateKind, PrivateText, Push, ReplayArgs, ReplaySaveArgs, RunArgs, RunExport, SaveArgs, StepArgs,
    UnreadLine,
};
use api::{ApiError, Code, Freshness, Places, Workbench};
use camino::{Utf8Path, Utf8PathBuf};
use model::Role;
use trace::diff::{RunDiff, StepPair};
use trace::spending::dollars;
use trace::{
    ContextAtStep, ContextMessage, Departures, Foreign, RunId, RunList, RunStatus, RunSummary, Step, UnreadableRun,
};

use crate::language::{Chosen, language};
use crate::paths::places_text;
use crate::print::{BOLD, CYAN, DIM, GREEN, OutputKind, RED, WaitingLine, YELLOW, gist, indented, line, out, styled};
use crate::signals::Signals;
use crate::skills::group_text;
use crate::steps::{Depths, asked_and_spent, find, status, step_text, step_title};
use crate::{
    ExportFormat, Format, ImportFormat, OneRun, Outcome, Redact, TraceCommand, aligned, bench, check, files, fork,
    numbered, print, push, retention, review, search,
};
use wording::{Language, message};

pub async fn trace(command: TraceCommand, signals: &Signals) -> Result<Outcome, ApiError> {
    let bench = bench(&[]).await?;
    match command {
        TraceCommand::List { filters, output } => list(&bench, &filters, output.format).await,
        TraceCommand::Search(args) => search::search(&bench, args).await,
        TraceCommand::Note(args) => review::note(&bench, args).await,
        TraceCommand::Verdict(args) => review::verdict(&bench, args).await,
        TraceCommand::Show(args) => show(&bench, args).await,
        TraceCommand::Step { run, step } => one_step(&bench, run, step).await,
        TraceCommand::Diff { a, b, output } => diff(&bench, &a, &b, output.format).await,
        TraceCommand::Tree(args) => fork::tree(&bench, args).await,
        TraceCommand::Align { runs, output } => align(&bench, &runs, output.format).await,
        TraceCommand::Check(args) => check::check(args, signals).await,
        TraceCommand::Files { run, save_to, replace } => files::files(&bench, run, save_to, replace).await,
        TraceCommand::Pin(run) => retention::pin(&bench, run, true).await,
        TraceCommand::Unpin(run) => retention::pin(&bench, run, false).await,
        TraceCommand::Delete(args) => retention::delete(&bench, args).await,
        TraceCommand::Keep(args) => retention::keep(&bench, args).await,
        TraceCommand::Prune(args) => retention::prune(&bench, args).await,
        TraceCommand::Import { file, from } => import(&file, from, signals).await,
        TraceCommand::Export { run, format, redact, output } => {
            export(&bench, &run, format, &redact, output.map(Utf8PathBuf::into_string)).await
        }
        TraceCommand::Push(args) => push::push(&bench, args).await,
    }
}

async fn list(bench: &Workbench, filters: &[String], format: Format) -> Result<Outcome, ApiError> {
    let wanted = search::filtered(bench, filters).await?;
    let RunList { mut runs, unreadable } = bench.run_list(NoArgs {}).await?;
    if let Some(wanted) = &wanted {
        runs.retain(|run| wanted.contains(&run.id));
    }
    for UnreadableRun { id, reason } in &unreadable {
        print::warning(&words!("cannot read run {id}: {reason}", "无法读取运行 {id}：{reason}"; reason));
    }
    if format == Format::Json {
        numbered::json(&runs, &["*/setup/forked/step"])?;
        return Ok(Outcome::Good);
    }
    if runs.is_empty() && wanted.is_some() {
        out(&words!("No run matches.", "没有匹配的运行。"));
    } else if runs.is_empty() && unreadable.is_empty() {
        out(&words!(
            "No runs yet. `skillbench run skills --prompt \"How many pounds is 1 kilogram?\"` records one.",
            "还没有运行。可以用 `skillbench run skills --prompt \"How many pounds is 1 kilogram?\"` 录制一个。"
        ));
    }
    for run in &runs {
        let pinned = run.pinned.then(|| styled(CYAN, words!("pinned", "已固定")));
        let verdict = run.verdict.map(review::judged_text);
        let marks: String = verdict.into_iter().chain(pinned).chain(departed(run)).map(|mark| mark + "  ").collect();
        out(&format!(
            "{}  {:<12} {marks}{}  {:>9}  {:<16} {:<12} {}",
            styled(BOLD, run.id),
            status_colour(run),
            words!("{:>3} steps", "{:>3} 步", run.steps),
            run.spent.cost.map(dollars).unwrap_or_default(),
            line(&run.setup.harness),
            line(&run.setup.model),
            gist(&run.setup.prompt, 60),
        ));
    }
    Ok(Outcome::Good)
}

/// How many calls did something else than the model asked for.
fn departed(run: &RunSummary) -> Option<String> {
    let Departures { denied, stubbed, edited } = run.departures;
    let told = [
        (denied, words!("{denied} denied", "{denied} 次被拒绝")),
        (stubbed, words!("{stubbed} stubbed", "{stubbed} 次代填")),
        (edited, words!("{edited} edited", "{edited} 次修改")),
    ];
    let told: Vec<String> = told.into_iter().filter(|(count, _)| *count > 0).map(|(_, words)| words).collect();
    (!told.is_empty()).then(|| styled(YELLOW, print::listed(&told)))
}

async fn show(bench: &Workbench, args: OneRun) -> Result<Outcome, ApiError> {
    let run = find(bench, &args.run).await?.id;
    let said = bench.run_review(RunArgs { run }).await?;
    if args.output.format == Format::Json {
        let detail = bench.run_get(RunArgs { run }).await?;
        let told = serde_json::json!({ "summary": detail.summary, "steps": detail.steps, "review": said });
        numbered::json(&told, &["summary/setup/forked/step", "steps/*/index"])?;
        return Ok(Outcome::Good);
    }
    let mut page = bench.run_page(PageArgs { run, from: 0, most: PAGE }).await?;
    let setup = &page.summary.setup;
    let by = asked_and_spent(&page.summary, &page.steps);
    let harness = line(&format!("{} {}", setup.harness, setup.variant));
    out(&format!("{}  {harness} · {by}", status_colour(&page.summary)));
    places_text(&setup.neutral);
    if setup.fidelity {
        out(&styled(
            YELLOW,
            words!(
                "read outside of the open folders as the framework does",
                "按框架的真实行为读取所打开文件夹之外的内容"
            ),
        ));
    }
    if let Some(verdict) = review::verdict_text(&said) {
        out(&format!("{} {verdict}", styled(DIM, words!("verdict", "结论"))));
    }
    if let Some(from) = fork::from_text(&page.summary) {
        out(&from);
    }
    let mut depths = Depths::default();
    while let Some(last) = page.steps.last() {
        let from = last.index + 1;
        for step in &page.steps {
            // The lists of long runs have the beginnings of texts.
            let whole =
                if step.brief { bench.run_step(StepArgs { run, step: step.index }).await? } else { step.clone() };
            out(&step_text(&whole, depths.of(step)));
            if let Some(note) = said.of_event(step.event) {
                out(&review::below(note));
            }
        }
        page = bench.run_page(PageArgs { run, from, most: PAGE }).await?;
    }
    Ok(Outcome::Good)
}

async fn one_step(bench: &Workbench, args: OneRun, number: u32) -> Result<Outcome, ApiError> {
    let run = find(bench, &args.run).await?.id;
    let step = number.saturating_sub(1);
    let page = bench.run_page(PageArgs { run, from: step, most: 1 }).await?;
    if page.steps.is_empty() {
        return Err(ApiError::new(Code::NotFound, message!("the run has no step {number}", "运行没有第 {number} 步"))
            .hint(message!("its steps are 1 to {}", "它有第 1 到 {} 步", page.all)));
    }
    let found = &bench.run_step(StepArgs { run, step }).await?;
    let context = bench.step_context(StepArgs { run, step }).await?;
    if args.output.format == Format::Json {
        let told = serde_json::json!({ "step": found, "context": context });
        numbered::json(&told, &["step/index", "context/step", "context/skills/*/since"])?;
        return Ok(Outcome::Good);
    }
    out(&step_text(found, depth(bench, run, found).await?));
    context_text(&context);
    Ok(Outcome::Good)
}

/// Steps that are read at once.
const PAGE: u32 = 1000;

/// How deep a step is in conversations that calls started.
async fn depth(bench: &Workbench, run: RunId, step: &Step) -> Result<usize, ApiError> {
    if step.within.is_none() {
        return Ok(0);
    }
    let mut depths = Depths::default();
    let mut from = 0;
    while from < step.index {
        let most = PAGE.min(step.index - from);
        let page = bench.run_page(PageArgs { run, from, most }).await?;
        let Some(last) = page.steps.last() else { break };
        from = last.index + 1;
        for step in &page.steps {
            depths.of(step);
        }
    }
    Ok(depths.of(step))
}

fn context_text(context: &ContextAtStep) {
    let exact = if context.exact {
        styled(GREEN, words!("exact", "原样"))
    } else {
        styled(YELLOW, words!("partly reconstructed", "部分为重建"))
    };
    out(&format!(
        "\n{} {exact}",
        words!(
            "{} {} tokens,",
            "{} {} token，",
            styled(BOLD, words!("Context at this step:", "此步的上下文：")),
            context.tokens
        )
    ));
    let cached =
        |is: bool| if is { styled(CYAN, words!("  ⎯ cache point", "  ⎯ 缓存点")) } else { String::new() };
    let tools: Vec<String> =
        context.tools.iter().map(|tool| format!("{}{}", line(&tool.name), cached(tool.cache_point))).collect();
    out(&format!("  {} {}", styled(DIM, words!("tools", "工具")), tools.join(", ")));
    for group in &context.groups {
        out(&format!("  {} {}", styled(DIM, words!("group", "工具组")), group_text(group)));
    }
    for known in &context.skills {
        let since = known.since + 1;
        let told = match known.compacted {
            false => words!(
                "{} in the context since step {since}, {} tokens",
                "{} 从第 {since} 步起在上下文中，{} token",
                styled(BOLD, line(&known.skill)),
                known.tokens
            ),
            true => words!(
                "{} loaded at step {since}, compacted since then",
                "{} 在第 {since} 步载入，之后已被压缩",
                styled(BOLD, line(&known.skill))
            ),
        };
        out(&format!("  {} {told}", styled(DIM, words!("skill", "技能"))));
    }
    for message in &context.messages {
        let mark = if message.added { styled(GREEN, "+") } else { " ".to_owned() };
        let role = format!("{:?}", message.role).to_lowercase();
        out(&format!(
            "{mark} {} {}{}",
            styled(BOLD, role),
            styled(DIM, words!("{} tokens", "{} token", message.tokens)),
            cached(message.cache_point)
        ));
        if let Some(text) = unescaped(message) {
            out(&format!(
                "    {}",
                styled(DIM, words!("sent as a JSON string, which says:", "以 JSON 字符串发送，内容为："))
            ));
            out(&indented(&text, "    "));
        } else if !message.text.is_empty() {
            out(&indented(&message.text, "    "));
        }
        for call in &message.calls {
            out(&format!("    {} {}", styled(CYAN, line(&call.name)), line(&call.arguments)));
        }
    }
}

/// The text of a tool's result that was sent to the model as a JSON string with escapes.
fn unescaped(message: &ContextMessage) -> Option<String> {
    let is_string = message.role == Role::Tool && message.text.starts_with('"') && message.text.contains('\\');
    is_string.then(|| serde_json::from_str(&message.text).ok()).flatten()
}

async fn diff(bench: &Workbench, a: &str, b: &str, format: Format) -> Result<Outcome, ApiError> {
    let (a, b) = (find(bench, a).await?.id, find(bench, b).await?.id);
    let found = bench.run_diff(DiffArgs { a, b }).await?;
    if format == Format::Json {
        numbered::json(&found, &["pairs/*/a", "pairs/*/b", "firstDivergence"])?;
        return Ok(Outcome::Good);
    }
    diff_text(&found, Titles::of(bench, a), Titles::of(bench, b)).await?;
    Ok(Outcome::Good)
}

async fn diff_text(diff: &RunDiff, mut a: Titles<'_>, mut b: Titles<'_>) -> Result<(), ApiError> {
    for pair in &diff.pairs {
        let (mark, style, left, right, title) = match *pair {
            StepPair::Same { a: left, b: right } => (" ", DIM, Some(left), Some(right), a.at(left).await?),
            StepPair::Changed { a: left, b: right, instructions, tools } => {
                let title = b.at(right).await?;
                ("~", YELLOW, Some(left), Some(right), title + &set_up_text(instructions, tools))
            }
            StepPair::OnlyA { a: left } => ("-", RED, Some(left), None, a.at(left).await?),
            StepPair::OnlyB { b: right } => ("+", GREEN, None, Some(right), b.at(right).await?),
        };
        let at = |index: Option<u32>| index.map_or_else(|| "·".to_owned(), |index| (index + 1).to_string());
        out(&styled(style, format!("{mark} {:>3} {:>3}  {title}", at(left), at(right))));
    }
    match diff.first_divergence {
        None => out(&styled(GREEN, words!("The two runs are the same, step by step.", "两次运行每一步都相同。"))),
        Some(row) => out(&words!("They first differ in line {}.", "从第 {} 行开始不同。", row + 1)),
    }
    Ok(())
}

/// Which parts of the requests differ.
fn set_up_text(instructions: bool, tools: bool) -> String {
    match (instructions, tools) {
        (true, true) => words!("  (other instructions and tools)", "  （指令和工具不同）"),
        (true, false) => words!("  (other instructions)", "  （指令不同）"),
        (false, true) => words!("  (other tools)", "  （工具不同）"),
        (false, false) => String::new(),
    }
}

/// The titles of a run's steps. Some steps of it are here at a time.
struct Titles<'a> {
    bench: &'a Workbench,
    run: RunId,
    steps: Vec<Step>,
}

impl<'a> Titles<'a> {
    fn of(bench: &'a Workbench, run: RunId) -> Self {
        Self { bench, run, steps: Vec::new() }
    }

    async fn at(&mut self, index: u32) -> Result<String, ApiError> {
        if self.here(index).is_none() {
            let args = PageArgs { run: self.run, from: index, most: PAGE };
            self.steps = self.bench.run_page(args).await?.steps;
        }
        Ok(self.here(index).map(step_title).unwrap_or_default())
    }

    fn here(&self, index: u32) -> Option<&Step> {
        let first = self.steps.first()?.index;
        self.steps.get(index.checked_sub(first)? as usize)
    }
}

async fn align(bench: &Workbench, names: &[String], format: Format) -> Result<Outcome, ApiError> {
    let mut runs = Vec::new();
    for name in names {
        runs.push(find(bench, name).await?.id);
    }
    aligned::show(&bench.run_align(AlignArgs { runs }).await?, format)?;
    Ok(Outcome::Good)
}

async fn import(file: &Utf8Path, from: Option<ImportFormat>, signals: &Signals) -> Result<Outcome, ApiError> {
    let from = from.map(foreign);
    let waiting = WaitingLine::start();
    let said = waiting.clone();
    let bench = Workbench::open(Places::standard(None), Vec::new(), Freshness::ReadOnce, move |push| {
        if let Push::ImportProgress(ImportProgress { read, size, stored, .. }) = push {
            let part = (read * 100).checked_div(size).unwrap_or(100);
            said.set_message(match stored {
                None => words!("importing: {part} %", "正在导入：{part} %"),
                Some(part) => words!("storing: {part} %", "正在存储：{part} %"),
            });
        }
    });
    let bench = bench.await;
    let imported = match file.as_str() {
        "-" => bench.import_text(print::given(file, RUN_BYTES)?, from).await,
        path => {
            let import = bench.run_import_file(ImportFileArgs { path: path.into(), from, import: String::new() });
            tokio::pin!(import);
            tokio::select! {
                imported = &mut import => imported,
                () = signals.first() => {
                    bench.run_import_stop(ImportStopArgs { import: String::new() }).await?;
                    import.await
                }
            }
        }
    };
    waiting.finish_and_clear();
    let imported = imported.map_err(|error| match error.code {
        Code::Invalid if !error.message.contains(file.as_str()) => {
            let ApiError { message, message_zh, .. } = &error;
            ApiError {
                message: format!("{file}: {message}"),
                message_zh: format!("{file}：{message_zh}").into(),
                ..error
            }
        }
        _ => error,
    })?;
    told(&imported);
    for run in &imported.runs {
        out(&run.to_string());
    }
    Ok(Outcome::Good)
}

/// The parts of an import that did not become runs.
fn told(imported: &Imported) {
    let Imported { unreadable, unread, unread_count, unknown, keys, stopped, .. } = imported;
    if *stopped {
        print::note(&words!("stopped; nothing of the file was kept", "已停止，未保留文件中的任何内容"));
    }
    if *unreadable > 0 {
        let events = if *unreadable == 1 { "event" } else { "events" };
        print::warning(&words!(
            "{unreadable} {events} of this run cannot be read; the run has a note in place of each",
            "此运行有 {unreadable} 个事件无法读取；运行中以说明代替"
        ));
    }
    for UnreadLine { line, reason } in unread.iter().take(UNREAD_LISTED) {
        let reason = reason.clone().chosen();
        print::warning(&words!("line {line} is left out: {reason}", "第 {line} 行已略去：{reason}"));
    }
    let further = (*unread_count as usize).saturating_sub(unread.len().min(UNREAD_LISTED));
    if further > 0 {
        let lines = if further == 1 { "line is" } else { "lines are" };
        print::warning(&words!("{further} more {lines} left out", "另有 {further} 行已略去"));
    }
    if !unknown.is_empty() {
        let kinds: Vec<String> =
            unknown.iter().map(|Counted { kind, count }| format!("{} ({count})", line(kind))).collect();
        let kinds = kinds.join(", ");
        print::note(&words!(
            "kept with the run and not shown as steps: {kinds}",
            "随运行保留、但不显示为步骤的内容：{kinds}"
        ));
    }
    if *keys > 0 {
        let places = if *keys == 1 { "key was" } else { "keys were" };
        print::note(&words!("{keys} {places} removed", "已去除 {keys} 个密钥"));
    }
}

/// Lines of a file that are named one by one.
const UNREAD_LISTED: usize = 20;

fn foreign(format: ImportFormat) -> Foreign {
    match format {
        ImportFormat::OpenaiChat => Foreign::OpenaiChat,
        ImportFormat::OpenaiResponses => Foreign::OpenaiResponses,
        ImportFormat::AnthropicMessages => Foreign::AnthropicMessages,
        ImportFormat::ClaudeCode => Foreign::ClaudeCode,
        ImportFormat::Codex => Foreign::Codex,
        ImportFormat::Otlp => Foreign::Otlp,
        ImportFormat::Inspect => Foreign::Inspect,
    }
}

/// A run of some thousand requests.
const RUN_BYTES: u64 = 1 << 30;

async fn export(
    bench: &Workbench,
    run: &str,
    format: ExportFormat,
    redact: &[Redact],
    output: Option<String>,
) -> Result<Outcome, ApiError> {
    let run = find(bench, run).await?.id;
    let (format, kind) = match format {
        ExportFormat::Jsonl => (RunExport::Jsonl, OutputKind::Json),
        ExportFormat::Screenplay => (RunExport::Screenplay, OutputKind::Data),
        ExportFormat::Openai => (RunExport::Openai, OutputKind::Json),
        ExportFormat::Anthropic => (RunExport::Anthropic, OutputKind::Json),
        ExportFormat::Inspect => (RunExport::Inspect, OutputKind::Json),
        ExportFormat::Markdown => match language() {
            Language::English => (RunExport::Markdown, OutputKind::Data),
            Language::Chinese => (RunExport::MarkdownChinese, OutputKind::Data),
        },
        ExportFormat::Source => (RunExport::Source, OutputKind::Json),
        ExportFormat::Html => return replay(bench, run, redact, output).await,
    };
    match output {
        Some(path) => bench.run_save(SaveArgs { path, run, format }).await?,
        // It may be longer than memory.
        None if format == RunExport::Jsonl => {
            bench.run_lines(run, |piece| print::part(kind, piece)).await?;
        }
        None => print::data(kind, bench.run_export(ExportArgs { run, format }).await?.trim_end()),
    }
    Ok(Outcome::Good)
}

/// Reports what is removed and what stays, so that users see it before they share the page.
async fn replay(bench: &Workbench, run: RunId, redact: &[Redact], output: Option<String>) -> Result<Outcome, ApiError> {
    let found = bench.replay_private(RunArgs { run }).await?;
    let chosen = |kind: PrivateKind| redact.is_empty() || redact.contains(&Redact::of(kind));
    for PrivateText { kind, text, count } in &found {
        let text = line(&push::shown(*kind, text));
        if chosen(*kind) {
            print::note(&words!("removed: {text} ({count} times)", "已去除：{text}（{count} 处）"));
        } else {
            print::warning(&words!("the page contains {text} ({count} times)", "页面中含有 {text}（{count} 处）"));
        }
    }
    let redact = found.into_iter().filter(|each| chosen(each.kind)).collect();
    let chinese = language() == Language::Chinese;
    match output {
        Some(path) => bench.replay_save(ReplaySaveArgs { path, run, chinese, redact }).await?,
        None => print::data(OutputKind::Data, bench.replay(ReplayArgs { run, chinese, redact }).await?.trim_end()),
    }
    Ok(Outcome::Good)
}

fn status_colour(run: &RunSummary) -> String {
    let style = match run.status {
        RunStatus::Done => GREEN,
        RunStatus::Running => CYAN,
        RunStatus::Stopped | RunStatus::Limited | RunStatus::Interrupted => YELLOW,
        RunStatus::Failed => RED,
    };
    styled(style, print::padded(&status(run.status), 11))
}
