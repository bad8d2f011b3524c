//! Code that parses but is not Python: statements and expressions in places where they are not allowed.

use std::collections::HashSet;

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Comprehension, Expr, Identifier, Parameters, Stmt, StmtFunctionDef};
use ruff_text_size::{Ranged, TextRange};

use super::super::SyntaxError;
use super::place;
use wording::Message;
use wording::message;

/// The first thing in a place where it is not allowed.
pub fn error(body: &[Stmt]) -> Option<SyntaxError> {
    looked(body, None)
}

/// The first name that is declared where it may not be, in what may be a piece of a program: its surroundings are
/// unknown, and a piece that imports counts as a whole program.
pub fn misdeclared(body: &[Stmt]) -> Option<SyntaxError> {
    let imports = body.iter().any(|stmt| matches!(stmt, Stmt::Import(_) | Stmt::ImportFrom(_)));
    let assigned = body.iter().filter(|_| imports).filter_map(|stmt| match stmt {
        Stmt::Assign(assign) => Some(assign.targets.as_slice()),
        Stmt::AnnAssign(assign) => Some(std::slice::from_ref(&*assign.target)),
        _ => None,
    });
    let names = assigned.flatten().filter_map(|target| Some(target.as_name_expr()?.id.to_string()));
    looked(body, Some(names.collect()))
}

fn looked(body: &[Stmt], piece: Option<HashSet<String>>) -> Option<SyntaxError> {
    let mut placement = Placement { piece, scope: Scope::default(), declares: false, error: None };
    placement.visit_body(body);
    placement.error
}

struct Placement {
    /// For a piece, the names that are surely those of a module. Only declarations are checked there.
    piece: Option<HashSet<String>>,
    scope: Scope,
    /// The current function declares some names as `global` or `nonlocal`.
    declares: bool,
    error: Option<SyntaxError>,
}

/// The scope of a statement.
#[derive(Clone, Copy, Default)]
struct Scope {
    function: Function,
    in_loop: bool,
    /// How many functions are around it.
    functions: usize,
}

/// The innermost function around something.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Function {
    /// There is none. Notebooks and shells take `await` there.
    #[default]
    None,
    Plain,
    Async,
    /// `(… for … in …)` becomes an asynchronous generator through its contents.
    Generator,
}

impl Placement {
    fn say(&mut self, range: TextRange, reason: Message) {
        if self.piece.is_none() {
            self.say_of_declaration(range, reason);
        }
    }

    fn say_of_declaration(&mut self, range: TextRange, reason: Message) {
        self.error.get_or_insert_with(|| SyntaxError { span: place(range), reason });
    }

    /// `what` is for asynchronous functions alone.
    fn asynchronous(&mut self, range: TextRange, what: &str) {
        if self.scope.function == Function::Plain {
            self.say(range, message!("`{what}` in a function that is not `async`", "`{what}` 出现在非 `async` 函数中"));
        }
    }

    /// Whether there is a function around this one, or around this class, whose names `nonlocal` may mean.
    fn has_outer_names(&self) -> bool {
        self.scope.functions > usize::from(self.scope.function != Function::None)
    }

    fn within(&mut self, scope: Scope, look: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.scope, scope);
        look(self);
        self.scope = outer;
    }

    fn function(&mut self, function: &StmtFunctionDef) {
        // The head of a function belongs to the scope around it.
        function.decorator_list.iter().for_each(|decorator| self.visit_decorator(decorator));
        self.parameters(&function.parameters);
        let kind = if function.is_async { Function::Async } else { Function::Plain };
        let functions = self.scope.functions + 1;
        let outer = std::mem::take(&mut self.declares);
        self.within(Scope { function: kind, in_loop: false, functions }, |inner| inner.visit_body(&function.body));
        if std::mem::replace(&mut self.declares, outer) {
            self.declared(function);
        }
    }

    /// `nonlocal` and `global` come before what they are about.
    fn declared(&mut self, function: &StmtFunctionDef) {
        let mut names = Names::default();
        names.seen.extend(function.parameters.iter().map(|parameter| parameter.name().as_str()));
        names.visit_body(&function.body);
        if let Some((range, word, name)) = names.late {
            self.say_of_declaration(
                range,
                message!("`{name}` is used before `{word} {name}`", "`{name}` 在 `{word} {name}` 之前已经使用"),
            );
        }
    }

    fn parameters(&mut self, parameters: &Parameters) {
        let mut names = HashSet::new();
        for parameter in parameters.iter() {
            if !names.insert(parameter.name().as_str()) {
                self.say(
                    parameter.name().range(),
                    message!("two arguments are called `{}`", "有两个参数都叫 `{}`", parameter.name()),
                );
            }
        }
        self.visit_parameters(parameters);
    }

    /// A comprehension without its first iterable, which belongs to the scope around it.
    fn generated(&mut self, values: &[&Expr], generators: &[Comprehension]) {
        if let Some(first) = generators.first() {
            self.visit_expr(&first.iter);
        }
        self.within(Scope { function: Function::Generator, ..self.scope }, |inner| {
            values.iter().for_each(|value| inner.visit_expr(value));
            for (at, generator) in generators.iter().enumerate() {
                if at > 0 {
                    inner.visit_expr(&generator.iter);
                }
                generator.ifs.iter().for_each(|test| inner.visit_expr(test));
            }
        });
    }

    fn comprehension(&mut self, expr: &Expr, generators: &[Comprehension]) {
        if generators.iter().any(|generator| generator.is_async) {
            self.asynchronous(expr.range(), "async for");
        }
        visitor::walk_expr(self, expr);
    }
}

