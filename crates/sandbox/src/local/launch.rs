//! Boots a sandbox: its first process, in namespaces of its own, with its home directory mounted.
//!
//! Mounts are made in a mount namespace that begins with the sandbox and ends with its last process, so that
//! none is ever left on the machine. The first process does nothing but wait; it cannot be killed from inside.

use std::{
    fs::{self, File},
    io,
    os::{fd::OwnedFd, unix::fs::FileExt as _},
    path::{Path, PathBuf},
    process::Stdio,
};

use domain::limits::SANDBOX_READY_TIMEOUT;
use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader},
    process::{Child, ChildStdin, Command},
};

use super::{
    bwrap::{ARGS_FD, BwrapArguments, INFO_FD, pass_files},
    cgroup::wait_until,
    confine,
    layout::SandboxLayout,
    network, program, root_tier, seccomp,
    tier::Tier,
};
use crate::{Env, Error, HOME, Result, SandboxId, pid::ProcessIdentity};

/// Where logs are inside.
pub(super) const LOG_DIR: &str = "/run/proliferate";
/// The user of every program inside.
pub(super) const INNER_USER: &str = "1000";

/// Links or directories beside `/usr`, depending on the system.
const SYSTEM_DIRS: [&str; 6] = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];
/// Of this machine's `/etc`: what libraries look up, nothing of a user.
const SYSTEM_FILES: [&str; 7] = [
    "/etc/ld.so.cache",
    "/etc/alternatives",
    "/etc/fonts",
    "/etc/ssl/certs",
    "/etc/ca-certificates",
    "/etc/mime.types",
    "/etc/localtime",
];

/// Mounts, then becomes the rest of the command line.
const LAUNCH: &str = r#"set -e
ulimit -c 0
for procs in $PROCS; do echo $$ > "$procs"; done
if test -n "$IMAGE"; then
  echo -900 2>/dev/null > /proc/$$/oom_score_adj || true
  mount -o loop,noinit_itable,nodev,nosuid,noatime "$IMAGE" "$RUN/disk"
fi
mount -t overlay -o "$OVERLAY" overlay "$RUN/home"
"#;

/// Waits for a word, so that it does not outlive a gateway that died before it recorded the sandbox.
/// Its children are reaped by the kernel when they end, because it ignores their signal.
const INIT: &str = "echo ready && read go && exec >/dev/null 2>&1 </dev/null && \
                    exec /usr/bin/env --ignore-signal=CHLD sleep infinity";
/// The last program the line above becomes.
const SETTLED: &str = "sleep";
const STEP: &str = "starting the sandbox";
/// What bubblewrap says of a first process: its number, and those of some namespaces.
const INFO_BYTES_MAX: usize = 4096;

/// A first process that waits for the word to go on.
pub(super) struct LaunchedSandbox {
    pub(super) init: ProcessIdentity,
    pub(super) monitor: ProcessIdentity,
    word: Option<ChildStdin>,
}

impl LaunchedSandbox {
    /// Sends the word, and waits until the process executes its last program: a program that joins reads its environment, and
    /// a process has none while it executes another program. Without the word the process ends with the holder of this.
    pub(super) async fn go(mut self) -> Result<()> {
        let Some(word) = &mut self.word else {
            return Err(Error::Gone);
        };
        let said = word.write_all(b"go\n").await;
        said.map_err(|error| Error::failed(STEP, error))?;
        let init = self.init;
        wait_until(STEP, SANDBOX_READY_TIMEOUT, || {
            init.is_running_program(SETTLED)
        })
        .await
    }
}

pub(super) struct Launch<'a> {
    pub(super) id: &'a SandboxId,
    pub(super) layout: &'a SandboxLayout,
    /// The overlay's lower side, relative to the store.
    pub(super) lower: &'a str,
    pub(super) store: &'a Path,
    /// Files to write its process into.
    pub(super) procs: &'a [PathBuf],
    pub(super) env: &'a Env,
    /// Of `/dev/shm`.
    pub(super) shared_memory_bytes: u64,
    pub(super) filters: &'a seccomp::SeccompFilters,
    /// Owner of the outer user namespace, in the root tier.
    pub(super) owner: Option<u32>,
}

