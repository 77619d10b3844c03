//! Bounds the listings that run at once, for the process and for each organization, so that an organization whose servers
//! hang does not delay the others.

use std::sync::Arc;

use domain::{
    capacity::{CapacityPermit, CapacityPool, Claimant},
    id::OrganizationId,
    limits::CONNECTOR_LISTINGS,
};
use tokio::sync::Notify;

#[derive(Debug)]
pub(crate) struct ListingLimit {
    capacity: CapacityPool,
    /// Notified when a listing ends.
    ended: Arc<Notify>,
}

/// The right to list once; given back when dropped.
#[derive(Debug)]
pub(crate) struct ListingPermit {
    permit: Option<CapacityPermit>,
    ended: Arc<Notify>,
}

impl ListingLimit {
    pub(crate) fn new() -> Self {
        Self {
            capacity: CapacityPool::new(CONNECTOR_LISTINGS),
            ended: Arc::default(),
        }
    }

    /// Waits until a listing may begin. Organizations with few listings come first: the others are over their share.
    pub(crate) async fn acquire(&self, organization_id: &OrganizationId) -> ListingPermit {
        let claimant = Claimant::organization(organization_id.clone());
        loop {
            let mut ended = std::pin::pin!(self.ended.notified());
            // Before looking, so that no end in between is missed.
            ended.as_mut().enable();
            if let Ok(permit) = self.capacity.try_acquire(&claimant, 1) {
                return ListingPermit {
                    permit: Some(permit),
                    ended: Arc::clone(&self.ended),
                };
            }
            ended.await;
        }
    }
}

impl Drop for ListingPermit {
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
    fn one_organization_cannot_take_every_permit() {
        let limit = ListingLimit::new();
        let acquire = |organization: &str| {
            let organization = organization.parse().unwrap();
            limit.acquire(&organization).now_or_never()
        };
        let mut held: Vec<_> = (0..CONNECTOR_LISTINGS_PER_ORGANIZATION_MAX)
            .map(|_| acquire("busy").unwrap())
            .collect();
        assert!(acquire("busy").is_none());
        held.push(acquire("quiet").unwrap());
        for organization in 0.. {
            match acquire(&format!("org-{organization}")) {
                Some(permit) => held.push(permit),
                None => break,
            }
        }
        assert_eq!(held.len(), CONNECTOR_LISTINGS_MAX);
        held.clear();
        assert!(acquire("busy").is_some());
        assert!(acquire("other").is_some());
        assert_eq!(limit.capacity.organizations(), 0);
    }

    #[tokio::test]
    async fn a_waiting_listing_begins_when_another_ends() {
        let limit = Arc::new(ListingLimit::new());
        let mut held = Vec::new();
        for _ in 0..CONNECTOR_LISTINGS_PER_ORGANIZATION_MAX {
            held.push(limit.acquire(&"busy".parse().unwrap()).await);
        }
        let waiting = tokio::spawn({
            let limit = Arc::clone(&limit);
            async move { limit.acquire(&"busy".parse().unwrap()).await }
        });
        tokio::task::yield_now().await;
        assert!(!waiting.is_finished());
        held.pop();
        waiting.await.unwrap();
    }
}
