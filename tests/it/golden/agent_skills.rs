//! skills-ref against recorded behaviour: each folder alone, all that can be read, and all.

use camino::{Utf8Path, Utf8PathBuf};
use harness::{Catalog, Detail, Harness, Options, Session};
use serde_json::{Value, json};
use skill::SkillSet;
use skillbench_tests::conformance::Suite;
use skillbench_tests::load;

pub fn compare(suite: &mut Suite) {
    for file in suite.files("skills-ref-0.1.1", "fixture_") {
        fixture(suite, &file);
    }
}

fn harness() -> &'static dyn Harness {
    harness::find("agent-skills").unwrap()
}

const NO_MANIFEST: &str = "a folder without a manifest is no skill: it is not given to the library";

fn fixture(suite: &mut Suite, file: &str) {
    let recorded = suite.recorded(file);
    let root = Utf8PathBuf::from(suite.golden.locate(recorded["root"].as_str().unwrap()));
    let all = load(&root);
    let mut readable = Vec::new();
    for folder in recorded["folders"].as_array().unwrap() {
        let name = folder["folder"].as_str().unwrap();
        let given = alone(&all, &root.join(name));
        let catalog = select(&given);
        let is_skill = !catalog.skills.is_empty() || catalog.refused.is_some();
        let seen = [
            ("properties", properties(&catalog)),
            ("problems", problems(&catalog)),
            ("prompt", prompt(&catalog)),
            ("body", body(&catalog)),
        ];
        for (part, seen) in seen {
            let case = format!("{name}: {part}");
            let expected = &folder[part];
            match (is_skill, part) {
                (false, "body") => suite.equal(file, &case, &Value::Null, expected),
                (false, _) => suite.deviates(file, &case, &seen, expected, NO_MANIFEST),
                (true, "body") if catalog.refused.is_some() && expected.is_string() => {
                    let why = "a skill that is not presented has no instructions here";
                    suite.deviates(file, &case, &seen, expected, why);
                }
                (true, _) => suite.equal(file, &case, &seen, expected),
            }
        }
        if is_skill && catalog.refused.is_none() {
            readable.extend(given.roots);
        }
    }
    let readable = SkillSet { roots: readable, problems: Vec::new() };
    suite.equal(file, "prompt_of_all_readable", &prompt(&select(&readable)), &recorded["prompt_of_all_readable"]);
    let seen = prompt(&select(&all));
    let expected = &recorded["prompt_of_all_folders"];
    if expected["error"].as_str().is_some_and(|error| error.starts_with("ParseError: SKILL.md not found in")) {
        suite.deviates(file, "prompt_of_all_folders", &seen, expected, NO_MANIFEST);
    } else {
        suite.equal(file, "prompt_of_all_folders", &seen, expected);
    }
}

/// What is known of one folder, but not of those in it.
fn alone(all: &SkillSet, path: &Utf8Path) -> SkillSet {
    let parent = path.parent().unwrap();
    let name = path.file_name().unwrap();
    let mut set = all.clone();
    let root = &mut set.roots[0];
    for part in parent.strip_prefix(&root.path).unwrap() {
        let inner = root.tree.folders().find(|folder| folder.name == part).unwrap().clone();
        root.tree = inner;
    }
    root.path = parent.to_owned();
    root.tree.entries.retain(|entry| matches!(entry, skill::Entry::Folder(folder) if folder.name == name));
    for entry in &mut root.tree.entries {
        if let skill::Entry::Folder(folder) = entry {
            folder.entries.retain(|entry| matches!(entry, skill::Entry::File(_)));
        }
    }
    set
}

fn select(set: &SkillSet) -> Catalog {
    harness().select(set, &Options::default())
}

fn error(catalog: &Catalog) -> Option<Value> {
    catalog.refused.as_ref().map(|error| json!({"error": error}))
}

fn prompt(catalog: &Catalog) -> Value {
    let shown = harness().present(catalog, &Session::default()).instructions;
    error(catalog).unwrap_or_else(|| shown.map(|marked| marked.text).into())
}

fn properties(catalog: &Catalog) -> Value {
    if let Some(error) = error(catalog) {
        return error;
    }
    let Some(skill) = catalog.skills.first() else { return Value::Null };
    let mut fields = json!({"name": skill.name, "description": skill.description});
    if let (Detail::AgentSkills(_), Some(map)) = (&skill.detail, fields.as_object_mut()) {
        map.extend(skill.detail.kept());
    }
    fields
}

fn problems(catalog: &Catalog) -> Value {
    let text = catalog.log.join("\n");
    let problems = text.split("\n  - ").skip(1);
    problems.map(|problem| problem.split("\nValidation failed for").next().unwrap()).collect()
}

fn body(catalog: &Catalog) -> Value {
    if let Some(error) = error(catalog) {
        return error;
    }
    catalog.skills.first().map(|skill| skill.content.as_str()).into()
}
