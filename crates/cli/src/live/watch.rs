//! Watching a session and talking to it: frames come in, lines go out, until there is no more to wait for.

use std::{
    collections::{BTreeMap, HashSet},
    sync::Arc,
    time::Duration,
};

use domain::id::SessionId;
use reqwest::Method;
use serde_json::json;
use tokio::sync::mpsc;
use wire::{
    action::OpenedCall,
    live::{Frame, LiveStatus, MessageRole, PromptAccepted, ServerMessage},
    notice::ActionApprovalRequest,
    session::SubmitEnvResponse,
};

use super::{Input, PendingCalls, TypedLine, View};
use crate::{
    client::{Client, Events, StreamItem},
    context::Context,
    exit::Exit,
    failure::{Failure, Outcome},
    invocations::{self, SeenCall},
    printer::{Output, Tone},
};

const HELP: &str = "what you type goes to the agent; while calls wait, `y` or `n` decides the one that was named last, \
                    `y 2` or `n 2` the one with that label, and `v` or `v 2` shows what is folded or left out of it; \
                    `/cancel` stops the agent, `/quit` stops watching, and the session goes on";

/// A terminal that is attached to a session.
#[derive(Debug)]
pub(crate) struct Watch<'a> {
    context: &'a Context,
    client: &'a Client,
    id: SessionId,
    view: View,
    events: Events<'a>,
    pending: PendingCalls,
    /// Prompts of ours that the agent is not done with, by id; and those of them that the log has.
    sent: HashSet<String>,
    logged: HashSet<String>,
    has_sent: bool,
    /// No prompt is sent before: its frames must come after those of the first one.
    is_attached: bool,
    answers: Option<Answers>,
    /// The agent asked for environment variables and has none yet.
    is_form_open: bool,
    /// What went wrong last.
    trouble: Option<String>,
}

/// How questions are answered without a user: every approval with yes, and every form with these values.
#[derive(Debug, Clone)]
pub(crate) struct Answers {
    pub(crate) env: BTreeMap<String, String>,
}

/// When to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Until {
    /// When the user quits.
    Left,
    /// When the agent is done with every prompt that was sent here and the input has ended. Never, if none was sent.
    Answered,
}

impl<'a> Watch<'a> {
    pub(crate) fn new(
        context: &'a Context,
        client: &'a Client,
        id: SessionId,
        after: Option<u64>,
    ) -> Self {
        Self {
            context,
            client,
            id,
            view: View::new(context.printer),
            events: client.events(id, after),
            pending: PendingCalls::default(),
            sent: HashSet::new(),
            logged: HashSet::new(),
            has_sent: false,
            is_attached: after.is_some(),
            answers: None,
            is_form_open: false,
            trouble: None,
        }
    }

    /// Answers without a user, and shows beside each line when it came.
    pub(crate) fn answering(mut self, answers: Answers) -> Self {
        self.answers = Some(answers);
        self.view = self.view.timed(Arc::clone(&self.context.clock));
        self
    }

    /// Shows what comes and does what is typed.
    pub(crate) async fn run(
        mut self,
        mut lines: mpsc::Receiver<TypedLine>,
        until: Until,
    ) -> Outcome {
        let mut is_open = true;
        loop {
            let is_answered = self.has_sent && self.sent.is_empty();
            if !is_open && until == Until::Answered && is_answered {
                return Ok(Exit::Ok);
            }
            // Over a pipe one after the other: the next line may be meant to follow the answer.
            let may_speak = match until {
                Until::Left => self.is_attached,
                Until::Answered => self.is_attached && self.sent.is_empty(),
            };
            tokio::select! {
                item = self.events.next() => match item? {
                    StreamItem::Frame(frame) => {
                        self.receive(&frame)?;
                        self.answer(&frame.message).await?;
                    }
                    StreamItem::Broken(pause) => {
                        let seconds = pause.as_secs();
                        self.note(&format!("the stream broke; again in {seconds} s"));
                    }
                },
                line = lines.recv(), if is_open && may_speak => match line {
                    None => is_open = false,
                    Some(typed) => {
                        let is_asked = self.pending.may_be_answered(typed.at);
                        match Input::parse(&typed.text, is_asked) {
                            Input::Quit => return Ok(Exit::Ok),
                            line if line.is_answer() && self.hides_calls() => {
                                self.context.printer.failure(&not_shown());
                            }
                            line => self.execute(line, typed.at).await?,
                        }
                    }
                },
                _ = tokio::signal::ctrl_c() => {
                    self.note("the session goes on without you");
                    return Ok(Exit::Ok);
                }
            }
        }
    }

