//! Callbacks that reach the wrong instance: they follow the owner, and no further than is safe.

use serde_json::json;

use super::runtime::Bench;
use crate::{
    gateway::{Fault, Gateway},
    lab::TOKEN,
};

fn owned_by(url: &str) -> Fault {
    Fault::Say(
        409,
        "",
        json!({"code": "WRONG_INSTANCE", "ownerUrl": url}).to_string(),
    )
}

#[tokio::test]
async fn the_owner_is_asked_the_same() {
    for member in ["ownerUrl", "owner_url"] {
        let bench = Bench::new().await;
        let owner = Gateway::start().await;
        let body = json!({member: format!("{}/", owner.url())}).to_string();
        bench.gateway.fault(Fault::Say(409, "", body));
        assert_eq!(bench.call().await.output(), "result 1");
        let (first, second) = (bench.gateway.seen(), owner.seen());
        assert_eq!((first.len(), second.len()), (1, 1), "{member}");
        assert_eq!(first[0].body, second[0].body);
        assert_eq!(first[0].path, second[0].path);
        assert_eq!(
            second[0].headers["authorization"],
            format!("Bearer {TOKEN}")
        );
    }
}

#[tokio::test]
async fn an_owner_that_is_gone_leads_back_to_the_gateway() {
    let bench = Bench::new().await;
    let owner = Gateway::start().await;
    owner.stop().await;
    bench.gateway.fault(owned_by(&owner.url()));
    assert_eq!(bench.call().await.output(), "result 1");
    assert_eq!(bench.gateway.seen_of("call-1").len(), 2);
}

#[tokio::test]
async fn owners_in_a_circle_are_followed_a_few_times_and_then_with_pauses() {
    let bench = Bench::new().await;
    let other = Gateway::start().await;
    for _ in 0..4 {
        bench.gateway.fault(owned_by(&other.url()));
        other.fault(owned_by(&bench.gateway.url()));
    }
    let ran = bench.call().await;
    assert!(ran.output().starts_with("result"));
    assert!(ran.titles[0].contains("owner keeps changing"), "{ran:?}");
}

/// The token is not sent to every URL in a response.
#[tokio::test]
async fn an_address_that_is_not_safe_is_not_asked() {
    let owner = Gateway::start().await;
    let with_password = owner.url().replace("http://", "http://user:secret@");
    let with_query = format!("{}?x=1", owner.url());
    for url in [
        "file:///etc/passwd",
        "not a url",
        "",
        &with_password,
        &with_query,
    ] {
        let bench = Bench::new().await;
        bench.gateway.fault(owned_by(url));
        let said = "The gateway named an owner of this session that cannot be asked.";
        assert_eq!(bench.call().await.error(), said, "{url}");
    }
    assert!(owner.seen().is_empty());
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let bench = Bench::new().await;
    let other = Gateway::start().await;
    let location = format!("location: {}/proliferate/x/tools/y\r\n", other.url());
    let headers: &'static str = Box::leak(location.into_boxed_str());
    bench.gateway.fault(Fault::Say(307, headers, String::new()));
    assert!(bench.call().await.error().starts_with("Gateway error 307"));
    assert!(other.seen().is_empty());
}
