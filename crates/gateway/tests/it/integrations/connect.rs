//! Connecting by going to the service: the way there, the way back, and who cannot take it.

use std::time::Duration;

use domain::{limits::CONNECT_ATTEMPTS_MAX, role::Role};
use futures::future::join_all;
use reqwest::Url;
use serde_json::json;
use testkit::{
    app::{ADVERTISED_URL, Person, TestApp},
    database::Backend,
    standin::{
        Fault,
        oauth::{self, CLIENT_ID, OAuthStandin, Setup, Shape},
    },
};

use super::{
    CONNECT, begin, builder, come_back, connected, connected_by, count, linear, status, text,
};
use crate::support::{UNKNOWN_ID, integration};

testkit::on_both_databases!(
    each_service_is_connected_in_its_own_words,
    the_way_there_says_who_we_are_and_nothing_secret,
    a_state_is_good_once_and_for_ten_minutes,
    another_browser_does_not_finish_it,
    a_user_without_permission_cannot_finish_it,
    a_code_without_its_verifier_is_worth_nothing,
    of_two_who_come_back_at_once_one_is_connected,
    the_callback_redirects_only_to_the_gateway,
    the_page_repeats_nothing,
    a_no_and_a_service_that_is_down_change_nothing,
    what_cannot_be_connected_is_refused_by_name,
    a_connection_is_renewed_in_its_place,
    attempts_are_bounded,
);

fn query(url: &str, name: &str) -> Option<String> {
    let url = Url::parse(url).unwrap();
    let found = url.query_pairs().find(|(key, _)| key == name);
    found.map(|(_, value)| value.into_owned())
}

/// Starts, authorizes at the service, and stops before the callback.
async fn on_the_way(app: &TestApp, oauth: &OAuthStandin) -> (String, String) {
    let (url, cookie) = begin(&app.owner(), json!({"integrationId": "linear"})).await;
    (oauth.say_yes(&url).await, cookie)
}

async fn each_service_is_connected_in_its_own_words(backend: Backend) {
    let table = [
        ("linear", "Linear", Shape::Standard),
        ("sentry", "Sentry", Shape::Standard),
        ("slack", "Slack", Shape::Slack),
        ("slack", "Slack", Shape::SlackPerson),
        ("github", "GitHub", Shape::GitHub),
    ];
    for (service, name, shape) in table {
        let oauth = oauth::start(shape).await;
        let app = builder(backend, service, &oauth).start().await;
        let (url, cookie) = begin(&app.owner(), json!({"integrationId": service})).await;
        let location = oauth.say_yes(&url).await;
        let answer = come_back(&app, &location, Some(&cookie)).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        assert!(answer.text().contains(&format!("{name} is connected")));
        let list = app.owner().get("/v1/integrations").await.expect(200);
        let shown = &list["items"][0];
        assert_eq!(shown["provider"], "oauth2");
        assert_eq!(shown["integrationId"], service);
        assert_eq!(shown["displayName"], name);
        assert_eq!(shown["scopes"], json!(["read", "write"]));
        assert_eq!(shown["createdBy"], "user_acme_owner");
        let id = shown["id"].as_str().unwrap().parse().unwrap();
        assert_eq!(text(&app, id).await, "access-1-5ecre7", "{shape:?}");
        let exchange = &oauth.grants("authorization_code")[0];
        assert_eq!(exchange.header("accept"), "application/json");
    }
}

async fn the_way_there_says_who_we_are_and_nothing_secret(backend: Backend) {
    let (app, oauth) = linear(backend).await;
    let (url, cookie) = begin(&app.owner(), json!({"integrationId": "linear"})).await;
    let (again, _) = begin(&app.owner(), json!({"integrationId": "linear"})).await;
    assert!(url.starts_with(&format!("{}/oauth/authorize?", oauth.server.base_url)));
    let expected = [
        ("response_type", "code"),
        ("client_id", CLIENT_ID),
        ("scope", "read,write"),
        ("prompt", "consent"),
        ("code_challenge_method", "S256"),
    ];
    for (name, value) in expected {
        assert_eq!(query(&url, name).as_deref(), Some(value), "{name}");
    }
    let back = format!("{ADVERTISED_URL}/v1/integrations/callback");
    assert_eq!(query(&url, "redirect_uri"), Some(back));
    for name in ["state", "code_challenge"] {
        let (one, other) = (query(&url, name).unwrap(), query(&again, name).unwrap());
        assert_eq!(one.len(), 43);
        assert_ne!(one, other);
    }
    assert!(!url.contains("5ecre7") && !url.contains(cookie.split_once('=').unwrap().1));
}

