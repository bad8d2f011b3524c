//! Performs effects: only here do a harness's requests become files, folders or processes. Also drives one call from
//! effect to effect until the harness replies.

use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use futures::StreamExt as _;
use futures::stream::FuturesUnordered;

use crate::bulk::{self, Long as _};
use crate::places;
use crate::tool::files::{self, Snapshot};
use crate::tool::reach::Reach;
use crate::tool::room::Room;
use crate::tool::script::{Program, SHELL, Script};
use crate::tool::search::{self, Query};
use crate::tool::{Found, ToolError, folders, history};
use config::RunLimits;
use harness::{
    Catalog, Effect, FailureKind, FileHistory, FileRevision, Finished, FoundLine, Harness, ListedEntry, NewFile,
    Performed, ScriptOutput, Served, Session,
};
use model::ToolCall;
use model::secret::{Guard, Scrubber};
use skill::paths::Paths;
use trace::{Enforcement, WrittenFile};
use wording::{Message, message};

/// How many effects a harness may ask for in one call, or before one request. Only those that copy the files of skills
/// need more than a few.
pub const EFFECT_LIMIT: u32 = 256;

/// A call while it is served. The harness is asked for effects until it replies or ends the run; a harness that never
/// stops is cut off.
#[derive(Clone)]
pub struct Serving {
    harness: &'static dyn Harness,
    call: ToolCall,
    effects: u32,
}

impl Serving {
    /// Nothing is asked of the harness yet.
    pub fn new(harness: &'static dyn Harness, call: ToolCall) -> Self {
        Self { harness, call, effects: 0 }
    }

    /// The call that is served.
    pub fn call(&self) -> &ToolCall {
        &self.call
    }

    /// The harness's handling of the call. `Err`: it asked for too many effects in one call.
    pub fn begin(&mut self, catalog: &Catalog, session: &mut Session) -> Result<Served, Message> {
        let served = self.harness.serve(&self.call, catalog, session);
        self.within_limit(served)
    }

    /// Gives it the result of its effect and returns its next step.
    pub fn go_on(&mut self, done: Performed, catalog: &Catalog, session: &mut Session) -> Result<Served, Message> {
        let served = self.harness.settle(&self.call, done, catalog, session);
        self.within_limit(served)
    }

    fn within_limit(&mut self, served: Served) -> Result<Served, Message> {
        self.effects += u32::from(matches!(served, Served::Perform(_)));
        if self.effects > EFFECT_LIMIT {
            let title = self.harness.profile().title;
            return Err(message!(
                "{title} asked for more than {EFFECT_LIMIT} things to be done for one call",
                "{title} 在一次调用中要求做的事超过 {EFFECT_LIMIT} 件"
            ));
        }
        Ok(served)
    }
}

/// The result, and the files that appeared or changed in the meantime.
#[derive(Debug, Clone, PartialEq)]
pub struct Done {
    pub performed: Performed,
    pub files: Vec<WrittenFile>,
    /// The sandbox that was used.
    pub enforcement: Option<Enforcement>,
    /// A limit cut the result off.
    pub cut: bool,
    /// Why it failed, for the user.
    pub why: Option<Message>,
}

/// Whether it looks at, runs or writes anything, for which there must be a working directory.
pub fn has_place(effect: &Effect) -> bool {
    !matches!(
        effect,
        Effect::Disclose { .. } | Effect::AskModel { .. } | Effect::Delegate(_) | Effect::Summarise { .. }
    )
}

/// Everything needed to perform an effect.
#[derive(Debug, Clone, Copy)]
pub struct Means<'a> {
    pub limits: &'a RunLimits,
    /// The room in which programs run.
    pub room: &'a Room,
    /// The real path of the folder that relative paths start from.
    pub working_directory: &'a Utf8Path,
    /// How paths are named in the effect and in its result.
    pub paths: &'a Paths,
    /// What may be read and written, as it was when that was decided.
    pub reach: &'a Reach,
    /// Removes known keys from the result.
    pub guard: &'a Guard,
}

