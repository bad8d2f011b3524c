//! A tool call. A result of the shell is framed as the client frames it; a program of `exec` makes its calls one after the other.

use camino::Utf8PathBuf;
use serde_json::{Map, Value, json};

use super::script::{self, Answer, Ended, Item, Played};
use super::tools::{self, Arguments, EXEC, NESTED, Picture, SCRIPT, VIEW};
use super::{Memory, models};
use crate::{
    Catalog, Disclosure, Effect, FailureKind, Mark, Origin, Performed, ReplyAuthor, ScriptOutput, Served, Session,
    ToolReply,
};
use model::image::Unfit;
use model::{Image, ToolCall};
use skill::source::Span;

/// A program that waits for the result of its last call.
#[derive(Debug, Clone, PartialEq)]
pub struct Running {
    code: String,
    /// How much of what it shows is sent.
    tokens: usize,
    answers: Vec<Answer>,
    tool: String,
    input: Value,
}

pub fn serve(call: &ToolCall, catalog: &Catalog, session: &mut Session) -> Served {
    match call.name.as_str() {
        EXEC | VIEW => match request(&call.name, &call.arguments, session) {
            Ok(effect) => Served::Perform(effect),
            Err(error) => refused(error),
        },
        SCRIPT if models::of(&catalog.options.codex.model).tools_as_item => {
            match script::parse(&tools::program(&call.arguments)) {
                Ok((code, tokens)) => {
                    let tokens = tokens.unwrap_or(TOKENS);
                    go_on(
                        Running { code, tokens, answers: Vec::new(), tool: String::new(), input: Value::Null },
                        session,
                    )
                }
                Err(error) => refused(error),
            }
        }
        name => refused(format!("unsupported call: {name}")),
    }
}

pub fn settle(call: &ToolCall, done: Performed, catalog: &Catalog, session: &mut Session) -> Served {
    if call.name == SCRIPT {
        let Some(mut running) = session.memory.codex.running.take() else {
            return refused("the program is not known any longer".to_owned());
        };
        let Running { tool, input, .. } = &*running;
        let answer = answer(&call.id, tool, &input.to_string(), done, catalog, session);
        running.answers.push(answer);
        return go_on(*running, session);
    }
    Served::Reply(match done {
        Performed::Ran(output) => {
            learn(&call.name, &call.arguments, &output, catalog, session);
            ran(call, &output)
        }
        Performed::Stubbed { text } => ToolReply::ok(text),
        Performed::Read { bytes } => match picture(&bytes) {
            Ok(image) => ToolReply::pictured("", image),
            Err(error) => ToolReply::error(error),
        },
        denied @ Performed::Denied { .. } => {
            return refused(failure(&call.name, &call.arguments, denied, session));
        }
        other => ToolReply::error(failure(&call.name, &call.arguments, other, session)),
    })
}

/// What a call asks for, also one that a program makes.
fn request(tool: &str, arguments: &str, session: &Session) -> Result<Effect, String> {
    let wrong = |error| format!("failed to parse function arguments: {error}");
    if tool == VIEW {
        let Picture { path } = serde_json::from_str(arguments).map_err(wrong)?;
        return Ok(Effect::ReadFile { path: located(&path, session), approval: false });
    }
    let Arguments { cmd, workdir, .. } = Arguments::read(arguments).map_err(wrong)?;
    let working_directory = workdir.map(|folder| located(&folder, session));
    Ok(Effect::Shell { command: cmd, working_directory, timeout: None })
}

fn located(path: &str, session: &Session) -> Utf8PathBuf {
    match session.working_directory.as_deref() {
        Some(around) => around.join(path),
        None => path.into(),
    }
}

/// A command that printed a skill's instructions has loaded it.
fn learn(tool: &str, arguments: &str, output: &ScriptOutput, catalog: &Catalog, session: &mut Session) {
    if let Disclosure::Instructions { skill } = tools::disclosed(tool, arguments, catalog)
        && output.exit_code == Some(0)
    {
        session.activate(&skill);
    }
}

