use serde_json::json;

use super::*;
use crate::sample::manifest;
use crate::{Mark, Origin, QuirkKind};
use config::{InlineResource, InlineResourceBody, InlineScript, InlineScriptBody, InlineSkill};
use model::{Message, Role};
use skill::SkillSet;
use skill::source::Span;

const JAVA: &str = "java-2.0.3";
const PYTHON: &str = "python-2.0.11";

fn ids(catalog: &Catalog) -> Vec<&str> {
    catalog.skills.iter().map(|skill| skill.id.as_str()).collect()
}

fn quirks(catalog: &Catalog) -> Vec<(QuirkKind, Option<Span>, &str)> {
    catalog.quirks.iter().map(|quirk| (quirk.kind, quirk.span, quirk.detail.as_str())).collect()
}

fn shown(catalog: &Catalog) -> String {
    AgentScope.present(catalog, &Session::default()).instructions.map(|marked| marked.text).unwrap_or_default()
}

#[test]
fn an_id_is_the_name_and_the_source() {
    let text = manifest("b");
    let files = [("a/SKILL.md", text.as_str())];
    assert_eq!(ids(&select(&files, "seed")), ["b_custom"]);
    assert_eq!(ids(&select(&files, JAVA)), ["b_filesystem-skills"]);
    assert_eq!(ids(&with(&files, JAVA, Vec::new(), |options| options.source = Some("fs".into()))), ["b_fs"]);
    assert_eq!(ids(&with(&files, PYTHON, Vec::new(), |options| options.scan_subdir = true)), ["b"]);
}

#[test]
fn says_what_is_left_out_and_why() {
    let text = manifest("x");
    let files = [
        ("SKILL.md", text.as_str()),
        ("a/skill.md", &text),
        ("b/c/SKILL.md", &text),
        ("d/SKILL.md", "---\nname: ''\ndescription: d\n---\nx"),
        ("e/SKILL.md", "---\nname: e\ndescription: d\n---\n"),
        ("f/SKILL.md", &text),
        ("f/g/SKILL.md", &text),
        ("h/SKILL.md", &text),
    ];
    let catalog = select(&files, "seed");
    let skipped = |path: &str, reason: &str| (path.to_owned(), reason.to_owned());
    let fields = "The SKILL.md must have a YAML Front Matter including `name` and `description` fields.";
    let content = "The SKILL.md must have content except for the YAML Front Matter.";
    assert_eq!(
        catalog.skipped.iter().map(|skipped| (skipped.path.clone(), skipped.reason.en.clone())).collect::<Vec<_>>(),
        [
            skipped("/skills/SKILL.md", "lies in the folder itself; only the folders in it can be skills"),
            skipped("/skills/a/skill.md", "the file must be called SKILL.md, not skill.md"),
            skipped("/skills/b/c/SKILL.md", "lies more than one level below the folder"),
            skipped("/skills/d/SKILL.md", fields),
            skipped("/skills/e/SKILL.md", content),
            skipped("/skills/f/g/SKILL.md", "lies inside the skill /skills/f"),
            skipped("/skills/f/SKILL.md", "another skill is registered later under the same id 'x_custom'"),
        ]
    );
    assert_eq!(
        catalog.log,
        [format!("Failed to load skill 'd': {fields}"), format!("Failed to load skill 'e': {content}"),]
    );
    let numbers = |variant: &str| select(&[("d/SKILL.md", "---\nname: 123\ndescription: d\n---\nx")], variant);
    assert_eq!(ids(&numbers("seed")), ["123_custom"], "a text where nothing else is known");
    assert_eq!(numbers(JAVA).log, [format!("Failed to load skill from '/skills/d': {fields}")]);
    assert_eq!(quirks(&catalog), [(QuirkKind::HiddenByDuplicate, None, "/skills/h/SKILL.md")]);
    assert_eq!(catalog.skills[0].path.as_deref().unwrap(), "/skills/h");
}

