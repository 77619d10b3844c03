//! Says when the dashboard must be taken into the binary again; builds nothing itself, so that no build needs Node.

#![allow(clippy::print_stdout, reason = "it is how a build script speaks")]

use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let app = Path::new("../../dashboard");
    let dist = app.join("dist");
    // A debug build reads the folder; that it came into being is all it has to know of it.
    let is_release = std::env::var("PROFILE").is_ok_and(|profile| profile == "release");
    if !dist.exists() && app.exists() {
        println!("cargo::rerun-if-changed={}", app.display());
    } else if dist.exists() && is_release {
        println!("cargo::rerun-if-changed={}", dist.display());
    }
}
