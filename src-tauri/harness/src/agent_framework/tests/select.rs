//! What is loaded, and the messages about the rest.

use super::*;
use skill::Entry;

/// Skills that are left out, and why, in English.
fn left_out(catalog: &Catalog) -> Vec<(&str, &str)> {
    catalog.skipped.iter().map(|skipped| (skipped.path.as_str(), skipped.reason.en.as_str())).collect()
}

#[test]
fn the_first_source_wins_where_names_collide_in_any_case() {
    let found = disk(&[("greeter/SKILL.md", &manifest("greeter"))]);
    let files_first = select(&found, AgentFrameworkOptions::default(), vec![inline("greeter"), inline("other")]);
    assert_eq!(names(&files_first), ["greeter", "other"]);
    assert_eq!(files_first.skills[0].path.as_deref(), Some("/skills/greeter".into()));
    assert_eq!(
        files_first.log,
        ["Duplicate skill name 'greeter': subsequent skill skipped in favor of first occurrence"]
    );

    let inline_first = AgentFrameworkOptions {
        sources: vec![SkillSource::Inline, SkillSource::Files],
        ..AgentFrameworkOptions::default()
    };
    let catalog = select(&found, inline_first, vec![inline("greeter")]);
    assert_eq!(catalog.skills[0].path, None);
    assert_eq!(catalog.skipped[0].path, "/skills/greeter/SKILL.md");
}

#[test]
fn the_filter_comes_before_de_duplication() {
    let found = disk(&[("a/SKILL.md", &manifest("a")), ("b/SKILL.md", &manifest("b"))]);
    let only_b = AgentFrameworkOptions { filter: Some(vec!["b".into()]), ..AgentFrameworkOptions::default() };
    let catalog = select(&found, only_b, vec![inline("a")]);
    assert_eq!(names(&catalog), ["b"]);
    assert_eq!(catalog.log, Vec::<String>::new(), "what the filter drops is no duplicate");
    let reason = "Skill 'a' excluded by filter predicate";
    assert_eq!(left_out(&catalog), [("/skills/a/SKILL.md", reason), ("a", reason)]);
}

#[test]
fn a_root_may_itself_be_a_skill() {
    let found = disk(&[("SKILL.md", &manifest("skills")), ("inner/SKILL.md", &manifest("inner"))]);
    let catalog = select(&found, AgentFrameworkOptions::default(), Vec::new());
    assert_eq!(names(&catalog), ["skills"]);
    assert_eq!(left_out(&catalog), [("/skills/inner/SKILL.md", "lies inside the skill /skills")]);
}

#[test]
fn says_of_skills_where_it_does_not_look_that_they_are_left_out() {
    let found = disk(&[
        ("a/b/c/SKILL.md", &manifest("c")),
        ("lower/skill.md", &manifest("lower")),
        ("linked/SKILL.md", "->../elsewhere/SKILL.md"),
    ]);
    let catalog = select(&found, AgentFrameworkOptions::default(), Vec::new());
    let unsafe_path = "symbolic link or reparse point detected, or path could not be inspected";
    assert_eq!(names(&catalog), Vec::<&str>::new());
    assert_eq!(
        left_out(&catalog),
        [
            ("/skills/a/b/c/SKILL.md", "lies more than 2 levels below the folder"),
            ("/skills/lower/skill.md", "the file must be called SKILL.md, not skill.md"),
            ("/skills/linked/SKILL.md", unsafe_path),
        ]
    );
    assert_eq!(catalog.log, [format!("Skipping skill discovery path '/skills/linked/SKILL.md': {unsafe_path}")]);
}

#[test]
fn extensions_decide_what_is_a_resource_and_what_a_script() {
    let files = ["a/SKILL.md", "a/x.RB", "a/x.md", "a/.rb", "a/end.", "a/plain"];
    let text = manifest("a");
    let found = disk(&files.map(|file| (file, text.as_str())));
    let settings = AgentFrameworkOptions {
        allowed_resource_extensions: Some(vec![".MD".into()]),
        allowed_script_extensions: Some(vec![".rb".into(), ".md".into()]),
        ..AgentFrameworkOptions::default()
    };
    let catalog = select(&found, settings, Vec::new());
    let listed = |files: &[crate::CatalogFile]| files.iter().map(|f| f.name.clone()).collect::<Vec<_>>();
    assert_eq!(listed(&catalog.skills[0].resources), ["x.md"], "SKILL.md is never a resource");
    assert_eq!(listed(&catalog.skills[0].scripts), ["SKILL.md", "x.RB", "x.md", ".rb"], "but may be a script");
}

