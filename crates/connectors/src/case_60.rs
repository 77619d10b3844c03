//! Case 60 for connectors: without a permit no tool is called, and the compiler says so. The first example
//! compiles; each of the others differs from it in the one thing that must not.

/// With a permit, once:
///
/// ```
/// use std::sync::Arc;
/// use connectors::{Connectors, Content, Failure, Scope, ToolCall, config::Connector};
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
/// use connectors::{Connectors, Content, Failure, Scope, ToolCall, config::Connector};
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
/// use connectors::{Connectors, Content, Failure, Scope, ToolCall, config::Connector};
/// use domain::policy::Permit;
///
/// async fn call(
///     connectors: Arc<Connectors>, permit: Permit, scope: &Scope, connector: &Connector, call: ToolCall,
/// ) -> Result<Content, Failure> {
///     connectors.call_tool(&permit, scope, connector, call).await
/// }
/// ```
fn case_60_a_permit_that_is_only_lent_does_not_compile() {}

/// ```compile_fail,E0382
/// use std::sync::Arc;
/// use connectors::{Connectors, Content, Failure, Scope, ToolCall, config::Connector};
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
