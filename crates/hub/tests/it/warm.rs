//! An agent loads what its first prompt needs as soon as it is up.

use testkit::database::Backend;

use crate::{migration_scene::Scene, stage::eventually};

#[tokio::test]
async fn an_agent_is_warmed_when_it_is_up_and_no_caller_waits_for_that() {
    let scene = Scene::set(Backend::Sqlite).await;
    let agent = scene.agent().await;
    // It never is; what it is told reaches it all the same.
    agent.stay_cold();
    let id = scene.up().await;
    scene.say(id, "hello").await.unwrap();
    eventually("it is told", async || agent.texts() == ["hello"]).await;
    eventually("it is warmed", async || agent.warmings() == 1).await;
}

mod real_agent_warm {
    use app::system::SystemClock;
    use domain::clock::Clock as _;

    use crate::{
        agent::{Agent, prompt, prompt_ids},
        real_agent::done,
    };

    /// What the first prompt takes, printed for the developer. A machine that is busy says anything.
    #[allow(clippy::print_stdout, reason = "it is what this is for")]
    #[tokio::test]
    async fn the_first_prompt_is_answered_warm_or_cold() {
        let clock = SystemClock::new();
        for how in ["cold", "warming", "warm"] {
            let agent = Agent::start().await;
            let client = agent.client();
            let session = client.ensure_session(None, "Warm").await.unwrap();
            let warming = client.clone();
            let warming = async move { warming.prewarm().await.unwrap() };
            match how {
                "warm" => warming.await,
                "warming" => drop(tokio::spawn(warming)),
                _ => {}
            }
            let began = clock.monotonic();
            let body = prompt("SAY Here.");
            let told = client.prompt(&session.id, &prompt_ids(), &body).await;
            told.unwrap();
            done(&client, &session.id).await;
            let took = clock.monotonic().saturating_sub(began).as_millis();
            println!("the first prompt of an agent that is {how} takes {took} ms");
        }
    }
}