#[test]
fn refuses_to_start_with_a_wrong_option_or_an_impossible_skill() {
    let found = disk(&[("a/SKILL.md", &manifest("a"))]);
    let base = AgentFrameworkOptions::default;
    let extension =
        AgentFrameworkOptions { allowed_script_extensions: Some(vec![".py".into(), "sh".into()]), ..base() };
    let template = AgentFrameworkOptions { skills_instruction_prompt: Some("none".into()), ..base() };
    let long = format!("---\nname: a\ndescription: b\ncompatibility: {}\n---\n", "c".repeat(501));
    let refusals = [
        select(&found, extension, Vec::new()),
        select(&found, template, Vec::new()),
        select(&found, base(), vec![inline("No")]),
        select(&found, base(), vec![InlineSkill { instructions: " ".into(), ..inline("b") }]),
        select(&disk(&[("a/SKILL.md", &long)]), base(), Vec::new()),
    ];
    let messages: Vec<_> = refusals.iter().map(|catalog| catalog.refused.as_deref().unwrap_or("none")).collect();
    insta::assert_snapshot!(messages.join("\n"), @r"
    Each extension must start with '.'. Invalid value: 'sh'
    The custom prompt template must contain the '{skills}' placeholder for the generated skills list.
    Skill name must use only lowercase letters, numbers, and hyphens, and must not start or end with a hyphen or contain consecutive hyphens.
    Argument is whitespace (Parameter 'instructions')
    Skill compatibility must be 500 characters or fewer.
    ");
    for catalog in &refusals {
        assert_eq!(AgentFramework.present(catalog, &Session::default()).tools, Vec::new(), "nothing is offered");
    }
}

#[test]
fn an_inline_skill_is_xml() {
    let mut skill = inline("fake-skill");
    let bare = select(&SkillSet::default(), AgentFrameworkOptions::default(), vec![skill.clone()]);
    insta::assert_snapshot!(bare.skills[0].content, @r"
    <name>fake-skill</name>
    <description>Written &lt;in&gt; the project</description>

    <instructions>
    Say &quot;hi&quot; &amp; stop.
    </instructions>

    <available_resources />

    <available_scripts />
    ");

    skill.resources.push(InlineResource {
        name: "a&b".into(),
        description: Some("x".into()),
        body: InlineResourceBody::Value("Text".into()),
    });
    skill.scripts.push(script("canned", InlineScriptBody::Result("Done".into())));
    skill.scripts.push(script("file", InlineScriptBody::File("/project/tools/sum.js".into())));
    let full = select(&SkillSet::default(), AgentFrameworkOptions::default(), vec![skill]);
    insta::assert_snapshot!(full.skills[0].content, @r#"
    <name>fake-skill</name>
    <description>Written &lt;in&gt; the project</description>

    <instructions>
    Say &quot;hi&quot; &amp; stop.
    </instructions>

    <available_resources>
      <resource name="a&amp;b"/>
    </available_resources>

    <available_scripts>
      <script name="canned"/>
      <script name="file"/>
    </available_scripts>
    "#);
}

#[test]
fn an_unreadable_manifest_ends_loading() {
    let mut found = disk(&[("a/SKILL.md", &manifest("a"))]);
    let Entry::Folder(folder) = &mut found.roots[0].tree.entries[0] else { unreachable!("it holds one folder") };
    let Entry::File(file) = &mut folder.entries[0] else { unreachable!("it holds one file") };
    file.source = None;
    let path = Utf8PathBuf::from("/skills/a/SKILL.md");
    assert_eq!(
        select(&found, AgentFrameworkOptions::default(), Vec::new()).refused,
        Some(format!("Access to the path '{path}' is denied."))
    );
}

#[test]
fn a_filter_goes_by_names_and_fields_and_a_source_may_keep_duplicates() {
    let licensed = |name: &str, license: &str| {
        manifest(name).replace("\n---\nBody", &format!("\nlicense: {license}\nmetadata:\n  team: docs\n---\nBody"))
    };
    let found = disk(&[
        ("unit-a/SKILL.md", &licensed("unit-a", "MIT")),
        ("unit-b/SKILL.md", &licensed("unit-b", "GPL-3.0")),
        ("other/SKILL.md", &licensed("other", "MIT")),
    ]);
    let filtered = |filter: serde_json::Value| {
        let filter = serde_json::from_value(filter).unwrap();
        let settings = AgentFrameworkOptions { filter: Some(filter), ..AgentFrameworkOptions::default() };
        let names: Vec<String> =
            select(&found, settings, Vec::new()).skills.into_iter().map(|skill| skill.name).collect();
        names
    };
    assert_eq!(filtered(json!(["unit-*"])), ["unit-a", "unit-b"]);
    assert_eq!(filtered(json!([{"license": "MIT", "metadata.team": "d*"}])), ["unit-a", "other"]);
    assert_eq!(filtered(json!([{"license": "MIT", "name": "unit-?"}, "other"])), ["unit-a", "other"]);

    let ids = |catalog: &Catalog| catalog.skills.iter().map(|skill| skill.id.clone()).collect::<Vec<_>>();
    let twice = || vec![inline("unit-a")];
    let settings = AgentFrameworkOptions { deduplicate: false, ..AgentFrameworkOptions::default() };
    assert_eq!(names(&select(&found, settings, twice())), ["unit-a", "unit-b", "other", "unit-a"]);
    let settings = AgentFrameworkOptions { deduplicate: false, ..AgentFrameworkOptions::default() };
    assert_eq!(
        ids(&select(&found, settings, twice())),
        ["unit-a", "unit-b", "other", "unit-a#2"],
        "two skills, two ids"
    );
    assert_eq!(select(&found, AgentFrameworkOptions::default(), twice()).skills.len(), 3);
}
