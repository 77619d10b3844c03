//! Who is asking: tokens, keys and the one function that turns either into a caller.

mod authenticate;
mod sandbox;
mod token;

pub use authenticate::{authenticate, authenticate_model};
pub use token::{ServiceToken, TokenSecrets, Tokens, UserToken};
