//! How much harm an action can do. Reads run, writes ask, danger is denied.

crate::text_enum! {
    /// Ordered from least to most, so that the greater of two is the careful one.
    Risk {
        Read = "read",
        Write = "write",
        Danger = "danger",
    }
}

impl Risk {
    /// The operation name that policy uses for an action of this risk: tools that come and go cannot be
    /// listed in a file, their effects can.
    pub const fn operation(self) -> &'static str {
        match self {
            Self::Read => "action.read",
            Self::Write => "action.write",
            Self::Danger => "action.danger",
        }
    }

    /// The lane such an action goes through.
    pub const fn lane(self) -> &'static str {
        match self {
            Self::Read => "ACTION_READ",
            Self::Write => "ACTION_WRITE",
            Self::Danger => "ACTION_DANGER",
        }
    }
}
