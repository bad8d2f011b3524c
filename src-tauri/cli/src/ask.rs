//! The approval card, on a terminal.

use std::io::{BufRead, IsTerminal, Write};

use skillbench_core::api::Workbench;
use skillbench_core::harness::Effect;
use skillbench_core::trace::{Decision, Step, StepKind};
use tokio::sync::oneshot;

use crate::Approve;
use crate::print::{BOLD, DIM, YELLOW, argument, styled};

/// What to answer a step that waits.
pub async fn decide(step: &Step, approve: Approve, bench: &Workbench) -> Decision {
    let StepKind::Tool { asked: Some(effect), .. } = &step.kind else {
        return deny("there is nothing to approve");
    };
    match approve {
        Approve::Always => allow(true),
        Approve::Never => deny("scripts are not allowed: --approve never"),
        Approve::Ask if std::io::stdin().is_terminal() => {
            let effect = effect.clone();
            let (answer, answered) = oneshot::channel();
            // A thread of its own: the runtime would wait for the line before the program could end.
            std::thread::spawn(move || answer.send(question(&effect)));
            answered.await.unwrap_or_else(|_| deny("nobody answered"))
        }
        Approve::Ask => unattended(effect, bench).await,
    }
}

/// Nobody is there to ask: the skills we ship, unchanged to the byte, may run; nothing else may.
async fn unattended(effect: &Effect, bench: &Workbench) -> Decision {
    let bundled = match effect {
        Effect::RunScript { path, .. } => bench.is_bundled_script(path).await,
        _ => false,
    };
    if bundled { allow(false) } else { deny("nobody is there to approve it; --approve always allows scripts") }
}

fn question(effect: &Effect) -> Decision {
    let mut out = anstream::stderr();
    if let Effect::RunScript { interpreter, path, arguments, working_directory, .. } = effect {
        let _ = writeln!(out, "\n{}", styled(YELLOW.bold(), "A script wants to run, without a sandbox:"));
        let arguments: Vec<String> = arguments.iter().map(|text| argument(text)).collect();
        let program = format!("{interpreter} {}", argument(path.as_str()));
        let _ = writeln!(out, "  {} {}", styled(BOLD, program), arguments.join(" "));
        if let Some(directory) = working_directory {
            let _ = writeln!(out, "  {}", styled(DIM, format!("in {directory}")));
        }
    }
    loop {
        let _ = write!(out, "[a]llow once, allow for this [r]un, [d]eny? ");
        let _ = out.flush();
        let mut line = String::new();
        match std::io::stdin().lock().read_line(&mut line) {
            Ok(read) if read > 0 => {}
            _ => return deny("nobody answered"),
        }
        match line.trim().to_ascii_lowercase().as_str() {
            "a" | "y" | "yes" => return allow(false),
            "r" => return allow(true),
            "d" | "n" | "no" => return Decision::Deny { reason: None },
            _ => {}
        }
    }
}

fn allow(for_run: bool) -> Decision {
    Decision::Allow { arguments: None, for_run }
}

fn deny(reason: &str) -> Decision {
    Decision::Deny { reason: Some(reason.to_owned()) }
}
