//! Everything that is written to the log while a test runs, of us and of the libraries below.

use std::{
    io,
    sync::{Arc, Mutex},
};

use tracing_subscriber::fmt::MakeWriter;

#[derive(Debug, Clone, Default)]
pub struct Log(Arc<Mutex<Vec<u8>>>);

/// Ends the listening.
#[derive(Debug)]
pub struct Listening {
    _default: tracing::dispatcher::DefaultGuard,
    /// Of one dispatcher alone, tracing asks the thread that comes to a line first, and remembers the no of a
    /// test that has none.
    _second: tracing::Dispatch,
}

impl Log {
    /// At the finest level, what this thread writes until the second value is dropped.
    pub fn listen() -> (Self, Listening) {
        let log = Self::default();
        let subscriber = tracing_subscriber::fmt()
            .with_max_level(tracing::Level::TRACE)
            .with_ansi(false)
            .with_writer(log.clone())
            .finish();
        let dispatch = tracing::Dispatch::new(subscriber);
        let listening = Listening {
            _second: tracing::Dispatch::new(tracing_subscriber::registry()),
            _default: tracing::dispatcher::set_default(&dispatch),
        };
        (log, listening)
    }

    /// What was written so far.
    pub fn text(&self) -> String {
        let written = self.0.lock().expect("not poisoned");
        String::from_utf8_lossy(&written).into_owned()
    }
}

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut written = self.0.lock().expect("not poisoned");
        written.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Log {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}
