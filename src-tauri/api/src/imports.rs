//! Runs from files: our own exports, and what other programs recorded. A file is read while it is imported, so that one of
//! any size says how far it is, and can be stopped. Then nothing of it stays.

use std::collections::HashSet;
use std::fs::{File, Metadata};
use std::io::{Cursor, Read, Seek, SeekFrom};

use camino::Utf8Path;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::dto::{Counted, ImportFileArgs, ImportProgress, ImportStopArgs, Imported, Push, UnreadLine};
use super::error::{ApiError, Code, Tried};
use super::{Workbench, absolute, blocking, lock};
use trace::clock::Millis;
use trace::export::{self, Spooled, is_own};
use trace::foreign::{self, Found, Report};
use trace::review::Review;
use trace::spool::Spool;
use trace::store::{Arrived, Keep};
use trace::{Foreign, RunId};
use wording::message;

/// So much of a file tells whether it is one.
const HEAD: u64 = 4096;

impl Workbench {
    /// Imports all runs in a file. How far it is read is pushed.
    pub async fn run_import_file(&self, args: ImportFileArgs) -> Result<Imported, ApiError> {
        let path = absolute(Utf8Path::new(&args.path));
        let opening = path.clone();
        let (mut file, facts) = blocking(move || disk::open(&opening)).await.map_err(|error| {
            let hint = message!(
                "name a regular file, or `-` to read standard input",
                "请指定一个普通文件，或用 `-` 读取标准输入"
            );
            let is_odd = error.kind() == std::io::ErrorKind::InvalidInput;
            let error = ApiError::io(Utf8Path::new(&args.path), Tried::Read, error);
            if is_odd { error.hint(hint) } else { error }
        })?;
        let mut head = Vec::new();
        let read = |file: &mut File, head: &mut Vec<u8>| {
            file.take(HEAD).read_to_end(head)?;
            file.seek(SeekFrom::Start(0))
        };
        read(&mut file, &mut head).map_err(|error| ApiError::io(&path, Tried::Read, error))?;
        let stop = CancellationToken::new();
        lock(&self.inner.imports).insert(args.import.clone(), stop.clone());
        let import = Importing { name: args.import.clone(), size: facts.len(), stop };
        let imported = if args.from.is_none() && is_own(&String::from_utf8_lossy(&head)) {
            self.import_own(file, import).await
        } else {
            self.import_foreign(file, args.from, self.written_at(&facts), import).await
        };
        lock(&self.inner.imports).remove(&args.import);
        imported
    }

    /// When a file was written, or now.
    fn written_at(&self, facts: &Metadata) -> Millis {
        let at = facts.modified().ok().and_then(|at| at.duration_since(std::time::UNIX_EPOCH).ok());
        at.and_then(|at| Millis::try_from(at.as_millis()).ok()).unwrap_or_else(|| self.inner.clock.now())
    }

    /// Ends an import, and deletes the runs that it has added. Does nothing to one that is over.
    pub async fn run_import_stop(&self, args: ImportStopArgs) -> Result<(), ApiError> {
        if let Some(stop) = lock(&self.inner.imports).get(&args.import) {
            stop.cancel();
        }
        Ok(())
    }

    /// As [`Workbench::run_import_file`], of a text.
    pub async fn import_text(&self, text: String, from: Option<Foreign>) -> Result<Imported, ApiError> {
        let import = Importing { name: String::new(), size: text.len() as u64, stop: CancellationToken::new() };
        if from.is_none() && (is_own(&text) || text.trim().is_empty()) {
            return self.import_own(Cursor::new(text), import).await;
        }
        self.import_foreign(Cursor::new(text), from, self.inner.clock.now(), import).await
    }

