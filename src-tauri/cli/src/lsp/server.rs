//! The conversation. One task holds all state and never waits for rules: checks of skills are separate tasks, and their
//! results are dropped if the texts have changed in the meantime. Requests about findings wait for the check of the
//! newest text.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;

use api::dto::Push;
use api::{Freshness, Places, VERSION, Workbench, absolute};
use camino::{Utf8Path, Utf8PathBuf};
use lint::docs;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response, ResponseError};
use lsp_types::notification::Notification as _;
use lsp_types::request::Request as _;
use lsp_types::{
    CancelParams, ClientCapabilities, CodeActionOptions, CodeActionParams, CodeActionProviderCapability,
    CompletionParams, Diagnostic, DidChangeTextDocumentParams, DidChangeWatchedFilesParams,
    DidChangeWatchedFilesRegistrationOptions, DidChangeWorkspaceFoldersParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, DidSaveTextDocumentParams, DocumentLinkOptions, DocumentLinkParams,
    DocumentSymbolParams, DocumentSymbolResponse, FileChangeType, FileSystemWatcher, GlobPattern, GotoDefinitionParams,
    Hover, HoverContents, HoverParams, HoverProviderCapability, InitializeParams, InitializeResult, LogMessageParams,
    MarkupContent, MarkupKind, MessageType, NumberOrString, OneOf, PublishDiagnosticsParams, Registration,
    RegistrationParams, SaveOptions, ServerCapabilities, ServerInfo, TextDocumentSyncCapability, TextDocumentSyncKind,
    TextDocumentSyncOptions, TextDocumentSyncSaveOptions, Uri, WorkDoneProgressOptions,
    WorkspaceFoldersServerCapabilities, WorkspaceServerCapabilities, notification, request,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::sync::{OnceCell, mpsc};
use tokio::task::AbortHandle;
use tokio::time::Instant;

use super::actions::{self, FIX_ALL, FIX_ALL_OURS, Wish};
use super::check::{Checked, Versions};
use super::complete;
use super::documents::{Document, Documents, Held, below, path_of, uri_of};
use super::leads::Leads;
use super::outline::outline;
use super::pages::Pages;
use super::place::{SkillHome, is_manifest, is_settings, open_skills, place};
use super::positions::Encoding;
use crate::language::{Chosen, choose, language};
use wording::Language;

pub struct Options {
    pub places: Places,
    /// How long a change waits for the next one.
    pub debounce: Duration,
}

/// How a conversation came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The client asked for it, and then left.
    Agreed,
    /// The client left.
    Abrupt,
}

/// Talks until the client leaves.
pub async fn serve(connection: Connection, options: Options) -> End {
    let (events, mut told) = mpsc::unbounded_channel();
    let Connection { sender, receiver } = connection;
    let messages = events.clone();
    std::thread::spawn(move || {
        for message in receiver {
            if messages.send(Event::Message(message)).is_err() {
                return;
            }
        }
        // Without a receiver, the server has ended already.
        let _ = messages.send(Event::ClientLeft);
    });
    let mut server = Server {
        say: Box::new(move |message| {
            // A client that left gets nothing; the reading side reports that.
            let _ = sender.send(message);
        }),
        pages: Arc::new(Pages::below(&options.places.cache)),
        options,
        events,
        phase: Phase::New,
        client: Client::default(),
        workspace: Vec::new(),
        held: Held::default(),
        homes: BTreeMap::new(),
        benches: HashMap::new(),
        skills: BTreeMap::new(),
        waiting: Vec::new(),
        answering: HashMap::new(),
        requests: 0,
        complaints: BTreeSet::new(),
        looks: std::thread::available_parallelism().map_or(1, usize::from),
    };
    loop {
        let next = server.next_due();
        let due = async {
            match next {
                Some(next) => tokio::time::sleep_until(next).await,
                None => std::future::pending().await,
            }
        };
        let event = tokio::select! {
            // Messages are handled before any check starts.
            biased;
            event = told.recv() => event.unwrap_or(Event::ClientLeft),
            () = due => { server.start_due(); continue }
        };
        if let Some(end) = server.event(event) {
            return end;
        }
    }
}

enum Event {
    Message(Message),
    Checked(SkillHome, Box<Result<Checked, String>>),
    Answered(RequestId, Result<Value, ResponseError>),
    /// On disk, as the bench noticed.
    Changed(Vec<Utf8PathBuf>),
    Complaint(String),
    ClientLeft,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    New,
    Working,
    /// Only `exit` is to come.
    Ending,
}

