//! A session that does not come up at once: it is tried again by itself while something waits for it, by the clock it was
//! given, and given up in the end.

use std::{
    collections::VecDeque,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use domain::limits::{AGENT_BOOT_MAX, HUB_BOOT_RETRY_DELAYS, HUB_TICK, SESSION_STARTING_MAX};
use hub::session::{
    BootError, BootErrorCause, BootStages, BootedAgent, HubError, Liveness, Runtime, ServiceExit,
    StreamAttachment,
};
use testkit::{clock::FakeClock, database::Backend, standin::agent::Agent};
use tokio::time::{sleep, timeout};
use wire::live::LiveStatus;

use crate::{
    agent::PATIENCE,
    session::{Live, next, prompt},
    stage::eventually,
};

const NO_ROOM: &str = "There is no room for a sandbox.";

/// How a boot goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Goes {
    /// Not now.
    Later,
    /// Not now, nor another time.
    Never,
    /// Not before its budget is raised.
    Withheld,
}

/// An agent that comes up after the boots that fail.
#[derive(Debug)]
struct Fickle {
    agent: Agent,
    /// What comes next; then it comes up, or never does.
    boots: Mutex<VecDeque<Goes>>,
    never: bool,
    count: AtomicUsize,
    given_up: Mutex<Vec<String>>,
}

#[async_trait]
impl Runtime for Fickle {
    async fn boot(&self, stages: BootStages) -> Result<BootedAgent, BootError> {
        self.count.fetch_add(1, Ordering::SeqCst);
        let next = self.boots.lock().unwrap().pop_front();
        let Some(goes) = next.or(self.never.then_some(Goes::Later)) else {
            return self.agent.boot(stages).await;
        };
        Err(BootError {
            message: NO_ROOM.to_owned(),
            retryable: goes == Goes::Later,
            cause: match goes {
                Goes::Withheld => BootErrorCause::OverBudget,
                _ => BootErrorCause::Failed,
            },
        })
    }

    async fn mark_boot_failed(&self, why: &BootError) {
        self.given_up.lock().unwrap().push(why.message.clone());
    }

    async fn liveness(&self) -> Liveness {
        Liveness::Alive
    }
}

struct Scene {
    runtime: Arc<Fickle>,
    clock: Arc<FakeClock>,
    live: Live,
    attached: StreamAttachment,
}

impl Scene {
    async fn set(boots: &[Goes], never: bool) -> Self {
        let runtime = Arc::new(Fickle {
            agent: Agent::start().await,
            boots: Mutex::new(boots.iter().copied().collect()),
            never,
            count: AtomicUsize::new(0),
            given_up: Mutex::default(),
        });
        let clock = Arc::new(FakeClock::new());
        let live = Live::start_by(Backend::Sqlite, runtime.clone(), clock.clone()).await;
        let attached = live.handle.attach(None).await.unwrap();
        Self {
            runtime,
            clock,
            live,
            attached,
        }
    }

    /// Waits for an event with these words.
    async fn until(&mut self, words: &str) -> String {
        let found = async {
            loop {
                let entry = next(&mut self.attached, &self.live.journal).await;
                if entry.frame().contains(words) {
                    return entry.frame().to_string();
                }
            }
        };
        let found = timeout(PATIENCE, found).await;
        found.unwrap_or_else(|_| panic!("no event has {words:?}"))
    }

    fn boots(&self) -> usize {
        self.runtime.count.load(Ordering::SeqCst)
    }

    /// That nothing is tried, although the hub looks at its clock.
    async fn nothing_is_tried(&self) {
        let before = self.boots();
        sleep(HUB_TICK + Duration::from_millis(200)).await;
        assert_eq!(self.boots(), before, "it was tried again");
    }

    async fn has(&self, texts: &[&str]) {
        let what = format!("the agent was told {texts:?}");
        eventually(&what, async || self.runtime.agent.texts() == texts).await;
    }
}

