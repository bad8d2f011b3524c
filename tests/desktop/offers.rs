//! The first start: what could answer on this machine is offered by name before any model is set up.

use std::fs;
use std::net::TcpListener;

use thirtyfour::prelude::*;

use super::pictures::{LANGUAGES, set};
use super::{Desk, access};
use crate::window::Window;

const OFFER: &str = "[data-testid=model-offer]";
/// Shown nowhere.
const KEY: &str = "sk-ant-api03-not-to-be-seen";

#[tokio::test(flavor = "multi_thread")]
async fn keys_that_are_set_and_ollama_are_offered_by_name_and_taken() -> WebDriverResult<()> {
    // If something listens there already, that is offered.
    let _ollama = TcpListener::bind("127.0.0.1:11434");
    let desk = Desk::new();
    let variables = [("ANTHROPIC_API_KEY", KEY), ("OPENAI_API_KEY", "")];
    let window = Window::open_with(&desk.home(), &desk.skills(), &variables).await?;
    window.click("[data-testid=rail-run]").await?;
    let said = [
        ["ANTHROPIC_API_KEY is set: set up a model with it", "Ollama runs on this machine: set up a model with it"],
        ["ANTHROPIC_API_KEY 已设置：用它设置一个模型", "本机正在运行 Ollama：用它设置一个模型"],
    ];
    for (language, said) in LANGUAGES.into_iter().zip(said) {
        set(&window, "language", "lang", language).await?;
        window.see_text(OFFER, said[0]).await?;
        window.see_text(OFFER, said[1]).await?;
        for offer in window.driver.find_all(By::Css(OFFER)).await? {
            assert!(!offer.text().await?.contains("OPENAI_API_KEY"), "a variable that is empty is no key");
        }
    }
    access::check_looks(&window, "body", "offers").await?;
    assert!(!window.driver.source().await?.contains(KEY));

    window.click_text(OFFER, "ANTHROPIC_API_KEY").await?;
    window.see("[data-testid=model-form]").await?;
    assert!(!window.driver.source().await?.contains(KEY));
    window.click("[data-testid=model-save]").await?;
    window.see("[data-testid=model-form]:not([data-model=''])").await?;
    let written = fs::read_to_string(desk.home().join("config/models.yaml")).unwrap();
    assert!(written.contains("provider: anthropic\n") && written.contains("env: ANTHROPIC_API_KEY\n"), "{written}");
    assert!(!written.contains(KEY), "{written}");

    // A model of one's own is there, so nothing more is offered.
    window.type_key(Key::Escape).await?;
    window.see_no("[data-testid=models]").await?;
    window.see_no(OFFER).await?;
    window.close().await
}
