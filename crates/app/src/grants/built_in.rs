//! The built-in actions of this program, with the digests that grants for them are bound to.

use ::integrations::{Action, Sources};
use domain::{
    action::{BuiltInActions, built_in_digest},
    audit::Sha256Hex,
};

/// The built-in actions of this program.
pub(crate) fn built_in_actions(sources: &Sources) -> BuiltInActions {
    let of_source = sources.iter().flat_map(|source| {
        source.actions().iter().filter_map(|action| {
            let names = (source.name().parse().ok()?, action.name.parse().ok()?);
            // One that has no digest is covered by no grant.
            Some((names, digest_of(action)?))
        })
    });
    BuiltInActions(of_source.collect())
}

/// The digest that grants for a built-in action are bound to.
pub(crate) fn digest_of(action: &Action) -> Option<Sha256Hex> {
    built_in_digest(action.risk, &action.schema.terms()).ok()
}
