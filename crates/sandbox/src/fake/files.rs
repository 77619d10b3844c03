//! The files of a fake sandbox, with their permissions.

use std::collections::BTreeMap;

use bytes::Bytes;

use crate::HomePath;

pub(super) type Files = BTreeMap<HomePath, (Bytes, u32)>;
