//! Answers of a model's provider: what they say they used.

use super::scan::Scanner;
use crate::bytes::{choice, pieces};

/// What an answer is said to have used is never negative, and for events it does not depend on how they are cut.
pub(crate) fn model_answer(bytes: &[u8]) {
    let (seed, text) = choice(bytes);
    for content_type in ["text/event-stream", "application/json"] {
        let cut = scanned(content_type, &pieces(text, seed));
        let whole = scanned(content_type, &[text]);
        assert_eq!(cut.reported(), whole.reported());
        assert_eq!(cut.is_complete(), whole.is_complete());
        let estimates = [cut.estimate(7), whole.estimate(7)];
        if content_type == "text/event-stream" {
            assert_eq!(estimates[0], estimates[1]);
            assert_eq!(cut.has_content(), whole.has_content());
        }
        for tokens in estimates {
            assert_eq!(tokens, tokens.bounded(), "an estimate is within its bounds");
            assert!(tokens.input >= 0 && tokens.output >= 0);
        }
    }
}

fn scanned(content_type: &str, pieces: &[&[u8]]) -> Scanner {
    let mut scanner = Scanner::new(content_type);
    for piece in pieces {
        scanner.feed(piece);
    }
    scanner.finish();
    scanner
}