/// Plays a program as far as it comes.
fn go_on(mut running: Running, session: &mut Session) -> Served {
    loop {
        let Memory { stored, .. } = &session.memory.codex;
        match script::play(&running.code, &running.answers, stored, &NESTED) {
            Played::Ended(ended) => {
                session.memory.codex.stored.clone_from(&ended.stored);
                return Served::Reply(shown(ended, running.tokens));
            }
            Played::Calls { tool, input } => {
                let asked = match input.is_object() {
                    true => request(&tool, &input.to_string(), session),
                    false => Err(format!("tool `{tool}` expects a JSON object for arguments")),
                };
                match asked {
                    Ok(effect) => {
                        (running.tool, running.input) = (tool, input);
                        session.memory.codex.running = Some(Box::new(running));
                        return Served::Perform(effect);
                    }
                    Err(error) => running.answers.push(Answer::Error(error)),
                }
            }
        }
    }
}

/// What a program gets of a call.
fn answer(id: &str, tool: &str, arguments: &str, done: Performed, catalog: &Catalog, session: &mut Session) -> Answer {
    match done {
        Performed::Ran(output) => {
            learn(tool, arguments, &output, catalog, session);
            let printed = format!("{}{}", output.stdout, output.stderr);
            Answer::Value(printed_value(id, arguments, output.exit_code, &printed))
        }
        Performed::Stubbed { text } if tool == EXEC => Answer::Value(printed_value(id, arguments, Some(0), &text)),
        Performed::Stubbed { text } => Answer::Value(Value::from(text)),
        Performed::Read { bytes } => match picture(&bytes) {
            Ok(image) => {
                Answer::Value(json!({"image_url": format!("data:application/octet-stream;base64,{}", image.data)}))
            }
            Err(error) => Answer::Error(error),
        },
        other => Answer::Error(failure(tool, arguments, other, session)),
    }
}

fn printed_value(id: &str, arguments: &str, exit_code: Option<i32>, printed: &str) -> Value {
    let mut value = Map::from_iter([
        ("chunk_id".to_owned(), Value::from(chunk(id))),
        ("wall_time_seconds".to_owned(), Value::from(0)),
    ]);
    value.extend(exit_code.map(|code| ("exit_code".to_owned(), Value::from(code))));
    value.insert("original_token_count".to_owned(), Value::from(tokens(printed)));
    // A program gets all of it unless it sets a limit.
    let output = wanted(arguments).map_or_else(|| printed.to_owned(), |tokens| truncated(printed, tokens));
    value.insert("output".to_owned(), Value::from(output));
    Value::Object(value)
}

fn picture(bytes: &[u8]) -> Result<Image, String> {
    Image::of(bytes).map_err(|unfit| match unfit {
        Unfit::NoImage => "unable to process image: invalid or unsupported image data".to_owned(),
        unfit => format!("Skill Workbench cannot show this image: {}", unfit.worded().en),
    })
}

/// Why there is nothing to show.
fn failure(tool: &str, arguments: &str, done: Performed, session: &Session) -> String {
    let path = || {
        let read = serde_json::from_str(arguments);
        read.map_or_else(|_| Utf8PathBuf::new(), |Picture { path }| located(&path, session))
    };
    match done {
        Performed::Denied { reason: Some(reason) } => format!("{tool} failed: rejected by user: {reason}"),
        Performed::Denied { reason: None } => format!("{tool} failed: rejected by user"),
        Performed::Failed { kind: FailureKind::NotFound, .. } if tool == VIEW => {
            format!("unable to locate image at `{}`: No such file or directory (os error 2)", path())
        }
        Performed::Failed { kind: FailureKind::IsFolder, .. } if tool == VIEW => {
            format!("image path `{}` is not a file", path())
        }
        Performed::Failed { message, .. } => format!("{tool} failed: {message}"),
        _ => format!("{tool} brought nothing to show"),
    }
}

/// Bytes of a token, as the client estimates.
const BYTES: usize = 4;
/// How many tokens of a command's or program's output are sent, or fewer if the model says so.
const TOKENS: usize = 10_000;

fn tokens(text: &str) -> usize {
    text.len().div_ceil(BYTES)
}

/// The number of tokens that the model asks for of a command's output.
fn wanted(arguments: &str) -> Option<usize> {
    Arguments::read(arguments).ok()?.max_output_tokens.map(|tokens| tokens.min(TOKENS))
}

