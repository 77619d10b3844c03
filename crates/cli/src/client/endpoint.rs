//! Which gateway, and as whom: flags, then variables, then the current context, then the `dev.json` of the data directory.
//!
//! INVARIANT: a token that was saved with an address goes to that address and to no other.

use config::{OtherVariable, Overrides, env};
use domain::id::OrganizationId;
use secrecy::{ExposeSecret as _, SecretString};

use crate::{
    context::Context,
    dev_file::DevFile,
    exit::Exit,
    failure::Failure,
    load::load,
    saved_contexts::{ContextsFile, DEV, SavedContext, SavedContexts},
};

/// Options of every command that is a client.
#[derive(Debug, Default, clap::Args)]
#[command(next_help_heading = "Gateway")]
pub(crate) struct EndpointArgs {
    /// Gateway to talk to; else that of the current context, else that of `dev.json` in the data directory
    /// [env: PROLIFERATE_URL]
    #[arg(long, value_name = "URL", conflicts_with = "context")]
    url: Option<String>,
    /// Token to send; others on this machine can see it here, so prefer the variable
    /// [env: PROLIFERATE_TOKEN]
    #[arg(long, value_name = "TOKEN")]
    token: Option<SecretString>,
    /// Saved gateway to talk to, with its token; `dev` is that of `dev.json` [env: PROLIFERATE_CONTEXT]
    #[arg(long, value_name = "NAME")]
    context: Option<String>,
    /// Organization to act in, if the token is good for several
    #[arg(long, value_name = "ORG")]
    org: Option<OrganizationId>,
}

/// A gateway and a caller.
#[derive(Debug)]
pub(crate) struct Endpoint {
    /// Without a slash at its end.
    pub(super) url: String,
    token: SecretString,
    pub(super) organization: Option<String>,
    source: Source,
}

/// Where the address is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    /// The command line or the environment.
    Given,
    Context,
    /// `proliferate dev` wrote it, perhaps long ago.
    DevFile,
}

/// Which gateway the command line and the environment name.
#[derive(Debug)]
enum Named {
    Url(String, SecretString),
    /// The context, and the token that the command line has for it.
    Context(String, Option<SecretString>),
    /// That of `dev.json`, with a token of its own or another one.
    DevFile(Option<SecretString>),
}

/// What was given where.
#[derive(Debug, Default)]
struct Given {
    url: Option<String>,
    token: Option<SecretString>,
    context: Option<String>,
}

impl Endpoint {
    pub(crate) fn resolve(context: &Context, args: EndpointArgs) -> Result<Self, Failure> {
        let EndpointArgs {
            url,
            token,
            context: named,
            org,
        } = args;
        let flags = Given {
            url,
            token,
            context: named,
        };
        let variable = |variable: &OtherVariable| {
            config::process_env(variable.variable.name).filter(|value| !value.is_empty())
        };
        let variables = Given {
            url: variable(&env::CLIENT_URL),
            token: variable(&env::CLIENT_TOKEN).map(SecretString::from),
            context: variable(&env::CLIENT_CONTEXT),
        };
        let saved = Saved::default();
        let named = choose(flags, variables, || saved.current())?;
        let mut endpoint = match named {
            Named::Url(url, token) => Self::new(&url, token, Source::Given)?,
            Named::Context(name, token) => Self::of_saved(saved.get(&name)?, token)?,
            Named::DevFile(token) => {
                let dev_file = dev_file(context)?;
                let token = token.unwrap_or_else(|| SecretString::from(dev_file.owner));
                Self::new(&dev_file.url, token, Source::DevFile)?
            }
        };
        if let Some(org) = org {
            endpoint.organization = Some(org.to_string());
        }
        Ok(endpoint)
    }

    fn new(url: &str, token: SecretString, source: Source) -> Result<Self, Failure> {
        Ok(Self {
            url: valid_url(url)?,
            token,
            organization: None,
            source,
        })
    }

    /// A saved gateway, with its own token or the one of the command line.
    pub(crate) fn of_saved(
        saved: SavedContext,
        token: Option<SecretString>,
    ) -> Result<Self, Failure> {
        let token = token.unwrap_or_else(|| SecretString::from(saved.token.into_exposed()));
        let mut endpoint = Self::new(&saved.url, token, Source::Context)?;
        endpoint.organization = saved.organization;
        Ok(endpoint)
    }

