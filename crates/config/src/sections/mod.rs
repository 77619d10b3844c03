//! One file per section of the settings: the declarations of its settings, the values they resolve to,
//! and what `validate()` refuses.

pub mod admission;
pub mod coordination;
pub mod data_dir;
pub mod database;
pub mod encryption;
pub mod fleet;
pub mod identity;
pub(crate) mod integrations;
pub mod live;
pub mod login;
pub mod mail;
pub mod model;
pub mod policy;
pub mod sandbox;
pub mod server;
pub mod storage;
pub mod telemetry;
