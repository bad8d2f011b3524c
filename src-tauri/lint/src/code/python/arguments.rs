//! The arguments that a Python script takes: argparse, optparse, click, typer, and flags compared by hand.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use ruff_python_ast::{self as ast, Expr, StmtFunctionDef};

use super::expression::{is_named, literal};
use crate::code::{Flag, Interface, Level};

#[derive(Debug, Default)]
pub struct Arguments {
    style: Style,
    parsers: usize,
    /// Something takes arguments in a way that is not read here.
    unclear: bool,
    no_help: bool,
    /// Some parser gets arguments, whatever made it: a class of the script, another module.
    adds: bool,
    /// Which subcommand a variable adds to; the program itself is the empty path.
    receivers: HashMap<String, Receiver>,
    root: Vec<Flag>,
    /// Required arguments of the program other than flags.
    positionals: Vec<String>,
    /// A parser that is not known by name takes some.
    has_stray_positionals: bool,
    /// Lists of texts, by name.
    lists: HashMap<String, Vec<String>>,
    /// Flags of a parser that is not known by name: any level may have them.
    shared: Vec<Flag>,
    commands: Vec<Level>,
    /// Functions that a parser is handed to.
    handed_to: Vec<String>,
    /// Texts that look like flags.
    literals: Vec<String>,
    by_hand: bool,
    /// All arguments are passed on, or anything that begins with hyphens is accepted.
    passed_on: bool,
    is_group: bool,
}

