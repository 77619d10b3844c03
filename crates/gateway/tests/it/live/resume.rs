//! A client that reconnects gets exactly the log, over either kind of connection.

use domain::clock::random_bytes;
use testkit::{app::Person, clock::SeededEntropy, database::Backend};

use super::{Live, begins, client::Events, title, token};

testkit::on_both_databases!(
    a_client_that_comes_back_fifty_times_sees_exactly_the_log,
    a_client_that_was_away_for_long_reads_the_log_itself
);

/// Events that are sent, more than are kept in memory for reconnecting clients.
const EVENTS: usize = 1500;
const VISITS: usize = 50;
const SEED: u64 = 20_261_115;

/// Sends this many events, pieces of a text among them.
async fn tell(live: &Live, count: usize) {
    let handle = live.handle().await;
    handle.publish(begins()).await.unwrap();
    for n in 1..count {
        let told = if n % 3 == 0 {
            token(format!("{n} "))
        } else {
            title(format!("Title {n}"))
        };
        handle.publish(told).await.unwrap();
        // The test's clock does not advance: without this no piece is ever due.
        live.app
            .clock
            .advance(std::time::Duration::from_millis(100));
    }
    handle.publish(title("the last")).await.unwrap();
}

async fn a_client_that_comes_back_fifty_times_sees_exactly_the_log(backend: Backend) {
    let live = Live::start(backend).await;
    let telling = tell(&live, EVENTS);
    let by_socket = by_socket(&live);
    let by_events = by_events(&live);
    let ((), socket, events) = tokio::join!(telling, by_socket, by_events);
    let log = live.log().await;
    assert!(log.len() >= EVENTS, "{}", log.len());
    assert_eq!(socket, log, "seed {SEED}");
    assert_eq!(events, log, "seed {SEED}");
}

/// How many events a connection reads.
fn visits() -> Vec<usize> {
    let entropy = SeededEntropy::new(SEED);
    let mut lengths = vec![0; VISITS];
    for length in &mut lengths {
        let [byte]: [u8; 1] = random_bytes(&entropy);
        *length = usize::from(byte) % (EVENTS / VISITS);
    }
    // The last one stays.
    lengths.push(usize::MAX);
    lengths
}

async fn by_socket(live: &Live) -> Vec<String> {
    let (mut seen, mut after) = (Vec::new(), 0);
    for length in visits() {
        let mut socket = live.connect(&format!("?after={after}")).await;
        let mut taken = 0;
        while taken < length {
            let text = socket.text().await;
            let frame: serde_json::Value = serde_json::from_str(&text).unwrap();
            let Some(seq) = frame["seq"].as_u64() else {
                continue;
            };
            assert_eq!(seq, after + 1, "seed {SEED}");
            after = seq;
            taken += 1;
            let is_last = text.contains("the last");
            seen.push(text);
            if is_last {
                return seen;
            }
        }
    }
    seen
}

async fn by_events(live: &Live) -> Vec<String> {
    let url = live.served.url(&format!("{}/events?after=0", live.path()));
    let (mut seen, mut after, token) = (Vec::new(), 0, live.token(Person::Member));
    for length in visits() {
        let mut events = Events::open(&url, &token, (after > 0).then_some(after)).await;
        let mut taken = 0;
        while taken < length {
            let (Some(id), data) = events.next().await else {
                continue;
            };
            assert_eq!(id, after + 1, "seed {SEED}");
            after = id;
            taken += 1;
            let is_last = data.contains("the last");
            seen.push(data);
            if is_last {
                return seen;
            }
        }
    }
    seen
}

async fn a_client_that_was_away_for_long_reads_the_log_itself(backend: Backend) {
    let mut live = Live::start(backend).await;
    tell(&live, EVENTS).await;
    live.reopen().await;
    let log = live.log().await;
    // Nothing of it is in memory any more.
    assert_eq!(by_socket(&live).await, log);
    // A client with a position beyond the end gets the whole session.
    let mut ahead = live.connect("?after=1000000").await;
    let init = ahead.next_of("init").await;
    assert_eq!(init["payload"]["seq"].as_u64().unwrap(), log.len() as u64);
}

#[tokio::test]
async fn a_client_that_reconnects_within_a_text_gets_all_of_it() {
    let live = Live::start(Backend::Sqlite).await;
    let handle = live.handle().await;
    handle.publish(begins()).await.unwrap();
    handle.publish(token("It is ")).await.unwrap();
    // Another message flushes the pieces before it.
    handle.publish(title("A title")).await.unwrap();
    let mut socket = live.connect("?after=2").await;
    let snapshot = socket.next_of("text_snapshot").await;
    assert_eq!(snapshot["payload"]["text"], "It is ");
    assert!(snapshot.get("seq").is_none());
    // It was sent after the missed events.
    handle.publish(title("Another")).await.unwrap();
    assert_eq!(socket.next_of("title_update").await["seq"], 4);
}

#[tokio::test]
async fn what_is_no_longer_kept_is_a_gap_that_is_said() {
    let mut live = Live::start(Backend::Sqlite).await;
    tell(&live, 20).await;
    live.reopen().await;
    let mut tx = live.app.database.db.write().await.unwrap();
    store::session_event_trim(&mut tx, &live.app.acme, live.session, 5)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    assert_eq!(live.log().await.len(), 5);
    let mut socket = live.connect("?after=3").await;
    let gap = socket.next_of("gap").await;
    assert_eq!(gap["payload"]["from"], 4);
    let next = gap["payload"]["to"].as_u64().unwrap() + 1;
    let first = loop {
        let frame = socket.next().await;
        if let Some(seq) = frame["seq"].as_u64() {
            break seq;
        }
    };
    assert_eq!(first, next);
}
