//! The proliferate binary.