/// Flags, or subcommands, of a program that a person wrote.
const MOST: usize = 300;

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Style {
    #[default]
    None,
    Argparse,
    Click,
    Typer,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Receiver {
    Root,
    /// What `add_subparsers` gave.
    Choice,
    Command(String),
}

impl Arguments {
    pub fn imports(&mut self, module: &str) {
        // Programs that read their arguments in other ways.
        self.unclear |=
            matches!(module, "fire" | "docopt" | "cleo" | "plac" | "absl" | "getopt" | "tyro" | "simple_parsing");
        match module {
            "click" | "rich_click" => self.style = Style::Click,
            "typer" => self.style = Style::Typer,
            _ => {}
        }
    }

    pub fn has_parser(&self) -> bool {
        self.parsers > 0 || self.unclear || self.adds || matches!(self.style, Style::Click | Style::Typer)
    }

    pub fn passed_on(&mut self) {
        self.passed_on = true;
    }

    /// Some function gets all of them, and is not the parser.
    pub fn read_elsewhere(&mut self) {
        self.unclear |= self.parsers > 0;
    }

    pub fn by_hand(&mut self) {
        self.by_hand = true;
    }

    pub fn literal(&mut self, text: &str) {
        let name = text.split('=').next().unwrap_or_default();
        if is_flag(name) && self.literals.len() < 500 {
            self.literals.push(name.to_owned());
        }
    }

    /// `variable = path(…)`
    pub fn assigned(&mut self, variable: &str, path: &str, call: &ast::ExprCall) {
        let method = path.rsplit('.').next().unwrap_or_default();
        let on = receiver_name(&call.func).and_then(|name| self.receivers.get(name)).cloned();
        let receiver = match method {
            "ArgumentParser" | "OptionParser" => Some(Receiver::Root),
            "add_subparsers" => Some(Receiver::Choice),
            "add_parser" => {
                call.arguments.args.first().and_then(literal).map(|name| Receiver::Command(name.to_owned()))
            }
            "add_argument_group" | "add_mutually_exclusive_group" => on,
            _ => None,
        };
        match receiver {
            Some(receiver) => self.receivers.insert(variable.to_owned(), receiver),
            // The name means something else now.
            None => self.receivers.remove(variable),
        };
    }

    /// `variable = ["a", "b"]`
    pub fn list(&mut self, variable: &str, value: &Expr) {
        match texts(value) {
            Some(texts) if self.lists.len() < MOST => self.lists.insert(variable.to_owned(), texts),
            _ => self.lists.remove(variable),
        };
    }

    pub fn call(&mut self, path: &str, method: &str, call: &ast::ExprCall) {
        match method {
            "ArgumentParser" | "OptionParser" => {
                self.style = Style::Argparse;
                self.parsers += 1;
                let takes_over = ["parents", "prefix_chars"];
                self.unclear |= call.arguments.keywords.iter().any(|keyword| match keyword.arg.as_deref() {
                    None => true,
                    Some(name) => takes_over.contains(&name),
                });
                self.no_help |= is_false(call, "add_help");
            }
            "parse_known_args" | "parse_known_intermixed_args" => self.unclear = true,
            "add_typer" | "add_command" | "merge_commands" => self.unclear = true,
            "add_subparsers" => {
                self.is_group = true;
                // Subcommands of a subcommand have their own flags.
                let on = receiver_name(&call.func).and_then(|name| self.receivers.get(name));
                self.unclear |= matches!(on, Some(Receiver::Command(_)));
            }
            "add_parser" => self.subcommand(call),
            "add_argument" | "add_option" => {
                self.adds = true;
                self.add(call);
            }
            _ => {}
        }
        // A parser in other hands may be given more flags.
        for argument in call.arguments.args.iter().filter_map(Expr::as_name_expr) {
            if self.receivers.contains_key(argument.id.as_str()) {
                self.handed_to.push(path.to_owned());
            }
        }
    }

    fn subcommand(&mut self, call: &ast::ExprCall) {
        let Some(name) = call.arguments.args.first().and_then(literal) else {
            self.unclear = true;
            return;
        };
        let aliases = match call.arguments.find_keyword("aliases").map(|keyword| &keyword.value) {
            Some(Expr::List(list)) => list.elts.iter().filter_map(literal).map(str::to_owned).collect(),
            Some(_) => {
                self.unclear = true;
                Vec::new()
            }
            None => Vec::new(),
        };
        self.unclear |= call.arguments.find_keyword("parents").is_some();
        let names = std::iter::once(name.to_owned()).chain(aliases).collect();
        if self.commands.len() < MOST {
            self.commands.push(Level { names, ..Level::default() });
        }
    }

    fn add(&mut self, call: &ast::ExprCall) {
        let Some(names) = flag_names(&call.arguments) else {
            self.unclear = true;
            return;
        };
        let receiver = receiver_name(&call.func).and_then(|name| self.receivers.get(name)).cloned();
        // `add_argument("path")` is not a flag.
        if !names.iter().any(|name| name.starts_with('-')) {
            let needed = needed_positionals(call, &names);
            // The rest is passed on, including flags.
            let rest = call.arguments.find_keyword("nargs").map(|keyword| &keyword.value);
            self.unclear |= rest.is_some_and(|rest| match rest {
                Expr::Attribute(attribute) => attribute.attr.as_str() == "REMAINDER",
                other => literal(other) == Some("..."),
            });
            match receiver {
                Some(Receiver::Root) => self.positionals.extend(needed),
                Some(Receiver::Command(name)) => {
                    match self.commands.iter_mut().find(|level| level.names.contains(&name)) {
                        Some(level) => level.arguments.extend(needed),
                        None => self.has_stray_positionals = true,
                    }
                }
                Some(Receiver::Choice) | None => self.has_stray_positionals = true,
            }
            return;
        }
        let choices = self.choices(call);
        let flag = Flag { choices, ..with_negation(call, names) };
        match receiver {
            Some(Receiver::Root) => self.root.push(flag),
            Some(Receiver::Command(name)) => match self.commands.iter_mut().find(|level| level.names.contains(&name)) {
                Some(level) => level.flags.push(flag),
                None => self.shared.push(flag),
            },
            Some(Receiver::Choice) | None => self.shared.push(flag),
        }
    }

    /// The values of `choices=`, if they are accepted as written.
    fn choices(&self, call: &ast::ExprCall) -> Vec<String> {
        let value = |key: &str| call.arguments.find_keyword(key).map(|keyword| &keyword.value);
        let changes = |made: &Expr| !["str", "int", "float"].iter().any(|plain| is_named(made, plain));
        if value("type").is_some_and(changes) {
            return Vec::new();
        }
        match value("choices") {
            Some(Expr::Name(name)) => self.lists.get(name.id.as_str()).cloned().unwrap_or_default(),
            Some(list) => texts(list).unwrap_or_default(),
            None => Vec::new(),
        }
    }

    /// Functions that a decorator makes commands.
    pub fn function<'e>(&mut self, function: &'e StmtFunctionDef, path: impl Fn(&'e Expr) -> Option<Cow<'e, str>>) {
        let decorators = function.decorator_list.iter().map(|decorator| match &decorator.expression {
            Expr::Call(call) => (path(&call.func).unwrap_or_default(), Some(call)),
            other => (path(other).unwrap_or_default(), None),
        });
        let decorators: Vec<_> = decorators.collect();
        match self.style {
            Style::Click => self.click(function, &decorators),
            Style::Typer => self.typer(function, &decorators),
            Style::None | Style::Argparse => {}
        }
    }

    fn click(&mut self, function: &StmtFunctionDef, decorators: &[(Cow<'_, str>, Option<&ast::ExprCall>)]) {
        let last = |path: &str| path.rsplit('.').next().unwrap_or_default().to_owned();
        let Some((path, call)) = decorators.iter().find(|(path, _)| matches!(last(path).as_str(), "command" | "group"))
        else {
            return;
        };
        self.parsers += 1;
        let (mut flags, mut arguments) = (Vec::new(), Vec::new());
        for (decorator, call) in decorators {
            match (last(decorator).as_str(), call) {
                ("argument", Some(call)) => arguments.extend(needed_argument(call)),
                ("option", Some(call)) => match flag_names(&call.arguments) {
                    Some(names) => flags.push(click_flag(call, names)),
                    None => self.unclear = true,
                },
                ("version_option", _) => flags.push(Flag::switch("--version")),
                ("help_option" | "confirmation_option" | "password_option", _) => self.unclear = true,
                ("command" | "group" | "argument" | "pass_context" | "pass_obj", _) => {}
                // A decorator of the script's own may add options.
                _ => self.unclear = true,
            }
        }
        let named = call.and_then(|call| call.arguments.find_argument_value("name", 0)).and_then(literal);
        self.unclear |= call.is_some_and(|call| call.arguments.find_keyword("cls").is_some());
        self.unclear |= call.is_some_and(|call| call.arguments.find_keyword("context_settings").is_some());
        let of_library = path.starts_with("click.") || path.starts_with("rich_click.");
        if of_library && last(path) == "group" {
            self.unclear |= self.is_group;
            self.is_group = true;
            self.root.append(&mut flags);
        } else if of_library {
            self.root.append(&mut flags);
            self.positionals.append(&mut arguments);
        } else if last(path) == "group" {
            self.unclear = true;
        } else {
            let names = command_names(named, &function.name);
            self.commands.push(Level { names, flags, arguments, ..Level::default() });
        }
    }

    fn typer(&mut self, function: &StmtFunctionDef, decorators: &[(Cow<'_, str>, Option<&ast::ExprCall>)]) {
        let Some((path, call)) =
            decorators.iter().find(|(path, _)| path.ends_with(".command") || path.ends_with(".callback"))
        else {
            return;
        };
        self.parsers += 1;
        let (mut flags, mut arguments) = (Vec::new(), Vec::new());
        for parameter in function.parameters.iter_non_variadic_params() {
            match typer_flag(parameter) {
                Some(None) if parameter.default.is_none() && !is_context(parameter) => {
                    arguments.push(parameter.parameter.name.to_uppercase());
                }
                Some(flag) => flags.extend(flag),
                None => self.unclear = true,
            }
        }
        if path.ends_with(".callback") {
            self.is_group = true;
            self.root.append(&mut flags);
            return;
        }
        let named = call.and_then(|call| call.arguments.find_argument_value("name", 0)).and_then(literal);
        self.unclear |= call.is_some_and(|call| call.arguments.find_keyword("context_settings").is_some());
        let names = command_names(named, &function.name);
        self.commands.push(Level { names, flags, arguments, ..Level::default() });
    }

    pub fn interface(mut self, functions: &HashSet<String>) -> Interface {
        self.unclear |= self.handed_to.iter().any(|function| !functions.contains(function));
        let mut level =
            Level { flags: self.root, arguments: self.positionals, subcommands: self.commands, ..Level::default() };
        if self.has_stray_positionals {
            level.arguments.clear();
            level.subcommands.iter_mut().for_each(|level| level.arguments.clear());
        }
        // One command alone is the program in typer.
        if self.style == Style::Typer && level.subcommands.len() == 1 && !self.is_group {
            let only = level.subcommands.remove(0);
            level.flags.extend(only.flags);
            level.arguments.extend(only.arguments);
        }
        let is_vast = level.flags.len() + self.shared.len() > MOST || level.subcommands.len() >= MOST;
        let many = self.style == Style::Argparse && self.parsers > 1;
        let found = self.parsers > 0;
        if found && !is_vast {
            if !level.subcommands.is_empty() {
                // Which of the levels need it is not plain.
                self.shared.iter_mut().for_each(|flag| flag.required = false);
            }
            put_everywhere(&mut level, &self.shared);
            if !self.no_help {
                put_everywhere(&mut level, &[Flag { names: vec!["-h".into(), "--help".into()], ..Flag::switch("") }]);
            }
            if self.style == Style::Typer {
                level.flags.push(Flag::switch("--install-completion"));
                level.flags.push(Flag::switch("--show-completion"));
            }
        } else if self.by_hand {
            level.flags = self.literals.into_iter().map(|name| Flag::switch(&name)).collect();
        }
        let complete = !self.unclear
            && !many
            && !is_vast
            && (found || (self.by_hand && !self.adds && !self.passed_on && !level.flags.is_empty()));
        Interface { complete, abbreviates: self.style == Style::Argparse, level }
    }
}

impl Flag {
    fn switch(name: &str) -> Self {
        Self { names: vec![name.to_owned()], ..Self::default() }
    }
}

fn put_everywhere(level: &mut Level, flags: &[Flag]) {
    level.flags.extend_from_slice(flags);
    level.subcommands.iter_mut().for_each(|level| level.flags.extend_from_slice(flags));
}

fn receiver_name(func: &Expr) -> Option<&str> {
    Some(func.as_attribute_expr()?.value.as_name_expr()?.id.as_str())
}

/// `None`: not all are plain texts.
fn flag_names(arguments: &ast::Arguments) -> Option<Vec<String>> {
    let names: Option<Vec<String>> = arguments.args.iter().map(|name| literal(name).map(str::to_owned)).collect();
    names.filter(|names| !names.is_empty() && arguments.keywords.iter().all(|keyword| keyword.arg.is_some()))
}

fn with_negation(call: &ast::ExprCall, mut names: Vec<String>) -> Flag {
    let action = call.arguments.find_keyword("action").map(|keyword| &keyword.value);
    let switch = match action {
        Some(Expr::StringLiteral(action)) => {
            let action = action.value.to_str();
            action.starts_with("store_")
                || action.starts_with("append_")
                || matches!(action, "count" | "help" | "version")
        }
        Some(Expr::Attribute(action)) if action.attr.as_str() == "BooleanOptionalAction" => {
            let negated: Vec<String> =
                names.iter().filter_map(|name| Some(format!("--no-{}", name.strip_prefix("--")?))).collect();
            names.extend(negated);
            true
        }
        _ => false,
    };
    let many = call.arguments.find_keyword("nargs").is_some();
    Flag { names, required: is_true(call, "required"), takes_value: !switch, takes_many: many, ..Flag::default() }
}

/// The required arguments of `add_argument("path")`: one, or as many as `nargs` says.
fn needed_positionals(call: &ast::ExprCall, names: &[String]) -> Vec<String> {
    let times = match call.arguments.find_keyword("nargs").map(|keyword| &keyword.value) {
        None => 1,
        Some(Expr::StringLiteral(text)) if text.value.to_str() == "+" => 1,
        Some(Expr::NumberLiteral(number)) => match &number.value {
            ast::Number::Int(times) => times.as_u8().map_or(0, usize::from),
            ast::Number::Float(_) | ast::Number::Complex { .. } => 0,
        },
        Some(_) => 0,
    };
    // `action="version"` and similar actions take no value.
    let takes = call.arguments.find_keyword("action").is_none();
    let shown = call.arguments.find_keyword("metavar").and_then(|keyword| literal(&keyword.value));
    let name = shown.or(names.first().map(String::as_str)).unwrap_or_default();
    vec![name.to_owned(); if takes { times } else { 0 }]
}

/// The required argument of `@click.argument("path")`.
fn needed_argument(call: &ast::ExprCall) -> Option<String> {
    let free = ["nargs", "default", "envvar", "required"].iter().any(|key| call.arguments.find_keyword(key).is_some());
    call.arguments.args.first().and_then(literal).filter(|_| !free).map(str::to_owned)
}

/// A list, tuple or set of texts and whole numbers.
fn texts(list: &Expr) -> Option<Vec<String>> {
    let items = match list {
        Expr::List(list) => &list.elts,
        Expr::Tuple(tuple) => &tuple.elts,
        Expr::Set(set) => &set.elts,
        _ => return None,
    };
    let text = |item: &Expr| match item {
        Expr::NumberLiteral(number) => match &number.value {
            ast::Number::Int(number) => number.as_i64().map(|number| number.to_string()),
            ast::Number::Float(_) | ast::Number::Complex { .. } => None,
        },
        item => literal(item).map(str::to_owned),
    };
    items.iter().map(text).collect()
}

/// The values of `type=click.Choice([…])`, if case matters.
fn click_choices(call: &ast::ExprCall) -> Vec<String> {
    let kind = call.arguments.find_keyword("type").and_then(|keyword| keyword.value.as_call_expr());
    let choice = kind.filter(|kind| is_named(&kind.func, "Choice") && !is_false(kind, "case_sensitive"));
    choice.and_then(|choice| texts(choice.arguments.args.first()?)).unwrap_or_default()
}

fn click_flag(call: &ast::ExprCall, names: Vec<String>) -> Flag {
    let switch = is_true(call, "is_flag") || is_true(call, "count") || names.iter().any(|name| name.contains('/'));
    let names = names.iter().flat_map(|name| name.split('/')).map(str::trim).filter(|name| name.starts_with('-'));
    let has_default = ["default", "prompt", "envvar"].iter().any(|key| call.arguments.find_keyword(key).is_some());
    Flag {
        names: names.map(str::to_owned).collect(),
        required: is_true(call, "required") && !has_default,
        takes_value: !switch,
        takes_many: call.arguments.find_keyword("nargs").is_some(),
        choices: click_choices(call),
    }
}

/// What typer itself gives.
fn is_context(parameter: &ast::ParameterWithDefault) -> bool {
    parameter.parameter.annotation.as_deref().is_some_and(|kind| is_named(kind, "Context"))
}

/// A parameter's flag, none for an argument; `None`: it is not plain which.
fn typer_flag(parameter: &ast::ParameterWithDefault) -> Option<Option<Flag>> {
    let name = parameter.parameter.name.as_str();
    let annotation = parameter.parameter.annotation.as_deref();
    let (kind, declared) = match annotation {
        Some(Expr::Subscript(annotated)) if is_named(&annotated.value, "Annotated") => {
            let parts = annotated.slice.as_tuple_expr().map(|tuple| tuple.elts.as_slice()).unwrap_or_default();
            (parts.first(), parts.iter().find_map(Expr::as_call_expr))
        }
        other => (other, parameter.default.as_deref().and_then(Expr::as_call_expr)),
    };
    if kind.is_some_and(|kind| is_named(kind, "Context")) {
        return Some(None);
    }
    let is_bool = kind.is_some_and(|kind| is_named(kind, "bool"));
    let own = |negatable: bool| {
        let long = format!("--{}", name.replace('_', "-"));
        let negated = negatable.then(|| format!("--no-{}", name.replace('_', "-")));
        std::iter::once(long).chain(negated).collect::<Vec<_>>()
    };
    match declared {
        Some(call) if is_named(&call.func, "Argument") => Some(None),
        Some(call) if is_named(&call.func, "Option") => {
            let given: Vec<String> = call
                .arguments
                .args
                .iter()
                .filter_map(literal)
                .filter(|text| text.starts_with('-'))
                .flat_map(|text| text.split('/'))
                .map(|text| text.trim().to_owned())
                .collect();
            let names = if given.is_empty() { own(is_bool) } else { given };
            let ellipsis = call.arguments.args.first().is_some_and(Expr::is_ellipsis_literal_expr);
            Some(Some(Flag { names, required: ellipsis, takes_value: !is_bool, ..Flag::default() }))
        }
        Some(_) => None,
        None if parameter.default.is_some() => {
            Some(Some(Flag { names: own(is_bool), takes_value: !is_bool, ..Flag::default() }))
        }
        None => Some(None),
    }
}

/// Click leaves out some endings, depending on its version; all spellings are taken.
fn command_names(named: Option<&str>, function: &str) -> Vec<String> {
    if let Some(name) = named {
        return vec![name.to_owned()];
    }
    let plain = function.replace('_', "-").to_lowercase();
    let cut =
        ["-command", "-cmd", "-group", "-grp"].iter().find_map(|ending| plain.strip_suffix(ending)).map(str::to_owned);
    std::iter::once(plain.clone()).chain(cut).collect()
}

fn keyword_is(call: &ast::ExprCall, key: &str, wanted: bool) -> bool {
    let value = call.arguments.find_keyword(key).map(|keyword| &keyword.value);
    matches!(value, Some(Expr::BooleanLiteral(value)) if value.value == wanted)
}

fn is_true(call: &ast::ExprCall, key: &str) -> bool {
    keyword_is(call, key, true)
}

fn is_false(call: &ast::ExprCall, key: &str) -> bool {
    keyword_is(call, key, false)
}

fn is_flag(text: &str) -> bool {
    let name = text.trim_start_matches('-');
    text.starts_with('-')
        && text.len() - name.len() <= 2
        && name.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}
