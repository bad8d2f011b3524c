//! What the rules on descriptions report, and what they do not.

use crate::analysis::language::{Language, content, has_trigger, length};
use crate::tests::findings;
use crate::{Example, Finding, Group};

fn described(name: &'static str, description: &str, also: &str) -> Vec<Finding> {
    let text = format!("---\nname: {name}\ndescription: {}\n---\nDo it.\n", skill::edit::scalar(description));
    let file: (&str, &str) = ("SKILL.md", text.leak());
    findings(&Example { folder: name, files: vec![file].leak() }, also)
}

/// What rules of this group report.
fn ids(description: &str, also: &str) -> Vec<&'static str> {
    let rules = described("demo", description, also).into_iter().map(|finding| finding.rule);
    rules.filter(|rule| rule.group == Group::Description).map(|rule| rule.id).collect()
}

#[test]
fn good_descriptions_get_no_finding() {
    for description in [
        "Extracts text and tables from PDF files, fills forms, merges documents. Use when working with PDF files or when the user mentions PDFs, forms, or document extraction.",
        "Comprehensive spreadsheet creation, editing and analysis with support for formulas. When the model needs to work with spreadsheets (.xlsx, .csv).",
        "将中文古典诗词翻译成地道的英文。当用户要求翻译诗词时使用。",
        "用于换算长度、重量和温度单位，例如英里和公里。",
        "Lists TODO and FIXME comments in a repository. Use when asked what is left to do.",
        "Sends one message to a Slack channel. Use for any task that ends in an announcement.",
        "Guide for creating MCP servers. Use when building servers to integrate external APIs, in Python (FastMCP) or Node.",
        "Analysiert Rechnungen und schreibt eine Liste der offenen Posten.",
        "請求書を読み取り、未払いの一覧を作成します。",
        "Translates classical Chinese poems into English verse. Use PROACTIVELY for poems in rhyme.",
    ] {
        assert_eq!(ids(description, ""), Vec::<&str>::new(), "{description}");
    }
}

#[test]
fn says_what_is_wrong_with_poor_descriptions() {
    for (description, expected) in [
        ("Helps with documents.", vec!["description-too-short"]),
        ("A skill that does stuff with various things.", vec!["description-vague", "no-when-trigger"]),
        ("帮助用户处理各种任务的通用工具。", vec!["description-vague", "no-when-trigger"]),
        ("将中文古典诗词精确翻译成地道的英文", vec!["no-when-trigger"]),
        ("换算单位。", vec!["description-too-short"]),
        ("You are an expert in Kubernetes. Use when asked about pods.", vec!["description-person"]),
        ("你是一位精通汉学的翻译大师，当用户要求翻译诗词时使用。", vec!["description-person"]),
        ("Converts CSV -> JSON. Use when asked to convert a table.", vec!["description-angle-brackets"]),
        ("Improves the style of answers. Use for every request.", vec!["trigger-too-generic"]),
        ("整理回答的格式，所有问题都必须使用本技能。", vec!["trigger-too-generic"]),
        ("TODO: describe what it does and when it is used", vec!["description-todo"]),
        ("待补充：技能的说明，以及什么时候使用", vec!["description-todo"]),
    ] {
        assert_eq!(ids(description, ""), expected, "{description}");
    }
}

#[test]
fn looks_at_the_words_and_not_at_their_likes() {
    for (rule, description) in [
        (
            "description-person",
            "Plans trips. Use when the user says \"I want to go\" or asks for your advice on trains.",
        ),
        (
            "trigger-too-generic",
            "Answers questions on all requests that the tax office sends. Use for any question about VAT.",
        ),
        (
            "brand-impersonation",
            "Reads sheets made by Google Forms through the official Microsoft Graph API when asked to.",
        ),
        (
            "keyword-baiting",
            "Use for PDF, Word, Excel, PowerPoint, Markdown, HTML, plain text, RTF and EPUB files, when asked to convert one.",
        ),
        ("description-todo", "TODO list manager: adds, sorts and closes tasks. Use when asked for a to-do list."),
    ] {
        assert!(!ids(description, rule).contains(&rule), "{rule}: {description}");
    }
}

#[test]
fn points_at_the_words() {
    let found = described("demo", "Improves the style. Use for every request.", "");
    let text = "---\nname: demo\ndescription: Improves the style. Use for every request.\n---\nDo it.\n";
    assert_eq!(found[0].span.map(|span| span.of(text)), Some("for every request"));
}

#[test]
fn skills_started_by_hand_need_no_trigger() {
    let text = "---\nname: demo\ndescription: Deploys the website to the staging server.\ndisable-model-invocation: true\n---\nDo it.\n";
    assert!(findings(&Example::skill(vec![("SKILL.md", text)].leak()), "").is_empty());
}

