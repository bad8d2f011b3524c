use crate::analysis::context;
use crate::pattern::{Match, Pattern, Patterns, Scope};
use crate::{Check, Deed, Example, Group, Mark, Rule};
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "protection-off",
    group: Group::Security,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Protection of the machine is switched off", "关闭系统防护"),
    what: Wording::new(
        "Commands that switch off the firewall, the virus scanner, SELinux or Gatekeeper's quarantine, or delete logs and the shell's history.",
        "关闭防火墙、杀毒软件、SELinux 或 Gatekeeper 隔离，或者删除日志和 Shell 历史的命令。",
    ),
    why: Wording::new(
        "The machine stays open after the session; traces of what was done are gone.",
        "会话结束后机器仍然没有防护，所作所为也不留痕迹。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Run this:

```sh
sudo setenforce 0
```
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Run this:

```sh
getenforce
```
",
    )]),
    hides: &[],
    marks: &[Mark::Evidence(Deed::Stays)],
    source: "cisco-ai-skill-scanner TOOL_ABUSE_SYSTEM_MODIFICATION, YARA_system_manipulation_generic",
    fix: None,
    check: Check::Pattern(Patterns {
        scope: Scope::Code,
        patterns: PATTERNS,
        // `$false` switches it on again.
        unless: Some(|found| {
            context::is_comment(found) || found.text.trim_end().to_lowercase().ends_with("monitoring $false")
        }),
        milder: Some(milder),
    }),
};

const PATTERNS: &[Pattern] = &[
    Pattern {
        expression: r#"(?-u:\b)chmod\s+(?:-\w+\s+){0,3}(?:0?777|a\+rwx|ugo\+rwx)\s+(?:/(?:etc|usr|var|bin|lib|root|home|boot)(?:/\S*)?|/)(?:\s|$)"#,
        lines: 0,
        message: Wording::new(
            "`{}` lets everybody change files of the system: take it out",
            "`{}` 让所有人都能修改系统文件，请删除",
        ),
    },
    Pattern {
        expression: r#"(?i)setenforce\s+0|ufw\s+disable|iptables\s+-F(?:\s|$)|csrutil\s+disable|spctl\s+--master-disable|xattr\s+-[a-z]*d[a-z]*\s+com\.apple\.quarantine[^\n]*|Set-MpPreference\s+-DisableRealtimeMonitoring[^\n]*|Add-MpPreference\s+-ExclusionPath[^\n]*"#,
        lines: 0,
        message: Wording::new("`{}` leaves the machine open: take it out", "`{}` 会让机器失去防护，请删除"),
    },
    Pattern {
        expression: r#"history\s+-c(?:\s|$|[;&])|unset\s+HISTFILE|HISTFILE=/dev/null|HISTSIZE=0|rm\s+-[rf]+\s+/var/log\S*"#,
        lines: 0,
        message: Wording::new("`{}` removes the traces of what was done: take it out", "`{}` 会清除操作痕迹，请删除"),
    },
    Pattern {
        expression: r#"NOPASSWD:\s*ALL[^\n]*sudoers|sudoers[^\n]*NOPASSWD:\s*ALL"#,
        lines: 0,
        message: Wording::new(
            "`{}` gives every program the rights of root: take it out",
            "`{}` 会让所有程序拥有 root 权限，请删除",
        ),
    },
];

/// It is less serious in a page that is read on demand, for a single downloaded file, or in a list that serves to find
/// it again.
fn milder(found: &Match<'_>) -> Option<Wording> {
    let of_one_file =
        || (found.text.starts_with("xattr")).then_some(Wording::new("it is about one file", "它只涉及一个文件"));
    let is_listed = found.line.contains("sudoers.d/");
    let of_list = || is_listed.then_some(Wording::new("it has a file of its own", "它有单独的文件"));
    context::only_shown(found).or_else(|| context::in_page(found)).or_else(of_one_file).or_else(of_list)
}
