//! Connectors and their pinned tools: tenancy, the first definition, and the one statement of a session.

use std::collections::HashMap;

use domain::{
    id::{ConfigurationId, ConnectorId, OrganizationId},
    page::PageRequest,
    role::Role,
};
use serde_json::json;
use store::{Error, StoredConnector, ToolPin};
use testkit::{
    database::{Backend, TestDatabase},
    fixture::Fixture,
};

testkit::on_both_databases!(
    a_connector_reads_back_where_it_belongs,
    the_first_definition_stays_until_it_is_reviewed,
    a_session_gets_connectors_and_pins_at_once,
    nothing_of_a_connector_crosses_organizations,
    definitions_are_numbered_as_they_become_known,
);

fn connector(
    fixture: &Fixture,
    organization_id: &OrganizationId,
    configuration_id: Option<ConfigurationId>,
) -> StoredConnector {
    let now = fixture.now();
    let id = ConnectorId::generate(now, &fixture.entropy);
    StoredConnector {
        id,
        organization_id: organization_id.clone(),
        configuration_id,
        config: json!({"id": id.to_string(), "name": "Docs"}),
        created_by: None,
        created_at: now,
        updated_at: now,
    }
}

fn digest(letter: &str) -> String {
    letter.repeat(64)
}

fn pin(action: &str, sha256: &str) -> ToolPin {
    ToolPin {
        action: action.to_owned(),
        sha256: sha256.to_owned(),
        definition: json!({"name": action, "description": format!("As {sha256} says")}),
    }
}

async fn a_connector_reads_back_where_it_belongs(backend: Backend) {
    let (test, fixture) = (TestDatabase::create(backend).await, Fixture::default());
    let (org, user) = fixture.organization(&test.db, "acme", Role::Owner).await;
    let configuration = fixture.configuration(&org);
    let mut of_all = connector(&fixture, &org, None);
    of_all.created_by = Some(user);
    let own = connector(&fixture, &org, Some(configuration.id));
    let mut tx = test.db.write().await.unwrap();
    store::configuration_insert(&mut tx, &configuration)
        .await
        .unwrap();
    store::connector_insert(&mut tx, &of_all).await.unwrap();
    store::connector_insert(&mut tx, &own).await.unwrap();
    for stored in [&of_all, &own] {
        let found = store::connector_fetch(&mut tx, &org, stored.id)
            .await
            .unwrap();
        assert_eq!(found.as_ref(), Some(stored));
    }
    let page = PageRequest::new(None, None).unwrap();
    let listed = store::connector_list(&mut tx, &org, page)
        .await
        .unwrap()
        .items;
    assert_eq!(listed, [of_all.clone()]);
    let listed = store::connector_list_of_configuration(&mut tx, &org, configuration.id)
        .await
        .unwrap();
    assert_eq!(listed, std::slice::from_ref(&own));
    let found = store::configuration_fetch(&mut tx, &org, configuration.id).await;
    let found = found.unwrap().unwrap();
    assert_eq!(found.connectors, std::slice::from_ref(&own.config));
    for (scope, expected) in [(None, 1), (Some(configuration.id), 1)] {
        let count = store::connector_count_for_update(&mut tx, &org, scope)
            .await
            .unwrap();
        assert_eq!(count, expected);
    }
    tx.commit().await.unwrap();
    // The same id again, wherever: an id is one connector.
    let mut tx = test.db.write().await.unwrap();
    let mut again = of_all.clone();
    again.configuration_id = Some(configuration.id);
    let outcome = store::connector_insert(&mut tx, &again).await;
    assert!(
        matches!(outcome, Err(Error::Conflict { .. })),
        "{outcome:?}"
    );
}

