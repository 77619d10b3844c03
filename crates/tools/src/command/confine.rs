//! How a program is sandboxed: bubblewrap gives it namespaces of its own and a file system made of a few
//! read-only directories; `prlimit` inside them bounds what it may use.
//!
//! INVARIANT: no program runs outside a sandbox. Without bubblewrap, or where it may not create
//! namespaces, nothing runs.

use std::{
    ffi::OsString,
    fs,
    io::Read as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{
        LazyLock,
        atomic::{AtomicU32, Ordering},
    },
    thread,
    time::Duration,
};

use domain::limits::{COMMAND_LOG_TAIL_BYTES, COMMAND_OPEN_FILES_MAX, COMMAND_PROBE_MAX};

/// The directories of programs, outside and inside. Never the gateway's own `PATH`.
const PROGRAM_DIRS: [&str; 3] = ["/usr/bin", "/bin", "/usr/local/bin"];
/// Links or directories beside `/usr`, depending on the system.
const SYSTEM_DIRS: [&str; 6] = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];
/// What libraries look up in `/etc`. No passwords, no resolver, no certificates.
const SYSTEM_FILES: [&str; 3] = ["/etc/ld.so.cache", "/etc/alternatives", "/etc/fonts"];
const DEVICES: [&str; 5] = [
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
];
/// User ids that Debian's policy reserves and assigns to no package. Each call under root gets the
/// next one, so that the bound on processes counts its own alone.
const USER_FIRST: u32 = 65_000;
const USER_COUNT: u32 = 500;

pub(super) const INPUT: &str = "/in/input";
pub(super) const OUTPUT: &str = "/out";
pub(super) const WORK: &str = "/tmp";

/// The kind of sandbox that works here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Confinement {
    /// The gateway is root: the program runs as a user that owns nothing.
    OwnUser,
    /// It runs in a user namespace, as the gateway's user as seen from outside. Under root the kernel
    /// does not bound the number of processes in this way.
    UserNamespace,
}

/// The limits of one program.
#[derive(Debug, Clone, Copy)]
pub(super) struct ProgramLimits {
    pub(super) cpu_seconds: u64,
    pub(super) memory_bytes: u64,
    pub(super) file_bytes: u64,
    pub(super) processes: u32,
}

/// Directories and the input of one call.
#[derive(Debug, Clone, Copy)]
pub(super) struct CallFiles<'a> {
    pub(super) input: Option<&'a Path>,
    pub(super) output: &'a Path,
    pub(super) work: &'a Path,
    pub(super) user: u32,
}

impl Confinement {
    /// Tries the available kinds. The error is a remedy.
    pub(super) fn find() -> Result<Self, String> {
        for program in ["bwrap", "prlimit", "setpriv"] {
            if find_program(program).is_none() {
                return Err(format!(
                    "{program} was not found; install bubblewrap and util-linux, for example with \
                     `apt-get install bubblewrap util-linux`"
                ));
            }
        }
        let root = rustix::process::geteuid().is_root();
        let kinds: &[Self] = if root {
            &[Self::OwnUser, Self::UserNamespace]
        } else {
            &[Self::UserNamespace]
        };
        let works = |kind: &&Self| kind.probe(&["true"]).is_some();
        kinds.iter().find(works).copied().ok_or_else(|| {
            "bubblewrap cannot make namespaces here, and no tool runs without them; allow user \
             namespaces (`sysctl kernel.unprivileged_userns_clone=1`, on Ubuntu also \
             `kernel.apparmor_restrict_unprivileged_userns=0`; in a container, a seccomp profile \
             that allows `unshare`)"
                .to_owned()
        })
    }

    /// The next user id outside the sandbox; only root can choose. Processes that share a machine
    /// start at different ids: a runaway program of one must not use up the process limit of another's
    /// tool.
    pub(super) fn next_user(self) -> u32 {
        static NEXT: LazyLock<AtomicU32> = LazyLock::new(|| AtomicU32::new(std::process::id()));
        match self {
            Self::OwnUser => USER_FIRST + NEXT.fetch_add(1, Ordering::Relaxed) % USER_COUNT,
            Self::UserNamespace => rustix::process::geteuid().as_raw(),
        }
    }

