//! The directories of a sandbox on this machine: mount points, the small files of its `/etc`, its disk.

use std::{
    fs, io,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};

use super::{root_tier, tier::Tier};
use crate::{SandboxId, pid::ProcessIdentity};

#[derive(Debug, Clone)]
pub(super) struct SandboxLayout {
    pub(super) tier: Tier,
    /// Passable by the sandbox's user.
    pub(super) run: PathBuf,
    /// The disk's file, in the root tier.
    pub(super) image: PathBuf,
}

impl SandboxLayout {
    pub(super) fn of(tier: Tier, id: &SandboxId, dir: &Path) -> Self {
        let run = match tier {
            Tier::Root => root_tier::run_dir().join(id.as_str()),
            Tier::Rootless => dir.join("run"),
        };
        Self {
            tier,
            run,
            image: dir.join("disk.img"),
        }
    }

    pub(super) fn disk(&self) -> PathBuf {
        self.run.join("disk")
    }

    /// Makes the directories and the small files of `/etc`.
    pub(super) fn make(&self, hosts: &str) -> io::Result<()> {
        let etc = self.run.join("etc");
        for dir in [&self.run, &self.run.join("home"), &self.disk(), &etc] {
            fs::create_dir_all(dir)?;
            fs::set_permissions(dir, fs::Permissions::from_mode(0o755))?;
        }
        if self.tier == Tier::Rootless {
            root_tier::make_disk_dirs(&self.disk(), None)?;
        }
        for (name, text) in [
            (
                "passwd",
                "root:x:0:0:root:/root:/usr/sbin/nologin\nuser:x:1000:1000:user:/home/user:/bin/bash\n",
            ),
            ("group", "root:x:0:\nuser:x:1000:\n"),
            (
                "nsswitch.conf",
                "passwd: files\ngroup: files\nhosts: files\n",
            ),
            // No server listens there: there is no name service.
            (
                "resolv.conf",
                "nameserver 127.0.0.1\noptions timeout:1 attempts:1\n",
            ),
            ("hosts", hosts),
        ] {
            fs::write(etc.join(name), text)?;
        }
        Ok(())
    }

    /// The path by which this process reads what the sandbox wrote.
    pub(super) fn disk_seen_by(&self, monitor: ProcessIdentity) -> PathBuf {
        let disk = self.disk();
        match self.tier {
            Tier::Root => {
                let below = disk.strip_prefix("/").unwrap_or(&disk);
                PathBuf::from(format!("/proc/{}/root", monitor.pid)).join(below)
            }
            Tier::Rootless => disk,
        }
    }

    pub(super) fn overlay_options(&self, lower: &str) -> String {
        let disk = self.disk();
        let disk = disk.display();
        let tier = match self.tier {
            Tier::Root => "index=off,metacopy=off,redirect_dir=nofollow,xino=off",
            Tier::Rootless => "userxattr,index=off,xino=off",
        };
        format!("lowerdir={lower},upperdir={disk}/upper,workdir={disk}/work,{tier}")
    }
}
