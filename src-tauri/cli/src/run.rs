//! `run`: starts a run, follows it, answers its approvals, prints its messages.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use ::trace::{ContextAtStep, RunId, RunStatus, Step, StepKind, StepState};
use api::dto::{
    ContinueArgs, DecideArgs, HarnessChoice, NoArgs, Push, RunArgs as OneRun, RunDetail, RunFiles, RunRequest,
    RunUpdate, SettleArgs, StepArgs,
};
use api::{ApiError, Code, Freshness, Places, Workbench, folder_at};
use config::{RECORDED, REHEARSAL};
use engine::Given;
use model::Role;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::choice::Chosen;
use crate::images::images;
use crate::print::{BOLD, DIM, GREEN, RED, YELLOW, hanging, out, styled};
use crate::rescue::Rescued;
use crate::signals::Signals;
use crate::updates::{is_over, said, waiting_line};
use crate::{
    Approve, Format, Outcome, RunArgs, ask, cut, files, fork, means, numbered, push, rehearse, replayed, steps,
};
use wording::message;

pub async fn run(args: RunArgs, signals: &Signals) -> Result<Outcome, ApiError> {
    let (pushes, mut updates) = mpsc::unbounded_channel();
    let begun = tokio::select! {
        biased;
        begun = begin(&args, pushes) => begun?,
        // Nothing is running yet that would have to be ended.
        () = signals.first() => return Ok(Outcome::Bad),
    };
    let (bench, run, model) = match begun {
        Begun::One { bench, run, model } => (bench, run, model),
        Begun::Several { bench, of } => return rehearse::rehearse(args, of, bench, updates, signals).await,
    };

    let text = args.shown.output.format == Format::Text;
    let followed = Followed { bench: &bench, run, model: &model, approve: args.approve, text };
    followed.to_its_end(&mut updates, signals).await?;
    let detail = bench.run_get(OneRun { run }).await?;
    // If the run cannot be read now, it has reported that itself.
    let left = bench.run_files(OneRun { run }).await.ok();
    let changed = replayed::changed(&bench, &detail).await?;
    let rescued = Rescued::of(&bench, &detail.summary).await;
    if let Some(sent) = bench.live_sent(run).await {
        push::told(&sent);
    }
    match args.shown.output.format {
        Format::Json => {
            let last = detail.steps.iter().rfind(|step| step.within.is_none() && step.turn.is_some());
            let sent = match last {
                Some(step) => Some(bench.step_context(StepArgs { run, step: step.index }).await?),
                None => None,
            };
            let mut told = run_json(&detail, sent.as_ref(), rescued.as_ref());
            if let Some(changed) = &changed {
                told["changed"] = json!(changed);
            }
            told["files"] = json!(left);
            numbered::json(&told, &["forkedFrom/step"])?;
        }
        Format::Text => {
            closing(&detail, left.as_ref());
            replayed::told(changed.as_deref().unwrap_or_default());
        }
    }
    if let Some(rescued) = rescued {
        return Err(rescued.error());
    }
    Ok(match detail.summary.status {
        RunStatus::Done if changed.is_some_and(|changed| !changed.is_empty()) => Outcome::Bad,
        RunStatus::Done if cut::premature(&detail.steps).is_some() => Outcome::Premature,
        RunStatus::Done => Outcome::Good,
        _ if cut::ended(&detail) => Outcome::Cut,
        _ => Outcome::Bad,
    })
}

/// A run that is followed on the terminal.
pub struct Followed<'a> {
    pub bench: &'a Workbench,
    pub run: RunId,
    /// Who answers.
    pub model: &'a str,
    pub approve: Approve,
    /// Whether its steps are printed.
    pub text: bool,
}

