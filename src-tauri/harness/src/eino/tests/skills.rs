//! What loads, how it is shown, and what the skill tool does.

use std::collections::BTreeSet;

use super::*;

fn quirks(catalog: &Catalog) -> Vec<(QuirkKind, Option<&str>, &str)> {
    catalog.quirks.iter().map(|quirk| (quirk.kind, quirk.skill.as_deref(), quirk.detail.as_str())).collect()
}

fn load(catalog: &Catalog, session: &mut Session, name: &str) -> Served {
    Eino.serve(&call("skill", &json!({"skill": name})), catalog, session)
}

fn skipped(catalog: &Catalog) -> Vec<(&str, &str)> {
    catalog.skipped.iter().map(|skipped| (skipped.path.as_str(), skipped.reason.en.as_str())).collect()
}

#[test]
fn finds_skills_exactly_one_level_down_in_the_order_of_their_paths() {
    let one = manifest("one");
    let catalog = select(
        &[("a/SKILL.md", &one), ("a-b/SKILL.md", &one), ("SKILL.md", &one), ("c/d/SKILL.md", &one), ("e/skill.md", "")],
        |_| {},
    );
    let paths: Vec<_> = catalog.skills.iter().filter_map(|skill| skill.path.clone()).collect();
    assert_eq!(paths, ["/skills/a-b", "/skills/a"], "`-` sorts before `/`");
    assert_eq!(
        skipped(&catalog),
        [
            ("/skills/SKILL.md", "lies in the folder of skills itself, not in a folder below it"),
            ("/skills/c/d/SKILL.md", "lies more than one level below the folder of skills"),
            ("/skills/e/skill.md", "the file must be called SKILL.md, not skill.md"),
        ]
    );
}

#[test]
fn one_bad_skill_fails_all_and_every_bad_one_is_named() {
    let good = manifest("good");
    let catalog = select(&[("a/SKILL.md", &good), ("b/SKILL.md", "# No"), ("c/SKILL.md", "---\nname: c")], |_| {});
    let reason = "failed to parse frontmatter: file does not start with frontmatter delimiter";
    let listing = format!("failed to list skills: failed to load skill from /skills/b/SKILL.md: {reason}");
    assert_eq!(catalog.refused, Some(format!("failed to list skills: {listing}")));
    assert_eq!(catalog.skills, []);
    assert_eq!(Eino.present(&catalog, &session()), Presentation::default());
    let unclosed = "failed to parse frontmatter: frontmatter closing delimiter not found";
    assert_eq!(
        quirks(&catalog),
        [(QuirkKind::OneBadSkillFailsAll, None, reason), (QuirkKind::OneBadSkillFailsAll, None, unclosed)]
    );
    assert_eq!(
        skipped(&catalog),
        [
            ("/skills/b/SKILL.md", reason),
            ("/skills/c/SKILL.md", unclosed),
            ("/skills/a/SKILL.md", "another skill cannot be loaded, which fails the whole list"),
        ]
    );
    assert_eq!(
        error(serve(&catalog, "skill", json!({"skill": "good"}))),
        format!("failed to invoke tool[name:skill id:call_1]: failed to get skill: {listing}")
    );
}

#[test]
fn a_well_formed_skill_has_no_quirks() {
    let text = skill("name: a\ndescription: About a", "# A\n\nRun `scripts/x.py`.");
    let catalog = select(&[("a/SKILL.md", &text), ("a/scripts/x.py", ""), ("a/x.md", "")], |_| {});
    assert_eq!(catalog.quirks, []);
    let names = |files: &[crate::CatalogFile]| files.iter().map(|f| f.name.clone()).collect::<Vec<_>>();
    assert_eq!(
        (names(&catalog.skills[0].resources), names(&catalog.skills[0].scripts)),
        (vec!["x.md".to_owned()], vec!["scripts/x.py".to_owned()])
    );
}

#[test]
fn shows_where_tabs_delete_text() {
    let many = "x\ty\n".repeat(25);
    let text = skill("name: a\ndescription: d", &format!("see:\n\techo hi\n\t\ncol1\tcol2\n{many}"));
    let catalog = select(&[("a/SKILL.md", &text)], |_| {});
    let lost: Vec<&str> = catalog.quirks.iter().map(|quirk| quirk.span.unwrap()).map(|span| span.of(&text)).collect();
    assert_eq!((lost[0], lost[1], lost[2]), ("\t", "col1\t", "x\t"), "a line of blanks loses nothing");
    assert_eq!(lost.len(), 21);
    assert_eq!(catalog.quirks[20].detail, "… +7");
}

