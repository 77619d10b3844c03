//! Bounds of invitations.

use std::time::Duration;

/// Invitations of an organization that may be accepted: a department that joins in one week.
pub const INVITATIONS_PENDING_MAX: u32 = 100;
/// How long an invitation may be accepted if its creator does not say: a week, with a holiday in it.
pub const INVITATION_LIFE: Duration = Duration::from_hours(7 * 24);
/// The shortest life of one: as long as a one-time link's.
pub const INVITATION_LIFE_MIN: Duration = Duration::from_hours(1);
/// The longest life of one: a link in a mailbox is forgotten, and still valid, for a month at most.
pub const INVITATION_LIFE_MAX: Duration = Duration::from_hours(30 * 24);
/// How long an invitation stays in the database after it was accepted, revoked or expired: for a month its link says why it
/// is refused. The audit log keeps its id.
pub const INVITATION_RETENTION: Duration = Duration::from_hours(30 * 24);
/// Invitations that one sweep removes.
pub const INVITATION_SWEEP_MAX: u32 = 1000;
/// Invitations that one client may inspect or try to accept within [`INVITATION_ATTEMPTS_WINDOW`]: an office behind one
/// address joins on one morning. Codes have 256 random bits; the limit protects the database.
pub const INVITATION_ATTEMPTS_MAX: u64 = 60;
pub const INVITATION_ATTEMPTS_WINDOW: Duration = Duration::from_mins(10);
/// Characters of the code of an invitation that are read: the longest valid one has 68.
pub const INVITATION_CODE_LENGTH_MAX: usize = 100;
