//! What the engine can do for a container.

/// It depends on the engine, on its rights and on the file system it stores to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EngineSupport {
    /// Pauses a container, so that its files stand still while a snapshot is taken.
    pub pause: bool,
    /// Bounds memory, processes and processors.
    pub resource_limits: bool,
    /// Bounds the disk.
    pub disk_limit: bool,
}
