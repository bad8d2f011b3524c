//! `call`: tool calls from a file, played in one session without a model.

use api::{ApiError, Code, ScriptedCall};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::print::{BOLD, CYAN, DIM, RED, indented, line, out, styled};
use crate::steps::with_media;
use crate::{CallArgs, Format, Outcome, bench, print};
use wording::message;

/// One entry of the file. The arguments' text is kept as it is: a model writes text, and the text is parsed.
#[derive(Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "⟪a call such as {\"name\": \"load_skill\"}‖一个调用，例如 {\"name\": \"load_skill\"}⟫"
)]
struct Entry {
    name: String,
    #[serde(default)]
    arguments: Option<Box<RawValue>>,
}

pub async fn call(args: CallArgs) -> Result<Outcome, ApiError> {
    let text = read(&args)?;
    let entries: Vec<Entry> = serde_json::from_str(&text).map_err(|error| {
        let (calls, why) = (&args.calls, wording::refusal(&error.to_string()));
        ApiError::new(Code::Invalid, message!("{calls}: {why}", "{calls}：{why}"; why)).hint(message!(
            "expected a list: [{{\"name\": \"load_skill\", \"arguments\": {{\"skillName\": \"x\"}}}}]",
            "应为一个列表：[{{\"name\": \"load_skill\", \"arguments\": {{\"skillName\": \"x\"}}}}]"
        ))
    })?;
    let calls = entries.into_iter().map(|entry| ScriptedCall { name: entry.name, arguments: raw(entry.arguments) });
    let bench = bench(&args.shown.roots).await?;
    let choice = args.shown.harness.one(&bench).await?;
    let played =
        bench.play_calls(&choice.harness, choice.variant.as_deref(), calls.collect(), args.allow_scripts).await?;

    for (index, call) in played.iter().enumerate() {
        if let Some(note) = &call.note {
            let (number, name) = (index + 1, line(&call.name));
            print::warning(&words!("call {number} ({name}): {note}", "第 {number} 个调用（{name}）：{note}"; note));
        }
    }
    if args.shown.output.format == Format::Json {
        print::json(&played)?;
        return Ok(Outcome::Good);
    }
    for call in &played {
        out(&format!("{} {}", styled(CYAN.bold(), line(&call.name)), styled(DIM, &call.arguments)));
        let text = indented(&with_media(&call.text, &call.images, &call.documents), "  ");
        out(&if call.is_error { styled(RED, text) } else { text });
        for block in &call.injected {
            out(&styled(DIM, words!("  the framework adds:", "  框架加入：")));
            out(&indented(block, "  "));
        }
        if call.aborted {
            out(&styled(BOLD, words!("  the framework ends the run here", "  框架在此结束运行")));
        }
    }
    Ok(Outcome::Good)
}

fn read(args: &CallArgs) -> Result<String, ApiError> {
    print::given(&args.calls, CALLS_BYTES)
}

/// More than any model calls.
const CALLS_BYTES: u64 = 64 << 20;

/// A JSON string means its content, anything else its own text; if missing, `{}`.
fn raw(arguments: Option<Box<RawValue>>) -> String {
    match arguments {
        None => "{}".to_owned(),
        Some(raw) => serde_json::from_str::<String>(raw.get()).unwrap_or_else(|_| raw.get().to_owned()),
    }
}
