//! Arguments of statements. Each kind has one representation per database: PostgreSQL
//! gets its own types; SQLite, which has none for these, gets ids and JSON as text (readable in its
//! shell) and times as whole microseconds (exact and comparable).

use domain::{
    caller::Incarnation,
    clock::Timestamp,
    id::{
        ApiKeyId, ArtifactId, AutomationId, AutomationRunId, ConfigurationId, ConnectorId,
        DeliveryId, DeviceLoginId, GrantId, GrantRequestId, InstanceId, IntegrationId,
        InvitationId, InvocationId, JobId, LoginId, MailId, OrganizationId, OverrideTicketId,
        RepoId, RunId, SafetyLockId, SecretId, SessionId, ShareLinkId, UserId, WebhookId,
    },
};
use rusqlite::types::{ToSql, ToSqlOutput};
use sqlx::{Postgres, postgres::PgArguments, query::Query};
use uuid::Uuid;

#[derive(Debug, Clone)]
pub(crate) enum Value {
    Text(Option<String>),
    Int(Option<i64>),
    Bool(Option<bool>),
    Uuid(Option<Uuid>),
    Time(Option<Timestamp>),
    Json(Option<serde_json::Value>),
    Rows(Rows),
}

/// A table as one argument of a statement with `rows(...)`: every row in the order of the columns there.
#[derive(Debug, Clone)]
pub(crate) struct Rows(pub(crate) Vec<Vec<Value>>);

impl Rows {
    /// As JSON, which PostgreSQL makes a table of.
    fn to_json(&self, columns: &[&str]) -> String {
        // A row has a few hundred bytes; one with an event has a thousand.
        let mut text = Vec::with_capacity(1024 * self.0.len() + 2);
        text.push(b'[');
        for (number, row) in self.0.iter().enumerate() {
            debug_assert_eq!(row.len(), columns.len());
            text.extend_from_slice(if number == 0 { b"{" } else { b",{" });
            for (column, value) in columns.iter().zip(row) {
                text.push(b'"');
                text.extend_from_slice(column.as_bytes());
                text.extend_from_slice(b"\":");
                value.put_json(&mut text);
                text.push(b',');
            }
            text.extend_from_slice(b"\"row_number\":");
            text.extend_from_slice(number.to_string().as_bytes());
            text.push(b'}');
        }
        text.push(b']');
        // Everything written above is UTF-8.
        String::from_utf8(text).unwrap_or_default()
    }
}

impl From<Rows> for Value {
    fn from(rows: Rows) -> Self {
        Self::Rows(rows)
    }
}

impl Value {
    fn put_json(&self, text: &mut Vec<u8>) {
        match self {
            Self::Text(Some(value)) => put(text, value),
            Self::Int(Some(value)) => put(text, value),
            Self::Bool(Some(value)) => put(text, value),
            Self::Uuid(Some(value)) => put(text, value),
            Self::Time(Some(value)) => put(text, &value.datetime().to_rfc3339()),
            Self::Json(Some(value)) => put(text, value),
                        Self::Text(None)
            | Self::Int(None)
            | Self::Bool(None)
            | Self::Uuid(None)
            | Self::Time(None)
            | Self::Json(None)
            // A table has no table in it.
            | Self::Rows(_) => text.extend_from_slice(b"null"),
        }
    }

