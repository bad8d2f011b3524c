use super::*;
use crate::QuirkKind;
use crate::sample::{disk, manifest};

fn select(files: &[(&str, &str)]) -> Catalog {
    AgentSkills.select(&disk(files), &Options::default())
}

fn prompt(catalog: &Catalog) -> Option<String> {
    AgentSkills.present(catalog, &Session::default()).instructions.map(|marked| marked.text)
}

fn entry(name: &str, description: &str, location: &str) -> String {
    format!(
        "<skill>\n<name>\n{name}\n</name>\n<description>\n{description}\n</description>\n<location>\n{location}\n\
         </location>\n</skill>\n"
    )
}

#[test]
fn presents_every_folder_with_a_manifest_wherever_it_lies() {
    let text = "---\nname: b\ndescription: <it's> & \"b\"\n---\n";
    let catalog = select(&[("a/SKILL.md", &manifest("a")), ("deep/er/b/skill.md", text)]);
    let entries = [
        entry("a", "About a", "/skills/a/SKILL.md"),
        entry("b", "&lt;it&#x27;s&gt; &amp; &quot;b&quot;", "/skills/deep/er/b/skill.md"),
    ];
    assert_eq!(prompt(&catalog), Some(format!("<available_skills>\n{}</available_skills>", entries.concat())));
    assert_eq!(catalog.quirks.iter().map(|quirk| quirk.kind).collect::<Vec<_>>(), [QuirkKind::NoInstructions]);
    assert_eq!(prompt(&select(&[])).as_deref(), Some("<available_skills>\n</available_skills>"));
}

#[test]
fn one_folder_that_cannot_be_read_keeps_all_from_being_printed() {
    let catalog = select(&[("a/SKILL.md", &manifest("a")), ("b/SKILL.md", "no frontmatter")]);
    let error = "SKILL.md must start with YAML frontmatter (---)";
    assert_eq!(catalog.refused, Some(format!("ParseError: {error}")));
    assert_eq!((prompt(&catalog), catalog.skipped.len()), (None, 2));
    assert_eq!(catalog.log, ["Validation failed for /skills/b:".to_owned(), format!("  - {error}")]);
}

#[test]
fn a_folder_without_a_manifest_is_mentioned_and_hides_no_skill() {
    let catalog = select(&[("docs/a.md", "x"), ("b/SKILL.md", &manifest("b"))]);
    let said = [
        "Validation failed for /skills/docs:",
        "  - Missing required file: SKILL.md",
        "Error: SKILL.md not found in /skills/docs",
    ];
    assert_eq!((catalog.skills.len(), catalog.refused, catalog.log), (1, None, said.map(str::to_owned).into()));
}

fn log(name: &str, front: &str) -> Vec<String> {
    let log = select(&[(&format!("{name}/SKILL.md"), &format!("---\n{front}\n---\nBody.\n"))]).log;
    log.iter().filter_map(|line| line.strip_prefix("  - ")).map(str::to_owned).collect()
}

#[test]
fn validates_what_the_specification_says() {
    assert_eq!(
        log("a", "name: -A--b\ndescription: d\nversion: 1\ncompatibility: [x"),
        [
            "Invalid YAML in frontmatter: While scanning\n  in \"<unicode string>\", line 5, column 16:\n    compatibility: [x\n                   \
          ^ (line: 5)\nFound ugly disallowed JSONesque flow mapping (surround with ' and ' to make text appear literally)\n  in \
          \"<unicode string>\", line 5, column 17:\n    compatibility: [x\n                    ^ (line: 5)"
        ]
    );
    assert_eq!(
        log("a", "name: -A--b_\ndescription: ''\nversion: 1\nmetadata:\n  a: 1"),
        [
            "Unexpected fields in frontmatter: version. Only ['allowed-tools', 'compatibility', 'description', \
             'license', 'metadata', 'name'] are allowed.",
            "Skill name '-A--b_' must be lowercase",
            "Skill name cannot start or end with a hyphen",
            "Skill name cannot contain consecutive hyphens",
            "Skill name '-A--b_' contains invalid characters. Only letters, digits, and hyphens are allowed.",
            "Directory name 'a' must match skill name '-A--b_'",
            "Field 'description' must be a non-empty string",
        ]
    );
    assert_eq!(log("技能", "name: 技能\ndescription: d"), [""; 0], "letters of every script");
}

#[test]
fn what_strictyaml_finds_confusing_is_refused() {
    let first = |front: &str| log("a", front).first().map(|said| said.lines().next().unwrap_or_default().to_owned());
    let scanning = Some("Invalid YAML in frontmatter: While scanning".to_owned());
    for value in ["&n a", "!!str a", "{a: b}"] {
        assert_eq!(first(&format!("name: a\ndescription: {value}")), scanning, "{value}");
    }
    let parsing = Some("Invalid YAML in frontmatter: While parsing".to_owned());
    assert_eq!(first("name: a\nname: a\ndescription: d"), parsing);
    assert_eq!(first("name: a\ndescription: d\nmetadata:\n  b:\n    c: d\n  e:\n      f: g"), parsing);
    assert_eq!(first("- a"), Some("SKILL.md frontmatter must be a YAML mapping".to_owned()));
    assert_eq!(first("name: 1\ndescription: yes"), Some("Directory name 'a' must match skill name '1'".to_owned()));
}

#[test]
fn frontmatter_ends_at_the_first_dashes() {
    let catalog = select(&[("a/SKILL.md", "---\nname: a\ndescription: d --- e\n---\nBody.\n")]);
    assert_eq!(catalog.skills[0].description, "d");
    assert_eq!(catalog.quirks[0].kind, QuirkKind::CutAtDashes);
}

#[test]
fn a_call_ends_with_an_error() {
    let call = ToolCall::new("1", "read", "{}");
    let served = AgentSkills.serve(&call, &select(&[]), &mut Session::default());
    assert_eq!(served, Served::Abort("skills-ref has no tool read".into()));
}
