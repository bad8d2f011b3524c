//! JavaScript, and TypeScript as far as it reads like it.

use std::collections::HashSet;

use tree_sitter::Node;

use super::tree::{self, beginning, each, span, text};
use super::{Facts, Flag, Import, Interface, Level, Named, SyntaxError, Variable, known};
use skill::source::Span;
use wording::message;

pub fn read(source: &str) -> (Option<SyntaxError>, Facts) {
    let Some(tree) = tree::parse(source) else { return Default::default() };
    (first_error(&tree, source), facts(&tree, source))
}

/// The same for TypeScript. JSX elements and casts look alike there, so a text is accepted if it parses with either.
pub fn read_typescript(source: &str) -> (Option<SyntaxError>, Facts) {
    let Some(tree) = tree::parse_typescript(source, false) else { return Default::default() };
    let Some(error) = first_error(&tree, source) else { return (None, facts(&tree, source)) };
    let Some(other) = tree::parse_typescript(source, true) else { return (None, facts(&tree, source)) };
    match first_error(&other, source) {
        Some(_) => (Some(error), facts(&tree, source)),
        None => (None, facts(&other, source)),
    }
}

fn facts(tree: &tree_sitter::Tree, source: &str) -> Facts {
    let mut reader = Reader::new(source);
    // In a chain of calls the import may come last: `require("yargs")(…).option(…)`.
    if ["commander", "yargs"].iter().any(|library| source.contains(library)) {
        each(tree, |node, _| reader.library(node));
    }
    each(tree, |node, above| reader.look(node, above));
    reader.finish()
}

pub fn error(source: &str) -> Option<SyntaxError> {
    first_error(&tree::parse(source)?, source)
}

/// Where a text is not TypeScript, neither with JSX elements nor with casts instead.
pub fn typescript_error(source: &str) -> Option<SyntaxError> {
    let error = first_error(&tree::parse_typescript(source, false)?, source)?;
    first_error(&tree::parse_typescript(source, true)?, source).map(|_| error)
}

/// Whether nothing at all in a text is amiss.
pub fn is_typescript(source: &str) -> bool {
    let is_sound =
        |elements| tree::parse_typescript(source, elements).is_some_and(|tree| !tree.root_node().has_error());
    is_sound(false) || is_sound(true)
}

/// The first place that is not JavaScript; the grammar's own gaps are ignored.
fn first_error(tree: &tree_sitter::Tree, source: &str) -> Option<SyntaxError> {
    if !tree.root_node().has_error() {
        return misplaced(tree, source);
    }
    let mut found: Option<SyntaxError> = None;
    let mut gap = false;
    each(tree, |node, above| {
        if found.is_some() || !(node.is_error() || node.is_missing()) {
            return;
        }
        gap |= is_gap(node, above, source) || is_raw(span(node, source), source);
        let place = span(node, source).trim(source);
        let line = place.start + source[place.start..].find('\n').unwrap_or(source.len() - place.start);
        let shown = Span::new(place.start, place.end.min(line).max(place.start));
        let word: String = shown.of(source).chars().take(40).collect::<String>().replace('`', "'");
        let reason = if node.is_missing() {
            message!("`{}` is missing", "缺少 `{}`", node.kind())
        } else if word.is_empty() {
            message!("unexpected end", "意外结束")
        } else {
            message!("unexpected `{word}`", "意外的 `{word}`")
        };
        found = Some(SyntaxError { span: shown, reason });
    });
    found.filter(|_| !gap)
}

