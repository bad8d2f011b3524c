//! What must be reported, and what only looks like it.

use crate::fix::applied;
use crate::tests::findings;
use crate::{Example, Group};

/// What rules of this group, and `also`, say about `SKILL.md`, and about which words.
fn said(text: &'static str, also: &str) -> Vec<String> {
    let files: &'static [(&str, &str)] = Box::leak(Box::new([("SKILL.md", text)]));
    let found = findings(&Example::skill(files), also);
    let of_group = found.iter().filter(|finding| finding.rule.group == Group::Instructions);
    of_group.map(|finding| format!("{}: {}", finding.rule.id, finding.span.map_or("", |span| span.of(text)))).collect()
}

macro_rules! skill {
    ($text:expr) => {
        concat!("---\nname: demo\ndescription: Use when asked for a demo.\n---\n", $text)
    };
}

#[test]
fn finds_faults_in_english_and_chinese() {
    let table: &[(&str, &[&str])] = &[
        (skill!("TODO: describe it\n"), &["todo-left: TODO:"]),
        (skill!("- [TODO] describe it\n"), &["todo-left: [TODO"]),
        (skill!("The limit is TBD.\n"), &["todo-left: TBD."]),
        (skill!("<!-- TODO describe it -->\n"), &["todo-left: <!-- TODO"]),
        (skill!("## 用法\n\n待补充\n"), &["todo-left: 待补充"]),
        (skill!("- [ ] TODO write this section\n"), &["todo-left: - [ ] TODO"]),
        (skill!("## 用法\n\n这里的内容待补充\n"), &["todo-left: 待补充"]),
        (
            skill!("## Step 1\n\nA\n\n## Step 3\n\nB\n\n## Step 2\n\nC\n\n## Step 4\n\nD\n"),
            &["step-number-wrong: ## Step 3"],
        ),
        (skill!("```bash\nmake\n"), &["fence-unclosed: ```bash"]),
        (skill!("<rules>\n\nDo it.\n"), &["tag-unclosed: <rules>"]),
        (skill!("<rules>\n\nDo it.\n\n</rule>\n"), &["tag-mismatched: </rule>"]),
        (skill!("<a_b>\n<c_d>\nDo it.\n</a_b>\n"), &["tag-unclosed: <c_d>"]),
        (skill!("必须使用表格输出。\n\n禁止使用表格输出。\n"), &["contradiction: 禁止使用表格输出。"]),
        (skill!("You **must** sort the rows.\n\nDo not sort the rows.\n"), &["contradiction: Do not sort the rows."]),
        (
            skill!("- Always wait for the user's answer.\n\n## Rules\n\n- Never wait for the user's answer.\n"),
            &["contradiction: - Never wait for the user's answer."],
        ),
        (
            skill!("## Python\n\nAlways use snake_case.\n\n### Names\n\nNever use snake_case.\n"),
            &["contradiction: Never use snake_case."],
        ),
        (
            skill!("## Workflow\n\nAlways wait for an answer.\n\n## Rules\n\nNever wait for an answer.\n"),
            &["contradiction: Never wait for an answer."],
        ),
        (skill!("## TODO\n\n## TODO add more\n"), &["todo-left: ## TODO"]),
        (
            skill!("Reviewers must sign each page.\n\nNote: Reviewers must not sign each page.\n"),
            &["contradiction: Note: Reviewers must not sign each page."],
        ),
        (skill!("失败后不断重试。\n"), &["endless-repeat: 不断重试"]),
        (skill!("截至 2024 年，上限是 10 MB。\n"), &["time-sensitive: 截至 2024 年"]),
        (skill!("- 遵循最佳实践。\n"), &["empty-advice: - 遵循最佳实践。"]),
        (skill!("## Step 1\n\nA\n\n## Step 3\n\nB\n"), &["step-number-wrong: ## Step 3"]),
        (skill!("1. A\n2. B\n2. C\n"), &["step-number-wrong: 2"]),
        (skill!("使用 `a`、`b`、`c` 或 `d` 读取。\n"), &["options-too-many: 使用 `a`、`b`、`c` 或 `d`"]),
    ];
    for (text, expected) in table {
        assert_eq!(said(text, ""), *expected, "{text}");
    }
}

