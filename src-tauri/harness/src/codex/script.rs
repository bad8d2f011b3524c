//! The programs in JavaScript that newer models write for the tool `exec`.
//!
//! A program is run from its beginning each time: with the results of its calls so far, in their order, up to the first
//! call without a result. That is the next call that the program asks for. So no state of the engine is kept between
//! two steps, and the same results give the same behaviour: there is no clock, and random numbers are the same each
//! time.
//!
//! The engine is QuickJS, without access to the outside: a program can compute, and ask for calls.

use std::time::{Duration, Instant};

use rquickjs::promise::PromiseState;
use rquickjs::{CatchResultExt, CaughtError, Context, Ctx, Function, Module, Object, Runtime};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// What a program may use.
const MEMORY: usize = 64 << 20;
const STACK: usize = 256 << 10;
/// So often the engine asks whether to go on; in between are some ten thousand steps.
const STEPS: u32 = 5_000;
const TIME: Duration = Duration::from_secs(10);
/// Calls of tools.
const CALLS: usize = 64;

/// How a program ended, or what it waits for.
#[derive(Debug, Clone, PartialEq)]
pub enum Played {
    /// The call to make now; its result is the next one.
    Calls {
        tool: String,
        input: Value,
    },
    Ended(Ended),
}

#[derive(Debug, Clone, PartialEq)]
pub struct Ended {
    pub items: Vec<Item>,
    /// Why it failed.
    pub error: Option<String>,
    /// What later programs find.
    pub stored: Map<String, Value>,
}

/// What a program shows.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Item {
    Text(String),
    /// The address with the picture in it.
    Image(String),
}

/// The result of a call.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Answer {
    Value(Value),
    Error(String),
}

#[derive(Deserialize)]
struct Said {
    items: Vec<Item>,
    wanted: Vec<Wanted>,
    stored: Map<String, Value>,
    exited: bool,
}

#[derive(Deserialize)]
struct Wanted {
    name: String,
    input: Value,
}

/// The program without its first line, if that sets something: the `max_output_tokens` in it. An error is the client's text.
pub fn parse(input: &str) -> Result<(String, Option<usize>), String> {
    if input.trim().is_empty() {
        return Err(EMPTY.to_owned());
    }
    let (first, rest) = input.split_once('\n').unwrap_or((input, ""));
    let Some(set) = first.trim_start().strip_prefix("// @exec:") else { return Ok((input.to_owned(), None)) };
    if rest.trim().is_empty() {
        return Err("exec pragma must be followed by JavaScript source on subsequent lines".to_owned());
    }
    let set = set.trim();
    let no_object = "exec pragma must be a JSON object with supported fields `yield_time_ms` and `max_output_tokens`";
    if set.is_empty() {
        return Err(no_object.to_owned());
    }
    let set: Value = serde_json::from_str(set).map_err(|error| {
        format!("exec pragma must be valid JSON with supported fields `yield_time_ms` and `max_output_tokens`: {error}")
    })?;
    let fields = set.as_object().ok_or(no_object)?;
    if let Some(other) = fields.keys().find(|key| !["yield_time_ms", "max_output_tokens"].contains(&key.as_str())) {
        return Err(format!("exec pragma only supports `yield_time_ms` and `max_output_tokens`; got `{other}`"));
    }
    let no_number = |error: &str| {
        format!(
            "exec pragma fields `yield_time_ms` and `max_output_tokens` must be non-negative safe integers: {error}"
        )
    };
    if fields.values().any(|value| value.is_number() && !value.is_u64()) {
        return Err(no_number("invalid number"));
    }
    let pragma: Pragma = serde_json::from_value(set).map_err(|error| no_number(&error.to_string()))?;
    for (name, value) in [("yield_time_ms", pragma.yield_time_ms), ("max_output_tokens", pragma.max_output_tokens)] {
        if value.is_some_and(|value| value >= 1 << 53) {
            return Err(format!("exec pragma field `{name}` must be a non-negative safe integer"));
        }
    }
    let tokens = pragma.max_output_tokens.map(|tokens| usize::try_from(tokens).unwrap_or(usize::MAX));
    Ok((rest.to_owned(), tokens))
}

const EMPTY: &str = "exec expects raw JavaScript source text (non-empty). Provide JS only, optionally with first-line \
                     `// @exec: {\"yield_time_ms\": 10000, \"max_output_tokens\": 1000}`.";

#[derive(Deserialize)]
struct Pragma {
    #[serde(default)]
    yield_time_ms: Option<u64>,
    #[serde(default)]
    max_output_tokens: Option<u64>,
}

