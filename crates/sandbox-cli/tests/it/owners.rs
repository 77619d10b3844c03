//! A 409 that names the session's owner: followed, a few times, to safe addresses.

use crate::{
    program::{Program, SESSION, run},
    stand_in::{End, Fault, Plan, StandIn},
};

const AT_ONCE: Plan = Plan {
    looks: 0,
    end: Some(End::Completed),
};
const SOON: Plan = Plan {
    looks: 2,
    end: Some(End::Completed),
};

fn owner(url: &str) -> Fault {
    Fault::Owner(url.to_owned())
}

#[tokio::test]
async fn the_owner_is_followed_and_kept() {
    let second = StandIn::start(SOON, []).await;
    let first = StandIn::start(SOON, [owner(&second.url)]).await;
    run(&first.url, &[]).finish().await.ended(0);
    assert_eq!(first.lines(), ["POST /invoke"]);
    assert_eq!(second.count("POST /invoke"), 1);
    assert_eq!(second.count("GET /invocations/"), 2);
    assert_eq!(first.recorded()[0].key, second.recorded()[0].key);
    assert_eq!((first.effects(), second.effects()), (0, 1));
}

#[tokio::test]
async fn a_slash_at_the_end_of_an_address_changes_nothing() {
    let second = StandIn::start(AT_ONCE, []).await;
    let first = StandIn::start(AT_ONCE, [owner(&format!("{}/", second.url))]).await;
    let finished = run(&format!("{}/", first.url), &[]).finish().await;
    finished.ended(0);
    assert_eq!(first.lines(), ["POST /invoke"]);
    assert_eq!(second.lines(), ["POST /invoke"]);
}

#[tokio::test]
async fn three_owners_are_followed_and_no_fourth() {
    let first = StandIn::start(AT_ONCE, []).await;
    let second = StandIn::start(AT_ONCE, []).await;
    // There, back, there: served by the second.
    first.add([owner(&second.url), owner(&second.url)]);
    second.add([owner(&first.url)]);
    run(&first.url, &[]).finish().await.ended(0);
    assert_eq!((first.effects(), second.effects()), (0, 1));

    let first = StandIn::start(AT_ONCE, []).await;
    let second = StandIn::start(AT_ONCE, []).await;
    first.add([owner(&second.url), owner(&second.url), owner(&second.url)]);
    second.add([owner(&first.url), owner(&first.url), owner(&first.url)]);
    let finished = run(&first.url, &[]).finish().await.ended(6);
    finished.said("no owner of the session was found in 3 steps");
    assert_eq!((first.recorded().len(), second.recorded().len()), (2, 2));
    assert_eq!((first.effects(), second.effects()), (0, 0));
}

#[tokio::test]
async fn an_owner_that_is_gone_leads_back_to_the_gateway() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let gone = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let gateway = StandIn::start(AT_ONCE, [owner(&gone)]).await;
    run(&gateway.url, &[]).finish().await.ended(0);
    assert_eq!(gateway.lines(), ["POST /invoke", "POST /invoke"]);
    assert_eq!(gateway.effects(), 1);
}

#[tokio::test]
async fn the_owner_can_change_while_waiting() {
    let second = StandIn::start(SOON, []).await;
    run(&second.url, &["--wait", "0"]).finish().await.ended(5);
    let first = StandIn::start(SOON, [owner(&second.url)]).await;
    let wait = ["actions", "wait", "00000000-0000-0000-0000-000000000001"];
    Program::new(&first.url, &wait).finish().await.ended(0);
    assert_eq!(first.recorded().len(), 1);
}

#[tokio::test]
async fn the_token_goes_to_no_odd_address() {
    for odd in [
        "ftp://127.0.0.1/",
        "file:///etc/passwd",
        "http://user:word@127.0.0.1:1",
        "//127.0.0.1",
        "nonsense",
    ] {
        let gateway = StandIn::start(AT_ONCE, [owner(odd)]).await;
        let finished = run(&gateway.url, &[]).finish().await.ended(6);
        finished.said("the address of the session's owner ");
        assert_eq!(gateway.recorded().len(), 1);
    }
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    // It leads to another list of the same gateway, which would be answered.
    let grants = format!("/proliferate/{SESSION}/actions/grants");
    let gateway = StandIn::start(AT_ONCE, [Fault::Redirect(grants)]).await;
    let list = Program::new(&gateway.url, &["actions", "list"]);
    assert_eq!(list.finish().await.ended(6).stdout, "");
    assert_eq!(gateway.lines(), ["GET /available"]);
}
