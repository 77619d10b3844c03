//! An instance as it is written in Redis: JSON that instances of other versions read. Fields may be
//! added, never renamed or removed.

use domain::{
    clock::Timestamp,
    instance::{Drain, Instance, Load, Swept},
};
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
struct Record {
    id: String,
    role: String,
    advertised_url: String,
    version: String,
    started_at_us: i64,
    heartbeat_at_us: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    load: Option<LoadRecord>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct LoadRecord {
    hubs_max: u32,
    cold: u32,
    booting: u32,
    running: u32,
    leaving: u32,
    unconfirmed: u32,
    clients: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    drain: Option<DrainRecord>,
    swept: SweptRecord,
}

#[derive(Debug, Serialize, Deserialize)]
struct DrainRecord {
    since_us: i64,
    #[serde(default)]
    handed_over: u32,
    #[serde(default)]
    put_away: u32,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct SweptRecord {
    adopted: u32,
    dead: u32,
    ended: u32,
    waiting: u32,
    foreign: u32,
}

impl LoadRecord {
    /// Without a load the field is omitted, as in earlier versions.
    fn of(load: Load) -> Option<Self> {
        (load != Load::default()).then_some(Self {
            hubs_max: load.hubs_max,
            cold: load.cold,
            booting: load.booting,
            running: load.running,
            leaving: load.leaving,
            unconfirmed: load.unconfirmed,
            clients: load.clients,
            drain: load.drain.map(|drain| DrainRecord {
                since_us: drain.since.micros(),
                handed_over: drain.handed_over,
                put_away: drain.put_away,
            }),
            swept: SweptRecord {
                adopted: load.swept.adopted,
                dead: load.swept.dead,
                ended: load.swept.ended,
                waiting: load.swept.waiting,
                foreign: load.swept.foreign,
            },
        })
    }

    fn load(self) -> Load {
        Load {
            hubs_max: self.hubs_max,
            cold: self.cold,
            booting: self.booting,
            running: self.running,
            leaving: self.leaving,
            unconfirmed: self.unconfirmed,
            clients: self.clients,
            drain: self.drain.and_then(|drain| {
                Some(Drain {
                    since: Timestamp::from_micros(drain.since_us)?,
                    handed_over: drain.handed_over,
                    put_away: drain.put_away,
                })
            }),
            swept: Swept {
                adopted: self.swept.adopted,
                dead: self.swept.dead,
                ended: self.swept.ended,
                waiting: self.swept.waiting,
                foreign: self.swept.foreign,
            },
        }
    }
}

pub(super) fn encode(instance: &Instance) -> Result<String, serde_json::Error> {
    serde_json::to_string(&Record {
        id: instance.id.to_string(),
        role: instance.role.to_string(),
        advertised_url: instance.advertised_url.clone(),
        version: instance.version.clone(),
        started_at_us: instance.started_at.micros(),
        heartbeat_at_us: instance.heartbeat_at.micros(),
        load: LoadRecord::of(instance.load),
    })
}

/// `None` for a record this version cannot read, for example with an unknown role.
pub(super) fn decode(text: &str) -> Option<Instance> {
    let record: Record = serde_json::from_str(text).ok()?;
    Some(Instance {
        id: record.id.parse().ok()?,
        role: record.role.parse().ok()?,
        advertised_url: record.advertised_url,
        version: record.version,
        started_at: Timestamp::from_micros(record.started_at_us)?,
        heartbeat_at: Timestamp::from_micros(record.heartbeat_at_us)?,
        load: record.load.unwrap_or_default().load(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const STORED: &str = r#"{"id":"0192f0c1-2345-7abc-8def-0123456789ab","role":"gateway","advertised_url":"http://10.0.0.1:8080","version":"0.1.0","started_at_us":1767225600000000,"heartbeat_at_us":1767225610000000}"#;

    #[test]
    fn the_text_is_a_contract_with_other_versions() {
        assert_eq!(encode(&decode(STORED).unwrap()).unwrap(), STORED);
    }

    #[test]
    fn a_newer_version_may_add_fields_but_unknown_roles_are_not_guessed() {
        let added = STORED.replacen('{', r#"{"zone":"b","#, 1);
        assert!(decode(&added).is_some());
        assert!(decode(&STORED.replace("gateway", "oracle")).is_none());
    }
}
