//! Frontmatter that is written alike: every reader takes the names and descriptions of such skills out of it in the same
//! way, so that one of them tells how all are read. What differs between them is only words of which no reader of YAML, and
//! no framework, makes more than words; all else in their frontmatter is the same to the letter.

use std::sync::Arc;

use camino::Utf8Path;

use skill::manifest::{DESCRIPTION_LIMIT, FILE_NAME, is_valid_name};
use skill::source::SourceText;
use skill::{Manifest, Skill};

/// How the frontmatter of a skill is written, and its name and description.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Alike<'a> {
    /// The frontmatter, with marks in place of the words that may differ.
    pub form: String,
    pub name: Value<'a>,
    pub description: Value<'a>,
}

/// A value of the frontmatter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Value<'a> {
    /// As YAML says.
    pub text: &'a str,
    /// The rest of its line: with quotes, or the sign of a text on the next lines.
    pub written: &'a str,
}

/// How a reader takes a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    AsYaml,
    /// Without white space at its end.
    Trimmed,
    AsWritten,
}

impl Value<'_> {
    pub fn read(&self, reading: Reading) -> &str {
        match reading {
            Reading::AsYaml => self.text,
            Reading::Trimmed => self.text.trim_end(),
            Reading::AsWritten => self.written,
        }
    }

    /// `None`: in another way.
    pub fn reading(&self, read: &str) -> Option<Reading> {
        [Reading::AsYaml, Reading::Trimmed, Reading::AsWritten].into_iter().find(|reading| self.read(*reading) == read)
    }
}

impl<'a> Alike<'a> {
    /// `None`: there may be something in it that a reader trips over.
    pub fn of(skill: &'a Skill) -> Option<Self> {
        let source = &skill.manifest.source;
        let folder = skill.path.file_name()?;
        let is_read_whole = source.truncated_from.is_none() && source.invalid_at.is_none() && !source.bom;
        if !is_read_whole || source.path.file_name() != Some(FILE_NAME) {
            return None;
        }
        let front = source.text.strip_prefix(OPENING)?;
        let front = &front[..front.find("\n---\n")?];
        let body = &source.text[OPENING.len() + front.len() + "\n---\n".len()..];
        let body = &body[..body.floor_char_boundary(BODY_SHOWN)];
        if front.len() > LONGEST || body.trim().is_empty() || has_control(front) || has_control(body) {
            return None;
        }
        let Form { form, name, description } = Form::of(front)?;
        let text_of = |key: &str, written| {
            let text = skill.manifest.field(key)?.value.as_str()?;
            Some(Value { text, written })
        };
        let (name, description) = (text_of("name", name)?, text_of("description", description)?);
        let is_good = is_valid_name(name.text) && name.text == folder && description.text.len() <= DESCRIPTION_LIMIT;
        is_good.then_some(Self { form, name, description })
    }

    /// A skill that is written so, in a folder of skills.
    pub fn sample(form: &str) -> Skill {
        let path = Utf8Path::new("/skills").join(SAMPLE_NAME);
        let mut front = String::new();
        let mut letters = form.chars();
        while let Some(letter) = letters.next() {
            match letter {
                MARK => front.push_str(letters.next().map_or("", sample_of)),
                _ => front.push(letter),
            }
        }
        let text = format!("{OPENING}{front}\n---\nDo it.\n");
        let manifest = Manifest::parse(Arc::new(SourceText::of_text(path.join(FILE_NAME), text)));
        Skill { path, root: "/skills".into(), problems: manifest.problems.clone(), manifest, files: Vec::new() }
    }
}

const OPENING: &str = "---\n";
/// How many bytes of the instructions are compared: frameworks are not shown more.
const BODY_SHOWN: usize = 512;
/// In bytes. Some frameworks read no more than twice as many letters.
const LONGEST: usize = 8 << 10;
/// Bytes of a value that is neither name nor description.
const SHORT: usize = 200;

/// Precedes the letter that says what was left out.
const MARK: char = '\u{1}';
const SAMPLE_NAME: &str = "sample-of-skills";

fn sample_of(mark: char) -> &'static str {
    match mark {
        'n' => "sample-of-skills",
        'N' => "\"sample-of-skills\"",
        'M' => "'sample-of-skills'",
        'w' => "Shows what a skill is, if asked.",
        'd' => "\"Shows what a skill is, if asked.\"",
        's' => "'Shows what a skill is, if asked.'",
        'l' => "  Shows what a skill is, if asked.",
        'L' => "  Shows what a skill is,\n  if asked.",
        'W' => "Some words",
        'D' => "\"Some words\"",
        'S' => "'Some words'",
        'Q' => "\"1.2.3\"",
        'V' => "1.2.3",
        'i' => "  - Some words",
        'I' => "  - Some words\n  - Others",
        'q' => "  - \"Some words\"",
        'R' => "  - \"Some words\"\n  - \"Others\"",
        'j' => "- Some words",
        'J' => "- Some words\n- Others",
        _ => "2025-06-15",
    }
}

