//! AgentScope against recorded behaviour. The real frameworks list a folder in the order of the file system; if that is
//! visible, the tree is put into the recorded order first.

use std::collections::BTreeMap;
use std::fs;

use camino::Utf8Path;
use config::options::AgentScopeOptions;
use config::{GroupTool, InlineResource, InlineResourceBody, InlineSkill, ToolGroup};
use harness::{
    AgentScopeMarkdown, AgentScopeValue as Given, Catalog, CatalogSkill, Detail, Effect, FailureKind, Harness, Options,
    Performed, Served, Session, ToolReply,
};
use model::ToolCall;
use serde_json::{Map, Value, json};
use skill::{Entry, Folder, SkillSet};
use skillbench_tests::conformance::Suite;
use skillbench_tests::load;

const JAVA: &str = "agentscope-java-2.0.3-SNAPSHOT";
/// The version with three tools, and the one that the seed describes.
const FIRST: &str = "agentscope-java-1.0.5";
pub const SECOND: &str = "agentscope-java-1.0.8";
const PYTHON: &str = "agentscope-python-2.0.11";

pub fn compare(suite: &mut Suite) {
    for file in suite.files(JAVA, "fixture_") {
        java_fixture(suite, &file);
    }
    for (folder, variant) in OLD {
        for file in suite.files(folder, "fixture_") {
            old_fixture(suite, &file, variant);
        }
        old_ordering(suite, folder, variant);
        old_parser_cases(suite, folder, variant);
        old_calls(suite, &format!("{folder}/calls.json"), variant, true);
    }
    for variant in ["java-1.0.8", "seed"] {
        old_calls(suite, &format!("{SECOND}/unchecked_calls.json"), variant, false);
    }
    for file in suite.files(PYTHON, "fixture_") {
        python_fixture(suite, &file);
    }
    ordering(suite);
    parser_cases(suite);
    code_execution(suite);
    unit_converter(suite);
    errors_and_activation(suite);
}

fn java_fixture(suite: &mut Suite, file: &str) {
    let expected = suite.recorded(file);
    let root = suite.golden.locate(expected["root"].as_str().unwrap());
    let folders: Vec<String> = recorded_folders(&expected["skills_in_listing_order"], "originDir");
    let folders: Vec<String> = folders.iter().map(|folder| suite.golden.locate(folder)).collect();
    let found = in_order(load(Utf8Path::new(&root)), &folders);
    // The folder above the fixtures had another name when this was recorded.
    let source = file.ends_with("/fixture_skills.json").then(|| expected["source"].as_str().unwrap().to_owned());
    let settings = AgentScopeOptions { source, validate_arguments: Some(false), ..AgentScopeOptions::default() };
    let catalog = select(&found, "java-2.0.3", settings.clone());
    let shown = |settings: AgentScopeOptions| instructions(&select(&found, "java-2.0.3", settings));

    suite.equal(file, "getAllSkillNames", &json!(names(&found)), &expected["getAllSkillNames"]);
    let listed: Vec<Value> = folders.iter().map(|folder| listed(&found, folder, &catalog, &settings)).collect();
    suite.equal(file, "skills_in_listing_order", &json!(listed), &expected["skills_in_listing_order"]);
    let sources: Vec<&str> = catalog.skills.iter().map(|skill| detail(skill).source.as_str()).collect();
    let expected_sources = vec![expected["source"].as_str().unwrap(); sources.len()];
    suite.equal(file, "source", &json!(sources), &json!(expected_sources));
    suite.equal(file, "system_prompt", &shown(settings.clone()), &expected["system_prompt"]);
    let core = AgentScopeOptions { expose_all_metadata: false, ..settings.clone() };
    suite.equal(file, "core metadata only", &shown(core), &expected["system_prompt_core_metadata_only"]);
    let code = AgentScopeOptions { code_execution: true, ..settings };
    suite.equal(file, "code execution", &shown(code), &expected["system_prompt_code_execution"]);
    // The order of keys in Java's schema differs with every start.
    suite.equal_in_any_order(file, "tool", &tool(&catalog), &expected["tool"]);
    let mut loaded: Vec<(String, Value)> = catalog
        .skills
        .iter()
        .map(|skill| (skill.id.clone(), case(&catalog, &mut Session::default(), &asked(&skill.id, "SKILL.md"))))
        .collect();
    loaded.sort_by(|a, b| a.0.cmp(&b.0));
    let loaded: Map<String, Value> = loaded.into_iter().collect();
    suite.equal(file, "load SKILL.md", &json!(loaded), &expected["load_SKILL.md"]);
}

