//! What a call of another program discloses of a skill, found from the tool and its arguments if the tool is known.

use serde_json::Value;

use harness::Disclosure;
use model::ToolCall;

pub fn disclosed(call: &ToolCall) -> Disclosure {
    let arguments: Value = serde_json::from_str(&call.arguments).unwrap_or_default();
    let arguments = &arguments;
    let name = call.name.rsplit(['.', '/']).next().unwrap_or_default();
    let name = name.rsplit("__").next().unwrap_or_default().to_lowercase().replace(['-', ' '], "_");
    if LOADS.contains(&name.as_str()) {
        return named(arguments, &SKILL).map_or(Disclosure::None, |skill| Disclosure::Instructions { skill });
    }
    if READS_RESOURCE.contains(&name.as_str()) {
        let resource = named(arguments, &["resourceName", "resource_name", "resource", "path", "file"]);
        return match (named(arguments, &SKILL), resource) {
            (Some(skill), Some(resource)) => Disclosure::Resource { skill, resource },
            _ => Disclosure::None,
        };
    }
    if RUNS_SCRIPT.contains(&name.as_str()) {
        let script = named(arguments, &["scriptName", "script_name", "script", "path"]);
        return match (named(arguments, &SKILL), script) {
            (Some(skill), Some(script)) => Disclosure::Script { skill, script },
            _ => Disclosure::None,
        };
    }
    if READS_FILE.contains(&name.as_str()) {
        let path =
            named(arguments, &["file_path", "path", "filename", "file", "target_file", "AbsolutePath", "filePath"]);
        return path.map_or(Disclosure::None, |path| of_path(&path));
    }
    if SHELLS.contains(&name.as_str()) {
        return of_command(&command(arguments));
    }
    Disclosure::None
}

const LOADS: [&str; 6] = ["skill", "load_skill", "activate_skill", "use_skill", "read_skill", "get_skill"];
const READS_RESOURCE: [&str; 3] = ["read_skill_resource", "load_skill_resource", "read_skill_file"];
const RUNS_SCRIPT: [&str; 3] = ["run_skill_script", "execute_skill_script", "run_script"];
const READS_FILE: [&str; 9] = [
    "read",
    "read_file",
    "view",
    "view_file",
    "cat",
    "fs_read",
    "open_file",
    "str_replace_based_edit_tool",
    "text_editor",
];
const SHELLS: [&str; 12] = [
    "bash",
    "shell",
    "sh",
    "exec",
    "exec_command",
    "shell_command",
    "local_shell",
    "run_command",
    "execute_command",
    "run_shell_command",
    "run_terminal_cmd",
    "terminal",
];
const SKILL: [&str; 6] = ["skill", "skillName", "skill_name", "name", "command", "skill_id"];
/// Commands that print a file.
const PRINTS: [&str; 10] = ["cat", "bat", "head", "tail", "less", "more", "sed", "type", "Get-Content", "nl"];

fn named(arguments: &Value, keys: &[&str]) -> Option<String> {
    let found = keys.iter().find_map(|key| arguments[*key].as_str())?.trim();
    (!found.is_empty()).then(|| found.to_owned())
}

fn command(arguments: &Value) -> String {
    match ["command", "cmd", "script", "input"].iter().map(|key| &arguments[*key]).find(|value| !value.is_null()) {
        Some(Value::String(command)) => command.clone(),
        Some(Value::Array(words)) => words.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" "),
        _ => String::new(),
    }
}

/// The first path of a skill in a command line. A command that only prints reads a file; any other command that names a
/// script runs it.
fn of_command(command: &str) -> Disclosure {
    let words = || command.split(|sign: char| sign.is_whitespace() || "'\"|;&<>()`".contains(sign));
    let prints = words().any(|word| PRINTS.contains(&word.rsplit('/').next().unwrap_or_default()));
    for word in words() {
        match (of_path(word), prints) {
            (Disclosure::None, _) => {}
            (Disclosure::Resource { skill, resource }, false) => {
                return match resource.starts_with("scripts/") {
                    true => Disclosure::Script { skill, script: resource },
                    false => Disclosure::None,
                };
            }
            (Disclosure::Instructions { .. }, false) => {}
            (found, _) => return found,
        }
    }
    Disclosure::None
}

