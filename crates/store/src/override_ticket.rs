//! Tickets that lift a lane out of a lock.
//!
//! INVARIANT: a move is written only over the state it was made from, so that a ticket is used once.

use domain::{
    clock::Timestamp,
    id::{OrganizationId, OverrideTicketId, SafetyLockId},
    override_ticket::{
        Approval, Enabling, Ending, OverrideTicket, OverrideTicketState, OverrideTicketStatus,
    },
    page::{Page, PageRequest},
};

use crate::{
    conn::{Conn, Tx},
    error::Result,
    row::Row,
    statement::statements,
    value::values,
};

macro_rules! columns {
    () => {
        "id, organization_id, lock_id, lane_id, reason, minutes, status, opened_by, opened_at, expires_at, \
         approved_by, approved_at, enabled_run_id, enabled_at, ended_run_id, ended_by, ended_at"
    };
}

macro_rules! open {
    () => {
        "status IN ('requested', 'approved', 'active')"
    };
}

statements! {
    OVERRIDE_TICKET_INSERT = "INSERT INTO override_tickets (id, organization_id, lock_id, lane_id, reason, minutes,
        status, opened_by, opened_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    OVERRIDE_TICKET_FETCH = concat!("SELECT ", columns!(), " FROM override_tickets
        WHERE organization_id = $1 AND id = $2");
    OVERRIDE_TICKET_LIST = concat!("SELECT ", columns!(), " FROM override_tickets
        WHERE organization_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3");
    OVERRIDE_TICKET_LIST_OPEN = concat!("SELECT ", columns!(), " FROM override_tickets
        WHERE organization_id = $1 AND lock_id = $2 AND ", open!(), " ORDER BY id");
    OVERRIDE_TICKET_LIST_DUE = concat!("SELECT ", columns!(), " FROM override_tickets
        WHERE ", open!(), " AND expires_at <= $1 ORDER BY expires_at LIMIT $2");
    OVERRIDE_TICKET_MOVE = "UPDATE override_tickets SET status = $4, expires_at = COALESCE($5, expires_at),
        approved_by = $6, approved_at = $7, enabled_run_id = $8, enabled_at = $9, ended_run_id = $10, ended_by = $11,
        ended_at = $12 WHERE organization_id = $1 AND id = $2 AND status = $3";
}

pub async fn override_ticket_fetch(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    id: OverrideTicketId,
) -> Result<Option<OverrideTicket>> {
    let values = values![organization_id, id];
    let row = conn
        .fetch_optional("override_tickets", &OVERRIDE_TICKET_FETCH, values)
        .await?;
    row.map(|row| ticket(&row)).transpose()
}

/// Newest first.
pub async fn override_ticket_page(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    page: PageRequest<OverrideTicketId>,
) -> Result<Page<OverrideTicket, OverrideTicketId>> {
    let before = crate::session::cursor(page.before.map(OverrideTicketId::uuid));
    let values = values![organization_id, before, page.fetch_limit()];
    let rows = conn
        .fetch_all("override_tickets", &OVERRIDE_TICKET_LIST, values)
        .await?;
    let tickets = rows.iter().map(ticket).collect::<Result<_>>()?;
    Ok(page.page(tickets, |ticket: &OverrideTicket| ticket.id))
}

/// Returns the tickets of a lock that are not recorded as ended. There is a bound on their number.
pub async fn override_ticket_list_open(
    conn: &mut Conn,
    organization_id: &OrganizationId,
    lock_id: SafetyLockId,
) -> Result<Vec<OverrideTicket>> {
    let values = values![organization_id, lock_id];
    let rows = conn
        .fetch_all("override_tickets", &OVERRIDE_TICKET_LIST_OPEN, values)
        .await?;
    rows.iter().map(ticket).collect()
}

/// Returns tickets of any organization that are past their end and not recorded as ended, oldest first.
pub async fn override_ticket_list_due(
    conn: &mut Conn,
    now: Timestamp,
    limit: u32,
) -> Result<Vec<OverrideTicket>> {
    let values = values![now, i64::from(limit)];
    let rows = conn
        .fetch_all("override_tickets", &OVERRIDE_TICKET_LIST_DUE, values)
        .await?;
    rows.iter().map(ticket).collect()
}

/// A ticket that was just opened.
pub async fn override_ticket_insert(tx: &mut Tx, ticket: &OverrideTicket) -> Result<()> {
    let values = values![
        ticket.id,
        &ticket.organization_id,
        ticket.lock_id,
        ticket.lane.as_str(),
        &ticket.reason,
        i64::from(ticket.minutes),
        ticket.state.status().as_str(),
        &ticket.opened_by,
        ticket.opened_at,
        ticket.state.until(),
    ];
    tx.execute(&OVERRIDE_TICKET_INSERT, values).await?;
    Ok(())
}

/// Writes a move down. `false` if the ticket is not any more what the move was made from.
pub async fn override_ticket_move(
    tx: &mut Tx,
    from: OverrideTicketStatus,
    ticket: &OverrideTicket,
) -> Result<bool> {
    let (approval, enabling, ending) = parts(&ticket.state);
    let (ended_run_id, ended_by) = match ending {
        Some((Ending::Disabled { run_id }, _)) => (Some(*run_id), None),
        Some((Ending::Closed { by }, _)) => (None, Some(by)),
        Some((Ending::Expired, _)) | None => (None, None),
    };
    let values = values![
        &ticket.organization_id,
        ticket.id,
        from.as_str(),
        ticket.state.status().as_str(),
        ticket.state.until(),
        approval.map(|approval| &approval.by),
        approval.map(|approval| approval.at),
        enabling.map(|enabling| enabling.run_id),
        enabling.map(|enabling| enabling.at),
        ended_run_id,
        ended_by,
        ending.map(|(_, at)| at),
    ];
    Ok(tx.execute(&OVERRIDE_TICKET_MOVE, values).await? == 1)
}

type Parts<'a> = (
    Option<&'a Approval>,
    Option<&'a Enabling>,
    Option<(&'a Ending, Timestamp)>,
);

fn parts(state: &OverrideTicketState) -> Parts<'_> {
    match state {
        OverrideTicketState::Requested { .. } => (None, None, None),
        OverrideTicketState::Approved { approval, .. } => (Some(approval), None, None),
        OverrideTicketState::Active {
            approval, enabling, ..
        } => (Some(approval), Some(enabling), None),
        OverrideTicketState::Over {
            approval,
            enabling,
            ending,
            at,
        } => (approval.as_ref(), enabling.as_ref(), Some((ending, *at))),
    }
}

fn ticket(row: &Row) -> Result<OverrideTicket> {
    Ok(OverrideTicket {
        id: row.id("id")?,
        organization_id: row.parsed("organization_id")?,
        lock_id: row.id("lock_id")?,
        lane: row.parsed("lane_id")?,
        reason: row.text("reason")?,
        minutes: row.small("minutes")?,
        opened_by: row.parsed("opened_by")?,
        opened_at: row.time("opened_at")?,
        state: state(row)?,
    })
}

fn state(row: &Row) -> Result<OverrideTicketState> {
    let until = row.time("expires_at")?;
    let approval = match row.parsed_opt("approved_by")? {
        None => None,
        Some(by) => Some(Approval {
            by,
            at: row.time("approved_at")?,
        }),
    };
    let enabling = match row.id_opt("enabled_run_id")? {
        None => None,
        Some(run_id) => Some(Enabling {
            run_id,
            at: row.time("enabled_at")?,
        }),
    };
    let ending = match row.parsed("status")? {
        OverrideTicketStatus::Requested => return Ok(OverrideTicketState::Requested { until }),
        OverrideTicketStatus::Approved => {
            let approval = row.required("approved_by", approval)?;
            return Ok(OverrideTicketState::Approved { approval, until });
        }
        OverrideTicketStatus::Active => {
            return Ok(OverrideTicketState::Active {
                approval: row.required("approved_by", approval)?,
                enabling: row.required("enabled_run_id", enabling)?,
                until,
            });
        }
        OverrideTicketStatus::Disabled => Ending::Disabled {
            run_id: row.id("ended_run_id")?,
        },
        OverrideTicketStatus::Expired => Ending::Expired,
        OverrideTicketStatus::Closed => Ending::Closed {
            by: row.parsed("ended_by")?,
        },
    };
    Ok(OverrideTicketState::Over {
        approval,
        enabling,
        ending,
        at: row.time("ended_at")?,
    })
}
