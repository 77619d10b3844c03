//! Instances serve all organizations, and are in the hands of those that operate the installation: acme here.

use app::audit;
use axum::http::Method;
use domain::id::OrganizationId;
use testkit::{
    app::{Person, TestApp},
    database::Backend,
};

use super::{
    Fleet, One,
    draining::{ask, drain},
};

testkit::on_both_databases!(
    an_admin_of_another_organization_sees_and_changes_nothing,
    without_operators_the_missing_setting_is_named,
    operators_are_marked_as_such,
);

/// Asks for everything that there is to ask of an instance, as an admin of another organization.
async fn refused(through: &One, of: &One) {
    let instance = format!("/v1/fleet/instances/{}", of.id());
    let drain = format!("{instance}/drain");
    for (method, path) in [
        (Method::GET, "/v1/fleet"),
        (Method::GET, &instance),
        (Method::POST, &drain),
        (Method::DELETE, &drain),
    ] {
        let (status, problem) = ask(through, method.clone(), path, Person::Foreigner).await;
        let code = problem["code"].as_str();
        assert_eq!((status, code), (403, Some("FORBIDDEN")), "{method} {path}");
        for one in [through, of] {
            let text = problem.to_string();
            assert!(!text.contains(&one.url()), "{method} {path}: it leaks");
        }
    }
}

async fn an_admin_of_another_organization_sees_and_changes_nothing(backend: Backend) {
    let (fleet, first) = Fleet::start(backend).await;
    let second = fleet.join(&first).await;
    // One that carries nothing, and says where to ask.
    let third = fleet
        .join_with(&first, |options| options.forward = false)
        .await;
    let session = first.session().await;
    first.open(session).await.unwrap();

    // Whether it is asked itself, or another one carries the request there or says where that is.
    for through in [&first, &second, &third] {
        refused(through, &first).await;
    }
    assert!(
        first.hub.fleet.drain_progress().is_none(),
        "it is not drained"
    );
    assert_eq!(fleet.owner(session).await, Some(first.id()));

    let path = format!("/v1/fleet/instances/{}", first.id());
    let (status, problem) = ask(&third, Method::GET, &path, Person::Admin).await;
    assert_eq!(status, 409, "{problem}");
    assert_eq!(problem["ownerUrl"], first.url(), "{problem}");

    drain(&second, &first).await;
    for through in [&first, &second, &third] {
        refused(through, &first).await;
    }
    assert!(
        first.hub.fleet.drain_progress().is_some(),
        "it stays drained"
    );

    let app = &first.app;
    let drains = async |organization: &OrganizationId| {
        audit::sign_pending(&app.app, organization).await.unwrap();
        let mut conn = app.app.db.read().await.unwrap();
        let records = store::audit_record_list(&mut conn, organization, 0, 100).await;
        let records = records.unwrap().into_iter();
        let (mut done, mut refused) = (0, 0);
        for record in records.filter(|record| record.event.contains("\"instance_")) {
            let is_done = record.event.contains("\"outcome\":\"success\"");
            *(if is_done { &mut done } else { &mut refused }) += 1;
        }
        (done, refused)
    };
    assert_eq!(drains(&app.acme).await.0, 1, "the one that was done");
    let (done, refused) = drains(&app.other).await;
    assert_eq!(done, 0, "no deed of theirs");
    assert!(refused > 0, "what they were refused is on record");
}

async fn without_operators_the_missing_setting_is_named(backend: Backend) {
    let app = TestApp::builder(backend).without_operators().start().await;
    let id = app.app.instance.id;
    for path in ["/v1/fleet", &format!("/v1/fleet/instances/{id}")] {
        let problem = app.owner().get(path).await;
        let problem = problem.expect_problem(403, "FORBIDDEN");
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.contains("fleet.operators"), "{problem}");
        assert!(detail.contains("PROLIFERATE_FLEET_OPERATORS"), "{problem}");
    }
    let me = app.owner().get("/v1/me").await.expect(200);
    assert_eq!(me["operatesFleet"], false, "{me}");
    // What is their organization's own stays theirs.
    app.owner().get("/v1/jobs").await.expect(200);
}

async fn operators_are_marked_as_such(backend: Backend) {
    let app = TestApp::start(backend).await;
    for (person, operates) in [
        (Person::Owner, true),
        (Person::Admin, true),
        (Person::Member, false),
        (Person::Foreigner, false),
    ] {
        let me = app.person(person).get("/v1/me").await.expect(200);
        assert_eq!(me["operatesFleet"], operates, "{me}");
    }
}