    async fn import_own(&self, input: impl Read + Send + 'static, import: Importing) -> Result<Imported, ApiError> {
        let (push, Importing { name, size, stop }) = (self.inner.push.clone(), import.clone());
        let mut went = move |bytes: u64| {
            let read = size.min(bytes);
            push(Push::ImportProgress(ImportProgress { import: name.clone(), read, size, stored: None }));
            !stop.is_cancelled()
        };
        let read = blocking(move || export::spool_jsonl(input, &mut went)).await?;
        let Some(Spooled { run, events, review, unreadable }) = read else {
            return Ok(Imported { stopped: true, ..Imported::default() });
        };
        let unreadable = u32::try_from(unreadable).unwrap_or(u32::MAX);
        let Some(arrived) = self.take_in(run, events, review, &import).await? else {
            return Ok(Imported { stopped: true, ..Imported::default() });
        };
        Ok(Imported { runs: vec![arrived.run], unreadable, ..Imported::default() })
    }

    async fn import_foreign(
        &self,
        input: impl Read + Seek + Send + 'static,
        from: Option<Foreign>,
        at: Millis,
        import: Importing,
    ) -> Result<Imported, ApiError> {
        let guard = self.guard().await;
        // One run is written while the next one is read.
        let (found, mut runs) = mpsc::channel::<(RunId, Spool)>(1);
        let (push, Importing { name, size, stop }) = (self.inner.push.clone(), import.clone());
        let reading = tokio::task::spawn_blocking(move || {
            let mut read = 0;
            foreign::read(input, from, at, guard.scrubber(), &mut |each| match each {
                Found::Run(run, events) => found.blocking_send((run, events)).is_ok() && !stop.is_cancelled(),
                Found::Read(bytes) => {
                    read = size.min(read + bytes);
                    push(Push::ImportProgress(ImportProgress { import: name.clone(), read, size, stored: None }));
                    !stop.is_cancelled()
                }
            })
        });
        let mut imported = Imported::default();
        let (mut known, mut new) = (HashSet::new(), Vec::new());
        while let Some((run, events)) = runs.recv().await {
            let Some(Arrived { run, is_new }) = self.take_in(run, events, Review::default(), &import).await? else {
                break;
            };
            new.extend(is_new.then_some(run));
            if known.insert(run) {
                imported.runs.push(run);
            }
        }
        // The reader learns with the next run that the receiver is gone.
        drop(runs);
        let read = match reading.await {
            Ok(read) => read,
            Err(error) => match error.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                Err(_) => std::future::pending().await,
            },
        };
        let (format, report) = read?;
        let Report { runs: _, unread, unread_count, unknown, keys, stopped } = report;
        let stopped = stopped || import.stop.is_cancelled();
        if stopped {
            imported.runs.clear();
            self.take_back(new).await?;
        }
        Ok(Imported {
            format: Some(format),
            unread: unread.into_iter().map(|unread| UnreadLine { line: unread.line, reason: unread.reason }).collect(),
            unread_count,
            unknown: unknown.into_iter().map(|(kind, count)| Counted { kind, count }).collect(),
            keys,
            stopped,
            ..imported
        })
    }

    /// Stores a run from elsewhere, and marks it as one. `None`: it was stopped, and nothing of it is here.
    async fn take_in(
        &self,
        run: RunId,
        events: Spool,
        review: Review,
        import: &Importing,
    ) -> Result<Option<Arrived>, ApiError> {
        if import.stop.is_cancelled() {
            return Ok(None);
        }
        let store = self.store().await?;
        let is_marked = store.run(run).await?.is_none();
        if is_marked {
            // Before the run is there: one without its mark would go on with the model that it names.
            self.mark_taken_in(run).await?;
        }
        let (push, Importing { name, size, stop }) = (self.inner.push.clone(), import.clone());
        let went = move |at: usize, all: usize| {
            let stored = u32::try_from(at * 100 / all.max(1)).unwrap_or(100).min(100);
            push(Push::ImportProgress(ImportProgress { import: name.clone(), read: size, size, stored: Some(stored) }));
            !stop.is_cancelled()
        };
        let Some(taken) = store.import_stoppable(run, events, review, went).await? else {
            if is_marked {
                self.forget_taken_in(run).await?;
            }
            return Ok(None);
        };
        if taken.run != run
            && let Err(error) = self.mark_taken_in(taken.run).await
        {
            store.delete(taken.run).await?;
            return Err(error);
        }
        Ok(Some(taken))
    }

    /// Deletes the runs that an import added before it was stopped. Runs from before stay, and so do those that the
    /// user has pinned or continued since.
    async fn take_back(&self, runs: Vec<RunId>) -> Result<(), ApiError> {
        let keep = Keep { reviewed_too: true, ..Keep::default() };
        for run in self.store().await?.prune(runs, keep).await?.runs {
            self.put_away(run).await?;
        }
        Ok(())
    }

    async fn mark_taken_in(&self, run: RunId) -> Result<(), ApiError> {
        let mark = self.inner.places.taken_in(run);
        blocking(move || {
            let made = mark.parent().map_or(Ok(()), disk::make_private_folder);
            made.and_then(|()| disk::make_private_file(&mark))
                .map_err(|error| ApiError::io(&mark, Tried::Create, error))
        })
        .await
    }
}

