//! Parses a stream of server-sent events: of the agent, of a model's provider, of another gateway. Only `data:` lines are
//! used; other lines are skipped.
//!
//! INVARIANT: where the network cuts the bytes makes no difference, and no more of an event is kept than its bound: a sender
//! must not exhaust the receiver's memory.
//!
//! Not `sse-stream`, which the library for MCP brings along: it keeps a line of any length, and a field that it does not
//! know or a byte that is not UTF-8 ends its stream.

/// An event exceeds the bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an event of the stream is too large")]
pub struct EventTooLarge;

/// The data of one event, cut at the bound.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EventData {
    pub bytes: Vec<u8>,
    /// How many bytes were sent.
    pub length: usize,
}

/// The parser, with the incomplete event so far.
#[derive(Debug)]
pub struct EventStreamParser {
    bytes_max: usize,
    /// The beginning of the line that has begun, within the bound.
    line: Vec<u8>,
    line_length: usize,
    data: Option<EventData>,
    /// The last line ended with a carriage return: a line feed that follows belongs to it.
    is_after_return: bool,
    /// A line or an event exceeded the bound.
    is_exceeded: bool,
}

impl EventData {
    pub fn is_cut(&self) -> bool {
        self.length > self.bytes.len()
    }

    fn add_line(&mut self, kept: &[u8], length: usize) {
        self.bytes.extend_from_slice(kept);
        self.length += length;
    }
}

impl EventStreamParser {
    /// Keeps at most so many bytes of an event, or of a line that is skipped.
    pub fn bounded(bytes_max: usize) -> Self {
        Self {
            bytes_max,
            line: Vec::new(),
            line_length: 0,
            data: None,
            is_after_return: false,
            is_exceeded: false,
        }
    }

    /// Takes bytes in pieces of any size, and returns the data of complete events. Fails once an event exceeds the bound.
    pub fn push(&mut self, bytes: &[u8]) -> Result<Vec<String>, EventTooLarge> {
        let events = self.push_cut(bytes);
        if self.is_exceeded {
            return Err(EventTooLarge);
        }
        let text = |event: EventData| String::from_utf8_lossy(&event.bytes).into_owned();
        Ok(events.into_iter().map(text).collect())
    }

    /// Takes bytes in pieces of any size, and returns complete events, each cut at the bound.
    pub fn push_cut(&mut self, bytes: &[u8]) -> Vec<EventData> {
        let mut events = Vec::new();
        let mut rest = bytes;
        while !rest.is_empty() {
            if std::mem::take(&mut self.is_after_return)
                && let Some(after) = rest.strip_prefix(b"\n")
            {
                rest = after;
                continue;
            }
            let end = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            let Some(end) = end else {
                self.extend_line(rest);
                break;
            };
            self.extend_line(&rest[..end]);
            self.is_after_return = rest[end] == b'\r';
            rest = &rest[end + 1..];
            events.extend(self.end_line());
        }
        events
    }

    /// The stream has ended. Returns the event that was not complete, if there is one.
    pub fn finish(&mut self) -> Option<EventData> {
        let event = self.end_line();
        event.or_else(|| self.data.take())
    }

    fn extend_line(&mut self, bytes: &[u8]) {
        let (kept, length) = match &self.data {
            Some(data) => (data.bytes.len(), data.length),
            None => (0, 0),
        };
        let room = self.bytes_max.saturating_sub(kept + self.line.len());
        self.line.extend_from_slice(&bytes[..bytes.len().min(room)]);
        self.line_length += bytes.len();
        self.is_exceeded |= length + self.line_length > self.bytes_max;
    }

