use super::context;
use crate::lint::{Check, Example, Group, Report, Rule, Subject};
use crate::skill::Severity;
use crate::source::Span;

pub static RULE: Rule = Rule {
    id: "undeclared-network",
    group: Group::Security,
    severity: Severity::Info,
    on: true,
    title: "Network use that the text does not mention",
    title_zh: "未声明的网络访问",
    what: "A script that calls a host on the network, in a skill whose `SKILL.md` and guides name neither that \
           host nor anything about the network.",
    why: "Users who work offline or with private data cannot know that it goes out.",
    bad: Example::skill(&[
        ("SKILL.md", "---\nname: demo\ndescription: Use when asked for a demo.\n---\nDo it.\n"),
        ("scripts/run.py", "import requests\n\nprint(requests.get(\"https://zen.acme.io/v2/list\", timeout=9).text)\n"),
    ]),
    good: Example::skill(&[
        (
            "SKILL.md",
            "---\nname: demo\ndescription: Use when asked for a demo.\n---\nRun scripts/run.py; it asks zen.acme.io for the list.\n",
        ),
        ("scripts/run.py", "import requests\n\nprint(requests.get(\"https://zen.acme.io/v2/list\", timeout=9).text)\n"),
    ]),
    source: "cisco-ai-skill-scanner UNDECLARED_NETWORK_DESTINATION",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let mut told: Option<bool> = None;
    for file in &skill.skill.files {
        if !context::is_script(&file.path) {
            continue;
        }
        let Some(text) = skill.read(file) else { continue };
        let Some((span, host)) = called(text.text()) else { continue };
        let is_told = *told.get_or_insert_with(|| speaks_of_network(skill));
        if !is_told && !names(skill, host) {
            let message = format!(
                "this calls `{host}`, and the text does not say that the skill needs the network: say so in `compatibility`"
            );
            report.at(&file.path, span, message);
        }
    }
}

const CALLS: [&str; 14] = [
    "requests.get(",
    "requests.post(",
    "requests.put(",
    "requests.request(",
    "httpx.get(",
    "httpx.post(",
    "urlopen(",
    "urlretrieve(",
    "fetch(",
    "axios.get(",
    "axios.post(",
    "axios(",
    "curl ",
    "wget ",
];
const WORDS: [&str; 24] = [
    "network",
    "internet",
    "online",
    "http",
    " api",
    "api ",
    "download",
    "upload",
    "fetch",
    "web",
    "url",
    "remote",
    "server",
    "cloud",
    "curl",
    "endpoint",
    "网络",
    "联网",
    "在线",
    "下载",
    "上传",
    "接口",
    "服务器",
    "远程",
];

/// The first host that is called by its name, local ones aside.
fn called(text: &str) -> Option<(Span, &str)> {
    if !text.contains("://") {
        return None;
    }
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if !line.contains("://") {
            start += line.len();
            continue;
        }
        let is_comment = line.trim_start().starts_with(['#', '/', '*']);
        let call = CALLS.iter().filter(|_| !is_comment).find_map(|call| line.find(call));
        let address = call.and_then(|call| Some(call + line[call..].find("://")? + 3));
        if let Some(at) = address {
            let host = line[at..]
                .split(|letter: char| !letter.is_ascii_alphanumeric() && !matches!(letter, '.' | '-'))
                .next()
                .unwrap_or_default();
            let local = host.starts_with("127.") || host.starts_with("192.168.") || host.starts_with("0.0.0.0");
            if host.contains('.') && !local && !host.contains("example") {
                return Some((Span::new(start + at, start + at + host.len()), host));
            }
        }
        start += line.len();
    }
    None
}

fn speaks_of_network(skill: &Subject<'_>) -> bool {
    let text = skill.text().to_lowercase();
    WORDS.iter().any(|word| text.contains(word))
}

/// By the name that it is registered under.
fn names(skill: &Subject<'_>, host: &str) -> bool {
    let name = host.rsplit('.').nth(1).unwrap_or(host).to_lowercase();
    let guides = skill.skill.files.iter().filter(|file| context::extension(&file.path) == "md");
    skill.text().to_lowercase().contains(&name)
        || guides.filter_map(|file| skill.read(file)).any(|text| text.text().to_lowercase().contains(&name))
}
