//! Parses a stream of server-sent events. Only `data:` lines are used; others are skipped. An event has a bound:
//! a sender must not exhaust the receiver's memory.

/// The event exceeds the bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an event of the stream is too large")]
pub struct TooLarge;

/// The parser, with the incomplete event so far.
#[derive(Debug)]
pub struct Frames {
    bytes_max: usize,
    line: Vec<u8>,
    data: Option<String>,
}

impl Frames {
    /// Accepts events of at most this size.
    pub fn bounded(bytes_max: usize) -> Self {
        Self {
            bytes_max,
            line: Vec::new(),
            data: None,
        }
    }

    /// Takes bytes in pieces of any size, and returns the data of complete events.
    pub fn push(&mut self, bytes: &[u8]) -> Result<Vec<String>, TooLarge> {
        let mut whole = Vec::new();
        let mut rest = bytes;
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            self.extend(&rest[..end])?;
            rest = &rest[end + 1..];
            whole.extend(self.end_of_line());
        }
        self.extend(rest)?;
        Ok(whole)
    }

    fn extend(&mut self, bytes: &[u8]) -> Result<(), TooLarge> {
        let held = self.line.len() + self.data.as_ref().map_or(0, String::len);
        if held + bytes.len() > self.bytes_max {
            return Err(TooLarge);
        }
        self.line.extend_from_slice(bytes);
        Ok(())
    }

    /// An empty line ends an event.
    fn end_of_line(&mut self) -> Option<String> {
        let line = std::mem::take(&mut self.line);
        let line = line.strip_suffix(b"\r").unwrap_or(&line);
        if line.is_empty() {
            return self.data.take();
        }
        let value = line.strip_prefix(b"data:")?;
        let value = value.strip_prefix(b" ").unwrap_or(value);
        let text = String::from_utf8_lossy(value);
        match &mut self.data {
            Some(data) => {
                data.push('\n');
                data.push_str(&text);
            }
            None => self.data = Some(text.into_owned()),
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
        let mut frames = Frames::bounded(MAX);
        let text =
            ": hello\nevent: x\ndata: one\r\ndata:two\n\n\nid: 3\n\ndata: {\"a\":1}\n\ndata: cut";
        let whole = frames.push(text.as_bytes()).unwrap();
        assert_eq!(whole, ["one\ntwo", "{\"a\":1}"]);
        assert_eq!(frames.push(b" off\n\n").unwrap(), ["cut off"]);
    }

    #[test]
    fn an_event_without_end_is_refused() {
        let mut frames = Frames::bounded(MAX);
        let piece = vec![b'x'; MAX / 4];
        for _ in 0..4 {
            frames.push(&piece).unwrap();
        }
        assert_eq!(frames.push(b"x"), Err(TooLarge));
        let mut frames = Frames::bounded(MAX);
        let line = [b"data: ".as_slice(), &piece, b"\n"].concat();
        for _ in 0..3 {
            frames.push(&line).unwrap();
        }
        assert_eq!(frames.push(&line), Err(TooLarge));
    }

    proptest! {
        #[test]
        fn where_the_bytes_are_cut_does_not_matter(
            texts in prop::collection::vec("[^\r\n]{1,20}", 0..8),
            cuts in prop::collection::vec(0_usize..400, 0..10),
        ) {
            let events: Vec<String> = texts.iter().map(|text| format!("data: {text}\n\n")).collect();
            let stream = events.concat();
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(stream.len())).collect();
            cuts.sort_unstable();
            let mut frames = Frames::bounded(MAX);
            let (mut whole, mut from) = (Vec::new(), 0);
            for cut in cuts.into_iter().chain([stream.len()]) {
                whole.extend(frames.push(&stream.as_bytes()[from..cut]).unwrap());
                from = cut;
            }
            prop_assert_eq!(whole, texts);
        }
    }
}
