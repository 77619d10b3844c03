//! The identities of users at external identity providers.

use domain::{clock::Timestamp, id::UserId};

use crate::{
    conn::{Conn, Tx},
    error::Result,
    statement::statements,
    value::values,
};

statements! {
    USER_IDENTITY_INSERT = "INSERT INTO user_identities (issuer, subject, user_id, created_at)
        VALUES ($1, $2, $3, $4)";
    USER_IDENTITY_DELETE_OF_USER = "DELETE FROM user_identities WHERE user_id = $1";
    USER_IDENTITY_FETCH = "SELECT user_id FROM user_identities WHERE issuer = $1 AND subject = $2";
}

pub async fn user_identity_fetch(
    conn: &mut Conn,
    issuer: &str,
    subject: &str,
) -> Result<Option<UserId>> {
    let values = values![issuer, subject];
    let row = conn
        .fetch_optional("user_identities", &USER_IDENTITY_FETCH, values)
        .await?;
    row.map(|row| row.parsed("user_id")).transpose()
}

pub async fn user_identity_insert(
    tx: &mut Tx,
    issuer: &str,
    subject: &str,
    user_id: &UserId,
    now: Timestamp,
) -> Result<()> {
    let values = values![issuer, subject, user_id, now];
    tx.execute(&USER_IDENTITY_INSERT, values).await?;
    Ok(())
}

/// Removes what identity providers know the user by.
pub async fn user_identity_delete_of_user(tx: &mut Tx, user_id: &UserId) -> Result<u64> {
    tx.execute(&USER_IDENTITY_DELETE_OF_USER, values![user_id])
        .await
}
