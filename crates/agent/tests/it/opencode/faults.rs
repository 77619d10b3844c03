//! What happens to a call when the agent is frozen, its gateway goes away or it is killed itself.

use std::time::Duration;

use agent::Mode;
use rustix::process::Signal;
use serde_json::json;

use super::client::Stage;
use crate::{gateway::Fault, lab::quick};

const CALL: &str = "CALL save_snapshot {}";

#[tokio::test]
async fn faults_are_survived_by_the_real_agent() {
    let mut stage = Stage::new(|_| {}).await;
    frozen_while_the_answer_comes(&stage).await;
    without_a_gateway_for_a_while(&stage).await;
    killed_and_started_again(&mut stage).await;
}

/// As in a snapshot: longer than an attempt may take, and the response arrives meanwhile.
async fn frozen_while_the_answer_comes(stage: &Stage) {
    let before = stage.gateway.executions();
    stage.gateway.fault(Fault::Slow(Duration::from_secs(1)));
    let freeze = async {
        stage.asked_after(stage.gateway.seen().len()).await;
        stage.served.signal(Signal::STOP);
        tokio::time::sleep(quick().attempt + Duration::from_secs(1)).await;
        stage.served.signal(Signal::CONT);
    };
    let (calls, ()) = tokio::join!(stage.say("coding", CALL), freeze);
    assert_eq!(calls[0]["state"]["status"], "completed", "{calls:?}");
    assert_eq!(stage.gateway.executions(), before + 1);
}

/// The work is done, the response is lost, and the gateway is down for a second.
async fn without_a_gateway_for_a_while(stage: &Stage) {
    let before = stage.gateway.executions();
    stage.gateway.fault(Fault::Reset);
    let held = stage.gateway.meet(2);
    let outage = async {
        stage.asked_after(stage.gateway.seen().len()).await;
        stage.gateway.stop().await;
        stage.gateway.meet(1);
        held.wait().await;
        tokio::time::sleep(Duration::from_secs(1)).await;
        stage.gateway.start_again().await;
    };
    let (calls, ()) = tokio::join!(stage.say("coding", CALL), outage);
    assert_eq!(calls[0]["state"]["status"], "completed", "{calls:?}");
    assert_eq!(stage.gateway.executions(), before + 1);
}

/// The conversation survives; the call stays open in it until the next message, which tells the model.
async fn killed_and_started_again(stage: &mut Stage) {
    stage.gateway.always(Fault::Hang);
    let session = stage.conversation("coding").await;
    let asked = stage.gateway.seen().len();
    let body = json!({"parts": [{"type": "text", "text": CALL}]});
    let path = format!("/session/{session}/prompt_async");
    let (status, _) = stage.post("coding", &path, body).await;
    assert_eq!(status, 204);
    stage.asked_after(asked).await;
    // State that it has not stored yet would be lost with it.
    while stage.calls("coding", &session).await[0]["state"]["status"] != "running" {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    stage.served.signal(Signal::KILL);
    let context = stage.lab.context(Mode::Coding, "coding");
    stage.served = stage.lab.serve(&context).await;
    assert_eq!(stage.get("coding", "/session/status").await, json!({}));
    let calls = stage.calls("coding", &session).await;
    assert_eq!(calls[0]["state"]["status"], "running", "{calls:?}");
    let (status, _) = stage.prompt("coding", &session, json!({}), "and now").await;
    assert_eq!(status, 200);
    let asked = stage.model.asked_about("and now");
    let result = &asked[0].results()[0];
    assert_eq!(result["is_error"], true, "{result}");
    assert!(result.to_string().contains("interrupted"), "{result}");
}
