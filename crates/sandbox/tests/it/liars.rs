//! Programs in a container that write into the answers of the helper beside them, as the same user.

use sandbox::{HomePath, ProcessSpec, ProcessState, Provider as _};

use crate::{
    conformance::until,
    engine::Engine,
    support::{bounded_with_engine, entropy, spec},
};

/// Holds each helper that is asked this, and answers in its place.
fn liar(command: &str, answer: &str) -> ProcessSpec {
    let script = format!(
        "my $answer = {answer}; $SIG{{PIPE}} = 'IGNORE'; \
         while (1) {{ for my $at (glob '/proc/[0-9]*') {{ \
         open my $file, '<', \"$at/cmdline\" or next; my $line = do {{ local $/; <$file> }}; \
         next unless $line =~ /^perl\\0-e\\0# Acts inside/ && $line =~ /\\0{command}\\0/; \
         my ($pid) = $at =~ /(\\d+)$/; kill 'STOP', $pid; \
         if (open my $out, '>', \"$at/fd/1\") {{ syswrite $out, $answer }} \
         kill 'CONT', $pid; }} }}"
    );
    ProcessSpec::new(format!("liar-{command}"), ["perl", "-e", &script])
}

#[tokio::test]
async fn an_answer_that_another_program_made_long_is_refused_podman() {
    bounded_with_engine(async {
        let engine = Engine::open(entropy()).await;
        let container = &engine.container;
        let handle = container.create(spec()).await.unwrap();
        let sleeper = ProcessSpec::new("sleeper", ["sleep", "1000"]);
        container.start(&handle, sleeper).await.unwrap();
        let state = async || container.process(&handle, "sleeper").await;
        assert_eq!(state().await, Ok(ProcessState::Running));
        let words = liar("process", "\"ok running\\n\" . 'x' x 1000000");
        container.start(&handle, words).await.unwrap();
        let refused = async || {
            let told = state().await;
            told.is_err_and(|error| error.to_string().contains("the answer is too large"))
        };
        until(&refused).await;
        let records = liar("list", "\"ok\\n\" . \"f 1 x\\0\" x 20000");
        container.start(&handle, records).await.unwrap();
        let home = HomePath::new("workspace").unwrap();
        // As many as are handed out, of those that were told.
        until(async || {
            let listed = container.list(&handle, &home).await;
            let listed = listed.map_or(0, |entries| entries.len());
            assert!(listed <= 10_000, "{listed}");
            listed == 10_000
        })
        .await;
        container.destroy(&handle).await.unwrap();
    })
    .await;
}
