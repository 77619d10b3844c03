//! What waits for one client. Pure: time is an argument.

use std::{collections::VecDeque, sync::Arc, time::Duration};

use domain::limits::{WATCH_BYTES_MAX, WATCH_COARSE_BYTES, WATCH_SLOW_MAX, WATCH_TEXT_EVERY};
use wire::live::{ServerMessage, TextPart};

use crate::{log::LogEntry, session::unlogged_frame};

/// A frame for a client.
#[derive(Debug, Clone)]
pub struct ClientFrame {
    /// The event's sequence number; `None` for a frame that is not in the log.
    pub seq: Option<u64>,
    pub text: Arc<str>,
}

/// Frames in their order, bounded by bytes.
#[derive(Debug)]
pub(super) struct ClientQueue {
    waiting: VecDeque<QueuedFrame>,
    bytes: usize,
    /// The last event that was queued, or left out on purpose.
    seen: u64,
    /// Pieces of texts are left out.
    is_coarse: bool,
    /// Pieces up to this event are in a text that was sent.
    pieces_after: u64,
    /// A text to send once this event was passed.
    held: Option<(u64, Arc<str>)>,
    text_due: Duration,
    /// Since when too much is queued.
    full_since: Option<Duration>,
}

#[derive(Debug)]
struct QueuedFrame {
    frame: ClientFrame,
    is_piece: bool,
}

impl ClientQueue {
    pub(super) fn new(seen: u64) -> Self {
        Self {
            waiting: VecDeque::new(),
            bytes: 0,
            seen,
            is_coarse: false,
            pieces_after: 0,
            held: None,
            text_due: Duration::ZERO,
            full_since: None,
        }
    }

    pub(super) fn seen(&self) -> u64 {
        self.seen
    }

    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Whether more may be queued.
    pub(super) fn has_room(&self) -> bool {
        self.bytes < WATCH_BYTES_MAX
    }

    /// Whether time alone can change something.
    pub(super) fn waits(&self) -> bool {
        self.is_coarse || !self.is_empty()
    }

    /// Queues an event of the log, unless it was seen.
    pub(super) fn push(&mut self, entry: &LogEntry) {
        if entry.seq() <= self.seen {
            return;
        }
        self.seen = entry.seq();
        let is_piece = entry.is_text_piece();
        let is_left_out = is_piece && (self.is_coarse || entry.seq() <= self.pieces_after);
        if !is_left_out {
            let frame = ClientFrame {
                seq: Some(entry.seq()),
                text: Arc::clone(entry.frame()),
            };
            self.put(frame, is_piece);
        }
        self.release();
    }

    /// Leaves pieces of texts out from now on, if much is queued.
    pub(super) fn coarsen(&mut self) {
        if !self.is_coarse && self.bytes > WATCH_COARSE_BYTES {
            self.is_coarse = true;
            self.waiting.retain(|waiting| !waiting.is_piece);
            self.bytes = self.waiting.iter().map(QueuedFrame::bytes).sum();
        }
    }

    /// Whether a client that is sent what it missed should read some of it first.
    pub(super) fn is_half_full(&self) -> bool {
        self.bytes > WATCH_COARSE_BYTES / 2
    }

    /// Queues a frame that is not in the log.
    pub(super) fn push_unlogged(&mut self, text: Arc<str>) {
        self.put(ClientFrame { seq: None, text }, false);
    }

    /// Replaces the queue by `init`, which contains everything up to this event.
    pub(super) fn start_over(&mut self, seen: u64, init: Arc<str>) {
        self.waiting.clear();
        self.bytes = 0;
        self.seen = seen;
        self.is_coarse = false;
        self.held = None;
        self.push_unlogged(init);
    }

    pub(super) fn pop(&mut self) -> Option<ClientFrame> {
        let waiting = self.waiting.pop_front()?;
        self.bytes -= waiting.bytes();
        Some(waiting.frame)
    }

    /// Whether the client has read everything and is to be sent the text that was left out.
    pub(super) fn wants_text(&self, now: Duration) -> bool {
        self.is_coarse && self.is_empty() && self.held.is_none() && now >= self.text_due
    }

    /// Sends the text as of an event. From there on pieces are sent again.
    pub(super) fn resume_text(&mut self, seq: u64, text: Option<TextPart>, now: Duration) {
        self.is_coarse = false;
        self.pieces_after = seq;
        self.text_due = now + WATCH_TEXT_EVERY;
        self.hold_text(seq, text);
    }

    /// Sends a text once everything up to its event was queued.
    pub(super) fn hold_text(&mut self, seq: u64, text: Option<TextPart>) {
        self.held = text.map(|text| (seq, unlogged_frame(ServerMessage::TextSnapshot(text))));
        self.release();
    }

    /// Whether too much was queued for too long.
    pub(super) fn is_too_slow(&mut self, now: Duration) -> bool {
        if self.has_room() {
            self.full_since = None;
            return false;
        }
        let since = *self.full_since.get_or_insert(now);
        now.saturating_sub(since) >= WATCH_SLOW_MAX
    }

