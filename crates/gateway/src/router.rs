//! Every route of the gateway with its handler, grouped by who calls it.
//!
//! A handler declares its method and path once more in `#[utoipa::path]`, beside its documentation; the OpenAPI document is
//! built from that, when it is first needed. [`documented`] compares the two and a test calls it, so the tables below cannot
//! differ from what the document says. A route that is not documented is either in [`PROXIED_PATHS`] or a file of the dashboard.

use std::sync::LazyLock;

use axum::{
    Router,
    extract::State,
    http::{HeaderMap, Method, Uri},
    response::{IntoResponse, Response},
    routing::{MethodFilter, MethodRouter, on},
};
use utoipa::{OpenApi as _, openapi::OpenApi};
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouter};
use wire::problem::Code;

use crate::{
    error::Failure,
    layers::{self, Listener},
    openapi::Base,
    proxied::{PROXIED_METHODS, PROXIED_PATHS},
    rejections::{Operations, operations_of},
    routes as r,
    state::Gateway,
};

/// A row of the tables below.
struct Route {
    method: Method,
    path: &'static str,
    handler: MethodRouter<Gateway>,
    /// Describes the handler for the OpenAPI document, which takes longer than all else at the start of a gateway.
    describe: fn() -> UtoipaMethodRouter<Gateway>,
}

/// Makes routes of rows `METHOD "path" => handler,`.
macro_rules! table {
    ($($method:ident $path:literal => $handler:path,)+) => {
        vec![$(Route {
            method: Method::$method,
            path: $path,
            handler: on(MethodFilter::$method, $handler),
            describe: || utoipa_axum::routes!($handler),
        }),+]
    };
}

/// The names of the operations, for the record of refused requests. Read from the document by the first of them.
static OPERATIONS: LazyLock<Operations> = LazyLock::new(|| Operations::of(&documented()));

/// Load balancers and monitors, without a credential. On every listener except that for metrics.
fn probes() -> Vec<Route> {
    table! {
        GET    "/health" => r::health::health,
    }
}

/// Browsers, operators and newcomers, without a credential.
fn without_credential() -> Vec<Route> {
    table! {
        GET    "/"                         => r::dashboard::home,
        GET    "/session/{id}"             => r::dashboard::session_page,
        GET    "/openapi.json"             => r::reference::openapi,
        GET    "/docs"                     => r::dashboard::reference,
        // Readiness and metrics. Sandboxes must not reach them.
        GET    "/ready"                    => r::health::ready,
        GET    "/metrics"                  => r::health::metrics,
        // How a browser signs in and out.
        GET    "/v1/login"                 => r::login::options,
        POST   "/v1/login"                 => r::login::login,
        POST   "/v1/login/mail"            => r::login::mail,
        POST   "/v1/logout"                => r::login::logout,
        POST   "/v1/invitations/inspect"   => r::invitations::inspect,
        POST   "/v1/invitations/accept"    => r::invitations::accept,
        GET    "/v1/login/device"          => r::login::device::show,
        POST   "/v1/login/device"          => r::login::device::create,
        POST   "/v1/login/device/decision" => r::login::device::decide,
        POST   "/v1/login/device/token"    => r::login::device::token,
        POST   "/v1/setup/inspect"         => r::setup::inspect,
        POST   "/v1/setup"                 => r::setup::set_up,
        GET    "/login/dev"                => r::login::link,
        GET    "/login/oidc"               => r::login::oidc::begin,
        GET    "/login/oidc/callback"      => r::login::oidc::callback,
        POST   "/login/oidc/backchannel-logout" => r::login::backchannel::logout,
        // A transcript, by the code of a share link.
        POST   "/v1/shared"                => r::sharing::read,
        // The address to which an integration sends the browser back after OAuth.
        GET    "/v1/integrations/callback" => r::connect::callback,
    }
}

