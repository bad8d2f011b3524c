//! The window says if something is uncertain, incomplete, or not what was asked for.

use std::fs;

use serde_json::json;
use thirtyfour::prelude::*;
use wiremock::{Mock, MockServer, ResponseTemplate, matchers};

use super::pictures::{LOOKS, set};
use super::{Desk, access, ask};
use crate::window::Window;

/// An answer that just ends: no finish reason, no `[DONE]`, and the connection is closed.
fn cut(text: &str) -> ResponseTemplate {
    let piece = json!({ "choices": [{ "index": 0, "delta": { "role": "assistant", "content": text } }] });
    ResponseTemplate::new(200).set_body_raw(format!("data: {piece}\n\n"), "text/event-stream")
}

fn whole(text: &str) -> ResponseTemplate {
    let end = json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": "stop" }] });
    let piece = json!({ "choices": [{ "index": 0, "delta": { "role": "assistant", "content": text } }] });
    let text = format!("data: {piece}\n\ndata: {end}\n\ndata: [DONE]\n\n");
    ResponseTemplate::new(200).set_body_raw(text, "text/event-stream")
}

/// The run's own state, as its bar names it.
async fn see_status(window: &Window, status: &str) -> WebDriverResult<()> {
    window.see(&format!("[data-testid=run-bar][data-status={status}]")).await.map(drop)
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_just_ends_is_kept_asked_for_again_or_given_up() -> WebDriverResult<()> {
    let server = MockServer::start().await;
    let answers = [cut("Half of"), whole("All of it."), cut("Half of a second"), cut("Half of a third")];
    for answer in answers {
        Mock::given(matchers::path("/v1/chat/completions")).respond_with(answer).up_to_n_times(1).mount(&server).await;
    }
    let desk = Desk::new();
    fs::create_dir_all(desk.home().join("config")).unwrap();
    let models =
        format!("models:\n- {{ id: cuts, provider: openAi, baseUrl: \"{}/v1\", model: cuts-1 }}\n", server.uri());
    fs::write(desk.home().join("config/models.yaml"), models).unwrap();
    let window = desk.open().await?;
    window.click("[data-testid=rail-run]").await?;
    window.see("[data-testid=run-model]").await?.find(By::Css("option[value=cuts]")).await?.click().await?;

    // Asked again, the model says all of it.
    say(&window, "First").await?;
    window.see_text("[data-testid=cut-card]", "This answer may be cut off").await?;
    window.see_text("[data-testid=conversation-item]", "Half of").await?;
    see_status(&window, "running").await?;
    for (language, theme) in LOOKS {
        set(&window, "language", "lang", language).await?;
        set(&window, "theme", "data-theme", theme).await?;
        window.picture(&format!("cut-{theme}-{language}")).await?;
        access::check(&window, "[data-testid=place-run]", &format!("a cut answer, {theme}, {language}")).await?;
    }
    set(&window, "language", "lang", "en").await?;
    window.click("[data-testid=cut-ask-again]:enabled").await?;
    window.see_text("[data-testid=answer-text]", "All of it.").await?;
    see_status(&window, "done").await?;
    window.see_texts("[data-testid=answer-cut]", &["This answer may be cut off. The model was asked again."]).await?;

    // Kept, it is the answer, and is still said to be half of one.
    say(&window, "Second").await?;
    window.see_text("[data-testid=conversation-item]", "Half of a second").await?;
    window.click("[data-testid=cut-keep]:enabled").await?;
    see_status(&window, "done").await?;
    window.see_texts("[data-testid=answer-cut]", &["This answer may be cut off. You kept it."]).await?;

    // After stopping, the run has no answer.
    say(&window, "Third").await?;
    window.see_text("[data-testid=conversation-item]", "Half of a third").await?;
    window.click("[data-testid=cut-end]:enabled").await?;
    see_status(&window, "failed").await?;
    window.see_text("[data-testid=run-failed]", "may be cut off, and it was not kept").await?;
    assert_eq!(server.received_requests().await.unwrap().len(), 4, "one for each answer");
    window.close().await
}

async fn say(window: &Window, prompt: &str) -> WebDriverResult<()> {
    window.click("[data-testid=prompt-box]").await?;
    window.chord(Key::Control, 'a').await?;
    window.type_text(prompt).await?;
    window.chord(Key::Control, Key::Enter).await?;
    window.see_text("[data-testid=conversation-item] .said", prompt).await.map(drop)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_list_of_runs_says_which_calls_went_another_way() -> WebDriverResult<()> {
    let desk = Desk::new();
    let window = desk.open().await?;
    ask(&window).await?;
    window.see("[data-testid=approve-once]:enabled").await?;
    window.click("[data-testid=approve-deny]").await?;
    see_status(&window, "done").await?;

    ask(&window).await?;
    window.see("[data-testid=approve-once]:enabled").await?;
    window.click("[data-testid=approve-stub]").await?;
    window.click("[data-testid=approval-stub-text]").await?;
    window.type_text("2 pounds").await?;
    window.click("[data-testid=approve-stub-send]").await?;
    see_status(&window, "done").await?;

    ask(&window).await?;
    window.see("[data-testid=approve-once]:enabled").await?;
    window.click("[data-testid=approval-arguments]").await?;
    window.chord(Key::Control, 'a').await?;
    let call = r#"{"skillName": "unit-converter", "scriptName": "scripts/convert.py", "arguments": {"value": 2, "factor": 3}}"#;
    window.type_text(call).await?;
    window.see("[data-testid=approval-outlook][data-stale=false]").await?;
    window.click("[data-testid=approve-once]:enabled").await?;
    see_status(&window, "done").await?;

    window.click("[data-testid=rail-traces]").await?;
    for (language, theme) in LOOKS {
        set(&window, "language", "lang", language).await?;
        set(&window, "theme", "data-theme", theme).await?;
        window.picture(&format!("departures-{theme}-{language}")).await?;
        access::check(&window, "[data-testid=place-traces]", &format!("the list of runs, {theme}, {language}")).await?;
    }
    // The newest is on top; the bundled run went as it was asked to.
    let chips = "return [...document.querySelectorAll('[data-testid=run-row]')].map((row) =>
        [...row.querySelectorAll('[data-testid=departure]')].map((chip) => chip.dataset.departure).join());";
    let found: Vec<String> = window.driver.execute(chips, Vec::new()).await?.convert()?;
    assert_eq!(found, ["edited", "stubbed", "denied", ""]);
    window.close().await
}

/// Holds the steps that the page asks the program for from now on, as a busy machine does, and lets them go.
const HOLD: &str = r#"
    const [command] = arguments;
    const fetched = window.fetch;
    const gate = new Promise((open) => (window.letGo = open));
    window.held = [];
    window.fetch = async (address, ...rest) => {
        if (String(address?.url ?? address).endsWith(command)) {
            window.held.push(Number(/"step":(\d+)/.exec(rest[0].body)[1]));
            await gate;
        }
        return fetched(address, ...rest);
    };"#;

#[tokio::test(flavor = "multi_thread")]
async fn a_context_that_waits_is_dimmed_and_steps_passed_by_are_never_asked_for() -> WebDriverResult<()> {
    let desk = Desk::new();
    let window = desk.open().await?;
    window.click("[data-testid=rail-traces]").await?;
    window.click("[data-testid=open-sample]").await?;
    window.see("[data-testid=context-pane][data-step='0'][data-stale=false]").await?;
    window.driver.execute(HOLD, vec![json!("step_context")]).await?;
    for _ in 0..5 {
        window.type_key(Key::Right).await?;
    }
    window.see_text("[data-testid=step-position]", "6 of").await?;
    window.see("[data-testid=context-pane][data-stale=true][aria-busy=true]").await?;
    window.see("[data-testid=context-stale]").await?;
    window.see_no("[data-testid=context-exact]").await?;
    let dimmed =
        "return Number(getComputedStyle(document.querySelector('[data-testid=context-pane] .scroll')).opacity) < 0.8;";
    window.see_so("it is dimmed", dimmed).await?;
    for (language, theme) in LOOKS {
        set(&window, "language", "lang", language).await?;
        set(&window, "theme", "data-theme", theme).await?;
        window.picture(&format!("stale-{theme}-{language}")).await?;
    }
    let held = async || window.driver.execute("return window.held;", Vec::new()).await?.convert::<Vec<usize>>();
    let first = held().await?;
    assert!(matches!(first[..], [1 | 2]), "one at a time, the next one or the one after it: {first:?}");
    window.driver.execute("window.letGo();", Vec::new()).await?;
    window.see("[data-testid=context-pane][data-step='5'][data-stale=false]").await?;
    window.see("[data-testid=context-exact]").await?;
    let all = held().await?;
    assert_eq!(all[1], 5, "then the one that was come to: {all:?}");
    assert!(!all.contains(&3), "one that was passed by was asked for: {all:?}");
    window.close().await
}
