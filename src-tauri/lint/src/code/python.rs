//! Python, read by the parser of ruff: one walk over the tree takes down all facts.

mod arguments;
mod expression;
mod placement;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{self as ast, ExceptHandler, Expr, Number, Stmt};
use ruff_python_parser::{Mode, ParseOptions, Parsed, parse_unchecked};
use ruff_text_size::{Ranged, TextRange};

use self::arguments::Arguments;
use self::expression::{is_named, literal};
use super::stack::with_room;
use super::{Facts, Import, Named, SyntaxError, Variable, known};
use skill::source::Span;

pub fn read(source: &str) -> (Option<SyntaxError>, Facts) {
    if is_python_2(source) {
        return Default::default();
    }
    with_room(source, || {
        let parsed = parse(source);
        let mut error = first_error(&parsed, source);
        let mut reader = Reader::new(source);
        if let ast::Mod::Module(module) = parsed.syntax() {
            reader.visit_body(&module.body);
            error = error.or_else(|| placement::error(&module.body)).filter(|_| !source.contains("{%"));
        }
        (error, reader.finish())
    })
    .unwrap_or_default()
}

/// A name that is declared where it may not be, in a text that parses and may be a piece of a program.
pub fn misdeclared(source: &str) -> Option<SyntaxError> {
    if !["nonlocal ", "global "].iter().any(|word| source.contains(word)) {
        return None;
    }
    with_room(source, || match parse(source).syntax() {
        ast::Mod::Module(module) => placement::misdeclared(&module.body),
        ast::Mod::Expression(_) => None,
    })?
}

pub fn error(source: &str) -> Option<SyntaxError> {
    with_room(source, || first_error(&parse(source), source))?
}

fn parse(source: &str) -> Parsed<ast::Mod> {
    parse_unchecked(source, ParseOptions::from(Mode::Module))
}

fn first_error(parsed: &Parsed<ast::Mod>, source: &str) -> Option<SyntaxError> {
    let error = parsed.errors().iter().min_by_key(|error| error.location.start())?;
    let mut span = place(error.location);
    // An error at the end of a line has no width.
    if span.of(source).trim().is_empty() {
        let start = source[..span.start].rfind('\n').map_or(0, |at| at + 1);
        let line = Span::new(start, span.start).trim(source);
        span = if line.is_empty() { Span::new(span.start, span.start) } else { line };
    }
    let span = Span::new(span.start, span.of(source).find('\n').map_or(span.end, |at| span.start + at));
    Some(SyntaxError::quoted(span, lower_first(&error.error.to_string())))
}

fn is_python_2(source: &str) -> bool {
    let first = source.lines().next().unwrap_or_default();
    first.starts_with("#!") && first.contains("python2")
}

struct Reader<'a> {
    source: &'a str,
    facts: Facts,
    /// What names mean: `sp` for `subprocess` after `import subprocess as sp`.
    names: HashMap<String, String>,
    /// Variables that hold a text, and variables that hold a path outside.
    outside: HashMap<String, String>,
    functions: HashSet<String>,
    /// Those of them that parse nothing.
    others: HashSet<String>,
    /// What is called with all arguments.
    rest_to: Vec<String>,
    arguments: Arguments,
    /// Around an import: something that catches its absence.
    guards: usize,
    /// Reads of the environment that have a default, or need none.
    defaulted: HashSet<TextRange>,
    /// Texts for readers of the code.
    docs: HashSet<TextRange>,
    /// Flags in the lists that other programs are started with.
    of_others: HashSet<TextRange>,
    networks: bool,
    addresses: Vec<Named>,
    /// Some text may contain a path in a user's home.
    has_home: bool,
}

impl<'a> Reader<'a> {
    fn new(source: &'a str) -> Self {
        let lower = source.to_ascii_lowercase();
        let told = ["--help", "usage", "expected one of", "must be one of"];
        let helps = told.iter().any(|words| lower.contains(words));
        Self {
            source,
            facts: Facts { helps, ..Facts::default() },
            names: HashMap::new(),
            outside: HashMap::new(),
            functions: HashSet::new(),
            others: HashSet::new(),
            rest_to: Vec::new(),
            arguments: Arguments::default(),
            guards: 0,
            defaulted: HashSet::new(),
            docs: HashSet::new(),
            of_others: HashSet::new(),
            networks: false,
            addresses: Vec::new(),
            has_home: known::has_home(source),
        }
    }