/// What the client knows.
#[derive(Debug, Clone, Copy, Default)]
struct Client {
    encoding: Encoding,
    /// Edits that name the version they are for.
    versioned: bool,
    markdown: bool,
    /// It watches files for us.
    watches: bool,
}

struct Server {
    say: Box<dyn Fn(Message) + Send>,
    options: Options,
    events: mpsc::UnboundedSender<Event>,
    phase: Phase,
    client: Client,
    workspace: Vec<Utf8PathBuf>,
    held: Held,
    /// Of those documents that belong to a skill.
    homes: BTreeMap<Utf8PathBuf, SkillHome>,
    pages: Arc<Pages>,
    /// By their folders.
    benches: HashMap<Vec<Utf8PathBuf>, Arc<OnceCell<Workbench>>>,
    skills: BTreeMap<SkillHome, Open>,
    /// Requests that wait for a look at their skill.
    waiting: Vec<(SkillHome, RequestId, Question)>,
    answering: HashMap<RequestId, AbortHandle>,
    requests: i32,
    /// Messages that were shown about the project's settings.
    complaints: BTreeSet<String>,
    /// How many skills are being checked at the same time.
    looks: usize,
}

/// A skill of which a document is open.
#[derive(Default)]
struct Open {
    /// When to look at it.
    due: Option<Instant>,
    running: bool,
    checked: Option<Arc<Checked>>,
    /// The published diagnostics, by file.
    published: BTreeMap<Utf8PathBuf, Vec<Diagnostic>>,
}

/// A request about findings.
enum Question {
    Actions { path: Utf8PathBuf, wish: Wish },
    Hover { path: Utf8PathBuf, position: lsp_types::Position },
}

impl Server {
    /// The end, if it is one.
    fn event(&mut self, event: Event) -> Option<End> {
        match event {
            Event::Message(Message::Request(request)) => self.request(request),
            Event::Message(Message::Notification(notification)) => {
                if notification.method == notification::Exit::METHOD {
                    return Some(if self.phase == Phase::Ending { End::Agreed } else { End::Abrupt });
                }
                self.notification(notification);
            }
            // The only thing asked of clients is to watch files; a client that does not may refuse.
            Event::Message(Message::Response(response)) => {
                if let Err(error) = response.response_result {
                    self.log(
                        MessageType::WARNING,
                        words!("the editor does not watch files: {}", "编辑器没有监视文件：{}", error.message),
                    );
                }
            }
            Event::Checked(place, result) => self.checked(place, *result),
            Event::Answered(id, result) => {
                if self.answering.remove(&id).is_some() {
                    self.answer(id, result);
                }
            }
            Event::Changed(paths) => {
                if paths.is_empty() || paths.iter().any(|path| self.concerns(path)) {
                    self.look_again();
                }
            }
            Event::Complaint(complaint) => {
                if self.complaints.insert(complaint.clone()) {
                    self.log(MessageType::WARNING, complaint);
                }
            }
            Event::ClientLeft => return Some(End::Abrupt),
        }
        None
    }

    fn request(&mut self, request: Request) {
        let id = request.id.clone();
        let done = match (self.phase, request.method.as_str()) {
            (Phase::New, request::Initialize::METHOD) => self.initialize(request).map(Some),
            (Phase::New, _) => {
                Err(error(ErrorCode::ServerNotInitialized, words!("say initialize first", "请先发送 initialize")))
            }
            (Phase::Ending, _) => {
                Err(error(ErrorCode::InvalidRequest, words!("the server is shutting down", "服务器正在关闭")))
            }
            (Phase::Working, request::Initialize::METHOD) => {
                Err(error(ErrorCode::InvalidRequest, words!("the server is initialized already", "服务器已经初始化")))
            }
            (Phase::Working, request::Shutdown::METHOD) => {
                self.phase = Phase::Ending;
                Ok(Some(Value::Null))
            }
            (Phase::Working, request::CodeActionRequest::METHOD) => self.code_action(request),
            (Phase::Working, request::HoverRequest::METHOD) => self.hover(request),
            (Phase::Working, request::DocumentSymbolRequest::METHOD) => self.document_symbol(request).map(Some),
            (Phase::Working, request::Completion::METHOD) => self.completion(request).map(Some),
            (Phase::Working, request::GotoDefinition::METHOD) => self.definition(request).map(Some),
            (Phase::Working, request::DocumentLinkRequest::METHOD) => self.document_link(request).map(Some),
            (Phase::Working, other) => {
                Err(error(ErrorCode::MethodNotFound, words!("there is no method {other}", "没有方法 {other}")))
            }
        };
        match done {
            Ok(Some(value)) => self.answer(id, Ok(value)),
            // It comes later.
            Ok(None) => {}
            Err(error) => self.answer(id, Err(error)),
        }
    }

