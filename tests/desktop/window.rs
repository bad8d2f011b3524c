//! The real window, driven through WebKit's own WebDriver.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::json;
use thirtyfour::extensions::query::ElementQueryOptions;
use thirtyfour::prelude::*;

/// How long something may take to appear on a slow machine.
const PATIENCE: Duration = Duration::from_secs(20);
const POLL: Duration = Duration::from_millis(50);

/// A running app with its own home folder.
pub struct Window {
    pub driver: WebDriver,
    server: Child,
}

impl Window {
    /// Starts the app on `skills` with everything it keeps inside `home`.
    pub async fn open(home: &Path, skills: &Path) -> WebDriverResult<Self> {
        let app = std::env::var("SKILL_WORKBENCH_APP").expect("run the desktop tests with `cargo xtask test`");
        let port = free_port();
        let server = Command::new("WebKitWebDriver")
            .arg(format!("--port={port}"))
            .env("TAURI_AUTOMATION", "true")
            .env("TAURI_WEBVIEW_AUTOMATION", "true")
            .env("SKILL_WORKBENCH_HOME", home)
            .env("NO_AT_BRIDGE", "1")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("WebKitWebDriver is installed by `cargo xtask setup`");
        let mut capabilities = Capabilities::new();
        capabilities.insert(
            "webkitgtk:browserOptions".to_owned(),
            json!({ "binary": app, "args": [skills.to_str().expect("a UTF-8 path")] }),
        );
        let address = format!("http://127.0.0.1:{port}");
        let driver = connect(&address, capabilities).await?;
        let window = Self { driver, server };
        window.see("[data-testid=app]").await?;
        Ok(window)
    }

    /// Waits until an element is there and shown.
    pub async fn see(&self, css: &str) -> WebDriverResult<WebElement> {
        self.driver
            .query(By::Css(css))
            .options(ElementQueryOptions::default())
            .wait(PATIENCE, POLL)
            .and_displayed()
            .desc(css)
            .first()
            .await
    }

    /// Waits until an element shows this text.
    pub async fn see_text(&self, css: &str, text: &str) -> WebDriverResult<WebElement> {
        let needle = text.to_owned();
        self.driver
            .query(By::Css(css))
            .wait(PATIENCE, POLL)
            .with_filter(move |element: WebElement| {
                let needle = needle.clone();
                async move { Ok(element.text().await.unwrap_or_default().contains(&needle)) }
            })
            .desc(&format!("{css} with the text {text:?}"))
            .first()
            .await
    }

    /// Waits until an element is gone.
    pub async fn see_no(&self, css: &str) -> WebDriverResult<()> {
        self.driver.query(By::Css(css)).wait(PATIENCE, POLL).not_exists().await?;
        Ok(())
    }

    pub async fn click(&self, css: &str) -> WebDriverResult<()> {
        self.see(css).await?.click().await
    }

    /// Types into whatever has the focus.
    pub async fn type_keys(&self, keys: impl IntoIterator<Item = char>) -> WebDriverResult<()> {
        let mut chain = self.driver.action_chain();
        for key in keys {
            chain = chain.send_keys(key.to_string());
        }
        chain.perform().await
    }

    /// Puts a picture of the window into `SKILLBENCH_PICTURES`, where that is set.
    pub async fn picture(&self, name: &str) -> WebDriverResult<()> {
        let Some(folder) = std::env::var_os("SKILLBENCH_PICTURES") else { return Ok(()) };
        self.driver.screenshot(&PathBuf::from(folder).join(format!("{name}.png"))).await
    }

    pub async fn close(mut self) -> WebDriverResult<()> {
        let closed = self.driver.clone().quit().await;
        let ended = self.server.kill().and_then(|()| self.server.wait());
        ended.expect("the driver was running");
        closed
    }
}

/// The server listens a moment after it starts.
async fn connect(address: &str, capabilities: Capabilities) -> WebDriverResult<WebDriver> {
    let deadline = tokio::time::Instant::now() + PATIENCE;
    loop {
        match WebDriver::new(address, capabilities.clone()).await {
            Err(_) if tokio::time::Instant::now() < deadline => tokio::time::sleep(POLL).await,
            other => return other,
        }
    }
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("it is bound").port()
}
