//! Joins consecutive pieces of one text to one event: a model sends some hundred in a second, and neither the log nor a user
//! needs each. The order is kept: any other message flushes the pieces before it.

use std::time::Duration;

use domain::limits::{LIVE_COALESCE_BYTES_MAX, LIVE_COALESCE_WAIT};
use wire::live::{ServerMessage, Token};

/// Gathers pieces. The first one after a pause is passed on at once, since a user waits for it. Times are those of
/// `Clock::monotonic`.
#[derive(Debug, Default)]
pub struct Coalescer {
    gathered: Option<GatheredPieces>,
    /// Pieces are gathered until then.
    busy_until: Duration,
}

#[derive(Debug)]
struct GatheredPieces {
    is_thought: bool,
    token: Token,
    due: Duration,
}

impl Coalescer {
    /// Adds a message. Returns what is to be logged now, in order.
    pub fn push(&mut self, message: ServerMessage, now: Duration) -> Vec<ServerMessage> {
        let (is_thought, token) = match message {
            ServerMessage::Token(token) => (false, token),
            ServerMessage::Thinking(token) => (true, token),
            other => return self.flush().into_iter().chain([other]).collect(),
        };
        let mut ready = Vec::new();
        match &mut self.gathered {
            Some(gathered) if gathered.is_of(is_thought, &token) => {
                gathered.token.token.push_str(&token.token);
            }
            _ => {
                ready.extend(self.flush());
                self.gathered = Some(GatheredPieces {
                    is_thought,
                    token,
                    due: self.busy_until,
                });
            }
        }
        ready.extend(self.take_due(now));
        ready
    }

    /// When the gathered pieces are to be logged at the latest.
    pub fn due(&self) -> Option<Duration> {
        self.gathered.as_ref().map(|gathered| gathered.due)
    }

    /// Returns the gathered pieces if it is time, or if they are many.
    pub fn take_due(&mut self, now: Duration) -> Option<ServerMessage> {
        let is_due = |gathered: &GatheredPieces| {
            now >= gathered.due || gathered.token.token.len() >= LIVE_COALESCE_BYTES_MAX
        };
        if !self.gathered.as_ref().is_some_and(is_due) {
            return None;
        }
        self.busy_until = now + LIVE_COALESCE_WAIT;
        self.flush()
    }

    /// Returns the gathered pieces at any time.
    pub fn flush(&mut self) -> Option<ServerMessage> {
        self.gathered.take().map(|gathered| {
            if gathered.is_thought {
                ServerMessage::Thinking(gathered.token)
            } else {
                ServerMessage::Token(gathered.token)
            }
        })
    }
}

impl GatheredPieces {
    fn is_of(&self, is_thought: bool, token: &Token) -> bool {
        self.is_thought == is_thought
            && self.token.part_id == token.part_id
            && self.token.message_id == token.message_id
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn token(part: &str, text: &str) -> ServerMessage {
        ServerMessage::Token(Token {
            message_id: "msg_1".into(),
            part_id: part.into(),
            token: text.into(),
        })
    }

    fn at(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn the_first_piece_is_told_at_once_and_the_next_are_one_event_when_their_time_comes() {
        let mut coalescer = Coalescer::default();
        assert_eq!(coalescer.push(token("a", "I "), at(10)), [token("a", "I ")]);
        assert_eq!(coalescer.push(token("a", "one "), at(20)), []);
        assert_eq!(coalescer.push(token("a", "two "), at(60)), []);
        assert_eq!(coalescer.due(), Some(at(85)));
        assert_eq!(coalescer.take_due(at(84)), None);
        assert_eq!(coalescer.take_due(at(85)), Some(token("a", "one two ")));
        assert_eq!(coalescer.due(), None);
        let large = "x".repeat(LIVE_COALESCE_BYTES_MAX);
        assert_eq!(
            coalescer.push(token("a", &large), at(90)),
            [token("a", &large)]
        );
        assert_eq!(
            coalescer.push(token("a", "rested"), at(900)),
            [token("a", "rested")]
        );
    }

    #[test]
    fn nothing_overtakes_the_pieces_before_it() {
        let mut coalescer = Coalescer::default();
        coalescer.push(token("a", "at once"), at(0));
        coalescer.push(token("a", "one"), at(0));
        let ready = coalescer.push(token("b", "two"), at(1));
        assert_eq!(ready, [token("a", "one")]);
        let ready = coalescer.push(ServerMessage::Pong, at(2));
        assert_eq!(ready, [token("b", "two"), ServerMessage::Pong]);
        let thought = match token("a", "hm") {
            ServerMessage::Token(token) => ServerMessage::Thinking(token),
            other => other,
        };
        coalescer.push(token("a", "x"), at(3));
        assert_eq!(coalescer.push(thought.clone(), at(3)), [token("a", "x")]);
        assert_eq!(coalescer.flush(), Some(thought));
    }

    proptest! {
        #[test]
        fn the_texts_stay_what_they_are(
            pieces in prop::collection::vec((0_u8..3, "[a-z]{0,6}", 0_u64..40), 0..60),
        ) {
            let mut coalescer = Coalescer::default();
            let mut ready = Vec::new();
            let mut now = 0;
            for (part, text, later) in &pieces {
                now += later;
                ready.extend(coalescer.push(token(&part.to_string(), text), at(now)));
            }
            ready.extend(coalescer.flush());
            prop_assert!(ready.len() <= pieces.len());
            let text_of = |message: &ServerMessage| match message {
                ServerMessage::Token(token) => format!("{}{}", token.part_id, token.token),
                _ => String::new(),
            };
            for part in 0_u8..3 {
                let sent: String = pieces.iter().filter(|(of, ..)| *of == part).map(|(_, text, _)| text.as_str()).collect();
                let name = part.to_string();
                let got: String = ready.iter().map(text_of).filter_map(|text| text.strip_prefix(&name).map(ToOwned::to_owned)).collect();
                prop_assert_eq!(sent, got);
            }
        }
    }
}