    /// Program and arguments that run `argv` sandboxed. Give it an empty environment: that of the outer
    /// process could be visible inside.
    pub(super) fn command(
        self,
        bounds: ProgramLimits,
        files: Option<CallFiles<'_>>,
    ) -> Vec<OsString> {
        let mut line = CommandWords(Vec::new());
        line.add([program_path("bwrap")]);
        line.add(["--unshare-pid", "--unshare-net", "--unshare-ipc"]);
        line.add(["--unshare-uts", "--unshare-cgroup-try"]);
        line.add(["--die-with-parent", "--new-session", "--cap-drop", "ALL"]);
        match self {
            Self::OwnUser => {
                line.add(["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]);
            }
            Self::UserNamespace => {
                line.add(["--unshare-user", "--uid", "65534", "--gid", "65534"]);
            }
        }
        line.add(["--hostname", "tool", "--clearenv"]);
        line.add_environment();
        line.add_file_system(files);
        line.add(["--chdir", WORK, "--"]);
        line.add_limits(bounds);
        if self == Self::OwnUser {
            let user = files.map_or(USER_FIRST, |files| files.user).to_string();
            line.add([program_path("setpriv")]);
            line.add(["--reuid", &user, "--regid", &user, "--clear-groups"]);
            line.add(["--inh-caps=-all", "--ambient-caps=-all", "--no-new-privs"]);
            line.add(["--"]);
        }
        line.0
    }

    /// The first line a program prints when it is run sandboxed, without files; `None` if it fails.
    pub(super) fn probe(self, argv: &[&str]) -> Option<String> {
        let bounds = ProgramLimits {
            cpu_seconds: COMMAND_PROBE_MAX.as_secs(),
            memory_bytes: 1024 * 1024 * 1024,
            file_bytes: 1024 * 1024,
            processes: 16,
        };
        let line = self.command(bounds, None);
        let mut child = Command::new(&line[0])
            .args(&line[1..])
            .args(argv)
            .env_clear()
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .ok()?;
        let pause = Duration::from_millis(2);
        let mut waited = Duration::ZERO;
        // No clock is read: the number of polls approximates the elapsed time.
        let status = loop {
            match child.try_wait() {
                Ok(Some(status)) => break status,
                Ok(None) if waited < COMMAND_PROBE_MAX => thread::sleep(pause),
                _ => {
                    let _ = child.kill();
                    let _ = child.wait();
                    return None;
                }
            }
            waited += pause;
        };
        if !status.success() {
            return None;
        }
        let mut printed = Vec::new();
        let max = COMMAND_LOG_TAIL_BYTES as u64;
        let _ = child.stdout.take()?.take(max).read_to_end(&mut printed);
        let _ = child.stderr.take()?.take(max).read_to_end(&mut printed);
        let text = String::from_utf8_lossy(&printed);
        let line = text.lines().next().unwrap_or_default();
        Some(line.chars().filter(|c| !c.is_control()).take(80).collect())
    }
}

/// The program's file, in one of the directories that are also inside.
pub(super) fn find_program(name: &str) -> Option<PathBuf> {
    let there = |path: &PathBuf| fs::metadata(path).is_ok_and(|meta| meta.is_file());
    if name.starts_with('/') {
        return Some(PathBuf::from(name)).filter(there);
    }
    let paths = PROGRAM_DIRS.iter().map(|dir| Path::new(dir).join(name));
    paths.into_iter().find(there)
}

fn program_path(name: &str) -> OsString {
    find_program(name).map_or_else(|| name.into(), PathBuf::into_os_string)
}

struct CommandWords(Vec<OsString>);

impl CommandWords {
    fn add<T: Into<OsString>>(&mut self, words: impl IntoIterator<Item = T>) {
        self.0.extend(words.into_iter().map(Into::into));
    }

    /// The whole environment of a program.
    fn add_environment(&mut self) {
        let path = PROGRAM_DIRS.join(":");
        for (name, value) in [
            ("PATH", path.as_str()),
            ("HOME", WORK),
            ("TMPDIR", WORK),
            ("LANG", "C.UTF-8"),
            // One call, one core: calls run side by side.
            ("OMP_THREAD_LIMIT", "1"),
        ] {
            self.add(["--setenv", name, value]);
        }
    }

    /// No `/proc`: engines work without it, it reveals details of the system, and containers often
    /// forbid it.
    fn add_file_system(&mut self, files: Option<CallFiles<'_>>) {
        self.add(["--dir", "/dev", "--dir", "/etc", "--dir", "/in"]);
        self.add(["--ro-bind", "/usr", "/usr"]);
        for dir in SYSTEM_DIRS {
            match fs::read_link(dir) {
                Ok(target) => {
                    self.add(["--symlink"]);
                    self.add([target.into_os_string(), dir.into()]);
                }
                Err(_) => self.add(["--ro-bind-try", dir, dir]),
            }
        }
        for file in SYSTEM_FILES {
            self.add(["--ro-bind-try", file, file]);
        }
        for device in DEVICES {
            self.add(["--dev-bind", device, device]);
        }
        let Some(files) = files else {
            self.add(["--tmpfs", WORK, "--remount-ro", "/"]);
            return;
        };
        for (option, from, to) in [
            ("--bind", Some(files.output), OUTPUT),
            ("--bind", Some(files.work), WORK),
            ("--ro-bind", files.input, INPUT),
        ] {
            if let Some(from) = from {
                self.add([option]);
                self.add([from.as_os_str(), to.as_ref()]);
            }
        }
        self.add(["--remount-ro", "/"]);
    }

    /// Set inside the namespaces: the bound on processes then counts those inside.
    fn add_limits(&mut self, bounds: ProgramLimits) {
        self.add([program_path("prlimit")]);
        for (name, value) in [
            ("cpu", bounds.cpu_seconds),
            ("as", bounds.memory_bytes),
            ("fsize", bounds.file_bytes),
            ("nproc", bounds.processes.into()),
            ("nofile", COMMAND_OPEN_FILES_MAX),
            ("core", 0),
        ] {
            self.add([format!("--{name}={value}:{value}")]);
        }
        self.add(["--"]);
    }
}
