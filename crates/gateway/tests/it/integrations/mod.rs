//! Connections to outside services, against a stand-in of an OAuth2 server: how they are created, how their
//! tokens are renewed, and that no secret is exposed.

mod connect;
mod github_app;
mod leaks;
mod renewal;
mod sessions;

use std::time::Duration;

use ::app::integrations::{self, Credential};
use ::integrations::BaseUrls;
use domain::id::IntegrationId;
use secrecy::ExposeSecret as _;
use serde_json::{Value, json};
use testkit::{
    app::{ADVERTISED_URL, Builder, Client, TestApp, TestResponse},
    database::Backend,
    standin::oauth::{self, OAuthStandin, Shape},
};

const CONNECT: &str = "/v1/integrations/connect";
const HOUR: Duration = Duration::from_hours(1);

/// A product whose operator has a client at the stand-in, which is `service`.
fn builder(backend: Backend, service: &'static str, oauth: &OAuthStandin) -> Builder {
    let urls = BaseUrls::default().with("github", oauth.server.base_url.clone());
    TestApp::builder(backend)
        .client(service, oauth.settings())
        .sources(urls)
        .reach(&oauth.host())
}

async fn linear(backend: Backend) -> (TestApp, OAuthStandin) {
    let oauth = oauth::start(Shape::Standard).await;
    let app = builder(backend, "linear", &oauth).start().await;
    (app, oauth)
}

/// Begins to connect: where to go, and the browser's cookie.
async fn begin(client: &Client, body: Value) -> (String, String) {
    let answer = client.post(CONNECT, body).await;
    let way = answer.expect(200);
    let url = way["authorizeUrl"].as_str().unwrap().to_owned();
    let cookie = answer.header("set-cookie").unwrap().split(';').next();
    (url, cookie.unwrap().to_owned())
}

/// Opens the callback URL, in a browser.
async fn come_back(app: &TestApp, location: &str, cookie: Option<&str>) -> TestResponse {
    let path = location.strip_prefix(ADVERTISED_URL).expect("our address");
    let call = app.anonymous().get(path);
    match cookie {
        Some(cookie) => call.header("cookie", cookie).await,
        None => call.await,
    }
}

/// The whole way, as an owner.
async fn connected_by(app: &TestApp, oauth: &OAuthStandin, body: Value) -> IntegrationId {
    let (url, cookie) = begin(&app.owner(), body).await;
    let location = oauth.say_yes(&url).await;
    let answer = come_back(app, &location, Some(&cookie)).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let list = app.owner().get("/v1/integrations").await.expect(200);
    list["items"][0]["id"].as_str().unwrap().parse().unwrap()
}

async fn connected(app: &TestApp, oauth: &OAuthStandin) -> IntegrationId {
    connected_by(app, oauth, json!({"integrationId": "linear"})).await
}

async fn token(app: &TestApp, id: IntegrationId) -> ::app::Result<Credential> {
    integrations::get_token(&app.app, &app.acme, id).await
}

async fn text(app: &TestApp, id: IntegrationId) -> String {
    let credential = token(app, id).await.unwrap();
    credential.token.expose_secret().to_owned()
}

async fn status(app: &TestApp, id: IntegrationId) -> String {
    let path = format!("/v1/integrations/{id}");
    let shown = app.owner().get(&path).await.expect(200);
    shown["status"].as_str().unwrap().to_owned()
}

/// How many connections acme has.
async fn count(app: &TestApp) -> usize {
    let list = app.owner().get("/v1/integrations").await.expect(200);
    list["items"].as_array().unwrap().len()
}

/// Waits for something that happens by itself.
async fn until(happened: impl AsyncFn() -> bool) {
    let waiting = async {
        while !happened().await {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let waited = tokio::time::timeout(Duration::from_mins(1), waiting).await;
    waited.expect("it happens in time");
}
