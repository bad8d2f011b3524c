//! The shell: a window, the commands, and the way pushes reach it. The only code that names tauri.

#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

mod commands;
#[cfg(target_os = "linux")]
mod graphics;
#[cfg(target_os = "linux")]
mod heap;

use std::process::ExitCode;

use api::{Freshness, Places, Workbench};
use camino::Utf8PathBuf;
use engine::tool::{group, signals::Asked};
use tauri::{Emitter, Manager};
use tracing_subscriber::EnvFilter;

/// Gives memory back to the system soon after it is freed: that of Linux keeps what a comparison of thousands of skills took.
#[cfg(target_os = "linux")]
#[global_allocator]
static MEMORY: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    #[cfg(target_os = "linux")]
    if let Some(code) = engine::tool::overseer::serve() {
        return code;
    }
    tracing_subscriber::fmt()
        .with_env_filter(EnvFilter::try_from_env("SKILL_WORKBENCH_LOG").unwrap_or_else(|_| EnvFilter::new("warn")))
        .with_writer(std::io::stderr)
        .init();
    #[cfg(target_os = "linux")]
    heap::keep_small();
    model::secret::close_memory();

    let app = tauri::Builder::default()
        .plugin(tauri_plugin_dialog::init())
        .invoke_handler(commands::handler())
        .setup(|app| {
            #[cfg(target_os = "linux")]
            for window in app.webview_windows().values() {
                graphics::suit(window)?;
            }
            let bundled = app.path().resource_dir().ok().and_then(|dir| Utf8PathBuf::try_from(dir.join("skills")).ok());
            let places = Places::standard(bundled);
            let window = app.handle().clone();
            let bench = tauri::async_runtime::block_on(Workbench::open(
                places,
                folders_from_arguments(),
                Freshness::Watched,
                move |push| {
                    if let Err(error) = window.emit("push", push) {
                        tracing::warn!(%error, "cannot reach the window");
                    }
                },
            ));
            app.manage(bench.clone());
            // While the page is still on its way.
            let ahead = bench.clone();
            tauri::async_runtime::spawn(async move { ahead.read_ahead().await });
            let window = app.handle().clone();
            tauri::async_runtime::spawn(async move {
                let code = Asked::listen().next().await;
                bench.close().await;
                group::kill_all();
                window.exit(code);
            });
            Ok(())
        })
        .run(tauri::generate_context!());

    match app {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("skill-workbench: cannot open the window: {error}");
            eprintln!("hint: on a machine with no display, `skillbench` does the same in the terminal");
            ExitCode::FAILURE
        }
    }
}

/// `skill-workbench FOLDER…` opens these folders.
fn folders_from_arguments() -> Vec<Utf8PathBuf> {
    std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).map(Utf8PathBuf::from).collect()
}
