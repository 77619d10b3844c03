//! Watching a session and talking to it: frames come in, lines go out, until there is no more to wait for.

use std::{
    collections::{BTreeMap, HashSet},
    sync::Arc,
    time::Duration,
};

use domain::{clock::random_bytes, id::SessionId};
use reqwest::Method;
use serde_json::json;
use tokio::sync::mpsc;
use wire::{
    action::OpenedCall,
    live::{Frame, LiveStatus, MessageRole, PromptAccepted, ServerMessage},
    notice::ActionApprovalRequest,
    session::SubmitEnvResponse,
};

use super::{Line, Questions, Typed, View};
use crate::{
    client::{Client, Events, Heard},
    commands::action::{self, Seen},
    context::Context,
    exit::Exit,
    failure::{Failure, Outcome},
    printer::{Output, Tone},
};

const HELP: &str = "what you type goes to the agent; while calls wait, `y` or `n` decides the one that was named last, \
                    `y 2` or `n 2` the one with that label, and `v` or `v 2` shows what is folded or left out of it; \
                    `/cancel` stops the agent, `/quit` stops watching, and the session goes on";

/// One who watches.
#[derive(Debug)]
pub(crate) struct Watch<'a> {
    context: &'a Context,
    client: &'a Client,
    id: SessionId,
    view: View,
    events: Events<'a>,
    questions: Questions,
    /// Prompts of ours that the agent is not done with, by id; and those of them that the log has.
    sent: HashSet<String>,
    logged: HashSet<String>,
    has_sent: bool,
    /// Nothing is said before: what comes of it must come after what the first frame has.
    is_attached: bool,
    answers: Option<Answers>,
    /// The agent asked for values and has none yet.
    is_form_open: bool,
    /// What went wrong last.
    trouble: Option<String>,
}

/// What is answered without a person: every question with yes, and every form with these values.
#[derive(Debug, Clone)]
pub(crate) struct Answers {
    pub(crate) env: BTreeMap<String, String>,
}

