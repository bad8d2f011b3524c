//! A tool call and its result.

use camino::Utf8PathBuf;
use serde_json::{Map, Value};

use super::arguments::{self, text};
use super::catalogue::{self, Entry};
use super::tools::{ACTIVATE, READ, SHELL, offers_skills};
use super::{CLIENT, activated, detail};
use crate::{
    Catalog, CatalogSkill, Effect, FailureKind, Marked, Origin, Performed, ReplyAuthor, ScriptOutput, Served, Session,
    ToolReply,
};
use config::options::GeminiApproval;
use model::image::ImageKind;
use model::{Image, ToolCall};

pub fn serve(call: &ToolCall, catalog: &Catalog, session: &mut Session) -> Served {
    let is_known = [READ, SHELL].contains(&call.name.as_str()) || (call.name == ACTIVATE && offers_skills(catalog));
    if !is_known {
        return Served::Reply(ToolReply::error(not_found(&call.name, catalog)).by(ReplyAuthor::Caller));
    }
    let entries = catalogue::entries(catalog);
    let names: Vec<&str> = entries.iter().map(|entry| entry.name()).collect();
    let given = match arguments::read(&call.name, &call.arguments, &names) {
        Ok(given) => given,
        Err(error) => return Served::Reply(ToolReply::error(error).by(ReplyAuthor::Caller)),
    };
    match call.name.as_str() {
        ACTIVATE => activate(text(&given, "name"), &entries, catalog, session),
        READ => {
            Served::Perform(Effect::ReadFile { path: located(text(&given, "file_path"), session), approval: false })
        }
        _ => Served::Perform(Effect::Shell {
            command: text(&given, "command").to_owned(),
            working_directory: Some(text(&given, "dir_path"))
                .filter(|folder| !folder.is_empty())
                .map(|folder| located(folder, session)),
            timeout: None,
        }),
    }
}

pub fn settle(call: &ToolCall, done: Performed, catalog: &Catalog, session: &mut Session) -> Served {
    let given: Map<String, Value> = serde_json::from_str(&call.arguments).unwrap_or_default();
    Served::Reply(match done {
        Performed::Agreed => {
            let name = text(&given, "name");
            match find(name, &catalogue::entries(catalog)) {
                Some(Entry::Own(skill)) => give(name, skill, session),
                Some(Entry::Builtin(_)) | None => ToolReply::error(OTHER_RESULT),
            }
        }
        Performed::Read { bytes } if ImageKind::of(&bytes).is_some() => match Image::of(&bytes) {
            Ok(image) => ToolReply::pictured("Binary content provided (1 item(s)).", image),
            Err(unfit) => ToolReply::error(format!("Skill Workbench cannot show this image: {}", unfit.worded().en)),
        },
        Performed::Read { bytes } => ToolReply::ok(lines(&String::from_utf8_lossy(&bytes), &given)),
        Performed::Ran(output) => ran(&output),
        Performed::Stubbed { text } => ToolReply::ok(text),
        Performed::Denied { reason } => {
            let reason = reason.map_or_else(String::new, |reason| format!(" {reason}"));
            ToolReply::error(format!("{DENIED}{reason}")).by(ReplyAuthor::Caller)
        }
        Performed::Failed { kind: FailureKind::NotFound, .. } if call.name == READ => {
            ToolReply::error(format!("File not found: {}", text(&given, "file_path")))
        }
        Performed::Failed { message, .. } => ToolReply::error(message),
        Performed::Wrote
        | Performed::Listed { .. }
        | Performed::Found { .. }
        | Performed::Delegated(_)
        | Performed::RanTogether { .. }
        | Performed::History(_)
        | Performed::Summarised { .. } => ToolReply::error(OTHER_RESULT),
    })
}

const DENIED: &str = "[Operation Cancelled] Reason: User denied execution.";
const OTHER_RESULT: &str = "the call brought nothing that this tool can show";