/// `getAllSkillNames` reads the names even of folders that do not become skills, and leaves out links to folders.
fn names(found: &SkillSet) -> Vec<String> {
    let folders = found.roots[0].tree.folders().filter(|folder| folder.link.is_none());
    let manifests = folders.filter_map(|folder| folder.files().find(|file| file.name == "SKILL.md"));
    let name = |text: &str| {
        AgentScopeMarkdown::parse(text).frontmatter.field("name").and_then(|name| name.as_text()).map(str::to_owned)
    };
    let sources = manifests.filter_map(|file| file.source.clone()).filter(|source| !source.bom);
    let mut names: Vec<String> = sources.filter_map(|source| name(&source.text)).collect();
    names.sort();
    names
}

/// One skill as the repository gives it, before a later one may replace it: it is loaded alone.
fn listed(found: &SkillSet, folder: &str, whole: &Catalog, settings: &AgentScopeOptions) -> Value {
    let mut alone = found.clone();
    alone.roots[0].tree.entries.retain(|entry| matches!(entry, Entry::Folder(inner) if inner.path == folder));
    let catalog = select(&alone, whole.variant, settings.clone());
    let skill = &catalog.skills[0];
    let mut resources: Vec<&str> = skill.resources.iter().map(|file| file.name.as_str()).collect();
    resources.sort_unstable();
    json!({
        "name": skill.name,
        "skillId": skill.id,
        "metadata": metadata(skill),
        "content": skill.content,
        "resources": resources,
        "originDir": skill.path,
    })
}

fn metadata(skill: &CatalogSkill) -> Value {
    fn value(given: &Given) -> Value {
        match given {
            Given::Null => Value::Null,
            Given::Text(text) | Given::Scalar(text) => json!(text),
            Given::List(items) => items.iter().map(value).collect(),
            Given::Map(pairs) => Value::Object(pairs.iter().map(|(key, given)| (key.clone(), value(given))).collect()),
        }
    }
    Value::Object(detail(skill).metadata.iter().map(|(key, given)| (key.clone(), value(given))).collect())
}

/// Recordings of version 1.0, and the variants that reproduce them.
const OLD: [(&str, &str); 3] = [(FIRST, "java-1.0.5"), (SECOND, "java-1.0.8"), (SECOND, "seed")];

/// What 1.0.8 says in other words than the seed prints, and the words of the seed.
const PRINTED: [(&str, &str); 2] = [
    (
        " usage instructions)\n- 'SKILL.md': The skill's markdown documentation (name, description,- Other paths: Additional \
         resources like scripts, configs, templates, or data files",
        "- 'SKILL.md': The skill's markdown documentation\n- Other paths: Additional resources like scripts, configs, templates",
    ),
    ("(e.g., 'SKILL.md, references/references.md')", "(e.g., 'SKILL.md', 'references/api.md')"),
];
const WHY_PRINTED: &str = "The seed prints another description of the tool and of `path` than 1.0.8 has";
const WHY_NOT_FOUND: &str = "The seed prints `Skill not found: ` and the id, without the rest";
const WHY_BINARY: &str = "AgentScope 1.0 reads all files while it loads a skill and lists only those that are UTF-8; here they \
                          are read when the model asks for one";

pub fn as_the_seed_prints(recorded: &Value) -> Value {
    let text = PRINTED.iter().fold(recorded.to_string(), |text, (real, printed)| {
        let inner = |words: &str| json!(words).to_string().trim_matches('"').to_owned();
        text.replace(&inner(real), &inner(printed))
    });
    serde_json::from_str(&text).unwrap()
}

