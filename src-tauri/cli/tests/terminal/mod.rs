//! Starts `skillbench` in tests as a user does.

use std::process::{Command, Stdio};

/// An isolated machine: nothing outside `home` is read or written.
pub struct Terminal {
    pub home: tempfile::TempDir,
}

impl Terminal {
    pub fn new() -> Self {
        Self { home: tempfile::tempdir().unwrap() }
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let program = env!("CARGO_BIN_EXE_skillbench");
        let mut command = Command::new(program);
        if cfg!(target_os = "linux") {
            // As a terminal starts it: in the background, and under `nohup`, some signals are ignored from the start.
            command = Command::new("env");
            command.args(["--default-signal=INT,TERM,HUP", program]);
        }
        command.args(arguments);
        self.isolated(command)
    }

    /// Any command, on this machine, without input and with its output captured.
    pub fn isolated(&self, mut command: Command) -> Command {
        command
            .env("SKILL_WORKBENCH_HOME", self.home.path())
            .env("NO_COLOR", "1")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}
