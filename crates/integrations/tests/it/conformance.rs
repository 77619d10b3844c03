//! What every source owes, whatever its service is like: each case runs each action of all four.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use domain::action::Risk;
use futures::future::join_all;
use integrations::{ActionCall, CallLimits, FailureKind, Retry};
use serde_json::{Value, json};
use testkit::{
    permit::permit,
    standin::{Answer, Fault},
};
use tokio::net::TcpSocket;

use crate::stage::{NAMES, Sample, Stage, execute, samples, samples_of, sources_at};

const PAUSE: Retry = Retry::Later(Duration::from_secs(5));

/// Lets every action meet a fault, and compares kind and verdict for those that read and those that change.
async fn every_action_meets(fault: Fault, kind: FailureKind, read: Retry, write: Retry) {
    for name in NAMES {
        let stage = Stage::of(name).await;
        for (asked, sample) in samples_of(name).into_iter().enumerate() {
            stage.standin.fail_next([fault.clone()]);
            let failure = sample.run(&stage).await.expect_err("a fault is a failure");
            let verdict = if sample.changes(&stage) { write } else { read };
            let told = (failure.kind, failure.retry);
            assert_eq!(told, (kind, verdict), "{sample:?}: {failure}");
            // Tried once, whatever it was.
            assert_eq!(stage.standin.requests().len(), asked + 1, "{sample:?}");
        }
    }
}

/// Each sample, with the one stage of its source.
async fn everything() -> Vec<(Arc<Stage>, Sample)> {
    let mut all = Vec::new();
    for name in NAMES {
        let stage = Arc::new(Stage::of(name).await);
        let samples = samples_of(name).into_iter();
        all.extend(samples.map(|sample| (Arc::clone(&stage), sample)));
    }
    all
}

#[tokio::test]
async fn every_action_has_a_sample_that_works_in_one_request() {
    let mut expected: Vec<(&str, &str)> = Vec::new();
    for name in NAMES {
        let stage = Stage::of(name).await;
        assert_eq!(stage.source.name(), name);
        let actions = stage.source.actions().iter();
        expected.extend(actions.map(|action| (name, action.name)));
    }
    let samples = samples();
    let mut found: Vec<(&str, &str)> = samples.iter().map(|s| (s.source, s.action)).collect();
    found.sort_unstable();
    expected.sort_unstable();
    assert_eq!(found, expected);
    for (stage, sample) in everything().await {
        let (asked, changed) = (stage.standin.requests().len(), stage.standin.changes());
        let answer = sample.run(&stage).await;
        assert!(answer.is_ok_and(|answer| answer.is_object()), "{sample:?}");
        assert_eq!(stage.standin.requests().len(), asked + 1, "{sample:?}");
        let changes = usize::from(sample.changes(&stage));
        assert_eq!(stage.standin.changes() - changed, changes, "{sample:?}");
    }
}

#[tokio::test]
async fn refusals_are_told_apart_and_never_retried() {
    let table = [
        (401, FailureKind::Unauthorized),
        (403, FailureKind::Forbidden),
        (404, FailureKind::NotFound),
    ];
    for (status, kind) in table {
        every_action_meets(Fault::Status(status), kind, Retry::Never, Retry::Never).await;
    }
}

#[tokio::test]
async fn a_rate_limit_is_honoured_in_seconds_and_as_a_date() {
    for (text, seconds) in [("7", 7), ("Thu, 01 Jan 2026 00:00:30 GMT", 30)] {
        let later = Retry::Later(Duration::from_secs(seconds));
        let fault = Fault::RateLimited(text);
        every_action_meets(fault, FailureKind::RateLimited, later, later).await;
    }
}

/// A rate limit that asks for a year is not believed.
#[tokio::test]
async fn a_pause_has_a_bound() {
    let later = Retry::Later(Duration::from_hours(1));
    let fault = Fault::RateLimited("31536000");
    every_action_meets(fault, FailureKind::RateLimited, later, later).await;
}

