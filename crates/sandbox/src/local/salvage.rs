//! A snapshot of a sandbox that has died: its disk is still there.

use std::{fs, process::Stdio};

use domain::limits::{SANDBOX_PROGRAM_TIMEOUT, SANDBOX_STAGE_TIMEOUT};
use tokio::io::AsyncReadExt as _;

use super::{Local, Record, Tier, pid, program};
use crate::{Error, Handle, Result, SnapshotRef, stoppable::stoppable};

const STEP: &str = "reading the disk of a dead sandbox";
/// Mounts the disk where no other process sees it, until its caller no longer waits.
const MOUNT: &str = "mount -o loop,ro,nodev,nosuid,noexec \"$1\" \"$2\" && echo ready && read end";

impl Local {
    /// Keeps the home directory of a sandbox that does not run any more. Nothing could be scrubbed: whatever
    /// secrets were on its disk are in the snapshot, which is for the sandbox's session alone.
    pub async fn salvage(&self, handle: &Handle) -> Result<SnapshotRef> {
        let record = self.record(handle)?;
        if !record.is_dead() {
            return Err(Error::invalid("the sandbox is not dead"));
        }
        let staged = match self.0.tier {
            Tier::Root => self.stage_image(&record).await?,
            Tier::Rootless => {
                let upper = self.place(&record.id).disk().join("upper");
                let store = self.0.store.clone();
                stoppable(STEP, SANDBOX_STAGE_TIMEOUT, move |stop| {
                    store.stage(&upper, stop)
                })
                .await?
            }
        };
        self.publish(&record, staged).await
    }

    async fn stage_image(&self, record: &Record) -> Result<super::store::Staged> {
        let failed = |error: std::io::Error| Error::failed(STEP, error);
        let image = self.place(&record.id).image;
        if record.boot_id != pid::boot_id() {
            // It was not unmounted, and has no journal.
            let mut repair = program::command("e2fsck");
            repair.args(["-f", "-y"]).arg(&image);
            // Whether it changed something is in its exit code; whether it helped, the mount says.
            let _ = program::run(STEP, &mut repair).await;
        }
        let point = self.0.records.dir(&record.id).join("mounted");
        fs::create_dir_all(&point).map_err(failed)?;
        let mut holder = program::command("unshare");
        holder
            .args([
                "--mount",
                "--propagation",
                "private",
                "--",
                "/bin/sh",
                "-c",
                MOUNT,
                "sh",
            ])
            .arg(&image)
            .arg(&point)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true);
        let mut holder = holder.spawn().map_err(failed)?;
        let mut said = [0; 6];
        if let Some(stdout) = &mut holder.stdout {
            let read = tokio::time::timeout(SANDBOX_PROGRAM_TIMEOUT, stdout.read_exact(&mut said));
            let read = read.await.map_err(|_| Error::TimedOut { step: STEP })?;
            read.map_err(|_| Error::failed(STEP, "it cannot be mounted"))?;
        }
        let pid = holder.id().unwrap_or_default();
        let below = point.strip_prefix("/").unwrap_or(&point).join("upper");
        let upper = std::path::Path::new(&format!("/proc/{pid}/root")).join(below);
        let store = self.0.store.clone();
        let staged = stoppable(STEP, SANDBOX_STAGE_TIMEOUT, move |stop| {
            store.stage(&upper, stop)
        });
        let staged = staged.await;
        drop(holder.stdin.take());
        let _ = holder.wait().await;
        staged
    }
}
