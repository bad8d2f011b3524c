//! Runs that are forked off recorded ones: from any step on, with something done otherwise.

use std::collections::{BTreeMap, BTreeSet};

use super::dto::{ForkArgs, RunArgs, RunRequest, RunTree, TreeRun};
use super::error::{ApiError, Code};
use super::fork_files::FilesThen;
use super::runs::put_held;
use super::scenes::Turn;
use super::starts::{PastRun, check_prompt, checked_images};
use super::{Workbench, blocking};
use engine::{Branch, Then};
use model::Message;
use trace::branch::{self, Edit, ForkPoint};
use trace::{
    EditedResult, Event, EventKind, ForkedFrom, RunId, RunSetup, RunStatus, RunSummary, Step, StepKind, fold, turns,
};
use wording::message;

impl Workbench {
    /// Begins a run with the events that another one recorded before a step, and continues from there: with the same
    /// step again, or with the user's change. Returns once it is recorded; its further steps arrive as pushes. Skills
    /// are as they are now.
    pub async fn run_fork(&self, args: ForkArgs) -> Result<RunId, ApiError> {
        args.prompt.as_deref().map_or(Ok(()), check_prompt)?;
        let edit = edit_of(&args)?;
        // Requests are most of a run, and only those that the fork keeps are needed.
        let events = self.events_without_bodies(args.run).await?;
        let number = args.step;
        let (kept, mut then, step) = blocking(move || cut(events, number, edit)).await?;
        let mut kept = self.with_bodies(args.run, kept).await?;
        let last = kept.iter().rev().find_map(|event| event.kind.setup());
        let recorded = last.unwrap_or(&then.setup).clone();
        let model = match args.model.clone() {
            Some(model) => model,
            None => self.same_model(args.run, &recorded)?,
        };
        let is_same = args.harness.as_ref().is_none_or(|harness| *harness == recorded.harness);
        let harness = args.harness.clone().unwrap_or_else(|| recorded.harness.clone());
        let variant = match is_same {
            true => args.variant.clone().or_else(|| Some(recorded.variant.clone())),
            false => args.variant.clone(),
        };
        if let (Some(text), branch::Then::Answered { message }) = (&args.answer, &mut then.place.then) {
            // It is recorded, and sent to a model.
            let text = self.guard().await.scrubber().text(text);
            *message = edited_answer(message, &text, args.prompt.is_some(), &step)?;
        }
        let is_answered = matches!(then.place.then, branch::Then::Answered { .. });
        let more = match &args.prompt {
            Some(prompt) if is_answered => {
                let images = checked_images(args.images.clone().unwrap_or_default()).await?;
                Some(Turn { prompt: prompt.clone(), images })
            }
            _ => None,
        };
        let prompt = match (&args.prompt, &then.place.then) {
            (Some(prompt), _) if !is_answered => prompt.clone(),
            (None, branch::Then::Said { .. }) => then.setup.prompt.clone(),
            (_, _) => turns::prompts(&kept).last().unwrap_or_default().to_owned(),
        };
        let is_prompt = matches!(step.kind, StepKind::Prompt { .. });
        if args.images.is_some() && args.prompt.is_none() && !is_prompt {
            return Err(pictures_alone(step.index));
        }
        let images = match (args.images, &args.prompt, &then.place.then) {
            (Some(images), ..) if !is_answered => checked_images(images).await?,
            // An edited prompt keeps its pictures.
            (None, _, branch::Then::Said { .. }) if is_prompt => then.setup.images.clone(),
            (None, Some(_), _) if !is_answered => Vec::new(),
            (..) => turns::said(&kept).last().map(|setup| setup.images.clone()).unwrap_or_default(),
        };
        let request = RunRequest {
            roots: args.roots,
            harness,
            variant,
            model,
            prompt,
            images,
            screenplay: args.screenplay,
            without: recorded.without.clone(),
            neutral_paths: Some(!recorded.neutral.is_empty()),
            means: self.means_of(args.means, args.run, &recorded),
        };
        self.see_edits();
        let (roots, variant) = (request.roots.as_deref(), request.variant.as_deref());
        let mut stage = self.stage_of_run(roots, &request.harness, variant, request.neutral_paths).await?;
        let other = match is_same {
            true => None,
            false => {
                Some(harness::find(&recorded.harness).map_or(recorded.harness, |known| known.profile().title.into()))
            }
        };
        if other.is_some() && step.within.is_some() {
            return Err(ApiError::new(
                Code::Invalid,
                message!(
                    "step {} is in the conversation of a sub-agent, which another framework cannot take over",
                    "第 {} 步在子智能体的对话中，其他框架无法接过这段对话",
                    step.index.saturating_add(1)
                ),
            )
            .hint(message!(
                "fork at the call that started the sub-agent, or keep the framework",
                "请在启动子智能体的调用处分叉，或保留原来的框架"
            )));
        }
        stage.catalog.leave_out(&request.without);
        if let branch::Then::Said { breaks_off: true } = then.place.then {
            kept.push(broken_off(&kept));
        }
        let then_files = then.files;
        let then = match (then.place.then, args.result) {
            (branch::Then::Replied { call_id }, Some(text)) => {
                // It is recorded, and sent to a model.
                let text = self.guard().await.scrubber().text(&text);
                Then::Replied(EditedResult { call_id, text })
            }
            (branch::Then::Answered { message }, _) => Then::Answered(message),
            (branch::Then::Said { .. }, _) => Then::Said,
            _ => Then::Again,
        };
        let branch = Branch { from: ForkedFrom { run: args.run, step: args.step }, other, then };
        let past = PastRun::new(kept, Some(branch)).saying(more);
        let (parent, folder) = (self.inner.places.run_folder(args.run), self.inner.places.run_folder(past.run()));
        let copied = {
            let folder = folder.clone();
            blocking(move || then_files.copy(&parent, &folder)).await
        };
        let begun = match copied {
            Ok(copied) => {
                stage.left_out.extend(copied.told(args.run));
                self.begin(stage, &request, Some(past)).await
            }
            Err(error) => Err(error),
        };
        if begun.is_err() {
            // No one else knows of the folder.
            blocking(move || drop(std::fs::remove_dir_all(&folder))).await;
        }
        begun
    }