#[tokio::test]
async fn a_failing_service_leaves_the_outcome_of_a_change_unknown() {
    for status in [500, 502, 503, 504] {
        let fault = Fault::Status(status);
        every_action_meets(fault, FailureKind::Upstream, PAUSE, Retry::OutcomeUnknown).await;
    }
}

#[tokio::test]
async fn a_failing_service_that_says_when_it_is_back_is_believed() {
    let answer = Answer::json(503, json!({})).with_header("retry-after", "9");
    let (later, unknown) = (Retry::Later(Duration::from_secs(9)), Retry::OutcomeUnknown);
    every_action_meets(Fault::Answer(answer), FailureKind::Upstream, later, unknown).await;
}

/// The status of a refusal says what it is, whatever becomes of its body.
#[tokio::test]
async fn a_refusal_with_an_unreadable_body_is_still_a_refusal() {
    for body in [Value::from("x".repeat(70_000)), json!([]), json!(null)] {
        let fault = Fault::Answer(Answer::json(403, body));
        let never = Retry::Never;
        every_action_meets(fault, FailureKind::Forbidden, never, never).await;
    }
}

#[tokio::test]
async fn an_answer_that_cannot_be_read_leaves_the_outcome_of_a_change_unknown() {
    let (never, unknown) = (Retry::Never, Retry::OutcomeUnknown);
    every_action_meets(
        Fault::Malformed,
        FailureKind::MalformedReply,
        never,
        unknown,
    )
    .await;
}

#[tokio::test]
async fn an_answer_that_is_too_large_is_not_taken() {
    let (never, unknown) = (Retry::Never, Retry::OutcomeUnknown);
    let fault = Fault::Oversized(64 * 1024);
    every_action_meets(fault, FailureKind::TooLarge, never, unknown).await;
}

/// Defect 22: a retry on the text of an error runs a change twice. Here a connection that breaks after the
/// request was sent is asked about once, and the caller is told that the outcome is unknown.
#[tokio::test]
async fn defect_22_a_change_whose_connection_broke_is_never_made_twice() {
    for (fault, done) in [(Fault::CutBefore, 0), (Fault::CutAfter, 1)] {
        let unknown = Retry::OutcomeUnknown;
        every_action_meets(fault.clone(), FailureKind::Unreachable, PAUSE, unknown).await;
        for name in NAMES {
            let stage = Stage::of(name).await;
            for sample in samples_of(name) {
                let before = stage.standin.changes();
                stage.standin.fail_next([fault.clone()]);
                sample.run(&stage).await.unwrap_err();
                let changes = usize::from(sample.changes(&stage)) * done;
                assert_eq!(stage.standin.changes() - before, changes, "{sample:?}");
            }
        }
    }
}

#[tokio::test]
async fn a_service_that_does_not_answer_in_time_leaves_the_outcome_of_a_change_unknown() {
    let late = async |name: &str| {
        let stage = Stage::impatient(name).await;
        for sample in samples_of(name) {
            stage
                .standin
                .fail_next([Fault::Late(Duration::from_hours(1))]);
            let failure = sample.run(&stage).await.unwrap_err();
            let unknown = Retry::OutcomeUnknown;
            let verdict = if sample.changes(&stage) {
                unknown
            } else {
                PAUSE
            };
            let told = (failure.kind, failure.retry);
            assert_eq!(told, (FailureKind::TimedOut, verdict), "{sample:?}");
        }
    };
    join_all(NAMES.map(late)).await;
}

/// Before the first byte nothing can have happened: that may be tried again, a change too.
#[tokio::test]
async fn a_service_that_is_not_there_was_not_asked() {
    // Bound and not listening: refused, and no other process gets the port.
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let address = socket.local_addr().unwrap();
    let allowed = address.to_string().parse().unwrap();
    let sources = sources_at(
        &format!("http://{address}"),
        &[allowed],
        CallLimits::default(),
    );
    for sample in samples() {
        let source = sources.get(sample.source).unwrap();
        let run = execute(
            &**source,
            "a-long-token",
            sample.action,
            sample.params.clone(),
        );
        let failure = run.await.unwrap_err();
        let told = (failure.kind, failure.retry);
        assert_eq!(told, (FailureKind::Unreachable, PAUSE), "{sample:?}");
    }
}

