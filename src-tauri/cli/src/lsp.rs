//! `lsp`: the rules in any editor, over the Language Server Protocol on standard input and output. Nothing but the
//! protocol goes to standard output; complaints go to standard error and into the editor's log.

mod actions;
mod check;
mod complete;
mod documents;
mod ignore;
mod leads;
mod outline;
mod pages;
mod place;
mod positions;
mod server;
#[cfg(test)]
mod tests;
mod wire;

use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use api::{ApiError, Code, Places};
use clap::Args;
use lsp_server::Connection;

use crate::{Outcome, print};
use server::{End, Options};
use wording::message;

/// Long enough for a word, short enough not to be waited for.
const DEBOUNCE: Duration = Duration::from_millis(150);

#[derive(Args)]
pub struct LspArgs {
    /// Use standard input and output; always on, many editors pass it
    #[arg(long = "stdio")]
    _stdio: bool,
}

pub async fn lsp(_: LspArgs) -> Result<Outcome, ApiError> {
    let (server, client) = Connection::memory();
    let Connection { sender, receiver } = client;
    let output = Arc::new(Mutex::new(io::stdout()));
    let written_to = output.clone();
    let writer = std::thread::spawn(move || wire::write_to(&written_to, receiver));
    std::thread::spawn(move || {
        let hear = |message| sender.send(message).is_ok();
        if let Err(error) = wire::read_from(io::stdin().lock(), hear, &output) {
            print::note(&words!(
                "skillbench lsp: cannot read from the editor: {error}",
                "skillbench lsp：无法从编辑器读取：{error}"
            ));
        }
    });
    let end = server::serve(server, Options { places: Places::standard(None), debounce: DEBOUNCE }).await;
    // All that was said is heard before the program ends.
    let written = tokio::task::spawn_blocking(move || writer.join()).await;
    match (end, written) {
        (End::Agreed, Ok(Ok(Ok(())))) => Ok(Outcome::Good),
        (End::Agreed, _) => Err(ApiError::new(
            Code::Io,
            message!("the editor closed the connection without `exit`", "编辑器未发送 `exit` 就关闭了连接"),
        )),
        (End::Abrupt, _) => Ok(Outcome::Bad),
    }
}
