//! `TodoManager`: the list that the model keeps, its checks in their order, and how it is shown.

use super::Variant;
use crate::python::{Value, get, item, repr, strip};

/// One entry, as the model wrote it: the seed takes any value.
#[derive(Debug, Clone, PartialEq)]
pub struct Todo {
    id: Value,
    text: Value,
    status: Value,
}

/// `TodoManager.update`: the list as text, or the message of the exception. In the seed a status it does not know is
/// stored before showing the list fails on it.
pub fn update(items: &Value, todos: &mut Vec<Todo>, variant: Variant) -> Result<String, String> {
    *todos = match variant {
        Variant::Seed => seed(items)?,
        Variant::Upstream => upstream(items)?,
    };
    render(todos)
}

const LIMIT: usize = 20;

fn seed(items: &Value) -> Result<Vec<Todo>, String> {
    let mut validated = Vec::new();
    for entry in items.items()? {
        let pairs = pairs(&entry)?;
        let status = get(pairs, "status").cloned().unwrap_or_else(|| Value::Text("pending".into()));
        validated.push(Todo { id: item(pairs, "id")?.clone(), text: item(pairs, "text")?.clone(), status });
    }
    if validated.len() > LIMIT {
        return Err("Only less than 20 todos are allowed".into());
    }
    if in_progress(&validated) > 1 {
        return Err("Only one task can be in_progress".into());
    }
    Ok(validated)
}

fn upstream(items: &Value) -> Result<Vec<Todo>, String> {
    let entries = items.items().map_err(|_| format!("object of type '{}' has no len()", items.type_name()))?;
    if entries.len() > LIMIT {
        return Err("Max 20 todos allowed".into());
    }
    let mut validated = Vec::new();
    for (index, entry) in entries.iter().enumerate() {
        let pairs = pairs(entry)?;
        let text = get(pairs, "text").map(Value::to_str).unwrap_or_default();
        let text = strip(&text);
        let status = get(pairs, "status").map_or_else(|| "pending".into(), |status| status.to_str().to_lowercase());
        let id = get(pairs, "id").map_or_else(|| (index + 1).to_string(), Value::to_str);
        if text.is_empty() {
            return Err(format!("Item {id}: text required"));
        }
        if marker(&status).is_none() {
            return Err(format!("Item {id}: invalid status '{status}'"));
        }
        validated.push(Todo { id: Value::Text(id), text: Value::Text(text.into()), status: Value::Text(status) });
    }
    if in_progress(&validated) > 1 {
        return Err("Only one task can be in_progress at a time".into());
    }
    Ok(validated)
}

fn render(todos: &[Todo]) -> Result<String, String> {
    if todos.is_empty() {
        return Ok("No todos.".into());
    }
    let mut out = String::new();
    for Todo { id, text, status } in todos {
        status.check_hashable()?;
        let marker = status.as_text().and_then(marker).ok_or_else(|| match status.as_text() {
            Some(text) => repr(text),
            None => status.to_repr(),
        })?;
        out.push_str(&format!("{marker} #{}: {}\n", id.to_str(), text.to_str()));
    }
    let done = todos.iter().filter(|todo| todo.status.as_text() == Some("completed")).count();
    Ok(format!("{out}\n({done}/{} completed)", todos.len()))
}

fn marker(status: &str) -> Option<&'static str> {
    match status {
        "pending" => Some("[ ]"),
        "in_progress" => Some("[>]"),
        "completed" => Some("[x]"),
        _ => None,
    }
}

fn in_progress(todos: &[Todo]) -> usize {
    todos.iter().filter(|todo| todo.status.as_text() == Some("in_progress")).count()
}

fn pairs(entry: &Value) -> Result<&[(String, Value)], String> {
    match entry {
        Value::Dict(pairs) => Ok(pairs),
        other => Err(format!("'{}' object has no attribute 'get'", other.type_name())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::python::loads;

    fn say(variant: Variant, items: &str) -> String {
        update(&loads(items).unwrap(), &mut Vec::new(), variant).unwrap_or_else(|error| error)
    }

    #[test]
    fn the_seed_shows_what_is_no_text_as_python_does() {
        let said = |items| say(Variant::Seed, items);
        assert_eq!(said(r#"[{"id":1.0,"text":["a",null]}]"#), "[ ] #1.0: ['a', None]\n\n(0/1 completed)");
        assert_eq!(said(r#"{}"#), "No todos.");
        assert_eq!(said(r#""""#), "No todos.");
        assert_eq!(said(r#"{"id":1}"#), "'str' object has no attribute 'get'");
        assert_eq!(said("null"), "'NoneType' object is not iterable");
        assert_eq!(said("[1]"), "'int' object has no attribute 'get'");
        assert_eq!(said(r#"[{"id":"1"}]"#), "'text'");
        assert_eq!(said(r#"[{"id":"1","text":"a","status":null}]"#), "None");
        assert_eq!(said(r#"[{"id":"1","text":"a","status":"it's"}]"#), "\"it's\"");
        assert_eq!(said(r#"[{"id":"1","text":"a","status":[]}]"#), "unhashable type: 'list'");
    }

    #[test]
    fn the_seed_keeps_a_list_that_it_cannot_show() {
        let mut todos = Vec::new();
        let bad = loads(r#"[{"id":"1","text":"a","status":"done"}]"#).unwrap();
        assert_eq!(update(&bad, &mut todos, Variant::Seed), Err("'done'".into()));
        assert_eq!(todos.len(), 1);
        assert_eq!(
            update(&Value::Int("5".into()), &mut todos, Variant::Seed),
            Err("'int' object is not iterable".into())
        );
        assert_eq!(todos.len(), 1, "what fails a check changes nothing");
    }

    #[test]
    fn upstream_checks_each_item() {
        let said = |items| say(Variant::Upstream, items);
        assert_eq!(
            said(r#"[{"text":" a ","status":"IN_PROGRESS"},{"text":"b"}]"#),
            "[>] #1: a\n[ ] #2: b\n\n(0/2 completed)"
        );
        assert_eq!(said(r#"[{"id":"x","text":" "}]"#), "Item x: text required");
        assert_eq!(said(r#"[{"text":"a","status":"done"}]"#), "Item 1: invalid status 'done'");
        assert_eq!(said("5"), "object of type 'int' has no len()");
        let two = r#"[{"text":"a","status":"in_progress"},{"text":"b","status":"in_progress"}]"#;
        assert_eq!(said(two), "Only one task can be in_progress at a time");
        assert_eq!(said(&format!("[{}1]", "1,".repeat(20))), "Max 20 todos allowed");
    }
}
