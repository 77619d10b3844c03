//! In what the four services differ. Everything else of OAuth2 is the same for all of them.

/// One service's ways.
#[derive(Debug)]
pub(super) struct Ways {
    pub(super) name: &'static str,
    pub(super) display_name: &'static str,
    /// Between two scopes.
    pub(super) separator: &'static str,
    /// What the page where people say yes is told besides.
    pub(super) authorize: &'static [(&'static str, &'static str)],
    /// How it says that a code or a refresh token is good no more, besides the standard's `invalid_grant`.
    pub(super) dead: &'static [&'static str],
}

static ALL: [Ways; 4] = [
    Ways {
        name: "linear",
        display_name: "Linear",
        separator: ",",
        // Without it somebody who has connected one workspace is never asked for another.
        authorize: &[("prompt", "consent")],
        dead: &[],
    },
    Ways {
        name: "sentry",
        display_name: "Sentry",
        separator: " ",
        authorize: &[],
        dead: &[],
    },
    Ways {
        name: "slack",
        display_name: "Slack",
        separator: ",",
        authorize: &[],
        dead: &[
            "invalid_refresh_token",
            "token_revoked",
            "token_expired",
            "account_inactive",
            "invalid_code",
            "code_already_used",
        ],
    },
    Ways {
        name: "github",
        display_name: "GitHub",
        separator: " ",
        authorize: &[],
        dead: &["bad_refresh_token", "bad_verification_code"],
    },
];

/// The display name of every service people can be sent to, by name.
pub fn display_name(name: &str) -> Option<&'static str> {
    Ways::of(name).map(|ways| ways.display_name)
}

impl Ways {
    pub(super) fn of(name: &str) -> Option<&'static Self> {
        ALL.iter().find(|ways| ways.name == name)
    }
}
