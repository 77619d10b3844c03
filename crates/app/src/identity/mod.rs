//! Authentication: tokens, keys and logins, and the functions that turn them into a caller.

mod access_changes;
mod authenticate;
mod believed;
mod device;
mod login;
mod login_mail;
pub mod oidc;
mod preview;
mod sandbox;
mod token;

pub use access_changes::{
    AccessChange, AccessChanges, AccessWatch, access_changed, receive_access_changes,
};
pub use authenticate::{Identified, Intent, authenticate, authenticate_login, authenticate_model};
pub use device::{
    DeviceLoginAnswer, StartedDeviceLogin, device_login_create, device_login_decide,
    device_login_redeem, device_login_show, sweep_device_logins,
};
pub use login::{
    LoggedIn, describe, login, login_by_code, login_code_create, logout, sweep_logins,
};
pub(crate) use login::{LoginOrigin, begin_for_member, insert_login_code};
pub use login_mail::send_login_mail;
pub use oidc::{Oidc, OidcProviders, OidcSettings};
pub use preview::{PreviewTicket, authenticate_preview, preview_ticket};
pub use token::{ServiceToken, TokenSecrets, Tokens, UserToken};
