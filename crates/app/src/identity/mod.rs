//! Authentication: tokens, keys and logins, and the functions that turn them into a caller.

mod access_changes;
mod authenticate;
mod believed;
mod login;
pub mod oidc;
mod preview;
mod sandbox;
mod token;

pub use access_changes::{
    AccessChange, AccessChanges, AccessWatch, access_changed, receive_access_changes,
};
pub use authenticate::{authenticate, authenticate_login, authenticate_model};
pub use login::{
    LoggedIn, describe, login, login_by_code, login_code_create, logout, sweep_logins,
};
pub use oidc::{Oidc, OidcProviders, OidcSettings};
pub use preview::{PreviewTicket, authenticate_preview, preview_ticket};
pub use token::{ServiceToken, TokenSecrets, Tokens, UserToken};