#[tokio::test]
async fn the_egress_guard_stands_before_every_source() {
    for name in NAMES {
        let stage = Stage::of(name).await;
        let sources = sources_at(&stage.standin.base_url, &[], CallLimits::default());
        let source = sources.get(name).unwrap();
        let sample = samples().into_iter().find(|sample| sample.source == name);
        let sample = sample.unwrap();
        let run = execute(&**source, stage.standin.token, sample.action, sample.params);
        let failure = run.await.unwrap_err();
        let told = (failure.kind, failure.retry);
        assert_eq!(told, (FailureKind::Refused, Retry::Never), "{failure}");
        assert!(stage.standin.requests().is_empty());
    }
}

/// A connection that was kept, and that the service has closed meanwhile, would break a change in a way that
/// the gateway could not tell from one that was made.
#[tokio::test]
async fn every_request_has_a_connection_of_its_own() {
    for (stage, sample) in everything().await {
        sample.run(&stage).await.unwrap();
        let requests = stage.standin.requests();
        assert_eq!(requests.last().unwrap().connection, requests.len());
    }
}

/// Defect 61: a request that follows redirects goes wherever the answer says, with its credential.
#[tokio::test]
async fn defect_61_a_redirect_is_not_followed() {
    let answer = Answer::json(307, json!({})).with_header("location", "/elsewhere");
    let never = Retry::Never;
    every_action_meets(Fault::Answer(answer), FailureKind::NotFound, never, never).await;
}

/// Defect 13: a token in an address ends up in logs. Here it is in one header and nowhere else.
#[tokio::test]
async fn defect_13_the_credential_is_in_one_header_alone() {
    for (stage, sample) in everything().await {
        sample.run(&stage).await.unwrap();
        let mut request = stage.standin.last_request();
        let header = request.headers.remove("authorization").unwrap();
        assert_eq!(header, format!("Bearer {}", stage.standin.token));
        let rest = format!("{request:?}");
        assert!(!rest.contains(stage.standin.token), "{rest}");
    }
}

/// A service that repeats what it was sent, in a refusal and in an answer of success.
#[tokio::test]
async fn a_credential_that_comes_back_is_taken_out() {
    for (stage, sample) in everything().await {
        let echo = format!("Bearer {} is wrong", stage.standin.token);
        let body = json!({
            "message": echo, "detail": echo, "error": echo, "ok": false,
            "errors": [{"message": echo, "extensions": {"code": echo}}],
        });
        for status in [200, 400, 401, 500] {
            let answer = Answer::json(status, body.clone());
            stage.standin.fail_next([Fault::Answer(answer)]);
            // Looks at what it gives back.
            let _ = sample.run(&stage).await;
        }
        let body: Value = json!([{"id": echo}]);
        stage
            .standin
            .fail_next([Fault::Answer(Answer::json(200, body))]);
        let _ = sample.run(&stage).await;
    }
}

/// What is logged at the finest level, of calls that go well and of calls that do not.
#[tokio::test]
async fn no_log_line_holds_the_credential() {
    let log = Log::default();
    let written = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_writer(move || written.clone())
        .finish();
    // For all threads: what another test's thread meets first without a subscriber is never logged.
    tracing::subscriber::set_global_default(subscriber).unwrap();
    for (stage, sample) in everything().await {
        for fault in [Fault::CutBefore, Fault::Status(500), Fault::Malformed] {
            stage.standin.fail_next([fault]);
            sample.run(&stage).await.unwrap_err();
        }
        let lines = log.0.lock().unwrap().clone();
        let lines = String::from_utf8(lines).unwrap();
        assert!(lines.contains("a service did not answer"), "{lines}");
        assert!(!lines.contains(stage.standin.token), "{lines}");
    }
}

