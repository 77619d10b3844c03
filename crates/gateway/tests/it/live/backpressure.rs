//! A client that does not keep up gets fewer events, one that reads nothing is disconnected, and neither slows
//! the others.

use std::time::Duration;

use domain::limits::WATCH_SLOW_MAX;
use testkit::{app::Person, database::Backend};
use tokio::time::{sleep, timeout};

use super::{
    Live, begins,
    client::{PATIENCE, Socket},
    title, token, whole,
};

const LARGE: usize = 64 * 1024;
/// More than the kernel keeps of a connection, the queue ahead of it and what may wait.
const MANY: usize = 400;
/// Enough for a client to fall behind.
const SOME: usize = 250;

async fn narrow(live: &Live) -> Socket {
    let bearer = format!("Bearer {}", live.token(Person::Member));
    let headers = [("authorization", bearer.as_str())];
    let path = live.path();
    let opened = Socket::open_narrow(live.served.address, &path, &headers);
    opened.await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_never_reads_delays_no_other_and_is_disconnected() {
    let live = Live::start(Backend::Sqlite).await;
    let mut reader = live.connect("").await;
    reader.next_of("init").await;
    let mut sleeper = narrow(&live).await;
    sleeper.next_of("init").await;
    let handle = live.handle().await;
    for n in 0..MANY {
        let text = format!("{n} {}", "x".repeat(LARGE));
        handle.publish(title(text)).await.unwrap();
    }
    handle.publish(title("the last")).await.unwrap();
    // The other has everything, in order.
    let mut count = 0;
    loop {
        let frame = reader.next().await;
        if frame["type"] == "title_update" {
            count += 1;
            assert_eq!(frame["seq"], count);
            if frame["payload"]["title"] == "the last" {
                break;
            }
        }
    }
    assert_eq!(count, MANY as u64 + 1);
    // Time passes; the client that does not read is disconnected.
    let presence = async {
        loop {
            live.app.clock.advance(WATCH_SLOW_MAX / 4);
            let frame = timeout(Duration::from_millis(500), reader.next()).await;
            if let Ok(frame) = frame
                && frame["type"] == "presence"
                && frame["payload"]["clients"].as_array().unwrap().len() == 1
            {
                return;
            }
        }
    };
    timeout(PATIENCE, presence).await.unwrap();
    let told = sleeper.ended().await;
    assert!(told < MANY, "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_reads_slowly_is_told_the_coarse_events_and_the_text_so_far() {
    let live = Live::start(Backend::Sqlite).await;
    let mut socket = narrow(&live).await;
    socket.next_of("init").await;
    let handle = live.handle().await;
    for n in 0..SOME {
        let text = format!("{n} {}", "x".repeat(LARGE));
        handle.publish(title(text)).await.unwrap();
    }
    handle.publish(begins()).await.unwrap();
    let mut text = String::new();
    for n in 0..40 {
        let piece = format!("{n} ");
        text.push_str(&piece);
        handle.publish(token(piece)).await.unwrap();
        // Each piece is an event of its own.
        live.app.clock.advance(Duration::from_millis(100));
    }
    handle.publish(title("after the text")).await.unwrap();
    // It has been written, so subscribers have got it.
    let written = async {
        while !live
            .log()
            .await
            .last()
            .is_some_and(|frame| frame.contains("after the text"))
        {
            sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(PATIENCE, written).await.unwrap();
    // Snapshots of a text are sent at most every half second, and the clock of the test does not move by
    // itself.
    let time = async || {
        loop {
            sleep(Duration::from_millis(100)).await;
            live.app.clock.advance(Duration::from_millis(100));
        }
    };
    let (mut titles, mut shown) = (0, String::new());
    let reading = async {
        // A busy machine may have it read the log instead, which has the pieces. In the end it knows the same.
        while titles <= SOME || shown != text {
            let frame = socket.next().await;
            let of = |name: &str| frame["payload"][name].as_str().unwrap_or_default();
            match frame["type"].as_str().unwrap() {
                "title_update" => titles += 1,
                "token" => shown.push_str(of("token")),
                "text_snapshot" => shown = of("text").to_owned(),
                _ => {}
            }
        }
    };
    tokio::select! {
        () = reading => {}
        () = time() => unreachable!("time has no end"),
    }
    assert_eq!(titles, SOME + 1, "no coarse event is left out");
    // Once it has caught up, it gets the pieces again; until then they are in the text so far.
    let pieces = async {
        handle.publish(token("and more")).await.unwrap();
        loop {
            match socket.next().await["type"].as_str().unwrap() {
                "token" => return,
                "text_snapshot" => handle.publish(token("and more")).await.unwrap(),
                _ => {}
            }
        }
    };
    tokio::select! {
        () = pieces => {}
        () = time() => unreachable!("time has no end"),
    }
    handle.publish(token("and more")).await.unwrap();
    handle.publish(whole("all of it")).await.unwrap();
    let rest = socket.until("text_part_complete").await;
    assert_eq!(
        rest.iter().filter(|frame| frame["type"] == "token").count(),
        1
    );
}