impl Followed<'_> {
    /// Prints the steps, and answers or asks what the run waits for. A signal stops the run.
    pub async fn to_its_end(
        &self,
        updates: &mut mpsc::UnboundedReceiver<Push>,
        signals: &Signals,
    ) -> Result<(), ApiError> {
        let Self { bench, run, model, approve, text } = self;
        let mut waiting = waiting_line();
        let mut depths = steps::Depths::default();
        let tell = |steps: Vec<String>| steps.iter().filter(|_| *text).for_each(|step| out(step));
        let mut held = Held::default();
        let mut answered = BTreeSet::new();
        let mut interrupted = false;
        loop {
            let update = tokio::select! {
                push = updates.recv() => match push {
                    Some(Push::RunUpdate(update)) if update.run == *run => update,
                    Some(_) => continue,
                    None => return Err(ApiError::new(
                        Code::Store,
                        message!("the run ended without recording a result", "运行结束时没有记录结果"),
                    )),
                },
                () = signals.first(), if !interrupted => {
                    interrupted = true;
                    bench.run_stop(OneRun { run: *run }).await?;
                    continue;
                }
            };
            for (step, depth) in &held.follow(&update, &mut depths) {
                if step.state == StepState::Running {
                    waiting.set_message(waits_for(step, model));
                }
                if let Some(question) = step.question
                    && answered.insert(question)
                {
                    // The question needs the line, and what led to it above.
                    waiting.finish_and_clear();
                    tell(held.due(step.index));
                    if let StepKind::Answer { .. } = &step.kind {
                        let choice = tokio::select! {
                            choice = cut::choose(step) => choice,
                            () = signals.first(), if !interrupted => {
                                interrupted = true;
                                bench.run_stop(OneRun { run: *run }).await?;
                                continue;
                            }
                        };
                        waiting = waiting_line();
                        bench.run_settle(SettleArgs { run: *run, question, choice }).await?;
                        continue;
                    }
                    let Given { decision, remember } = tokio::select! {
                        decision = ask::decide(step, *approve, bench) => decision,
                        () = signals.first(), if !interrupted => {
                            interrupted = true;
                            bench.run_stop(OneRun { run: *run }).await?;
                            continue;
                        }
                    };
                    waiting = waiting_line();
                    bench.run_decide(DecideArgs { run: *run, question, decision, remember }).await?;
                }
                held.take(step, *depth);
            }
            waiting.suspend(|| tell(held.due(held.newest)));
            if is_over(&update) {
                break;
            }
        }

        waiting.finish_and_clear();
        tell(held.due(u32::MAX));
        Ok(())
    }
}

/// The runs that were started.
enum Begun {
    One {
        bench: Workbench,
        run: RunId,
        model: String,
    },
    /// Nothing yet.
    Several {
        bench: Workbench,
        of: Vec<HarnessChoice>,
    },
}

async fn begin(args: &RunArgs, pushes: mpsc::UnboundedSender<Push>) -> Result<Begun, ApiError> {
    args.shown.roots.iter().try_for_each(|root| folder_at(root).map(drop))?;
    let bench = Workbench::open(Places::standard(None), args.shown.roots.clone(), Freshness::ReadOnce, move |push| {
        // Once the command is over there is no receiver.
        let _ = pushes.send(push);
    })
    .await;
    if let Some(name) = &args.goes_on {
        let goes_on = steps::find(&bench, name).await?;
        let harness = match args.shown.harness.harness.is_empty() {
            true => None,
            false => match args.shown.harness.to_run(&bench).await? {
                Chosen::One(choice) => Some(choice.harness),
                Chosen::Several(_) => {
                    return Err(ApiError::new(
                        Code::Invalid,
                        message!("a run goes on under one framework", "一次运行只在一个框架下继续"),
                    )
                    .hint(message!("name one with --harness", "请用 --harness 指明一个框架")));
                }
            },
        };
        let run = bench
            .run_continue(ContinueArgs {
                run: goes_on.id,
                roots: None,
                harness,
                model: args.model.clone(),
                prompt: said(args)?,
                images: images(args)?,
                means: means::of(args),
            })
            .await?;
        let model = args.model.clone().unwrap_or(goes_on.setup.model);
        return Ok(Begun::One { bench, run, model });
    }
    if let (Some(name), Some(at)) = (&args.fork, args.at) {
        let (run, model) = fork::begin(&bench, args, name, at).await?;
        return Ok(Begun::One { bench, run, model });
    }
    let choice = match args.shown.harness.to_run(&bench).await? {
        Chosen::One(choice) => choice,
        Chosen::Several(_) if !args.image.is_empty() => {
            return Err(ApiError::new(
                Code::Invalid,
                message!("--image cannot be used with several frameworks", "--image 不能用于多个框架"),
            ));
        }
        Chosen::Several(of) => return Ok(Begun::Several { bench, of }),
    };
    let (model, prompt) = asked(&bench, args).await?;
    let run = bench
        .run_start(RunRequest {
            harness: choice.harness,
            variant: choice.variant,
            model: model.clone(),
            prompt,
            images: images(args)?,
            screenplay: args.screenplay.as_ref().map(|path| path.to_string()),
            neutral_paths: args.neutral_paths,
            means: means::of(args),
            ..RunRequest::default()
        })
        .await?;
    Ok(Begun::One { bench, run, model })
}

