//! What is sent again and what is not. One rule: only a 404 to a request that carried a session, once.

use std::time::Duration;

use domain::{
    action::Risk,
    limits::{CONNECTOR_ANSWER_BYTES_MAX, CONNECTOR_RESUMES_MAX, SOURCE_RETRY_PAUSE},
};
use integrations::{FailureKind, Retry};
use testkit::standin::mcp::{McpFault as Fault, Speaks};

use crate::mcp::common::{World, call_tool, scope, tool_call};

/// Defect 22, the good half: the session is gone, so the call was not taken, so it is sent again.
#[tokio::test]
async fn defect_22_a_session_that_is_gone_is_replaced_once() {
    let world = World::new().await;
    world.call("send", Risk::Write).await.unwrap();
    let before = world.server.count("initialize");
    world.server.fail("tools/call", Fault::SessionGone, 1);
    world.call("send", Risk::Write).await.unwrap();
    assert_eq!(world.server.effects().len(), 2);
    assert_eq!(world.calls(), 3);
    assert_eq!(world.server.count("initialize"), before + 1);
}

#[tokio::test]
async fn defect_22_a_server_that_ends_every_session_is_asked_twice_and_no_more() {
    let world = World::new().await;
    world
        .server
        .fail("tools/call", Fault::SessionGone, usize::MAX);
    let failure = world.call("send", Risk::Write).await.unwrap_err();
    assert_eq!(failure.message(), "the server ends its sessions at once");
    assert_eq!(
        (failure.kind, failure.retry),
        (
            FailureKind::MalformedReply,
            Retry::Later(SOURCE_RETRY_PAUSE)
        )
    );
    assert_eq!((world.calls(), world.server.effects().len()), (2, 0));
}

/// Defect 22, the bad half: whatever else looks like it is not sent again.
#[tokio::test]
async fn defect_22_no_text_and_no_other_status_sends_a_call_again() {
    let said = |text: &str| Fault::Error(-32000, text.to_owned());
    let faults = [
        said("404 Not Found: session expired"),
        said("Bad Request: No valid session ID provided"),
        Fault::Error(-32001, "Session not found".into()),
        Fault::Status(400),
        Fault::Status(401),
        Fault::Status(408),
        Fault::Status(409),
        Fault::Status(410),
        Fault::Status(500),
        Fault::Status(502),
        Fault::Status(503),
        Fault::Pause(1),
        Fault::CutBefore,
        Fault::CutAfter,
        Fault::CutWithin,
        Fault::Body("404 session".into()),
    ];
    for fault in faults {
        let world = World::new().await;
        world.server.fail("tools/call", fault.clone(), usize::MAX);
        world.call("send", Risk::Write).await.unwrap_err();
        assert_eq!(world.calls(), 1, "{fault:?}");
        assert!(world.server.effects().len() <= 1);
    }
    // A 404 to a request that carried no session says that there is no server.
    let world = World::new().await;
    world.server.set(|knobs| knobs.speaks = Speaks::NoSessions);
    world
        .server
        .fail("tools/call", Fault::Status(404), usize::MAX);
    let failure = world.call("send", Risk::Write).await.unwrap_err();
    assert_eq!(
        (failure.kind, failure.retry),
        (FailureKind::MalformedReply, Retry::Never)
    );
    assert_eq!(world.calls(), 1);
}

/// A write whose answer is missing may have been done; a read can be asked again.
#[tokio::test]
async fn a_write_without_an_answer_has_an_unknown_outcome() {
    use Retry::{Never, OutcomeUnknown};
    let later = Retry::Later(SOURCE_RETRY_PAUSE);
    let pause = Retry::Later(Duration::from_secs(9));
    let huge = CONNECTOR_ANSWER_BYTES_MAX + 1;
    #[rustfmt::skip]
    let table = [
        // fault, kind, for a read, for a write, effects
        (Fault::CutBefore, FailureKind::Unreachable, later, OutcomeUnknown, 0),
        (Fault::CutAfter, FailureKind::Unreachable, later, OutcomeUnknown, 1),
        (Fault::CutWithin, FailureKind::Unreachable, later, OutcomeUnknown, 1),
        (Fault::Huge(huge), FailureKind::TooLarge, Never, OutcomeUnknown, 1),
        (Fault::HugeEvents(huge), FailureKind::TooLarge, Never, OutcomeUnknown, 1),
        (Fault::Status(500), FailureKind::Upstream, later, OutcomeUnknown, 0),
        (Fault::Body("{".into()), FailureKind::MalformedReply, Never, OutcomeUnknown, 1),
        (Fault::OtherId, FailureKind::MalformedReply, Never, OutcomeUnknown, 1),
        (Fault::EndsEarly, FailureKind::Unreachable, later, OutcomeUnknown, 1),
        (Fault::NeverEnds, FailureKind::Unreachable, later, OutcomeUnknown, 1),
        (Fault::Status(401), FailureKind::Unauthorized, Never, Never, 0),
        (Fault::Pause(9), FailureKind::RateLimited, pause, pause, 0),
        (Fault::Redirect("https://other.example/mcp".into()), FailureKind::Refused, Never, Never, 0),
    ];
    for (fault, kind, for_read, for_write, effects) in table {
        for (risk, retry) in [(Risk::Read, for_read), (Risk::Write, for_write)] {
            let world = World::new().await;
            world.server.fail("tools/call", fault.clone(), usize::MAX);
            let failure = world.call("send", risk).await.unwrap_err();
            assert_eq!(
                (failure.kind, failure.retry),
                (kind, retry),
                "{fault:?} {risk}: {failure}"
            );
            assert_eq!(world.server.effects().len(), effects, "{fault:?}");
            assert_eq!(world.calls(), 1, "{fault:?}");
        }
    }
}