    fn finish(mut self) -> Facts {
        if self.networks {
            self.facts.hosts.append(&mut self.addresses);
        }
        if self.functions.contains("input") {
            self.facts.prompts.retain(|prompt| prompt.name != "input");
        }
        if self.rest_to.iter().any(|function| self.others.contains(function)) {
            self.arguments.read_elsewhere();
        }
        self.facts.by_hand &= !self.arguments.has_parser();
        self.facts.helps |= self.arguments.has_parser();
        self.facts.interface = self.arguments.interface(&self.functions);
        self.facts
    }

    fn import(&mut self, module: &str, range: TextRange) {
        let name = module.split('.').next().unwrap_or_default();
        if NETWORKS.contains(&name) || module.starts_with("urllib.request") || module == "http.client" {
            self.networks = true;
        }
        let import = Import { name: name.to_owned(), span: place(range), optional: self.guards > 0 };
        self.facts.imports.push(import);
        self.arguments.imports(name);
    }

    fn imports(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Import(import) => {
                for alias in &import.names {
                    self.import(&alias.name, alias.range());
                    let root = alias.name.split('.').next().unwrap_or_default();
                    let (local, full) = match &alias.asname {
                        Some(local) => (local.as_str(), alias.name.as_str()),
                        None => (root, root),
                    };
                    self.names.insert(local.to_owned(), full.to_owned());
                }
            }
            Stmt::ImportFrom(import) if import.level == 0 => {
                let Some(module) = &import.module else { return };
                self.import(module, module.range());
                for alias in &import.names {
                    let local = alias.asname.as_ref().unwrap_or(&alias.name);
                    self.names.insert(local.to_string(), format!("{module}.{}", alias.name));
                }
            }
            _ => {}
        }
    }

    /// The dotted path of a name, with imports resolved: `run` is `subprocess.run` after `from subprocess import run`.
    fn path<'e>(&'e self, expr: &'e Expr) -> Option<Cow<'e, str>> {
        path_in(&self.names, expr)
    }

    /// All arguments of the script, as `sys.argv[1:]`.
    fn is_rest(&self, expr: &Expr) -> bool {
        let slice = expr.as_subscript_expr().filter(|subscript| subscript.slice.is_slice_expr());
        slice.is_some_and(|subscript| self.path(&subscript.value).as_deref() == Some("sys.argv"))
    }

    fn call(&mut self, call: &ast::ExprCall) {
        let range = call.range();
        let path = path_in(&self.names, &call.func).unwrap_or_default();
        let method = match &*call.func {
            Expr::Attribute(attribute) => attribute.attr.as_str(),
            Expr::Name(name) => name.id.as_str(),
            _ => "",
        };
        self.arguments.call(&path, method, call);
        let any_flag = method == "startswith"
            && call.arguments.args.first().and_then(literal).is_some_and(|text| matches!(text, "-" | "--"));
        let is_rest = path != "len" && call.arguments.args.iter().any(|argument| self.is_rest(argument));
        if is_rest {
            self.rest_to.push(path.clone().into_owned());
        }
        if any_flag || is_rest {
            self.arguments.passed_on();
        }
        match &*path {
            "os.getenv" | "os.environ.get" => {
                self.environment(call.arguments.args.first(), range, call.arguments.len() > 1)
            }
            "os.environ.setdefault" | "os.environ.pop" => self.environment(call.arguments.args.first(), range, true),
            "input"
            | "getpass.getpass"
            | "click.prompt"
            | "click.confirm"
            | "click.pause"
            | "typer.prompt"
            | "typer.confirm"
            | "inquirer.prompt"
            | "rich.prompt.Prompt.ask"
            | "rich.prompt.Confirm.ask" => {
                self.facts.prompts.push(Named { name: path.into_owned(), span: place(range) });
            }
            "shutil.which" => {
                self.facts.looked_for.extend(call.arguments.args.first().and_then(literal).map(str::to_owned));
            }
            "sys.exit" | "exit" | "quit" | "os._exit" | "SystemExit" => self.exit(call),
            "json.dump" => self.facts.prints_data |= self.mentions_stdout(call),
            "print" => self.print(call),
            "open" | "io.open" => self.opened(call),
            "os.makedirs" | "os.mkdir" | "os.remove" | "os.unlink" | "os.rename" | "shutil.rmtree" => {
                self.written(call.arguments.args.first());
            }
            "shutil.copy" | "shutil.copy2" | "shutil.copyfile" | "shutil.copytree" | "shutil.move" => {
                self.written(call.arguments.args.get(1));
            }
            _ if is_runner(&path) => self.runs(call),
            _ => {}
        }
        match method {
            "isatty" => self.facts.checks_terminal = true,
            "error" | "exit" | "fail" | "abort" => self.facts.fails = true,
            "write_text" | "write_bytes" | "mkdir" | "touch" | "unlink" | "rmdir" => {
                if let Expr::Attribute(attribute) = &*call.func {
                    self.written(Some(&attribute.value));
                }
            }
            _ => {}
        }
        if REQUESTS.contains(&method) {
            let given = call.arguments.args.iter().chain(call.arguments.keywords.iter().map(|keyword| &keyword.value));
            given.for_each(|argument| self.address(argument));
        }
    }

    fn environment(&mut self, name: Option<&Expr>, range: TextRange, has_default: bool) {
        let Some(name) = name.and_then(literal) else { return };
        // Code that can do without it does not complain if it is missing.
        let is_asked_for = self.source[usize::from(range.start())..usize::from(range.end())].ends_with(']');
        let is_missed = is_asked_for || says_it_is_missing(self.source, name);
        let needed = !has_default && is_missed && !self.defaulted.contains(&range);
        self.facts.variables.push(Variable { name: name.to_owned(), span: place(range), needed });
    }

    fn exit(&mut self, call: &ast::ExprCall) {
        let span = place(call.range());
        match call.arguments.args.first() {
            None => self.facts.exits.push((0, span)),
            Some(Expr::NumberLiteral(number)) => {
                let code = match &number.value {
                    Number::Int(code) => code.as_i64().unwrap_or(1),
                    Number::Float(_) | Number::Complex { .. } => 1,
                };
                self.facts.fails |= code != 0;
                self.facts.exits.push((code, span));
            }
            Some(Expr::NoneLiteral(_)) => self.facts.exits.push((0, span)),
            Some(Expr::StringLiteral(_) | Expr::FString(_)) => {
                self.facts.fails = true;
                self.facts.exits.push((1, span));
            }
            Some(_) => self.facts.fails = true,
        }
    }

    fn mentions_stdout(&self, call: &ast::ExprCall) -> bool {
        call.arguments.args.iter().any(|argument| self.path(argument).as_deref() == Some("sys.stdout"))
    }

    fn print(&mut self, call: &ast::ExprCall) {
        if call.arguments.find_keyword("file").is_some() {
            return;
        }
        let [argument] = &*call.arguments.args else { return };
        let Expr::Call(inner) = argument else { return };
        let path = self.path(&inner.func).unwrap_or_default();
        self.facts.prints_data |= path == "json.dumps";
        let reads = matches!(&*inner.func, Expr::Attribute(attribute)
            if matches!(attribute.attr.as_str(), "read" | "read_text") && !attribute.value.is_name_expr());
        if reads && inner.arguments.is_empty() {
            self.facts.floods.push(place(call.range()));
        }
    }

    fn opened(&mut self, call: &ast::ExprCall) {
        let mode = call.arguments.find_argument_value("mode", 1).and_then(literal).unwrap_or("r");
        if mode.contains(['w', 'a', 'x', '+']) {
            self.written(call.arguments.args.first());
        }
    }

    fn written(&mut self, target: Option<&Expr>) {
        let Some(target) = target else { return };
        if let Some(name) = self.outside(target, 0) {
            self.facts.writes.push(Named { name, span: place(target.range()) });
        }
    }

    /// The path of an expression that leads out of the folder the script is run in, as far as it is known.
    fn outside(&self, expr: &Expr, depth: usize) -> Option<String> {
        if depth > 8 {
            return None;
        }
        let at = |text: &str| known::is_outside(text).then(|| text.to_owned());
        match expr {
            Expr::StringLiteral(text) => at(text.value.to_str()),
            Expr::FString(text) => at(&beginning(text)),
            Expr::BinOp(both) => {
                let left = self.outside(&both.left, depth + 1)?;
                Some(match literal(&both.right) {
                    Some(right) if both.op.is_div() => format!("{}/{right}", left.trim_end_matches('/')),
                    Some(right) if both.op.is_add() => format!("{left}{right}"),
                    _ => left,
                })
            }
            Expr::Name(name) => self.outside.get(name.id.as_str()).cloned(),
            Expr::Attribute(attribute) if attribute.attr.as_str() == "parent" => {
                self.outside(&attribute.value, depth + 1)
            }
            Expr::Call(call) => {
                let path = self.path(&call.func).unwrap_or_default();
                match &*path {
                    "pathlib.Path.home" => Some("~".into()),
                    "pathlib.Path" | "os.path.join" | "os.path.expanduser" | "str" => {
                        self.outside(call.arguments.args.first()?, depth + 1)
                    }
                    _ => match &*call.func {
                        Expr::Attribute(attribute) => self.outside(&attribute.value, depth + 1),
                        _ => None,
                    },
                }
            }
            _ => None,
        }
    }

    fn runs(&mut self, call: &ast::ExprCall) {
        let Some(command) = call.arguments.args.first() else { return };
        let (word, range) = match command {
            Expr::List(list) => match list.elts.first() {
                Some(first) => (literal(first).map(str::to_owned), first.range()),
                None => return,
            },
            Expr::StringLiteral(text) => (first_word(text.value.to_str()), command.range()),
            Expr::FString(text) => {
                (first_word(&beginning(text)).filter(|_| beginning(text).contains(' ')), command.range())
            }
            _ => return,
        };
        if let Some(name) = word.filter(|word| known::is_program_name(word)) {
            self.facts.programs.push(Named { name, span: place(range) });
        }
    }

    fn address(&mut self, expr: &Expr) {
        let text = match expr {
            Expr::StringLiteral(text) => text.value.to_str().to_owned(),
            Expr::FString(text) => beginning(text),
            _ => return,
        };
        // The rest of an f-string decides where its beginning ends.
        let complete = text.matches('/').count() > 2 || expr.is_string_literal_expr();
        if let Some(name) = known::host(&text).filter(|_| complete) {
            self.addresses.push(Named { name, span: place(expr.range()) });
        }
    }

    fn assign(&mut self, target: &Expr, value: &Expr) {
        let Expr::Name(name) = target else { return };
        if let Some(path) = self.outside(value, 0) {
            self.outside.insert(name.id.to_string(), path);
        }
        let upper = name.id.to_ascii_uppercase();
        if ["URL", "API", "ENDPOINT", "HOST", "BASE", "SERVER"].iter().any(|mark| upper.contains(mark)) {
            self.address(value);
        }
        if let Expr::Call(call) = value {
            let path = path_in(&self.names, &call.func).unwrap_or_default();
            self.arguments.assigned(&name.id, &path, call);
        }
        self.arguments.list(&name.id, value);
        // Another name for the environment, or for what reads it.
        if let Some(path) =
            self.path(value).filter(|path| matches!(&**path, "os.environ" | "os.getenv" | "os.environ.get"))
        {
            let path = path.into_owned();
            self.names.insert(name.id.to_string(), path);
        }
    }

    /// Progress on standard output, unless the script ends after it.
    fn chatter(&mut self, body: &[Stmt]) {
        let ends = |stmt: &Stmt| match stmt {
            Stmt::Return(_) | Stmt::Raise(_) => true,
            Stmt::Expr(expr) => matches!(&*expr.value, Expr::Call(call)
                if self.path(&call.func).is_some_and(|path| path.contains("exit") || path.contains("fail") || path.contains("die"))),
            _ => false,
        };
        let last_end = body.iter().rposition(ends);
        for (at, stmt) in body.iter().enumerate() {
            let Stmt::Expr(expr) = stmt else { continue };
            let Expr::Call(call) = &*expr.value else { continue };
            if last_end.is_some_and(|end| end > at) || self.path(&call.func).as_deref() != Some("print") {
                continue;
            }
            let text = match call.arguments.args.first() {
                Some(Expr::StringLiteral(text)) => text.value.to_str().to_owned(),
                Some(Expr::FString(text)) => beginning(text),
                _ => continue,
            };
            if is_chatter(&text) && call.arguments.find_keyword("file").is_none() {
                self.facts.chatter.push(place(call.range()));
            }
        }
    }

    fn handler(&mut self, handler: &ast::ExceptHandlerExceptHandler) {
        let is_print = |stmt: &Stmt| match stmt {
            Stmt::Expr(expr) => matches!(&*expr.value, Expr::Call(call)
                if self.path(&call.func).is_some_and(|path| matches!(&*path, "print" | "traceback.print_exc"))),
            _ => false,
        };
        if !handler.body.is_empty() && handler.body.iter().all(is_print) {
            self.facts.swallowed.push(place(handler.range()));
        }
    }

    fn text(&mut self, text: &ast::ExprStringLiteral) {
        if self.docs.contains(&text.range()) {
            return;
        }
        if !self.of_others.contains(&text.range()) {
            self.arguments.literal(text.value.to_str());
        }
        self.home(text.range());
    }

    fn home(&mut self, range: TextRange) {
        let range = place(range);
        let found = if self.has_home { known::home_path(range.of(self.source)) } else { None };
        self.facts.homes.extend(found.map(|(name, span)| Named { name, span: span.shift(range.start) }));
    }

    fn statement(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Import(_) | Stmt::ImportFrom(_) => self.imports(stmt),
            Stmt::Assign(assign) => assign.targets.iter().for_each(|target| self.assign(target, &assign.value)),
            Stmt::AnnAssign(assign) => {
                if let Some(value) = &assign.value {
                    self.assign(&assign.target, value);
                }
            }
            Stmt::FunctionDef(function) => {
                self.functions.insert(function.name.to_string());
                if !place(function.range()).of(self.source).contains("pars") {
                    self.others.insert(function.name.to_string());
                }
                let names = &self.names;
                self.arguments.function(function, |expr| path_in(names, expr));
            }
            Stmt::Raise(_) => self.facts.fails = true,
            Stmt::Assert(_) => self.facts.fails = true,
            Stmt::Expr(expr) if expr.value.is_string_literal_expr() => {
                self.docs.insert(expr.value.range());
            }
            Stmt::If(test) => {
                self.defaulted.insert(test.test.range());
            }
            _ => {}
        }
    }

    fn expression(&mut self, expr: &Expr) {
        match expr {
            Expr::Call(call) => self.call(call),
            Expr::Subscript(subscript) => match self.path(&subscript.value).as_deref() {
                Some("os.environ") if subscript.ctx.is_load() => {
                    self.environment(Some(&subscript.slice), expr.range(), false);
                }
                Some("os.environ") => {
                    self.facts.sets.extend(literal(&subscript.slice).map(str::to_owned));
                }
                Some("sys.argv") => self.facts.by_hand = true,
                _ => {}
            },
            Expr::List(list) => {
                let is_flag = |item: &&Expr| literal(item).is_some_and(|text| text.starts_with('-'));
                let flags: Vec<TextRange> = list.elts.iter().filter(is_flag).map(Ranged::range).collect();
                // `["exiftool", "-b", path]`, and not `["-h", "--help"]`.
                if flags.len() < list.elts.len() {
                    self.of_others.extend(flags);
                }
            }
            Expr::If(either) if self.is_rest(&either.body) || self.is_rest(&either.orelse) => {
                self.arguments.passed_on();
            }
            Expr::Starred(starred) if self.is_rest(&starred.value) => self.arguments.passed_on(),
            Expr::BinOp(both) if self.is_rest(&both.left) || self.is_rest(&both.right) => self.arguments.passed_on(),
            Expr::Attribute(attribute)
                if attribute.attr.as_str() == "argv" && self.path(expr).as_deref() == Some("sys.argv") =>
            {
                self.arguments.by_hand();
            }
            // In an `or`, all but the last have a default: the next one. In an `and`, each is tested.
            Expr::BoolOp(both) => {
                let but_last = both.values.len().saturating_sub(usize::from(both.op.is_or()));
                self.defaulted.extend(both.values.iter().take(but_last).map(Ranged::range));
            }
            // A value that is compared with something is a switch.
            Expr::Compare(compared) => {
                self.defaulted.insert(compared.left.range());
            }
            Expr::If(choice) => {
                self.defaulted.insert(choice.test.range());
            }
            Expr::StringLiteral(text) => self.text(text),
            Expr::FString(text) => self.home(text.range()),
            _ => {}
        }
    }
}