/// The program that an effect would run, by name.
pub fn program(effect: &Effect) -> Option<&str> {
    match effect {
        Effect::RunScript { interpreter, .. } => Some(interpreter),
        Effect::Shell { .. } | Effect::Shells { .. } => Some(SHELL),
        _ => None,
    }
}

/// Performs an effect that may be performed. Dropping the future ends what it started. Effects that ask a model fail: a
/// run performs those itself.
pub async fn perform(effect: &Effect, means: Means<'_>) -> Done {
    let Means { working_directory, paths, .. } = means;
    if paths.are_real() {
        return perform_really(effect, means).await;
    }
    match places::real(effect, working_directory, paths) {
        Ok(real) => {
            let done = perform_really(&real, means).await;
            done.named(places::found(effect, &real, working_directory, paths), paths)
        }
        Err(path) => {
            let gone = std::io::Error::from_raw_os_error(NOT_THERE);
            failure(effect, &ToolError::Read { path, source: gone })
        }
    }
}

/// `ENOENT`.
const NOT_THERE: i32 = 2;

async fn perform_really(effect: &Effect, means: Means<'_>) -> Done {
    let Means { working_directory, reach, guard, .. } = means;
    let at = |path: &Utf8Path| working_directory.join(path);
    let outcome = match effect {
        Effect::Disclose { .. } | Effect::AskModel { .. } => Ok(Performed::Agreed.into()),
        Effect::ReadFile { path, .. } => {
            files::read(&at(path), reach).await.map(|bytes| Performed::Read { bytes }.into())
        }
        Effect::WriteFile { path, text } => match means.room.quota().check().await {
            Ok(()) => write(&at(path), text, means).await,
            Err(full) => Err(full),
        },
        Effect::WriteFiles { files } => write_all(files, means).await,
        Effect::FileHistory { path, revisions } => {
            let looked = history::look(&at(path), *revisions, reach).await;
            looked.map(|(history, cut)| Done { cut, ..Performed::History(history).into() })
        }
        Effect::RunScript { path, interpreter, arguments, working_directory: own, .. } => {
            let program =
                Program::File { interpreter: interpreter.clone(), path: path.clone(), arguments: arguments.clone() };
            run(program, own.as_deref().map(at), None, means).await
        }
        Effect::Shell { command, working_directory: own, timeout } => {
            let program = Program::Shell { command: command.clone() };
            run(program, own.as_deref().map(at), *timeout, means).await
        }
        Effect::Shells { commands, working_directory: own, timeout, until_failure } => {
            run_together(commands, own.as_deref().map(at), *timeout, *until_failure, means).await
        }
        Effect::ListFolder { path, depth } => folders::list(&at(path), *depth, reach).await.map(listed),
        Effect::FindFiles { path, pattern } => folders::find(&at(path), pattern, reach).await.map(listed),
        Effect::SearchFiles { path, pattern, files, ignore_case, multiline } => {
            match Query::new(pattern, files.as_deref(), *ignore_case, *multiline) {
                Ok(query) => search::search(&at(path), query, reach)
                    .await
                    .map(|Found { items, cut }| Done { cut, ..Performed::Found { lines: items }.into() }),
                Err(error) => Err(error),
            }
        }
        Effect::Delegate(_) => return no_model("a sub-agent needs a model"),
        Effect::Summarise { .. } => return no_model("a summary needs a model"),
    };
    let done = outcome.unwrap_or_else(|error| failure(effect, &error));
    if guard.scrubber().is_idle() {
        return done;
    }
    let guard = guard.clone();
    bulk::off_task(done.performed.size(), move || done.scrubbed(guard.scrubber())).await
}

