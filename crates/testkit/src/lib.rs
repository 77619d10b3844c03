//! What tests and benchmarks share: clocks they can move, services of their own, an application in
//! process. Never part of a release.

pub mod app;
pub mod clock;
pub mod database;
pub mod fixture;
pub mod log;
pub mod nginx;
pub mod permit;
pub mod port;
pub mod process;
pub mod redis;
pub mod s3;
pub mod sample;
pub mod smtp;
pub mod standin;
pub mod tool;

/// The address of a service that `./test` started. A test that needs one fails without it: a skipped
/// test would be a failing one.
pub fn service_url(variable: &str) -> String {
    std::env::var(variable).unwrap_or_else(|_| {
        panic!("{variable} is not set; run ./test: it starts the services tests need")
    })
}
