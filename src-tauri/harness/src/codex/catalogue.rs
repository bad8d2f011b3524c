//! The list of skills in a developer message, and how much room it has.

use camino::Utf8Path;

use super::{CLIENT, Detail, detail, models};
use crate::{Catalog, CatalogSkill, Marked, Origin, Session};
use config::options::CodexOptions;
use model::{Message, Part, Role};

/// Puts the list, and the client's description of the machine, before the first prompt. Without skills there is no
/// list.
pub fn put(history: &mut Vec<Message>, catalog: &Catalog, session: &mut Session) {
    let mut messages = Vec::new();
    if let Some(list) = text(catalog) {
        messages.push(Message::system(&list.text));
        session.injected.push(list);
    }
    if models::of(&catalog.options.codex.model).agents {
        for _ in 0..ABOUT_AGENTS {
            let mut text = Marked::default();
            text.push_withheld(CLIENT, None);
            messages.push(Message::system(&text.text));
            session.injected.push(text);
        }
    }
    if let Some(folder) = session.working_directory.as_deref() {
        let around = environment(folder);
        messages.push(Message { role: Role::User, parts: vec![Part::Text { text: around.text.clone() }] });
        session.injected.push(around);
    }
    let place = history.iter().position(|message| message.role == Role::User).unwrap_or(history.len());
    history.splice(place..place, messages);
}

/// Texts of the client about agents that work together.
const ABOUT_AGENTS: usize = 2;

fn environment(folder: &Utf8Path) -> Marked {
    let mut text = Marked::default();
    let said = format!("<environment_context>\n  <cwd>{folder}</cwd>\n  <shell>bash</shell>\n</environment_context>");
    text.push(&said, Origin::Framework);
    text
}

/// As the model reads it.
pub fn text(catalog: &Catalog) -> Option<Marked> {
    let settings = &catalog.options.codex;
    let List { roots, lines, .. } = list(&catalog.skills, settings);
    if lines.is_empty() {
        return None;
    }
    let mut out = Marked::default();
    out.push("<skills_instructions>\n## Skills\n", Origin::Framework);
    out.push(INTRO, Origin::Framework);
    out.push("### Skill roots\n", Origin::Framework);
    for (at, root) in roots.iter().enumerate() {
        out.push(&format!("- `r{at}` = `{root}`\n"), Origin::Framework);
    }
    out.push("### Available skills\n", Origin::Framework);
    for line in &lines {
        let of = |field: &str| Origin::Skill { skill: line.skill.id.clone(), field: field.into() };
        out.push("- ", Origin::Framework);
        out.push(&line.skill.name, of("name"));
        out.push(": ", Origin::Framework);
        if !line.shown.is_empty() {
            out.push(&line.shown, of("description"));
            out.push(" ", Origin::Framework);
        }
        out.push("(file: ", Origin::Framework);
        out.push(&line.path, of("path"));
        out.push(")\n", Origin::Framework);
    }
    if models::of(&settings.model).says_how {
        out.push("### How to use skills\n", Origin::Framework);
        out.push(HOW_TO, Origin::Framework);
    }
    out.push("</skills_instructions>", Origin::Framework);
    Some(out)
}

const INTRO: &str = include_str!("templates/intro.txt");
const HOW_TO: &str = include_str!("templates/how_to.txt");

pub struct List<'a> {
    /// The folders that the aliases mean.
    pub roots: Vec<&'a Utf8Path>,
    pub lines: Vec<Line<'a>>,
    /// Those that there was no room for.
    pub left_out: Vec<&'a CatalogSkill>,
}

/// A skill as the list has it.
pub struct Line<'a> {
    pub skill: &'a CatalogSkill,
    path: String,
    pub shown: String,
    /// The description is longer than the list shows of any.
    pub cut: bool,
    /// So many characters of it had room; `None`: all of them.
    pub room: Option<usize>,
}

