//! Whose turn it is to list. Bounded for the process and for each organization, so that one whose servers
//! hang does not hold up the others.

use std::sync::Arc;

use domain::{
    capacity::{CapacityPermit, CapacityPool, Claimant},
    id::OrganizationId,
    limits::CONNECTOR_LISTINGS,
};
use tokio::sync::Notify;

#[derive(Debug)]
pub(crate) struct Turns {
    capacity: CapacityPool,
    /// Told of each turn that is over.
    ended: Arc<Notify>,
}

/// One turn; over when dropped.
#[derive(Debug)]
pub(crate) struct Turn {
    permit: Option<CapacityPermit>,
    ended: Arc<Notify>,
}

impl Turns {
    pub(crate) fn new() -> Self {
        Self {
            capacity: CapacityPool::new(CONNECTOR_LISTINGS),
            ended: Arc::default(),
        }
    }

    /// Waits for a turn. Of those that wait, organizations that have few turns come first: the others are over their
    /// share.
    pub(crate) async fn take(&self, organization_id: &OrganizationId) -> Turn {
        let claimant = Claimant::organization(organization_id.clone());
        loop {
            let mut ended = std::pin::pin!(self.ended.notified());
            // Before looking, so that no end in between is missed.
            ended.as_mut().enable();
            if let Ok(permit) = self.capacity.try_acquire(&claimant, 1) {
                return Turn {
                    permit: Some(permit),
                    ended: Arc::clone(&self.ended),
                };
            }
            ended.await;
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        // Given back first, so that it is free for the waiters that are woken.
        drop(self.permit.take());
        self.ended.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use domain::limits::{CONNECTOR_LISTINGS_MAX, CONNECTOR_LISTINGS_PER_ORGANIZATION_MAX};
    use futures::FutureExt as _;

    use super::*;

    #[test]
    fn one_organization_cannot_take_every_turn() {
        let turns = Turns::new();
        let take = |organization: &str| {
            let organization = organization.parse().unwrap();
            turns.take(&organization).now_or_never()
        };
        let mut held: Vec<_> = (0..CONNECTOR_LISTINGS_PER_ORGANIZATION_MAX)
            .map(|_| take("busy").unwrap())
            .collect();
        assert!(take("busy").is_none());
        held.push(take("quiet").unwrap());
        for organization in 0.. {
            match take(&format!("org-{organization}")) {
                Some(turn) => held.push(turn),
                None => break,
            }
        }
        assert_eq!(held.len(), CONNECTOR_LISTINGS_MAX);
        held.clear();
        assert!(take("busy").is_some());
        assert!(take("other").is_some());
        assert_eq!(turns.capacity.organizations(), 0);
    }

    #[tokio::test]
    async fn who_waits_gets_the_turn_that_ends() {
        let turns = Arc::new(Turns::new());
        let mut held = Vec::new();
        for _ in 0..CONNECTOR_LISTINGS_PER_ORGANIZATION_MAX {
            held.push(turns.take(&"busy".parse().unwrap()).await);
        }
        let waiting = tokio::spawn({
            let turns = Arc::clone(&turns);
            async move { turns.take(&"busy".parse().unwrap()).await }
        });
        tokio::task::yield_now().await;
        assert!(!waiting.is_finished());
        held.pop();
        waiting.await.unwrap();
    }
}
