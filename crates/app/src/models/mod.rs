//! Requests of agents to their models: each goes through the gateway, is counted, and is paid for with the
//! operator's key, which no sandbox ever has.
//!
//! INVARIANT: what an agent has been given to the end is written down before it has the end, so that its next
//! request is decided with it. What a budget can be exceeded by is what was under way when it was reached.

mod body;
mod budget;
mod call;
mod defaults;
mod forward;
mod meter;
mod refusal;
mod scan;
mod upstream;

pub use budget::{OverBudget, SessionUsage, over_budget, resume_when_over, set_budget, usage};
pub(crate) use defaults::configuration_budget_changed;
pub use defaults::{OrganizationBudget, organization_budget, set_organization_budget};
pub use forward::{ModelBody, ModelRequest, ModelResponse, forward};
pub use refusal::ModelRefusal;
pub use upstream::{KeyHeader, ModelCapacities, ModelEndpoint, Models, ModelsSettings, Upstream};
