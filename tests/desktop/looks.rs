//! Parts that need a file or a server of somebody else to be seen, in all themes and both languages.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::json;
use thirtyfour::prelude::*;
use wiremock::{Mock, MockServer, ResponseTemplate, matchers};

use super::pictures::{LOOKS, set};
use super::{Desk, access};

#[tokio::test(flavor = "multi_thread")]
async fn the_lane_of_a_sub_agent_in_an_imported_run() -> WebDriverResult<()> {
    let desk = Desk::new();
    let app = std::env::var("SKILL_WORKBENCH_APP").unwrap();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/foreign/claude-code.jsonl");
    let imported = Command::new(Path::new(&app).with_file_name("skillbench"))
        .args(["trace", "import"])
        .arg(file)
        .env("SKILL_WORKBENCH_HOME", desk.home())
        .output()
        .unwrap();
    assert!(imported.status.success(), "{}", String::from_utf8_lossy(&imported.stderr));
    let window = desk.open().await?;
    window.click("[data-testid=rail-traces]").await?;
    window.see("[data-testid=run-row]").await?;
    let rows = window.driver.find_all(By::Css("[data-testid=run-row]")).await?;
    assert_eq!(rows.len(), 2, "the bundled run and the one that was imported");
    window.click_text("[data-testid=run-row] .open", "Claude Code").await?;
    window.see("[data-testid=agent-lane]").await?;
    for (language, theme) in LOOKS {
        set(&window, "language", "lang", language).await?;
        set(&window, "theme", "data-theme", theme).await?;
        window.picture(&format!("lanes-{theme}-{language}")).await?;
        access::check(&window, "body", &format!("lanes, {theme}, {language}")).await?;
    }
    // By the lane to where the sub-agent begins, and by its context back to the call.
    window.click("[data-testid=agent-lane]").await?;
    window.see("[data-testid=agent-lane][aria-current=true], [data-testid=agent-lane][aria-pressed=true]").await?;
    window.picture("lane-entered").await?;
    window.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_provider_counts() -> WebDriverResult<()> {
    let server = MockServer::start().await;
    Mock::given(matchers::path("/v1/messages/count_tokens"))
        .respond_with(ResponseTemplate::new(200).set_body_json(json!({ "input_tokens": 1234 })))
        .mount(&server)
        .await;
    let desk = Desk::new();
    fs::create_dir_all(desk.home().join("config")).unwrap();
    let model = format!(
        "models:\n- {{ id: counts, provider: anthropic, baseUrl: \"{}/v1\", model: claude-1, maxTokens: 100 }}\n",
        server.uri()
    );
    fs::write(desk.home().join("config/models.yaml"), model).unwrap();
    let window = desk.open().await?;
    window.click("[data-testid=rail-inspect]").await?;
    window.see("[data-testid=provider-count]").await?;
    window.picture("count-before").await?;
    window.click("[data-testid=count]").await?;
    window.see_text("[data-testid=provider-count]", "1,234").await?;
    for (language, theme) in LOOKS {
        set(&window, "language", "lang", language).await?;
        set(&window, "theme", "data-theme", theme).await?;
        window.picture(&format!("count-{theme}-{language}")).await?;
        access::check(&window, "body", &format!("a provider's count, {theme}, {language}")).await?;
    }
    window.close().await
}