#[test]
fn names_of_nothing_are_vague() {
    let named = |name| -> Vec<&str> {
        let found = described(name, "Runs a small demo program. Use when asked for a demo.", "");
        found.iter().map(|finding| finding.rule.id).collect()
    };
    for name in ["helper", "utils", "my-tools", "data-tools", "document-helper-2", "files"] {
        assert_eq!(named(name), ["name-vague"], "{name}");
    }
    for name in ["pdf-tools", "data-analysis", "skill-creator", "unit-converter"] {
        assert_eq!(named(name), Vec::<&str>::new(), "{name}");
    }
}

#[test]
fn tells_languages_apart() {
    for (text, language) in [
        ("Use when asked.", Language::English),
        ("从 PDF 中提取表格", Language::Chinese),
        ("Schreibt Briefe und prüft sie auf Fehler", Language::Other),
        ("請求書を読み取ります", Language::Other),
        ("Составляет отчёты", Language::Other),
    ] {
        assert_eq!(Language::of(text), language, "{text}");
    }
}

#[test]
fn counts_words_of_both_languages() {
    assert_eq!(length("Use when asked for a demo."), 6);
    assert_eq!(length("换算单位 in km"), 4);
    assert!(content("Helps with various documents and files").is_empty());
    assert_eq!(content("converts converting 换算").into_iter().collect::<Vec<_>>(), ["convert", "换算"]);
    let has_trigger = |text| has_trigger(text, Language::of(text));
    assert!(has_trigger("Whenever the user mentions a log") && !has_trigger("Reads logs of the server"));
    for text in [
        "Observability skill. Use quando precisar definir logs, alerts, health checks and readiness of services",
        "Six hats, thinking hats, explore all sides, who is right. Analyzes from many sides",
        "I'm stuck, I have no ideas, where do I start, writer's block — techniques to go on",
        "Improves images. Perfect for slides",
        "Return the path to this session's record — 'where is my transcript', 'show the transcript'.",
        "DEPRECATED - superseded by other-skill. It made maps of codebases.",
    ] {
        assert!(has_trigger(text), "{text}");
    }
    for text in [
        "Scan trending repos, plugins, tools, and notes against your stack",
        "Spring Security: filter chain, OAuth2, method security, CORS",
        "Shows Python's newest features, doesn't change files and says what's new",
        "Linting and formatting, testing, deployment, monitoring of services",
    ] {
        assert!(!has_trigger(text), "{text}");
    }
}

#[test]
fn an_offline_claim_is_checked_against_the_scripts() {
    let with = |script: &'static str| -> bool {
        let skill = "---\nname: demo\ndescription: Makes slides offline. Use when asked for slides.\n---\nDo it.\n";
        let files = vec![("SKILL.md", skill), ("scripts/a.py", script)].leak();
        findings(&Example::skill(files), "").iter().any(|finding| finding.rule.id == "misleading-offline-claim")
    };
    assert!(with("import httpx\nhttpx.get(\"https://a.example\")\n"));
    for quiet in ["# no requests.get( here\nprint(1)\n", "prefetch(1)\n", "urlopen(\"http://localhost:1\")\n"] {
        assert!(!with(quiet), "{quiet}");
    }
}

#[test]
fn what_is_for_offline_use_may_be_fetched() {
    for claim in ["Saves pages for offline use", "Saves articles for offline reading", "Gets offline maps"] {
        let skill = format!("---\nname: demo\ndescription: {claim}. Use when asked for pages.\n---\nDo it.\n");
        let files: Vec<(&str, &str)> =
            vec![("SKILL.md", skill.leak()), ("scripts/a.py", "import requests\nrequests.get('https://a.acme.io')\n")];
        let found = findings(&Example::skill(files.leak()), "");
        assert!(!found.iter().any(|finding| finding.rule.id == "misleading-offline-claim"), "{claim}");
    }
}

#[test]
fn triggers_that_nobody_reads_are_named() {
    let said = |front: &str| {
        let text = format!("---\nname: demo\ndescription: Loads the parser and fires it up.\n{front}---\nDo it.\n");
        let found = crate::tests::said_of(&[("/demo/SKILL.md", text.as_str())], &crate::LintOptions::default());
        found.into_iter().filter(|said| said.starts_with("no-when-trigger")).collect::<Vec<_>>()
    };
    for front in ["triggers:\n  - parse it\n", "metadata:\n  triggers: parse it\n"] {
        assert!(said(front)[0].contains("frameworks do not read `triggers`"), "{:?}", said(front));
    }
    assert!(!said("")[0].contains("triggers"));
}
