//! A model that follows a script and speaks the Anthropic Messages API.

pub mod scripted;