/// Model and prompt as the api takes them: `recorded:last` with the run's whole id, and the prompt of then.
async fn asked(bench: &Workbench, args: &RunArgs) -> Result<(String, String), ApiError> {
    let model = match &args.model {
        Some(model) => model.clone(),
        None => bench.project_choice(NoArgs {}).await?.model.unwrap_or_else(|| REHEARSAL.to_owned()),
    };
    match model.strip_prefix(RECORDED) {
        Some(run) => {
            let run = steps::find(bench, run).await?;
            let prompt = args.prompt.clone().unwrap_or(run.setup.prompt);
            Ok((format!("{RECORDED}{}", run.id), prompt))
        }
        None => Ok((model, said(args)?)),
    }
}

/// Steps that are over and not printed yet: what a step adds to the context is certain once the next one has begun.
#[derive(Default)]
struct Held {
    /// Steps by their indices, with their depth.
    steps: BTreeMap<u32, (Step, usize)>,
    /// All that are not printed yet, as updates left them.
    known: BTreeMap<u32, (Step, usize)>,
    printed: BTreeSet<u32>,
    newest: u32,
}

impl Held {
    /// The steps that an update changed, as they are now.
    fn follow(&mut self, update: &RunUpdate, depths: &mut steps::Depths) -> Vec<(Step, usize)> {
        let mut changed: Vec<u32> = Vec::new();
        for step in &update.steps {
            self.known.insert(step.index, (step.clone(), depths.of(step)));
            changed.push(step.index);
        }
        for change in &update.changes {
            if let Some((step, _)) = self.known.get_mut(&change.index()) {
                change.apply(step);
                changed.push(change.index());
            }
        }
        changed.sort_unstable();
        changed.iter().filter_map(|index| self.known.get(index).cloned()).collect()
    }

    fn take(&mut self, step: &Step, depth: usize) {
        self.newest = self.newest.max(step.index);
        let is_over = matches!(step.state, StepState::Done | StepState::Failed | StepState::Stopped);
        if is_over && !self.printed.contains(&step.index) {
            self.steps.insert(step.index, (step.clone(), depth));
        }
    }

    /// The texts of those before a step.
    fn due(&mut self, before: u32) -> Vec<String> {
        let rest = self.steps.split_off(&before);
        let due = std::mem::replace(&mut self.steps, rest);
        self.printed.extend(due.keys());
        self.known.retain(|index, _| !due.contains_key(index));
        due.values().map(|(step, depth)| steps::step_text(step, *depth)).collect()
    }
}

fn waits_for(step: &Step, model: &str) -> String {
    match &step.kind {
        StepKind::Answer { .. } => words!("waiting for {model} (Ctrl+C stops)", "等待 {model}（Ctrl+C 停止）"),
        StepKind::Tool { call, .. } => words!("{} is running (Ctrl+C stops)", "{} 正在运行（Ctrl+C 停止）", call.name),
        StepKind::Prompt { .. } | StepKind::Note { .. } | StepKind::End { .. } => String::new(),
    }
}

fn run_json(detail: &RunDetail, sent: Option<&ContextAtStep>, rescued: Option<&Rescued>) -> Value {
    let setup = &detail.summary.setup;
    json!({
        "run": detail.summary.id,
        "status": detail.summary.status,
        "error": detail.summary.error,
        "perhapsCut": cut::is_in(&detail.steps),
        "premature": cut::premature(&detail.steps),
        "harness": setup.harness,
        "variant": setup.variant,
        "model": setup.model,
        "rehearsal": setup.rehearsal,
        "forkedFrom": setup.forked,
        "prompt": setup.prompt,
        "prompts": prompts(&detail.steps),
        "spent": detail.summary.spent,
        "messages": messages(detail, sent),
        "unsaved": rescued.map(Rescued::json),
    })
}

/// What the user said, turn by turn.
fn prompts(steps: &[Step]) -> Vec<&str> {
    steps.iter().filter_map(prompt).collect()
}

