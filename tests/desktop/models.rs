//! Models of one's own: added, tried, and asked, at servers on this machine.

use std::fs;

use serde_json::json;
use skillbench_tests::mock;
use thirtyfour::prelude::*;
use tokio::net::TcpSocket;
use wiremock::{Mock, MockServer, ResponseTemplate, matchers};

use super::pictures::{LANGUAGES, set};
use super::{Desk, access, ask, step_through};
use crate::window::Window;

const ANSWER: &str = "[data-testid=answer-text]";

/// `models.yaml` with one model at this address.
fn models_yaml(address: &str) -> String {
    format!("models:\n- {{ id: mock, provider: openAi, baseUrl: \"{address}\", model: mock-1 }}\n")
}

pub fn write_models(desk: &Desk, text: &str) {
    fs::create_dir_all(desk.home().join("config")).unwrap();
    fs::write(desk.home().join("config/models.yaml"), text).unwrap();
}

/// Writes into a field over whatever is there.
pub async fn fill(window: &Window, css: &str, text: &str) -> WebDriverResult<()> {
    window.click(css).await?;
    window.chord(Key::Control, 'a').await?;
    window.type_text(text).await
}

pub async fn open_models(window: &Window) -> WebDriverResult<()> {
    window.click("[data-testid=rail-run]").await?;
    window.click("[data-testid=models-open]").await?;
    window.see("[data-testid=models]").await.map(drop)
}

/// Puts the scene's prompt to the model `mock`, and allows each of its calls.
async fn ask_mock(window: &Window) -> WebDriverResult<()> {
    window.click("[data-testid=rail-run]").await?;
    window.see("[data-testid=run-model]").await?.find(By::Css("option[value=mock]")).await?.click().await?;
    // The mock calls tools as this one names them.
    let variants = window.see("[data-testid=run-variant]").await?;
    variants.find(By::Css("option[value='python-1.13']")).await?.click().await?;
    fill(window, "[data-testid=prompt-box]", mock::PROMPT).await?;
    window.chord(Key::Control, Key::Enter).await?;
    for tool in ["load_skill", "read_skill_resource", "run_skill_script"] {
        window.see_text("[data-testid=approval-card]", &format!("Approve {tool}?")).await?;
        window.click("[data-testid=approve-once]:enabled").await?;
    }
    Ok(())
}

/// The checks of a test that is over, in order, each with its state.
async fn checks(window: &Window) -> WebDriverResult<Vec<(String, String)>> {
    window.see("[data-testid=trial]:not([data-verdict=''])").await?;
    let mut checks = Vec::new();
    for check in window.driver.find_all(By::Css("[data-testid=check]")).await? {
        let attribute = async |name: &str| check.attr(name).await.map(Option::unwrap_or_default);
        checks.push((attribute("data-kind").await?, attribute("data-state").await?));
    }
    Ok(checks)
}

