//! What the rules of this group report for similar skills.

use crate::tests::said_of;
use crate::{Group, LintOptions, find};
use config::Setting;

/// What this group reports for a skill at `place` whose frontmatter has these fields too, for these clients.
fn said(place: &str, fields: &str, body: &str, clients: &[&str]) -> Vec<String> {
    let name = place.rsplit('/').next().unwrap();
    let text = format!("---\nname: {name}\ndescription: Use when asked for a demo.\n{fields}---\n{body}\n");
    let clients = clients.iter().map(|id| (*id).to_owned()).collect();
    let mut options = LintOptions { clients, ..LintOptions::default() };
    // Of the profile `all`.
    for rule in ["field-unsupported-by-client", "fork-needs-conversation"] {
        options.rules.insert(rule.to_owned(), Setting::Warning);
    }
    let said = said_of(&[(&format!("/{place}/SKILL.md"), &text)], &options);
    let of_group = |line: &String| {
        let rule = find(line.split(':').next().unwrap()).unwrap();
        rule.group == Group::Clients && !rule.id.starts_with("loader-")
    };
    said.into_iter().filter(of_group).collect()
}

#[test]
fn what_is_legal_somewhere_is_accepted_in_a_skill_for_everybody() {
    for fields in [
        "context: fork_with_context\nagent: 研究助手\nmodel: gpt-4\n",
        "allowed-tools: [Read, \"Bash(git:*)\", Python, convert]\n",
        "allowed-tools: Read Write bash shell\n",
        "allowed-tools: Batch Reads Exit Base Test reed Fetch Globe mcp__x__Raed Webfetch Editor\n",
        "hooks: ./hooks.json\n",
        "hooks:\n  on-activate: ./x.sh\n",
        "disable-model-invocation: YES\nuser-invocable: false\n",
        "argument-hint: [issue-number]\narguments: [a, b]\neffort: high\npaths: \"src/**/*.ts, lib/**\"\nshell: powershell\n",
        "version: 1.0.0\nmetadata:\n  model: x\n",
        "compatibility: Designed for Claude Code\n",
    ] {
        assert_eq!(said("demo", fields, "Do it.", &[]), [""; 0], "{fields}");
    }
}

#[test]
fn text_that_only_looks_like_it_is_not_reported() {
    for body in [
        "Wow!`x` is a name. Mail john@example.org, ask @jane, pay $1 or ${CLAUDE_CONFIG_DIR}.",
        "Branch: !`git status`\n\n- !`git log`",
        "Write ``KEY=!`command` `` and it is not run.",
        "```text\nKEY=!`command`\n```",
        "Use $ARGUMENTS.\n\n```bash\nawk '{print $1}' \"$0\"\n```",
        "Ask with `AskUserQuestion`.",
        "`\u{3000}x\u{3000}` and !`\u{3000}git log\u{3000}`",
    ] {
        assert_eq!(said("demo", "", body, &[]), [""; 0], "{body}");
    }
}

#[test]
fn a_field_is_minded_where_no_client_of_the_skill_reads_it() {
    let fields = "model: sonnet\n";
    let minds = |place: &str, clients: &[&str]| !said(place, fields, "Do it.", clients).is_empty();
    assert!(!minds("demo", &[]));
    assert!(minds(".cursor/skills/demo", &[]));
    assert!(!minds(".claude/skills/demo", &[]));
    assert!(!minds(".cursor/skills/demo", &["eino"]), "settings count more than the folder");
    assert!(minds("demo", &["claude-code", "codex"]));
    assert!(!minds("demo", &["eino"]));
}

#[test]
fn claudes_own_rules_need_a_skill_for_claude_code() {
    let fields = "allowed-tools: read Bash(git:*) Shell\nmodel: gpt-4\n";
    assert_eq!(said("demo", fields, "Do it.", &[]), [""; 0]);
    let said = said(".claude/skills/demo", fields, "Do it.", &[]);
    assert_eq!(
        said,
        [
            "claude-tool-name: Claude Code's tool is called `Read`, not `read`",
            "claude-tool-name: Claude Code's tool is called `Bash`, not `Shell`",
            "claude-model: `gpt-4` is not a model of Claude Code; write one of sonnet, opus, haiku, inherit, default, best, \
             opusplan, or leave `model` out",
        ]
    );
}

#[test]
fn a_slip_of_the_pen_is_none_for_anybody() {
    for (tools, meant) in
        [("Bsh(git:*) Read", "Bash"), ("[Grep, Raed]", "Read"), ("Wirte", "Write"), ("WebFecth", "WebFetch")]
    {
        let said = said("demo", &format!("allowed-tools: {tools}\n"), "Do it.", &[]);
        assert_eq!(said.len(), 1, "{tools}: {said:?}");
        assert!(said[0].starts_with(&format!("claude-tool-name: Claude Code's tool is called `{meant}`")), "{said:?}");
    }
    assert_eq!(said("demo", "allowed-tools: Bsh\n", "Do it.", &["codex"]), [""; 0], "it is for another");
}

