//! How a match is meant: done, or only spoken of. Skills that teach security quote attacks; they do no harm by it.

use camino::Utf8Path;

use crate::lint::pattern::Match;

/// A phrase that is quoted, shown as code, or warned of.
pub fn is_mentioned(found: &Match<'_>) -> bool {
    found.in_code || is_quoted(found.before) || is_warned_of(found)
}

/// A command that is not run: a comment, a text about attacks, a string that a script only looks for.
pub fn is_only_shown(found: &Match<'_>) -> bool {
    if is_script(found.path) {
        return is_comment(found) || (!is_shell(found.path) && is_quoted(found.before) && !runs(found.line));
    }
    is_warned_of(found)
}

/// A call that is not made: a comment, or a string that a script looks for.
pub fn is_not_done(found: &Match<'_>) -> bool {
    is_comment(found) || is_quoted(found.before)
}

/// A match in a comment of a script.
pub fn is_comment(found: &Match<'_>) -> bool {
    let start = last_line(found.before).trim_start();
    is_script(found.path) && ["#", "//", "*", "/*", "--", "REM ", "\"\"\""].iter().any(|mark| start.starts_with(mark))
}

/// Whether the text before a place leaves a quote open in its line.
pub fn is_quoted(before: &str) -> bool {
    let line = last_line(before);
    let odd = |mark: char| line.matches(mark).count() % 2 == 1;
    odd('"')
        || odd('`')
        || line.ends_with('\'')
        || PAIRS.iter().any(|(open, close)| line.rfind(*open) > line.rfind(*close))
}

const PAIRS: [(char, char); 5] = [('“', '”'), ('‘', '’'), ('「', '」'), ('『', '』'), ('《', '》')];

/// Words nearby say that this is an attack or forbidden.
pub fn is_warned_of(found: &Match<'_>) -> bool {
    let near = format!("{}{}", found.before, after(found)).to_lowercase();
    let sentence =
        found.before.rsplit(['\n', '.', '。', '!', '！', ';', '；']).next().unwrap_or_default().to_lowercase();
    let heading = found.before.lines().rev().find(|line| line.starts_with('#')).unwrap_or_default().to_lowercase();
    ABOUT_ATTACKS.iter().any(|word| near.contains(word))
        || FORBIDDING.iter().any(|word| sentence.contains(word) || heading.contains(word))
}

/// Tools whose makers tell people to install them so.
pub fn is_known_installer(command: &str) -> bool {
    KNOWN_INSTALLERS.iter().any(|address| command.contains(address))
}

/// An address that anybody on the way can answer for: no TLS, a number, a shortener, a paste.
pub fn has_open_address(command: &str) -> bool {
    let local = ["localhost", "127.0.0.1", "0.0.0.0", "192.168.", "10."];
    let hosts = command.split("://").skip(1).map(|rest| rest.split(['/', ' ', '"', '\'']).next().unwrap_or_default());
    let plain = command.contains("http://");
    let strangers = ["bit.ly", "tinyurl.com", "is.gd", "pastebin.com", "transfer.sh", "paste.ee", "rentry.co"];
    hosts.into_iter().any(|host| {
        let is_number = host.starts_with(|first: char| first.is_ascii_digit())
            && host.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b':'));
        !local.iter().any(|near| host.starts_with(near)) && (plain || is_number || strangers.contains(&host))
    })
}

pub fn is_script(path: &Utf8Path) -> bool {
    is_shell(path)
        || matches!(extension(path).as_str(), "py" | "js" | "mjs" | "cjs" | "ts" | "rb" | "pl" | "php" | "ps1")
}

pub fn is_shell(path: &Utf8Path) -> bool {
    matches!(extension(path).as_str(), "sh" | "bash" | "zsh" | "bat" | "cmd" | "ps1" | "command")
        || (path.extension().is_none() && path.parent().is_some_and(|folder| folder.ends_with("scripts")))
}

pub fn extension(path: &Utf8Path) -> String {
    path.extension().unwrap_or_default().to_ascii_lowercase()
}

const ABOUT_ATTACKS: [&str; 34] = [
    "attack",
    "injection",
    "malicious",
    "adversar",
    "jailbreak",
    "red flag",
    "red team",
    "untrusted",
    "suspicious",
    "dangerous",
    "destructive",
    "exploit",
    "vulnerab",
    "threat",
    "malware",
    "phishing",
    "deny list",
    "denylist",
    "blocklist",
    "forbidden",
    "prohibited",
    "reverse shell",
    "reverse-shell",
    "sanitiz",
    "攻击",
    "注入",
    "恶意",
    "越狱",
    "危险",
    "漏洞",
    "可疑",
    "不可信",
    "禁止",
    "黑名单",
];

const FORBIDDING: [&str; 32] = [
    "never ",
    "do not ",
    "don't ",
    "don’t ",
    "must not ",
    "should not ",
    "cannot ",
    "avoid",
    "refuse",
    "reject",
    "detect",
    "block",
    "warn",
    "such as",
    "for example",
    "e.g.",
    "instead of",
    "rather than",
    "attempts to",
    "tries to",
    "asks you to",
    "tells you to",
    "bad:",
    "wrong:",
    "切勿",
    "不要",
    "不得",
    "拒绝",
    "避免",
    "警惕",
    "例如",
    "检测",
];

/// The rest of the lines that the match is in.
fn after<'a>(found: &Match<'a>) -> &'a str {
    let rest = found.line.rsplit_once(found.text).map_or("", |(_, rest)| rest);
    &rest[..rest.floor_char_boundary(AFTER)]
}

const AFTER: usize = 200;

fn last_line(text: &str) -> &str {
    text.rsplit('\n').next().unwrap_or_default()
}

/// The line hands a string to a shell or an interpreter.
fn runs(line: &str) -> bool {
    ["system(", "popen(", "Popen(", "run(", "call(", "check_output(", "exec", "spawn", "eval(", "shell("]
        .iter()
        .any(|call| line.contains(call))
}

const KNOWN_INSTALLERS: [&str; 27] = [
    "https://aliyuncli.alicdn.com/",
    "https://astral.sh/",
    "https://sh.rustup.rs",
    "https://get.docker.com",
    "https://bun.sh/install",
    "https://bun.com/install",
    "https://deno.land/install.sh",
    "https://deno.land/x/install",
    "https://install.python-poetry.org",
    "https://raw.githubusercontent.com/nvm-sh/nvm/",
    "https://raw.githubusercontent.com/Homebrew/install/",
    "https://raw.githubusercontent.com/helm/helm/",
    "https://raw.githubusercontent.com/pyenv/",
    "https://pyenv.run",
    "https://ollama.com/install.sh",
    "https://claude.ai/install.sh",
    "https://get.pnpm.io/",
    "https://deb.nodesource.com/",
    "https://bootstrap.pypa.io/",
    "https://get.k3s.io",
    "https://fly.io/install.sh",
    "https://foundry.paradigm.xyz",
    "https://cli.github.com/",
    "https://sdk.cloud.google.com",
    "https://get.volta.sh",
    "https://mise.run",
    "https://pixi.sh/install.sh",
];