    /// The runs that a run has to do with by forks, all of them.
    pub async fn run_tree(&self, args: RunArgs) -> Result<RunTree, ApiError> {
        let held = self.held_summaries().await;
        // A running fork may be only in memory.
        let parents = held.iter().filter_map(|run| run.setup.forked).map(|from| from.run);
        let of = [args.run].into_iter().chain(parents).collect();
        let mut runs = self.store().await?.family(of).await?;
        put_held(&mut runs, held, |_| true);
        Ok(blocking(move || RunTree { runs: tree(args.run, runs) }).await)
    }
}

/// Where a run is forked off, as the record has it.
struct Cut {
    place: ForkPoint,
    files: FilesThen,
    /// Of what the user says there, or said before.
    setup: RunSetup,
}

fn edit_of(args: &ForkArgs) -> Result<Edit, ApiError> {
    let says = args.prompt.is_some() || args.images.is_some();
    match (says, &args.result, &args.answer) {
        (false, None, None) => Ok(Edit::None),
        (true, None, None) => Ok(Edit::Prompt),
        (false, Some(_), None) => Ok(Edit::Result),
        (_, None, Some(_)) => Ok(Edit::Answer),
        (_, Some(_), _) => Err(ApiError::new(
            Code::Invalid,
            message!(
                "a fork has one edited step: a prompt, a result or an answer",
                "一次分叉只编辑一步：提示词、结果或回答"
            ),
        )
        .hint(message!("fork again from the new run", "请从新的运行再分叉一次"))),
    }
}

