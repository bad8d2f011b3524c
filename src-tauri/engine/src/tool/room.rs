//! The one place in which everything that a model causes is run: the scripts and commands of all harnesses. It combines
//! the policy of a run with what the machine can do; the result is shown before something runs, and recorded
//! afterwards.

use camino::{Utf8Path, Utf8PathBuf};

use super::ToolError;
use super::quota::Quota;
use super::sandbox::landlock::Landlock;
use super::sandbox::seatbelt::Seatbelt;
use super::sandbox::{Sandbox, SandboxError};
use super::script::{self, Script};
use config::{Policy, SandboxMode};
use harness::ScriptOutput;
use skill::paths::Paths;
use trace::{Enforcement, Layer, Reason};
use wording::{Message, message};

/// The sandbox for the programs of one run.
#[derive(Debug, Clone)]
pub struct Room {
    policy: Policy,
    /// Visible parts of the disk in addition to the system: the skills.
    shown: Vec<Utf8PathBuf>,
    /// What may be written to: the folder of the run.
    work: Utf8PathBuf,
    /// At which places what runs finds all that.
    paths: Paths,
    first: Layer,
    /// Landlock inside of bubblewrap, if it is there.
    rules: bool,
}

impl Room {
    /// A Python environment in the policy is one that may be read, by its real path.
    pub fn new(policy: Policy, mut shown: Vec<Utf8PathBuf>, work: Utf8PathBuf) -> Self {
        shown.extend(policy.venv.clone().map(Utf8PathBuf::from));
        Self { policy, shown, work, paths: Paths::default(), first: Layer::Bubblewrap, rules: true }
    }

    /// The same without the sandboxes that come before this one. Seatbelt is the last, and only macOS has it.
    #[must_use]
    pub fn starting_with(self, first: Layer) -> Self {
        Self { first, ..self }
    }

    /// The same without Landlock inside of bubblewrap.
    #[must_use]
    pub fn without_rules(self) -> Self {
        Self { rules: false, ..self }
    }

    /// The same with folders at other places. Only bubblewrap can do that; without it nothing runs.
    #[must_use]
    pub fn showing(self, paths: Paths) -> Self {
        Self { paths, ..self }
    }

    /// What the folder of the run may hold.
    pub fn quota(&self) -> Quota {
        Quota::new(self.work.clone(), self.policy.limits.folder_mb)
    }

    /// The sandbox for a program of this name; `None`: a sandbox is required and there is none, so nothing runs.
    pub async fn enforcement(&self, program: &str) -> Option<Enforcement> {
        self.way(&self.program(program)).await.ok().map(|(_, enforcement)| enforcement)
    }

    /// Runs a script to its end or its time limit, and says what confined it.
    pub async fn run(&self, script: &Script) -> Result<(ScriptOutput, Enforcement), ToolError> {
        let script = &self.with_own_python(script);
        let shown = self.shown_to(script);
        let (way, enforcement) = self.way(script.program.name()).await?;
        let (work, policy) = (&self.work, &self.policy);
        let quota = self.quota();
        quota.check().await?;
        let run = async {
            match way {
                Way::Bubblewrap(sandbox) => sandbox.run_script(script, &shown, work, policy, &self.paths).await,
                Way::Landlock(landlock) => landlock.run_script(script, &shown, work, policy).await,
                Way::Seatbelt(seatbelt) => seatbelt.run_script(script, &shown, work, policy).await,
                Way::Open => script::run(script).await,
            }
        };
        let output = tokio::select! {
            biased;
            output = run => output?,
            // Dropping this kills the program.
            full = quota.exceeded() => return Err(full),
        };
        Ok((output, enforcement))
    }

    /// The Python of the policy's environment for what asks for Python, else the program itself.
    fn program(&self, name: &str) -> String {
        match &self.policy.venv {
            Some(venv) if PYTHONS.contains(&name) => Utf8Path::new(venv).join(VENV_PYTHON).into_string(),
            _ => name.to_owned(),
        }
    }

    fn with_own_python(&self, script: &Script) -> Script {
        let mut script = script.clone();
        if let script::Program::File { interpreter, .. } = &mut script.program {
            *interpreter = self.program(interpreter);
        }
        script
    }

    async fn way(&self, program: &str) -> Result<(Way, Enforcement), ToolError> {
        let found = self.any_way(program).await?;
        match found {
            (Way::Bubblewrap(_), _) => Ok(found),
            _ if self.paths.are_real() => Ok(found),
            (_, enforcement) => {
                let reason = enforcement.reason.map(|Reason { en, zh }| Message { en, zh });
                Err(ToolError::NoSandbox(not_neutral(reason.as_ref())))
            }
        }
    }