#[test]
fn points_at_what_is_read_otherwise() {
    let of = |text: &str, variant: &str| {
        let catalog = select(&[("a/SKILL.md", text)], variant);
        catalog
            .quirks
            .into_iter()
            .map(|quirk| (quirk.kind, quirk.span.unwrap().of(text).to_owned(), quirk.detail))
            .collect::<Vec<_>>()
    };
    let found = |kind: QuirkKind, source: &str, detail: &str| vec![(kind, source.to_owned(), detail.to_owned())];
    let text = "---\nname: a\ndescription: x --- y\n---\nbody";
    assert_eq!(of(text, "seed"), found(QuirkKind::CutAtDashes, "---", "y"));
    let text = "---\nname: a\ndescription: use when: x\n---\nbody";
    assert_eq!(of(text, JAVA), found(QuirkKind::ReadDifferently, "use when: x", "use when: x"));
    let text = "---\nname: a\ndescription: b\nversion: 1.10\nplain: 1.5\n---\nbody";
    assert_eq!(of(text, JAVA), found(QuirkKind::ReadDifferently, "1.10", "1.1"));
    assert_eq!(of(text, "seed"), [], "the seed does not show it");
    let text = "---\nname: a\ndescription: 'a < b'\n---\nbody";
    assert_eq!(of(text, "seed"), found(QuirkKind::NotEscaped, "'a < b'", "a < b"));
    assert_eq!(of(text, JAVA), []);
    assert_eq!(of(&manifest("a"), "seed"), []);

    let long = format!("---\nname: a\ndescription: {}\n---\nbody", "x".repeat(16_384));
    let catalog = select(&[("a/SKILL.md", &long)], JAVA);
    assert_eq!(catalog.skills, []);
    assert_eq!(select(&[("a/SKILL.md", &long)], "seed").skills.len(), 1, "version 1.0 has no such limit");
    assert_eq!(quirks(&catalog)[0].0, QuirkKind::CutWhenLong);
}

#[test]
fn points_at_links_scripts_and_the_order() {
    let (a, b) = (manifest("a"), manifest("b"));
    let files = [
        ("x/SKILL.md", a.as_str()),
        ("x/out.txt", "->/etc/hostname"),
        ("x/in.txt", "->./SKILL.md"),
        ("x/scripts/run.py", ""),
        ("y/SKILL.md", &b),
    ];
    let catalog = select(&files, "seed");
    let kinds = quirks(&catalog);
    assert_eq!(
        kinds,
        [(QuirkKind::LinkLeavesSkill, None, "/etc/hostname"), (QuirkKind::ScriptsCannotRun, None, "scripts/run.py")]
    );
    let backed = with(&files, "seed", vec![group("a", "run", Some("scripts/run.py"))], |_| {});
    assert_eq!(quirks(&backed), [(QuirkKind::LinkLeavesSkill, None, "/etc/hostname")]);
    let names: Vec<String> = ["skill-a", "skill-b"].map(manifest).to_vec();
    let files = [("a/SKILL.md", names[0].as_str()), ("b/SKILL.md", names[1].as_str())];
    let catalog = select(&files, "seed");
    assert_eq!(quirks(&catalog), [(QuirkKind::OrderedByHash, None, "skill-b_custom, skill-a_custom")]);
}

#[test]
fn the_newest_catalogue_shows_every_field_and_whose_bytes_are_whose() {
    let text = "---\nname: a\ndescription: <b>\nbad key: [1, ~]\n---\nbody";
    let catalog = select(&[("a/SKILL.md", text)], JAVA);
    let marked = AgentScope.present(&catalog, &Session::default()).instructions.unwrap();
    let entry = "<skill>\n  <name>a</name>\n  <description>&lt;b&gt;</description>\n  <entry key=\"bad key\">\n    \
                 <item>1</item>\n  </entry>\n  <skill-id>a_filesystem-skills</skill-id>\n</skill>\n\n</available_skills>";
    assert!(marked.text.ends_with(entry), "{}", marked.text);
    let skill = |field: &str| Origin::Skill { skill: "a_filesystem-skills".into(), field: field.into() };
    let of_skill: Vec<(&str, &Origin)> = marked
        .marks
        .iter()
        .filter(|Mark { origin, .. }| matches!(origin, Origin::Skill { .. }))
        .map(|mark| (mark.span.of(&marked.text), &mark.origin))
        .collect();
    assert_eq!(
        of_skill,
        [
            ("a", &skill("name")),
            ("&lt;b&gt;", &skill("description")),
            ("bad key", &skill("bad key")),
            ("1", &skill("bad key")),
            ("a", &skill("name")),
        ]
    );
}

#[test]
fn the_newest_catalogue_is_part_of_the_system_message() {
    let text = manifest("a");
    let catalog = select(&[("a/SKILL.md", text.as_str())], JAVA);
    let session = Session { agent_instructions: Some("Be brief.".into()), ..Session::default() };
    let both = AgentScope.present(&catalog, &session).instructions.unwrap().text;
    assert_eq!(both, format!("Be brief.\n{}", shown(&catalog)));
    assert_eq!(shown(&select(&[], JAVA)), "");
}