    /// A gateway without a credential, for signing in.
    pub(crate) fn without_token(url: &str) -> Result<Self, Failure> {
        Self::new(url, SecretString::from(String::new()), Source::Given)
    }

    /// The gateway of a `dev`, as the demo's owner.
    pub(crate) fn of_dev(dev_file: &DevFile) -> Self {
        Self {
            url: dev_file.url.clone(),
            token: SecretString::from(dev_file.owner.clone()),
            organization: None,
            source: Source::DevFile,
        }
    }

    /// `None` if no credential is sent.
    pub(super) fn token(&self) -> Option<&str> {
        Some(self.token.expose_secret()).filter(|token| !token.is_empty())
    }

    pub(super) fn unreachable_hint(&self) -> &'static str {
        match self.source {
            Source::Given => "check the URL, and that the gateway is running",
            Source::Context => {
                "check that the gateway is running; its address is from the context: `proliferate context show`"
            }
            Source::DevFile => "is `proliferate dev` running? The address is from its `dev.json`",
        }
    }
}

/// Decides between what is given. Flags come before variables, and variables before the file: a token that comes from
/// less near than the address is refused instead of being sent somewhere it may not belong to.
fn choose(
    flags: Given,
    variables: Given,
    current: impl FnOnce() -> Result<Option<String>, Failure>,
) -> Result<Named, Failure> {
    if let Some(name) = flags.context {
        return Ok(of_name(name, flags.token));
    }
    let conflict = |message: &str, hint: &str| Err(Failure::new(Exit::Usage, message).hint(hint));
    if flags.url.is_none() && variables.url.is_some() && variables.context.is_some() {
        return conflict(
            "PROLIFERATE_URL and PROLIFERATE_CONTEXT are both set",
            "unset one of them: each names a gateway",
        );
    }
    if let Some(url) = flags.url.or(variables.url) {
        let token = flags.token.or(variables.token);
        // INVARIANT: a token of a context or of dev.json goes to no address that is given beside it.
        let token = token.ok_or_else(|| {
            Failure::new(Exit::Denied, "no token is given").hint(
                "set PROLIFERATE_TOKEN, or sign in once with `proliferate login URL` and use its context",
            )
        })?;
        return Ok(Named::Url(url, token));
    }
    let named = match variables.context {
        Some(name) => Some(name),
        None => current()?,
    };
    match named {
        Some(_) if flags.token.is_none() && variables.token.is_some() => conflict(
            "PROLIFERATE_TOKEN is set without the gateway that it is for, and a context is chosen",
            "set PROLIFERATE_URL as well, or unset PROLIFERATE_TOKEN to use the context's own token",
        ),
        Some(name) => Ok(of_name(name, flags.token)),
        None => Ok(Named::DevFile(flags.token.or(variables.token))),
    }
}

fn of_name(name: String, token: Option<SecretString>) -> Named {
    if name == DEV {
        Named::DevFile(token)
    } else {
        Named::Context(name, token)
    }
}

/// The address of a gateway, without a slash at its end.
pub(crate) fn valid_url(url: &str) -> Result<String, Failure> {
    let parsed = reqwest::Url::parse(url).ok();
    let is_valid = parsed.is_some_and(|url| {
        ["http", "https"].contains(&url.scheme())
            && url.has_host()
            && url.username().is_empty()
            && url.password().is_none()
            && url.query().is_none()
            && url.fragment().is_none()
    });
    if !is_valid {
        return Err(
            Failure::new(Exit::Usage, "the gateway's URL is not a URL of a gateway")
                .hint("write one such as `http://127.0.0.1:7777`"),
        );
    }
    Ok(url.trim_end_matches('/').to_owned())
}

/// The contexts, read when they are needed.
#[derive(Debug, Default)]
struct Saved(std::cell::OnceCell<SavedContexts>);

impl Saved {
    fn contexts(&self) -> Result<&SavedContexts, Failure> {
        if let Some(contexts) = self.0.get() {
            return Ok(contexts);
        }
        let file = ContextsFile::of_user();
        let read = file.map_or_else(|| Ok(SavedContexts::default()), |file| file.read())?;
        Ok(self.0.get_or_init(|| read))
    }

    fn current(&self) -> Result<Option<String>, Failure> {
        Ok(self.contexts()?.current.clone())
    }

    fn get(&self, name: &str) -> Result<SavedContext, Failure> {
        self.contexts()?.get(name).cloned()
    }
}

