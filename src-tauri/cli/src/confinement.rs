//! What confines what runs, in words.

use trace::{Enforcement, Measure};

use crate::print::{GREEN, RED, line, styled};

/// What confined what ran, in a few words.
pub fn mark(enforcement: &Enforcement) -> String {
    let by = enforcement.interpreter.as_ref().map(|path| format!(", by {}", line(path.as_str()))).unwrap_or_default();
    match enforcement.layer {
        Some(layer) => styled(GREEN, format!("{}{by}", layer.wording().en)),
        None => styled(RED, format!("without a sandbox{by}")),
    }
}

/// What will confine what runs, in whole sentences.
pub fn sentence(enforcement: &Enforcement) -> String {
    let reason = enforcement.reason.as_ref().map(|reason| format!(": {}", line(&reason.en))).unwrap_or_default();
    let names = |measures: &[Measure]| {
        let names: Vec<_> = measures.iter().map(|measure| measure.wording().en).collect();
        names.join(", ")
    };
    match enforcement.layer {
        None => format!("Nothing confines it: it runs with your rights{reason}."),
        Some(layer) if enforcement.missing.is_empty() => format!(
            "It runs {}: it sees the system's programs, the skills and the run's folder, writes to that folder alone, and \
             has no network.",
            layer.wording().en
        ),
        Some(layer) => {
            format!("It runs {}, without: {}{reason}.", layer.wording().en, names(&enforcement.missing))
        }
    }
}

#[cfg(test)]
mod tests {
    use trace::Layer;
    use wording::message;

    use super::*;

    #[test]
    fn says_plainly_where_nothing_confines() {
        let none = Enforcement::none(message!("bwrap is not installed", "未安装 bwrap"), Some("/usr/bin/sh".into()));
        assert_eq!(sentence(&none), "Nothing confines it: it runs with your rights: bwrap is not installed.");
        let held = Enforcement::full(Layer::Bubblewrap, None);
        assert!(sentence(&held).starts_with("It runs in a sandbox (bubblewrap): it sees"), "{}", sentence(&held));
        let less = held.without(&[Measure::Memory], message!("the kernel is old", "内核太旧"));
        assert_eq!(sentence(&less), "It runs in a sandbox (bubblewrap), without: memory limit: the kernel is old.");
    }
}
