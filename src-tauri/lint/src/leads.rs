//! Where the paths in a page lead, for editors that follow them.

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};

use super::files::Files;
use super::markdown::Markdown;
use super::references::{Aim, Reference, References, unescaped};
use super::texts::Texts;
use model::tokens;
use skill::Skill;
use skill::source::Span;

/// A path in a page.
#[derive(Debug, Clone, PartialEq)]
pub struct Lead {
    /// Where it is written.
    pub span: Span,
    pub path: Utf8PathBuf,
    /// Of the file's text, the heading that is meant.
    pub heading: Option<Span>,
    pub end: End,
}

/// The target of the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    Nothing,
    Text {
        lines: usize,
        tokens: u32,
    },
    /// A folder, or a file that is not text.
    Other,
}

/// In the order of the text. `page`: a Markdown file of the skill.
pub fn leads(skill: &Skill, page: &Utf8Path, files: &dyn Files) -> Vec<Lead> {
    let texts = Texts::new(skill, files);
    let references = References::of(&texts);
    let of_page = references.pages.iter().find(|of_page| of_page.path == page);
    let references = of_page.map_or(&[][..], |of_page| &of_page.references);
    let mut leads: Vec<Lead> =
        references.iter().filter_map(|reference| lead(skill, page, reference, texts.disk())).collect();
    leads.sort_by_key(|lead| (lead.span.start, lead.span.end));
    leads
}

/// `None`: it leads to a place that has nothing to do with a skill.
fn lead(skill: &Skill, page: &Utf8Path, reference: &Reference, files: &dyn Files) -> Option<Lead> {
    let path = match reference.aim {
        Aim::File(file) | Aim::Miscased(file) => skill.files.get(file)?.path.clone(),
        Aim::Absolute => return None,
        Aim::Present | Aim::Missing | Aim::Outside => {
            let written = unescaped(&reference.written).replace('\\', "/");
            let ways = [page.parent()?, &skill.path].map(|folder| plain(&folder.join(&written)));
            ways.iter().find(|way| files.exists(way)).unwrap_or(&ways[0]).clone()
        }
    };
    let text = files.text(&path);
    let heading = text.as_ref().zip(reference.fragment.as_deref()).and_then(|(source, fragment)| {
        let markdown = Markdown::parse(&source.text, 0);
        let place = markdown.anchors().position(|anchor| anchor.eq_ignore_ascii_case(fragment))?;
        markdown.headings.get(place).map(|heading| heading.span)
    });
    let end = match text {
        Some(source) => End::Text { lines: source.text.lines().count(), tokens: tokens::count(&source.text) },
        None if files.exists(&path) => End::Other,
        None => End::Nothing,
    };
    Some(Lead { span: reference.span, path, heading, end })
}

/// Without `.` and `..`, by its text alone.
fn plain(path: &Utf8Path) -> Utf8PathBuf {
    let mut plain = Utf8PathBuf::new();
    for part in path.components() {
        match part {
            Utf8Component::CurDir => {}
            Utf8Component::ParentDir => _ = plain.pop(),
            other => plain.push(other),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Disk;

    #[test]
    fn leads_to_files_headings_and_what_is_not_there() {
        let guard = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::try_from(guard.path().canonicalize().unwrap()).unwrap();
        let text = "---\nname: demo\ndescription: Use it.\n---\nSee [a](references/a.md#two), `scripts/run.py`,\n\
                    [gone](references/gone.md), [up](../other/SKILL.md), [web](https://example.org) and [disk](/etc/x).\n\
                    Also [top](#end) and [these](assets).\n\n## End\n";
        let files = [
            ("demo/SKILL.md", text),
            ("demo/references/a.md", "# One\n\n## Two\n\nBack to [it](../SKILL.md).\n"),
            ("demo/scripts/run.py", "print(1)\n"),
            ("demo/assets/x.bin", "\0"),
            ("other/SKILL.md", "Other.\n"),
        ];
        for (path, text) in files {
            std::fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
            std::fs::write(root.join(path), text).unwrap();
        }
        let skills = skill::skills(&skill::load(&[root.join("demo")]));
        let shown = |page: &str| -> Vec<(String, String, Option<String>, End)> {
            let path = root.join(page);
            let text = std::fs::read_to_string(&path).unwrap();
            let shown = leads(&skills[0], &path, &Disk).into_iter().map(|lead| {
                let target = std::fs::read_to_string(&lead.path).unwrap_or_default();
                let heading = lead.heading.map(|span| span.of(&target).trim().to_owned());
                let path = lead.path.strip_prefix(&root).unwrap().to_string();
                (lead.span.of(&text).to_owned(), path, heading, lead.end)
            });
            shown.collect()
        };
        let text = |lines, tokens| End::Text { lines, tokens };
        let lead = |written: &str, path: &str, heading: Option<&str>, end| {
            (written.to_owned(), path.to_owned(), heading.map(str::to_owned), end)
        };
        let whole = |path: &str| {
            let text = std::fs::read_to_string(root.join(path)).unwrap();
            End::Text { lines: text.lines().count(), tokens: tokens::count(&text) }
        };
        let expected = [
            lead("references/a.md", "demo/references/a.md", Some("## Two"), whole("demo/references/a.md")),
            lead("scripts/run.py", "demo/scripts/run.py", None, text(1, tokens::count("print(1)\n"))),
            lead("references/gone.md", "demo/references/gone.md", None, End::Nothing),
            lead("../other/SKILL.md", "other/SKILL.md", None, whole("other/SKILL.md")),
            lead("#end", "demo/SKILL.md", Some("## End"), whole("demo/SKILL.md")),
            lead("assets", "demo/assets", None, End::Other),
        ];
        assert_eq!(shown("demo/SKILL.md"), expected);
        assert_eq!(shown("demo/references/a.md"), [lead("../SKILL.md", "demo/SKILL.md", None, whole("demo/SKILL.md"))]);
        assert_eq!(leads(&skills[0], &root.join("demo/scripts/run.py"), &Disk), []);
    }
}
