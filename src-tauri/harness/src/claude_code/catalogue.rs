//! The list of skills in front of the first prompt, and how much room it has.

use unicode_width::UnicodeWidthStr;

use super::{Variant, detail, names};
use crate::{Catalog, CatalogSkill, Marked, Origin, Session};
use config::options::ClaudeCodeOptions;
use model::{Message, Part, Role};

/// Puts the list into the first message of the user, once. Without skills there is none.
pub fn put(history: &mut Vec<Message>, catalog: &Catalog, session: &mut Session) {
    if std::mem::replace(&mut session.memory.claude_code.listed, true) {
        return;
    }
    let Some(list) = text(catalog) else { return };
    let part = Part::Text { text: list.text.clone() };
    match history.iter_mut().find(|message| message.role == Role::User) {
        Some(first) => first.parts.insert(0, part),
        None => history.push(Message { role: Role::User, parts: vec![part] }),
    }
    session.injected.push(list);
}

/// As the model reads it.
pub fn text(catalog: &Catalog) -> Option<Marked> {
    let lines = lines(&catalog.skills, Variant::of(catalog), &catalog.options.claude_code);
    if lines.is_empty() {
        return None;
    }
    let mut out = Marked::default();
    out.push(OPENING, Origin::Framework);
    for line in &lines {
        let of = |field: &str| Origin::Skill { skill: line.skill.id.clone(), field: field.into() };
        out.push("- ", Origin::Framework);
        out.push(&line.label, of("name"));
        if let Some(shown) = line.shown.as_deref().filter(|shown| !shown.is_empty()) {
            out.push(": ", Origin::Framework);
            out.push(shown, of("description"));
        }
        out.push("\n", Origin::Framework);
    }
    out.push("</system-reminder>", Origin::Framework);
    if Variant::of(catalog) == Variant::Older {
        out.push("\n", Origin::Framework);
    }
    Some(out)
}

/// A skill as the list has it.
pub struct Line<'a> {
    pub skill: &'a CatalogSkill,
    label: String,
    /// `None`: there was no room for it.
    pub shown: Option<String>,
    /// It is longer than the list shows of any.
    pub cut: bool,
}

/// Those that are listed, in order.
pub fn lines<'a>(skills: &'a [CatalogSkill], variant: Variant, settings: &ClaudeCodeOptions) -> Vec<Line<'a>> {
    let meant = names::meant(skills);
    let listed = skills.iter().filter_map(|skill| Some((skill, detail(skill)?))).filter(|(_, detail)| detail.in_list);
    let mut lines: Vec<Line> = listed
        .map(|(skill, detail)| {
            // Only if it means this skill.
            let alias = detail.alias.as_ref().filter(|alias| meant.get(alias.as_str()) == Some(&skill.id.as_str()));
            let label = match (alias, variant) {
                (Some(alias), Variant::Newest) => format!("{} ({alias})", skill.name),
                (Some(_), Variant::Older) | (None, _) => skill.name.clone(),
            };
            let text = match variant {
                Variant::Newest => one_line(&detail.listed),
                Variant::Older => detail.listed.clone(),
            };
            let (text, cut) = cut(&text, settings.skill_listing_max_desc_chars);
            let shown = match variant {
                Variant::Newest => text.replace('<', "&lt;").replace('>', "&gt;"),
                Variant::Older => text,
            };
            Line { skill, label, shown: Some(shown), cut }
        })
        .collect();
    fit(&mut lines, settings);
    lines
}

const OPENING: &str = "<system-reminder>\nThe following skills are available for use with the Skill tool:\n\n";

/// Characters of a token, as the client estimates.
const CHARACTERS: f64 = 4.0;

/// Columns that all lines have together.
pub fn room(settings: &ClaudeCodeOptions) -> usize {
    let columns = f64::from(settings.context_window) * CHARACTERS * settings.skill_listing_budget_fraction;
    // A fraction of a window is far from what a float cannot hold, and less than nothing is nothing.
    columns.round() as usize
}

/// Drops descriptions that do not fit: in order, as long as the names of the rest still fit.
fn fit(lines: &mut [Line], settings: &ClaudeCodeOptions) {
    let breaks = lines.len().saturating_sub(1);
    let bare: usize = lines.iter().map(|line| 2 + line.label.width()).sum::<usize>() + breaks;
    let more = |line: &Line| line.shown.as_ref().map_or(0, |shown| 2 + shown.width());
    let full: usize = bare + lines.iter().map(more).sum::<usize>();
    let room = room(settings);
    if full <= room {
        return;
    }
    let mut left = room.saturating_sub(bare);
    let kept = lines.iter().take_while(|line| match left.checked_sub(more(line)) {
        Some(rest) => {
            left = rest;
            true
        }
        None => false,
    });
    let kept = kept.count();
    for line in &mut lines[kept..] {
        line.shown = None;
    }
}

/// Line breaks, with the white space around them, become a blank.
fn one_line(text: &str) -> String {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

/// To so many characters of JavaScript, the last of them a mark that something is missing.
fn cut(text: &str, limit: u32) -> (String, bool) {
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    if text.encode_utf16().count() < limit.saturating_add(1) {
        return (text.to_owned(), false);
    }
    let mut units = 0;
    let fits = |letter: &char| {
        units += letter.len_utf16();
        units < limit
    };
    let shown: String = text.chars().take_while(fits).collect();
    (format!("{shown}…"), true)
}
