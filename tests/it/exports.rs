//! Exports, saved where the packages of the formats check them: `tests/sdk/exports.py`.

use std::fs;
use std::path::Path;

use api::dto::{ExportArgs, ImportFileArgs, NoArgs, RunExport};

use crate::examples::{Bench, skills};

const EXPORTS: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/exports");
const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/foreign");

const FORMATS: [(RunExport, &str); 3] = [
    (RunExport::Openai, "openai.jsonl"),
    (RunExport::Anthropic, "anthropic.json"),
    (RunExport::Inspect, "inspect.json"),
];

#[tokio::test(flavor = "multi_thread")]
async fn runs_of_every_kind_are_left_in_every_form_of_others() {
    let Bench { bench, home: _home, .. } = Bench::on(&skills()).await;
    let mut runs = vec![("own".to_owned(), bench.sample_run(NoArgs {}).await.unwrap())];
    for entry in fs::read_dir(FIXTURES).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if name == "README.md" {
            continue;
        }
        let args = ImportFileArgs { path: path.to_str().unwrap().into(), from: None, import: name.clone() };
        runs.push((name, bench.run_import_file(args).await.unwrap().first().unwrap()));
    }
    assert!(runs.len() > 10, "{runs:?}");
    // It may not exist yet.
    let _ = fs::remove_dir_all(EXPORTS);
    fs::create_dir_all(EXPORTS).unwrap();
    for (name, run) in runs {
        for (format, suffix) in FORMATS {
            let text = bench.run_export(ExportArgs { run, format }).await.unwrap();
            fs::write(Path::new(EXPORTS).join(format!("{name}.{suffix}")), text).unwrap();
        }
    }
}