/// Frontmatter, taken apart line by line.
struct Form<'a> {
    form: String,
    name: &'a str,
    description: &'a str,
}

impl<'a> Form<'a> {
    fn of(front: &'a str) -> Option<Self> {
        let mut form = String::with_capacity(front.len());
        let (mut name, mut description) = (None, None);
        let mut of_metadata = false;
        let mut lines = front.split('\n').peekable();
        while let Some(line) = lines.next() {
            if !form.is_empty() {
                form.push('\n');
            }
            of_metadata = line == "metadata:" || (of_metadata && line.starts_with(' '));
            if let Some(item) = Item::of(line) {
                let mut is_list = false;
                while lines.next_if(|next| Item::of(next) == Some(item)).is_some() {
                    is_list = true;
                }
                form.extend([MARK, item.mark(is_list)]);
                continue;
            }
            let pair = line.split_once(": ").filter(|(key, _)| !key.is_empty());
            match pair {
                Some(("name", value)) => {
                    if name.replace(value).is_some() {
                        return None;
                    }
                    form.push_str("name: ");
                    form.extend([MARK, quoted(value, is_name)?.mark(['n', 'N', 'M'])]);
                }
                Some(("description", value @ (">" | ">-" | "|" | "|-"))) => {
                    if description.replace(value).is_some() {
                        return None;
                    }
                    form.push_str(line);
                    let mut count = 0;
                    while let Some(line) = lines.next_if(|line| line.starts_with(' ')) {
                        line.strip_prefix("  ").filter(|words| is_line(words))?;
                        count += 1;
                    }
                    let mark = match count {
                        0 => return None,
                        1 => 'l',
                        _ => 'L',
                    };
                    form.extend(['\n', MARK, mark]);
                }
                Some(("description", value)) => {
                    if description.replace(value).is_some() {
                        return None;
                    }
                    form.push_str("description: ");
                    form.extend([MARK, quoted(value, is_text)?.mark(['w', 'd', 's'])]);
                }
                Some((key, value)) if of_metadata || OTHERS.contains(&key) => {
                    form.push_str(key);
                    form.push_str(": ");
                    match mark_of_other(value) {
                        Some(mark) => form.extend([MARK, mark]),
                        None => form.push_str(value),
                    }
                }
                _ => form.push_str(line),
            }
        }
        Some(Self { form, name: name?, description: description? })
    }
}

/// How an item of a list is written, if its words make no difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Item {
    Plain,
    Quoted,
    NotIndented,
}

impl Item {
    fn of(line: &str) -> Option<Self> {
        let is_short = |value: &str| value.len() <= SHORT;
        if let Some(value) = line.strip_prefix("- ").filter(|value| is_short(value)) {
            return is_plain(value).then_some(Self::NotIndented);
        }
        let value = line.strip_prefix("  - ").filter(|value| is_short(value))?;
        match quoted(value, is_text)? {
            Quotes::None => Some(Self::Plain),
            Quotes::Double => Some(Self::Quoted),
            Quotes::Single => None,
        }
    }

    /// `is_list`: more of them follow.
    fn mark(self, is_list: bool) -> char {
        match (self, is_list) {
            (Self::Plain, false) => 'i',
            (Self::Plain, true) => 'I',
            (Self::Quoted, false) => 'q',
            (Self::Quoted, true) => 'R',
            (Self::NotIndented, false) => 'j',
            (Self::NotIndented, true) => 'J',
        }
    }
}

/// Fields whose words make no difference to loaders.
const OTHERS: [&str; 11] = [
    "license",
    "compatibility",
    "version",
    "author",
    "created",
    "modified",
    "reviewed",
    "category",
    "argument-hint",
    "allowed-tools",
    "args",
];

#[derive(Clone, Copy)]
enum Quotes {
    None,
    Double,
    Single,
}

impl Quotes {
    fn mark(self, marks: [char; 3]) -> char {
        marks[self as usize]
    }
}

/// How a text is put in quotes, if nothing in it is read otherwise because of them. `is_good` judges it without them.
fn quoted(value: &str, is_good: fn(&str, Quotes) -> bool) -> Option<Quotes> {
    let within = |quote: char| value.strip_prefix(quote)?.strip_suffix(quote);
    let (quotes, text) = match (within('"'), within('\'')) {
        (Some(text), _) if !text.contains('"') => (Quotes::Double, text),
        (_, Some(text)) if !text.contains('\'') => (Quotes::Single, text),
        _ => (Quotes::None, value),
    };
    is_good(text, quotes).then_some(quotes)
}

fn is_name(text: &str, _: Quotes) -> bool {
    text.starts_with(|letter: char| letter.is_ascii_lowercase()) && !is_truth(text)
}

