//! The official Python packages of protocols and formats, as a check of the requests and the exports that the tests make.

use crate::bedrock;
use crate::python::Environment;
use crate::tally::Tally;
use crate::{command, target};

const REQUESTS: &str = "official SDKs accept the requests";
const EXPORTS: &str = "inspect_ai and the official SDKs accept the exports";

/// To be run after the integration tests, which leave their requests and exports below `target`.
pub fn tests(tally: &mut Tally) {
    match Environment::install("sdks", "tests/sdk/requirements.txt") {
        Ok(sdks) => {
            let mut check = command(sdks.program("python"), &["-B", "tests/sdk/accept.py"]);
            check.arg(target().join("tmp/requests"));
            tally.check(REQUESTS, check);
            bedrock::tests(&sdks, tally);
        }
        Err(reason) => tally.lacks(REQUESTS, &reason),
    }
    match Environment::install_pinned("exports", "tests/sdk/exports.txt") {
        Ok(packages) => {
            let mut check = command(packages.program("python"), &["-B", "tests/sdk/exports.py"]);
            check.arg(target().join("tmp/exports"));
            tally.check(EXPORTS, check);
        }
        Err(reason) => tally.lacks(EXPORTS, &reason),
    }
}