    /// Shows a frame, and notes what it says about calls that wait and prompts of ours.
    fn receive(&mut self, frame: &Frame) -> Result<(), Failure> {
        let printer = &self.context.printer;
        if printer.output == Output::Json {
            printer.json_line(frame);
        } else {
            for line in self.view.lines(&frame.message) {
                printer.data(&line);
            }
        }
        match &frame.message {
            ServerMessage::Init(init) => {
                self.is_attached = true;
                let waiting = init.pending_approvals.iter();
                let waiting: Vec<_> = waiting.map(|asked| asked.invocation_id).collect();
                self.pending.keep(&waiting, self.now());
                let asked = init.pending_approvals.iter();
                let shown: Vec<u32> = asked.filter_map(|asked| self.add_pending(asked)).collect();
                self.select_next(&shown);
            }
            ServerMessage::ActionApprovalRequest(asked) => {
                let shown = self.add_pending(asked);
                self.select_next(shown.as_slice());
            }
            ServerMessage::ActionApprovalResult(result) => {
                self.pending.end(result.invocation_id, self.now());
                self.select_next(&[]);
            }
            ServerMessage::Message(message)
                if message.role == MessageRole::User && self.sent.contains(&message.id) =>
            {
                self.logged.insert(message.id.clone());
            }
            ServerMessage::Error(error) => self.trouble = Some(error.message.clone()),
            // Sent after everything that was on record before.
            ServerMessage::Status(status) if status.is_idle => {
                for id in self.logged.drain() {
                    self.sent.remove(&id);
                }
            }
            ServerMessage::MessageCancelled(cancelled) => {
                if let Some(id) = &cancelled.message_id {
                    self.sent.remove(id);
                }
            }
            ServerMessage::Status(status)
                if status.status == LiveStatus::Error && !self.sent.is_empty() =>
            {
                let why = status.message.clone().or(self.trouble.take());
                let why = why.unwrap_or_else(|| "the agent cannot be reached".to_owned());
                return Err(Failure::new(Exit::Failed, why));
            }
            _ => {}
        }
        Ok(())
    }

    /// Answers what the agent asked, where this watch answers without a user.
    async fn answer(&mut self, message: &ServerMessage) -> Result<(), Failure> {
        let Some(answers) = &self.answers else {
            return Ok(());
        };
        if matches!(message, ServerMessage::ToolEnd(end) if end.tool == "request_env_variables") {
            self.is_form_open = true;
        }
        // Only when the agent is idle, as a user would: a prompt that arrives while a turn ends may count as a part of it.
        let is_idle = matches!(message, ServerMessage::Status(status) if status.is_idle);
        if is_idle && std::mem::take(&mut self.is_form_open) {
            let body = json!({"envVars": answers.env});
            let path = format!("/v1/sessions/{}/env", self.id);
            let given: SubmitEnvResponse = self.client.post(&path, &body).await?;
            self.sent.insert(given.message_id);
        }
        while self.answers.is_some()
            && let Some(label) = self.pending.current()
        {
            self.approve(Some(label), self.now()).await?;
        }
        Ok(())
    }

    /// Does what a line says that was read at `typed`.
    async fn execute(&mut self, line: Input, typed: Duration) -> Result<(), Failure> {
        match line {
            Input::Prompt(text) => self.prompt(&text).await,
            Input::Cancel => {
                let path = format!("/proliferate/{}/cancel", self.id);
                self.client.send_empty(Method::POST, &path).await
            }
            Input::Approve(label) => {
                let decided = self.approve(label, typed).await;
                self.report(decided);
                Ok(())
            }
            Input::Deny(label) => {
                let decided = self.deny(label, typed).await;
                self.report(decided);
                Ok(())
            }
            Input::Show(label) => {
                let shown = self.show(label, typed).await;
                self.report(shown);
                Ok(())
            }
            Input::Help => {
                self.note(HELP);
                Ok(())
            }
            Input::Unknown(text) => {
                self.note(&format!("there is no {text}; {HELP}"));
                Ok(())
            }
            Input::Nothing | Input::Quit => Ok(()),
        }
    }

    /// Approves all that was on the screen of a call, and nothing else.
    async fn approve(&mut self, label: Option<u32>, typed: Duration) -> Result<(), Failure> {
        let call = self.pending.resolve(label, typed).map_err(unclear)?;
        let call_sha256 = call.seen_digest().map_err(unclear)?.to_owned();
        let seen = SeenCall {
            session_id: self.id.uuid(),
            invocation_id: call.request.invocation_id,
            call_sha256,
        };
        invocations::approve(self.client, &seen, None).await?;
        self.decided(seen.invocation_id);
        Ok(())
    }

    /// Denies a call that was on the screen; not all of it has to be.
    async fn deny(&mut self, label: Option<u32>, typed: Duration) -> Result<(), Failure> {
        let call = self.pending.resolve(label, typed).map_err(unclear)?;
        let seen = SeenCall {
            session_id: self.id.uuid(),
            invocation_id: call.request.invocation_id,
            call_sha256: call.request.call_sha256.clone(),
        };
        invocations::deny(self.client, &seen, None).await?;
        self.decided(seen.invocation_id);
        Ok(())
    }

