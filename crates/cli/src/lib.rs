//! The proliferate binary: the command line in front of everything else. Owns arguments, output,
//! exit codes, and putting the parts of the product together; what a command does with the product
//! is one call into `app`, or one request to a gateway.

mod browser;
mod call_text;
pub mod cli;
mod client;
pub mod commands;
pub mod context;
mod dashboard;
mod data_dir;
mod demo;
mod descriptors;
mod dev_file;
pub mod exit;
pub mod failure;
mod fields;
mod flags;
mod invocations;
mod json_text;
mod listening;
mod live;
mod load;
mod machine_name;
mod models;
mod operator;
pub mod printer;
mod sandboxes;
mod saved_contexts;
mod screen_rows;
mod secret_input;
mod serving;
pub mod telemetry;
mod value_parsers;
mod wiring;
