//! Case 60 of the test list: without a permit no action of a source and no tool of a connector runs, and the compiler says
//! so. The first example compiles; each of the others differs from it in one point. That a permit can be neither made nor
//! cloned is shown beside the executors of `tools`.

/// With a permit, once, for a built-in source and for a connector's tool:
///
/// ```
/// use domain::policy::Permit;
/// use integrations::{ActionCall, ActionSource, BuiltInSource, Failure, mcp::ConnectorTool};
/// use secrecy::SecretString;
///
/// async fn run(source: &dyn ActionSource, permit: Permit, call: ActionCall, token: &SecretString) -> Option<Failure> {
///     source.execute(permit, call, Some(token)).await.err()
/// }
///
/// async fn run_built_in(source: &dyn BuiltInSource, permit: Permit, call: ActionCall) -> Option<Failure> {
///     source.execute(permit, call, None).await.err()
/// }
///
/// async fn run_tool(tool: &ConnectorTool, permit: Permit, call: ActionCall) -> Option<Failure> {
///     tool.execute(permit, call, None).await.err()
/// }
/// ```
fn case_60_with_a_permit_an_action_compiles() {}

/// ```compile_fail,E0061
/// use domain::policy::Permit;
/// use integrations::{ActionCall, ActionSource, Failure};
/// use secrecy::SecretString;
///
/// async fn run(source: &dyn ActionSource, permit: Permit, call: ActionCall, token: &SecretString) -> Option<Failure> {
///     source.execute(call, Some(token)).await.err()
/// }
/// ```
fn case_60_an_action_without_a_permit_does_not_compile() {}

/// ```compile_fail,E0061
/// use domain::policy::Permit;
/// use integrations::{ActionCall, ActionSource, Failure, mcp::ConnectorTool};
///
/// async fn run(tool: &ConnectorTool, permit: Permit, call: ActionCall) -> Option<Failure> {
///     tool.execute(call, None).await.err()
/// }
/// ```
fn case_60_a_tool_without_a_permit_does_not_compile() {}

/// ```compile_fail,E0308
/// use domain::policy::Permit;
/// use integrations::{ActionCall, ActionSource, Failure};
/// use secrecy::SecretString;
///
/// async fn run(source: &dyn ActionSource, permit: Permit, call: ActionCall, token: &SecretString) -> Option<Failure> {
///     source.execute(&permit, call, Some(token)).await.err()
/// }
/// ```
fn case_60_a_permit_that_is_only_lent_does_not_compile() {}

/// ```compile_fail,E0382
/// use domain::policy::Permit;
/// use integrations::{ActionCall, ActionSource, Failure};
/// use secrecy::SecretString;
///
/// async fn run(source: &dyn ActionSource, permit: Permit, call: ActionCall, token: &SecretString) -> Option<Failure> {
///     let _ = source.execute(permit, call.clone(), Some(token)).await;
///     source.execute(permit, call, Some(token)).await.err()
/// }
/// ```
fn case_60_a_permit_cannot_be_spent_twice() {}
