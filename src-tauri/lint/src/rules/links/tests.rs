//! What must be reported, and what only looks like it.

use crate::tests::findings;
use crate::{Example, Group};

/// Names and texts.
type Files = &'static [(&'static str, &'static str)];

/// What rules of this group say about files, and about which words.
fn said(files: Files) -> Vec<String> {
    let found = findings(&Example::skill(files), "");
    let of_group = found.iter().filter(|finding| finding.rule.group == Group::Links);
    of_group
        .map(|finding| {
            let name = finding.path.as_str().split("/skills/demo/").last().unwrap_or_default();
            let text = files.iter().find(|(file, _)| *file == name).map_or("", |(_, text)| text);
            let place = finding.span.map_or(name, |span| span.of(text));
            format!("{}: {place}", finding.rule.id)
        })
        .collect()
}

macro_rules! skill {
    ($text:literal) => {
        concat!("---\nname: demo\ndescription: Use when asked for a demo.\n---\n", $text)
    };
}

#[test]
fn finds_every_seeded_fault() {
    let table: &[(Files, &[&str])] = &[
        (&[("SKILL.md", skill!("See [the guide](references/missing.md).\n"))], &["broken-link: references/missing.md"]),
        (&[("SKILL.md", skill!("See `references/missing.md` for more.\n"))], &["broken-path: references/missing.md"]),
        (&[("SKILL.md", skill!("请阅读references/缺失.md了解详情。\n"))], &["broken-path: references/缺失.md"]),
        (&[("SKILL.md", skill!("Read **references/missing.md** first.\n"))], &["broken-path: references/missing.md"]),
        (
            &[("SKILL.md", skill!("Read `References/a.md`.\n")), ("references/a.md", "# A\n")],
            &["path-case-mismatch: References/a.md"],
        ),
        (&[("SKILL.md", skill!("```bash\npython scripts/gone.py --all\n```\n"))], &["broken-path: scripts/gone.py"]),
        (
            &[("SKILL.md", skill!("The examples help.\n\nSee `references/missing.md`.\n"))],
            &["broken-path: references/missing.md"],
        ),
        (&[("SKILL.md", skill!("Open /Users/mwong/data/in.csv.\n"))], &["user-path: /Users/mwong"]),
        (&[("SKILL.md", skill!("Open C:\\Users\\tkay\\in.csv.\n"))], &["user-path: C:\\Users\\tkay"]),
        (
            &[("SKILL.md", skill!("Run scripts\\go.py now.\n")), ("scripts/go.py", "print(1)\n")],
            &["windows-path: scripts\\go.py"],
        ),
        (
            &[("SKILL.md", skill!("[a](references\\a.md)\n")), ("references/a.md", "# A\n")],
            &["windows-path: references\\a.md"],
        ),
        (&[("SKILL.md", skill!("Do it.\n")), ("references/lost.md", "# Lost\n")], &["orphan-file: references/lost.md"]),
        (&[("SKILL.md", skill!("See [it](#gone).\n\n# There\n"))], &["dead-anchor: #gone"]),
        (&[("SKILL.md", skill!("See [it](a.md#gone).\n")), ("a.md", "# There\n")], &["dead-anchor: a.md"]),
        (&[("SKILL.md", skill!("1. A\n2. B\n\nAfter step 9 of this page stop.\n"))], &["dead-step: step 9"]),
        (
            &[("SKILL.md", skill!("Run `python ${CLAUDE_SKILL_DIR}/scripts/none.py`.\n"))],
            &["broken-path: scripts/none.py"],
        ),
        (&[("SKILL.md", skill!("```bash\npython {baseDir}/scripts/x.py\n```\n"))], &["broken-path: scripts/x.py"]),
        (&[("SKILL.md", skill!("Read `<skill-dir>/references/x.md`.\n"))], &["broken-path: references/x.md"]),
        (
            &[("SKILL.md", skill!("```bash\npython \"$SKILL_DIR/scripts/x.py\" a\n```\n"))],
            &["broken-path: scripts/x.py"],
        ),
        (&[("SKILL.md", skill!("```bash\nbash \"$SKILL_DIR\"/scripts/x.sh\n```\n"))], &["broken-path: scripts/x.sh"]),
        (&[("SKILL.md", skill!("Read `$CLAUDE_SKILL_DIR/references/x.md`.\n"))], &["broken-path: references/x.md"]),
        (
            &[("SKILL.md", skill!("```bash\npython ${CLAUDE_PLUGIN_ROOT}/skills/demo/scripts/x.py\n```\n"))],
            &["broken-path: scripts/x.py"],
        ),
        (&[("SKILL.md", skill!("Run `${CLAUDE_PLUGIN_ROOT}/scripts/x.py`.\n"))], &["broken-path: scripts/x.py"]),
        (
            &[(
                "SKILL.md",
                skill!("## Phase 1: Plan\n\nA\n\n## Phase 2: Build\n\nB\n\n## Phase 3 – 4\n\nGo on with Phase 9.\n"),
            )],
            &["dead-step: Phase 9"],
        ),
        (&[("SKILL.md", skill!("## 阶段 1\n\n甲\n\n## 阶段二\n\n然后回到第五阶段。\n"))], &["dead-step: 第五阶段"]),
        (
            &[("SKILL.md", skill!("```bash\npython scripts/fill_nothing a.pdf\n```\n"))],
            &["broken-path: scripts/fill_nothing"],
        ),
        (&[("SKILL.md", skill!("1. A\n2. B\n3. Then go back to step 9.\n"))], &["dead-step: step 9"]),
        (&[("SKILL.md", skill!("1. A\n2. B\n3. Then do this skill's step 9.\n"))], &["dead-step: step 9"]),
        (&[("SKILL.md", skill!("1. 读取\n2. 检查，失败则回到第 9 步。\n"))], &["dead-step: 第 9 步"]),
        (&[("SKILL.md", skill!("第一步：读取\n\n第二步：检查\n\n失败则回到第五步。\n"))], &["dead-step: 第五步"]),
        (
            &[("SKILL.md", skill!("See [x](References/A.md).\n")), ("references/a.md", "# A\n")],
            &["path-case-mismatch: References/A.md"],
        ),
        (&[("SKILL.md", skill!("See @docs/none.md for style.\n"))], &["import-not-found: docs/none.md"]),
        (&[("SKILL.md", skill!("See [x](~/notes.md).\n"))], &["absolute-link: ~/notes.md"]),
    ];
    for (files, expected) in table {
        assert_eq!(said(files), *expected, "{files:?}");
    }
}

