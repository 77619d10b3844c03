//! The operator's admission service: what it is asked, and what follows when it does not answer as it should.

use std::{sync::Arc, time::Duration};

use ::app::admission::{AdmissionHook, AdmissionHookSettings, OnAdmissionFailure};
use serde_json::{Value, json};
use testkit::{
    app::TestApp,
    clock::{FakeClock, SeededEntropy},
    database::Backend,
    standin::{Answer, Fault, Standin, admission, hook},
};
use tools::egress::{AllowedHost, EgressGuard, SystemResolver};

const SESSIONS: &str = "/proliferate/sessions";
const UNDECIDED: &str = "the service of the operator that admits sessions does not answer as it should; try again later, or \
     ask the operator of this installation";

testkit::on_both_databases!(
    the_service_is_asked_for_each_session_with_a_signature,
    a_denial_reaches_the_person_with_its_sentence,
    a_service_that_does_not_decide_denies,
);

async fn gateway(backend: Backend, service: &Standin, on_failure: OnAdmissionFailure) -> TestApp {
    let host = format!("{}", service.address);
    let allowed: AllowedHost = host.parse().unwrap();
    let hook = AdmissionHook::new(AdmissionHookSettings {
        url: service.base_url.parse().unwrap(),
        secret: admission::SECRET.into(),
        timeout: Duration::from_millis(500),
        on_failure,
        guard: EgressGuard::new(Arc::new(SystemResolver), [allowed]),
        clock: Arc::new(FakeClock::new()),
        entropy: Arc::new(SeededEntropy::new(7)),
    });
    TestApp::builder(backend).admission(hook).start().await
}

async fn the_service_is_asked_for_each_session_with_a_signature(backend: Backend) {
    let service = admission::start().await;
    let app = gateway(backend, &service, OnAdmissionFailure::Deny).await;
    let made = app.owner().post(SESSIONS, json!({})).await.expect(201);
    let asked = service.last_request();
    assert!(hook::is_signed(&asked, admission::SECRET));
    assert!(asked.path.ends_with("/admit"));
    let expected = json!({
        "type": "session_create",
        "timestamp": "2026-01-01T00:00:00Z",
        "data": {"organizationId": "org_acme", "sessionId": made["sessionId"], "userId": "user_acme_owner"},
    });
    assert_eq!(asked.body, expected);
    app.owner().post(SESSIONS, json!({})).await.expect(201);
    let requests = service.requests();
    assert_eq!(requests.len(), 2);
    assert_eq!(requests[0].connection, requests[1].connection, "one pool");
    // A repeated request is the same session, and is not asked for again.
    for status in [201, 200] {
        let call = app.owner().post(SESSIONS, json!({}));
        call.header("idempotency-key", "k").await.expect(status);
    }
    assert_eq!(service.requests().len(), 3);
}

async fn a_denial_reaches_the_person_with_its_sentence(backend: Backend) {
    let service = admission::start().await;
    // Also where failures admit.
    for on_failure in [OnAdmissionFailure::Deny, OnAdmissionFailure::Admit] {
        let app = gateway(backend, &service, on_failure).await;
        let long = "x".repeat(2000);
        for (reason, shown) in [
            (
                "the plan allows\nno more\u{7} sessions",
                "the plan allows no more sessions",
            ),
            (
                "",
                "the operator of this installation does not admit this now",
            ),
            (&long, &long[..300]),
        ] {
            service.fail_next([Fault::Answer(admission::denial(reason))]);
            let refused = app.owner().post(SESSIONS, json!({})).await;
            let problem = refused.expect_problem(402, "ADMISSION_DENIED");
            assert_eq!(problem["detail"], shown);
        }
        let list = app.owner().get("/v1/sessions").await.expect(200);
        assert_eq!(list["items"], json!([]));
    }
}

async fn a_service_that_does_not_decide_denies(backend: Backend) {
    let service = admission::start().await;
    let faults = || {
        let elsewhere =
            Answer::json(307, Value::Null).with_header("location", service.base_url.clone());
        [
            Fault::Held,
            Fault::Status(500),
            Fault::Status(403),
            Fault::Malformed,
            Fault::Answer(Answer::json(200, json!({"admit": "yes"}))),
            Fault::Answer(Answer::json(200, json!({}))),
            Fault::Oversized(64 * 1024),
            Fault::Answer(elsewhere),
            Fault::CutBefore,
        ]
    };
    let denying = gateway(backend, &service, OnAdmissionFailure::Deny).await;
    for fault in faults() {
        let what = format!("{fault:?}");
        service.fail_next([fault]);
        let refused = denying.owner().post(SESSIONS, json!({})).await;
        let problem = refused.expect_problem(402, "ADMISSION_DENIED");
        assert_eq!(problem["detail"], UNDECIDED, "{what}");
    }
    let admitting = gateway(backend, &service, OnAdmissionFailure::Admit).await;
    for fault in faults() {
        service.fail_next([fault]);
        admitting
            .owner()
            .post(SESSIONS, json!({}))
            .await
            .expect(201);
    }
    // It is well again.
    denying.owner().post(SESSIONS, json!({})).await.expect(201);
}
