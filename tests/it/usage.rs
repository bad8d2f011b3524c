//! What recorded runs did with the bundled skills, as the linter gets it.

use std::collections::BTreeMap;

use api::dto::{ExportArgs, ImportArgs, NoArgs, RunExport, RunRequest};
use lint::runs::Usage;

use crate::examples::{Bench, request, skills};

/// Plays every screenplay under a harness, and takes each run in again as if a model had answered.
async fn play(bench: &Bench, harness: &str) {
    for info in bench.bench.screenplay_list(NoArgs {}).await.unwrap() {
        let request = RunRequest { harness: harness.into(), ..request("rehearsal", &info.screenplay.prompt) };
        let (run, _, _) = bench.play(request).await;
        let text = bench.bench.run_export(ExportArgs { run, format: RunExport::Jsonl }).await.unwrap();
        let other = format!("f{}", &run.to_string()[1..]);
        let text = text.replace(&run.to_string(), &other);
        let text = text.replacen("\"rehearsal\":true", "\"rehearsal\":false", 1);
        assert_eq!(bench.bench.run_import(ImportArgs { text }).await.unwrap().to_string(), other);
    }
}

/// By the name of the skill's folder: runs, then files read and scripts run, each with how often.
async fn usage(bench: &Bench) -> BTreeMap<String, String> {
    let line = |Usage { runs, read, ran }: Usage| {
        let times = |files: BTreeMap<String, u32>| {
            files.into_iter().map(|(file, times)| format!("{file} {times}")).collect::<Vec<_>>().join(", ")
        };
        format!("{runs}; read {}; ran {}", times(read), times(ran))
    };
    let usage = bench.bench.usage().await.into_iter();
    usage.map(|(folder, usage)| (folder.strip_prefix(skills()).unwrap().to_string(), line(usage))).collect()
}

/// A framework that cannot run scripts shows them instead.
#[tokio::test(flavor = "multi_thread")]
async fn runs_of_a_model_tell_which_files_were_read_and_which_scripts_run() {
    let data_analysis = "1; read ; ran scripts/analyze_trend.py 1, scripts/calculate_statistics.py 1, \
                         scripts/create_report.py 1, scripts/generate_chart.py 1, scripts/load_sales_data.py 1";
    let expected = |rest: [(&str, &str); 4]| {
        let rest = rest.into_iter().chain([("data-analysis", data_analysis), ("translator", "1; read ; ran ")]);
        rest.map(|(skill, usage)| (skill.to_owned(), usage.to_owned())).collect::<BTreeMap<_, _>>()
    };
    let bench = Bench::on(&skills()).await;
    play(&bench, "agent-framework").await;
    let run = expected([
        ("hello-world", "1; read ; ran scripts/make.sh 1"),
        ("log-analyzer", "1; read ; ran scripts/analyze.py 1"),
        ("slide-deck", "1; read references/outline-format.md 1; ran scripts/check_deck.py 1, scripts/make_deck.py 1"),
        ("unit-converter", "2; read references/conversion-table.md 2; ran scripts/convert.py 2"),
    ]);
    assert_eq!(usage(&bench).await, run, "the rehearsals themselves do not count");

    let bench = Bench::on(&skills()).await;
    play(&bench, "agentscope").await;
    let shown = expected([
        ("hello-world", "1; read scripts/make.sh 1; ran "),
        ("log-analyzer", "1; read scripts/analyze.py 1; ran "),
        ("slide-deck", "1; read references/outline-format.md 1, scripts/check_deck.py 1, scripts/make_deck.py 1; ran "),
        ("unit-converter", "2; read references/conversion-table.md 2, scripts/convert.py 2; ran "),
    ]);
    assert_eq!(usage(&bench).await, shown);
}
