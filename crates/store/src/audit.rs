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

pub use checkpoint::{
    AuditCheckpoint, audit_checkpoint_insert, audit_checkpoint_last, audit_checkpoint_list,
};
pub use copy::{AuditCopy, audit_copy_delete, audit_copy_list};
pub use event::{
    NewAuditEvent, PendingAuditEvent, audit_event_insert, audit_event_insert_all,
    audit_pending_list,
};
pub use evidence::{ArtifactEvidence, audit_artifact_list, audit_policy_file_list};
pub use ledger::{
    AuditEnd, AuditPosition, AuditRecord, TrailPosition, audit_end, audit_end_of_trail,
    audit_leaf_list, audit_organization_next, audit_position_insert_all, audit_record_fetch,
    audit_record_list, audit_record_list_of_trail,
};
pub use list::{AuditFilter, audit_record_page};
pub use node::{audit_node_insert_all, audit_node_list};

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
