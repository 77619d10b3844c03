//! A permit is for one operation of one case.

use std::sync::Arc;

use testkit::permit::permit;
use tools::{
    CommandExecutor, Executor, Failure, HttpExecutor,
    egress::{EgressGuard, SystemResolver},
};

use crate::support::{Call, script};

const REFUSED: Failure = Failure::Tool {
    reason: "the permit is for another call",
    retryable: false,
};

#[tokio::test]
async fn a_permit_for_another_call_runs_nothing() {
    let guard = EgressGuard::new(Arc::new(SystemResolver), []);
    let http = HttpExecutor::new(guard);
    let executors: [&dyn Executor; 2] = [&CommandExecutor::new(), &*http];
    for executor in executors {
        let call = Call::of(script("exit 0"));
        let other = permit(&"test.other".parse().unwrap());
        let refused = executor.execute(other, call.work()).await.map(drop);
        assert_eq!(refused, Err(REFUSED));
        // Of a case, with a permit that is of none.
        let mut work = call.work();
        work.scope.case_id = Some("CASE-0001".parse().unwrap());
        let refused = executor.execute(permit(&call.tool.operation), work).await;
        assert_eq!(refused.map(drop), Err(REFUSED));
    }
}
