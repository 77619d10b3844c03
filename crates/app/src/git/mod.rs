//! Repositories of sessions: git in a sandbox asks the gateway, the gateway asks the repository's server with a
//! credential that the sandbox never has.
//!
//! ```text
//! place.rs     which repository, and what its server is asked with
//! forward.rs   one request of git's smart protocol, carried as it comes
//! push.rs      a push: the entry of its mediated call, and its executor
//! pieces.rs    bounds of what is carried
//! pull_request.rs   asking for a branch to be merged
//! ```
//!
//! INVARIANT: a sandbox reaches the repositories of its own session and no others, and pushes what the repository's
//! record allows. INVARIANT: a credential goes to the host that it is of.

mod forward;
mod pieces;
mod place;
mod pull_request;
mod push;

pub use forward::{Answer, Asked, Carried, Request, Service, forward};
pub use pull_request::{NewPullRequest, PullRequest, open_pull_request};

pub(crate) use push::PUSH_OPERATION;
