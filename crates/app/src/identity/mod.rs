//! Authentication: tokens, keys and logins, and the functions that turn them into a caller.

mod access_changes;
mod authenticate;
mod believed;
mod login;
mod login_mail;
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
pub(crate) use login::{LoginOrigin, begin_for_member};
pub use login_mail::send_login_mail;
pub use oidc::{AllowedDomains, Oidc, OidcSettings};
pub use preview::{PreviewTicket, authenticate_preview, preview_ticket};
pub use token::{ServiceToken, TokenSecrets, Tokens, UserToken};
