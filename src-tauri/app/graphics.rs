//! How WebKit draws the window on Linux.
//!
//! WebKit composes a page with OpenGL. A machine without a graphics processor can only imitate that: the page takes some 150 MB
//! more, and a caret that blinks a tenth of a core. There the window is drawn without composing. `SKILL_WORKBENCH_COMPOSING` decides
//! otherwise: `webkit` leaves it to WebKit, `never` never composes, `machine` is what happens without it. WebKit's own variables
//! come first.

use std::fs::{self, OpenOptions};
use std::path::Path;

use tauri::WebviewWindow;
use webkit2gtk::{HardwareAccelerationPolicy, SettingsExt, WebViewExt};

const CHOICE: &str = "SKILL_WORKBENCH_COMPOSING";

/// Variables with which users already choose how WebKit draws.
const OWN: [&str; 3] =
    ["WEBKIT_DISABLE_COMPOSITING_MODE", "WEBKIT_FORCE_COMPOSITING_MODE", "WEBKIT_DISABLE_DMABUF_RENDERER"];

/// Where the kernel lists graphics devices.
const NODES: &str = "/dev/dri";

/// Of drivers that have no node there.
const OTHERS: [&str; 2] = ["/dev/nvidiactl", "/dev/dxg"];

/// Who decides whether WebKit composes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Composing {
    WebKit,
    Never,
}

/// Has the window drawn as suits the machine. Called before the page is loaded.
pub fn suit(window: &WebviewWindow) -> tauri::Result<()> {
    let variable = |name: &str| std::env::var(name).ok();
    let draws = || has_node(Path::new(NODES)) || OTHERS.iter().any(|node| opens(Path::new(node)));
    let composing = composing(variable, draws);
    tracing::info!(?composing, "how the window is drawn; {CHOICE} decides otherwise");
    match composing {
        Composing::WebKit => Ok(()),
        Composing::Never => window.with_webview(|view| {
            if let Some(settings) = view.inner().settings() {
                settings.set_hardware_acceleration_policy(HardwareAccelerationPolicy::Never);
            }
        }),
    }
}

fn composing(variable: impl Fn(&str) -> Option<String>, machine_draws: impl FnOnce() -> bool) -> Composing {
    if OWN.iter().any(|name| variable(name).is_some()) {
        return Composing::WebKit;
    }
    match variable(CHOICE).as_deref() {
        Some("webkit") => return Composing::WebKit,
        Some("never") => return Composing::Never,
        Some("machine") => {}
        // WebDriver never gets a picture of a page that is not composed.
        _ if variable("TAURI_WEBVIEW_AUTOMATION").as_deref() == Some("true") => return Composing::WebKit,
        _ => {}
    }
    if machine_draws() { Composing::WebKit } else { Composing::Never }
}

/// Whether a device in this folder draws for this user.
fn has_node(folder: &Path) -> bool {
    let Ok(nodes) = fs::read_dir(folder) else { return false };
    let is_node = |name: &std::ffi::OsStr| name.to_string_lossy().starts_with("renderD");
    nodes.flatten().any(|node| is_node(&node.file_name()) && opens(&node.path()))
}

fn opens(node: &Path) -> bool {
    OpenOptions::new().read(true).write(true).open(node).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How the window is drawn with these variables, on a machine that draws and on one that does not.
    fn with(variables: &[(&str, &str)]) -> [Composing; 2] {
        let variable = |name: &str| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_owned())
        };
        [true, false].map(|draws| composing(variable, || draws))
    }

    #[test]
    fn only_a_machine_that_cannot_draw_does_without_composing() {
        use Composing::{Never, WebKit};
        assert_eq!(with(&[]), [WebKit, Never]);
        assert_eq!(with(&[("TAURI_WEBVIEW_AUTOMATION", "true")]), [WebKit, WebKit]);
        assert_eq!(with(&[("TAURI_WEBVIEW_AUTOMATION", "true"), (CHOICE, "machine")]), [WebKit, Never]);
        assert_eq!(with(&[(CHOICE, "never")]), [Never, Never]);
        assert_eq!(with(&[(CHOICE, "webkit")]), [WebKit, WebKit]);
        assert_eq!(with(&[(CHOICE, "something else")]), [WebKit, Never]);
        for own in OWN {
            assert_eq!(with(&[(own, "1"), (CHOICE, "never")]), [WebKit, WebKit], "{own} is the user's word");
        }
    }

    #[test]
    fn a_node_counts_if_it_opens() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(!has_node(&folder.path().join("dri")), "there is none");
        fs::write(folder.path().join("card0"), "").expect("writable");
        assert!(!has_node(folder.path()), "it only shows");
        fs::create_dir(folder.path().join("renderD128")).expect("writable");
        assert!(!has_node(folder.path()), "it does not open");
        fs::write(folder.path().join("renderD129"), "").expect("writable");
        assert!(has_node(folder.path()));
    }
}
