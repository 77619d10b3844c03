//! Runs the simulation of many gateways (`crates/simulate`), which is a program of its own: this one builds quickly and
//! knows nothing of the product.

use std::{path::Path, process::Command};

use anyhow::Context;

/// Whether every seed kept every promise.
pub(crate) fn run(root: &Path, arguments: &[&str]) -> anyhow::Result<bool> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .current_dir(root)
        .args(["run", "--quiet", "--locked", "--package", "simulate", "--"])
        .args(arguments)
        .status()
        .context("cargo could not be started")?;
    Ok(status.success())
}
