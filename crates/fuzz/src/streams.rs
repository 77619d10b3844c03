//! Streams of server-sent events: where the network cuts them makes no difference.

use domain::event_stream::{EventStreamParser, EventTooLarge};

use crate::bytes::{choice, pieces};

/// Small, so that the bound is met.
const EVENT_BYTES_MAX: usize = 300;

/// Events are those of a simple reader that has the whole text, however it is cut, and no more is kept than the bound.
pub(crate) fn sse_frames(bytes: &[u8]) {
    let (seed, text) = choice(bytes);
    let cut = framed(&pieces(text, seed));
    let whole = framed(&[text]);
    // An event that is too large ends the stream; what came whole before it in the same piece goes with it.
    assert_eq!(
        cut.1, whole.1,
        "whether it is too large depends on the cuts"
    );
    match whole.1 {
        None => {
            assert_eq!(cut.0, whole.0, "the events depend on the cuts");
            assert_eq!(whole.0, read_simply(text));
        }
        Some(EventTooLarge) => assert!(read_simply(text).starts_with(&cut.0)),
    }
    assert!(
        whole
            .0
            .iter()
            .all(|event| event.len() <= 3 * EVENT_BYTES_MAX)
    );
}

fn framed(pieces: &[&[u8]]) -> (Vec<String>, Option<EventTooLarge>) {
    let (mut parser, mut events) = (EventStreamParser::bounded(EVENT_BYTES_MAX), Vec::new());
    for piece in pieces {
        match parser.push(piece) {
            Ok(more) => events.extend(more),
            Err(too_large) => return (events, Some(too_large)),
        }
    }
    (events, None)
}

/// The events of a text, by the letter: `data:` lines joined until an empty line.
fn read_simply(text: &[u8]) -> Vec<String> {
    let (mut events, mut data) = (Vec::new(), Vec::new());
    for line in lines(text) {
        if line.is_empty() {
            if !data.is_empty() {
                events.push(data.join("\n"));
            }
            data.clear();
        } else if let Some(value) = line.strip_prefix(b"data:") {
            let value = value.strip_prefix(b" ").unwrap_or(value);
            data.push(String::from_utf8_lossy(value).into_owned());
        }
    }
    events
}

/// The lines that have ended, with a carriage return, a line feed or both.
fn lines(text: &[u8]) -> Vec<Vec<u8>> {
    let (mut lines, mut line, mut before) = (Vec::new(), Vec::new(), b' ');
    for byte in text {
        match (before, *byte) {
            (b'\r', b'\n') => {}
            (_, b'\r' | b'\n') => lines.push(std::mem::take(&mut line)),
            (_, byte) => line.push(byte),
        }
        before = *byte;
    }
    lines
}
