//! What is behind an error of the HTTP library.

use std::error::Error;
use std::io;

use wording::Message;

/// The innermost reason, as the outer ones only name the request again. What the system reports is said in each
/// language; the rest is quoted.
pub fn cause(error: &reqwest::Error) -> Message {
    let en = causes(error).last().map_or_else(|| error.to_string(), ToString::to_string);
    let mut reported = causes(error).filter_map(|cause| cause.downcast_ref::<io::Error>()).map(wording::why);
    let zh = reported.find(|why| why.en != why.zh).map(|why| why.zh);
    // The system gives no kind for a name that is not found.
    let unknown = || causes(error).any(|cause| cause.to_string() == "dns error").then(|| "找不到它的地址".to_owned());
    let zh = zh.or_else(unknown).unwrap_or_else(|| en.clone());
    Message { en, zh }
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