/// Operators of the fleet, and admins who look for jobs of their organization.
fn operators() -> Vec<Route> {
    table! {
        GET    "/v1/fleet"                      => r::fleet::show,
        GET    "/v1/fleet/instances/{id}"       => r::fleet::instance,
        POST   "/v1/fleet/instances/{id}/drain" => r::fleet::drain,
        DELETE "/v1/fleet/instances/{id}/drain" => r::fleet::undrain,
        GET    "/v1/jobs"                       => r::jobs::list,
        GET    "/v1/organizations/{id}/limits"  => r::organization_limits::show_ceiling,
        PUT    "/v1/organizations/{id}/limits"  => r::organization_limits::update_ceiling,
        POST   "/v1/installation/checks"        => r::installation::check,
        GET    "/v1/organizations"              => r::organizations::list,
        POST   "/v1/organizations"              => r::organizations::create,
        POST   "/v1/organizations/{id}/suspend" => r::organizations::suspend,
        POST   "/v1/organizations/{id}/resume"  => r::organizations::resume,
    }
}

/// Agents and the programs beside them, with a sandbox token; users call most of these too. Also on the listener for
/// sandboxes: a sandbox can reach no other route.
fn agents() -> Vec<Route> {
    table! {
        GET    "/errors/{code}"                                     => r::reference::error_page,
        GET    "/v1/me"                                             => r::me::me,
        // The mediated call, and the runs it belongs to.
        POST   "/v1/tool-calls"                                     => r::tool_calls::call,
        POST   "/v1/runs"                                           => r::runs::create,
        GET    "/v1/runs/{id}"                                      => r::runs::show,
        GET    "/v1/runs/{id}/children"                             => r::runs::children,
        POST   "/v1/runs/{id}/cancel"                               => r::runs::cancel,
        POST   "/v1/runs/{id}/end"                                  => r::runs::end,
        // Artifacts.
        GET    "/v1/artifacts"                                      => r::artifacts::list,
        POST   "/v1/artifacts"                                      => r::artifacts::upload,
        GET    "/v1/artifacts/{id}"                                 => r::artifacts::show,
        GET    "/v1/artifacts/{id}/content"                         => r::artifacts::content,
        // The session's actions, and its tools that the gateway executes.
        GET    "/proliferate/{id}/actions/available"                => r::actions::available,
        GET    "/proliferate/{id}/actions/guide/{integration}"      => r::actions::guide,
        POST   "/proliferate/{id}/actions/invoke"                   => r::actions::invoke,
        GET    "/proliferate/{id}/actions/invocations"              => r::actions::invocations,
        GET    "/proliferate/{id}/actions/invocations/{invocation}" => r::actions::invocation,
        GET    "/proliferate/{id}/actions/grants"                   => r::grants::list_of_session,
        POST   "/proliferate/{id}/actions/grants"                   => r::grants::create_request,
        POST   "/proliferate/{id}/mcp"                              => r::mcp::mcp,
        POST   "/proliferate/{id}/tools/{tool}"                     => r::callbacks::call,
        POST   "/internal/tools/{tool}"                             => r::callbacks::call_internal,
        // The session's model and repositories.
        POST   "/llm/anthropic/v1/messages"                         => r::llm::messages,
        POST   "/llm/anthropic/v1/messages/count_tokens"            => r::llm::count_tokens,
        GET    "/proliferate/{id}/git/{repo}/info/refs"             => r::git::refs,
        POST   "/proliferate/{id}/git/{repo}/git-upload-pack"       => r::git::upload_pack,
        POST   "/proliferate/{id}/git/{repo}/git-receive-pack"      => r::git::receive_pack,
    }
}