/// Those that are listed, in order.
pub fn list<'a>(skills: &'a [CatalogSkill], settings: &CodexOptions) -> List<'a> {
    let listed = skills.iter().filter_map(|skill| Some((skill, detail(skill)?))).filter(|(_, detail)| detail.in_list);
    let mut ranks: Vec<(usize, &Utf8Path)> = listed.clone().map(|(_, detail)| (detail.rank, &*detail.root)).collect();
    ranks.sort_unstable();
    ranks.dedup();
    let lines = listed.map(|(skill, detail)| line(skill, detail, &ranks)).collect();
    let (lines, left_out) = fit(lines, limit(settings));
    List { roots: ranks.into_iter().map(|(_, root)| root).collect(), lines, left_out }
}

/// Tokens that all lines have together.
pub fn limit(settings: &CodexOptions) -> usize {
    let window = usize::try_from(settings.context_window).unwrap_or(usize::MAX);
    (window.saturating_mul(PERCENT) / 100).max(1)
}

const PERCENT: usize = 2;
/// Bytes of a token, as the client estimates.
const BYTES: usize = 4;
/// Characters of a description that the list shows.
pub const MOST: usize = 1024;
const DOTS: &str = "...";

fn line<'a>(skill: &'a CatalogSkill, detail: &Detail, ranks: &[(usize, &Utf8Path)]) -> Line<'a> {
    let alias = ranks.iter().position(|(rank, _)| *rank == detail.rank).unwrap_or_default();
    let cut = skill.description.char_indices().nth(MOST).is_some();
    let shown = match skill.description.char_indices().nth(MOST - DOTS.len()) {
        Some((end, _)) if cut => format!("{}{DOTS}", &skill.description[..end]),
        Some(_) | None => skill.description.clone(),
    };
    Line { skill, path: format!("r{alias}/{}", detail.within), shown, cut, room: None }
}

impl Line<'_> {
    /// Bytes without a description, the line end included.
    fn bare(&self) -> usize {
        "- : (file: )\n".len() + self.skill.name.len() + self.path.len()
    }

    fn full(&self) -> usize {
        self.bare() + if self.shown.is_empty() { 0 } else { self.shown.len() + 1 }
    }
}

fn tokens(bytes: usize) -> usize {
    bytes.div_ceil(BYTES)
}

/// Shortens all descriptions until the lines have room, or leaves descriptions out, and lines that even then do not fit.
fn fit(mut lines: Vec<Line<'_>>, limit: usize) -> (Vec<Line<'_>>, Vec<&CatalogSkill>) {
    if lines.iter().map(|line| tokens(line.full())).sum::<usize>() <= limit {
        return (lines, Vec::new());
    }
    let bare: usize = lines.iter().map(|line| tokens(line.bare())).sum();
    if bare <= limit {
        shorten(&mut lines, limit - bare);
        return (lines, Vec::new());
    }
    let (mut kept, mut left_out, mut used) = (Vec::new(), Vec::new(), 0);
    for mut line in lines {
        let cost = tokens(line.bare());
        if used + cost > limit {
            left_out.push(line.skill);
            continue;
        }
        used += cost;
        line.shown.clear();
        line.room = Some(0);
        kept.push(line);
    }
    (kept, left_out)
}

/// Each description gets one more character in turn, as long as the tokens last.
fn shorten(lines: &mut [Line<'_>], mut left: usize) {
    struct Filling {
        bare: usize,
        /// Bytes and characters that it has.
        bytes: usize,
        characters: usize,
        cost: usize,
    }
    let start = |line: &Line| Filling { bare: line.bare(), bytes: 0, characters: 0, cost: 0 };
    let mut fillings: Vec<Filling> = lines.iter().map(start).collect();
    loop {
        let mut changed = false;
        for (filling, line) in fillings.iter_mut().zip(lines.iter()) {
            let Some(letter) = line.shown[filling.bytes..].chars().next() else { continue };
            let bytes = filling.bytes + letter.len_utf8();
            let cost = tokens(filling.bare + bytes + 1) - tokens(filling.bare);
            if cost - filling.cost > left {
                continue;
            }
            left -= cost - filling.cost;
            *filling = Filling { bytes, characters: filling.characters + 1, cost, ..*filling };
            changed = true;
        }
        if !changed {
            break;
        }
    }
    for (filling, line) in fillings.iter().zip(lines) {
        if filling.bytes < line.shown.len() {
            line.shown.truncate(filling.bytes);
            line.room = Some(filling.characters);
        }
    }
}
