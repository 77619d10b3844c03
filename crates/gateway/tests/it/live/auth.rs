//! Who may open a connection, and how they say who they are.

use serde_json::json;
use testkit::{app::Person, database::Backend};

use super::{Live, client::Socket};
use crate::{login::Browser, support::UNKNOWN_ID};

testkit::on_both_databases!(a_client_says_who_it_is_in_one_of_three_ways);

async fn a_client_says_who_it_is_in_one_of_three_ways(backend: Backend) {
    let live = Live::start(backend).await;
    let (address, path) = (live.served.address, live.path());
    let token = live.token(Person::Member);
    let mut by_header = live.connect_as(Person::Member, "").await;
    assert_eq!(by_header.next().await["type"], "init");

    let offer = format!("proliferate.v1, bearer.{token}");
    let offered = [("sec-websocket-protocol", offer.as_str())];
    let mut by_protocol = Socket::open(address, &path, &offered).await.unwrap();
    assert_eq!(by_protocol.protocol.as_deref(), Some("proliferate.v1"));
    let init = by_protocol.next().await;
    assert_eq!(init["payload"]["config"]["userId"], "user_acme_member");

    let mut by_frame = Socket::open(address, &path, &[]).await.unwrap();
    by_frame.send(json!({"type": "auth", "token": token})).await;
    let init = by_frame.next_of("init").await;
    assert_eq!(init["payload"]["config"]["userId"], "user_acme_member");
    // Once is enough.
    by_frame.send(json!({"type": "auth", "token": token})).await;
    let error = by_frame.next_of("error").await;
    assert_eq!(error["payload"]["code"], "invalid_frame");
}

#[tokio::test]
async fn a_browser_is_known_by_its_login() {
    let live = Live::start(Backend::Sqlite).await;
    let (address, path) = (live.served.address, live.path());
    let token = live.token(Person::Member);
    let browser = Browser::let_in(&live.app, &token).await;
    let own = format!("http://{address}");
    let open = async |origin: Option<&str>| {
        let mut headers = vec![("cookie", browser.cookie.as_str())];
        headers.extend(origin.map(|origin| ("origin", origin)));
        Socket::open(address, &path, &headers).await
    };
    let mut socket = open(Some(&own)).await.unwrap();
    let init = socket.next_of("init").await;
    assert_eq!(init["payload"]["config"]["userId"], "user_acme_member");
    // The origin is checked before the connection opens.
    assert_eq!(open(None).await.map(drop), Err(403));
    let evil = Some("http://evil.example");
    assert_eq!(open(evil).await.map(drop), Err(403));
    let events = live.served.url(&format!("{path}/events"));
    let response = reqwest::Client::new().get(&events);
    let response = response.header("cookie", &browser.cookie).send().await;
    assert_eq!(response.unwrap().status(), 200);
}

#[tokio::test]
async fn a_refused_client_gets_a_status_before_the_upgrade_where_possible() {
    let live = Live::start(Backend::Sqlite).await;
    let (address, path) = (live.served.address, live.path());
    let token = live.token(Person::Owner);
    let refused = async |path: &str, name: &str, value: &str| {
        Socket::open(address, path, &[(name, value)])
            .await
            .map(drop)
    };
    assert_eq!(
        refused(&path, "authorization", "Bearer wrong").await,
        Err(401)
    );
    let offer = "proliferate.v1, bearer.wrong";
    assert_eq!(
        refused(&path, "sec-websocket-protocol", offer).await,
        Err(401)
    );
    let sandbox = live.app.sandbox_token(live.session).await;
    let sandbox = format!("Bearer {sandbox}");
    assert_eq!(refused(&path, "authorization", &sandbox).await, Err(403));
    let foreigner = format!("Bearer {}", live.token(Person::Foreigner));
    assert_eq!(refused(&path, "authorization", &foreigner).await, Err(404));
    let bearer = format!("Bearer {token}");
    let unknown = format!("/proliferate/{UNKNOWN_ID}");
    assert_eq!(refused(&unknown, "authorization", &bearer).await, Err(404));
    // Never in the address, not even beside a good one.
    let in_address = format!("{path}?token={token}");
    assert_eq!(
        refused(&in_address, "authorization", &bearer).await,
        Err(400)
    );
    assert_eq!(
        refused(&format!("{path}?after=x"), "authorization", &bearer).await,
        Err(400)
    );
}

#[tokio::test]
async fn a_client_with_a_wrong_first_frame_is_disconnected() {
    let live = Live::start(Backend::Sqlite).await;
    let foreigner = live.token(Person::Foreigner);
    for (frame, reason) in [
        (json!({"type": "auth", "token": "wrong"}), "unauthenticated"),
        (json!({"type": "auth", "token": foreigner}), "not found"),
        (json!({"type": "ping"}), "the first frame must be auth"),
        (json!({"type": "auth"}), "the first frame must be auth"),
    ] {
        let mut socket = Socket::open(live.served.address, &live.path(), &[])
            .await
            .unwrap();
        socket.send(frame).await;
        let (seen, code, why) = socket.closed().await;
        assert_eq!((seen.len(), code, why.as_str()), (0, 1008, reason));
    }
}
