//! Runs of automations continue without any client.

use domain::{id::SessionId, limits::HUB_ADOPT_AFTER};
use serde_json::json;
use testkit::database::Backend;

use super::{Fleet, eventually};

testkit::on_both_databases!(a_run_without_an_owner_is_taken_over_by_one_instance);

async fn a_run_without_an_owner_is_taken_over_by_one_instance(backend: Backend) {
    let (fleet, first) = Fleet::start(backend).await;
    let second = fleet.join(&first).await;
    let owner = first.app.owner();
    let body = json!({"name": "Nightly", "agentInstructions": "Look."});
    let automation = owner.post("/v1/automations", body).await.expect(201);
    let path = format!(
        "/v1/automations/{}/runs",
        automation["id"].as_str().unwrap()
    );
    let run = owner
        .call(axum::http::Method::POST, &path)
        .await
        .expect(201);
    let session: SessionId = run["sessionId"].as_str().unwrap().parse().unwrap();
    assert_eq!(second.hub.fleet.adopt().await, 0, "its owner may still run");

    for one in [&first, &second] {
        one.app.clock.advance(HUB_ADOPT_AFTER);
    }
    assert_eq!(second.hub.fleet.adopt().await, 1);
    assert_eq!(fleet.owner(session).await, Some(second.id()));
    let agent = &fleet.agent;
    eventually("it has been told", async || agent.prompts().len() == 1).await;
    assert_eq!(first.hub.fleet.adopt().await, 0);
    assert_eq!(second.hub.fleet.adopt().await, 0);
    assert!(!first.hub.registry.is_live(session));
}
