//! The simulation as a test: a fixed set of seeds, and that a seed is enough to make it happen again.

mod seeds;
