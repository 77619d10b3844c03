//! The caller of the current request, for the record of its rejection: a task-local that authentication sets.

use std::cell::RefCell;

use domain::caller::Caller;

tokio::task_local! {
    static CALLER: RefCell<Option<Caller>>;
}

/// Sets the caller of the current request.
pub(crate) fn set_caller(caller: &Caller) {
    // Requests that only read have no slot for it.
    drop(CALLER.try_with(|slot| slot.replace(Some(caller.clone()))));
}

/// Runs work, and returns its result with the caller that was set_caller within it.
pub(super) async fn with_identified_caller<T>(
    work: impl Future<Output = T>,
) -> (T, Option<Caller>) {
    let work = async {
        let result = work.await;
        (result, CALLER.with(RefCell::take))
    };
    CALLER.scope(RefCell::default(), work).await
}
