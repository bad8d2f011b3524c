//! `UnixCommandValidator`: which commands the shell tool of the seed runs without a callback that allows more.

/// Of `codeExecution().withShell()`, in the order of a hash table.
const COMMANDS: [&str; 4] = ["python3", "node", "python", "nodejs"];

/// The tool's description. `folder`: where commands run, if the application sets it.
pub fn description(folder: Option<&str>) -> String {
    let place = folder.map_or_else(String::new, |folder| {
        format!(
            " WORKING DIRECTORY: The command will be executed in the directory: {folder}. All relative paths in the \
             command will be resolved from this directory."
        )
    });
    format!(
        "Execute a shell command with security validation and return the result.{place} ALLOWED COMMANDS WHITELIST: \
         [{}]. Only these commands can be executed directly. Commands are validated against the whitelist (if \
         configured). Non-whitelisted commands require user approval via callback. Multiple command separators (&, |, \
         ;) are detected and blocked for security. Returns output in format: \
         <returncode>code</returncode><stdout>output</stdout><stderr>error</stderr>. If command is rejected, \
         returncode will be -1 with SecurityError in stderr.",
        COMMANDS.join(", ")
    )
}

/// Why a command is not run; `None` if it is.
pub fn refusal(command: &str) -> Option<String> {
    let program = program(command);
    if has_separators(command) {
        return Some("Command contains multiple command separators (&, |, ;, newline)".into());
    }
    if let Some(path) = program.strip_prefix("./") {
        return (!stays_below(path)).then(|| format!("Command '{program}' escapes current directory"));
    }
    (!COMMANDS.contains(&program)).then(|| format!("Command '{program}' is not in the allowed whitelist"))
}

/// The first word, which may be quoted, without the ending of a script.
fn program(command: &str) -> &str {
    let trimmed = command.trim_matches(|letter| letter <= ' ');
    let quoted = ['"', '\''].into_iter().find_map(|quote| trimmed.strip_prefix(quote)?.split_once(quote));
    let word = match quoted {
        Some((word, _)) => word,
        None => match trimmed.find([' ', '\t']) {
            Some(end) if end > 0 => &trimmed[..end],
            Some(_) | None => trimmed,
        },
    };
    let is_script = [".sh", ".py", ".rb", ".pl", ".bash", ".zsh"].iter().any(|ending| word.ends_with(ending));
    match word.rfind('.') {
        Some(dot) if is_script && dot > 0 => &word[..dot],
        Some(_) | None => word,
    }
}

fn has_separators(command: &str) -> bool {
    let (mut single, mut double, mut escaped) = (false, false, false);
    for letter in command.chars() {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\'' if !double => single = !single,
            '"' if !single => double = !double,
            '&' | '|' | ';' | '\n' if !single && !double => return true,
            _ => {}
        }
    }
    false
}

fn stays_below(path: &str) -> bool {
    let path = path.replace('\\', "/");
    let mut depth = 0i32;
    for part in path.split('/') {
        depth += match part {
            "" | "." => 0,
            ".." => -1,
            _ => 1,
        };
        if depth < 0 {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_listed_programs_one_at_a_time() {
        for command in ["python3 a.py --x 1", "node a.js", "'python' a.py", "./scripts/run.sh", "python3 -c 'a; b | c'"]
        {
            assert_eq!(refusal(command), None, "{command}");
        }
        let refused = |command: &str| refusal(command).unwrap();
        assert_eq!(refused("ls scripts"), "Command 'ls' is not in the allowed whitelist");
        assert_eq!(refused("/skills/a/run.sh 1"), "Command '/skills/a/run' is not in the allowed whitelist");
        assert_eq!(refused(""), "Command '' is not in the allowed whitelist");
        assert_eq!(refused("./a/../../b.sh"), "Command './a/../../b' escapes current directory");
        for command in ["python3 a.py && ls", "python3 a.py; ls", "python3 a.py | wc", "python3 a.py\nls"] {
            assert_eq!(refused(command), "Command contains multiple command separators (&, |, ;, newline)");
        }
    }
}
