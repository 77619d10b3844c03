//! The same is read from an answer however it is cut, and nothing that it says can be mistaken for a count.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

const EVENTS: &str = "text/event-stream; charset=utf-8";

fn tokens(input: i64, output: i64, cache_read: i64, cache_write: i64) -> Tokens {
    Tokens {
        input,
        output,
        cache_read,
        cache_write,
    }
}

fn event(data: &Value, end: &str) -> String {
    let name = data["type"].as_str().unwrap();
    format!("event: {name}{end}data: {data}{end}{end}")
}

fn begun() -> Value {
    json!({"type": "message_start", "message": {"id": "m", "usage": {
        "input_tokens": 12, "cache_creation_input_tokens": 300, "cache_read_input_tokens": 4000,
        "output_tokens": 1, "service_tier": "standard"}}})
}

fn said(text: &str) -> Value {
    json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}})
}

fn ended(output: i64) -> Value {
    json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": output}})
}

fn stream(events: &[Value], end: &str) -> String {
    events.iter().map(|data| event(data, end)).collect()
}

fn fed<'a>(content_type: &str, pieces: impl IntoIterator<Item = &'a [u8]>) -> Scanner {
    let mut scanner = Scanner::new(content_type);
    for piece in pieces {
        scanner.feed(piece);
    }
    scanner
}

#[test]
fn a_stream_has_its_input_at_the_beginning_and_its_output_at_the_end() {
    let text = stream(&[begun(), said("Hello"), ended(25)], "\n");
    let mut scanner = fed(EVENTS, [text.as_bytes()]);
    assert!(scanner.is_complete());
    scanner.finish();
    assert_eq!(scanner.reported(), Some(tokens(12, 25, 4000, 300)));
}

#[test]
fn an_end_that_says_it_all_again_counts_once() {
    let all = json!({"type": "message_delta", "delta": {}, "usage": {
        "input_tokens": 12, "cache_creation_input_tokens": 300, "cache_read_input_tokens": 4000,
        "output_tokens": 9}});
    let text = stream(&[begun(), ended(7), all], "\n");
    let scanner = fed(EVENTS, [text.as_bytes()]);
    assert_eq!(scanner.reported(), Some(tokens(12, 9, 4000, 300)));
}

#[test]
fn a_stream_that_is_cut_off_is_estimated_by_what_came() {
    let pieces = [begun(), said(&"x".repeat(4000)), said("y")];
    let scanner = fed(EVENTS, [stream(&pieces, "\n").as_bytes()]);
    assert!(!scanner.is_complete());
    let estimate = scanner.estimate(77);
    assert_eq!((estimate.input, estimate.cache_read), (12, 4000));
    assert!((1000..1010).contains(&estimate.output), "{estimate:?}");
    // Before it began, by what was asked.
    assert_eq!(Scanner::new(EVENTS).estimate(77), tokens(77, 0, 0, 0));
}

#[test]
fn a_whole_answer_has_it_in_one_place() {
    let answer = json!({"type": "message", "content": [{"type": "text", "text": "\"usage\": {}"}],
        "usage": {"input_tokens": 5, "output_tokens": 6, "cache_read_input_tokens": null}});
    let mut scanner = fed("application/json", [answer.to_string().as_bytes()]);
    assert!(!scanner.is_complete());
    scanner.finish();
    assert!(scanner.is_complete());
    assert_eq!(scanner.reported(), Some(tokens(5, 6, 0, 0)));
    // One that is not: its length counts.
    let scanner = fed("application/json", [&b"x".repeat(400)[..]]);
    assert_eq!(scanner.estimate(3), tokens(3, 100, 0, 0));
}

#[test]
fn numbers_that_cannot_be_are_bounded_and_nonsense_is_passed_over() {
    let mad =
        json!({"type": "message_delta", "usage": {"output_tokens": i64::MAX, "input_tokens": -5}});
    let scanner = fed(EVENTS, [stream(&[mad], "\n").as_bytes()]);
    let reported = scanner.reported().unwrap();
    assert_eq!(reported.input, 0);
    assert_eq!(reported.output, domain::limits::MODEL_TOKENS_COUNTED_MAX);
    for text in [
        "data: {\"usage\": 7}\n",
        "data: \"usage\"\n",
        "data: {\"usage\": {\"output_tokens\": 1.5}}\n",
        "usage: {\"usage\": {\"output_tokens\": 1}}\n",
        "\u{0}\r\r\n\n",
    ] {
        let mut scanner = fed(EVENTS, [text.as_bytes()]);
        scanner.finish();
        assert_eq!(scanner.reported(), None, "{text}");
    }
}

#[test]
fn an_event_beyond_the_bound_is_neither_kept_nor_in_the_way() {
    let long = said(&"x".repeat(3 * MODEL_EVENT_BYTES_MAX));
    // How much is kept of an event is tested where streams are parsed.
    let text = stream(&[begun(), long, ended(25)], "\n");
    let scanner = fed(EVENTS, text.as_bytes().chunks(1000));
    assert_eq!(scanner.reported(), Some(tokens(12, 25, 4000, 300)));
}

proptest! {
    #[test]
    fn where_it_is_cut_makes_no_difference(
        texts in prop::collection::vec(".{0,40}|\"usage\": \\{\"output_tokens\": 9\\}", 0..6),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..30),
        end in prop::sample::select(vec!["\n", "\r\n", "\r"]),
        output in 0..1000i64,
    ) {
        let mut events = vec![begun()];
        events.extend(texts.iter().map(|text| said(text)));
        events.push(ended(output));
        events.push(json!({"type": "message_stop"}));
        let text = stream(&events, end);
        let bytes = text.as_bytes();
        let mut places: Vec<_> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
        places.extend([0, bytes.len()]);
        places.sort_unstable();
        let mut scanner = fed(EVENTS, places.windows(2).map(|cut| &bytes[cut[0]..cut[1]]));
        scanner.finish();
        prop_assert!(scanner.is_complete());
        prop_assert_eq!(scanner.reported(), Some(tokens(12, output.max(1), 4000, 300)));
        let whole = fed(EVENTS, [bytes]);
        prop_assert_eq!(scanner.output_guess, whole.output_guess);
    }

    #[test]
    fn whatever_comes_is_no_trouble(pieces in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..50), 0..20)) {
        for content_type in [EVENTS, "application/json", ""] {
            let mut scanner = fed(content_type, pieces.iter().map(Vec::as_slice));
            scanner.finish();
            prop_assert!(scanner.estimate(1).output >= 0);
        }
    }
}