    fn notification(&mut self, notification: Notification) {
        if self.phase != Phase::Working {
            return;
        }
        let method = notification.method.clone();
        let done = match method.as_str() {
            notification::Initialized::METHOD => {
                self.watch_files();
                Ok(())
            }
            notification::DidOpenTextDocument::METHOD => told(notification).map(|params| self.open(params)),
            notification::DidChangeTextDocument::METHOD => told(notification).map(|params| self.change(params)),
            notification::DidSaveTextDocument::METHOD => told(notification).map(|params| self.save(params)),
            notification::DidCloseTextDocument::METHOD => told(notification).map(|params| self.close(params)),
            notification::DidChangeWatchedFiles::METHOD => told(notification).map(|params| self.files_changed(params)),
            notification::DidChangeWorkspaceFolders::METHOD => {
                told(notification).map(|params| self.folders_changed(params))
            }
            notification::Cancel::METHOD => told(notification).map(|params| self.cancel(params)),
            _ => Ok(()),
        };
        if let Err(error) = done {
            self.log(MessageType::ERROR, format!("{method}: {}", error.message));
        }
    }

    fn initialize(&mut self, request: Request) -> Result<Value, ResponseError> {
        let params: InitializeParams = asked(request)?;
        // `--lang` and the environment come from whoever started the editor; this is the editor's own language.
        if let Some(language) = params.locale.as_deref().and_then(Language::of_locale) {
            choose(language);
        }
        self.client = Client::of(&params.capabilities);
        self.workspace = folders(&params);
        self.phase = Phase::Working;
        let text_document_sync = TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::INCREMENTAL),
            save: Some(TextDocumentSyncSaveOptions::SaveOptions(SaveOptions { include_text: Some(false) })),
            ..TextDocumentSyncOptions::default()
        };
        let actions = CodeActionOptions {
            code_action_kinds: Some(vec![lsp_types::CodeActionKind::QUICKFIX, FIX_ALL, FIX_ALL_OURS]),
            ..CodeActionOptions::default()
        };
        let folders =
            WorkspaceFoldersServerCapabilities { supported: Some(true), change_notifications: Some(OneOf::Left(true)) };
        answer(InitializeResult {
            capabilities: ServerCapabilities {
                position_encoding: Some(self.client.encoding.kind()),
                text_document_sync: Some(TextDocumentSyncCapability::Options(text_document_sync)),
                hover_provider: Some(HoverProviderCapability::Simple(true)),
                code_action_provider: Some(CodeActionProviderCapability::Options(actions)),
                document_symbol_provider: Some(OneOf::Left(true)),
                completion_provider: Some(complete::offered()),
                definition_provider: Some(OneOf::Left(true)),
                document_link_provider: Some(DocumentLinkOptions {
                    resolve_provider: Some(false),
                    work_done_progress_options: WorkDoneProgressOptions::default(),
                }),
                workspace: Some(WorkspaceServerCapabilities {
                    workspace_folders: Some(folders),
                    file_operations: None,
                }),
                ..ServerCapabilities::default()
            },
            server_info: Some(ServerInfo { name: "skillbench".to_owned(), version: Some(VERSION.to_owned()) }),
        })
    }

    fn watch_files(&mut self) {
        if !self.client.watches {
            return;
        }
        // Rules look at all files of a skill, and skills may come to be anywhere.
        let all = FileSystemWatcher { glob_pattern: GlobPattern::String("**/*".to_owned()), kind: None };
        let options = DidChangeWatchedFilesRegistrationOptions { watchers: vec![all] };
        let registration = Registration {
            id: "files".to_owned(),
            method: notification::DidChangeWatchedFiles::METHOD.to_owned(),
            register_options: serde_json::to_value(options).ok(),
        };
        self.requests += 1;
        let params = RegistrationParams { registrations: vec![registration] };
        let request = Request::new(self.requests.into(), request::RegisterCapability::METHOD.to_owned(), params);
        (self.say)(request.into());
    }

    fn open(&mut self, params: DidOpenTextDocumentParams) {
        let opened = params.text_document;
        let Some(path) = path_of(&opened.uri) else {
            return self.publish(opened.uri, Some(opened.version), Vec::new());
        };
        let document = Document { uri: opened.uri, version: opened.version, text: opened.text };
        if let Some(other) = self.held.open(absolute(&path), document) {
            self.publish(other, None, Vec::new());
        }
        let path = absolute(&path);
        // A new SKILL.md may be the home of documents that had none.
        let around = path.parent().filter(|_| is_manifest(&path)).unwrap_or(&path).to_owned();
        self.find_homes_below(&around);
        match self.homes.get(&path).cloned() {
            Some(home) => self.look_at(home, Duration::ZERO),
            None => self.publish_none(&path),
        }
    }

    fn change(&mut self, params: DidChangeTextDocumentParams) {
        let uri = &params.text_document.uri;
        let Some(path) = path_of(uri).map(|path| absolute(&path)) else { return };
        let Some((document, other)) = self.held.edit(&path, uri) else { return };
        document.apply(params.content_changes, params.text_document.version, self.client.encoding);
        if let Some(other) = other {
            self.publish(other, None, Vec::new());
        }
        if let Some(home) = self.homes.get(&path).cloned() {
            self.look_at(home, self.options.debounce);
        }
    }

    fn save(&mut self, params: DidSaveTextDocumentParams) {
        if path_of(&params.text_document.uri).is_some() {
            self.look_again();
        }
    }

    fn close(&mut self, params: DidCloseTextDocumentParams) {
        let uri = &params.text_document.uri;
        let Some(path) = path_of(uri).map(|path| absolute(&path)) else { return };
        if !self.held.close(&path, uri) {
            return;
        }
        let home = self.homes.remove(&path);
        self.find_homes();
        if let Some(home) = home
            && self.skills.contains_key(&home)
        {
            self.look_at(home, self.options.debounce);
        }
    }

    fn files_changed(&mut self, params: DidChangeWatchedFilesParams) {
        let concern = params.changes.iter().any(|change| {
            // A deleted folder is reported without its contents.
            change.typ == FileChangeType::DELETED
                || path_of(&change.uri).is_some_and(|path| self.concerns(&absolute(&path)))
        });
        if concern {
            self.look_again();
        }
    }

    fn folders_changed(&mut self, params: DidChangeWorkspaceFoldersParams) {
        let paths = |folders: &[lsp_types::WorkspaceFolder]| -> Vec<Utf8PathBuf> {
            folders.iter().filter_map(|folder| Some(absolute(&path_of(&folder.uri)?))).collect()
        };
        let (gone, come) = (paths(&params.event.removed), paths(&params.event.added));
        self.workspace.retain(|folder| !gone.contains(folder));
        self.workspace.extend(come.into_iter().filter(|folder| !self.workspace.contains(folder)).collect::<Vec<_>>());
        self.find_homes();
    }

    fn cancel(&mut self, params: CancelParams) {
        let id = match params.id {
            NumberOrString::Number(id) => id.into(),
            NumberOrString::String(id) => id.into(),
        };
        let waits = self.waiting.iter().position(|(_, waiting, _)| *waiting == id);
        waits.map(|place| self.waiting.remove(place));
        let answering = self.answering.remove(&id);
        if let Some(task) = &answering {
            task.abort();
        }
        if waits.is_some() || answering.is_some() {
            self.answer(id, Err(error(ErrorCode::RequestCanceled, "canceled")));
        }
    }

    /// `None`: the answer comes when the skill has been checked.
    fn code_action(&mut self, request: Request) -> Result<Option<Value>, ResponseError> {
        let id = request.id.clone();
        let params: CodeActionParams = asked(request)?;
        let wish = Wish { range: params.range, only: params.context.only, versioned: self.client.versioned };
        let ask = |path| Question::Actions { path, wish };
        self.ask(id, &params.text_document.uri, ask, Value::Array(Vec::new()))
    }

    fn hover(&mut self, request: Request) -> Result<Option<Value>, ResponseError> {
        let id = request.id.clone();
        let params: HoverParams = asked(request)?;
        let place = params.text_document_position_params;
        self.ask(id, &place.text_document.uri, |path| Question::Hover { path, position: place.position }, Value::Null)
    }

    fn document_symbol(&mut self, request: Request) -> Result<Value, ResponseError> {
        let params: DocumentSymbolParams = asked(request)?;
        let document = path_of(&params.text_document.uri).map(|path| absolute(&path));
        let document = document.and_then(|path| Some((path.clone(), self.held.documents.get(&path)?)));
        let symbols = document.map(|(path, document)| outline(&path, &document.text, self.client.encoding));
        answer(symbols.map(DocumentSymbolResponse::Nested))
    }

    /// Uses the text and the files of its skill as they are now, and no rules.
    fn completion(&mut self, request: Request) -> Result<Value, ResponseError> {
        let params: CompletionParams = asked(request)?;
        let place = params.text_document_position;
        let path = path_of(&place.text_document.uri).map(|path| absolute(&path));
        let found = path.and_then(|path| {
            let document = self.held.documents.get(&path)?;
            let skill = self.homes.get(&path).map(|home| &*home.skill);
            complete::complete(&path, &document.text, place.position, skill, self.client.encoding)
        });
        answer(found)
    }

    fn definition(&mut self, request: Request) -> Result<Value, ResponseError> {
        let params: GotoDefinitionParams = asked(request)?;
        let place = params.text_document_position_params;
        let leads = self.leads(&place.text_document.uri);
        answer(leads.and_then(|leads| leads.definition(place.position)))
    }

    fn document_link(&mut self, request: Request) -> Result<Value, ResponseError> {
        let params: DocumentLinkParams = asked(request)?;
        let leads = self.leads(&params.text_document.uri);
        answer(leads.map(|leads| leads.links()).unwrap_or_default())
    }

    /// The paths in a document, by the texts and files as they are now.
    fn leads(&self, uri: &Uri) -> Option<Leads> {
        let path = absolute(&path_of(uri)?);
        Leads::of(&path, &self.held.documents, &self.homes.get(&path)?.skill, self.client.encoding)
    }

    /// Asks for the findings in the newest text of a document, now or later. `nothing` is the answer if it has no
    /// skill.
    fn ask(
        &mut self,
        id: RequestId,
        uri: &Uri,
        question: impl FnOnce(Utf8PathBuf) -> Question,
        nothing: Value,
    ) -> Result<Option<Value>, ResponseError> {
        let path = path_of(uri).map(|path| absolute(&path));
        let Some((path, home)) = path.and_then(|path| Some((path.clone(), self.homes.get(&path)?.clone()))) else {
            return Ok(Some(nothing));
        };
        self.waiting.push((home.clone(), id, question(path)));
        let open = self.skills.entry(home.clone()).or_default();
        match (&open.checked, open.due, open.running) {
            (Some(_), None, false) => self.answer_waiting(&home),
            (None, None, false) | (_, Some(_), _) => self.look_at(home, Duration::ZERO),
            (_, None, true) => {}
        }
        Ok(None)
    }

    fn answer_waiting(&mut self, home: &SkillHome) {
        let Some(checked) = self.skills.get(home).and_then(|open| open.checked.clone()) else { return };
        let (ready, waiting) = std::mem::take(&mut self.waiting).into_iter().partition(|(place, ..)| place == home);
        self.waiting = waiting;
        for (_, id, question) in ready {
            match question {
                Question::Hover { path, position } => {
                    let leads = Leads::of(&path, &self.held.documents, &home.skill, self.client.encoding);
                    let told = leads.and_then(|leads| leads.told(position));
                    let hover = hover(&checked, &path, position, told, self.client.markdown);
                    self.answer(id, answer(hover));
                }
                Question::Actions { path, wish } => {
                    let (checked, events, asked) = (checked.clone(), self.events.clone(), id.clone());
                    let work = tokio::spawn(async move {
                        // Rules that panic while fixes are tried answer with an error, in a separate task.
                        let found = tokio::spawn(async move { actions::actions(&checked, &path, &wish).await }).await;
                        let found = found.map_err(|error| internal(&error.to_string())).and_then(answer);
                        // There is no receiver if the server ended.
                        let _ = events.send(Event::Answered(asked, found));
                    });
                    self.answering.insert(id, work.abort_handle());
                }
            }
        }
    }

    /// Checks a skill after `wait`, or at once if that was requested before.
    fn look_at(&mut self, home: SkillHome, wait: Duration) {
        let waited_for = self.waiting.iter().any(|(place, ..)| *place == home);
        let at = Instant::now() + if waited_for { Duration::ZERO } else { wait };
        self.skills.entry(home).or_default().due = Some(at);
    }

    /// The disk changed.
    fn look_again(&mut self) {
        self.benches.values().filter_map(|bench| bench.get()).for_each(Workbench::forget_loaded);
        self.find_homes();
        for home in self.skills.keys().cloned().collect::<Vec<_>>() {
            self.look_at(home, self.options.debounce);
        }
    }

    /// Whether something that rules look at may have changed with this path.
    fn concerns(&self, path: &Utf8Path) -> bool {
        let in_skill = |home: &SkillHome| path.starts_with(&home.skill) || home.skill.starts_with(path);
        is_manifest(path) || is_settings(path) || self.skills.keys().any(in_skill)
    }

    /// Finds out again which skills the documents belong to.
    fn find_homes(&mut self) {
        let every: Vec<Utf8PathBuf> = self.held.documents.keys().cloned().collect();
        self.find_homes_of(&every);
    }

    /// The same of the documents below a folder, or of the one at this path.
    fn find_homes_below(&mut self, around: &Utf8Path) {
        let some: Vec<Utf8PathBuf> = below(&self.held.documents, around).map(|(path, _)| path.clone()).collect();
        self.find_homes_of(&some);
    }

    /// Forgets the skills that no longer have a document.
    fn find_homes_of(&mut self, documents: &[Utf8PathBuf]) {
        let skills = open_skills(&self.held.documents);
        let mut moved = Vec::new();
        for path in documents {
            let home = place(path, &self.workspace, &skills);
            let before = match home.clone() {
                Some(home) => self.homes.insert(path.clone(), home),
                None => self.homes.remove(path),
            };
            moved.extend(home.filter(|home| before.as_ref() != Some(home)));
        }
        let inhabited: BTreeSet<&SkillHome> = self.homes.values().collect();
        let left: Vec<SkillHome> = self.skills.keys().filter(|place| !inhabited.contains(place)).cloned().collect();
        for place in left {
            let published = self.skills.remove(&place).map(|open| open.published).unwrap_or_default();
            // Another skill reports the documents that now have a home.
            for path in published.keys().filter(|path| !self.homes.contains_key(*path)) {
                self.publish_none(path);
            }
            for (_, id, question) in self.waiting.extract_if(.., |(home, ..)| *home == place).collect::<Vec<_>>() {
                let nothing = match question {
                    Question::Actions { .. } => Value::Array(Vec::new()),
                    Question::Hover { .. } => Value::Null,
                };
                self.answer(id, Ok(nothing));
            }
        }
        for home in moved {
            self.look_at(home, self.options.debounce);
        }
        let open: BTreeSet<&Vec<Utf8PathBuf>> = self.homes.values().map(|home| &home.folders).collect();
        self.benches.retain(|folders, _| open.contains(folders));
    }

    /// When the next check is due; `None` while as many as allowed are running.
    fn next_due(&self) -> Option<Instant> {
        let free = self.skills.values().filter(|skill| skill.running).count() < self.looks;
        let due = self.skills.values().filter(|skill| !skill.running).filter_map(|skill| skill.due);
        due.min().filter(|_| free)
    }

    fn start_due(&mut self) {
        let now = Instant::now();
        let running = self.skills.values().filter(|skill| skill.running).count();
        let ready = self.skills.iter().filter(|(_, skill)| !skill.running);
        let mut ready: Vec<(Instant, SkillHome)> =
            ready.filter_map(|(home, skill)| Some((skill.due.filter(|due| *due <= now)?, home.clone()))).collect();
        // Those that someone waits for come first.
        ready.sort_by_key(|(due, home)| (!self.waiting.iter().any(|(place, ..)| place == home), *due));
        for (_, home) in ready.into_iter().take(self.looks.saturating_sub(running)) {
            if let Some(open) = self.skills.get_mut(&home) {
                open.due = None;
                open.running = true;
            }
            self.start(home);
        }
    }

    fn start(&mut self, home: SkillHome) {
        let bench = self.benches.entry(home.folders.clone()).or_default().clone();
        let freshness = if self.client.watches { Freshness::ReadOnce } else { Freshness::Watched };
        let (places, folders, events) = (self.options.places.clone(), home.folders.clone(), self.events.clone());
        // Findings in its neighbours are for the files on disk: their texts would be copied for nothing.
        let mine = below(&self.held.documents, &home.skill);
        let documents: Documents = mine.map(|(path, document)| (path.clone(), document.clone())).collect();
        let (place, versions, encoding) = (home.clone(), self.versions(&home), self.client.encoding);
        let (told, pages) = (self.events.clone(), self.pages.clone());
        let look = tokio::spawn(async move {
            let bench = bench.get_or_init(|| open(places, folders, freshness, events.clone())).await.clone();
            for complaint in bench.lint_complaints().await {
                // There is no receiver if the server ended.
                let _ = events.send(Event::Complaint(complaint.chosen()));
            }
            Checked::look(bench, pages, place, versions, documents, encoding).await
        });
        tokio::spawn(async move {
            let result = match look.await {
                Ok(Ok(checked)) => Ok(checked),
                Ok(Err(error)) => Err(error.worded().chosen()),
                Err(error) => {
                    Err(words!("rules could not look at {}: {error}", "规则无法检查 {}：{error}", home.skill))
                }
            };
            // There is no receiver if the server ended.
            let _ = told.send(Event::Checked(home, Box::new(result)));
        });
    }

    fn checked(&mut self, home: SkillHome, result: Result<Checked, String>) {
        let versions = self.versions(&home);
        let Some(open) = self.skills.get_mut(&home) else { return };
        open.running = false;
        match result {
            Ok(checked) if checked.versions == versions => {
                open.checked = Some(Arc::new(checked));
                let is_newest = open.due.is_none();
                self.publish_all(&home);
                if is_newest {
                    self.answer_waiting(&home);
                }
            }
            // The texts have changed since; the newest is checked next.
            Ok(_) => {
                open.due.get_or_insert_with(Instant::now);
            }
            Err(message) => {
                // Earlier findings are for another text.
                open.checked = None;
                let failed: Vec<_> = self.waiting.extract_if(.., |(place, ..)| *place == home).collect();
                for (_, id, _) in failed {
                    self.answer(id, Err(internal(&message)));
                }
                self.log(MessageType::ERROR, message);
            }
        }
    }

    /// Of a skill's open documents.
    fn versions(&self, home: &SkillHome) -> Versions {
        let mine = below(&self.held.documents, &home.skill);
        let mine = mine.filter(|(path, _)| self.homes.get(*path) == Some(home));
        mine.map(|(path, document)| (path.clone(), (document.uri.clone(), document.version))).collect()
    }

    /// Every open document of the skill; other files if their findings have changed.
    fn publish_all(&mut self, home: &SkillHome) {
        let Some(open) = self.skills.get_mut(home) else { return };
        let Some(checked) = open.checked.clone() else { return };
        let mut found: BTreeMap<Utf8PathBuf, Vec<Diagnostic>> = BTreeMap::new();
        for placed in &checked.findings {
            found.entry(placed.path.clone()).or_default().push(placed.diagnostic.clone());
        }
        let is_open = |path: &Utf8PathBuf| self.held.documents.contains_key(path);
        for path in self.homes.iter().filter(|(_, place)| *place == home).map(|(path, _)| path) {
            found.entry(path.clone()).or_default();
        }
        let before = std::mem::replace(&mut open.published, found.clone());
        for path in before.keys().filter(|path| !found.contains_key(*path)) {
            self.publish_none(path);
        }
        for (path, diagnostics) in found {
            if !is_open(&path) && before.get(&path) == Some(&diagnostics) {
                continue;
            }
            if let Some(text) = checked.text(&path) {
                self.publish(text.uri.clone(), text.version, diagnostics);
            }
        }
    }

    fn publish_none(&self, path: &Utf8Path) {
        let document = self.held.documents.get(path);
        let uri = document.map(|document| document.uri.clone()).or_else(|| uri_of(path));
        if let Some(uri) = uri {
            self.publish(uri, document.map(|document| document.version), Vec::new());
        }
    }

    fn publish(&self, uri: Uri, version: Option<i32>, diagnostics: Vec<Diagnostic>) {
        let params = PublishDiagnosticsParams { uri, diagnostics, version };
        self.tell::<notification::PublishDiagnostics>(params);
    }

    fn log(&self, typ: MessageType, message: String) {
        crate::print::note(&words!("skillbench lsp: {message}", "skillbench lsp：{message}"));
        self.tell::<notification::LogMessage>(LogMessageParams { typ, message });
    }

    fn tell<N: notification::Notification>(&self, params: N::Params) {
        (self.say)(Notification::new(N::METHOD.to_owned(), params).into());
    }

    fn answer(&self, id: RequestId, result: Result<Value, ResponseError>) {
        (self.say)(Response { id, response_result: result }.into());
    }
}

