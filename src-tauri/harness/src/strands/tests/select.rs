use std::collections::BTreeMap;

use super::*;
use crate::sample::manifest;
use crate::{Origin, Presentation, QuirkKind};
use config::InlineSkill;
use model::Message;
use serde_json::{Value, json};
use skill::source::Span;

fn names(catalog: &Catalog) -> Vec<&str> {
    catalog.skills.iter().map(|skill| skill.name.as_str()).collect()
}

fn shown(catalog: &Catalog) -> Presentation {
    Strands.present(catalog, &Session::default())
}

fn tools(catalog: &Catalog) -> Vec<String> {
    shown(catalog).definitions().into_iter().map(|tool| tool.name).collect()
}

/// Kind, skill and detail of each quirk.
fn quirks(catalog: &Catalog) -> Vec<(QuirkKind, Option<&str>, &str)> {
    catalog.quirks.iter().map(|quirk| (quirk.kind, quirk.skill.as_deref(), quirk.detail.as_str())).collect()
}

fn skipped(catalog: &Catalog) -> Vec<(&str, &str)> {
    catalog.skipped.iter().map(|skipped| (skipped.path.as_str(), skipped.reason.en.as_str())).collect()
}

#[test]
fn one_folder_without_a_manifest_takes_the_tool_away() {
    let one = manifest("a");
    let found = [("a/SKILL.md", one.as_str()), ("notes/x.md", ""), (".git/config", ""), ("README.md", "")];
    for variant in ["seed", "demo-repo"] {
        let catalog = catalog(variant, &found);
        assert_eq!(names(&catalog), [""; 0]);
        assert_eq!(catalog.refused, None, "the agent goes on without the tool");
        assert!(!tools(&catalog).contains(&"Skill".to_owned()));
        let kind = QuirkKind::MissingManifestRemovesTool;
        assert_eq!(quirks(&catalog), [(kind, None, "")]);
        assert_eq!(catalog.quirks[0].path.as_ref().unwrap(), "/skills/notes");
        assert_eq!(
            skipped(&catalog),
            [
                ("/skills/a/SKILL.md", "the listing of all skills failed at /skills/notes/SKILL.md"),
                ("/skills/notes/SKILL.md", "the folder has no SKILL.md; this keeps all skills from the model"),
            ]
        );
        assert_eq!(
            catalog.log,
            [
                "ERROR: 💥 技能初始化失败: [Errno 2] No such file or directory: '/skills/notes/SKILL.md'",
                "WARNING: ⚠️ 没有找到可用的技能，跳过工具生成",
            ]
        );
    }
    assert_eq!(names(&catalog("vended-1.62", &found)), ["a"]);
}

#[test]
fn what_the_demo_reads_differently_is_reported_in_its_place() {
    let text = "---\nname: other\ndescription: \"Use <b>: x\"\n---\n";
    let catalog = catalog("seed", &[("a/SKILL.md", text)]);
    let at = |part: &str| {
        let start = text.find(part).unwrap();
        Some(Span::new(start, start + part.len()))
    };
    let quoted = "\"Use <b>: x\"";
    assert_eq!(
        quirks(&catalog),
        [
            (QuirkKind::ReadDifferently, Some("a"), quoted),
            (QuirkKind::NotEscaped, Some("a"), quoted),
            (QuirkKind::ListedNameDoesNotLoad, Some("a"), "a"),
            (QuirkKind::NoInstructions, Some("a"), ""),
            (QuirkKind::CatalogueNotClosed, None, ""),
        ]
    );
    let spans: Vec<_> = catalog.quirks.iter().map(|quirk| quirk.span).collect();
    assert_eq!(spans, [at(quoted), at(quoted), at("other"), None, None]);
}

#[test]
fn a_well_formed_skill_has_no_quirk_of_its_own() {
    let (one, two) = (manifest("a"), manifest("b"));
    let found = [("a/SKILL.md", one.as_str()), ("b/SKILL.md", two.as_str())];
    let general = [QuirkKind::CatalogueNotClosed, QuirkKind::OnlyFirstLoadOfATurn];
    assert_eq!(quirks(&catalog("seed", &found)), general.map(|kind| (kind, None, "")));
    assert_eq!(quirks(&catalog("vended-1.62", &found)), []);
}

#[test]
fn the_decorator_expands_tabs_and_drops_what_looks_like_arguments() {
    let text = |name: &str, description: &str| format!("---\nname: {name}\ndescription: {description}\n---\nx\n");
    let described = |first: &str, second: &str| {
        let (first, second) = (text("a", first), text("b", second));
        let catalog = catalog("seed", &[("a/SKILL.md", &first), ("b/SKILL.md", &second)]);
        let tool = shown(&catalog).tools.pop().unwrap();
        let end = tool.marks.last().unwrap().span.end;
        assert_eq!(end, tool.definition.description.len(), "every byte has its origin");
        let text = tool.definition.description;
        (text[text.find("</skills_instructions>").unwrap()..].to_owned(), catalog)
    };
    let (tabs, _) = described("x\ty", "中\tz");
    assert_eq!(
        tabs,
        "</skills_instructions>\n\n<available_skills>\n\n<skill>\n<name>\na\n</name>\n<description>\nx       \
         y\n</description>\n</skill>\n<skill>\n<name>\nb\n</name>\n<description>\n中       \
         z\n</description>\n</skill>\n<available_skills>"
    );
    let (cut, catalog) = described("Args: many", "Returns: little");
    assert_eq!(
        cut,
        "</skills_instructions>\n\n<available_skills>\n\n<skill>\n<name>\na\n</name>\n<description>\nReturns: \
         little\n</description>\n</skill>\n<available_skills>"
    );
    assert!(quirks(&catalog).contains(&(QuirkKind::CutsCatalogue, Some("a"), "Args: many")));
}

