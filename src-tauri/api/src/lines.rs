//! What differs between two texts, line by line.

use similar::{Algorithm, ChangeTag, TextDiff};

use super::dto::{ChangedLines, DiffKind, DiffLine, LineDiff};
use super::words::PATIENCE;

/// Lines around a change.
const AROUND: usize = 3;

/// Line ends count for nothing: editors work with LF, and files may have others.
pub(super) fn diff(a: &str, b: &str) -> LineDiff {
    let (a, b) = (a.replace("\r\n", "\n"), b.replace("\r\n", "\n"));
    let diff = TextDiff::configure().algorithm(Algorithm::Patience).timeout(PATIENCE).diff_lines(&a, &b);
    let number = |at: Option<usize>| at.map(|at| u32::try_from(at + 1).unwrap_or(u32::MAX));
    let line = |change: similar::Change<&str>| DiffLine {
        kind: match change.tag() {
            ChangeTag::Equal => DiffKind::Same,
            ChangeTag::Delete => DiffKind::Removed,
            ChangeTag::Insert => DiffKind::Added,
        },
        text: change.value().trim_end_matches('\n').to_owned(),
        before: number(change.old_index()),
        after: number(change.new_index()),
    };
    let groups = diff.grouped_ops(AROUND);
    let places: Vec<Vec<DiffLine>> =
        groups.iter().map(|ops| ops.iter().flat_map(|op| diff.iter_changes(op)).map(line).collect()).collect();
    let count = |kind| {
        let lines = places.iter().flatten().filter(|line| line.kind == kind).count();
        u32::try_from(lines).unwrap_or(u32::MAX)
    };
    LineDiff { added: count(DiffKind::Added), removed: count(DiffKind::Removed), places }
}

pub(super) fn counted(a: &str, b: &str) -> ChangedLines {
    let LineDiff { added, removed, .. } = diff(a, b);
    ChangedLines { added, removed }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(a: &str, b: &str) -> Vec<Vec<String>> {
        let line = |DiffLine { kind, text, before, after }: DiffLine| {
            let mark = match kind {
                DiffKind::Same => ' ',
                DiffKind::Removed => '-',
                DiffKind::Added => '+',
            };
            let number = |number: Option<u32>| number.map_or("·".to_owned(), |number| number.to_string());
            format!("{} {} {mark}{text}", number(before), number(after))
        };
        diff(a, b).places.into_iter().map(|lines| lines.into_iter().map(line).collect()).collect()
    }

    #[test]
    fn shows_changed_lines_with_their_numbers_and_a_few_around_them() {
        let text: String = (1..=20).map(|line| format!("line {line}\n")).collect();
        let changed = text.replace("line 2\n", "second\n").replace("line 19\n", "");
        let first = ["1 1  line 1", "2 · -line 2", "· 2 +second", "3 3  line 3", "4 4  line 4", "5 5  line 5"]
            .map(str::to_owned);
        let second = ["16 16  line 16", "17 17  line 17", "18 18  line 18", "19 · -line 19", "20 19  line 20"];
        assert_eq!(shown(&text, &changed), [first.to_vec(), second.map(str::to_owned).to_vec()]);
        assert_eq!(counted(&text, &changed), ChangedLines { added: 1, removed: 2 });
    }

    #[test]
    fn line_ends_make_no_difference() {
        assert_eq!(shown("a\r\nb\r\n", "a\nb\n"), Vec::<Vec<String>>::new());
    }
}