/// What the grammar accepts and the language does not: a constant without a value, an object with a hole.
fn misplaced(tree: &tree_sitter::Tree, source: &str) -> Option<SyntaxError> {
    let is_bare = |line: &str| line.contains("const ") && !line.contains('=');
    let has_hole = || source.match_indices(',').any(|(at, _)| source[at + 1..].trim_start().starts_with(','));
    if !source.lines().any(is_bare) && !has_hole() {
        return None;
    }
    let mut found: Option<SyntaxError> = None;
    each(tree, |node, above| {
        if found.is_some() {
            return;
        }
        let of_loop = || {
            // `declare const a: string;`
            let is_declared = above.iter().any(|parent| parent.kind() == "ambient_declaration");
            is_declared || above.last().is_some_and(|parent| parent.kind().starts_with("for_"))
        };
        match node.kind() {
            "lexical_declaration" if !of_loop() && beginning(node, source).starts_with("const") => {
                let bare = children(node)
                    .into_iter()
                    .find(|part| part.kind() == "variable_declarator" && part.child_by_field_name("value").is_none());
                if let Some(name) = bare {
                    let reason = message!("`const {}` has no value", "`const {}` 没有值", text(name, source));
                    found = Some(SyntaxError { span: span(name, source), reason });
                }
            }
            "object" => {
                let mut cursor = node.walk();
                let parts: Vec<Node<'_>> = node.children(&mut cursor).filter(|part| part.kind() != "comment").collect();
                let hole = parts.windows(2).find(|pair| matches!(pair[0].kind(), "{" | ",") && pair[1].kind() == ",");
                if let Some(pair) = hole {
                    let reason = message!("unexpected `,`", "意外的 `,`");
                    found = Some(SyntaxError { span: span(pair[1], source), reason });
                }
            }
            _ => {}
        }
    });
    found
}

/// In a tagged template, which may hold escapes that are invalid elsewhere: `` String.raw`\usepackage` ``.
fn is_raw(place: Span, source: &str) -> bool {
    let is_tag =
        |(at, _): (usize, &str)| source[..at].ends_with(|letter: char| letter.is_alphanumeric() || letter == '_');
    let start = source[..place.start].rfind('\n').map_or(0, |end| end + 1);
    let end = source[place.end..].find('\n').map_or(source.len(), |length| place.end + length);
    let lines = &source[start..end];
    (lines.contains("\\u") || lines.contains("\\x")) && source[..end].match_indices('`').any(is_tag)
}

/// Names that the grammar takes for keywords, as in `import { in as x }`, and fields without a semicolon.
fn is_gap(node: Node<'_>, above: &[Node<'_>], source: &str) -> bool {
    let lists_names = |node: &Node<'_>| {
        let is_list = matches!(node.kind(), "named_imports" | "export_clause");
        let start = beginning(*node, source);
        is_list
            || (matches!(node.kind(), "import_statement" | "export_statement")
                && start.split_whitespace().nth(1) == Some("{"))
    };
    above.iter().any(lists_names) || (node.is_missing() && node.kind() == ";")
}

struct Reader<'a> {
    source: &'a str,
    facts: Facts,
    /// Flags as texts, e.g. `--out`.
    literals: Vec<String>,
    style: Style,
    flags: Vec<Flag>,
    commands: Vec<Level>,
    unclear: bool,
    /// Another module gets the arguments.
    handed: bool,
    /// It refuses flags that it does not know. All libraries but yargs do so unasked.
    strict: bool,
    networks: bool,
    addresses: Vec<Named>,
    defaulted: HashSet<usize>,
    /// Some text may contain a path in a user's home.
    has_home: bool,
}

/// Flags, or subcommands, of a program that a person wrote.
const MOST: usize = 300;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    None,
    Commander,
    Yargs,
    /// `parseArgs` of `node:util`.
    Node,
}

impl<'a> Reader<'a> {
    fn new(source: &'a str) -> Self {
        let lower = source.to_ascii_lowercase();
        Self {
            source,
            facts: Facts { helps: lower.contains("--help") || lower.contains("usage"), ..Facts::default() },
            literals: Vec::new(),
            style: Style::None,
            flags: Vec::new(),
            commands: Vec::new(),
            unclear: false,
            handed: false,
            strict: false,
            networks: source.contains("fetch(") || source.contains("axios") || source.contains("http"),
            addresses: Vec::new(),
            defaulted: HashSet::new(),
            has_home: known::has_home(source),
        }
    }