impl Done {
    /// With paths as the run shows them. What a file holds, or a program printed, stays as it is.
    fn named(self, path: impl Fn(Utf8PathBuf) -> Utf8PathBuf, paths: &Paths) -> Self {
        let performed = match self.performed {
            Performed::Listed { entries } => {
                let entries = entries.into_iter().map(|entry| ListedEntry { path: path(entry.path), ..entry });
                Performed::Listed { entries: entries.collect() }
            }
            Performed::Found { lines } => {
                let lines = lines.into_iter().map(|line| FoundLine { path: path(line.path), ..line });
                Performed::Found { lines: lines.collect() }
            }
            Performed::Failed { kind, message } => Performed::Failed { kind, message: paths.in_text(&message) },
            other => other,
        };
        let file = |file: WrittenFile| match file.path.starts_with('/') {
            true => WrittenFile { path: paths.shown(Utf8Path::new(&file.path)).into_string(), ..file },
            false => file,
        };
        Self {
            performed,
            files: self.files.into_iter().map(file).collect(),
            enforcement: self.enforcement.map(|enforcement| places::confined(enforcement, paths)),
            cut: self.cut,
            why: self.why.map(|why| paths.in_words(why)),
        }
    }

    fn scrubbed(self, scrubber: &Scrubber) -> Self {
        let text = |text: String| scrubber.text(&text);
        let path = |path: Utf8PathBuf| Utf8PathBuf::from(scrubber.text(path.as_str()));
        let performed = match self.performed {
            Performed::Read { bytes } => Performed::Read { bytes: scrubber.bytes(bytes) },
            Performed::Ran(output) => {
                Performed::Ran(ScriptOutput { stdout: text(output.stdout), stderr: text(output.stderr), ..output })
            }
            Performed::RanTogether { outputs } => {
                let output = |output: ScriptOutput| ScriptOutput {
                    stdout: text(output.stdout),
                    stderr: text(output.stderr),
                    ..output
                };
                let outputs = outputs.into_iter().map(|ended| Finished { output: output(ended.output), ..ended });
                Performed::RanTogether { outputs: outputs.collect() }
            }
            Performed::History(FileHistory::Git { revisions, tracked, path }) => {
                let revisions = revisions.into_iter().map(|revision| FileRevision {
                    author: text(revision.author),
                    subject: text(revision.subject),
                    patch: text(revision.patch),
                    ..revision
                });
                Performed::History(FileHistory::Git { revisions: revisions.collect(), tracked, path: text(path) })
            }
            Performed::Listed { entries } => {
                let entries = entries.into_iter().map(|entry| ListedEntry { path: path(entry.path), ..entry });
                Performed::Listed { entries: entries.collect() }
            }
            Performed::Found { lines } => {
                let lines =
                    lines.into_iter().map(|line| FoundLine { path: path(line.path), text: text(line.text), ..line });
                Performed::Found { lines: lines.collect() }
            }
            Performed::Failed { kind, message } => Performed::Failed { kind, message: text(message) },
            done @ (Performed::Agreed
            | Performed::Wrote
            | Performed::History(_)
            | Performed::Delegated(_)
            | Performed::Summarised { .. }
            | Performed::Denied { .. }
            | Performed::Stubbed { .. }) => done,
        };
        let files = self.files.into_iter().map(|file| WrittenFile { path: text(file.path), ..file });
        let why = self.why.map(|Message { en, zh }| Message { en: scrubber.text(&en), zh: scrubber.text(&zh) });
        Self { performed, files: files.collect(), why, ..self }
    }
}

impl From<Performed> for Done {
    fn from(performed: Performed) -> Self {
        Self { performed, files: Vec::new(), enforcement: None, cut: false, why: None }
    }
}

async fn write(path: &Utf8Path, text: &str, means: Means<'_>) -> Result<Done, ToolError> {
    let Means { working_directory, reach, .. } = means;
    files::write(path, text.to_owned(), reach).await?;
    let shown = path.strip_prefix(working_directory).unwrap_or(path);
    let path = shown.components().map(|part| part.as_str()).collect::<Vec<_>>().join("/").replacen("//", "/", 1);
    Ok(Done { files: vec![WrittenFile { path, size: text.len() as u64 }], ..Performed::Wrote.into() })
}

