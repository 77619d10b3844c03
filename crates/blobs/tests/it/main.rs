//! Storage in a directory and in S3: one suite for what both promise, and one for the failures of each.

#![allow(clippy::unwrap_used, reason = "this is a test, helpers included")]

mod directory;
mod promises;
mod s3;
mod support;
