//! The fleet, as operators see it.

use serde_json::Value;
use testkit::{app::Person, database::Backend};

use super::Fleet;

testkit::on_both_databases!(instances_are_shown_with_their_sessions);

async fn instances_are_shown_with_their_sessions(backend: Backend) {
    let (fleet, first) = Fleet::start(backend).await;
    let second = fleet.join(&first).await;
    let (mut announced, session) = (second.instance(), second.session().await);
    second.open(session).await.unwrap();
    announced.load = second.hub.fleet.load().await;
    fleet
        .coordination
        .announce(&announced, domain::limits::INSTANCE_TTL)
        .await
        .unwrap();
    let shown = first
        .app
        .person(Person::Admin)
        .get("/v1/fleet")
        .await
        .expect(200);
    let of = |one: &super::One| -> Value {
        let all = shown["instances"].as_array().unwrap();
        let id = one.id().to_string();
        all.iter().find(|shown| shown["id"] == id).unwrap().clone()
    };
    let (own, other) = (of(&first), of(&second));
    assert_eq!(
        (&own["isThis"], &other["isThis"]),
        (&true.into(), &false.into())
    );
    assert_eq!(other["url"], second.url());
    assert_eq!(other["hubs"]["leases"], 1, "{other}");
    assert_eq!(other["hubs"]["cold"], 1);
    assert_eq!(other["hubs"]["max"], 500);
    assert_eq!(shown["hubs"], 1);
}