#[test]
fn shows_what_is_ignored_hidden_or_not_escaped() {
    let odd = skill("name: a\ndescription: a < b & c\ncontext: isolate\nagent: x\nmodel: m", "body\n---- not here");
    let empty = "---\nname: a\ndescription: d\n--- # end";
    let catalog = select(&[("a/SKILL.md", &odd), ("b/SKILL.md", empty)], |_| {});
    assert_eq!(
        quirks(&catalog),
        [
            (QuirkKind::NotEscaped, Some("a"), "a < b & c"),
            (QuirkKind::ValueIgnored, Some("a"), "isolate"),
            (QuirkKind::ValueIgnored, Some("a"), "x"),
            (QuirkKind::ValueIgnored, Some("a"), "m"),
            (QuirkKind::CutAtDashes, Some("a#2"), "--- # end"),
            (QuirkKind::HiddenByDuplicate, Some("a#2"), "/skills/a/SKILL.md"),
        ]
    );
    let places: Vec<&str> = catalog.quirks[..4].iter().map(|quirk| quirk.span.unwrap().of(&odd)).collect();
    assert_eq!(places, ["a < b & c", "isolate", "x", "m"]);
    let got = text(load(&catalog, &mut session(), "a"));
    assert_eq!(got, "Launching skill: a\nBase directory for this skill: /skills/a\n\nbody\n---- not here");
}

#[test]
fn a_long_file_is_cut_where_the_backend_stops_reading() {
    let text = skill("name: a\ndescription: d", "one\ntwo\nthree");
    let limited = |limit| select(&[("a/SKILL.md", &text)], |options| options.read_limit = limit);
    let catalog = limited(Some(5));
    assert_eq!(super::Detail::of(&catalog.skills[0]).unwrap().body, "one");
    assert_eq!(quirks(&catalog), [(QuirkKind::CutWhenLong, Some("a"), "5")]);
    assert_eq!(catalog.quirks[0].span.unwrap().of(&text), "two\nthree\n");
    assert!(limited(Some(3)).refused.is_some_and(|error| error.ends_with("closing delimiter not found")));
    assert_eq!(super::Detail::of(&limited(None).skills[0]).unwrap().body, "one\ntwo\nthree");
    assert_eq!(limited(None).quirks, []);
}

#[test]
fn names_files_that_the_model_cannot_reach() {
    let one = manifest("a");
    let files = [("a/SKILL.md", one.as_str()), ("a/x.md", ""), ("a/x.py", ""), ("a/out.md", "->../../x")];
    let without = |filesystem, shell| {
        select(&files, |options| {
            options.filesystem = filesystem;
            options.shell = shell;
        })
    };
    let leaves = (QuirkKind::LinkLeavesSkill, Some("a"), "../../x");
    assert_eq!(quirks(&without(true, true)), [leaves]);
    assert_eq!(quirks(&without(true, false)), [(QuirkKind::ScriptsCannotRun, Some("a"), "x.py"), leaves]);
    let lost = |name| (QuirkKind::FileNotOffered, Some("a"), name);
    assert_eq!(quirks(&without(false, false)), [lost("x.md"), lost("x.py"), leaves, lost("out.md")]);
}

#[test]
fn marks_where_each_byte_of_the_list_comes_from() {
    let text = skill("name: a\ndescription: <b>", "x");
    let catalog = select(&[("a/SKILL.md", &text)], |_| {});
    let shown = Eino.present(&catalog, &session());
    let tool = shown.tools.last().unwrap();
    let described = &tool.definition.description;
    assert!(
        described.ends_with("<name>\na\n</name>\n<description>\n<b>\n</description>\n</skill>\n</available_skills>\n")
    );
    let of_skill: Vec<_> = tool.marks.iter().filter(|mark| mark.origin != Origin::Framework).collect();
    let field = |field: &str| Origin::Skill { skill: "a".into(), field: field.into() };
    assert_eq!(
        of_skill.iter().map(|mark| mark.origin.clone()).collect::<Vec<_>>(),
        [field("name"), field("description")]
    );
    assert_eq!(of_skill.iter().map(|mark| mark.span.of(described)).collect::<Vec<_>>(), ["a", "<b>"]);
    assert_eq!(tool.marks.last().map(|mark| mark.span.end), Some(described.len()));
}