/// Leaves out what cannot be written.
async fn write_all(files: &[NewFile], means: Means<'_>) -> Result<Done, ToolError> {
    let mut all = Done::from(Performed::Wrote);
    let mut failed = None;
    for NewFile { path, text } in files {
        let written = match means.room.quota().check().await {
            Ok(()) => write(&means.working_directory.join(path), text, means).await,
            Err(full) => Err(full),
        };
        match written {
            Ok(done) => all.files.extend(done.files),
            Err(error) => {
                all.why.get_or_insert_with(|| error.worded());
                failed.get_or_insert(error);
            }
        }
    }
    match failed {
        Some(error) if all.files.is_empty() => Err(error),
        Some(_) | None => Ok(all),
    }
}

/// As many at once as Python's pool of threads takes.
async fn run_together(
    commands: &[String],
    own: Option<Utf8PathBuf>,
    timeout: Option<u32>,
    until_failure: bool,
    means: Means<'_>,
) -> Result<Done, ToolError> {
    let before = Snapshot::take(means.working_directory).await;
    let start = |(command, line): (usize, &String)| {
        let program = Program::Shell { command: line.clone() };
        let script = script(program, own.clone(), timeout, means);
        async move { means.room.run(&script).await.map(|(output, enforcement)| (Finished { command, output }, enforcement)) }
    };
    let at_once = std::thread::available_parallelism().map_or(1, usize::from).saturating_add(4).min(32);
    let mut waiting = commands.iter().enumerate();
    let mut running: FuturesUnordered<_> = waiting.by_ref().take(at_once).map(start).collect();
    let (mut outputs, mut confined, mut failed) = (Vec::new(), None, false);
    while let Some(ended) = running.next().await {
        let (ended, enforcement) = ended?;
        failed |= ended.output.timed_out || ended.output.exit_code != Some(0);
        outputs.push(ended);
        confined = Some(enforcement);
        if !(failed && until_failure) {
            running.extend(waiting.next().map(start));
        }
    }
    let files = Snapshot::take(means.working_directory).await.written_since(&before);
    Ok(Done { files, enforcement: confined, ..Performed::RanTogether { outputs }.into() })
}

/// `own`: the folder that the framework asks for. `timeout`: the framework's own limit, in seconds.
async fn run(
    program: Program,
    own: Option<Utf8PathBuf>,
    timeout: Option<u32>,
    means: Means<'_>,
) -> Result<Done, ToolError> {
    let Means { room, working_directory, .. } = means;
    let script = script(program, own, timeout, means);
    let before = Snapshot::take(working_directory).await;
    let (output, enforcement) = room.run(&script).await?;
    let files = Snapshot::take(working_directory).await.written_since(&before);
    Ok(Done { files, enforcement: Some(enforcement), ..Performed::Ran(output).into() })
}

fn script(program: Program, own: Option<Utf8PathBuf>, timeout: Option<u32>, means: Means<'_>) -> Script {
    let Means { limits, working_directory, guard, .. } = means;
    let seconds = timeout.map_or(limits.script_seconds, |own| own.min(limits.script_seconds));
    Script {
        program,
        working_directory: own.unwrap_or_else(|| working_directory.to_owned()),
        time: Duration::from_secs(seconds.into()),
        output_bytes: usize::try_from(limits.output_bytes.min(RunLimits::OUTPUT_BYTES)).unwrap_or(usize::MAX),
        withheld: guard.names().to_vec(),
    }
}

fn listed(Found { items, cut }: Found<harness::ListedEntry>) -> Done {
    Done { cut, ..Performed::Listed { entries: items }.into() }
}

fn no_model(reason: &str) -> Done {
    Performed::failed(FailureKind::Other, reason).into()
}

fn failure(effect: &Effect, error: &ToolError) -> Done {
    match effect {
        Effect::RunScript { script, .. } => {
            let why = error.worded();
            let why = message!("{script} did not run: {why}", "{script} 没有运行：{why}"; why);
            let failed = Performed::failed(error.kind(), format!("{script} did not run: {error}"));
            Done { why: Some(why), ..failed.into() }
        }
        _ => Done { why: Some(error.worded()), ..Performed::failed(error.kind(), error.to_string()).into() },
    }
}
