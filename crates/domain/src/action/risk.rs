//! How much harm an action can do, which decides who must be asked before it runs.

crate::text_enum! {
    /// From harmless to harmful: a later one is never less careful than an earlier one.
    Risk {
        /// Changes nothing: runs at once.
        Read = "read",
        /// Changes something: needs a grant or a person.
        Write = "write",
        /// Destroys something: does not run.
        Danger = "danger",
    }
}

#[cfg(test)]
mod tests {
    use super::Risk;

    #[test]
    fn risks_are_ordered_and_have_one_spelling() {
        assert!(Risk::Read < Risk::Write && Risk::Write < Risk::Danger);
        for risk in Risk::ALL {
            assert_eq!(risk.as_str().parse(), Ok(*risk));
        }
        assert!("Read".parse::<Risk>().is_err());
    }
}
