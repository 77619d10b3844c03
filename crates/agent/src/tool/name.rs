//! The tools by name.

domain::text_enum! {
    /// A tool, by its name in lanes and records.
    Tool {
        SaveSnapshot = "save_snapshot",
        SaveServiceCommands = "save_service_commands",
        SaveEnvFiles = "save_env_files",
        Verify = "verify",
        AutomationComplete = "automation.complete",
        RequestEnvVariables = "request_env_variables",
    }
}