#[tokio::test]
async fn prompts_outlast_two_boots_that_fail_and_reach_the_agent_once_in_their_order() {
    let mut scene = Scene::set(&[Goes::Later, Goes::Later], false).await;
    // Both before the first boot is over: whatever is said later asks for one of its own.
    let handle = &scene.live.handle;
    let (first, second) = (prompt("first"), prompt("second"));
    let both = tokio::join!(handle.prompt(first), handle.prompt(second));
    assert!(both.0.is_ok() && both.1.is_ok(), "{both:?}");
    let told = scene.until("It is tried again in 2 seconds.").await;
    assert!(told.contains("There is no room for a sandbox."), "{told}");
    assert!(told.contains(r#""status":"resuming""#), "{told}");
    assert_eq!(scene.boots(), 1);
    scene.nothing_is_tried().await;
    let pulse = scene.live.handle.read_activity().await.unwrap();
    assert_eq!(pulse.status, LiveStatus::Resuming);
    assert!(!pulse.is_resting && pulse.wants_agent, "{pulse:?}");
    scene.clock.advance(Duration::from_secs(2));
    scene.until("It is tried again in 5 seconds.").await;
    assert_eq!(scene.boots(), 2);
    scene.clock.advance(Duration::from_secs(4));
    scene.nothing_is_tried().await;
    assert_eq!(scene.runtime.agent.texts(), [] as [&str; 0]);
    scene.clock.advance(Duration::from_secs(1));
    scene.has(&["first", "second"]).await;
    assert_eq!(scene.boots(), 3);
    scene.nothing_is_tried().await;
    scene.has(&["first", "second"]).await;
    assert_eq!(*scene.runtime.given_up.lock().unwrap(), [] as [&str; 0]);
}

#[tokio::test]
async fn what_never_comes_up_is_given_up_with_the_reason_and_its_prompts_are_kept() {
    let mut scene = Scene::set(&[], true).await;
    scene.live.handle.prompt(prompt("kept")).await.unwrap();
    for pause in HUB_BOOT_RETRY_DELAYS {
        let words = format!("It is tried again in {} seconds.", pause.as_secs());
        scene.until(&words).await;
        scene.clock.advance(pause);
    }
    let told = scene.until(r#""type":"error""#).await;
    let tries = HUB_BOOT_RETRY_DELAYS.len() + 1;
    assert!(told.contains(&format!("in {tries} tries")), "{told}");
    assert!(told.contains("There is no room for a sandbox."), "{told}");
    assert!(told.contains("What was said waits"), "{told}");
    scene.until(r#""status":"error""#).await;
    assert_eq!(scene.boots(), tries);
    scene.clock.advance(Duration::from_hours(1));
    scene.nothing_is_tried().await;
    assert_eq!(*scene.runtime.given_up.lock().unwrap(), [NO_ROOM]);
    // A prompt that waits is no reason to evict the session.
    let gone = scene
        .live
        .handle
        .stop_if_quiet(Duration::ZERO, "idle")
        .await;
    assert_eq!(gone, Ok(false));
    // A caller that needs the agent begins anew.
    let refused = scene.live.handle.ensure_ready().await;
    assert!(matches!(refused, Err(HubError::Boot(_))), "{refused:?}");
    scene.until("It is tried again in 2 seconds.").await;
}

#[tokio::test]
async fn a_boot_after_it_was_given_up_delivers_what_waited_once() {
    let tries = HUB_BOOT_RETRY_DELAYS.len() + 1;
    let mut scene = Scene::set(&vec![Goes::Later; tries], false).await;
    scene.live.handle.prompt(prompt("kept")).await.unwrap();
    for _ in HUB_BOOT_RETRY_DELAYS {
        scene.until("It is tried again in").await;
        scene.clock.advance(Duration::from_mins(1));
    }
    scene.until(r#""status":"error""#).await;
    scene.live.handle.ensure_ready().await.unwrap();
    scene.has(&["kept"]).await;
    assert_eq!(scene.boots(), tries + 1);
}

#[tokio::test]
async fn what_would_fail_again_is_not_tried_again() {
    let mut scene = Scene::set(&[Goes::Never], false).await;
    scene.live.handle.prompt(prompt("kept")).await.unwrap();
    let told = scene.until(r#""type":"error""#).await;
    assert!(told.contains(r#""retryable":false"#), "{told}");
    scene.clock.advance(Duration::from_hours(1));
    scene.nothing_is_tried().await;
    assert_eq!(scene.boots(), 1);
}

#[tokio::test]
async fn a_caller_that_waits_is_told_at_once_and_a_wake_is_tried_again() {
    let mut scene = Scene::set(&[Goes::Later, Goes::Later], false).await;
    // The caller that waits for it decides what to do about it.
    let refused = scene.live.handle.ensure_ready().await;
    assert!(matches!(refused, Err(HubError::Boot(_))), "{refused:?}");
    scene.clock.advance(Duration::from_hours(1));
    scene.nothing_is_tried().await;
    scene.live.handle.wake().await.unwrap();
    scene.until("It is tried again in 2 seconds.").await;
    scene.clock.advance(Duration::from_secs(2));
    scene.until(r#""status":"running""#).await;
    assert_eq!(scene.boots(), 3);
}

#[tokio::test]
async fn nothing_is_tried_again_for_prompts_that_were_taken_back() {
    let mut scene = Scene::set(&[Goes::Later], false).await;
    scene
        .live
        .handle
        .prompt(prompt("never mind"))
        .await
        .unwrap();
    scene.until("It is tried again in").await;
    scene.live.handle.cancel().await.unwrap();
    scene.until(r#""status":"paused""#).await;
    scene.clock.advance(Duration::from_hours(1));
    scene.nothing_is_tried().await;
    let pulse = scene.live.handle.read_activity().await.unwrap();
    assert!(!pulse.wants_agent, "{pulse:?}");
    assert_eq!(scene.runtime.given_up.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn a_budget_that_is_raised_does_not_wait_for_the_pause() {
    let mut scene = Scene::set(&[Goes::Withheld, Goes::Later], false).await;
    scene.live.handle.prompt(prompt("first")).await.unwrap();
    scene.until(r#""status":"paused""#).await;
    scene.live.handle.prompt(prompt("second")).await.unwrap();
    scene.until("It is tried again in").await;
    scene.live.handle.resume_if_paused().await.unwrap();
    scene.has(&["first", "second"]).await;
    assert_eq!(scene.boots(), 3);
}

#[tokio::test]
async fn a_session_that_is_released_is_not_tried_again() {
    let mut scene = Scene::set(&[Goes::Later], false).await;
    scene.live.handle.prompt(prompt("kept")).await.unwrap();
    scene.until("It is tried again in").await;
    let gone = scene
        .live
        .handle
        .stop_if_quiet(Duration::ZERO, "idle")
        .await;
    assert_eq!(gone, Ok(false), "a prompt waits");
    scene.live.handle.stop().await;
    scene.clock.advance(Duration::from_hours(1));
    let ended = timeout(PATIENCE, scene.live.running).await.unwrap();
    assert_eq!(ended.unwrap(), ServiceExit::Stopped);
    assert_eq!(scene.runtime.count.load(Ordering::SeqCst), 1);
}

#[test]
fn all_tries_are_over_before_a_starting_session_is_taken_for_abandoned() {
    let pauses: Duration = HUB_BOOT_RETRY_DELAYS.iter().sum();
    let boots = u32::try_from(HUB_BOOT_RETRY_DELAYS.len() + 1).unwrap();
    assert!(pauses + AGENT_BOOT_MAX * boots < SESSION_STARTING_MAX);
}