#[test]
fn stays_quiet_about_look_alikes() {
    let table = [
        skill!("Find all TODO comments, and list each as `TODO: text`.\n"),
        skill!("Search for TODO: and FIXME: in the code.\n"),
        skill!("```python\n# TODO: the user's own\n```\n"),
        skill!("查找代码里的 TODO：并列出。\n"),
        skill!("If a date is unknown, write TBD.\n\nReplace [placeholder] with the name.\n"),
        skill!("- **TODO** - not begun\n- **DONE** - done\n"),
        skill!("Use this structure:\n\n> ## Risks\n>\n> TBD\n"),
        skill!("未知的写待补充；列出待补充的内容。\n"),
        skill!("Repeat these steps with the other file.\n\nRepeat this once.\n"),
        // HTML, placeholders, types, comments, code.
        skill!("<details>\n<summary>More</summary>\n\nText<br>\n\n<img src=\"a\">\n\n</details>\n"),
        skill!("Replace <file_name> by the name, and Vec<T> by `List<string>`.\n"),
        skill!("<!--\n<rules>\n-->\n\n```xml\n<rules>\n```\n"),
        skill!("<example id=\"1\">\n\nA <note>b</note>.\n\n</example>\n\n<tool/>\n"),
        // Fences in fences, in lists, with tildes.
        skill!("````markdown\n```bash\nmake\n```\n````\n"),
        skill!("1. Run:\n\n   ```bash\n   make\n   ```\n\n2. Hand it over.\n"),
        skill!("~~~\n```\n~~~\n"),
        // Conditions make no contradiction.
        skill!("Always ask the user first.\n\nWhen nobody is there, never ask the user first.\n"),
        skill!("必须先问用户。\n\n如果用户不在，不要先问用户。\n"),
        skill!("Never use the old file.\n\nAlways use the new file.\n"),
        skill!("- Never add a watermark for drafts.\n- Always add a watermark for final files.\n"),
        skill!("- For drafts, never add a watermark.\n- For final files, always add a watermark.\n"),
        skill!("- Never add a watermark (for drafts).\n- Always add a watermark, for final files.\n"),
        skill!("- In tests, always mock the network.\n- In production, never mock the network.\n"),
        skill!("- On Windows: never use the shell.\n- Always use the shell.\n"),
        skill!("- Authors must not sign each page.\n- Reviewers must sign each page.\n"),
        skill!("- 必须使用中文标点。\n- 代码块内不要使用中文标点。\n"),
        skill!("- 对外版本不要包含客户名称；对内版本必须包含客户名称。\n"),
        skill!("Names in generated code must use tabs.\n\nNames in handwritten prose must not use tabs.\n"),
        skill!("## Python\n\nAlways use snake_case.\n\n## JavaScript\n\nNever use snake_case.\n"),
        skill!("## A\n\n### Names\n\nAlways use snake_case.\n\n## B\n\n### Names\n\nNever use snake_case.\n"),
        skill!("## TODO format\n\nOne line each.\n"),
        skill!("It gives a template with [PLACEHOLDER] variables. [Placeholder](https://a.b) shows one.\n"),
        skill!("A field that is new there is a bug, not a TODO.\n"),
        skill!("## For drafts\n\nNever add a watermark.\n\n## For final files\n\nAlways add a watermark.\n"),
        // Ends.
        skill!("Repeat these steps until the deck is valid.\n"),
        skill!("Keep trying, but not\nmore than 3 times.\n"),
        skill!("不断重试，最多 3 次。\n"),
        // Numbers.
        skill!("1. A\n1. B\n1. C\n"),
        skill!("3. A\n4. B\n"),
        skill!("## 1.1 A\n\n## 1.3 B\n\n## Step 2a\n\n## Step 2b\n"),
        skill!("## Step 1\n\n## Step 2a\n\n## Step 2b\n\n## Step 3-4\n\n## Step 5\n\n### 2b. C\n"),
        skill!("# A\n\n## Step 1\n\n## Step 2\n\n# B\n\n## Step 1\n"),
        skill!("### Step 1\n\n### Step 2\n\n### Phase 1 gate\n\n### Step 3\n\n### Step 4\n\n### Phase 2 gate\n"),
        skill!("Sales as of the second quarter; sales before 2024 are in the old table.\n"),
        skill!("Follow the best practices of the guide, be careful with dates.\n"),
        skill!("The state is `a`, `b`, `c` or `d`. Use `--by` with `x`, `y`, `z` or `w`.\n"),
    ];
    for text in table {
        assert_eq!(said(text, ""), Vec::<String>::new(), "{text}");
    }
}

/// The text with the fix of its first finding applied; `None` if there is no fix.
fn renumbered(text: &'static str, other: &'static str) -> Option<String> {
    let files: &'static [(&str, &str)] = Box::leak(Box::new([("SKILL.md", text), ("references/a.md", other)]));
    let found = findings(&Example::skill(files), "");
    let found = found.into_iter().find(|finding| finding.rule.id == "step-number-wrong").expect("it is wrong");
    Some(applied(text, &found.fix?.edits))
}

#[test]
fn steps_are_renumbered_with_their_mentions() {
    let steps = skill!(
        "1. Load it.\n2. Check it, as step 5 wants.\n4. Save it.\n5. Send it.\n\nAfter step 4 or 5 stop. See [a](references/a.md).\n"
    );
    let wanted = steps.replace("step 5", "step 4").replace("step 4 or 5", "step 3 or 4");
    let wanted = wanted.replace("\n4. Save", "\n3. Save").replace("\n5. Send", "\n4. Send");
    assert_eq!(renumbered(steps, "# A\n").as_deref(), Some(wanted.as_str()));
    for (text, other) in [
        // Which of two steps is meant, or of which list, is not plain; nor what other texts and code mean.
        (skill!("1. A\n2. B\n2. C\n3. D\n\nThen step 2 again. [a](references/a.md)\n"), "# A\n"),
        (skill!("1. A\n2. B\n4. C\n\nX:\n\n1. D\n2. E\n\nThen step 4 again. [a](references/a.md)\n"), "# A\n"),
        (skill!("1. A\n2. B\n4. C [a](references/a.md)\n"), "As step 4 of the skill says.\n"),
        (skill!("1. A\n2. B\n4. C [a](references/a.md)\n\n```text\nDone with step 4\n```\n"), "# A\n"),
        (skill!("1. A\n2. B\n4. C [a](references/a.md)\n\n## Step 4\n\nMore.\n"), "# A\n"),
    ] {
        assert_eq!(renumbered(text, other), None, "{text}");
    }
    let restarted = skill!("1. A\n2. Ask in this order:\n1. B\n2. C [a](references/a.md)\n");
    assert_eq!(renumbered(restarted, "# A\n"), None, "a list of its own was meant");
    // Of another page's own steps.
    let text = skill!("1. A\n2. B\n4. C [a](references/a.md)\n");
    assert!(renumbered(text, "1. A\n2. B\n3. C\n4. D\n\nBack to step 4.\n").is_some());
}