fn is_text(text: &str, quotes: Quotes) -> bool {
    match quotes {
        Quotes::None => is_plain(text),
        Quotes::Double | Quotes::Single => is_quotable(text),
    }
}

/// The mark for a value that is neither a name nor a description; `None`: what it says may matter.
fn mark_of_other(value: &str) -> Option<char> {
    let in_quotes = value.strip_prefix('"').and_then(|value| value.strip_suffix('"'));
    if value.len() > SHORT {
        None
    } else if is_version(value) {
        Some('V')
    } else if in_quotes.is_some_and(is_version) {
        Some('Q')
    } else if is_date(value) {
        Some('T')
    } else {
        quoted(value, is_text).map(|quotes| quotes.mark(['W', 'D', 'S']))
    }
}

/// Three numbers, so that it is none itself.
fn is_version(value: &str) -> bool {
    let digits = |part: &str| !part.is_empty() && part.len() < 4 && part.bytes().all(|byte| byte.is_ascii_digit());
    value.split('.').count() == 3 && value.split('.').all(digits)
}

/// A day that every calendar has.
fn is_date(value: &str) -> bool {
    let number = |from: usize, to: usize| {
        let part = value.get(from..to).filter(|part| part.bytes().all(|byte| byte.is_ascii_digit()))?;
        part.parse::<u32>().ok()
    };
    let is_split = value.len() == 10 && value.as_bytes()[4] == b'-' && value.as_bytes()[7] == b'-';
    is_split
        && number(0, 4).is_some_and(|year| (1990..2100).contains(&year))
        && number(5, 7).is_some_and(|month| (1..=12).contains(&month))
        && number(8, 10).is_some_and(|day| (1..=28).contains(&day))
}

/// Words that begin with a letter, one blank apart, and hold no mark that YAML knows at their place; they are not a
/// boolean or null.
fn is_plain(text: &str) -> bool {
    let is_mark = |letter: char| " -_.,()/;'\"+&@=~$%!?*^".contains(letter);
    text.starts_with(char::is_alphabetic)
        && text.ends_with(|letter: char| {
            is_word_or_sign(letter) || letter.is_ascii_alphanumeric() || matches!(letter, '.' | ')')
        })
        && text.chars().all(|letter| letter.is_ascii_alphanumeric() || is_mark(letter) || is_word_or_sign(letter))
        && !has_odd_pair(text)
        && !is_truth(text)
}

/// Words that are the same in quotes.
fn is_quotable(text: &str) -> bool {
    text.starts_with(char::is_alphabetic)
        && !text.ends_with(char::is_whitespace)
        && text.chars().all(is_harmless)
        && !has_odd_pair(text)
        && !has_key(text)
        && !is_truth(text)
}

/// A line of a text on several lines.
fn is_line(text: &str) -> bool {
    text.starts_with(|letter: char| letter.is_alphanumeric() || letter == '(')
        && !text.ends_with(char::is_whitespace)
        && text.chars().all(|letter| is_harmless(letter) || letter == '"')
        && !has_odd_pair(text)
        && !has_key(text)
}

/// No backslash, no white space but blanks, nothing that looks like a tag.
fn is_harmless(letter: char) -> bool {
    (matches!(letter, ' '..='~') && !matches!(letter, '\\' | '<' | '>' | '"')) || is_word_or_sign(letter)
}

/// Not of ASCII, and the same to everybody.
fn is_word_or_sign(letter: char) -> bool {
    matches!(letter, '—' | '–' | '→' | '‘' | '’' | '“' | '”' | '…' | '·' | '•' | '×' | '≥' | '≤')
        || matches!(letter, '：' | '，' | '。' | '、' | '；' | '！' | '？' | '（' | '）' | '《' | '》' | '「' | '」')
        || (!letter.is_ascii() && letter.is_alphanumeric())
}

/// Two blanks, what may begin a comment, what may end the frontmatter.
fn has_odd_pair(text: &str) -> bool {
    text.as_bytes().windows(2).any(|pair| matches!(pair, b"  " | b" #" | b"--"))
}

/// Some find keys anywhere.
fn has_key(text: &str) -> bool {
    let is_key = |end: usize| {
        let before = &text.as_bytes()[..end];
        let ends_with = |key: &str| {
            before.len() >= key.len() && before[before.len() - key.len()..].eq_ignore_ascii_case(key.as_bytes())
        };
        ends_with("name") || ends_with("description")
    };
    text.match_indices(':').any(|(end, _)| is_key(end))
}

fn is_truth(text: &str) -> bool {
    TRUTHS.iter().any(|truth| truth.eq_ignore_ascii_case(text))
}

const TRUTHS: [&str; 10] = ["y", "n", "yes", "no", "on", "off", "true", "false", "null", "none"];

fn has_control(text: &str) -> bool {
    text.contains(|letter: char| letter.is_control() && letter != '\n')
}
