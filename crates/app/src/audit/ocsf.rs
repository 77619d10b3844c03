//! The log for a security lake: OCSF, class API Activity (6003), one JSON object a line.
//!
//! Pinned to version 1.3.0. What that version has no place for stands under `unmapped`. Digests of payloads
//! are replaced by keyed ones: a reader of the lake must not be able to try out what a request said, yet
//! see that two are the same.

use domain::{
    canonical::canonical_bytes, clock::Timestamp, id::OrganizationId, limits::AUDIT_PAGE_MAX,
};
use hmac::Mac as _;
use serde_json::{Map, Value, json};
use store::AuditRecord;
use zeroize::Zeroizing;

use super::sequence::inconsistent;
use crate::{
    context::App,
    crypto::{Keyring, hmac_sha256},
    error::Result,
};

/// The version of the schema.
pub const VERSION: &str = "1.3.0";
const CLASS: u64 = 6003;

/// A log on its way to a lake: everything that has its place.
#[derive(Debug)]
pub struct Export {
    app: App,
    mapping: Mapping,
    next: i64,
}

impl Export {
    pub fn open(app: &App, organization_id: &OrganizationId) -> Self {
        Self {
            app: app.clone(),
            mapping: Mapping::new(&app.keyring, organization_id),
            next: 0,
        }
    }

    /// How many events were given out.
    pub fn events(&self) -> u64 {
        u64::try_from(self.next).unwrap_or_default()
    }

    /// Whole lines that follow what was given out before; `None` at the end.
    pub async fn next_page(&mut self) -> Result<Option<Vec<u8>>> {
        let organization_id = &self.mapping.organization_id;
        let mut conn = self.app.db.read().await?;
        let page =
            store::audit_record_list(&mut conn, organization_id, self.next, AUDIT_PAGE_MAX).await?;
        let Some(last) = page.last() else {
            return Ok(None);
        };
        let mut lines = Vec::new();
        for record in &page {
            lines.extend(canonical_bytes(&self.mapping.event(record)?));
            lines.push(b'\n');
        }
        self.next = last.seq + 1;
        Ok(Some(lines))
    }
}

/// How an organization's records are written.
struct Mapping {
    organization_id: OrganizationId,
    key: Zeroizing<[u8; 32]>,
}

impl std::fmt::Debug for Mapping {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Mapping")
            .field(&self.organization_id)
            .finish()
    }
}

impl Mapping {
    fn new(keyring: &Keyring, organization_id: &OrganizationId) -> Self {
        Self {
            organization_id: organization_id.clone(),
            key: keyring.derive(&format!("audit-ocsf/{organization_id}")),
        }
    }

    fn event(&self, record: &AuditRecord) -> Result<Value> {
        let broken =
            |reason: String| inconsistent("audit_ledger", "event", &record.event_id, reason);
        let event: Value =
            serde_json::from_str(&record.event).map_err(|error| broken(error.to_string()))?;
        let text = |name: &str| event[name].as_str().unwrap_or_default();
        let at: Option<chrono::DateTime<chrono::Utc>> = text("timestamp_utc").parse().ok();
        let at = at.ok_or_else(|| broken("it has no time".to_owned()))?;
        let (activity_id, activity_name) = activity(text("action_type"));
        let good = matches!(text("outcome"), "allow" | "success");
        let (severity_id, severity) = severity(text("severity"));
        let mut ocsf = json!({
            "category_uid": 6,
            "class_uid": CLASS,
            "activity_id": activity_id,
            "activity_name": activity_name,
            "type_uid": CLASS * 100 + activity_id,
            "time": Timestamp::from_datetime(at).micros() / 1000,
            "severity_id": severity_id,
            "severity": severity,
            "status_id": if good { 1 } else { 2 },
            "status": if good { "Success" } else { "Failure" },
            "metadata": self.metadata(record, &event),
            "actor": actor(&event),
            "api": api(&event),
            "src_endpoint": { "svc_name": "proliferate" },
            "policy": { "uid": event["policy_versions"]["lanes"], "name": "lanes" },
            "unmapped": self.unmapped(record, &event),
        });
        put(&mut ocsf, "status_code", &event["error"]["error_code"]);
        put(&mut ocsf, "status_detail", &event["outcome_reason"]);
        put(&mut ocsf, "count", &event["count"]);
        if let Some(decision) = event["authz"]["decision"].as_str() {
            let (id, action, disposition) = match decision {
                "allow" => (1, "Allowed", "Allowed"),
                _ => (2, "Denied", "Blocked"),
            };
            ocsf["action_id"] = id.into();
            ocsf["action"] = action.into();
            ocsf["disposition_id"] = id.into();
            ocsf["disposition"] = disposition.into();
            let mut authorization = json!({ "decision": action });
            if let Some(rule) = event["authz"]["rule_id"].as_str() {
                authorization["policy"] = json!({ "uid": rule });
            }
            ocsf["authorizations"] = json!([authorization]);
        }
        let resources = self.resources(&event);
        if !resources.is_empty() {
            ocsf["resources"] = resources.into();
        }
        Ok(ocsf)
    }

