//! Starts programs in a running sandbox: puts them into its groups and namespaces, without any right, and under the same
//! filter as everything else inside.

use std::{io, path::PathBuf};

use tokio::process::Command;

use super::{
    bwrap::{ARGS_FD, BwrapArguments, pass_files},
    confine,
    launch::INNER_USER,
    program, seccomp,
    tier::Tier,
};
use crate::{Env, Error, Result, pid::ProcessIdentity};

pub(super) struct JoinCommand<'a> {
    pub(super) tier: Tier,
    pub(super) init: ProcessIdentity,
    pub(super) monitor: ProcessIdentity,
    pub(super) procs: &'a [PathBuf],
    pub(super) filters: &'a seccomp::SeccompFilters,
    pub(super) cwd: &'a str,
    pub(super) env: &'a Env,
}

impl JoinCommand<'_> {
    pub(super) fn command<'a>(&self, argv: impl IntoIterator<Item = &'a str>) -> Result<Command> {
        let failed = |error: io::Error| Error::failed("joining the sandbox", error);
        let environ = self.init.environment().map_err(failed)?;
        let mut line = BwrapArguments::default();
        line.add([
            "--dev-bind",
            "/",
            "/",
            "--new-session",
            "--chdir",
            self.cwd,
            "--clearenv",
        ]);
        for variable in environ.split(|b| *b == 0) {
            let text = String::from_utf8_lossy(variable);
            if let Some((name, value)) = text.split_once('=') {
                line.add(["--setenv", name, value]);
            }
        }
        for (name, value) in self.env.exposed() {
            line.add(["--setenv", name, value]);
        }
        line.add_filters();
        let mut command = self.joining_command();
        command.args(["/usr/bin/bwrap", "--args", &ARGS_FD.to_string(), "--"]);
        command.args(argv);
        let args = seccomp::memory_file(&line.0).map_err(failed)?;
        pass_files(&mut command, args, self.filters, None).map_err(failed)?;
        // A signal to our own group is not meant for what runs inside.
        command.process_group(0);
        Ok(command)
    }

    /// The command up to bubblewrap, which sets the filter.
    fn joining_command(&self) -> Command {
        let nothing: [&str; 0] = [];
        let mut command = program::shell("ulimit -c 0; exec \"$@\"", nothing, self.procs);
        command.args(confine::resource_words());
        let (init, monitor) = (self.init.pid.to_string(), self.monitor.pid.to_string());
        let spaces = [
            "--mount", "--pid", "--ipc", "--uts", "--cgroup", "--user", "--wd=/",
        ];
        match self.tier {
            Tier::Root => {
                command
                    .args(["nsenter", "--target", &init, "--net"])
                    .args(spaces);
                command.args(["--setuid", INNER_USER, "--setgid", INNER_USER]);
            }
            // The gateway's own user is unmapped in there until it has joined the namespace the sandbox was made in.
            Tier::Rootless => {
                command.args(["nsenter", "--target", &monitor, "--user"]);
                command.args(["--preserve-credentials", "--", "nsenter"]);
                command.args(["--target", &init]).args(spaces);
                command.arg("--preserve-credentials");
            }
        }
        command.arg("--");
        command
    }
}
