//! Who may read a log, and reading it: administrators all of it, the members of a case that case's trail.

use domain::{
    audit::{ActionType, Event, Outcome, SafeText, Trail},
    id::{OrganizationId, SessionId},
    page::{Page, PageRequest},
    policy::CaseId,
};
use store::{AuditCheckpoint, AuditFilter, AuditRecord};
use uuid::Uuid;

use super::{
    bundle::{ArtifactInclusion, Bundle, BundleScope},
    key::SigningKey,
    record::record,
    run::sign_pending,
};
use crate::{
    access::{Admin, AuditedActor, Insider},
    context::App,
    error::{Error, Result},
};

/// Proof that its holder may read the log: all of it, or the trail of one case.
#[derive(Debug, Clone)]
pub struct Reader {
    who: Insider,
    case: Option<CaseId>,
}

impl Reader {
    /// `admin` is whether the caller administers the organization. A caller who does not needs a case that they are
    /// a member of; a case of others gets the same answer as one that does not exist.
    pub async fn of(app: &App, who: Insider, admin: bool, case: Option<&CaseId>) -> Result<Self> {
        if admin {
            return Ok(Self { who, case: None });
        }
        let Some(case) = case else {
            return Err(Error::Forbidden(
                "only an admin or owner of the organization may read its audit log; a member of a case \
                 may read that case's",
            ));
        };
        let member = who.member();
        let asked = [(who.organization_id(), case, member)];
        let mut conn = app.db.read().await?;
        let is_member = store::fact_case_members(&mut conn, &asked).await?;
        if is_member != [true] {
            return Err(Error::NotFound("case"));
        }
        let case = Some(case.clone());
        drop(conn);
        Ok(Self { who, case })
    }

    fn organization_id(&self) -> &OrganizationId {
        self.who.organization_id()
    }
}

/// Records that have their places, newest first.
pub async fn list(
    app: &App,
    reader: &Reader,
    mut filter: AuditFilter,
    page: PageRequest<Uuid>,
) -> Result<Page<AuditRecord, Uuid>> {
    if let Some(case) = &reader.case {
        filter.case_id = Some(case.clone());
    }
    let mut conn = app.db.read().await?;
    Ok(store::audit_record_page(&mut conn, reader.organization_id(), &filter, page).await?)
}

/// The last signed size and root, and the key it is verified with.
pub async fn checkpoint_show(app: &App, admin: &Admin) -> Result<(AuditCheckpoint, String)> {
    let organization_id = admin.organization_id();
    let mut conn = app.db.read().await?;
    let last = store::audit_checkpoint_last(&mut conn, organization_id).await?;
    let key = SigningKey::of(&app.keyring, organization_id)?;
    Ok((
        last.ok_or(Error::NotFound("audit log"))?,
        key.verifier_key(),
    ))
}

/// The bundle of a case or session, with everything that was recorded until now. That the reader took it is
/// recorded too.
pub async fn bundle_open(
    app: &App,
    reader: &Reader,
    trail: Trail,
    artifacts: ArtifactInclusion,
) -> Result<Bundle> {
    if let Some(case) = &reader.case
        && trail != Trail::Case(case.clone())
    {
        return Err(Error::NotFound("audit log"));
    }
    let organization_id = reader.organization_id();
    sign_pending(app, organization_id).await?;
    let bundle = Bundle::open(
        app,
        organization_id,
        BundleScope::Trail(trail.clone()),
        artifacts,
    )
    .await?;
    let mut tx = app.db.write().await?;
    let (event, session_id) = taken(app, reader, &trail)?;
    record(&mut tx, event, organization_id, session_id).await?;
    tx.commit().await?;
    Ok(bundle)
}

fn taken(app: &App, reader: &Reader, trail: &Trail) -> Result<(Event, Option<SessionId>)> {
    let (name, case_id, session_id) = match trail {
        Trail::Case(id) => (format!("case/{id}"), Some(id.clone()), None),
        Trail::Session(id) => (format!("session/{id}"), None, Some(*id)),
    };
    let (action, outcome) = (ActionType::Export, Outcome::Success);
    let (actor, versions) = (reader.who.actor()?, app.policy_versions());
    let event = Event {
        case_id,
        target: Some((
            SafeText::new("target.name", name)?,
            SafeText::new("target.operation", "audit_bundle")?,
        )),
        ..Event::new(app.event_id(), app.now(), action, outcome, actor, versions)
    };
    Ok((event, session_id))
}
