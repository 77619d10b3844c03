//! Counts the live sessions of this process.

use domain::instance::Load;
use wire::live::LiveStatus;

use super::worker::Fleet;

impl Fleet {
    /// Returns the load that this instance announces, and reports it as metrics.
    pub async fn load(&self) -> Load {
        let hubs_max = u32::try_from(self.registry.limits().hubs_max).unwrap_or(u32::MAX);
        let mut load = Load {
            hubs_max,
            drain: self.drain_progress(),
            swept: self.sweeps.swept(),
            ..Load::default()
        };
        for (_, entry) in self.registry.entries() {
            load.unconfirmed += u32::from(entry.is_unconfirmed());
            let activity = match entry.handle.get() {
                Some(handle) if !entry.is_leaving() => handle.read_activity().await.ok(),
                Some(_) => None,
                // A caller is opening it.
                None => {
                    load.cold += 1;
                    continue;
                }
            };
            let Some(activity) = activity else {
                load.leaving += 1;
                continue;
            };
            load.clients += u32::try_from(activity.clients).unwrap_or(u32::MAX);
            match activity.status {
                LiveStatus::Creating | LiveStatus::Resuming => load.booting += 1,
                LiveStatus::Running | LiveStatus::Migrating => load.running += 1,
                LiveStatus::Paused | LiveStatus::Stopped | LiveStatus::Error => load.cold += 1,
            }
        }
        report_metrics(&load);
        load
    }
}

/// Called with every heartbeat.
fn report_metrics(load: &Load) {
    let phases = [
        ("cold", load.cold),
        ("booting", load.booting),
        ("running", load.running),
        ("leaving", load.leaving),
        ("unconfirmed", load.unconfirmed),
    ];
    for (phase, count) in phases {
        metrics::gauge!("proliferate_hubs", "phase" => phase).set(f64::from(count));
    }
    metrics::gauge!("proliferate_hubs_max").set(f64::from(load.hubs_max));
    metrics::gauge!("proliferate_clients").set(f64::from(load.clients));
    metrics::gauge!("proliferate_draining").set(f64::from(u8::from(load.drain.is_some())));
    metrics::gauge!("proliferate_sandboxes_unclaimed").set(f64::from(load.swept.waiting));
    metrics::gauge!("proliferate_sandboxes_foreign").set(f64::from(load.swept.foreign));
}