    /// `given` are the columns of the statement's `rows(...)`.
    pub(crate) fn bind_postgres(
        self,
        given: &[&str],
        query: Query<'static, Postgres, PgArguments>,
    ) -> Query<'static, Postgres, PgArguments> {
        match self {
            Self::Text(value) => query.bind(value),
            Self::Int(value) => query.bind(value),
            Self::Bool(value) => query.bind(value),
            Self::Uuid(value) => query.bind(value),
            Self::Time(value) => query.bind(value.map(Timestamp::datetime)),
            Self::Json(value) => query.bind(value),
            Self::Rows(rows) => query.bind(rows.to_json(given)),
        }
    }
}

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        use rusqlite::types::{Null, Value as Owned, ValueRef};
        let text = |text: String| ToSqlOutput::Owned(Owned::Text(text));
        let int = |int: i64| ToSqlOutput::Owned(Owned::Integer(int));
        Ok(match self {
            Self::Text(Some(value)) => ToSqlOutput::Borrowed(ValueRef::Text(value.as_bytes())),
            Self::Int(Some(value)) => int(*value),
            Self::Bool(Some(value)) => int(i64::from(*value)),
            Self::Uuid(Some(value)) => text(value.to_string()),
            Self::Time(Some(value)) => int(value.micros()),
            Self::Json(Some(value)) => text(value.to_string()),
            // `BindPlan` binds their columns row by row.
            Self::Rows(_)
            | Self::Text(None)
            | Self::Int(None)
            | Self::Bool(None)
            | Self::Uuid(None)
            | Self::Time(None)
            | Self::Json(None) => ToSqlOutput::Owned(Owned::from(Null)),
        })
    }
}

/// Writing plain values into memory does not fail.
fn put(text: &mut Vec<u8>, value: &impl serde::Serialize) {
    if serde_json::to_writer(&mut *text, value).is_err() {
        text.extend_from_slice(b"null");
    }
}

/// `From<T>` and `From<Option<T>>` for each type that can be bound.
macro_rules! bindable {
    ($($type:ty => $variant:ident($value:ident) $convert:expr;)+) => {$(
        impl From<$type> for Value {
            fn from($value: $type) -> Self {
                Self::$variant(Some($convert))
            }
        }

        impl From<Option<$type>> for Value {
            fn from(value: Option<$type>) -> Self {
                Self::$variant(value.map(|$value| $convert))
            }
        }
    )+};
}

bindable! {
    &str => Text(value) value.to_owned();
    String => Text(value) value;
    &String => Text(value) value.clone();
    &OrganizationId => Text(value) value.as_str().to_owned();
    &UserId => Text(value) value.as_str().to_owned();
    i64 => Int(value) value;
    Incarnation => Int(value) value.0;
    bool => Bool(value) value;
    Uuid => Uuid(value) value;
    ApiKeyId => Uuid(value) value.uuid();
    LoginId => Uuid(value) value.uuid();
    ArtifactId => Uuid(value) value.uuid();
    AutomationId => Uuid(value) value.uuid();
    AutomationRunId => Uuid(value) value.uuid();
    ConfigurationId => Uuid(value) value.uuid();
    ConnectorId => Uuid(value) value.uuid();
    DeliveryId => Uuid(value) value.uuid();
    DeviceLoginId => Uuid(value) value.uuid();
    GrantId => Uuid(value) value.uuid();
    GrantRequestId => Uuid(value) value.uuid();
    IntegrationId => Uuid(value) value.uuid();
    InstanceId => Uuid(value) value.uuid();
    InvitationId => Uuid(value) value.uuid();
    InvocationId => Uuid(value) value.uuid();
    JobId => Uuid(value) value.uuid();
    MailId => Uuid(value) value.uuid();
    OverrideTicketId => Uuid(value) value.uuid();
    SafetyLockId => Uuid(value) value.uuid();
    RepoId => Uuid(value) value.uuid();
    RunId => Uuid(value) value.uuid();
    SecretId => Uuid(value) value.uuid();
    SessionId => Uuid(value) value.uuid();
    ShareLinkId => Uuid(value) value.uuid();
    WebhookId => Uuid(value) value.uuid();
    Timestamp => Time(value) value;
    serde_json::Value => Json(value) value;
    &serde_json::Value => Json(value) value.clone();
}

/// `values![a, b, c]`: the arguments of a statement, `$1` first.
macro_rules! values {
    ($($value:expr),* $(,)?) => {
        vec![$($crate::value::Value::from($value)),*]
    };
}

pub(crate) use values;
