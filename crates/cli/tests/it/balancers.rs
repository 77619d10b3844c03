//! Load balancers take the configurations that the documentation has. nginx's is used by the test of a whole fleet.

use std::process::Command;

use testkit::nginx;

#[test]
fn haproxy_takes_its_documented_configuration() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("haproxy.cfg");
    std::fs::write(&file, nginx::block("haproxy")).unwrap();
    let checked = Command::new("haproxy")
        .args(["-c", "-f"])
        .arg(&file)
        .output()
        .expect("haproxy is installed");
    let said = String::from_utf8_lossy(&checked.stderr);
    assert!(checked.status.success(), "{said}");
}
