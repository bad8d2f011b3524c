//! The paths at which a framework sees folders.

use trace::NeutralPath;

use crate::print::{DIM, line, out, styled};

/// The paths at which a framework sees folders.
#[derive(Default)]
pub struct Look {
    pub cwd: Option<String>,
    /// `None`: as the project has it.
    pub neutral_paths: Option<bool>,
}

/// Which folders the texts show elsewhere.
pub fn places_text(places: &[NeutralPath]) {
    for NeutralPath { shown, real } in places {
        let (shown, real) = (line(shown.as_str()), line(real.as_str()));
        out(&format!("{} {shown} = {real}", styled(DIM, words!("neutral path", "中性路径"))));
    }
}
