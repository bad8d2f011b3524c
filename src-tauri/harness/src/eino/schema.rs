//! The tools' parameters. Those of the filesystem tools are as `utils.InferTool` makes them of the framework's structs:
//! every field without `omitempty` is required. Derived, never compared with a run.

use serde_json::{Value, json};

use super::tool::Tool;
use config::options::EinoLanguage;

/// Of the skill tool.
pub fn skill(language: EinoLanguage) -> Value {
    let description = match language {
        EinoLanguage::En => "The skill name (no arguments). E.g., \"pdf\" or \"xlsx\"",
        EinoLanguage::Zh => "Skill 名称（无需其他参数）。例如：\"pdf\" 或 \"xlsx\"",
    };
    json!({"properties": {"skill": text(description)}, "type": "object", "required": ["skill"]})
}

pub fn of_filesystem(tool: Tool) -> Value {
    match tool {
        Tool::Skill => object(json!({}), json!([])),
        Tool::Ls => object(json!({"path": {"type": "string"}}), json!(["path"])),
        Tool::ReadFile => object(
            json!({
                "file_path": text("The path to the file to read"),
                "offset": number(
                    "The line number to start reading from. Only provide if the file is too large to read at once"
                ),
                "limit": number(
                    "The number of lines to read. Only provide if the file is too large to read at once."
                ),
            }),
            json!(["file_path", "offset", "limit"]),
        ),
        Tool::WriteFile => object(
            json!({
                "file_path": text("The path to the file to write"),
                "content": text("The content to write to the file"),
            }),
            json!(["file_path", "content"]),
        ),
        Tool::EditFile => object(
            json!({
                "file_path": text("The path to the file to modify"),
                "old_string": text("The text to replace"),
                "new_string": text("The text to replace it with (must be different from old_string)"),
                "replace_all": {
                    "type": "boolean",
                    "description": "Replace all occurrences of old_string (default false)",
                    "default": false,
                },
            }),
            json!(["file_path", "old_string", "new_string", "replace_all"]),
        ),
        Tool::Glob => object(
            json!({
                "pattern": text("The glob pattern to match files against"),
                "path": text(
                    "The directory to search in. If not specified, the current working directory will be used. \
                     IMPORTANT: Omit this field to use the default directory. DO NOT enter 'undefined' or 'null' - \
                     simply omit it for the default behavior. Must be a valid directory path if provided."
                ),
            }),
            json!(["pattern", "path"]),
        ),
        Tool::Grep => object(grep(), json!(["pattern"])),
        Tool::Execute => object(json!({"command": {"type": "string"}}), json!(["command"])),
    }
}

fn grep() -> Value {
    let content_only = "Requires output_mode: 'content', ignored otherwise.";
    json!({
        "pattern": text("The regular expression pattern to search for in file contents"),
        "path": text("File or directory to search in (rg PATH). Defaults to current working directory."),
        "glob": text("Glob pattern to filter files (e.g. '*.js', '*.{ts,tsx}') - maps to rg --glob"),
        "output_mode": {
            "type": "string",
            "enum": ["content", "files_with_matches", "count"],
            "description":
                "Output mode: 'content' shows matching lines (supports -A/-B/-C context, -n line numbers, head_limit), \
                 'files_with_matches' shows file paths (supports head_limit), 'count' shows match counts (supports \
                 head_limit). Defaults to 'files_with_matches'.",
        },
        "-C": number(&format!("Number of lines to show before and after each match (rg -C). {content_only}")),
        "-B": number(&format!("Number of lines to show before each match (rg -B). {content_only}")),
        "-A": number(&format!("Number of lines to show after each match (rg -A). {content_only}")),
        "-n": flag(&format!("Show line numbers in output (rg -n). {content_only} Defaults to true.")),
        "-i": flag("Case insensitive search (rg -i)"),
        "type": text(
            "File type to search (rg --type). Common types: js, py, rust, go, java, etc. More efficient than include \
             for standard file types."
        ),
        "head_limit": number(
            "Limit output to first N lines/entries, equivalent to '| head -N'. Works across all output modes: content \
             (limits output lines), files_with_matches (limits file paths), count (limits count entries). Defaults to \
             0 (unlimited)."
        ),
        "offset": number(
            "Skip first N lines/entries before applying head_limit, equivalent to '| tail -n +N | head -N'. Works \
             across all output modes. Defaults to 0."
        ),
        "multiline": flag(
            "Enable multiline mode where . matches newlines and patterns can span lines (rg -U --multiline-dotall). \
             Default: false."
        ),
    })
}

fn object(properties: Value, required: Value) -> Value {
    json!({"properties": properties, "additionalProperties": false, "type": "object", "required": required})
}

fn text(description: &str) -> Value {
    json!({"type": "string", "description": description})
}

fn number(description: &str) -> Value {
    json!({"type": "integer", "description": description})
}

fn flag(description: &str) -> Value {
    json!({"type": "boolean", "description": description})
}
