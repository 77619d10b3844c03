//! Bounds of mails.

use std::time::Duration;

/// How often a process looks for mails to send: a user who waits for a link does not notice it.
pub const MAIL_ROUND_EVERY: Duration = Duration::from_secs(1);
/// Mails that a process sends at once: mail servers limit the connections of one client.
pub const MAIL_BATCH_MAX: u32 = 8;
/// Longest conversation with the mail server, connecting included: a server that delays unknown clients answers within it.
pub const MAIL_TIMEOUT: Duration = Duration::from_secs(30);
/// How long a sender has a mail to itself: longer than one conversation. A process that dies loses it to another after this.
pub const MAIL_CLAIM: Duration = Duration::from_mins(2);
/// Attempts to send a mail: with the pauses between them, two hours of a mail server that is not there.
pub const MAIL_ATTEMPTS_MAX: u32 = 8;
/// Pause after the first attempt; it doubles up to [`MAIL_PAUSE_MAX`].
pub const MAIL_PAUSE: Duration = Duration::from_secs(15);
pub const MAIL_PAUSE_MAX: Duration = Duration::from_mins(30);
/// Longest pause until what is being sent when a process stops.
pub const MAIL_STOP_MAX: Duration = Duration::from_secs(5);
/// Mails of an organization that wait to be sent: all its invitations, and as many sign-in links.
pub const MAILS_WAITING_MAX: u32 = 200;
/// How long a mail's row, which has an address, stays after it was sent or given up: as long as an invitation that shows it
/// may last.
pub const MAIL_RETENTION: Duration = Duration::from_hours(31 * 24);
/// Mails that one sweep removes.
pub const MAIL_SWEEP_MAX: u32 = 1000;

/// How long a mailed sign-in link is valid: a mail is there within minutes, and others may read the mailbox later.
pub const LOGIN_MAIL_LIFE: Duration = Duration::from_mins(15);
/// Sign-in links that are mailed to one address within [`LOGIN_MAIL_WINDOW`]: a user who looks into the wrong mailbox twice.
pub const LOGIN_MAILS_PER_ADDRESS_MAX: u64 = 5;
/// Sign-in links that one client may request within it: an office behind one address on a morning.
pub const LOGIN_MAILS_PER_CLIENT_MAX: u64 = 30;
pub const LOGIN_MAIL_WINDOW: Duration = Duration::from_hours(1);
