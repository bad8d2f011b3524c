//! A key that is typed in the window: it goes to the keyring of a session of its own, from there to the server, and nowhere else.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use needed::require_or_skip;
use serde_json::json;
use thirtyfour::prelude::*;
use wiremock::{Mock, MockServer, ResponseTemplate, matchers};

use super::models::{fill, open_models, write_models};
use super::{Desk, access};
use crate::window::Window;

const KEY: &str = "canary-31f0c7a8be";

/// A D-Bus session with an open gnome-keyring; it ends with this value.
struct Session {
    program: Child,
    address: String,
}

impl Session {
    /// `None` where this machine has no such programs.
    fn begin(home: &Path) -> Option<Self> {
        for program in ["dbus-run-session", "gnome-keyring-daemon"] {
            let is_here = Command::new(program).arg("--version").output().is_ok();
            let missing = format!("{program} is not here; `cargo xtask setup` installs it on Debian and Ubuntu");
            require_or_skip(is_here.then_some(()).ok_or(missing))?;
        }
        let unlock = "printf password | gnome-keyring-daemon --unlock --components=secrets >/dev/null &&
            echo \"$DBUS_SESSION_BUS_ADDRESS\" && cat";
        fs::create_dir_all(home).unwrap();
        let mut program = Command::new("dbus-run-session")
            .args(["--", "sh", "-c", unlock])
            .envs(["HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR"].map(|variable| (variable, home)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // What D-Bus misses on this machine.
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut address = String::new();
        BufReader::new(program.stdout.take().unwrap()).read_line(&mut address).unwrap();
        assert!(address.starts_with("unix:"), "the keyring was not unlocked: {address}");
        Some(Self { program, address: address.trim_end().to_owned() })
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // Its shell reads until then.
        drop(self.program.stdin.take());
        // How it ended says nothing.
        let _ = self.program.wait();
    }
}

/// Whether any file below a folder has the key in it.
fn is_written(folder: &Path) -> bool {
    fs::read_dir(folder).unwrap().any(|entry| {
        let path = entry.unwrap().path();
        // The database of runs has files that come and go.
        let holds = |bytes: Vec<u8>| bytes.windows(KEY.len()).any(|window| window == KEY.as_bytes());
        if path.is_dir() { is_written(&path) } else { fs::read(&path).is_ok_and(holds) }
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_is_typed_goes_to_the_keyring_and_from_there_to_the_server() -> WebDriverResult<()> {
    let desk = Desk::new();
    let Some(session) = Session::begin(&desk.folder.path().join("session")) else { return Ok(()) };
    let server = MockServer::start().await;
    let refusal = json!({"error": {"message": "No model today", "code": "no_model"}});
    Mock::given(matchers::header("authorization", format!("Bearer {KEY}")))
        .respond_with(ResponseTemplate::new(400).set_body_json(refusal))
        .mount(&server)
        .await;
    let models = format!(
        "models:\n- id: own\n  provider: openAi\n  baseUrl: {}/v1\n  model: m\n  key: {{ keyring: own-key }}\n",
        server.uri()
    );
    write_models(&desk, &models);
    let variables = [("DBUS_SESSION_BUS_ADDRESS", session.address.as_str())];
    let window = Window::open_with(&desk.home(), &desk.skills(), &variables).await?;
    open_models(&window).await?;
    window.click("[data-testid=model-row][data-model=own]").await?;
    window.see("[data-testid=key-state][data-state=missing]").await?;
    fill(&window, "[data-testid=key-secret]", KEY).await?;
    access::check_looks(&window, ".dialog", "a key for the keyring").await?;
    window.click("[data-testid=key-set]:enabled").await?;
    window.see("[data-testid=key-state][data-state=set]").await?;
    let is_empty = "return document.querySelector('[data-testid=key-secret]').value === '';";
    window.see_so("the field forgets the key", is_empty).await?;
    assert!(!window.driver.source().await?.contains(KEY));
    window.close().await?;

    // The next start finds it, and the server gets it.
    let window = Window::open_with(&desk.home(), &desk.skills(), &variables).await?;
    window.click("[data-testid=rail-run]").await?;
    window.see("[data-testid=run-model]").await?.find(By::Css("option[value=own]")).await?.click().await?;
    window.click("[data-testid=run-button]:enabled").await?;
    window.see_text("[data-testid=run-failed]", "answered 400: No model today").await?;
    assert!(!is_written(&desk.home()));
    open_models(&window).await?;
    window.click("[data-testid=model-row][data-model=own]").await?;
    window.click("[data-testid=key-delete]").await?;
    window.see("[data-testid=key-state][data-state=missing]").await?;
    assert_eq!(fs::read_to_string(desk.home().join("config/models.yaml")).unwrap(), models);
    window.close().await
}