impl Reader<'_> {
    /// The body of a `try`: a program whose absence is caught was looked for.
    fn tries<'v>(&mut self, attempt: &'v ast::StmtTry)
    where
        Self: Visitor<'v>,
    {
        let before = self.facts.programs.len();
        self.visit_body(&attempt.body);
        if attempt.handlers.iter().any(catches_no_program) {
            let tried: Vec<String> = self.facts.programs[before..].iter().map(|program| program.name.clone()).collect();
            self.facts.looked_for.extend(tried);
        }
    }
}

impl<'a> Visitor<'a> for Reader<'_> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        self.statement(stmt);
        match stmt {
            Stmt::Try(attempt) if attempt.handlers.iter().any(catches_absence) => {
                let before = self.facts.imports.len();
                self.guards += 1;
                self.tries(attempt);
                let tried = &self.facts.imports[before..];
                // A backport of a module of newer Pythons is needed only by older ones.
                let is_stand_in = !tried.is_empty() && tried.iter().all(|import| known::is_python_own(&import.name));
                self.guards -= usize::from(!is_stand_in);
                attempt.handlers.iter().for_each(|handler| self.visit_except_handler(handler));
                self.guards -= usize::from(is_stand_in);
                self.visit_body(&attempt.orelse);
                self.visit_body(&attempt.finalbody);
            }
            Stmt::Try(attempt) => {
                self.tries(attempt);
                attempt.handlers.iter().for_each(|handler| self.visit_except_handler(handler));
                self.visit_body(&attempt.orelse);
                self.visit_body(&attempt.finalbody);
            }
            Stmt::If(test) if is_named(&test.test, "TYPE_CHECKING") || asks_version(&test.test) => {
                self.guards += 1;
                visitor::walk_stmt(self, stmt);
                self.guards -= 1;
            }
            Stmt::With(with) if with.items.iter().any(|item| suppresses_absence(&item.context_expr)) => {
                self.guards += 1;
                visitor::walk_stmt(self, stmt);
                self.guards -= 1;
            }
            _ => visitor::walk_stmt(self, stmt),
        }
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        self.expression(expr);
        visitor::walk_expr(self, expr);
    }

    fn visit_except_handler(&mut self, handler: &'a ExceptHandler) {
        let ExceptHandler::ExceptHandler(inner) = handler;
        self.handler(inner);
        visitor::walk_except_handler(self, handler);
    }

    fn visit_body(&mut self, body: &'a [Stmt]) {
        self.chatter(body);
        visitor::walk_body(self, body);
    }
}