    fn look(&mut self, node: Node<'_>, above: &[Node<'_>]) {
        // Marks and words of the grammar, which are half of all nodes.
        if !node.is_named() {
            return;
        }
        match node.kind() {
            "import_statement" | "export_statement" => {
                if let Some(from) = node.child_by_field_name("source") {
                    let of_types = beginning(node, self.source).starts_with("import type");
                    self.import(from, of_types);
                }
            }
            "call_expression" => self.call(node, above),
            "new_expression" => {
                let name = node.child_by_field_name("constructor").map(|name| beginning(name, self.source));
                if name.is_some_and(|name| matches!(name, "Command" | "commander.Command")) {
                    self.style = Style::Commander;
                }
            }
            "member_expression" => self.member(node, above),
            "variable_declarator" => self.taken_apart(node),
            "subscript_expression" => self.subscript(node, above),
            "binary_expression" => self.binary(node),
            "assignment_expression" => {
                let left =
                    node.child_by_field_name("left").map(|left| beginning(left, self.source)).unwrap_or_default();
                if left == "process.exitCode" {
                    self.facts.fails = true;
                }
                // Written, not read.
                if let Some(name) = left.strip_prefix("process.env.") {
                    self.facts.sets.insert(name.to_owned());
                    self.defaulted.insert(node.start_byte());
                }
            }
            "throw_statement" => self.facts.fails = true,
            "string" | "template_string" => self.literal(node, above),
            _ => {}
        }
    }

    /// Notes the library that reads the arguments, if a node imports one.
    fn library(&mut self, node: Node<'_>) {
        let from = match node.kind() {
            "import_statement" => node.child_by_field_name("source"),
            "call_expression" => node
                .child_by_field_name("function")
                .filter(|function| matches!(beginning(*function, self.source), "require" | "import"))
                .and_then(|_| node.child_by_field_name("arguments"))
                .and_then(|arguments| children(arguments).first().copied()),
            _ => None,
        };
        match from.map(|from| unquoted(beginning(from, self.source)).split('/').next().unwrap_or_default()) {
            Some("commander") => self.style = Style::Commander,
            Some("yargs") => self.style = Style::Yargs,
            _ => {}
        }
    }

    fn import(&mut self, from: Node<'_>, optional: bool) {
        let whole = unquoted(beginning(from, self.source));
        // `@/lib`, `~/lib`, `$lib` are names that bundlers have for folders of a project.
        if whole.starts_with(['.', '/', '#', '~', '$'])
            || whole.starts_with("@/")
            || whole.contains(':')
            || whole.is_empty()
            || whole.contains("${")
        {
            return;
        }
        let mut parts = whole.split('/');
        let first = parts.next().unwrap_or_default();
        let name = match first.strip_prefix('@') {
            Some(_) => format!("{first}/{}", parts.next().unwrap_or_default()),
            None => first.to_owned(),
        };
        match name.as_str() {
            "minimist" | "meow" | "cac" | "arg" | "citty" | "@oclif/core" | "mri" | "sade" | "command-line-args" => {
                self.unclear = true
            }
            _ => {}
        }
        self.facts.imports.push(Import { name, span: span(from, self.source), optional });
    }

    fn call(&mut self, node: Node<'_>, above: &[Node<'_>]) {
        let source = self.source;
        let Some(function) = node.child_by_field_name("function") else { return };
        let arguments = node.child_by_field_name("arguments").map(children).unwrap_or_default();
        let first = arguments.first().copied();
        let callee = beginning(function, source);
        let method = match function.kind() {
            "member_expression" => function.child_by_field_name("property").map(|name| beginning(name, source)),
            _ => Some(callee),
        };
        let method = method.unwrap_or_default();
        match method {
            "require" | "import" => {
                if let Some(from) = first.filter(|first| first.kind() == "string") {
                    let optional = above.iter().any(|node| node.kind() == "try_statement");
                    self.import(from, optional);
                }
            }
            "question" | "prompt" | "confirm" if callee.contains('.') && is_prompter(callee) => {
                self.prompt(node, callee)
            }
            "prompts" if function.kind() == "identifier" => self.prompt(node, callee),
            "exit" if callee == "process.exit" => self.exit(node, first),
            "parseArgs" if self.style == Style::None => self.parse_args(first),
            "option" | "requiredOption" | "addOption" | "options" | "allowUnknownOption" | "command" | "argument" => {
                self.declare(method, &arguments);
            }
            "parserConfiguration" | "passThroughOptions" | "allowExcessArguments" => self.unclear = true,
            "strict" | "strictOptions" => self.strict = true,
            "boolean" | "string" | "number" | "array" | "count" | "alias" | "choices" | "default" | "positional"
            | "demandOption" | "nargs"
                if self.style == Style::Yargs =>
            {
                self.unclear = true;
            }
            "execSync" | "exec" | "spawn" | "spawnSync" | "execFile" | "execFileSync" => self.run(first),
            "writeFile" | "writeFileSync" | "appendFile" | "appendFileSync" | "mkdirSync" | "mkdir"
            | "createWriteStream" | "rmSync" => {
                if let Some(target) = first.filter(|first| known::is_outside(unquoted(beginning(*first, source)))) {
                    let name = unquoted(beginning(target, source)).to_owned();
                    self.facts.writes.push(Named { name, span: span(target, source) });
                }
            }
            "fetch" | "get" | "post" | "put" | "request" | "axios" | "delete" | "patch" => {
                if let Some(target) = first.filter(|first| matches!(first.kind(), "string" | "template_string")) {
                    let host = known::host(beginning(target, source));
                    self.addresses.extend(host.map(|name| Named { name, span: span(target, source) }));
                }
            }
            "log" if callee == "console.log" => self.log(node, first, above),
            _ => {}
        }
    }

    fn prompt(&mut self, node: Node<'_>, callee: &str) {
        self.facts.prompts.push(Named { name: callee.to_owned(), span: span(node, self.source) });
    }

    fn exit(&mut self, node: Node<'_>, code: Option<Node<'_>>) {
        match code.map(|code| beginning(code, self.source).parse::<i64>()) {
            None | Some(Ok(0)) => self.facts.exits.push((0, span(node, self.source))),
            Some(Ok(code)) => {
                self.facts.fails = true;
                self.facts.exits.push((code, span(node, self.source)));
            }
            Some(Err(_)) => self.facts.fails = true,
        }
    }

    fn log(&mut self, node: Node<'_>, first: Option<Node<'_>>, above: &[Node<'_>]) {
        let Some(first) = first else { return };
        let whole = beginning(first, self.source);
        self.facts.prints_data |= whole.starts_with("JSON.stringify(");
        if whole.starts_with("fs.readFileSync(") || whole.starts_with("readFileSync(") {
            self.facts.floods.push(span(node, self.source));
        }
        let lower = unquoted(whole).to_lowercase();
        let begins =
            ["loading", "processing", "fetching", "downloading", "warning", "done", "starting", "reading", "正在"];
        let ends = above.last().and_then(|statement| statement.next_named_sibling());
        let ends = ends.is_some_and(|next| beginning(next, self.source).contains("process.exit"));
        if matches!(first.kind(), "string" | "template_string")
            && begins.iter().any(|word| lower.starts_with(word))
            && !ends
        {
            self.facts.chatter.push(span(node, self.source));
        }
    }

    fn run(&mut self, command: Option<Node<'_>>) {
        let Some(command) = command.filter(|node| matches!(node.kind(), "string" | "template_string")) else { return };
        let words = unquoted(beginning(command, self.source)).split_whitespace();
        if let Some(name) = words.take(1).find(|word| known::is_program_name(word)) {
            self.facts.programs.push(Named { name: name.to_owned(), span: span(command, self.source) });
        }
    }

    fn declare(&mut self, method: &str, arguments: &[Node<'_>]) {
        let source = self.source;
        let Some(first) = arguments.first().filter(|_| matches!(self.style, Style::Commander | Style::Yargs)) else {
            self.unclear |= method == "allowUnknownOption";
            return;
        };
        match (self.style, method, first.kind()) {
            (Style::Commander, "option" | "requiredOption", "string") => {
                let flag = commander_flag(
                    unquoted(beginning(*first, source)),
                    method == "requiredOption" && arguments.len() < 3,
                );
                self.put(flag);
            }
            (Style::Commander, "command", "string") => {
                let name = unquoted(beginning(*first, source)).split_whitespace().next().unwrap_or_default().to_owned();
                self.commands.push(Level { names: vec![name], ..Level::default() });
            }
            (Style::Commander, "argument", _) => {}
            (Style::Yargs, "option", "string") => {
                let name = unquoted(beginning(*first, source));
                let more = arguments.get(1).map(|more| beginning(*more, source)).unwrap_or_default();
                self.unclear |= more.contains("...");
                let names = std::iter::once(name).chain(aliases(more)).map(hyphened).collect();
                let required = more.contains("demandOption: true");
                let takes_value = !more.contains("boolean") && !more.contains("count");
                self.put(Flag { names, required, takes_value, ..Flag::default() });
            }
            // Too many ways to write these.
            _ => self.unclear = true,
        }
    }

    /// A flag belongs to the command declared before it. Which call chain it is in is not followed: any level takes it.
    fn put(&mut self, flag: Flag) {
        let required = flag.required && self.commands.is_empty();
        self.flags.push(Flag { required, ..flag });
    }

    fn parse_args(&mut self, config: Option<Node<'_>>) {
        let source = self.source;
        let Some(config) = config.filter(|config| config.kind() == "object") else {
            self.unclear = true;
            return;
        };
        self.style = Style::Node;
        self.unclear |= text(config, source).contains("strict: false") || text(config, source).contains("...");
        let Some(options) = property(config, "options", source).filter(|options| options.kind() == "object") else {
            self.unclear = true;
            return;
        };
        for pair in children(options) {
            let (Some(key), Some(value)) = (pair.child_by_field_name("key"), pair.child_by_field_name("value")) else {
                self.unclear = true;
                continue;
            };
            let short =
                property(value, "short", source).map(|short| format!("-{}", unquoted(beginning(short, source))));
            let long = format!("--{}", unquoted(beginning(key, source)));
            let takes_value = beginning(value, source).contains("string");
            let names = std::iter::once(long).chain(short).collect();
            self.flags.push(Flag { names, takes_value, ..Flag::default() });
        }
    }

    fn member(&mut self, node: Node<'_>, above: &[Node<'_>]) {
        let whole = beginning(node, self.source);
        if whole == "process.argv" {
            self.facts.by_hand = true;
            self.handed |= self.hands_on(above);
        }
        self.facts.checks_terminal |= whole.ends_with(".isTTY");
        if let Some(name) = whole.strip_prefix("process.env.") {
            self.variable(name, node, above);
        }
    }

    /// Whether another module gets the arguments: `parse(process.argv.slice(2))`, `run({ argv: process.argv })`.
    fn hands_on(&self, above: &[Node<'_>]) -> bool {
        let mut in_object = false;
        for node in above.iter().rev() {
            match node.kind() {
                // `.slice(2)`
                "member_expression" | "arguments" => {}
                "pair" | "object" => in_object = true,
                "call_expression" => {
                    let function = node.child_by_field_name("function");
                    let name = function.map(|function| beginning(function, self.source)).unwrap_or_default();
                    if !name.starts_with("process.argv") {
                        return if in_object {
                            !name.ends_with("parseArgs")
                        } else {
                            !name.contains('.') && !self.is_own(name)
                        };
                    }
                }
                _ => return in_object,
            }
        }
        in_object
    }

    /// Whether the script itself says what a function does.
    fn is_own(&self, name: &str) -> bool {
        ["function ", "const ", "let ", "var "].iter().any(|word| {
            let declared = format!("{word}{name}");
            self.source.match_indices(&declared).any(|(at, _)| {
                let rest = &self.source[at + declared.len()..];
                let line = rest.lines().next().unwrap_or_default();
                rest.starts_with([' ', '(', '=', ':', '<']) && !line.contains("require(") && !line.contains("import(")
            })
        })
    }

    fn subscript(&mut self, node: Node<'_>, above: &[Node<'_>]) {
        let (Some(object), Some(index)) = (node.child_by_field_name("object"), node.child_by_field_name("index"))
        else {
            return;
        };
        if beginning(object, self.source) == "process.env" && index.kind() == "string" {
            self.variable(unquoted(beginning(index, self.source)), node, above);
        }
    }

    /// `const { KEY, MODE = "fast", OLD: renamed } = process.env`
    fn taken_apart(&mut self, node: Node<'_>) {
        let source = self.source;
        let (Some(pattern), Some(value)) = (node.child_by_field_name("name"), node.child_by_field_name("value")) else {
            return;
        };
        if pattern.kind() != "object_pattern" || beginning(value, source) != "process.env" {
            return;
        }
        for one in children(pattern) {
            let (name, local) = match one.kind() {
                "shorthand_property_identifier_pattern" => (Some(one), Some(one)),
                "pair_pattern" => (one.child_by_field_name("key"), one.child_by_field_name("value")),
                "object_assignment_pattern" => (one.child_by_field_name("left"), None),
                _ => continue,
            };
            let Some(name) = name.map(|name| beginning(name, source)).filter(|name| known::is_variable_name(name))
            else {
                continue;
            };
            let local =
                local.filter(|local| local.kind() != "assignment_pattern").map(|local| beginning(local, source));
            let needed = local.is_some_and(|local| !self.is_switch(local));
            self.facts.variables.push(Variable { name: name.to_owned(), span: span(one, source), needed });
        }
    }

    /// Whether a value is asked for before it is used, or has another in its place.
    fn is_switch(&self, name: &str) -> bool {
        ["||", "??", "?", "===", "=="].iter().any(|sign| self.source.contains(&format!("{name} {sign} ")))
            || self.source.contains(&format!("if ({name})"))
    }

    fn variable(&mut self, name: &str, node: Node<'_>, above: &[Node<'_>]) {
        if !known::is_variable_name(name) || self.defaulted.contains(&node.start_byte()) {
            return;
        }
        let is_tested = above.last().is_some_and(|parent| {
            matches!(parent.kind(), "ternary_expression") && parent.child_by_field_name("condition") == Some(node)
        });
        let is_condition = above.last().is_some_and(|parent| parent.kind() == "parenthesized_expression")
            && above.iter().rev().nth(1).is_some_and(|parent| parent.kind() == "if_statement");
        // A number that is none is asked for next.
        let is_number = above.last().is_some_and(|parent| parent.kind() == "arguments")
            && above.iter().rev().nth(1).and_then(|call| call.child_by_field_name("function")).is_some_and(
                |function| matches!(beginning(function, self.source), "Number" | "parseInt" | "parseFloat" | "Boolean"),
            );
        let needed = !self.defaulted.contains(&node.start_byte()) && !is_tested && !is_condition && !is_number;
        self.facts.variables.push(Variable { name: name.to_owned(), span: span(node, self.source), needed });
    }

    /// `a || b`, `a ?? b`: the first has a default.
    fn binary(&mut self, node: Node<'_>) {
        let operator = node.child_by_field_name("operator").map(|operator| operator.kind()).unwrap_or_default();
        // A value that is compared with something is a switch.
        let left = node.child_by_field_name("left");
        if let Some(left) = left.filter(|_| matches!(operator, "||" | "??" | "===" | "==" | "!==" | "!=")) {
            self.defaulted.insert(left.start_byte());
        }
        // One of several that may be set.
        let right = node.child_by_field_name("right");
        let is_variable = |side: Node<'_>| beginning(side, self.source).starts_with("process.env.");
        if let Some(right) = right.filter(|right| matches!(operator, "||" | "??") && is_variable(*right)) {
            self.defaulted.insert(right.start_byte());
        }
    }

    fn literal(&mut self, node: Node<'_>, above: &[Node<'_>]) {
        let whole = beginning(node, self.source);
        let name = unquoted(whole).split('=').next().unwrap_or_default();
        let bare = name.trim_start_matches('-');
        let is_flag = name.starts_with('-')
            && name.len() - bare.len() <= 2
            && bare.starts_with(|letter: char| letter.is_ascii_alphabetic())
            && bare.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
        if is_flag && self.literals.len() < 500 && !self.is_for_other(above) {
            self.literals.push(name.to_owned());
        }
        let home = if self.has_home { known::home_path(whole) } else { None };
        if let Some((name, inner)) = home {
            self.facts.homes.push(Named { name, span: inner.shift(node.start_byte()) });
        }
    }

    /// In a list that another program is started with: `spawnSync("git", ["log", "--name-only"])`.
    fn is_for_other(&self, above: &[Node<'_>]) -> bool {
        // A list with more than flags in it: `const args = ["-y", "-i", source]`.
        let list = above.last().filter(|parent| parent.kind() == "array");
        let is_flag = |item: &Node<'_>| unquoted(beginning(*item, self.source)).starts_with('-');
        if list.is_some_and(|list| children(*list).iter().any(|item| !is_flag(item))) {
            return true;
        }
        let mut above = above.iter().rev();
        let kinds = [above.next(), above.next()].map(|node| node.map_or("", |node| node.kind()));
        let call = above.next().and_then(|call| call.child_by_field_name("function"));
        let name = call.map(|call| beginning(call, self.source).to_lowercase()).unwrap_or_default();
        kinds == ["array", "arguments"] && ["spawn", "exec", "git", "run"].iter().any(|start| name.contains(start))
    }

    fn finish(mut self) -> Facts {
        if self.networks {
            self.facts.hosts.append(&mut self.addresses);
        }
        let declared = self.style != Style::None;
        // `const { parseArgs } = require(…)`, whatever is handed to it.
        self.handed |= self.source.contains("parseArgs") && !self.is_own("parseArgs");
        self.facts.by_hand &= !declared && !self.unclear;
        self.facts.helps |= declared && self.style != Style::Node;
        let mut level = Level { flags: self.flags, subcommands: self.commands, ..Level::default() };
        if declared {
            for names in [vec!["-h".to_owned(), "--help".to_owned()], vec!["-V".to_owned(), "--version".to_owned()]] {
                level.flags.push(Flag { names, ..Flag::default() });
            }
        } else if self.facts.by_hand {
            let flag = |name| Flag { names: vec![name], ..Flag::default() };
            level.flags = self.literals.into_iter().map(flag).collect();
        }
        // Flags of the program are accepted after a subcommand, too, since levels are not distinguished.
        let is_vast = level.flags.len() > MOST || level.subcommands.len() > MOST;
        let all = if is_vast { Vec::new() } else { level.flags.clone() };
        level.subcommands.iter_mut().for_each(|command| command.flags.clone_from(&all));
        let is_strict = self.strict || self.style != Style::Yargs;
        // Whatever begins with hyphens is taken.
        let takes_any = !declared
            && ["startsWith(\"-", "startsWith('-", "startsWith(`-", "`--${"]
                .iter()
                .any(|call| self.source.contains(call));
        let complete = !self.unclear
            && (declared || !self.handed)
            && !takes_any
            && is_strict
            && !is_vast
            && !level.flags.is_empty();
        self.facts.interface = Interface { complete, abbreviates: false, level };
        self.facts
    }
}

