//! Texts as words, English and Chinese alike.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::Regex;

/// The language of a text, as far as these rules can tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    English,
    Chinese,
    Other,
}

impl Language {
    /// Decides by the letters: a Chinese character counts as four others. Latin letters that are not English are
    /// `Other`.
    pub fn of(text: &str) -> Self {
        let (mut latin, mut han, mut other) = (0, 0, 0);
        for letter in text.chars().filter(|letter| letter.is_alphabetic()) {
            match letter {
                _ if is_han(letter) => han += 1,
                '\u{0}'..='\u{24F}' => latin += 1,
                _ => other += 1,
            }
        }
        // A Chinese character is worth about four letters; texts in kana have Chinese characters too.
        if other * 4 > han + latin {
            Self::Other
        } else if han * 4 > latin {
            Self::Chinese
        } else if is_foreign(text) {
            Self::Other
        } else {
            Self::English
        }
    }
}

/// Whether more of the small words of a text are of other languages than of English.
fn is_foreign(text: &str) -> bool {
    // A text of ASCII is taken apart without an expression, which would take longer to compile than to use.
    if text.is_ascii() {
        let count = |known: &[&str]| {
            ascii_words(text).filter(|word| known.iter().any(|known| known.eq_ignore_ascii_case(word))).count()
        };
        return count(&FOREIGN_WORDS) > count(&ENGLISH_WORDS);
    }
    FOREIGN.find_iter(text).count() > ENGLISH.find_iter(text).count()
}

/// The words of a text of ASCII, as `\b` parts them.
fn ascii_words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').filter(|word| !word.is_empty())
}

/// Whether a description says when to use the skill. Texts in other languages than English and Chinese get the benefit
/// of the doubt.
pub fn has_trigger(text: &str, language: Language) -> bool {
    // Most say it with this word, and need no expression.
    if language == Language::English
        && text.is_ascii()
        && ascii_words(text).any(|word| word.eq_ignore_ascii_case("when"))
    {
        return true;
    }
    match language {
        Language::English => {
            ENGLISH_TRIGGER.is_match(text)
                || CHINESE_TRIGGER.is_match(text)
                || FOREIGN_TRIGGER.is_match(text)
                || lists_phrases(text)
                || QUOTED_PHRASE.is_match(text)
                || text.trim_start().get(..10).is_some_and(|word| word.eq_ignore_ascii_case("deprecated"))
        }
        Language::Chinese => CHINESE_TRIGGER.is_match(text) || ENGLISH_TRIGGER.is_match(text),
        Language::Other => true,
    }
}

/// How long a text is in words; two Chinese characters are about one.
pub fn length(text: &str) -> usize {
    let han = text.chars().filter(|letter| is_han(*letter)).count();
    let words = text.split(|letter: char| !letter.is_alphanumeric() || is_han(letter)).filter(|word| !word.is_empty());
    words.count() + han.div_ceil(2)
}

/// The words that carry meaning, without their endings; in Chinese each two adjacent characters.
pub fn content(text: &str) -> BTreeSet<String> {
    written(text).into_keys().collect()
}

/// The same words, each with how it is first written in the text.
pub fn written(text: &str) -> BTreeMap<String, String> {
    let mut words = BTreeMap::new();
    let text = if text.chars().any(is_han) { VAGUE_CHINESE.replace_all(text, " ") } else { Cow::Borrowed(text) };
    for run in text.split(|letter: char| !letter.is_alphanumeric()).filter(|run| !run.is_empty()) {
        let mut rest = run;
        while let Some(first) = rest.chars().next() {
            let length = rest.find(|letter| is_han(letter) != is_han(first)).unwrap_or(rest.len());
            let (part, after) = rest.split_at(length);
            rest = after;
            if is_han(first) {
                words.extend(pairs(part).map(|pair| (pair.clone(), pair)));
            } else {
                let word = stem(&part.to_lowercase());
                if (2..=LONGEST_WORD).contains(&word.len()) && !says_nothing(&word) {
                    words.entry(word).or_insert_with(|| part.to_owned());
                }
            }
        }
    }
    words
}

/// A word that says nothing about what a skill is for.
pub fn is_weak(word: &str) -> bool {
    says_nothing(&stem(&word.to_lowercase()))
}

