//! The other instances: which of them can take a session, and how they are asked to. Depends on coordination only, so that
//! `registry` and `fleet` both use it.

mod client;
mod directory;
mod message;

pub(crate) use self::{
    client::{HandoffTarget, PeerClient},
    directory::PeerDirectory,
    message::PeerMessage,
};
