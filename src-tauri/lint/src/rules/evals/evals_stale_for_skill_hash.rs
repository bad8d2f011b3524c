use super::files;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "evals-stale-for-skill-hash",
    group: Group::Evals,
    severity: Severity::Info,
    on: true,
    title: Wording::new("Results are older than the skill", "评测结果早于技能的当前版本"),
    what: Wording::new(
        "A file of evaluations that names the `SKILL.md` it is about by its hash (`skill_hash` or `skill_sha256`, \
         a SHA-256 in hexadecimal digits, at its top or in `metadata`), and that file has changed since.",
        "评测文件记录了它所针对的 `SKILL.md` 的哈希（`skill_hash` 或 `skill_sha256`，十六进制的 SHA-256，\
         位于顶层或 `metadata` 中），而该文件此后已有改动。",
    ),
    why: Wording::new("The figures are those of a text that is no longer there.", "这些数字属于一份已经不存在的文本。"),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Do it.
",
        ),
        (
            "evals/benchmark.json",
            r#"{"metadata": {"skill_hash": "0000000000000000000000000000000000000000000000000000000000000000"}, "runs": []}
"#,
        ),
    ]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Do it.
",
        ),
        (
            "evals/benchmark.json",
            r#"{"metadata": {"skill_hash": "sha256:95060e1e7729690a60ed405ab1ffacbbbd203607baaa81248fe78d05dac2d542"}, "runs": []}
"#,
        ),
    ]),
    hides: &[],
    marks: &[],
    source: "measurement; the hash is what `shasum -a 256 SKILL.md` prints",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let source = &skill.manifest().source;
    // Then the text differs from the file on disk.
    if source.bom || source.invalid_at.is_some() || source.truncated_from.is_some() {
        return;
    }
    for file in files::all(skill) {
        let tops = [Some(&file.json), file.json.get("metadata")];
        let Some(said) = tops.into_iter().flatten().find_map(|top| KEYS.iter().find_map(|key| top.get(key))) else {
            continue;
        };
        let hash = said.text().unwrap_or_default();
        let hash = hash.strip_prefix("sha256:").unwrap_or(hash);
        let is_hash = hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
        if is_hash && !hash.eq_ignore_ascii_case(&disk::digest(&source.text)) {
            let message = Wording::new(
                "`SKILL.md` has changed since; run the evaluations again",
                "`SKILL.md` 此后有改动；请重新运行评测",
            );
            report.at(&file.file.path, said.span, message);
        }
    }
}

const KEYS: [&str; 4] = ["skill_hash", "skill_sha256", "skillHash", "skillSha256"];
