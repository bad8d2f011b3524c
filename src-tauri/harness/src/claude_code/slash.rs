//! `/name and arguments` as the prompt: the skill's instructions replace the prompt, and no tool is called.

use super::expand::{self, Loading};
use super::{detail, names, serve};
use crate::{Catalog, Effect, Performed, Prepared, Session};
use model::{Message, Part, Role};

/// Instead of the id of a call.
const PROMPT: &str = "/";

/// Replaces a prompt that names a skill by its instructions. Commands in them run first.
pub fn answer(history: &mut [Message], done: Option<Performed>, catalog: &Catalog, session: &mut Session) -> Prepared {
    let Some(prompt) = history.last_mut().filter(|message| message.role == Role::User) else { return Prepared::Send };
    let [Part::Text { text }] = prompt.parts.as_slice() else { return Prepared::Send };
    let Some((name, arguments)) = named(text, catalog) else { return Prepared::Send };
    let (name, arguments) = (name.to_owned(), arguments.map(str::to_owned));
    let mut loading = match (session.memory.claude_code.loading.remove(PROMPT), done) {
        (Some(mut loading), Some(done)) => {
            loading.printed(match done {
                Performed::Ran(output) => expand::output(&output),
                Performed::Stubbed { text } => text,
                // It stays as it is written.
                _ => format!("!`{}`", loading.command().unwrap_or_default()),
            });
            loading
        }
        _ => {
            let Some((skill, detail)) = names::find(&name, catalog).and_then(|skill| Some((skill, detail(skill)?)))
            else {
                return Prepared::Send;
            };
            Loading::new(skill, detail, &name, arguments.as_deref())
        }
    };
    loading.begin();
    if let Some(command) = loading.command() {
        let effect = Effect::Shell { command: command.to_owned(), working_directory: None, timeout: None };
        session.memory.claude_code.loading.insert(PROMPT.to_owned(), loading);
        return Prepared::Perform(effect);
    }
    let called = expand::own(called(&name, arguments.as_deref()));
    let text = serve::give(&loading, catalog, session);
    prompt.parts = [&called, &text].map(|marked| Part::Text { text: marked.text.clone() }).into();
    session.injected.extend([called, text]);
    Prepared::Send
}

/// The skill that a prompt names, if the user may call it, and what comes after the name.
fn named<'a>(prompt: &'a str, catalog: &Catalog) -> Option<(&'a str, Option<&'a str>)> {
    let rest = prompt.trim().strip_prefix('/')?;
    let (name, arguments) = match rest.split_once(char::is_whitespace) {
        Some((name, arguments)) => (name, Some(arguments.trim())),
        None => (rest, None),
    };
    let skill = names::find(name, catalog)?;
    detail(skill).filter(|detail| detail.for_users).map(|_| (name, arguments))
}

fn called(name: &str, arguments: Option<&str>) -> String {
    let arguments =
        arguments.map(|arguments| format!("<command-args>{arguments}</command-args>\n")).unwrap_or_default();
    format!("<command-message>{name}</command-message>\n<command-name>/{name}</command-name>\n{arguments}")
}
