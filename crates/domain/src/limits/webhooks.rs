//! Bounds of webhooks and their deliveries.

use std::time::Duration;

/// Webhooks of one organization. Each subscription to an event costs the action that causes it a
/// row.
pub const WEBHOOKS_PER_ORGANIZATION_MAX: u32 = 20;
/// How long a receiver may take, its TLS handshake included: it should enqueue the delivery, not
/// process it.
pub const WEBHOOK_TIMEOUT: Duration = Duration::from_secs(10);
/// Pauses after a failed attempt; after the last of them the delivery has failed. Together 73 minutes: longer
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
/// Deliveries of one webhook that a sender claims at once, and that it has under way together.
pub const WEBHOOK_BATCH_MAX: u32 = 16;
pub const WEBHOOK_BATCH_AT_ONCE: usize = 8;
/// How long a sender's claim on deliveries lasts: two rounds of eight that time out, resolving included, and
/// as much again. After it the deliveries of a dead sender are free.
pub const WEBHOOK_CLAIM: Duration = Duration::from_mins(1);
/// Webhooks that one process delivers to at once; the others wait for the next round.
pub const WEBHOOKS_AT_ONCE_MAX: usize = 64;
/// Webhooks handled in one round; the next round continues with those after them.
pub const WEBHOOKS_PER_ROUND_MAX: usize = 1000;
/// Poll interval for due deliveries: how long an approver waits for a notification.
pub const WEBHOOK_ROUND_EVERY: Duration = Duration::from_secs(1);
/// How long a process that stops waits for deliveries under way. The rest is delivered by another
/// one.
pub const WEBHOOK_STOP_MAX: Duration = Duration::from_secs(3);
/// An older delivery is not sent any more: an approval request of yesterday is obsolete. It bounds the queue
/// of a receiver that is too slow.
pub const WEBHOOK_DELIVERY_LIFE: Duration = Duration::from_hours(24);
/// How long a finished delivery is shown.
pub const WEBHOOK_DELIVERY_RETENTION: Duration = Duration::from_hours(24 * 30);
/// Deliveries that one sweep removes at once, and how often it may: millions a day.
pub const WEBHOOK_SWEEP_BATCH_MAX: u32 = 500;
pub const WEBHOOK_SWEEP_BATCHES_MAX: u32 = 4;
/// Bytes of a webhook's secret; the specification asks for 24 to 64.
pub const WEBHOOK_SECRET_BYTES: usize = 32;
/// How long deliveries are also signed with the previous secret: a day to update the receiver.
pub const WEBHOOK_SECRET_OVERLAP: Duration = Duration::from_hours(24);
/// Characters of the error of a failed attempt.
pub const WEBHOOK_ERROR_LENGTH_MAX: usize = 200;
/// Pending approval requests of a session that a new subscriber gets first: more than may be open, as
/// expired ones are not counted.
pub const NOTICES_PENDING_MAX: u32 = 50;
