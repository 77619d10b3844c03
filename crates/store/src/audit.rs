//! The audit log. An event is inserted with the change it records and is pending (`event`). The sequencer gives it its
//! position in the ledger (`ledger`), and checkpoints sign the ledger (`checkpoint`). `node` keeps the hashes for proofs.
//!
//! Nothing here changes or removes a row: the database refuses it. A pending event is removed only if the ledger holds
//! the same text, and the database enforces that too.

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
