//! Paths as Go and the backends take them.

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};

use crate::Session;

/// `filepath.Clean`: without `.`, `..` and doubled slashes, by the letters alone.
pub fn clean(path: &str) -> Utf8PathBuf {
    let mut out: Vec<&str> = Vec::new();
    let mut rooted = "";
    for component in Utf8Path::new(path).components() {
        match component {
            Utf8Component::Prefix(_) | Utf8Component::RootDir => rooted = "/",
            Utf8Component::CurDir => {}
            Utf8Component::ParentDir => {
                let known = out.last().is_some_and(|last| *last != "..");
                if known {
                    out.pop();
                } else if rooted.is_empty() {
                    out.push("..");
                }
            }
            Utf8Component::Normal(name) => out.push(name),
        }
    }
    let joined = format!("{rooted}{}", out.join("/"));
    if joined.is_empty() { ".".into() } else { joined.into() }
}

/// Where a tool's path leads: relative paths, and those of results that were written to a file, start at the run's
/// working directory.
pub fn locate(path: &str, session: &Session) -> Utf8PathBuf {
    let path = clean(path);
    let relative = match path.strip_prefix(OFFLOADED) {
        Ok(name) => Utf8Path::new(OFFLOADED_HERE).join(name),
        Err(_) => path,
    };
    match &session.working_directory {
        Some(folder) if relative == "." => folder.clone(),
        Some(folder) => folder.join(relative),
        None => relative,
    }
}

/// The path of the file with a large result, as the model gets it. It is in the run's working directory, not in the
/// root.
pub fn offloaded(call_id: &str) -> String {
    format!("{OFFLOADED}/{call_id}")
}

/// The path of that file on disk; an id is a single name, whatever characters it has.
pub fn offload_file(call_id: &str, session: &Session) -> Utf8PathBuf {
    let name = call_id.replace(['/', '\\'], "_");
    let name = if matches!(name.as_str(), "" | "." | "..") { "_" } else { &name };
    locate(&offloaded(name), session)
}

const OFFLOADED: &str = "/large_tool_result";
const OFFLOADED_HERE: &str = "large_tool_result";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cleans_paths_as_go_does() {
        let cleaned =
            ["/a/./b//c/", "/a/../../b", "", "a/..", "../a/../..", "./a"].map(|path| clean(path).into_string());
        assert_eq!(cleaned, ["/a/b/c", "/b", ".", ".", "../..", "a"]);
    }

    #[test]
    fn relative_paths_start_in_the_working_directory() {
        let session = Session { working_directory: Some("/work".into()), ..Session::default() };
        let located = ["a.md", "/s/../t", ".", "", "/large_tool_result/call_1"].map(|path| locate(path, &session));
        assert_eq!(located, ["/work/a.md", "/t", "/work", "/work", "/work/large_tool_result/call_1"]);
        assert_eq!(offload_file("../../x", &session), "/work/large_tool_result/.._.._x");
        assert_eq!(offload_file("..", &session), "/work/large_tool_result/_");
    }
}
