//! The identity of a token.

use domain::{
    caller::{Caller, Credential},
    organization::{Organization, User},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

wire_enum! {
    /// What a member may do in an organization.
    Role = domain::role::Role {
        Member = "member",
        Admin = "admin",
        Owner = "owner",
    }
}

/// The kind of a caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum CallerKind {
    /// A user.
    User,
    /// Another service of the platform.
    Service,
    /// The agent inside a sandbox.
    Sandbox,
}

wire_enum! {
    /// The credential a user presented when their browser logged in.
    LoginMethod = domain::login::LoginMethod {
        /// A signed token.
        Token = "token",
        /// An API key.
        ApiKey = "api_key",
        /// A link with a one-time code.
        Link = "link",
        /// An external identity provider.
        Oidc = "oidc",
    }
}

/// How a user authenticates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SignedInBy {
    /// By a signed token, with each request.
    Token,
    /// By an API key, with each request.
    ApiKey,
    /// By a login: a cookie in their browser.
    Login,
}

/// The caller, as the gateway sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Me {
    pub kind: CallerKind,
    pub organization_id: String,
    /// The organization's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub organization_name: Option<String>,
    /// Of a user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub user_id: Option<String>,
    /// Of a user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub role: Option<Role>,
    /// Of a sandbox.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub session_id: Option<Uuid>,
    /// Of a user or a service.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub name: Option<String>,
    /// Of a user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub email: Option<String>,
    /// Of a user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub signed_in_by: Option<SignedInBy>,
    /// Of a user with a login: the credential presented when it was created.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub login_method: Option<LoginMethod>,
    /// Whether the caller may view and change the fleet: an admin of an organization that operates this
    /// installation.
    pub operates_fleet: bool,
}

impl Me {
    /// Adds the names that a caller does not carry.
    #[must_use]
    pub fn named(mut self, organization: Organization, user: Option<User>) -> Self {
        self.organization_name = Some(organization.name);
        if let Some(user) = user {
            self.name = Some(user.name);
            self.email = Some(user.email);
        }
        self
    }
}

impl From<&Caller> for Me {
    /// Neither names nor who operates is part of a caller; the route looks that up and adds it.
    fn from(caller: &Caller) -> Self {
        let mut me = Self {
            kind: CallerKind::User,
            organization_id: caller.organization_id().to_string(),
            organization_name: None,
            user_id: None,
            role: None,
            session_id: None,
            name: None,
            email: None,
            signed_in_by: None,
            login_method: None,
            operates_fleet: false,
        };
        match caller {
            Caller::User {
                user_id,
                role,
                credential,
                ..
            } => {
                me.user_id = Some(user_id.to_string());
                me.role = Some((*role).into());
                me.signed_in_by = Some(match credential {
                    Credential::Token => SignedInBy::Token,
                    Credential::ApiKey(_) => SignedInBy::ApiKey,
                    Credential::Login { .. } => SignedInBy::Login,
                });
                if let Credential::Login { method, .. } = credential {
                    me.login_method = Some((*method).into());
                }
            }
            Caller::Service { name, .. } => {
                me.kind = CallerKind::Service;
                me.name = Some(name.clone());
            }
            Caller::Sandbox { session_id, .. } => {
                me.kind = CallerKind::Sandbox;
                me.session_id = Some(session_id.uuid());
            }
        }
        me
    }
}

#[cfg(test)]
mod tests {
    use domain::{
        caller::Incarnation,
        id::{OrganizationId, UserId},
    };
    use serde_json::{json, to_value};

    use super::*;

    #[test]
    fn every_kind_of_caller_shows_what_it_has() {
        const SESSION: &str = "0192f0c1-2345-7abc-8def-0123456789ab";
        let organization_id = OrganizationId::new("acme").unwrap();
        let user = Caller::User {
            organization_id: organization_id.clone(),
            user_id: UserId::new("ann").unwrap(),
            role: domain::role::Role::Owner,
            credential: Credential::Token,
        };
        let service = Caller::Service {
            organization_id: organization_id.clone(),
            name: "worker".into(),
        };
        let sandbox = Caller::Sandbox {
            organization_id,
            session_id: SESSION.parse().unwrap(),
            incarnation: Incarnation(1),
        };
        let cases = [
            (
                user,
                json!({"kind": "user", "organizationId": "acme", "userId": "ann", "role": "owner",
                    "signedInBy": "token", "operatesFleet": false}),
            ),
            (
                service,
                json!({"kind": "service", "organizationId": "acme", "name": "worker",
                    "operatesFleet": false}),
            ),
            (
                sandbox,
                json!({"kind": "sandbox", "organizationId": "acme", "sessionId": SESSION,
                    "operatesFleet": false}),
            ),
        ];
        for (caller, expected) in cases {
            let me = to_value(Me::from(&caller)).unwrap();
            assert_eq!(me, expected);
            assert_eq!(me["kind"], caller.kind());
        }
    }
}
