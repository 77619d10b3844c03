//! Tools of agents in the end: what was answered is what happened.

use app::callbacks::CallbackAnswer;

use crate::world::World;

impl World {
    pub(super) fn judge_tools(&self) {
        for (line, told) in self.users.ledger.answered() {
            let times = self.shared_parts.counted.times(&line);
            if matches!(told, CallbackAnswer::Done { .. }) && times != 1 {
                self.violation(format!("{line} is done and was made {times} times"));
            }
        }
        let open =
            "SELECT tool_call_id, 1 FROM session_tool_invocations WHERE status = 'executing'";
        for (line, _) in self.looks(|database_watcher| database_watcher.counts(open)) {
            self.violation(format!("the tool call {line} is still under way"));
        }
    }
}