/// Developers at work with a session and its agent.
fn developers() -> Vec<Route> {
    table! {
        POST   "/proliferate/sessions"                => r::sessions::create,
        GET    "/proliferate/sessions/{id}/status"    => r::sessions::status,
        GET    "/v1/sessions"                         => r::sessions::list,
        GET    "/v1/sessions/{id}"                    => r::sessions::show,
        PATCH  "/v1/sessions/{id}"                    => r::sessions::update,
        DELETE "/v1/sessions/{id}"                    => r::sessions::stop,
        GET    "/v1/sessions/{id}/usage"              => r::sessions::usage,
        PUT    "/v1/sessions/{id}/budget"             => r::sessions::budget_update,
        POST   "/v1/sessions/{id}/migrate"            => r::sessions::migrate,
        POST   "/v1/sessions/{id}/env"                => r::sessions::env_submit,
        GET    "/v1/sessions/{id}/snapshots"          => r::sessions::snapshots,
        // Which members see a session, and links to its transcript.
        GET    "/v1/sessions/{id}/sharing"            => r::sharing::show,
        PUT    "/v1/sessions/{id}/sharing"            => r::sharing::update,
        GET    "/v1/sessions/{id}/share-links"        => r::sharing::list_links,
        POST   "/v1/sessions/{id}/share-links"        => r::sharing::create_link,
        DELETE "/v1/sessions/{id}/share-links/{link}" => r::sharing::revoke_link,
        GET    "/v1/models"                           => r::models::list,
        // The live session. `GET /proliferate/{id}` upgrades to a WebSocket.
        GET    "/proliferate/{id}"                    => r::live::attach,
        POST   "/proliferate/{id}/message"            => r::live::message,
        POST   "/proliferate/{id}/cancel"             => r::live::cancel,
        POST   "/proliferate/{id}/eager-start"        => r::live::eager_start,
        POST   "/proliferate/{id}/heartbeat"          => r::live::heartbeat,
        GET    "/proliferate/{id}/events"             => r::live::events,
        GET    "/proliferate/{id}/terminal"           => r::live::terminal,
        GET    "/proliferate/{id}/preview/{port}/"    => r::live::preview,
        POST   "/v1/sessions/{id}/preview"            => r::live::preview_open,
        GET    "/proliferate/{id}/look/{ticket}/"     => r::live::preview_look,
        // What the agent changed and showed.
        GET    "/proliferate/{id}/git/status"         => r::git::status,
        GET    "/proliferate/{id}/git/diff"           => r::git::diff,
        GET    "/v1/sessions/{id}/tool-calls"         => r::callbacks::list,
        GET    "/proliferate/{id}/verification-media" => r::verification::media,
        // Events of the whole organization, as a stream.
        GET    "/v1/events"                           => r::news::listen,
    }
}

/// Admins who approve actions, and members who follow them.
fn approvers() -> Vec<Route> {
    table! {
        GET    "/proliferate/{id}/actions/invocations/{invocation}/call"    => r::actions::open,
        POST   "/proliferate/{id}/actions/invocations/{invocation}/approve" => r::actions::approve,
        POST   "/proliferate/{id}/actions/invocations/{invocation}/deny"    => r::actions::deny,
        GET    "/v1/actions"                                                => r::actions::inbox,
        POST   "/v1/actions/deny"                                           => r::actions::deny_many,
        GET    "/v1/actions/{id}"                                           => r::actions::show,
        GET    "/v1/actions/{id}/explain"                                   => r::actions::explain,
        // Standing permissions.
        GET    "/v1/grants"                                                 => r::grants::list,
        POST   "/v1/grants"                                                 => r::grants::create,
        POST   "/v1/grants/backtest"                                        => r::grants::backtest,
        GET    "/v1/grants/{id}"                                            => r::grants::show,
        DELETE "/v1/grants/{id}"                                            => r::grants::revoke,
        GET    "/v1/grants/{id}/calls"                                      => r::grants::calls,
        GET    "/v1/grant-requests"                                         => r::grants::list_requests,
        POST   "/v1/grant-requests/{id}/grant"                              => r::grants::grant_request,
        POST   "/v1/grant-requests/{id}/refuse"                             => r::grants::refuse_request,
        // The safety lock, and the tickets that lift a lane out of it.
        GET    "/v1/safety-lock"                                            => r::locks::show_lock,
        POST   "/v1/safety-lock/engage"                                     => r::locks::engage,
        POST   "/v1/safety-lock/release"                                    => r::locks::release,
        GET    "/v1/override-tickets"                                       => r::locks::list_tickets,
        POST   "/v1/override-tickets"                                       => r::locks::open_ticket,
        GET    "/v1/override-tickets/{id}"                                  => r::locks::show_ticket,
        POST   "/v1/override-tickets/{id}/approve"                          => r::locks::approve_ticket,
        POST   "/v1/override-tickets/{id}/close"                            => r::locks::close_ticket,
    }
}

