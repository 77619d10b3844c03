//! Stands for the module of the same name beside `content` and `secret_scrubber` in their own crate.

pub(crate) use integrations::{ActionOutput, OutputPart, ResourceBody};