/// `…/NAME/SKILL.md` are instructions, and what is below a folder `skills/NAME` is a file of that skill.
fn of_path(path: &str) -> Disclosure {
    let parts: Vec<&str> = path.split(['/', '\\']).filter(|part| !part.is_empty() && *part != ".").collect();
    if let [.., skill, "SKILL.md" | "skill.md"] = parts[..]
        && !skill.is_empty()
    {
        return Disclosure::Instructions { skill: skill.to_owned() };
    }
    let skills = parts.iter().rposition(|part| *part == "skills");
    match skills.map(|place| &parts[place + 1..]) {
        Some([skill, rest @ ..]) if !rest.is_empty() => {
            Disclosure::Resource { skill: (*skill).to_owned(), resource: rest.join("/") }
        }
        _ => Disclosure::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str, arguments: &str) -> Disclosure {
        disclosed(&ToolCall::new("c", name, arguments))
    }

    #[test]
    fn known_tools_disclose_what_their_arguments_name() {
        let instructions = Disclosure::Instructions { skill: "pdf".into() };
        for (name, arguments) in [
            ("Skill", r#"{"skill":"pdf"}"#),
            ("Skill", r#"{"command":"pdf"}"#),
            ("load_skill", r#"{"skillName":"pdf"}"#),
            ("activate_skill", r#"{"name":"pdf"}"#),
            ("mcp__skills__load_skill", r#"{"skill_name":"pdf"}"#),
            ("functions.load_skill", r#"{"name":"pdf"}"#),
            ("Read", r#"{"file_path":"/home/me/.claude/skills/pdf/SKILL.md"}"#),
            ("read_file", r#"{"path":"C:\\skills\\pdf\\SKILL.md"}"#),
            ("shell", r#"{"command":["bash","-lc","cat ~/.codex/skills/pdf/SKILL.md"]}"#),
            ("exec_command", r#"{"cmd":"sed -n 1,80p skills/pdf/SKILL.md"}"#),
        ] {
            assert_eq!(of(name, arguments), instructions, "{name} {arguments}");
        }
        let resource = Disclosure::Resource { skill: "pdf".into(), resource: "references/forms.md".into() };
        for (name, arguments) in [
            ("read_skill_resource", r#"{"skillName":"pdf","resourceName":"references/forms.md"}"#),
            ("Read", r#"{"file_path":"/x/skills/pdf/references/forms.md"}"#),
            ("Bash", r#"{"command":"head -5 ./skills/pdf/references/forms.md"}"#),
        ] {
            assert_eq!(of(name, arguments), resource, "{name} {arguments}");
        }
        let script = Disclosure::Script { skill: "pdf".into(), script: "scripts/fill.py".into() };
        for (name, arguments) in [
            ("run_skill_script", r#"{"skillName":"pdf","scriptName":"scripts/fill.py"}"#),
            ("Bash", r#"{"command":"python3 /x/skills/pdf/scripts/fill.py --all"}"#),
        ] {
            assert_eq!(of(name, arguments), script, "{name} {arguments}");
        }
        for (name, arguments) in [
            ("Skill", "{"),
            ("Skill", "{}"),
            ("get_weather", r#"{"name":"pdf"}"#),
            ("Read", r#"{"file_path":"/x/README.md"}"#),
            ("Bash", r#"{"command":"ls skills/pdf"}"#),
            ("Bash", r#"{"command":"rm skills/pdf/SKILL.md"}"#),
        ] {
            assert_eq!(of(name, arguments), Disclosure::None, "{name} {arguments}");
        }
    }
}
