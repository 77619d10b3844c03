//! A connector as options describe it.

use std::collections::BTreeMap;

use app::connectors::{Auth, Preset};
use domain::{action::Risk, id::ConnectorId};
use wire::connector::{ConnectorAuth, ConnectorConfig, ConnectorTransport, RiskPolicy};

use crate::{exit::Exit, failure::Failure, value_parsers::one_of};

/// What is agreed about a server.
#[derive(Debug, clap::Args)]
pub(super) struct Described {
    /// What is known of the server in advance
    #[arg(long, value_name = "PRESET", default_value = Preset::Custom.as_str())]
    #[arg(value_parser = one_of(Preset::ALL, Preset::as_str))]
    preset: Preset,
    /// What it is called (default: the preset's name)
    #[arg(long)]
    name: Option<String>,
    /// The organization's secret to sign in with, by its key
    #[arg(long, value_name = "KEY")]
    secret: Option<String>,
    /// The header the secret is sent in (default: the preset's, else `Authorization: Bearer`)
    #[arg(long, value_name = "NAME", requires = "secret")]
    header: Option<String>,
    /// How risky tools are of which nothing else is known
    #[arg(long, value_name = "RISK")]
    #[arg(value_parser = one_of(Risk::ALL, Risk::as_str))]
    default_risk: Option<Risk>,
    /// How risky one tool is; may be given several times
    #[arg(long = "risk", value_name = "TOOL=RISK", value_parser = tool_risk)]
    risks: Vec<(String, Risk)>,
    /// Believe the server where it says that a tool only reads
    #[arg(long)]
    trusted: bool,
}

impl Described {
    /// The connector, at this address or at the preset's.
    pub(super) fn config(
        self,
        id: ConnectorId,
        url: Option<String>,
    ) -> Result<ConnectorConfig, Failure> {
        let missing = |what: &str| {
            let message = format!("{what} is needed for the preset `{}`", self.preset);
            Failure::new(Exit::Usage, message)
        };
        let url = url.or_else(|| self.preset.url().map(str::to_owned));
        let url = url.ok_or_else(|| missing("the server's address"))?;
        let known = (self.preset != Preset::Custom).then(|| self.preset.display_name().to_owned());
        let name = self.name.clone().or(known);
        let name = name.ok_or_else(|| missing("--name"))?;
        let default_risk = self.default_risk.or(self.preset.default_risk());
        let overrides: BTreeMap<_, _> = self
            .risks
            .iter()
            .map(|(tool, risk)| (tool.clone(), (*risk).into()))
            .collect();
        Ok(ConnectorConfig {
            id: id.uuid(),
            name,
            transport: ConnectorTransport::RemoteHttp,
            url,
            auth: self.auth(),
            risk_policy: Some(RiskPolicy {
                default_risk: default_risk.map(Into::into),
                overrides,
            }),
            enabled: true,
            trusted: self.trusted,
        })
    }

    fn auth(&self) -> ConnectorAuth {
        match (
            self.preset.auth(self.secret.as_deref()),
            self.header.clone(),
        ) {
            (Auth::None, _) => ConnectorAuth::None,
            (
                Auth::Bearer { secret_key } | Auth::CustomHeader { secret_key, .. },
                Some(header_name),
            )
            | (
                Auth::CustomHeader {
                    secret_key,
                    header_name,
                },
                None,
            ) => ConnectorAuth::CustomHeader {
                secret_key,
                header_name,
            },
            (Auth::Bearer { secret_key }, None) => ConnectorAuth::Bearer { secret_key },
        }
    }
}

/// `TOOL=RISK`. A tool's name may hold the sign; a risk does not.
fn tool_risk(text: &str) -> Result<(String, Risk), String> {
    let (tool, risk) = text.rsplit_once('=').ok_or("must read TOOL=RISK")?;
    let risk = risk
        .parse()
        .map_err(|_| "the risk must be read, write or danger")?;
    Ok((tool.to_owned(), risk))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn described(preset: Preset) -> Described {
        Described {
            preset,
            name: None,
            secret: None,
            header: None,
            default_risk: None,
            risks: vec![tool_risk("a=b=danger").unwrap()],
            trusted: false,
        }
    }

    #[test]
    fn a_preset_fills_in_what_is_not_given() {
        let id = ConnectorId::from_uuid(uuid());
        let context7 = described(Preset::Context7).config(id, None).unwrap();
        assert_eq!(context7.name, "Context7");
        assert_eq!(context7.url, "https://mcp.context7.com/mcp");
        assert_eq!(context7.auth, ConnectorAuth::None);
        let own = Some("https://own.example/".to_owned());
        let own = described(Preset::Context7).config(id, own).unwrap();
        assert_eq!(own.url, "https://own.example/");
        let policy = own.risk_policy.unwrap();
        assert_eq!(policy.default_risk, Some(Risk::Read.into()));
        assert_eq!(policy.overrides["a=b"], Risk::Danger.into());
        for (preset, url) in [
            (Preset::Custom, None),
            (Preset::Custom, Some("https://x/".to_owned())),
            (Preset::Playwright, None),
        ] {
            let refused = described(preset).config(id, url).unwrap_err();
            assert_eq!(refused.exit, Exit::Usage);
        }
    }

    #[test]
    fn a_secret_is_sent_as_the_preset_or_the_header_says() {
        let header = |preset, header: Option<&str>| {
            let mut described = described(preset);
            described.secret = Some("KEY".into());
            described.header = header.map(str::to_owned);
            match described.auth() {
                ConnectorAuth::CustomHeader { header_name, .. } => header_name,
                ConnectorAuth::Bearer { .. } => "bearer".to_owned(),
                ConnectorAuth::None => "none".to_owned(),
            }
        };
        assert_eq!(header(Preset::Context7, None), "X-Api-Key");
        assert_eq!(header(Preset::Context7, Some("X-Other")), "X-Other");
        assert_eq!(header(Preset::Custom, None), "bearer");
        assert_eq!(header(Preset::Custom, Some("X-Key")), "X-Key");
    }

    fn uuid() -> uuid::Uuid {
        uuid::Uuid::nil()
    }
}