/// The names that a function has used so far, itself: not those of functions and classes in it.
#[derive(Default)]
struct Names<'a> {
    seen: HashSet<&'a str>,
    /// The first name that is declared too late, and the word for it.
    late: Option<(TextRange, &'static str, &'a str)>,
}

impl<'a> Names<'a> {
    fn declare(&mut self, range: TextRange, word: &'static str, names: &'a [Identifier]) {
        let late = names.iter().find(|name| self.seen.contains(name.as_str()));
        if let Some(name) = late.filter(|_| self.late.is_none()) {
            self.late = Some((range, word, name.as_str()));
        }
    }
}

impl<'a> Visitor<'a> for Names<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::FunctionDef(function) => {
                self.seen.insert(&function.name);
            }
            Stmt::ClassDef(class) => {
                self.seen.insert(&class.name);
            }
            Stmt::Global(global) => self.declare(global.range, "global", &global.names),
            Stmt::Nonlocal(nonlocal) => self.declare(nonlocal.range, "nonlocal", &nonlocal.names),
            _ => visitor::walk_stmt(self, stmt),
        }
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Name(name) => {
                self.seen.insert(name.id.as_str());
            }
            // Names in these are their own.
            Expr::Lambda(_) | Expr::Generator(_) | Expr::ListComp(_) | Expr::SetComp(_) | Expr::DictComp(_) => {}
            _ => visitor::walk_expr(self, expr),
        }
    }
}

impl<'a> Visitor<'a> for Placement {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        let in_loop = Scope { in_loop: true, ..self.scope };
        match stmt {
            Stmt::FunctionDef(function) => self.function(function),
            Stmt::ClassDef(class) => {
                let inside = Scope { functions: self.scope.functions, ..Scope::default() };
                self.within(inside, |inner| inner.visit_body(&class.body));
            }
            Stmt::Global(_) => self.declares = true,
            Stmt::Nonlocal(_) if self.has_outer_names() => self.declares = true,
            Stmt::Nonlocal(nonlocal) => {
                let is_of_module =
                    |name: &Identifier| self.piece.as_ref().is_none_or(|own| own.contains(name.as_str()));
                if !nonlocal.names.iter().any(is_of_module) {
                    return;
                }
                let names = nonlocal.names.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
                self.say_of_declaration(
                    stmt.range(),
                    message!("`nonlocal {names}` in no function within another", "`nonlocal {names}` 不在嵌套的函数中"),
                );
            }
            Stmt::For(repeat) => {
                if repeat.is_async {
                    self.asynchronous(repeat.range(), "async for");
                }
                self.visit_expr(&repeat.iter);
                self.within(in_loop, |inner| inner.visit_body(&repeat.body));
                self.visit_body(&repeat.orelse);
            }
            Stmt::While(repeat) => {
                self.visit_expr(&repeat.test);
                self.within(in_loop, |inner| inner.visit_body(&repeat.body));
                self.visit_body(&repeat.orelse);
            }
            Stmt::Return(_) if self.scope.function == Function::None => {
                self.say(stmt.range(), message!("`return` outside of a function", "`return` 出现在函数之外"));
            }
            Stmt::Break(_) if !self.scope.in_loop => {
                self.say(stmt.range(), message!("`break` outside of a loop", "`break` 出现在循环之外"))
            }
            Stmt::Continue(_) if !self.scope.in_loop => {
                self.say(stmt.range(), message!("`continue` outside of a loop", "`continue` 出现在循环之外"))
            }
            Stmt::With(with) => {
                if with.is_async {
                    self.asynchronous(with.range(), "async with");
                }
                visitor::walk_stmt(self, stmt);
            }
            _ => visitor::walk_stmt(self, stmt),
        }
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Await(_) => {
                self.asynchronous(expr.range(), "await");
                visitor::walk_expr(self, expr);
            }
            Expr::Yield(_) | Expr::YieldFrom(_) if self.scope.function == Function::None => {
                self.say(expr.range(), message!("`yield` outside of a function", "`yield` 出现在函数之外"));
            }
            Expr::YieldFrom(_) if self.scope.function == Function::Async => {
                self.say(
                    expr.range(),
                    message!("`yield from` in an `async` function", "`yield from` 出现在 `async` 函数中"),
                );
            }
            Expr::Lambda(lambda) => {
                if let Some(parameters) = &lambda.parameters {
                    self.parameters(parameters);
                }
                let inside = Scope { function: Function::Plain, in_loop: false, ..self.scope };
                self.within(inside, |inner| inner.visit_expr(&lambda.body));
            }
            Expr::Generator(generator) => self.generated(&[&generator.elt], &generator.generators),
            Expr::ListComp(list) => self.comprehension(expr, &list.generators),
            Expr::SetComp(set) => self.comprehension(expr, &set.generators),
            Expr::DictComp(map) => self.comprehension(expr, &map.generators),
            _ => visitor::walk_expr(self, expr),
        }
    }
}
