//! What Inspect shows, whole and in the pieces that the window asks for, and what it is counted with.

use api::Code;
use api::dto::{
    FilesChanged, InspectArgs, InspectSkillArgs, InspectedRequest, InspectedSent, InspectedSkill, InspectedTool,
    Inspection, InspectionList, ListedSkill, ListedTokens, ListedTool, MarkedText, NoArgs, Push, SettingsArgs,
    SkillArgs, TextMark, TextStart, TierTokens,
};
use camino::Utf8PathBuf;
use model::tokens::Tokenizer;

use crate::examples::{Bench, skills};

/// One that adds messages before the first request, and one that does not.
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
        let sum = |tokens: &TierTokens| tokens.catalogue + tokens.instructions + tokens.resources;
        let listed = |skill: &InspectedSkill| ListedSkill { id: skill.id.clone(), name: skill.name.clone() };
        let units = |text: &str| text.encode_utf16().count() as u32;
        let start = |MarkedText { text, marks }: MarkedText| TextStart { units: units(&text), text, marks };
        let tool = |tool: &InspectedTool| ListedTool {
            name: tool.name.clone(),
            description: tool.description.clone(),
            marks: tool.marks.clone(),
            units: units(&tool.description),
            parameters: tool.parameters.clone(),
            asks: tool.asks,
            compared: tool.compared,
        };
        let Inspection { instructions, tools, skills, request, curl, quirks, .. } = whole.clone();
        let tokens = ListedTokens {
            all: whole.tokens.clone(),
            tools: tools.iter().map(|tool| tool.tokens).collect(),
            skills: skills.iter().map(|skill| sum(&skill.tokens)).collect(),
        };
        let found = bench.inspect_listed(of(harness)).await.unwrap();
        let expected = InspectionList {
            harness: whole.harness.clone(),
            variant: whole.variant.clone(),
            verified: whole.verified,
            agent: whole.agent.clone(),
            instructions: instructions.clone().map(start),
            catalogue: whole.catalogue.clone(),
            tools: tools.iter().map(tool).collect(),
            groups: whole.groups.clone(),
            skills: skills.iter().map(listed).collect(),
            skipped: whole.skipped.clone(),
            log: whole.log.clone(),
            quirks: quirks.clone(),
            refused: whole.refused.clone(),
            tokens: Some(tokens.clone()),
            neutral: whole.neutral.clone(),
        };
        assert_eq!(found, expected, "{harness}");
        assert_eq!(bench.inspect_tokens(of(harness)).await.unwrap(), tokens, "{harness}");
        assert_eq!(bench.inspect_sent(of(harness)).await.unwrap(), InspectedSent { instructions, tools }, "{harness}");
        assert_eq!(bench.inspect_quirks(of(harness)).await.unwrap(), quirks, "{harness}");

        for skill in &whole.skills {
            let args = InspectSkillArgs { of: of(harness), skill: skill.id.clone() };
            assert_eq!(bench.inspect_skill(args).await.unwrap(), *skill, "{harness}");
        }
        let request = InspectedRequest { body: request, curl };
        assert!(request.body.contains("How many pounds"), "{harness}");
        assert_eq!(bench.inspect_request(of(harness)).await.unwrap(), request, "{harness}");
    }
}

/// A list of many skills holds beginnings, which end between characters and between marks of one.
#[tokio::test(flavor = "multi_thread")]
async fn the_texts_of_many_skills_are_listed_from_their_start() {
    let folder = tempfile::tempdir().unwrap();
    let root = Utf8PathBuf::try_from(folder.path().canonicalize().unwrap()).unwrap();
    for at in 0..600 {
        let about = "Reads 𝒳 and writes 表。".repeat(40);
        let skill = root.join(format!("skill-{at:03}"));
        std::fs::create_dir(&skill).unwrap();
        std::fs::write(
            skill.join("SKILL.md"),
            format!("---\nname: skill-{at:03}\ndescription: {about}\n---\nDo it.\n"),
        )
        .unwrap();
    }
    let bench = Bench::on(&root).await.bench;
    // The one has the list in its instructions, the other in the description of a tool.
    for harness in ["agent-framework", "eino"] {
        let whole = bench.inspect_sent(of(harness)).await.unwrap();
        let listed = bench.inspect_listed(of(harness)).await.unwrap();
        let mut cut = 0;
        let mut check = |start: &str, marks: &[TextMark], units: u32, text: &str, all: &[TextMark]| {
            assert_eq!(units as usize, text.encode_utf16().count());
            assert!(text.starts_with(start));
            let end = start.encode_utf16().count();
            assert!(end <= 200_000 && (units as usize <= 200_000 || end >= 199_999), "{end} of {units}");
            cut += usize::from(end < units as usize);
            let seen = all.iter().filter(|mark| (mark.from as usize) < end);
            let seen: Vec<TextMark> =
                seen.map(|mark| TextMark { to: mark.to.min(end as u32), ..mark.clone() }).collect();
            assert_eq!(marks, seen);
        };
        if let (Some(start), Some(all)) = (&listed.instructions, &whole.instructions) {
            check(&start.text, &start.marks, start.units, &all.text, &all.marks);
        }
        for (start, all) in listed.tools.iter().zip(&whole.tools) {
            check(&start.description, &start.marks, start.units, &all.description, &all.marks);
            assert_eq!(start.parameters, all.parameters);
        }
        assert_eq!(cut, 1, "{harness}");
        assert_eq!((listed.skills.len(), &listed.tokens), (600, &None), "{harness}");
        let (counted, all) =
            (bench.inspect_tokens(of(harness)).await.unwrap(), bench.inspect(of(harness)).await.unwrap());
        let sums = all.skills.iter().map(|skill| skill.tokens);
        let sums = sums.map(|tokens| tokens.catalogue + tokens.instructions + tokens.resources);
        assert_eq!((counted.all, counted.skills), (all.tokens, sums.collect::<Vec<u32>>()), "{harness}");
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
        let counted = shown.tokens.unwrap().all;
        assert_eq!((counted.tokenizer, counted.instructions), (tokenizer, tokenizer.count(&said)));
    }
    // Other settings change no count.
    let settings = api::dto::Settings { zoom: 150, ..settings };
    bench.settings_set(SettingsArgs { settings }).await.unwrap();
    assert!(pushes.try_recv().is_err());
    bench.count_with(Tokenizer::Cl100kBase);
    assert_eq!(detail().await.tokens.instructions, Tokenizer::Cl100kBase.count(&text), "whatever the settings say");
    drop(home);
}
