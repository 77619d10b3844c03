//! Names of tools: `linear__create_issue`. A name is looked up in the generated list, never parsed; so it is
//! enough that names differ, and that the same actions get the same names every time.

use std::collections::{BTreeMap, HashMap};

use app::actions::{IntegrationOffer, OfferedAction};
use domain::{
    audit::Sha256Hex,
    limits::{MCP_TOOL_NAME_LENGTH_MAX, MCP_TOOL_PREFIX_LENGTH_MAX},
};

/// The prefix of the gateway's own tools; no integration has it.
pub(super) const OWN: &str = "proliferate";
/// Digits of a digest that distinguish two names.
const DIGITS: usize = 8;

/// An action with its tool name.
#[derive(Debug, Clone, Copy)]
pub(super) struct NamedAction<'a> {
    pub(super) offer: &'a IntegrationOffer,
    pub(super) action: &'a OfferedAction,
}

/// Every action of the offers by its name, in order.
pub(super) fn name_all(offers: &[IntegrationOffer]) -> BTreeMap<String, NamedAction<'_>> {
    let prefixes = prefixes(offers);
    let all = || {
        let of = |(offer, prefix): (_, &String)| (offer, prefix.clone());
        let offers = offers.iter().zip(&prefixes).map(of);
        offers.flat_map(|(offer, prefix)| {
            let named = move |action| (plain(&prefix, action), NamedAction { offer, action });
            offer.actions.iter().map(named)
        })
    };
    let mut counts = HashMap::<String, usize>::new();
    for (name, _) in all() {
        *counts.entry(name).or_default() += 1;
    }
    let sound = |(name, named): (String, NamedAction<'_>)| {
        let is_unique = counts.get(&name) == Some(&1);
        let is_whole = name.len() <= MCP_TOOL_NAME_LENGTH_MAX && !named.action.name.contains('.');
        if is_unique && is_whole {
            return (name, ());
        }
        (with_digest(&name, named), ())
    };
    all()
        .map(|(name, named)| (sound((name, named)).0, named))
        .collect()
}

fn plain(prefix: &str, action: &OfferedAction) -> String {
    format!("{prefix}__{}", safe(&action.name))
}

fn with_digest(name: &str, named: NamedAction<'_>) -> String {
    let whole = format!("{}/{}", named.offer.integration.as_str(), named.action.name);
    let digest = Sha256Hex::of(whole.as_bytes());
    let kept: String = name
        .chars()
        .take(MCP_TOOL_NAME_LENGTH_MAX - DIGITS - 1)
        .collect();
    let digits: String = digest.as_str().chars().take(DIGITS).collect();
    format!("{kept}_{digits}")
}

/// One for each offer: an adapter's own name, or a connector's name in safe characters. Connectors that
/// would share one all get a part of their id, so that none takes the name of another.
fn prefixes(offers: &[IntegrationOffer]) -> Vec<String> {
    let plain: Vec<String> = offers.iter().map(prefix).collect();
    let is_shared =
        |prefix: &str| prefix == OWN || plain.iter().filter(|other| *other == prefix).count() > 1;
    let told_apart =
        |(offer, prefix): (&IntegrationOffer, &String)| match offer.integration.connector_id() {
            Some(id) if is_shared(prefix) => {
                // The end of an id is random, its start the creation time.
                let id = id.to_string();
                let part = id.get(id.len().saturating_sub(6)..).unwrap_or(&id);
                format!("{prefix}_{part}")
            }
            _ => prefix.clone(),
        };
    offers.iter().zip(&plain).map(told_apart).collect()
}

fn prefix(offer: &IntegrationOffer) -> String {
    if offer.integration.connector_id().is_none() {
        return safe(offer.integration.as_str());
    }
    let mut slug = String::new();
    for letter in offer.display_name.chars() {
        if letter.is_ascii_alphanumeric() {
            slug.push(letter.to_ascii_lowercase());
        } else if !slug.is_empty() && !slug.ends_with('_') {
            slug.push('_');
        }
    }
    slug.truncate(MCP_TOOL_PREFIX_LENGTH_MAX);
    match slug.trim_end_matches('_') {
        "" => "connector".to_owned(),
        slug => slug.to_owned(),
    }
}

