//! What confines a process that a model caused, as it is shown before it runs and recorded when it ran.

use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wording::{Message, Wording};

/// The restrictions that apply to a script or command and all that it starts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Enforcement {
    /// `null`: it runs with the user's rights.
    pub layer: Option<Layer>,
    pub in_force: Vec<Measure>,
    pub missing: Vec<Measure>,
    /// Why something is missing.
    pub reason: Option<Reason>,
    /// The program that runs it, where that is known.
    #[ts(type = "string | null")]
    pub interpreter: Option<Utf8PathBuf>,
}

/// The kind of sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Layer {
    /// Separate namespaces, by bubblewrap, and a filter of system calls.
    Bubblewrap,
    /// Rules of the kernel for files, and a filter of system calls.
    Landlock,
    /// A profile of macOS's own sandbox.
    Seatbelt,
}

/// One thing that is kept from doing harm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Measure {
    /// It sees the system's programs, the skills and the run's folder, and writes to the latter alone.
    Files,
    /// `/tmp` is its own.
    Temporary,
    Network,
    /// It neither sees nor outlives what it did not start.
    Processes,
    /// Calls that reach keys, other processes and large parts of the kernel are refused.
    SystemCalls,
    /// Rules of the kernel for files (Landlock), inside of bubblewrap too.
    Rules,
    /// It has a short list of variables.
    Environment,
    Time,
    Processor,
    Memory,
    ProcessCount,
    FileSize,
    OpenFiles,
    /// Only so much of what it prints is kept.
    Output,
}

/// A sentence in both languages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Reason {
    pub en: String,
    pub zh: String,
}

impl From<Message> for Reason {
    fn from(Message { en, zh }: Message) -> Self {
        Self { en, zh }
    }
}

impl Enforcement {
    /// Everything holds.
    pub fn full(layer: Layer, interpreter: Option<Utf8PathBuf>) -> Self {
        Self { layer: Some(layer), in_force: Measure::ALL.into(), missing: Vec::new(), reason: None, interpreter }
    }

    /// Only restrictions that need no sandbox apply.
    pub fn none(reason: Message, interpreter: Option<Utf8PathBuf>) -> Self {
        let (in_force, missing) = Measure::ALL.into_iter().partition(|measure| measure.needs_no_sandbox());
        Self { layer: None, in_force, missing, reason: Some(reason.into()), interpreter }
    }

    /// The same without some measures.
    pub fn without(mut self, measures: &[Measure], reason: Message) -> Self {
        self.in_force.retain(|measure| !measures.contains(measure));
        self.missing.extend(measures);
        self.missing.sort_unstable();
        self.reason = Some(reason.into());
        self
    }
}

impl Layer {
    /// The text for a running program.
    pub const fn wording(self) -> Wording {
        match self {
            Self::Bubblewrap => Wording::new("in a sandbox (bubblewrap)", "在沙箱中（bubblewrap）"),
            Self::Landlock => Wording::new("in a sandbox (Landlock)", "在沙箱中（Landlock）"),
            Self::Seatbelt => Wording::new("in a sandbox (Seatbelt)", "在沙箱中（Seatbelt）"),
        }
    }
}

impl Measure {
    pub const ALL: [Self; 14] = [
        Self::Files,
        Self::Temporary,
        Self::Network,
        Self::Processes,
        Self::SystemCalls,
        Self::Rules,
        Self::Environment,
        Self::Time,
        Self::Processor,
        Self::Memory,
        Self::ProcessCount,
        Self::FileSize,
        Self::OpenFiles,
        Self::Output,
    ];

    const fn needs_no_sandbox(self) -> bool {
        matches!(self, Self::Environment | Self::Time | Self::Output)
    }

    /// As an item of a list.
    pub const fn wording(self) -> Wording {
        match self {
            Self::Files => Wording::new("other files hidden", "隐藏其他文件"),
            Self::Temporary => Wording::new("a /tmp of its own", "独立的 /tmp"),
            Self::Network => Wording::new("no network", "断开网络"),
            Self::Processes => Wording::new("other processes hidden", "隔离其他进程"),
            Self::SystemCalls => Wording::new("system calls filtered", "过滤系统调用"),
            Self::Rules => Wording::new("Landlock rules", "Landlock 规则"),
            Self::Environment => Wording::new("short environment", "精简环境变量"),
            Self::Time => Wording::new("time limit", "运行时间上限"),
            Self::Processor => Wording::new("processor time limit", "处理器时间上限"),
            Self::Memory => Wording::new("memory limit", "内存上限"),
            Self::ProcessCount => Wording::new("limit of processes", "进程数上限"),
            Self::FileSize => Wording::new("file size limit", "文件大小上限"),
            Self::OpenFiles => Wording::new("limit of open files", "打开文件数上限"),
            Self::Output => Wording::new("output limit", "输出上限"),
        }
    }
}

#[cfg(test)]
mod tests {
    use wording::message;

    use super::*;

    #[test]
    fn every_measure_is_in_force_or_missing() {
        let none = Enforcement::none(message!("it is off", "已关闭"), None);
        assert_eq!(none.in_force, [Measure::Environment, Measure::Time, Measure::Output]);
        let less = Enforcement::full(Layer::Landlock, None).without(&[Measure::Temporary], message!("a", "b"));
        for enforcement in [none, less, Enforcement::full(Layer::Bubblewrap, None)] {
            let mut all = [enforcement.in_force.clone(), enforcement.missing.clone()].concat();
            all.sort_unstable();
            assert_eq!(all, Measure::ALL);
            let written = serde_json::to_string(&enforcement).unwrap();
            assert_eq!(serde_json::from_str::<Enforcement>(&written).unwrap(), enforcement);
        }
    }
}