/// The problems of arguments come in the order of a schema, which differs with every start of Java.
pub fn problems_in_order(value: &Value) -> Value {
    const HEAD: &str = "Error: Parameter validation failed for tool '";
    const END: &str = "\nPlease correct the parameters and try again.";
    match value {
        Value::String(text) if text.starts_with(HEAD) => {
            let (head, rest) = text.split_once("': ").unwrap();
            let mut problems: Vec<&str> = rest.strip_suffix(END).unwrap().split("; ").collect();
            problems.sort_unstable();
            json!(format!("{head}': {}{END}", problems.join("; ")))
        }
        Value::Array(items) => items.iter().map(problems_in_order).collect(),
        Value::Object(fields) => {
            Value::Object(fields.iter().map(|(key, value)| (key.clone(), problems_in_order(value))).collect())
        }
        scalar => scalar.clone(),
    }
}

/// Compares the definitions of tools, in the words that the seed prints where it is the seed's.
fn old_tools(suite: &mut Suite, file: &str, name: &str, catalog: &Catalog, expected: &Value) {
    let shown = agentscope().present(catalog, &Session::default()).definitions();
    let shown = json!(shown);
    if catalog.variant == "seed" {
        suite.deviates(file, &format!("seed, {name}"), &shown, expected, WHY_PRINTED);
        suite.equal_in_any_order(file, &format!("seed, {name} as printed"), &shown, &as_the_seed_prints(expected));
    } else {
        suite.equal_in_any_order(file, &format!("{}, {name}", catalog.variant), &shown, expected);
    }
}

/// The catalogue as the hook adds it.
fn injected(catalog: &Catalog) -> Value {
    let mut history = Vec::new();
    agentscope().before_request(&mut history, None, catalog, &mut Session::default());
    json!(history.last().map(|message| message.text()).unwrap_or_default())
}

fn old_fixture(suite: &mut Suite, file: &str, variant: &str) {
    let expected = suite.recorded(file);
    let root = suite.golden.locate(expected["root"].as_str().unwrap());
    let found = load(Utf8Path::new(&root));
    let named = |name: &str| format!("{variant}, {name}");
    // The repository's own source has the path of the recording machine in it.
    let repository = AgentScopeOptions {
        source: Some(expected["source"].as_str().unwrap().to_owned()),
        ..AgentScopeOptions::default()
    };
    for (part, settings) in [("", repository.clone()), ("custom ", AgentScopeOptions::default())] {
        let catalog = select(&found, variant, settings);
        let expected = if part.is_empty() { &expected } else { &expected["custom"] };
        suite.equal(file, &named(&format!("{part}system_prompt")), &injected(&catalog), &expected["system_prompt"]);
        old_tools(suite, file, &format!("{part}tools"), &catalog, &expected["tools"]);
        let loaded: BTreeMap<String, String> = catalog
            .skills
            .iter()
            .map(|skill| {
                let mut session = Session::default();
                let reply = match variant {
                    "java-1.0.5" => {
                        reply_of(&catalog, &mut session, "skill_md_load_tool", &json!({"skillId": skill.id}))
                    }
                    _ => reply(&catalog, &mut session, &asked(&skill.id, "SKILL.md")),
                };
                (skill.id.clone(), reply.text)
            })
            .collect();
        suite.equal(file, &named(&format!("{part}load SKILL.md")), &json!(loaded), &expected["load_SKILL.md"]);
    }
    let failed: Map<String, Value> = select(&found, variant, repository.clone())
        .log
        .iter()
        .map(|line| {
            let (folder, reason) = line.strip_prefix("Failed to load skill '").unwrap().split_once("': ").unwrap();
            (folder.to_owned(), json!(reason))
        })
        .collect();
    suite.equal(file, &named("failed"), &json!(failed), &expected["failed"]);
    let recorded = expected["getAllSkills"].as_array().unwrap();
    let mut names: Vec<&str> = recorded.iter().map(|skill| skill["folder"].as_str().unwrap()).collect();
    names.extend(failed.keys().map(String::as_str));
    names.sort_unstable();
    suite.equal(file, &named("getAllSkillNames"), &json!(names), &expected["getAllSkillNames"]);
    for expected in recorded {
        let folder = expected["folder"].as_str().unwrap();
        let alone = |found: &SkillSet| {
            let mut alone = found.clone();
            alone.roots[0].tree.entries.retain(|entry| matches!(entry, Entry::Folder(inner) if inner.name == folder));
            let catalog = select(&alone, variant, repository.clone());
            let skill = &catalog.skills[0];
            json!({
                "folder": folder,
                "name": skill.name,
                "description": skill.description,
                "skillId": skill.id,
                "content": skill.content,
                "resources": detail(skill).loaded,
            })
        };
        let seen = alone(&found);
        if folder == "pdf-tools" {
            suite.deviates(file, &named("skill pdf-tools"), &seen, expected, WHY_BINARY);
            suite.equal(file, &named("skill pdf-tools, its texts"), &alone(&texts_of(&found)), expected);
        } else {
            suite.equal(file, &named(&format!("skill {folder}")), &seen, expected);
        }
    }
}

