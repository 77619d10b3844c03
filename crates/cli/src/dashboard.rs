//! The dashboard as it was built into `dashboard/dist`. A release has it in the binary; a debug build reads the folder,
//! so that a change of the app needs no other binary. Without the folder there is none, and nothing fails.

use gateway::{Dashboard, File};
use rust_embed::Embed;

#[derive(Embed)]
#[folder = "../../dashboard/dist"]
#[allow_missing = true]
struct Dist;

pub(crate) fn built() -> Dashboard {
    Dashboard::new(|path| {
        let file = Dist::get(path)?;
        Some(File {
            bytes: file.data,
            sha256: file.metadata.sha256_hash(),
        })
    })
}
