//! What clients are shown of each source: a change of it is a change of the interface.

use std::sync::Arc;

use domain::clock::Clock;
use integrations::{Action, BaseUrls, CallLimits, Sources, declarations};
use serde_json::{Value, json};
use testkit::clock::FakeClock;
use tools::egress::{EgressGuard, SystemResolver};

use crate::stage::{NAMES, Stage};

fn shown(action: &Action) -> Value {
    let params: Vec<Value> = action
        .params
        .iter()
        .map(|param| {
            json!({
                "name": param.name,
                "type": param.kind.as_str(),
                "required": param.required,
                "description": param.description,
            })
        })
        .collect();
    json!({
        "name": action.name,
        "description": action.description,
        "riskLevel": action.risk.as_str(),
        "params": params,
    })
}

#[tokio::test]
async fn the_actions_of_each_source_are_these() {
    for name in NAMES {
        let stage = Stage::of(name).await;
        let actions: Vec<Value> = stage.source.actions().iter().map(shown).collect();
        let listed = json!({
            "integration": stage.source.name(),
            "displayName": stage.source.display_name(),
            "actions": actions,
        });
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_json_snapshot!(name, listed);
        });
    }
}

fn guard() -> EgressGuard {
    EgressGuard::new(Arc::new(SystemResolver), [])
}

fn sources_with(urls: &BaseUrls) -> Result<Sources, String> {
    let clock: Arc<dyn Clock> = Arc::new(FakeClock::new());
    let sources = Sources::new(&guard(), &clock, urls, CallLimits::default());
    sources.map_err(|error| error.to_string())
}

#[test]
fn sources_are_found_by_name_and_the_public_services_can_be_asked() {
    let urls = BaseUrls::default();
    let sources = sources_with(&urls).unwrap();
    let names: Vec<&str> = sources.iter().map(|source| source.name()).collect();
    assert_eq!(names, NAMES);
    for name in NAMES {
        assert_eq!(sources.get(name).unwrap().name(), name);
    }
    assert!(sources.get("Linear").is_none());
    for source in declarations() {
        let oauth = &source.oauth;
        for url in [urls.of(source.name), oauth.authorize_url, oauth.token_url] {
            assert!(guard().check_text(url).is_ok(), "{url}");
        }
    }
}

#[test]
fn an_address_that_requests_cannot_be_put_below_is_refused_by_name() {
    for bad in [
        "",
        "sentry.io",
        "https://sentry.io/?x",
        "https://sentry.io/#x",
        "data:,x",
    ] {
        let urls = BaseUrls::default().with("sentry", bad.to_owned());
        let refused = sources_with(&urls).unwrap_err();
        assert!(refused.contains("sentry"), "{refused}");
    }
}
