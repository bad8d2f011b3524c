//! The window's list of runs. There may be very many: all are named, and only visible ones are described.

use std::collections::BTreeSet;

use super::dto::{IndexArgs, NoArgs, RunIndex, SomeRunsArgs};
use super::error::ApiError;
use super::{Workbench, blocking};
use config::RECORDED;
use trace::{RunList, RunStatus, RunSummary};

impl Workbench {
    /// The recorded runs, and those in memory in place of what the store has of them.
    pub async fn run_index(&self, args: IndexArgs) -> Result<RunIndex, ApiError> {
        let list = self.run_list(NoArgs {}).await?;
        Ok(blocking(move || index(list, &args)).await)
    }

    /// Descriptions of those of these runs that are here and can be read.
    pub async fn run_some(&self, args: SomeRunsArgs) -> Result<Vec<RunSummary>, ApiError> {
        self.runs_of(args.runs).await
    }
}

fn index(list: RunList, args: &IndexArgs) -> RunIndex {
    let RunList { mut runs, unreadable } = list;
    let words: Vec<String> = args.words.split_whitespace().map(str::to_lowercase).collect();
    if !words.is_empty() {
        runs.retain(|run| {
            let setup = &run.setup;
            let said = [&*setup.prompt, &setup.harness, &setup.variant, &setup.model].join(" ").to_lowercase();
            words.iter().all(|word| said.contains(word))
        });
    }
    if args.answering {
        let is_own = |run: &RunSummary| run.spent.output > 0 && !run.setup.model.starts_with(RECORDED);
        runs.retain(|run| run.status != RunStatus::Running && is_own(run));
    }
    let all = |of: fn(&RunSummary) -> &[String]| -> Vec<String> {
        let found: BTreeSet<&String> = runs.iter().flat_map(of).collect();
        found.into_iter().cloned().collect()
    };
    RunIndex {
        harnesses: all(|run| std::slice::from_ref(&run.setup.harness)),
        models: all(|run| std::slice::from_ref(&run.setup.model)),
        skills: all(|run| &run.setup.skills),
        ids: runs.iter().map(|run| run.id).collect(),
        unreadable,
        runs: {
            runs.truncate(args.most as usize);
            runs
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dto::ImportArgs;
    use crate::{Freshness, Places};

    #[tokio::test(flavor = "multi_thread")]
    async fn all_runs_are_named_and_the_newest_described() {
        let folder = tempfile::tempdir().unwrap();
        let places = Places::below(camino::Utf8PathBuf::try_from(folder.path().to_owned()).unwrap(), None);
        let bench = Workbench::open(places, Vec::new(), Freshness::ReadOnce, |_| {}).await;
        for question in ["How many?", "How far is Köln?", "多少磅？"] {
            let text = format!(
                r#"{{"model":"small","messages":[{{"role":"user","content":"{question}"}},{{"role":"assistant","content":"Two."}}]}}"#
            );
            bench.run_import(ImportArgs { text }).await.unwrap();
        }
        let index = async |words: &str, most| {
            bench.run_index(IndexArgs { words: words.to_owned(), most, answering: false }).await.unwrap()
        };
        let all = bench.run_list(NoArgs {}).await.unwrap().runs;
        let found = index("", 2).await;
        assert_eq!((found.ids, &found.runs[..]), (all.iter().map(|run| run.id).collect(), &all[..2]));
        assert_eq!(found.harnesses, ["agent-framework", "openai-chat"]);
        let skills: BTreeSet<&String> = all.iter().flat_map(|run| &run.setup.skills).collect();
        assert_eq!(found.skills.iter().collect::<Vec<_>>(), Vec::from_iter(skills));
        let models: BTreeSet<String> = all.iter().map(|run| run.setup.model.clone()).collect();
        assert_eq!(found.models, Vec::from_iter(models));

        let prompts = async |words: &str| -> Vec<String> {
            index(words, 9).await.runs.into_iter().map(|run| run.setup.prompt).collect()
        };
        assert_eq!(prompts("OpenAI köln").await, ["How far is Köln?"]);
        assert_eq!(prompts("磅").await, ["多少磅？"]);
        assert_eq!(index("köln nowhere", 9).await, RunIndex::default());

        // In a rehearsal no model gave the answer, but it counts as an answer all the same.
        let answering = IndexArgs { words: String::new(), most: 9, answering: true };
        let answering = bench.run_index(answering).await.unwrap().ids;
        let own: Vec<_> = all.iter().filter(|run| run.spent.output > 0).map(|run| run.id).collect();
        assert_eq!(answering, own);
        assert!(!own.is_empty());

        let wanted = vec![all[1].id, trace::RunId(uuid::Uuid::nil())];
        assert_eq!(bench.run_some(SomeRunsArgs { runs: wanted }).await.unwrap(), all[1..2]);
    }
}
