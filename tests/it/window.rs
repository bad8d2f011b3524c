//! What the window's page may load and ask for, as the shell's own files say it.

use serde_json::Value;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

fn read(path: &str) -> String {
    std::fs::read_to_string(format!("{ROOT}/{path}")).unwrap()
}

#[test]
fn the_page_runs_and_shows_nothing_that_did_not_come_with_it() {
    let conf: Value = serde_json::from_str(&read("tauri.conf.json")).unwrap();
    let policy = conf["app"]["security"]["csp"].as_str().unwrap();
    let parts: Vec<&str> = policy.split("; ").collect();
    assert_eq!(
        parts,
        [
            "default-src 'self'",
            "style-src 'self'",
            "img-src 'self' data:",
            "font-src 'self' data:",
            "connect-src ipc: http://ipc.localhost",
            "frame-src 'self'",
            "object-src 'none'",
            "base-uri 'none'",
            "form-action 'none'"
        ]
    );
    assert_eq!(conf["app"]["security"].as_object().unwrap().len(), 1, "nothing switches the policy off");
    // The shell gives each `style` of the page a nonce and lets the policy name it; the editor's own styles have that one.
    assert!(read("ui/index.html").contains("<style></style>"));
    assert!(!read("ui/src/views/editor/Preview.svelte").contains("unsafe-inline"));
}

/// Without it Landlock does not apply inside of the sandbox: the program searches for it next to itself.
#[test]
fn packages_for_linux_bring_the_program_that_puts_landlock_on() {
    let conf: Value = serde_json::from_str(&read("tauri.conf.json")).unwrap();
    for package in ["appimage", "deb", "rpm"] {
        let files = &conf["bundle"]["linux"][package]["files"];
        assert_eq!(files["/usr/bin/skillbench-confine"], "target/release/skillbench-confine", "{package}");
    }
    assert_eq!(conf["build"]["beforeBundleCommand"], "cargo build --release -p skillbench-confine");
}

#[test]
fn the_page_asks_the_shell_for_nothing_but_what_it_needs() {
    let rights: Value = serde_json::from_str(&read("src-tauri/capabilities/main.json")).unwrap();
    let expected = serde_json::json!([
        "core:event:allow-listen",
        "core:event:allow-unlisten",
        "core:window:allow-destroy",
        "core:window:allow-set-title",
        "core:webview:allow-set-webview-zoom",
        "dialog:allow-open",
        "dialog:allow-save"
    ]);
    assert_eq!((&rights["permissions"], &rights["windows"]), (&expected, &serde_json::json!(["main"])));
}
