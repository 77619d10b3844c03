//! Executors of permitted calls. Every tool, whatever it is made of, is an [`Executor`]; mediation is the only
//! caller, because it alone can get a [`Permit`](domain::policy::Permit).
//!
//! INVARIANT: an executor takes the permit by value. A permit is created by the decision, is not
//! cloneable and is spent here: no permit, no call, checked by the compiler.

mod command;
pub mod egress;
mod executor;
mod http;
mod input;
#[cfg(doctest)]
mod permit_contract;
mod registry;

pub use command::CommandExecutor;
pub use executor::{
    Availability, CallScope, Executor, Failure, Input, IntegrationFailure, IntegrationReply,
    Output, OutputContent, PermittedCall, Produced,
};
pub use http::HttpExecutor;
pub use registry::Executors;