/// Without its middle, if it is longer than that many tokens.
fn truncated(text: &str, budget: usize) -> String {
    let room = budget.saturating_mul(BYTES);
    if text.len() <= room {
        return text.to_owned();
    }
    let head = &text[..text.floor_char_boundary(room / 2)];
    let tail = &text[text.ceil_char_boundary(text.len() - (room - room / 2))..];
    let (all, lines) = (tokens(text), text.lines().count());
    let gone = (text.len() - room).div_ceil(BYTES);
    format!(
        "Warning: truncated output (original token count: {all})\nTotal output lines: {lines}\n\n\
         {head}…{gone} tokens truncated…{tail}"
    )
}

/// The client writes how long a command took. Here that is always nothing, so that the same commands give the same bytes,
/// and a run that is played again can be compared with the first.
const TOOK: &str = "0.0000";

fn ran(call: &ToolCall, output: &ScriptOutput) -> ToolReply {
    let printed = format!("{}{}", output.stdout, output.stderr);
    let ended = match output.exit_code {
        Some(code) => format!("Process exited with code {code}"),
        None => "Process was ended by a signal or a time limit".to_owned(),
    };
    let head = format!(
        "Chunk ID: {}\nWall time: {TOOK} seconds\n{ended}\nOriginal token count: {}\nOutput:\n",
        chunk(&call.id),
        tokens(&printed)
    );
    let reply = in_items([head, truncated(&printed, wanted(&call.arguments).unwrap_or(TOKENS))]);
    ToolReply { is_error: output.exit_code != Some(0), ..reply }
}

/// A first text of the client, and a tool's output, each with its own mark.
fn in_items(texts: impl IntoIterator<Item = String>) -> ToolReply {
    let (mut text, mut marks) = (String::new(), Vec::new());
    for (number, item) in texts.into_iter().enumerate() {
        let span = Span::new(text.len(), text.len() + item.len());
        let origin = if number == 0 { Origin::Framework } else { Origin::Tool { tool: EXEC.into() } };
        if !item.is_empty() {
            marks.push(Mark { span, origin });
        }
        text.push_str(&item);
    }
    ToolReply { marks, ..ToolReply::ok(text) }
}

const COMPLETED: &str = "Script completed\n";
const FAILED: &str = "Script failed\n";

/// What a program shows, behind a line about how it ended.
fn shown(ended: Ended, budget: usize) -> ToolReply {
    let Ended { items, error, .. } = ended;
    let is_error = error.is_some();
    let head = format!("{}Wall time 0.0 seconds\nOutput:\n", if is_error { FAILED } else { COMPLETED });
    let (mut texts, mut images) = (Vec::new(), Vec::new());
    for item in items {
        match item {
            Item::Text(text) => texts.push(text),
            Item::Image(address) => match image_of(&address) {
                Ok(image) => images.push(image),
                Err(error) => texts.push(error),
            },
        }
    }
    texts.extend(error.map(|error| format!("Script error:\n{error}")));
    let joined = texts.join("\n");
    if joined.len() > budget.saturating_mul(BYTES) {
        texts = vec![truncated(&joined, budget)];
    }
    ToolReply { images, is_error, ..in_items([head].into_iter().chain(texts)) }
}

fn image_of(address: &str) -> Result<Image, String> {
    let data = address.split_once(";base64,").map(|(_, data)| data).unwrap_or_default();
    let image = Image::of_data_url(&format!("data:image/png;base64,{data}")).ok_or(Unfit::NoImage);
    image
        .and_then(Image::checked)
        .map_err(|unfit| format!("[Skill Workbench cannot show an image: {}]", unfit.worded().en))
}

/// What a program shows goes over the wire as an item for each text.
pub fn wire(reply: &ToolReply) -> Option<String> {
    let is_programs = [COMPLETED, FAILED].iter().any(|start| reply.text.starts_with(start));
    if !is_programs || reply.marks.len() < 2 {
        return None;
    }
    let items = reply.marks.iter().map(|mark| json!({"type": "input_text", "text": mark.span.of(&reply.text)}));
    Some(Value::Array(items.collect()).to_string())
}

/// The client makes one up; here it is derived from the call, so that a run is the same twice.
fn chunk(id: &str) -> String {
    let sum = id.bytes().fold(0x811c_9dc5_u32, |sum, byte| (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    format!("{:06x}", sum & 0x00ff_ffff)
}

fn refused(text: String) -> Served {
    Served::Reply(ToolReply::error(text).by(ReplyAuthor::Caller))
}