fn prompt(step: &Step) -> Option<&str> {
    match &step.kind {
        StepKind::Prompt { text, .. } => Some(text),
        StepKind::Answer { .. } | StepKind::Tool { .. } | StepKind::Note { .. } | StepKind::End { .. } => None,
    }
}

/// Answers, replies, and what the user and the framework said to the model between them, in order.
fn messages(detail: &RunDetail, sent: Option<&ContextAtStep>) -> Vec<Value> {
    let mut said: VecDeque<Value> =
        detail.steps.iter().filter(|step| step.within.is_none() && step.index > 0).filter_map(message_json).collect();
    let mut messages = Vec::new();
    let behind_prompt =
        sent.iter().flat_map(|sent| &sent.messages).skip_while(|message| message.role != Role::User).skip(1);
    for message in behind_prompt {
        match message.role {
            Role::Assistant | Role::Tool => {
                let ahead = said.iter().take_while(|next| next["role"] == "user").count();
                messages.extend(said.drain(..(ahead + 1).min(said.len())));
            }
            Role::User => {
                // The user's prompts are among the steps; texts that the framework added as the user are not.
                let user = json!({ "role": "user", "content": message.text });
                if said.front() == Some(&user) {
                    said.pop_front();
                    messages.push(user);
                } else if !said.contains(&user) {
                    messages.push(user);
                }
            }
            Role::System => {}
        }
    }
    messages.extend(said);
    messages
}

/// An answer or a tool's reply in the shape of an OpenAI chat message; tool content is the text that the tool
/// returned, before any encoding for the wire.
fn message_json(step: &Step) -> Option<Value> {
    match &step.kind {
        StepKind::Answer { text, calls, .. } => {
            let mut message =
                json!({ "role": "assistant", "content": if text.is_empty() { None } else { Some(text) } });
            if !calls.is_empty() {
                let calls = calls.iter().map(|call| {
                    json!({
                        "id": call.id,
                        "type": "function",
                        "function": { "name": call.name, "arguments": call.arguments },
                    })
                });
                message["tool_calls"] = calls.collect();
            }
            Some(message)
        }
        StepKind::Tool { call, reply: Some(reply), images, documents, .. } => {
            let mut message = json!({ "role": "tool", "tool_call_id": call.id, "content": reply });
            if !images.is_empty() {
                message["images"] = json!(images);
            }
            if !documents.is_empty() {
                message["documents"] = json!(documents);
            }
            Some(message)
        }
        StepKind::Prompt { text, images, .. } => {
            let mut message = json!({ "role": "user", "content": text });
            if !images.is_empty() {
                message["images"] = json!(images);
            }
            Some(message)
        }
        StepKind::Tool { reply: None, .. } | StepKind::Note { .. } | StepKind::End { .. } => None,
    }
}

/// `changed`: what it left on disk, if that is known.
fn closing(detail: &RunDetail, changed: Option<&RunFiles>) {
    let summary = &detail.summary;
    let premature = cut::premature(&detail.steps);
    let status = match summary.status {
        RunStatus::Done if premature.is_some() => {
            styled(YELLOW.bold(), words!("done, but the last answer is not whole", "完成，但最后的回答不完整"))
        }
        RunStatus::Done => styled(GREEN.bold(), words!("done", "完成")),
        RunStatus::Stopped => styled(RED.bold(), words!("stopped", "已停止")),
        RunStatus::Limited => styled(RED.bold(), words!("a limit was reached", "达到上限")),
        RunStatus::Failed | RunStatus::Interrupted | RunStatus::Running => styled(RED.bold(), words!("failed", "失败")),
    };
    out(&words!(
        "{status}  {} tokens of context, {}",
        "{status}  上下文 {} token，{}",
        summary.context_tokens,
        steps::asked_and_spent(summary, &detail.steps)
    ));
    if let Some(ending) = premature.and_then(|finish| steps::ending(finish, None)) {
        out(&format!("  {}", hanging(&ending, "  ")));
    }
    if let Some(error) = steps::why_ended(detail).or_else(|| summary.error.clone()) {
        out(&format!("  {}", hanging(&error, "  ")));
    }
    if let Some(changed) = changed {
        files::list(changed, "  ");
    }
    if summary.unsaved.is_none() {
        out(&styled(DIM, format!("  skillbench trace show {}", styled(BOLD, summary.id))));
    }
}