impl Launch<'_> {
    /// Starts the first process and waits until it says that it is there.
    pub(super) async fn run(&self) -> Result<LaunchedSandbox> {
        let failed = |error: io::Error| Error::failed(STEP, error);
        // Not a pipe: if we were killed meanwhile, bubblewrap would end when it writes, and what it had made would wait
        // for its word for ever.
        let info = seccomp::memory_file(&[]).map_err(failed)?;
        let ours = File::from(info.try_clone().map_err(failed)?);
        let child = self.command(info).and_then(|mut it| it.spawn());
        let mut child = child.map_err(failed)?;
        let ready = tokio::time::timeout(SANDBOX_READY_TIMEOUT, read_ready(&mut child)).await;
        match ready {
            Ok(Ok(true)) => {}
            Ok(Err(error)) => return Err(failed(error)),
            Ok(Ok(false)) | Err(_) => {
                let _ = child.start_kill();
                let mut text = String::new();
                if let Some(mut stderr) = child.stderr.take() {
                    let read = stderr.read_to_string(&mut text);
                    let _ = tokio::time::timeout(domain::limits::SANDBOX_DRAIN, read).await;
                }
                let line = text.lines().rfind(|line| !line.trim().is_empty());
                return Err(Error::failed(STEP, line.unwrap_or("it did not start")));
            }
        }
        // Written before the first process was let go on to say that it is there.
        let mut text = [0; INFO_BYTES_MAX];
        let read = ours.read_at(&mut text, 0).map_err(failed)?;
        let value: serde_json::Value =
            serde_json::from_slice(&text[..read]).map_err(|error| Error::failed(STEP, error))?;
        let pid = value["child-pid"]
            .as_u64()
            .and_then(|pid| u32::try_from(pid).ok());
        let pids = pid.zip(child.id());
        let (init, monitor) = pids.ok_or_else(|| Error::failed(STEP, "it has no process"))?;
        let word = child.stdin.take();
        // Reaped when it ends, as long as this process lives; nothing kills it when it does not.
        tokio::spawn(async move {
            let _ = child.wait().await;
        });
        Ok(LaunchedSandbox {
            init: ProcessIdentity::of(init).map_err(failed)?,
            monitor: ProcessIdentity::of(monitor).map_err(failed)?,
            word,
        })
    }

    fn command(&self, info: OwnedFd) -> io::Result<Command> {
        let mut command = program::command("unshare");
        if self.layout.tier == Tier::Rootless {
            command.args(["--user", "--map-root-user"]);
        }
        command.args(["--mount", "--propagation", "private", "--"]);
        let script = format!("{LAUNCH}{}exec \"$@\"", confine::NAMESPACE_SCRIPT);
        command.args(["/bin/sh", "-c", &script, "sh"]);
        let mut owner = String::new();
        match self.owner {
            Some(of) => {
                owner = of.to_string();
                let network = network::namespace_file(self.id);
                command
                    .arg("nsenter")
                    .arg(format!("--net={}", network.display()));
                command.arg("--").args(confine::namespace_words(of));
                command.args(confine::limit_words());
                command.args(confine::user_words(root_tier::USER));
            }
            // In the namespace in which it was mounted.
            None => _ = command.args(confine::limit_words()),
        }
        command.arg("bwrap");
        command.args([
            "--info-fd",
            &INFO_FD.to_string(),
            "--args",
            &ARGS_FD.to_string(),
        ]);
        command.args(["--", "/bin/sh", "-c", INIT]);
        let image = match self.layout.tier {
            Tier::Root => self.layout.image.as_os_str(),
            Tier::Rootless => "".as_ref(),
        };
        command
            .env("PROCS", program::procs_variable(self.procs))
            .env("IMAGE", image)
            .env("RUN", &self.layout.run)
            .env("OVERLAY", self.layout.overlay_options(self.lower))
            .env("OWNER", owner)
            .env("INSIDE", root_tier::USER.to_string())
            .env("LIMITS", confine::namespace_limits())
            .current_dir(self.store)
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let args = seccomp::memory_file(&self.arguments())?;
        pass_files(&mut command, args, self.filters, Some(info))?;
        Ok(command)
    }

    /// Of bubblewrap, each ended by a NUL: in a file, because no other process may see the environment.
    fn arguments(&self) -> Vec<u8> {
        let mut line = BwrapArguments::default();
        line.add(["--unshare-user", "--uid", INNER_USER, "--gid", INNER_USER]);
        line.add([
            "--unshare-pid",
            "--unshare-ipc",
            "--unshare-uts",
            "--unshare-cgroup-try",
        ]);
        line.add(["--hostname", "sandbox", "--as-pid-1", "--new-session"]);
        line.add(["--ro-bind", "/usr", "/usr"]);
        for dir in SYSTEM_DIRS {
            match fs::read_link(dir) {
                Ok(target) => line.add(["--symlink", &target.to_string_lossy(), dir]),
                Err(_) => line.add(["--ro-bind-try", dir, dir]),
            }
        }
        for dir in ["/home", "/etc", "/etc/ssl", "/run", "/var"] {
            line.add(["--perms", "0755", "--dir", dir]);
        }
        for file in SYSTEM_FILES {
            line.add(["--ro-bind-try", file, file]);
        }
        let run = self.layout.run.display();
        for name in ["passwd", "group", "nsswitch.conf", "resolv.conf", "hosts"] {
            line.add([
                "--ro-bind",
                &format!("{run}/etc/{name}"),
                &format!("/etc/{name}"),
            ]);
        }
        line.add(["--proc", "/proc", "--dev", "/dev"]);
        // Memory that looks like files cannot be freed by killing a process, so there is less of it.
        let shared = self.shared_memory_bytes.to_string();
        line.add([
            "--size",
            &shared,
            "--tmpfs",
            "/dev/shm",
            "--remount-ro",
            "/dev",
        ]);
        line.add([
            "--bind",
            &format!("{run}/disk/tmp"),
            "/tmp",
            "--symlink",
            "/tmp",
            "/var/tmp",
        ]);
        line.add(["--bind", &format!("{run}/disk/log"), LOG_DIR]);
        line.add(["--bind", &format!("{run}/home"), HOME, "--remount-ro", "/"]);
        line.add(["--chdir", HOME, "--clearenv"]);
        for (name, value) in BASE_ENV {
            line.add(["--setenv", name, value]);
        }
        for (name, value) in self.env.exposed() {
            line.add(["--setenv", name, value]);
        }
        line.add_filters();
        line.0
    }
}

/// The environment of every program unless its caller overrides it.
const BASE_ENV: [(&str, &str); 7] = [
    ("HOME", HOME),
    ("USER", "user"),
    ("LOGNAME", "user"),
    ("SHELL", "/bin/bash"),
    ("LANG", "C.UTF-8"),
    ("TMPDIR", "/tmp"),
    (
        "PATH",
        "/home/user/.local/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
    ),
];

/// Waits for the first process to print its line; `false` if it printed another one.
async fn read_ready(child: &mut Child) -> io::Result<bool> {
    let Some(stdout) = child.stdout.take() else {
        return Ok(false);
    };
    let mut line = String::new();
    BufReader::new(stdout).read_line(&mut line).await?;
    Ok(line == "ready\n")
}
