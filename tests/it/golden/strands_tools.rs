//! The tools of strands-agents-tools, each call performed by the engine over the files and commits of its case.

use std::fs;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use camino::{Utf8Path, Utf8PathBuf};
use config::{Policy, RunLimits, SandboxMode};
use engine::effect::{self, Means};
use engine::tool::reach::Reach;
use engine::tool::room::Room;
use harness::{Catalog, Effect, Options, Performed, Served, Session};
use model::protocol::Protocol;
use model::secret::Guard;
use model::{Message, ModelRequest, Sampling, ToolCall, ToolResult};
use serde_json::{Value, json};
use skill::SkillSet;
use skill::paths::Paths;
use skillbench_tests::conformance::Suite;

const FOLDER: &str = "strands-tools-0.8.10";

pub fn compare(suite: &mut Suite) {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let harness = harness::find("strands").unwrap();
    let catalog = harness.select(&SkillSet::default(), &Options::default());
    for tool in ["file_read", "shell"] {
        let file = format!("{FOLDER}/{tool}.json");
        let recorded = suite.recorded(&file);
        let shown = harness.present(&catalog, &Session::default()).definitions();
        let shown = shown.into_iter().find(|shown| shown.name == tool).unwrap();
        let definition = json!({"name": shown.name, "description": shown.description, "parameters": shown.parameters});
        suite.equal_in_any_order(&file, "definition", &definition, &recorded["definition"]);
        for (title, case) in recorded["cases"].as_object().unwrap() {
            let seen = runtime.block_on(play(&catalog, case));
            let expected = answered(case);
            suite.equal(&file, title, &seen, &expected);
        }
    }
}

/// The texts of a result are one text in OpenAI's protocol, and here. Files are compared as they are sent there, too.
fn answered(case: &Value) -> Value {
    let result = &case["result"];
    let blocks = result["content"].as_array().unwrap();
    let texts: Option<Vec<&str>> = blocks.iter().map(|block| block["text"].as_str()).collect();
    match texts {
        Some(texts) => json!({"status": result["status"], "text": texts.join("\n")}),
        None => json!({"status": result["status"], "content": blocks, "wire": case["wire"]}),
    }
}

async fn play(catalog: &Catalog, case: &Value) -> Value {
    let made = tempfile::tempdir().unwrap();
    let folder = Utf8PathBuf::try_from(made.path().canonicalize().unwrap()).unwrap();
    lay_out(case, &folder);
    let given = case["input"].to_string().replace("{FOLDER}", folder.as_str());
    let call = ToolCall::new("call_1", case["tool"].as_str().unwrap(), given);
    let mut session = Session { working_directory: Some(folder.clone()), ..Session::default() };
    let harness = harness::find("strands").unwrap();
    let mut served = harness.serve(&call, catalog, &mut session);
    let reply = loop {
        served = match served {
            Served::Reply(reply) => break reply,
            Served::Abort(error) => panic!("{error}"),
            Served::Perform(effect) => {
                let done = perform(&effect, &folder).await;
                harness.settle(&call, done, catalog, &mut session)
            }
        };
    };
    let status = if reply.is_error { "error" } else { "success" };
    if !reply.documents.is_empty() {
        let blocks = reply.documents.iter().map(|document| {
            let source = json!({"bytes": {"base64": document.data}});
            json!({"document": {"name": nameless(&document.name), "format": document.format, "source": source}})
        });
        let result = ToolResult { call_id: call.id.clone(), text: reply.text.clone(), wire: None, is_error: false };
        let messages = vec![Message::tool_result(result).with_documents(&reply.documents)];
        let request = ModelRequest { messages, ..ModelRequest::default() };
        let body = Protocol::OpenAi.encode("fake", &request, false, &Sampling::default());
        let mut wire = serde_json::from_str::<Value>(&body).unwrap()["messages"].take();
        for part in wire[0]["content"].as_array_mut().unwrap() {
            part["file"]["filename"] = nameless(part["file"]["filename"].as_str().unwrap()).into();
        }
        return json!({"status": status, "content": blocks.collect::<Vec<_>>(), "wire": wire});
    }
    json!({"status": status, "text": neutral(&reply.text, &folder)})
}

async fn perform(effect: &Effect, folder: &Utf8Path) -> Performed {
    let policy = Policy { mode: SandboxMode::Off, ..Policy::default() };
    let room = Room::new(policy, Vec::new(), folder.to_owned());
    let (limits, guard, reach) = (RunLimits::default(), Guard::default(), Reach::to([folder.to_owned()]));
    let paths = Paths::default();
    let means =
        Means { limits: &limits, room: &room, working_directory: folder, paths: &paths, reach: &reach, guard: &guard };
    effect::perform(effect, means).await.performed
}

/// As the recorder does it.
fn lay_out(case: &Value, folder: &Utf8Path) {
    write_all(&case["files"], folder);
    let commits = case["commits"].as_array().map(Vec::as_slice).unwrap_or_default();
    for (index, commit) in commits.iter().enumerate() {
        if index == 0 {
            git(folder, &["init", "-q"], "@0 +0000");
        }
        write_all(&commit["files"], folder);
        let named: Vec<&str> = commit["files"].as_object().unwrap().keys().map(String::as_str).collect();
        git(folder, &[&["add", "--"], &*named].concat(), "@0 +0000");
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
        let date = format!("@{} +0000", now - (commits.len() - index) as u64 * DAY);
        git(folder, &["commit", "-q", "-m", commit["subject"].as_str().unwrap()], &date);
    }
}

const DAY: u64 = 24 * 60 * 60;

fn write_all(files: &Value, folder: &Utf8Path) {
    for (path, content) in files.as_object().into_iter().flatten() {
        let bytes = match content {
            Value::String(text) => text.as_bytes().to_vec(),
            bytes => serde_json::from_value(bytes.clone()).unwrap(),
        };
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
}

fn git(folder: &Utf8Path, asked: &[&str], date: &str) {
    let who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false"];
    let mut command = Command::new("git");
    command.current_dir(folder).args(who).args(asked).env_remove("GIT_DIR");
    command.env("GIT_AUTHOR_DATE", date).env("GIT_COMMITTER_DATE", date);
    assert!(command.status().unwrap().success(), "{asked:?}");
}

/// With a placeholder for what chance has in a name.
fn nameless(name: &str) -> String {
    let is_chance = |end: &str| end.len() == 8 && end.chars().all(|digit| digit.is_ascii_hexdigit());
    match name.rsplit_once('-') {
        Some((stem, end)) if is_chance(end) => format!("{stem}-{{CHANCE}}"),
        _ => name.to_owned(),
    }
}

/// With placeholders for parts that differ with each recording.
fn neutral(text: &str, folder: &Utf8Path) -> String {
    let text = text.replace(folder.as_str(), "{FOLDER}");
    let lines = text.split('\n').map(|line| {
        let label = line.split_once(": ").map(|(label, _)| label);
        match label {
            Some("Commit") => "Commit: {COMMIT}".to_owned(),
            Some("Owner") => "Owner: {OWNER}".to_owned(),
            Some(label @ ("Created" | "Modified" | "Accessed")) => format!("{label}: {{TIME}}"),
            _ => line.to_owned(),
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}