    /// Shows what is folded of a call, a page at a time; all of it is opened first if parts are left out.
    async fn show(&mut self, label: Option<u32>, typed: Duration) -> Result<(), Failure> {
        let now = self.now();
        let call = self.pending.resolve(label, typed).map_err(unclear)?;
        let label = call.label;
        let (title, page) = if call.call_sha256.is_none() {
            let id = call.request.invocation_id;
            let opened: OpenedCall = invocations::open(self.client, self.id.uuid(), id).await?;
            // Looked up again: no frame was received meanwhile.
            let call = self.pending.resolve(Some(label), now).map_err(unclear)?;
            let columns = self.view.text_columns();
            call.open(&opened, self.context.clock.monotonic(), columns);
            (invocations::title_of(&opened), call.text.first())
        } else {
            match call.next_page(now) {
                Some(page) => page,
                None => ("all of it".to_owned(), call.text.whole().to_vec()),
            }
        };
        let printer = &self.context.printer;
        for line in self
            .view
            .said("call", Tone::Strong, &format!("[{label}] {title}"))
        {
            printer.data(&line);
        }
        for line in self.view.call(&page) {
            printer.data(&line);
        }
        self.explain_keys();
        Ok(())
    }

    /// Prints why a decision or a look at a call failed; watching continues.
    fn report(&self, done: Result<(), Failure>) {
        if let Err(failure) = done {
            self.context.printer.failure(&failure);
        }
    }

    fn decided(&mut self, id: uuid::Uuid) {
        self.pending.end(id, self.now());
        self.select_next(&[]);
    }

    async fn prompt(&mut self, text: &str) -> Result<(), Failure> {
        let accepted = send(self.context, self.client, self.id, text).await?;
        self.sent.insert(accepted.message_id);
        self.has_sent = true;
        Ok(())
    }

    /// Shows a call that waits, unless it is known, and says what it is called.
    fn add_pending(&mut self, asked: &ActionApprovalRequest) -> Option<u32> {
        let columns = self.view.text_columns();
        let label = self.pending.add(asked, self.now(), columns)?;
        self.show_call(label);
        Some(label)
    }

    fn show_call(&self, label: u32) {
        let printer = &self.context.printer;
        if printer.output == Output::Table
            && let Some(call) = self.pending.find(label)
        {
            for line in self.view.asked(call) {
                printer.data(&line);
            }
        }
    }

    /// Says which call `y` decides from now on, and shows it again unless it is among those that were shown just now.
    fn select_next(&mut self, shown: &[u32]) {
        let now = self.now();
        let next = self.pending.select_next(now).map(|call| call.label);
        if let Some(label) = next {
            if !shown.contains(&label) {
                self.show_call(label);
            }
            self.explain_keys();
        }
        let Some(current) = self.pending.current().filter(|_| self.is_interactive()) else {
            return;
        };
        for new in shown.iter().filter(|label| **label != current) {
            self.note(&format!(
                "call {new} waits too: `y {new}` or `n {new}` decides it; `y` still decides call {current}"
            ));
        }
    }

    /// Says which keys decide the current call.
    fn explain_keys(&self) {
        let current = self.pending.current();
        let Some(call) = current.and_then(|label| self.pending.find(label)) else {
            return;
        };
        if !self.is_interactive() {
            return;
        }
        let label = call.label;
        match call.seen_digest() {
            Ok(_) => self.note(&format!(
                "call {label}: `y` approves it once, `n` denies it"
            )),
            Err(why) => self.note(&format!(
                "call {label}: `n` denies it; {why}, then `y` approves it"
            )),
        }
    }

    fn is_interactive(&self) -> bool {
        self.answers.is_none() && !self.hides_calls()
    }

    /// Frames are for programs: nothing says which call a key would decide.
    fn hides_calls(&self) -> bool {
        self.context.printer.output == Output::Json
    }

    fn now(&self) -> Duration {
        self.context.clock.monotonic()
    }

    fn note(&self, text: &str) {
        self.context.printer.note(text);
    }
}

/// An answer about a call where calls are not shown: what it would decide was never on the screen.
fn not_shown() -> Failure {
    let message = "with `-o json` no call is shown, and so none is decided here";
    let hint = "`proliferate action approve ID` shows a call and asks; `action deny ID` denies it";
    Failure::new(Exit::Usage, message).hint(hint)
}

/// An answer that cannot be carried out as it was typed.
fn unclear(why: String) -> Failure {
    Failure::new(Exit::Usage, why)
}

/// Sends a prompt to the agent, once.
pub(crate) async fn send(
    context: &Context,
    client: &Client,
    id: SessionId,
    text: &str,
) -> Result<PromptAccepted, Failure> {
    let key = context.idempotency_key();
    let path = format!("/proliferate/{id}/message");
    client.create(&path, &key, &json!({"content": text})).await
}
