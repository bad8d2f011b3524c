//! Benchmarks against other programs.

mod engine;
mod lint;

use std::process::Command;

pub use self::engine::engine;
pub use self::lint::lint;

const PYTHON: &str = "python3";

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

/// The output of a command that must succeed.
fn output(mut command: Command) -> Result<String, String> {
    let shown = format!("{command:?}");
    let output = command.output().map_err(|error| format!("{shown} could not start: {error}"))?;
    if !output.status.success() {
        return Err(format!(
            "{shown} ended with {}: {}",
            output.status,
            String::from_utf8_lossy(&output.stderr).trim()
        ));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