#[test]
fn descriptions_keep_their_provenance() {
    let catalog = catalog("seed", &[("a/SKILL.md", &manifest("a"))]);
    let tool = shown(&catalog).tools.pop().unwrap();
    let field = |name: &str| Origin::Skill { skill: "a".into(), field: name.into() };
    let of_skills: Vec<(&str, &Origin)> = tool
        .marks
        .iter()
        .filter(|mark| mark.origin != Origin::Framework)
        .map(|mark| (mark.span.of(&tool.definition.description), &mark.origin))
        .collect();
    assert_eq!(of_skills, [("a", &field("name")), ("About a", &field("description"))]);
}

#[test]
fn the_system_prompt_is_the_demos_where_the_project_has_none() {
    let found = [("a/SKILL.md", "---\nname: a\n---\n")];
    let seed = shown(&catalog("seed", &found)).instructions.unwrap().text;
    assert!(seed.contains("- Your working directory is /workdir\n"), "{seed}");
    let own = Session { agent_instructions: Some("Be brief.".into()), ..Session::default() };
    let catalog = catalog_with("demo-repo", &found, |options| {
        options.settings.strands.project_root = Some("/demo".into());
    });
    let repo = shown(&catalog).instructions.unwrap().text;
    assert!(repo.contains("project root is /demo and your working directory is /demo/workdir, you"), "{repo}");
    assert_eq!(Strands.present(&catalog, &own).instructions.unwrap().text, "Be brief.");
    let silent = catalog_with("seed", &found, |options| options.settings.strands.demo_prompt = false);
    assert_eq!(shown(&silent).instructions, None);
}

#[test]
fn the_model_may_cache_the_system_prompt_and_the_tools() {
    let found = [("a/SKILL.md", manifest("a"))];
    let found = found.each_ref().map(|(path, text)| (*path, text.as_str()));
    let body = |catalog: &Catalog| {
        let shown = shown(catalog);
        let request = model::ModelRequest {
            messages: vec![shown.system().unwrap(), Message::user("hi")],
            tools: shown.definitions(),
            dialect: Strands.dialect(catalog),
            ..model::ModelRequest::default()
        };
        let body = model::protocol::Protocol::Anthropic.encode("m", &request, false, &model::Sampling::default());
        serde_json::from_str::<serde_json::Value>(&body).unwrap()
    };
    let points = |catalog: &Catalog| {
        let body = body(catalog);
        let is_point = |block: &serde_json::Value| block["cache_control"] == json!({"type": "ephemeral"});
        let of = |key: &str| body[key].as_array().unwrap().iter().map(is_point).collect::<Vec<_>>();
        (of("tools"), of("system"))
    };
    assert_eq!(points(&catalog("seed", &found)), (vec![false, false, false, true], vec![true]));
    assert_eq!(points(&catalog("vended-1.62", &found)), (vec![false, false, false], vec![false]));
    let some = catalog_with("seed", &found, |options| {
        options.settings.strands.cache_prompt = Some(false);
        options.settings.strands.cache_tools = Some(true);
    });
    assert_eq!(points(&some), (vec![false, false, false, true], vec![false]));
    let last = |catalog: &Catalog| {
        super::super::bedrock::system(catalog, &Session::default()).as_array().unwrap().last().cloned()
    };
    assert_eq!(last(&catalog("seed", &found)), Some(json!({"cachePoint": {"type": "default"}})));
}

#[test]
fn the_seed_has_the_editor_and_the_recorded_variants_do_not() {
    let found = [("a/SKILL.md", "---\nname: a\n---\n")];
    assert_eq!(tools(&catalog("seed", &found)), ["file_read", "shell", "editor", "Skill"]);
    assert_eq!(tools(&catalog("demo-repo", &found)), ["file_read", "shell", "Skill"]);
    let all = catalog_with("vended-1.62", &found, |options| {
        options.settings.strands.editor = Some(true);
        options.settings.strands.file_write = true;
    });
    assert_eq!(tools(&all), ["file_read", "shell", "editor", "file_write", "skills"]);
}

