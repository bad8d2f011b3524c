use std::sync::LazyLock;

use regex::Regex;

use crate::analysis::context;
use crate::pattern::{Match, Pattern, Patterns, Scope};
use crate::rules::links::http_url;
use crate::{Check, Deed, Example, Group, Mark, Rule};
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "suspicious-url",
    group: Group::Security,
    severity: Severity::Warning,
    on: false,
    title: Wording::new("Address that hides who is behind it", "可疑网址"),
    what: Wording::new(
        "Addresses of webhooks for catching requests, tunnels, paste sites and shorteners, and of public IP numbers. Local and documentation addresses are not reported.",
        "接收请求的 webhook、隧道、文本分享站点和短链接的地址，以及公网 IP 地址。本地地址和文档示例地址不报告。",
    ),
    why: Wording::new(
        "Nobody can tell who answers there, today or tomorrow; stolen data commonly ends up there.",
        "没人知道那里今天或明天是谁在应答；被盗的数据往往流向这类地址。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Get the list from http://45.13.7.21/list.txt.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Get the list from http://192.168.1.10/list.txt or http://127.0.0.1:8080.
",
    )]),
    hides: &[&http_url::RULE],
    marks: &[Mark::Evidence(Deed::Fetches)],
    source: "cisco-ai-skill-scanner CONFIG_SUSPICIOUS_URL",
    fix: None,
    check: Check::Pattern(Patterns {
        scope: Scope::All,
        patterns: PATTERNS,
        unless: Some(is_fine),
        milder: Some(|found| context::warned_of(found).or_else(|| only_linked(found))),
    }),
};

const PATTERNS: &[Pattern] = &[
    Pattern {
        expression: r#"(?i)https?://(?:webhook\.site/[a-z0-9-]{6,}|[a-z0-9-]+\.(?:ngrok\.io|ngrok-free\.app|trycloudflare\.com|burpcollaborator\.net|oast\.(?:pro|live|site|online|fun|me)|interact\.sh|m\.pipedream\.net|requestcatcher\.com|free\.beeceptor\.com|serveo\.net)|(?:www\.)?(?:requestbin\.[a-z]+|hookbin\.com)/[a-z0-9]+)[^\s"\'`)>\]]*"#,
        lines: 0,
        message: Wording::new(
            "`{}` can be anybody's: name a host that is known",
            "`{}` 可能属于任何人，请写明一个已知的主机",
        ),
    },
    Pattern {
        expression: r#"(?i)https?://(?:pastebin\.com/raw/[a-z0-9]+|paste\.ee/r/[a-z0-9]+|transfer\.sh/[a-z0-9]+|0x0\.st/[a-z0-9.]+|termbin\.com/[a-z0-9]+|hastebin\.com/raw/[a-z0-9]+|rentry\.co/[a-z0-9]+(?:/raw)?|file\.io/[a-z0-9]+)"#,
        lines: 0,
        message: Wording::new(
            "`{}` can be anybody's: put the file into the skill",
            "`{}` 可能属于任何人，请把文件放进技能",
        ),
    },
    Pattern {
        expression: r#"(?i)https?://(?:bit\.ly|tinyurl\.com|is\.gd|rb\.gy|cutt\.ly|shorturl\.at)/[a-z0-9]+"#,
        lines: 0,
        message: Wording::new(
            "`{}` hides where it leads: write the address itself",
            "`{}` 隐藏了真实去向，请直接写出地址",
        ),
    },
    Pattern {
        expression: r#"(?i)https?://(?:[0-9]{1,3}\.){3}[0-9]{1,3}(?::[0-9]+)?(?:/[^\s"\'`)>\]]*)?"#,
        lines: 0,
        message: Wording::new("`{}` has no name to trust: name a host", "`{}` 没有可供信任的域名，请写明主机名"),
    },
    Pattern {
        expression: r#"(?i)https?://discord(?:app)?\.com/api/webhooks/[0-9]{17,20}/[A-Za-z0-9_-]{60,}"#,
        lines: 0,
        message: Wording::new(
            "`{}` sends into a chat: read the address from the environment",
            "`{}` 会发送到聊天，请从环境变量读取地址",
        ),
    },
];

fn is_fine(found: &Match<'_>) -> bool {
    context::is_comment(found) || is_near(found.text) || is_placeholder(found.text)
}

/// `https://your-tunnel.ngrok.io`: a placeholder for the reader's own name.
fn is_placeholder(address: &str) -> bool {
    let host = address.split("//").nth(1).unwrap_or_default().split('/').next().unwrap_or_default();
    let label = host.split('.').next().unwrap_or_default().to_ascii_lowercase();
    let is_own = |word: &str| {
        matches!(
            word,
            "your" | "my" | "example" | "xxxx" | "xxx" | "placeholder" | "abc" | "abc123" | "random" | "foo" | "some"
        )
    };
    host.split('.').count() > 2 && label.split(['-', '_']).any(is_own)
}

/// Local, private, shared, link-local and documentation addresses, and numbers that are none.
fn is_near(address: &str) -> bool {
    let host = address.split("//").nth(1).unwrap_or_default().split(['/', ':']).next().unwrap_or_default();
    let parts: Vec<&str> = host.split('.').collect();
    let numbers: Vec<u8> = parts.iter().filter_map(|part| part.parse().ok()).collect();
    if !parts.iter().all(|part| part.bytes().all(|byte| byte.is_ascii_digit())) {
        return false;
    }
    match numbers[..] {
        [0 | 10 | 127 | 224.., ..]
        | [192, 168, ..]
        | [169, 254, ..]
        | [172, 16..=31, ..]
        | [100, 64..=127, ..]
        | [192, 0, 2, _]
        | [198, 51, 100, _]
        | [203, 0, 113, _]
        | [1, 1, 1, 1]
        | [8, 8, 8 | 4, 8 | 4]
        | [1, 2, 3, 4] => true,
        [_, _, _, _] => false,
        _ => true,
    }
}

/// An address that nothing around it fetches from or sends to: a link for readers, a value in an example.
fn only_linked(found: &Match<'_>) -> Option<Wording> {
    let begins = found.before.rsplit("\n\n").next().unwrap_or_default();
    let rest = found.after.lines().next().unwrap_or_default();
    let is_used = found.is_run && context::is_script(found.path) || USED.is_match(&format!("{begins}{rest}"));
    (!is_used).then_some(Wording::new("nothing fetches it or sends to it here", "这里没有从它获取或向它发送内容"))
}

/// What fetches, sends or tells the agent to.
static USED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?i)\b(?:curl|wget|invoke-webrequest|irm|iwr|fetch\w*|requests?|axios|urlopen|urllib|httpx|post\w*|put|send\w*|upload\w*|submit\w*|report|forward\w*|exfiltrat\w*|download\w*|get|load\w*|read|open|visit|navigate|install\w*|clone)\b|发送|上传|下载|获取|读取|访问|提交",
    )
    .expect("a test compiles it")
});
