//! The real window, driven through WebKit's own WebDriver.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::json;
use thirtyfour::error::WebDriverErrorInner;
use thirtyfour::prelude::*;

/// How long something may take to appear on a slow machine.
const PATIENCE: Duration = Duration::from_secs(20);
const POLL: Duration = Duration::from_millis(50);

/// A running app with its own home folder.
pub struct Window {
    pub driver: WebDriver,
    /// WebKit's driver, which started the app.
    pub server: Server,
}

impl Window {
    /// Starts the app on `skills` with everything it keeps inside `home`, and waits for its page.
    pub async fn open(home: &Path, skills: &Path) -> WebDriverResult<Self> {
        let window = Self::begin(home, skills).await?;
        window.see("[data-testid=rail-skills]").await?;
        Ok(window)
    }

    /// The same with further environment variables.
    pub async fn open_with(home: &Path, skills: &Path, variables: &[(&str, &str)]) -> WebDriverResult<Self> {
        let window = Self::begin_with(home, skills, variables).await?;
        window.see("[data-testid=rail-skills]").await?;
        Ok(window)
    }

    /// The same without waiting.
    pub async fn begin(home: &Path, skills: &Path) -> WebDriverResult<Self> {
        Self::begin_with(home, skills, &[]).await
    }

    /// The same with further environment variables.
    pub async fn begin_with(home: &Path, skills: &Path, variables: &[(&str, &str)]) -> WebDriverResult<Self> {
        let app = std::env::var("SKILL_WORKBENCH_APP").expect("run the desktop tests with `cargo xtask test`");
        // WebDriver's client is built with the core's choice of TLS, which the core installs with its own client.
        drop(model::http::Http::new());
        let port = free_port();
        let server = Command::new("WebKitWebDriver")
            .arg(format!("--port={port}"))
            .env("TAURI_AUTOMATION", "true")
            .env("TAURI_WEBVIEW_AUTOMATION", "true")
            .env("SKILL_WORKBENCH_HOME", home)
            .env("NO_AT_BRIDGE", "1")
            .envs(variables.iter().copied())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("WebKitWebDriver is installed by `cargo xtask setup`");
        let server = Server(server);
        let mut capabilities = Capabilities::new();
        let options = json!({ "binary": app, "args": [skills.to_str().expect("a UTF-8 path")] });
        capabilities.set("webkitgtk:browserOptions", options)?;
        let address = format!("http://127.0.0.1:{port}");
        let driver = connect(&address, capabilities).await?;
        Ok(Self { driver, server })
    }

    /// Waits until an element is there and shown.
    pub async fn see(&self, css: &str) -> WebDriverResult<WebElement> {
        self.patiently(css, async || {
            for element in self.driver.find_all(By::Css(css)).await? {
                if element.is_displayed().await? {
                    return Ok(Some(element));
                }
            }
            Ok(None)
        })
        .await
    }

