//! The hub from outside: with the real agent, whose model is scripted.

#![allow(clippy::unwrap_used, reason = "this is a test, helpers included")]

mod agent;
mod apart;
mod automation;
mod boot;
mod boot_container;
mod budget;
mod budget_raised;
mod dropped;
#[path = "../../../sandbox/tests/it/engine.rs"]
#[allow(dead_code, reason = "tests of sandboxes use the rest")]
mod engine;
mod env_values;
mod liar;
mod liar_daemon;
mod life;
mod life_faults;
mod limits;
mod many;
mod migration;
mod migration_elsewhere;
mod migration_jobs;
mod migration_scene;
mod opening;
mod outline;
mod proxy;
mod reach;
mod ready;
mod real_agent;
mod real_agent_faults;
mod repos;
mod retries;
mod samples;
mod sandboxes;
mod session;
mod stage;
mod suspension;
mod sweep;
mod warm;
