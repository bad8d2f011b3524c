//! `permission.skill`: the last rule that fits a name counts.

use std::str::Chars;

use serde_json::{Value, json};

use config::options::{PermissionAction, SkillPermission};

/// The action for a skill. The client's own first rule allows everything.
pub fn action(name: &str, rules: &[SkillPermission]) -> PermissionAction {
    let last = rules.iter().rev().find(|rule| fits(&rule.pattern, name));
    last.map_or(PermissionAction::Allow, |rule| rule.action)
}

/// Neither the tool nor the list is there.
pub fn denies_all(rules: &[SkillPermission]) -> bool {
    rules.last().is_some_and(|rule| rule.pattern == "*" && rule.action == PermissionAction::Deny)
}

/// What the model reads when it asks for a skill that is denied.
pub fn denied(rules: &[SkillPermission]) -> String {
    let first = json!({"permission": "*", "action": "allow", "pattern": "*"});
    let own =
        |rule: &SkillPermission| json!({"permission": "skill", "pattern": rule.pattern, "action": word(rule.action)});
    let shown: Vec<Value> = std::iter::once(first).chain(rules.iter().map(own)).collect();
    format!(
        "The user has specified a rule which prevents you from using this specific tool call. Here are some of the \
         relevant rules {}",
        Value::Array(shown)
    )
}

fn word(action: PermissionAction) -> &'static str {
    match action {
        PermissionAction::Allow => "allow",
        PermissionAction::Ask => "ask",
        PermissionAction::Deny => "deny",
    }
}

/// `*` matches any letters, `?` matches one, and a pattern that ends in a blank and `*` also matches without them. The
/// client compiles an expression; doing so for each rule and each skill would take most of the time of a list.
fn fits(pattern: &str, name: &str) -> bool {
    let slashed = |text: &str| text.replace('\\', "/");
    let (pattern, name) = (slashed(pattern), slashed(name));
    matches(&pattern, &name) || pattern.strip_suffix(" *").is_some_and(|start| matches(start, &name))
}

fn matches(pattern: &str, name: &str) -> bool {
    let (mut pattern, mut name) = (pattern.chars(), name.chars());
    // The pattern after the last `*`, and the place in the name from where the star may take one more letter.
    let mut again: Option<(Chars<'_>, Chars<'_>)> = None;
    loop {
        let (wanted, letter) = (pattern.next(), name.clone().next());
        match (wanted, letter) {
            (None, None) => return true,
            (Some('*'), _) => {
                again = Some((pattern.clone(), name.clone()));
                continue;
            }
            (Some(wanted), Some(letter)) if wanted == '?' || wanted == letter => {
                name.next();
                continue;
            }
            (None | Some(_), _) => {}
        }
        let Some((behind, from)) = &mut again else { return false };
        if from.next().is_none() {
            return false;
        }
        (pattern, name) = (behind.clone(), from.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_rule_that_fits_counts() {
        let rule = |pattern: &str, action| SkillPermission { pattern: pattern.into(), action };
        let rules = [
            rule("internal-*", PermissionAction::Deny),
            rule("internal-docs", PermissionAction::Ask),
            rule("a?c", PermissionAction::Deny),
            rule("x *", PermissionAction::Deny),
        ];
        let actions = ["demo", "internal-a", "internal-docs", "abc", "abbc", "a.c", "x", "x y", "xy"]
            .map(|name| action(name, &rules));
        use PermissionAction::{Allow, Ask, Deny};
        assert_eq!(actions, [Allow, Deny, Ask, Deny, Allow, Deny, Deny, Deny, Allow]);
        assert!(!denies_all(&rules));
        assert!(denies_all(&[rule("a", Allow), rule("*", Deny)]) && !denies_all(&[rule("*", Deny), rule("a", Allow)]));
    }

    /// Nearly the expression that the client makes.
    fn expression(pattern: &str) -> regex::Regex {
        let mut text = regex::escape(&pattern.replace('\\', "/")).replace(r"\*", ".*").replace(r"\?", ".");
        if let Some(start) = text.strip_suffix(" .*") {
            text = format!("{start}( .*)?");
        }
        regex::Regex::new(&format!("^(?s:{text})$")).unwrap()
    }

    #[test]
    fn a_pattern_fits_what_its_expression_fits() {
        let letters = ["a", "b", "*", "?", " ", "-", "\\", "技", "\n"];
        let words = |length: u32| {
            let number = letters.len().pow(length);
            (0..number).map(move |mut word| {
                let letter = |_| {
                    let letter = letters[word % letters.len()];
                    word /= letters.len();
                    letter
                };
                (0..length).map(letter).collect::<String>()
            })
        };
        let names: Vec<String> = (0..=3).flat_map(words).filter(|name| !name.contains(['*', '?'])).collect();
        for pattern in (0..=3).flat_map(words) {
            let expression = expression(&pattern);
            for name in &names {
                let wanted = expression.is_match(&name.replace('\\', "/"));
                assert_eq!(fits(&pattern, name), wanted, "{pattern:?} on {name:?}");
            }
        }
    }
}