async fn a_state_is_good_once_and_for_ten_minutes(backend: Backend) {
    let (app, oauth) = linear(backend).await;
    let (location, cookie) = on_the_way(&app, &oauth).await;
    let state = query(&location, "state").unwrap();
    for wrong in [
        location.replace(&state, &"A".repeat(43)),
        location.replace(&state, ""),
        location.replace("state=", "estate="),
        location.replace(&state, &"x".repeat(5000)),
        format!("{location}&state={state}"),
    ] {
        let answer = come_back(&app, &wrong, Some(&cookie)).await;
        assert_eq!(answer.status, 400, "{wrong}");
    }
    assert_eq!((count(&app).await, oauth.server.requests().len()), (0, 1));
    assert_eq!(come_back(&app, &location, Some(&cookie)).await.status, 200);
    for _ in 0..2 {
        let again = come_back(&app, &location, Some(&cookie)).await;
        assert_eq!(again.status, 400);
    }
    assert_eq!((count(&app).await, oauth.server.requests().len()), (1, 2));

    let (location, cookie) = on_the_way(&app, &oauth).await;
    app.clock.advance(Duration::from_mins(10));
    assert_eq!(come_back(&app, &location, Some(&cookie)).await.status, 400);
    assert_eq!(oauth.grants("authorization_code").len(), 1);
}

/// A link that an attacker started and a victim authorized.
async fn another_browser_does_not_finish_it(backend: Backend) {
    let (app, oauth) = linear(backend).await;
    let (location, cookie) = on_the_way(&app, &oauth).await;
    let (_, other) = begin(&app.foreigner(), json!({"integrationId": "linear"})).await;
    assert_ne!(cookie, other);
    for wrong in [None, Some(other.as_str()), Some("proliferate_connect=")] {
        let answer = come_back(&app, &location, wrong).await;
        assert_eq!(answer.status, 400);
    }
    assert_eq!(
        (count(&app).await, oauth.grants("authorization_code").len()),
        (0, 0)
    );
    // It is still there for whom it belongs to.
    assert_eq!(come_back(&app, &location, Some(&cookie)).await.status, 200);
    assert_eq!(count(&app).await, 1);
    let theirs = app.foreigner().get("/v1/integrations").await.expect(200);
    assert_eq!(theirs["items"], json!([]));
    // Two at once in one browser do not get into each other's way.
    let call = app
        .owner()
        .post(CONNECT, json!({"integrationId": "linear"}));
    let second = call.header("cookie", &cookie).await;
    let kept = second.header("set-cookie").unwrap();
    assert!(
        kept.starts_with(&format!("{cookie}; HttpOnly; SameSite=Lax; ")),
        "{kept}"
    );
}

async fn a_user_without_permission_cannot_finish_it(backend: Backend) {
    let (app, oauth) = linear(backend).await;
    for (sql, back) in [
        (
            "UPDATE member SET role = 'member' WHERE user_id = 'user_acme_admin'",
            true,
        ),
        (
            "DELETE FROM member WHERE user_id = 'user_acme_admin'",
            false,
        ),
    ] {
        let admin = app.person(Person::Admin);
        let (url, cookie) = begin(&admin, json!({"integrationId": "linear"})).await;
        let location = oauth.say_yes(&url).await;
        app.database.try_execute(sql).await.unwrap();
        let answer = come_back(&app, &location, Some(&cookie)).await;
        assert_eq!(answer.status, 403, "{}", answer.text());
        if back {
            let mut tx = app.database.db.write().await.unwrap();
            let (user_id, now) = (Person::Admin.user_id(), app.app.now());
            let upsert = store::member_upsert(&mut tx, &app.acme, &user_id, Role::Admin, now);
            upsert.await.unwrap();
            tx.commit().await.unwrap();
        }
    }
    assert_eq!(
        (count(&app).await, oauth.grants("authorization_code").len()),
        (0, 0)
    );
}

async fn a_code_without_its_verifier_is_worth_nothing(backend: Backend) {
    let (app, oauth) = linear(backend).await;
    let (url, cookie) = begin(&app.owner(), json!({"integrationId": "linear"})).await;
    // The challenge of another attempt.
    let challenge = query(&url, "code_challenge").unwrap();
    let location = oauth
        .say_yes(&url.replace(&challenge, &"B".repeat(43)))
        .await;
    let answer = come_back(&app, &location, Some(&cookie)).await;
    assert_eq!(answer.status, 400);
    // A code that was issued for another attempt.
    let (first, cookie) = on_the_way(&app, &oauth).await;
    let (second, _) = on_the_way(&app, &oauth).await;
    let (own, stolen) = (
        query(&first, "code").unwrap(),
        query(&second, "code").unwrap(),
    );
    let answer = come_back(&app, &first.replace(&own, &stolen), Some(&cookie)).await;
    assert_eq!(answer.status, 400);
    assert_eq!(count(&app).await, 0);
    let sent = oauth.grants("authorization_code");
    assert!(
        sent.iter()
            .all(|request| request.form["code_verifier"].len() == 43)
    );
}

