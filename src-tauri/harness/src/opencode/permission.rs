//! `permission.skill`: the last rule that fits a name counts.

use regex::Regex;
use serde_json::{Value, json};

use config::options::{PermissionAction, SkillPermission};

/// What becomes of a skill. The client's own first rule allows everything.
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

/// `*` is any letters, `?` is one, and a pattern that ends in a blank and `*` fits what stands before them, too.
fn fits(pattern: &str, name: &str) -> bool {
    let slashed = |text: &str| text.replace('\\', "/");
    let mut expression = regex::escape(&slashed(pattern)).replace(r"\*", ".*").replace(r"\?", ".");
    if let Some(start) = expression.strip_suffix(" .*") {
        expression = format!("{start}( .*)?");
    }
    Regex::new(&format!("^(?s:{expression})$")).is_ok_and(|expression| expression.is_match(&slashed(name)))
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
}
