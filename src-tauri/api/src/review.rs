//! What a person says about a recorded run: a verdict, and notes and bookmarks on its steps.

use super::Workbench;
use super::dto::{NoteArgs, RunArgs, VerdictArgs};
use super::error::{ApiError, Code};
use trace::RunId;
use trace::review::{LINE, NOTE, Review, StepNote, Verdict};
use wording::{Message, message};

impl Workbench {
    pub async fn run_review(&self, args: RunArgs) -> Result<Review, ApiError> {
        Ok(self.store().await?.review(args.run).await?)
    }

    /// Keeps a note or a bookmark in place of what its step had, or takes it away.
    pub async fn note_set(&self, args: NoteArgs) -> Result<Review, ApiError> {
        let NoteArgs { run, event, text, bookmark } = args;
        let text = text.trim().to_owned();
        if text.len() > NOTE {
            return Err(too_long(message!("the note is too long", "批注太长")));
        }
        let note = StepNote { event, text, bookmark, changed_at: 0 };
        let store = self.store().await?;
        match store.set_note(run, note).await? {
            true => Ok(store.review(run).await?),
            false => Err(ApiError::new(
                Code::NotFound,
                message!("the store has no such step of run {run}", "轨迹库中没有运行 {run} 的这一步"),
            )
            .hint(message!("reload the run", "请重新载入运行"))),
        }
    }

    /// Keeps a verdict in place of the one there was, or takes it away.
    pub async fn verdict_set(&self, args: VerdictArgs) -> Result<Review, ApiError> {
        let VerdictArgs { run, judged, line } = args;
        let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
        if line.len() > LINE {
            return Err(too_long(message!("the line is too long", "这一行太长")));
        }
        let verdict = judged.map(|judged| Verdict { judged, line, changed_at: 0 });
        let store = self.store().await?;
        match store.set_verdict(run, verdict).await? {
            true => Ok(store.review(run).await?),
            false => Err(ApiError::new(Code::NotFound, message!("there is no run {run}", "没有运行 {run}"))
                .hint(message!("list the runs again", "请重新列出运行"))),
        }
    }

    /// For exports: if the store cannot give the review, the run is still exported.
    pub(super) async fn said_about(&self, run: RunId) -> Review {
        self.run_review(RunArgs { run }).await.unwrap_or_default()
    }
}

fn too_long(what: Message) -> ApiError {
    ApiError::new(Code::Invalid, what).hint(message!("shorten it", "请缩短"))
}

#[cfg(test)]
mod tests {
    use camino::Utf8PathBuf;

    use super::*;
    use crate::dto::{ExportArgs, ImportArgs, NoArgs, RunExport};
    use crate::{Freshness, Places};
    use trace::review::Judged;

    #[tokio::test(flavor = "multi_thread")]
    async fn what_was_said_is_in_the_exports_and_comes_back_with_them() {
        let folder = tempfile::tempdir().unwrap();
        let home = Utf8PathBuf::try_from(folder.path().to_owned()).unwrap();
        let bench = Workbench::open(Places::below(home, None), Vec::new(), Freshness::ReadOnce, |_| {}).await;
        let run = bench.sample_run(NoArgs {}).await.unwrap();
        let event = bench.run_get(RunArgs { run }).await.unwrap().steps[2].event;
        let note = |text: &str, bookmark| NoteArgs { run, event, text: text.into(), bookmark };
        bench.note_set(note("  why this one?\n", true)).await.unwrap();
        let line = "two\nlines".to_owned();
        let said = bench.verdict_set(VerdictArgs { run, judged: Some(Judged::Fail), line }).await.unwrap();
        assert_eq!((&*said.notes[0].text, said.notes[0].bookmark), ("why this one?", true));
        assert_eq!(said.verdict.as_ref().map(|verdict| &*verdict.line), Some("two lines"));

        let export = |format| bench.run_export(ExportArgs { run, format });
        let markdown = export(RunExport::Markdown).await.unwrap();
        assert!(markdown.contains("* Verdict: fail – two lines") && markdown.contains("why this one?"), "{markdown}");
        let text = export(RunExport::Jsonl).await.unwrap();
        bench.run_delete(RunArgs { run }).await.unwrap();
        assert_eq!(bench.run_review(RunArgs { run }).await.unwrap(), Review::default());
        assert_eq!(bench.run_import(ImportArgs { text: text.clone() }).await.unwrap(), run);
        assert_eq!(bench.run_review(RunArgs { run }).await.unwrap(), said);

        let mine = bench.note_set(note("mine", false)).await.unwrap();
        bench.run_import(ImportArgs { text }).await.unwrap();
        assert_eq!(bench.run_review(RunArgs { run }).await.unwrap(), mine, "an import overwrites nothing");
        bench.note_set(note(" ", false)).await.unwrap();
        assert!(bench.run_review(RunArgs { run }).await.unwrap().notes.is_empty());
        let nowhere = NoteArgs { event: 9999, ..note("x", false) };
        assert_eq!(bench.note_set(nowhere).await.unwrap_err().code, Code::NotFound);
    }
}
