//! Which gateway, and as whom: flags, then variables, then the `dev.json` of the data directory.

use config::{Overrides, env};
use domain::id::OrganizationId;
use secrecy::{ExposeSecret as _, SecretString};

use crate::{context::Context, dev_file::DevFile, exit::Exit, failure::Failure, load::load};

/// Options of every command that is a client.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Gateway")]
pub(crate) struct EndpointArgs {
    /// Gateway to talk to; else that of `dev.json` in the data directory [env: PROLIFERATE_URL]
    #[arg(long, value_name = "URL")]
    url: Option<String>,
    /// Token to send; others on this machine can see it here, so prefer the variable
    /// [env: PROLIFERATE_TOKEN]
    #[arg(long, value_name = "TOKEN")]
    token: Option<SecretString>,
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
    /// Whether `proliferate dev` said so, perhaps long ago.
    from_dev_file: bool,
}

impl Endpoint {
    pub(crate) fn resolve(context: &Context, args: EndpointArgs) -> Result<Self, Failure> {
        let variable = |variable: &config::OtherVariable| {
            config::process_env(variable.variable.name).filter(|v| !v.is_empty())
        };
        let url = args.url.or_else(|| variable(&env::CLIENT_URL));
        let token = args
            .token
            .or_else(|| variable(&env::CLIENT_TOKEN).map(SecretString::from));
        let from_dev_file = url.is_none();
        let (url, token) = match (url, token) {
            (Some(url), Some(token)) => (url, token),
            // INVARIANT: a token of dev.json goes to the gateway of dev.json and to no other.
            (Some(_), None) => {
                return Err(Failure::new(Exit::Denied, "no token is given")
                    .hint("set PROLIFERATE_TOKEN; `proliferate token mint` makes a token"));
            }
            (None, token) => {
                let dev_file = dev_file(context)?;
                let token = token.unwrap_or_else(|| SecretString::from(dev_file.owner));
                (dev_file.url, token)
            }
        };
        if !(url.starts_with("http://") || url.starts_with("https://")) {
            return Err(Failure::new(Exit::Usage, "the gateway's URL is not a URL")
                .hint("write one such as `http://127.0.0.1:7777`"));
        }
        Ok(Self {
            url: url.trim_end_matches('/').to_owned(),
            token,
            organization: args.org.map(|org| org.to_string()),
            from_dev_file,
        })
    }

    /// The gateway of a `dev`, as the demo's owner.
    pub(crate) fn of_dev(dev_file: &DevFile) -> Self {
        Self {
            url: dev_file.url.clone(),
            token: SecretString::from(dev_file.owner.clone()),
            organization: None,
            from_dev_file: true,
        }
    }

    pub(super) fn token(&self) -> &str {
        self.token.expose_secret()
    }

    pub(super) fn unreachable_hint(&self) -> &'static str {
        if self.from_dev_file {
            "is `proliferate dev` running? The address is from its `dev.json`"
        } else {
            "check the URL, and that the gateway is running"
        }
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
            "start one with `proliferate dev`, or set PROLIFERATE_URL and PROLIFERATE_TOKEN to \
             those of another",
        )
    })
}