/// Without the files that are not UTF-8.
fn texts_of(found: &SkillSet) -> SkillSet {
    fn keep(folder: &mut Folder) {
        folder.entries.retain_mut(|entry| match entry {
            Entry::Folder(inner) => {
                keep(inner);
                true
            }
            Entry::File(file) => fs::read_to_string(&file.path).is_ok(),
        });
    }
    let mut found = found.clone();
    found.roots.iter_mut().for_each(|root| keep(&mut root.tree));
    found
}

fn old_ordering(suite: &mut Suite, folder: &str, variant: &str) {
    let file = format!("{folder}/ordering.json");
    let expected = suite.recorded(&file);
    let names = expected["registration_order"].as_array().unwrap().iter().map(|name| name.as_str().unwrap());
    let inline_skills: Vec<InlineSkill> = names.map(|name| inline(name, "d", "c", &[])).collect();
    let options = Options { variant: Some(variant.into()), inline_skills, ..Options::default() };
    let catalog = agentscope().select(&SkillSet::default(), &options);
    suite.equal(&file, &format!("{variant}, system_prompt"), &injected(&catalog), &expected["system_prompt"]);
}

fn old_parser_cases(suite: &mut Suite, folder: &str, variant: &str) {
    let file = format!("{folder}/parser_cases.json");
    for (name, expected) in suite.recorded(&file).as_object().unwrap() {
        let input = expected["input"].as_str().unwrap();
        let root = suite.golden.path().join("parsed").join(variant).join(name);
        fs::create_dir_all(root.join("a")).unwrap();
        fs::write(root.join("a/SKILL.md"), input).unwrap();
        let catalog = select(&load(&root), variant, AgentScopeOptions::default());
        let mut seen = json!({"input": input});
        match catalog.skills.first() {
            Some(skill) => {
                seen["name"] = json!(skill.name);
                seen["description"] = json!(skill.description);
                seen["content"] = json!(skill.content);
            }
            None => seen["error"] = json!(catalog.skipped[0].reason.en),
        }
        suite.equal(&file, &format!("{variant}, {name}"), &seen, expected);
    }
}