fn activate(name: &str, entries: &[Entry], catalog: &Catalog, session: &mut Session) -> Served {
    match find(name, entries) {
        Some(Entry::Own(skill)) => match catalog.options.gemini_cli.approval {
            GeminiApproval::Interactive => {
                Served::Perform(Effect::Disclose { skill: skill.id.clone(), resource: None })
            }
            GeminiApproval::Yolo | GeminiApproval::Headless | GeminiApproval::HeadlessAutoEdit => {
                Served::Reply(give(name, skill, session))
            }
        },
        Some(Entry::Builtin(own)) => {
            let mut text = Marked::default();
            text.push(&format!("<activated_skill name=\"{}\">\n  <instructions>\n    ", own.name), Origin::Framework);
            text.push_withheld(CLIENT, None);
            text.push("\n  </instructions>\n</activated_skill>", Origin::Framework);
            Served::Reply(ToolReply::marked(text))
        }
        None => {
            let known: Vec<&str> = entries.iter().map(|entry| entry.name()).collect();
            let known = known.join(", ");
            Served::Reply(ToolReply::error(format!("Skill \"{name}\" not found. Available skills are: {known}")))
        }
    }
}

/// The tool's schema has exact names; the skill is then searched without regard to case, and the first match is used.
fn find<'a>(name: &str, entries: &[Entry<'a>]) -> Option<Entry<'a>> {
    let lower = name.to_lowercase();
    entries.iter().copied().find(|entry| entry.name().to_lowercase() == lower)
}

fn give(name: &str, skill: &CatalogSkill, session: &mut Session) -> ToolReply {
    session.activate(&skill.id);
    match detail(skill) {
        Some(detail) => ToolReply::marked(activated(name, &skill.id, detail)),
        None => ToolReply::error(OTHER_RESULT),
    }
}

fn located(path: &str, session: &Session) -> Utf8PathBuf {
    session.working_directory.as_ref().map_or_else(|| path.into(), |folder| folder.join(path))
}

fn lines(text: &str, given: &Map<String, Value>) -> String {
    let number = |key: &str| given.get(key).and_then(Value::as_u64).and_then(|number| usize::try_from(number).ok());
    match (number("start_line"), number("end_line")) {
        (None, None) => text.to_owned(),
        (from, to) => {
            let skipped = from.unwrap_or(1).max(1) - 1;
            let most = to.unwrap_or(usize::MAX).saturating_sub(skipped);
            text.split_inclusive('\n').skip(skipped).take(most).collect()
        }
    }
}

fn ran(output: &ScriptOutput) -> ToolReply {
    let printed = format!("{}{}", output.stdout, output.stderr);
    let printed = if printed.is_empty() { "(empty)" } else { printed.trim_end_matches('\n') };
    match output.exit_code {
        Some(0) => ToolReply::ok(format!("Output: {printed}")),
        Some(code) => ToolReply::ok(format!("Output: {printed}\nExit Code: {code}")),
        None if output.timed_out => ToolReply::error(format!("Command timed out.\nOutput: {printed}")),
        None => ToolReply::error(format!("Output: {printed}\nExit Code: (none)")),
    }
}

/// The client's tools in its order; tools that need approval are left out when there is no user to ask.
fn not_found(name: &str, catalog: &Catalog) -> String {
    let is_there = |tool: &&str| match catalog.options.gemini_cli.approval {
        GeminiApproval::Interactive | GeminiApproval::Yolo => true,
        GeminiApproval::Headless => !ASKING.contains(tool) && !EDITING.contains(tool),
        GeminiApproval::HeadlessAutoEdit => !ASKING.contains(tool),
    };
    let known: Vec<&str> = TOOLS.into_iter().filter(is_there).collect();
    if known.contains(&name) {
        return format!("Tool \"{name}\" is one of Gemini CLI's own, and is not there in Skill Workbench.");
    }
    let mut near: Vec<(usize, &str)> = known.into_iter().map(|tool| (strsim::levenshtein(name, tool), tool)).collect();
    near.sort_by_key(|(distance, _)| *distance);
    let near: Vec<String> = near.iter().take(3).map(|(_, tool)| format!("\"{tool}\"")).collect();
    format!("Tool \"{name}\" not found. Did you mean one of: {}?", near.join(", "))
}

const TOOLS: [&str; 16] = [
    "update_topic",
    "list_directory",
    "read_file",
    "grep_search",
    "glob",
    "replace",
    "write_file",
    "web_fetch",
    "run_shell_command",
    "list_background_processes",
    "read_background_output",
    "google_web_search",
    "write_todos",
    "enter_plan_mode",
    "invoke_agent",
    "activate_skill",
];
const ASKING: [&str; 5] =
    ["run_shell_command", "list_background_processes", "read_background_output", "write_todos", "activate_skill"];
const EDITING: [&str; 3] = ["replace", "write_file", "web_fetch"];
