//! What is behind an error of the HTTP library.

use std::error::Error;
use std::io;

use wording::{Message, message};

/// The innermost reason, as the outer ones only name the request again. What the system reports is said in each
/// language; the rest is quoted.
pub fn cause(error: &reqwest::Error) -> Message {
    let mut reported = causes(error).filter_map(|cause| cause.downcast_ref::<io::Error>()).map(of_connection);
    if let Some(why) = reported.find(|why| why.en != why.zh) {
        return why;
    }
    // The system gives no kind for a name that is not found.
    if causes(error).any(|cause| cause.to_string() == "dns error") {
        return message!("its address was not found", "找不到它的地址");
    }
    Message::quoted(causes(error).last().map_or_else(|| error.to_string(), ToString::to_string))
}

/// What the system reports of a connection.
fn of_connection(error: &io::Error) -> Message {
    match error.kind() {
        io::ErrorKind::BrokenPipe => message!("the connection was closed", "连接已断开"),
        _ => wording::why(error),
    }
}

/// The error and what caused it, the outermost first.
pub fn causes<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(Some(error), |&error| {
        // `source` of an I/O error leaves out the error that it holds.
        match error.downcast_ref::<io::Error>().and_then(io::Error::get_ref) {
            Some(held) => Some(held),
            None => error.source(),
        }
    })
}
