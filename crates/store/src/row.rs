//! Rows that a statement returned. Reading a column validates it; an illegal value becomes an error that names table,
//! column and row.

use std::{num::NonZeroU32, str::FromStr};

use domain::{audit::Sha256Hex, clock::Timestamp};
use sqlx::{Row as _, postgres::PgRow};
use uuid::Uuid;

use crate::{
    error::{Error, Result},
    sqlite::SqliteRow,
};

#[derive(Debug)]
pub(crate) enum DriverRow {
    Postgres(PgRow),
    Sqlite(SqliteRow),
}

/// A row of the named table.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) table: &'static str,
    pub(crate) raw: DriverRow,
}

/// Reads one column with the type each database holds it in, then converts.
macro_rules! get {
    ($row:expr, $column:expr, $pg:ty => $from_pg:expr, $lite:ident => $from_lite:expr) => {
        match &$row.raw {
            DriverRow::Postgres(raw) => raw
                .try_get::<Option<$pg>, _>($column)
                .map(|v| v.map($from_pg))
                .map_err(|error| error.to_string()),
            DriverRow::Sqlite(raw) => raw.$lite($column).map(|v| v.map($from_lite)),
        }
        .map_err(|error| $row.inconsistent($column, &error))
    };
}

impl Row {
    pub(crate) fn text_opt(&self, column: &'static str) -> Result<Option<String>> {
        get!(self, column, String => |v| v, text => |v| v)
    }

    pub(crate) fn text(&self, column: &'static str) -> Result<String> {
        self.required(column, self.text_opt(column)?)
    }

    pub(crate) fn int_opt(&self, column: &'static str) -> Result<Option<i64>> {
        get!(self, column, i64 => |v| v, int => |v| v)
    }

    pub(crate) fn int(&self, column: &'static str) -> Result<i64> {
        self.required(column, self.int_opt(column)?)
    }

    pub(crate) fn uuid(&self, column: &'static str) -> Result<Uuid> {
        Ok(self.id::<RowId>(column)?.0)
    }

    pub(crate) fn uuid_opt(&self, column: &'static str) -> Result<Option<Uuid>> {
        Ok(self.id_opt::<RowId>(column)?.map(|id| id.0))
    }

    pub(crate) fn bool(&self, column: &'static str) -> Result<bool> {
        self.required(
            column,
            get!(self, column, bool => |v| v, int => |v| v != 0)?,
        )
    }

    pub(crate) fn time_opt(&self, column: &'static str) -> Result<Option<Timestamp>> {
        let micros = get!(
            self, column,
            chrono::DateTime<chrono::Utc> => |v| v.timestamp_micros(),
            int => |v| v
        )?;
        micros
            .map(|us| {
                Timestamp::from_micros(us).ok_or_else(|| self.inconsistent(column, "not a time"))
            })
            .transpose()
    }

    pub(crate) fn time(&self, column: &'static str) -> Result<Timestamp> {
        self.required(column, self.time_opt(column)?)
    }

    /// An id column as its type.
    pub(crate) fn id_opt<T: From<RowId>>(&self, column: &'static str) -> Result<Option<T>> {
        let parsed = get!(
            self, column,
            Uuid => Some,
            text => |text| Uuid::try_parse(&text).ok()
        )?;
        match parsed {
            None => Ok(None),
            Some(Some(uuid)) => Ok(Some(T::from(RowId(uuid)))),
            Some(None) => Err(self.inconsistent(column, "not a UUID")),
        }
    }

    pub(crate) fn id<T: From<RowId>>(&self, column: &'static str) -> Result<T> {
        self.required(column, self.id_opt(column)?)
    }

