//! Whole conversations, as an editor has them.

use std::collections::VecDeque;
use std::time::Duration;

use api::Places;
use camino::Utf8PathBuf;
use lint::{Group, docs, find};
use lsp_server::{Connection, Message, Notification, Request, RequestId};
use lsp_types::{CodeAction, DocumentChanges, OneOf, TextDocumentContentChangeEvent, TextEdit, WorkspaceEdit};
use serde_json::{Value, json};

use super::documents::{Document, path_of, uri_of};
use super::positions::Encoding;
use super::server::{End, Options, serve};
use wording::Language;

/// Far longer than anything takes; a server that hangs fails.
const PATIENCE: Duration = Duration::from_secs(120);

/// A folder of skills that only some rules look at.
struct Folder {
    base: Utf8PathBuf,
    _kept: tempfile::TempDir,
}

impl Folder {
    fn new(rules: &[&str], files: &[(&str, &str)]) -> Self {
        let kept = tempfile::tempdir().expect("a folder");
        let base = Utf8PathBuf::try_from(kept.path().canonicalize().expect("it is there")).expect("UTF-8");
        let folder = Self { base, _kept: kept };
        folder.write("skills/workbench.yaml", &settings(rules));
        files.iter().for_each(|(path, text)| folder.write(&format!("skills/{path}"), text));
        folder
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.base.join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("writable");
        std::fs::write(path, text).expect("writable");
    }

    fn uri(&self, path: &str) -> String {
        uri_of(&self.base.join("skills").join(path)).expect("it has an address").as_str().to_owned()
    }
}

fn settings(rules: &[&str]) -> String {
    let off: String = Group::ALL.iter().map(|group| format!("    {}: off\n", group.id())).collect();
    let on: String = rules.iter().map(|rule| format!("    {rule}: warning\n")).collect();
    format!("lint:\n  rules:\n{off}{on}")
}

struct Editor {
    connection: Connection,
    server: std::thread::JoinHandle<End>,
    /// Messages of the server that no test has asked for yet.
    heard: VecDeque<Message>,
    requests: i32,
}

impl Editor {
    fn new(folder: &Folder) -> Self {
        let (server, connection) = Connection::memory();
        let options =
            Options { places: Places::below(folder.base.join("home"), None), debounce: Duration::from_millis(1) };
        let server = std::thread::spawn(move || {
            let runtime = tokio::runtime::Runtime::new().expect("threads");
            runtime.block_on(serve(server, options))
        });
        Self { connection, server, heard: VecDeque::new(), requests: 0 }
    }

    /// That has said hello, with the folder of skills open.
    fn at_work(folder: &Folder) -> Self {
        let capabilities = json!({ "workspace": {
            "workspaceEdit": { "documentChanges": true },
            "didChangeWatchedFiles": { "dynamicRegistration": true },
        } });
        Self::with(folder, capabilities, &[""])
    }

    fn with(folder: &Folder, capabilities: Value, open: &[&str]) -> Self {
        let mut editor = Self::new(folder);
        let open: Vec<Value> = open.iter().map(|path| json!({ "uri": folder.uri(path), "name": path })).collect();
        let params = json!({ "processId": null, "capabilities": capabilities, "workspaceFolders": open });
        editor.request("initialize", params).expect("a greeting");
        editor.tell("initialized", json!({}));
        editor
    }

    fn tell(&self, method: &str, params: Value) {
        let notification = Notification { method: method.to_owned(), params };
        self.connection.sender.send(notification.into()).expect("the server listens");
    }

    fn ask(&mut self, method: &str, params: Value) -> RequestId {
        self.requests += 1;
        let id = RequestId::from(self.requests);
        let request = Request { id: id.clone(), method: method.to_owned(), params };
        self.connection.sender.send(request.into()).expect("the server listens");
        id
    }

    fn request(&mut self, method: &str, params: Value) -> Result<Value, i32> {
        let id = self.ask(method, params);
        self.answer(&id)
    }

    fn answer(&mut self, id: &RequestId) -> Result<Value, i32> {
        loop {
            match self.connection.receiver.recv_timeout(PATIENCE).expect("an answer in time") {
                Message::Response(response) if response.id == *id => {
                    return response.response_result.map_err(|error| error.code);
                }
                other => self.heard.push_back(other),
            }
        }
    }