fn says_nothing(stem: &str) -> bool {
    STOP.binary_search(&stem).is_ok() || WEAK.binary_search(&stem).is_ok()
}

/// Of Chinese, or what Japanese takes from it.
pub fn is_han(letter: char) -> bool {
    matches!(letter, '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3134F}')
}

fn pairs(text: &str) -> impl Iterator<Item = String> {
    let letters: Vec<char> = text.chars().collect();
    let size = letters.len().min(2);
    letters.windows(size.max(1)).map(String::from_iter).collect::<Vec<_>>().into_iter()
}

/// An English word without its ending, roughly: only good for comparing.
fn stem(word: &str) -> String {
    let mut word = word;
    for ending in ["ing", "ies", "ed", "es", "s"] {
        if let Some(stem) = word.strip_suffix(ending).filter(|stem| stem.len() >= 3 && !stem.ends_with('s')) {
            word = stem;
            break;
        }
    }
    word.strip_suffix('e').filter(|stem| stem.len() >= 3).unwrap_or(word).to_owned()
}

static ENGLISH: LazyLock<Regex> = LazyLock::new(|| compiled(&format!(r"(?i)\b(?:{})\b", ENGLISH_WORDS.join("|"))));
/// Small words of other languages, and letters that English does not have.
static FOREIGN: LazyLock<Regex> = LazyLock::new(|| {
    let words = FOREIGN_WORDS.join("|");
    compiled(&format!(r"(?i)\b(?:{words}|für|não)\b|[äöüßàâçéèêëîïôûñáíóúãõ]"))
});

const ENGLISH_WORDS: [&str; 20] = [
    "the", "and", "for", "to", "of", "with", "from", "into", "when", "use", "uses", "using", "or", "by", "this",
    "that", "is", "are", "user", "users",
];
/// Of German, French, Spanish, Portuguese, Italian and Dutch.
const FOREIGN_WORDS: [&str; 40] = [
    "der", "die", "das", "und", "mit", "von", "ein", "eine", "auf", "zu", "ist", "wenn", "les", "des", "un", "une",
    "pour", "avec", "dans", "et", "est", "el", "los", "las", "para", "con", "por", "del", "cuando", "il", "per", "che",
    "di", "quando", "um", "uma", "een", "het", "van", "voor",
];

static ENGLISH_TRIGGER: LazyLock<Regex> = LazyLock::new(|| {
    compiled(
        r"(?ix)\b(?: when | whenever | if | while | during | before | after | unless
        | use[ds]?\s+(?:(?:pro-?actively|immediately|automatically|always|only)\s+)?(?:this|it|for|in|to|by|on|as|with|at|throughout|across)
        | useful | (?:helpful|perfect|great|good|best|handy|made|meant|built)\s+for | suitable | ideal\s+for | designed\s+for | intended\s+for | needed\s+for | required\s+for
        | trigger\w* | invoke[ds]? | activat\w+ | appl(?:y|ies)\s+(?:to|for|in)
        | ask(?:s|ed|ing)? | request(?:s|ed)? | mention(?:s|ed)? | want(?:s|ed)? | need(?:s|ed)?\s+to | user\s+needs?
        | fires?\s+(?:on|for) | runs?\s+(?:on|for)\s+(?:each|every|all) | loads?\s+for | injected\s+into | dispatched\s+(?:by|on)
        | must\s+(?:be\s+)?use[d]? | should\s+be\s+used | call\s+this | as\s+soon\s+as | in\s+case )\b",
    )
});
/// `Use quando …` in a text that is full of English terms.
static FOREIGN_TRIGGER: LazyLock<Regex> = LazyLock::new(|| {
    compiled(
        r"(?i)\b(?:quando|cuando|lorsque|quand|wenn|falls|usar\s+para|usar\s+em|utiliser\s+pour|verwenden|wanneer|när|когда|если)\b|とき|場合|際に|할\s*때|경우",
    )
});