/// `tools`: name and description of each.
pub fn play(code: &str, answers: &[Answer], stored: &Map<String, Value>, tools: &[(&str, &str)]) -> Played {
    let tools: Value = tools.iter().map(|(name, text)| json!({"name": name, "description": text})).collect();
    let given = json!({"results": answers, "stored": stored, "tools": tools}).to_string();
    match started(code, &given) {
        Ok((said, ending)) => judged(said, ending, answers.len(), stored),
        Err(error) => failed(format!("Skill Workbench cannot run this script: {error}"), stored),
    }
}

fn judged(said: Said, ending: Ending, known: usize, before: &Map<String, Value>) -> Played {
    let Said { items, mut wanted, stored, exited } = said;
    let ended = |error| Played::Ended(Ended { items, error, stored });
    match ending {
        _ if exited => ended(None),
        Ending::Done => ended(None),
        Ending::Failed(error) => ended(Some(error)),
        Ending::Waits if wanted.is_empty() => {
            ended(Some("Skill Workbench ended the script: it waits for something that never comes".to_owned()))
        }
        Ending::Waits if known >= CALLS => {
            failed(format!("Skill Workbench ended the script: it made more than {CALLS} calls"), before)
        }
        Ending::Waits => {
            let Wanted { name, input } = wanted.swap_remove(0);
            Played::Calls { tool: name, input }
        }
    }
}

fn failed(error: String, stored: &Map<String, Value>) -> Played {
    Played::Ended(Ended { items: Vec::new(), error: Some(error), stored: stored.clone() })
}

enum Ending {
    Done,
    Failed(String),
    Waits,
}

/// The globals of a program.
const HOST: &str = include_str!("script/host.js");
const NAME: &str = "exec_main.mjs";

fn started(code: &str, given: &str) -> Result<(Said, Ending), String> {
    let told = |error: rquickjs::Error| error.to_string();
    let runtime = Runtime::new().map_err(told)?;
    runtime.set_memory_limit(MEMORY);
    runtime.set_max_stack_size(STACK);
    let (mut left, start) = (STEPS, Instant::now());
    runtime.set_interrupt_handler(Some(Box::new(move || {
        left = left.saturating_sub(1);
        left == 0 || start.elapsed() > TIME
    })));
    let context = Context::full(&runtime).map_err(told)?;
    context.with(|ctx| {
        ctx.globals().set("__given", given).map_err(told)?;
        let host: Object<'_> = ctx.eval(HOST).catch(&ctx).map_err(|error| error.to_string())?;
        let ending = ran(&ctx, code, &host).map_err(told)?;
        let said: Function<'_> = host.get("said").map_err(told)?;
        let said: String = said.call(()).catch(&ctx).map_err(|error| error.to_string())?;
        let said = serde_json::from_str(&said).map_err(|error| error.to_string())?;
        Ok((said, ending))
    })
}

fn ran<'js>(ctx: &Ctx<'js>, code: &str, host: &Object<'js>) -> Result<Ending, rquickjs::Error> {
    let next: Function<'js> = host.get("next")?;
    let begun = Module::declare(ctx.clone(), NAME, code).and_then(Module::eval).catch(ctx);
    let promise = match begun {
        Ok((_, promise)) => promise,
        Err(error) => return Ok(Ending::Failed(worded(host, error))),
    };
    loop {
        while ctx.execute_pending_job() {}
        match promise.state() {
            PromiseState::Resolved => return Ok(Ending::Done),
            PromiseState::Rejected => {
                return Ok(match promise.finish::<()>().catch(ctx) {
                    Ok(()) => Ending::Done,
                    Err(error) => Ending::Failed(worded(host, error)),
                });
            }
            PromiseState::Pending => match next.call::<_, bool>(()).catch(ctx) {
                Ok(true) => {}
                Ok(false) => return Ok(Ending::Waits),
                Err(error) => return Ok(Ending::Failed(worded(host, error))),
            },
        }
    }
}

/// An error as the client shows it: an error's name, message and places, or any other value as text.
fn worded<'js>(host: &Object<'js>, error: CaughtError<'js>) -> String {
    let told: Result<String, rquickjs::Error> = host.get("told").and_then(|told: Function<'js>| match error {
        CaughtError::Exception(error) => told.call((error.into_value(),)),
        CaughtError::Value(value) => told.call((value,)),
        CaughtError::Error(error) => Ok(error.to_string()),
    });
    match told {
        Ok(told) if told.contains("interrupted") => {
            "Skill Workbench ended the script: it computed for too long".to_owned()
        }
        Ok(told) => told,
        Err(_) => "Skill Workbench ended the script: it used too much memory or computed for too long".to_owned(),
    }
}

#[cfg(test)]
mod tests;
