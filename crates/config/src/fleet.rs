//! `[fleet]`: whose admins operate this installation.

use domain::id::OrganizationId;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::{
    env,
    error::{Complaint, Refusal, echo},
    resolve::Resolver,
    setting::Setting,
    value::Value,
};

pub const OPERATORS: Setting = Setting {
    path: "fleet.operators",
    flag: "--fleet-operators",
    env: &[env::FLEET_OPERATORS],
};

/// Organizations that run one installation; they are gone through with each request for the fleet.
const OPERATORS_MAX: usize = 100;

/// The fleet: an instance serves all organizations, so that an admin of one of them may not have a say in it by that alone.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FleetSettings {
    /// Organizations whose admins operate this installation. None: nobody does, over the API.
    pub operators: Vec<OrganizationId>,
}

impl FleetSettings {
    pub(crate) fn resolve(resolver: &mut Resolver<'_>, file: FleetFile) -> Self {
        let none = Organizations::default();
        Self {
            operators: resolver.value(&OPERATORS, file.operators, none).0,
        }
    }

    pub fn validate(&self) -> Vec<Complaint> {
        let count = self.operators.len();
        if count <= OPERATORS_MAX {
            return Vec::new();
        }
        vec![Complaint::new(
            OPERATORS.path,
            format!("has {count} entries"),
            format!("list at most {OPERATORS_MAX} organizations"),
        )]
    }
}

/// `[fleet]` of the file.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct FleetFile {
    /// Ids of the organizations whose admins operate this installation: they see its instances and drain them.
    /// Default: none.
    operators: Option<Vec<String>>,
}

/// A list separated by commas.
#[derive(Debug, Default, PartialEq, Eq)]
struct Organizations(Vec<OrganizationId>);

impl Value for Organizations {
    fn parse(text: &str) -> Result<Self, Refusal> {
        let ids = text.split(',').map(str::trim).filter(|id| !id.is_empty());
        let id = |text: &str| {
            OrganizationId::new(text).map_err(|_| {
                Refusal::new(
                    format!("has {}, which is no id of an organization", echo(text)),
                    "list ids of organizations, such as `org_acme`",
                )
            })
        };
        ids.map(id).collect::<Result<_, _>>().map(Self)
    }

    fn show(&self) -> String {
        if self.0.is_empty() {
            return "(none)".to_owned();
        }
        let shown: Vec<&str> = self.0.iter().map(OrganizationId::as_str).collect();
        shown.join(",")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_and_nothing_else() {
        let read = Organizations::parse("org_acme, org_ops,").unwrap();
        assert_eq!(read.show(), "org_acme,org_ops");
        assert_eq!(Organizations::parse(""), Ok(Organizations::default()));
        // Nobody is everybody: a star is no id.
        for bad in ["*", "org acme", "org_acme;org_ops"] {
            assert!(Organizations::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn nobody_operates_unless_somebody_says_so() {
        assert_eq!(FleetSettings::default().operators, []);
        assert_eq!(FleetSettings::default().validate(), []);
        let acme = OrganizationId::new("org_acme").unwrap();
        let too_many = FleetSettings {
            operators: vec![acme; OPERATORS_MAX + 1],
        };
        assert_eq!(too_many.validate().len(), 1);
    }
}