/// Members and admins who set the organization up: what sessions start from, who belongs to it, what policy says.
fn organization() -> Vec<Route> {
    table! {
        GET    "/v1/configurations"                => r::configurations::list,
        POST   "/v1/configurations"                => r::configurations::create,
        GET    "/v1/configurations/{id}"           => r::configurations::show,
        PATCH  "/v1/configurations/{id}"           => r::configurations::update,
        DELETE "/v1/configurations/{id}"           => r::configurations::delete,
        GET    "/v1/configurations/{id}/snapshots" => r::configurations::snapshots,
        GET    "/v1/repos"                         => r::repos::list,
        POST   "/v1/repos"                         => r::repos::create,
        GET    "/v1/repos/{id}"                    => r::repos::show,
        PATCH  "/v1/repos/{id}"                    => r::repos::update,
        DELETE "/v1/repos/{id}"                    => r::repos::delete,
        GET    "/v1/secrets"                       => r::secrets::list,
        POST   "/v1/secrets"                       => r::secrets::create,
        POST   "/v1/secrets/import"                => r::secrets::import,
        POST   "/v1/secrets/check"                 => r::secrets::check,
        PATCH  "/v1/secrets/{id}"                  => r::secrets::update,
        DELETE "/v1/secrets/{id}"                  => r::secrets::delete,
        GET    "/v1/automations"                   => r::automations::list,
        POST   "/v1/automations"                   => r::automations::create,
        GET    "/v1/automations/{id}"              => r::automations::show,
        PATCH  "/v1/automations/{id}"              => r::automations::update,
        DELETE "/v1/automations/{id}"              => r::automations::delete,
        GET    "/v1/automations/{id}/runs"         => r::automations::runs,
        POST   "/v1/automations/{id}/runs"         => r::automations::start,
        GET    "/v1/automation-runs/{id}"          => r::automations::show_run,
        GET    "/v1/api-keys"                      => r::api_keys::list,
        POST   "/v1/api-keys"                      => r::api_keys::create,
        DELETE "/v1/api-keys/{id}"                 => r::api_keys::revoke,
        GET    "/v1/members"                       => r::members::list,
        PATCH  "/v1/members/{id}"                  => r::members::update,
        GET    "/v1/organization/sharing"          => r::sharing::organization_show,
        PUT    "/v1/organization/sharing"          => r::sharing::organization_update,
        DELETE "/v1/members/{id}"                  => r::members::remove,
        GET    "/v1/invitations"                   => r::invitations::list,
        POST   "/v1/invitations"                   => r::invitations::create,
        DELETE "/v1/invitations/{id}"              => r::invitations::revoke,
        GET    "/v1/organization"                  => r::organization::show,
        PATCH  "/v1/organization"                  => r::organization::update,
        POST   "/v1/organization/deletion"         => r::organization::deletion_begin,
        DELETE "/v1/organization/deletion"         => r::organization::deletion_cancel,
        GET    "/v1/organization/budget"           => r::organization::budget,
        PUT    "/v1/organization/budget"           => r::organization::budget_update,
        GET    "/v1/organization/limits"           => r::organization_limits::show,
        PUT    "/v1/organization/limits"           => r::organization_limits::update,
        GET    "/v1/policy"                        => r::policy::show,
        GET    "/v1/policy/who-can"                => r::policy::who_can,
        POST   "/v1/policy/why"                    => r::policy::why,
        GET    "/v1/policy/versions"               => r::policy::versions,
        GET    "/v1/policy/diff"                   => r::policy::diff,
    }
}

