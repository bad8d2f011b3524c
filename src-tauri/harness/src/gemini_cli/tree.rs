//! The tree of a skill's folder that follows its instructions: at most 200 files and folders, level by level.

use std::collections::VecDeque;

use crate::javascript;
use skill::Folder;

/// As the client prints it, the folder's path included.
pub fn of(folder: &Folder) -> Tree {
    let nodes = read(folder);
    let is_cut = nodes.iter().any(|node| node.is_ignored || node.more_files || node.more_folders);
    let mut text = format!("Showing up to {MOST} items (files + folders).");
    if is_cut {
        text.push_str(&format!(
            " Folders or files indicated with {MORE} contain more items not shown, were ignored, or the display limit \
             ({MOST} items) was reached."
        ));
    }
    text.push_str(&format!("\n\n{}/\n", folder.path));
    let mut lines = Vec::new();
    print(&nodes, 0, "", &mut lines);
    text.push_str(&lines.join("\n"));
    let is_full = nodes.iter().any(|node| node.more_files || node.more_folders);
    Tree { text, is_full }
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tree {
    pub text: String,
    /// There was no room for all.
    pub is_full: bool,
}

pub const MOST: usize = 200;
const MORE: &str = "...";
const IGNORED: [&str; 4] = ["node_modules", ".git", "dist", "__pycache__"];

#[derive(Default)]
struct Node<'a> {
    name: &'a str,
    files: Vec<&'a str>,
    folders: Vec<usize>,
    is_ignored: bool,
    more_files: bool,
    more_folders: bool,
}

/// Links are neither files nor folders here, and are not shown.
fn read(root: &Folder) -> Vec<Node<'_>> {
    let mut nodes = vec![Node { name: &root.name, ..Node::default() }];
    let mut queue = VecDeque::from([(0, root)]);
    let mut count = 0;
    while let Some((at, folder)) = queue.pop_front() {
        if count >= MOST {
            continue;
        }
        let files = folder.files().filter(|file| file.is_regular && file.link.is_none());
        let mut files: Vec<&str> = files.map(|file| file.name.as_str()).collect();
        javascript::sort_by_locale(&mut files, |name| name);
        nodes[at].more_files = files.len() > MOST - count;
        files.truncate(MOST - count);
        count += files.len();
        nodes[at].files = files;
        let mut folders: Vec<&Folder> = folder.folders().filter(|inner| inner.link.is_none()).collect();
        javascript::sort_by_locale(&mut folders, |inner| &inner.name);
        for inner in folders {
            if count >= MOST {
                nodes[at].more_folders = true;
                break;
            }
            count += 1;
            let is_ignored = IGNORED.contains(&inner.name.as_str());
            let place = nodes.len();
            nodes[at].folders.push(place);
            nodes.push(Node { name: &inner.name, is_ignored, ..Node::default() });
            if !is_ignored {
                queue.push_back((place, inner));
            }
        }
    }
    nodes
}

fn print(nodes: &[Node], at: usize, indent: &str, lines: &mut Vec<String>) {
    let node = &nodes[at];
    let has_folders = !node.folders.is_empty() || node.more_folders;
    let connector = |is_last: bool| if is_last { "└───" } else { "├───" };
    let mut files = node.files.iter().peekable();
    while let Some(name) = files.next() {
        lines.push(format!("{indent}{}{name}", connector(files.peek().is_none() && !has_folders)));
    }
    if node.more_files {
        lines.push(format!("{indent}{}{MORE}", connector(!has_folders)));
    }
    let mut folders = node.folders.iter().peekable();
    while let Some(&inner) = folders.next() {
        let is_last = folders.peek().is_none() && !node.more_folders;
        let more = if nodes[inner].is_ignored { MORE } else { "" };
        lines.push(format!("{indent}{}{}/{more}", connector(is_last), nodes[inner].name));
        print(nodes, inner, &format!("{indent}{}", if is_last { "    " } else { "│   " }), lines);
    }
    if node.more_folders {
        lines.push(format!("{indent}└───{MORE}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::disk;

    fn tree(files: &[(&str, &str)]) -> Tree {
        of(&disk(files).roots[0].tree)
    }

    #[test]
    fn files_come_before_folders_and_links_not_at_all() {
        let found =
            tree(&[("SKILL.md", ""), ("b/x", ""), ("a.md", ""), ("link", "->a.md"), ("dist/y", ""), (".hid/z", "")]);
        assert_eq!(
            found.text,
            "Showing up to 200 items (files + folders). Folders or files indicated with ... contain more items not shown, \
             were ignored, or the display limit (200 items) was reached.\n\n/skills/\n├───a.md\n├───SKILL.md\n├───.hid/\n\
             │   └───z\n├───b/\n│   └───x\n└───dist/..."
        );
        assert!(!found.is_full);
    }

    #[test]
    fn the_two_hundred_are_counted_level_by_level() {
        let names: Vec<String> = (0..201).map(|n| format!("a/f{n:03}")).collect();
        let mut files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "")).collect();
        files.extend([("SKILL.md", ""), ("b/late", "")]);
        let found = tree(&files);
        assert!(found.is_full);
        // SKILL.md, a and b are three.
        let lines: Vec<&str> = found.text.lines().collect();
        assert_eq!(lines[lines.len() - 3..], ["│   └───f196", "│   └───...", "└───b/"]);
    }
}
