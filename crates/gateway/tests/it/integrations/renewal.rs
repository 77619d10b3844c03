//! Tokens that expire: renewed once by the first caller, stored, and marked as expired only when the
//! service rejects them.

use std::time::Duration;

use ::app::Error;
use domain::integration::IntegrationStatus;
use futures::future::join_all;
use secrecy::ExposeSecret as _;
use serde_json::json;
use testkit::{
    app::{CoordinationBackend, TestApp},
    database::Backend,
    standin::{
        Answer, Fault,
        oauth::{self, Setup, Shape},
    },
};
use uuid::Uuid;

use super::{HOUR, builder, connected, connected_by, linear, status, text, token, until};

testkit::on_both_databases!(
    fifty_calls_with_an_ended_token_cause_one_refresh,
    two_instances_cause_one_refresh,
    each_refresh_token_is_used_once_and_its_successor_kept,
    a_good_token_takes_one_read_and_no_write,
    a_dead_refresh_token_makes_the_integration_expired,
    a_service_that_is_down_changes_nothing,
    a_pause_that_the_service_asks_for_is_kept,
    a_token_near_its_end_is_used_while_it_is_renewed,
    a_caller_who_goes_away_loses_nothing,
    an_answer_that_is_lost_ends_in_expired_and_not_in_a_loop,
    the_claim_of_an_instance_that_died_runs_out,
    credentials_that_were_replaced_meanwhile_stay,
    a_revoke_works_at_once,
    a_token_that_ends_and_cannot_be_renewed_is_expired,
    a_refused_token_is_renewed_or_given_up,
    a_client_that_is_not_taken_is_the_operators_matter,
);

/// How long an answer is late while a test does something else, on a busy machine too.
const BUSY: Duration = Duration::from_secs(2);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_instances_with_redis_and_postgres_cause_one_refresh() {
    two_of(Backend::Postgres, CoordinationBackend::Redis).await;
}

async fn fifty_calls_with_an_ended_token_cause_one_refresh(backend: Backend) {
    let (app, oauth) = linear(backend).await;
    let id = connected(&app, &oauth).await;
    app.clock.advance(HOUR);
    oauth
        .server
        .fail_next([Fault::Late(Duration::from_millis(200))]);
    let tokens = join_all((0..50).map(|_| text(&app, id))).await;
    assert_eq!(tokens, vec!["access-2-5ecre7"; 50]);
    assert_eq!(oauth.grants("refresh_token").len(), 1);
}

async fn two_instances_cause_one_refresh(backend: Backend) {
    two_of(backend, CoordinationBackend::Memory).await;
}

async fn two_of(backend: Backend, coordination: CoordinationBackend) {
    let oauth = oauth::start(Shape::Standard).await;
    let builder = || builder(backend, "linear", &oauth).coordination(coordination);
    let one = builder().start().await;
    let two = builder().beside(&one).await;
    let id = connected(&one, &oauth).await;
    for hour in 1..=3 {
        one.clock.advance(HOUR);
        two.clock.advance(HOUR);
        oauth
            .server
            .fail_next([Fault::Late(Duration::from_millis(200))]);
        let calls = (0..50).map(|n| text(if n % 2 == 0 { &one } else { &two }, id));
        let expected = format!("access-{}-5ecre7", hour + 1);
        assert_eq!(join_all(calls).await, vec![expected; 50]);
        assert_eq!(oauth.grants("refresh_token").len(), hour);
    }
}

async fn each_refresh_token_is_used_once_and_its_successor_kept(backend: Backend) {
    for shape in [
        Shape::Standard,
        Shape::Slack,
        Shape::SlackPerson,
        Shape::GitHub,
    ] {
        let oauth = oauth::start(shape).await;
        let app = builder(backend, "slack", &oauth).client("github", oauth.settings());
        let app = app.client("linear", oauth.settings()).start().await;
        let service = match shape {
            Shape::Standard => "linear",
            Shape::Slack | Shape::SlackPerson => "slack",
            Shape::GitHub => "github",
        };
        let id = connected_by(&app, &oauth, json!({"integrationId": service})).await;
        for n in 2..6 {
            app.clock.advance(HOUR);
            assert_eq!(
                text(&app, id).await,
                format!("access-{n}-5ecre7"),
                "{shape:?}"
            );
        }
        let used = oauth.grants("refresh_token").into_iter();
        let used: Vec<String> = used.map(|r| r.form["refresh_token"].clone()).collect();
        let expected = (1..5).map(|n| format!("refresh-{n}-5ecre7"));
        assert_eq!(used, expected.collect::<Vec<_>>(), "{shape:?}");
        // A token that is dead in the service's own words.
        app.clock.advance(HOUR);
        oauth.server.fail_next([Fault::Status(400)]);
        assert!(matches!(token(&app, id).await, Err(Error::Conflict(_))));
        assert_eq!(status(&app, id).await, "expired", "{shape:?}");
    }
}

