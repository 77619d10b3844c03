//! Tools that are code of ours. Each is an executor like any other: it takes a permit.

use tools::Executors;

/// Registers them.
pub fn with_builtins(executors: Executors) -> Executors {
    executors
}
