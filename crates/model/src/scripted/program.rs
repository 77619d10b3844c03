//! The model's steps, as data, and which part of them is next. A call of a tool ends a turn; completed
//! calls are read from the conversation, and conditions evaluate the last result.

use std::{ops::ControlFlow, time::Duration};

use domain::limits::{SCRIPT_PAUSE_MAX, SCRIPT_REPEATS_MAX, SCRIPT_STEPS_MAX};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{
    conversation::Done,
    fault::{Fault, Times},
    fill::Scope,
};

/// One step of the model.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// Sends a text.
    Say(String),
    /// Sends reasoning.
    Think(String),
    /// Calls a tool and waits for its result.
    Call(ToolCall),
    /// Calls several at once.
    Calls(Vec<ToolCall>),
    /// Waits before this turn's response.
    WaitMs(u64),
    /// Pauses between the pieces of this turn's response.
    PaceMs(u64),
    /// Fails instead of responding, a number of times.
    Fail(FaultStep),
    If(IfStep),
    Repeat(RepeatStep),
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolCall {
    pub tool: String,
    #[serde(default)]
    pub input: Map<String, Value>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FaultStep {
    pub fault: Fault,
    #[serde(default)]
    pub times: Times,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IfStep {
    pub when: Condition,
    #[serde(default)]
    pub then: Vec<Step>,
    #[serde(default, rename = "else")]
    pub otherwise: Vec<Step>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RepeatStep {
    pub times: u32,
    /// Evaluated after each time.
    #[serde(default)]
    pub until: Option<Condition>,
    pub steps: Vec<Step>,
}

/// A condition on the last result of a tool: all given members must hold. Without a result it does
/// not hold.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Condition {
    /// Whether the tool failed.
    #[serde(default)]
    pub error: Option<bool>,
    /// A part of the text.
    #[serde(default)]
    pub contains: Option<String>,
    /// A JSON pointer into the result, if that is JSON. Alone: the value exists.
    #[serde(default)]
    pub at: Option<String>,
    /// The value at it.
    #[serde(default)]
    pub equals: Option<Value>,
}

impl Condition {
    fn holds(&self, last: Option<&Done>) -> bool {
        let Some(last) = last else { return false };
        let error = self.error.is_none_or(|error| error == last.is_error);
        let contains = self
            .contains
            .as_ref()
            .is_none_or(|part| last.text.contains(part));
        let at = self.at.as_ref().is_none_or(|pointer| {
            match (last.json().pointer(pointer), &self.equals) {
                (None, _) => false,
                (Some(_), None) => true,
                (Some(found), Some(wanted)) => found == wanted,
            }
        });
        error && contains && at
    }
}

/// One response of the model.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Turn {
    pub(super) blocks: Vec<Block>,
    pub(super) wait: Duration,
    pub(super) pace: Duration,
    /// Each with its position in the walk, by which it is counted.
    pub(super) faults: Vec<(usize, FaultStep)>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Block {
    Think(String),
    Say(String),
    Call(ToolCall),
}

/// The next turn after these calls.
pub(super) fn next_turn(steps: &[Step], prompt: &str, done: &[Done]) -> Turn {
    let mut walk = Walk {
        prompt,
        ahead: done,
        last: None,
        turn: Turn::default(),
        walked: 0,
    };
    // In either case the turn holds the response.
    let _: ControlFlow<()> = walk.steps(steps);
    walk.turn
}

struct Walk<'a> {
    prompt: &'a str,
    ahead: &'a [Done],
    last: Option<&'a Done>,
    turn: Turn,
    walked: usize,
}

impl Walk<'_> {
    fn steps(&mut self, steps: &[Step]) -> ControlFlow<()> {
        steps.iter().try_for_each(|step| self.step(step))
    }

    fn step(&mut self, step: &Step) -> ControlFlow<()> {
        self.walked += 1;
        if self.walked > SCRIPT_STEPS_MAX {
            let text = format!("The script has more than {SCRIPT_STEPS_MAX} steps; I stop here.");
            self.turn.blocks.push(Block::Say(text));
            return ControlFlow::Break(());
        }
        match step {
            Step::Say(text) => self
                .turn
                .blocks
                .push(Block::Say(self.scope().in_text(text))),
            Step::Think(text) => self
                .turn
                .blocks
                .push(Block::Think(self.scope().in_text(text))),
            Step::WaitMs(ms) => self.turn.wait = pause(*ms),
            Step::PaceMs(ms) => self.turn.pace = pause(*ms),
            Step::Fail(fault) => self.turn.faults.push((self.walked, fault.clone())),
            Step::Call(call) => return self.call(std::slice::from_ref(call)),
            Step::Calls(calls) => return self.call(calls),
            Step::If(choice) if choice.when.holds(self.last) => return self.steps(&choice.then),
            Step::If(choice) => return self.steps(&choice.otherwise),
            Step::Repeat(repeat) => return self.repeat(repeat),
        }
        ControlFlow::Continue(())
    }

    fn repeat(&mut self, repeat: &RepeatStep) -> ControlFlow<()> {
        for _ in 0..repeat.times.min(SCRIPT_REPEATS_MAX) {
            self.steps(&repeat.steps)?;
            let ends = |until: &Condition| until.holds(self.last);
            if repeat.until.as_ref().is_some_and(ends) {
                break;
            }
        }
        ControlFlow::Continue(())
    }

    /// Completed already: its texts were sent. Otherwise it ends the turn.
    fn call(&mut self, calls: &[ToolCall]) -> ControlFlow<()> {
        if self.ahead.is_empty() && !calls.is_empty() {
            let scope = self.scope();
            let filled: Vec<Block> = calls
                .iter()
                .map(|call| Block::Call(scope.in_call(call)))
                .collect();
            self.turn.blocks.extend(filled);
            return ControlFlow::Break(());
        }
        let (made, ahead) = self.ahead.split_at(calls.len().min(self.ahead.len()));
        self.ahead = ahead;
        self.last = made.last().or(self.last);
        self.turn = Turn::default();
        ControlFlow::Continue(())
    }

    fn scope(&self) -> Scope<'_> {
        Scope {
            prompt: self.prompt,
            last: self.last,
        }
    }
}

fn pause(ms: u64) -> Duration {
    Duration::from_millis(ms).min(SCRIPT_PAUSE_MAX)
}
