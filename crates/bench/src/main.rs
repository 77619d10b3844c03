//! Benchmarks: one file per question.

fn main() {}
