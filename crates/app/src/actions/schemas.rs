//! Schemas of tools, read once: reading one costs more than checking a hundred calls against it. Not `moka`: nothing expires
//! here, and more definitions than the bound are rare.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use ::integrations::schema::{Schema, SchemaError};
use domain::limits::SCHEMAS_KEPT_MAX;
use serde_json::{Map, Value};

/// By the digest of the definition they belong to, so that a changed one is another.
#[derive(Debug, Default)]
pub(crate) struct Schemas(Mutex<HashMap<String, Schema>>);

impl Schemas {
    pub(super) fn read(
        &self,
        digest: &str,
        document: &Map<String, Value>,
    ) -> Result<Schema, SchemaError> {
        if let Some(known) = self.kept().get(digest) {
            return Ok(known.clone());
        }
        // Two may read the same one at once; both get the same.
        let schema = Schema::read(Value::Object(document.clone()))?;
        let mut kept = self.kept();
        if kept.len() >= SCHEMAS_KEPT_MAX {
            // Those in use are read again soon; keeping order would cost each call more.
            kept.clear();
        }
        kept.insert(digest.to_owned(), schema.clone());
        Ok(schema)
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, HashMap<String, Schema>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