#[test]
fn stays_quiet_about_look_alikes() {
    let table: &[Files] = &[
        // Addresses, names, packages.
        &[("SKILL.md", skill!("Ask @john.doe, ann@example.md or see @types/node. `@app.md`\n"))],
        &[("SKILL.md", skill!("[mail](mailto:a@b.c), [web](https://a.b/c.md), [there](//a.b/c.md)\n"))],
        // Code samples.
        &[("SKILL.md", skill!("```markdown\n[x](references/none.md)\n![y](assets/none.png)\n```\n"))],
        &[("SKILL.md", skill!("Write `[x](references/none.md)` so.\n"))],
        // Placeholders, globs, examples, things to be made.
        &[(
            "SKILL.md",
            skill!("Read `references/<topic>.md`, `references/*.md`, `references/{a,b}.md` and [x](<file>.md).\n"),
        )],
        &[("SKILL.md", skill!("Put shared text into files, e.g. `references/finance.md`.\n"))],
        &[("SKILL.md", skill!("把结果保存到 `assets/result.csv`，例如 `references/x1.md`。\n"))],
        &[("SKILL.md", skill!("Save the table as assets/out.csv. Read references/local.md if it exists.\n"))],
        &[("SKILL.md", skill!("```bash\npython make.py --out assets/x.csv > scripts/log.txt\n```\n"))],
        &[("SKILL.md", skill!("See [text](url), [a](path/to/file.md).\n"))],
        &[("SKILL.md", skill!("If `references/local.md` exists, read it; 如果 `references/本地.md` 存在，先读它。\n"))],
        &[("SKILL.md", skill!("Links look so: `[a](references/none.md)`. \\[a](references/none.md)\n"))],
        &[(
            "SKILL.md",
            skill!("Open /home/user/x, /Users/yourname/x, C:\\Users\\name\\x, /home/t.csv. Fetch http://a.test/x.\n"),
        )],
        &[(
            "SKILL.md",
            skill!("**Examples:**\n\n- `scripts/a.py`\n- `scripts/b.py`\n\n- **示例**：任务的 `scripts/c.py`\n"),
        )],
        &[("SKILL.md", skill!("Example: to rotate a PDF,\n\n1. think\n2. A `scripts/rotate.py` would be helpful\n"))],
        &[("SKILL.md", skill!("Run the repo's `scripts/x.sh`. If the project has `scripts/test.sh`, run it.\n"))],
        &[("SKILL.md", skill!("Generated files:\n\n- `scripts/a.py`\n- `assets/b.json`\n"))],
        &[
            (
                "SKILL.md",
                skill!(
                    "```bash\npython {baseDir}/scripts/x.py && bash scripts/run\n```\n\n`<skill-dir>/scripts/x.py`\n"
                ),
            ),
            ("scripts/x.py", "print(1)\n"),
            ("scripts/run", "#!/bin/sh\nexit 0\n"),
        ],
        &[("SKILL.md", skill!("1. A\n2. B\n\nThat is step 4 of the AWS wizard, and step 7 in the vendor's guide.\n"))],
        // Phases of other things, in other files, and of ranges.
        &[(
            "SKILL.md",
            skill!("## Phase 1\n\nA phase 3 trial.\n\n## Phase 2\n\nThat is phase 7 of the AWS migration.\n"),
        )],
        &[("SKILL.md", skill!("1. A\n2. B\n\nIt goes on in phase 3 and stage 4.\n"))],
        &[(
            "SKILL.md",
            skill!("## 第一阶段\n\n甲\n\n## 第二阶段\n\n共计：第一阶段 83 分钟，第二阶段 4 分钟，第三阶段 25 分钟。\n"),
        )],
        &[
            (
                "SKILL.md",
                skill!(
                    "## Phase 1\n\nA\n\n## Phases 2-4\n\nAfter phase 3 read [on](references/more.md), then [6](references/phase-6.md), phase 6.\n"
                ),
            ),
            ("references/more.md", "# Phase 5\n\nThen phase 6.\n"),
            ("references/phase-6.md", "Do it.\n"),
        ],
        // Other folders' variables, and a plugin's files.
        &[("SKILL.md", skill!("Run `$PROJECT_DIR/scripts/x.py`, `$MY_SKILL_DIR/scripts/x.py`.\n"))],
        &[
            (
                "SKILL.md",
                skill!(
                    "Run `$SKILL_DIR/scripts/x.py`, or `${CLAUDE_PLUGIN_ROOT}/skills/demo/scripts/x.py`.\n\n```bash\npython \"$SKILL_DIR/scripts/x.py\" > $SKILL_DIR/assets/out.csv\n```\n"
                ),
            ),
            ("scripts/x.py", "print(1)\n"),
        ],
        &[
            ("SKILL.md", skill!("Run `${CLAUDE_PLUGIN_ROOT}/scripts/of_plugin.py`.\n")),
            ("/scripts/of_plugin.py", "print(1)\n"),
        ],
        // Addresses, and patterns with stars.
        &[("SKILL.md", skill!("[Ask](me@example.com) or [them](a.b+c@mail.example.co.uk).\n"))],
        &[("SKILL.md", skill!("See **references/*.md**, references/a*.md and */references/a.md.\n"))],
        // The user's project.
        &[("SKILL.md", skill!("Look at `src/index.ts`, `package.json` and https://a.b/references/c.md.\n"))],
        &[("SKILL.md", skill!("Run `${ROOT}/scripts/x.py` or `other-skill/scripts/x.py`.\n"))],
        // Backslashes that are not in paths.
        &[("SKILL.md", skill!("Match `\\d+\\.md`, `a\\nb`, $\\alpha\\beta$ and references\\_old.\n"))],
        &[
            (
                "SKILL.md",
                skill!("* ✗ **Avoid**: `scripts\\a.py`, [a](scripts\\a.py)\n* Never write `scripts\\a.py`.\n"),
            ),
            ("scripts/a.py", "print(1)\n"),
        ],
        // Anchors by other tools' rules.
        &[(
            "SKILL.md",
            skill!("[a](#whats-new--more) [b](#top) [c](#x)\n\n## What's new & more\n\n<a id=\"x\"></a>\n"),
        )],
        &[("SKILL.md", skill!("[安装](#安装-步骤)\n\n## 安装 步骤\n"))],
        &[("SKILL.md", skill!("[a](a.md#L3) [b](a.md#L3-L5) [c](SKILL.md#L1)\n")), ("a.md", "# There\n")],
        // Steps.
        &[("SKILL.md", skill!("1. A\n2. B\n\nThis is step 3 of 5 in [the guide](https://a.b).\n"))],
        &[("SKILL.md", skill!("## Step 1\n\nA\n\n## Step 2\n\nB, then step 3.\n\n**Step 3: C**\n"))],
        &[("SKILL.md", skill!("1. A\n2. B (see `/other-skill` Step 16), as in the installer's step 9.\n"))],
        &[("SKILL.md", skill!("- 1. A\n- 2. B\n- 3. C\n\nGo back to step 3.\n"))],
        &[("SKILL.md", skill!("Do it, then take step 7 of your plan.\n"))],
        &[("SKILL.md", skill!("| 1 | A |\n| 2 | B |\n| 3 | C |\n\n1. X\n2. Y, as in step 3.\n"))],
        // Files found by code, by folders, by chains.
        &[
            ("SKILL.md", skill!("Run `scripts/a.py`. Schemas are in `schemas/`. 请阅读指南.md了解。\n")),
            ("scripts/a.py", "from lib.b import x\nopen('assets/t.txt')\n"),
            ("scripts/lib/b.py", "x = 1\n"),
            ("scripts/lib/__init__.py", ""),
            ("schemas/one.json", "{}\n"),
            ("assets/t.txt", "t\n"),
            ("指南.md", "# 指南\n"),
            ("LICENSE.txt", "MIT\n"),
            ("evals/evals.json", "{}\n"),
        ],
        &[
            ("SKILL.md", skill!("Copy `assets/plain`. Fonts are in fonts/.\n")),
            ("assets/plain/a.html", "<p></p>\n"),
            ("fonts/a.ttf", "font\n"),
        ],
        // Read by clients, imported by samples, for registries.
        &[
            ("SKILL.md", skill!("```python\nfrom core.gif import make\nfrom timing import wait\n```\n")),
            ("core/gif.py", "def make():\n    return 1\n"),
            ("scripts/timing.py", "def wait():\n    return 1\n"),
            ("agents/openai.yaml", "interface:\n  icon_small: \"./assets/i.svg\"\n"),
            ("assets/i.svg", "<svg/>\n"),
            ("metadata.json", "{}\n"),
        ],
        &[("SKILL.md", skill!("### Easing (`core.easing`)\n\nSmooth motion.\n")), ("core/easing.py", "x = 1\n")],
        &[
            (
                "SKILL.md",
                "---\nname: demo\ndescription: Use when asked for a demo.\nhooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n        - type: command\n          command: ./scripts/check.sh\n---\nDo it.\n",
            ),
            ("scripts/check.sh", "#!/bin/sh\nexit 1\n"),
        ],
        // A page next to another, and the way back.
        &[
            ("SKILL.md", skill!("Read [a](references/a.md) and [b](references/b%20c.md).\n")),
            ("references/a.md", "Back to [the skill](../SKILL.md) or [b](b%20c.md#b).\n"),
            ("references/b c.md", "# B\n"),
        ],
        &[("SKILL.md", skill!("Your home is /home/<you>/x or /Users/username/y; `path/home/ann` is none.\n"))],
    ];
    for files in table {
        assert_eq!(said(files), Vec::<String>::new(), "{files:?}");
    }
}

#[test]
fn corrects_letters_behind_backslashes_too() {
    let files: Files = &[("SKILL.md", skill!("See `references\\Guide.md`.\n")), ("references/guide.md", "# Guide\n")];
    let found = findings(&Example::skill(files), "");
    let fixes =
        found.iter().filter(|finding| finding.rule.id == "path-case-mismatch").filter_map(|one| one.fix.as_ref());
    let texts: Vec<&str> = fixes.flat_map(|fix| fix.edits.iter().map(|edit| edit.text.as_str())).collect();
    assert_eq!(texts, ["references/guide.md"]);
}

#[test]
fn a_path_of_a_project_is_not_missing_in_the_skill() {
    let there: (&str, &str) = ("scripts/go.py", "print(1)\n");
    for text in [
        skill!("Run `scripts/go.py`.\n\n```bash\n# From the project root\npython scripts/gone.py\n```\n"),
        skill!("Run `scripts/go.py`.\n\n```bash\nproof run --test 'bash scripts/gone.sh'\n```\n"),
    ] {
        let files: Files = vec![("SKILL.md", text), there].leak();
        assert_eq!(said(files), [""; 0], "{text}");
    }
}
