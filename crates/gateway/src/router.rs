//! Every route of the gateway. The path and the documentation of each stand with its handler; the
//! OpenAPI document is built from the same list, so a route that is not documented does not exist.

use axum::{
    Router,
    extract::State,
    http::{HeaderMap, Method, Uri},
    response::{IntoResponse, Response},
    routing::{MethodFilter, on},
};
use utoipa::OpenApi as _;
use utoipa_axum::{router::OpenApiRouter, routes};
use wire::problem::Code;

use crate::{
    error::Failure,
    layers::{self, Listener},
    openapi::Base,
    routes as r,
    state::Gateway,
};

/// The routes with every layer; give it the gateway as state.
pub fn router(gateway: &Gateway) -> Router<Gateway> {
    let (router, _) = documented().split_for_parts();
    let router = router
        .merge(r::dashboard::routes())
        .fallback(not_found)
        .method_not_allowed_fallback(method_not_allowed);
    let [preview, below_preview, look, below_look] = PASSED_ON;
    let router = router
        .route(preview, on(changing(), r::live::preview))
        .route(below_preview, on(any(), r::live::preview))
        .route(look, on(changing(), r::live::look))
        .route(below_look, on(any(), r::live::look));
    layers::apply(router, gateway, Listener::People)
}

/// The routes that sandboxes use, with every layer; there are no others on their listener. `/ready` is not: it makes the
/// gateway ask the services behind it, and a sandbox needs no credential for it.
pub fn for_sandboxes(gateway: &Gateway) -> Router<Gateway> {
    let (router, _) = OpenApiRouter::new()
        .routes(routes!(r::health::health))
        .merge(used_in_sandboxes())
        .split_for_parts();
    let router = router
        .fallback(no_route)
        .method_not_allowed_fallback(method_not_allowed);
    layers::apply(router, gateway, Listener::Sandboxes)
}

/// What the listener for measurements serves.
pub(crate) fn for_metrics(gateway: &Gateway) -> Router<Gateway> {
    let router = Router::new()
        .route("/metrics", on(MethodFilter::GET, r::health::measurements))
        .fallback(no_route)
        .method_not_allowed_fallback(method_not_allowed);
    layers::apply(router, gateway, Listener::People)
}

/// The routes that the document leaves out, apart from the dashboard's files: what is below a preview is the server's
/// in the sandbox, by [whatever method](PASSED_ON_METHODS). `GET` of the first and the third is documented.
pub const PASSED_ON: [&str; 4] = [
    "/proliferate/{id}/preview/{port}/",
    "/proliferate/{id}/preview/{port}/{*path}",
    "/proliferate/{id}/look/{ticket}/",
    "/proliferate/{id}/look/{ticket}/{*path}",
];

/// The methods of [`PASSED_ON`], `GET` aside.
pub const PASSED_ON_METHODS: [Method; 5] = [
    Method::POST,
    Method::PUT,
    Method::PATCH,
    Method::DELETE,
    Method::OPTIONS,
];

/// Methods that a server may take beside `GET`.
fn changing() -> MethodFilter {
    let filters = PASSED_ON_METHODS
        .into_iter()
        .filter_map(|method| MethodFilter::try_from(method).ok());
    filters
        .reduce(MethodFilter::or)
        .unwrap_or(MethodFilter::POST)
}

fn any() -> MethodFilter {
    changing().or(MethodFilter::GET)
}

