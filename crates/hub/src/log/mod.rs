//! The event log of a session, as data: no I/O. `coalesce` joins the pieces of a text, `entry` gives each message its
//! sequence number and its bytes, `window` keeps the newest for clients that reconnect, `transcript` folds them into the
//! conversation for new clients and `overview` into the rest, `logged_once` knows what must not be logged twice, and
//! `retention` how much of the log the database keeps. `session::publisher` writes it.

mod call_args;
mod coalesce;
mod entry;
mod logged_once;
mod overview;
mod retention;
mod transcript;
mod window;

pub use coalesce::Coalescer;
pub use entry::{LogEntry, LogEntryError};
pub use logged_once::{AcceptedPrompt, LoggedOnce, prompt_digest};
pub use overview::SessionOverview;
pub use retention::LogRetention;
pub use transcript::{LoggedMessage, LoggedPart, Transcript};
pub use window::{EventWindow, WindowResume, gap_between};
