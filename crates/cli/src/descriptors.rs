//! How many files and sockets this process may have open. Connections are the most of them: where the system allows few,
//! so many are not taken, and there are some left for the database, for files and for sandboxes.

use domain::limits::{CONNECTIONS_MAX, SANDBOX_CONNECTIONS_MAX};
use gateway::ConnectionBounds;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Connections of both kinds, and as many again for everything else.
const WANTED: u64 = 2 * (CONNECTIONS_MAX as u64 + SANDBOX_CONNECTIONS_MAX as u64);
/// Of the descriptors that there are, the part for connections of each kind.
const PART_OF_EACH: u64 = 3;

/// Asks the system for as many as are wanted, which it gives up to its own bound.
pub(crate) fn raise() {
    let limit = getrlimit(Resource::Nofile);
    let highest = limit.maximum.map_or(WANTED, |maximum| maximum.min(WANTED));
    if limit.current.is_none_or(|current| current >= highest) {
        return;
    }
    let raised = Rlimit {
        current: Some(highest),
        ..limit
    };
    if let Err(error) = setrlimit(Resource::Nofile, raised) {
        tracing::warn!(%error, "the number of open files could not be raised");
    }
}

/// No more connections than there are descriptors for.
pub(crate) fn within(bounds: ConnectionBounds) -> ConnectionBounds {
    match getrlimit(Resource::Nofile).current {
        Some(current) => scaled(bounds, current / PART_OF_EACH),
        None => bounds,
    }
}

fn scaled(bounds: ConnectionBounds, most: u64) -> ConnectionBounds {
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    if bounds.connections_max <= most {
        return bounds;
    }
    // Both are small: the product fits.
    let scale = |bound: usize| (bound * most / bounds.connections_max).max(1);
    ConnectionBounds {
        connections_max: most,
        per_peer_max: scale(bounds.per_peer_max),
        from_loopback_max: scale(bounds.from_loopback_max),
        handshakes_max: scale(bounds.handshakes_max),
        handshakes_per_peer_max: scale(bounds.handshakes_per_peer_max),
        ..bounds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_descriptors_make_few_connections() {
        let people = ConnectionBounds::people();
        let same = scaled(people.clone(), 100_000);
        assert_eq!(same.connections_max, people.connections_max);
        let few = scaled(people, 341);
        assert_eq!(
            (
                few.connections_max,
                few.per_peer_max,
                few.handshakes_per_peer_max
            ),
            (341, 34, 6)
        );
    }
}