    /// An empty line ends an event.
    fn end_line(&mut self) -> Option<EventData> {
        let line = std::mem::take(&mut self.line);
        let length = std::mem::take(&mut self.line_length);
        if length == 0 {
            return self.data.take();
        }
        let value = line.strip_prefix(b"data:")?;
        let value = value.strip_prefix(b" ").unwrap_or(value);
        // What precedes the value was not cut.
        let length = length - (line.len() - value.len());
        match &mut self.data {
            Some(data) => {
                data.add_line(b"\n", 1);
                data.add_line(value, length);
            }
            None => self.data.get_or_insert_default().add_line(value, length),
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const MAX: usize = 4096;

    #[test]
    fn only_data_counts_and_a_blank_line_ends_an_event() {
        let mut parser = EventStreamParser::bounded(MAX);
        let text =
            ": hello\nevent: x\ndata: one\r\ndata:two\n\n\nid: 3\n\ndata: {\"a\":1}\n\ndata: cut";
        let whole = parser.push(text.as_bytes()).unwrap();
        assert_eq!(whole, ["one\ntwo", "{\"a\":1}"]);
        assert_eq!(parser.push(b" off\n\n").unwrap(), ["cut off"]);
        assert_eq!(parser.finish(), None);
    }

    #[test]
    fn a_line_ends_with_a_return_a_feed_or_both() {
        let mut parser = EventStreamParser::bounded(MAX);
        let mut events = parser.push(b"data: a\r\rdata: b\r\n\r").unwrap();
        events.extend(parser.push(b"\ndata: c\r").unwrap());
        events.extend(parser.push(b"\n\r\n").unwrap());
        assert_eq!(events, ["a", "b", "c"]);
    }

    #[test]
    fn what_is_not_ended_is_given_at_the_end() {
        for text in ["data: a", "data: a\n", "event: x\ndata: a\nid"] {
            let mut parser = EventStreamParser::bounded(MAX);
            assert_eq!(parser.push_cut(text.as_bytes()), []);
            let event = parser.finish().unwrap();
            assert_eq!((event.bytes.as_slice(), event.length), (&b"a"[..], 1));
        }
    }

    #[test]
    fn an_event_without_end_is_refused() {
        let mut parser = EventStreamParser::bounded(MAX);
        let piece = vec![b'x'; MAX / 4];
        for _ in 0..4 {
            parser.push(&piece).unwrap();
        }
        assert_eq!(parser.push(b"x"), Err(EventTooLarge));
        let mut parser = EventStreamParser::bounded(MAX);
        let line = [b"data: ".as_slice(), &piece, b"\n"].concat();
        for _ in 0..3 {
            parser.push(&line).unwrap();
        }
        assert_eq!(parser.push(&line), Err(EventTooLarge));
    }

    #[test]
    fn what_is_beyond_the_bound_is_counted_and_not_kept() {
        let mut parser = EventStreamParser::bounded(MAX);
        let long = format!("data: {}\n", "x".repeat(3 * MAX));
        let text = format!("{long}{long}\ndata: next\n\n");
        let mut events = Vec::new();
        for piece in text.as_bytes().chunks(1000) {
            events.extend(parser.push_cut(piece));
            let data = parser.data.as_ref().map_or(0, |data| data.bytes.len());
            assert!(parser.line.len() + data <= MAX);
        }
        let [cut, next] = &events[..] else {
            panic!("{events:?}");
        };
        assert!(cut.is_cut() && cut.bytes.starts_with(b"xxx"));
        assert!(!next.is_cut() && next.bytes == b"next");
        assert_eq!(next.length, 4);
    }

    proptest! {
        #[test]
        fn where_the_bytes_are_cut_does_not_matter(
            texts in prop::collection::vec("[^\r\n]{1,20}", 0..8),
            cuts in prop::collection::vec(0_usize..400, 0..10),
            end in prop::sample::select(vec!["\n", "\r\n", "\r"]),
        ) {
            let events: Vec<String> = texts.iter().map(|text| format!("data: {text}{end}{end}")).collect();
            let stream = events.concat();
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(stream.len())).collect();
            cuts.sort_unstable();
            let mut parser = EventStreamParser::bounded(MAX);
            let (mut whole, mut from) = (Vec::new(), 0);
            for cut in cuts.into_iter().chain([stream.len()]) {
                whole.extend(parser.push(&stream.as_bytes()[from..cut]).unwrap());
                from = cut;
            }
            prop_assert_eq!(whole, texts);
        }
    }
}