/// The answer as the user wrote it. `says`: the user says more after it.
fn edited_answer(message: &Message, text: &str, says: bool, step: &Step) -> Result<Message, ApiError> {
    let number = step.index.saturating_add(1);
    let edited = message.clone().saying(text);
    if text == message.text() {
        let message = message!("the answer at step {number} says this already", "第 {number} 步的回答原本就是这段文字");
        return Err(ApiError::new(Code::Invalid, message)
            .hint(message!("change the text, or give no answer", "请修改文字，或不填写回答")));
    }
    let calls = edited.calls().next().is_some();
    if !calls && text.trim().is_empty() {
        let message = message!(
            "the answer at step {number} calls no tool, so it needs a text",
            "第 {number} 步的回答没有调用工具，因此不能没有文字"
        );
        return Err(
            ApiError::new(Code::Invalid, message).hint(message!("write what the model answers", "请写出模型的回答"))
        );
    }
    if says && calls {
        let message = message!(
            "the answer at step {number} calls tools, so the turn is not over and the user cannot say more",
            "第 {number} 步的回答调用了工具，这一轮尚未结束，用户还不能再说什么"
        );
        return Err(
            ApiError::new(Code::Invalid, message).hint(message!("leave out what the user says", "请不要填写用户的话"))
        );
    }
    if says && step.within.is_some() {
        let (why, hint) = (branch::NoPlace::SubAgent.worded(), branch::NoPlace::SubAgent.hint());
        let message =
            message!("cannot say more after step {number}: {why}", "无法在第 {number} 步之后再说什么：{why}"; why);
        return Err(ApiError::new(Code::Invalid, message).hint(hint));
    }
    Ok(edited)
}

fn pictures_alone(step: u32) -> ApiError {
    let number = step.saturating_add(1);
    let message =
        message!("step {number} is not a prompt, so images need a text", "第 {number} 步不是提示词，图片需要配上文字");
    ApiError::new(Code::Invalid, message)
        .hint(message!("also say what the user says after it", "请同时写明用户在其后所说的话"))
}

/// The events that are kept, what comes after them, and the step.
fn cut(mut events: Vec<Event>, number: u32, edit: Edit) -> Result<(Vec<Event>, Cut, Step), ApiError> {
    let refused = |why: branch::NoPlace| {
        let (number, why, hint) = (number.saturating_add(1), why.worded(), why.hint());
        let message = message!("cannot fork at step {number}: {why}", "无法在第 {number} 步分叉：{why}"; why);
        ApiError::new(Code::Invalid, message).hint(hint)
    };
    let steps = fold::steps(&events);
    let step = steps.get(number as usize).ok_or_else(|| refused(branch::NoPlace::Missing))?;
    let place = branch::place(&events, step.event, edit).map_err(refused)?;
    let said = events.iter().take(place.kept + 1).rev().find_map(|event| event.kind.setup()).cloned();
    let setup = said.ok_or_else(|| refused(branch::NoPlace::Missing))?;
    let step = step.clone();
    let files = FilesThen::of(&events, place.kept);
    events.truncate(place.kept);
    Ok((events, Cut { place, files, setup }, step))
}

/// The end of a turn in which the user says something else.
fn broken_off(kept: &[Event]) -> Event {
    let (seq, at) = kept.last().map_or((0, 0), |last| (last.seq.saturating_add(1), last.at));
    Event { seq, at, within: None, kind: EventKind::ended(RunStatus::Stopped, None, None) }
}

/// The tree that a run is in. What a file says about itself may be wrong, so no run is in it twice.
fn tree(run: RunId, list: Vec<RunSummary>) -> Vec<TreeRun> {
    let mut runs: BTreeMap<RunId, RunSummary> = list.into_iter().map(|run| (run.id, run)).collect();
    let mut forks: BTreeMap<RunId, Vec<(u32, i64, RunId)>> = BTreeMap::new();
    for (id, summary) in &runs {
        if let Some(from) = summary.setup.forked {
            forks.entry(from.run).or_default().push((from.step, summary.started_at, *id));
        }
    }
    forks.values_mut().for_each(|forks| forks.sort_unstable());
    let mut first = run;
    let mut seen = BTreeSet::from([run]);
    while let Some(from) = runs.get(&first).and_then(|run| run.setup.forked).filter(|from| seen.insert(from.run)) {
        first = from.run;
    }
    let mut tree = Vec::new();
    let mut seen = BTreeSet::from([first]);
    let mut next = vec![(first, 0)];
    while let Some((run, depth)) = next.pop() {
        let summary = runs.remove(&run);
        let from = summary.as_ref().and_then(|run| run.setup.forked);
        tree.push(TreeRun { run, depth, from, summary });
        let forked = forks.get(&run).into_iter().flatten().rev();
        next.extend(forked.filter(|(.., fork)| seen.insert(*fork)).map(|(.., fork)| (*fork, depth + 1)));
    }
    tree
}
