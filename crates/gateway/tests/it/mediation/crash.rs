//! What is left behind is found, and nothing is done twice.

use std::{fs, time::Duration};

use app::{mediation, tool_calls};
use domain::{clock::Clock as _, id::RunId};
use serde_json::{Value, json};
use testkit::{database::Backend, tool::Behaviour};

use super::desk::{CALLS, Desk, call, dictation_call};

testkit::on_both_databases!(
    case_47_without_the_database_no_tool_is_called,
    case_48_a_call_that_was_cut_off_ends_as_unknown_and_is_not_repeated,
    a_call_that_comes_back_too_late_changes_nothing,
    case_27_the_database_keeps_what_has_ended,
    directories_of_calls_that_were_cut_off_are_removed,
);

/// Begins a call and forgets it, as a process that is killed does: its task never ends.
async fn cut_off(desk: &Desk, operation: &str, run: &str) -> Value {
    desk.dictation.behave(Behaviour::Ignores);
    desk.status.behave(Behaviour::Ignores);
    let path = format!("{CALLS}?wait=0");
    let call = desk.member().post(&path, call(operation, run));
    let answer = call.header("idempotency-key", "k").await.expect(202);
    answer["run_id"].clone()
}

async fn case_47_without_the_database_no_tool_is_called(backend: Backend) {
    let desk = Desk::open(backend).await;
    let run = desk.run().await;
    let body = dictation_call(&run);
    // The caller is known before the database goes, so that the call itself meets the failure.
    let caller = {
        let token = desk.app.user_token(testkit::app::Person::Member);
        let caller = app::identity::authenticate(&desk.app.app, &token, None).await;
        caller.unwrap().caller().clone()
    };
    desk.app.app.db.close().await;
    let attempt = tool_calls::ToolCallRequest {
        tool_name: "dictation.start".into(),
        operation: "dictation.start".into(),
        lane_id: Some("TOOL_INTERVIEW_CAPTURE".into()),
        case_id: body["case_id"].as_str().map(str::to_owned),
        parent_run_id: Some(run),
        scope: [(
            "client_session_id".to_owned(),
            super::desk::MEETING.to_owned(),
        )]
        .into(),
        ..tool_calls::ToolCallRequest::default()
    };
    let called = tool_calls::call(&desk.app.app, &caller, attempt, Duration::from_secs(5)).await;
    assert!(called.is_err(), "{called:?}");
    assert_eq!(desk.dictation.calls(), 0);
}

async fn case_48_a_call_that_was_cut_off_ends_as_unknown_and_is_not_repeated(backend: Backend) {
    for (operation, retryable) in [("dictation.start", false), ("transcription.status", true)] {
        let desk = Desk::open(backend).await;
        let run = desk.run().await;
        let id = cut_off(&desk, operation, &run).await;
        // Another process comes after it; until the deadline it must not touch the run.
        let other = desk.beside(backend).await;
        assert_eq!(mediation::sweep(&other.app.app).await.unwrap(), 0);
        other.app.clock.advance(Duration::from_hours(1));
        assert_eq!(mediation::sweep(&other.app.app).await.unwrap(), 1);
        assert_eq!(mediation::sweep(&other.app.app).await.unwrap(), 0);
        let (status, reason) = desk.run_status(id.as_str().unwrap()).await;
        assert_eq!(
            (status.as_str(), reason.as_deref()),
            ("failed", Some("outcome_unknown"))
        );
        let expected = [
            "authz_decision/allow/-",
            "tool_call/failure/outcome_unknown",
        ];
        assert_eq!(desk.told(1).await, expected);
        // A repeated call gets that result, and nothing is called again.
        let calls = || desk.dictation.calls() + desk.status.calls();
        let before = calls();
        let again = desk.send_keyed("k", call(operation, &run)).await;
        assert_eq!(again.status, 502);
        let again = again.json();
        assert_eq!(again["run_id"], id);
        assert_eq!(again["error"]["retryable"], json!(retryable));
        assert_eq!(calls(), before);
    }
}

async fn a_call_that_comes_back_too_late_changes_nothing(backend: Backend) {
    let desk = Desk::open(backend).await;
    let run = desk.run().await;
    desk.dictation.behave(Behaviour::Hangs);
    let path = format!("{CALLS}?wait=0");
    let answer = desk.member().post(&path, dictation_call(&run)).await;
    let id = answer.expect(202)["run_id"].clone();
    desk.dictation.started().await;
    let other = desk.beside(backend).await;
    other.app.clock.advance(Duration::from_hours(1));
    assert_eq!(mediation::sweep(&other.app.app).await.unwrap(), 1);
    desk.dictation.release();
    // Its own process lets it end; the run keeps its state.
    let show = format!("/v1/runs/{}?wait=5", id.as_str().unwrap());
    let view = desk.member().get(&show).await.expect(200);
    assert_eq!(view["outcome_reason"], "outcome_unknown");
    let expected = [
        "authz_decision/allow/-",
        "tool_call/failure/outcome_unknown",
    ];
    assert_eq!(desk.told(1).await, expected);
}

async fn case_27_the_database_keeps_what_has_ended(backend: Backend) {
    let desk = Desk::open(backend).await;
    let run = desk.run().await;
    let answer = desk.send(dictation_call(&run)).await.expect(200);
    let id = answer["run_id"].as_str().unwrap();
    for change in ["status = 'running', ended_at = NULL", "reason = 'other'"] {
        let sql = format!("UPDATE runs SET {change} WHERE id = '{id}'");
        let error = desk.app.database.try_execute(&sql).await.unwrap_err();
        assert!(error.to_string().contains("has ended"), "{error}");
    }
}

async fn directories_of_calls_that_were_cut_off_are_removed(backend: Backend) {
    let desk = Desk::open(backend).await;
    let run = desk.run().await;
    let ended = desk.send(dictation_call(&run)).await.expect(200)["run_id"].clone();
    let underway = cut_off(&desk, "dictation.start", &run).await;
    // The next process with this disk; it is busy with none of them.
    let next = desk.beside(backend).await;
    let directory = |name: &str| next.app.app.scratch.join(name);
    let [ended, underway] = [&ended, &underway].map(|id| directory(id.as_str().unwrap()));
    // Lost with the power: the database knows nothing of it.
    let lost = RunId::generate(next.app.clock.now(), &*next.app.app.entropy);
    let lost = directory(&lost.to_string());
    let foreign = directory("notes");
    for path in [&ended, &underway, &lost, &foreign] {
        fs::create_dir_all(path.join("work")).unwrap();
        fs::write(path.join("work/input"), "what a caller gave").unwrap();
    }
    let sweep = || mediation::sweep_scratch(&next.app.app);
    assert_eq!(sweep().await.unwrap(), 2);
    assert!(!ended.exists() && !lost.exists());
    assert!(underway.exists() && foreign.exists());
    next.app.clock.advance(Duration::from_hours(1));
    assert_eq!(mediation::sweep(&next.app.app).await.unwrap(), 1);
    assert_eq!(sweep().await.unwrap(), 1);
    assert!(!underway.exists() && foreign.exists());
    assert_eq!(sweep().await.unwrap(), 0);
}
