//! Files that ripgrep leaves out of a result: what `.rgignore`, `.ignore` and `.gitignore` say in the folder of a
//! skill, in the folders in it, and in those around it as far as they were opened. The file of the first of these names
//! that has a rule for a path decides, then the innermost folder, then the last line.
//!
//! `.gitignore` counts in a repository only, and only up to its folder. A project whose repository was not opened with
//! it is taken to be in one. The client puts its own `.gitignore` into each `.opencode` that has none. Not covered:
//! `.git/info/exclude`, and the user's own list of ignored files.

use camino::{Utf8Path, Utf8PathBuf};
use globset::{GlobBuilder, GlobMatcher};

use skill::{File, Folder};

/// Folders inside each other, the outermost first, with their rules.
#[derive(Clone)]
pub struct Ignored<'a> {
    levels: Vec<Level<'a>>,
    in_repository: bool,
}

#[derive(Clone)]
struct Level<'a> {
    folder: &'a Utf8Path,
    /// By the names of the files, in their order.
    rules: Vec<Vec<Rule>>,
    /// It has `.git`.
    is_repository: bool,
}

#[derive(Clone)]
struct Rule {
    glob: GlobMatcher,
    /// `!`: matching files are not left out.
    keeps: bool,
    folders_only: bool,
}

/// What the client writes into its folder of a project.
const OWN: &str = "node_modules\npackage.json\npackage-lock.json\nbun.lock\n.gitignore";
const CLIENT: &str = ".opencode";
const NAMES: [&str; 3] = [".rgignore", ".ignore", ".gitignore"];
/// Counts in a repository only.
const GIT: usize = 2;

impl<'a> Ignored<'a> {
    /// Around everything. `in_repository`: a place in which nothing was opened that has `.git` is in a repository all
    /// the same.
    pub fn new(in_repository: bool) -> Self {
        Self { levels: Vec::new(), in_repository }
    }

    /// With the rules of a folder inside of those that are known.
    pub fn inside(&self, folder: &'a Folder) -> Self {
        let file = |name: &str| folder.files().find(|file| file.name == name);
        let mut rules = NAMES.map(|name| file(name).map(rules).unwrap_or_default());
        if folder.name == CLIENT && file(NAMES[GIT]).is_none() {
            rules[GIT] = of_text(OWN);
        }
        let is_repository = folder.entries.iter().any(|entry| match entry {
            skill::Entry::Folder(folder) => folder.name == ".git",
            skill::Entry::File(file) => file.name == ".git",
        });
        let mut inside = self.clone();
        inside.levels.push(Level { folder: &folder.path, rules: rules.into(), is_repository });
        inside
    }

    /// With what the client writes into its folder, if an opened folder is in that.
    pub fn in_client(mut self, opened: &'a Utf8Path) -> Self {
        if let Some(folder) = opened.parent().filter(|around| around.file_name() == Some(CLIENT)) {
            let rules = vec![Vec::new(), Vec::new(), of_text(OWN)];
            self.levels.push(Level { folder, rules, is_repository: false });
        }
        self
    }

    pub fn has(&self, path: &Utf8Path, is_folder: bool) -> bool {
        let in_repository = self.in_repository || self.levels.iter().any(|level| level.is_repository);
        for kind in 0..NAMES.len() {
            if kind == GIT && !in_repository {
                continue;
            }
            for level in self.levels.iter().rev() {
                let within = path.strip_prefix(level.folder).unwrap_or(path);
                let fits = |rule: &&Rule| (is_folder || !rule.folders_only) && rule.glob.is_match(within);
                if let Some(rule) = level.rules[kind].iter().rev().find(fits) {
                    return !rule.keeps;
                }
                if kind == GIT && level.is_repository {
                    break;
                }
            }
        }
        false
    }
}

/// The files below a folder that ripgrep may find: no links, and no files with the name of a skill's own file.
pub fn listed(folder: &Folder, ignored: &Ignored, manifest: &str) -> Vec<Utf8PathBuf> {
    let mut found = Vec::new();
    collect(folder, &ignored.inside(folder), manifest, &mut found);
    found.sort();
    found
}