/// Single calls: what comes back, and which skills and groups are active then.
fn old_calls(suite: &mut Suite, file: &str, variant: &str, checked: bool) {
    let recorded = suite.recorded(file);
    let root = suite.golden.path().join(recorded["root"].as_str().unwrap());
    let mut options = Options {
        variant: Some(variant.into()),
        tool_groups: serde_json::from_value(recorded["toolGroups"].clone()).unwrap(),
        ..Options::default()
    };
    options.settings.agentscope.validate_arguments = Some(checked);
    let catalog = agentscope().select(&texts_of(&load(&root)), &options);
    for expected in recorded["cases"].as_array().unwrap() {
        let mut session = Session::default();
        let calls = expected["calls"].as_array().unwrap().iter().map(|expected| {
            let (tool, arguments) = (expected["tool"].as_str().unwrap(), expected["arguments"].as_str().unwrap());
            let text = reply_to(&catalog, &mut session, &ToolCall::new("call_1", tool, arguments)).text;
            let is_active = |skill: &CatalogSkill| session.activated.contains(&skill.id);
            let active: BTreeMap<&String, bool> =
                catalog.skills.iter().map(|skill| (&skill.id, is_active(skill))).collect();
            json!({"tool": tool, "arguments": arguments, "text": text, "active": active, "groups": groups(&catalog, &session)})
        });
        let seen = json!({"case": expected["case"], "calls": calls.collect::<Vec<_>>()});
        let (name, seen) = (format!("{variant}, {}", expected["case"].as_str().unwrap()), problems_in_order(&seen));
        let expected = problems_in_order(expected);
        if variant == "seed" && expected.to_string().contains("Please check the skill ID.") {
            suite.deviates(file, &name, &seen, &expected, WHY_NOT_FOUND);
            let printed = |text: String| text.replace("Skill not found: '", "Skill not found: ");
            let expected: Value =
                serde_json::from_str(&printed(expected.to_string()).replace("'. Please check the skill ID.", ""))
                    .unwrap();
            suite.equal_in_any_order(file, &format!("{name} as printed"), &seen, &expected);
        } else {
            suite.equal_in_any_order(file, &name, &seen, &expected);
        }
    }
}

fn python_fixture(suite: &mut Suite, file: &str) {
    let expected = suite.recorded(file);
    let root = suite.golden.locate(expected["root"].as_str().unwrap());
    for (mode, scan_subdir) in [("scan_subdir=False", false), ("scan_subdir=True", true)] {
        let expected = &expected[mode];
        let folders = recorded_folders(&expected["skills"], "dir");
        let folders: Vec<String> = folders.iter().map(|folder| suite.golden.locate(folder)).collect();
        let found = in_order(load(Utf8Path::new(&root)), &folders);
        let catalog =
            select(&found, "python-2.0.11", AgentScopeOptions { scan_subdir, ..AgentScopeOptions::default() });
        let shown = agentscope().present(&catalog, &Session::default());
        // A loader lists skills of the same name too; each is loaded alone here.
        let alone = |folder: &String| {
            let catalog = select(&load(Utf8Path::new(folder)), "python-2.0.11", AgentScopeOptions::default());
            let skill = &catalog.skills[0];
            let mut session = Session::default();
            let call = json!({"skill": skill.name});
            let given = reply_of(&catalog, &mut session, "Skill", &call).text;
            json!({"name": skill.name, "description": skill.description, "dir": skill.path, "markdown": given})
        };
        let skills: Vec<Value> = folders.iter().map(alone).collect();
        suite.equal(file, &format!("{mode} skills"), &json!(skills), &expected["skills"]);
        let text = shown.instructions.as_ref().map(|marked| &marked.text);
        suite.equal(file, &format!("{mode} instructions"), &json!(text), &expected["instructions"]);
        let tools: Vec<Value> =
            shown.definitions().iter().map(|tool| json!({"type": "function", "function": tool})).collect();
        suite.equal(file, &format!("{mode} tools"), &json!(tools), &expected["tools"]);
    }
}

fn ordering(suite: &mut Suite) {
    let file = format!("{JAVA}/ordering.json");
    let expected = suite.recorded(&file);
    let names = expected["registration_order"].as_array().unwrap().iter().map(|name| name.as_str().unwrap());
    let inline_skills: Vec<InlineSkill> = names.map(|name| inline(name, "d", "c", &[])).collect();
    let registered: Vec<&String> = inline_skills.iter().map(|skill| &skill.name).collect();
    suite.equal(&file, "registration_order", &json!(registered), &expected["registration_order"]);
    let options =
        Options { variant: Some("java-2.0.3".into()), inline_skills: inline_skills.clone(), ..Options::default() };
    let prompt = instructions(&agentscope().select(&SkillSet::default(), &options));
    let of_skill = |line: &&str| line.starts_with("<skill-id>") && !line.contains(' ');
    let lines: Vec<&str> = prompt.as_str().unwrap().lines().map(str::trim).filter(of_skill).collect();
    suite.equal(&file, "prompt_order", &json!(lines), &expected["prompt_order"]);
}

