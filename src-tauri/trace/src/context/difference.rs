//! What two requests show the model differently.

use super::wire::{self, ShownMessage, ShownTool};
use model::Role;
use wording::{Message as Words, message};

/// The first thing in which a request is not the recorded one, in a sentence about the request; messages before tools,
/// numbered from 1. What the model is not shown, such as its own name, does not count.
pub fn difference(recorded: &str, sent: &str) -> Option<Words> {
    let (then, now) = (wire::read(recorded), wire::read(sent));
    let longer = then.messages.len().max(now.messages.len());
    let place = (0..longer).find(|place| then.messages.get(*place) != now.messages.get(*place));
    match place {
        Some(place) => Some(of_messages(place + 1, then.messages.get(place), now.messages.get(place))),
        None => of_tools(&then.tools, &now.tools),
    }
}

/// As [`difference`], but only of the conversation: the framework's instructions and tools do not count.
pub fn difference_of_messages(recorded: &str, sent: &str) -> Option<Words> {
    let said = |body: &str| {
        let messages = wire::read(body).messages.into_iter();
        messages.filter(|message| message.role != Role::System).collect::<Vec<_>>()
    };
    let (then, now) = (said(recorded), said(sent));
    let place = (0..then.len().max(now.len())).find(|place| then.get(*place) != now.get(*place))?;
    Some(of_messages(place + 1, then.get(place), now.get(place)))
}

fn of_messages(number: usize, then: Option<&ShownMessage>, now: Option<&ShownMessage>) -> Words {
    let (then, now) = match (then, now) {
        (Some(then), Some(now)) => (then, now),
        (None, now) => {
            let whose = now.map_or("", |now| name(now.role));
            return message!(
                "it has a message {number}, the {whose}'s, where the recorded one ended",
                "它有第 {number} 条消息（{whose}），而录制的请求在此之前已结束"
            );
        }
        (Some(then), None) => {
            let whose = name(then.role);
            return message!(
                "it ends where the recorded one had a message {number}, the {whose}'s",
                "它已结束，而录制的请求还有第 {number} 条消息（{whose}）"
            );
        }
    };
    let (role, was) = (name(now.role), name(then.role));
    if then.role != now.role {
        return message!(
            "message {number} is the {role}'s, and was the {was}'s",
            "第 {number} 条消息的角色是 {role}，录制时是 {was}"
        );
    }
    if then.text != now.text {
        let alike = then.text.bytes().zip(now.text.bytes()).take_while(|(then, now)| then == now).count();
        let (now, then) = (excerpt(&now.text, alike), excerpt(&then.text, alike));
        return message!(
            "message {number}, the {role}'s, says {now} where the recorded one said {then}",
            "第 {number} 条消息（{role}）写着 {now}，录制时是 {then}"
        );
    }
    if then.images != now.images {
        return message!(
            "message {number}, the {role}'s, has other images",
            "第 {number} 条消息（{role}）中的图片不同"
        );
    }
    if !then.has_documents_of(now) {
        return message!("message {number}, the {role}'s, has other files", "第 {number} 条消息（{role}）中的文件不同");
    }
    if then.calls != now.calls {
        return message!("message {number}, the {role}'s, has other calls", "第 {number} 条消息（{role}）中的调用不同");
    }
    message!("message {number}, the {role}'s, answers another call", "第 {number} 条消息（{role}）答复的是另一个调用")
}

fn of_tools(then: &[ShownTool], now: &[ShownTool]) -> Option<Words> {
    let names = |tools: &[ShownTool]| {
        let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_str()).collect();
        match &names[..] {
            [] => message!("no tools", "没有工具"),
            names => message!("the tools {}", "工具 {}", names.join(", ")),
        }
    };
    let (offered, offers) = (names(then), names(now));
    if offered != offers {
        return Some(message!(
            "it offers {offers}, where the recorded one offered {offered}",
            "它提供的是：{offers}；录制时是：{offered}";
            offers, offered
        ));
    }
    let other = then.iter().zip(now).find(|(then, now)| then != now);
    other.map(|(_, now)| message!("it describes the tool {} differently", "它对工具 {} 的描述不同", now.name))
}

/// An excerpt of a text around the place where it starts to differ from another.
fn excerpt(text: &str, at: usize) -> String {
    let start = text.floor_char_boundary(at.saturating_sub(LEAD));
    let shown: String = text[start..].chars().take(EXCERPT).collect();
    format!("{shown:?}")
}

/// Bytes shown before the place where texts start to differ.
const LEAD: usize = 12;
/// Characters shown in all.
const EXCERPT: usize = 48;

fn name(role: Role) -> &'static str {
    match role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::Tool => "tool",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::sample::{asks, body, call, result, system, user};

    #[test]
    fn tells_the_first_difference() {
        let load = asks(&call("a", "load_skill", "{}"));
        let then = body(&[system(), user(), load.clone(), result("a", "One two three four.")]);
        let told = |messages: &[serde_json::Value]| difference(&then, &body(messages)).unwrap().en;
        assert_eq!(difference(&then, &then), None);
        assert_eq!(
            told(&[system(), user(), load.clone(), result("a", "One two three five.")]),
            r#"message 4, the tool's, says " two three five.\"" where the recorded one said " two three four.\"""#
        );
        assert_eq!(told(&[system(), user()]), "it ends where the recorded one had a message 3, the assistant's");
        assert_eq!(told(&[user(), system()]), "message 1 is the user's, and was the system's");
        let other = asks(&call("a", "read_skill", "{}"));
        assert_eq!(told(&[system(), user(), other]), "message 3, the assistant's, has other calls");
        let longer = [system(), user(), load.clone(), result("a", "One two three four."), user()];
        assert_eq!(told(&longer), "it has a message 5, the user's, where the recorded one ended");
    }

    #[test]
    fn tools_count_where_all_messages_are_alike() {
        let offers = |tools: &[(&str, &str)]| {
            let tools: Vec<_> =
                tools.iter().map(|(name, about)| json!({"function": {"name": name, "description": about}})).collect();
            json!({"model": "m", "messages": [], "tools": tools}).to_string()
        };
        let then = offers(&[("load", "Loads."), ("read", "Reads.")]);
        assert_eq!(
            difference(&then, &offers(&[])).unwrap().en,
            "it offers no tools, where the recorded one offered the tools load, read"
        );
        let described = offers(&[("load", "Loads."), ("read", "Reads it.")]);
        assert_eq!(difference(&then, &described).unwrap().en, "it describes the tool read differently");
    }
}
