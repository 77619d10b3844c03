//! The live sessions of this process, counted.

use domain::instance::Load;
use wire::live::LiveStatus;

use super::House;

impl House {
    pub async fn load(&self) -> Load {
        let hubs_max = u32::try_from(self.bounds().hubs_max).unwrap_or(u32::MAX);
        let mut load = Load {
            hubs_max,
            drain: self.drain_progress(),
            swept: self.0.sweeps.swept(),
            ..Load::default()
        };
        for (_, place) in self.places() {
            load.unconfirmed += u32::from(place.is_unconfirmed());
            let pulse = match place.hub.get() {
                Some(handle) if !place.is_leaving() => handle.pulse().await.ok(),
                Some(_) => None,
                // Somebody opens it just now.
                None => {
                    load.cold += 1;
                    continue;
                }
            };
            let Some(pulse) = pulse else {
                load.leaving += 1;
                continue;
            };
            load.clients += u32::try_from(pulse.clients).unwrap_or(u32::MAX);
            match pulse.status {
                LiveStatus::Creating | LiveStatus::Resuming => load.booting += 1,
                LiveStatus::Running | LiveStatus::Migrating => load.running += 1,
                LiveStatus::Paused | LiveStatus::Stopped | LiveStatus::Error => load.cold += 1,
            }
        }
        measure(&load);
        load
    }
}

/// Said with every heartbeat.
fn measure(load: &Load) {
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
