//! What an action may do to the world. It decides whether somebody has to be asked.

crate::text_enum! {
    /// Declared from least to most, so that `>=` means "at least".
    Risk {
        /// Changes nothing: runs at once.
        Read = "read",
        /// Changes something: runs when a person or a grant allows it.
        Write = "write",
        /// Destroys something: does not run.
        Danger = "danger",
    }
}
