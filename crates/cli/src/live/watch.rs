//! Watching a session and talking to it: frames come in, lines go out, until there is no more to wait for.

use std::{
    collections::{BTreeMap, HashSet, VecDeque},
    sync::Arc,
};

use domain::{
    clock::random_bytes,
    id::{InvocationId, SessionId},
};
use reqwest::Method;
use serde_json::json;
use tokio::sync::mpsc;
use wire::{
    live::{Frame, LiveStatus, MessageRole, PromptAccepted, ServerMessage},
    session::SubmitEnvResponse,
};

use super::{Line, View};
use crate::{
    client::{Client, Events, Heard},
    commands::action,
    context::Context,
    exit::Exit,
    failure::{Failure, Outcome},
    printer::Output,
};

const HELP: &str = "what you type goes to the agent; `y` or `n` answers a question; `/cancel` stops the agent, \
                    `/quit` stops watching, and the session goes on";

/// One who watches.
#[derive(Debug)]
pub(crate) struct Watch<'a> {
    context: &'a Context,
    client: &'a Client,
    id: SessionId,
    view: View,
    events: Events<'a>,
    /// Questions that wait, oldest first.
    asked: VecDeque<InvocationId>,
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
            asked: VecDeque::new(),
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
    pub(crate) async fn run(mut self, mut lines: mpsc::Receiver<String>, until: Until) -> Outcome {
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
                    Some(line) => match Line::parse(&line, !self.asked.is_empty()) {
                        Line::Quit => return Ok(Exit::Ok),
                        line => self.obey(line).await?,
                    },
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
            printer.data(&serde_json::to_string(frame).unwrap_or_default());
        } else {
            for line in self.view.lines(&frame.message) {
                printer.data(&line);
            }
        }
        match &frame.message {
            ServerMessage::Init(init) => {
                self.is_attached = true;
                let waiting = init
                    .pending_approvals
                    .iter()
                    .map(|asked| asked.invocation_id);
                self.asked = waiting.map(InvocationId::from_uuid).collect();
                self.ask();
            }
            ServerMessage::ActionApprovalRequest(asked) => {
                self.asked
                    .push_back(InvocationId::from_uuid(asked.invocation_id));
                self.ask();
            }
            ServerMessage::ActionApprovalResult(result) => {
                let id = InvocationId::from_uuid(result.invocation_id);
                self.asked.retain(|asked| *asked != id);
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
        while self.answers.is_some() && !self.asked.is_empty() {
            self.obey(Line::Approve).await?;
        }
        Ok(())
    }

    async fn obey(&mut self, line: Line) -> Result<(), Failure> {
        match line {
            Line::Prompt(text) => self.prompt(&text).await,
            Line::Cancel => {
                let path = format!("/proliferate/{}/cancel", self.id);
                self.client.done(Method::POST, &path).await
            }
            Line::Approve => match self.asked.pop_front() {
                Some(id) => action::approve_once(self.client, id).await,
                None => Ok(()),
            },
            Line::Deny => match self.asked.pop_front() {
                Some(id) => action::deny_with(self.client, id, None).await.map(drop),
                None => Ok(()),
            },
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

    async fn prompt(&mut self, text: &str) -> Result<(), Failure> {
        let accepted = send(self.context, self.client, self.id, text).await?;
        self.sent.insert(accepted.message_id);
        self.has_sent = true;
        Ok(())
    }

    fn ask(&self) {
        let is_for_person = self.answers.is_none() && !self.asked.is_empty();
        if is_for_person && self.context.printer.output == Output::Table {
            self.note("`y` approves it once, `n` denies it");
        }
    }

    fn note(&self, text: &str) {
        self.context.printer.note(text);
    }
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
