//! Installations of a GitHub App: of the operator's, and of an organization's own.

use std::time::Duration;

use ::app::Error;
use futures::future::join_all;
use secrecy::ExposeSecret as _;
use serde_json::json;
use testkit::{
    app::TestApp,
    database::Backend,
    standin::{
        Fault,
        oauth::{self, APP_ID, INSTALLATION, OAuthStandin, Shape},
    },
};

use super::{HOUR, begin, builder, come_back, connected_by, count, status, text, token};

testkit::on_both_databases!(
    an_installation_is_connected_by_a_user_with_access,
    an_installation_of_another_user_is_not,
    an_app_of_ones_own_is_connected_by_its_key,
    a_token_of_an_installation_is_kept_until_shortly_before_its_end,
    an_installation_that_is_gone_is_expired,
    what_is_no_app_is_refused_by_name,
);

async fn github(backend: Backend) -> (TestApp, OAuthStandin) {
    let oauth = oauth::start(Shape::GitHub).await;
    let app = builder(backend, "github", &oauth).github_app(oauth.github_app());
    (app.start().await, oauth)
}

async fn an_installation_is_connected_by_a_user_with_access(backend: Backend) {
    let (app, oauth) = github(backend).await;
    let body = json!({"integrationId": "github", "installationId": INSTALLATION});
    let id = connected_by(&app, &oauth, body).await;
    let shown = app
        .owner()
        .get(&format!("/v1/integrations/{id}"))
        .await
        .expect(200);
    assert_eq!(shown["provider"], "github-app");
    assert_eq!(text(&app, id).await, "ghs-2-5ecre7");
}

async fn an_installation_of_another_user_is_not(backend: Backend) {
    let (app, oauth) = github(backend).await;
    let body = json!({"integrationId": "github", "installationId": INSTALLATION + 1});
    let (url, cookie) = begin(&app.owner(), body).await;
    let location = oauth.say_yes(&url).await;
    let answer = come_back(&app, &location, Some(&cookie)).await;
    assert_eq!(answer.status, 403, "{}", answer.text());
    assert_eq!((count(&app).await, oauth.installations().len()), (0, 0));
}

async fn an_app_of_ones_own_is_connected_by_its_key(backend: Backend) {
    let oauth = oauth::start(Shape::GitHub).await;
    let app = builder(backend, "github", &oauth).start().await;
    let (key, other) = (oauth.private_key(), oauth.private_key_pkcs8());
    let (key, other) = (key.expose_secret(), other.expose_secret());
    // As it stands in a variable of one line, too.
    for key in [key.to_owned(), key.replace('\n', "\\n"), other.to_owned()] {
        let own = json!({"appId": APP_ID, "installationId": INSTALLATION, "privateKey": key});
        let body = json!({"integrationId": "github", "githubApp": own});
        let made = app.owner().post("/v1/integrations", body).await.expect(201);
        assert_eq!(made["provider"], "github-app");
        let id = made["id"].as_str().unwrap().parse().unwrap();
        let credential = token(&app, id).await.unwrap();
        assert!(credential.token.expose_secret().starts_with("ghs-"));
        assert_eq!(credential.secrets().count(), 2, "the token and the key");
        let printed = format!("{credential:?} {made}");
        assert!(
            !printed.contains("5ecre7") && !printed.contains("PRIVATE"),
            "{printed}"
        );
    }
}

async fn a_token_of_an_installation_is_kept_until_shortly_before_its_end(backend: Backend) {
    let (app, oauth) = github(backend).await;
    let body = json!({"integrationId": "github", "installationId": INSTALLATION});
    let id = connected_by(&app, &oauth, body).await;
    oauth
        .server
        .fail_next([Fault::Late(Duration::from_millis(200))]);
    let tokens = join_all((0..50).map(|_| text(&app, id))).await;
    assert_eq!(tokens, vec!["ghs-2-5ecre7"; 50]);
    // It ends at 02:00.
    app.clock.advance(Duration::from_mins(114));
    assert_eq!(text(&app, id).await, "ghs-2-5ecre7");
    assert_eq!(oauth.installations().len(), 1);
    app.clock.advance(Duration::from_mins(6));
    assert_eq!(text(&app, id).await, "ghs-3-5ecre7");
    assert_eq!(oauth.installations().len(), 2);
    let proof = oauth.installations()[0].header("authorization").len();
    assert!(proof > 400, "a signed proof");
}

async fn an_installation_that_is_gone_is_expired(backend: Backend) {
    let (app, oauth) = github(backend).await;
    let body = json!({"integrationId": "github", "installationId": INSTALLATION});
    let id = connected_by(&app, &oauth, body).await;
    assert_eq!(text(&app, id).await, "ghs-2-5ecre7");
    app.clock.advance(HOUR * 2);
    oauth.server.fail_next([Fault::Status(500)]);
    assert!(matches!(token(&app, id).await, Err(Error::Outside(_))));
    app.clock.advance(Duration::from_secs(2));
    let gone = testkit::standin::Answer::json(404, json!({"message": "Not Found"}));
    oauth.server.fail_next([Fault::Answer(gone)]);
    assert!(matches!(token(&app, id).await, Err(Error::Conflict(_))));
    assert_eq!(status(&app, id).await, "expired");
}

async fn what_is_no_app_is_refused_by_name(backend: Backend) {
    let (app, oauth) = github(backend).await;
    let key = oauth.private_key();
    let key = key.expose_secret();
    let own = |id: &str, installation: i64, key: &str| json!({"appId": id, "installationId": installation, "privateKey": key});
    let table = [
        (json!({"integrationId": "github"}), "token"),
        (json!({"integrationId": "github", "token": null}), "token"),
        (
            json!({"integrationId": "github", "token": "t", "githubApp": own("1", 1, key)}),
            "githubApp",
        ),
        (
            json!({"integrationId": "linear", "githubApp": own("1", 1, key)}),
            "githubApp",
        ),
        (
            json!({"integrationId": "github", "githubApp": own("", 1, key)}),
            "githubApp.appId",
        ),
        (
            json!({"integrationId": "github", "githubApp": own("1", 0, key)}),
            "githubApp.installationId",
        ),
        (
            json!({"integrationId": "github", "githubApp": own("1", 1, "5ecre7")}),
            "githubApp.privateKey",
        ),
    ];
    for (body, field) in table {
        let answer = app.owner().post("/v1/integrations", body.clone()).await;
        let problem = answer.expect_problem(400, "INVALID_REQUEST");
        assert_eq!(problem["errors"][0]["field"], field, "{body}");
        assert!(!answer.text().contains("5ecre7"));
    }
    assert_eq!(count(&app).await, 0);
}