#[tokio::test]
async fn a_call_without_an_answer_in_time_is_given_up() {
    for (risk, retry) in [
        (Risk::Write, Retry::OutcomeUnknown),
        (Risk::Read, Retry::Later(SOURCE_RETRY_PAUSE)),
    ] {
        let world = World::new().await;
        world.list().await.unwrap();
        world.server.fail("tools/call", Fault::Hangs, 1);
        let connectors = world.connectors.clone();
        let connector = world.connector.clone();
        let called = tokio::spawn(async move {
            let call = tool_call("send", risk);
            call_tool(&connectors, &scope(Some(1)), &connector, call).await
        });
        world.server.hangs().await;
        // Everything waits now: the clock of the runtime runs to the next deadline by itself.
        tokio::time::pause();
        let failure = called.await.unwrap().unwrap_err();
        tokio::time::resume();
        assert_eq!(
            (failure.kind, failure.retry),
            (FailureKind::TimedOut, retry)
        );
        assert_eq!(world.calls(), 1);
    }
}

/// A handshake that fails has sent nothing: a write may be tried again.
#[tokio::test]
async fn a_write_that_was_never_sent_may_be_tried_again() {
    for fault in [Fault::CutBefore, Fault::Status(500)] {
        let world = World::new().await;
        world.list().await.unwrap();
        world.server.fail("initialize", fault, usize::MAX);
        let failure = world.call("send", Risk::Write).await.unwrap_err();
        assert_eq!(failure.retry, Retry::Later(SOURCE_RETRY_PAUSE));
        assert_eq!((world.calls(), world.connectors.open_connections()), (0, 0));
    }
}

/// After a broken connection the next call begins anew instead of failing for ever.
#[tokio::test]
async fn a_connection_that_broke_is_not_used_again() {
    let world = World::new().await;
    world.server.fail("tools/call", Fault::CutAfter, 1);
    world.call("send", Risk::Write).await.unwrap_err();
    assert_eq!(world.connectors.open_connections(), 0);
    world.call("send", Risk::Write).await.unwrap();
}

/// A server that cuts every stream and lets each be resumed is asked for the rest a few times and no more.
#[tokio::test]
async fn the_rest_of_an_answer_is_asked_for_a_few_times() {
    let world = World::new().await;
    world.server.fail("tools/call", Fault::NeverEnds, 1);
    world.call("send", Risk::Write).await.unwrap_err();
    let requests = world.server.requests();
    let resumed = requests.iter().filter(|it| it.http_method == "GET");
    assert_eq!(resumed.count(), CONNECTOR_RESUMES_MAX);
    assert_eq!(world.calls(), 1);
}

/// What went wrong before on the same connection says nothing about an answer that is lost now.
#[tokio::test]
async fn a_lost_answer_is_not_mistaken_for_an_earlier_refusal() {
    let world = World::new().await;
    world.server.fail("tools/call", Fault::Pause(9), 1);
    world.server.fail("tools/call", Fault::EndsEarly, 1);
    let paused = world.call("send", Risk::Write).await.unwrap_err();
    assert_eq!(paused.kind, FailureKind::RateLimited);
    assert_eq!(world.connectors.open_connections(), 1);
    let lost = world.call("send", Risk::Write).await.unwrap_err();
    let found = (lost.kind, lost.retry);
    assert_eq!(found, (FailureKind::Unreachable, Retry::OutcomeUnknown));
}
