//! Lists: separated by commas in flags and variables, arrays in the file.

use domain::{id::OrganizationId, network::Network};

use super::{SettingValue, url::Origin};
use crate::invalid::{InvalidValue, echo};

/// What a list can hold. No item contains a comma when it is shown.
pub(crate) trait ListItem: Sized {
    fn parse_item(text: &str) -> Result<Self, InvalidValue>;
    fn show_item(&self) -> String;
}

/// Empty entries are left out, so that a comma may end the list.
impl<T: ListItem> SettingValue for Vec<T> {
    fn parse(text: &str) -> Result<Self, InvalidValue> {
        let entries = text.split(',').map(str::trim);
        entries
            .filter(|entry| !entry.is_empty())
            .map(T::parse_item)
            .collect()
    }

    fn show(&self) -> String {
        if self.is_empty() {
            return "(none)".to_owned();
        }
        let shown: Vec<String> = self.iter().map(T::show_item).collect();
        shown.join(",")
    }
}

impl ListItem for String {
    fn parse_item(text: &str) -> Result<Self, InvalidValue> {
        Ok(text.to_owned())
    }

    fn show_item(&self) -> String {
        self.clone()
    }
}

impl ListItem for Origin {
    fn parse_item(text: &str) -> Result<Self, InvalidValue> {
        Self::parse(text)
    }

    fn show_item(&self) -> String {
        self.as_str().to_owned()
    }
}

impl ListItem for Network {
    fn parse_item(text: &str) -> Result<Self, InvalidValue> {
        text.parse().map_err(|_| {
            InvalidValue::new(
                format!("has {}, which is not a network", echo(text)),
                "write networks or addresses, such as `10.0.0.0/8,192.0.2.7`",
            )
        })
    }

    fn show_item(&self) -> String {
        self.to_string()
    }
}

impl ListItem for OrganizationId {
    fn parse_item(text: &str) -> Result<Self, InvalidValue> {
        Self::new(text).map_err(|_| {
            InvalidValue::new(
                format!("has {}, which is no id of an organization", echo(text)),
                "list ids of organizations, such as `org_acme`",
            )
        })
    }

    fn show_item(&self) -> String {
        self.as_str().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_are_networks_or_addresses() {
        let networks = Vec::<Network>::parse("10.0.0.0/8, ::1").unwrap();
        assert_eq!(networks.show(), "10.0.0.0/8,::1/128");
        assert_eq!(Vec::<Network>::parse("").unwrap().show(), "(none)");
        assert!(Vec::<Network>::parse("10.0.0.0/8,proxy").is_err());
    }

    #[test]
    fn organizations_are_listed_by_id() {
        let read = Vec::<OrganizationId>::parse("org_acme, org_ops,").unwrap();
        assert_eq!(read.show(), "org_acme,org_ops");
        assert_eq!(Vec::<OrganizationId>::parse(""), Ok(Vec::new()));
        // There is no word for all organizations: a star is no id.
        for bad in ["*", "org acme", "org_acme;org_ops"] {
            assert!(Vec::<OrganizationId>::parse(bad).is_err(), "{bad}");
        }
    }
}
