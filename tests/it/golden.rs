//! Every harness against recorded behaviour, as whole values.

mod agent_framework;
mod agent_skills;
mod agentscope;
mod claude_code;
mod codex;
mod deepagents;
mod eino;
mod gemini_cli;
mod learn_claude_code;
mod machine;
mod opencode;
mod play;
mod strands;
mod strands_tools;
mod turns;

use std::fs;
use std::process::Command;

use harness::{Performed, ScriptOutput};
use skillbench_tests::conformance::Suite;

const TABLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/conformance.md");

/// `cargo xtask generate` writes the table instead of comparing it.
#[test]
#[cfg_attr(not(unix), ignore = "some fixtures hold links")]
fn every_recording_is_matched_and_the_table_is_up_to_date() {
    let mut suite = Suite::new();
    agent_framework::compare(&mut suite);
    eino::compare(&mut suite);
    learn_claude_code::compare(&mut suite);
    strands::compare(&mut suite);
    strands_tools::compare(&mut suite);
    agentscope::compare(&mut suite);
    agent_skills::compare(&mut suite);
    claude_code::compare(&mut suite);
    codex::compare(&mut suite);
    deepagents::compare(&mut suite);
    gemini_cli::compare(&mut suite);
    opencode::compare(&mut suite);
    turns::compare(&mut suite);
    let wrong = suite.wrong();
    assert!(wrong.is_empty(), "{} wrong:\n\n{}", wrong.len(), wrong.join("\n\n"));
    if std::env::var_os("SKILLBENCH_GENERATE").is_some() {
        fs::write(TABLE, suite.table()).unwrap();
    }
    assert_eq!(fs::read_to_string(TABLE).unwrap(), suite.table(), "run `cargo xtask generate`");
}

/// The result of a command, however long it took.
fn ran(command: &mut Command) -> Performed {
    let output = command.output().unwrap();
    Performed::Ran(ScriptOutput {
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
        exit_code: output.status.code(),
        timed_out: false,
        truncated: false,
        took: 0,
    })
}
