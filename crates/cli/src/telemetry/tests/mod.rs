//! Telemetry as a whole: lines as they are written, spans as a collector receives them.

mod collector;
mod export;
mod lines;
mod scrub;
