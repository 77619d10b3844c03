//! A model that follows a script and serves the Anthropic Messages API.

pub mod scripted;
