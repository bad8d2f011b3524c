//! `skillbench lsp` as an editor starts it: the real program, over its standard input and output.

use std::io::{BufReader, Write};
use std::process::{Command, Stdio};

use lsp_server::Message;
use serde_json::{Value, json};

#[test]
fn an_editor_gets_diagnostics_and_nothing_else_on_standard_output() {
    let folder = tempfile::tempdir().unwrap();
    let skill = folder.path().canonicalize().unwrap().join("skills/demo");
    std::fs::create_dir_all(&skill).unwrap();
    let text = "---\nname: Demo\ndescription: Use when asked for a demo.\n---\nDo it.\n";
    std::fs::write(skill.join("SKILL.md"), text).unwrap();
    let mut server = Command::new(env!("CARGO_BIN_EXE_skillbench"))
        .args(["lsp", "--stdio"])
        .env("SKILL_WORKBENCH_HOME", folder.path().join("home"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = server.stdin.take().unwrap();
    let mut output = BufReader::new(server.stdout.take().unwrap());
    let mut say = |message: Value| {
        let body = message.to_string();
        write!(input, "Content-Length: {}\r\n\r\n{body}", body.len()).unwrap();
        input.flush().unwrap();
    };
    // Anything that is not a message in a frame fails here.
    let mut hear = || match Message::read(&mut output).unwrap() {
        Some(message) => serde_json::to_value(message).unwrap(),
        None => Value::Null,
    };
    let uri = url::Url::from_file_path(skill.join("SKILL.md")).unwrap().to_string();
    say(json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": { "capabilities": {} } }));
    assert_eq!(hear()["result"]["capabilities"]["positionEncoding"], "utf-16");
    say(json!({ "jsonrpc": "2.0", "method": "initialized", "params": {} }));
    let document = json!({ "uri": uri, "languageId": "markdown", "version": 1, "text": text });
    say(json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": { "textDocument": document } }));
    let published = hear();
    assert_eq!(published["method"], "textDocument/publishDiagnostics");
    assert_eq!((&published["params"]["uri"], &published["params"]["version"]), (&json!(uri), &json!(1)));
    let codes: Vec<&str> = published["params"]["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .map(|diagnostic| diagnostic["code"].as_str().unwrap())
        .collect();
    assert!(codes.contains(&"name-chars"), "{codes:?}");
    say(json!({ "jsonrpc": "2.0", "id": "bye", "method": "shutdown" }));
    assert_eq!(hear(), json!({ "id": "bye", "result": null }));
    say(json!({ "jsonrpc": "2.0", "method": "exit" }));
    assert_eq!(server.wait().unwrap().code(), Some(0));
    assert_eq!(hear(), Value::Null, "nothing comes after the end");
}

#[test]
fn the_exit_code_shows_that_an_editor_left_without_shutdown() {
    let home = tempfile::tempdir().unwrap();
    let status = Command::new(env!("CARGO_BIN_EXE_skillbench"))
        .arg("lsp")
        .env("SKILL_WORKBENCH_HOME", home.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(1));
}
