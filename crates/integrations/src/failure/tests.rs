//! Every kind with both sorts of call, and what a message may hold.

use super::*;

#[test]
fn a_call_that_changes_something_is_retried_only_when_it_was_refused() {
    let seconds = Duration::from_secs;
    let (never, unknown) = (Retry::Never, Retry::OutcomeUnknown);
    #[rustfmt::skip]
    let table = [
        (FailureKind::Unauthorized, never, never),
        (FailureKind::Forbidden, never, never),
        (FailureKind::NotFound, never, never),
        (FailureKind::Invalid, never, never),
        (FailureKind::RateLimited, Retry::Later(seconds(60)), Retry::Later(seconds(60))),
        (FailureKind::Upstream, Retry::Later(seconds(5)), unknown),
        (FailureKind::Unreachable, Retry::Later(seconds(5)), unknown),
        (FailureKind::TimedOut, Retry::Later(seconds(5)), unknown),
        (FailureKind::MalformedReply, never, unknown),
        (FailureKind::TooLarge, never, unknown),
        (FailureKind::Refused, never, never),
        (FailureKind::Secret, never, never),
        (FailureKind::Tool, never, never),
        (FailureKind::PermitMismatch, never, never),
        (FailureKind::NotCallable, never, never),
    ];
    assert_eq!(table.len(), FailureKind::ALL.len());
    for (kind, read, write) in table {
        assert_eq!(verdict(kind, Risk::Read, None), read, "{kind}");
        assert_eq!(verdict(kind, Risk::Write, None), write, "{kind}");
    }
}

#[test]
fn a_pause_is_believed_up_to_its_bound() {
    let after = |after| verdict(FailureKind::RateLimited, Risk::Write, Some(after));
    assert_eq!(after(Duration::ZERO), Retry::Later(Duration::ZERO));
    assert_eq!(after(Duration::MAX), Retry::Later(SOURCE_RETRY_AFTER_MAX));
}

#[test]
fn what_was_partly_done_is_never_never() {
    let failure = UpstreamFailure {
        partly_done: true,
        ..FailureKind::Invalid.into()
    };
    let write = failure.clone().into_failure("Linear", Risk::Write);
    assert_eq!(write.retry, Retry::OutcomeUnknown);
    let read = failure.into_failure("Linear", Risk::Read);
    assert_eq!(read.retry, Retry::Never);
}

#[test]
fn a_message_is_one_bounded_line_that_steers_nothing() {
    let detail = "a\nb\u{1b}[31m\u{202e}c\u{0}\t\u{200b}d";
    let failure = UpstreamFailure::with_detail(FailureKind::Upstream, detail)
        .into_failure("Slack", Risk::Read);
    assert_eq!(failure.message(), "Slack failed: a b[31mc d");
    let long = UpstreamFailure::with_detail(FailureKind::Upstream, "ä".repeat(5000));
    let message = long.into_failure("Slack", Risk::Read).message().to_owned();
    assert_eq!(message.chars().count(), ERROR_MESSAGE_LENGTH_MAX);
    assert!(message.ends_with('…'));
    let empty =
        UpstreamFailure::with_detail(FailureKind::NotFound, "  ").into_failure("Slack", Risk::Read);
    assert_eq!(empty.message(), "Slack does not find it");
}
