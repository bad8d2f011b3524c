//! What Inspect shows, whole and in the pieces that the window asks for, and what it is counted with.

use api::Code;
use api::dto::{
    FilesChanged, InspectArgs, InspectSkillArgs, InspectedRequest, InspectedSkill, Inspection, NoArgs, Push,
    SettingsArgs, SkillArgs,
};
use model::tokens::Tokenizer;

use crate::examples::{Bench, skills};

/// One that sends messages of its own before the first request, and one that does not.
const HARNESSES: [&str; 2] = ["agent-framework", "codex"];

fn of(harness: &str) -> InspectArgs {
    InspectArgs {
        roots: None,
        harness: harness.into(),
        variant: None,
        prompt: Some("How many pounds is 1 kilogram?".into()),
        cwd: None,
        neutral_paths: None,
        unsaved: Vec::new(),
        without: Vec::new(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_pieces_that_the_window_asks_for_are_those_of_the_whole() {
    let bench = Bench::on(&skills()).await.bench;
    for harness in HARNESSES {
        let whole = bench.inspect(of(harness)).await.unwrap();
        assert!(!whole.skills.is_empty(), "{harness}");
        let listed = |skill: &InspectedSkill| InspectedSkill {
            description: String::new(),
            content: String::new(),
            resources: Vec::new(),
            scripts: Vec::new(),
            kept: serde_json::Map::new(),
            ..skill.clone()
        };
        let skills = whole.skills.iter().map(listed).collect();
        let expected = Inspection { skills, request: String::new(), curl: String::new(), ..whole.clone() };
        assert_eq!(bench.inspect_listed(of(harness)).await.unwrap(), expected, "{harness}");

        for skill in &whole.skills {
            let args = InspectSkillArgs { of: of(harness), skill: skill.id.clone() };
            assert_eq!(bench.inspect_skill(args).await.unwrap(), *skill, "{harness}");
        }
        let request = InspectedRequest { body: whole.request, curl: whole.curl };
        assert!(request.body.contains("How many pounds"), "{harness}");
        assert_eq!(bench.inspect_request(of(harness)).await.unwrap(), request, "{harness}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_skill_that_is_gone_is_an_error_that_says_so() {
    let bench = Bench::on(&skills()).await.bench;
    let args = InspectSkillArgs { of: of("eino"), skill: "no-such-skill".into() };
    let error = bench.inspect_skill(args).await.unwrap_err();
    assert_eq!((error.code, error.message.as_str()), (Code::NotFound, "there is no skill `no-such-skill`"));
}

#[tokio::test(flavor = "multi_thread")]
async fn another_tokenizer_counts_all_listings_again_and_is_named() {
    let Bench { bench, pushes, home } = Bench::on(&skills()).await;
    let detail = async || {
        let id = skills().join("unit-converter").into_string();
        bench.skill_get(SkillArgs { id }).await.unwrap()
    };
    let text = std::fs::read_to_string(skills().join("unit-converter/SKILL.md")).unwrap();
    let settings = bench.bench_state(NoArgs {}).await.unwrap().settings;
    for tokenizer in [Tokenizer::Cl100kBase, Tokenizer::O200kBase] {
        let settings = api::dto::Settings { tokenizer, ..settings.clone() };
        bench.settings_set(SettingsArgs { settings }).await.unwrap();
        assert_eq!(pushes.try_recv(), Ok(Push::FilesChanged(FilesChanged { paths: Vec::new() })));
        assert_eq!(detail().await.tokens.instructions, tokenizer.count(&text), "{tokenizer:?}");
        let shown = bench.inspect_listed(of("agent-framework")).await.unwrap();
        let said = shown.instructions.unwrap().text;
        assert_eq!((shown.tokens.tokenizer, shown.tokens.instructions), (tokenizer, tokenizer.count(&said)));
    }
    // Other settings change no count.
    let settings = api::dto::Settings { zoom: 150, ..settings };
    bench.settings_set(SettingsArgs { settings }).await.unwrap();
    assert!(pushes.try_recv().is_err());
    bench.count_with(Tokenizer::Cl100kBase);
    assert_eq!(detail().await.tokens.instructions, Tokenizer::Cl100kBase.count(&text), "whatever the settings say");
    drop(home);
}