async fn of_two_who_come_back_at_once_one_is_connected(backend: Backend) {
    let (app, oauth) = linear(backend).await;
    let (location, cookie) = on_the_way(&app, &oauth).await;
    let calls = (0..10).map(|_| come_back(&app, &location, Some(&cookie)));
    let mut statuses: Vec<_> = join_all(calls).await.iter().map(|a| a.status).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [[200].as_slice(), &[400; 9]].concat());
    assert_eq!(
        (count(&app).await, oauth.grants("authorization_code").len()),
        (1, 1)
    );
}

async fn the_callback_redirects_only_to_the_gateway(backend: Backend) {
    let (app, oauth) = linear(backend).await;
    let body = json!({"integrationId": "linear", "redirectUri": "https://evil.example"});
    let answer = app.owner().post(CONNECT, body).await;
    answer.expect_problem(400, "INVALID_REQUEST");
    let call = app
        .owner()
        .post(CONNECT, json!({"integrationId": "linear"}));
    let call = call
        .header("host", "evil.example")
        .header("x-forwarded-host", "evil.example");
    let way = call
        .header("origin", "https://evil.example")
        .await
        .expect(200);
    let url = way["authorizeUrl"].as_str().unwrap();
    assert!(!url.contains("evil"), "{url}");
    let (location, cookie) = on_the_way(&app, &oauth).await;
    let sly =
        format!("{location}&redirect_uri=https%3A%2F%2Fevil.example&returnUrl=%2F%2Fevil.example");
    let answer = come_back(&app, &sly, Some(&cookie)).await;
    assert_eq!((answer.status, answer.header("location")), (200, None));
    assert!(!answer.text().contains("evil"));
    let sent = &oauth.grants("authorization_code")[0].form["redirect_uri"];
    assert_eq!(sent, &format!("{ADVERTISED_URL}/v1/integrations/callback"));
}

async fn the_page_repeats_nothing(backend: Backend) {
    let (app, oauth) = linear(backend).await;
    let (location, cookie) = on_the_way(&app, &oauth).await;
    let path = location.strip_prefix(ADVERTISED_URL).unwrap();
    let script = "%3Cscript%3Ealert(1)%3C%2Fscript%3E";
    for path in [
        path.to_owned(),
        format!("/v1/integrations/callback?code={script}&state={script}"),
        format!("/v1/integrations/callback?error={script}&error_description={script}"),
        format!("/v1/integrations/callback?{script}"),
        "/v1/integrations/callback".to_owned(),
    ] {
        let answer = app.anonymous().get(&path).header("cookie", &cookie).await;
        let page = answer.text();
        for part in [
            "alert",
            "5ecre7",
            query(&location, "state").unwrap().as_str(),
        ] {
            assert!(!page.contains(part), "{page}");
        }
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'none'"), "{policy}");
        assert_eq!(
            answer.header("content-type"),
            Some("text/html; charset=utf-8")
        );
        assert_eq!(answer.header("cache-control"), Some("no-store"));
        assert_eq!(answer.header("referrer-policy"), Some("no-referrer"));
        assert!(
            !page.contains("<script") && !page.contains("style="),
            "{page}"
        );
    }
}

async fn a_no_and_a_service_that_is_down_change_nothing(backend: Backend) {
    let (app, oauth) = linear(backend).await;
    let (location, cookie) = on_the_way(&app, &oauth).await;
    let (address, _) = location.split_once('?').unwrap();
    let state = query(&location, "state").unwrap();
    let no = format!("{address}?error=access_denied&state={state}");
    assert_eq!(come_back(&app, &no, Some(&cookie)).await.status, 400);
    // It was used up by the no.
    assert_eq!(come_back(&app, &location, Some(&cookie)).await.status, 400);
    for (fault, expected) in [
        (Fault::Status(503), 503),
        (Fault::CutBefore, 503),
        (Fault::Malformed, 503),
        (Fault::Status(401), 400),
        (Fault::Status(400), 400),
    ] {
        let (location, cookie) = on_the_way(&app, &oauth).await;
        oauth.server.fail_next([fault.clone()]);
        let answer = come_back(&app, &location, Some(&cookie)).await;
        assert_eq!(answer.status, expected, "{fault:?}");
        assert!(!answer.text().contains("5ecre7"));
        assert_eq!(come_back(&app, &location, Some(&cookie)).await.status, 400);
    }
    assert_eq!(count(&app).await, 0);
}

