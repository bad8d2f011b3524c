//! Skills that the client's settings switch off: `skills.disabled` and `skills.enabled` of `.gemini/settings.json`, the
//! user's and those of a trusted project. They are JSON with comments; any other file is ignored here, but stops the
//! client.

use std::collections::HashSet;

use serde_json::Value;

use crate::Loaded;
use skill::Folder;
use wording::Wording;

/// What all files of settings say together.
#[derive(Debug, Default)]
pub struct Switched {
    /// In lower case.
    disabled: HashSet<String>,
    is_off: bool,
}

impl Switched {
    /// `folders`: those called `.gemini`, the user's first. Names add up, and the last one decides about all skills.
    pub fn of<'a>(folders: impl Iterator<Item = &'a Folder>) -> Self {
        let mut switched = Self::default();
        for settings in folders.filter_map(settings) {
            let skills = &settings["skills"];
            let names = skills["disabled"].as_array().into_iter().flatten().filter_map(Value::as_str);
            switched.disabled.extend(names.map(str::to_lowercase));
            if let Some(enabled) = skills["enabled"].as_bool() {
                switched.is_off = !enabled;
            }
        }
        switched
    }

    pub fn leave_out(&self, loaded: &mut Loaded) {
        let is_out = |name: &str| self.is_off || self.disabled.contains(&name.to_lowercase());
        let reason = if self.is_off { ALL_OFF } else { OFF };
        for skill in std::mem::take(&mut loaded.skills) {
            match is_out(&skill.name) {
                true => loaded.skip(skill.manifest(), reason),
                false => loaded.skills.push(skill),
            }
        }
    }
}

const OFF: Wording = Wording::new(
    "`skills.disabled` of Gemini CLI's settings names it, in any case",
    "Gemini CLI 设置中的 `skills.disabled` 列有它（不区分大小写）",
);
const ALL_OFF: Wording =
    Wording::new("`skills.enabled` of Gemini CLI's settings is false", "Gemini CLI 设置中的 `skills.enabled` 为 false");

fn settings(client: &Folder) -> Option<Value> {
    let file = client.files().find(|file| file.name == "settings.json")?;
    serde_json::from_str(&without_comments(&file.source.as_ref()?.text)).ok()
}

fn without_comments(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    let mut in_text = false;
    while let Some(letter) = letters.next() {
        match (letter, letters.peek()) {
            ('\\', Some(_)) if in_text => {
                kept.push(letter);
                kept.extend(letters.next());
                continue;
            }
            ('/', Some('/')) if !in_text => while letters.next_if(|letter| *letter != '\n').is_some() {},
            ('/', Some('*')) if !in_text => {
                letters.next();
                while letters.next().is_some_and(|letter| letter != '*' || letters.peek() != Some(&'/')) {}
                letters.next();
            }
            ('"', _) => {
                in_text = !in_text;
                kept.push(letter);
            }
            _ => kept.push(letter),
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_no_part_of_settings_and_texts_stay() {
        let text = "{ // one\n \"a\": \"x // y \\\" /* z */\", /* two\n */ \"b\": 1 }// end";
        assert_eq!(without_comments(text), "{ \n \"a\": \"x // y \\\" /* z */\",  \"b\": 1 }");
        assert_eq!(without_comments("1 /* no end"), "1 ");
    }
}
