//! What an expression is, as far as its own text shows.

use ruff_python_ast::Expr;

/// By the last part of its dotted path.
pub fn is_named(expr: &Expr, wanted: &str) -> bool {
    match expr {
        Expr::Name(name) => name.id.as_str() == wanted,
        Expr::Attribute(attribute) => attribute.attr.as_str() == wanted,
        _ => false,
    }
}

/// The text that it is.
pub fn literal(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::StringLiteral(text) => Some(text.value.to_str()),
        _ => None,
    }
}