impl Client {
    fn of(capabilities: &ClientCapabilities) -> Self {
        let workspace = capabilities.workspace.as_ref();
        let hover = capabilities.text_document.as_ref().and_then(|text| text.hover.as_ref());
        let formats = hover.and_then(|hover| hover.content_format.as_deref()).unwrap_or_default();
        let encodings = capabilities.general.as_ref().and_then(|general| general.position_encodings.as_deref());
        let edits = workspace.and_then(|workspace| workspace.workspace_edit.as_ref());
        let watching = workspace.and_then(|workspace| workspace.did_change_watched_files.as_ref());
        Self {
            encoding: Encoding::negotiate(encodings.unwrap_or_default()),
            versioned: edits.and_then(|edits| edits.document_changes) == Some(true),
            markdown: formats.is_empty() || formats.contains(&MarkupKind::Markdown),
            watches: watching.and_then(|watching| watching.dynamic_registration) == Some(true),
        }
    }
}

#[expect(deprecated, reason = "clients without workspace folders name one root, as they always did")]
fn folders(params: &InitializeParams) -> Vec<Utf8PathBuf> {
    let folders = params.workspace_folders.iter().flatten().map(|folder| &folder.uri);
    let mut folders: Vec<&Uri> = folders.collect();
    if folders.is_empty() {
        folders.extend(&params.root_uri);
    }
    folders.into_iter().filter_map(|uri| Some(absolute(&path_of(uri)?))).collect()
}

