//! Hands what libFuzzer tries to the target that the environment names.

#![no_main]

use std::sync::LazyLock;

static TARGET: LazyLock<fuzz::Target> = LazyLock::new(|| {
    let name = std::env::var("FUZZ_TARGET").unwrap_or_default();
    fuzz::find(&name).expect("FUZZ_TARGET names a target")
});

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| TARGET(bytes));