/// `'where is my transcript'`: what a user says.
static QUOTED_PHRASE: LazyLock<Regex> =
    LazyLock::new(|| compiled(r#"(?:^|[\s(—/,:-])['"“‘][A-Za-z][^'"“”‘’\n]*\s[^'"“”‘’\n]+['"”’](?:[\s).,;?]|$)"#));

/// `Six hats, thinking hats, compare ideas, who is right`: what users say, one after the other, is when to use it.
fn lists_phrases(text: &str) -> bool {
    let end = text.find(['.', '—', '–', ';', ':', '(']).unwrap_or(text.len());
    let first = text[..end].split(" - ").next().unwrap_or_default();
    let phrases: Vec<&str> = first.split(',').map(str::trim).filter(|phrase| !phrase.is_empty()).collect();
    let is_phrase = |phrase: &&str| phrase.split_whitespace().count() <= PHRASE;
    let is_prose = phrases.last().is_some_and(|last| last.starts_with("and ") || last.starts_with("or "))
        || phrases.first().is_some_and(|first| first.contains(" and "));
    phrases.len() >= PHRASES && phrases.iter().all(is_phrase) && !is_prose
}

/// Phrases that are a list of them.
const PHRASES: usize = 4;
/// Words of a phrase.
const PHRASE: usize = 7;

static CHINESE_TRIGGER: LazyLock<Regex> = LazyLock::new(|| {
    compiled(
        "当|时|用于|適用|适用|用来|用在|如果|若|需要|场景|場景|触发|觸發|调用|使用|请求|要求|询问|提到|想要|希望|遇到|一旦|凡是|之前|之后|情况下",
    )
});

/// Takes up most of a Chinese description that says nothing.
static VAGUE_CHINESE: LazyLock<Regex> = LazyLock::new(|| {
    compiled(
        "帮助|协助|辅助|用户|处理|各种|各类|任务|一个|有用|实用|通用|技能|工具|东西|事情|问题|进行|相关|操作|工作|提供|支持|功能|多种|很多|一些|助手|助理|内容|使用|用于|需要|可以|能够|适用|所有|任何|完成|管理|的|和|与|或|及|当|时|对|在|了|是|你|我",
    )
});

/// Longer runs are not words.
const LONGEST_WORD: usize = 40;

/// Stems of words that are in every text, sorted.
const STOP: [&str; 88] = [
    "a", "about", "after", "all", "also", "an", "and", "any", "are", "as", "ask", "at", "be", "been", "befor", "both",
    "but", "by", "can", "could", "do", "each", "etc", "for", "from", "has", "hav", "her", "him", "how", "if", "in",
    "into", "is", "it", "its", "lik", "may", "mention", "mor", "must", "need", "no", "not", "of", "on", "only", "or",
    "other", "our", "out", "over", "request", "should", "so", "such", "than", "that", "the", "their", "them", "then",
    "ther", "thes", "thi", "thos", "through", "to", "up", "us", "use", "used", "user", "using", "via", "want", "was",
    "wer", "when", "whenever", "wher", "whether", "which", "whil", "will", "with", "you", "your",
];

/// Stems of words that could describe any skill, sorted.
const WEAK: [&str; 70] = [
    "activat",
    "anyth",
    "assist",
    "assistant",
    "awesom",
    "basic",
    "best",
    "better",
    "common",
    "content",
    "creat",
    "custom",
    "data",
    "deal",
    "demand",
    "different",
    "document",
    "doe",
    "easily",
    "easy",
    "effectiv",
    "everyth",
    "fil",
    "general",
    "generic",
    "good",
    "great",
    "handl",
    "help",
    "helper",
    "helpful",
    "information",
    "kind",
    "mak",
    "manag",
    "management",
    "many",
    "misc",
    "my",
    "new",
    "nic",
    "operation",
    "perform",
    "powerful",
    "process",
    "processing",
    "provid",
    "purpos",
    "quick",
    "quickly",
    "relat",
    "relevant",
    "several",
    "simpl",
    "skill",
    "someth",
    "sort",
    "stuff",
    "support",
    "task",
    "test",
    "thing",
    "tool",
    "typ",
    "useful",
    "util",
    "utilit",
    "utility",
    "variou",
    "work",
];

/// Of an expression of ours, which is valid.
pub fn compiled(expression: &str) -> Regex {
    Regex::new(expression).expect("the expression is written out in the program")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stems_are_sorted() {
        assert!(STOP.is_sorted() && WEAK.is_sorted(), "they are searched by halves");
    }
}