#[test]
fn the_plugin_keeps_the_last_of_equal_names_in_the_first_ones_place() {
    let text = |body: &str| format!("---\nname: a\ndescription: d\n---\n{body}\n");
    let (first, last, other) = (text("one"), text("two"), manifest("b"));
    let catalog = catalog("vended-1.62", &[("a/SKILL.md", &first), ("b/SKILL.md", &other), ("c/SKILL.md", &last)]);
    let found: Vec<_> =
        catalog.skills.iter().map(|skill| (skill.id.as_str(), skill.path.as_ref().unwrap().as_str())).collect();
    assert_eq!(found, [("a", "/skills/c"), ("b", "/skills/b")]);
    assert_eq!(quirks(&catalog), [(QuirkKind::HiddenByDuplicate, Some("a"), "/skills/c/SKILL.md")]);
    assert_eq!(
        skipped(&catalog),
        [("/skills/a", "the skill at /skills/c/SKILL.md has the same name and takes its place")]
    );
}

#[test]
fn the_plugin_takes_a_root_that_is_a_skill_and_lower_case_manifests() {
    let text = manifest("skills");
    let inner = manifest("inner");
    let root = catalog("vended-1.62", &[("skill.md", &text), ("inner/SKILL.md", &inner)]);
    assert_eq!(names(&root), ["skills"]);
    assert_eq!(skipped(&root), [("/skills/inner/SKILL.md", "lies inside the skill /skills")]);
    let instructions = shown(&root).instructions.unwrap().text;
    assert!(instructions.contains("<location>/skills/SKILL.md</location>"), "{instructions}");
}

#[test]
fn the_plugin_lists_three_levels_of_three_folders_up_to_its_limit() {
    let text = manifest("a");
    let found = [
        ("a/SKILL.md", text.as_str()),
        ("a/assets/z.png", ""),
        ("a/forms.md", ""),
        ("a/scripts/b.py", ""),
        ("a/scripts/lib/x/y.py", ""),
        ("a/scripts/lib/x/deep/never.py", ""),
    ];
    let listed = |limit: u32| {
        let catalog =
            catalog_with("vended-1.62", &found, |options| options.settings.strands.max_resource_files = limit);
        let text = catalog.skills[0].content.clone();
        (text[text.find("Available").unwrap()..].to_owned(), catalog)
    };
    let (whole, catalog) = listed(20);
    assert_eq!(whole, "Available resources:\n  scripts/b.py\n  scripts/lib/x/y.py\n  assets/z.png");
    let hidden = |name| (QuirkKind::FileNotOffered, Some("a"), name);
    assert_eq!(quirks(&catalog), [hidden("forms.md"), hidden("scripts/lib/x/deep/never.py")]);
    let (cut, _) = listed(2);
    assert_eq!(cut, "Available resources:\n  scripts/b.py\n  scripts/lib/x/y.py\n  ... (truncated at 2 files)");
    let (exact, _) = listed(3);
    assert!(exact.ends_with("assets/z.png\n  ... (truncated at 3 files)"), "said even where nothing is left out");
}

#[test]
fn skills_made_in_code_come_first_in_the_plugin() {
    let inline = InlineSkill {
        kind: Default::default(),
        name: "made".into(),
        description: "d & e".into(),
        instructions: "Do.".into(),
        license: None,
        compatibility: Some("x".into()),
        allowed_tools: Some("Read Bash".into()),
        metadata: BTreeMap::new(),
        resources: Vec::new(),
        scripts: Vec::new(),
    };
    let text = manifest("a");
    let found = [("a/SKILL.md", text.as_str())];
    let with = |variant: &str| catalog_with(variant, &found, |options| options.inline_skills = vec![inline.clone()]);
    let plugin = with("vended-1.62");
    assert_eq!(names(&plugin), ["made", "a"]);
    assert_eq!(plugin.skills[0].content, "Do.\n\n---\nAllowed tools: Read, Bash\nCompatibility: x");
    assert!(shown(&plugin).instructions.unwrap().text.contains("<description>d &amp; e</description>\n</skill>"));
    assert_eq!(skipped(&with("seed")), [("made", "the framework loads skills from folders only")]);
}

#[test]
fn the_plugin_keeps_more_than_it_shows() {
    let text = "---\nname: a\ndescription: d\nlicense: MIT\ncompatibility: 3.10\nallowed-tools: Read Bash\nmetadata:\n  \
                version: 1.50\n  1: 007\n  tags: [x, yes]\n  none: ~\n---\nDo it.\n";
    let kept = |variant: &str, text: &str| {
        let skills = catalog(variant, &[("a/SKILL.md", text)]).skills;
        Value::Object(skills[0].detail.kept())
    };
    let expected = json!({
        "allowed_tools": ["Read", "Bash"],
        "metadata": {"version": 1.5, "1": 7, "tags": "['x', True]", "none": null},
        "license": "MIT",
        "compatibility": "3.1",
    });
    assert_eq!(kept("vended-1.62", text), expected);
    let nothing = json!({"allowed_tools": null, "metadata": {}, "license": null, "compatibility": null});
    assert_eq!(kept("vended-1.62", &manifest("a")), nothing);
    assert_eq!(kept("seed", text), json!({}), "the demo keeps a skill's name, description and path alone");
}
