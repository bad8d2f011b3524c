//! What programs do, as the client's own engine was seen to do it, except for the places of errors.

use serde_json::{Map, json};

use super::{Answer, Ended, Item, Played, play};

const TOOLS: [(&str, &str); 1] = [("exec_command", "Runs.")];

fn ended(code: &str, answers: &[Answer]) -> Ended {
    match play(code, answers, &Map::new(), &TOOLS) {
        Played::Ended(ended) => ended,
        Played::Calls { tool, input } => panic!("{code} calls {tool} with {input}"),
    }
}

fn texts(code: &str) -> Vec<String> {
    let ended = ended(code, &[]);
    assert_eq!(ended.error, None, "{code}");
    let text = |item| match item {
        Item::Text(text) => text,
        Item::Image(address) => panic!("{address}"),
    };
    ended.items.into_iter().map(text).collect()
}

fn error(code: &str) -> String {
    ended(code, &[]).error.unwrap_or_else(|| panic!("{code} does not fail"))
}

#[test]
fn values_are_shown_as_text_or_json() {
    assert_eq!(
        texts(
            "text('a'); text(1); text({a: [1, 'b']}); text(undefined); text(null); text(true); text(10n); text(() => 1); text()"
        ),
        ["a", "1", r#"{"a":[1,"b"]}"#, "undefined", "null", "true", "10", "undefined", "undefined"]
    );
    assert_eq!(texts("text('a'); exit(); text('b')"), ["a"]);
    assert_eq!(texts("try { exit() } catch {} text('b')"), [""; 0]);
    assert_eq!(texts("1 + 1"), [""; 0]);
    assert_eq!(
        texts(
            "setTimeout(() => text('second'), 20); setTimeout(() => text('first'), 10); await new Promise(r => setTimeout(r, 30))"
        ),
        ["first", "second"]
    );
    assert_eq!(
        texts(
            "const id = setTimeout(() => text('no'), 1); clearTimeout(id); await new Promise(r => setTimeout(r, 5)); text('yes')"
        ),
        ["yes"]
    );
    assert_eq!(
        texts("text(ALL_TOOLS); text(typeof console); text(typeof fetch); text(typeof std)"),
        [r#"[{"name":"exec_command","description":"Runs."}]"#, "undefined", "undefined", "undefined"]
    );
    assert_eq!(
        texts("text(new Date(0).toISOString()); text(Math.random() === Math.random())"),
        ["1970-01-01T00:00:00.000Z", "false"]
    );
}

#[test]
fn a_program_is_played_again_up_to_the_call_that_has_no_result() {
    let code = "const [a, b] = await Promise.all(['a', 'b'].map(cmd => tools.exec_command({cmd})));\n\
                text(a.output + b.output);\n\
                try { await tools.exec_command({cmd: 'c'}) } catch (error) { text(typeof error); text(error) }";
    let calls = |command: &str| Played::Calls { tool: "exec_command".into(), input: json!({"cmd": command}) };
    let mut answers = Vec::new();
    for command in ["a", "b"] {
        assert_eq!(play(code, &answers, &Map::new(), &TOOLS), calls(command));
        answers.push(Answer::Value(json!({"output": command.to_uppercase()})));
    }
    assert_eq!(play(code, &answers, &Map::new(), &TOOLS), calls("c"));
    answers.push(Answer::Error("not here".into()));
    let shown = ["AB", "string", "not here"].map(|text| Item::Text(text.into()));
    assert_eq!(ended(code, &answers), Ended { items: shown.into(), error: None, stored: Map::new() });
    // A call that is not awaited is dropped.
    assert_eq!(texts("tools.exec_command({cmd: 'x'}); text('end')"), ["end"]);
}

#[test]
fn errors_name_their_place_in_the_program() {
    assert_eq!(error("text('before'); throw new Error('oops')").lines().next(), Some("Error: oops"));
    assert!(
        error("const a = 1;\nfunction f() { throw new TypeError('bad') }\nf();")
            .starts_with("TypeError: bad\n    at f (exec_main.mjs:2:")
    );
    assert!(
        error("foo()").starts_with("ReferenceError: foo is not defined\n    at exec_main.mjs:1:"),
        "{}",
        error("foo()")
    );
    assert_eq!(error("throw 'x'"), "x");
    assert_eq!(error("throw {a: 1}"), "[object Object]");
    for code in ["text('a' +", "return 1", "const a: number = 1"] {
        assert!(error(code).starts_with("SyntaxError: "), "{code}: {}", error(code));
    }
    for code in ["import fs from 'fs'", "await import('fs')"] {
        assert!(!error(code).is_empty(), "{code}");
    }
    assert_eq!(error("image('nope')"), "Tool call failed: invalid image output. Pass a base64 data URI instead");
    assert!(error("text(Date.now())").contains("run `date` with exec_command"));
    assert_eq!(ended("text('before'); throw 'x'", &[]).items, [Item::Text("before".into())]);
}

#[test]
fn programs_that_use_too_much_are_ended() {
    let ours = "Skill Workbench ended the script: it ";
    assert_eq!(error("while (true) {}"), format!("{ours}computed for too long"));
    assert_eq!(error("await new Promise(() => {})"), format!("{ours}waits for something that never comes"));
    for code in [
        "let s = 'x'; for (;;) s += s",
        "const a = []; for (;;) a.push('x'.repeat(1000))",
        "function f() { f() } f()",
        "const again = () => setTimeout(again, 1); again(); await new Promise(() => {})",
        "const f = async () => { for (;;) await null }; await f()",
        "/^(a+)+$/.test('a'.repeat(60) + 'b')",
        "JSON.parse('['.repeat(1e6))",
        "Array(1e9).fill(0)",
        "text('x'.repeat(1e9))",
        "globalThis.JSON = null; Object.defineProperty(Array.prototype, '0', {set() { throw 1 }}); text(1); throw 2",
    ] {
        assert!(!error(code).is_empty(), "{code}");
    }
    let asks = "for (let i = 0; i < 100; i++) await tools.exec_command({cmd: 'x'})";
    let answers = vec![Answer::Value(json!({})); 64];
    assert_eq!(
        ended(asks, &answers).error.as_deref(),
        Some("Skill Workbench ended the script: it made more than 64 calls")
    );
}

#[test]
fn what_is_stored_is_there_for_the_next_program() {
    let Played::Ended(first) =
        play("store('k', {a: [1]}); text(load('k')); text(load('nope'))", &[], &Map::new(), &TOOLS)
    else {
        panic!()
    };
    assert_eq!(first.items, [r#"{"a":[1]}"#, "undefined"].map(|text| Item::Text(text.into())));
    assert_eq!(json!(first.stored), json!({"k": {"a": [1]}}));
    let Played::Ended(second) = play("text(load('k').a[0])", &[], &first.stored, &TOOLS) else { panic!() };
    assert_eq!(second.items, [Item::Text("1".into())]);
}