fn parser_cases(suite: &mut Suite) {
    let file = format!("{JAVA}/parser_cases.json");
    for (name, expected) in suite.recorded(&file).as_object().unwrap() {
        let input = expected["input"].as_str().unwrap();
        let markdown = AgentScopeMarkdown::parse(input);
        let folder = suite.golden.path().join("parser").join(name).join("a");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("SKILL.md"), input).unwrap();
        let settings = AgentScopeOptions { source: Some("custom".into()), ..AgentScopeOptions::default() };
        let catalog = select(&load(folder.parent().unwrap()), "java-2.0.3", settings);
        let mut seen = json!({"input": input, "metadata": markdown.frontmatter.text(), "content": markdown.content});
        match catalog.skills.first() {
            Some(skill) => {
                assert_eq!(skill.content, markdown.content, "the skill has what the parser gives");
                let prompt = instructions(&catalog);
                let at = prompt.as_str().unwrap().rfind("<skill>").unwrap();
                seen["skill_xml"] = json!(&prompt.as_str().unwrap()[at..]);
            }
            None => seen["createFrom_error"] = json!(catalog.skipped[0].reason.en),
        }
        suite.equal(&file, name, &seen, expected);
    }
}

fn code_execution(suite: &mut Suite) {
    let file = format!("{JAVA}/custom_source_code_execution.json");
    let expected = suite.recorded(&file);
    let text = fs::read_to_string(suite.golden.path().join("skills/unit-converter/SKILL.md")).unwrap();
    let markdown = AgentScopeMarkdown::parse(&text);
    let field = |name| markdown.frontmatter.field(name).unwrap().as_text().unwrap();
    let mut options = Options {
        variant: Some("java-2.0.3".into()),
        inline_skills: vec![inline(field("name"), field("description"), markdown.content, &[])],
        ..Options::default()
    };
    options.settings.agentscope.code_execution = true;
    options.settings.agentscope.work_dir = Some(suite.golden.path().join("java/workdir").into_string());
    let catalog = agentscope().select(&SkillSet::default(), &options);
    let id = &catalog.skills[0].id;
    suite.equal(&file, "skillId", &json!(id), &expected["skillId"]);
    let prompt = "system_prompt_code_execution_uploadDir";
    suite.equal(&file, prompt, &instructions(&catalog), &expected[prompt]);
    let loaded = case(&catalog, &mut Session::default(), &asked(id, "SKILL.md"));
    suite.equal(&file, "load", &loaded, &expected["load"]);
}

fn unit_converter(suite: &mut Suite) {
    let file = format!("{JAVA}/unit_converter_steps.json");
    let expected = suite.recorded(&file);
    let found = load(&suite.golden.path().join("roots/unit-converter"));
    let catalog = select(&found, "java-2.0.3", AgentScopeOptions::default());
    suite.equal(&file, "system_prompt", &instructions(&catalog), &expected["system_prompt"]);
    suite.equal_in_any_order(&file, "tool", &tool(&catalog), &expected["tool"]);
    let mut session = Session::default();
    for step in ["step1", "step2", "step3_read_script_source"] {
        let seen = case(&catalog, &mut session, &expected[step]["input"]);
        suite.equal(&file, step, &seen, &expected[step]);
    }
}

