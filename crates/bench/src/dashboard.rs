//! How soon is the dashboard there, and how smooth is it? Chromium against the program with its demo, both as they are
//! released: script of a first visit, until its page can be used, until a session with 10,000 events is shown, and
//! pictures in a second while it is scrolled. The browser's tests measure; this runs them and reads.

use std::{
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use anyhow::{Context as _, ensure};
use serde_json::Value;
use tokio::process::Command;

use crate::table::Table;

pub(crate) const NAME: &str = "dashboard";

const ON: &str = "Chromium";

pub(crate) async fn measure(table: &mut Table) -> anyhow::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../dashboard");
    let browser = std::env::var("CHROMIUM").unwrap_or_else(|_| "/usr/bin/chromium".to_owned());
    let has_packages = folder.join("node_modules/.bin/playwright").exists();
    if !has_packages || !Path::new(&browser).exists() {
        skipped();
        return Ok(());
    }
    let profile = if cfg!(debug_assertions) {
        "debug"
    } else {
        "release"
    };
    let ran = Command::new("npx")
        .args(["--no-install", "playwright", "test", "speed.spec.ts"])
        .current_dir(&folder)
        .env("E2E_PROFILE", profile)
        // The table is what this program writes there.
        .stdout(Stdio::null())
        .status();
    let ran = ran.await.context("npx is not there")?;
    ensure!(ran.success(), "the browser's tests of speed failed");
    let read = async |name: &str| read(folder.join("e2e/output").join(name)).await;
    let first = read("speed-first.json").await?;
    let long = read("speed-long.json").await?;
    let script = first["scriptBytes"].as_u64().unwrap_or_default();
    table.bytes("dashboard: script of a first visit", ON, 1, script);
    let interactive = millis(&first["interactiveMs"]);
    table.tries("dashboard: until it can be used", ON, 1, interactive, None);
    let opened = millis(&long["openMs"]);
    table.tries("dashboard: open 10,000 events", ON, 1, opened, None);
    let frames = millis(&long["frameMs"]);
    let count = u32::try_from(frames.len()).unwrap_or(u32::MAX);
    let took = frames.iter().sum();
    table.rate("dashboard: pictures while scrolling", ON, count, took);
    table.tries("dashboard: a picture", ON, 1, frames, None);
    Ok(())
}

async fn read(path: PathBuf) -> anyhow::Result<Value> {
    let text = tokio::fs::read(&path).await;
    let text = text.with_context(|| format!("{} cannot be read", path.display()))?;
    Ok(serde_json::from_slice(&text)?)
}

fn millis(all: &Value) -> Vec<Duration> {
    let all = all.as_array().into_iter().flatten();
    all.filter_map(Value::as_f64)
        .map(|millis| Duration::from_secs_f64(millis / 1000.0))
        .collect()
}

#[expect(clippy::print_stderr, reason = "progress of a run that takes minutes")]
fn skipped() {
    eprintln!(
        "dashboard: left out: its packages or Chromium are not installed; `./test` installs them"
    );
}
