//! Scripts and commands: whether they parse, whether commands fit scripts, what scripts need and how they behave.

pub mod env_var_undocumented;
pub mod failure_exits_zero;
pub mod fence_does_not_parse;
pub mod flag_not_accepted_by_script;
pub mod hard_coded_path;
pub mod help_asks;
pub mod help_fails;
pub mod help_hangs;
pub mod help_too_long;
pub mod help_writes_files;
pub mod interactive_input;
pub mod mcp_tool_unqualified;
pub mod missing_shebang;
pub mod network_host_undeclared;
pub mod no_distinct_exit_codes;
pub mod no_help;
pub mod no_set_e;
pub mod not_executable;
pub mod required_flag_missing_in_command;
pub mod script_path_wrong_root;
pub mod stdout_mixed_diagnostics;
pub mod syntax_data_file;
pub mod syntax_js;
pub mod syntax_python;
pub mod syntax_shell;
pub mod table_rows_uneven;
#[cfg(test)]
mod tests;
pub mod unbounded_output;
pub mod undeclared_binary;
pub mod undeclared_import;
pub mod unpinned_dependency;
pub mod unpinned_runner;
pub mod writes_outside_workdir;

use std::collections::HashMap;

use camino::Utf8Path;

use crate::Subject;
use crate::code::{Code, Language};
use crate::probe::Probe;
use skill::SkillFile;
use skill::source::Span;

/// Findings of one kind in one file; further ones say nothing new.
const MOST: usize = 20;

/// Scripts that a shell fence runs by their paths alone: for each, by its path in the skill's folder, the first document
/// that does, and where.
fn run_by_themselves<'c>(code: &'c Code<'_>) -> HashMap<&'c str, (&'c Utf8Path, Span)> {
    let mut found = HashMap::new();
    for document in &code.documents {
        let commands = document.commands.iter().filter(|command| command.in_shell);
        for call in commands.filter_map(|command| command.invocation(code)).filter(|call| call.direct) {
            // A bare name is searched on the `PATH`, or just names the script.
            if !call.path.text.contains('/') {
                continue;
            }
            found.entry(call.script.file.name.as_str()).or_insert((document.path, call.path.span));
        }
    }
    found
}

/// What runs a script on most machines.
fn interpreter(language: Language) -> &'static str {
    match language {
        Language::Python => "python3",
        Language::JavaScript => "node",
        Language::TypeScript => "tsx",
        _ => "bash",
    }
}

/// The scripts that were asked for help, and what they did.
fn probed<'a>(skill: &Subject<'a>) -> impl Iterator<Item = (&'a SkillFile, &'a Probe)> {
    let probes = &skill.options.probes;
    skill.skill.files.iter().filter_map(|file| Some((file, probes.get(&file.path)?)))
}
