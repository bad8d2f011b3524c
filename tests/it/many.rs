//! Many runs at once: each is recorded whole, and none gets another's events.

use std::collections::HashSet;

use api::dto::NoArgs;
use skillbench_tests::scene::{Scene, whole_run};
use trace::RunStatus;

const RUNS: usize = 100;

#[tokio::test(flavor = "multi_thread")]
async fn a_hundred_runs_at_once_are_recorded_whole() {
    let mut scene = Scene::set_up().await;
    let runs = scene.play(RUNS, RUNS).await;
    assert_eq!(runs.iter().collect::<HashSet<_>>().len(), RUNS);
    for run in &runs {
        whole_run(&scene.bench, *run).await;
    }
    let listed = scene.bench.run_list(NoArgs {}).await.unwrap();
    assert_eq!(listed.runs.iter().filter(|run| run.status == RunStatus::Done && !run.bundled).count(), RUNS);
}
