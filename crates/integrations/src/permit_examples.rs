//! Case 60 of the test list: without a permit neither an action of a source nor a tool of a connector runs, and the
//! compiler says so. The first example of each compiles; each of the others differs from it in one point. That a permit
//! can be neither made nor cloned is shown beside the executors of `tools`.

/// An action of a source, with a permit, once:
///
/// ```
/// use domain::policy::Permit;
/// use secrecy::SecretString;
/// use integrations::{Call, Failure, Source};
///
/// async fn run(source: &dyn Source, permit: Permit, call: Call, credential: &SecretString) -> Option<Failure> {
///     source.execute(permit, call, credential).await.err()
/// }
/// ```
fn case_60_with_a_permit_an_action_compiles() {}

/// ```compile_fail,E0061
/// use domain::policy::Permit;
/// use secrecy::SecretString;
/// use integrations::{Call, Failure, Source};
///
/// async fn run(source: &dyn Source, permit: Permit, call: Call, credential: &SecretString) -> Option<Failure> {
///     source.execute(call, credential).await.err()
/// }
/// ```
fn case_60_an_action_without_a_permit_does_not_compile() {}

/// ```compile_fail,E0308
/// use domain::policy::Permit;
/// use secrecy::SecretString;
/// use integrations::{Call, Failure, Source};
///
/// async fn run(source: &dyn Source, permit: Permit, call: Call, credential: &SecretString) -> Option<Failure> {
///     source.execute(&permit, call, credential).await.err()
/// }
/// ```
fn case_60_a_permit_that_is_only_lent_does_not_compile() {}

/// ```compile_fail,E0382
/// use domain::policy::Permit;
/// use secrecy::SecretString;
/// use integrations::{Call, Failure, Source};
///
/// async fn run(source: &dyn Source, permit: Permit, call: Call, credential: &SecretString) -> Option<Failure> {
///     let _ = source.execute(permit, call.clone(), credential).await;
///     source.execute(permit, call, credential).await.err()
/// }
/// ```
fn case_60_a_permit_cannot_be_spent_twice() {}

/// A tool of a connector, with a permit, once:
///
/// ```
/// use std::sync::Arc;
/// use integrations::{Failure, mcp::{Connectors, Content, Scope, ToolCall, config::Connector}};
/// use domain::policy::Permit;
///
/// async fn call(
///     connectors: Arc<Connectors>, permit: Permit, scope: &Scope, connector: &Connector, call: ToolCall,
/// ) -> Result<Content, Failure> {
///     connectors.call_tool(permit, scope, connector, call).await
/// }
/// ```
fn case_60_with_a_permit_a_call_compiles() {}

/// ```compile_fail,E0061
/// use std::sync::Arc;
/// use integrations::{Failure, mcp::{Connectors, Content, Scope, ToolCall, config::Connector}};
/// use domain::policy::Permit;
///
/// async fn call(
///     connectors: Arc<Connectors>, permit: Permit, scope: &Scope, connector: &Connector, call: ToolCall,
/// ) -> Result<Content, Failure> {
///     connectors.call_tool(scope, connector, call).await
/// }
/// ```
fn case_60_a_call_without_a_permit_does_not_compile() {}

/// ```compile_fail,E0308
/// use std::sync::Arc;
/// use integrations::{Failure, mcp::{Connectors, Content, Scope, ToolCall, config::Connector}};
/// use domain::policy::Permit;
///
/// async fn call(
///     connectors: Arc<Connectors>, permit: Permit, scope: &Scope, connector: &Connector, call: ToolCall,
/// ) -> Result<Content, Failure> {
///     connectors.call_tool(&permit, scope, connector, call).await
/// }
/// ```
fn case_60_a_permit_that_is_only_lent_to_a_tool_does_not_compile() {}

/// ```compile_fail,E0382
/// use std::sync::Arc;
/// use integrations::{Failure, mcp::{Connectors, Content, Scope, ToolCall, config::Connector}};
/// use domain::policy::Permit;
///
/// async fn call(
///     connectors: Arc<Connectors>, permit: Permit, scope: &Scope, connector: &Connector, call: ToolCall,
/// ) -> Result<Content, Failure> {
///     connectors.call_tool(permit, scope, connector, call.clone()).await.ok();
///     connectors.call_tool(permit, scope, connector, call).await
/// }
/// ```
fn case_60_a_permit_that_is_spent_is_gone() {}