    /// A text column that holds one of a closed set of words, or a text id.
    pub(crate) fn parsed_opt<T>(&self, column: &'static str) -> Result<Option<T>>
    where
        T: FromStr,
        T::Err: std::fmt::Display,
    {
        self.text_opt(column)?
            .map(|text| {
                text.parse()
                    .map_err(|error: T::Err| self.inconsistent(column, &error.to_string()))
            })
            .transpose()
    }

    pub(crate) fn parsed<T>(&self, column: &'static str) -> Result<T>
    where
        T: FromStr,
        T::Err: std::fmt::Display,
    {
        self.required(column, self.parsed_opt(column)?)
    }

    pub(crate) fn json_opt(&self, column: &'static str) -> Result<Option<serde_json::Value>> {
        let json = get!(
            self, column,
            serde_json::Value => Ok,
            text => |text| serde_json::from_str(&text)
        )?;
        json.transpose()
            .map_err(|error| self.inconsistent(column, &error.to_string()))
    }

    pub(crate) fn json(&self, column: &'static str) -> Result<serde_json::Value> {
        self.required(column, self.json_opt(column)?)
    }

    pub(crate) fn sha256_opt(&self, column: &'static str) -> Result<Option<Sha256Hex>> {
        let text = self.text_opt(column)?;
        let parsed = text.map(|text| Sha256Hex::new(column, text)).transpose();
        parsed.map_err(|error| self.inconsistent(column, &error.to_string()))
    }

    pub(crate) fn sha256(&self, column: &'static str) -> Result<Sha256Hex> {
        self.required(column, self.sha256_opt(column)?)
    }

    /// A count that the table's constraint keeps small.
    pub(crate) fn small(&self, column: &'static str) -> Result<u32> {
        let small = u32::try_from(self.int(column)?);
        small.map_err(|_| self.inconsistent(column, "not a small number"))
    }

    /// How often a grant may be used; empty for no limit.
    pub(crate) fn max_calls(&self) -> Result<Option<NonZeroU32>> {
        let Some(max) = self.int_opt("max_calls")? else {
            return Ok(None);
        };
        let max = u32::try_from(max).ok().and_then(NonZeroU32::new);
        match max {
            Some(max) => Ok(Some(max)),
            None => Err(self.inconsistent("max_calls", "not a number of calls")),
        }
    }

    /// The error for a value that should not be in this column of this row.
    pub(crate) fn inconsistent(&self, column: &'static str, reason: &str) -> Error {
        let id = match &self.raw {
            DriverRow::Postgres(raw) => raw
                .try_get::<Uuid, _>("id")
                .map(|uuid| uuid.to_string())
                .or_else(|_| raw.try_get::<String, _>("id"))
                .ok(),
            DriverRow::Sqlite(raw) => raw.text("id").ok().flatten(),
        };
        Error::Inconsistent {
            table: self.table,
            column,
            id: id.unwrap_or_else(|| "(unknown)".to_owned()),
            reason: reason.to_owned(),
        }
    }

    /// A value that the column must hold.
    pub(crate) fn required<T>(&self, column: &'static str, value: Option<T>) -> Result<T> {
        value.ok_or_else(|| self.inconsistent(column, "is missing"))
    }
}

/// A UUID read from a row, about to become a typed id.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RowId(Uuid);

macro_rules! row_ids {
    ($($id:ident),+ $(,)?) => {$(
        impl From<RowId> for domain::id::$id {
            fn from(text: RowId) -> Self {
                Self::from_uuid(text.0)
            }
        }
    )+};
}

row_ids!(
    ApiKeyId,
    LoginId,
    ArtifactId,
    AutomationId,
    AutomationRunId,
    ConfigurationId,
    ConnectorId,
    DeliveryId,
    DeviceLoginId,
    GrantId,
    GrantRequestId,
    IntegrationId,
    InstanceId,
    InvitationId,
    InvocationId,
    JobId,
    MailId,
    OverrideTicketId,
    RecordId,
    RepoId,
    RunId,
    SafetyLockId,
    SecretId,
    SessionId,
    ShareLinkId,
    WebhookId
);
