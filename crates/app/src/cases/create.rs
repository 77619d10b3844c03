//! Creates a case.

use domain::{
    case::{Case, CaseMember, check_title},
    clock::random_bytes,
    policy::CaseId,
};

use super::{done, member_of};
use crate::{
    access::Insider,
    context::App,
    error::{Error, Result},
};

/// A case to create.
#[derive(Debug, Clone, Default)]
pub struct NewCase {
    /// Generated if absent.
    pub id: Option<CaseId>,
    pub title: Option<String>,
}

/// The case of a request to create one.
#[derive(Debug, Clone)]
pub struct CaseCreated {
    pub case: Case,
    /// It was created before, with the same id and title, and the caller is a member.
    pub already_existed: bool,
}

/// Creates a case; the caller is its first member. Creating it again with the same id returns the same case, so that
/// a request whose answer got lost can be repeated.
pub async fn create(app: &App, insider: &Insider, new: NewCase) -> Result<CaseCreated> {
    check_title(new.title.as_deref())?;
    let member = member_of(insider)?;
    let case = Case {
        id: new.id.map_or_else(|| made_up(app), Ok)?,
        organization_id: insider.organization_id().clone(),
        title: new.title,
        created_at: app.now(),
    };
    let mut tx = app.db.write().await?;
    match store::case_insert(&mut tx, &case).await {
        Err(store::Error::Conflict { .. }) => {
            drop(tx);
            return existing(app, case, &member).await;
        }
        other => other?,
    }
    store::case_member_insert(
        &mut tx,
        &case.organization_id,
        &case.id,
        &member,
        case.created_at,
    )
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
    Ok(CaseCreated {
        case,
        already_existed: false,
    })
}

fn made_up(app: &App) -> Result<CaseId> {
    let id = format!("case-{}", hex::encode(random_bytes::<10>(&*app.entropy)));
    CaseId::new(id).map_err(|_| Error::NotFound("case"))
}

/// The case that has the id, if it is what was asked for.
///
/// INVARIANT: the error says only that the id cannot be used: not whose case has it, nor whether the caller could
/// see it.
async fn existing(app: &App, wanted: Case, member: &CaseMember) -> Result<CaseCreated> {
    let mut conn = app.db.read().await?;
    let found =
        store::case_fetch_for(&mut conn, &wanted.organization_id, &wanted.id, member).await?;
    match found.filter(|found| found.title == wanted.title) {
        Some(case) => Ok(CaseCreated {
            case,
            already_existed: true,
        }),
        None => Err(Error::Conflict(
            "this id cannot be used for a new case; choose another".to_owned(),
        )),
    }
}
