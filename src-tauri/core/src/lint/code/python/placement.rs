//! What parses, and yet is no Python: statements where they may not stand.

use std::collections::HashSet;

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, Stmt, StmtFunctionDef};
use ruff_text_size::{Ranged, TextRange};

use super::super::SyntaxError;
use super::place;

/// The first statement that stands where it may not.
pub fn error(body: &[Stmt]) -> Option<SyntaxError> {
    let mut placement = Placement { scope: Scope::default(), error: None };
    placement.visit_body(body);
    placement.error
}

struct Placement {
    scope: Scope,
    error: Option<SyntaxError>,
}

/// Where a statement stands.
#[derive(Clone, Copy, Default)]
struct Scope {
    in_function: bool,
    is_async: bool,
    in_loop: bool,
}

impl Placement {
    fn say(&mut self, range: TextRange, reason: impl Into<String>) {
        self.error.get_or_insert_with(|| SyntaxError { span: place(range), reason: reason.into() });
    }

    fn within(&mut self, scope: Scope, body: &[Stmt]) {
        let outer = std::mem::replace(&mut self.scope, scope);
        self.visit_body(body);
        self.scope = outer;
    }

    fn function(&mut self, function: &StmtFunctionDef) {
        let mut names = HashSet::new();
        for parameter in function.parameters.iter() {
            if !names.insert(parameter.name().as_str()) {
                self.say(parameter.name().range(), format!("two arguments are called `{}`", parameter.name()));
            }
        }
        self.within(Scope { in_function: true, is_async: function.is_async, in_loop: false }, &function.body);
    }
}

impl<'a> Visitor<'a> for Placement {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        let in_loop = Scope { in_loop: true, ..self.scope };
        match stmt {
            Stmt::FunctionDef(function) => self.function(function),
            Stmt::ClassDef(class) => self.within(Scope::default(), &class.body),
            Stmt::For(repeat) => {
                self.visit_expr(&repeat.iter);
                self.within(in_loop, &repeat.body);
                self.visit_body(&repeat.orelse);
            }
            Stmt::While(repeat) => {
                self.visit_expr(&repeat.test);
                self.within(in_loop, &repeat.body);
                self.visit_body(&repeat.orelse);
            }
            Stmt::Return(_) if !self.scope.in_function => self.say(stmt.range(), "`return` outside of a function"),
            Stmt::Break(_) if !self.scope.in_loop => self.say(stmt.range(), "`break` outside of a loop"),
            Stmt::Continue(_) if !self.scope.in_loop => self.say(stmt.range(), "`continue` outside of a loop"),
            _ => visitor::walk_stmt(self, stmt),
        }
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        if matches!(expr, Expr::Await(_)) && self.scope.in_function && !self.scope.is_async {
            self.say(expr.range(), "`await` in a function that is not `async`");
        }
        visitor::walk_expr(self, expr);
    }
}
