//! How many bytes a session's log takes in the database. The log is trimmed by its number of events; this decides how many of
//! the newest keep it within its bound of bytes.

use std::collections::VecDeque;

use domain::limits::{
    LIVE_EVENTS_BYTES_MAX, LIVE_EVENTS_KEPT_MAX, LIVE_TRIM_EVERY, LIVE_TRIM_EVERY_BYTES,
};

use super::LogEntry;

/// The sizes of the events of this hub, in blocks. The sizes of earlier events are not known.
#[derive(Debug, Default)]
pub struct LogRetention {
    blocks: VecDeque<EventBlock>,
    open: EventBlock,
}

#[derive(Debug, Default, Clone, Copy)]
struct EventBlock {
    events: u64,
    bytes: u64,
}

impl LogRetention {
    /// Counts the next event. Returns how many of the newest stay, if it is time to trim.
    pub fn add(&mut self, entry: &LogEntry) -> Option<u64> {
        self.count(entry.frame().len() as u64)
    }

    fn count(&mut self, bytes: u64) -> Option<u64> {
        self.open.events += 1;
        self.open.bytes += bytes;
        if self.open.events < LIVE_TRIM_EVERY && self.open.bytes < LIVE_TRIM_EVERY_BYTES {
            return None;
        }
        self.blocks.push_back(std::mem::take(&mut self.open));
        let (mut events, mut bytes) = (0, 0);
        let mut fitting = 0;
        for block in self.blocks.iter().rev() {
            bytes += block.bytes;
            if bytes > LIVE_EVENTS_BYTES_MAX || events > LIVE_EVENTS_KEPT_MAX {
                break;
            }
            events += block.events;
            fitting += 1;
        }
        let is_all = fitting == self.blocks.len();
        self.blocks.drain(..self.blocks.len() - fitting);
        // Events of unknown size are older than all others, and stay as long as there is room.
        Some(if is_all {
            LIVE_EVENTS_KEPT_MAX
        } else {
            events.min(LIVE_EVENTS_KEPT_MAX)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_events_are_trimmed_by_their_number_and_large_ones_by_their_bytes() {
        let mut kept = LogRetention::default();
        let trims: Vec<u64> = (0..3 * LIVE_TRIM_EVERY)
            .filter_map(|_| kept.count(100))
            .collect();
        assert_eq!(trims, [LIVE_EVENTS_KEPT_MAX; 3]);
        let large = LIVE_TRIM_EVERY_BYTES / 16;
        let mut stored = VecDeque::new();
        for _ in 0..2000 {
            stored.push_back(large);
            if let Some(keep) = kept.count(large) {
                let keep = usize::try_from(keep).unwrap();
                stored.drain(..stored.len().saturating_sub(keep));
            }
            let bytes: u64 = stored.iter().sum();
            assert!(
                bytes <= LIVE_EVENTS_BYTES_MAX + LIVE_TRIM_EVERY_BYTES,
                "{bytes}"
            );
        }
        assert!(stored.len() > 100, "{}", stored.len());
        assert!(kept.blocks.len() <= 200);
    }
}
