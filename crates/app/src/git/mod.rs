//! Repositories of sessions: git in a sandbox sends its requests to the gateway, the gateway sends them to the
//! repository's server with a credential that the sandbox never has.
//!
//! ```text
//! place.rs     which repository, and the credential for its server
//! forward.rs   one request of git's smart protocol, forwarded as a stream
//! server.rs    requests to the repository's server
//! push.rs      a push: the entry of its mediated call, and its executor
//! pieces.rs    bounds of forwarded bodies
//! pull_request.rs   requests the merge of a branch
//! ```
//!
//! INVARIANT: a sandbox reaches the repositories of its own session and no others, and pushes what the repository's
//! record allows. INVARIANT: a credential goes to the host that it is of.

mod forward;
mod pieces;
mod place;
mod pull_request;
mod push;
mod server;

pub use forward::{GitRequest, forward};
pub use pieces::GitBody;
pub use pull_request::{NewPullRequest, PullRequestOutcome, open_pull_request};

pub use server::{GitEndpoint, GitResponse, GitService};

pub(crate) use push::PUSH_OPERATION;
