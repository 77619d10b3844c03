//! One live session: a task with one bounded inbox. A [`Handle`] is what others call, [`Service`] is the loop. The loop waits
//! for nothing but its inbox, its log and its clock, so that no slow sandbox, database or client keeps it from answering.
//!
//! `state` is what the loop knows, in parts that know nothing of each other: `publisher` (the log and the clients' events),
//! `prompts`, `clients`, `phase` (the agent), `tasks`. The functions that change several parts call each other in one
//! direction: `service`, `migrate`, `agent_events`, `budget_pause`, `prompting`, `boot`, `delivery`, `state`.
//!
//! INVARIANT: no client is sent an event that is not in the log (see `publisher`).

mod agent;
mod agent_events;
mod boot;
mod budget_pause;
mod budget_state;
mod clients;
mod delivery;
mod error;
mod handle;
mod input;
mod journal;
mod migrate;
mod move_report;
mod outbox;
mod phase;
mod ports;
mod prompting;
mod prompts;
mod publisher;
mod service;
mod stages;
mod state;
mod tasks;
mod view;

pub use self::{
    agent::{BootError, BootErrorCause, BootedAgent, Liveness},
    error::HubError,
    handle::Handle,
    journal::StoreJournal,
    move_report::{MoveOutcome, MoveReport},
    ports::{Journal, JournalError, Runtime, SessionPorts},
    service::{Service, ServiceExit},
    stages::BootStages,
    view::{
        ActivityReport, Broadcast, ClientConnection, NewPrompt, SessionView, StatusReport,
        StreamAttachment, unlogged_frame,
    },
};
