//! Slack: nearly everything is 200, and `ok` says whether it worked.

use serde_json::{Value, json};

use super::service::{Answer, Recorded, Standin, Wire};

pub const TOKEN: &str = "xoxb-2048-4096-Zm9vYmFyYmF6";
pub const CHANNEL: &str = "C024BE91L";
/// Private; the app is in it.
pub const PRIVATE_CHANNEL: &str = "C0PRIVATE1";
/// The app is not in it.
pub const FOREIGN_CHANNEL: &str = "C0FOREIGN1";
/// A message that exists from the start.
pub const MESSAGE: &str = "1767225600.000100";

/// Three channels, one message.
pub async fn start() -> Standin {
    let messages = vec![json!({"channel": CHANNEL, "ts": MESSAGE, "text": "hello"})];
    Standin::start(Slack { messages }, "/api", TOKEN).await
}

#[derive(Debug)]
struct Slack {
    messages: Vec<Value>,
}

impl Wire for Slack {
    fn answer(&mut self, request: &Recorded) -> Answer {
        match request.header("authorization") {
            "" => return mistake("not_authed"),
            given if given != format!("Bearer {TOKEN}") => return mistake("invalid_auth"),
            _ => {}
        }
        let segments = request.segments("/api");
        match (request.method.as_str(), segments[0].as_str()) {
            ("GET", "conversations.list") => channels(request),
            ("POST", "chat.postMessage") => self.post(&request.body),
            ("POST", "chat.delete") => self.delete(&request.body),
            _ => mistake("unknown_method"),
        }
    }

    fn refusal(&self, status: u16) -> Answer {
        match status {
            401 => mistake("invalid_auth"),
            403 => Answer::json(
                200,
                json!({"ok": false, "error": "missing_scope", "needed": "chat:write", "provided": "channels:read"}),
            ),
            404 => mistake("channel_not_found"),
            status => Answer::json(status, json!({"ok": false, "error": "internal_error"})),
        }
    }

    fn rate_limited(&self, retry_after: &str) -> Answer {
        Answer::json(429, json!({"ok": false, "error": "ratelimited"}))
            .with_header("retry-after", retry_after)
    }
}

impl Slack {
    fn post(&mut self, body: &Value) -> Answer {
        let channel = body["channel"].as_str().unwrap_or_default();
        let channel = match channel {
            CHANNEL | "#general" => CHANNEL,
            PRIVATE_CHANNEL => PRIVATE_CHANNEL,
            FOREIGN_CHANNEL => return mistake("not_in_channel"),
            _ => return mistake("channel_not_found"),
        };
        let Some(text) = body["text"].as_str().filter(|text| !text.is_empty()) else {
            return mistake("no_text");
        };
        let thread = &body["thread_ts"];
        if !thread.is_null() && !self.messages.iter().any(|message| message["ts"] == *thread) {
            return mistake("thread_not_found");
        }
        let ts = format!("1767225601.{:06}", self.messages.len() * 100);
        let mut message = json!({"type": "message", "user": "U0BOT", "text": text, "ts": ts});
        if !thread.is_null() {
            message["thread_ts"] = thread.clone();
        }
        let mut kept = message.clone();
        kept["channel"] = channel.into();
        self.messages.push(kept);
        let body = json!({"ok": true, "channel": channel, "ts": ts, "message": message});
        Answer::json(200, body).changed()
    }

    fn delete(&mut self, body: &Value) -> Answer {
        let is_it = |kept: &Value| kept["ts"] == body["ts"] && kept["channel"] == body["channel"];
        let Some(at) = self.messages.iter().position(is_it) else {
            return mistake("message_not_found");
        };
        self.messages.remove(at);
        let body = json!({"ok": true, "channel": body["channel"], "ts": body["ts"]});
        Answer::json(200, body).changed()
    }
}

/// A cursor is the base64 of something; here it is a number behind a word. An empty one means the end.
fn channels(request: &Recorded) -> Answer {
    let types = request
        .query
        .get("types")
        .map_or("public_channel", String::as_str);
    let channel = |id: &str, name: &str, is_private: bool, is_member: bool| {
        json!({
            "id": id, "name": name, "is_channel": true, "is_private": is_private,
            "is_member": is_member, "is_archived": false, "num_members": 7,
            "topic": {"value": "", "creator": "", "last_set": 0},
            "purpose": {"value": "Everything", "creator": "", "last_set": 0},
        })
    };
    let all = [
        channel(CHANNEL, "general", false, true),
        channel(FOREIGN_CHANNEL, "elsewhere", false, false),
        channel(PRIVATE_CHANNEL, "secret", true, true),
    ];
    let wanted = |channel: &&Value| {
        channel["is_private"] == false || types.split(',').any(|kind| kind == "private_channel")
    };
    let all: Vec<&Value> = all.iter().filter(wanted).collect();
    let begin = match request.query.get("cursor").map(String::as_str) {
        None | Some("") => 0,
        Some(cursor) => match cursor.strip_prefix("dGVhbTo=").and_then(|n| n.parse().ok()) {
            Some(begin) => begin,
            None => return mistake("invalid_cursor"),
        },
    };
    let end = (begin + request.number("limit", 100)).min(all.len());
    let next = if end < all.len() {
        format!("dGVhbTo={end}")
    } else {
        String::new()
    };
    let page = all.get(begin..end).unwrap_or_default();
    let metadata = json!({"next_cursor": next});
    Answer::json(
        200,
        json!({"ok": true, "channels": page, "response_metadata": metadata}),
    )
}

fn mistake(code: &str) -> Answer {
    Answer::json(200, json!({"ok": false, "error": code}))
}
