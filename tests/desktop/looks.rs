//! Views that need other people's servers, in all themes and both languages.

use std::fs;

use serde_json::json;
use thirtyfour::prelude::*;
use wiremock::{Mock, MockServer, ResponseTemplate, matchers};

use super::pictures::{LOOKS, set};
use super::{Desk, access};

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
        "models:\n- {{ id: counts, provider: anthropic, baseUrl: \"{}/v1\", model: claude-1 }}\n",
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
