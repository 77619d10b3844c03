//! Stored bytes: under the scope they belong to and the digest they have.