    fn metadata(&self, record: &AuditRecord, event: &Value) -> Value {
        let mut metadata = json!({
            "version": VERSION,
            "product": { "name": "Proliferate", "vendor_name": "Proliferate" },
            "profiles": ["security_control"],
            "uid": event["event_id"],
            "sequence": record.seq,
            "tenant_uid": self.organization_id.as_str(),
        });
        put(&mut metadata, "correlation_uid", &event["correlation_id"]);
        metadata
    }

    /// What the version has no place for.
    fn unmapped(&self, record: &AuditRecord, event: &Value) -> Value {
        let mut unmapped = json!({ "policy_versions": event["policy_versions"] });
        for name in [
            "case_id",
            "change",
            "run_id",
            "parent_run_id",
            "role_id",
            "lane_id",
        ] {
            put(&mut unmapped, name, &event[name]);
        }
        for name in ["request_hash_sha256", "response_hash_sha256"] {
            if let Some(hash) = event[name].as_str() {
                let name = name.replace("sha256", "hmac_sha256");
                unmapped[name] = self.keyed(hash).into();
            }
        }
        if let Some((session_id, _)) = &record.session {
            unmapped["session_id"] = session_id.to_string().into();
        }
        if record.clock_regression {
            unmapped["clock_regression"] = true.into();
        }
        unmapped
    }

    fn resources(&self, event: &Value) -> Vec<Value> {
        let mut resources = Vec::new();
        for (list, role) in [("input_artifacts", "input"), ("output_artifacts", "output")] {
            for artifact in event[list].as_array().into_iter().flatten() {
                let hash = artifact["hash_sha256"].as_str().unwrap_or_default();
                resources.push(json!({
                    "uid": artifact["artifact_id"],
                    "type": artifact["artifact_kind"],
                    "labels": [role],
                    "data": { "hmac_sha256": self.keyed(hash) },
                }));
            }
        }
        resources
    }

    fn keyed(&self, hash: &str) -> String {
        let mac = hmac_sha256(&*self.key).chain_update(hash.as_bytes());
        hex::encode(mac.finalize().into_bytes())
    }
}

fn put(object: &mut Value, name: &str, value: &Value) {
    if let (false, Some(members)) = (value.is_null(), object.as_object_mut()) {
        members.insert(name.to_owned(), value.clone());
    }
}

fn activity(action: &str) -> (u64, &str) {
    match action {
        "db_read" | "export" => (2, "Read"),
        "db_write" | "policy_change" => (3, "Update"),
        other => (99, other),
    }
}

fn severity(word: &str) -> (u64, &'static str) {
    match word {
        "warn" => (3, "Medium"),
        "error" => (4, "High"),
        "critical" => (5, "Critical"),
        _ => (1, "Informational"),
    }
}

fn actor(event: &Value) -> Value {
    let (id, kind) = (&event["actor"]["actor_id"], &event["actor"]["actor_type"]);
    let mut actor = match kind.as_str() {
        Some("human") => json!({ "user": { "uid": id, "type_id": 1 } }),
        Some("system") => json!({ "user": { "uid": id, "type_id": 3 } }),
        _ => json!({ "app_uid": id }),
    };
    put(&mut actor, "app_name", &event["actor"]["agent_name"]);
    actor
}

fn api(event: &Value) -> Value {
    let operation = event["target"]["operation"].as_str();
    let mut api = Map::new();
    let operation = operation.or(event["action_type"].as_str());
    api.insert("operation".to_owned(), operation.unwrap_or_default().into());
    if let Some(name) = event["target"]["name"].as_str() {
        api.insert("service".to_owned(), json!({ "name": name }));
    }
    if let Some(run_id) = event["run_id"].as_str() {
        api.insert("request".to_owned(), json!({ "uid": run_id }));
    }
    if let Some(code) = event["error"]["error_code"].as_str() {
        api.insert("response".to_owned(), json!({ "error": code }));
    }
    Value::Object(api)
}

#[cfg(test)]
mod tests;
