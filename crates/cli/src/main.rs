//! The `proliferate` binary.

fn main() {}
