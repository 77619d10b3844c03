//! What this machine is called.

use std::{fs, process::Command};

use domain::limits::NAME_LENGTH_MAX;

/// The host name, as the kernel or the `hostname` program says it.
pub(crate) fn machine_name() -> String {
    let of_kernel = fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let of_program = || {
        let output = Command::new("hostname").output().ok()?;
        String::from_utf8(output.stdout).ok()
    };
    let name = of_kernel.or_else(of_program).unwrap_or_default();
    let name: String = name
        .trim()
        .chars()
        .filter(|character| !character.is_control())
        .take(NAME_LENGTH_MAX)
        .collect();
    if name.is_empty() {
        "terminal".to_owned()
    } else {
        name
    }
}
