//! Addresses of users: proved ones, which identify a user, and claimed ones, which are only shown. Erasing a user's name
//! and address.
//!
//! INVARIANT: of a user who claims an address, `email` is a placeholder that nothing reaches; so `email` finds only users
//! who have proved theirs.

use domain::{email::EmailAddress, id::UserId, organization::User};

use crate::{
    conn::{Conn, Tx},
    error::Result,
    organization::user,
    statement::statements,
    value::values,
};

statements! {
    USER_INSERT_CLAIMING = "INSERT INTO \"user\" (id, name, email, created_at, claimed_email)
        VALUES ($1, $2, $3, $4, $5)";
    /// Members of an organization alone.
    USER_LIST_CLAIMING = "SELECT u.id, u.name, u.claimed_email AS email, u.created_at FROM \"user\" u
        WHERE u.claimed_email = $1 AND EXISTS (SELECT 1 FROM member m WHERE m.user_id = u.id) ORDER BY u.id LIMIT 2";
    USER_OWNS_ADDRESS = "SELECT COUNT(*) AS n FROM \"user\" WHERE id = $1 AND email = $2";
    USER_PROVE_ADDRESS = "UPDATE \"user\" SET email = $2, claimed_email = NULL WHERE id = $1 AND claimed_email = $2";
    USER_ERASE = "UPDATE \"user\" SET name = $2, email = $3, claimed_email = NULL WHERE id = $1
        AND NOT EXISTS (SELECT 1 FROM member m WHERE m.user_id = $1)";
}

/// The name of a user who was erased.
const ERASED_NAME: &str = "Removed member";

/// A user whose address nothing has proved.
pub async fn user_insert_claiming(tx: &mut Tx, user: &User) -> Result<()> {
    let placeholder = format!("{}@unproved.invalid", user.id);
    let values = values![
        &user.id,
        &user.name,
        placeholder,
        user.created_at,
        &user.email
    ];
    tx.execute(&USER_INSERT_CLAIMING, values).await?;
    Ok(())
}

/// Members who claim the address, two at most: one of several cannot be chosen.
pub async fn user_list_claiming(conn: &mut Conn, email: &EmailAddress) -> Result<Vec<User>> {
    let rows = conn.fetch_all("user", &USER_LIST_CLAIMING, values![email.as_str()]);
    rows.await?.iter().map(user).collect()
}

/// Whether it is the proved address of the user.
pub async fn user_owns_address(conn: &mut Conn, id: &UserId, email: &EmailAddress) -> Result<bool> {
    let count = conn.count("user", &USER_OWNS_ADDRESS, values![id, email.as_str()]);
    Ok(count.await? == 1)
}

/// The address that the user claimed is proved from now on. `false` if the user does not claim it. A conflict if another
/// user has proved it.
pub async fn user_prove_address(tx: &mut Tx, id: &UserId, email: &EmailAddress) -> Result<bool> {
    let values = values![id, email.as_str()];
    Ok(tx.execute(&USER_PROVE_ADDRESS, values).await? == 1)
}

/// Erases the name and the address. `false` for a member of an organization.
pub async fn user_erase(tx: &mut Tx, id: &UserId) -> Result<bool> {
    let placeholder = format!("{id}@erased.invalid");
    let values = values![id, ERASED_NAME, placeholder];
    Ok(tx.execute(&USER_ERASE, values).await? == 1)
}
