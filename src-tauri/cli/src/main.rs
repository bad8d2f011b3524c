//! `skillbench`: the workbench from a terminal. Every command is a call to the same api that the window uses.
//!
//! Exit codes: 0 all well, 1 the answer is bad news (lint errors, a failed run), 2 the command could not be carried out
//! or its answer could not be printed or kept, 3 a run ended because a model's answer may be cut off and the user did
//! not choose to keep it or to ask again, 128 and its number if a signal ended it. JSON goes to stdout with `--format
//! json`; errors and progress go to stderr.

#[macro_use]
mod language;

mod aligned;
mod approvals;
mod ask;
mod call;
mod card;
mod check;
mod choice;
mod collisions;
mod compare;
mod confinement;
mod counting;
mod cut;
mod files;
mod find;
mod fork;
mod help;
mod history;
mod home;
mod images;
mod lint;
mod lsp;
mod means;
mod models;
mod numbered;
mod package;
mod paths;
mod print;
mod push;
mod quirks;
mod rehearse;
mod replayed;
mod rescue;
mod retention;
mod review;
mod rules;
mod run;
mod search;
mod signals;
mod skills;
mod steps;
mod trace;
mod trust;
mod updates;

use std::process::ExitCode;

use api::{ApiError, Freshness, Places, Workbench, folder_at};
use camino::Utf8PathBuf;
use clap::{Args, FromArgMatches, Parser, Subcommand, ValueEnum};

use crate::counting::Counting;
use crate::language::Lang;
use crate::signals::{Manner, Signals};

#[derive(Parser)]
#[command(name = "skillbench", version, about = "See what agent frameworks show a model of your skills, and run them")]
struct Cli {
    /// The language of what is printed; without it that of LC_ALL, LC_MESSAGES or LANG
    #[arg(long, value_enum, global = true)]
    lang: Option<Lang>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// The skills that a framework loads, and why it leaves the others out
    List(ListArgs),
    /// Instructions and tools exactly as the framework sends them; several frameworks side by side
    Inspect(InspectArgs),
    /// What each framework and client shows of a skill: whether it is listed, in which words, and why
    Card(card::Args),
    /// Which skills compete for the same request, with the words that they share: exit 1 if two are nearly the same, or if
    /// a query should trigger both
    Collisions(collisions::Args),
    /// A text in all files of skills, with the places: exit 1 if it is in none
    Find(find::Args),
    /// Earlier texts of a file: those that were saved in the window, and those in git
    History(history::Args),
    /// Write a skill as one file, to share it
    Pack(package::PackArgs),
    /// Import skills from a `.skill` or `.zip` file; preview it with --look
    Unpack(package::UnpackArgs),
    /// Play tool calls from a file in one session, without a model
    Call(CallArgs),
    /// Problems of the skills on disk, and quirks of frameworks that hurt them: exit 0 if there are no errors (warnings do
    /// not count), 1 if there are
    Lint(lint::Args),
    /// The rules that `lint` applies, or one of them in full
    Rules(rules::Args),
    /// The rules in an editor, as you type: a language server on standard input and output
    Lsp(lsp::LspArgs),
    /// Run a prompt and record it as a trace. With several frameworks: rehearse one scene under each
    Run(RunArgs),
    /// Recorded runs
    #[command(subcommand)]
    Trace(TraceCommand),
    /// Folders outside of your own that projects may read
    Trust(trust::Args),
    /// Remembered approvals: what skills may always or never run
    Approvals(approvals::Args),
    /// The models that `run` can use, their settings and their keys
    Models(models::Args),
    /// The frameworks and their variants
    Harnesses(Formatted),
}

