//! Which executor runs a tool.

use std::{collections::HashMap, sync::Arc};

use domain::policy::{Engine, Operation, ToolSpec};

use crate::{CommandExecutor, Executor, HttpExecutor};

/// Everything that can run tools in this process.
#[derive(Debug, Clone)]
pub struct Executors {
    command: Arc<CommandExecutor>,
    http: Arc<HttpExecutor>,
    builtins: HashMap<Operation, Arc<dyn Executor>>,
}

impl Executors {
    pub fn new(command: Arc<CommandExecutor>, http: Arc<HttpExecutor>) -> Self {
        Self {
            command,
            http,
            builtins: HashMap::new(),
        }
    }

    /// Built-in code for one operation. The last one registered is used.
    pub fn with_builtin(mut self, operation: Operation, executor: Arc<dyn Executor>) -> Self {
        self.builtins.insert(operation, executor);
        self
    }

    /// `None` for a builtin that is not implemented.
    pub fn for_spec(&self, spec: &ToolSpec) -> Option<Arc<dyn Executor>> {
        match &spec.engine {
            Engine::Command(_) => Some(self.command.clone()),
            Engine::Http(_) => Some(self.http.clone()),
            Engine::Builtin => self.builtins.get(&spec.operation).cloned(),
        }
    }
}
