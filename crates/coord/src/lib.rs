//! Leases, locks, rate windows, publish/subscribe, instance registry.
