//! How much harm an action can do. Reads run, writes ask, danger is denied.

crate::text_enum! {
    /// Declared from least to most, so that the greater of two is the careful one.
    Risk {
        Read = "read",
        Write = "write",
        Danger = "danger",
    }
}
