//! Without a permit nothing runs, and the compiler says so (case 60 of the specification). The first example compiles; each of
//! the others differs from it in the one thing that must not. Run by `cargo test --doc`, which uses the
//! crates that are built already.

/// With a permit, once:
///
/// ```
/// use domain::policy::Permit;
/// use tools::{Executor, Failure, Produced, PermittedCall};
///
/// async fn call(executor: &dyn Executor, permit: Permit, call: PermittedCall) -> Result<Produced, Failure> {
///     executor.execute(permit, call).await
/// }
/// ```
fn with_a_permit_a_call_compiles() {}

/// ```compile_fail,E0061
/// use domain::policy::Permit;
/// use tools::{Executor, Failure, Produced, PermittedCall};
///
/// async fn call(executor: &dyn Executor, permit: Permit, call: PermittedCall) -> Result<Produced, Failure> {
///     executor.execute(call).await
/// }
/// ```
fn a_call_without_a_permit_does_not_compile() {}

/// ```compile_fail,E0308
/// use domain::policy::Permit;
/// use tools::{Executor, Failure, Produced, PermittedCall};
///
/// async fn call(executor: &dyn Executor, permit: Permit, call: PermittedCall) -> Result<Produced, Failure> {
///     executor.execute(&permit, call).await
/// }
/// ```
fn a_permit_that_is_only_lent_does_not_compile() {}

/// ```compile_fail,E0599
/// use domain::policy::Permit;
/// use tools::{Executor, Failure, Produced, PermittedCall};
///
/// async fn call(executor: &dyn Executor, permit: Permit, call: PermittedCall) -> Result<Produced, Failure> {
///     let second: Permit = permit.clone();
///     executor.execute(permit, call).await
/// }
/// ```
fn a_permit_cannot_be_cloned() {}

/// ```compile_fail,E0382
/// use domain::policy::Permit;
/// use tools::{Executor, Failure, Produced, PermittedCall};
///
/// async fn call(
///     executor: &dyn Executor, permit: Permit, call: PermittedCall, again: PermittedCall,
/// ) -> Result<Produced, Failure> {
///     executor.execute(permit, call).await?;
///     executor.execute(permit, again).await
/// }
/// ```
fn a_permit_cannot_be_spent_twice() {}

/// What a permit is made of can be read:
///
/// ```
/// use domain::policy::{LaneId, Operation, Permit, RoleId};
///
/// fn read(permit: Permit) -> (Operation, LaneId, RoleId) {
///     (permit.operation().clone(), permit.lane_id().clone(), permit.role().clone())
/// }
/// ```
fn a_permit_can_be_read() {}

/// ```compile_fail,E0451
/// use domain::policy::{LaneId, Operation, Permit, RoleId};
///
/// fn make(operation: Operation, lane_id: LaneId, role: RoleId) -> Permit {
///     Permit { operation, lane_id, role, case_id: None }
/// }
/// ```
fn a_permit_cannot_be_made() {}

/// ```compile_fail,E0599
/// use domain::policy::Permit;
///
/// fn make() -> Permit {
///     Permit::default()
/// }
/// ```
fn a_permit_has_no_default() {}
