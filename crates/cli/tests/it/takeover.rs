//! Instances as real processes, with the real agent in a real sandbox: one is killed, one is stopped, and the session goes
//! on in the same sandbox.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::Duration,
};

use domain::role::Role;
use serde_json::{Value, json};
use testkit::{
    database::{Backend, TestDatabase},
    fixture::Fixture,
    process::Workspace,
    redis::RedisServer,
};
use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
    time::timeout,
};

use crate::{api::Api, live::Cleaned, with_secrets, workspace};

/// Longer than a lease and a boot on a busy machine.
const PATIENCE: Duration = Duration::from_mins(3);

/// What stands in front of all instances: leads to the one that it was told last.
struct Balancer {
    address: SocketAddr,
    target: Arc<Mutex<String>>,
}

impl Balancer {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let target = Arc::new(Mutex::new(String::new()));
        let current = Arc::clone(&target);
        tokio::spawn(async move {
            while let Ok((mut near, _)) = listener.accept().await {
                let target = current.lock().unwrap().clone();
                tokio::spawn(async move {
                    if let Ok(mut far) = TcpStream::connect(target).await {
                        // Both sides see for themselves how it ended.
                        let _ = copy_bidirectional(&mut near, &mut far).await;
                    }
                });
            }
        });
        Self { address, target }
    }

    fn lead_to(&self, url: &str) {
        *self.target.lock().unwrap() = url.replace("http://", "");
    }
}

/// Says something until it is taken, which it is once.
async fn say(api: &Api, session: &str, text: &str) {
    let path = format!("/proliferate/{session}/message");
    let body = json!({"content": text});
    let taken = async {
        loop {
            if let Ok((status, _)) = api.try_post(&path, text, &body).await
                && status == 202
            {
                return;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    let waited = timeout(PATIENCE, taken).await;
    assert!(waited.is_ok(), "no instance takes {text:?}");
}

/// Waits until the agent has said it, from the beginning of the session on; gives all that was told until then.
async fn heard(api: &Api, session: &str, text: &str) -> String {
    let path = format!("/proliferate/{session}/events?after=0");
    let heard = async {
        loop {
            let mut answer = api.raw(&path).await;
            let mut all = String::new();
            while let Ok(Some(chunk)) = answer.chunk().await {
                all.push_str(&String::from_utf8_lossy(&chunk));
                if all.contains(&format!("[scripted] {text}")) && all.contains("\"isIdle\":true") {
                    return all;
                }
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    let waited = timeout(PATIENCE, heard).await;
    waited.unwrap_or_else(|_| panic!("the agent does not say {text:?}"))
}

async fn sandbox(api: &Api, session: &str) -> Value {
    let (status, shown) = api.get(&format!("/proliferate/{session}")).await;
    assert_eq!(status, 200, "{shown}");
    assert!(shown["sandboxId"].is_string(), "{shown}");
    shown["sandboxId"].clone()
}

fn of_fleet(database: &TestDatabase, redis: &RedisServer, balancer: &Balancer) -> Workspace {
    with_secrets(workspace())
        .env("PROLIFERATE_DATABASE_URL", &database.url)
        .env("PROLIFERATE_COORDINATION_URL", redis.url())
        .env("PROLIFERATE_SANDBOX_PROVIDER", "rootless")
        .env("PROLIFERATE_MODEL_SCRIPTED", "on")
        .env(
            "PROLIFERATE_SANDBOX_GATEWAY_ADDRESS",
            balancer.address.to_string(),
        )
}

mod real_agent {
    use super::*;

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_session_outlives_the_instances_that_served_it_in_one_sandbox() {
        let database = TestDatabase::create(Backend::Postgres).await;
        let redis = RedisServer::start().await;
        let balancer = Balancer::start().await;
        let workspace = of_fleet(&database, &redis, &balancer);
        let _cleaned = Cleaned(&workspace);
        let fixture = Fixture::default();
        fixture
            .organization(&database.db, "acme", Role::Owner)
            .await;
        let token = workspace
            .output(&["token", "mint", "user", "user_acme_owner"])
            .await;
        let ((mut first, first_url), (mut second, second_url)) =
            tokio::join!(workspace.serve(&[]), workspace.serve(&[]));
        balancer.lead_to(&first_url);
        let (by_first, by_second) = (Api::new(&first_url, &token), Api::new(&second_url, &token));
        let (status, made) = by_first
            .post("/proliferate/sessions", "k", &json!({}))
            .await;
        assert_eq!(status, 201, "{made}");
        let session = made["sessionId"].as_str().unwrap();

        // Through the one that does not own it, too.
        say(&by_first, session, "SAY one").await;
        heard(&by_second, session, "one").await;
        let before = sandbox(&by_first, session).await;

        first.kill();
        balancer.lead_to(&second_url);
        say(&by_second, session, "SAY two").await;
        let all = heard(&by_second, session, "two").await;
        assert!(all.contains("[scripted] one"), "the log goes on");
        assert_eq!(sandbox(&by_second, session).await, before);

        // One that is stopped in order waits for nothing: its lease is free when it ends.
        let (mut third, third_url) = workspace.serve(&[]).await;
        let by_third = Api::new(&third_url, &token);
        balancer.lead_to(&third_url);
        second.terminate();
        say(&by_third, session, "SAY three").await;
        heard(&by_third, session, "three").await;
        assert_eq!(sandbox(&by_third, session).await, before);
        assert_eq!(second.wait().await.code(), Some(0));
        assert!(
            second.stderr().contains("handing sessions over"),
            "{}",
            second.stderr()
        );

        // The last one saves and pauses it.
        third.terminate();
        assert_eq!(third.wait().await.code(), Some(0));
    }
}
