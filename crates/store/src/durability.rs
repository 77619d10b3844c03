//! How much a commit survives.

/// What a commit survives once it has returned. docs/adr/0008 says which record needs which.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Durability {
    /// The end of this process. A loss of power (or of PostgreSQL's server) can lose it, together with everything
    /// committed after it.
    Process,
    /// A loss of power.
    Power,
}
