//! Two gateways as real processes on one PostgreSQL and one Redis: one session per key, and each
//! knows of the other.

use std::{collections::BTreeSet, time::Duration};

use coord::Coordination;
use domain::role::Role;
use serde_json::{Value, json};
use testkit::{
    database::{Backend, TestDatabase},
    fixture::Fixture,
    redis::RedisServer,
};

use crate::{api::Api, with_secrets, workspace};

/// Requests at once, as the contract of creation says.
const CREATES: usize = 64;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn on_postgres_and_redis_one_key_makes_one_session() {
    let database = TestDatabase::create(Backend::Postgres).await;
    let redis = RedisServer::start().await;
    let workspace = with_secrets(workspace())
        .env("PROLIFERATE_DATABASE_URL", &database.url)
        .env("PROLIFERATE_COORDINATION_URL", redis.url());
    let fixture = Fixture::default();
    fixture
        .organization(&database.db, "acme", Role::Owner)
        .await;
    let token = workspace
        .output(&["token", "mint", "user", "user_acme_owner"])
        .await;
    let ((mut first, first_url), (_second, second_url)) =
        tokio::join!(workspace.serve(&[]), workspace.serve(&[]));
    // They carry requests to each other, and name no network of theirs.
    let warning = "`server.trusted_proxies` is empty";
    assert!(first.stderr().contains(warning), "{}", first.stderr());
    let gateways = [Api::new(&first_url, &token), Api::new(&second_url, &token)];

    let creates: Vec<_> = (0..CREATES)
        .map(|number| {
            let api = gateways[number % 2].clone();
            tokio::spawn(async move { api.create("the-one-key").await.unwrap() })
        })
        .collect();
    let mut answers: Vec<(u16, Value)> = Vec::new();
    for create in creates {
        answers.push(create.await.unwrap());
    }
    let ids: BTreeSet<&str> = answers
        .iter()
        .map(|(_, body)| body["sessionId"].as_str().unwrap())
        .collect();
    assert_eq!(ids.len(), 1, "{ids:?}");
    let of = |status: u16, existed: bool| {
        answers
            .iter()
            .filter(|(found, body)| *found == status && body["alreadyExisted"] == json!(existed))
            .count()
    };
    assert_eq!((of(201, false), of(200, true)), (1, CREATES - 1));
    for api in &gateways {
        assert_eq!(api.sessions().await.len(), 1);
    }

    let coordination = testkit::redis::coordination(&redis.url());
    let both = BTreeSet::from([first_url, second_url.clone()]);
    registry_becomes(&*coordination, &both).await;
    first.terminate();
    assert_eq!(first.wait().await.code(), Some(0));
    // It took its entry back instead of letting it expire.
    registry_becomes(&*coordination, &BTreeSet::from([second_url])).await;
}

async fn registry_becomes(coordination: &dyn Coordination, expected: &BTreeSet<String>) {
    let mut found = BTreeSet::new();
    for _ in 0..500 {
        let instances = coordination.instances().await.unwrap();
        found = instances
            .into_iter()
            .map(|instance| instance.advertised_url)
            .collect();
        if found == *expected {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("the registry has {found:?}, not {expected:?}");
}
