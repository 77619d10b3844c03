//! Programs of this machine that the provider runs: found in fixed places, with an empty environment,
//! bounded in time.

use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
    process::Stdio,
    sync::LazyLock,
};

use command_fds::{CommandFdExt as _, FdMapping};
use domain::limits::SANDBOX_PROGRAM_TIMEOUT;
use rustix::fs::OFlags;
use tokio::{io::AsyncWriteExt as _, process::Command};

use crate::{Error, Result};

/// Never the gateway's own `PATH`.
const PROGRAM_DIRS: [&str; 4] = ["/usr/bin", "/usr/sbin", "/bin", "/sbin"];
/// What the programs that they run look in.
pub(super) const PATH: &str = "/usr/bin:/usr/sbin:/bin:/sbin";

pub(super) fn find(name: &str) -> Option<PathBuf> {
    let paths = PROGRAM_DIRS.iter().map(|dir| Path::new(dir).join(name));
    paths
        .into_iter()
        .find(|path| std::fs::metadata(path).is_ok_and(|meta| meta.is_file()))
}

/// A command with nothing of our environment, and none of the files that we were started with.
pub(super) fn command(name: &str) -> Command {
    let path = find(name).unwrap_or_else(|| PathBuf::from(name));
    let mut command = Command::new(path);
    command.env_clear().env("PATH", PATH).stdin(Stdio::null());
    hide_inherited_files(&mut command);
    command
}

/// The files that the parent of this process left open in it, beyond the usual three. What is opened here is closed in
/// programs by itself.
static INHERITED: LazyLock<Vec<i32>> = LazyLock::new(|| {
    let open = std::fs::read_dir("/proc/self/fdinfo");
    let numbers = open.into_iter().flatten().flatten();
    let numbers = numbers.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    numbers
        .filter(|number| *number > 2 && is_inherited(*number))
        .collect()
});

/// Whether a program that is started inherits the file. The kernel lists `flags:` in octal.
fn is_inherited(number: i32) -> bool {
    let info = std::fs::read_to_string(format!("/proc/self/fdinfo/{number}"));
    let info = info.unwrap_or_default();
    let flags = info.lines().find_map(|line| line.strip_prefix("flags:"));
    let flags = flags.and_then(|flags| u32::from_str_radix(flags.trim(), 8).ok());
    flags.is_some_and(|flags| flags & OFlags::CLOEXEC.bits() == 0)
}

/// Replaces inherited files by `/dev/null`: a sandbox would have them too.
fn hide_inherited_files(command: &mut Command) {
    if INHERITED.is_empty() {
        return;
    }
    let nothing = |child_fd: &i32| {
        let nothing = std::fs::File::open("/dev/null").ok()?;
        Some(FdMapping {
            parent_fd: nothing.into(),
            child_fd: *child_fd,
        })
    };
    let covers = INHERITED.iter().filter_map(nothing).collect();
    // Fails for a number that is there twice, and none is.
    let _ = command.fd_mappings(covers);
}

/// Runs it to its end; the error has the last line of its stderr.
pub(super) async fn run(step: &'static str, command: &mut Command) -> Result<()> {
    run_with(step, command, None).await.map(drop)
}

/// Runs it with this input; returns what it printed.
pub(super) async fn run_with(
    step: &'static str,
    command: &mut Command,
    input: Option<&str>,
) -> Result<String> {
    let failed = |error: std::io::Error| Error::failed(step, error);
    if input.is_some() {
        command.stdin(Stdio::piped());
    }
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.kill_on_drop(true);
    let mut child = command.spawn().map_err(failed)?;
    if let (Some(input), Some(mut stdin)) = (input, child.stdin.take()) {
        // A program that ends before it has read all of it says why itself.
        let _ = stdin.write_all(input.as_bytes()).await;
    }
    let ended = tokio::time::timeout(SANDBOX_PROGRAM_TIMEOUT, child.wait_with_output()).await;
    let output = ended
        .map_err(|_| Error::TimedOut { step })?
        .map_err(failed)?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        let line = text.lines().rfind(|line| !line.trim().is_empty());
        let status = output.status.to_string();
        return Err(Error::failed(step, line.unwrap_or(&status)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Joins the groups, or ends: a program that was started for a sandbox ends with it, also when the process
/// that started it was killed and another one removed the sandbox meanwhile.
pub(super) const JOIN: &str =
    "for procs in $PROCS; do echo $$ > \"$procs\" || exit 125; done; unset PROCS\n";

/// Lines of a shell, with their positional parameters, in these groups.
pub(super) fn shell<T: AsRef<OsStr>>(
    script: &str,
    arguments: impl IntoIterator<Item = T>,
    procs: &[PathBuf],
) -> Command {
    let mut command = command("sh");
    command.arg("-c").arg(format!("{JOIN}{script}")).arg("sh");
    command.args(arguments).env("PROCS", procs_variable(procs));
    command
}

/// Names of group files as a shell splits them. They have no spaces.
pub(super) fn procs_variable(procs: &[PathBuf]) -> String {
    let names: Vec<String> = procs
        .iter()
        .map(|file| file.display().to_string())
        .collect();
    names.join(" ")
}