async fn a_good_token_takes_one_read_and_no_write(backend: Backend) {
    let (app, oauth) = linear(backend).await;
    let id = connected(&app, &oauth).await;
    let path = format!("/v1/integrations/{id}");
    let before = app.owner().get(&path).await.expect(200);
    // The writer is taken: a write would wait for it, and the call with it, for longer than this.
    let tx = app.database.db.write().await.unwrap();
    let call = tokio::time::timeout(Duration::from_secs(20), text(&app, id));
    assert_eq!(call.await.expect("no write"), "access-1-5ecre7");
    drop(tx);
    assert_eq!(app.owner().get(&path).await.expect(200), before);
    assert_eq!(oauth.grants("refresh_token").len(), 0);
}

async fn a_dead_refresh_token_makes_the_integration_expired(backend: Backend) {
    let (app, oauth) = linear(backend).await;
    let id = connected(&app, &oauth).await;
    app.clock.advance(HOUR);
    oauth.server.fail_next([Fault::Status(400)]);
    let refused = join_all((0..20).map(|_| token(&app, id))).await;
    for refused in refused {
        let message = refused.unwrap_err().to_string();
        assert_eq!(message, "the integration is expired; reconnect it");
    }
    assert_eq!(status(&app, id).await, "expired");
    assert!(token(&app, id).await.is_err());
    assert_eq!(oauth.grants("refresh_token").len(), 1);
    // A session starts without it, and says so.
    let body = json!({"integrationIds": [id.to_string()]});
    let session = app
        .owner()
        .post("/proliferate/sessions", body)
        .await
        .expect(201);
    assert!(session.to_string().contains("reconnect it"), "{session}");
    // Connected again in its place, it works.
    let body = json!({"integrationId": "linear", "reconnect": id.to_string()});
    assert_eq!(connected_by(&app, &oauth, body).await, id);
    assert_eq!(text(&app, id).await, "access-2-5ecre7");
}

async fn a_service_that_is_down_changes_nothing(backend: Backend) {
    let (app, oauth) = linear(backend).await;
    let id = connected(&app, &oauth).await;
    app.clock.advance(HOUR);
    let faults = [
        Fault::Status(500),
        Fault::Status(503),
        Fault::CutBefore,
        Fault::Answer(Answer::json(200, json!({"nothing": true}))),
        Fault::Answer(Answer::json(
            400,
            json!({"error": "temporarily_unavailable"}),
        )),
    ];
    for (asked, fault) in faults.into_iter().enumerate() {
        oauth.server.fail_next([fault.clone()]);
        // All who wait hear of the one try, and the next ones of the pause after it.
        let calls = join_all((0..10).map(|_| token(&app, id))).await;
        for call in calls {
            assert!(
                matches!(call, Err(Error::Outside(_))),
                "{fault:?}: {call:?}"
            );
        }
        assert!(matches!(token(&app, id).await, Err(Error::Outside(_))));
        assert_eq!(oauth.grants("refresh_token").len(), asked + 1, "{fault:?}");
        assert_eq!(status(&app, id).await, "active");
        app.clock.advance(Duration::from_secs(2));
    }
    assert_eq!(text(&app, id).await, "access-2-5ecre7");
}

async fn a_pause_that_the_service_asks_for_is_kept(backend: Backend) {
    let (app, oauth) = linear(backend).await;
    let id = connected(&app, &oauth).await;
    app.clock.advance(HOUR);
    oauth.server.fail_next([Fault::RateLimited("60")]);
    for _ in 0..6 {
        assert!(matches!(token(&app, id).await, Err(Error::Outside(_))));
        app.clock.advance(Duration::from_secs(9));
    }
    assert_eq!(oauth.grants("refresh_token").len(), 1);
    app.clock.advance(Duration::from_secs(6));
    assert_eq!(text(&app, id).await, "access-2-5ecre7");
}