/// Modules that talk to other machines.
const NETWORKS: [&str; 6] = ["requests", "httpx", "aiohttp", "urllib3", "websockets", "websocket"];

/// Methods whose arguments hold an address.
const REQUESTS: [&str; 16] = [
    "get",
    "post",
    "put",
    "patch",
    "delete",
    "head",
    "request",
    "urlopen",
    "urlretrieve",
    "Request",
    "stream",
    "Client",
    "AsyncClient",
    "connect",
    "ClientSession",
    "ws_connect",
];

const CHATTER: [&str; 26] = [
    "loading",
    "processing",
    "reading",
    "fetching",
    "downloading",
    "uploading",
    "starting",
    "running",
    "warning",
    "error:",
    "info:",
    "debug",
    "done",
    "finished",
    "saving",
    "writing",
    "connecting",
    "parsing",
    "analyzing",
    "converting",
    "generating",
    "[info]",
    "[debug]",
    "正在",
    "警告",
    "完成",
];

fn is_chatter(text: &str) -> bool {
    let lower = text.trim_start_matches(|letter: char| !letter.is_alphanumeric() && letter != '[').to_lowercase();
    CHATTER.iter().any(|word| lower.starts_with(word))
}

fn is_runner(path: &str) -> bool {
    let runners = ["run", "call", "check_call", "check_output", "Popen", "getoutput", "getstatusoutput"];
    path.strip_prefix("subprocess.").is_some_and(|name| runners.contains(&name))
        || matches!(path, "os.system" | "os.popen")
}

