//! skills-ref against recorded behaviour: each folder alone, all that can be read, and all.

use camino::{Utf8Path, Utf8PathBuf};
use harness::{Catalog, Detail, Harness, Options, Session};
use serde_json::{Value, json};
use skill::SkillSet;
use skillbench_tests::conformance::Suite;
use skillbench_tests::load;

use super::machine::Machine;

pub fn compare(suite: &mut Suite) {
    for file in suite.files("skills-ref-0.1.1", "fixture_") {
        let recorded = suite.recorded(&file);
        let root = Utf8PathBuf::from(suite.golden.locate(recorded["root"].as_str().unwrap()));
        folders(suite, &file, "", &recorded, &root);
    }
    let rare = "skills-ref-0.1.1/rare.json";
    for (name, case) in suite.recorded(rare).as_object().unwrap() {
        let machine = Machine::new(case, "skills");
        folders(suite, rare, &format!("{name}: "), &machine.located(case), &machine.skills);
    }
}

fn harness() -> &'static dyn Harness {
    harness::find("agent-skills").unwrap()
}

const NO_MANIFEST: &str = "a folder without a manifest is not given to the library, so that it hides no skill";

/// `case` begins what its values are called.
fn folders(suite: &mut Suite, file: &str, case: &str, recorded: &Value, root: &Utf8Path) {
    let all = load(root);
    let before = case;
    let mut readable = Vec::new();
    for folder in recorded["folders"].as_array().unwrap() {
        let name = folder["folder"].as_str().unwrap();
        let given = alone(&all, &root.join(name));
        let catalog = select(&given);
        let seen = [
            ("properties", properties(&catalog)),
            ("problems", problems(&catalog)),
            ("prompt", prompt(&catalog)),
            ("body", body(&catalog)),
        ];
        for (part, seen) in seen {
            let case = format!("{before}{name}: {part}");
            let expected = &folder[part];
            match part {
                "body" if catalog.refused.is_some() && expected.is_string() => {
                    let why = "a skill that is not presented has no instructions here";
                    suite.deviates(file, &case, &seen, expected, why);
                }
                _ => suite.equal(file, &case, &seen, expected),
            }
        }
        if !catalog.skills.is_empty() {
            readable.extend(given.roots);
        }
    }
    let readable = SkillSet { roots: readable, problems: Vec::new() };
    let case = format!("{before}prompt_of_all_readable");
    suite.equal(file, &case, &prompt(&select(&readable)), &recorded["prompt_of_all_readable"]);
    let case = format!("{before}prompt_of_all_folders");
    let seen = prompt(&select(&all));
    let expected = &recorded["prompt_of_all_folders"];
    if expected["error"].as_str().is_some_and(|error| error.starts_with("ParseError: SKILL.md not found in")) {
        suite.deviates(file, &case, &seen, expected, NO_MANIFEST);
    } else {
        suite.equal(file, &case, &seen, expected);
    }
}

/// What is known about one folder, but not about those in it.
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
    let missing = catalog.log.iter().find_map(|line| line.strip_prefix("Error: "));
    let missing = missing.filter(|_| catalog.skills.is_empty()).map(|error| format!("ParseError: {error}"));
    catalog.refused.clone().or(missing).map(|error| json!({"error": error}))
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
    // `validate` ends with it, too.
    if let Some(error) = error(catalog).filter(|_| catalog.refused.as_ref().is_some_and(|why| why.starts_with("Attr")))
    {
        return error;
    }
    let text = catalog.log.join("\n");
    let problems = text.split("\n  - ").skip(1);
    problems.map(|problem| problem.split("\nValidation failed for").next().unwrap()).map(first_said).collect()
}

fn first_said(problem: &str) -> &str {
    problem.split("\nError: ").next().unwrap()
}

/// Of a folder without a manifest the recording has none.
fn body(catalog: &Catalog) -> Value {
    if let Some(error) = error(catalog).filter(|_| catalog.refused.is_some()) {
        return error;
    }
    catalog.skills.first().map(|skill| skill.content.as_str()).into()
}
