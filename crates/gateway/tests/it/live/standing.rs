//! Streams end with their credential: a client cannot watch longer than its permissions last.

use std::time::Duration;

use axum::http::Method;
use domain::role::Role;
use testkit::{
    app::{Person, TestApp},
    database::Backend,
};

use super::{
    Live,
    client::{Events, Socket},
};
use crate::login::Browser;

testkit::on_both_databases!(
    streams_end_with_the_login_they_were_opened_by,
    streams_end_with_the_key_they_were_opened_by,
    a_stream_ends_when_its_caller_changes,
);

/// Looks after its streams all the time.
async fn watchful(backend: Backend) -> Live {
    let app = TestApp::builder(backend)
        .options(|options| options.standing_every = Duration::from_millis(20))
        .start();
    Live::with(app.await).await
}

async fn streams_end_with_the_login_they_were_opened_by(backend: Backend) {
    let live = watchful(backend).await;
    let path = live.path();
    let browser = Browser::let_in(&live.app, &live.token(Person::Member)).await;
    let own = format!("http://{}", live.served.address);
    let cookie = ("cookie", browser.cookie.as_str());
    let headers = [cookie, ("origin", own.as_str())];
    let opened = Socket::open(live.served.address, &path, &headers).await;
    let mut socket = opened.unwrap();
    let url = |path: &str| live.served.url(path);
    let mut events = Events::open_with(&url(&format!("{path}/events")), cookie).await;
    let mut news = Events::open_with(&url("/v1/events"), cookie).await;
    for stream in [&mut events, &mut news] {
        stream.next().await;
    }
    let mut other = live.connect_as(Person::Member, "").await;

    let left = browser.ask(Method::POST, "/v1/logout").await;
    assert_eq!(left.status, 204, "{}", left.text());
    let (_, code, reason) = socket.closed().await;
    assert_eq!((code, reason.as_str()), (1008, "unauthenticated"));
    events.ended().await;
    news.ended().await;
    // The same person, elsewhere.
    other.send(serde_json::json!({"type": "ping"})).await;
    other.next_of("pong").await;
}

async fn streams_end_with_the_key_they_were_opened_by(backend: Backend) {
    let live = watchful(backend).await;
    let (key_row, key) = live.app.api_key(Person::Owner, None).await;
    // Also of one who said it in its first frame.
    let mut socket = Socket::open(live.served.address, &live.path(), &[])
        .await
        .unwrap();
    let auth = serde_json::json!({"type": "auth", "token": key});
    socket.send(auth).await;
    socket.next_of("init").await;
    let path = format!("/v1/api-keys/{}", key_row.id);
    live.app.owner().delete(&path).await.expect(200);
    let (_, code, reason) = socket.closed().await;
    assert_eq!((code, reason.as_str()), (1008, "unauthenticated"));
}

async fn a_stream_ends_when_its_caller_changes(backend: Backend) {
    let live = watchful(backend).await;
    let mut socket = live.connect_as(Person::Member, "").await;
    socket.next_of("init").await;
    let mut tx = live.app.database.db.write().await.unwrap();
    let (now, user_id) = (live.app.app.now(), Person::Member.user_id());
    let changed = store::member_upsert(&mut tx, &live.app.acme, &user_id, Role::Admin, now);
    changed.await.unwrap();
    tx.commit().await.unwrap();
    let (_, code, reason) = socket.closed().await;
    assert_eq!((code, reason.as_str()), (1001, "changed"));
}