/// The routes clients may use, with their documentation.
pub(crate) fn documented() -> OpenApiRouter<Gateway> {
    OpenApiRouter::with_openapi(Base::openapi())
        // Operators and newcomers: no caller needed.
        .routes(routes!(r::home::home))
        .routes(routes!(r::home::session_page))
        .routes(routes!(r::health::health))
        .routes(routes!(r::health::ready))
        .routes(routes!(r::health::metrics))
        .merge(fleet())
        .routes(routes!(r::reference::openapi))
        .routes(routes!(r::reference::docs))
        // Clients of sessions.
        .routes(routes!(r::sessions::create))
        .routes(routes!(r::sessions::status))
        .merge(used_in_sandboxes())
        // The organization's own things.
        .merge(identity())
        .routes(routes!(r::models::list))
        .routes(routes!(r::sessions::usage))
        .routes(routes!(r::sessions::budget_update))
        .routes(routes!(r::git::status))
        .routes(routes!(r::git::diff))
        .routes(routes!(r::sessions::list))
        .routes(routes!(
            r::sessions::show,
            r::sessions::update,
            r::sessions::stop
        ))
        .routes(routes!(r::configurations::list, r::configurations::create))
        .routes(routes!(
            r::configurations::show,
            r::configurations::update,
            r::configurations::delete
        ))
        .routes(routes!(r::configurations::snapshots))
        .routes(routes!(r::repos::list, r::repos::create))
        .routes(routes!(r::repos::show, r::repos::update, r::repos::delete))
        .routes(routes!(r::secrets::list, r::secrets::create))
        .routes(routes!(r::secrets::import))
        .routes(routes!(r::secrets::check))
        .routes(routes!(r::secrets::update, r::secrets::delete))
        .routes(routes!(r::api_keys::list, r::api_keys::create))
        .routes(routes!(r::api_keys::revoke))
        .merge(actions())
        .merge(organization())
        .merge(locks())
        .merge(connectors())
        .merge(webhooks())
        .merge(automations())
        // Cases and what is stored for them.
        .routes(routes!(r::cases::list, r::cases::create))
        .routes(routes!(r::cases::show))
        .routes(routes!(r::cases::member_add, r::cases::member_remove))
        .routes(routes!(r::cases::client_session_create))
        .routes(routes!(r::cases::records))
        .routes(routes!(r::recordings::put_chunk))
        // What was done, and the proof of it.
        .routes(routes!(r::audit::events))
        .routes(routes!(r::audit::checkpoint))
        .routes(routes!(r::audit::key))
        .routes(routes!(r::audit::proof))
        .routes(routes!(r::audit::consistency))
        .routes(routes!(r::audit::bundle))
}

/// What agents and the programs beside them ask for. Also on the listener for sandboxes: a route that a sandbox may use
/// and that is not here cannot be reached from one.
fn used_in_sandboxes() -> OpenApiRouter<Gateway> {
    OpenApiRouter::new()
        .routes(routes!(r::reference::error_page))
        .routes(routes!(r::me::me))
        .merge(calls())
        .routes(routes!(r::artifacts::list, r::artifacts::upload))
        .routes(routes!(r::artifacts::show))
        .routes(routes!(r::artifacts::content))
        // Its session's actions, and the tools that are done out here.
        .routes(routes!(r::actions::available))
        .routes(routes!(r::actions::guide))
        .routes(routes!(r::actions::invoke))
        .routes(routes!(r::actions::invocations))
        .routes(routes!(r::actions::invocation))
        .routes(routes!(r::grants::list_of_session, r::grants::wish))
        .routes(routes!(r::mcp::mcp))
        .routes(routes!(r::callbacks::call))
        .routes(routes!(r::callbacks::call_internal))
        // Its model, and its repositories.
        .routes(routes!(r::llm::messages))
        .routes(routes!(r::llm::count_tokens))
        .routes(routes!(r::git::refs))
        .routes(routes!(r::git::upload_pack))
        .routes(routes!(r::git::receive_pack))
}

/// The mediated call, and the runs it belongs to.
fn calls() -> OpenApiRouter<Gateway> {
    OpenApiRouter::new()
        .routes(routes!(r::tool_calls::call))
        .routes(routes!(r::runs::create))
        .routes(routes!(r::runs::show))
        .routes(routes!(r::runs::children))
        .routes(routes!(r::runs::cancel))
        .routes(routes!(r::runs::end))
}

/// The instances that serve all this.
fn fleet() -> OpenApiRouter<Gateway> {
    OpenApiRouter::new()
        .routes(routes!(r::fleet::show))
        .routes(routes!(r::fleet::instance))
        .routes(routes!(r::fleet::drain, r::fleet::undrain))
        .routes(routes!(r::jobs::list))
}

/// Connections to services, and tool servers of an organization and of its configurations.
fn connectors() -> OpenApiRouter<Gateway> {
    OpenApiRouter::new()
        .routes(routes!(r::integrations::list, r::integrations::create))
        .routes(routes!(r::connect::begin))
        .routes(routes!(r::connect::callback))
        .routes(routes!(
            r::integrations::show,
            r::integrations::update,
            r::integrations::delete
        ))
        .routes(routes!(r::connectors::list, r::connectors::create))
        .routes(routes!(r::connectors::presets))
        .routes(routes!(r::connectors::validate))
        .routes(routes!(
            r::connectors::show,
            r::connectors::update,
            r::connectors::delete
        ))
        .routes(routes!(r::connectors::tools))
        .routes(routes!(r::connectors::review))
        .routes(routes!(
            r::connectors::configuration_show,
            r::connectors::configuration_replace
        ))
        .routes(routes!(r::connectors::configuration_validate))
}

