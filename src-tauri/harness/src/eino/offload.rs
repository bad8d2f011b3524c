//! Large results: the filesystem middleware writes them to a file and tells the model where, with their first lines.

use super::catalogue::{Text, pick};
use super::paths;
use crate::{Effect, Marked, Origin, Served, Session, ToolReply};
use config::options::EinoOptions;
use model::ToolCall;

/// The reply, or the effect that puts it into a file first.
pub fn reply(call: &ToolCall, reply: ToolReply, settings: &EinoOptions, session: &mut Session) -> Served {
    let limit = settings.large_result_tokens.filter(|_| settings.filesystem && !session.delegated);
    let is_large = limit.is_some_and(|tokens| reply.text.len() as u64 > u64::from(tokens) * BYTES_OF_TOKEN);
    if !is_large || reply.is_error {
        return Served::Reply(reply);
    }
    let path = paths::offload_file(&call.id, session);
    let text = reply.text.clone();
    let told = ToolReply::marked(notice(call, &text, settings));
    session.memory.eino.offloading.insert(call.id.clone(), (told, reply));
    Served::Perform(Effect::WriteFile { path, text })
}

const BYTES_OF_TOKEN: u64 = 4;

const TOO_LARGE: Text = [include_str!("templates/too_large_en.txt"), include_str!("templates/too_large_zh.txt")];

fn notice(call: &ToolCall, text: &str, settings: &EinoOptions) -> Marked {
    let template = pick(settings.language, TOO_LARGE);
    let (before, after) = template.split_once("{content_sample}").unwrap_or((template, ""));
    let mut out = Marked::default();
    // The path first: an id could hold the other placeholder.
    let before = before.replacen("{file_path}", &paths::offloaded(&call.id), 1);
    out.push(&before.replacen("{tool_call_id}", &call.id, 1), Origin::Framework);
    for (number, line) in sample(text).enumerate() {
        out.push(&format!("{}: ", number + 1), Origin::Framework);
        out.push(line, Origin::Tool { tool: call.name.clone() });
        out.push("\n", Origin::Framework);
    }
    out.push(after, Origin::Framework);
    out
}

const SAMPLE_LINES: usize = 10;
const SAMPLE_WIDTH: usize = 1000;
/// Bytes. `bufio.Scanner` gives up at a longer line, so nothing from there on is shown.
const SCAN_LIMIT: usize = 65_535;

fn sample(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.split_inclusive('\n').map(|line| line.strip_suffix('\n').unwrap_or(line));
    let lines = lines.take_while(|line| line.len() <= SCAN_LIMIT).map(|line| line.strip_suffix('\r').unwrap_or(line));
    lines.take(SAMPLE_LINES).map(|line| {
        let end = line.char_indices().nth(SAMPLE_WIDTH).map_or(line.len(), |(at, _)| at);
        &line[..end]
    })
}