#[derive(Args, Default)]
struct Formatted {
    /// How to print the answer
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Format {
    /// For people
    #[default]
    Text,
    /// For programs
    Json,
}

/// Skills under a framework.
#[derive(Args)]
struct Shown {
    /// Folders of skills, or of one skill
    #[arg(required = true, value_name = "ROOT")]
    roots: Vec<Utf8PathBuf>,
    #[command(flatten)]
    harness: HarnessArgs,
    #[command(flatten)]
    output: Formatted,
}

#[derive(Args)]
struct HarnessArgs {
    /// Which framework's behaviour (see `skillbench harnesses`), `agent-framework@python-1.23` for one of its variants.
    /// `inspect` and `run` take several, with commas between them; `all` (or `frameworks`) is each framework in its
    /// default variant, `every` is every variant of each, `clients` is each client. Default: `harness` in
    /// workbench.yaml, else agent-framework
    #[arg(long, value_name = "HARNESS", value_delimiter = ',')]
    harness: Vec<String>,
    /// Which variant of it; defaults to the first one listed
    #[arg(long)]
    variant: Option<String>,
}

#[derive(Args)]
struct ListArgs {
    #[command(flatten)]
    shown: Shown,
    #[command(flatten)]
    counting: Counting,
}

#[derive(Args)]
struct InspectArgs {
    #[command(flatten)]
    shown: Shown,
    #[command(flatten)]
    counting: Counting,
    /// The working directory to tell the framework
    #[arg(long, value_name = "DIR")]
    cwd: Option<Utf8PathBuf>,
    /// Show skills at `/skills` and the working directory as `/workspace`, as a run with neutral paths would. Default:
    /// `neutralPaths` in workbench.yaml
    #[arg(long, value_name = "YES", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    neutral_paths: Option<bool>,
    /// Also ask the provider of this model (see `skillbench models`) how many tokens the first request has, with all that the
    /// skills hold. Sends their texts to it. Anthropic, OpenAI by Responses, and Amazon Bedrock can be asked
    #[arg(long, value_name = "MODEL")]
    count_with: Option<String>,
    /// What the user says in the request that --count-with asks about; without it a short text is sent instead
    #[arg(long, value_name = "TEXT", requires = "count_with")]
    prompt: Option<String>,
}

#[derive(Args)]
struct CallArgs {
    #[command(flatten)]
    shown: Shown,
    /// JSON: [{"name": …, "arguments": {…} or "raw string"}, …]; `-` reads standard input
    #[arg(long, value_name = "FILE")]
    calls: Utf8PathBuf,
    /// Really run scripts; without it a script counts as failed
    #[arg(long)]
    allow_scripts: bool,
}

#[derive(Args)]
struct RunArgs {
    #[command(flatten)]
    shown: Shown,
    /// Which model (see `skillbench models`); `rehearsal` needs no key and no network. `recorded:RUN` replays the
    /// answers of a recorded run. Default: `model` in workbench.yaml, else rehearsal
    #[arg(long)]
    model: Option<String>,
    /// Go on with a recorded run that has ended, under its framework and, unless you name another, with its model: its
    /// id, the beginning of it, or `last`. The limits hold for the whole run. A run that another program recorded needs
    /// --harness and --model
    #[arg(id = "goes_on", long = "continue", value_name = "RUN", conflicts_with_all = ["variant", "screenplay"])]
    goes_on: Option<String>,
    /// Start a new run that repeats a recorded one up to a step and continues differently from there: its id, the beginning
    /// of it, or `last`. Earlier steps are not repeated and cost nothing; framework and model stay unless you name others
    #[arg(long, value_name = "RUN", requires = "at", conflicts_with = "goes_on")]
    fork: Option<String>,
    /// With --fork: the step to repeat, from 1, as `trace show` numbers them. At a prompt, --prompt replaces it; at any other
    /// step, it follows the step
    #[arg(long, value_name = "STEP", requires = "fork", value_parser = clap::value_parser!(u32).range(1..))]
    at: Option<u32>,
    /// With --fork: the result of the tool call that the step is; `@FILE` reads it from a file
    #[arg(long, value_name = "TEXT", requires = "fork", conflicts_with = "prompt")]
    result: Option<String>,
    /// With --fork: the text of the model's answer that the step is; `@FILE` reads it from a file. Tools that the answer
    /// calls are called; if it calls none, it ends the turn, and --prompt is what the user says next
    #[arg(long, value_name = "TEXT", requires = "fork", conflicts_with = "result")]
    answer: Option<String>,
    /// The user's prompt; defaults to that of `--screenplay`, and to the recorded prompt with `--model recorded:RUN`
    #[arg(long)]
    prompt: Option<String>,
    /// An image that goes with the prompt: PNG, JPEG, GIF or WebP. May be given several times
    #[arg(long, value_name = "FILE", conflicts_with = "result")]
    image: Vec<Utf8PathBuf>,
    /// Screenplay for the rehearsal model; defaults to the one next to the skills with this prompt
    #[arg(long, value_name = "FILE")]
    screenplay: Option<Utf8PathBuf>,
    /// Before anything runs or is written: ask on the terminal, never allow it, or always allow it. With nobody to ask,
    /// `ask` denies it
    #[arg(long, value_enum, default_value_t)]
    approve: Approve,
    /// How scripts and commands run: in a sandbox or not at all (`require`), in a sandbox if this machine has one
    /// (`prefer`), or with your own rights (`off`); defaults to `sandbox` in workbench.yaml, else `prefer`
    #[arg(long, value_enum)]
    sandbox: Option<Sandbox>,
    /// Show skills at `/skills` and the folder of the run at `/workspace`, to the model, scripts and commands, so nothing
    /// in the run depends on this machine or names you. Scripts and commands then need bubblewrap. Default:
    /// `neutralPaths` in workbench.yaml
    #[arg(long, value_name = "YES", num_args = 0..=1, require_equals = true, default_missing_value = "true", conflicts_with = "goes_on")]
    neutral_paths: Option<bool>,
    /// Let scripts and commands use the network, for this run only; no project file can set this
    #[arg(long)]
    network: bool,
    /// Let the framework read outside of your folders, for this run only; otherwise that is refused, and a note says so. Keys
    /// and the data of programs in a home folder are refused even then. No project file can set this; a run that goes on
    /// or is forked keeps it
    #[arg(long, value_name = "YES", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    fidelity: Option<bool>,
    /// At most this many model requests
    #[arg(long, visible_alias = "max-turns", value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    turns: Option<u32>,
    /// At most this many tokens, of all requests and answers together
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_tokens_total: Option<u32>,
    /// At most this many seconds, excluding time waiting for your approval
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_seconds: Option<u32>,
    /// At most this many US dollars, by the model's `prices` in models.yaml
    #[arg(long, value_name = "DOLLARS", value_parser = amount)]
    max_cost: Option<f64>,
}

fn amount(text: &str) -> Result<f64, String> {
    let amount: Option<f64> = text.trim_start_matches('$').parse().ok();
    amount
        .filter(|amount| amount.is_finite() && *amount > 0.0)
        .ok_or_else(|| words!("expected an amount such as 0.25", "应为金额，例如 0.25"))
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Sandbox {
    Require,
    Prefer,
    Off,
}

impl From<Sandbox> for config::SandboxMode {
    fn from(chosen: Sandbox) -> Self {
        match chosen {
            Sandbox::Require => Self::Require,
            Sandbox::Prefer => Self::Prefer,
            Sandbox::Off => Self::Off,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Approve {
    #[default]
    Ask,
    Never,
    Always,
}

#[derive(Subcommand)]
enum TraceCommand {
    /// All runs, the newest first
    List {
        /// Only the runs that match; as for `search`, for example harness:eino model:NAME skill:NAME verdict:fail since:7d
        #[arg(value_name = "FILTER")]
        filters: Vec<String>,
        #[command(flatten)]
        output: Formatted,
    },
    /// Steps of all recorded runs by words and filters: exit 0 if any match, 1 if none do
    Search(search::Args),
    /// A run's steps
    Show(OneRun),
    /// One step, and the context the model had there
    Step {
        #[command(flatten)]
        run: OneRun,
        /// From 1, as `show` and the window number them
        #[arg(value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
        step: u32,
    },
    /// Two runs aligned by step
    Diff {
        #[arg(value_name = "A")]
        a: String,
        #[arg(value_name = "B")]
        b: String,
        #[command(flatten)]
        output: Formatted,
    },
    /// The runs that were forked off a run, and those that it was forked off
    Tree(OneRun),
    /// Runs of one scene side by side, step by step
    Align {
        #[arg(required = true, value_name = "RUN")]
        runs: Vec<String>,
        #[command(flatten)]
        output: Formatted,
    },
    /// The files that a run created, changed and deleted, and whether the skills are as they were
    Files {
        #[command(flatten)]
        run: OneRun,
        /// Save them below this folder; existing files are replaced only with --replace
        #[arg(long, value_name = "FOLDER")]
        save_to: Option<Utf8PathBuf>,
        /// With --save-to: replace existing files
        #[arg(long, requires = "save_to")]
        replace: bool,
    },
    /// A run's recorded calls against the skills as they are now, without a model: exit 0 if all give the same result,
    /// 1 if one gives a different result or no longer resolves. Calls that cannot be checked are listed and do not count
    Check(check::Args),
    /// A note or a bookmark on a step of a run; without a text, shows it
    Note(review::Note),
    /// Your verdict on a run; without one, shows it
    Verdict(review::Verdict),
    /// Keep a run, whatever `trace keep` says about old runs
    Pin(retention::Named),
    /// Remove the pin of a run
    Unpin(retention::Named),
    /// Delete a run, with the files that it wrote, its notes and its verdict
    Delete(retention::Delete),
    /// Which runs are kept; without options, what is set. The window removes the others when it opens
    Keep(retention::Settings),
    /// Remove the runs that are not kept, by the settings or by these options, and free their disk space
    Prune(retention::Prune),
    /// Import runs from a file: one that `export` wrote, or one that another program recorded
    Import {
        /// `-` reads standard input
        #[arg(value_name = "FILE")]
        file: Utf8PathBuf,
        /// The program or protocol that wrote the file; detected from the content by default
        #[arg(long, value_enum, value_name = "FORMAT")]
        from: Option<ImportFormat>,
    },
    /// Write a run to standard output, or to a file
    Export {
        #[arg(value_name = "RUN")]
        run: String,
        #[arg(long, value_enum, default_value_t)]
        format: ExportFormat,
        /// With --format html: what to remove; defaults to all that is found
        #[arg(long, value_enum, value_delimiter = ',', value_name = "WHAT")]
        redact: Vec<Redact>,
        /// The file to write instead; images of a screenplay become files next to it
        #[arg(long, short, value_name = "FILE")]
        output: Option<Utf8PathBuf>,
    },
    /// Send a run to a tracing back end, as OpenTelemetry spans by OTLP over HTTP
    Push(push::Args),
}

#[derive(Args)]
struct OneRun {
    /// A run's id, the beginning of one, or `last`
    #[arg(value_name = "RUN")]
    run: String,
    #[command(flatten)]
    output: Formatted,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Redact {
    /// What looks like a key
    Keys,
    /// Home folders
    Homes,
    /// Addresses of e-mail
    Emails,
    /// Nothing
    None,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ImportFormat {
    /// OpenAI chat completions: requests or messages, one a line or in a list
    OpenaiChat,
    /// OpenAI Responses: requests with their answers, or items
    OpenaiResponses,
    /// Anthropic Messages
    AnthropicMessages,
    /// A session of Claude Code (`~/.claude/projects`)
    ClaudeCode,
    /// A rollout of Codex (`~/.codex/sessions`)
    Codex,
    /// OpenTelemetry spans as JSON or protobuf, with attributes of GenAI or OpenInference
    Otlp,
    /// A log of inspect_ai, .json or .eval
    Inspect,
}

#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum ExportFormat {
    /// One event a line, as stored
    #[default]
    Jsonl,
    /// The run as a screenplay that rehearses it
    Screenplay,
    /// The conversation as a request of OpenAI chat completions, on one line
    Openai,
    /// The conversation as a request of Anthropic Messages
    Anthropic,
    /// A log of inspect_ai, as JSON
    Inspect,
    /// A document to read
    Markdown,
    /// The file that the run was imported from, line by line
    Source,
    /// A page that replays the run in any browser, without a network
    Html,
}

/// The outcome of a command.
enum Outcome {
    Good,
    /// It was carried out and the answer is bad news.
    Bad,
    /// The run ended because an answer may be cut off and was not kept.
    Cut,
    /// The run came to its end with an answer that the model was not done with.
    Premature,
}

/// As they were given. Errors quote them, so an error is one of arguments without hidden characters.
fn arguments() -> Result<Cli, clap::Error> {
    let parsed = |given: Vec<std::ffi::OsString>| {
        let matches = help::command(language::language()).try_get_matches_from(given)?;
        Cli::from_arg_matches(&matches)
    };
    parsed(std::env::args_os().collect()).map_err(|error| {
        let visible = std::env::args_os().map(|argument| print::line(&argument.to_string_lossy()).into());
        parsed(visible.collect()).err().unwrap_or(error)
    })
}

/// Takes a tenth off the time of linting many skills.
#[cfg(target_os = "linux")]
#[global_allocator]
static MEMORY: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    #[cfg(target_os = "linux")]
    if let Some(code) = engine::tool::overseer::serve() {
        return code;
    }
    work()
}

#[tokio::main]
async fn work() -> ExitCode {
    model::secret::close_memory();
    signals::take_no_full_file_for_an_end();
    let given = std::env::args_os().map(|argument| argument.to_string_lossy().into_owned());
    language::choose(language::wanted(given, |name| std::env::var(name).ok()));
    let cli = match arguments() {
        Ok(cli) => cli,
        Err(error) => return ended(Ok(print::usage(&error))),
    };
    let outcome = match cli.command.heeds() {
        Some(Manner::AtOnce) => {
            let signals = Signals::listen(Manner::AtOnce);
            tokio::select! {
                biased;
                outcome = carry_out(cli.command, &signals) => outcome,
                () = signals.first() => Ok(Outcome::Bad),
            }
        }
        Some(manner @ Manner::Orderly) => carry_out(cli.command, &Signals::listen(manner)).await,
        None => carry_out(cli.command, &Signals::none()).await,
    };
    if let Some(code) = signals::code() {
        // Not by returning: what a thread still waits for would be waited for.
        if let Err(error) = outcome {
            print::error(&error);
        }
        signals::end(code);
    }
    ended(outcome.map(|outcome| match outcome {
        Outcome::Good => 0,
        Outcome::Bad => 1,
        Outcome::Cut => 3,
        Outcome::Premature => 4,
    }))
}

/// Says what went wrong last, and gives the exit code.
fn ended(outcome: Result<u8, ApiError>) -> ExitCode {
    match outcome.and_then(|code| print::finish().map(|()| code)) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            print::error(&error);
            ExitCode::from(2)
        }
    }
}

impl Command {
    /// How it ends at a signal; `None`: as the system has it, for it runs no scripts.
    fn heeds(&self) -> Option<Manner> {
        match self {
            Self::Run(_) => Some(Manner::Orderly),
            Self::Trace(TraceCommand::Import { .. }) => Some(Manner::Orderly),
            Self::Trace(TraceCommand::Check(args)) if args.scripts => Some(Manner::Orderly),
            Self::Call(_) => Some(Manner::AtOnce),
            Self::Lint(args) if args.runs_scripts() => Some(Manner::AtOnce),
            _ => None,
        }
    }
}

async fn carry_out(command: Command, signals: &Signals) -> Result<Outcome, ApiError> {
    match command {
        Command::List(args) => skills::list(args).await,
        Command::Inspect(args) => skills::inspect(args).await,
        Command::Card(args) => card::card(args).await,
        Command::Collisions(args) => collisions::collisions(args).await,
        Command::Find(args) => find::find(args).await,
        Command::History(args) => history::history(args).await,
        Command::Pack(args) => package::pack(args).await,
        Command::Unpack(args) => package::unpack(args).await,
        Command::Call(args) => call::call(args).await,
        Command::Lint(args) => lint::lint(args).await,
        Command::Rules(args) => rules::rules(&args),
        Command::Lsp(args) => lsp::lsp(args).await,
        Command::Run(args) => run::run(args, signals).await,
        Command::Trace(command) => trace::trace(command, signals).await,
        Command::Trust(args) => trust::trust(args).await,
        Command::Approvals(args) => approvals::approvals(args).await,
        Command::Models(args) => models::models(args).await,
        Command::Harnesses(output) => skills::harnesses(output.format).await,
    }
}

/// A bench on `roots`, each of which must be a folder, without a listener.
async fn bench(roots: &[Utf8PathBuf]) -> Result<Workbench, ApiError> {
    roots.iter().try_for_each(|root| folder_at(root).map(drop))?;
    Ok(bench_on(roots).await)
}

/// A bench on whatever is at `roots`.
async fn bench_on(roots: &[Utf8PathBuf]) -> Workbench {
    Workbench::open(Places::standard(None), roots.to_vec(), Freshness::ReadOnce, |_| {}).await
}
