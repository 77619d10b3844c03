//! Live sessions: the loop that follows an agent, its sandbox, and the clients that watch it.
//!
//! [`Hub`] composes the parts that other crates call. They depend on each other in one direction:
//!
//! ```text
//! hub, slot, agent_tools      the facade, and what `app` and the tool pipeline call
//!   fleet                     drain, handoff, adoption, sweep, eviction
//!     sandbox_control         save, move, end; what runs inside a sandbox
//!   watch                     subscribers of a session, and backpressure
//!       registry              lease, epoch, the live sessions of this process
//!         session_sandbox     the sandbox of one session
//!         peers               requests to other instances
//!           session           the loop of one live session
//!           runtime           the steps of a boot
//!             log, opencode   the event log; the agent's API
//! ```

mod agent_tools;
mod fleet;
mod hub;
pub mod log;
pub mod opencode;
mod peers;
mod registry;
pub mod runtime;
mod sandbox_control;
mod sandbox_http;
pub mod session;
mod session_sandbox;
mod slot;
mod watch;

pub use self::{
    agent_tools::SandboxTools,
    fleet::Fleet,
    hub::Hub,
    registry::{HubLimits, Registry, Runtimes},
    sandbox_control::{
        Departing, SandboxControl, SandboxInfo,
        inside::{
            GitChange, PreviewRequest, SandboxAccess, SandboxCallError, Terminal, TerminalFrame,
        },
    },
    session_sandbox::{SaveError, SavedSnapshot},
    slot::HubSlot,
    watch::{ClientFrame, WatchedSession, Watchers},
};
