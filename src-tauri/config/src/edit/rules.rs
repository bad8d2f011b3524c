//! Changes one setting of the linter in a `workbench.yaml`.

use std::ops::Range;

use camino::Utf8Path;

use super::lines::{Lines, indent, split};
use crate::{ConfigError, Profile, Project, Setting};

/// The text with `rule` set under `lint.rules`, or removed from it. `None`: the text is written in a way that cannot be
/// changed without risk to the rest of it. `path` is for errors only.
pub fn set_rule(
    path: &Utf8Path,
    text: &str,
    rule: &str,
    setting: Option<Setting>,
) -> Result<Option<String>, ConfigError> {
    let mut wanted = Project::parse(path, text)?;
    let before = match setting {
        Some(setting) => wanted.lint.rules.insert(rule.to_owned(), setting),
        None => wanted.lint.rules.remove(rule),
    };
    if before == setting {
        return Ok(Some(text.to_owned()));
    }
    let lines = Lines::of(text);
    let changed = match (setting, before) {
        (Some(setting), None) => lines.with(rule, word(setting)),
        (Some(setting), Some(_)) => lines.at(rule).and_then(|at| lines.with_word(at, word(setting))),
        (None, _) => lines.without(rule),
    };
    // Only the parsed result decides, not what the lines looked like.
    Ok(changed.filter(|changed| Project::parse(path, changed).is_ok_and(|project| project == wanted)))
}

/// The same for `lint.profile`; the default one is not written.
pub fn set_profile(path: &Utf8Path, text: &str, profile: Profile) -> Result<Option<String>, ConfigError> {
    let mut wanted = Project::parse(path, text)?;
    if std::mem::replace(&mut wanted.lint.profile, profile) == profile {
        return Ok(Some(text.to_owned()));
    }
    let lines = Lines::of(text);
    let changed = match profile {
        Profile::Recommended => lines.without_profile(),
        other => lines.with_profile(other.id()),
    };
    Ok(changed.filter(|changed| Project::parse(path, changed).is_ok_and(|project| project == wanted)))
}

fn word(setting: Setting) -> &'static str {
    match setting {
        Setting::Off => "off",
        Setting::Info => "info",
        Setting::Warning => "warning",
        Setting::Error => "error",
    }
}

impl Lines<'_> {
    fn with(&self, rule: &str, word: &str) -> Option<String> {
        let Some(lint) = self.key("lint", 0..self.0.len()) else {
            let end = self.0.len();
            return Some(self.inserted(end, &["lint:".into(), "  rules:".into(), format!("    {rule}: {word}")]));
        };
        let below_lint = self.block(lint)?;
        let Some(rules) = self.key("rules", below_lint.clone()) else {
            let step = self.indent_in(&below_lint).unwrap_or(2);
            let indent = " ".repeat(step);
            let added = [format!("{indent}rules:"), format!("{indent}{indent}{rule}: {word}")];
            return Some(self.inserted(lint + 1, &added));
        };
        let below_rules = self.block(rules)?;
        let indent = self.indent_in(&below_rules).unwrap_or(indent(self.0[rules]) + 2);
        Some(self.inserted(below_rules.end, &[format!("{}{rule}: {word}", " ".repeat(indent))]))
    }

    fn with_profile(&self, word: &str) -> Option<String> {
        let Some(lint) = self.key("lint", 0..self.0.len()) else {
            return Some(self.inserted(self.0.len(), &["lint:".into(), format!("  profile: {word}")]));
        };
        let below = self.block(lint)?;
        if let Some(at) = self.key("profile", below.clone()) {
            return self.with_word(at, word);
        }
        let indent = " ".repeat(self.indent_in(&below).unwrap_or(2));
        Some(self.inserted(lint + 1, &[format!("{indent}profile: {word}")]))
    }

    fn without_profile(&self) -> Option<String> {
        let lint = self.key("lint", 0..self.0.len())?;
        let below = self.block(lint)?;
        let at = self.key("profile", below.clone())?;
        value(self.0[at])?;
        let is_last = self.contents(&below) == 1;
        let kept = self.0.iter().enumerate().filter(|(line, _)| *line != at && !(is_last && *line == lint));
        Some(kept.map(|(_, line)| *line).collect())
    }

    /// The line that sets the rule.
    fn at(&self, rule: &str) -> Option<usize> {
        let lint = self.key("lint", 0..self.0.len())?;
        let rules = self.key("rules", self.block(lint)?)?;
        self.key(rule, self.block(rules)?)
    }

    fn without(&self, rule: &str) -> Option<String> {
        let lint = self.key("lint", 0..self.0.len())?;
        let below_lint = self.block(lint)?;
        let rules = self.key("rules", below_lint.clone())?;
        let below_rules = self.block(rules)?;
        let at = self.key(rule, below_rules.clone())?;
        value(self.0[at])?;
        let mut gone = vec![at];
        // A key without a value is not a map, so it is removed with its last entry.
        if self.contents(&below_rules) == 1 {
            gone.push(rules);
            if self.contents(&below_lint) == 2 {
                gone.push(lint);
            }
        }
        let kept = self.0.iter().enumerate().filter(|(line, _)| !gone.contains(line)).map(|(_, line)| *line);
        Some(kept.collect())
    }

    fn with_word(&self, at: usize, word: &str) -> Option<String> {
        let line = self.0[at];
        let value = value(line)?;
        let changed = [&line[..value.start], word, &line[value.end..]].concat();
        Some([&self.0[..at], &[&changed], &self.0[at + 1..]].concat().concat())
    }
}

