//! Whether a command fits the script it runs.

use super::{Flag, Interface, Level, Word};
use skill::source::Span;

/// Where a command and the script that it calls disagree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    UnknownFlag {
        name: String,
        span: Span,
        near: Option<String>,
        known: Vec<String>,
        /// A subcommand that has this flag: it is in the wrong place.
        of: Option<String>,
    },
    UnknownSubcommand {
        name: String,
        span: Span,
        near: Option<String>,
        known: Vec<String>,
    },
    /// A value that the flag does not take.
    UnknownValue {
        flag: String,
        name: String,
        span: Span,
        near: Option<String>,
        known: Vec<String>,
    },
    /// A flag that must be given.
    MissingFlag {
        name: String,
    },
    /// A required argument that is not a flag.
    MissingArgument {
        name: String,
    },
}

impl Fault {
    /// Nearly the name of something else.
    pub fn is_slip(&self) -> bool {
        matches!(self, Self::UnknownFlag { near: Some(_), .. } | Self::UnknownSubcommand { near: Some(_), .. })
    }

    /// The word that the script does not take, and where it is.
    pub fn wrong(&self) -> Option<(&str, Span)> {
        match self {
            Self::UnknownFlag { name, span, .. }
            | Self::UnknownSubcommand { name, span, .. }
            | Self::UnknownValue { name, span, .. } => Some((name, *span)),
            Self::MissingFlag { .. } | Self::MissingArgument { .. } => None,
        }
    }

    /// What was meant is known.
    pub fn is_clear(&self) -> bool {
        match self {
            Self::UnknownFlag { near, of, .. } => near.is_some() || of.is_some(),
            Self::UnknownSubcommand { near, .. } | Self::UnknownValue { near, .. } => near.is_some(),
            Self::MissingFlag { .. } | Self::MissingArgument { .. } => true,
        }
    }
}

/// Arguments that a script would refuse; none if not all its arguments are known.
pub fn faults(interface: &Interface, arguments: &[Word]) -> Vec<Fault> {
    if !interface.complete {
        return Vec::new();
    }
    let mut faults = Vec::new();
    let mut level = &interface.level;
    let mut given: Vec<&str> = Vec::new();
    let mut is_whole = true;
    let mut value_of: Option<(&Flag, &str)> = None;
    // How many arguments other than flags are given; `None`: unclear.
    let mut count = Some(0);
    for (place, word) in arguments.iter().enumerate() {
        let text = word.text.trim_matches(['[', ']']);
        is_whole &= text == word.text && !is_open(text);
        if text == "--" {
            count = count.map(|count| count + arguments.len() - place - 1);
            break;
        }
        let before = value_of.take();
        if text.starts_with(['$', '@']) {
            count = None;
        }
        if is_flag(text) {
            let name = text.split('=').next().unwrap_or_default();
            let start = word.span.start + (word.text.len() - word.text.trim_start_matches('[').len());
            match lookup(interface, level, name) {
                Known::Yes(flag) => {
                    given.push(name);
                    if flag.takes_many {
                        count = None;
                    }
                    match text.split_once('=') {
                        Some((_, value)) => faults.extend(wrong_value(flag, name, value, word)),
                        None => value_of = Some((flag, name)).filter(|(flag, _)| flag.takes_value),
                    }
                }
                Known::Unclear => is_whole = false,
                Known::No => faults.push(Fault::UnknownFlag {
                    name: name.to_owned(),
                    span: Span::new(start, start + name.len()),
                    near: near(name, level.flags.iter().flat_map(|flag| &flag.names)),
                    known: level.flags.iter().filter_map(|flag| flag.names.last().cloned()).collect(),
                    of: level
                        .subcommands
                        .iter()
                        .find(|inner| inner.flag(name).is_some())
                        .and_then(|inner| inner.names.first().cloned()),
                }),
            }
        } else if let Some((flag, name)) = before {
            faults.extend(wrong_value(flag, name, text, word));
        } else if level.subcommands.is_empty() || count.is_some_and(|count| count < level.arguments.len()) {
            count = count.map(|count| count + 1);
        } else {
            match level.subcommand(text) {
                Some(inner) => {
                    faults.extend(missing(interface, level, &given, is_whole));
                    level = inner;
                    count = Some(0);
                    given.clear();
                }
                None if is_plain(text) => {
                    let known = level.subcommands.iter().filter_map(|level| level.names.first().cloned()).collect();
                    faults.push(Fault::UnknownSubcommand {
                        name: text.to_owned(),
                        span: word.span,
                        near: near(text, level.subcommands.iter().flat_map(|level| &level.names)),
                        known,
                    });
                    return faults;
                }
                None => return faults,
            }
        }
    }
    let explains = ["-h", "--help", "--version", "-V"].iter().any(|flag| given.contains(flag));
    if !explains {
        faults.extend(missing(interface, level, &given, is_whole));
        let absent = count.and_then(|count| level.arguments.get(count)).filter(|_| is_whole);
        faults.extend(absent.map(|name| Fault::MissingArgument { name: name.clone() }));
    }
    faults
}