#[test]
fn ids_of_models_are_accepted() {
    for model in ["claude-sonnet-4-5", "us.anthropic.claude-opus-4", "openrouter/z-ai", "sonnet[1m]", "fable"] {
        let said = said(".claude/skills/demo", &format!("model: \"{model}\"\n"), "Do it.", &[]);
        assert_eq!(said, [""; 0], "{model}");
    }
}

#[test]
fn only_eino_forks_with_the_conversation() {
    let of = |clients: &[&str]| said("demo", "context: fork_with_context\n", "Do it well, please.", clients);
    assert_eq!(of(&["eino"]), [""; 0]);
    assert_eq!(of(&["claude-code"]), ["context-value: only Eino knows `fork_with_context`; write `fork`"]);
}

#[test]
fn a_task_in_chinese_is_a_task() {
    assert_eq!(said("demo", "context: fork\n", "查找所有定义并列出调用者。", &[]), [""; 0]);
    assert_eq!(said("demo", "context: fork\n", "# 研究\n\n代码。", &[]).len(), 1);
}

#[test]
fn loaders_are_asked_only_where_the_skill_is_for_them() {
    let text = "---\n\"name\": demo\ndescription: Use when asked for a demo.\n---\nDo it.\n";
    let of = |clients: &[&str]| {
        let clients = clients.iter().map(|id| (*id).to_owned()).collect();
        let said = said_of(&[("/demo/SKILL.md", text)], &LintOptions { clients, ..LintOptions::default() });
        said.into_iter().filter(|line| line.starts_with("loader-")).collect::<Vec<_>>()
    };
    assert_eq!(of(&["claude-code"]), [""; 0]);
    let said = of(&["agent-framework"]);
    assert!(said.len() == 1 && said[0].ends_with("would leave this skill out: is missing a name"), "{said:?}");
}

#[test]
fn a_list_of_tools_is_minded_only_where_the_settings_name_who_takes_none() {
    let text = "---\nname: demo\ndescription: Use when asked for a demo.\nallowed-tools: [Read, \"Bash(git:*)\"]\n---\nDo it.\n";
    let of = |clients: &[&str]| {
        let clients = clients.iter().map(|id| (*id).to_owned()).collect();
        said_of(&[("/demo/SKILL.md", text)], &LintOptions { clients, ..LintOptions::default() })
    };
    assert_eq!(of(&[]), [""; 0]);
    let said = of(&["agent-framework"]);
    assert!(said.len() == 1 && said[0].starts_with("loader-would-skip: Microsoft Agent Framework"), "{said:?}");
}

#[test]
fn quotes_that_a_framework_keeps_are_accepted_and_a_lost_text_is_not() {
    let of = |description: &str| {
        let text = format!("---\nname: demo\ndescription: {description}\n---\nDo it.\n");
        let clients = vec!["learn-claude-code".to_owned()];
        let select = vec!["loader-sees-different-value".to_owned()];
        said_of(&[("/demo/SKILL.md", &text)], &LintOptions { clients, select, ..LintOptions::default() })
    };
    assert_eq!(of("\"Use when asked for one thing: a demo.\""), [""; 0]);
    let said = of(">-\n  Use when asked\n  for a demo.");
    assert!(said.len() == 1 && said[0].starts_with("loader-sees-different-value: "), "{said:?}");
}

#[test]
fn hooks_need_their_inner_list() {
    let flat = "hooks:\n  PreToolUse:\n    - matcher: Bash\n      command: ./x.sh\n";
    let expected = "claude-hooks: `PreToolUse` has an entry without a list of `hooks`, which never runs; put what it runs below `hooks:`";
    let found = said("demo", flat, "Do it.", &[]);
    assert!(found.iter().any(|line| line.contains(expected)), "{found:?}");
}

#[test]
fn folders_of_clients_are_no_depths_of_a_framework() {
    let skill = "---\nname: demo\ndescription: Use when asked for a demo.\n---\nDo it.\n";
    let other = "---\nname: other\ndescription: Use when asked for others.\n---\nDo it.\n";
    for folder in [".cursor/skills", ".kiro/skills", ".claude/skills", ".github/skills", "plugin/skills"] {
        let path = format!("/{folder}/other/SKILL.md");
        let plugin = ("/plugin/.claude-plugin/plugin.json", "{\"name\": \"plugin\"}\n");
        let found = said_of(&[("/demo/SKILL.md", skill), (&path, other), plugin], &LintOptions::default());
        assert!(!found.iter().any(|line| line.starts_with("loader-dir-not-scanned")), "{folder}: {found:?}");
    }
}

#[test]
fn tools_of_other_clients_are_not_those_of_claude_code() {
    let wrong = "claude-tool-name: Claude Code's tool is called `Glob`, not `List`";
    assert_eq!(said("demo", "allowed-tools: Bash(git:*) Grep List\n", "Do it.", &[]), [wrong]);
    assert_eq!(said(".claude/skills/demo", "allowed-tools: List\n", "Do it.", &[]), [wrong]);
    assert_eq!(said("demo", "allowed-tools: List\n", "Do it.", &[]), [""; 0], "it may be for another client");
}