#[test]
fn the_tool_may_have_another_name_prompt_and_description() {
    let one = manifest("a");
    let catalog = select(&[("a/SKILL.md", &one)], |options| {
        options.skill_tool_name = Some("use".into());
        options.custom_system_prompt = Some("Call {tool_name}.".into());
        options.custom_tool_description = Some("Skills:{skills}End".into());
        options.filesystem = false;
        options.shell = false;
    });
    let agent = Session { agent_instructions: Some("Hi.".into()), ..session() };
    let shown = Eino.present(&catalog, &agent);
    assert_eq!(shown.instructions.unwrap().text, "Hi.\nCall use.");
    let [PresentedTool { definition: ToolDef { name, description, .. }, .. }] = &shown.tools[..] else { panic!() };
    assert_eq!(name, "use");
    assert!(description.starts_with("Skills:\n<available_skills>\n<skill>\n") && description.ends_with(">\nEnd"));
    assert!(text(serve(&catalog, "use", json!({"skill": "a"}))).starts_with("Launching skill: a\n"));
    assert_eq!(error(serve(&catalog, "skill", json!({"skill": "a"}))), "tool skill not found in toolsNode indexes");
}

#[test]
fn prompt_and_tool_may_be_in_two_languages() {
    let catalog = select(&[], |options| options.use_chinese = true);
    let shown = Eino.present(&catalog, &session());
    assert!(shown.instructions.unwrap().text.contains("# Skill 系统"));
    assert!(shown.tools.last().unwrap().definition.description.starts_with("Execute a skill"));
    let chinese = select(&[], |options| options.language = EinoLanguage::Zh);
    let tools = Eino.present(&chinese, &session()).definitions();
    assert!(tools.last().unwrap().description.contains("仅使用 Skill 名称调用此工具"));
    assert!(tools[0].description.starts_with("列出文件系统中的所有文件"));
}

#[test]
fn an_inline_skill_switches_the_model_for_all_later_requests() {
    let (a, b) = (skill("name: a\nmodel: small", "x"), manifest("b"));
    let files = [("a/SKILL.md", a.as_str()), ("b/SKILL.md", b.as_str())];
    let with_hub = |name: &str| {
        select(&files, |options| options.models = Some([(name.to_owned(), "rehearsal".to_owned())].into()))
    };
    let mut run = session();
    let catalog = with_hub("small");
    load(&catalog, &mut run, "a");
    load(&catalog, &mut run, "b");
    assert_eq!((run.model.as_deref(), run.activated.clone()), (Some("rehearsal"), vec!["a".into(), "b".into()]));

    let mut run = session();
    let catalog = with_hub("other");
    assert_eq!(quirks(&catalog), [(QuirkKind::HubEntryMissing, Some("a"), "small")]);
    assert!(text(load(&catalog, &mut run, "a")).starts_with("Launching"));
    assert_eq!(
        Eino.before_request(&mut Vec::new(), None, &catalog, &mut run),
        Prepared::Abort("failed to get model 'small' from ModelHub: model not found: small".into())
    );

    let mut run = session();
    let catalog = select(&files, |_| {});
    load(&catalog, &mut run, "a");
    assert_eq!(run.model, None);
    assert_eq!(Eino.before_request(&mut Vec::new(), None, &catalog, &mut run), Prepared::Send);
}

fn forking(set: impl FnOnce(&mut EinoOptions)) -> Catalog {
    let fork = skill("name: f\ncontext: fork\nmodel: small\nagent: helper", "Do it.");
    let with_context = skill("name: c\ncontext: fork_with_context", "Do it.");
    select(&[("f/SKILL.md", &fork), ("c/SKILL.md", &with_context)], set)
}

fn hub(options: &mut EinoOptions) {
    let helper = EinoAgent {
        instructions: Some("You help.".into()),
        model: Some("big".into()),
        tools: EinoAgentTools::Filesystem,
    };
    let default = EinoAgent { model: Some("big".into()), ..EinoAgent::default() };
    options.agents = Some([("helper".to_owned(), helper), ("default".to_owned(), default)].into());
    options.models = Some(["small", "big"].map(|name| (name.to_owned(), format!("id-of-{name}"))).into());
}

#[test]
fn a_forked_skill_is_delegated() {
    let catalog = forking(hub);
    let delegated = |name: &str| match load(&catalog, &mut session(), name) {
        Served::Perform(Effect::Delegate(delegation)) => delegation,
        other => panic!("{other:?}"),
    };
    let launched =
        |name: &str| format!("Launching skill: {name}\nBase directory for this skill: /skills/{name}\n\nDo it.");
    let fork = delegated("f");
    assert_eq!(
        (fork.agent.as_deref(), fork.model.as_deref(), fork.with_history),
        (Some("helper"), Some("id-of-small"), false)
    );
    assert_eq!(fork.messages, [Message::system("You help."), Message::user(launched("f"))]);
    let tools: Vec<_> = fork.tools.iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(tools, ["ls", "read_file", "write_file", "edit_file", "glob", "grep", "execute"]);

    let forked = delegated("c");
    assert_eq!((forked.agent, forked.model.as_deref(), forked.with_history), (None, Some("id-of-big"), true));
    let result = ToolResult { call_id: "call_1".into(), text: launched("c"), wire: None, is_error: false };
    assert_eq!(forked.messages, [Message::tool_result(result)]);
    assert_eq!(forked.tools, []);
}