fn errors_and_activation(suite: &mut Suite) {
    let file = format!("{JAVA}/error_and_activation_cases.json");
    let recorded = suite.recorded(&file);
    // Skills that were not loaded are listed in the order of the file system.
    let listing = &recorded["filesystem_repo_lazy"]["unknown_resource"]["text"];
    for (kind, expected) in recorded.as_object().unwrap() {
        let catalog = pdf_tools(suite, kind, listing);
        let mut session = Session::default();
        let name = |part: &str| format!("{kind} {part}");
        suite.equal(&file, &name("skillId"), &json!(catalog.skills[0].id), &expected["skillId"]);
        let mut log = Vec::new();
        for (part, expected) in expected.as_object().unwrap() {
            let seen = match part.as_str() {
                "skillId" | "toolkit_log" => continue,
                "isSkillActive" => json!(session.activated.contains(&catalog.skills[0].id)),
                // Deactivating and synchronising give a new session.
                "groups_after_syncToolGroupStates" => groups(&catalog, &Session::default()),
                "groups_after_failed_resource_load_only" => {
                    let mut session = Session::default();
                    case(&catalog, &mut session, &asked(&catalog.skills[0].id, "references/none.md"));
                    groups(&catalog, &session)
                }
                part if part.starts_with("groups_") => groups(&catalog, &session),
                _ => {
                    let seen = case(&catalog, &mut session, &expected["input"]);
                    if seen["state"] == "SUCCESS" {
                        log.push(format!("activate {}_skill_tools", catalog.skills[0].id));
                    }
                    match part.as_str() {
                        // The link leads to the name of the machine.
                        "symlink_escape" => machine(seen),
                        _ => seen,
                    }
                }
            };
            suite.equal(&file, &name(part), &seen, expected);
        }
        log.push(format!("deactivate {}_skill_tools", catalog.skills[0].id));
        suite.equal(&file, &name("toolkit_log"), &json!(log), &expected["toolkit_log"]);
    }
}

/// pdf-tools with its own tool, as each part of the recording registers it, its files in the order of the listing.
fn pdf_tools(suite: &Suite, kind: &str, listing: &Value) -> Catalog {
    let root = suite.golden.path().join("roots/pdf-tools");
    let tool = GroupTool {
        name: "fill_form".into(),
        description: "d".into(),
        parameters: json!({"type": "object", "properties": {}}),
        script: None,
        result: Some("filled".into()),
    };
    let mut options = Options {
        variant: Some("java-2.0.3".into()),
        tool_groups: vec![ToolGroup { skill: "pdf-tools".into(), tools: vec![tool] }],
        ..Options::default()
    };
    options.settings.agentscope.validate_arguments = Some(false);
    if kind == "in_memory_custom" {
        let text = fs::read_to_string(root.join("pdf-tools/SKILL.md")).unwrap();
        let markdown = AgentScopeMarkdown::parse(&text);
        let field = |name| markdown.frontmatter.field(name).unwrap().as_text().unwrap();
        let files = [("references/guide.md", "# Guide\n"), ("scripts/extract.py", "x")];
        options.inline_skills = vec![inline(field("name"), field("description"), markdown.content, &files)];
        return agentscope().select(&SkillSet::default(), &options);
    }
    options.settings.agentscope.source = Some("fs".into());
    options.settings.agentscope.lazy = kind == "filesystem_repo_lazy";
    let files = listing.as_str().unwrap().lines().filter_map(|line| line.split_once(". ")).map(|(_, name)| name);
    let paths: Vec<String> = files.map(|name| root.join("pdf-tools").join(name).into_string()).collect();
    agentscope().select(&in_order(load(&root), &paths), &options)
}

/// The answer with the name that the recording machine had in place of this one's.
fn machine(mut seen: Value) -> Value {
    let name = fs::read_to_string("/etc/hostname").unwrap_or_default();
    let text = seen["text"].as_str().unwrap().replace(&format!("---\n{name}\n---"), "---\nvm\n\n---");
    seen["text"] = json!(text);
    seen
}

fn groups(catalog: &Catalog, session: &Session) -> Value {
    let groups = session.memory.agentscope.groups(catalog).into_iter();
    let shown = groups.map(|group| (group.name, json!(format!("{} [{}]", group.is_active, group.tools.join(", ")))));
    Value::Object(shown.collect())
}

