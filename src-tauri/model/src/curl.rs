//! A request as a command line for a POSIX shell, so that it can be sent again by hand.

use super::address;

/// A `curl` command that posts `body` to `url`. The key is named by its environment variable and never written out.
pub fn curl(url: &str, body: &str, key_env: Option<&str>) -> String {
    let mut lines =
        vec![format!("curl -sSN {}", quoted(&address::shown(url))), "  -H 'Content-Type: application/json'".to_owned()];
    lines.extend(key_env.map(|name| format!("  -H \"Authorization: Bearer {}\"", reference(name))));
    lines.push(format!("  --data-raw {}", quoted(body)));
    lines.join(" \\\n")
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// The variable, inside double quotes. Shells drop variables whose names they cannot write, so such a name becomes one
/// that can be set.
fn reference(name: &str) -> String {
    let name = name.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    if name.starts_with(|c: char| c.is_ascii_digit()) { format!("$_{name}") } else { format!("${name}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_the_key_and_quotes_the_rest() {
        assert_eq!(
            curl("https://api.example.com/v1/chat/completions", r#"{"content":"it's"}"#, Some("SOME_KEY")),
            "curl -sSN 'https://api.example.com/v1/chat/completions' \\\n  \
             -H 'Content-Type: application/json' \\\n  \
             -H \"Authorization: Bearer $SOME_KEY\" \\\n  \
             --data-raw '{\"content\":\"it'\\''s\"}'"
        );
    }

    #[test]
    fn sends_no_authorization_without_a_key() {
        assert_eq!(
            curl("http://127.0.0.1:8080/v1/chat/completions", "{}", None),
            "curl -sSN 'http://127.0.0.1:8080/v1/chat/completions' \\\n  \
             -H 'Content-Type: application/json' \\\n  \
             --data-raw '{}'"
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_shell_passes_every_byte_on() {
        let body = "@it's \"quoted\" $HOME `id` \\ \n漢 !";
        let run = |key_env: &str| {
            let command = curl("http://x/';id?a=1&b=s3cret", body, Some(key_env));
            let script = format!("curl() {{ printf '%s\\0' \"$@\"; }}\n{command}");
            let mut shell = std::process::Command::new("sh");
            let output = shell.args(["-c", &script]).env("SOME_KEY", "sk-1").env("other_key", "sk-2").output().unwrap();
            String::from_utf8(output.stdout).unwrap()
        };
        let expected = |key: &str| {
            format!(
                "-sSN\0http://x/';id?a=[hidden]&b=[hidden]\0-H\0Content-Type: application/json\0\
                 -H\0Authorization: Bearer {key}\0--data-raw\0{body}\0"
            )
        };
        assert_eq!(run("SOME_KEY"), expected("sk-1"));
        assert_eq!(run("other-key"), expected("sk-2"), "a name that no shell can write");
        assert_eq!(run("x$(id)"), expected(""), "a hostile name runs nothing");
    }
}
