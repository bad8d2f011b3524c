//! What a finding of security is evidence of. Pieces that are weak by themselves support each other if they are of different
//! kinds.

use crate::group::Group;
use crate::rule::Rule;

/// What a skill does, by the rules that find it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Deed {
    /// Tells the model to leave its own rules, or to hide something from the user.
    Orders,
    /// Has what its reader does not see.
    Hides,
    /// Reads or asks for what is private.
    Reads,
    /// Sends what is private.
    Sends,
    /// Runs what a server sends.
    Fetches,
    /// Runs what it should not.
    Runs,
    /// Changes the machine so that it lasts.
    Stays,
    /// Has secrets of its author in it.
    Leaks,
    /// Has files that are not what they claim to be, or that cannot be read.
    Files,
    /// Claims more than it needs.
    Claims,
}

const DEEDS: [(Deed, &[&str]); 10] = [
    (
        Deed::Orders,
        &[
            "autonomy-abuse",
            "inject-bypass-policy",
            "inject-chat-tokens",
            "inject-coercive",
            "inject-conceal-from-user",
            "inject-ignore-instructions",
            "inject-ignore-named",
            "inject-jailbreak",
            "inject-reveal-system",
            "inject-tool-shadowing",
            "inject-unrestricted",
        ],
    ),
    (
        Deed::Hides,
        &[
            "base64-text",
            "encoded-payload",
            "evasion-padding",
            "hex-blob",
            "inject-html-comment",
            "inject-in-link-label",
            "unicode-bidi",
            "unicode-homoglyph",
            "unicode-tag-block",
            "unicode-variation-selectors",
            "unicode-zero-width",
            "xor-payload",
        ],
    ),
    (Deed::Reads, &["asks-for-secrets", "cloud-metadata", "sensitive-file-read"]),
    (
        Deed::Sends,
        &["exfil-dns", "exfil-env-dump", "exfil-instruction", "exfil-markdown-image", "exfil-sensitive-files"],
    ),
    (
        Deed::Fetches,
        &[
            "exec-archive-then-run",
            "exec-fetch-pipe-shell",
            "exec-fetch-pipe-shell-plain",
            "exec-fetched-code",
            "exec-remote-then-run",
            "inject-indirect-fetch",
            "registry-redirect",
            "suspicious-url",
            "untrusted-package-source",
        ],
    ),
    (
        Deed::Runs,
        &[
            "destructive-command",
            "destructive-command-named",
            "dynamic-context-command",
            "exec-eval",
            "exec-find",
            "exec-shell-built",
            "fork-bomb",
            "miner",
            "path-traversal",
            "pickle",
            "pickle-code",
            "reverse-shell",
            "sql-injection",
            "unsafe-load",
        ],
    ),
    (Deed::Stays, &["agent-config-write", "auto-run-helper", "persistence", "protection-off", "tls-check-off"]),
    (
        Deed::Leaks,
        &[
            "pii-in-skill",
            "secret-cloud-keys",
            "secret-connection-string",
            "secret-high-entropy",
            "secret-jwt",
            "secret-model-keys",
            "secret-password-var",
            "secret-private-key",
            "secret-service-tokens",
            "secret-vcs-tokens",
        ],
    ),
    (
        Deed::Files,
        &[
            "archive-bomb",
            "archive-executable",
            "archive-traversal",
            "binary-program",
            "bytecode-mismatch",
            "bytecode-without-source",
            "hidden-executable",
            "magic-mismatch",
            "office-macro",
            "pdf-active-content",
            "svg-script",
            "terminal-escape",
            "too-much-to-read",
            "unread-file",
        ],
    ),
    (Deed::Claims, &["capability-inflation", "declared-exceeds-use", "permission-exceeds-declared"]),
];

/// `None`: the rule is not of security.
pub fn deed(rule: &Rule) -> Option<Deed> {
    if rule.group != Group::Security {
        return None;
    }
    DEEDS.iter().find(|(_, ids)| ids.binary_search(&rule.id).is_ok()).map(|(deed, _)| *deed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::rules;

    #[test]
    fn every_rule_of_security_is_of_one_kind() {
        let mut listed: Vec<&str> = DEEDS.iter().flat_map(|(_, ids)| ids.iter().copied()).collect();
        assert!(DEEDS.iter().all(|(_, ids)| ids.is_sorted()), "they are searched by halves");
        listed.sort_unstable();
        let known: Vec<&str> = rules().filter(|rule| rule.group == Group::Security).map(|rule| rule.id).collect();
        assert_eq!(listed, known);
    }
}
