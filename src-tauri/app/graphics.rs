//! How WebKit draws on a machine without a graphics processor.
//!
//! It composes a page with OpenGL, which such a machine can only imitate: that takes some 150 MB more, and where anything
//! moves on a page, all of it is composed again for each frame. Without composing, the processor draws what has changed.

use std::fs;
use std::path::Path;

use tauri::WebviewWindow;
use webkit2gtk::{HardwareAccelerationPolicy, SettingsExt, WebViewExt};

/// Of drivers that have no node among those of the kernel's graphics.
const OTHERS: [&str; 2] = ["/dev/nvidiactl", "/dev/dxg"];

/// Lets the processor draw the window if nothing else can.
pub fn suit(window: &WebviewWindow) -> tauri::Result<()> {
    if draws(Path::new("/dev/dri")) || OTHERS.iter().any(|node| Path::new(node).exists()) {
        return Ok(());
    }
    window.with_webview(|view| {
        if let Some(settings) = view.inner().settings() {
            settings.set_hardware_acceleration_policy(HardwareAccelerationPolicy::Never);
        }
    })
}

/// Whether a device in this folder can draw for programs.
fn draws(folder: &Path) -> bool {
    let Ok(nodes) = fs::read_dir(folder) else { return false };
    nodes.flatten().any(|node| node.file_name().to_string_lossy().starts_with("renderD"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_draws_with_a_device_that_programs_may_use() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(!draws(&folder.path().join("dri")), "there is none");
        fs::write(folder.path().join("card0"), "").expect("writable");
        assert!(!draws(folder.path()), "it only shows");
        fs::write(folder.path().join("renderD128"), "").expect("writable");
        assert!(draws(folder.path()));
    }
}
