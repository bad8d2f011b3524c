//! What the rules on budgets report, and what they do not.

use crate::analysis::figures::grouped;
use crate::tests::findings;
use crate::{Example, Finding, Group};

/// A skill with these instructions, and files of so many words.
fn skill(body: &str, files: &[(&'static str, String)]) -> Vec<Finding> {
    let text =
        format!("---\nname: demo\ndescription: Runs a small demo program. Use when asked for a demo.\n---\n{body}");
    let mut all: Vec<(&str, &str)> = vec![("SKILL.md", text.leak())];
    all.extend(files.iter().map(|(name, text)| (*name, &*text.clone().leak())));
    findings(&Example { folder: "demo", files: all.leak() }, "")
}

/// What rules of this group report.
fn ids(findings: &[Finding]) -> Vec<&'static str> {
    findings.iter().map(|finding| finding.rule).filter(|rule| rule.group == Group::Budget).map(|rule| rule.id).collect()
}

/// A word is a token.
fn words(count: usize) -> String {
    "# All\n\n".to_owned() + &"word ".repeat(count)
}

#[test]
fn counts_what_must_be_read_along_links() {
    let files = [("references/a.md", words(4000) + "\n\nThen read b.md.\n"), ("references/b.md", words(7000))];
    let found = skill("Before you begin, read references/a.md.\n", &files);
    assert_eq!(ids(&found), ["must-read-tokens"]);
    let expected = "loading the skill costs 11,022 tokens: `SKILL.md` 9, `references/b.md` 7,004, `references/a.md` 4,009; \
                    say when each file is needed";
    assert_eq!(found[0].message.en, expected);
}

#[test]
fn a_condition_makes_a_file_optional() {
    let files = || [("references/a.md", words(9_900)), ("references/b.md", words(9_900))];
    for body in [
        "If the user asks for all, read references/a.md and references/b.md.\n",
        "Read references/a.md when a table is asked for, and `b.md` only for a chart.\n",
        "When asked for all of it:\n\n- Read references/a.md.\n- Read references/b.md.\n",
        "## If it fails\n\nRead references/a.md. Read references/b.md.\n",
        "Where the table is skewed,\nread references/a.md and references/b.md.\n",
        "- `references/a.md`: all calls\n- `references/b.md`: all errors\n",
        "如果用户需要图表，阅读 references/a.md 和 references/b.md。\n",
        "```\nread references/a.md references/b.md\n```\n",
        "| task | file |\n|---|---|\n| read | references/a.md |\n| write | references/b.md |\n",
    ] {
        let found = skill(body, &files());
        assert!(!ids(&found).contains(&"must-read-tokens"), "{body}: {:?}", found[0].message.en);
    }
    for body in [
        "Read references/a.md first.\nThen read references/b.md.\n",
        "1. Read [the rules](references/a.md).\n2. Follow [the style](references/b.md).\n",
        "`references/a.md` must be read; review **b.md** as well.\n",
        "先阅读 references/a.md。然后阅读 references/b.md。\n",
    ] {
        assert!(ids(&skill(body, &files())).contains(&"must-read-tokens"), "{body}");
    }
}

#[test]
fn the_heaviest_path_goes_through_conditions() {
    let files = [
        ("references/a.md", words(9_000) + "\nIf it fails, read b.md.\n"),
        ("references/b.md", words(9_000) + "\nIf it fails again, read c.md and a.md.\n"),
        ("references/c.md", words(9_000)),
        ("references/d.md", words(9_000)),
    ];
    let found = skill("If asked, read references/a.md.\nIf asked otherwise, read references/d.md.\n", &files);
    assert_eq!(ids(&found), ["heaviest-path-tokens"]);
    assert!(found[0].message.en.contains("has read 27,0"), "{}", found[0].message.en);
    let few = [("references/a.md", words(9_000)), ("references/c.md", words(9_000))];
    assert_eq!(ids(&skill("If asked, read references/a.md or references/c.md.\n", &few)), Vec::<&str>::new());
}

#[test]
fn what_is_named_together_is_read_together() {
    let files = || [("references/a.md", words(14_000)), ("references/b.md", words(14_000))];
    for body in [
        "If asked, read `references/a.md` and `references/b.md`.\n",
        "If asked, read [a](references/a.md), then [b](references/b.md).\n",
        "如果用户需要，阅读 references/a.md 和 references/b.md。\n",
    ] {
        assert!(ids(&skill(body, &files())).contains(&"heaviest-path-tokens"), "{body}");
    }
    let either = skill("If asked, read references/a.md or references/b.md.\n", &files());
    assert!(!ids(&either).contains(&"heaviest-path-tokens"), "one of them is read");
}

#[test]
fn hostile_texts_are_read_in_a_moment() {
    let start = std::time::Instant::now();
    for body in
        ["references/a.md ", "read references/a.md, ", "a/", "If ", "。", "`a-b` skill ", "- ", "[a](b.md) and "]
    {
        skill(&body.repeat(200_000 / body.len()), &[("references/a.md", body.repeat(200_000 / body.len()))]);
    }
    assert!(start.elapsed().as_secs() < 60, "{:?} without optimisation", start.elapsed());
}

#[test]
fn six_hundred_lines_are_too_many() {
    let found = skill(&"Do it.\n".repeat(600), &[]);
    assert_eq!(ids(&found), ["body-lines"]);
    assert!(found[0].message.en.starts_with("`SKILL.md` has 604 lines"), "{}", found[0].message.en);
    assert_eq!(ids(&skill(&"Do it.\n".repeat(490), &[])), Vec::<&str>::new());
}

#[test]
fn chinese_text_is_counted_in_tokens_not_in_bytes() {
    let short = skill(&"换算单位。".repeat(1000), &[]);
    assert_eq!(ids(&short), Vec::<&str>::new(), "15,000 bytes are about 3,000 tokens");
    assert_eq!(ids(&skill(&"换算单位。".repeat(3000), &[])), ["body-tokens"]);
}

#[test]
fn knows_lists_of_contents() {
    let sections = "## One\n\nDo.\n\n## Two\n\nDo.\n\n## Three\n\nDo.\n\n".repeat(30);
    for contents in [
        "# All\n\n## Contents\n\n- one\n\n",
        "# 全部\n\n## 目录\n\n",
        "# All\n\n- [One](#one)\n- [Two](#two)\n- [Three](#three)\n\n",
        "# All\n\nThis file has:\n\n1. One\n2. Two\n3. Three\n\n",
    ] {
        let files = [("references/a.md", format!("{contents}{sections}"))];
        assert_eq!(ids(&skill("If asked, read references/a.md.\n", &files)), Vec::<&str>::new(), "{contents}");
    }
    let files = [("references/a.md", format!("# All\n\n{sections}"))];
    assert_eq!(ids(&skill("If asked, read references/a.md.\n", &files)), ["reference-no-contents"]);
}

#[test]
fn pointers_with_a_purpose_are_fine() {
    let file = [("references/api.md", "# API\n\nOne call.\n".to_owned())];
    for body in [
        "See references/api.md for the names of all columns.\n",
        "If a call fails, see [the API](references/api.md).\n",
        "| See references/api.md |\n|---|\n| x |\n",
        "接口字段的含义见 references/api.md。\n",
        "## Rate limits\n\nSee references/api.md.\n",
    ] {
        assert!(!ids(&skill(body, &file)).contains(&"generic-pointer"), "{body}");
    }
    for body in [
        "See [the API](references/api.md).\n",
        "## More resources\n\nSee references/api.md.\n",
        "Do it. See references/ for more information.\n",
        "For more details, see `references/api.md`.\n",
        "详见 references/api.md。\n",
    ] {
        assert!(ids(&skill(body, &file)).contains(&"generic-pointer"), "{body}");
    }
}

#[test]
fn groups_digits() {
    assert_eq!([0_u32, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
}
