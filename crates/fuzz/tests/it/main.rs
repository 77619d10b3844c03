//! Every target on its committed corpus and on mutants of it. `FUZZ_MUTANTS` and `FUZZ_SEED` try more and others.

macro_rules! replayed {
    ($($name:ident),+ $(,)?) => {
        $(#[test]
        fn $name() {
            fuzz::replay(stringify!($name));
        })+

        #[test]
        fn every_target_is_replayed() {
            let replayed = [$(stringify!($name)),+];
            let targets: Vec<&str> = fuzz::TARGETS.iter().map(|(name, _)| *name).collect();
            assert_eq!(replayed[..], targets[..]);
        }
    };
}

replayed! {
    action_schema,
    agent_events,
    agent_record,
    audit_bundle,
    canonical_json,
    connector_config,
    dotenv_import,
    env_file,
    git_answer,
    git_push,
    layer_merge,
    live_frame,
    mcp_message,
    mcp_result,
    mcp_tools,
    model_answer,
    policy_files,
    sandbox_token,
    sse_frames,
}
