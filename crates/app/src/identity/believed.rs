//! Tokens that were found to be ours: a caller shows the same one with every request, and reading and checking it anew
//! takes longer than looking it up.
//!
//! INVARIANT: what is kept is what the token says and that its signature is good, which does not change. Whether it has
//! expired, and what its holder may do, is asked each time.
//!
//! Not `moka`: nothing expires here, the bound is exact, and three more crates would keep in better order what is read again
//! in microseconds.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use domain::limits::TOKENS_BELIEVED_MAX;
use sha2::{Digest as _, Sha256};

use crate::error::Result;

/// By the token's digest: the memory of this process holds no token itself.
#[derive(Debug)]
pub(super) struct Believed<T>(Mutex<HashMap<[u8; 32], Arc<T>>>);

impl<T> Believed<T> {
    pub(super) fn new() -> Self {
        Self(Mutex::default())
    }

    /// What the token says. `read` is asked for one that is new, and only one that it takes is kept.
    pub(super) fn read(&self, text: &str, read: impl FnOnce() -> Result<T>) -> Result<Arc<T>> {
        let digest = Sha256::digest(text.as_bytes()).into();
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(claims) = known.get(&digest) {
            return Ok(Arc::clone(claims));
        }
        drop(known);
        let claims = Arc::new(read()?);
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= TOKENS_BELIEVED_MAX {
            // Those that are still in use are soon back.
            known.clear();
        }
        known.insert(digest, Arc::clone(&claims));
        Ok(claims)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;

    #[test]
    fn a_token_is_read_once_and_a_bad_one_each_time() {
        let believed = Believed::new();
        assert_eq!(*believed.read("good", || Ok(1)).unwrap(), 1);
        let again = believed.read("good", || panic!("it is known"));
        assert_eq!(*again.unwrap(), 1);
        for _ in 0..2 {
            let bad = believed.read("good.", || Err(Error::Unauthenticated("not ours")));
            assert!(matches!(bad, Err(Error::Unauthenticated(_))));
        }
    }

    #[test]
    fn what_is_kept_is_bounded() {
        let believed = Believed::new();
        for number in 0..=TOKENS_BELIEVED_MAX {
            believed.read(&number.to_string(), || Ok(number)).unwrap();
            assert!(believed.0.lock().unwrap().len() <= TOKENS_BELIEVED_MAX);
        }
        assert_eq!(*believed.read("0", || Ok(7)).unwrap(), 7, "forgotten");
    }
}