async fn a_token_near_its_end_is_used_while_it_is_renewed(backend: Backend) {
    let (app, oauth) = linear(backend).await;
    let id = connected(&app, &oauth).await;
    app.clock.advance(Duration::from_mins(56));
    oauth.server.fail_next([Fault::Status(503)]);
    assert_eq!(text(&app, id).await, "access-1-5ecre7");
    until(async || {
        let mut conn = app.database.db.read().await.unwrap();
        let found = store::integration_fetch_renewing(&mut conn, &app.acme, id).await;
        let found = found.unwrap().unwrap();
        found.by.is_none() && found.until.is_some()
    })
    .await;
    assert_eq!(oauth.grants("refresh_token").len(), 1);
    // Less than a minute is left: it is worth waiting for, and still good if waiting was in vain.
    app.clock.advance(Duration::from_secs(200));
    oauth.server.fail_next([Fault::Status(503)]);
    // The first renewal may be under way still.
    until(async || {
        assert_eq!(text(&app, id).await, "access-1-5ecre7");
        oauth.grants("refresh_token").len() == 2
    })
    .await;
    app.clock.advance(Duration::from_secs(2));
    assert_eq!(text(&app, id).await, "access-2-5ecre7");
}

async fn a_caller_who_goes_away_loses_nothing(backend: Backend) {
    let (app, oauth) = linear(backend).await;
    let id = connected(&app, &oauth).await;
    app.clock.advance(HOUR);
    oauth.server.fail_next([Fault::Late(BUSY)]);
    {
        let call = token(&app, id);
        tokio::pin!(call);
        let asked = until(async || oauth.grants("refresh_token").len() == 1);
        tokio::select! {
            _ = &mut call => panic!("it must wait"),
            () = asked => {}
        }
    }
    assert_eq!(text(&app, id).await, "access-2-5ecre7");
    app.clock.advance(HOUR);
    assert_eq!(text(&app, id).await, "access-3-5ecre7");
}

/// What a process that dies between the answer and its storing leaves behind.
async fn an_answer_that_is_lost_ends_in_expired_and_not_in_a_loop(backend: Backend) {
    let (app, oauth) = linear(backend).await;
    let id = connected(&app, &oauth).await;
    app.clock.advance(HOUR);
    oauth.server.fail_next([Fault::CutAfter]);
    assert!(matches!(token(&app, id).await, Err(Error::Outside(_))));
    assert_eq!(status(&app, id).await, "active");
    app.clock.advance(Duration::from_secs(2));
    assert!(matches!(token(&app, id).await, Err(Error::Conflict(_))));
    assert_eq!(status(&app, id).await, "expired");
    assert!(token(&app, id).await.is_err());
    assert_eq!(oauth.grants("refresh_token").len(), 2);
}

async fn the_claim_of_an_instance_that_died_runs_out(backend: Backend) {
    let (app, oauth) = linear(backend).await;
    let id = connected(&app, &oauth).await;
    app.clock.advance(HOUR);
    let now = app.app.now();
    let mut tx = app.database.db.write().await.unwrap();
    let found = store::integration_fetch_sealed(&mut tx, &app.acme, id)
        .await
        .unwrap();
    let (found, end) = (found.unwrap(), now.plus(Duration::from_secs(30)));
    let claimed = store::integration_claim(&mut tx, &found, Uuid::nil(), end, now);
    assert!(claimed.await.unwrap());
    tx.commit().await.unwrap();
    let call = text(&app, id);
    tokio::pin!(call);
    let waited = tokio::time::timeout(Duration::from_millis(300), &mut call);
    assert!(waited.await.is_err(), "another instance may still renew it");
    assert_eq!(oauth.grants("refresh_token").len(), 0);
    app.clock.advance(Duration::from_secs(31));
    assert_eq!(call.await, "access-2-5ecre7");
}

async fn credentials_that_were_replaced_meanwhile_stay(backend: Backend) {
    let (app, oauth) = linear(backend).await;
    let id = connected(&app, &oauth).await;
    app.clock.advance(HOUR);
    oauth.server.fail_next([Fault::Late(BUSY)]);
    let replaced = async {
        until(async || oauth.grants("refresh_token").len() == 1).await;
        let path = format!("/v1/integrations/{id}");
        let body = json!({"token": "pasted"});
        app.owner().patch(&path, body).await.expect(200)
    };
    let (call, shown) = tokio::join!(token(&app, id), replaced);
    assert!(matches!(call, Err(Error::Outside(_))), "{call:?}");
    assert_eq!(shown["provider"], "static");
    assert_eq!(text(&app, id).await, "pasted");
}