async fn the_first_definition_stays_until_it_is_reviewed(backend: Backend) {
    let (test, fixture) = (TestDatabase::create(backend).await, Fixture::default());
    let (org, user) = fixture.organization(&test.db, "acme", Role::Owner).await;
    let stored = connector(&fixture, &org, None);
    let (a, b, now) = (digest("a"), digest("b"), fixture.now());
    let mut tx = test.db.write().await.unwrap();
    store::connector_insert(&mut tx, &stored).await.unwrap();
    for (tools, pinned) in [
        (vec![pin("look", &a), pin("send", &a)], 2),
        (vec![pin("look", &b), pin("drop", &b)], 1),
        (vec![pin("look", &b)], 0),
    ] {
        let count = store::connector_tool_pin_all(&mut tx, &org, stored.id, &tools, now).await;
        assert_eq!(count.unwrap(), pinned);
    }
    let later = now.plus(std::time::Duration::from_secs(1));
    store::connector_tool_accept(&mut tx, &org, stored.id, &pin("look", &b), &user, later)
        .await
        .unwrap();
    let tools = store::connector_tool_list(&mut tx, &org, stored.id)
        .await
        .unwrap();
    let shown: Vec<_> = tools
        .iter()
        .map(|tool| {
            (
                tool.action.as_str(),
                tool.sha256.as_str(),
                tool.first_seen_at,
            )
        })
        .collect();
    assert_eq!(
        shown,
        [
            ("drop", b.as_str(), now),
            ("look", b.as_str(), now),
            ("send", a.as_str(), now)
        ]
    );
    let definition = |tool: &store::PinnedTool| tool.definition.clone();
    assert_eq!(definition(&tools[1]), Some(pin("look", &b).definition));
    assert_eq!(definition(&tools[2]), Some(pin("send", &a).definition));
    assert_eq!(tools[1].reviewed, Some((user, later)));
    assert_eq!(tools[2].reviewed, None);
    assert!(
        store::connector_delete(&mut tx, &org, stored.id)
            .await
            .unwrap()
    );
    let gone = store::connector_tool_list(&mut tx, &org, stored.id)
        .await
        .unwrap();
    assert!(gone.is_empty());
    let outcome =
        store::connector_tool_pin_all(&mut tx, &org, stored.id, &[pin("look", &a)], now).await;
    assert!(
        matches!(outcome, Err(Error::MissingReference)),
        "{outcome:?}"
    );
}

async fn a_session_gets_connectors_and_pins_at_once(backend: Backend) {
    let (test, fixture) = (TestDatabase::create(backend).await, Fixture::default());
    let (org, _) = fixture.organization(&test.db, "acme", Role::Owner).await;
    let (web, api) = (fixture.configuration(&org), fixture.configuration(&org));
    let mut session = fixture.session(&org);
    session.configuration_id = Some(web.id);
    let own = connector(&fixture, &org, Some(web.id));
    let of_all = connector(&fixture, &org, None);
    let other = connector(&fixture, &org, Some(api.id));
    let mut tx = test.db.write().await.unwrap();
    store::configuration_insert(&mut tx, &web).await.unwrap();
    store::configuration_insert(&mut tx, &api).await.unwrap();
    store::session_insert(&mut tx, &session).await.unwrap();
    let (a, b) = (digest("a"), digest("b"));
    for stored in [&own, &of_all, &other] {
        store::connector_insert(&mut tx, stored).await.unwrap();
        let tools = [pin("look", &a), pin("send", &b)];
        store::connector_tool_pin_all(&mut tx, &org, stored.id, &tools, fixture.now())
            .await
            .unwrap();
    }
    tx.commit().await.unwrap();
    let mut conn = test.db.read().await.unwrap();
    let found = store::connector_list_for_session(&mut conn, &org, session.id).await;
    let found = found.unwrap();
    let ids: Vec<_> = found.iter().map(|one| one.id).collect();
    assert_eq!(ids, [of_all.id, own.id]);
    let pins = HashMap::from([("look".to_owned(), a), ("send".to_owned(), b)]);
    for one in &found {
        assert_eq!(one.pins, pins);
    }
    for (stored, is_there) in [(&own, true), (&of_all, true), (&other, false)] {
        let one = store::connector_fetch_for_session(&mut conn, &org, session.id, stored.id)
            .await
            .unwrap();
        assert_eq!(one.is_some(), is_there);
        assert!(one.is_none_or(|one| one.pins == pins && one.config == stored.config));
    }
}

