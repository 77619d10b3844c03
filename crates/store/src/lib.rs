//! Durable state on SQLite and PostgreSQL.
