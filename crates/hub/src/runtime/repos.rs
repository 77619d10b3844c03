//! Clones or fetches the repositories of a sandbox, through the gateway.
//!
//! INVARIANT: credentials of a repository's server never enter the sandbox. Git in the sandbox is configured by variables
//! alone to use the gateway and the sandbox's own token: neither is in a file or a command line.

use agent::env::TOKEN;
use domain::{
    id::SessionId,
    limits::{GIT_COMPLAINT_LENGTH_MAX, REPO_CLONE_TIMEOUT},
};
use sandbox::{ExecRequest, Exit, Handle};

use super::{
    boot::Boot,
    error::BootStepError,
    plan::{Checkout, Remote},
    timeline::Step,
};

const SCRIPT: &str = include_str!("check_out.sh");

/// Returns the variables by which git in the sandbox reaches repositories. The remotes keep the URLs of their servers, so
/// that they are right in a snapshot too; git of this boot rewrites them to the gateway's.
pub(super) fn variables(
    gateway: &str,
    session_id: SessionId,
    repos: &[Checkout],
) -> Vec<(String, String)> {
    let remotes = repos.iter().filter_map(|repo| repo.remote.as_ref());
    let mut settings: Vec<(String, String)> = remotes
        .map(|Remote { repo_id, url }| {
            let ours = format!("url.{gateway}/proliferate/{session_id}/git/{repo_id}.insteadOf");
            // Both forms name the same repository; the rest of the path stays.
            let theirs = url.trim_end_matches('/');
            let theirs = theirs.strip_suffix(".git").unwrap_or(theirs);
            (ours, theirs.to_owned())
        })
        .collect();
    if settings.is_empty() {
        return Vec::new();
    }
    let helper = format!("credential.{gateway}.helper");
    // Removes all other credential helpers.
    settings.push((helper.clone(), String::new()));
    let ask = format!(
        "!f() {{ test \"$1\" = get && printf 'username=sandbox\\npassword=%s\\n' \"${TOKEN}\"; }}; f"
    );
    settings.push((helper, ask));
    let mut variables = vec![
        ("GIT_CONFIG_COUNT".to_owned(), settings.len().to_string()),
        // No user can answer a question of git.
        ("GIT_TERMINAL_PROMPT".to_owned(), "0".to_owned()),
    ];
    for (number, (key, value)) in settings.into_iter().enumerate() {
        variables.push((format!("GIT_CONFIG_KEY_{number}"), key));
        variables.push((format!("GIT_CONFIG_VALUE_{number}"), value));
    }
    variables
}

impl Boot<'_> {
    /// Checks out a repository. One that the snapshot contains stays usable if its server does not answer.
    pub(super) async fn check_out(
        &mut self,
        handle: &Handle,
        repo: &Checkout,
    ) -> Result<(), BootStepError> {
        let folder = format!("{}/{}", sandbox::WORKSPACE, repo.folder);
        let folder = folder.trim_end_matches("/.");
        let url = repo.remote.as_ref().map_or("", |remote| &remote.url);
        let branch = repo.branch.as_deref().unwrap_or_default();
        let mut request =
            ExecRequest::new(["/bin/sh", "-c", SCRIPT, "check_out", folder, url, branch]);
        request.timeout = REPO_CLONE_TIMEOUT;
        let step = Step::Repositories;
        let ended = self.machine.provider.exec(handle, request).await;
        let ended = ended.map_err(BootStepError::of(step))?;
        let (name, said) = (&repo.name, git_error(&ended.stderr.text()));
        let note = match ended.exit {
            Exit::Code(0) => return Ok(()),
            Exit::Code(4) => format!("{name} was not fetched: its folder has another repository."),
            Exit::Code(5) => format!("{name} is as the snapshot has it: {said}."),
            Exit::Code(6) => format!("{name} was not cloned: its folder has other files."),
            Exit::Code(7) => format!("{name} has no branch {branch}; its own first one is used."),
            Exit::Code(_) => {
                let reason = format!("{name} could not be cloned: {said}");
                return Err(BootStepError::Failed { step, reason });
            }
            Exit::TimedOut => {
                let reason = format!("{name} took too long to be cloned");
                return Err(BootStepError::Failed { step, reason });
            }
        };
        self.notes.push(note);
        Ok(())
    }
}

/// Returns why git failed, in one line: the gateway's message, which git shows behind `remote:`, or else git's own last one.
fn git_error(stderr: &str) -> String {
    let said = |prefix: &'static str| {
        let lines = stderr.lines();
        lines.filter_map(move |line| line.trim().strip_prefix(prefix))
    };
    let remote: Vec<&str> = said("remote: ").collect();
    let text = if remote.is_empty() {
        let last = said("fatal: ").next_back();
        last.unwrap_or("git gave no reason").to_owned()
    } else {
        remote.join(" ")
    };
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    let text = text.trim().trim_end_matches('.').chars().map(plain);
    text.take(GIT_COMPLAINT_LENGTH_MAX).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gateway_s_reason_goes_first() {
        let both = "remote: no credential\nfatal: unable to access 'http://x/': error: 403\n";
        assert_eq!(git_error(both), "no credential");
        assert_eq!(git_error("warning: a\nfatal: gone.\n"), "gone");
        assert_eq!(git_error(""), "git gave no reason");
        let long = format!("fatal: \u{1b}[31m{}", "x".repeat(1000));
        assert_eq!(git_error(&long).chars().count(), GIT_COMPLAINT_LENGTH_MAX);
        assert!(!git_error(&long).contains('\u{1b}'));
    }

    #[test]
    fn no_secret_is_among_the_variables() {
        let session: SessionId = "0192f0c1-2345-7abc-8def-0123456789ab".parse().unwrap();
        assert!(variables("http://gw:1", session, &[]).is_empty());
        let repo = Checkout {
            name: "acme/web".to_owned(),
            folder: ".".to_owned(),
            remote: Some(Remote {
                repo_id: "0192f0c1-2345-7abc-8def-0123456789ac".parse().unwrap(),
                url: "https://github.com/acme/web.git".to_owned(),
            }),
            branch: None,
        };
        let variables = variables("http://gw:1", session, &[repo]);
        let of = |name: &str| {
            variables
                .iter()
                .find(|(own, _)| own == name)
                .unwrap()
                .1
                .as_str()
        };
        assert_eq!(of("GIT_CONFIG_COUNT"), "3");
        let ours = "url.http://gw:1/proliferate/0192f0c1-2345-7abc-8def-0123456789ab/git/\
                    0192f0c1-2345-7abc-8def-0123456789ac.insteadOf";
        assert_eq!(of("GIT_CONFIG_KEY_0"), ours);
        assert_eq!(of("GIT_CONFIG_VALUE_0"), "https://github.com/acme/web");
        assert_eq!(of("GIT_CONFIG_VALUE_1"), "");
        assert!(of("GIT_CONFIG_VALUE_2").contains("\"$SANDBOX_MCP_AUTH_TOKEN\""));
    }
}
