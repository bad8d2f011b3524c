//! A tool call. The only tool here is the shell; its result is framed as the client frames it.

use super::tools::{self, EXEC};
use crate::{
    Catalog, Disclosure, Effect, Mark, Origin, Performed, ReplyAuthor, ScriptOutput, Served, Session, ToolReply,
};
use model::ToolCall;
use skill::source::Span;

pub fn serve(call: &ToolCall, session: &Session) -> Served {
    if call.name != EXEC {
        return refused(format!("unsupported call: {}", call.name));
    }
    match tools::Arguments::read(&call.arguments) {
        Ok(given) => Served::Perform(Effect::Shell {
            command: given.cmd,
            working_directory: given.workdir.map(|folder| match session.working_directory.as_deref() {
                Some(around) => around.join(folder),
                None => folder.into(),
            }),
            timeout: None,
        }),
        Err(error) => refused(format!("failed to parse function arguments: {error}")),
    }
}

pub fn settle(call: &ToolCall, done: Performed, catalog: &Catalog, session: &mut Session) -> Served {
    match done {
        Performed::Ran(output) => {
            if let Disclosure::Instructions { skill } = tools::disclosure(call, catalog)
                && output.exit_code == Some(0)
            {
                session.activate(&skill);
            }
            Served::Reply(ran(call, &output))
        }
        Performed::Stubbed { text } => Served::Reply(ToolReply::ok(text)),
        Performed::Denied { reason } => refused(match reason {
            Some(reason) => format!("exec_command failed: rejected by user: {reason}"),
            None => "exec_command failed: rejected by user".to_owned(),
        }),
        Performed::Failed { message, .. } => Served::Reply(ToolReply::error(format!("exec_command failed: {message}"))),
        Performed::Agreed
        | Performed::Read { .. }
        | Performed::Wrote
        | Performed::Listed { .. }
        | Performed::Found { .. }
        | Performed::Delegated(_)
        | Performed::Summarised { .. } => Served::Reply(ToolReply::error("exec_command brought nothing to show")),
    }
}

/// Bytes of a token, as the client estimates.
const BYTES: usize = 4;

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
        printed.len().div_ceil(BYTES)
    );
    let start = head.len();
    let text = head + &printed;
    let mark = |start, end, origin| Mark { span: Span::new(start, end), origin };
    let mut marks = vec![mark(0, start, Origin::Framework)];
    if text.len() > start {
        marks.push(mark(start, text.len(), Origin::Tool { tool: EXEC.into() }));
    }
    ToolReply { marks, is_error: output.exit_code != Some(0), ..ToolReply::ok(text) }
}

/// The client makes one up; here it comes of the call, so that a run goes the same way twice.
fn chunk(id: &str) -> String {
    let sum = id.bytes().fold(0x811c_9dc5_u32, |sum, byte| (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    format!("{:06x}", sum & 0x00ff_ffff)
}

fn refused(text: String) -> Served {
    Served::Reply(ToolReply::error(text).by(ReplyAuthor::Caller))
}
