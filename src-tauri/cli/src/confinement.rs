//! Texts about the sandbox of programs.

use trace::{Enforcement, Layer, Reason};
use wording::{Message, message};

use crate::language::Chosen;
use crate::print::{GREEN, RED, line, styled};

/// A short text about the sandbox that was used.
pub fn mark(enforcement: &Enforcement) -> String {
    let by = enforcement.interpreter.as_ref().map(|path| line(path.as_str()));
    let by = by.map(|path| words!(", by {path}", "，由 {path} 运行")).unwrap_or_default();
    match enforcement.layer {
        Some(layer) => styled(GREEN, format!("{}{by}", layer.wording().chosen())),
        None => styled(RED, words!("without a sandbox{by}", "没有沙箱{by}")),
    }
}

/// Sentences about the sandbox that will be used.
pub fn sentence(enforcement: &Enforcement) -> String {
    worded(enforcement).chosen()
}

fn worded(enforcement: &Enforcement) -> Message {
    let reason = enforcement.reason.as_ref().map(|Reason { en, zh }| Message { en: line(en), zh: line(zh) });
    let reason = reason.map(|reason| message!(": {reason}", "：{reason}"; reason)).unwrap_or_default();
    let missing = enforcement.missing.iter().map(|measure| measure.wording());
    match enforcement.layer.map(Layer::wording) {
        None => message!(
            "Nothing confines it: it runs with your rights{reason}.",
            "它不受限制，以你的权限运行{reason}。";
            reason
        ),
        Some(layer) if enforcement.missing.is_empty() => message!(
            "It runs {layer}: it sees the system's programs, the skills and the run's folder, can write only to the \
             run's folder, and has no network.",
            "它{layer}运行：能看到系统程序、技能和运行的文件夹，只能写入该文件夹，没有网络。";
            layer
        ),
        Some(layer) => {
            let missing = Message {
                en: missing.clone().map(|measure| measure.en).collect::<Vec<_>>().join(", "),
                zh: missing.map(|measure| measure.zh).collect::<Vec<_>>().join("、"),
            };
            message!(
                "It runs {layer}, without: {missing}{reason}.",
                "它{layer}运行，但缺少：{missing}{reason}。";
                layer, missing, reason
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use trace::Measure;

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
