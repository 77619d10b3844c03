//! Pages that are kept open hear what changes in their organization, and in no other.

use app::{access::Insider, news};
use domain::{
    caller::{Caller, Credential},
    id::SessionId,
    lease::LeaseKey,
};
use serde_json::{Value, json};
use testkit::{
    app::{Person, TestApp},
    database::Backend,
};
use wire::news::NewsEvent;

use crate::{
    live::client::Events,
    support::{create, id, integration},
};

testkit::on_both_databases!(
    a_page_hears_of_calls_grants_and_sessions_of_its_own_organization,
    who_serves_a_session_is_in_the_list,
);

/// The next event, as clients read it.
async fn next(events: &mut Events) -> Value {
    let (_, data) = events.next().await;
    let known: NewsEvent = serde_json::from_str(&data).expect("clients know it");
    serde_json::to_value(known).unwrap()
}

/// Up to the first thing that is this one.
async fn until(events: &mut Events, wanted: &Value) {
    while next(events).await != *wanted {}
}

async fn a_page_hears_of_calls_grants_and_sessions_of_its_own_organization(backend: Backend) {
    let app = TestApp::start(backend).await;
    let served = app.serve().await;
    let url = served.url("/v1/events");
    let mut member = Events::open(&url, &app.user_token(Person::Member), None).await;
    let mut foreign = Events::open(&url, &app.user_token(Person::Foreigner), None).await;
    for events in [&mut member, &mut foreign] {
        assert_eq!(next(events).await, json!({"type": "begun"}));
    }

    let linear = integration(&app, Person::Owner, "t").await;
    let session = id(&create(&app, json!({ "integrationIds": [linear] })).await);
    let changed = json!({"type": "session_changed", "id": session});
    assert_eq!(next(&mut member).await, changed);
    let agent = app.sandbox(session.parse().unwrap()).await;
    let path = format!("/proliferate/{session}/actions");
    let ask = json!({ "integration": "linear", "action": "create_issue",
        "params": { "teamId": "t", "title": "x" } });
    let asked = agent.post(&format!("{path}/invoke"), ask).await.expect(202);
    let call = |status: &str| {
        json!({"type": "action_changed", "id": asked["invocation"]["id"], "sessionId": session,
            "status": status})
    };
    assert_eq!(next(&mut member).await, call("pending"));
    let deny = json!({ "ids": [asked["invocation"]["id"]] });
    app.owner().post("/v1/actions/deny", deny).await.expect(200);
    assert_eq!(next(&mut member).await, call("denied"));

    let wish = json!({ "integration": "linear", "action": "create_issue" });
    let wish = agent
        .post(&format!("{path}/grants"), wish)
        .await
        .expect(202);
    let heard = next(&mut member).await;
    assert_eq!(heard["type"], "grant_request_changed", "{wish}");
    assert_eq!(
        (&heard["sessionId"], &heard["status"]),
        (&json!(session), &json!("pending"))
    );
    let grant = json!({ "scope": "org", "integration": "linear", "action": "*" });
    let grant = app.owner().post("/v1/grants", grant).await.expect(201);
    let changed = json!({"type": "grant_changed", "id": grant["id"]});
    assert_eq!(next(&mut member).await, changed);

    // No other organization got these events: the first they get is their own.
    let own = json!({});
    let own = app.foreigner().post("/proliferate/sessions", own).await;
    let own = id(&own.expect(201));
    let changed = json!({"type": "session_changed", "id": own});
    assert_eq!(next(&mut foreign).await, changed);
    let title = json!({ "title": "renamed" });
    let renamed = app.owner().patch(&format!("/v1/sessions/{session}"), title);
    renamed.await.expect(200);
    let changed = json!({"type": "session_changed", "id": session});
    until(&mut member, &changed).await;
    served.stop();
}

#[tokio::test]
async fn a_subscriber_that_missed_events_is_told_so() {
    let app = TestApp::start(Backend::Sqlite).await;
    let caller = Caller::User {
        organization_id: app.acme.clone(),
        user_id: Person::Member.user_id(),
        role: domain::role::Role::Member,
        credential: Credential::Token,
    };
    let insider = Insider::of(&caller).unwrap();
    let mut listener = news::subscribe(&app.app, &insider).await.unwrap();
    let topic = domain::lease::Topic::Organization(&app.acme);
    for _ in 0..=domain::limits::SUBSCRIPTION_QUEUE_MAX {
        let told = app.app.coordination.publish(topic, "{}".into());
        told.await.unwrap();
    }
    assert_eq!(listener.next().await, Some(news::NewsUpdate::Missed));
    let heard = listener.next().await;
    assert_eq!(heard, Some(news::NewsUpdate::News("{}".to_owned())));
}

async fn who_serves_a_session_is_in_the_list(backend: Backend) {
    let app = TestApp::start(backend).await;
    let mut made = Vec::new();
    for _ in 0..2 {
        app.clock.advance(std::time::Duration::from_millis(1));
        made.push(id(&create(&app, json!({})).await));
    }
    let served: SessionId = made[0].parse().unwrap();
    let own = app.app.instance.id;
    let minute = std::time::Duration::from_mins(1);
    let lease = app
        .app
        .coordination
        .acquire(LeaseKey::Owner(served), own, minute);
    lease.await.unwrap();
    let page = app.member().get("/v1/sessions").await.expect(200);
    let owner = |at: usize| page["items"][at]["ownerInstanceId"].clone();
    assert_eq!((owner(0), owner(1)), (Value::Null, json!(own.to_string())));
}
