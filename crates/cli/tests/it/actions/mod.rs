//! Actions through real processes: the gateway, the agent's command and the operator's.

mod attached;
mod commands;
mod desk;
mod flow;
mod killed;
mod leaks;
mod shared;
mod terminal;