/// All seven checks; those that are not named were left out.
fn states<const N: usize>(ended: [(&str, &str); N]) -> Vec<(String, String)> {
    let state = |kind| ended.iter().find(|(ended, _)| *ended == kind).map_or("skipped", |(_, state)| *state);
    ["reach", "tls", "key", "model", "answer", "stream", "tool"]
        .map(|kind| (kind.to_owned(), state(kind).to_owned()))
        .to_vec()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_is_added_from_a_preset_and_offered_to_runs() -> WebDriverResult<()> {
    let desk = Desk::new();
    let window = desk.open().await?;
    open_models(&window).await?;
    window.click("[data-testid=model-preset][data-preset=vllm]").await?;
    window.see("[data-testid=model-form]").await?;

    // The missing field is named, and nothing is written.
    window.click("[data-testid=model-save]").await?;
    window.see_text("[data-testid=model-form]", "Required").await?;
    assert!(!desk.home().join("config/models.yaml").exists());

    fill(&window, "[data-testid=model-id]", "mine").await?;
    fill(&window, "[data-testid=model-name]", "qwen3:8b").await?;
    fill(&window, "[data-testid=model-address]", "http://127.0.0.1:9/v1").await?;
    window.click("[data-testid=model-save]").await?;
    window.see("[data-testid=model-form][data-model=mine]").await?;
    let written = fs::read_to_string(desk.home().join("config/models.yaml")).unwrap();
    let entry = "  - id: mine\n    provider: openAi\n    baseUrl: http://127.0.0.1:9/v1\n    model: qwen3:8b\n";
    assert!(written.ends_with(&format!("models:\n{entry}")), "{written}");

    window.type_key(Key::Escape).await?;
    window.see_no("[data-testid=models]").await?;
    window.see("[data-testid=run-model]").await?.find(By::Css("option[value=mine]")).await?.click().await?;
    window.see_text("[data-testid=place-run]", "http://127.0.0.1:9/v1").await?;
    window.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn how_much_a_model_says_and_thinks_is_set_in_its_form() -> WebDriverResult<()> {
    let desk = Desk::new();
    let mine = "models:\n- id: mine\n  provider: anthropic\n  baseUrl: http://127.0.0.1:9\n  model: claude-1\n";
    write_models(&desk, mine);
    let window = desk.open().await?;
    open_models(&window).await?;
    window.click("[data-testid=model-row][data-model=mine]").await?;
    window.click("[data-testid=model-more] summary").await?;
    fill(&window, "[data-testid=model-maxTokens]", "0").await?;
    window.click("[data-testid=model-save]").await?;
    window.see("[data-testid=model-maxTokens][aria-invalid=true]").await?;
    assert_eq!(fs::read_to_string(desk.home().join("config/models.yaml")).unwrap(), mine, "nothing wrong is written");
    fill(&window, "[data-testid=model-maxTokens]", "12000").await?;
    for (field, choice) in [("effort", "high"), ("thoughts", "shown")] {
        let choice = format!("option[value='{choice}']");
        window.see(&format!("[data-testid=model-{field}]")).await?.find(By::Css(choice)).await?.click().await?;
    }
    window.click("[data-testid=model-save]:enabled").await?;
    window.see("[data-testid=model-save]:disabled").await?;
    let written = || fs::read_to_string(desk.home().join("config/models.yaml")).unwrap();
    let set_there = "  parameters:\n    maxTokens: 12000\n  reasoning:\n    effort: high\n    shown: true\n";
    // While it is being saved nothing can be saved either.
    window.wait_for(|| written() != mine).await;
    assert_eq!(written(), format!("{mine}{set_there}"));
    for language in LANGUAGES {
        window.type_key(Key::Escape).await?;
        window.see_no("[data-testid=models]").await?;
        set(&window, "language", "lang", language).await?;
        open_models(&window).await?;
        window.click("[data-testid=model-row][data-model=mine]").await?;
        window.click("[data-testid=model-more] summary").await?;
        let effort = window.see("[data-testid=model-effort]").await?;
        assert_eq!(effort.prop("value").await?.as_deref(), Some("high"));
    }
    access::check_looks(&window, "body", "the form of a model").await?;
    window.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_server_is_reported_with_a_hint() -> WebDriverResult<()> {
    // Bound and not listening: no other process gets the port, and nothing answers there.
    let silent = TcpSocket::new_v4().unwrap();
    silent.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let address = format!("http://{}/v1", silent.local_addr().unwrap());
    let desk = Desk::new();
    write_models(&desk, &models_yaml(&address));
    let window = desk.open().await?;
    open_models(&window).await?;
    window.click("[data-testid=trial-start]").await?;
    assert_eq!(checks(&window).await?, states([("reach", "failed")]));
    let failed = "[data-testid=check][data-state=failed]";
    window.see_text(failed, &format!("{address} cannot be reached")).await?;
    window.see_text(failed, "Check that the server runs").await?;
    window.see_text("[data-testid=check][data-kind=key]", "Not checked: the server was not reached").await?;
    window.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_key_is_reported_with_a_hint() -> WebDriverResult<()> {
    let server = MockServer::start().await;
    let refusal = json!({"error": {"message": "Incorrect API key provided", "code": "invalid_api_key"}});
    Mock::given(matchers::any()).respond_with(ResponseTemplate::new(401).set_body_json(refusal)).mount(&server).await;
    let desk = Desk::new();
    write_models(&desk, &models_yaml(&format!("{}/v1", server.uri())));
    let window = desk.open().await?;
    open_models(&window).await?;
    window.click("[data-testid=trial-start]").await?;
    assert_eq!(checks(&window).await?, states([("reach", "passed"), ("key", "failed")]));
    let failed = "[data-testid=check][data-state=failed]";
    window.see_text(failed, "answered 401: Incorrect API key provided").await?;
    window.see_text(failed, "Check that the key is the right one").await?;
    window.see_text(&format!("{failed} details"), "invalid_api_key").await?;

    // A run that is refused says the same.
    window.type_key(Key::Escape).await?;
    window.see_no("[data-testid=models]").await?;
    window.see("[data-testid=run-model]").await?.find(By::Css("option[value=mock]")).await?.click().await?;
    window.click("[data-testid=run-button]").await?;
    window.see_text("[data-testid=run-failed]", "answered 401: Incorrect API key provided").await?;
    window.see_text("[data-testid=run-failed]", "Check that the key is the right one").await?;
    window.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_is_seen_as_it_comes_stopped_and_stepped_through_once_it_is_whole() -> WebDriverResult<()> {
    let server = mock::serve_held().await;
    let desk = Desk::new();
    write_models(&desk, &models_yaml(&format!("http://{}/v1", server.address)));
    let window = desk.open().await?;

    ask_mock(&window).await?;
    let half = window.see_text(ANSWER, "1 kilogram is 2.20462 pounds").await?;
    assert!(!half.text().await?.contains("asked about"), "the end was not sent yet");
    window.see("[data-testid=run-bar][data-status=running]").await?;
    window.click("[data-testid=stop-button]").await?;
    window.see("[data-testid=run-bar][data-status=stopped]").await?;
    window.see_text(ANSWER, "1 kilogram is 2.20462 pounds").await?;
    window.wait_for(|| server.hung_up() == 1).await;

    ask_mock(&window).await?;
    window.see_text(ANSWER, "1 kilogram is 2.20462 pounds").await?;
    window.see("[data-testid=run-bar][data-status=running]").await?;
    server.let_go();
    window.see_text(ANSWER, mock::ANSWER).await?;
    window.see("[data-testid=run-bar][data-status=done]").await?;
    step_through(&window).await?;
    window.see_text("[data-testid=step-detail]", mock::ANSWER).await?;
    window.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_answers_the_next_one_which_ends_at_its_limit() -> WebDriverResult<()> {
    let desk = Desk::new();
    let window = desk.open().await?;
    ask(&window).await?;
    window.click("[data-testid=approve-once]:enabled").await?;
    window.see("[data-testid=run-bar][data-status=done]").await?;

    window.see("[data-testid=run-model]").await?.find(By::Css("optgroup option")).await?.click().await?;
    window.see("[data-testid=recorded-label]").await?;
    window.click("[data-testid=run-button]").await?;
    window.click("[data-testid=approve-once]:enabled").await?;
    window.see("[data-testid=run-bar][data-status=done]").await?;
    window.see_text("[data-testid=run-bar]", "recorded").await?;
    window.see_text(ANSWER, "1 kg is about").await?;

    window.click("[data-testid=run-limits] summary").await?;
    fill(&window, "[data-testid=run-limit-turns]", "2").await?;
    window.click("[data-testid=run-button]").await?;
    window.see("[data-testid=run-bar][data-status=limited]").await?;
    window.see_text("[data-testid=run-failed]", "Ended after 2 model requests, the limit of this run").await?;
    window.close().await
}
