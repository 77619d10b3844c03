//! The person's browser, where there is one.

use std::process::{Command, Stdio};

/// Opens an address of a page, and returns whether a browser was started. Without a display there is none.
pub(crate) fn open(address: &str) -> bool {
    // Nothing but a page: a program that opens addresses opens files and other programs too.
    if !(address.starts_with("http://") || address.starts_with("https://")) {
        return false;
    }
    let Some(opener) = opener() else {
        return false;
    };
    let started = Command::new(opener)
        .arg(address)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    started.is_ok()
}

fn opener() -> Option<&'static str> {
    if cfg!(target_os = "macos") {
        return Some("open");
    }
    let has = |name: &str| config::process_env(name).is_some_and(|value| !value.is_empty());
    (has("DISPLAY") || has("WAYLAND_DISPLAY")).then_some("xdg-open")
}