    /// Whether an element is there and shown now.
    pub async fn shows(&self, css: &str) -> WebDriverResult<bool> {
        for element in self.driver.find_all(By::Css(css)).await? {
            if element.is_displayed().await? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Waits until an element holds this text.
    pub async fn see_text(&self, css: &str, text: &str) -> WebDriverResult<WebElement> {
        self.patiently(&format!("{css} with the text {text:?}"), async || self.holding(css, text).await).await
    }

    /// Waits until these elements, and no others like them, hold exactly these texts.
    pub async fn see_texts(&self, css: &str, wanted: &[&str]) -> WebDriverResult<()> {
        let deadline = tokio::time::Instant::now() + PATIENCE;
        loop {
            let found = match self.driver.execute(TEXTS, vec![json!(css)]).await {
                Err(error) if passes(&error) => Vec::new(),
                found => named(&format!("a look for the texts of {css}"), found)?.convert::<Vec<String>>()?,
            };
            if found == wanted {
                return Ok(());
            }
            if tokio::time::Instant::now() >= deadline {
                assert_eq!(found, wanted, "waited in vain for the texts of {css}");
            }
            tokio::time::sleep(POLL).await;
        }
    }

    /// Waits until a script of the page says that something is so.
    pub async fn see_so(&self, what: &str, script: &str) -> WebDriverResult<()> {
        self.patiently(what, async || {
            Ok(self.driver.execute(script, Vec::new()).await?.convert::<bool>()?.then_some(()))
        })
        .await
    }

    /// Waits until a script finds nothing that is wrong.
    pub async fn see_nothing(&self, what: &str, script: &str) -> WebDriverResult<()> {
        let deadline = tokio::time::Instant::now() + PATIENCE;
        loop {
            let found: Vec<String> = self.driver.execute(script, Vec::new()).await?.convert()?;
            if found.is_empty() {
                return Ok(());
            }
            assert!(tokio::time::Instant::now() < deadline, "{what}: {found:?}");
            tokio::time::sleep(POLL).await;
        }
    }

    /// Waits until exactly this text is selected in the page.
    pub async fn see_selected(&self, wanted: &str) -> WebDriverResult<()> {
        self.patiently(&format!("{wanted:?} to be selected"), async || {
            let found = self.driver.execute("return getSelection().toString();", Vec::new()).await?;
            Ok((found.convert::<String>()? == wanted).then_some(()))
        })
        .await
    }

    /// Waits until an element is gone.
    pub async fn see_no(&self, css: &str) -> WebDriverResult<()> {
        self.patiently(&format!("the end of {css}"), async || {
            Ok(self.driver.find_all(By::Css(css)).await?.is_empty().then_some(()))
        })
        .await
    }

    pub async fn click(&self, css: &str) -> WebDriverResult<()> {
        self.clicked(css, async || Ok(self.driver.find_all(By::Css(css)).await?.into_iter().next())).await
    }

    /// Clicks the first of some elements that holds this text.
    pub async fn click_text(&self, css: &str, text: &str) -> WebDriverResult<()> {
        self.clicked(&format!("{css} with the text {text:?}"), async || self.holding(css, text).await).await
    }

    /// Clicks what a look finds. After an error of no known kind the click may have happened, so it is not made again.
    async fn clicked(
        &self,
        what: &str,
        look: impl AsyncFn() -> WebDriverResult<Option<WebElement>>,
    ) -> WebDriverResult<()> {
        let clicked = self.patiently(what, async || {
            let Some(element) = look().await? else { return Ok(None) };
            match element.click().await {
                Err(error) if moves(&error) => Err(error),
                clicked => Ok(Some(clicked)),
            }
        });
        named(&format!("a click on {what}"), clicked.await?)
    }

    async fn holding(&self, css: &str, text: &str) -> WebDriverResult<Option<WebElement>> {
        for element in self.driver.find_all(By::Css(css)).await? {
            // WebKit's own idea of an element's text leaves out what a flexible row cuts off.
            if element.prop("textContent").await?.unwrap_or_default().contains(text) {
                return Ok(Some(element));
            }
        }
        Ok(None)
    }

    /// Looks again and again: a page that is being redrawn takes elements away between two questions.
    async fn patiently<T>(&self, what: &str, look: impl AsyncFn() -> WebDriverResult<Option<T>>) -> WebDriverResult<T> {
        let deadline = tokio::time::Instant::now() + PATIENCE;
        loop {
            match look().await {
                Ok(Some(found)) => return Ok(found),
                Ok(None) => {}
                Err(error) if passes(&error) => {}
                Err(error) => return named(&format!("a look for {what}"), Err(error)),
            }
            assert!(tokio::time::Instant::now() < deadline, "waited in vain for {what}");
            tokio::time::sleep(POLL).await;
        }
    }

    /// Types into whatever has the focus.
    pub async fn type_text(&self, text: &str) -> WebDriverResult<()> {
        named(&format!("typing {text:?}"), self.driver.action_chain().send_keys(text).perform().await)
    }

    pub async fn type_key(&self, key: Key) -> WebDriverResult<()> {
        let typed = self.driver.action_chain().key_down(key.clone()).key_up(key.clone()).perform().await;
        named(&format!("the key {key:?}"), typed)
    }

    /// A key with another held down.
    pub async fn chord(&self, held: Key, key: impl Into<char>) -> WebDriverResult<()> {
        self.chord_of(&[held], key).await
    }

    /// A key with others held down.
    pub async fn chord_of(&self, held: &[Key], key: impl Into<char>) -> WebDriverResult<()> {
        let key = key.into();
        let mut keys = self.driver.action_chain();
        for other in held {
            keys = keys.key_down(other.clone());
        }
        keys = keys.key_down(key).key_up(key);
        for other in held.iter().rev() {
            keys = keys.key_up(other.clone());
        }
        named(&format!("the keys {held:?} and {key:?}"), keys.perform().await)
    }

    /// Waits for something outside the window.
    pub async fn wait_for(&self, is_so: impl Fn() -> bool) {
        let deadline = tokio::time::Instant::now() + PATIENCE;
        while !is_so() {
            assert!(tokio::time::Instant::now() < deadline, "it did not come about");
            tokio::time::sleep(POLL).await;
        }
    }

    /// Saves a picture of the window in `SKILLBENCH_PICTURES`, if that is set.
    pub async fn picture(&self, name: &str) -> WebDriverResult<()> {
        let Some(folder) = std::env::var_os("SKILLBENCH_PICTURES") else { return Ok(()) };
        self.driver.execute_async(AT_REST, Vec::new()).await?;
        self.driver.screenshot(&PathBuf::from(folder).join(format!("{name}.png"))).await
    }

    /// Closes the window as its close button does not: at once, without a question about unsaved text.
    pub async fn close(self) -> WebDriverResult<()> {
        let closed = self.driver.quit().await;
        drop(self.server);
        closed
    }

    /// Ends the app without giving it a moment, as a machine that goes off does.
    pub fn kill(self) {
        let driver = self.server.0.id().to_string();
        let killed = Command::new("pkill").args(["-KILL", "-P", &driver]).status().expect("pkill is installed");
        assert!(killed.success(), "the app is a child of its driver");
    }
}

/// The driver's process, which ends with this value, and the app with it.
pub struct Server(pub Child);

impl Drop for Server {
    fn drop(&mut self) {
        if self.0.kill().is_ok() {
            // It was killed; how it ended says nothing.
            let _ = self.0.wait();
        }
    }
}

/// As they are in the page: WebKit's own idea of an element's text leaves out what a flexible row cuts off.
const TEXTS: &str = "return [...document.querySelectorAll(arguments[0])].map((found) => found.textContent.trim());";

/// Transitions are over, and the last change is painted. Endless animations are ignored.
const AT_REST: &str = "const done = arguments[0];
    const moves = document.getAnimations().filter((each) => Number.isFinite(each.effect?.getComputedTiming().endTime));
    Promise.allSettled(moves.map((each) => each.finished)).then(() =>
        requestAnimationFrame(() => requestAnimationFrame(() => done())));";

/// Whether an error may be gone at the next look. The driver now and then has an error without a name or a word.
fn passes(error: &WebDriverError) -> bool {
    moves(error) || matches!(error.as_inner(), WebDriverErrorInner::UnknownError(_))
}

/// Whether an element is gone, or not yet where it can be used: nothing was done to it.
fn moves(error: &WebDriverError) -> bool {
    use WebDriverErrorInner as E;
    matches!(
        error.as_inner(),
        E::StaleElementReference(_)
            | E::NoSuchElement(_)
            | E::ElementNotInteractable(_)
            | E::ElementClickIntercepted(_)
    )
}

/// A result, with the name of the action added to errors: the driver's errors do not say what was tried.
fn named<T>(what: &str, came: WebDriverResult<T>) -> WebDriverResult<T> {
    if let Err(error) = &came {
        eprintln!("{what} ended in an error: {error}");
    }
    came
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
