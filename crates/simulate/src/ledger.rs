//! What clients were promised and what they saw, to be compared with what is true.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use app::callbacks::CallbackAnswer;
use domain::{
    action::{Effect, Invocation, InvocationState},
    id::SessionId,
};

use crate::trace::Trace;

/// Clones are the same.
#[derive(Debug, Clone)]
pub(crate) struct Ledger {
    trace: Trace,
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    sessions: BTreeMap<String, SessionId>,
    prompts: BTreeMap<SessionId, Vec<(String, String)>>,
    /// How an action ended, as a client was told.
    told: BTreeMap<String, (String, Option<Effect>)>,
    /// What an agent's tool was answered.
    answered: BTreeMap<String, CallbackAnswer>,
    frames: BTreeMap<(SessionId, u64), String>,
    /// How far each watcher has come.
    watchers: BTreeMap<String, (SessionId, u64)>,
    waiting: BTreeSet<String>,
}

impl Ledger {
    pub(crate) fn new(trace: Trace) -> Self {
        Self {
            trace,
            state: Arc::default(),
        }
    }

    /// A participant is busy, until it is done.
    pub(crate) fn begins(&self, who: &str) {
        self.state().waiting.insert(who.to_owned());
    }

    pub(crate) fn mark_done(&self, who: &str) {
        self.trace.note(format!("{who} is done"));
        self.state().waiting.remove(who);
    }

    /// Who is not done yet.
    pub(crate) fn waiting(&self) -> Vec<String> {
        self.state().waiting.iter().cloned().collect()
    }

    /// A session was made under a key.
    pub(crate) fn session(&self, key: &str, id: SessionId) {
        let known = *self.state().sessions.entry(key.to_owned()).or_insert(id);
        if known != id {
            let what = format!("{key} made two sessions: {known} and {id}");
            self.trace.violation(what);
        }
    }

    pub(crate) fn sessions(&self) -> Vec<SessionId> {
        self.state().sessions.values().copied().collect()
    }

    /// A prompt was taken, so it is there for good.
    pub(crate) fn prompt(&self, session: SessionId, text: &str, id: &str) {
        self.trace.note(format!("prompt {text:?} is {id}"));
        let mut state = self.state();
        let prompts = state.prompts.entry(session).or_default();
        prompts.push((text.to_owned(), id.to_owned()));
    }

    /// In the order in which they were taken.
    pub(crate) fn prompts(&self, session: SessionId) -> Vec<(String, String)> {
        let state = self.state();
        state.prompts.get(&session).cloned().unwrap_or_default()
    }

    /// A client received the status of an action. An end stays as it is.
    pub(crate) fn action(&self, line: &str, invocation: &Invocation) {
        let state = &invocation.state;
        if !state.is_terminal() {
            return;
        }
        let effect = match state {
            InvocationState::Failed { effect, .. } => Some(*effect),
            _ => None,
        };
        let end = (state.status().to_string(), effect);
        self.trace.note(format!("told {line} {end:?}"));
        let known = self
            .state()
            .told
            .entry(line.to_owned())
            .or_insert_with(|| end.clone())
            .clone();
        if known != end {
            let what = format!("{line} was told to be {known:?}, and then {end:?}");
            self.trace.violation(what);
        }
    }

    pub(crate) fn told(&self) -> BTreeMap<String, (String, Option<Effect>)> {
        self.state().told.clone()
    }

    /// A tool of an agent was answered for good. A repeated call gets the same result.
    pub(crate) fn tool(&self, line: &str, told: &CallbackAnswer) {
        self.trace.note(format!("answered {line} {told:?}"));
        let known = self
            .state()
            .answered
            .entry(line.to_owned())
            .or_insert_with(|| told.clone())
            .clone();
        if known != *told {
            let what = format!("{line} was answered {known:?}, and then {told:?}");
            self.trace.violation(what);
        }
    }

    pub(crate) fn answered(&self) -> BTreeMap<String, CallbackAnswer> {
        self.state().answered.clone()
    }

    /// A watcher saw an event: the next one, and the same as every other client sees.
    pub(crate) fn frame(&self, watcher: &str, session: SessionId, seq: u64, text: &str) {
        let problem = {
            let mut state = self.state();
            let known = state
                .frames
                .entry((session, seq))
                .or_insert_with(|| text.to_owned());
            let differs = known.as_str() != text;
            let last = state.watchers.insert(watcher.to_owned(), (session, seq));
            match last {
                Some((_, last)) if seq != last + 1 => {
                    Some(format!("{watcher} saw {seq} after {last}"))
                }
                _ if differs => Some(format!("{watcher} saw another event {seq} than others")),
                _ => None,
            }
        };
        if let Some(problem) = problem {
            self.trace.violation(problem);
        }
    }

    /// A watcher begins with the conversation up to a place.
    pub(crate) fn begins_at(&self, watcher: &str, session: SessionId, seq: u64) {
        let mut state = self.state();
        state.watchers.insert(watcher.to_owned(), (session, seq));
    }

    pub(crate) fn cursor(&self, watcher: &str) -> Option<u64> {
        self.state().watchers.get(watcher).map(|(_, seq)| *seq)
    }

    pub(crate) fn watchers(&self) -> BTreeMap<String, (SessionId, u64)> {
        self.state().watchers.clone()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::id::SessionId;

    use super::Ledger;
    use crate::trace::Trace;

    /// What is said of a watcher who began at 3 and another who saw 4 and 5, once the first has seen `frames`.
    fn after(frames: &[(u64, &str)]) -> Option<String> {
        let trace = Trace::new(Arc::default());
        let ledger = Ledger::new(trace.clone());
        let session: SessionId = "00000000-0000-7000-8000-000000000000".parse().unwrap();
        ledger.begins_at("other", session, 3);
        ledger.frame("other", session, 4, "four");
        ledger.frame("other", session, 5, "five");
        ledger.begins_at("watcher", session, 3);
        for (seq, text) in frames {
            ledger.frame("watcher", session, *seq, text);
        }
        trace.violated()
    }

    #[test]
    fn a_watcher_sees_every_event_once_and_in_order() {
        assert_eq!(after(&[(4, "four"), (5, "five"), (6, "six")]), None);
        let wrong = [
            (&[(3, "three")][..], "watcher saw 3 after 3"),
            (&[(4, "four"), (4, "four")], "watcher saw 4 after 4"),
            (&[(4, "four"), (6, "six")], "watcher saw 6 after 4"),
            (
                &[(4, "four"), (5, "five"), (4, "four")],
                "watcher saw 4 after 5",
            ),
            (&[(4, "other")], "watcher saw another event 4 than others"),
        ];
        for (frames, told) in wrong {
            assert_eq!(after(frames).as_deref(), Some(told));
        }
    }
}
