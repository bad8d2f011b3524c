//! Skills that a repository has once for each client: a finding in one copy of a file is not repeated for the others.

use std::collections::HashMap;

use camino::{Utf8Path, Utf8PathBuf};

use super::dto::FindingDto;

/// Copies that are named; of further ones only the number is.
const NAMED: usize = 3;

/// Findings with the same message, at the same line and column of files with the same name in folders with the same
/// name, become one. The findings stay in their order.
pub(super) fn join(findings: &mut Vec<FindingDto>) {
    let mut firsts: HashMap<(String, String, String, u32, u32), usize> = HashMap::new();
    let mut copies: HashMap<usize, Vec<usize>> = HashMap::new();
    for (number, finding) in findings.iter().enumerate() {
        // A finding about a whole file has no line by which copies could be recognised.
        let Some(range) = &finding.range else { continue };
        let folder = Utf8Path::new(&finding.path).parent().and_then(Utf8Path::file_name).unwrap_or_default().to_owned();
        let key = (finding.fingerprint.clone(), finding.message.clone(), folder, range.line, range.column);
        let first = *firsts.entry(key).or_insert(number);
        if first != number && findings[first].severity == finding.severity && findings[first].path != finding.path {
            copies.entry(first).or_default().push(number);
        }
    }
    let mut is_copy = vec![false; findings.len()];
    for (first, copies) in copies {
        let own = Utf8PathBuf::from(&findings[first].path);
        let named: Vec<&str> = copies.iter().take(NAMED).map(|copy| short(&own, &findings[*copy].path)).collect();
        let more = copies.len() - named.len();
        let (en, zh) = match more {
            0 => (String::new(), String::new()),
            more => (format!(" and {more} more"), format!("，另有 {more} 个")),
        };
        let en = format!(" (the same in {}{en})", named.join(", "));
        let zh = format!("（以下文件相同：{}{zh}）", named.join("、"));
        copies.iter().for_each(|copy| is_copy[*copy] = true);
        let finding = &mut findings[first];
        finding.message.push_str(&en);
        finding.message_zh.push_str(&zh);
        // Its words are more than the problem's.
        finding.problem = None;
    }
    let mut number = 0;
    findings.retain(|_| {
        number += 1;
        !is_copy[number - 1]
    });
}

/// A path without the folders that it has in common with another.
fn short<'a>(own: &Utf8Path, path: &'a str) -> &'a str {
    let other = Utf8Path::new(path);
    let shared = own.ancestors().find_map(|folder| other.strip_prefix(folder).ok());
    shared.map_or(path, Utf8Path::as_str)
}

#[cfg(test)]
mod tests {
    use super::super::dto::TextRange;
    use super::*;
    use skill::Severity;

    fn finding(path: &str, line: u32, fingerprint: &str) -> FindingDto {
        FindingDto {
            rule: "fence-unclosed".into(),
            severity: Severity::Warning,
            message: "not closed".into(),
            message_zh: "未关闭".into(),
            problem: None,
            path: path.into(),
            range: Some(TextRange { from: 0, to: 3, line, column: 1 }),
            end: None,
            fix: None,
            steps: Vec::new(),
            fingerprint: fingerprint.into(),
        }
    }

    fn joined(mut findings: Vec<FindingDto>) -> Vec<(String, String)> {
        join(&mut findings);
        findings.into_iter().map(|finding| (finding.path, finding.message)).collect()
    }

    #[test]
    fn copies_are_named_where_the_first_is() {
        let findings = ["/r/plugins/a/skills/x/SKILL.md", "/r/src/skills/x/SKILL.md", "/r/z/skills/x/SKILL.md"];
        assert_eq!(
            joined(findings.iter().map(|path| finding(path, 4, "one")).collect()),
            [(
                "/r/plugins/a/skills/x/SKILL.md".to_owned(),
                "not closed (the same in src/skills/x/SKILL.md, z/skills/x/SKILL.md)".to_owned()
            )]
        );
    }

    #[test]
    fn another_line_or_text_is_another_finding_and_so_is_what_is_said_of_a_whole_file() {
        let whole = |path: &str| FindingDto { range: None, ..finding(path, 0, "one") };
        let findings = vec![
            finding("/r/a/SKILL.md", 4, "one"),
            finding("/r/c/a/SKILL.md", 5, "one"),
            finding("/r/d/a/SKILL.md", 4, "two"),
            finding("/r/another/SKILL.md", 4, "one"),
            whole("/r/a/README.md"),
            whole("/r/b/README.md"),
        ];
        assert_eq!(joined(findings.clone()).len(), findings.len());
    }
}
