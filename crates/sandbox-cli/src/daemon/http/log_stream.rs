//! Logs as responses: the end of one as JSON, or the end and everything that follows as a stream of events.

use std::{io, path::Path};

use bytes::Bytes;
use futures::{StreamExt as _, stream};
use http_body_util::{BodyExt as _, StreamBody};
use hyper::{
    Response,
    body::Frame,
    header::{self, HeaderValue},
};
use serde_json::{Value, json};
use wire::problem::Code;

use super::message::DaemonResult;
use crate::{
    daemon::{
        log::{LogReader, LogTail},
        refusal::Refusal,
    },
    limits::{FOLLOW_BYTES_MAX, FOLLOW_EVERY, FOLLOW_QUIET_ROUNDS_MAX},
};

pub(super) fn tail(path: &Path, name: &str, bytes: u64) -> Result<Value, Refusal> {
    let (tail, _) = open(path, bytes)?;
    Ok(json!({"name": name, "content": text(&tail.bytes), "truncated": tail.is_cut}))
}

/// Streams `initial`, then `append` for everything that follows, and `gap` where the log was quicker than its reader.
pub(super) fn follow(path: &Path, bytes: u64) -> DaemonResult {
    let (tail, reader) = open(path, bytes)?;
    let mut unsent = tail.bytes;
    let content = take_whole_text(&mut unsent);
    let initial = json!({"type": "initial", "content": content, "truncated": tail.is_cut});
    let rest = stream::unfold((reader, unsent), |(mut reader, mut unsent)| async move {
        for _ in 0..FOLLOW_QUIET_ROUNDS_MAX {
            let event = match reader.read_more(FOLLOW_BYTES_MAX) {
                Ok((_, true)) => json!({"type": "gap"}),
                Ok((bytes, _)) if !bytes.is_empty() => {
                    unsent.extend_from_slice(&bytes);
                    json!({"type": "append", "content": take_whole_text(&mut unsent)})
                }
                Ok(_) => {
                    tokio::time::sleep(FOLLOW_EVERY).await;
                    continue;
                }
                Err(_) => return None,
            };
            return Some((event_bytes(&event), (reader, unsent)));
        }
        // A comment now and then, so that a connection whose client is gone is noticed.
        Some((Bytes::from_static(b": quiet\n\n"), (reader, unsent)))
    });
    let events = stream::once(async move { event_bytes(&initial) }).chain(rest);
    let frames = events.map(|bytes| Ok(Frame::data(bytes)));
    let mut response = Response::new(StreamBody::new(frames).boxed_unsync());
    let media_type = HeaderValue::from_static("text/event-stream");
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, media_type);
    Ok(response)
}

fn event_bytes(event: &Value) -> Bytes {
    format!("data: {event}\n\n").into()
}

fn open(path: &Path, bytes: u64) -> Result<(LogTail, LogReader), Refusal> {
    LogReader::open(path, bytes).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Refusal::new(Code::NotFound, "The service has no log yet."),
        kind => Refusal::new(Code::Internal, format!("The log cannot be read: {kind}.")),
    })
}

/// Takes the text so far, without a character whose end has not come yet: that stays.
fn take_whole_text(bytes: &mut Vec<u8>) -> String {
    let cut = match bytes.utf8_chunks().last() {
        // At most three bytes of a character can be there without its end.
        Some(chunk) if !chunk.invalid().is_empty() && is_begun(chunk.invalid()) => {
            bytes.len() - chunk.invalid().len()
        }
        _ => bytes.len(),
    };
    let rest = bytes.split_off(cut);
    text(&std::mem::replace(bytes, rest))
}

fn is_begun(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}

/// Logs are bytes; what is no text is shown as such.
fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_character_that_comes_in_two_pieces_is_shown_whole() {
        let mut unsent = Vec::new();
        let mut shown = String::new();
        for byte in "a\u{1F600}é".as_bytes() {
            unsent.push(*byte);
            shown += &take_whole_text(&mut unsent);
        }
        assert_eq!(shown, "a\u{1F600}é");
        let mut odd = b"a\xff\xc3".to_vec();
        assert_eq!(take_whole_text(&mut odd), "a\u{fffd}");
        assert_eq!(odd, b"\xc3");
    }
}
