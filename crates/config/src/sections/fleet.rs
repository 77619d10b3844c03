//! `[fleet]`: the organizations whose admins operate this installation.

use domain::id::OrganizationId;

use crate::{
    invalid::InvalidSetting,
    resolve::Resolver,
    setting::{DefaultValue, EnvVar, Section, SectionEntry, Setting, ValueKind},
    value::bounds::check_count,
};

pub const OPERATORS: Setting = Setting {
    path: "fleet.operators",
    flag: "--fleet-operators",
    env: &[EnvVar::new("PROLIFERATE_FLEET_OPERATORS", "0.1.0")],
    kind: ValueKind::Ids,
    default: DefaultValue::Text(""),
    help: "Ids of the organizations whose admins operate this installation: they see its instances and drain them.",
};

pub(crate) const SECTION: Section = Section {
    name: "fleet",
    heading: "Fleet",
    entries: &[SectionEntry::Open(OPERATORS)],
    other_variables: &[],
};

/// Each request for the fleet searches the whole list.
const OPERATORS_MAX: usize = 100;

/// The fleet. An instance serves all organizations, so being an admin of one of them gives no right to operate it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FleetSettings {
    /// Organizations whose admins operate this installation. Empty: no admin operates it over the API.
    pub operators: Vec<OrganizationId>,
}

impl Default for FleetSettings {
    fn default() -> Self {
        Resolver::defaults(Self::resolve)
    }
}

impl FleetSettings {
    pub(crate) fn resolve(resolver: &mut Resolver<'_>) -> Self {
        Self {
            operators: resolver.value(&OPERATORS),
        }
    }

    pub fn validate(&self) -> Vec<InvalidSetting> {
        let count = self.operators.len();
        let found = check_count(&OPERATORS, count, OPERATORS_MAX, "organizations");
        found.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_admin_operates_the_fleet_by_default() {
        assert_eq!(FleetSettings::default().operators, []);
        assert_eq!(FleetSettings::default().validate(), []);
        let acme = OrganizationId::new("org_acme").unwrap();
        let too_many = FleetSettings {
            operators: vec![acme; OPERATORS_MAX + 1],
        };
        assert_eq!(too_many.validate().len(), 1);
    }
}