/// A value in so many letters that is none of those the flag takes. `name`: the flag as the command writes it.
fn wrong_value(flag: &Flag, name: &str, value: &str, word: &Word) -> Option<Fault> {
    let is_written = value.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'));
    // `FORMAT` and `N` are placeholders for a value.
    let stands_for = value.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
    if flag.choices.is_empty() || flag.choices.iter().any(|known| known == value) || !is_written || stands_for {
        return None;
    }
    Some(Fault::UnknownValue {
        flag: name.to_owned(),
        name: value.to_owned(),
        span: Span::new(word.span.end.saturating_sub(value.len()).max(word.span.start), word.span.end),
        near: (flag.choices.iter().find(|known| known.eq_ignore_ascii_case(value)).cloned())
            .or_else(|| near(value, flag.choices.iter())),
        known: flag.choices.clone(),
    })
}

/// The flag's spelling that was meant, if one is close.
pub fn near<'a>(name: &str, names: impl Iterator<Item = &'a String>) -> Option<String> {
    let allowed = (name.trim_start_matches('-').len() / 3).clamp(1, 2);
    let cut = |name: &str| name.chars().take(LENGTH).collect::<String>();
    let given = cut(name);
    let distances =
        names.filter(|known| known.len() > 2).map(|known| (strsim::osa_distance(&given, &cut(known)), known));
    distances.filter(|(distance, _)| *distance <= allowed).min().map(|(_, known)| known.clone())
}

enum Known<'a> {
    Yes(&'a Flag),
    No,
    Unclear,
}

fn lookup<'a>(interface: &'a Interface, level: &'a Level, name: &str) -> Known<'a> {
    // Flags of the program are accepted after a subcommand.
    let levels = [level, &interface.level];
    if let Some(flag) = levels.iter().find_map(|level| level.flag(name)) {
        return Known::Yes(flag);
    }
    if !name.starts_with("--") {
        // `-abc` for `-a -b -c`, `-n5` for `-n 5`.
        let first = name.chars().take(2).collect::<String>();
        let is_joined = name.chars().count() > 2 && levels.iter().any(|level| level.flag(&first).is_some());
        return if is_joined { Known::Unclear } else { Known::No };
    }
    let mut longer = levels
        .iter()
        .flat_map(|level| &level.flags)
        .filter(|flag| flag.names.iter().any(|known| known.starts_with(name)));
    match longer.next() {
        Some(flag) if interface.abbreviates => Known::Yes(flag),
        Some(_) | None => Known::No,
    }
}

fn missing(interface: &Interface, level: &Level, given: &[&str], is_whole: bool) -> Vec<Fault> {
    if !is_whole {
        return Vec::new();
    }
    let is_given = |name: &String| {
        given.iter().any(|given| given == name || (interface.abbreviates && given.len() > 3 && name.starts_with(given)))
    };
    let required = level.flags.iter().filter(|flag| flag.required && !flag.names.iter().any(is_given));
    required.filter_map(|flag| Some(Fault::MissingFlag { name: flag.names.last()?.clone() })).collect()
}

fn is_flag(text: &str) -> bool {
    let name = text.split('=').next().unwrap_or_default();
    let bare = name.trim_start_matches('-');
    let hyphens = name.len() - bare.len();
    (hyphens == 1 || hyphens == 2)
        && bare.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && bare.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

/// A placeholder for something else: `...`, `$ARGUMENTS`, `<options>`.
fn is_open(text: &str) -> bool {
    let lower = text.to_lowercase();
    text.contains("...")
        || text.contains('…')
        || text.contains('|')
        || text.starts_with("$@")
        || ["arg", "option", "flag", "参数", "选项"]
            .iter()
            .any(|word| lower.starts_with(['<', '[', '$', '{']) && lower.contains(word))
}

/// The name of a subcommand, or a slip of one: nothing but letters and hyphens.
fn is_plain(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')
}

/// Letters of a name that are compared.
const LENGTH: usize = 60;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_name_that_was_meant() {
        let names = ["--color", "--output", "--in"].map(str::to_owned);
        for (given, meant) in
            [("--colour", Some("--color")), ("--otuput", Some("--output")), ("--out", None), ("--verbose", None)]
        {
            assert_eq!(near(given, names.iter()).as_deref(), meant, "{given}");
        }
    }
}
