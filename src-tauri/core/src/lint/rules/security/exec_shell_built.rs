use super::context;
use crate::lint::pattern::{Pattern, Patterns, Scope};
use crate::lint::{Check, Example, Group, Rule};
use crate::skill::Severity;

pub static RULE: Rule = Rule {
    id: "exec-shell-built",
    group: Group::Security,
    severity: Severity::Warning,
    on: true,
    title: "Shell command built from pieces",
    title_zh: "拼接 Shell 命令",
    what: "A command for a shell put together from variables in Python or JavaScript: `os.system(f\"…\")`, \
           `subprocess.run(f\"…\", shell=True)`, ``exec(`… ${x}`)``.",
    why: "A file name with a space breaks it; one with `;` runs as a command.",
    bad: Example::skill(&[
        ("SKILL.md", "---\nname: demo\ndescription: Use when asked for a demo.\n---\nDo it.\n"),
        ("scripts/run.py", "import os\nimport sys\n\nos.system(f\"convert {sys.argv[1]} out.png\")\n"),
    ]),
    good: Example::skill(&[
        ("SKILL.md", "---\nname: demo\ndescription: Use when asked for a demo.\n---\nDo it.\n"),
        (
            "scripts/run.py",
            "import subprocess\nimport sys\n\nsubprocess.run([\"convert\", sys.argv[1], \"out.png\"], check=True)\nsubprocess.run(\"ls | wc -l\", shell=True, check=True)\n",
        ),
    ]),
    source: "cisco-ai-skill-scanner COMMAND_INJECTION_SHELL_TRUE, _OS_SYSTEM, _JS_CHILD_PROCESS",
    fix: None,
    check: Check::Pattern(Patterns { scope: Scope::Code, patterns: PATTERNS, unless: Some(context::is_not_done) }),
};

const PATTERNS: &[Pattern] = &[
    Pattern {
        literals: &["os.system(", "os.popen("],
        expression: r#"os\.(?:system|popen)\(\s*(?:f["\'][^\n]*\{|["\'][^"\'\n]*["\']\s*(?:\+|%)|["\'][^\n]*\.format\()[^\n]*"#,
        lines: 0,
        message: "`{}` breaks on names with spaces and runs what is in them: use `subprocess.run` with a list",
    },
    Pattern {
        literals: &["shell=true"],
        expression: r#"(?-u:\b)(?:run|call|Popen|check_output|check_call)\(\s*(?:f["\'][^\n]*\{|["\'][^"\'\n]*["\']\s*(?:\+|%)|["\'][^\n]*\.format\()[^\n]*shell\s*=\s*True"#,
        lines: 0,
        message: "`{}` breaks on names with spaces and runs what is in them: pass a list, without a shell",
    },
    Pattern {
        literals: &["execsync(", "exec("],
        expression: r#"(?-u:\b)(?:execSync|child_process\.exec|cp\.exec)\(\s*`[^`\n]*\$\{[^\n]*"#,
        lines: 0,
        message: "`{}` breaks on names with spaces and runs what is in them: use `execFile` with a list",
    },
];
