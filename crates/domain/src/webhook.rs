//! Webhooks: the endpoints that an organization has notifications about its actions sent to, and the state
//! of their deliveries. The secret is not part of these types: it stays sealed in the store and is opened
//! only by `app::webhooks`.

use std::{collections::BTreeSet, time::Duration};

use serde_json::Value;

use crate::{
    clock::Timestamp,
    id::{DeliveryId, InvocationId, OrganizationId, UserId, WebhookId},
    limits::{WEBHOOK_ERROR_LENGTH_MAX, WEBHOOK_PAUSES, WEBHOOK_RETRY_AFTER_MAX},
    notice::NoticeKind,
};

crate::text_enum! {
    /// The status of a delivery.
    DeliveryStatus {
        /// It is to be sent.
        Requested = "requested",
        /// It failed and is retried.
        Retried = "retried",
        /// The receiver accepted it.
        Accepted = "accepted",
        /// It failed permanently.
        Failed = "failed",
    }
}

/// A webhook's record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Webhook {
    pub id: WebhookId,
    pub organization_id: OrganizationId,
    pub url: String,
    /// The events its receiver subscribes to; not empty.
    pub events: BTreeSet<NoticeKind>,
    pub enabled: bool,
    pub created_by: Option<UserId>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub health: WebhookHealth,
}

/// Whether the receiver accepts its deliveries.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WebhookHealth {
    pub last_success_at: Option<Timestamp>,
    /// Since when no attempt has been accepted.
    pub failing_since: Option<Timestamp>,
    /// Attempts that failed since the last success.
    pub failed_attempts: i64,
    /// The last error.
    pub last_error: Option<String>,
}

/// One notification to one receiver.
#[derive(Debug, Clone, PartialEq)]
pub struct Delivery {
    pub id: DeliveryId,
    pub webhook_id: WebhookId,
    pub organization_id: OrganizationId,
    pub event: NoticeKind,
    /// `None` for a notice that is about no action.
    pub invocation_id: Option<InvocationId>,
    /// The part of the message that would be lost if it were read later.
    pub told: Value,
    pub status: DeliveryStatus,
    /// Attempts since it was last requested.
    pub attempts: u32,
    /// The status of the receiver's last response, if there was one.
    pub response_status: Option<u16>,
    pub error: Option<String>,
    pub created_at: Timestamp,
    /// When it was last requested: at first, or to be sent once more.
    pub requested_at: Timestamp,
    pub last_attempt_at: Option<Timestamp>,
    /// `None` once it is over.
    pub next_attempt_at: Option<Timestamp>,
}

/// The result of an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Attempt {
    Accepted {
        response_status: u16,
    },
    Failed {
        response_status: Option<u16>,
        error: String,
        /// The pause that the receiver asked for.
        retry_after: Option<Duration>,
    },
    /// Another attempt cannot succeed.
    Impossible {
        error: String,
    },
}

/// The state of a delivery after an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettledDelivery {
    pub status: DeliveryStatus,
    pub response_status: Option<u16>,
    pub error: Option<String>,
    pub next_attempt_at: Option<Timestamp>,
}

impl Attempt {
    /// The state of a delivery after the attempt with this number, counted from one.
    pub fn settle(self, number: u32, now: Timestamp) -> SettledDelivery {
        match self {
            Self::Accepted { response_status } => SettledDelivery {
                status: DeliveryStatus::Accepted,
                response_status: Some(response_status),
                error: None,
                next_attempt_at: None,
            },
            Self::Impossible { error } => SettledDelivery {
                status: DeliveryStatus::Failed,
                response_status: None,
                error: Some(bounded(&error)),
                next_attempt_at: None,
            },
            Self::Failed {
                response_status,
                error,
                retry_after,
            } => {
                // Not `backon`, which sleeps: the time of the next attempt is stored with the delivery.
                let asked = retry_after.unwrap_or_default().min(WEBHOOK_RETRY_AFTER_MAX);
                let pause = number
                    .checked_sub(1)
                    .and_then(|failed| WEBHOOK_PAUSES.get(failed as usize))
                    .map(|pause| asked.max(*pause));
                SettledDelivery {
                    status: match pause {
                        Some(_) => DeliveryStatus::Retried,
                        None => DeliveryStatus::Failed,
                    },
                    response_status,
                    error: Some(bounded(&error)),
                    next_attempt_at: pause.map(|pause| now.plus(pause)),
                }
            }
        }
    }
}

fn bounded(error: &str) -> String {
    error.chars().take(WEBHOOK_ERROR_LENGTH_MAX).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::WEBHOOK_ATTEMPTS_MAX;

    fn failed(retry_after: Option<u64>) -> Attempt {
        Attempt::Failed {
            response_status: Some(503),
            error: "it answered 503".into(),
            retry_after: retry_after.map(Duration::from_secs),
        }
    }

    #[test]
    fn an_attempt_that_failed_is_repeated_ever_later_and_then_no_more() {
        assert_eq!(WEBHOOK_ATTEMPTS_MAX as usize, 1 + WEBHOOK_PAUSES.len());
        let now = Timestamp::from_micros(0).unwrap();
        let pauses: Vec<_> = (1..=WEBHOOK_ATTEMPTS_MAX)
            .map(|number| {
                let settled = failed(None).settle(number, now);
                assert_eq!(settled.response_status, Some(503));
                let again = settled.status == DeliveryStatus::Retried;
                assert_eq!(again, settled.next_attempt_at.is_some());
                settled.next_attempt_at.map(|at| at.since(now).as_secs())
            })
            .collect();
        let expected = [Some(5), Some(30), Some(120), Some(600), Some(3600), None];
        assert_eq!(pauses, expected);
    }

    #[test]
    fn a_receiver_is_left_alone_as_long_as_it_asks_for_within_bounds() {
        let now = Timestamp::from_micros(0).unwrap();
        for (number, asked, expected) in [(1, 60, 60), (3, 60, 120), (1, u64::MAX, 3600)] {
            let settled = failed(Some(asked)).settle(number, now);
            let next = settled.next_attempt_at.unwrap();
            assert_eq!(next.since(now).as_secs(), expected);
        }
        assert_eq!(failed(Some(60)).settle(6, now).next_attempt_at, None);
    }

    #[test]
    fn what_was_accepted_or_is_impossible_is_over() {
        let now = Timestamp::from_micros(0).unwrap();
        let accepted = Attempt::Accepted {
            response_status: 204,
        };
        let settled = accepted.settle(1, now);
        assert_eq!(settled.status, DeliveryStatus::Accepted);
        assert_eq!((settled.error, settled.next_attempt_at), (None, None));
        let impossible = Attempt::Impossible {
            error: "x".repeat(1000),
        };
        let settled = impossible.settle(1, now);
        assert_eq!(settled.status, DeliveryStatus::Failed);
        assert_eq!(settled.error.unwrap().len(), WEBHOOK_ERROR_LENGTH_MAX);
        assert_eq!(settled.next_attempt_at, None);
    }
}