fn inline(name: &str, description: &str, instructions: &str, files: &[(&str, &str)]) -> InlineSkill {
    let resource = |(name, value): &(&str, &str)| InlineResource {
        name: (*name).into(),
        description: None,
        body: InlineResourceBody::Value((*value).into()),
    };
    InlineSkill {
        kind: Default::default(),
        name: name.into(),
        description: description.into(),
        instructions: instructions.into(),
        license: None,
        compatibility: None,
        allowed_tools: None,
        metadata: Default::default(),
        resources: files.iter().map(resource).collect(),
        scripts: Vec::new(),
    }
}

fn agentscope() -> &'static dyn Harness {
    harness::find("agentscope").unwrap()
}

fn select(found: &SkillSet, variant: &str, settings: AgentScopeOptions) -> Catalog {
    let mut options = Options { variant: Some(variant.into()), ..Options::default() };
    options.settings.agentscope = settings;
    agentscope().select(found, &options)
}

fn detail(skill: &CatalogSkill) -> &harness::AgentScopeDetail {
    match &skill.detail {
        Detail::AgentScope(detail) => detail,
        other => panic!("{other:?}"),
    }
}

/// There is no text if there are no skills.
fn instructions(catalog: &Catalog) -> Value {
    let shown = agentscope().present(catalog, &Session::default()).instructions;
    json!(shown.map(|marked| marked.text).unwrap_or_default())
}

fn tool(catalog: &Catalog) -> Value {
    let shown = agentscope().present(catalog, &Session::default()).definitions();
    json!(shown.iter().find(|tool| tool.name == "load_skill_through_path").unwrap())
}

fn asked(id: &str, path: &str) -> Value {
    json!({"skillId": id, "path": path})
}

/// A call of the load tool as the recordings show it.
fn case(catalog: &Catalog, session: &mut Session, input: &Value) -> Value {
    let reply = reply(catalog, session, input);
    json!({"input": input, "state": if reply.is_error { "ERROR" } else { "SUCCESS" }, "text": reply.text})
}

fn reply(catalog: &Catalog, session: &mut Session, input: &Value) -> ToolReply {
    reply_of(catalog, session, "load_skill_through_path", input)
}

fn reply_of(catalog: &Catalog, session: &mut Session, tool: &str, input: &Value) -> ToolReply {
    reply_to(catalog, session, &ToolCall::new("call", tool, input.to_string()))
}

fn reply_to(catalog: &Catalog, session: &mut Session, call: &ToolCall) -> ToolReply {
    let served = match agentscope().serve(call, catalog, session) {
        Served::Perform(Effect::ReadFile { path, approval: false }) => {
            let done = match fs::read(&path) {
                Ok(bytes) => Performed::Read { bytes },
                Err(error) => Performed::failed(FailureKind::NotFound, error.to_string()),
            };
            agentscope().settle(call, done, catalog, session)
        }
        served => served,
    };
    match served {
        Served::Reply(reply) => reply,
        other => panic!("{other:?}"),
    }
}

fn recorded_folders(skills: &Value, key: &str) -> Vec<String> {
    skills.as_array().unwrap().iter().map(|skill| skill[key].as_str().unwrap().to_owned()).collect()
}

/// Each folder's entries in the order in which the recording first names something in them; the rest follows in its own
/// order.
fn in_order(mut found: SkillSet, paths: &[String]) -> SkillSet {
    fn sort(folder: &mut Folder, paths: &[String]) {
        folder.entries.sort_by_key(|entry| {
            let path = match entry {
                Entry::Folder(inner) => &inner.path,
                Entry::File(file) => &file.path,
            };
            paths.iter().position(|recorded| Utf8Path::new(recorded).starts_with(path)).unwrap_or(usize::MAX)
        });
        for entry in &mut folder.entries {
            if let Entry::Folder(inner) = entry {
                sort(inner, paths);
            }
        }
    }
    for root in &mut found.roots {
        sort(&mut root.tree, paths);
    }
    found
}