async fn what_cannot_be_connected_is_refused_by_name(backend: Backend) {
    let (app, oauth) = linear(backend).await;
    let id = connected(&app, &oauth).await;
    let theirs = integration(&app, Person::Foreigner, "t").await;
    let table = [
        (json!({}), 400, "INVALID_REQUEST", "integrationId"),
        (
            json!({"integrationId": "jira"}),
            400,
            "INVALID_REQUEST",
            "integrationId",
        ),
        (json!({"integrationId": "sentry"}), 409, "CONFLICT", ""),
        (
            json!({"integrationId": "linear", "reconnect": UNKNOWN_ID}),
            404,
            "NOT_FOUND",
            "",
        ),
        (
            json!({"integrationId": "linear", "reconnect": theirs}),
            404,
            "NOT_FOUND",
            "",
        ),
        (
            json!({"integrationId": "linear", "reconnect": "x"}),
            400,
            "INVALID_REQUEST",
            "reconnect",
        ),
        (
            json!({"integrationId": "linear", "installationId": 1}),
            400,
            "INVALID_REQUEST",
            "installationId",
        ),
        (
            json!({"integrationId": "github", "installationId": 0}),
            400,
            "INVALID_REQUEST",
            "installationId",
        ),
        (
            json!({"integrationId": "github", "installationId": 1}),
            409,
            "CONFLICT",
            "",
        ),
    ];
    for (body, status, code, field) in table {
        let answer = app.owner().post(CONNECT, body.clone()).await;
        let problem = answer.expect_problem(status, code);
        if !field.is_empty() {
            assert_eq!(problem["errors"][0]["field"], field, "{body}");
        }
        assert_eq!(answer.header("set-cookie"), None, "{body}");
    }
    // Of another service than the connection's.
    let slack = oauth::start_as(Setup {
        shape: Shape::Slack,
        pkce: true,
        expires_in: None,
        refreshes: false,
    })
    .await;
    let other = builder(backend, "slack", &slack).beside(&app).await;
    let body = json!({"integrationId": "slack", "reconnect": id.to_string()});
    let problem = other.owner().post(CONNECT, body).await;
    let problem = problem.expect_problem(400, "INVALID_REQUEST");
    assert_eq!(problem["errors"][0]["field"], "reconnect");
    // With proof keys, for a client at Slack that is set up for them.
    connected_by(&other, &slack, json!({"integrationId": "slack"})).await;
}

async fn a_connection_is_renewed_in_its_place(backend: Backend) {
    let (app, oauth) = linear(backend).await;
    let id: domain::id::IntegrationId = integration(&app, Person::Owner, "pasted")
        .await
        .parse()
        .unwrap();
    let body = json!({"integrationIds": [id.to_string()]});
    app.owner()
        .post("/proliferate/sessions", body)
        .await
        .expect(201);
    let path = format!("/v1/integrations/{id}");
    let change = json!({"status": "suspended", "displayName": "Product"});
    app.owner().patch(&path, change).await.expect(200);
    let body = json!({"integrationId": "linear", "reconnect": id.to_string()});
    assert_eq!(connected_by(&app, &oauth, body.clone()).await, id);
    let shown = app.owner().get(&path).await.expect(200);
    assert_eq!(
        (&shown["provider"], &shown["displayName"]),
        (&json!("oauth2"), &json!("Product"))
    );
    assert_eq!(
        (count(&app).await, status(&app, id).await),
        (1, "active".to_owned())
    );
    assert_eq!(text(&app, id).await, "access-1-5ecre7");
    // Removed during the authorization.
    let (url, cookie) = begin(&app.owner(), body).await;
    let location = oauth.say_yes(&url).await;
    app.owner().delete(&path).await.expect(204);
    assert_eq!(come_back(&app, &location, Some(&cookie)).await.status, 400);
    assert_eq!(count(&app).await, 0);
}

async fn attempts_are_bounded(backend: Backend) {
    let (app, _) = linear(backend).await;
    let body = json!({"integrationId": "linear"});
    for _ in 0..CONNECT_ATTEMPTS_MAX {
        app.owner().post(CONNECT, body.clone()).await.expect(200);
    }
    let answer = app.owner().post(CONNECT, body.clone()).await;
    answer.expect_problem(409, "LIMIT_REACHED");
    app.foreigner()
        .post(CONNECT, body.clone())
        .await
        .expect(200);
    app.clock.advance(Duration::from_mins(10));
    app.owner().post(CONNECT, body).await.expect(200);
}
