//! Asking the scripts of skills for help, confined.

use std::collections::BTreeMap;
use std::time::Duration;

use camino::Utf8PathBuf;
use futures::StreamExt;
use futures::stream;

use super::error::{ApiError, Code};
use super::{Workbench, blocking};
use engine::tool::sandbox::{Conduct, SHOWN_AS, Sandbox, SandboxError, Task};
use harness::ScriptOutput;
use lint::probe::{self, Candidate, End, Probe};
use skill::Skill;
use wording::{Message, message};

/// The outcome for one script that is to be run with `--help`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    pub path: Utf8PathBuf,
    /// Why it has no probe.
    pub left_out: Option<Message>,
    /// Scripts that are done with, of so many.
    pub done: usize,
    pub of: usize,
}

impl Workbench {
    /// Runs each script of the open folders with `--help` as its only argument, in the sandbox, two at a time; what
    /// they did, by their paths. `progress` learns of each script as it is done with. Without a sandbox nothing is run.
    pub async fn probe(&self, progress: impl Fn(Asked)) -> Result<BTreeMap<Utf8PathBuf, Probe>, ApiError> {
        let loaded = self.loaded().await;
        let tasks = blocking(move || loaded.skills.iter().flat_map(tasks).collect::<Vec<_>>()).await;
        if tasks.is_empty() {
            return Ok(BTreeMap::new());
        }
        let sandbox = Sandbox::find().await?;
        let of = tasks.len();
        let asking = tasks.into_iter().map(|(path, task)| {
            let sandbox = &sandbox;
            async move { (path, ask(sandbox, &task).await) }
        });
        let mut answers = stream::iter(asking).buffer_unordered(AT_ONCE).enumerate();
        let mut probes = BTreeMap::new();
        while let Some((place, (path, answer))) = answers.next().await {
            progress(Asked { path: path.clone(), left_out: answer.as_ref().err().cloned(), done: place + 1, of });
            probes.extend(answer.ok().map(|probe| (path, probe)));
        }
        Ok(probes)
    }
}

const AT_ONCE: usize = 2;
const SECONDS: u64 = 5;
/// Of each stream: more than any client shows.
const OUTPUT_BYTES: usize = 1 << 18;

impl From<SandboxError> for ApiError {
    fn from(error: SandboxError) -> Self {
        let why = error.worded();
        ApiError::new(
            Code::Io,
            message!("could not run any script with --help: {why}", "无法以 --help 运行任何脚本：{why}"; why),
        )
    }
}

fn tasks(skill: &Skill) -> Vec<(Utf8PathBuf, Task)> {
    let task = |Candidate { file, interpreter }: Candidate<'_>| {
        let task = Task {
            interpreter: interpreter.to_owned(),
            folder: skill.path.clone(),
            script: file.name.clone(),
            arguments: vec!["--help".to_owned()],
            time: Duration::from_secs(SECONDS),
            output_bytes: OUTPUT_BYTES,
        };
        (file.path.clone(), task)
    };
    probe::candidates(skill).map(task).collect()
}

/// `Err` is why it was left out.
async fn ask(sandbox: &Sandbox, task: &Task) -> Result<Probe, Message> {
    if !sandbox.has(&task.interpreter) {
        return Err(message!("{} is not installed for the whole system", "系统范围内没有安装 {}", task.interpreter));
    }
    let conduct = sandbox.run(task).await.map_err(|error| error.worded())?;
    judged(conduct, task)
}