/// Admins who connect the organization to services, MCP servers and webhooks.
fn connections() -> Vec<Route> {
    table! {
        GET    "/v1/integrations"                                    => r::integrations::list,
        POST   "/v1/integrations"                                    => r::integrations::create,
        POST   "/v1/integrations/connect"                            => r::connect::begin,
        GET    "/v1/integrations/{id}"                               => r::integrations::show,
        PATCH  "/v1/integrations/{id}"                               => r::integrations::update,
        DELETE "/v1/integrations/{id}"                               => r::integrations::delete,
        GET    "/v1/connectors"                                      => r::connectors::list,
        POST   "/v1/connectors"                                      => r::connectors::create,
        GET    "/v1/connectors/presets"                              => r::connectors::presets,
        POST   "/v1/connectors/validate"                             => r::connectors::validate,
        GET    "/v1/connectors/{id}"                                 => r::connectors::show,
        PATCH  "/v1/connectors/{id}"                                 => r::connectors::update,
        DELETE "/v1/connectors/{id}"                                 => r::connectors::delete,
        GET    "/v1/connectors/{id}/tools"                           => r::connectors::tools,
        POST   "/v1/connectors/{id}/review"                          => r::connectors::review,
        GET    "/v1/configurations/{id}/connectors"                  => r::connectors::configuration_show,
        PUT    "/v1/configurations/{id}/connectors"                  => r::connectors::configuration_replace,
        POST   "/v1/configurations/{id}/connectors/validate"         => r::connectors::configuration_validate,
        GET    "/v1/webhooks"                                        => r::webhooks::list,
        POST   "/v1/webhooks"                                        => r::webhooks::create,
        GET    "/v1/webhooks/{id}"                                   => r::webhooks::show,
        PATCH  "/v1/webhooks/{id}"                                   => r::webhooks::update,
        DELETE "/v1/webhooks/{id}"                                   => r::webhooks::delete,
        POST   "/v1/webhooks/{id}/rotate-secret"                     => r::webhooks::rotate,
        POST   "/v1/webhooks/{id}/test"                              => r::webhooks::test,
        GET    "/v1/webhooks/{id}/deliveries"                        => r::webhooks::deliveries,
        POST   "/v1/webhooks/{id}/deliveries/{deliveryId}/redeliver" => r::webhooks::redeliver,
    }
}

/// Members of a case, and the services that work on it.
fn case_members() -> Vec<Route> {
    table! {
        GET    "/v1/cases"                       => r::cases::list,
        POST   "/v1/cases"                       => r::cases::create,
        GET    "/v1/cases/{id}"                  => r::cases::show,
        PUT    "/v1/cases/{id}/members/{member}" => r::cases::member_add,
        DELETE "/v1/cases/{id}/members/{member}" => r::cases::member_remove,
        POST   "/v1/cases/{id}/client-sessions"  => r::cases::client_session_create,
        GET    "/v1/cases/{id}/records"          => r::cases::records,
        PUT    "/v1/recordings/{id}/chunks/{n}"  => r::recordings::put_chunk,
    }
}

/// Auditors: what was done, and the proof of it.
fn auditors() -> Vec<Route> {
    table! {
        GET    "/v1/audit/events"      => r::audit::events,
        GET    "/v1/audit/checkpoint"  => r::audit::checkpoint,
        GET    "/v1/audit/key"         => r::audit::key,
        GET    "/v1/audit/proof"       => r::audit::proof,
        GET    "/v1/audit/consistency" => r::audit::consistency,
        GET    "/v1/audit/bundle"      => r::audit::bundle,
    }
}

/// Returns the routes of the listener for clients, with every layer; give it the gateway as state.
pub fn router(gateway: &Gateway) -> Router<Gateway> {
    let router = every_route()
        .fold(Router::new(), add)
        .merge(r::dashboard::routes())
        .fallback(not_found)
        .method_not_allowed_fallback(method_not_allowed);
    let [preview, below_preview, look, below_look] = PROXIED_PATHS;
    let except_get = proxied_methods();
    let any = except_get.or(MethodFilter::GET);
    let router = router
        .route(preview, on(except_get, r::live::preview))
        .route(below_preview, on(any, r::live::preview))
        .route(look, on(except_get, r::live::preview_look))
        .route(below_look, on(any, r::live::preview_look));
    layers::apply(router, gateway, Listener::People, &OPERATIONS)
}

