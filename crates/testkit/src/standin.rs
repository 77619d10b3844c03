//! Stand-ins for services that the product talks to: they speak the real wire format, fail on demand and
//! record every request.

pub mod everything;
pub mod mcp;
