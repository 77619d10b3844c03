//! Opening a case.

use domain::{
    case::{Case, check_title},
    clock::random_bytes,
    policy::CaseId,
};

use super::{done, member_of};
use crate::{
    access::Insider,
    context::App,
    error::{Error, Result},
};

/// A case to open.
#[derive(Debug, Clone, Default)]
pub struct NewCase {
    /// Made up if absent.
    pub id: Option<CaseId>,
    pub title: Option<String>,
}

/// Opens it; whoever does is its first member.
pub async fn create(app: &App, insider: &Insider, new: NewCase) -> Result<Case> {
    check_title(new.title.as_deref())?;
    let member = member_of(insider)?;
    let case = Case {
        id: new.id.map_or_else(|| made_up(app), Ok)?,
        organization_id: insider.organization_id().clone(),
        title: new.title,
        created_at: app.now(),
    };
    let mut tx = app.db.write().await?;
    tx.case_insert(&case).await.map_err(taken)?;
    tx.case_member_insert(&case.organization_id, &case.id, &member, case.created_at)
        .await?;
    done(
        &mut tx,
        app,
        insider,
        "case_create",
        &case.id,
        format!("case/{}", case.id),
    )
    .await?;
    tx.commit().await?;
    Ok(case)
}

fn made_up(app: &App) -> Result<CaseId> {
    let id = format!("case-{}", hex::encode(random_bytes::<10>(&*app.entropy)));
    CaseId::new(id).map_err(|_| Error::NotFound("case"))
}

/// INVARIANT: says no more than that the id cannot be had. Whose case has it, and whether the caller could
/// see it, is not told.
fn taken(error: store::Error) -> Error {
    match error {
        store::Error::Conflict { .. } => {
            Error::Conflict("this id cannot be used for a new case; choose another".to_owned())
        }
        other => other.into(),
    }
}
