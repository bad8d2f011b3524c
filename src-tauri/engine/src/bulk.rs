//! Texts that are too long: how much of a reply a model gets, how much a conversation holds, and work on long texts away
//! from the run's task, so that the brake is always heard.

use super::Halt;
use super::conversation::Conversation;
use super::limits::Brake;
use harness::{FileHistory, Performed, ToolReply};
use model::{Message, Part, tokens};
use wording::message;

/// Bytes of a reply to one call: a million tokens.
const REPLY: usize = 4 << 20;
/// Bytes of all replies that a conversation holds.
const HELD: usize = 32 << 20;
/// Bytes of which the run's task makes something itself.
pub(super) const AT_ONCE: usize = 256 << 10;

/// How long the texts in something are.
pub(super) trait Long {
    /// Bytes.
    fn size(&self) -> usize;
}

impl Long for Performed {
    fn size(&self) -> usize {
        match self {
            Self::Read { bytes } => bytes.len(),
            Self::Ran(output) => output.stdout.len() + output.stderr.len(),
            Self::RanTogether { outputs } => {
                outputs.iter().map(|ended| ended.output.stdout.len() + ended.output.stderr.len()).sum()
            }
            Self::History(FileHistory::Git { revisions, .. }) => {
                revisions.iter().map(|revision| revision.patch.len() + revision.subject.len()).sum()
            }
            Self::Listed { entries } => entries.iter().map(|entry| entry.path.as_str().len()).sum(),
            Self::Found { lines } => lines.iter().map(|line| line.path.as_str().len() + line.text.len()).sum(),
            Self::Stubbed { text } => text.len(),
            Self::Agreed
            | Self::Wrote
            | Self::History(_)
            | Self::Delegated(_)
            | Self::Summarised { .. }
            | Self::Denied { .. }
            | Self::Failed { .. } => 0,
        }
    }
}

impl Long for [Message] {
    fn size(&self) -> usize {
        let of_part = |part: &Part| match part {
            Part::Text { text } | Part::Reasoning { text, .. } => text.len(),
            Part::ToolCall(call) => call.arguments.len(),
            Part::ToolResult(result) => result.text.len() + result.wire.as_ref().map_or(0, String::len),
            Part::Image(image) => image.data.len(),
            Part::Document(document) => document.data.len(),
            Part::CachePoint => 0,
        };
        self.iter().flat_map(|message| &message.parts).map(of_part).sum()
    }
}

impl Long for ToolReply {
    fn size(&self) -> usize {
        let pictures = self.images.iter().map(|image| image.data.len());
        let files = self.documents.iter().map(|document| document.data.len());
        self.text.len() + pictures.chain(files).sum::<usize>()
    }
}

/// Does work on a long text on a thread where it may block.
pub(super) async fn off_task<T: Send + 'static>(size: usize, work: impl FnOnce() -> T + Send + 'static) -> T {
    if size <= AT_ONCE {
        return work();
    }
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(error) => match error.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            // The runtime is shutting down, and the waiting task is dropped with it.
            Err(_) => std::future::pending().await,
        },
    }
}

/// The same, abandoned when the run must end.
pub(super) async fn braked<T: Send + 'static>(
    brake: Brake,
    size: usize,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Halt> {
    tokio::select! {
        biased;
        halt = brake.pulled() => Err(halt),
        done = off_task(size, work) => Ok(done),
    }
}

/// The reply as a model gets it: a reply that is too long is cut and ends with a sentence that says so.
pub(super) fn cut(reply: ToolReply, framework: &str) -> ToolReply {
    let whole = reply.text.len();
    if whole <= REPLY {
        return reply;
    }
    let kept = reply.text.floor_char_boundary(REPLY);
    let mut text = reply.text;
    text.truncate(kept);
    text.push_str(&format!(
        "\n\n[Skill Workbench cut this reply after {kept} of {whole} bytes. The limit is Skill Workbench's own; \
         {framework} would pass the reply whole.]"
    ));
    ToolReply { text, marks: Vec::new(), ..reply }
}

