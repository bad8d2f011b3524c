use crate::analysis::context;
use crate::pattern::{Match, Pattern, Patterns, Scope};
use crate::{Check, Deed, Example, Group, Mark, Rule};
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "registry-redirect",
    group: Group::Security,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Packages come from an unknown registry", "软件包源被重定向"),
    what: Wording::new(
        "Commands and settings that make pip, npm, Yarn, uv or Go take packages from another index, unless it is a vendor's or a public mirror.",
        "让 pip、npm、Yarn、uv 或 Go 从其他软件源获取包的命令和设置；厂商源和公共镜像除外。",
    ),
    why: Wording::new(
        "Whoever runs that index decides what is installed under any package's name.",
        "谁运营这个软件源，谁就能决定每个包名下实际安装的内容。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Run this:

```sh
pip install --index-url https://pkgs.tinypage.io/simple demo
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
pip install -i https://pypi.tuna.tsinghua.edu.cn/simple pandas
pip install torch --index-url https://download.pytorch.org/whl/cpu
```
",
    )]),
    hides: &[],
    marks: &[Mark::Evidence(Deed::Fetches)],
    source: "cisco-ai-skill-scanner SUPPLY_CHAIN_REGISTRY_REDIRECT",
    fix: None,
    check: Check::Pattern(Patterns {
        scope: Scope::Code,
        patterns: PATTERNS,
        unless: Some(is_fine),
        milder: Some(context::shown_as_bad),
    }),
};

const PATTERNS: &[Pattern] = &[
    Pattern {
        expression: r#"(?:--(?:extra-)?index-url|--default-index|pip3?\s+install\s+-i|^\s*(?:extra-)?index-url)[\s=]+["\']?https?://[^\s"\'`]+"#,
        lines: 0,
        message: Wording::new(
            "`{}` decides what is installed: use the public index, or say why not",
            "`{}` 决定了安装的内容，请使用公共索引，或说明不用的原因",
        ),
    },
    Pattern {
        expression: r#"(?:(?-u:\b)(?:npm|pnpm|yarn|npx|bun)\s[^\n]*--registry[\s=]|(?:npm|yarn)\s+config\s+set\s+(?:registry|npmRegistryServer)[\s=]|^registry\s*=)\s*["\']?https?://[^\s"\'`]+"#,
        lines: 0,
        message: Wording::new(
            "`{}` decides what is installed: use the public registry, or say why not",
            "`{}` 决定了安装的内容，请使用公共 registry，或说明不用的原因",
        ),
    },
    Pattern {
        expression: r#"GOPROXY=["\']?https?://[^\s"\',`]+"#,
        lines: 0,
        message: Wording::new(
            "`{}` decides what is installed: use the public proxy, or say why not",
            "`{}` 决定了安装的内容，请使用公共代理，或说明不用的原因",
        ),
    },
    Pattern {
        expression: r#"--trusted-host[\s=]+[^\s"\'`]+"#,
        lines: 0,
        message: Wording::new(
            "`{}` switches off the check of who answers: use TLS",
            "`{}` 不再验证对方身份，请使用 TLS",
        ),
    },
];

fn is_fine(found: &Match<'_>) -> bool {
    let host = host(found.text).to_ascii_lowercase();
    let is = |known: &&str| host.strip_suffix(*known).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    context::is_comment(found) || KNOWN.iter().any(is)
}

/// The host that answers, even if a known name is elsewhere in the address.
fn host(text: &str) -> &str {
    let address = text.rsplit_once("://").map(|(_, address)| address);
    let address = address.or_else(|| text.rsplit(['=', ' ', '\t']).next()).unwrap_or(text);
    let authority = address.split(['/', '?', '#', '\\']).next().unwrap_or(address);
    let host = authority.rsplit('@').next().unwrap_or(authority);
    host.split([':', '"', '\'']).next().unwrap_or(host)
}

const KNOWN: [&str; 35] = [
    // A placeholder for the reader's own.
    "company.com",
    "mycompany.com",
    "yourcompany.com",
    "pypi.org",
    "test.pypi.org",
    "pythonhosted.org",
    "registry.npmjs.org",
    "registry.yarnpkg.com",
    "npm.pkg.github.com",
    "download.pytorch.org",
    "huggingface.github.io",
    "wheels.vllm.ai",
    "pypi.nvidia.com",
    "pypi.ngc.nvidia.com",
    "pkgs.dev.azure.com",
    "proxy.golang.org",
    "goproxy.cn",
    "goproxy.io",
    "tsinghua.edu.cn",
    "aliyun.com",
    "npmmirror.com",
    "taobao.org",
    "ustc.edu.cn",
    "huaweicloud.com",
    "cloud.tencent.com",
    "mirrors.tencent.com",
    "douban.com",
    "bfsu.edu.cn",
    "sjtu.edu.cn",
    "nju.edu.cn",
    "pkg.dev",
    "amazonaws.com",
    "localhost",
    "127.0.0.1",
    "example.com",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_answers_is_the_host_alone() {
        let hosts = [
            ("--index-url https://PyPI.org/simple", "PyPI.org"),
            ("--index-url https://pypi.org@evil.example/simple", "evil.example"),
            ("--index-url https://evil.example/pypi.org", "evil.example"),
            ("--index-url=https://evil.example:8443?pypi.org", "evil.example"),
            ("GOPROXY=\"https://pypi.org.evil.example", "pypi.org.evil.example"),
            ("--trusted-host evil.example", "evil.example"),
            ("--trusted-host=localhost:8000", "localhost"),
        ];
        for (text, expected) in hosts {
            assert_eq!(host(text), expected, "{text}");
        }
    }
}
