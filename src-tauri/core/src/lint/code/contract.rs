//! Whether a command fits the script it runs.

use super::{Interface, Level, Word};
use crate::source::Span;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    UnknownFlag {
        name: String,
        span: Span,
        near: Option<String>,
        known: Vec<String>,
    },
    UnknownSubcommand {
        name: String,
        span: Span,
        near: Option<String>,
        known: Vec<String>,
    },
    /// A flag that must be given.
    MissingFlag {
        name: String,
    },
}

impl Fault {
    /// Nearly the name of something else.
    pub fn is_slip(&self) -> bool {
        matches!(self, Self::UnknownFlag { near: Some(_), .. } | Self::UnknownSubcommand { near: Some(_), .. })
    }
}

/// What a script would refuse; nothing where its arguments are not all known.
pub fn faults(interface: &Interface, arguments: &[Word]) -> Vec<Fault> {
    if !interface.complete {
        return Vec::new();
    }
    let mut faults = Vec::new();
    let mut level = &interface.level;
    let mut given: Vec<&str> = Vec::new();
    let mut is_whole = true;
    let mut value_follows = false;
    for word in arguments {
        let text = word.text.trim_matches(['[', ']']);
        is_whole &= text == word.text && !is_open(text);
        if text == "--" {
            break;
        }
        let follows = std::mem::take(&mut value_follows);
        if is_flag(text) {
            let name = text.split('=').next().unwrap_or_default();
            let start = word.span.start + (word.text.len() - word.text.trim_start_matches('[').len());
            match lookup(interface, level, name) {
                Known::Yes(takes_value) => {
                    given.push(name);
                    value_follows = takes_value && !text.contains('=');
                }
                Known::Unclear => is_whole = false,
                Known::No => faults.push(Fault::UnknownFlag {
                    name: name.to_owned(),
                    span: Span::new(start, start + name.len()),
                    near: near(name, level.flags.iter().flat_map(|flag| &flag.names)),
                    known: level.flags.iter().filter_map(|flag| flag.names.last().cloned()).collect(),
                }),
            }
        } else if !follows && !level.subcommands.is_empty() {
            match level.subcommand(text) {
                Some(inner) => {
                    faults.extend(missing(interface, level, &given, is_whole));
                    level = inner;
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
    }
    faults
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

enum Known {
    /// And whether a value follows.
    Yes(bool),
    No,
    Unclear,
}

fn lookup(interface: &Interface, level: &Level, name: &str) -> Known {
    // Flags of the program are let pass behind a subcommand.
    let levels = [level, &interface.level];
    if let Some(flag) = levels.iter().find_map(|level| level.flag(name)) {
        return Known::Yes(flag.takes_value);
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
        Some(flag) if interface.abbreviates => Known::Yes(flag.takes_value),
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

/// Stands for more than it says: `...`, `$ARGUMENTS`, `<options>`.
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
