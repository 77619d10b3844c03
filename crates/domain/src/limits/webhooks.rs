//! Bounds of telling others: webhooks and their deliveries.

use std::time::Duration;

/// Webhooks of one organization. Each one that wants an event costs the action it is about a row.
pub const WEBHOOKS_PER_ORGANIZATION_MAX: u32 = 20;
/// How long a receiver may take, its TLS handshake included: it is to take note, not to work.
pub const WEBHOOK_TIMEOUT: Duration = Duration::from_secs(10);
/// Pauses after an attempt that failed; after the last of them it failed for good. Together 73 minutes: longer
/// than a receiver is deployed, and far longer than an approval can wait.
pub const WEBHOOK_PAUSES: [Duration; 5] = [
    Duration::from_secs(5),
    Duration::from_secs(30),
    Duration::from_mins(2),
    Duration::from_mins(10),
    Duration::from_hours(1),
];
/// Attempts of one delivery: the first, and one after each pause.
pub const WEBHOOK_ATTEMPTS_MAX: u32 = 6;
/// Longest pause a receiver may ask for with `Retry-After`.
pub const WEBHOOK_RETRY_AFTER_MAX: Duration = Duration::from_hours(1);
/// Deliveries of one webhook that a sender takes at once, and that it has under way together.
pub const WEBHOOK_BATCH_MAX: u32 = 16;
pub const WEBHOOK_BATCH_AT_ONCE: usize = 8;
/// How long a sender that took deliveries keeps them: two rounds of eight that time out, resolving included,
/// and as much again. Of one that died they are free after it.
pub const WEBHOOK_CLAIM: Duration = Duration::from_mins(1);
/// Webhooks that one process sends to at once; the others wait for the next round.
pub const WEBHOOKS_AT_ONCE_MAX: usize = 64;
/// Webhooks looked at in one round; the next round goes on with those after them.
pub const WEBHOOKS_PER_ROUND_MAX: usize = 1000;
/// Pause between two looks for what is due: how long a person waits to hear of a question.
pub const WEBHOOK_ROUND_EVERY: Duration = Duration::from_secs(1);
/// How long a process that stops waits for what it sends. The rest is sent by another one.
pub const WEBHOOK_STOP_MAX: Duration = Duration::from_secs(3);
/// A delivery that is older is not sent any more: nobody acts on yesterday's question. It bounds what can wait
/// for a receiver that is too slow.
pub const WEBHOOK_DELIVERY_LIFE: Duration = Duration::from_hours(24);
/// How long a delivery that is over is shown.
pub const WEBHOOK_DELIVERY_RETENTION: Duration = Duration::from_hours(24 * 30);
/// Deliveries that one sweep removes at once, and how often it may: millions a day.
pub const WEBHOOK_SWEEP_BATCH_MAX: u32 = 500;
pub const WEBHOOK_SWEEP_BATCHES_MAX: u32 = 4;
/// Bytes of a webhook's secret; the specification asks for 24 to 64.
pub const WEBHOOK_SECRET_BYTES: usize = 32;
/// How long deliveries are signed with the secret before the last change, too: a day to tell the receiver.
pub const WEBHOOK_SECRET_OVERLAP: Duration = Duration::from_hours(24);
/// Characters of what is said about an attempt that failed.
pub const WEBHOOK_ERROR_LENGTH_MAX: usize = 200;
/// Open questions of a session that somebody who begins to listen is told first: more than may be open, as
/// those that ran out are not counted.
pub const NOTICES_PENDING_MAX: u32 = 50;
