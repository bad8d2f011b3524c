//! The predicate of `UseFilter`, as the project file writes it.

use serde_json::Value;

use crate::CatalogSkill;
use config::options::SkillFilter;

pub fn means(filter: &SkillFilter, skill: &CatalogSkill) -> bool {
    match filter {
        SkillFilter::Name(glob) => matches(glob, &skill.name),
        SkillFilter::Fields(fields) => {
            fields.iter().all(|(field, glob)| text(skill, field).is_some_and(|text| matches(glob, &text)))
        }
    }
}

/// A field of the frontmatter; `metadata.team` is one of its metadata.
fn text(skill: &CatalogSkill, field: &str) -> Option<String> {
    match field {
        "name" => return Some(skill.name.clone()),
        "description" => return Some(skill.description.clone()),
        _ => {}
    }
    let kept = Value::Object(skill.detail.kept());
    let value = field.split('.').try_fold(&kept, |value, key| value.get(key))?;
    Some(value.as_str().map_or_else(|| value.to_string(), str::to_owned))
}

/// `*` matches any characters and `?` matches one.
fn matches(glob: &str, text: &str) -> bool {
    let (glob, text): (Vec<char>, Vec<char>) = (glob.chars().collect(), text.chars().collect());
    let (mut at, mut place) = (0, 0);
    // Where to continue if the text after a star does not match.
    let mut star: Option<(usize, usize)> = None;
    while place < text.len() {
        match glob.get(at) {
            Some('*') => {
                star = Some((at, place));
                at += 1;
            }
            Some(letter) if *letter == '?' || *letter == text[place] => {
                at += 1;
                place += 1;
            }
            _ => match star {
                Some((back, from)) => {
                    star = Some((back, from + 1));
                    (at, place) = (back + 1, from + 1);
                }
                None => return false,
            },
        }
    }
    glob[at..].iter().all(|letter| *letter == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_glob_has_stars_and_question_marks() {
        let tried = ["unit-*", "*", "unit-converter", "*-con*er", "unit-?onverter", "unit", "?", "*x"];
        let expected = [true, true, true, true, true, false, false, false];
        assert_eq!(tried.map(|glob| matches(glob, "unit-converter")), expected);
    }
}