#[test]
fn what_a_hub_lacks_ends_the_run() {
    let says = |set: fn(&mut EinoOptions), name: &str| {
        let error = error(load(&forking(set), &mut session(), name));
        error.strip_prefix("failed to invoke tool[name:skill id:call_1]: ").unwrap().to_owned()
    };
    let agents = |options: &mut EinoOptions| options.agents = Some(BTreeMap::new());
    let both = |options: &mut EinoOptions| {
        options.agents = Some(BTreeMap::new());
        options.models = Some(BTreeMap::new());
    };
    assert_eq!(says(|_| {}, "f"), "skill 'f' requires context:fork but AgentHub is not configured");
    assert_eq!(says(|_| {}, "c"), "skill 'c' requires context:fork_with_context but AgentHub is not configured");
    assert_eq!(says(agents, "f"), "skill 'f' requires model 'small' but ModelHub is not configured");
    assert_eq!(says(both, "f"), "failed to get model 'small' from ModelHub: model not found: small");
    assert_eq!(says(agents, "c"), "failed to get agent '' from AgentHub: agent not found: default");
    let missing: Vec<_> =
        quirks(&forking(|_| {})).into_iter().map(|(kind, _, detail)| (kind, detail.to_owned())).collect();
    let lacks = |name: &str| (QuirkKind::HubEntryMissing, name.to_owned());
    assert_eq!(missing, [lacks("default"), lacks("helper"), lacks("small")]);
}

#[test]
fn the_result_is_all_that_a_sub_agent_said_and_was_told() {
    let catalog = forking(hub);
    let ended = |end| {
        let result = ToolResult { call_id: "x".into(), text: "file".into(), wire: None, is_error: false };
        let call = ToolCall::new("x", "ls", "{}");
        let messages = vec![
            Message::assistant("Looking."),
            Message::tool_calls([call]),
            Message::tool_result(result),
            Message::assistant("Done."),
        ];
        let delegated = Delegated { messages, end, memory: Default::default() };
        settle(&catalog, "skill", json!({"skill": "f"}), Performed::Delegated(delegated))
    };
    assert_eq!(
        text(ended(DelegationEnd::Done)),
        "Skill \"f\" completed (sub-agent execution).\n\nResult:\nLooking.\nfile\nDone."
    );
    let node = "failed to invoke tool[name:skill id:call_1]: failed to run agent event: ";
    assert_eq!(error(ended(DelegationEnd::Limited)), format!("{node}exceeds max iterations"));
    assert_eq!(error(ended(DelegationEnd::Failed("no".into()))), format!("{node}no"));
}

#[test]
fn a_sub_agent_has_files_but_no_skills() {
    let catalog = forking(hub);
    let mut inner = Session { delegated: true, ..session() };
    assert_eq!(load(&catalog, &mut inner, "f"), Served::Abort("tool skill not found in toolsNode indexes".into()));
    assert!(matches!(
        Eino.serve(&call("read_file", &json!({"file_path": "/x"})), &catalog, &mut inner),
        Served::Perform(Effect::ReadFile { .. })
    ));
    assert_eq!(Eino.present(&catalog, &inner), Presentation::default());
}

#[test]
fn the_user_may_say_no() {
    let catalog = forking(hub);
    let Served::Reply(reply) =
        settle(&catalog, "skill", json!({"skill": "f"}), Performed::Denied { reason: Some("later".into()) })
    else {
        panic!()
    };
    assert_eq!(reply, ToolReply::error("The user did not allow this call: later").by(ReplyAuthor::Caller));
}