fn judged(conduct: Conduct, task: &Task) -> Result<Probe, Message> {
    let Conduct { output: ScriptOutput { stdout, stderr, exit_code, timed_out, .. }, wrote, read_input } = conduct;
    let end = match exit_code {
        _ if timed_out => End::TimedOut(SECONDS),
        Some(code) => End::Exit(code),
        None => return Err(message!("something else killed it", "它被外部终止")),
    };
    let script = format!("{SHOWN_AS}/{}", task.script);
    if stderr.lines().any(|line| line.contains(&script) && line.contains("Permission denied")) {
        return Err(message!(
            "it is not readable by everybody, and scripts run as `nobody`",
            "它并非所有人可读，而脚本以 `nobody` 身份运行"
        ));
    }
    Ok(Probe {
        end,
        printed: stdout.chars().count() + stderr.chars().count(),
        // As the author knows the files.
        errors: stderr.replace(&format!("{SHOWN_AS}/"), ""),
        wrote: wrote.into_iter().map(|file| file.path).collect(),
        asked: read_input,
    })
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use std::fs;
    use std::sync::Mutex;

    use camino::Utf8Path;

    use super::*;
    use crate::{Freshness, Places};
    use lint::{LintOptions, Linter};

    /// A bench on a folder, if this machine has a sandbox.
    async fn bench(folder: &Utf8Path) -> Option<Workbench> {
        needed::require_or_skip(Sandbox::find().await)?;
        let places = Places::below(folder.join("home"), None);
        Some(Workbench::open(places, vec![folder.join("skills")], Freshness::ReadOnce, |_| {}).await)
    }

    fn written(files: &[(&str, &str)]) -> (tempfile::TempDir, Utf8PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::try_from(folder.path().canonicalize().unwrap()).unwrap();
        for (name, text) in files {
            let path = path.join("skills").join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        (folder, path)
    }

    /// Rules on help that fire when a skill's scripts are really asked, each with its message.
    async fn said(files: &[(&str, &str)]) -> Option<Vec<String>> {
        let (_folder, path) = written(files);
        let bench = bench(&path).await?;
        let probes = bench.probe(|_| {}).await.unwrap();
        let loaded = bench.loaded().await;
        let findings =
            Linter::new(LintOptions { probes, ..LintOptions::default() }).all(&loaded.set, &loaded.skills, &lint::Disk);
        let said = findings.iter().filter(|finding| finding.rule.id.starts_with("help-"));
        Some(said.map(|finding| format!("{}: {}", finding.rule.id, finding.message.en)).collect())
    }

    const SKILL: (&str, &str) =
        ("demo/SKILL.md", "---\nname: demo\ndescription: Use when asked for a demo.\n---\nDo it.\n");

    #[tokio::test(flavor = "multi_thread")]
    async fn the_examples_of_the_rules_do_what_the_rules_say() {
        let rules: Vec<_> = lint::rules().filter(|rule| rule.id.starts_with("help-")).collect();
        assert_eq!(rules.len(), 5);
        for rule in rules {
            for (example, expected) in [(&rule.bad, vec![rule.id]), (&rule.good, vec![])] {
                let files: Vec<(String, &str)> =
                    example.files.iter().map(|(name, text)| (format!("demo/{name}"), *text)).collect();
                let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), *text)).collect();
                let Some(said) = said(&files).await else { return };
                let rules: Vec<&str> = said.iter().filter_map(|line| line.split(':').next()).collect();
                assert_eq!(rules, expected, "{said:?}");
            }
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn one_fault_is_reported_once() {
        let said = said(&[
            SKILL,
            ("demo/scripts/asks_and_fails.sh", "read -r name < /dev/stdin; exit 4\n"),
            ("demo/scripts/beside_itself.sh", "set -e\necho x > \"$(dirname \"$0\")/out.txt\"\n"),
            ("demo/scripts/fails.py", "import sys\nraise ValueError(f'no such mode: {sys.argv[1]}')\n"),
            ("demo/scripts/fine.sh", "mkdir -p .cache && echo x > .cache/y; mktemp > /dev/null; echo usage\n"),
            ("demo/scripts/lacks.py", "import no_such_library\n"),
            ("demo/scripts/lib/taken_in.py", "raise SystemExit(3)\n"),
            ("demo/scripts/torn.py", "def draw(:\n"),
        ])
        .await;
        let Some(said) = said else { return };
        let elsewhere = "tries to write outside of the folder it runs in";
        assert_eq!(
            said,
            [
                "help-asks: `scripts/asks_and_fails.sh --help` reads from standard input; take what it needs from \
                 arguments"
                    .to_owned(),
                format!(
                    "help-writes-files: `scripts/beside_itself.sh --help` {elsewhere}; let it read its arguments \
                     before it does anything"
                ),
                "help-fails: `scripts/fails.py --help` ends with exit code 1 and says `ValueError: no such mode: \
                 --help`; let it print what it does and takes, and end with 0"
                    .to_owned(),
            ]
        );
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn tells_of_each_script_and_which_could_not_be_asked() {
        let files = [SKILL, ("demo/scripts/a.sh", "echo a\n"), ("demo/scripts/b.ps1", ""), ("demo/scripts/c.rb", "")];
        let (_folder, path) = written(&files);
        let Some(bench) = bench(&path).await else { return };
        let heard = Mutex::new(Vec::new());
        let probes = bench.probe(|asked| heard.lock().unwrap().push(asked)).await.unwrap();
        let mut heard = heard.into_inner().unwrap();
        assert_eq!(heard.iter().map(|asked| (asked.done, asked.of)).collect::<Vec<_>>(), [(1, 2), (2, 2)]);
        heard.sort_by(|a, b| a.path.cmp(&b.path));
        let scripts = path.join("skills/demo/scripts");
        let told: Vec<_> = heard.into_iter().map(|asked| (asked.path, asked.left_out.map(|why| why.en))).collect();
        let missing = "pwsh is not installed for the whole system".to_owned();
        assert_eq!(told, [(scripts.join("a.sh"), None), (scripts.join("b.ps1"), Some(missing))]);
        let a = Probe { end: End::Exit(0), printed: 2, errors: String::new(), wrote: vec![], asked: false };
        assert_eq!(probes, BTreeMap::from([(scripts.join("a.sh"), a)]), "nobody knows what runs c.rb");
    }
}