/// When to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Until {
    /// When whoever watches leaves.
    Left,
    /// When the agent is done with all it was told here and no more will be said. Never, if nothing was.
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
            questions: Questions::default(),
            sent: HashSet::new(),
            logged: HashSet::new(),
            has_sent: false,
            is_attached: after.is_some(),
            answers: None,
            is_form_open: false,
            trouble: None,
        }
    }

    /// Answers by itself, and says beside each line when it came.
    pub(crate) fn answering(mut self, answers: Answers) -> Self {
        self.answers = Some(answers);
        self.view = self.view.timed(Arc::clone(&self.context.clock));
        self
    }

    /// Shows what comes and does what is typed.
    pub(crate) async fn run(mut self, mut lines: mpsc::Receiver<Typed>, until: Until) -> Outcome {
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
                heard = self.events.next() => match heard? {
                    Heard::Frame(frame) => {
                        self.hear(&frame)?;
                        self.answer(&frame.message).await?;
                    }
                    Heard::Broken(pause) => {
                        let seconds = pause.as_secs();
                        self.note(&format!("the stream broke; again in {seconds} s"));
                    }
                },
                line = lines.recv(), if is_open && may_speak => match line {
                    None => is_open = false,
                    Some(typed) => {
                        let is_asked = self.questions.may_be_answered(typed.at);
                        match Line::parse(&typed.text, is_asked) {
                            Line::Quit => return Ok(Exit::Ok),
                            line if line.is_answer() && self.shows_no_calls() => {
                                self.context.printer.failure(&not_shown());
                            }
                            line => self.obey(line, typed.at).await?,
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

    fn hear(&mut self, frame: &Frame) -> Result<(), Failure> {
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
                self.questions.keep(&waiting, self.now());
                let asked = init.pending_approvals.iter();
                let shown: Vec<u32> = asked.filter_map(|asked| self.ask(asked)).collect();
                self.name_next(&shown);
            }
            ServerMessage::ActionApprovalRequest(asked) => {
                let shown = self.ask(asked);
                self.name_next(shown.as_slice());
            }
            ServerMessage::ActionApprovalResult(result) => {
                self.questions.end(result.invocation_id, self.now());
                self.name_next(&[]);
            }
            ServerMessage::Message(message)
                if message.role == MessageRole::User && self.sent.contains(&message.id) =>
            {
                self.logged.insert(message.id.clone());
            }
            ServerMessage::Error(error) => self.trouble = Some(error.message.clone()),
            // Told after everything that was on record before.
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

    /// Answers what was asked, if nobody else does.
    async fn answer(&mut self, message: &ServerMessage) -> Result<(), Failure> {
        let Some(answers) = &self.answers else {
            return Ok(());
        };
        if matches!(message, ServerMessage::ToolEnd(end) if end.tool == "request_env_variables") {
            self.is_form_open = true;
        }
        // When the agent waits, as a person would: what is said while it ends its turn may count as a part of it.
        let is_idle = matches!(message, ServerMessage::Status(status) if status.is_idle);
        if is_idle && std::mem::take(&mut self.is_form_open) {
            let body = json!({"envVars": answers.env});
            let path = format!("/v1/sessions/{}/env", self.id);
            let given: SubmitEnvResponse = self.client.post(&path, &body).await?;
            self.sent.insert(given.message_id);
        }
        while self.answers.is_some()
            && let Some(label) = self.questions.named()
        {
            self.approve(Some(label), self.now()).await?;
        }
        Ok(())
    }

    /// Does what a line says that was read then.
    async fn obey(&mut self, line: Line, typed: Duration) -> Result<(), Failure> {
        match line {
            Line::Prompt(text) => self.prompt(&text).await,
            Line::Cancel => {
                let path = format!("/proliferate/{}/cancel", self.id);
                self.client.done(Method::POST, &path).await
            }
            Line::Approve(label) => {
                let decided = self.approve(label, typed).await;
                self.go_on(decided);
                Ok(())
            }
            Line::Deny(label) => {
                let decided = self.deny(label, typed).await;
                self.go_on(decided);
                Ok(())
            }
            Line::Show(label) => {
                let shown = self.show(label, typed).await;
                self.go_on(shown);
                Ok(())
            }
            Line::Help => {
                self.note(HELP);
                Ok(())
            }
            Line::Unknown(text) => {
                self.note(&format!("there is no {text}; {HELP}"));
                Ok(())
            }
            Line::Nothing | Line::Quit => Ok(()),
        }
    }

    /// Approves all that was on the screen of a call, and nothing else.
    async fn approve(&mut self, label: Option<u32>, typed: Duration) -> Result<(), Failure> {
        let question = self.questions.meant(label, typed).map_err(unclear)?;
        let call_sha256 = question.seen().map_err(unclear)?.to_owned();
        let seen = Seen {
            session_id: self.id.uuid(),
            invocation_id: question.asked.invocation_id,
            call_sha256,
        };
        action::approve_seen(self.client, &seen, None).await?;
        self.decided(seen.invocation_id);
        Ok(())
    }

    /// Denies a call that was on the screen; not all of it has to be.
    async fn deny(&mut self, label: Option<u32>, typed: Duration) -> Result<(), Failure> {
        let question = self.questions.meant(label, typed).map_err(unclear)?;
        let seen = Seen {
            session_id: self.id.uuid(),
            invocation_id: question.asked.invocation_id,
            call_sha256: question.asked.call_sha256.clone(),
        };
        action::deny_seen(self.client, &seen, None).await?;
        self.decided(seen.invocation_id);
        Ok(())
    }

    /// Shows what is folded of a call, a page at a time; all of it is opened first if parts are left out.
    async fn show(&mut self, label: Option<u32>, typed: Duration) -> Result<(), Failure> {
        let now = self.now();
        let question = self.questions.meant(label, typed).map_err(unclear)?;
        let label = question.label;
        let (title, page) = if question.call_sha256.is_none() {
            let id = question.asked.invocation_id;
            let opened: OpenedCall = action::open(self.client, self.id.uuid(), id).await?;
            // Looked for again: nothing else was heard meanwhile.
            let question = self.questions.meant(Some(label), now).map_err(unclear)?;
            let columns = self.view.text_columns();
            question.open(&opened, self.context.clock.monotonic(), columns);
            (action::opened_as(&opened), question.text.first())
        } else {
            match question.next_page(now) {
                Some(page) => page,
                None => ("all of it".to_owned(), question.text.whole().to_vec()),
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
        self.say_how();
        Ok(())
    }

    /// A decision that did not come about ends nothing: the call waits, or something else is said of it.
    fn go_on(&self, done: Result<(), Failure>) {
        if let Err(failure) = done {
            self.context.printer.failure(&failure);
        }
    }

    fn decided(&mut self, id: uuid::Uuid) {
        self.questions.end(id, self.now());
        self.name_next(&[]);
    }

    async fn prompt(&mut self, text: &str) -> Result<(), Failure> {
        let accepted = send(self.context, self.client, self.id, text).await?;
        self.sent.insert(accepted.message_id);
        self.has_sent = true;
        Ok(())
    }

    /// Shows a call that waits, unless it is known, and says what it is called.
    fn ask(&mut self, asked: &ActionApprovalRequest) -> Option<u32> {
        let columns = self.view.text_columns();
        let label = self.questions.add(asked, self.now(), columns)?;
        self.show_question(label);
        Some(label)
    }

    fn show_question(&self, label: u32) {
        let printer = &self.context.printer;
        if printer.output == Output::Table
            && let Some(question) = self.questions.find(label)
        {
            for line in self.view.asked(question) {
                printer.data(&line);
            }
        }
    }

    /// Says which call `y` decides from now on, and shows it again unless it is among those that were shown just now.
    fn name_next(&mut self, shown: &[u32]) {
        let now = self.now();
        let next = self.questions.name_next(now).map(|question| question.label);
        if let Some(label) = next {
            if !shown.contains(&label) {
                self.show_question(label);
            }
            self.say_how();
        }
        let Some(named) = self.questions.named().filter(|_| self.is_for_person()) else {
            return;
        };
        for new in shown.iter().filter(|label| **label != named) {
            self.note(&format!(
                "call {new} waits too: `y {new}` or `n {new}` decides it; `y` still decides call {named}"
            ));
        }
    }

    /// Says what decides the call that is named.
    fn say_how(&self) {
        let named = self.questions.named();
        let Some(question) = named.and_then(|label| self.questions.find(label)) else {
            return;
        };
        if !self.is_for_person() {
            return;
        }
        let label = question.label;
        match question.seen() {
            Ok(_) => self.note(&format!(
                "call {label}: `y` approves it once, `n` denies it"
            )),
            Err(why) => self.note(&format!(
                "call {label}: `n` denies it; {why}, then `y` approves it"
            )),
        }
    }

    fn is_for_person(&self) -> bool {
        self.answers.is_none() && !self.shows_no_calls()
    }

    /// Frames are for programs: nothing says which call a key would decide.
    fn shows_no_calls(&self) -> bool {
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

/// Says something to the agent, once.
pub(crate) async fn send(
    context: &Context,
    client: &Client,
    id: SessionId,
    text: &str,
) -> Result<PromptAccepted, Failure> {
    let key = format!("cli-{}", hex::encode(random_bytes::<16>(&*context.entropy)));
    let path = format!("/proliferate/{id}/message");
    client.create(&path, &key, &json!({"content": text})).await
}
