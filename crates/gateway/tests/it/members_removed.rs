//! Removing a member: who may, what goes to whom, what ends, and what is erased.

use app::audit;
use axum::http::Method;
use domain::role::Role;
use serde_json::{Value, json};
use testkit::{
    app::{Person, TestApp},
    database::Backend,
};

use crate::{
    audit::verified,
    invitations::{accept, code, invite},
    login::Browser,
    support::id,
};

testkit::on_both_databases!(
    who_may_remove_whom,
    what_a_member_had_goes_to_the_successor_and_what_opened_ends,
    a_member_leaves,
    what_was_given_before_does_not_come_back_with_a_new_membership,
    the_log_verifies_after_name_and_address_are_erased,
);

fn path(person: Person, query: &str) -> String {
    format!("/v1/members/{}{query}", person.user_id())
}

async fn who_may_remove_whom(backend: Backend) {
    let app = TestApp::start(backend).await;
    let admin = app.person(Person::Admin);
    let forbidden = [
        (&app.member(), path(Person::Admin, "")),
        (&admin, path(Person::Owner, "")),
        (&admin, path(Person::Member, "?erase=true")),
        (&app.member(), path(Person::Member, "?erase=true")),
    ];
    for (client, path) in forbidden {
        let answer = client.delete(&path).await;
        answer.expect_problem(403, "FORBIDDEN");
    }
    let unknown = app.owner().delete(&path(Person::Foreigner, "")).await;
    unknown.expect_problem(404, "NOT_FOUND");
    let last = app.owner().delete(&path(Person::Owner, "")).await;
    last.expect_problem(409, "CONFLICT");
    for wrong in [
        "user_acme_member",
        "user_acme_admin",
        "user_other_owner",
        "nobody",
        "%20",
    ] {
        let query = format!("?successor={wrong}");
        let answer = app.owner().delete(&path(Person::Admin, &query)).await;
        let problem = answer.expect_problem(400, "INVALID_REQUEST");
        assert_eq!(problem["errors"][0]["field"], "successor", "{wrong}");
    }
    let members = app.owner().get("/v1/members").await.expect(200);
    assert_eq!(
        members["items"].as_array().unwrap().len(),
        3,
        "no member was removed"
    );
}

async fn what_a_member_had_goes_to_the_successor_and_what_opened_ends(backend: Backend) {
    let app = TestApp::start(backend).await;
    // An admin, who may also invite.
    let admin = app.person(Person::Admin);
    let session = id(&admin
        .post("/proliferate/sessions", json!({}))
        .await
        .expect(201));
    let automation = json!({"name": "a", "agentInstructions": "x"});
    let automation = id(&admin.post("/v1/automations", automation).await.expect(201));
    let (_, key) = app.api_key(Person::Admin, None).await;
    let browser = Browser::let_in(&app, &app.user_token(Person::Admin)).await;
    let user_id = Person::Admin.user_id();
    let one_time = app::identity::login_code_create(&app.app, &app.acme, &user_id);
    let one_time = one_time.await.unwrap().expose().to_owned();
    let invitation = invite(&app, Person::Admin, json!({ "role": "member" })).await;
    let case = json!({"title": "a case"});
    let case = admin.post("/v1/cases", case).await.expect(201);

    let removed = app
        .owner()
        .delete(&path(Person::Admin, ""))
        .await
        .expect(200);
    let expected =
        json!({"successor": "user_acme_owner", "sessions": 1, "automations": 1, "isErased": false});
    assert_eq!(removed, expected);
    let shown = app
        .owner()
        .get(&format!("/v1/sessions/{session}"))
        .await
        .expect(200);
    assert_eq!(shown["createdBy"], "user_acme_owner");
    let shown = app
        .owner()
        .get(&format!("/v1/automations/{automation}"))
        .await
        .expect(200);
    assert_eq!(shown["createdBy"], "user_acme_owner");
    for token in [app.user_token(Person::Admin), key] {
        let answer = app.with_token(token).get("/v1/me").await;
        answer.expect_problem(401, "UNAUTHENTICATED");
    }
    browser.me().await.expect_problem(401, "UNAUTHENTICATED");
    let login = json!({ "token": one_time });
    let answer = app.anonymous().post("/v1/login", login).await;
    answer.expect_problem(401, "UNAUTHENTICATED");
    let person =
        json!({ "code": code(&invitation["link"]), "name": "N", "email": "n@acme.example" });
    accept(&app, person).await.expect_problem(410, "EXPIRED");
    let again = app.owner().delete(&path(Person::Admin, "")).await;
    again.expect_problem(404, "NOT_FOUND");

    // A new membership opens no case of before.
    let mut tx = app.database.db.write().await.unwrap();
    let (now, user_id) = (app.app.now(), Person::Admin.user_id());
    store::member_upsert(&mut tx, &app.acme, &user_id, Role::Admin, now)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    let case = case["id"].as_str().unwrap();
    let answer = app
        .person(Person::Admin)
        .get(&format!("/v1/cases/{case}"))
        .await;
    answer.expect_problem(404, "NOT_FOUND");
}

