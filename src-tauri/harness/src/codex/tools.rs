//! The definitions of the tools for the model, and calls of them as other parts of the program see them. `exec_command`
//! and `view_image` have the client's names and parameters, and our descriptions. For newer models they are functions
//! in the programs that they write for the tool `exec`. Its description is the client's, but parts about tools that are
//! not here are left out, which is marked.

use std::sync::LazyLock;

use regex::Regex;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{CLIENT, MANIFEST, models};
use crate::{
    Catalog, Disclosure, Expressed, Marked, Origin, Presentation, PresentedTool, Session, command, interpreter,
};
use camino::{Utf8Path, Utf8PathBuf};
use config::ScreenplayStep;
use model::{Freeform, ToolCall, ToolDef};

pub const EXEC: &str = "exec_command";
pub const VIEW: &str = "view_image";
/// For programs.
pub const SCRIPT: &str = "exec";

/// Over the Responses protocol a program is not JSON.
pub const FREEFORM: Freeform = Freeform {
    tool: SCRIPT,
    grammar: "\nstart: pragma_source | plain_source\npragma_source: PRAGMA_LINE NEWLINE SOURCE\nplain_source: SOURCE\n\n\
              PRAGMA_LINE: /[ \\t]*\\/\\/ @exec:[^\\r\\n]*/\nNEWLINE: /\\r?\\n/\nSOURCE: /[\\s\\S]+/\n",
};
const INPUT: &str = Freeform::ARGUMENT;

/// Those of a call that are used here.
#[derive(Debug, Deserialize)]
pub struct Arguments {
    pub cmd: String,
    #[serde(default)]
    pub workdir: Option<String>,
    #[serde(default)]
    pub max_output_tokens: Option<usize>,
}

impl Arguments {
    pub fn read(arguments: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(arguments)
    }
}

/// Of `view_image`.
#[derive(Debug, Deserialize)]
pub struct Picture {
    pub path: String,
}

/// The program that a call of `exec` has. If a protocol has no such calls, it is the only argument.
pub fn program(arguments: &str) -> String {
    #[derive(Deserialize)]
    struct Program {
        input: String,
    }
    serde_json::from_str(arguments).map_or_else(|_| arguments.to_owned(), |Program { input }| input)
}

/// The client's prompt has its place, the project's own instructions come after it. The list of skills is a message.
pub fn present(catalog: &Catalog, session: &Session) -> Presentation {
    let mut instructions = Marked::default();
    instructions.push_withheld(CLIENT, None);
    if let Some(own) = session.agent_instructions.as_deref().filter(|own| !own.is_empty()) {
        instructions.push("\n\n", Origin::Framework);
        instructions.push(own, Origin::User);
    }
    let model = models::of(&catalog.options.codex.model);
    let tools = match model.tools_as_item {
        true => vec![exec_tool(model)],
        false => vec![PresentedTool::base(exec_command()), PresentedTool::base(view_image())],
    };
    Presentation { instructions: Some(instructions), tools, ..Presentation::default() }
}

/// Name and description of each tool that programs have, as they find them in `ALL_TOOLS`.
pub const NESTED: [(&str, &str); 2] =
    [(EXEC, include_str!("templates/exec_command.txt")), (VIEW, include_str!("templates/view_image.txt"))];

fn exec_tool(model: models::Model) -> PresentedTool {
    let mut description = Marked::default();
    description.push(include_str!("templates/exec.txt"), Origin::Framework);
    // The left-out texts about types and missing tools, before each tool and after the last.
    for ((_, text), characters) in NESTED.iter().zip(BETWEEN) {
        description.push("\n\n", Origin::Framework);
        description.push_withheld(CLIENT, Some(characters));
        description.push(&format!("\n\n{text}"), Origin::Framework);
    }
    description.push("\n\n", Origin::Framework);
    description.push_withheld(CLIENT, Some(if model.clock { BEHIND + CLOCK } else { BEHIND }));
    // If a protocol has such tools, the grammar is sent in place of the parameter.
    let program = format!("The program. As a text it has this grammar (Lark):\n{}", FREEFORM.grammar.trim());
    let definition = ToolDef {
        name: SCRIPT.into(),
        description: description.text,
        parameters: json!({
            "type": "object",
            "properties": {INPUT: {"description": program, "type": "string"}},
            "required": [INPUT],
            "additionalProperties": false,
        }),
    };
    PresentedTool { marks: description.marks, ..PresentedTool::base(definition) }
}

/// How long those texts of the client are.
const BETWEEN: [u32; 2] = [2_474, 4_000];
const BEHIND: u32 = 1_168;
const CLOCK: u32 = 291;

fn exec_command() -> ToolDef {
    ToolDef {
        name: EXEC.into(),
        description: "Runs a command line and returns what it prints.".to_owned(),
        parameters: json!({
            "type": "object",
            "properties": {
                "cmd": {"description": "The command line", "type": "string"},
                "workdir": {"description": "The folder to run it in", "type": "string"},
                "yield_time_ms": {"description": "Milliseconds to wait for output", "type": "number"},
                "max_output_tokens": {"description": "How much of the output to return", "type": "number"},
            },
            "required": ["cmd"],
            "additionalProperties": false,
        }),
    }
}

