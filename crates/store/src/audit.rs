//! The audit log. Events come in with the change they record and wait (`event`); the sequencer moves them to their
//! places (`ledger`), and what has its place is signed (`checkpoint`). `node` keeps what proofs are made of.
//!
//! Nothing here changes or removes a row: the database refuses it. What waits is removed when it has its place, word for
//! word, and the database sees to that too.

mod checkpoint;
mod copy;
mod event;
mod evidence;
mod ledger;
mod list;
mod node;

pub use checkpoint::AuditCheckpoint;
pub use copy::AuditCopy;
pub use event::{NewAuditEvent, PendingAuditEvent};
pub use evidence::ArtifactEvidence;
pub use ledger::{AuditEnd, AuditPosition, AuditRecord, TrailPosition};
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
