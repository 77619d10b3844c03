//! The lines of one gateway: to the store, to coordination, to agents. Each can be cut for a while; otherwise it is a
//! little late at times and now and then loses a question or an answer.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use domain::limits::COORDINATION_TIMEOUT;
use tokio::time::sleep;

use crate::{database_watcher::DatabaseWatcher, rng::Rng, trace::Trace};

/// How long a database that is cut off takes to be found so.
const STORE_SILENCE: Duration = Duration::from_secs(3);

/// Which line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Line {
    Store,
    Coordination,
    Agents,
}

/// Those of one process.
#[derive(Debug)]
pub(crate) struct Link {
    /// Who it is: `g1.2` is the second life of the first gateway.
    pub(crate) who: String,
    cut: [AtomicBool; 3],
    /// Whether the weather is bad; when it is not, nothing goes wrong by chance.
    storm: Arc<AtomicBool>,
    rng: Rng,
    trace: Trace,
    database_watcher: Arc<Mutex<DatabaseWatcher>>,
}

/// What becomes of something that is asked over a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    Fine,
    /// It does not arrive.
    QuestionLost,
    /// It is done, and its response is lost.
    AnswerLost,
}

impl Link {
    pub(crate) fn new(
        who: String,
        storm: Arc<AtomicBool>,
        rng: Rng,
        trace: Trace,
        database_watcher: Arc<Mutex<DatabaseWatcher>>,
    ) -> Self {
        Self {
            who,
            cut: Default::default(),
            storm,
            rng,
            trace,
            database_watcher,
        }
    }

    pub(crate) fn cut(&self, line: Line, is_cut: bool) {
        self.cut[line as usize].store(is_cut, Ordering::SeqCst);
    }

    pub(crate) fn is_cut(&self, line: Line) -> bool {
        self.cut[line as usize].load(Ordering::SeqCst)
    }

    /// Waits as long as the line takes, and says what becomes of the question.
    pub(crate) async fn pass(&self, line: Line) -> Fate {
        if self.is_cut(line) {
            let silence = match line {
                Line::Store => STORE_SILENCE,
                Line::Coordination => COORDINATION_TIMEOUT,
                Line::Agents => Duration::from_millis(50),
            };
            sleep(silence).await;
            return Fate::QuestionLost;
        }
        if !self.storm.load(Ordering::SeqCst) {
            return Fate::Fine;
        }
        if self.rng.chance(150) {
            sleep(self.rng.millis(1, 40)).await;
        }
        let lost = match line {
            Line::Store => 4,
            Line::Coordination => 15,
            Line::Agents => 20,
        };
        if self.rng.chance(lost) {
            let fate = self.rng.pick(&[Fate::QuestionLost, Fate::AnswerLost]);
            self.trace
                .fault("lost", format!("{} {line:?} {fate:?}", self.who));
            return fate;
        }
        Fate::Fine
    }
}

/// The line to the store.
#[derive(Debug)]
pub(crate) struct StoreLine(pub Arc<Link>);

#[async_trait]
impl store::Faults for StoreLine {
    async fn before_connection(&self) -> store::Result<()> {
        match self.0.pass(Line::Store).await {
            // What is lost of an answer is lost after the commit.
            Fate::Fine | Fate::AnswerLost => Ok(()),
            Fate::QuestionLost => Err(store::Error::unavailable("the line is cut")),
        }
    }

    async fn after_commit(&self) -> store::Result<()> {
        let link = &self.0;
        link.database_watcher
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .committed(&link.who);
        match link.pass(Line::Store).await {
            Fate::Fine => Ok(()),
            Fate::QuestionLost | Fate::AnswerLost => {
                Err(store::Error::unavailable("the answer to a commit was lost"))
            }
        }
    }
}
