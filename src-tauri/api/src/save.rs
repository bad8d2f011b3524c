//! A run written to a file a piece at a time, so that a long one never is in memory whole.

use std::collections::HashSet;
use std::io::Write as _;

use camino::Utf8PathBuf;

use super::dto::{ExportArgs, RunExport};
use super::error::{ApiError, Tried};
use super::runs::no_run;
use super::{Workbench, blocking, neutral};
use disk::Growing;
use trace::clock::Millis;
use trace::context::Reads;
use trace::{Event, EventKind, RunId, export};

/// Events that are in memory at once. Requests may be long.
const AT_ONCE: u32 = if cfg!(test) { 3 } else { 500 };

/// The rest of a run that is still to be written.
struct Rest {
    run: RunId,
    /// The first line, until it is written.
    head: Option<String>,
    /// The last event that was written, and when it happened.
    known: Option<(u32, Millis)>,
}

impl Workbench {
    /// The run as [`export::to_jsonl`] writes it, for a program that takes one piece after the other: each ends with a
    /// line, and the receiver's answer says whether to go on.
    pub async fn run_lines(&self, run: RunId, mut take: impl FnMut(&str) -> bool) -> Result<(), ApiError> {
        if self.held(run).is_some() {
            // Events that the store refused are only in memory.
            take(&self.run_export(ExportArgs { run, format: RunExport::Jsonl }).await?);
            return Ok(());
        }
        let mut rest = self.all_of(run).await?;
        while let Some(piece) = self.next_piece(&mut rest).await? {
            if !take(&piece) {
                break;
            }
        }
        Ok(())
    }

    /// Writes a run that is in the store, as [`export::to_jsonl`] does.
    pub(super) async fn save_jsonl(&self, run: RunId, path: Utf8PathBuf) -> Result<(), ApiError> {
        let mut rest = self.all_of(run).await?;
        let refused = |error| ApiError::io(&path, Tried::Write, error);
        let begun = path.clone();
        let mut file: Option<Growing> = None;
        while let Some(piece) = self.next_piece(&mut rest).await? {
            let to = begun.clone();
            let growing = file.take();
            let write = move || -> std::io::Result<Growing> {
                let mut file = growing.map_or_else(|| Growing::begin(&to), Ok)?;
                file.write_all(piece.as_bytes())?;
                Ok(file)
            };
            file = Some(blocking(write).await.map_err(refused)?);
        }
        let file = file.ok_or_else(|| no_run(run))?;
        blocking(move || file.finish()).await.map_err(refused)
    }

    async fn all_of(&self, run: RunId) -> Result<Rest, ApiError> {
        let words = self.store().await?.words(run).await?;
        let words: HashSet<&str> = words.iter().map(String::as_str).collect();
        let head = export::jsonl_head(run, &words, &self.said_about(run).await);
        Ok(Rest { run, head: Some(head), known: None })
    }

    /// Some lines more; `None`: there are no more.
    async fn next_piece(&self, rest: &mut Rest) -> Result<Option<String>, ApiError> {
        let run = rest.run;
        let events = self.store().await?.grown(run, rest.known, AT_ONCE).await?.ok_or_else(|| no_run(run))?;
        let Some(last) = events.last().map(|last| (last.seq, last.at)) else { return Ok(None) };
        let events = neutral::for_others(self.with_bodies(run, events).await?);
        let head = rest.head.take();
        rest.known = Some(last);
        let lines = move || head.into_iter().chain(events.iter().map(export::jsonl_line)).collect();
        Ok(Some(blocking(lines).await))
    }

    /// Events that were read without the bodies of their requests, with them.
    pub(super) async fn with_bodies(&self, run: RunId, mut events: Vec<Event>) -> Result<Vec<Event>, ApiError> {
        for some in events.chunks_mut(AT_ONCE as usize) {
            let requests: Vec<u32> = some.iter().filter(|event| is_request(event)).map(|event| event.seq).collect();
            let mut whole =
                self.read_some(run, Reads { events: requests.clone(), bodies: requests }).await?.into_iter();
            for event in some.iter_mut().filter(|event| is_request(event)) {
                *event = whole.next().filter(|whole| whole.seq == event.seq).ok_or_else(|| no_run(run))?;
            }
        }
        Ok(events)
    }
}

fn is_request(event: &Event) -> bool {
    matches!(event.kind, EventKind::Requested { .. })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dto::{NoArgs, NoteArgs, SaveArgs};
    use crate::{Freshness, Places};

    /// Each format reads only what it needs, so less than the whole run.
    #[tokio::test(flavor = "multi_thread")]
    async fn every_format_says_what_it_says_of_the_whole_run() {
        let folder = tempfile::tempdir().unwrap();
        let home = Utf8PathBuf::try_from(folder.path().to_owned()).unwrap();
        let bench =
            Workbench::open(Places::below(home.join("state"), None), Vec::new(), Freshness::ReadOnce, |_| {}).await;
        let run = bench.run_list(NoArgs {}).await.unwrap().runs[0].id;
        let events = bench.all_events(run).await.unwrap();
        let setup = events[0].kind.setup().unwrap().clone();
        let said = bench.said_about(run).await;
        let whole = [
            (RunExport::Openai, export::to_openai(&events, &setup)),
            (RunExport::Anthropic, export::to_anthropic(&events, &setup)),
            (RunExport::Inspect, export::to_inspect(run, &events, &setup)),
            (RunExport::Markdown, export::to_markdown(&events, &setup, &said, wording::Language::English)),
            (RunExport::Screenplay, crate::scenes::written(&events, &setup).unwrap()),
        ];
        for (format, expected) in whole {
            assert_eq!(bench.run_export(ExportArgs { run, format }).await.unwrap(), expected, "{format:?}");
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn what_is_written_in_pieces_is_the_run_as_it_is_exported() {
        let folder = tempfile::tempdir().unwrap();
        let home = Utf8PathBuf::try_from(folder.path().to_owned()).unwrap();
        let bench =
            Workbench::open(Places::below(home.join("state"), None), Vec::new(), Freshness::ReadOnce, |_| {}).await;
        let run = bench.run_list(NoArgs {}).await.unwrap().runs[0].id;
        bench.note_set(NoteArgs { run, event: 0, text: "Look here.".into(), bookmark: true }).await.unwrap();
        let path = home.join("run.jsonl");
        let save = |run| SaveArgs { path: path.to_string(), run, format: RunExport::Jsonl };
        bench.run_save(save(run)).await.unwrap();
        let whole = bench.run_export(ExportArgs { run, format: RunExport::Jsonl }).await.unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), whole);
        assert!(whole.lines().count() > 2 * AT_ONCE as usize, "it takes several pieces");
        let mut pieces = Vec::new();
        let keep = |piece: &str| {
            pieces.push(piece.to_owned());
            true
        };
        bench.run_lines(run, keep).await.unwrap();
        assert_eq!((pieces.concat(), pieces.len() > 2), (whole.clone(), true));
        let mut first = Vec::new();
        let is_wanted = |piece: &str| {
            first.push(piece.to_owned());
            false
        };
        bench.run_lines(run, is_wanted).await.unwrap();
        assert_eq!(first, pieces[..1]);

        let missing = bench.run_save(save(RunId(uuid::Uuid::nil()))).await.unwrap_err();
        assert_eq!(missing.code, crate::Code::NotFound);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), whole, "what is there stays");
    }
}
