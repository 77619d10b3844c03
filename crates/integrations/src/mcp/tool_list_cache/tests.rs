//! The kept lists on a clock that stands still until it is moved.

use std::sync::atomic::{AtomicUsize, Ordering};

use testkit::clock::FakeClock;
use tokio::sync::{Notify, Semaphore};
use uuid::Uuid;

use super::*;

fn key(organization: &str, connector: u128, fingerprint: &str) -> ToolListKey {
    ToolListKey {
        organization_id: organization.parse().unwrap(),
        connector_id: ConnectorId::from_uuid(Uuid::from_u128(connector)),
        fingerprint: fingerprint.to_owned(),
    }
}

fn list(bytes: usize) -> ToolList {
    ToolList {
        bytes,
        ..ToolList::default()
    }
}

/// Fetches that are counted.
#[derive(Default)]
struct Server {
    asked: AtomicUsize,
}

impl Server {
    fn answers(
        &self,
        outcome: Result<ToolList, Failure>,
    ) -> impl Future<Output = Result<ToolList, Failure>> + Send + 'static {
        self.asked.fetch_add(1, Ordering::SeqCst);
        std::future::ready(outcome)
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

fn broken() -> Failure {
    Failure::later(FailureKind::Unreachable, "broken")
}

#[tokio::test]
async fn a_list_is_kept_for_five_minutes_and_a_failure_for_ten_seconds() {
    let clock = Arc::new(FakeClock::new());
    let lists = ToolListCache::new(clock.clone());
    let server = Server::default();
    let good = || lists.get(key("org-1", 1, "a"), || server.answers(Ok(list(10))));
    for _ in 0..3 {
        good().await.unwrap();
    }
    let moment = Duration::from_micros(1);
    clock.advance(CONNECTOR_LIST_TTL.saturating_sub(moment));
    good().await.unwrap();
    assert_eq!(server.asked(), 1);
    clock.advance(moment);
    good().await.unwrap();
    assert_eq!(server.asked(), 2);

    let server = Server::default();
    let bad = || lists.get(key("org-1", 2, "a"), || server.answers(Err(broken())));
    assert_eq!(bad().await.unwrap_err(), broken());
    assert_eq!(bad().await.unwrap_err(), broken());
    assert_eq!(server.asked(), 1);
    clock.advance(CONNECTOR_FAILURE_TTL);
    bad().await.unwrap_err();
    assert_eq!(server.asked(), 2);
}

#[tokio::test]
async fn another_configuration_or_organization_is_another_list() {
    let lists = ToolListCache::new(Arc::new(FakeClock::new()));
    let server = Server::default();
    for key in [
        key("org-1", 1, "a"),
        key("org-1", 1, "b"),
        key("org-2", 1, "a"),
        key("org-1", 2, "a"),
        key("org-1", 1, "a"),
    ] {
        lists
            .get(key, || server.answers(Ok(list(1))))
            .await
            .unwrap();
    }
    assert_eq!(server.asked(), 4);
    lists.forget(
        &"org-1".parse().unwrap(),
        ConnectorId::from_uuid(Uuid::from_u128(1)),
    );
    assert_eq!(lists.lock().by_key.len(), 2);
    assert_eq!(lists.lock().bytes, 2);
}

/// All callers at once share one fetch, and the one who began it may leave.
#[tokio::test]
async fn callers_at_once_share_one_fetch_that_outlives_the_first_of_them() {
    const OTHERS: usize = 20;
    let lists = ToolListCache::new(Arc::new(FakeClock::new()));
    let (arrived, asked) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let go = Arc::new(Semaphore::new(0));
    let get = || {
        let lists = Arc::clone(&lists);
        let (arrived, asked, go) = (Arc::clone(&arrived), Arc::clone(&asked), Arc::clone(&go));
        async move {
            // Nothing is awaited between this and the question.
            arrived.fetch_add(1, Ordering::SeqCst);
            let fetch = || async move {
                asked.fetch_add(1, Ordering::SeqCst);
                go.acquire().await.unwrap().forget();
                Ok(list(5))
            };
            lists.get(key("org-1", 1, "a"), fetch).await
        }
    };
    let mut first = Box::pin(get());
    assert!(first.as_mut().now_or_never().is_none());
    let others: Vec<_> = (0..OTHERS).map(|_| tokio::spawn(get())).collect();
    while arrived.load(Ordering::SeqCst) <= OTHERS {
        tokio::task::yield_now().await;
    }
    drop(first);
    go.add_permits(OTHERS + 1);
    for other in others {
        assert_eq!(other.await.unwrap().unwrap().bytes, 5);
    }
    assert_eq!(asked.load(Ordering::SeqCst), 1);
}

/// A list that is forgotten while it is fetched does not come back when the fetch ends.
#[tokio::test]
async fn what_is_forgotten_while_it_is_fetched_stays_forgotten() {
    let lists = ToolListCache::new(Arc::new(FakeClock::new()));
    let go = Arc::new(Notify::new());
    let waiting = Arc::clone(&go);
    let first = lists.get(key("org-1", 1, "a"), || async move {
        waiting.notified().await;
        Ok(list(5))
    });
    let mut first = Box::pin(first);
    assert!(first.as_mut().now_or_never().is_none());
    let organization = "org-1".parse().unwrap();
    lists.forget(&organization, ConnectorId::from_uuid(Uuid::from_u128(1)));
    go.notify_one();
    first.await.unwrap();
    let entries = lists.lock();
    assert_eq!((entries.by_key.len(), entries.bytes), (0, 0));
}

#[tokio::test]
async fn a_fetch_that_panics_is_a_failure_and_not_for_long() {
    let clock = Arc::new(FakeClock::new());
    let lists = ToolListCache::new(clock.clone());
    let key = || key("org-1", 1, "a");
    let failure = lists.get(key(), || async { panic!("on purpose") }).await;
    assert_eq!(
        failure.unwrap_err().message(),
        "the list could not be fetched"
    );
    clock.advance(CONNECTOR_FAILURE_TTL);
    let server = Server::default();
    lists
        .get(key(), || server.answers(Ok(list(1))))
        .await
        .unwrap();
    assert_eq!(server.asked(), 1);
}

#[tokio::test]
async fn the_lists_are_bounded_in_number_and_bytes() {
    let clock = Arc::new(FakeClock::new());
    let lists = ToolListCache::new(clock.clone());
    let server = Server::default();
    for connector in 0..CONNECTOR_LISTS_MAX as u128 + 10 {
        clock.advance(Duration::from_millis(1));
        let get = lists.get(key("org-1", connector, "a"), || server.answers(Ok(list(1))));
        get.await.unwrap();
        assert!(lists.lock().by_key.len() <= CONNECTOR_LISTS_MAX);
    }
    // The ones unused longest are gone, the newest are there.
    assert!(!lists.lock().by_key.contains_key(&key("org-1", 0, "a")));
    assert!(lists.lock().by_key.contains_key(&key("org-1", 1000, "a")));
    let large = CONNECTOR_LISTS_BYTES_MAX / 4;
    for connector in 0..6 {
        clock.advance(Duration::from_millis(1));
        let get = lists.get(key("org-2", connector, "a"), || {
            server.answers(Ok(list(large)))
        });
        get.await.unwrap();
        assert!(lists.lock().bytes <= CONNECTOR_LISTS_BYTES_MAX);
    }
}
