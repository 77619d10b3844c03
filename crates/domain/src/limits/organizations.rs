//! Limits of organizations: how they begin and how they end.

use std::time::Duration;

/// Longest the checks of an installation may take over the API: below the longest time of a request. Each service is
/// asked for eight seconds at most, all at once.
pub const INSTALLATION_CHECKS_MAX: Duration = Duration::from_secs(20);
/// When to ask for the checks again that are running: they usually take a second or two.
pub const INSTALLATION_CHECKS_RETRY_AFTER: Duration = Duration::from_secs(3);
/// How long a setup link is valid: long enough to install what is missing first, short enough to be harmless in a
/// terminal's history or in a log.
pub const SETUP_LINK_LIFE: Duration = Duration::from_hours(1);
/// Setup links that are valid at once: one for each instance that starts on an empty database. The oldest is removed.
pub const SETUP_LINKS_MAX: u32 = 20;
/// How long a deletion can be taken back: a person who is on vacation for a week notices it in time.
pub const ORGANIZATION_DELETION_GRACE: Duration = Duration::from_hours(7 * 24);
/// Characters of an organization's id and slug, without the number that makes them unique. They are part of URLs.
pub const ORGANIZATION_SLUG_LENGTH_MAX: usize = 40;
/// Ids that are tried for an organization's name, each with the next number, before a random one is taken.
pub const ORGANIZATION_SLUGS_TRIED_MAX: u32 = 20;
/// Characters of the reason for a suspension: a sentence or two, shown on each page.
pub const SUSPENSION_REASON_LENGTH_MAX: usize = 300;
/// How often an instance looks for suspended organizations among those of its live sessions. Their callers are refused at
/// once; this only ends what is running.
pub const SUSPENSION_LOOK_EVERY: Duration = Duration::from_secs(5);
/// Organizations that are suspended or deleting and have live sessions, of which one look takes notice.
pub const SUSPENSIONS_READ_MAX: u32 = 10_000;
/// Rows that one transaction of a purge removes: a fraction of a second of a database that also serves.
pub const PURGE_ROWS_MAX: u32 = 5_000;
/// Stored objects that one step of a purge removes: a few seconds of an object store.
pub const PURGE_BLOBS_MAX: usize = 500;
/// Organizations that a list shows; an installation with more names the organization by its id.
pub const ORGANIZATIONS_SHOWN_MAX: u32 = 1000;
/// Members of an organization that are listed at once; the largest known has three hundred.
pub const MEMBERS_SHOWN_MAX: u32 = 1000;
