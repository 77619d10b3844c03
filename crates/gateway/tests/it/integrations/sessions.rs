//! Which connection a session uses a source through.

use ::app::integrations::{for_source, list_for_session};
use domain::id::{IntegrationId, SessionId};
use serde_json::json;
use testkit::{
    app::{Person, TestApp},
    database::Backend,
};

use crate::support::{create, id, integration};

testkit::on_both_databases!(a_session_uses_its_own_connections_and_active_ones_alone);

async fn a_session_uses_its_own_connections_and_active_ones_alone(backend: Backend) {
    let app = TestApp::start(backend).await;
    let one = integration(&app, Person::Owner, "one").await;
    app.clock.advance(std::time::Duration::from_secs(1));
    let two = integration(&app, Person::Owner, "two").await;
    app.clock.advance(std::time::Duration::from_secs(1));
    let apart = integration(&app, Person::Owner, "of no session").await;
    let session = create(&app, json!({"integrationIds": [one, two]})).await;
    let session: SessionId = id(&session).parse().unwrap();
    let bare: SessionId = id(&create(&app, json!({})).await).parse().unwrap();
    let found = async |session, source: &str| {
        let found = for_source(&app.app, &app.acme, session, source).await;
        found.unwrap().map(|integration| integration.id.to_string())
    };
    assert_eq!(found(session, "linear").await, Some(two.clone()));
    assert_eq!(found(session, "slack").await, None);
    assert_eq!(found(bare, "linear").await, None);
    let suspend = json!({"status": "suspended"});
    app.owner()
        .patch(&format!("/v1/integrations/{two}"), suspend)
        .await
        .expect(200);
    assert_eq!(found(session, "linear").await, Some(one.clone()));
    let list = list_for_session(&app.app, &app.acme, session)
        .await
        .unwrap();
    let list: Vec<_> = list
        .iter()
        .map(|i| (i.id.to_string(), i.status.as_str()))
        .collect();
    assert_eq!(list, [(two, "suspended"), (one, "active")]);
    // It does not exist for another organization.
    let foreign = for_source(&app.app, &app.other, session, "linear").await;
    assert_eq!(foreign.unwrap(), None);
    let apart: IntegrationId = apart.parse().unwrap();
    let stranger = ::app::integrations::get_token(&app.app, &app.other, apart).await;
    assert!(matches!(stranger, Err(::app::Error::NotFound(_))));
}
