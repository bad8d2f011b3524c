//! The one room in which everything runs that a model causes: the scripts and commands of all harnesses. Here the policy
//! of a run meets what the machine can do; what comes of it is shown before something runs, and recorded when it ran.

use camino::{Utf8Path, Utf8PathBuf};

use super::ToolError;
use super::sandbox::{Sandbox, SandboxError};
use super::script::{self, Script};
use config::{Policy, SandboxMode};
use harness::ScriptOutput;
use trace::{Enforcement, Layer};
use wording::message;

/// What runs of one run are confined by.
#[derive(Debug, Clone)]
pub struct Room {
    policy: Policy,
    /// What is shown of the disk besides the system: the skills.
    shown: Vec<Utf8PathBuf>,
    /// What may be written to: the folder of the run.
    work: Utf8PathBuf,
}

impl Room {
    pub fn new(policy: Policy, shown: Vec<Utf8PathBuf>, work: Utf8PathBuf) -> Self {
        Self { policy, shown, work }
    }

    /// What will confine a program of this name; `None`: a sandbox was asked for and there is none, so nothing runs.
    pub async fn enforcement(&self, program: &str) -> Option<Enforcement> {
        self.way(program).await.ok().map(|(_, enforcement)| enforcement)
    }

    /// Runs a script to its end or its time limit, and says what confined it.
    pub async fn run(&self, script: &Script) -> Result<(ScriptOutput, Enforcement), ToolError> {
        let (sandbox, enforcement) = self.way(script.program.name()).await?;
        let output = match sandbox {
            Some(sandbox) => {
                let shown = self.shown_to(script);
                sandbox.run_script(script, &shown, &self.work, self.policy.limits).await?
            }
            None => script::run(script).await?,
        };
        Ok((output, enforcement))
    }

    async fn way(&self, program: &str) -> Result<(Option<Sandbox>, Enforcement), ToolError> {
        if self.policy.mode == SandboxMode::Off {
            let reason = message!("the sandbox is switched off for this run", "本次运行关闭了沙箱");
            return Ok((None, Enforcement::none(reason, script::on_path(program))));
        }
        match Sandbox::find().await {
            Ok(sandbox) => {
                let enforcement = Enforcement::full(Layer::Bubblewrap, sandbox.program(program));
                Ok((Some(sandbox), enforcement))
            }
            Err(error) if self.policy.mode == SandboxMode::Require => Err(refused(&error)),
            Err(error) => Ok((None, Enforcement::none(error.wording(), script::on_path(program)))),
        }
    }

    /// A script that lies in no skill, as those of inline skills do, is shown itself.
    fn shown_to(&self, script: &Script) -> Vec<Utf8PathBuf> {
        let mut shown = self.shown.clone();
        if let script::Program::File { path, .. } = &script.program {
            let places = [Some(path.clone()), disk::real(path)];
            for place in places.into_iter().flatten() {
                let is_seen = |folder: &Utf8PathBuf| place.starts_with(folder);
                if !shown.iter().any(is_seen) && !is_seen(&self.work) {
                    shown.push(place);
                }
            }
        }
        shown
    }
}

/// What a call gets to hear.
fn refused(error: &SandboxError) -> ToolError {
    ToolError::NoSandbox(format!("a sandbox is required and there is none, so nothing was run: {error}"))
}

/// Where the skills lie that a run is about.
pub fn folders<'a>(skills: impl IntoIterator<Item = Option<&'a Utf8Path>>) -> Vec<Utf8PathBuf> {
    skills.into_iter().flatten().map(Utf8Path::to_owned).collect()
}
