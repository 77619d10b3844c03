//! Members of a case.

use app::{access::Person, cases};
use axum::{
    extract::{Path, State},
    http::StatusCode,
};
use domain::{Invalid, case::CaseMember, policy::CaseId};
use wire::problem::Code;

use crate::{
    error::Failure,
    extract::Auth,
    openapi::{MemberProblems, ReadProblems},
    routes::Answer,
    state::Gateway,
};

/// Add a member to a case. For users who are members, and administrators.
#[utoipa::path(put, path = "/v1/cases/{id}/members/{member}", operation_id = "case_member_add",
    tag = "cases",
    params(("id" = String, Path, description = "The case"),
        ("member" = String, Path, description = "`user:ID`, `service:NAME` or `session:ID`")),
    responses((status = 204, description = "They are a member"), MemberProblems))]
pub(crate) async fn member_add(
    State(gateway): State<Gateway>,
    Auth(person): Auth<Person>,
    Path(path): Path<(String, String)>,
) -> Answer<StatusCode> {
    let (id, member) = parts(&path)?;
    cases::member_add(&gateway.app, &person, &id, &member).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// End a membership. For users who are members, and administrators.
#[utoipa::path(delete, path = "/v1/cases/{id}/members/{member}", operation_id = "case_member_remove",
    tag = "cases",
    params(("id" = String, Path, description = "The case"),
        ("member" = String, Path, description = "`user:ID`, `service:NAME` or `session:ID`")),
    responses((status = 204, description = "The membership has ended"), ReadProblems))]
pub(crate) async fn member_remove(
    State(gateway): State<Gateway>,
    Auth(person): Auth<Person>,
    Path(path): Path<(String, String)>,
) -> Answer<StatusCode> {
    let (id, member) = parts(&path)?;
    cases::member_remove(&gateway.app, &person, &id, &member).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// An invalid id counts as an unknown one; an invalid member is reported as an error.
fn parts((id, member): &(String, String)) -> Result<(CaseId, CaseMember), Failure> {
    let id = id
        .parse()
        .map_err(|_| Failure::new(Code::NotFound, "there is no such case"))?;
    let member = member
        .parse()
        .map_err(|error: domain::case::InvalidCaseText| {
            Invalid::new("member", error.to_string())
        })?;
    Ok((id, member))
}
