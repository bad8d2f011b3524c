//! Permissions and restrictions that a policy gives to programs.

use std::net::TcpListener;
use std::time::Duration;

use camino::Utf8PathBuf;

use super::has_sandbox;
use crate::tool::ToolError;
use crate::tool::room::Room;
use crate::tool::script::{Program, Script};
use config::{Network, Policy, ProcessLimits, SandboxMode};
use harness::ScriptOutput;
use trace::{Enforcement, Layer, Measure};

/// A skill and the folder of a run, readable for scripts if the tests run as root.
struct Bench {
    _folder: tempfile::TempDir,
    base: Utf8PathBuf,
}

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        #[cfg(unix)]
        std::fs::set_permissions(folder.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        let base = Utf8PathBuf::try_from(folder.path().canonicalize().unwrap()).unwrap();
        ["skill", "work"].iter().for_each(|name| std::fs::create_dir(base.join(name)).unwrap());
        Self { _folder: folder, base }
    }

    async fn run(
        &self,
        policy: Policy,
        interpreter: &str,
        text: &str,
    ) -> Result<(ScriptOutput, Enforcement), ToolError> {
        self.run_from(Layer::Bubblewrap, policy, interpreter, text).await
    }

    async fn run_from(
        &self,
        first: Layer,
        policy: Policy,
        interpreter: &str,
        text: &str,
    ) -> Result<(ScriptOutput, Enforcement), ToolError> {
        let (path, work) = (self.base.join("skill/script"), self.base.join("work"));
        std::fs::write(&path, text).unwrap();
        let script = Script {
            program: Program::File { interpreter: interpreter.into(), path, arguments: Vec::new() },
            working_directory: work.clone(),
            time: Duration::from_secs(60),
            output_bytes: 1 << 16,
            withheld: Vec::new(),
        };
        Room::new(policy, vec![self.base.join("skill")], work).starting_with(first).run(&script).await
    }
}

#[tokio::test]
async fn the_network_is_there_only_if_the_user_allows_it() {
    if !has_sandbox().await {
        return;
    }
    let bench = Bench::new();
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    let text = format!("(exec 3<>/dev/tcp/127.0.0.1/{port}) 2>/dev/null && echo connected || echo alone");
    for (network, said) in [(Network::Denied, "alone\n"), (Network::Allowed, "connected\n")] {
        let policy = Policy { mode: SandboxMode::Require, network, ..Policy::default() };
        let (output, enforcement) = bench.run(policy, "bash", &text).await.unwrap();
        assert_eq!(output.stdout, said, "{output:?}");
        assert_eq!(enforcement.missing.contains(&Measure::Network), network == Network::Allowed);
    }
}

#[tokio::test]
async fn with_the_network_the_sockets_of_other_programs_stay_shut() {
    if !has_sandbox().await {
        return;
    }
    let text = "import socket\ntry:\n    socket.socket(socket.AF_UNIX)\n    print('open')\nexcept OSError:\n    print('shut')\n";
    let policy = Policy { mode: SandboxMode::Require, network: Network::Allowed, ..Policy::default() };
    let (output, _) = Bench::new().run(policy, "python3", text).await.unwrap();
    assert_eq!(output.stdout, "shut\n", "{output:?}");
}

#[tokio::test]
async fn what_fills_the_folder_of_the_run_is_stopped() {
    let bench = Bench::new();
    let limits = ProcessLimits { folder_mb: 1, ..ProcessLimits::default() };
    let policy = Policy { limits, ..Policy::default() };
    let fill = "head -c 1500000 /dev/zero > one; head -c 1500000 /dev/zero > two; sleep 300";
    let full = bench.run(policy.clone(), "sh", fill).await.unwrap_err();
    assert!(matches!(full, ToolError::Full { limit: 1, .. }), "{full}");
    let again = bench.run(policy, "sh", "echo ran").await.unwrap_err();
    assert!(matches!(again, ToolError::Full { .. }), "nothing more runs: {again}");
}

#[cfg(unix)]
#[tokio::test]
async fn python_scripts_have_the_packages_of_the_projects_environment() {
    let bench = Bench::new();
    let venv = bench.base.join("venv");
    let version = "import sys; print('python%d.%d' % sys.version_info[:2])";
    let version = std::process::Command::new("python3").args(["-c", version]).output().unwrap();
    let version = String::from_utf8(version.stdout).unwrap();
    let packages = venv.join("lib").join(version.trim()).join("site-packages");
    std::fs::create_dir_all(&packages).unwrap();
    std::fs::create_dir(venv.join("bin")).unwrap();
    std::fs::write(venv.join("pyvenv.cfg"), "home = /usr/bin\ninclude-system-site-packages = false\n").unwrap();
    let python = std::fs::canonicalize("/usr/bin/python3").unwrap();
    std::os::unix::fs::symlink(python, venv.join("bin/python3")).unwrap();
    std::fs::write(packages.join("own.py"), "NAME = 'own package'").unwrap();
    let text = "import own; print(own.NAME)";
    let with = Policy { venv: Some(venv.to_string()), ..Policy::default() };
    let (output, enforcement) = bench.run(with, "python3", text).await.unwrap();
    assert_eq!(output.stdout, "own package\n", "{output:?}");
    assert_eq!(enforcement.interpreter, Some(venv.join("bin/python3")));
    let (without, _) = bench.run(Policy::default(), "python3", text).await.unwrap();
    assert_eq!(without.exit_code, Some(1), "{without:?}");
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn without_any_sandbox_what_is_required_is_refused_and_what_is_preferred_says_so() {
    let bench = Bench::new();
    let text = "echo ran > made";
    for (mode, runs) in [(SandboxMode::Require, false), (SandboxMode::Prefer, true)] {
        let policy = Policy { mode, ..Policy::default() };
        let came = bench.run_from(Layer::Seatbelt, policy, "bash", text).await;
        assert_eq!((came.is_ok(), bench.base.join("work/made").exists()), (runs, runs), "{came:?}");
        match came {
            Ok((_, enforcement)) => assert_eq!((enforcement.layer, enforcement.reason.is_some()), (None, true)),
            Err(error) => assert_eq!(
                error.to_string(),
                "a sandbox is required and there is none, so nothing was run: bubblewrap was left out"
            ),
        }
    }
}