fn view_image() -> ToolDef {
    ToolDef {
        name: VIEW.into(),
        description: "Shows an image file.".to_owned(),
        parameters: json!({
            "type": "object",
            "properties": {"path": {"description": "The file", "type": "string"}},
            "required": ["path"],
            "additionalProperties": false,
        }),
    }
}

pub fn express(step: &ScreenplayStep, catalog: &Catalog, session: &Session) -> Option<Expressed> {
    let in_programs = models::of(&catalog.options.codex.model).tools_as_item;
    let run = |command: String| {
        let arguments = json!({"cmd": command});
        Some(match in_programs {
            true => {
                let program = format!("const result = await tools.{EXEC}({arguments});\ntext(result.output);\n");
                Expressed { tool: SCRIPT.into(), arguments: json!({INPUT: program}) }
            }
            false => Expressed { tool: EXEC.into(), arguments },
        })
    };
    let read = |path: &Utf8Path| run(command::line(Some("cat"), path, None));
    match step {
        ScreenplayStep::Activate { activate } => {
            let skill = catalog.skills.iter().find(|skill| skill.id == *activate);
            let folder = skill.and_then(|skill| skill.path.clone()).unwrap_or_else(|| Utf8PathBuf::from(activate));
            read(&folder.join(MANIFEST))
        }
        ScreenplayStep::Read { read: path } => read(&command::locate(path, catalog, session)),
        ScreenplayStep::Run { run: script, with } => {
            let path = command::locate(script, catalog, session);
            run(command::line(path.extension().and_then(interpreter), &path, with.as_ref()))
        }
        ScreenplayStep::Call { call, with } => {
            let known = if in_programs { &[SCRIPT, EXEC, VIEW][..] } else { &[EXEC, VIEW] };
            known.contains(&call.as_str()).then(|| Expressed {
                tool: call.clone(),
                arguments: with.clone().unwrap_or_else(|| Value::Object(Map::new())),
            })
        }
        ScreenplayStep::Say { .. } | ScreenplayStep::Prompt { .. } => None,
    }
}

pub fn disclosure(call: &ToolCall, catalog: &Catalog) -> Disclosure {
    match call.name.as_str() {
        EXEC | VIEW => disclosed(&call.name, &call.arguments, catalog),
        SCRIPT => {
            let all = commands(&program(&call.arguments));
            let found = all.into_iter().map(|command| command::disclosure(&command, catalog));
            found.into_iter().find(|disclosure| *disclosure != Disclosure::None).unwrap_or(Disclosure::None)
        }
        _ => Disclosure::None,
    }
}

/// What a call of a tool discloses, also one that a program makes.
pub fn disclosed(tool: &str, arguments: &str, catalog: &Catalog) -> Disclosure {
    if tool == VIEW {
        let picture = serde_json::from_str(arguments);
        return picture
            .map_or(Disclosure::None, |Picture { path }| command::disclosure(&command::join(["cat", &path]), catalog));
    }
    match Arguments::read(arguments) {
        Ok(Arguments { cmd, workdir, .. }) => command::disclosure(&within(cmd, workdir.as_deref()), catalog),
        Err(_) => Disclosure::None,
    }
}

fn within(command: String, folder: Option<&str>) -> String {
    match folder {
        None => command,
        Some(folder) => format!("{} && {command}", command::join(["cd", folder])),
    }
}

/// The command lines that a program writes down as texts, each in its folder if that is one too.
fn commands(program: &str) -> Vec<String> {
    static GIVEN: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r#"(?s)\b(cmd|workdir|path)["']?\s*:\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`)"#)
            .expect("the expression is right")
    });
    let mut given: Vec<(&str, String)> = Vec::new();
    for found in GIVEN.captures_iter(program) {
        let (_, [key, quoted]) = found.extract();
        given.push((key, unquoted(quoted)));
    }
    let mut commands = Vec::new();
    for (at, (key, text)) in given.iter().enumerate() {
        // Either comes first, in one call.
        let beside = [at.checked_sub(1), at.checked_add(1)].into_iter().flatten().filter_map(|at| given.get(at));
        let folder = beside.filter(|(key, _)| *key == "workdir").map(|(_, folder)| folder.as_str()).next_back();
        match *key {
            "cmd" => commands.push(within(text.clone(), folder)),
            "path" => commands.push(command::join(["cat", text])),
            _ => {}
        }
    }
    commands
}

/// The text of a literal. What a template puts in stays as it is written.
fn unquoted(literal: &str) -> String {
    let inside = &literal[1..literal.len() - 1];
    let mut text = String::new();
    let mut letters = inside.chars();
    while let Some(letter) = letters.next() {
        text.push(match letter {
            '\\' => match letters.next() {
                Some('n') => '\n',
                Some('t') => '\t',
                Some(other) => other,
                None => '\\',
            },
            other => other,
        });
    }
    text
}
