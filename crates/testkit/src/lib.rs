//! What tests and benchmarks share: clocks they can move, services of their own, an application in
//! process. Never part of a release.

pub mod clock;
