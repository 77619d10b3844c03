//! Members: who sees them, who changes them, and who stays.

use domain::role::Role;
use serde_json::json;
use testkit::{
    app::{Person, TestApp},
    database::Backend,
};

testkit::on_both_databases!(
    members_see_the_members_of_their_organization,
    roles_are_changed_by_admins_and_owners,
    the_last_owner_and_the_last_admin_stay,
    two_at_once_do_not_leave_an_organization_alone,
);

fn path(person: Person) -> String {
    format!("/v1/members/{}", person.user_id())
}

async fn members_see_the_members_of_their_organization(backend: Backend) {
    let app = TestApp::start(backend).await;
    let seen = app.member().get("/v1/members").await.expect(200);
    let items = seen["items"].as_array().unwrap();
    let mut roles: Vec<_> = items
        .iter()
        .map(|item| item["role"].as_str().unwrap())
        .collect();
    roles.sort_unstable();
    assert_eq!(roles, ["admin", "member", "owner"]);
    assert_eq!(seen["hasMore"], false);
    for name in ["userId", "name", "email", "createdAt"] {
        assert!(items[0][name].is_string(), "{name}");
    }
    let other = app.foreigner().get("/v1/members").await.expect(200);
    assert_eq!(other["items"].as_array().unwrap().len(), 1);
}

async fn roles_are_changed_by_admins_and_owners(backend: Backend) {
    let app = TestApp::start(backend).await;
    let admin = app.person(Person::Admin);
    let becomes = |role: &str| json!({ "role": role });
    let answer = app.member().patch(&path(Person::Member), becomes("admin"));
    answer.await.expect_problem(403, "FORBIDDEN");
    let answer = admin.patch(&path(Person::Member), becomes("admin")).await;
    assert_eq!(answer.expect(200)["role"], "admin");
    let me = app.member().get("/v1/me").await.expect(200);
    assert_eq!(me["role"], "admin");
    // Owners are made and changed by owners.
    for (person, role) in [(Person::Member, "owner"), (Person::Owner, "member")] {
        let answer = admin.patch(&path(person), becomes(role)).await;
        answer.expect_problem(403, "FORBIDDEN");
    }
    let answer = app.owner().patch(&path(Person::Member), becomes("owner"));
    assert_eq!(answer.await.expect(200)["role"], "owner");
    // The same again changes nothing.
    let answer = app.owner().patch(&path(Person::Member), becomes("owner"));
    answer.await.expect(200);
    for (path, body, status, code) in [
        (path(Person::Foreigner), becomes("admin"), 404, "NOT_FOUND"),
        (
            path(Person::Member),
            becomes("king"),
            400,
            "INVALID_REQUEST",
        ),
        (path(Person::Member), json!({}), 400, "INVALID_REQUEST"),
    ] {
        let answer = app.owner().patch(&path, body).await;
        answer.expect_problem(status, code);
    }
}

async fn the_last_owner_and_the_last_admin_stay(backend: Backend) {
    let app = TestApp::start(backend).await;
    let member = json!({ "role": "member" });
    let answer = app.owner().patch(&path(Person::Owner), member.clone());
    answer.await.expect_problem(409, "CONFLICT");
    // An organization without an owner keeps its last admin.
    let mut tx = app.database.db.write().await.unwrap();
    let owner = Person::Owner.user_id();
    assert!(
        store::member_delete(&mut tx, &app.acme, &owner)
            .await
            .unwrap()
    );
    tx.commit().await.unwrap();
    let admin = app.person(Person::Admin);
    let answer = admin.patch(&path(Person::Admin), member.clone()).await;
    answer.expect_problem(409, "CONFLICT");
    let promoted = admin.patch(&path(Person::Member), json!({ "role": "admin" }));
    promoted.await.expect(200);
    let answer = admin.patch(&path(Person::Admin), member).await;
    assert_eq!(answer.expect(200)["role"], "member");
}

async fn two_at_once_do_not_leave_an_organization_alone(backend: Backend) {
    let app = TestApp::start(backend).await;
    let mut tx = app.database.db.write().await.unwrap();
    let (acme, now) = (&app.acme, app.app.now());
    for (person, role) in [(Person::Owner, Role::Admin), (Person::Member, Role::Member)] {
        let user_id = person.user_id();
        let changed = store::member_upsert(&mut tx, acme, &user_id, role, now);
        changed.await.unwrap();
    }
    tx.commit().await.unwrap();
    let (owner, admin) = (app.owner(), app.person(Person::Admin));
    let member = json!({ "role": "member" });
    let (one, two) = tokio::join!(
        owner.patch(&path(Person::Admin), member.clone()),
        admin.patch(&path(Person::Owner), member.clone()),
    );
    let mut statuses = [one.status, two.status];
    statuses.sort_unstable();
    // The second change is refused: its caller is not an admin any more, or its target is the last
    // one.
    assert_eq!(statuses[0], 200, "{} {}", one.text(), two.text());
    assert!([403, 409].contains(&statuses[1]), "{statuses:?}");
}