async fn definitions_are_numbered_as_they_become_known(backend: Backend) {
    let (test, fixture) = (TestDatabase::create(backend).await, Fixture::default());
    let (org, user) = fixture.organization(&test.db, "acme", Role::Owner).await;
    let (stored, again) = (connector(&fixture, &org, None), test.open_again().await);
    let (a, b, now) = (digest("a"), digest("b"), fixture.now());
    let mut tx = test.db.write().await.unwrap();
    store::connector_insert(&mut tx, &stored).await.unwrap();
    tx.commit().await.unwrap();
    // Many at once: no two definitions that are not seen together have one number.
    let pinning = (0..20).map(async |number: usize| {
        let db = if number.is_multiple_of(2) {
            &test.db
        } else {
            &again.db
        };
        let mut tx = db.write().await.unwrap();
        let tool = pin(&format!("t{number}"), &a);
        let pinned = store::connector_tool_pin_all(&mut tx, &org, stored.id, &[tool], now).await;
        assert_eq!(pinned.unwrap(), 1);
        tx.commit().await.unwrap();
    });
    futures::future::join_all(pinning).await;
    let mut tx = test.db.write().await.unwrap();
    assert_eq!(
        store::connector_tools_known(&mut tx, &org).await.unwrap(),
        20
    );
    let standing = async |tx: &mut store::Tx, action: &str| {
        let action = action.parse().unwrap();
        let found = store::connector_tool_standing(tx, &org, stored.id, &action).await;
        found.unwrap().unwrap()
    };
    let mut numbers = Vec::new();
    for number in 0..20 {
        let tool = standing(&mut tx, &format!("t{number}")).await;
        assert!(!tool.standing.accepted && tool.changed.is_none());
        numbers.extend(tool.standing.known_as);
    }
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=20).collect::<Vec<i64>>());
    // What a server says now is noted; what an admin accepts has the next number.
    let moved = [("t1", Some(b.as_str())), ("t2", Some(a.as_str()))];
    let noted = store::connector_tool_changed_all(&mut tx, &org, stored.id, &moved).await;
    assert_eq!(noted.unwrap(), 1, "what stands is no change");
    let changed = standing(&mut tx, "t1").await.changed.unwrap();
    assert_eq!(changed.as_str(), b);
    let accepted = pin("t1", &b);
    let accepted = store::connector_tool_accept(&mut tx, &org, stored.id, &accepted, &user, now);
    accepted.await.unwrap();
    let tool = standing(&mut tx, "t1").await;
    assert_eq!((tool.standing.known_as, tool.changed), (Some(21), None));
    assert!(tool.standing.accepted);
    // A number is used once, whatever is removed.
    assert!(
        store::connector_delete(&mut tx, &org, stored.id)
            .await
            .unwrap()
    );
    assert_eq!(
        store::connector_tools_known(&mut tx, &org).await.unwrap(),
        21
    );
}

async fn nothing_of_a_connector_crosses_organizations(backend: Backend) {
    let (test, fixture) = (TestDatabase::create(backend).await, Fixture::default());
    let (acme, user) = fixture.organization(&test.db, "acme", Role::Owner).await;
    let (other, _) = fixture.organization(&test.db, "other", Role::Owner).await;
    let (configuration, session) = (fixture.configuration(&acme), fixture.session(&acme));
    let stored = connector(&fixture, &acme, None);
    let (a, now) = (digest("a"), fixture.now());
    let mut tx = test.db.write().await.unwrap();
    store::configuration_insert(&mut tx, &configuration)
        .await
        .unwrap();
    store::session_insert(&mut tx, &session).await.unwrap();
    store::connector_insert(&mut tx, &stored).await.unwrap();
    store::connector_tool_pin_all(&mut tx, &acme, stored.id, &[pin("look", &a)], now)
        .await
        .unwrap();
    tx.commit().await.unwrap();

    let mut tx = test.db.write().await.unwrap();
    assert_eq!(
        store::connector_fetch(&mut tx, &other, stored.id)
            .await
            .unwrap(),
        None
    );
    let config = json!({});
    assert!(
        !store::connector_update(&mut tx, &other, stored.id, &config, now)
            .await
            .unwrap()
    );
    assert!(
        !store::connector_delete(&mut tx, &other, stored.id)
            .await
            .unwrap()
    );
    assert!(
        store::connector_tool_list(&mut tx, &other, stored.id)
            .await
            .unwrap()
            .is_empty()
    );
    let theirs = store::connector_list_for_session(&mut tx, &other, session.id).await;
    assert!(theirs.unwrap().is_empty());
    let outcome =
        store::connector_tool_accept(&mut tx, &other, stored.id, &pin("look", &a), &user, now)
            .await;
    assert!(
        matches!(outcome, Err(Error::MissingReference)),
        "{outcome:?}"
    );
    drop(tx);
    let mut tx = test.db.write().await.unwrap();
    let of_ours = connector(&fixture, &other, Some(configuration.id));
    let outcome = store::connector_insert(&mut tx, &of_ours).await;
    assert!(
        matches!(outcome, Err(Error::MissingReference)),
        "{outcome:?}"
    );
}
