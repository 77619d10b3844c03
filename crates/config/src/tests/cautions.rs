//! What is valid and cautioned against.

use super::Given;
use crate::{Caution, server::TRUSTED_PROXIES};

const REDIS: (&str, &str) = ("PROLIFERATE_COORDINATION_URL", "redis://h");
const ROOTLESS: (&str, &str) = ("PROLIFERATE_SANDBOX_PROVIDER", "rootless");
const CONTAINER: (&str, &str) = ("PROLIFERATE_SANDBOX_PROVIDER", "container");

fn trusted(networks: &'static str) -> (&'static str, &'static str) {
    ("PROLIFERATE_TRUSTED_PROXIES", networks)
}

/// What each caution is about, by the first words of its message.
fn cautions(given: &[(&'static str, &str)]) -> Vec<String> {
    let given = given.iter().fold(Given::default(), |given, (name, value)| {
        given.env(name, *value)
    });
    let cautions = given.load().unwrap().cautions().into_iter();
    let words = |caution: Caution| {
        assert_eq!(caution.setting, TRUSTED_PROXIES.path);
        assert!(!caution.hint.is_empty());
        caution.message.split_once(':').unwrap().0.to_owned()
    };
    cautions.map(words).collect()
}

#[test]
fn instances_that_forward_requests_to_each_other_name_their_networks() {
    let off = ("PROLIFERATE_FORWARD", "off");
    assert_eq!(cautions(&[REDIS]), ["is empty"]);
    assert!(cautions(&[]).is_empty(), "one instance forwards nothing");
    assert!(cautions(&[REDIS, off]).is_empty());
    assert!(cautions(&[REDIS, trusted("10.0.0.0/8")]).is_empty());
}

#[test]
fn loopback_is_not_trusted_where_sandboxes_share_it() {
    for networks in ["127.0.0.1", "10.0.0.0/8,127.0.0.0/8", "::1", "0.0.0.0/0"] {
        assert_eq!(
            cautions(&[ROOTLESS, trusted(networks)]),
            ["has loopback addresses"],
            "{networks}"
        );
        assert!(cautions(&[CONTAINER, trusted(networks)]).is_empty());
    }
    assert!(cautions(&[ROOTLESS, trusted("10.0.0.0/8")]).is_empty());
    assert!(cautions(&[ROOTLESS]).is_empty());
}
