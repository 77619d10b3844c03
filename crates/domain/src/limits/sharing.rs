//! Bounds of sharing sessions.

use std::time::Duration;

/// Members who are named in the list of one session: a team; above it, the organization sees the session.
pub const SESSION_PEOPLE_MAX: usize = 50;
/// How long a share link lasts if nothing is said: a review in the same week.
pub const SHARE_LINK_LIFE: Duration = Duration::from_hours(7 * 24);
/// The shortest: one meeting.
pub const SHARE_LINK_LIFE_MIN: Duration = Duration::from_hours(1);
/// The longest: who needs the transcript after a month gets a new link.
pub const SHARE_LINK_LIFE_MAX: Duration = Duration::from_hours(30 * 24);
/// Links of one session that are live at once: one for each party that reads it.
pub const SHARE_LINKS_LIVE_PER_SESSION_MAX: i64 = 20;
/// Links of one session that are kept, those that are over included: a list that a person can read.
pub const SHARE_LINKS_PER_SESSION_MAX: i64 = 100;
/// How long a link that is over is listed: over a quarter. The audit log keeps its events longer.
pub const SHARE_LINK_RETENTION: Duration = Duration::from_hours(90 * 24);
/// Links that one sweep removes.
pub const SHARE_LINK_SWEEP_MAX: u32 = 1000;
/// How often an opening of one link is recorded: a reader who reloads is one opening.
pub const SHARE_LINK_OPENING_EVERY: Duration = Duration::from_hours(1);
/// Pages of transcripts that one client may read in a window: a long transcript has a hundred, and a client that guesses
/// codes gets no further with 256 random bits.
pub const SHARED_READS_PER_CLIENT: u32 = 240;
/// Pages that all clients together may read of one link in a window.
pub const SHARED_READS_PER_LINK: u32 = 1200;
/// The window of both.
pub const SHARED_READS_WINDOW: Duration = Duration::from_mins(1);
