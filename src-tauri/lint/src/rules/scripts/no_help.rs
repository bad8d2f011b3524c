use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;

pub static RULE: Rule = Rule {
    id: "no-help",
    group: Group::Scripts,
    severity: Severity::Info,
    on: true,
    title: "Script that takes arguments has no --help",
    title_zh: "脚本没有 --help",
    what: "A script that reads its arguments one by one (`sys.argv`, `process.argv`, `$1`) and nowhere has `--help` or a text on its usage.",
    why: "An agent that is unsure asks a script for `--help` first. Without it, it reads the source, which costs tokens, or guesses.",
    bad: Example::skill(&[
        (
            "SKILL.md",
            "---\nname: demo\ndescription: Use when asked for a demo.\n---\nRun `python3 scripts/double.py 4`.\n",
        ),
        ("scripts/double.py", "import sys\n\nprint(2 * int(sys.argv[1]))\n"),
    ]),
    good: Example::skill(&[
        (
            "SKILL.md",
            "---\nname: demo\ndescription: Use when asked for a demo.\n---\nRun `python3 scripts/double.py 4`.\n",
        ),
        (
            "scripts/double.py",
            "import argparse\n\nparser = argparse.ArgumentParser()\nparser.add_argument(\"number\", type=int)\nprint(2 * parser.parse_args().number)\n",
        ),
    ]),
    source: "agentskills.io, using scripts",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for script in skill.code().scripts.iter().filter(|script| script.facts.by_hand && !script.facts.helps) {
        let message = format!("`{}` takes arguments but says nowhere which; add `--help`", script.file.name);
        report.about(&script.file.path, message);
    }
}
