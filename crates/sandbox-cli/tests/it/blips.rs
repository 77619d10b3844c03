//! Requests that get no answer, or not the gateway's: what is sent again, what is not, and that it happens
//! once.

use std::{collections::HashSet, time::Duration};

use serde_json::json;

use crate::{
    program::{Program, run},
    stand_in::{End, Fault, Plan, StandIn},
};

const AT_ONCE: Plan = Plan {
    looks: 0,
    end: Some(End::Completed),
};
const SOON: Plan = Plan {
    looks: 2,
    end: Some(End::Completed),
};
const NEVER: Plan = Plan {
    looks: 0,
    end: None,
};

fn keys(gateway: &StandIn) -> HashSet<String> {
    gateway
        .recorded()
        .into_iter()
        .filter_map(|sent| sent.key)
        .collect()
}

#[tokio::test]
async fn an_invoke_is_sent_again_under_one_key_and_done_once() {
    let blips = [
        Fault::Drop,
        Fault::DoAndDrop,
        Fault::DoAndBreakOff,
        Fault::Status(502),
        Fault::Status(503),
        Fault::Status(504),
    ];
    let gateway = StandIn::start(AT_ONCE, blips).await;
    let finished = run(&gateway.url, &[]).finish().await.ended(0);
    assert_eq!(finished.json(), json!({"id": "ENG-1"}));
    assert_eq!(gateway.count("POST /invoke"), 7);
    assert_eq!(keys(&gateway).len(), 1);
    assert_eq!(gateway.effects(), 1);
    let recorded = gateway.recorded();
    assert!(
        recorded.iter().all(|sent| sent.body == recorded[0].body),
        "{recorded:?}"
    );
}

#[tokio::test]
async fn a_request_that_hangs_is_cut_and_sent_again() {
    let gateway = StandIn::start(AT_ONCE, [Fault::DoAndHang]).await;
    let program = run(&gateway.url, &[]).env("PROLIFERATE_CLI_TIMEOUT_MS", "400");
    program.finish().await.ended(0);
    assert_eq!(gateway.count("POST /invoke"), 2);
    assert_eq!((keys(&gateway).len(), gateway.effects()), (1, 1));
}

#[tokio::test]
async fn waiting_goes_on_through_blips() {
    let blips = [
        Fault::Serve,
        Fault::Drop,
        Fault::Status(502),
        Fault::Serve,
        Fault::Status(503),
        Fault::DoAndBreakOff,
        Fault::Limited(0),
    ];
    let gateway = StandIn::start(SOON, blips).await;
    let finished = run(&gateway.url, &[]).finish().await.ended(0);
    assert_eq!(finished.json(), json!({"id": "ENG-1"}));
    assert_eq!(gateway.count("POST /invoke"), 1);
}

#[tokio::test]
async fn a_gateway_that_goes_away_while_waiting_leaves_the_invocation() {
    let blips = std::iter::once(Fault::Serve).chain(std::iter::repeat_n(Fault::Drop, 500));
    let gateway = StandIn::start(NEVER, blips).await;
    let finished = run(&gateway.url, &["--wait", "1"]).finish().await.ended(5);
    assert_eq!(finished.json()["invocation"]["status"], "pending");
    finished.said("how it stands now is not known");
    assert_eq!(gateway.count("POST /invoke"), 1);
}

#[tokio::test]
async fn an_unreachable_gateway_means_nothing_ran() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let quick = |program: Program| program.env("PROLIFERATE_CLI_TIMEOUT_MS", "300");
    let finished = quick(run(&url, &["--wait", "0"])).finish().await.ended(6);
    assert_eq!(
        finished
            .said("error: no answer from http://127.0.0.1:")
            .stdout,
        ""
    );
    let finished = quick(Program::new(&url, &["actions", "list"]))
        .finish()
        .await
        .ended(6);
    assert_eq!(finished.stdout, "");
}

#[tokio::test]
async fn an_invoke_that_may_have_arrived_is_not_called_undone() {
    for fault in [Fault::DoAndDrop, Fault::Status(502), Fault::DoAndHang] {
        let gateway = StandIn::start(AT_ONCE, std::iter::repeat_n(fault, 500)).await;
        let program = run(&gateway.url, &["--wait", "0"]).env("PROLIFERATE_CLI_TIMEOUT_MS", "300");
        let finished = program.finish().await.ended(1);
        assert_eq!(finished.json()["outcomeUnknown"], true);
        finished.said("the outcome is unknown, it may have happened");
        assert_eq!(keys(&gateway).len(), 1);
    }
}

#[tokio::test]
async fn a_limit_is_waited_for_as_long_as_it_asks() {
    let gateway = StandIn::start(AT_ONCE, [Fault::Limited(1)]).await;
    run(&gateway.url, &[]).finish().await.ended(0);
    let recorded = gateway.recorded();
    assert_eq!(recorded.len(), 2);
    let pause = recorded[1].at - recorded[0].at;
    assert!(pause >= Duration::from_secs(1), "{pause:?}");
    assert_eq!(recorded[0].key, recorded[1].key);
}

#[tokio::test]
async fn a_limit_beyond_the_deadline_is_reported_at_once() {
    let gateway = StandIn::start(AT_ONCE, [Fault::Limited(7200)]).await;
    let finished = run(&gateway.url, &["--wait", "3600"])
        .finish()
        .await
        .ended(6);
    assert_eq!(finished.stdout, "");
    finished.said(
        "(429 RATE_LIMITED): Too many actions in a minute.\nhint: try again in 7200 seconds\n",
    );
    assert_eq!(gateway.recorded().len(), 1);
}

#[tokio::test]
async fn a_read_is_sent_again_too() {
    let gateway = StandIn::start(AT_ONCE, [Fault::Drop, Fault::Status(503)]).await;
    Program::new(&gateway.url, &["actions", "list"])
        .finish()
        .await
        .ended(0);
    assert_eq!(gateway.count("GET /available"), 3);
}