    fn release(&mut self) {
        if let Some((_, text)) = self.held.take_if(|(seq, _)| *seq <= self.seen) {
            self.push_unlogged(text);
        }
    }

    fn put(&mut self, frame: ClientFrame, is_piece: bool) {
        let waiting = QueuedFrame { frame, is_piece };
        self.bytes += waiting.bytes();
        self.waiting.push_back(waiting);
    }
}

impl QueuedFrame {
    fn bytes(&self) -> usize {
        self.frame.text.len()
    }
}

#[cfg(test)]
mod tests {
    use domain::clock::Timestamp;
    use wire::live::{TitleUpdate, Token};

    use super::*;

    const NOW: Duration = Duration::from_secs(100);

    fn entry(seq: u64, message: &ServerMessage) -> LogEntry {
        LogEntry::new(seq, message, Timestamp::from_micros(1).unwrap()).unwrap()
    }

    fn token(seq: u64, length: usize) -> LogEntry {
        let token = Token {
            message_id: "m".into(),
            part_id: "p".into(),
            token: "x".repeat(length),
        };
        entry(seq, &ServerMessage::Token(token))
    }

    fn title(seq: u64, length: usize) -> LogEntry {
        let title = "x".repeat(length);
        entry(seq, &ServerMessage::TitleUpdate(TitleUpdate { title }))
    }

    fn text(length: usize) -> TextPart {
        TextPart {
            message_id: "m".into(),
            part_id: "p".into(),
            text: "x".repeat(length),
        }
    }

    /// Sequence numbers, and `0` for frames without one.
    fn taken(queue: &mut ClientQueue) -> Vec<u64> {
        std::iter::from_fn(|| queue.pop())
            .map(|sent| sent.seq.unwrap_or(0))
            .collect()
    }

    #[test]
    fn a_client_that_keeps_up_gets_everything_once() {
        let mut queue = ClientQueue::new(3);
        for seq in 1..=6 {
            queue.push(&token(seq, 10));
            queue.push(&token(seq, 10));
        }
        assert_eq!(taken(&mut queue), [4, 5, 6]);
        assert!(!queue.waits() && !queue.wants_text(NOW));
    }

    #[test]
    fn a_slow_client_gets_coarse_events_and_then_the_text() {
        let mut queue = ClientQueue::new(0);
        queue.push(&title(1, 10));
        queue.push(&token(2, WATCH_COARSE_BYTES));
        queue.coarsen();
        queue.push(&token(3, 10));
        queue.push(&title(4, 10));
        assert!(!queue.wants_text(NOW), "it has not read what is queued");
        assert_eq!(taken(&mut queue), [1, 4]);
        assert!(queue.wants_text(NOW));
        // The hub is two events further by now: the text has the pieces of both.
        queue.resume_text(6, Some(text(100)), NOW);
        assert_eq!(taken(&mut queue), [] as [u64; 0]);
        queue.push(&token(5, 10));
        queue.push(&title(6, 10));
        queue.push(&token(7, 10));
        assert_eq!(taken(&mut queue), [6, 0, 7]);
        // Again, and not before its time.
        queue.push(&token(8, WATCH_COARSE_BYTES));
        queue.coarsen();
        assert_eq!(taken(&mut queue), [] as [u64; 0]);
        assert!(!queue.wants_text(NOW) && queue.wants_text(NOW + WATCH_TEXT_EVERY));
        assert_eq!(queue.seen(), 8);
    }

    #[test]
    fn a_client_that_reads_nothing_is_too_slow_after_a_while() {
        let mut queue = ClientQueue::new(0);
        queue.push(&title(1, WATCH_BYTES_MAX));
        assert!(!queue.has_room());
        assert!(!queue.is_too_slow(NOW));
        assert!(!queue.is_too_slow(NOW + WATCH_SLOW_MAX / 2));
        assert!(queue.is_too_slow(NOW + WATCH_SLOW_MAX));
        queue.pop();
        assert!(!queue.is_too_slow(NOW + WATCH_SLOW_MAX * 2));
    }

    #[test]
    fn a_client_that_starts_over_gets_no_earlier_frames() {
        let mut queue = ClientQueue::new(0);
        queue.push(&title(1, 10));
        queue.start_over(5, "init".into());
        queue.push(&title(5, 10));
        queue.push(&title(6, 10));
        assert_eq!(taken(&mut queue), [0, 6]);
    }

    #[test]
    fn a_returning_client_gets_the_text_after_what_it_missed() {
        let mut queue = ClientQueue::new(1);
        queue.hold_text(3, Some(text(10)));
        queue.push(&token(2, 10));
        queue.push(&token(3, 10));
        queue.push(&token(4, 10));
        assert_eq!(taken(&mut queue), [2, 3, 0, 4]);
    }
}
