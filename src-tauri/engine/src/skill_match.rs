//! Which skill a prompt means, by shared words alone.

use std::collections::BTreeSet;

use harness::CatalogSkill;

/// The skill whose name and description share most words with the prompt; the first of equals, and none if no word is
/// shared.
pub(super) fn best_match<'a>(prompt: &str, skills: &'a [CatalogSkill]) -> Option<&'a CatalogSkill> {
    let wanted = words(prompt);
    let shared =
        |skill: &CatalogSkill| words(&format!("{} {}", skill.name, skill.description)).intersection(&wanted).count();
    // `max_by_key` would give the last of equals.
    let scored = skills.iter().rev().map(|skill| (shared(skill), skill));
    scored.max_by_key(|(shared, _)| *shared).filter(|(shared, _)| *shared > 0).map(|(_, skill)| skill)
}

/// English words that say nothing about a task.
const EMPTY_WORDS: &str = "about all also an and any are as at be been but by can could do does doing for from get give \
    has have help here how if in into is it its let like make many me more much my need no not of on one only or our \
    out please should show so some such take tell than that the their them then there these they this those to up us \
    use used user uses using want was we were what when where which who why will with would you your";

/// Words in lower case without a plural s; runs of Chinese, Japanese and Korean characters, which have no spaces, as
/// all their pairs.
fn words(text: &str) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for run in text.to_lowercase().split(|letter: char| !letter.is_alphanumeric()) {
        let letters: Vec<char> = run.chars().collect();
        for part in letters.chunk_by(|a, b| is_cjk(*a) == is_cjk(*b)) {
            if part.iter().all(|letter| is_cjk(*letter)) {
                words.extend(part.windows(2).map(String::from_iter));
            } else {
                words.extend(plain_word(&part.iter().collect::<String>()));
            }
        }
    }
    words
}

fn plain_word(word: &str) -> Option<String> {
    let number = word.chars().all(|letter| letter.is_numeric());
    if number || word.chars().nth(1).is_none() || EMPTY_WORDS.split_whitespace().any(|empty| empty == word) {
        return None;
    }
    let singular = word.strip_suffix('s').filter(|stem| stem.chars().count() > 2 && !stem.ends_with('s'));
    Some(singular.unwrap_or(word).to_owned())
}

fn is_cjk(letter: char) -> bool {
    matches!(letter, '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use harness::Detail;

    fn skill(name: &str, description: &str) -> CatalogSkill {
        CatalogSkill {
            id: name.into(),
            name: name.into(),
            description: description.into(),
            path: None,
            content: String::new(),
            resources: Vec::new(),
            scripts: Vec::new(),
            detail: Detail::None,
        }
    }

    fn matched(prompt: &str) -> Option<String> {
        let skills = [
            skill("translator", "将中文古典诗词精确翻译成地道的英文"),
            skill("log-analyzer", "Finds errors in log files. Use this when the user wants to know what went wrong."),
            skill("unit-converter", "Convert between units. Use when asked to convert miles, pounds, or kilograms."),
            skill("unit-tester", "Writes tests for a unit of code."),
        ];
        best_match(prompt, &skills).map(|skill| skill.name.clone())
    }

    #[test]
    fn takes_the_skill_that_shares_most_words() {
        assert_eq!(matched("How many pounds is 1 kilogram?").as_deref(), Some("unit-converter"));
        assert_eq!(matched("Which ERROR is in this log?").as_deref(), Some("log-analyzer"));
    }

    #[test]
    fn compares_chinese_by_pairs_of_characters() {
        assert_eq!(matched("请把这句诗词翻译成英文").as_deref(), Some("translator"));
        assert_eq!(matched("把log文件看一下").as_deref(), Some("log-analyzer"), "words in mixed text count too");
    }

    #[test]
    fn takes_the_first_of_equals() {
        assert_eq!(matched("unit").as_deref(), Some("unit-converter"));
    }

    #[test]
    fn takes_none_where_only_empty_words_or_numbers_are_shared() {
        assert_eq!(matched("What is the use of it when I want 1?"), None);
        assert_eq!(matched(""), None);
    }
}
