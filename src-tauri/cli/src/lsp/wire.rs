//! Messages on standard input and output: a header with a length, then JSON. Anything else gets an error and the next
//! message is read.

use std::io::{self, BufRead, Read, Write};
use std::sync::{Mutex, PoisonError};

use lsp_server::{ErrorCode, Message};
use serde_json::{Value, json};

/// Longer messages are not read.
const SIZE_LIMIT: u64 = 256 << 20;

/// Passes messages on until the input ends, or `hear` returns that there is no receiver.
pub fn read_from(
    mut input: impl BufRead,
    hear: impl Fn(Message) -> bool,
    output: &Mutex<impl Write>,
) -> io::Result<()> {
    loop {
        match next(&mut input)? {
            Incoming::Message(message) => {
                if !hear(message) {
                    return Ok(());
                }
            }
            Incoming::Broken(answer) => {
                frame(&mut *output.lock().unwrap_or_else(PoisonError::into_inner), &answer)?;
            }
            Incoming::End => return Ok(()),
        }
    }
}

/// Writes until there are no more messages.
pub fn write_to(output: &Mutex<impl Write>, messages: impl IntoIterator<Item = Message>) -> io::Result<()> {
    for message in messages {
        let mut output = output.lock().unwrap_or_else(PoisonError::into_inner);
        message.write(&mut *output)?;
    }
    Ok(())
}

enum Incoming {
    Message(Message),
    /// The error to report.
    Broken(Value),
    End,
}

fn next(input: &mut impl BufRead) -> io::Result<Incoming> {
    let mut length: Option<u64> = None;
    loop {
        let mut line = Vec::new();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Ok(Incoming::End);
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim();
        match (line.split_once(':'), length) {
            (Some((name, value)), _) if name.trim().eq_ignore_ascii_case("content-length") => {
                length = value.trim().parse().ok();
            }
            (None, Some(length)) if line.is_empty() => return body(input, length),
            // Other headers, and remains of invalid input.
            _ => {}
        }
    }
}

fn body(input: &mut impl BufRead, length: u64) -> io::Result<Incoming> {
    if length > SIZE_LIMIT {
        io::copy(&mut input.take(length), &mut io::sink())?;
        return Ok(broken(
            Value::Null,
            ErrorCode::InvalidRequest,
            words!("{length} bytes are too much for a message", "一条消息有 {length} 字节，太长"),
        ));
    }
    let mut body = Vec::new();
    if input.take(length).read_to_end(&mut body)? as u64 != length {
        return Ok(Incoming::End);
    }
    let value: Value = match serde_json::from_slice(&body) {
        Ok(value) => value,
        Err(error) => {
            let why = wording::refusal(&error.to_string());
            let said = words!("the message is not JSON: {why}", "消息不是 JSON：{why}"; why);
            return Ok(broken(Value::Null, ErrorCode::ParseError, said));
        }
    };
    let id = value.get("id").filter(|id| id.is_number() || id.is_string()).cloned().unwrap_or_default();
    Ok(match serde_json::from_value(value) {
        Ok(message) => Incoming::Message(message),
        Err(_) => broken(
            id,
            ErrorCode::InvalidRequest,
            words!("it is neither request, answer nor notification", "它不是请求、应答或通知"),
        ),
    })
}

fn broken(id: Value, code: ErrorCode, message: String) -> Incoming {
    crate::print::note(&words!("skillbench lsp: {message}", "skillbench lsp：{message}"));
    Incoming::Broken(json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code as i32, "message": message } }))
}

fn frame(output: &mut impl Write, value: &Value) -> io::Result<()> {
    let text = value.to_string();
    write!(output, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn framed(body: &str) -> String {
        format!("Content-Length: {}\r\n\r\n{body}", body.len())
    }

    #[test]
    fn what_is_no_message_gets_an_error_and_the_next_is_read() {
        let input = [
            framed("{\"jsonrpc\":\"2.0\",\"method\":\"a\"}"),
            framed("{no json"),
            "noise\r\n\r\n".to_owned(),
            framed("[1]"),
            framed("{\"id\":7,\"what\":1}"),
            "content-length: 31\nContent-Type: application/x\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"b\"} ".to_owned(),
            "Content-Length: 10\r\n\r\ncut".to_owned(),
        ];
        let methods = Mutex::new(Vec::new());
        let output = Mutex::new(Vec::new());
        let hear = |message| match message {
            Message::Notification(notification) => {
                methods.lock().map(|mut told| told.push(notification.method)).is_ok()
            }
            other => panic!("{other:?}"),
        };
        read_from(input.concat().as_bytes(), hear, &output).expect("a buffer can be read");
        let methods = methods.into_inner().expect("nobody holds it");
        assert_eq!(methods, ["a", "b"]);
        let answers = String::from_utf8(output.into_inner().expect("nobody holds it")).expect("UTF-8");
        let said: Vec<Value> = answers
            .split("Content-Length: ")
            .filter_map(|frame| Some(serde_json::from_str(frame.split_once("\r\n\r\n")?.1).expect("JSON")))
            .collect();
        let told: Vec<(&Value, &Value)> = said.iter().map(|said| (&said["id"], &said["error"]["code"])).collect();
        assert_eq!(
            told,
            [(&Value::Null, &json!(-32700)), (&Value::Null, &json!(-32600)), (&json!(7), &json!(-32600)),]
        );
    }
}