    async fn any_way(&self, program: &str) -> Result<(Way, Enforcement), ToolError> {
        if self.policy.mode == SandboxMode::Off {
            let reason = message!("the sandbox is switched off for this run", "本次运行关闭了沙箱");
            return Ok((Way::Open, Enforcement::none(reason, script::on_path(program))));
        }
        if cfg!(target_os = "macos") {
            return match Seatbelt::find().await {
                Ok(seatbelt) => {
                    let enforcement = seatbelt.enforcement(program, &self.policy);
                    Ok((Way::Seatbelt(seatbelt), enforcement))
                }
                Err(error) => self.without_sandbox(error.worded(), program),
            };
        }
        let found = match self.first {
            Layer::Bubblewrap => Sandbox::find().await,
            Layer::Landlock | Layer::Seatbelt => Err(SandboxError::LeftOut),
        };
        let why = match found {
            Ok(sandbox) => {
                let sandbox = if self.rules { sandbox } else { sandbox.without_rules() };
                let enforcement = sandbox.enforcement(program, &self.policy);
                return Ok((Way::Bubblewrap(sandbox), enforcement));
            }
            Err(why) => why,
        };
        let found = match self.first {
            Layer::Bubblewrap | Layer::Landlock => Landlock::find().await,
            Layer::Seatbelt => Err(SandboxError::LeftOut),
        };
        match found {
            Ok(landlock) => {
                let enforcement = landlock.enforcement(program, &self.shown, &self.work, &self.policy, &why);
                Ok((Way::Landlock(landlock), enforcement))
            }
            Err(error) => self.without_sandbox(both(&why, &error), program),
        }
    }

    fn without_sandbox(&self, reason: Message, program: &str) -> Result<(Way, Enforcement), ToolError> {
        match self.policy.mode {
            SandboxMode::Require => Err(refused(&reason)),
            SandboxMode::Prefer | SandboxMode::Off => {
                Ok((Way::Open, Enforcement::none(reason, script::on_path(program))))
            }
        }
    }

    /// A script that is in no skill, as those of inline skills do, is shown itself.
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

/// The sandbox that a program uses.
enum Way {
    Bubblewrap(Sandbox),
    Landlock(Landlock),
    Seatbelt(Seatbelt),
    /// With the user's rights.
    Open,
}

/// This machine's sandbox, after it has proved that it works; else why there is none.
pub async fn layer() -> Result<Layer, Message> {
    if cfg!(target_os = "macos") {
        return Seatbelt::find().await.map(|_| Layer::Seatbelt).map_err(|error| error.worded());
    }
    match Sandbox::find().await {
        Ok(_) => Ok(Layer::Bubblewrap),
        Err(why) => Landlock::find().await.map(|_| Layer::Landlock).map_err(|error| both(&why, &error)),
    }
}

/// Why there is neither.
fn both(bubblewrap: &SandboxError, landlock: &SandboxError) -> Message {
    let (first, second) = (bubblewrap.worded(), landlock.worded());
    if first == second {
        return first;
    }
    message!("{first}; Landlock: {second}", "{first}；Landlock：{second}"; first, second)
}
/// As scripts name them.
const PYTHONS: [&str; 2] = ["python3", "python"];

/// Below a Python environment.
const VENV_PYTHON: &str = if cfg!(windows) { "Scripts/python.exe" } else { "bin/python3" };

/// Whether what runs can find folders at neutral paths on this machine; `Err`: why not.
pub async fn shows_neutral_paths() -> Result<(), Message> {
    Sandbox::find().await.map(drop).map_err(|error| not_neutral(Some(&error.worded())))
}

/// Why nothing runs at neutral paths. `reason`: why there is no bubblewrap.
fn not_neutral(reason: Option<&Message>) -> Message {
    let why = reason.map(|reason| message!(": {reason}", "：{reason}"; reason)).unwrap_or_default();
    message!(
        "scripts and commands would find the real paths, since only bubblewrap shows folders at neutral ones, so nothing is \
         run{why}",
        "只有 bubblewrap 能把文件夹显示在中性路径上，否则脚本和命令会看到真实路径，因此没有运行任何东西{why}";
        why
    )
}

/// The error for the call.
fn refused(reason: &Message) -> ToolError {
    ToolError::NoSandbox(message!(
        "a sandbox is required and there is none, so nothing was run: {reason}",
        "要求使用沙箱，但没有沙箱，因此没有运行任何东西：{reason}";
        reason
    ))
}

/// The folders of a run's skills.
pub fn folders<'a>(skills: impl IntoIterator<Item = Option<&'a Utf8Path>>) -> Vec<Utf8PathBuf> {
    skills.into_iter().flatten().map(Utf8Path::to_owned).collect()
}