/// Actions of a session (its agent asks, people look and decide), and grants.
fn actions() -> OpenApiRouter<Gateway> {
    OpenApiRouter::new()
        .routes(routes!(r::actions::open))
        .routes(routes!(r::actions::approve))
        .routes(routes!(r::actions::deny))
        .routes(routes!(r::live::attach))
        .routes(routes!(r::live::message))
        .routes(routes!(r::live::cancel))
        .routes(routes!(r::live::eager_start))
        .routes(routes!(r::live::events))
        .routes(routes!(r::live::terminal))
        .routes(routes!(r::live::preview))
        .routes(routes!(r::live::preview_open))
        .routes(routes!(r::live::look))
        .routes(routes!(r::live::heartbeat))
        .routes(routes!(r::sessions::migrate))
        .routes(routes!(r::sessions::env_submit))
        .routes(routes!(r::sessions::snapshots))
        .routes(routes!(r::callbacks::list))
        .routes(routes!(r::verification::media))
        .routes(routes!(r::actions::inbox))
        .routes(routes!(r::actions::deny_many))
        .routes(routes!(r::actions::show))
        .routes(routes!(r::actions::explain))
        .routes(routes!(r::grants::list, r::grants::create))
        .routes(routes!(r::grants::backtest))
        .routes(routes!(r::grants::show, r::grants::revoke))
        .routes(routes!(r::grants::calls))
        .routes(routes!(r::grants::list_requests))
        .routes(routes!(r::grants::grant_request))
        .routes(routes!(r::grants::refuse_request))
}

/// Who somebody is, and how a browser is let in.
fn identity() -> OpenApiRouter<Gateway> {
    OpenApiRouter::new()
        .routes(routes!(r::news::listen))
        .routes(routes!(r::login::options, r::login::login))
        .routes(routes!(r::login::logout))
        .routes(routes!(r::login::link))
        .routes(routes!(r::login::oidc::begin))
        .routes(routes!(r::login::oidc::callback))
}

/// Tasks that agents work on alone.
fn automations() -> OpenApiRouter<Gateway> {
    OpenApiRouter::new()
        .routes(routes!(r::automations::list, r::automations::create))
        .routes(routes!(
            r::automations::show,
            r::automations::update,
            r::automations::delete
        ))
        .routes(routes!(r::automations::runs, r::automations::start))
        .routes(routes!(r::automations::show_run))
}

/// Who belongs to an organization, and what its policy says.
fn organization() -> OpenApiRouter<Gateway> {
    OpenApiRouter::new()
        .routes(routes!(r::members::list))
        .routes(routes!(r::members::update))
        .routes(routes!(
            r::organization::budget,
            r::organization::budget_update
        ))
        .routes(routes!(r::policy::show))
        .routes(routes!(r::policy::who_can))
        .routes(routes!(r::policy::why))
        .routes(routes!(r::policy::versions))
        .routes(routes!(r::policy::diff))
}

/// The safety lock, and what lifts a lane out of it.
fn locks() -> OpenApiRouter<Gateway> {
    OpenApiRouter::new()
        .routes(routes!(r::locks::show_lock))
        .routes(routes!(r::locks::engage))
        .routes(routes!(r::locks::release))
        .routes(routes!(r::locks::list_tickets, r::locks::open_ticket))
        .routes(routes!(r::locks::show_ticket))
        .routes(routes!(r::locks::approve_ticket))
        .routes(routes!(r::locks::close_ticket))
}

/// Where an organization is told of what happens.
fn webhooks() -> OpenApiRouter<Gateway> {
    OpenApiRouter::new()
        .routes(routes!(r::webhooks::list, r::webhooks::create))
        .routes(routes!(
            r::webhooks::show,
            r::webhooks::update,
            r::webhooks::delete
        ))
        .routes(routes!(r::webhooks::rotate))
        .routes(routes!(r::webhooks::test))
        .routes(routes!(r::webhooks::deliveries))
        .routes(routes!(r::webhooks::redeliver))
}

async fn not_found(
    State(gateway): State<Gateway>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let file = r::dashboard::beside(&gateway, &uri, &headers);
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
        "this route does not take this method",
    )
}
