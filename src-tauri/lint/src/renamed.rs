//! The changes in the texts of skills that are needed when a file or a skill is renamed, so that mentions stay correct.

use std::collections::BTreeSet;

use camino::Utf8Path;

use super::analysis::mentions::mentions;
use super::files::Files;
use super::references::{Aim, Form, Reference, References, joined, relative, unescaped};
use super::rule::Edit;
use super::texts::{Page, Texts, for_each_page};
use skill::Skill;
use skill::source::Span;

/// References of a skill's pages to a file that is moved within the skill, and those in the file itself that count from its
/// folder. `from` may be a folder of the skill.
pub fn file_renamed(skill: &Skill, files: &dyn Files, from: &Utf8Path, to: &Utf8Path) -> Vec<Edit> {
    let name = |path: &Utf8Path| path.strip_prefix(&skill.path).ok().map(|name| name.as_str().replace('\\', "/"));
    let (Some(from), Some(to)) = (name(from), name(to)) else { return Vec::new() };
    let moved = Moved { from: &from, to: &to };
    let texts = Texts::new(skill, files);
    let references = References::of(&texts);
    let mut places: BTreeSet<(usize, usize)> = BTreeSet::new();
    let mut edits = Vec::new();
    for_each_page(&texts, |page| {
        let Some(found) = references.pages.iter().find(|of| of.file == page.file) else { return };
        places.clear();
        for reference in &found.references {
            let Some(text) = written_then(skill, &page, reference, moved) else { continue };
            for span in places_of(page.text, reference) {
                let text = encoded(page.text, span, reference.form, &text);
                if text != span.of(page.text) && places.insert((span.start, span.end)) {
                    edits.push(Edit { path: page.path.to_owned(), span, text });
                }
            }
        }
    });
    edits
}

/// The name in a skill's frontmatter if it is that of its folder, and what other skills call it in their instructions.
pub fn skill_renamed(skills: &[Skill], from: &Utf8Path, to: &Utf8Path) -> Vec<Edit> {
    let Some(renamed) = skills.iter().find(|skill| skill.path == from) else { return Vec::new() };
    let (Some(old), Some(new)) = (from.file_name(), to.file_name()) else { return Vec::new() };
    if renamed.name() != old {
        return Vec::new();
    }
    let mut edits = Vec::new();
    let field = renamed.manifest.field("name");
    if let Some(span) = field.and_then(|field| name_in(field.value_span, &renamed.manifest.source.text, old)) {
        edits.push(Edit { path: renamed.manifest.source.path.clone(), span, text: new.to_owned() });
    }
    for skill in skills {
        let source = &skill.manifest.source;
        let named = mentions(&source.text, skill.manifest.body.start).into_iter().filter(|mention| mention.name == old);
        edits.extend(named.map(|mention| Edit { path: source.path.clone(), span: mention.span, text: new.to_owned() }));
    }
    edits
}

#[derive(Clone, Copy)]
struct Moved<'a> {
    from: &'a str,
    to: &'a str,
}

impl Moved<'_> {
    /// Where a file of the skill is after the move.
    fn then(self, name: &str) -> String {
        match name.strip_prefix(self.from) {
            Some(rest) if rest.is_empty() || rest.starts_with('/') => format!("{}{rest}", self.to),
            _ => name.to_owned(),
        }
    }
}

/// The path that a reference must have after the move; `None`: it stays as it is.
fn written_then(skill: &Skill, page: &Page<'_>, reference: &Reference, moved: Moved<'_>) -> Option<String> {
    let (Aim::File(file) | Aim::Miscased(file)) = reference.aim else { return None };
    if reference.written.is_empty() {
        return None;
    }
    let name = &*skill.files[file].name;
    let path = unescaped(&reference.written).replace('\\', "/");
    let from_page = joined(folder_of(page.name), &path).is_some_and(|way| way.eq_ignore_ascii_case(name));
    let (then, page_then) = (moved.then(name), moved.then(page.name));
    let is_link = matches!(reference.form, Form::Link | Form::Image);
    // In `SKILL.md` both are the same: paths outside of links still count from the skill's folder.
    let counts_from_page = from_page && (is_link || !folder_of(page.name).is_empty());
    let base = if counts_from_page { folder_of(&page_then) } else { "" };
    if then == name && (!counts_from_page || base == folder_of(page.name)) {
        return None;
    }
    let text = relative(Utf8Path::new(base), Utf8Path::new(&then))?;
    let text = if path.starts_with("./") && !text.starts_with("..") { format!("./{text}") } else { text };
    Some(if reference.written.contains('\\') { text.replace('/', "\\") } else { text })
}

/// The places of the path: in the link, or in the definition that it names.
fn places_of(text: &str, reference: &Reference) -> Vec<Span> {
    let written = &*reference.written;
    if reference.span.of(text) == written {
        return vec![reference.span];
    }
    let mut places = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let target = line.trim_start().starts_with('[').then(|| line.find("]:")).flatten();
        if let Some(colon) = target {
            let behind = &line[colon + 2..];
            let path = behind.trim_start().trim_start_matches('<');
            let at = start + colon + 2 + behind.len() - path.len();
            let goes_on = path.strip_prefix(written).and_then(|rest| rest.chars().next());
            if path.starts_with(written) && goes_on.is_none_or(|next| next.is_whitespace() || "#>?".contains(next)) {
                places.push(Span::new(at, at + written.len()));
            }
        }
        start += line.len();
    }
    places
}

/// A link's target ends at a space, unless it is between `<` and `>`.
fn encoded(text: &str, span: Span, form: Form, path: &str) -> String {
    if !matches!(form, Form::Link | Form::Image) || text[..span.start].ends_with('<') {
        return path.to_owned();
    }
    path.replace('%', "%25").replace(' ', "%20").replace('(', "%28").replace(')', "%29")
}