/// Returns the routes of the listener for sandboxes, with every layer. `/ready` is not among them: it makes the gateway ask
/// the services behind it, and a sandbox needs no credential for it.
pub fn for_sandboxes(gateway: &Gateway) -> Router<Gateway> {
    let routes = [probes(), agents()].into_iter().flatten();
    let router = routes
        .fold(Router::new(), add)
        .fallback(no_route)
        .method_not_allowed_fallback(method_not_allowed);
    layers::apply(router, gateway, Listener::Sandboxes, &OPERATIONS)
}

/// Returns the routes of the listener for metrics.
pub(crate) fn for_metrics(gateway: &Gateway) -> Router<Gateway> {
    let router = Router::new()
        .route("/metrics", on(MethodFilter::GET, r::health::measurements))
        .fallback(no_route)
        .method_not_allowed_fallback(method_not_allowed);
    layers::apply(router, gateway, Listener::People, &OPERATIONS)
}

/// Returns the OpenAPI document of every route.
pub(crate) fn documented() -> OpenApi {
    let router = OpenApiRouter::with_openapi(Base::openapi());
    let described = every_route().fold(router, |router, route| describe(router, &route));
    described.into_openapi()
}

fn every_route() -> impl Iterator<Item = Route> {
    let tables = [
        probes(),
        without_credential(),
        agents(),
        developers(),
        approvers(),
        organization(),
        connections(),
        case_members(),
        auditors(),
        operators(),
    ];
    tables.into_iter().flatten()
}

fn add(router: Router<Gateway>, route: Route) -> Router<Gateway> {
    router.route(route.path, route.handler)
}

fn describe(router: OpenApiRouter<Gateway>, route: &Route) -> OpenApiRouter<Gateway> {
    let Route { method, path, .. } = route;
    debug_assert!(
        route.is_as_declared(),
        "`{method} {path}` is not what its handler's `#[utoipa::path]` declares"
    );
    router.routes((route.describe)())
}

impl Route {
    /// Whether the handler declares this method and path, and no others.
    fn is_as_declared(&self) -> bool {
        let (_, declared, _) = (self.describe)();
        let item = declared.paths.get(self.path);
        declared.paths.len() == 1
            && item.is_some_and(|item| {
                let methods = operations_of(item).map(|(method, _)| method);
                methods.eq([self.method.clone()])
            })
    }
}

fn proxied_methods() -> MethodFilter {
    let filters = PROXIED_METHODS
        .into_iter()
        .filter_map(|method| MethodFilter::try_from(method).ok());
    filters
        .reduce(MethodFilter::or)
        .unwrap_or(MethodFilter::POST)
}

async fn not_found(
    State(gateway): State<Gateway>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let file = r::dashboard::file_beside_page(&gateway, &uri, &headers);
    if let Some(file) = file.filter(|_| [Method::GET, Method::HEAD].contains(&method)) {
        return file;
    }
    no_route(uri).await.into_response()
}

async fn no_route(uri: Uri) -> Failure {
    let path: String = uri.path().chars().take(200).collect();
    Failure::new(Code::NotFound, format!("there is no route {path}"))
        .with_hint("/docs lists every route.")
}

async fn method_not_allowed() -> Failure {
    Failure::new(
        Code::MethodNotAllowed,
        "this route does not accept this method",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_what_the_handlers_declare() {
        let document = documented();
        assert!(document.paths.paths.contains_key("/v1/sessions/{id}"));
        let row = || table! { GET "/v1/sessions/{id}" => r::sessions::show, }.remove(0);
        assert!(row().is_as_declared());
        let path = "/v1/session/{id}";
        assert!(!Route { path, ..row() }.is_as_declared());
        let method = Method::POST;
        assert!(!Route { method, ..row() }.is_as_declared());
    }
}
