//! The audit log. Events come in with the change they record (`event`); the sequencer gives them their
//! places (`ledger`), and what has its place is signed (`checkpoint`). `node` keeps what proofs are made of.
//!
//! Nothing here changes or removes a row: the database refuses it, and there is no statement for it but those
//! that take an event or a checkpoint off its waiting list.

mod checkpoint;
mod copy;
mod event;
mod evidence;
mod ledger;
mod list;
mod node;

pub use checkpoint::AuditCheckpoint;
pub use copy::AuditCopy;
pub use event::{AuditMarks, NewAuditEvent, PendingAuditEvent};
pub use evidence::ArtifactEvidence;
pub use ledger::{AuditEnd, AuditPlace, AuditRecord, TrailPlace};
pub use list::AuditFilter;

use crate::statement::Statement;

pub(crate) fn statements() -> Vec<&'static Statement> {
    [
        checkpoint::STATEMENTS,
        copy::STATEMENTS,
        event::STATEMENTS,
        evidence::STATEMENTS,
        ledger::STATEMENTS,
        list::STATEMENTS,
        node::STATEMENTS,
    ]
    .concat()
}
