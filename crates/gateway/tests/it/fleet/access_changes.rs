//! Streams end soon after the permissions of their clients, whichever instance they are open on and whichever made the
//! change.

use std::time::Duration;

use app::identity::access_changed;
use domain::id::{SessionId, UserId};
use testkit::{
    app::{Person, TestApp},
    database::Backend,
};
use tokio::time::timeout;

use super::{Fleet, One};
use crate::live::client::{Events, Socket};

testkit::on_both_databases!(streams_of_a_removed_member_end_on_every_instance);

/// What a removed member is promised.
const SOON: Duration = Duration::from_secs(5);
/// No stream ends because it looked by itself.
const NEVER: Duration = Duration::from_hours(1);

/// Two instances whose streams end by messages alone. The first one of the fleet keeps the database.
async fn two(backend: Backend) -> (Fleet, [One; 3]) {
    let (fleet, first) = Fleet::start(backend).await;
    let one = fleet
        .join_with(&first, |it| it.standing_every = NEVER)
        .await;
    let two = fleet
        .join_with(&first, |it| it.standing_every = NEVER)
        .await;
    (fleet, [first, one, two])
}

async fn remove(app: &TestApp, user_id: &UserId) {
    let mut tx = app.database.db.write().await.unwrap();
    let removed = store::member_delete(&mut tx, &app.acme, user_id).await;
    assert!(removed.unwrap());
    tx.commit().await.unwrap();
}

async fn news(one: &One, person: Person) -> Events {
    let token = one.app.user_token(person);
    let mut events = Events::open(&one.served.url("/v1/events"), &token, None).await;
    events.next().await;
    events
}

async fn watch(one: &One, person: Person, id: SessionId) -> Socket {
    let bearer = format!("Bearer {}", one.app.user_token(person));
    let headers = [("authorization", bearer.as_str())];
    let opened = Socket::open(one.served.address, &format!("/proliferate/{id}"), &headers).await;
    let mut socket = opened.unwrap();
    socket.next_of("init").await;
    socket
}

async fn streams_of_a_removed_member_end_on_every_instance(backend: Backend) {
    let (_fleet, [_first, one, two]) = two(backend).await;
    let session = one.session().await;
    one.open(session).await.unwrap();
    let mut stays = watch(&one, Person::Owner, session).await;
    // The second instance forwards it to the first.
    let mut sockets = [
        watch(&one, Person::Member, session).await,
        watch(&two, Person::Member, session).await,
    ];
    let news = [
        news(&one, Person::Member).await,
        news(&two, Person::Member).await,
    ];
    let app = &two.app;
    remove(app, &Person::Member.user_id()).await;
    access_changed(&app.app, &app.acme, Some(&Person::Member.user_id()));
    let ended = async {
        for socket in &mut sockets {
            let (_, code, reason) = socket.closed().await;
            assert_eq!((code, reason.as_str()), (1008, "unauthenticated"));
        }
        for news in news {
            news.ended().await;
        }
    };
    timeout(SOON, ended).await.expect("they end in time");
    stays.send(serde_json::json!({"type": "ping"})).await;
    stays.next_of("pong").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn redis_a_change_that_was_missed_is_found_after_the_cut() {
    let (mut fleet, [_first, one, two]) = two(Backend::Postgres).await;
    let (on_one, on_two) = (news(&one, Person::Member), news(&two, Person::Member));
    let news = [on_one.await, on_two.await];
    let redis = fleet
        .redis
        .as_mut()
        .expect("PostgreSQL has a Redis beside it");
    redis.stop();
    // No instance hears of it, not even the one that made it.
    remove(&one.app, &Person::Member.user_id()).await;
    redis.restart().await;
    for news in news {
        news.ended().await;
    }
}