/// A name in the source of a value, which may be quoted.
fn name_in(value: Span, text: &str, name: &str) -> Option<Span> {
    let at = value.start + value.of(text).find(name)?;
    Some(Span::new(at, at + name.len()))
}

fn folder_of(name: &str) -> &str {
    name.rsplit_once('/').map_or("", |(folder, _)| folder)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::fs;

    use camino::Utf8PathBuf;

    use super::*;
    use crate::files::Disk;

    struct Bench {
        _guard: tempfile::TempDir,
        root: Utf8PathBuf,
    }

    fn place(files: &[(&str, &str)]) -> Bench {
        let guard = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::try_from(guard.path().canonicalize().unwrap()).unwrap();
        for (name, text) in files {
            let path = root.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Bench { _guard: guard, root }
    }

    impl Bench {
        fn skills(&self) -> Vec<Skill> {
            skill::skills(&skill::load(std::slice::from_ref(&self.root)))
        }

        /// The texts that change.
        fn after(&self, mut edits: Vec<Edit>) -> BTreeMap<String, String> {
            edits.sort_by_key(|edit| std::cmp::Reverse(edit.span.start));
            let mut texts = BTreeMap::new();
            for Edit { path, span, text } in edits {
                let name = path.strip_prefix(&self.root).unwrap().to_string();
                let whole: &mut String = texts.entry(name).or_insert_with(|| fs::read_to_string(&path).unwrap());
                whole.replace_range(span.start..span.end, &text);
            }
            texts
        }

        fn renamed(&self, from: &str, to: &str) -> BTreeMap<String, String> {
            let skills = self.skills();
            let skill = skills.iter().find(|skill| self.root.join(from).starts_with(&skill.path)).unwrap();
            self.after(file_renamed(skill, &Disk, &self.root.join(from), &self.root.join(to)))
        }
    }

    fn texts(of: &[(&str, &str)]) -> BTreeMap<String, String> {
        of.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
    }

    const HEAD: &str = "---\nname: demo\ndescription: Demonstrates.\n---\n";

    #[test]
    fn every_way_to_mention_a_file_follows_it() {
        let body = "See [the table](references/table.md#rows), `references/table.md` and references/table.md.\n\
                    [again][t], ![x](./references/table.md)\n\n\
                    ```sh\ncat references/table.md\ncat ${SKILL_DIR}/references/table.md\n```\n\n\
                    [t]: references/table.md \"Title\"\n[other]: references/tables.md\n";
        let skill = format!("{HEAD}{body}");
        let place = place(&[
            ("demo/SKILL.md", &skill),
            ("demo/references/table.md", "[up](../SKILL.md) and [next](more.md)\n"),
            ("demo/references/more.md", "[table](table.md), `references/table.md`, [table](./table.md)\n"),
            ("demo/references/tables.md", "x\n"),
        ]);
        let found = place.renamed("demo/references/table.md", "demo/references/factors.md");
        let more = "[table](factors.md), `references/factors.md`, [table](./factors.md)\n";
        let skill = skill.replace("references/table.md", "references/factors.md");
        assert_eq!(found, texts(&[("demo/SKILL.md", &skill), ("demo/references/more.md", more)]));
    }

    #[test]
    fn a_file_that_goes_to_another_folder_still_finds_its_neighbours() {
        let place = place(&[
            ("demo/SKILL.md", &format!("{HEAD}[a](references/a.md)\n")),
            ("demo/references/a.md", "[b](b.md), [up](../SKILL.md), `references/b.md`\n"),
            ("demo/references/b.md", "[a](a.md)\n"),
        ]);
        let found = place.renamed("demo/references/a.md", "demo/references/deep/a b.md");
        let expected = [
            ("demo/SKILL.md", &*format!("{HEAD}[a](references/deep/a%20b.md)\n")),
            ("demo/references/a.md", "[b](../b.md), [up](../../SKILL.md), `references/b.md`\n"),
            ("demo/references/b.md", "[a](deep/a%20b.md)\n"),
        ];
        assert_eq!(found, texts(&expected));
    }

    #[test]
    fn names_that_are_only_alike_stay() {
        let place = place(&[
            ("demo/SKILL.md", &format!("{HEAD}[x](references/xa.md), [u](https://x.org/references/a.md), a.md\n")),
            ("demo/references/a.md", "x\n"),
            ("demo/references/xa.md", "x\n"),
        ]);
        assert_eq!(place.renamed("demo/references/a.md", "demo/references/b.md"), texts(&[]));
    }

    #[test]
    fn a_skill_takes_its_name_along_and_others_call_it_by_it() {
        let place = place(&[
            ("pdf-tables/SKILL.md", "---\nname: \"pdf-tables\"\ndescription: x\n---\n"),
            (
                "other/SKILL.md",
                "---\nname: other\ndescription: x\n---\nUse the `pdf-tables` skill first, not `pdf-tables`.\n",
            ),
            ("odd/SKILL.md", "---\nname: another\ndescription: x\n---\n"),
        ]);
        let skills = place.skills();
        let (from, to) = (place.root.join("pdf-tables"), place.root.join("pdf-grids"));
        let expected = [
            (
                "other/SKILL.md",
                "---\nname: other\ndescription: x\n---\nUse the `pdf-grids` skill first, not `pdf-tables`.\n",
            ),
            ("pdf-tables/SKILL.md", "---\nname: \"pdf-grids\"\ndescription: x\n---\n"),
        ];
        assert_eq!(place.after(skill_renamed(&skills, &from, &to)), texts(&expected));
        let odd = skill_renamed(&skills, &place.root.join("odd"), &place.root.join("even"));
        assert_eq!(odd, [], "its name was never that of its folder");
    }
}
