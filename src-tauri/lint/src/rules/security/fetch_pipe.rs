//! Downloads that are piped into a shell: what finds them, and a sample.

use crate::pattern::Pattern;
use wording::Wording;

/// `curl … | sh`, `iwr … | iex`, `sh -c "$(curl …)"`, `bash <(curl …)`. What is said of a pipe, and of the others.
pub const fn patterns(of_pipe: Wording, of_others: Wording) -> [Pattern; 3] {
    [
        Pattern {
            expression: r#"(?i)(?:curl|wget)\s(?:\\\n|[^\n|;&]){0,400}\|\s*(?:sudo\s+)?(?:-\S+\s+)*(?:/usr/bin/env\s+|/bin/|/usr/bin/)?(?:(?:ba|z|da|k|fi)?sh(?-u:\b)|(?:python[0-9.]*|node|perl|ruby|php)(?:\s+-)?\s*(?:$|[;&|`\"\'\n)]))"#,
            lines: 3,
            message: of_pipe,
        },
        Pattern {
            expression: r#"(?i)(?-u:\b)(?:iex|invoke-expression)(?-u:\b)[^\n]{0,20}(?:iwr|irm|invoke-webrequest|invoke-restmethod|downloadstring)[^\n]*|(?i)(?:iwr|irm|invoke-webrequest|invoke-restmethod|downloadstring\()[^\n]{0,200}\|\s*(?:iex|invoke-expression)(?-u:\b)"#,
            lines: 0,
            message: of_others,
        },
        Pattern {
            expression: r#"(?:eval|(?:ba|z)?sh\s+-c|source)\s+["\']?(?:\$\(|`)(?:curl|wget)\s[^\n]*|(?:^|[\s;&|`(])(?:(?:ba|z|k)?sh|source|\.)\s+(?:-\S+\s+)*<\((?:curl|wget)\s[^\n]*"#,
            lines: 0,
            message: of_others,
        },
    ]
}

/// A skill that has a command run.
macro_rules! skill_that_runs {
    ($command:literal) => {
        concat!(
            "---\nname: demo\ndescription: Use when asked for a demo.\n---\nRun this:\n\n```sh\n",
            $command,
            "\n```\n"
        )
    };
}
pub(super) use skill_that_runs;
