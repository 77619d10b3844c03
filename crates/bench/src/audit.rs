//! How many audit events can be recorded, put in order and verified, and in how much memory?

use std::{
    fs::{self, File},
    io::{BufReader, BufWriter, Write as _},
    path::Path,
    time::Duration,
};

use app::{
    App,
    access::Operator,
    audit::{self, SigningKey, verify},
    system::SystemClock,
};
use domain::{
    audit::{GENESIS, Record},
    canonical::canonical_bytes,
    clock::Clock as _,
    id::OrganizationId,
    merkle::Frontier,
};
use serde_json::json;

use crate::{
    table::Table,
    target::{BACKENDS, Target},
};

pub(crate) const NAME: &str = "audit";

/// Events recorded one by one, each durable, and all together in one transaction before sequencing.
const RECORDED: u32 = 2000;
const SEQUENCED: u32 = 20_000;
const VERIFIED: u32 = 1_000_000;

pub(crate) async fn measure(table: &mut Table) -> anyhow::Result<()> {
    for (backend, on) in BACKENDS {
        let target = Target::start(backend).await?;
        let operator = Operator(target.organization_id.clone());
        let clock = SystemClock::new();
        for _ in 0..RECORDED {
            record(&target.app, &operator, 1).await?;
        }
        table.rate("audit record", on, RECORDED, clock.monotonic());
        record(&target.app, &operator, SEQUENCED).await?;
        let clock = SystemClock::new();
        audit::sign_pending(&target.app, &operator.0).await?;
        table.rate(
            "audit sequence and sign",
            on,
            RECORDED + SEQUENCED,
            clock.monotonic(),
        );
    }
    let directory = std::env::temp_dir().join(format!("bench-audit-{}", std::process::id()));
    fs::create_dir_all(&directory)?;
    let outcome = measure_verify(table, &directory.join("log.jsonl"));
    fs::remove_dir_all(&directory)?;
    outcome
}

async fn record(app: &App, operator: &Operator, events: u32) -> anyhow::Result<()> {
    let mut tx = app.db.write().await?;
    for _ in 0..events {
        audit::record_operation(&mut tx, app, operator, "session_create", None).await?;
    }
    tx.commit().await?;
    Ok(())
}

fn measure_verify(table: &mut Table, path: &Path) -> anyhow::Result<()> {
    let key = crate::target::keyring()?;
    let key = SigningKey::of(&key, &OrganizationId::new("acme")?)?;
    write_log(path, &key)?;
    let public = key.verifier_key().parse()?;
    // Forgets the peak so far (proc(5)), so that the next one is the verifier's.
    fs::write("/proc/self/clear_refs", "5")?;
    let before = memory_kb("VmRSS:")?;
    let clock = SystemClock::new();
    let reader = BufReader::with_capacity(1 << 18, File::open(path)?);
    let trust = verify::TrustAnchor {
        key: public,
        from: None,
    };
    let report = verify::verify(reader, &trust, |_| {})?;
    let took: Duration = clock.monotonic();
    anyhow::ensure!(report.size == u64::from(VERIFIED), "all are verified");
    let more = memory_kb("VmHWM:")?.saturating_sub(before);
    let on = format!("1,000,000 events in {:.1} s, {more} KB", took.as_secs_f64());
    table.rate("audit verify", &on, VERIFIED, took);
    Ok(())
}

/// A log of ordinary events.
fn write_log(path: &Path, key: &SigningKey) -> anyhow::Result<()> {
    let records = path.with_extension("records");
    let mut output = BufWriter::new(File::create(&records)?);
    let (mut tree, mut prev) = (Frontier::default(), GENESIS);
    for seq in 0..u64::from(VERIFIED) {
        let record = Record {
            ledger: "acme".into(),
            seq,
            prev,
            case: None,
            session: None,
            clock_regression: false,
            event: json!({
                "event_id": format!("0192f0c1-2345-7abc-8def-{seq:012}"),
                "timestamp_utc": "2026-01-01T00:00:00.123456Z",
                "action_type": "tool_call",
                "outcome": "success",
                "actor": {"actor_type": "agent", "actor_id": "agent-1"},
                "contract_version": "v1",
                "lane_id": "TOOL_DOCUMENT_INTAKE",
                "policy_versions": {"lanes": "a".repeat(40), "roles": "b".repeat(40), "tools": "c".repeat(40)},
                "request_hash_sha256": "d".repeat(64),
                "response_hash_sha256": "e".repeat(64),
                "target": {"target_type": "tool", "name": "ocr", "operation": "ocr.extract"},
            }),
        };
        let bytes = canonical_bytes(&record.to_json());
        prev = domain::merkle::leaf_hash(&bytes);
        tree.push(prev);
        output.write_all(&bytes)?;
        output.write_all(b"\n")?;
    }
    output.flush()?;
    let header = canonical_bytes(&json!({
        "format": audit::bundle::FORMAT,
        "organization_id": "acme",
        "scope": { "kind": "log" },
        "checkpoint": key.sign_checkpoint(tree.size(), &tree.root()),
        "verifier_key": key.verifier_key(),
    }));
    let mut file = File::create(path)?;
    file.write_all(&header)?;
    file.write_all(b"\n")?;
    std::io::copy(&mut File::open(&records)?, &mut file)?;
    let end = json!({ "end": { "records": VERIFIED, "checkpoints": 0 } });
    file.write_all(&canonical_bytes(&end))?;
    file.write_all(b"\n")?;
    Ok(())
}

fn memory_kb(name: &str) -> anyhow::Result<u64> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let number = line.and_then(|line| line.split_whitespace().next());
    Ok(number.unwrap_or_default().parse()?)
}