/// That of the data directory.
pub(crate) fn dev_file(context: &Context) -> Result<DevFile, Failure> {
    let loaded = load(context, &Overrides::default())?;
    let path = loaded.data_dir.dev_file();
    DevFile::read(&path)?.ok_or_else(|| {
        Failure::new(
            Exit::Unavailable,
            format!("no gateway is given, and there is no {}", path.display()),
        )
        .hint(
            "start one with `proliferate dev`, sign in to another with `proliferate login URL`, or set \
             PROLIFERATE_URL and PROLIFERATE_TOKEN",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(url: &str, token: &str, context: &str) -> Given {
        let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        Given {
            url: some(url),
            token: some(token).map(SecretString::from),
            context: some(context),
        }
    }

    fn chosen(flags: [&str; 3], variables: [&str; 3], current: &str) -> Result<String, Exit> {
        let [url, token, context] = flags;
        let flags = given(url, token, context);
        let [url, token, context] = variables;
        let variables = given(url, token, context);
        let current = (!current.is_empty()).then(|| current.to_owned());
        let shown = |token: Option<SecretString>| {
            token.map_or_else(
                || "own".to_owned(),
                |token| token.expose_secret().to_owned(),
            )
        };
        match choose(flags, variables, || Ok(current)) {
            Ok(Named::Url(url, token)) => Ok(format!("url {url} {}", shown(Some(token)))),
            Ok(Named::Context(name, token)) => Ok(format!("context {name} {}", shown(token))),
            Ok(Named::DevFile(token)) => Ok(format!("dev {}", shown(token))),
            Err(failure) => Err(failure.exit),
        }
    }

    /// Flags, variables, the current context, and what is chosen.
    type Case = (
        [&'static str; 3],
        [&'static str; 3],
        &'static str,
        Result<&'static str, Exit>,
    );

    #[test]
    fn flags_then_variables_then_the_context_then_dev() {
        let none = [""; 3];
        let table: [Case; 20] = [
            (none, none, "", Ok("dev own")),
            (["", "t", ""], none, "", Ok("dev t")),
            (none, ["", "t", ""], "", Ok("dev t")),
            (none, none, "prod", Ok("context prod own")),
            (["", "t", ""], none, "prod", Ok("context prod t")),
            // A token of the environment may belong to another gateway.
            (none, ["", "t", ""], "prod", Err(Exit::Usage)),
            (none, ["", "t", "test"], "prod", Err(Exit::Usage)),
            (none, ["", "", "test"], "prod", Ok("context test own")),
            (none, ["", "", "dev"], "prod", Ok("dev own")),
            (
                ["", "t", ""],
                ["", "u", "test"],
                "prod",
                Ok("context test t"),
            ),
            // A saved token does not go to an address beside it.
            (["u", "", ""], none, "prod", Err(Exit::Denied)),
            (none, ["u", "", ""], "prod", Err(Exit::Denied)),
            (["u", "t", ""], none, "prod", Ok("url u t")),
            (["u", "", ""], ["", "t", ""], "prod", Ok("url u t")),
            (["u", "", ""], ["v", "t", "test"], "prod", Ok("url u t")),
            (none, ["u", "t", ""], "prod", Ok("url u t")),
            (none, ["u", "t", "test"], "", Err(Exit::Usage)),
            // A context of the command line comes before all variables.
            (
                ["", "", "test"],
                ["u", "t", "other"],
                "prod",
                Ok("context test own"),
            ),
            (
                ["", "x", "test"],
                ["u", "t", ""],
                "prod",
                Ok("context test x"),
            ),
            (["", "", "dev"], ["u", "t", ""], "prod", Ok("dev own")),
        ];
        for (flags, variables, current, expected) in table {
            let chosen = chosen(flags, variables, current);
            let case = format!("{flags:?} {variables:?} {current:?}");
            assert_eq!(chosen, expected.map(str::to_owned), "{case}");
        }
    }

    #[test]
    fn an_address_is_one_of_a_gateway() {
        assert_eq!(
            valid_url("https://a.example/").unwrap(),
            "https://a.example"
        );
        assert_eq!(
            valid_url("http://127.0.0.1:7777/x").unwrap(),
            "http://127.0.0.1:7777/x"
        );
        for bad in [
            "",
            "a.example",
            "ftp://a",
            "https://",
            "https://u:p@a/",
            "https://a/?x",
            "file:///etc",
        ] {
            assert!(valid_url(bad).is_err(), "{bad}");
        }
    }
}