/// Opens a bench that reports changes.
async fn open(
    places: Places,
    folders: Vec<Utf8PathBuf>,
    freshness: Freshness,
    events: mpsc::UnboundedSender<Event>,
) -> Workbench {
    Workbench::open(places, folders, freshness, move |push| {
        if let Push::FilesChanged(changed) = push {
            // There is no receiver if the server ended.
            let _ = events.send(Event::Changed(changed.paths.into_iter().map(Utf8PathBuf::from).collect()));
        }
    })
    .await
}

/// Where the path at a place leads, and the cards of all rules that found something there.
fn hover(
    checked: &Checked,
    path: &Utf8Path,
    position: lsp_types::Position,
    lead: Option<(lsp_types::Range, String)>,
    markdown: bool,
) -> Option<Hover> {
    let here = |range: lsp_types::Range| range.start <= position && position <= range.end;
    let here: Vec<_> = checked.of_file(path).filter(|placed| here(placed.diagnostic.range)).collect();
    let range = here.first().map(|placed| placed.diagnostic.range);
    let range = range.or_else(|| lead.as_ref().map(|(range, _)| *range))?;
    let rules: BTreeSet<&str> = here.iter().map(|placed| &*placed.finding.rule).collect();
    let cards = rules.iter().filter_map(|id| lint::find(id)).map(|rule| docs::card(rule, language()).trim().to_owned());
    let cards: Vec<String> = lead.map(|(_, told)| told).into_iter().chain(cards).collect();
    let kind = if markdown { MarkupKind::Markdown } else { MarkupKind::PlainText };
    let contents = HoverContents::Markup(MarkupContent { kind, value: cards.join("\n\n---\n\n") });
    Some(Hover { contents, range: Some(range) })
}

fn asked<T: DeserializeOwned>(request: Request) -> Result<T, ResponseError> {
    serde_json::from_value(request.params)
        .map_err(|problem| error(ErrorCode::InvalidParams, format!("{}: {problem}", request.method)))
}

fn told<T: DeserializeOwned>(notification: Notification) -> Result<T, ResponseError> {
    serde_json::from_value(notification.params).map_err(|problem| error(ErrorCode::InvalidParams, problem.to_string()))
}

fn answer(value: impl Serialize) -> Result<Value, ResponseError> {
    serde_json::to_value(value).map_err(|error| internal(&error.to_string()))
}

fn internal(message: &str) -> ResponseError {
    error(ErrorCode::InternalError, message)
}

fn error(code: ErrorCode, message: impl Into<String>) -> ResponseError {
    ResponseError { code: code as i32, message: message.into(), data: None }
}