/// Letters that the interfaces of language models take.
fn safe(text: &str) -> String {
    let letter = |letter: char| match letter {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '_' | '-' => letter,
        _ => '_',
    };
    text.chars().map(letter).collect()
}

#[cfg(test)]
mod tests {
    use app::actions::{IntegrationOffer, OfferedAction};
    use domain::action::Risk;
    use serde_json::json;

    use super::name_all;

    const ONE: &str = "connector:0192f0c1-2345-7abc-8def-0123456789ab";
    const TWO: &str = "connector:0192f0c1-2345-7abc-8def-0123456789cd";

    fn offer(integration: &str, display_name: &str, actions: &[&str]) -> IntegrationOffer {
        let action = |name: &&str| OfferedAction {
            name: (*name).to_owned(),
            description: String::new(),
            risk: Risk::Read,
            params: Vec::new(),
            schema: json!({}),
        };
        IntegrationOffer {
            integration_id: None,
            integration: integration.parse().unwrap(),
            display_name: display_name.to_owned(),
            actions: actions.iter().map(action).collect(),
        }
    }

    #[track_caller]
    fn check(offers: &[IntegrationOffer], wanted: &[(&str, &str, &str)]) {
        let named = name_all(offers);
        let found: Vec<_> = named
            .iter()
            .map(|(name, named)| {
                let integration = named.offer.integration.as_str();
                (name.as_str(), integration, named.action.name.as_str())
            })
            .collect();
        assert_eq!(found, wanted);
        for name in named.keys() {
            let safe = |b: u8| b.is_ascii_alphanumeric() || b"_-".contains(&b);
            assert!(name.len() <= 64 && name.bytes().all(safe), "{name}");
        }
    }

    #[test]
    fn a_tool_is_called_by_its_integration_and_its_action() {
        check(
            &[
                offer("linear", "Linear", &["create_issue"]),
                offer(ONE, "My Tools!", &["echo"]),
            ],
            &[
                ("linear__create_issue", "linear", "create_issue"),
                ("my_tools__echo", ONE, "echo"),
            ],
        );
    }

    #[test]
    fn no_connector_takes_the_name_of_another() {
        check(
            &[
                offer("linear", "Linear", &["get"]),
                offer(ONE, "Linear", &["get"]),
                offer(TWO, "LINEAR ", &["get"]),
            ],
            &[
                ("linear_6789ab__get", ONE, "get"),
                ("linear_6789cd__get", TWO, "get"),
                ("linear__get", "linear", "get"),
            ],
        );
        check(
            &[
                offer(ONE, "Proliferate", &["wait_for_action"]),
                offer(TWO, "\u{1f980}", &["x"]),
            ],
            &[
                ("connector__x", TWO, "x"),
                (
                    "proliferate_6789ab__wait_for_action",
                    ONE,
                    "wait_for_action",
                ),
            ],
        );
    }

    #[test]
    fn names_that_would_be_the_same_or_too_long_have_a_digest() {
        let long = "x".repeat(128);
        let offers = [
            offer("a", "A", &["b__c", "d.e", "d_e"]),
            offer("a__b", "A", &["c"]),
            offer("long", "L", &[&long]),
        ];
        let named = name_all(&offers);
        assert_eq!(named.len(), 5);
        let names: Vec<_> = named.keys().map(String::as_str).collect();
        assert!(names.iter().all(|name| name.len() <= 64), "{names:?}");
        assert_eq!(names.iter().filter(|name| name.len() == 64).count(), 1);
        assert_eq!(
            names
                .iter()
                .filter(|name| name.starts_with("a__b__c_"))
                .count(),
            2
        );
        assert_eq!(
            name_all(&offers).keys().collect::<Vec<_>>(),
            named.keys().collect::<Vec<_>>()
        );
    }
}
