//! `kill -9` while sessions are created: whatever was promised is there, nothing is there by half,
//! and sending everything again makes nothing twice.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use domain::role::Role;
use testkit::{
    database::{Backend, TestDatabase},
    fixture::Fixture,
    process::Running,
};
use wire::session::SessionDetail;

use crate::{api::Api, with_secrets, workspace};

const CLIENTS: usize = 4;
/// Answers after which the process is killed, round by round: early, later, and in full swing.
const ROUNDS: &[usize] = &[3, 17, 40];

/// What the clients know: every key that was sent, with the session's id if an answer came.
type Sent = BTreeMap<String, Option<String>>;

#[tokio::test]
async fn nothing_is_lost_or_doubled() {
    let workspace = workspace();
    let mut sent = Sent::new();
    for (round, answers) in ROUNDS.iter().enumerate() {
        let (dev, dev_file) = workspace.dev().await;
        let api = Api::of(&dev_file, "owner");
        create_until_killed(dev, &api, round, *answers, &mut sent).await;
        let (_dev, dev_file) = workspace.dev().await;
        verify(&Api::of(&dev_file, "owner"), &mut sent).await;
    }
}

#[tokio::test]
async fn nothing_is_lost_or_doubled_on_postgres() {
    let database = TestDatabase::create(Backend::Postgres).await;
    let workspace = with_secrets(workspace()).env("PROLIFERATE_DATABASE_URL", &database.url);
    let fixture = Fixture::default();
    fixture
        .organization(&database.db, "acme", Role::Owner)
        .await;
    let token = workspace
        .output(&["token", "mint", "user", "user_acme_owner"])
        .await;
    let mut sent = Sent::new();
    for (round, answers) in ROUNDS.iter().enumerate() {
        let (serve, url) = workspace.serve(&[]).await;
        let api = Api::new(&url, &token);
        create_until_killed(serve, &api, round, *answers, &mut sent).await;
        let (_serve, url) = workspace.serve(&[]).await;
        verify(&Api::new(&url, &token), &mut sent).await;
    }
}

/// Clients create as fast as they can; the process is killed under their hands.
async fn create_until_killed(
    mut process: Running,
    api: &Api,
    round: usize,
    answers: usize,
    sent: &mut Sent,
) {
    let answered = Arc::new(AtomicUsize::new(0));
    let clients: Vec<_> = (0..CLIENTS)
        .map(|client| {
            let (api, answered) = (api.clone(), Arc::clone(&answered));
            tokio::spawn(async move {
                let mut sent = Sent::new();
                // Ends with the process.
                for number in 0.. {
                    let key = format!("round-{round}-client-{client}-{number}");
                    let Ok((status, body)) = api.create(&key).await else {
                        sent.insert(key, None);
                        break;
                    };
                    assert_eq!(status, 201, "{body}");
                    sent.insert(key, Some(id(&body)));
                    answered.fetch_add(1, Ordering::SeqCst);
                }
                sent
            })
        })
        .collect();
    while answered.load(Ordering::SeqCst) < answers {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    process.kill();
    for client in clients {
        sent.extend(client.await.unwrap());
    }
}

async fn verify(api: &Api, sent: &mut Sent) {
    let listed: BTreeSet<String> = api.sessions().await.iter().map(listed_id).collect();
    let promised: BTreeSet<String> = sent.values().flatten().cloned().collect();
    assert!(listed.is_superset(&promised), "a session was lost");
    // Those whose answer was lost may be there; nothing else may.
    assert!(listed.len() <= sent.len());
    for id in &listed {
        let (status, shown) = api.get(&format!("/v1/sessions/{id}")).await;
        assert_eq!(status, 200, "{shown}");
        let detail: SessionDetail = serde_json::from_value(shown).unwrap();
        assert_eq!(detail.session.initial_prompt.as_deref(), Some("survive"));
        assert!(sent.contains_key(detail.session.title.as_deref().unwrap()));
    }
    for (key, known) in sent.iter_mut() {
        let (status, body) = api.create(key).await.unwrap();
        let id = id(&body);
        if let Some(known) = known {
            assert_eq!((status, &id), (200, &*known), "{key}");
        } else {
            assert_eq!(status == 200, listed.contains(&id), "{key}: {body}");
            *known = Some(id);
        }
    }
    assert_eq!(api.sessions().await.len(), sent.len());
}

fn id(created: &serde_json::Value) -> String {
    created["sessionId"].as_str().unwrap().to_owned()
}

fn listed_id(session: &serde_json::Value) -> String {
    session["id"].as_str().unwrap().to_owned()
}