/// `suppress(ImportError)`
fn suppresses_absence(expr: &Expr) -> bool {
    let Expr::Call(call) = expr else { return false };
    is_named(&call.func, "suppress") && call.arguments.args.iter().any(is_absence)
}

fn is_absence(expr: &Expr) -> bool {
    matches!(expr, Expr::Name(name) if matches!(name.id.as_str(), "ImportError" | "ModuleNotFoundError" | "Exception"))
}

/// Whether a line complains that a variable is not set.
fn says_it_is_missing(source: &str, name: &str) -> bool {
    let complains = |line: &str| {
        let line = line.to_lowercase();
        ["error", "raise", "exit", "required", "missing", "not set", "must", "please"]
            .iter()
            .any(|word| line.contains(word))
    };
    source.lines().filter(|line| line.contains(name)).any(complains)
}

/// Whether a handler is there for a program that is not.
fn catches_no_program(handler: &ExceptHandler) -> bool {
    let ExceptHandler::ExceptHandler(handler) = handler;
    let is_one =
        |one: &Expr| ["FileNotFoundError", "OSError", "IOError", "Exception"].iter().any(|name| is_named(one, name));
    match handler.type_.as_deref() {
        None => true,
        Some(Expr::Tuple(several)) => several.elts.iter().any(is_one),
        Some(one) => is_one(one),
    }
}