#[derive(Debug, Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn a_wrong_credential_is_unauthorized() {
    for (stage, sample) in everything().await {
        let run = stage.run_as("another-token", sample.action, sample.params.clone());
        let failure = run.await.unwrap_err();
        assert_eq!(failure.kind, FailureKind::Unauthorized, "{sample:?}");
        assert_eq!(stage.standin.changes(), 0);
    }
}

#[tokio::test]
async fn a_credential_that_cannot_be_sent_is_not_sent() {
    for (stage, sample) in everything().await {
        for credential in ["", "two\nlines", "a\0zero"] {
            let run = stage.run_as(credential, sample.action, sample.params.clone());
            let failure = run.await.unwrap_err();
            let told = (failure.kind, failure.retry);
            assert_eq!(told, (FailureKind::Unauthorized, Retry::Never));
            assert!(!failure.message().contains("two"), "{failure}");
        }
        assert!(stage.standin.requests().is_empty());
    }
}

#[tokio::test]
async fn a_permit_for_another_action_runs_nothing() {
    for (stage, sample) in everything().await {
        let own = stage.action(sample.action).risk;
        let call = ActionCall {
            action: sample.action.to_owned(),
            params: sample.params.as_object().unwrap().clone(),
            risk: own,
            case_id: None,
        };
        let mut of_a_case = call.clone();
        of_a_case.case_id = Some("CASE-0001".parse().unwrap());
        let others = Risk::ALL.iter().filter(|risk| **risk != own);
        let wrong = others.map(|risk| (*risk, call.clone()));
        // Judged by less than the action is: such a permit is none.
        let less = Risk::ALL.iter().filter(|risk| **risk < own).map(|risk| {
            let risk = *risk;
            (
                risk,
                ActionCall {
                    risk,
                    ..call.clone()
                },
            )
        });
        for (risk, call) in wrong.chain(less).chain([(own, of_a_case)]) {
            let permit = permit(&risk.operation().parse().unwrap());
            let credential = stage.standin.token.into();
            let run = stage.source.execute(permit, call, Some(&credential));
            let failure = run.await.unwrap_err();
            assert_eq!(failure.kind, FailureKind::PermitMismatch);
            assert_eq!(failure.retry, Retry::Never);
        }
        assert!(stage.standin.requests().is_empty());
    }
}

/// A call that was judged when its action was a greater risk runs all the same.
#[tokio::test]
async fn a_risk_that_was_lowered_since_the_call_was_judged_does_not_stop_it() {
    for (stage, sample) in everything().await {
        let call = ActionCall {
            action: sample.action.to_owned(),
            params: sample.params.as_object().unwrap().clone(),
            risk: Risk::Danger,
            case_id: None,
        };
        let permit = permit(&Risk::Danger.operation().parse().unwrap());
        let credential = stage.standin.token.into();
        let run = stage.source.execute(permit, call, Some(&credential));
        run.await.unwrap();
    }
}

#[tokio::test]
async fn what_is_not_an_action_or_not_its_params_is_not_sent() {
    for (stage, sample) in everything().await {
        let unknown = stage.run("no_such_action", json!({})).await.unwrap_err();
        assert_eq!(unknown.kind, FailureKind::Invalid);
        let mut params = sample.params.clone();
        params["no_such_param"] = json!(1);
        let failure = stage.run(sample.action, params).await.unwrap_err();
        assert_eq!(failure.kind, FailureKind::Invalid, "{sample:?}");
        assert!(failure.message().contains("no_such_param"), "{failure}");
        assert!(stage.standin.requests().is_empty());
    }
}

/// Defect 28: nothing declared danger, so that what denies it was never run. Each source has one such action.
#[tokio::test]
async fn defect_28_every_source_has_actions_of_every_risk() {
    for name in NAMES {
        let stage = Stage::of(name).await;
        for risk in Risk::ALL {
            let count = stage.source.actions().iter().filter(|a| a.risk == *risk);
            assert!(count.count() >= 1, "{name} has no {risk} action");
        }
    }
}