#[test]
fn the_seeds_catalogue_comes_last_in_each_request_and_is_not_kept() {
    let text = manifest("a");
    let catalog = select(&[("a/SKILL.md", text.as_str())], "seed");
    let mut session = Session { agent_instructions: Some("Be brief.".into()), ..Session::default() };
    assert_eq!(AgentScope.present(&catalog, &session).instructions.unwrap().text, "Be brief.");
    let mut history = vec![Message::user("hello")];
    for answer in ["one", "two"] {
        AgentScope.before_request(&mut history, None, &catalog, &mut session);
        let system: Vec<usize> = (0..history.len()).filter(|at| history[*at].role == Role::System).collect();
        assert_eq!(system, [history.len() - 1]);
        assert!(history[system[0]].text().ends_with("<skill-id>a_custom</skill-id>\n</skill>\n\n</available_skills>"));
        history.push(Message::assistant(answer));
    }
    assert_eq!(history.iter().filter(|message| message.role == Role::System).count(), 1);
    assert_eq!(session.injected.len(), 1);
    let mut alone = vec![Message::user("hello")];
    AgentScope.before_request(&mut alone, None, &select(&[], "seed"), &mut Session::default());
    assert_eq!(alone, [Message::user("hello")], "without skills nothing is added");
}

#[test]
fn the_catalogue_of_version_1_0_is_markdown() {
    let text = "---\nname: data_analysis\ndescription: Use this skill when...\n---\nbody";
    let number = "---\nname: 12\ndescription: 1.50\n---\nbody";
    let colon = "---\nname: c\ndescription: a: b\n---\nbody";
    let files = [("a/SKILL.md", text), ("b/SKILL.md", number), ("c/SKILL.md", colon)];
    let catalog = select(&files, "java-1.0.5");
    let mut history = vec![Message::user("hello")];
    AgentScope.before_request(&mut history, None, &catalog, &mut Session::default());
    let head = "# Agent Skills\nAgent skills are specialized capabilities you can load on-demand to handle specific tasks. \
                Each skill below includes a brief description. When you need to use a skill:\n1. Use `skill_md_load_tool` \
                with the skillId to read its detailed SKILL.md documentation\n2. If the skill requires additional \
                resources, use `get_all_resources_path_tool` to see what's available\n3. Load specific resources with \
                `skill_resources_load_tool` as needed\n\nOnly load skill details when you actually need them for the \
                current task.\n\n## Available Skills\n";
    let entry = |id: &str, about: &str| format!("### {id}\n{about}\ncheck \"SKILL.md\" for how to use this skill\n");
    let of = |name: &str| match name {
        "12" => entry("12_custom", "1.5"),
        _ => entry("data_analysis_custom", "Use this skill when..."),
    };
    let entries: String = catalog.skills.iter().map(|skill| of(&skill.name)).collect();
    assert_eq!(history[1].text(), format!("{head}{entries}"), "numbers are names too");
    assert_eq!(catalog.skills.len(), 2);
    let skipped: Vec<&str> = catalog.skipped.iter().map(|skipped| skipped.reason.en.as_str()).collect();
    assert_eq!(skipped, ["Invalid YAML frontmatter syntax"], "lines are not read instead");
}

#[test]
fn skills_that_are_left_out_do_not_change_the_order_of_the_others() {
    let names: Vec<String> = (0..14).map(|number| format!("skill-{number}")).collect();
    let selected = |names: &[String]| {
        let files: Vec<_> = names.iter().map(|name| (format!("{name}/SKILL.md"), manifest(name))).collect();
        let files: Vec<_> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        select(&files, JAVA)
    };
    let names_of = |catalog: &Catalog| catalog.skills.iter().map(|skill| skill.name.clone()).collect::<Vec<_>>();
    let (kept, out) = names.split_at(10);
    let mut catalog = selected(&names);
    let mut filtered = names_of(&catalog);
    filtered.retain(|name| kept.contains(name));
    catalog.leave_out(out);
    assert_eq!(names_of(&catalog), names_of(&selected(kept)), "as if the others were not there");
    assert_ne!(names_of(&catalog), filtered, "the table of all fourteen has another order");
}