/// Where the setting is in the line, if it is a plain word that only a comment follows.
fn value(line: &str) -> Option<Range<usize>> {
    let (_, rest) = split(line)?;
    let length = rest.find([' ', '\t']).unwrap_or(rest.len());
    let (written, after) = rest.split_at(length);
    let plain = written.bytes().all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'"' | b'\''));
    let after = after.trim_start();
    let start = line.trim_end().len() - rest.len();
    (plain && !written.is_empty() && (after.is_empty() || after.starts_with('#'))).then(|| start..start + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_is_written_changed_and_taken_back() {
        let set = |text: &str, profile| set_profile("workbench.yaml".into(), text, profile).unwrap();
        assert_eq!(set("", Profile::Recommended), Some(String::new()));
        let all = set("model: m\n", Profile::All).unwrap();
        assert_eq!(all, "model: m\nlint:\n  profile: all\n");
        let spec = set(&all, Profile::Spec).unwrap();
        assert_eq!(spec, "model: m\nlint:\n  profile: spec\n");
        assert_eq!(set(&spec, Profile::Recommended).unwrap(), "model: m\n");
        let rules = "lint:\n    rules:\n        todo-left: off\n";
        let both = "lint:\n    profile: security\n    rules:\n        todo-left: off\n";
        assert_eq!(set(rules, Profile::Security).unwrap(), both);
        assert_eq!(set(both, Profile::Recommended).unwrap(), rules);
        assert_eq!(set("lint: {profile: all}\n", Profile::Spec), None, "it is written in another way");
    }

    fn set(text: &str, rule: &str, setting: Option<Setting>) -> Option<String> {
        set_rule("workbench.yaml".into(), text, rule, setting).unwrap()
    }

    fn off(text: &str) -> Option<String> {
        set(text, "todo-left", Some(Setting::Off))
    }

    #[test]
    fn what_is_missing_is_made() {
        let made = "lint:\n  rules:\n    todo-left: off\n";
        assert_eq!(off("").as_deref(), Some(made));
        assert_eq!(off("# mine\n\nmodel: m"), Some(format!("# mine\n\nmodel: m\n{made}")));
        assert_eq!(
            off("lint: # the linter\n    clients: [codex]\nmodel: m\n").as_deref(),
            Some("lint: # the linter\n    rules:\n        todo-left: off\n    clients: [codex]\nmodel: m\n")
        );
    }

    #[test]
    fn comments_order_and_spacing_stay() {
        let text = "# top\nlint:\n  # why\n  rules:\n   b-rule:   error   # loud\n   # in between\n   'todo-left': \"warning\" # old\n\n# next\nmodel: m\n";
        let changed = text.replace("\"warning\"", "off");
        assert_eq!(off(text).as_deref(), Some(&*changed));
        let without = text.replace("   'todo-left': \"warning\" # old\n", "");
        assert_eq!(set(text, "todo-left", None).as_deref(), Some(&*without));
        let added = without.replace("# loud\n", "# loud\n   todo-left: off\n");
        assert_eq!(off(&without).as_deref(), Some(&*added));
    }

    #[test]
    fn the_last_setting_takes_its_keys_along() {
        assert_eq!(set("model: m\nlint:\n  rules:\n    a: off\n", "a", None).as_deref(), Some("model: m\n"));
        assert_eq!(
            set("lint:\n  rules:\n    # why\n    a: off\n  clients: [codex]\n", "a", None).as_deref(),
            Some("lint:\n    # why\n  clients: [codex]\n")
        );
    }

    #[test]
    fn windows_line_ends_stay() {
        assert_eq!(
            off("lint:\r\n  rules:\r\n    a: off\r\n").as_deref(),
            Some("lint:\r\n  rules:\r\n    a: off\r\n    todo-left: off\r\n")
        );
        assert_eq!(
            off("lint:\r\n  rules:\r\n    todo-left: error\r\n").as_deref(),
            Some("lint:\r\n  rules:\r\n    todo-left: off\r\n")
        );
    }

    #[test]
    fn what_is_set_already_is_left_alone() {
        let text = "lint: {rules: {todo-left: off}}\n";
        assert_eq!(off(text).as_deref(), Some(text));
        assert_eq!(set("model: m\n", "todo-left", None).as_deref(), Some("model: m\n"));
    }

    #[test]
    fn what_cannot_be_changed_without_risk_is_refused() {
        for text in [
            "lint: {rules: {todo-left: error}}\n",
            "lint:\n  rules: {a: off}\n",
            "{model: m}\n",
            "lint:\n  rules:\n    todo-left: error\n    todo-left: warning\n",
            "lint:\n  rules:\n    ? todo-left\n    : error\n",
            "lint:\n  rules:\n    a: &a error\n    todo-left: *a\n",
            "agentInstructions: \"first\n\n  lint:\n\n  last\"\nlint:\n  rules:\n    todo-left:\n      error\n",
            "model: m\n...\n",
        ] {
            assert_eq!(off(text), None, "{text}");
        }
    }

    #[test]
    fn words_in_texts_are_not_taken_for_keys() {
        let text = "agentInstructions: |\n  lint:\n    rules:\n      todo-left: error\nmodel: m\n";
        assert_eq!(off(text), Some(format!("{text}lint:\n  rules:\n    todo-left: off\n")));
    }

    #[test]
    fn a_file_that_cannot_be_read_is_reported() {
        let error = set_rule("workbench.yaml".into(), "model: [\n", "a", Some(Setting::Off)).unwrap_err();
        assert!(error.to_string().starts_with("workbench.yaml:"), "{error}");
    }
}