async fn a_revoke_works_at_once(backend: Backend) {
    let (app, oauth) = linear(backend).await;
    let id = connected(&app, &oauth).await;
    let path = format!("/v1/integrations/{id}");
    assert_eq!(text(&app, id).await, "access-1-5ecre7");
    let change = json!({"status": "suspended"});
    app.owner().patch(&path, change).await.expect(200);
    assert!(matches!(token(&app, id).await, Err(Error::Conflict(_))));
    // Also while a renewal is under way: the token is kept, and not given out.
    app.owner()
        .patch(&path, json!({"status": "active"}))
        .await
        .expect(200);
    app.clock.advance(HOUR);
    oauth.server.fail_next([Fault::Late(BUSY)]);
    let suspended = async {
        until(async || oauth.grants("refresh_token").len() == 1).await;
        let change = json!({"status": "suspended"});
        app.owner().patch(&path, change).await.expect(200);
    };
    tokio::join!(async { drop(token(&app, id).await) }, suspended);
    assert_eq!(status(&app, id).await, "suspended");
    assert!(matches!(token(&app, id).await, Err(Error::Conflict(_))));
    app.owner()
        .patch(&path, json!({"status": "active"}))
        .await
        .expect(200);
    assert_eq!(text(&app, id).await, "access-2-5ecre7");
    app.owner().delete(&path).await.expect(204);
    assert!(matches!(token(&app, id).await, Err(Error::NotFound(_))));
}

async fn a_token_that_ends_and_cannot_be_renewed_is_expired(backend: Backend) {
    let mut setup = Setup {
        shape: Shape::Standard,
        pkce: true,
        expires_in: Some(3600),
        refreshes: false,
    };
    let oauth = oauth::start_as(setup).await;
    let app = builder(backend, "linear", &oauth).start().await;
    let id = connected(&app, &oauth).await;
    app.clock.advance(Duration::from_secs(3599));
    assert_eq!(text(&app, id).await, "access-1-5ecre7");
    app.clock.advance(Duration::from_secs(1));
    let ended = token(&app, id).await.unwrap_err().to_string();
    assert_eq!(ended, "the integration is expired; reconnect it");
    assert_eq!(status(&app, id).await, "expired");
    assert_eq!(oauth.grants("refresh_token").len(), 0);

    setup.expires_in = None;
    let oauth = oauth::start_as(setup).await;
    let app = builder(backend, "linear", &oauth).start().await;
    let id = connected(&app, &oauth).await;
    app.clock.advance(HOUR * 24 * 365);
    assert_eq!(text(&app, id).await, "access-1-5ecre7");
}

async fn a_refused_token_is_renewed_or_given_up(backend: Backend) {
    let (app, oauth) = linear(backend).await;
    let id = connected(&app, &oauth).await;
    let first = token(&app, id).await.unwrap();
    assert_eq!(first.secrets().count(), 2, "token and refresh token");
    let refused = async || ::app::integrations::renew_refused(&app.app, &first).await;
    // Another call that was refused with the same token gets the new one.
    let renewed = join_all((0..10).map(|_| refused())).await;
    for renewed in renewed {
        let renewed = renewed.unwrap();
        assert_eq!(renewed.token.expose_secret(), "access-2-5ecre7");
    }
    assert_eq!(oauth.grants("refresh_token").len(), 1);
    assert_eq!(
        refused().await.unwrap().token.expose_secret(),
        "access-2-5ecre7"
    );
    let body = json!({"integrationId": "linear", "token": "pasted"});
    let pasted = app.owner().post("/v1/integrations", body).await.expect(201);
    let pasted = pasted["id"].as_str().unwrap().parse().unwrap();
    let credential = token(&app, pasted).await.unwrap();
    let given_up = ::app::integrations::renew_refused(&app.app, &credential).await;
    assert!(matches!(given_up, Err(Error::Conflict(_))));
    assert_eq!(
        status(&app, pasted).await,
        IntegrationStatus::Expired.as_str()
    );
}

async fn a_client_that_is_not_taken_is_the_operators_matter(backend: Backend) {
    let oauth = oauth::start(Shape::Standard).await;
    let app = builder(backend, "linear", &oauth).start().await;
    let id = connected(&app, &oauth).await;
    let mut settings = oauth.settings();
    settings.client_secret = "another".into();
    let wrong = TestApp::builder(backend).client("linear", settings);
    let wrong = wrong.reach(&oauth.host()).beside(&app).await;
    let without = TestApp::builder(backend).beside(&app).await;
    for (other, after) in [(&wrong, HOUR), (&without, HOUR * 2)] {
        other.clock.advance(after);
        let refused = token(other, id).await.unwrap_err().to_string();
        assert!(refused.contains("operator"), "{refused}");
        assert_eq!(status(&app, id).await, "active");
    }
    app.clock.advance(HOUR * 3);
    assert_eq!(text(&app, id).await, "access-2-5ecre7");
}
