//! Looking for steps in all recorded runs.

use std::time::Duration;

use super::Workbench;
use super::dto::{NoArgs, SearchArgs};
use super::error::{ApiError, Code};
use trace::query::{Query, QueryError};
use trace::store::Found;
use wording::message;

impl Workbench {
    /// The runs and steps that match. Runs that are not indexed yet are indexed on the way, except for so long only
    /// that the answer comes soon: what `waiting` counts is found by asking again.
    pub async fn run_search(&self, args: SearchArgs) -> Result<Found, ApiError> {
        let query = Query::parse(&args.query, self.inner.clock.now())?;
        if !query.is_about_steps() {
            // Those too that the store does not hold.
            return Ok(Found::of_runs(self.run_list(NoArgs {}).await?, &query));
        }
        let found = self.store().await?.search(query.clone(), INDEXING).await?;
        match query.is_about_a_skill_of_runs() {
            true => Ok(found.with_runs_that_had_it(self.run_list(NoArgs {}).await?, &query)),
            false => Ok(found),
        }
    }
}

/// How long runs are indexed before an answer.
const INDEXING: Duration = Duration::from_millis(150);

impl From<QueryError> for ApiError {
    fn from(error: QueryError) -> Self {
        ApiError::new(Code::Invalid, error.worded()).hint(message!(
            "correct it; for example: kind:tool status:error dur:>500ms \"some words\"",
            "请改正；例如：kind:tool status:error dur:>500ms \"一些文字\""
        ))
    }
}

#[cfg(test)]
mod tests {
    use camino::Utf8PathBuf;

    use super::*;
    use crate::dto::IndexArgs;
    use crate::{Freshness, Places};

    #[tokio::test(flavor = "multi_thread")]
    async fn steps_of_the_sample_are_found_and_a_wrong_query_names_its_place() {
        let folder = tempfile::tempdir().unwrap();
        let home = Utf8PathBuf::try_from(folder.path().to_owned()).unwrap();
        let bench = Workbench::open(Places::below(home, None), Vec::new(), Freshness::ReadOnce, |_| {}).await;
        let run = bench.sample_run(NoArgs {}).await.unwrap();
        let search = |query: &str| bench.run_search(SearchArgs { query: query.into() });
        let found = search("kind:tool skill:unit-converter").await.unwrap();
        assert_eq!((found.runs.len(), found.waiting), (1, 0));
        assert_eq!((found.runs[0].run, found.runs[0].steps.len()), (run, 3));
        let offered = IndexArgs { words: String::new(), most: 9, answering: false };
        let offered = bench.run_index(offered).await.unwrap().skills;
        assert!(offered.len() > 1, "{offered:?}");
        for skill in &offered {
            let found = search(&format!("skill:{skill}")).await.unwrap();
            let steps = if skill == "unit-converter" { 3 } else { 0 };
            assert_eq!((found.runs.len(), found.runs[0].run, found.runs[0].steps.len()), (1, run, steps), "{skill}");
        }
        assert_eq!(search("skill:nowhere").await.unwrap().runs, []);
        let error = search("kind:too").await.unwrap_err();
        assert_eq!(error.code, Code::Invalid);
        assert!(error.message.starts_with("column 1: `too` is not a kind of step"), "{}", error.message);
        assert!(error.hint.is_some());
    }
}