fn catches_absence(handler: &ExceptHandler) -> bool {
    let ExceptHandler::ExceptHandler(handler) = handler;
    match handler.type_.as_deref() {
        None => true,
        Some(Expr::Tuple(several)) => several.elts.iter().any(is_absence),
        Some(one) => is_absence(one),
    }
}

/// `sys.version_info >= (3, 11)`, `sys.version_info[0] < 3`
fn asks_version(test: &Expr) -> bool {
    match test {
        Expr::Compare(compared) => asks_version(&compared.left),
        Expr::Subscript(subscript) => asks_version(&subscript.value),
        _ => is_named(test, "version_info"),
    }
}

fn path_in<'e>(names: &'e HashMap<String, String>, expr: &'e Expr) -> Option<Cow<'e, str>> {
    match expr {
        Expr::Name(name) => Some(names.get(name.id.as_str()).map_or(name.id.as_str(), String::as_str).into()),
        Expr::Attribute(attribute) => Some(path_in(names, &attribute.value)? + "." + attribute.attr.as_str()),
        _ => None,
    }
}

/// The beginning of an f-string, up to its first value.
fn beginning(text: &ast::ExprFString) -> String {
    let mut out = String::new();
    for part in text.value.iter() {
        match part {
            ast::FStringPart::Literal(literal) => out.push_str(&literal.value),
            ast::FStringPart::FString(inner) => {
                for element in inner.elements.iter() {
                    match element.as_literal() {
                        Some(literal) => out.push_str(&literal.value),
                        None => return out,
                    }
                }
            }
        }
    }
    out
}

fn first_word(command: &str) -> Option<String> {
    command.split_whitespace().find(|word| !word.contains('=')).map(str::to_owned)
}

fn place(range: TextRange) -> Span {
    Span::new(range.start().to_usize(), range.end().to_usize())
}

fn lower_first(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_ascii_lowercase());
    first.into_iter().chain(letters).collect::<String>().trim_end_matches('.').to_owned()
}