    /// The next message that is not an answer.
    fn next(&mut self) -> (String, Value) {
        let message = self.heard.pop_front();
        match message.unwrap_or_else(|| self.connection.receiver.recv_timeout(PATIENCE).expect("a message in time")) {
            Message::Notification(notification) => (notification.method, notification.params),
            Message::Request(request) => (request.method, request.params),
            Message::Response(response) => panic!("nobody asked: {response:?}"),
        }
    }

    /// The next diagnostics of a document; those before it are of others.
    fn published(&mut self, uri: &str) -> Value {
        loop {
            let (method, params) = self.next();
            if method == "textDocument/publishDiagnostics" && params["uri"] == uri {
                return params;
            }
        }
    }

    /// The findings in a version of a document.
    fn found(&mut self, uri: &str, version: i32) -> Vec<(String, Value)> {
        loop {
            let published = self.published(uri);
            if published["version"] == version {
                return rules(&published);
            }
        }
    }

    fn open(&self, uri: &str, version: i32, text: &str) {
        let document = json!({ "uri": uri, "languageId": "markdown", "version": version, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    fn change(&self, uri: &str, version: i32, changes: Value) {
        let params = json!({ "textDocument": { "uri": uri, "version": version }, "contentChanges": changes });
        self.tell("textDocument/didChange", params);
    }

    fn actions(&mut self, uri: &str, place: (u32, u32), only: Option<&str>) -> Vec<CodeAction> {
        let place = json!({ "line": place.0, "character": place.1 });
        let context = match only {
            Some(only) => json!({ "diagnostics": [], "only": [only] }),
            None => json!({ "diagnostics": [] }),
        };
        let params =
            json!({ "textDocument": { "uri": uri }, "range": { "start": place, "end": place }, "context": context });
        serde_json::from_value(self.request("textDocument/codeAction", params).expect("actions")).expect("as specified")
    }

    fn leave(mut self) -> End {
        assert_eq!(self.request("shutdown", Value::Null), Ok(Value::Null));
        self.tell("exit", Value::Null);
        self.server.join().expect("it does not panic")
    }
}

/// Rules and ranges, as `line:character-line:character`.
fn rules(published: &Value) -> Vec<(String, Value)> {
    let diagnostics = published["diagnostics"].as_array().expect("a list");
    let of = |diagnostic: &Value| {
        let [start, end] = ["start", "end"].map(|end| &diagnostic["range"][end]);
        let range = format!("{}:{}-{}:{}", start["line"], start["character"], end["line"], end["character"]);
        (diagnostic["code"].as_str().expect("an id").to_owned(), Value::from(range))
    };
    diagnostics.iter().map(of).collect()
}

fn rule(id: &str, range: &str) -> (String, Value) {
    (id.to_owned(), range.into())
}

/// The text with an action's edits in it, and the version they are for.
fn applied(text: &str, uri: &str, action: &CodeAction) -> (String, Option<i32>) {
    let Some(WorkspaceEdit { document_changes: Some(DocumentChanges::Edits(edits)), .. }) = &action.edit else {
        panic!("no edits with versions: {action:?}");
    };
    let [edit] = edits.as_slice() else { panic!("other documents too: {edits:?}") };
    assert_eq!(edit.text_document.uri.as_str(), uri);
    let edits = edit.edits.iter().map(|edit| match edit {
        OneOf::Left(edit) => edit,
        OneOf::Right(annotated) => &annotated.text_edit,
    });
    (with_edits(text, edits), edit.text_document.version)
}

fn with_edits<'a>(text: &str, edits: impl Iterator<Item = &'a TextEdit>) -> String {
    let mut edits: Vec<&TextEdit> = edits.collect();
    edits.sort_by_key(|edit| edit.range.start);
    let change = |edit: &TextEdit| TextDocumentContentChangeEvent {
        range: Some(edit.range),
        range_length: None,
        text: edit.new_text.clone(),
    };
    let uri = "file:///a".parse().expect("an address");
    let mut document = Document { uri, version: 1, text: text.to_owned() };
    document.apply(edits.into_iter().rev().map(change).collect(), 2, Encoding::Utf16);
    document.text
}

fn titles(actions: &[CodeAction]) -> Vec<(&str, &str, Option<bool>)> {
    let title = |action: &'_ CodeAction| (action.kind.as_ref().map_or("", |kind| kind_of(kind)), action.is_preferred);
    actions.iter().map(|action| (&*action.title, title(action).0, title(action).1)).collect()
}

fn kind_of(kind: &lsp_types::CodeActionKind) -> &'static str {
    ["quickfix", "source.fixAll", "source.fixAll.skillbench"]
        .into_iter()
        .find(|known| kind.as_str() == *known)
        .expect("one of ours")
}

fn skill(body: &str) -> String {
    format!("---\nname: demo\ndescription: Use when asked for a demo.\n---\n{body}")
}

#[test]
fn says_what_it_can_and_speaks_utf_8_where_it_may() {
    let folder = Folder::new(&[], &[]);
    let mut editor = Editor::new(&folder);
    let capabilities = json!({ "general": { "positionEncodings": ["utf-8", "utf-16"] } });
    let greeting =
        editor.request("initialize", json!({ "processId": null, "rootUri": null, "capabilities": capabilities }));
    let can = json!({
        "positionEncoding": "utf-8",
        "textDocumentSync": { "openClose": true, "change": 2, "save": { "includeText": false } },
        "hoverProvider": true,
        "completionProvider": { "triggerCharacters": ["/", "(", "`", ":", ","] },
        "definitionProvider": true,
        "documentLinkProvider": { "resolveProvider": false },
        "documentSymbolProvider": true,
        "codeActionProvider": { "codeActionKinds": ["quickfix", "source.fixAll", "source.fixAll.skillbench"] },
        "workspace": { "workspaceFolders": { "supported": true, "changeNotifications": true } },
    });
    let info = json!({ "name": "skillbench", "version": api::VERSION });
    assert_eq!(greeting, Ok(json!({ "capabilities": can, "serverInfo": info })));
    assert_eq!(editor.leave(), End::Agreed);
}

#[test]
fn tells_all_that_is_found_in_a_skill_and_takes_it_back() {
    let text = skill("😀 Run `scripts\\a.py`. Read [it](references/page.md).\n");
    let page = "Run `scripts\\a.py`.\n";
    let folder = Folder::new(
        &["windows-path", "name-dir-mismatch"],
        &[("other/SKILL.md", &text), ("other/references/page.md", page), ("other/scripts/a.py", "print(1)\n")],
    );
    let (uri, page_uri) = (folder.uri("other/SKILL.md"), folder.uri("other/references/page.md"));
    let mut editor = Editor::at_work(&folder);
    editor.open(&uri, 7, &text);
    let mut published = editor.published(&uri);
    for diagnostic in published["diagnostics"].as_array_mut().expect("a list") {
        let data = diagnostic["data"].take();
        assert_eq!(data["fingerprint"].as_str().map(str::len), Some(16), "{data}");
        let page =
            diagnostic.as_object_mut().and_then(|diagnostic| diagnostic.remove("codeDescription")).expect("a page");
        let address = page["href"].as_str().and_then(|address| address.parse().ok()).expect("an address");
        let rule = find(diagnostic["code"].as_str().expect("an id")).expect("a rule");
        let written = path_of(&address).and_then(|path| std::fs::read_to_string(path).ok());
        assert_eq!(written, Some(docs::card(rule, Language::English)), "what is said of a rule can be opened");
    }
    let diagnostic = |line: u32, from: u32, to: u32, rule: &str, message: &str| {
        json!({
            "range": { "start": { "line": line, "character": from }, "end": { "line": line, "character": to } },
            "severity": 2,
            "code": rule,
            "source": "skillbench",
            "message": message,
            "data": null,
        })
    };
    let backslash = "`scripts\\a.py` is a path on Windows alone; write `scripts/a.py`";
    let name = "the name `demo` differs from the folder's name `other`";
    let expected =
        json!([diagnostic(1, 6, 10, "name-dir-mismatch", name), diagnostic(4, 8, 20, "windows-path", backslash),]);
    assert_eq!(published, json!({ "uri": uri, "version": 7, "diagnostics": expected }));

    let of_page = [rule("windows-path", "0:5-0:17")];
    let closed = editor.published(&page_uri);
    assert_eq!((rules(&closed), &closed["version"]), (of_page.to_vec(), &Value::Null), "told of a closed file too");
    editor.open(&page_uri, 1, page);
    assert_eq!(editor.found(&page_uri, 1), of_page, "told with its version once it is open");
    editor.change(&page_uri, 2, json!([{ "text": "" }]));
    assert_eq!(editor.found(&page_uri, 2), []);
    editor.tell("textDocument/didClose", json!({ "textDocument": { "uri": page_uri } }));
    assert_eq!(rules(&editor.published(&page_uri)), of_page, "what was not saved is gone");
    editor.tell("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    for uri in [&uri, &page_uri] {
        assert_eq!(editor.published(uri), json!({ "uri": uri, "diagnostics": [] }), "nobody looks any more");
    }
    assert_eq!(editor.leave(), End::Agreed);
}

#[test]
fn leads_where_paths_lead() {
    let text = skill("Read [it](references/page.md#two) and `references/gone.md`.\n");
    let page = "# One\n\nBack to [it](../SKILL.md).\n\n## Two\n";
    let folder = Folder::new(&["broken-path"], &[("demo/SKILL.md", &text), ("demo/references/page.md", "Old.\n")]);
    let (uri, page_uri) = (folder.uri("demo/SKILL.md"), folder.uri("demo/references/page.md"));
    let mut editor = Editor::at_work(&folder);
    editor.open(&uri, 1, &text);
    editor.open(&page_uri, 1, page);
    let document = json!({ "uri": uri });
    let links = editor.request("textDocument/documentLink", json!({ "textDocument": document }));
    let range = |line: u32, from: u32, to: u32| json!({ "start": { "line": line, "character": from }, "end": { "line": line, "character": to } });
    assert_eq!(links, Ok(json!([{ "range": range(4, 10, 28), "target": page_uri }])));
    let mut at = |method: &str, uri: &str, line: u32, character: u32| {
        let position = json!({ "line": line, "character": character });
        editor.request(method, json!({ "textDocument": { "uri": uri }, "position": position })).expect("an answer")
    };
    let definition = at("textDocument/definition", &uri, 4, 12);
    assert_eq!(definition["uri"], json!(page_uri));
    assert_eq!(definition["range"]["start"], json!({ "line": 4, "character": 0 }), "as it is in the editor");
    assert_eq!(at("textDocument/definition", &page_uri, 2, 15)["uri"], json!(uri));
    for place in [(4, 45), (4, 2), (99, 0)] {
        assert_eq!(at("textDocument/definition", &uri, place.0, place.1), Value::Null, "{place:?}");
    }
    let mut told = |line, character| at("textDocument/hover", &uri, line, character)["contents"]["value"].clone();
    assert_eq!(told(4, 12), "`references/page.md` (lines: 5, tokens: about 16)");
    let gone = told(4, 45).as_str().map(str::to_owned).expect("a text");
    assert!(gone.starts_with("`references/gone.md` does not exist\n\n---\n\n### broken-path"), "{gone}");
    assert_eq!(told(4, 1), Value::Null);
    assert_eq!(editor.leave(), End::Agreed);
}

#[test]
fn follows_edits_in_a_file_with_windows_line_ends() {
    let text = format!("\u{feff}{}", skill("😀 Run `a\\b.py`.\n").replace('\n', "\r\n"));
    let folder = Folder::new(&["windows-path"], &[("demo/SKILL.md", &text), ("demo/a/b.py", "")]);
    let uri = folder.uri("demo/SKILL.md");
    let mut editor = Editor::at_work(&folder);
    editor.open(&uri, 1, &text);
    assert_eq!(editor.found(&uri, 1), [rule("windows-path", "4:8-4:14")]);
    let range = |from: (u32, u32), to: (u32, u32)| json!({ "start": { "line": from.0, "character": from.1 }, "end": { "line": to.0, "character": to.1 } });
    let changes = json!([
        { "range": range((4, 0), (4, 2)), "text": "😀😀\r\n" },
        { "range": range((5, 6), (5, 11)), "text": "a\\b.p" },
        { "range": range((99, 0), (99, 0)), "text": "And `a\\b.py`." },
    ]);
    editor.change(&uri, 2, changes);
    let now = "Run `a\\b.py`.\r\nAnd `a\\b.py`.";
    assert_eq!(editor.found(&uri, 2), [rule("windows-path", "5:6-5:12"), rule("windows-path", "6:5-6:11")], "{now}");
    let actions = editor.actions(&uri, (6, 5), Some("source.fixAll"));
    let before = format!("{}\r\n Run `a\\b.py`.\r\nAnd `a\\b.py`.", text.replace("😀 Run `a\\b.py`.\r\n", "😀😀"));
    let (after, version) = applied(&before, &uri, &actions[0]);
    assert_eq!((after, version), (before.replace('\\', "/"), Some(2)));
    assert_eq!(editor.leave(), End::Agreed);
}

#[test]
fn fixes_one_thing_or_all_that_is_safe() {
    let text = skill("Run `a\\b.py`.\nRun `c\\d.py`.\n");
    let folder = Folder::new(&["windows-path"], &[("demo/SKILL.md", &text), ("demo/a/b.py", ""), ("demo/c/d.py", "")]);
    let uri = folder.uri("demo/SKILL.md");
    let mut editor = Editor::at_work(&folder);
    editor.open(&uri, 3, &text);
    let actions = editor.actions(&uri, (4, 6), None);
    assert_eq!(
        titles(&actions),
        [
            ("Write a/b.py", "quickfix", Some(true)),
            ("Ignore windows-path here", "quickfix", Some(false)),
            ("Fix all safe problems", "source.fixAll.skillbench", None),
        ]
    );
    let one = text.replace("a\\b", "a/b");
    assert_eq!(applied(&text, &uri, &actions[0]), (one.clone(), Some(3)));
    let found =
        actions[0].diagnostics.as_ref().map(|found| found.iter().map(|found| found.code.clone()).collect::<Vec<_>>());
    assert_eq!(found, Some(vec![Some(lsp_types::NumberOrString::String("windows-path".into()))]));
    let ignored = text.replace("Run `a", "<!-- lint-ignore windows-path: reason -->\nRun `a");
    assert_eq!(applied(&text, &uri, &actions[1]), (ignored.clone(), Some(3)));

    assert_eq!(editor.found(&uri, 3).len(), 2);
    editor.change(&uri, 4, json!([{ "text": ignored }]));
    assert_eq!(editor.found(&uri, 4), [rule("windows-path", "6:5-6:11")], "the first one is let pass");
    editor.change(&uri, 5, json!([{ "text": one }]));
    let all = editor.actions(&uri, (0, 0), Some("source.fixAll"));
    assert_eq!(titles(&all), [("Fix all safe problems", "source.fixAll", None)], "as it was asked for");
    let (fixed, version) = applied(&one, &uri, &all[0]);
    assert_eq!((fixed.as_str(), version), (&*one.replace('\\', "/"), Some(5)));
    editor.change(&uri, 6, json!([{ "text": fixed }]));
    assert_eq!(editor.found(&uri, 6), []);
    assert_eq!(editor.actions(&uri, (0, 0), Some("source")), [], "nothing is left to fix");
    assert_eq!(editor.leave(), End::Agreed);
}

#[test]
fn edits_are_plain_for_clients_that_know_no_versions() {
    let text = skill("Run `a\\b.py`.\n");
    let folder = Folder::new(&["windows-path"], &[("demo/SKILL.md", &text), ("demo/a/b.py", "")]);
    let uri = folder.uri("demo/SKILL.md");
    let mut editor = Editor::with(&folder, json!({}), &[""]);
    editor.open(&uri, 1, &text);
    let actions = editor.actions(&uri, (4, 6), Some("quickfix"));
    let Some(WorkspaceEdit { changes: Some(changes), document_changes: None, .. }) = &actions[0].edit else {
        panic!("edits with versions: {actions:?}");
    };
    let [(document, edits)] = changes.iter().collect::<Vec<_>>()[..] else { panic!("one document: {changes:?}") };
    assert_eq!(path_of(document), Some(folder.base.join("skills/demo/SKILL.md")));
    assert_eq!(with_edits(&text, edits.iter()), text.replace('\\', "/"));
    assert_eq!(editor.leave(), End::Agreed);
}

#[test]
fn answers_are_about_the_newest_text_and_old_news_is_never_told_after_it() {
    let text = skill("Fine.\n");
    let folder = Folder::new(&["windows-path"], &[("demo/SKILL.md", &text), ("demo/a/b.py", "")]);
    let uri = folder.uri("demo/SKILL.md");
    let mut editor = Editor::at_work(&folder);
    editor.open(&uri, 0, &text);
    for version in 1..=30 {
        editor.change(&uri, version, json!([{ "text": skill(&"Run `a\\b.py`.\n".repeat(version as usize % 4)) }]));
    }
    let actions = editor.actions(&uri, (4, 6), Some("quickfix"));
    let newest = skill("Run `a\\b.py`.\nRun `a\\b.py`.\n");
    assert_eq!(applied(&newest, &uri, &actions[0]), (newest.replacen('\\', "/", 1), Some(30)));
    let mut versions = Vec::new();
    while versions.last() != Some(&30) {
        let published = editor.published(&uri);
        let version = published["version"].as_i64().expect("a number");
        let expected = usize::try_from(version).expect("positive") % 4;
        assert_eq!(rules(&published).len(), expected, "what is told of a version is of that version");
        versions.push(version);
    }
    assert!(versions.is_sorted(), "{versions:?}");
    assert_eq!(editor.leave(), End::Agreed);
}

#[test]
fn a_file_of_no_skill_has_no_findings() {
    let folder = Folder::new(&["windows-path"], &[("notes/plain.md", ""), ("notes/a/b.py", "")]);
    let uri = folder.uri("notes/plain.md");
    let mut editor = Editor::at_work(&folder);
    editor.open(&uri, 1, "Run `a\\b.py`.\n");
    assert_eq!(editor.published(&uri), json!({ "uri": uri, "version": 1, "diagnostics": [] }));
    editor.open("untitled:new", 1, "x");
    assert_eq!(editor.published("untitled:new"), json!({ "uri": "untitled:new", "version": 1, "diagnostics": [] }));
    assert_eq!(editor.actions(&uri, (0, 6), None), []);
    let manifest = folder.uri("notes/SKILL.md");
    folder.write("skills/notes/SKILL.md", &skill("Read [it](plain.md).\n"));
    editor.open(&manifest, 1, &skill("Read [it](plain.md).\n"));
    assert_eq!(editor.found(&uri, 1), [rule("windows-path", "0:5-0:11")], "now it belongs to a skill");
    assert_eq!(editor.leave(), End::Agreed);
}

/// As an editor does when it restores its documents. When each one led to another check of all, these took minutes.
#[test]
fn many_documents_are_looked_at_once_each() {
    const DOCUMENTS: u32 = 300;
    let text = skill(&format!("{}Run `a\\b.py`.\n", "A line that says little.\n".repeat(400)));
    let paths: Vec<[String; 2]> =
        (0..DOCUMENTS).map(|number| ["SKILL.md", "a/b.py"].map(|name| format!("s{number}/{name}"))).collect();
    let files: Vec<(&str, &str)> = paths
        .iter()
        .flatten()
        .zip([text.as_str(), ""].into_iter().cycle())
        .map(|(path, text)| (path.as_str(), text))
        .collect();
    let folder = Folder::new(&["windows-path"], &files);
    let uris: Vec<String> = paths.iter().map(|[manifest, _]| folder.uri(manifest)).collect();
    let mut editor = Editor::at_work(&folder);
    uris.iter().for_each(|uri| editor.open(uri, 1, &text));
    let mut published = std::collections::BTreeMap::new();
    while published.len() < uris.len() {
        let (method, params) = editor.next();
        if method == "textDocument/publishDiagnostics" {
            let uri = params["uri"].as_str().expect("an address").to_owned();
            assert_eq!(rules(&params), [rule("windows-path", "404:5-404:11")], "{uri}");
            *published.entry(uri).or_insert(0) += 1;
        }
    }
    assert!(published.values().all(|times| *times == 1), "{published:?}");
    assert_eq!(editor.leave(), End::Agreed);
}

#[test]
fn a_document_is_the_one_that_has_its_address() {
    let (bad, good) = (skill("Run `a\\b.py`.\n"), skill("Fine.\n"));
    let folder = Folder::new(&["windows-path"], &[("demo/SKILL.md", &good), ("demo/a/b.py", "")]);
    let uri = folder.uri("demo/SKILL.md");
    let mut editor = Editor::at_work(&folder);
    editor.open(&uri, 1, &bad);
    let found = [rule("windows-path", "4:5-4:11")];
    assert_eq!(editor.found(&uri, 1), found);
    let old = format!("{}?ref=HEAD", uri.replace("file:", "git:"));
    editor.open(&old, 1, &good);
    assert_eq!(editor.published(&old)["diagnostics"], json!([]), "what was, under another scheme");
    let other = uri.replace("/demo/", "/%64emo/");
    editor.open(&other, 7, &bad);
    assert_eq!(editor.found(&other, 7), found, "the same file, spelt otherwise");
    for closed in [&old, &other] {
        editor.tell("textDocument/didClose", json!({ "textDocument": { "uri": closed } }));
    }
    editor.change(&uri, 2, json!([{ "text": bad.replace("Run", "Runs") }]));
    assert_eq!(editor.found(&uri, 2), [rule("windows-path", "4:6-4:12")]);
    assert_eq!(editor.leave(), End::Agreed);
}

#[test]
fn other_workspace_folders_are_other_settings() {
    let text = skill("Run `a\\b.py`.\n");
    let folder = Folder::new(&["windows-path"], &[("demo/SKILL.md", &text), ("demo/a/b.py", "")]);
    folder.write("empty/x", "");
    let uri = folder.uri("demo/SKILL.md");
    let found = [rule("windows-path", "4:5-4:11")];
    let mut editor = Editor::with(&folder, json!({}), &[]);
    editor.open(&uri, 1, &text);
    assert_eq!(editor.found(&uri, 1), found, "with nothing open, the folder around the skill counts");
    let change = |editor: &Editor, removed: &[&str], added: &[&str]| {
        let named = |paths: &[&str]| -> Vec<Value> {
            paths.iter().map(|path| json!({ "uri": folder.uri(path), "name": path })).collect()
        };
        let event = json!({ "removed": named(removed), "added": named(added) });
        editor.tell("workspace/didChangeWorkspaceFolders", json!({ "event": event }));
    };
    folder.write("skills/demo/workbench.yaml", &settings(&[]));
    change(&editor, &[], &["demo"]);
    assert_eq!(editor.found(&uri, 1), [], "the new folder's settings turn the rule off");
    change(&editor, &["demo"], &["../empty"]);
    assert_eq!(editor.found(&uri, 1), [], "the nearest settings hold outside of the workspace, too");
    std::fs::remove_file(folder.base.join("skills/demo/workbench.yaml")).expect("it is there");
    change(&editor, &["../empty"], &[]);
    assert_eq!(editor.found(&uri, 1), found, "those above it hold again");
    assert_eq!(editor.leave(), End::Agreed);
}

#[test]
fn hears_of_changes_on_disk() {
    let text = skill("Read [it](references/page.md).\n");
    let folder = Folder::new(&["broken-link"], &[("demo/SKILL.md", &text)]);
    let uri = folder.uri("demo/SKILL.md");
    let mut editor = Editor::at_work(&folder);
    let (method, params) = editor.next();
    assert_eq!(method, "client/registerCapability");
    assert_eq!(
        params["registrations"][0],
        json!({
            "id": "files",
            "method": "workspace/didChangeWatchedFiles",
            "registerOptions": { "watchers": [{ "globPattern": "**/*" }] },
        })
    );
    editor.open(&uri, 1, &text);
    assert_eq!(editor.found(&uri, 1), [rule("broken-link", "4:10-4:28")]);
    folder.write("skills/demo/references/page.md", "# Page\n");
    let changed = json!({ "uri": folder.uri("demo/references/page.md"), "type": 1 });
    editor.tell("workspace/didChangeWatchedFiles", json!({ "changes": [changed] }));
    assert_eq!(editor.found(&uri, 1), []);
    assert_eq!(editor.leave(), End::Agreed);
}

#[test]
fn shows_the_card_of_a_rule_and_the_outline() {
    let text = skill("# 😀 One\nRun `a\\b.py`.\n## Two\n\n# Three\n");
    let folder = Folder::new(&["windows-path"], &[("demo/SKILL.md", &text), ("demo/a/b.py", "")]);
    let uri = folder.uri("demo/SKILL.md");
    let mut editor = Editor::at_work(&folder);
    editor.open(&uri, 1, &text);
    let at = |line: u32, character: u32| json!({ "textDocument": { "uri": uri }, "position": { "line": line, "character": character } });
    let card = docs::card(find("windows-path").expect("a rule"), Language::English);
    let range = |from: (u32, u32), to: (u32, u32)| json!({ "start": { "line": from.0, "character": from.1 }, "end": { "line": to.0, "character": to.1 } });
    let told = format!("`a/b.py` (lines: 0, tokens: about 0)\n\n---\n\n{}", card.trim());
    let shown = json!({ "contents": { "kind": "markdown", "value": told }, "range": range((5, 5), (5, 11)) });
    assert_eq!(editor.request("textDocument/hover", at(5, 7)), Ok(shown));
    assert_eq!(editor.request("textDocument/hover", at(7, 0)), Ok(Value::Null));
    let symbol = |name: &str, range: Value, selection: Value| json!({ "name": name, "kind": 15, "range": range, "selectionRange": selection });
    let mut one = symbol("😀 One", range((4, 0), (8, 0)), range((4, 0), (4, 8)));
    one["children"] = json!([symbol("Two", range((6, 0), (8, 0)), range((6, 0), (6, 6)))]);
    let three = symbol("Three", range((8, 0), (9, 0)), range((8, 0), (8, 7)));
    let outline = editor.request("textDocument/documentSymbol", json!({ "textDocument": { "uri": uri } }));
    assert_eq!(outline, Ok(json!([one, three])));
    assert_eq!(editor.leave(), End::Agreed);
}

#[test]
fn answers_what_it_does_not_understand_and_knows_how_it_ended() {
    let folder = Folder::new(&[], &[]);
    let mut editor = Editor::new(&folder);
    assert_eq!(editor.request("textDocument/hover", json!({})), Err(-32002), "not initialized");
    assert_eq!(editor.request("initialize", json!({ "capabilities": 1 })), Err(-32602));
    editor.request("initialize", json!({ "capabilities": {} })).expect("a greeting");
    assert_eq!(editor.request("initialize", json!({ "capabilities": {} })), Err(-32600), "only once");
    assert_eq!(editor.request("textDocument/rename", json!({})), Err(-32601));
    assert_eq!(editor.request("textDocument/hover", json!({ "what": 1 })), Err(-32602));
    editor.tell("textDocument/didOpen", json!({ "textDocument": 1 }));
    editor.tell("textDocument/didChange", json!({}));
    editor.tell("$/unknown", json!({}));
    editor.change("file:///not/open.md", 1, json!([{ "text": "" }]));
    assert_eq!(editor.request("shutdown", Value::Null), Ok(Value::Null));
    assert_eq!(editor.request("shutdown", Value::Null), Err(-32600), "it is shutting down");
    editor.tell("exit", Value::Null);
    assert_eq!(editor.server.join().expect("it does not panic"), End::Agreed);

    let editor = Editor::at_work(&folder);
    editor.tell("exit", Value::Null);
    assert_eq!(editor.server.join().expect("it does not panic"), End::Abrupt, "nobody asked it to shut down");
    let Editor { connection, server, .. } = Editor::at_work(&folder);
    drop(connection);
    assert_eq!(server.join().expect("it does not panic"), End::Abrupt, "the client is gone");
}

#[test]
fn a_canceled_request_is_answered_as_such() {
    let text = skill("Run `a\\b.py`.\n");
    let folder = Folder::new(&["windows-path"], &[("demo/SKILL.md", &text), ("demo/a/b.py", "")]);
    let uri = folder.uri("demo/SKILL.md");
    let mut editor = Editor::at_work(&folder);
    editor.open(&uri, 1, &text);
    let place = json!({ "textDocument": { "uri": uri }, "position": { "line": 4, "character": 6 } });
    let hover = editor.ask("textDocument/hover", place);
    editor.tell("$/cancelRequest", json!({ "id": editor.requests }));
    assert_eq!(editor.answer(&hover), Err(-32800), "it waited for the first look at the skill");
    assert_eq!(editor.found(&uri, 1), [rule("windows-path", "4:5-4:11")], "the look itself goes on");
    assert_eq!(editor.leave(), End::Agreed);
}

#[test]
fn a_folder_says_what_of_its_settings_cannot_be_followed() {
    let text = skill("Fine.\n");
    let folder = Folder::new(&["no-such-rule"], &[("demo/SKILL.md", &text)]);
    let mut editor = Editor::at_work(&folder);
    editor.open(&folder.uri("demo/SKILL.md"), 1, &text);
    let said = loop {
        let (method, params) = editor.next();
        if method == "window/logMessage" {
            break params;
        }
    };
    let file = folder.base.join("skills/workbench.yaml");
    let message = format!("{file}: lint: there is no rule or group `no-such-rule`");
    assert_eq!(said, json!({ "type": 2, "message": message }));
    assert_eq!(editor.leave(), End::Agreed);
}
