//! Case 60, for sources: without a permit no action runs, and the compiler says so. The first example
//! compiles; each of the others differs from it in the one thing that must not. That a permit can be neither
//! made nor cloned is shown beside the executors of `tools`.

/// With a permit, once:
///
/// ```
/// use domain::policy::Permit;
/// use secrecy::SecretString;
/// use sources::{Call, Failure, Source};
///
/// async fn run(source: &dyn Source, permit: Permit, call: Call, credential: &SecretString) -> Option<Failure> {
///     source.execute(permit, call, credential).await.err()
/// }
/// ```
fn case_60_with_a_permit_an_action_compiles() {}

/// ```compile_fail,E0061
/// use domain::policy::Permit;
/// use secrecy::SecretString;
/// use sources::{Call, Failure, Source};
///
/// async fn run(source: &dyn Source, permit: Permit, call: Call, credential: &SecretString) -> Option<Failure> {
///     source.execute(call, credential).await.err()
/// }
/// ```
fn case_60_an_action_without_a_permit_does_not_compile() {}

/// ```compile_fail,E0308
/// use domain::policy::Permit;
/// use secrecy::SecretString;
/// use sources::{Call, Failure, Source};
///
/// async fn run(source: &dyn Source, permit: Permit, call: Call, credential: &SecretString) -> Option<Failure> {
///     source.execute(&permit, call, credential).await.err()
/// }
/// ```
fn case_60_a_permit_that_is_only_lent_does_not_compile() {}

/// ```compile_fail,E0382
/// use domain::policy::Permit;
/// use secrecy::SecretString;
/// use sources::{Call, Failure, Source};
///
/// async fn run(source: &dyn Source, permit: Permit, call: Call, credential: &SecretString) -> Option<Failure> {
///     let _ = source.execute(permit, call.clone(), credential).await;
///     source.execute(permit, call, credential).await.err()
/// }
/// ```
fn case_60_a_permit_cannot_be_spent_twice() {}