#[test]
fn code_execution_names_the_folders() {
    let text = manifest("a");
    let files = [("a/SKILL.md", text.as_str()), ("a/scripts/x.py", "")];
    let catalog = with(&files, JAVA, Vec::new(), |options| options.code_execution = true);
    let prompt = shown(&catalog);
    assert!(prompt.contains("  <files-root>/skills/a</files-root>\n"), "{prompt}");
    assert!(prompt.ends_with("</code_execution>\n"), "{prompt}");
    let tools = AgentScope.present(&catalog, &Session::default()).definitions();
    let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(names, ["load_skill_through_path", "execute_shell_command"]);
    assert_eq!(catalog.skills[0].scripts.len(), 1);
    let seed = with(&files, "seed", Vec::new(), |options| options.code_execution = true);
    assert_eq!(AgentScope.present(&seed, &Session::default()).tools.len(), 2, "the seed has it without the prompt");
    let first = with(&files, "java-1.0.5", Vec::new(), |options| options.code_execution = true);
    assert_eq!(AgentScope.present(&first, &Session::default()).tools.len(), 3, "version 1.0 has none");
}

#[test]
fn a_folder_that_is_not_there_refuses_to_start() {
    let found = skill::load(&["/no/such/folder".into()]);
    let options = |variant: &str| Options { variant: Some(variant.into()), ..Options::default() };
    let catalog = AgentScope.select(&found, &options(JAVA));
    assert_eq!(catalog.refused.as_deref(), Some("Base directory does not exist: /no/such/folder"));
    assert_eq!(AgentScope.present(&catalog, &Session::default()).tools, []);
    let catalog = AgentScope.select(&found, &options(PYTHON));
    assert_eq!((catalog.refused, catalog.log), (None, vec!["Skill directory /no/such/folder does not exist.".into()]));
}

#[test]
fn inline_skills_are_made_in_code() {
    let skill = InlineSkill {
        kind: Default::default(),
        name: "tone".into(),
        description: "d".into(),
        instructions: "body".into(),
        license: None,
        compatibility: None,
        allowed_tools: None,
        metadata: Default::default(),
        resources: vec![InlineResource {
            name: "a.md".into(),
            description: None,
            body: InlineResourceBody::Value("A".into()),
        }],
        scripts: vec![
            InlineScript {
                name: "x.py".into(),
                description: None,
                parameters: None,
                body: InlineScriptBody::File("/p/x.py".into()),
            },
            InlineScript {
                name: "y".into(),
                description: None,
                parameters: None,
                body: InlineScriptBody::Result("z".into()),
            },
        ],
    };
    let options = Options { inline_skills: vec![skill], ..Options::default() };
    let catalog = AgentScope.select(&SkillSet::default(), &options);
    assert_eq!(ids(&catalog), ["tone_custom"]);
    let mut names: Vec<&str> = catalog.skills[0].resources.iter().map(|file| file.name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["a.md", "x.py"]);
    assert_eq!(catalog.skipped[0].path, "inline skill 'tone', script 'y'");
    let text = reply(
        &catalog,
        &mut Session::default(),
        "load_skill_through_path",
        &json!({"skillId": "tone_custom", "path": "a.md"}),
    )
    .text;
    assert!(text.ends_with("Content:\n---\nA\n---\n"), "{text}");
}

#[test]
fn python_reads_what_pyyaml_reads() {
    let of = |text: &str| {
        let catalog = with(&[("a/SKILL.md", text)], PYTHON, Vec::new(), |options| options.scan_subdir = true);
        let skill = catalog.skills.into_iter().next();
        skill.map(|skill| (skill.name, skill.description, skill.content))
    };
    let given = |name: &str, description: &str, content: &str| Some((name.into(), description.into(), content.into()));
    assert_eq!(
        of("---\r\nname: 1.10\r\ndescription: 2024-01-02\r\n---\r\n\r\n body \r\n"),
        given("1.1", "2024-01-02", "body")
    );
    assert_eq!(
        of("---\nname: yes\ndescription: [a, it's, 1e3, ~]\n----\n"),
        given("True", "['a', \"it's\", '1e3', None]", "")
    );
    assert_eq!(of("\n\n---\nname: a\nname: b\ndescription: >\n  x\n  y\n---\nz"), given("b", "x y\n", "z"));
    assert_eq!(of("{\n\"name\": \"j\", \"description\": \"d\"\n}\nbody"), given("j", "d", "body"));
    assert_eq!(of("---\nname:\ta\ndescription:\t\tb\tc\n---\n"), given("a", "b\tc", ""));
    assert_eq!(of("---\nname: a\ndescription: \"b\u{2028}c\"\n---\n"), given("a", "b\u{2028}c", ""));
    for text in [
        "---\nname: a\ndescription: b\u{85}c\n---\n",
        "---\nname: a\ndescription: b\u{2028}c\n---\n",
        "---\nname: a\ndescription: b: c\n---\n",
        "---\nname: 0\ndescription: b\n---\n",
        "---\nname: a\ndescription: no\n---\n",
        "---\nname: a\ndescription: 2024-13-01\n---\n",
        "---\nname: a\ndescription: !x b\n---\n",
        "---\nname: a\ndescription: b\n1: c\n---\n",
        "---\nname: a\ndescription: b\ncontent: c\n---\n",
        "---\nname: a\n",
        "name: a\n",
    ] {
        assert_eq!(of(text), None, "{text:?}");
    }
}