fn is_prompter(callee: &str) -> bool {
    let object = callee.split('.').next().unwrap_or_default();
    matches!(object, "rl" | "readline" | "inquirer" | "prompts" | "enquirer" | "interface" | "iface")
}

/// `-o, --out <file>`
fn commander_flag(declaration: &str, required: bool) -> Flag {
    let parts = declaration.split(|letter: char| letter.is_whitespace() || matches!(letter, ',' | '|'));
    let mut names: Vec<String> = parts.filter(|part| part.starts_with('-')).map(str::to_owned).collect();
    let positive: Vec<String> =
        names.iter().filter_map(|name| Some(format!("--{}", name.strip_prefix("--no-")?))).collect();
    names.extend(positive);
    Flag { names, required, takes_value: declaration.contains(['<', '[']), ..Flag::default() }
}

/// The names in `alias: "o"` and `alias: ["o", "output"]`.
fn aliases(options: &str) -> Vec<&str> {
    let Some((_, rest)) = options.split_once("alias:") else { return Vec::new() };
    let end = if rest.trim_start().starts_with('[') { rest.find(']') } else { rest.find([',', '}', '\n']) };
    let list = &rest[..end.unwrap_or(rest.len())];
    list.split(['[', ',', ' ', '\n', '"', '\'', '`']).filter(|name| !name.is_empty()).collect()
}

fn hyphened(name: &str) -> String {
    if name.chars().count() == 1 { format!("-{name}") } else { format!("--{name}") }
}

fn property<'t>(object: Node<'t>, wanted: &str, source: &str) -> Option<Node<'t>> {
    let is_wanted =
        |pair: &Node<'t>| pair.child_by_field_name("key").is_some_and(|key| unquoted(beginning(key, source)) == wanted);
    children(object).into_iter().find(is_wanted)?.child_by_field_name("value")
}

fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|child| child.kind() != "comment").collect()
}

fn unquoted(text: &str) -> &str {
    let inner = text.get(1..text.len().saturating_sub(1)).unwrap_or_default();
    if text.starts_with(['"', '\'', '`']) { inner } else { text }
}
