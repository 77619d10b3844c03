//! The newest events of the log in memory, for clients that reconnect. Bounded by number and bytes; older ones are read from
//! the database, and for those that are no longer there either the client is sent a gap.

use std::collections::VecDeque;

use domain::limits::{LIVE_WINDOW_BYTES_MAX, LIVE_WINDOW_EVENTS_MAX};
use wire::live::Gap;

use super::LogEntry;

/// What a reconnecting client is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WindowResume {
    /// These events; it misses nothing.
    Here(Vec<LogEntry>),
    /// Events of the database first, up to the one before `until`, and then again from the window.
    Earlier { until: u64 },
    /// The client has more than there is: the log is another one, and it starts over.
    Ahead,
}

/// The last events of a session.
#[derive(Debug, Default)]
pub struct EventWindow {
    entries: VecDeque<LogEntry>,
    bytes: usize,
    /// The sequence number of the newest event, also when the window is empty.
    last: u64,
}

impl EventWindow {
    /// Makes the empty window of a log that ends here.
    pub fn new(last: u64) -> Self {
        Self {
            last,
            ..Self::default()
        }
    }

    pub fn last_seq(&self) -> u64 {
        self.last
    }

    /// Returns the sequence number of the next event.
    pub fn next_seq(&self) -> u64 {
        self.last + 1
    }

    /// Adds the next event, and removes the oldest as the bounds require. Returns false, and does nothing, if it is not the
    /// next.
    pub fn push(&mut self, entry: LogEntry) -> bool {
        if entry.seq() != self.next_seq() {
            return false;
        }
        self.last = entry.seq();
        self.bytes += entry.frame().len();
        self.entries.push_back(entry);
        while self.entries.len() > LIVE_WINDOW_EVENTS_MAX || self.bytes > LIVE_WINDOW_BYTES_MAX {
            let Some(oldest) = self.entries.pop_front() else {
                break;
            };
            self.bytes -= oldest.frame().len();
        }
        true
    }

    /// Returns what a client that has everything up to `after` is to be sent.
    pub fn resume(&self, after: u64) -> WindowResume {
        if after > self.last {
            return WindowResume::Ahead;
        }
        let first = self.entries.front().map_or(self.last + 1, LogEntry::seq);
        if after + 1 < first {
            return WindowResume::Earlier { until: first };
        }
        let skipped = usize::try_from(after + 1 - first).unwrap_or(usize::MAX);
        WindowResume::Here(self.entries.iter().skip(skipped).cloned().collect())
    }
}

/// Returns the events that are missing between the last one of a client and the first that there is.
pub fn gap_between(after: u64, first: u64) -> Option<Gap> {
    (after + 1 < first).then(|| Gap {
        from: after + 1,
        to: first - 1,
    })
}

#[cfg(test)]
mod tests {
    use domain::clock::Timestamp;
    use proptest::prelude::*;
    use wire::live::{ServerMessage, TitleUpdate};

    use super::*;

    fn entry(seq: u64, length: usize) -> LogEntry {
        let title = "x".repeat(length);
        let message = ServerMessage::TitleUpdate(TitleUpdate { title });
        LogEntry::new(seq, &message, Timestamp::from_micros(1).unwrap()).unwrap()
    }

    fn places(resume: &WindowResume) -> Vec<u64> {
        match resume {
            WindowResume::Here(entries) => entries.iter().map(LogEntry::seq).collect(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_client_goes_on_where_it_was() {
        let mut window = EventWindow::new(10);
        assert_eq!(window.resume(10), WindowResume::Here(Vec::new()));
        assert_eq!(window.resume(9), WindowResume::Earlier { until: 11 });
        assert_eq!(window.resume(11), WindowResume::Ahead);
        assert!(window.push(entry(11, 1)) && window.push(entry(12, 1)));
        assert!(!window.push(entry(12, 1)) && !window.push(entry(14, 1)));
        assert_eq!(places(&window.resume(10)), [11, 12]);
        assert_eq!(places(&window.resume(11)), [12]);
        assert_eq!(window.resume(0), WindowResume::Earlier { until: 11 });
        assert_eq!(window.next_seq(), 13);
    }

    #[test]
    fn the_window_keeps_its_bounds() {
        let mut window = EventWindow::new(0);
        let count = LIVE_WINDOW_EVENTS_MAX as u64 + 10;
        for seq in 1..=count {
            assert!(window.push(entry(seq, 1)));
        }
        assert_eq!(window.entries.len(), LIVE_WINDOW_EVENTS_MAX);
        assert!(window.push(entry(count + 1, LIVE_WINDOW_BYTES_MAX)));
        assert!(window.bytes <= LIVE_WINDOW_BYTES_MAX && window.entries.is_empty());
        assert_eq!(
            window.resume(count),
            WindowResume::Earlier { until: count + 2 }
        );
        assert_eq!(window.resume(count + 1), WindowResume::Here(Vec::new()));
    }

    #[test]
    fn a_gap_is_what_is_between() {
        assert_eq!(gap_between(4, 5), None);
        assert_eq!(gap_between(4, 6), Some(Gap { from: 5, to: 5 }));
        assert_eq!(gap_between(0, 10), Some(Gap { from: 1, to: 9 }));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn a_returning_client_misses_no_event_and_sees_none_twice(
            start in 0_u64..50,
            lengths in prop::collection::vec(0_usize..60_000, 0..40),
            after in 0_u64..100,
        ) {
            let mut window = EventWindow::new(start);
            for length in lengths {
                let next = window.next_seq();
                window.push(entry(next, length));
            }
            match window.resume(after) {
                WindowResume::Ahead => prop_assert!(after > window.last_seq()),
                WindowResume::Here(entries) => {
                    let seen: Vec<u64> = entries.iter().map(LogEntry::seq).collect();
                    let expected: Vec<u64> = (after + 1..=window.last_seq()).collect();
                    prop_assert_eq!(seen, expected);
                }
                WindowResume::Earlier { until } => {
                    prop_assert!(after + 1 < until && until <= window.next_seq());
                    let rest = window.resume(until - 1);
                    prop_assert!(matches!(rest, WindowResume::Here(_)));
                }
            }
        }
    }
}