fn collect(folder: &Folder, ignored: &Ignored, manifest: &str, into: &mut Vec<Utf8PathBuf>) {
    let is_shown = |file: &&File| {
        file.is_regular && file.link.is_none() && file.name != manifest && !ignored.has(&file.path, false)
    };
    into.extend(folder.files().filter(is_shown).map(|file| file.path.clone()));
    for inner in folder.folders().filter(|inner| inner.link.is_none() && inner.name != ".git" && inner.name != manifest)
    {
        if !ignored.has(&inner.path, true) {
            collect(inner, &ignored.inside(inner), manifest, into);
        }
    }
}

fn rules(file: &File) -> Vec<Rule> {
    let source = file.source.as_deref().filter(|_| file.link.as_ref().is_none_or(|link| !link.broken));
    source.map(|source| of_text(&source.text)).unwrap_or_default()
}

fn of_text(text: &str) -> Vec<Rule> {
    text.lines().filter_map(rule).collect()
}

/// `None`: the line is empty or a comment, or nothing fits it.
fn rule(line: &str) -> Option<Rule> {
    let line = match line.strip_suffix("\\ ") {
        Some(_) => line,
        None => line.trim_end(),
    };
    if line.is_empty() || line.starts_with('#') {
        return None;
    }
    let (keeps, line) = match line.strip_prefix('!') {
        Some(line) => (true, line),
        None => (false, line),
    };
    let line = line.strip_prefix('\\').filter(|rest| rest.starts_with(['!', '#'])).unwrap_or(line);
    let (is_anchored, line) = match line.strip_prefix('/') {
        Some(line) => (true, line),
        None => (false, line),
    };
    let (folders_only, line) = match line.strip_suffix('/') {
        Some(line) => (true, line),
        None => (false, line),
    };
    let mut pattern = line.to_owned();
    if !is_anchored && !line.contains('/') && !pattern.starts_with("**/") {
        pattern.insert_str(0, "**/");
    }
    if pattern.ends_with("/**") {
        pattern.push_str("/*");
    }
    let glob = GlobBuilder::new(&pattern).literal_separator(true).backslash_escape(true).build().ok()?;
    Some(Rule { glob: glob.compile_matcher(), keeps, folders_only })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::disk;

    /// The listed files of the skill `/skills/s`.
    fn shown(in_repository: bool, files: &[(&str, &str)]) -> Vec<String> {
        let found = disk(files);
        let tree = &found.roots[0].tree;
        let folder = tree.folders().find(|folder| folder.name == "s").unwrap();
        let around = Ignored::new(in_repository).inside(tree);
        let listed = listed(folder, &around, "SKILL.md");
        listed.iter().map(|path| path.strip_prefix("/skills/s").unwrap().to_string()).collect()
    }

    const FILES: [(&str, &str); 5] =
        [("s/a.log", ""), ("s/b.md", ""), ("s/build/c.md", ""), ("s/x/build/d.md", ""), ("s/x/e.log", "")];

    fn with<'a>(rules: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
        [&FILES[..], rules].concat()
    }

    #[test]
    fn lines_are_patterns_and_the_last_that_fits_counts() {
        assert_eq!(
            shown(true, &with(&[("s/.gitignore", "# c\n*.log\n!/a.log\n")])),
            [".gitignore", "a.log", "b.md", "build/c.md", "x/build/d.md"]
        );
        assert_eq!(shown(true, &with(&[(".gitignore", "build/\n*.log  \n")])), ["b.md"]);
        assert_eq!(shown(true, &with(&[(".gitignore", "/s/build\ns/x/**\n*.log")])), ["b.md"]);
        assert_eq!(shown(true, &with(&[(".gitignore", "s/\n")])).len(), 5, "where it begins is not asked");
    }

    #[test]
    fn git_counts_in_a_repository_only_and_the_other_files_everywhere() {
        assert_eq!(shown(false, &with(&[(".gitignore", "*")])).len(), 5);
        assert_eq!(shown(false, &with(&[(".gitignore", "*.log"), (".git/HEAD", "")])).len(), 3);
        assert_eq!(shown(true, &with(&[(".gitignore", "*.log"), ("s/.git/HEAD", "")])).len(), 5);
        assert_eq!(shown(false, &with(&[(".ignore", "*.log")])).len(), 3);
        assert_eq!(shown(false, &with(&[(".ignore", "*.log"), (".rgignore", "!a.log")])).len(), 4);
    }
}
