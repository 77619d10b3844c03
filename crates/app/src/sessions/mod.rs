//! Sessions: created in one place, changed by compare-and-set.

mod create;
mod environment;
mod hooks;
mod keep;
mod migrate;
mod provision;
mod read;
mod release;
mod resolve;
mod set_title;
mod steer;
mod stop;
mod submit_env;
mod sweep;

pub use create::{CreateSession, CreatedSession, SshOptions, create};
pub use environment::environment;
pub use hooks::{
    Environment, ExpiryOutcome, GoOnOutcome, NoProvisioner, ProvisionError, Provisioner,
};
pub use keep::keep_environment;
pub use migrate::migrate;
pub use read::{ListedSession, SessionWithConnections, fetch, list, snapshots};
pub(crate) use read::{check_snapshot, fetch_session};
pub use release::sweep_released;
pub use set_title::set_title;
pub use steer::{record, steer};
pub(crate) use stop::end;
pub use stop::stop;
pub use submit_env::{SubmitEnv, SubmittedEnv, SubmittedKey, SubmittedSecret, submit_env};
pub use sweep::sweep_stuck;