proptest::proptest! {
    #[test]
    fn nothing_in_a_skill_or_a_call_panics(
        head in "(---)?[\\-\\t\\r\\n :>|&*\\[\\]{}'\"#@%a-c中\u{1}]{0,40}",
        body in "[\\-\\t\\n a中\u{feff}]{0,30}",
        arguments in "[{}\\[\\]:,\"\\\\usk1eE.\\- tnfrpath中]{0,30}",
        limit in 0..4u32,
    ) {
        let text = format!("{head}\n---\n{body}");
        let catalog = select(&[("a/SKILL.md", &text), ("b/SKILL.md", "---\nname: b\n---\n")], |options| {
            hub(options);
            options.read_limit = Some(limit);
            options.large_result_tokens = Some(1);
        });
        let of_a = |quirk: &&Quirk| quirk.path.as_ref().is_some_and(|path| path == "/skills/a/SKILL.md");
        for quirk in catalog.quirks.iter().filter(of_a) {
            proptest::prop_assert!(quirk.span.is_none_or(|span| text.get(span.start..span.end).is_some()));
        }
        Eino.present(&catalog, &session());
        for tool in ["skill", "ls", "read_file", "edit_file", "grep", "execute", "x"] {
            let call = ToolCall::new("../x", tool, arguments.clone());
            let mut run = session();
            Eino.serve(&call, &catalog, &mut run);
            Eino.disclosure(&call, &catalog);
            Eino.settle(&call, Performed::Read { bytes: text.clone().into_bytes() }, &catalog, &mut run);
            Eino.settle(&call, Performed::Wrote, &catalog, &mut run);
        }
    }
}

#[test]
fn files_in_memory_are_listed_in_an_order_of_chance_in_each_turn() {
    let names = ["a", "b", "c", "d"];
    let files: Vec<_> = names.iter().map(|name| (format!("{name}/SKILL.md"), manifest(name))).collect();
    let files: Vec<_> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let select = |map_order| {
        let mut options = Options::default();
        options.settings.eino.map_order = map_order;
        Eino.select(&disk(&files), &options)
    };
    let listed = |catalog: &Catalog, session: &Session| {
        let tools = Eino.present(catalog, session).definitions();
        let text = &tools.iter().find(|tool| tool.name == "skill").unwrap().description;
        let mut places: Vec<_> = names.iter().map(|name| (text.find(&format!("\n{name}\n")).unwrap(), *name)).collect();
        places.sort_unstable();
        places.into_iter().map(|(_, name)| name).collect::<String>()
    };
    let turns = |map_order| {
        let (catalog, mut session) = (select(map_order), Session::default());
        let mut turns = Vec::new();
        for _ in 0..60 {
            turns.push(listed(&catalog, &session));
            assert_eq!(listed(&catalog, &session), turns[turns.len() - 1], "all requests of a turn have the same");
            Eino.next_turn(&mut Vec::new(), TurnEnd::Done, &catalog, &mut session);
        }
        turns
    };
    assert_eq!(turns(None), vec!["abcd"; 60]);
    let drawn = turns(Some(1));
    assert_eq!(drawn, turns(Some(1)), "a number always draws the same");
    assert_ne!(drawn, turns(Some(2)));
    // Four files have places in one group of a map, which is walked from any place on.
    let walks = ["abcd", "bcda", "cdab", "dabc"];
    assert_eq!(drawn.iter().map(String::as_str).collect::<BTreeSet<_>>(), walks.into_iter().collect());
    let kinds = |map_order| select(map_order).quirks.iter().map(|quirk| quirk.kind).collect::<Vec<_>>();
    assert_eq!((kinds(None), kinds(Some(1))), (Vec::new(), vec![QuirkKind::OrderedByChance]));
}

#[test]
fn a_backend_of_ones_own_lists_inline_skills() {
    let inline = config::InlineSkill {
        kind: Default::default(),
        name: "poet".into(),
        description: "Writes".into(),
        instructions: "Write.".into(),
        license: None,
        compatibility: None,
        allowed_tools: None,
        metadata: [("context".to_owned(), json!("fork"))].into(),
        resources: Vec::new(),
        scripts: Vec::new(),
    };
    let select = |backend| {
        let mut options = Options { inline_skills: vec![inline.clone()], ..Options::default() };
        options.settings.eino.backend = backend;
        Eino.select(&disk(&[("a/SKILL.md", &manifest("a"))]), &options)
    };
    let memory = select(config::options::EinoBackend::Memory);
    let names: Vec<&str> = memory.skills.iter().map(|skill| skill.name.as_str()).collect();
    assert_eq!(names, ["poet"], "folders are not looked at");
    let launched = "Launching skill: poet\nBase directory for this skill: \n\nWrite.";
    assert_eq!(memory.skills[0].content, launched);
    assert_eq!(memory.skills[0].detail.kept()["context"], "fork");
    let files = select(config::options::EinoBackend::Filesystem);
    assert_eq!((files.skills[0].name.as_str(), files.skipped[0].path.as_str()), ("a", "poet"));
}