/// A running import.
#[derive(Clone)]
struct Importing {
    /// By which it can be stopped.
    name: String,
    /// Bytes.
    size: u64,
    stop: CancellationToken,
}

impl Imported {
    /// The first of its runs.
    pub fn first(&self) -> Result<RunId, ApiError> {
        self.runs
            .first()
            .copied()
            .ok_or_else(|| ApiError::new(Code::Invalid, message!("nothing was imported", "没有导入任何内容")))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;
    use crate::dto::{ExportArgs, NoArgs, NoteArgs, RunArgs, RunExport};
    use crate::{Freshness, Places};
    use camino::Utf8PathBuf;

    struct Bench {
        bench: Workbench,
        places: Places,
        pushes: Arc<Mutex<Vec<Push>>>,
        _home: tempfile::TempDir,
    }

    async fn bench() -> Bench {
        let home = tempfile::tempdir().unwrap();
        let folder = Utf8PathBuf::try_from(home.path().to_owned()).unwrap();
        let places = Places::below(folder, None);
        let pushes = Arc::new(Mutex::new(Vec::new()));
        let pushed = pushes.clone();
        let bench =
            Workbench::open(places.clone(), Vec::new(), Freshness::ReadOnce, move |push| lock(&pushed).push(push));
        Bench { bench: bench.await, places, pushes, _home: home }
    }

    fn fixture(name: &str) -> ImportFileArgs {
        let path = format!("{}/../../tests/fixtures/foreign/{name}", env!("CARGO_MANIFEST_DIR"));
        ImportFileArgs { path, from: None, import: "i".into() }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn every_format_is_imported_marked_and_can_be_stepped_through() {
        let Bench { bench, places, pushes, .. } = bench().await;
        for name in [
            "openai-chat.jsonl",
            "openai-responses.jsonl",
            "anthropic-messages.json",
            "claude-code.jsonl",
            "codex.jsonl",
            "otlp-genai.jsonl",
            "otlp-openinference.json",
            "inspect.json",
        ] {
            let imported = bench.run_import_file(fixture(name)).await.unwrap();
            let run = imported.first().unwrap();
            assert!(places.taken_in(run).exists(), "{name}");
            let detail = bench.run_get(RunArgs { run }).await.unwrap();
            for step in 0..u32::try_from(detail.steps.len()).unwrap() {
                let context = bench.step_context(crate::dto::StepArgs { run, step }).await.unwrap();
                assert!(!context.messages.is_empty() && !context.exact, "{name} {step}");
            }
            assert_eq!(
                bench.run_import_file(fixture(name)).await.unwrap().runs,
                imported.runs,
                "again it is the same run"
            );
        }
        let progress = lock(&pushes).iter().filter(|push| matches!(push, Push::ImportProgress(_))).count();
        assert!(progress >= 8, "{progress}");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn nothing_stays_of_an_import_that_is_stopped() {
        let Bench { bench, places, .. } = bench().await;
        let file = tempfile::NamedTempFile::new().unwrap();
        let line = format!(
            r#"{{"messages":[{{"role":"user","content":"{}"}},{{"role":"assistant","content":"ho"}}]}}"#,
            "hi ".repeat(1 << 19)
        );
        std::fs::write(
            file.path(),
            (0..8).map(|at| line.replacen("hi", &format!("hi {at}"), 1) + "\n").collect::<String>(),
        )
        .unwrap();
        let stopping = bench.clone();
        let args = ImportFileArgs { path: file.path().to_str().unwrap().into(), from: None, import: "x".into() };
        let import = tokio::spawn(async move { stopping.run_import_file(args).await });
        while bench.run_list(NoArgs {}).await.unwrap().runs.len() < 2 {
            tokio::task::yield_now().await;
        }
        bench.run_import_stop(ImportStopArgs { import: "x".into() }).await.unwrap();
        let imported = import.await.unwrap().unwrap();
        if imported.stopped {
            assert_eq!((imported.runs, bench.run_list(NoArgs {}).await.unwrap().runs.len()), (vec![], 1));
            assert_eq!(places.state.join("taken-in").read_dir_utf8().unwrap().count(), 0);
        } else {
            assert_eq!(imported.runs.len(), 8, "it was over before anybody could stop it");
        }
    }

    /// One session, of so many answers of 4 KB.
    fn session(answers: usize) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().unwrap();
        let line = |number: usize| {
            let kind = if number == 0 { "user" } else { "assistant" };
            let text = format!("{number} {}", "words ".repeat(700));
            let message = serde_json::json!({ "role": kind, "content": [{ "type": "text", "text": text }] });
            let line = serde_json::json!({
                "type": kind, "sessionId": "s", "uuid": format!("u{number}"), "parentUuid": null, "message": message,
                "timestamp": format!("2026-01-01T10:{:02}:{:02}.000Z", number / 60 % 60, number % 60),
            });
            line.to_string() + "\n"
        };
        std::fs::write(file.path(), (0..=answers).map(line).collect::<String>()).unwrap();
        file
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_long_run_says_how_far_it_is_stored_and_nothing_stays_if_it_is_stopped_then() {
        let Bench { bench, places, pushes, _home } = bench().await;
        bench.run_list(NoArgs {}).await.unwrap();
        let file = session(1_500);
        let args = |import: &str| ImportFileArgs {
            path: file.path().to_str().unwrap().into(),
            from: None,
            import: import.into(),
        };
        let stored = |pushes: &Mutex<Vec<Push>>| -> Vec<u32> {
            let pushes = lock(pushes);
            let of = |push: &Push| match push {
                Push::ImportProgress(progress) => progress.stored,
                _ => None,
            };
            pushes.iter().filter_map(of).collect()
        };
        let import = tokio::spawn({
            let (bench, args) = (bench.clone(), args("x"));
            async move { bench.run_import_file(args).await }
        });
        while stored(&pushes).is_empty() {
            tokio::task::yield_now().await;
        }
        bench.run_import_stop(ImportStopArgs { import: "x".into() }).await.unwrap();
        let imported = import.await.unwrap().unwrap();
        assert!(imported.stopped && imported.runs.is_empty(), "{imported:?}");
        assert_eq!(bench.run_list(NoArgs {}).await.unwrap().runs.len(), 1, "that of the program");
        assert_eq!(places.state.join("taken-in").read_dir_utf8().unwrap().count(), 0);
        let db = rusqlite::Connection::open(places.traces()).unwrap();
        let rows = "SELECT count(DISTINCT run) FROM events";
        assert_eq!(db.query_row(rows, [], |row| row.get::<_, u32>(0)).unwrap(), 1, "no event of it is left");

        lock(&pushes).clear();
        let run = bench.run_import_file(args("y")).await.unwrap().first().unwrap();
        let stored = stored(&pushes);
        assert!(stored.is_sorted() && stored.len() > 3 && stored.last() == Some(&100), "{stored:?}");
        assert_eq!(bench.run_get(RunArgs { run }).await.unwrap().summary.steps, 1_501);
        assert_eq!(bench.run_import_file(args("z")).await.unwrap().runs, [run], "again it is the same run");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn an_export_of_ours_is_read_in_pieces_and_nothing_stays_if_it_is_stopped_then() {
        let Bench { bench, places, pushes, _home } = bench().await;
        let session = session(1_500);
        let args = |file: &tempfile::NamedTempFile, import: &str| ImportFileArgs {
            path: file.path().to_str().unwrap().into(),
            from: None,
            import: import.into(),
        };
        let run = bench.run_import_file(args(&session, "session")).await.unwrap().first().unwrap();
        let exported = async || bench.run_export(ExportArgs { run, format: RunExport::Jsonl }).await.unwrap();
        let text = exported().await;
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), &text).unwrap();
        let read = |pushes: &Mutex<Vec<Push>>| -> Vec<u64> {
            let pushes = lock(pushes);
            let of = |push: &Push| match push {
                Push::ImportProgress(progress) if progress.stored.is_none() => Some(progress.read),
                _ => None,
            };
            pushes.iter().filter_map(of).collect()
        };
        bench.run_delete(RunArgs { run }).await.unwrap();
        lock(&pushes).clear();
        assert_eq!(bench.run_import_file(args(&file, "x")).await.unwrap().runs, [run]);
        let told = read(&pushes);
        assert!(told.is_sorted() && told.len() > 3 && told.last() == Some(&(text.len() as u64)), "{told:?}");
        assert_eq!(exported().await, text, "nothing is lost on the way");

        bench.run_delete(RunArgs { run }).await.unwrap();
        lock(&pushes).clear();
        let import = tokio::spawn({
            let (bench, args) = (bench.clone(), args(&file, "y"));
            async move { bench.run_import_file(args).await }
        });
        while read(&pushes).is_empty() {
            tokio::task::yield_now().await;
        }
        bench.run_import_stop(ImportStopArgs { import: "y".into() }).await.unwrap();
        let imported = import.await.unwrap().unwrap();
        assert!(imported.stopped && imported.runs.is_empty(), "{imported:?}");
        assert_eq!(bench.run_list(NoArgs {}).await.unwrap().runs.len(), 1, "that of the program");
        assert_eq!(places.state.join("taken-in").read_dir_utf8().unwrap().count(), 0);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn an_export_of_ours_is_known_whatever_its_first_line_holds() {
        let Bench { bench, _home, .. } = bench().await;
        let run = bench.run_list(NoArgs {}).await.unwrap().runs[0].id;
        let note = NoteArgs { run, event: 0, text: "长".repeat(5_000), bookmark: false };
        let review = bench.note_set(note).await.unwrap();
        let text = bench.run_export(ExportArgs { run, format: RunExport::Jsonl }).await.unwrap();
        let file = tempfile::NamedTempFile::new().unwrap();
        // As editors on other systems save it, and with an end that was lost.
        std::fs::write(file.path(), format!("\u{feff}{}", text.trim_end().replace('\n', "\r\n"))).unwrap();
        let args = ImportFileArgs { path: file.path().to_str().unwrap().into(), from: None, import: "x".into() };
        let imported = bench.run_import_file(args).await.unwrap();
        let [arrived] = imported.runs[..] else { panic!("{imported:?}") };
        assert_eq!((imported.unreadable, bench.run_review(RunArgs { run: arrived }).await.unwrap()), (0, review));
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_text_that_is_pasted_may_be_of_any_format() {
        let Bench { bench, .. } = bench().await;
        let text = std::fs::read_to_string(fixture("codex.jsonl").path).unwrap();
        let imported = bench.import_text(text, None).await.unwrap();
        assert_eq!((imported.format, imported.runs.len()), (Some(Foreign::Codex), 1));
        let error = bench.import_text("{}".into(), None).await.unwrap_err();
        assert!(error.message.contains("is not a trace"), "{}", error.message);
    }
}