/// Tokens of a text.
pub(super) async fn count(brake: Brake, text: &str) -> Result<u32, Halt> {
    if text.len() <= AT_ONCE {
        return Ok(tokens::count(text));
    }
    let text = text.to_owned();
    braked(brake, text.len(), move || tokens::count(&text)).await
}

/// Whether a conversation may hold one more reply.
pub(super) fn check_held(conversation: &Conversation, coming: &Message) -> Result<(), Halt> {
    let of_part = |part: &Part| match part {
        Part::ToolResult(result) => result.on_wire().len(),
        Part::Image(image) => image.data.len(),
        Part::Document(document) => document.data.len(),
        Part::Text { .. } | Part::Reasoning { .. } | Part::ToolCall(_) | Part::CachePoint => 0,
    };
    let of = |message: &Message| message.parts.iter().map(of_part).sum::<usize>();
    if conversation.pushed().map(of).sum::<usize>() + of(coming) <= HELD {
        return Ok(());
    }
    let most = HELD >> 20;
    Err(Halt::failed(message!(
        "the replies of tools, the images and the files in this conversation have more than {most} MiB together, and Skill Workbench \
         holds no more",
        "这段对话中工具的答复和图片合计超过 {most} MiB，Skill Workbench 最多保留这么多"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;
    use harness::Origin;
    use model::ToolResult;

    #[test]
    fn a_long_reply_says_how_much_of_it_was_cut_and_by_whom() {
        let text = "公".repeat(REPLY / 3 + 7);
        let reply = cut(ToolReply::ok(&text), "Strands");
        let (kept, note) = reply.text.split_once("\n\n").unwrap();
        assert!(text.starts_with(kept) && REPLY - kept.len() < 3);
        let told = format!(
            "[Skill Workbench cut this reply after {} of {} bytes. The limit is Skill Workbench's own; Strands would \
             pass the reply whole.]",
            kept.len(),
            text.len()
        );
        assert_eq!(note, told);
        let short = ToolReply::ok("x".repeat(REPLY));
        assert_eq!(cut(short.clone(), "Strands"), short);
    }

    #[test]
    fn a_conversation_holds_replies_up_to_a_limit() {
        let mut conversation = Conversation::default();
        conversation.push_whole(Message::user("hi"), Origin::User);
        let result =
            |length: usize| ToolResult { call_id: "1".into(), text: "x".repeat(length), wire: None, is_error: false };
        let result = |length: usize| Message::tool_result(result(length));
        conversation.push_whole(result(HELD - 2), Origin::User);
        let image = model::Image { media_type: model::image::ImageKind::Png, data: "A".into() };
        conversation.push_whole(Message::prompt("look", &[image]), Origin::User);
        assert!(check_held(&conversation, &result(1)).is_ok());
        assert!(check_held(&conversation, &result(2)).is_err());
    }

    #[test]
    fn a_conversation_is_as_long_as_all_that_is_said_in_it() {
        let call = model::ToolCall::new("1", "read", "123");
        let result =
            ToolResult { call_id: "1".into(), text: "1234".into(), wire: Some("12345".into()), is_error: false };
        let thought = Part::Reasoning { text: "12".into(), block: None };
        let answer = Message { role: model::Role::Assistant, parts: vec![thought, Part::ToolCall(call)] };
        assert_eq!([Message::user("1"), answer, Message::tool_result(result)].size(), 1 + 2 + 3 + 4 + 5);
    }

    #[tokio::test(start_paused = true)]
    async fn work_on_a_long_text_does_not_outlast_the_brake() {
        let (let_go, held) = std::sync::mpsc::channel::<()>();
        let brake = Brake::new(tokio_util::sync::CancellationToken::new(), Some(1), 0);
        brake.stop().cancel();
        let ended = braked(brake, AT_ONCE + 1, move || held.recv()).await;
        assert!(ended.is_err());
        drop(let_go);
    }
}
