//! Tool calls played against a harness in one session, without a model.

use serde::Serialize;
use serde_json::Value;

use super::error::{ApiError, Tried};
use super::inspect::{Stage, check_runs};
use super::{Workbench, absolute};
use engine::effect::{self, Means, Serving};
use engine::tool::reach::Reach;
use engine::tool::room::{Room, folders};
use harness::{Effect, FailureKind, Performed, Served, ToolReply};
use model::{Document, Image, Message, Part, Role, ToolCall, ToolResult};
use skill::paths::Paths;
use wording::{Message as Words, Wording};

/// A call as a script gives it.
#[derive(Debug, Clone, PartialEq)]
pub struct ScriptedCall {
    pub name: String,
    /// The text a model would have written: JSON, or something that is none.
    pub arguments: String,
}

/// The call as the harness handled it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PlayedCall {
    pub name: String,
    /// As JSON if the text was JSON, else the text.
    pub arguments: Value,
    pub text: String,
    /// Pictures that go with the text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<Image>,
    /// Files that go with it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub documents: Vec<Document>,
    pub is_error: bool,
    /// The framework ends the run here; later calls are not played.
    pub aborted: bool,
    /// What the framework puts into the conversation behind the result, one text for each block.
    pub injected: Vec<String>,
    /// Names of the tools that the next request would offer.
    pub tools_after: Vec<String>,
    /// Why nothing was performed, which a framework may keep from the model.
    #[serde(skip)]
    pub note: Option<Words>,
}

impl Workbench {
    /// Plays `calls` in order over the open folders. Scripts run in a separate folder that is deleted afterwards.
    pub async fn play_calls(
        &self,
        harness: &str,
        variant: Option<&str>,
        calls: Vec<ScriptedCall>,
        allow_scripts: bool,
    ) -> Result<Vec<PlayedCall>, ApiError> {
        let mut stage = self.stage(None, harness, variant).await?;
        check_runs(stage.harness)?;
        let folder =
            tempfile::tempdir().map_err(|error| ApiError::of_system(TEMPORARY.into(), Tried::Create, error))?;
        let folder_path = camino::Utf8PathBuf::try_from(folder.path().to_owned())
            .map(|path| absolute(&path))
            .map_err(|error| ApiError::of_system(TEMPORARY.into(), Tried::Use, error.into_io_error()))?;
        stage.session.working_directory = Some(folder_path.clone());
        let limits = stage.project.limits.clone();
        let guard = self.guard().await;
        let shown = folders(stage.catalog.skills.iter().map(|skill| skill.path.as_deref()));
        let policy = self.readable_venv(stage.project.sandbox.clone(), &stage.roots).await?;
        let room = Room::new(policy, shown, folder_path.clone());
        let (reach, paths) = (Reach::everywhere(), Paths::default());
        let means = Means {
            limits: &limits,
            room: &room,
            working_directory: &folder_path,
            paths: &paths,
            reach: &reach,
            guard: &guard,
        };
        let mut played = Vec::new();
        let mut history = Vec::new();
        for (index, call) in calls.into_iter().enumerate() {
            let call = ToolCall::new(format!("call_{}", index + 1), call.name, call.arguments);
            let mut note = None;
            let mut serving = Serving::new(stage.harness, call.clone());
            let mut served = serving.begin(&stage.catalog, &mut stage.session);
            let (reply, aborted) = loop {
                let effect = match served {
                    Ok(Served::Reply(reply)) => break (reply, false),
                    Ok(Served::Abort(message)) => break (ToolReply::error(message), true),
                    Ok(Served::Perform(effect)) => effect,
                    Err(limit) => break (ToolReply::error(limit.en), true),
                };
                let (done, why) = match refusal(&effect, allow_scripts) {
                    Some(reason) => (Performed::failed(FailureKind::Other, reason.en), Some(reason.into())),
                    None => {
                        let done = effect::perform(&effect, means).await;
                        (done.performed, done.why)
                    }
                };
                if let Performed::Failed { message, .. } = &done {
                    note = Some(why.unwrap_or_else(|| Words::quoted(message)));
                }
                served = serving.go_on(done, &stage.catalog, &mut stage.session);
            };
            history.push(Message { role: Role::Assistant, parts: vec![Part::ToolCall(call.clone())] });
            let injected = if aborted { Vec::new() } else { behind(&reply, &call, &mut history, &mut stage) };
            let tools = stage.harness.present(&stage.catalog, &stage.session).definitions();
            played.push(PlayedCall {
                arguments: serde_json::from_str(&call.arguments).unwrap_or(Value::String(call.arguments)),
                name: call.name,
                text: reply.text,
                images: reply.images,
                documents: reply.documents,
                is_error: reply.is_error,
                aborted,
                note,
                injected,
                tools_after: tools.into_iter().map(|tool| tool.name).collect(),
            });
            if aborted {
                break;
            }
        }
        Ok(played)
    }
}

const TEMPORARY: Wording = Wording::new("the temporary folder", "临时文件夹");

/// What the framework adds after a result before the next request. Effects that it would need for that are skipped.
fn behind(reply: &ToolReply, call: &ToolCall, history: &mut Vec<Message>, stage: &mut Stage) -> Vec<String> {
    let wire = stage.harness.wire(reply, &stage.catalog);
    let result = ToolResult { call_id: call.id.clone(), text: reply.text.clone(), wire, is_error: reply.is_error };
    history.push(Message::pictured_result(result, &reply.images).with_documents(&reply.documents));
    let before = history.len();
    stage.harness.before_request(history, None, &stage.catalog, &mut stage.session);
    let new = history.iter().skip(before).filter(|message| message.role == Role::User);
    let texts = new.flat_map(|message| &message.parts).filter_map(|part| match part {
        Part::Text { text } => Some(text.clone()),
        Part::Reasoning { .. }
        | Part::ToolCall(_)
        | Part::ToolResult(_)
        | Part::Image(_)
        | Part::Document(_)
        | Part::CachePoint => None,
    });
    texts.collect()
}

/// Why an effect is not performed. Files may be read anywhere, because the caller wrote the calls.
fn refusal(effect: &Effect, allow_scripts: bool) -> Option<Wording> {
    match effect {
        Effect::RunScript { .. } if !allow_scripts => Some(NO_SCRIPTS),
        Effect::Shell { .. } | Effect::Shells { .. } | Effect::FileHistory { .. } if !allow_scripts => {
            Some(NO_COMMANDS)
        }
        Effect::WriteFile { .. } | Effect::WriteFiles { .. } if !allow_scripts => Some(NO_FILES),
        Effect::Delegate(_) | Effect::Summarise { .. } => Some(NO_MODEL),
        _ => None,
    }
}

const NO_SCRIPTS: Wording =
    Wording::new("scripts are not run without --allow-scripts", "没有 --allow-scripts 就不运行脚本");
const NO_COMMANDS: Wording =
    Wording::new("commands are not run without --allow-scripts", "没有 --allow-scripts 就不运行命令");
const NO_FILES: Wording =
    Wording::new("files are not written without --allow-scripts", "没有 --allow-scripts 就不写入文件");
const NO_MODEL: Wording = Wording::new("calls are played without a model", "执行这些调用时不使用模型");
