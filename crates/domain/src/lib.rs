//! Pure rules of the product: entities, their states, and every limit.
//!
//! Nothing here does I/O, reads a clock or knows JSON shapes, so nothing here can fail for a reason
//! outside its arguments. Time and randomness are passed in through [`clock`].

pub mod action;
pub mod api_key;
pub mod artifact;
pub mod audit;
pub mod automation;
pub mod automation_run;
pub mod caller;
pub mod canonical;
pub mod capacity;
pub mod case;
pub mod clock;
pub mod configuration;
pub mod device_login;
pub mod dotenv;
pub mod email;
pub mod event_stream;
pub mod git_push;
pub mod id;
pub mod identity_provider;
pub mod instance;
pub mod integration;
pub mod invalid;
pub mod invitation;
pub mod job;
pub mod lease;
pub mod limits;
pub mod login;
pub mod mail;
pub mod merkle;
pub mod migration;
pub mod model;
pub mod model_usage;
pub mod network;
pub mod news;
pub mod notice;
pub mod organization;
pub mod organization_limits;
pub mod organization_spend;
pub mod override_ticket;
pub mod page;
pub mod policy;
pub mod projection;
pub mod record;
pub mod recording;
pub mod repo;
pub mod role;
pub mod run;
pub mod safety_lock;
pub mod sandbox_token;
pub mod secret;
pub mod session;
pub mod session_event;
pub mod setup_link;
pub mod sharing;
pub mod source;
pub mod startup_variable;
pub mod text_enum;
pub mod visible;
pub mod webhook;

pub use invalid::Invalid;
