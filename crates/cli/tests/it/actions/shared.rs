//! Two gateways as real processes on one PostgreSQL and one Redis: what is counted is counted once.

use serde_json::{Value, json};
use testkit::{database::Backend, redis::RedisServer};

use super::desk::{Agent, Desk, invocation, issue};
use crate::api::Api;

/// Invokes at once.
const INVOKES: usize = 200;
/// As many as may wait in one session, so that none is turned away before the grant is looked at.
const PER_SESSION: usize = 10;

/// Two processes and the owner at each.
async fn two(redis: &RedisServer) -> (Desk, [(testkit::process::Running, Api); 2]) {
    let url = redis.url();
    let desk = Desk::open_with(Backend::Postgres, |workspace, _| {
        workspace.env("PROLIFERATE_COORDINATION_URL", url)
    })
    .await;
    let (first, second) = tokio::join!(desk.serve(), desk.serve());
    (desk, [first, second])
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_hundred_over_two_processes_spend_a_grant_of_five_five_times() {
    let redis = RedisServer::start().await;
    let (desk, gateways) = two(&redis).await;
    let api = &gateways[0].1;
    let connection = desk.connect(api).await;
    let mut agents: Vec<Agent> = Vec::new();
    for number in 0..INVOKES / PER_SESSION {
        let title = format!("Session {number}");
        agents.push(desk.agent(api, &connection, &title).await);
    }
    let grant = desk.grant(api, 5).await;
    let asks: Vec<_> = (0..INVOKES)
        .map(|number| {
            let agent = &agents[number / PER_SESSION];
            let (path, at) = (agent.path("invoke"), agent.at(gateways[number % 2].1.url()));
            tokio::spawn(async move {
                let title = format!("no. {number}");
                let body = invocation("create_issue", &issue(&title));
                at.post(&path, &title, &body).await
            })
        })
        .collect();
    let mut answers: Vec<(u16, Value)> = Vec::new();
    for ask in asks {
        answers.push(ask.await.unwrap());
    }
    let count = |status: u16| answers.iter().filter(|answer| answer.0 == status).count();
    assert_eq!((count(200), count(202)), (5, INVOKES - 5));
    assert_eq!(desk.linear.changes(), 5);
    assert_eq!(desk.linear.requests().len(), 5);
    for (_, api) in &gateways {
        let (_, ledger) = api.get(&format!("/v1/grants/{grant}")).await;
        assert_eq!(ledger["usedCalls"], json!(5), "{ledger}");
        let (_, inbox) = api.get("/v1/actions?status=completed").await;
        assert_eq!(inbox["total"], json!(5));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_sixty_first_of_a_minute_over_two_processes_is_too_many() {
    let redis = RedisServer::start().await;
    let (desk, gateways) = two(&redis).await;
    let connection = desk.connect(&gateways[0].1).await;
    let agent = desk.agent(&gateways[0].1, &connection, "Mend it").await;
    let agents = gateways.each_ref().map(|(_, api)| agent.at(api.url()));
    let (path, body) = (agent.path("invoke"), invocation("list_issues", &json!({})));
    for number in 0..62 {
        let key = format!("no. {number}");
        let asked = agents[number % 2].post(&path, &key, &body);
        let (status, answer) = asked.await;
        let expected = if number < 60 { 200 } else { 429 };
        assert_eq!(status, expected, "{number}: {answer}");
    }
    assert_eq!(desk.linear.requests().len(), 60);
}