#[test]
fn python_looks_in_the_folder_itself_unless_told_otherwise() {
    let text = manifest("a");
    let files = [("SKILL.md", text.as_str()), ("b/SKILL.md", &text)];
    let catalog = select(&files, PYTHON);
    assert_eq!(catalog.skills[0].path.as_deref().unwrap(), "/skills");
    assert_eq!(catalog.skipped[0].reason.en, "lies below the folder, which is searched only with `scanSubdir`");
    let catalog = with(&files, PYTHON, Vec::new(), |options| options.scan_subdir = true);
    assert_eq!(catalog.skills[0].path.as_deref().unwrap(), "/skills/b", "the last skill of a name wins");
    assert_eq!(catalog.log, ["Duplicate skill name 'a' found in group 'basic', overwriting it."]);
}

/// Recorded from python-frontmatter 1.3.0 with PyYAML 6.0.3 and libyaml 0.2.5: name and description as the loader takes
/// them; `None` if it skips the skill.
#[test]
fn python_reads_odd_frontmatter_as_libyaml_does() {
    let recorded: [(&str, Option<[&str; 2]>); 20] = [
        ("---\nname: a\ndescription: b\u{2028}license: x\n---\nz", Some(["a", "b"])),
        ("---\nname: 0x1F\ndescription: 010\n---\nz", Some(["31", "8"])),
        ("---\nname: 1:30\ndescription: .inf\n---\nz", Some(["90", "inf"])),
        ("---\nname: !!binary aGk=\ndescription: !!omap [a: 1]\n---\nz", Some(["b'hi'", "[('a', 1)]"])),
        ("---\nname: ! 12\ndescription: !\n---\nz", None),
        ("---\nname: !!str [a]\ndescription: b\n---\nz", None),
        ("---\nname: a\ndescription: !foo {a: b}\n---\nz", None),
        ("---\nname: &a.b c\ndescription: d\n---\nz", None),
        ("---\nname: &x [*x]\ndescription: &y {k: *y}\n---\nz", Some(["[[...]]", "{'k': {...}}"])),
        ("---\na: &x 1\nb: &x 2\nname: c\ndescription: d\n---\nz", None),
        ("---\nname: !!set {a}\ndescription: \"x\"\t# c\n---\nz", Some(["{'a'}", "x"])),
        ("---\nname: a\ndescription: [a:]\n---\nz", None),
        ("---\nname: a\ndescription: \"\\ud83d\"\n---\nz", None),
        (
            "---\nname: [2024-01-02]\ndescription: 2001-12-14 21:59:43.10 -5\n---\nz",
            Some(["[datetime.date(2024, 1, 2)]", "2001-12-14 21:59:43.100000-05:00"]),
        ),
        ("---\n\t\nname: a\ndescription: b\n---\nz", Some(["a", "b"])),
        ("{\n\"name\": NaN, \"description\": 1e5\n}\nz", Some(["nan", "100000.0"])),
        (
            "{\n\"name\": [1, null, \"a\"], \"description\": {\"k\": -Infinity}\n}\nz",
            Some(["[1, None, 'a']", "{'k': -inf}"]),
        ),
        ("{\n\"name\": 0, \"description\": \"d\"\n}\nz", None),
        ("{\n\"name\": \"a\", \"content\": \"d\"\n}\nz", None),
        ("{\nname: a\n}\nz", None),
    ];
    for (text, expected) in recorded {
        let catalog = with(&[("a/SKILL.md", text)], PYTHON, Vec::new(), |options| options.scan_subdir = true);
        let found = catalog.skills.first().map(|skill| [skill.name.as_str(), skill.description.as_str()]);
        assert_eq!(found, expected, "{text:?}");
    }
}

#[test]
fn a_value_that_holds_itself_ends_javas_stack() {
    let catalog = select(&[("a/SKILL.md", "---\nname: a\ndescription: b\nx: &x [*x]\n---\nz")], JAVA);
    assert_eq!(catalog.refused.as_deref(), Some("java.lang.StackOverflowError"));
}