async fn a_member_leaves(backend: Backend) {
    let app = TestApp::start(backend).await;
    let member = app.member();
    member
        .post("/proliferate/sessions", json!({}))
        .await
        .expect(201);
    let left = member.delete(&path(Person::Member, "?successor=user_acme_admin"));
    let left = left.await.expect(200);
    assert_eq!(
        (&left["successor"], &left["sessions"]),
        (&json!("user_acme_admin"), &json!(1))
    );
    // Without a name it is the owner.
    let left = app
        .person(Person::Admin)
        .delete(&path(Person::Admin, ""))
        .await;
    assert_eq!(left.expect(200)["successor"], "user_acme_owner");
}

async fn what_was_given_before_does_not_come_back_with_a_new_membership(backend: Backend) {
    let app = TestApp::start(backend).await;
    let token = app.user_token(Person::Member);
    let client = app.with_token(token);
    client.get("/v1/me").await.expect(200);
    app.owner()
        .delete(&path(Person::Member, ""))
        .await
        .expect(200);
    app.clock.advance(std::time::Duration::from_secs(2));
    let mut tx = app.database.db.write().await.unwrap();
    let (now, user_id) = (app.app.now(), Person::Member.user_id());
    store::member_upsert(&mut tx, &app.acme, &user_id, Role::Member, now)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    let problem = client
        .get("/v1/me")
        .await
        .expect_problem(401, "UNAUTHENTICATED");
    assert!(
        problem["detail"]
            .as_str()
            .unwrap()
            .contains("older than the membership"),
        "{problem}"
    );
    app.member().get("/v1/me").await.expect(200);
}

async fn the_log_verifies_after_name_and_address_are_erased(backend: Backend) {
    let app = TestApp::start(backend).await;
    let invitation = json!({ "role": "member", "email": "grace@navy.example" });
    let code = code(&invite(&app, Person::Owner, invitation).await["link"]);
    let answer = accept(&app, json!({ "code": code, "name": "Grace Hopper" })).await;
    let user_id = answer.expect(200)["userId"].as_str().unwrap().to_owned();
    let browser = Browser::with(&app, &answer);
    let made = browser
        .ask(Method::POST, "/proliferate/sessions")
        .json(&json!({}))
        .await;
    let session = id(&made.expect(201));
    let path = format!("/v1/members/{user_id}?erase=true");
    let removed = app.owner().delete(&path).await.expect(200);
    assert_eq!(removed["isErased"], true);
    audit::sign_pending(&app.app, &app.acme).await.unwrap();
    let bundle = app
        .owner()
        .get(&format!("/v1/audit/bundle?session={session}"))
        .await;
    assert!(verified(&app, bundle.text()).records > 0);
    assert!(bundle.text().contains(&user_id), "the id stays");
    let events = app
        .owner()
        .get("/v1/audit/events?limit=100")
        .await
        .expect(200)
        .to_string();
    assert!(events.contains("member_erase"), "{events}");
    let mut conn = app.database.db.read().await.unwrap();
    let user = store::user_fetch(&mut conn, &user_id.parse().unwrap())
        .await
        .unwrap()
        .unwrap();
    assert_eq!(user.name, "Removed member");
    assert_eq!(user.email, format!("{user_id}@erased.invalid"));
    for text in [events.as_str(), bundle.text()] {
        assert!(!text.to_lowercase().contains("grace"), "{text}");
    }
    // A member of another organization keeps both there.
    let mut tx = app.database.db.write().await.unwrap();
    let (now, user_id) = (app.app.now(), Person::Member.user_id());
    store::member_upsert(&mut tx, &app.other, &user_id, Role::Member, now)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    let path = format!("/v1/members/{user_id}?erase=true");
    assert_eq!(
        app.owner().delete(&path).await.expect(200)["isErased"],
        Value::Bool(false)
    );
    let user = store::user_fetch(&mut conn, &user_id)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(user.email, "member@acme.example");
}
