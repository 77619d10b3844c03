//! The network of a sandbox in the root tier: a namespace of its own, a pair of interfaces, and a table of
//! rules that lets it open connections to its destinations only.
//!
//! Destinations have addresses that depend on their names alone, so that what a restored home directory has
//! in its files still leads there. There is no name service; names are in `/etc/hosts`.
//!
//! INVARIANT: the rules are there before the interface is up, and fall with the table alone.

use std::{
    fmt::Write as _,
    fs, io,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    path::PathBuf,
};

use aws_lc_rs::digest;
use domain::limits::SANDBOX_NETWORKS_MAX;

use super::{program, root_tier::run_dir};
use crate::{Destination, Error, Result, SandboxId};

/// The port of every destination as seen from inside.
const PORT: u16 = 80;
/// A range for measurements between networks, which is not routed: /30 networks for the pairs, and above
/// them the addresses of destinations.
const PAIRS: Ipv4Addr = Ipv4Addr::new(198, 18, 0, 0);
const DESTINATIONS: [u8; 2] = [198, 19];

/// One sandbox's pair of addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct AddressPair {
    pub(super) outside: Ipv4Addr,
    pub(super) inside: Ipv4Addr,
}

impl AddressPair {
    fn of(index: u32) -> Self {
        let base = u32::from(PAIRS) + index * 4;
        Self {
            outside: (base + 1).into(),
            inside: (base + 2).into(),
        }
    }
}

/// Returns `host:port` of a destination as seen from inside.
pub(super) fn address_inside(destination: &Destination) -> String {
    format!("{}:{PORT}", destination.name)
}

fn address_of(name: &str) -> Ipv4Addr {
    let digest = digest::digest(&digest::SHA256, name.as_bytes());
    let bytes = digest.as_ref();
    // The first and the last of a network are not for use.
    Ipv4Addr::new(
        DESTINATIONS[0],
        DESTINATIONS[1],
        bytes[0],
        bytes[1].clamp(1, 254),
    )
}

/// Refuses destinations that this tier cannot forward to.
pub(super) fn check_destinations(destinations: &[Destination]) -> Result<()> {
    let mut seen = Vec::new();
    for destination in destinations {
        let name = &destination.name;
        let safe = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'-' | b'.');
        if name.is_empty() || name.len() > 63 || !name.bytes().all(safe) || name == "localhost" {
            return Err(Error::invalid("not the name of a destination"));
        }
        let IpAddr::V4(address) = destination.address.ip() else {
            return Err(Error::invalid("a destination must have an IPv4 address"));
        };
        if !address.is_loopback() && !is_of_this_machine(address) {
            return Err(Error::invalid(format!(
                "the destination {name} must be on this machine"
            )));
        }
        let inside = address_of(name);
        if seen.contains(&inside) {
            return Err(Error::invalid("two destinations have the same name inside"));
        }
        seen.push(inside);
    }
    Ok(())
}

/// Whether the address is one of this machine: only then can a socket be bound to it.
fn is_of_this_machine(address: Ipv4Addr) -> bool {
    std::net::UdpSocket::bind(SocketAddr::from((address, 0))).is_ok()
}

/// Lines of `/etc/hosts`.
pub(super) fn hosts(destinations: &[Destination]) -> String {
    let mut text = String::from("127.0.0.1 localhost sandbox\n");
    for destination in destinations {
        let name = &destination.name;
        let _ = writeln!(text, "{} {name}", address_of(name));
    }
    text
}

fn namespace(id: &SandboxId) -> String {
    format!("proliferate-{id}")
}

pub(super) fn namespace_file(id: &SandboxId) -> PathBuf {
    PathBuf::from("/run/netns").join(namespace(id))
}

fn interface(id: &SandboxId) -> String {
    format!("pf{id}")
}

fn table(id: &SandboxId) -> String {
    format!("proliferate_{id}")
}

/// Allocates addresses that no other sandbox of this machine has.
pub(super) fn allocate(id: &SandboxId) -> Result<AddressPair> {
    let failed = |error: io::Error| Error::failed("finding an address", error);
    let taken = run_dir().join("net");
    fs::create_dir_all(&taken).map_err(failed)?;
    for index in 0..SANDBOX_NETWORKS_MAX {
        let file = fs::OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(taken.join(index.to_string()));
        match file {
            Ok(mut file) => {
                io::Write::write_all(&mut file, id.as_str().as_bytes()).map_err(failed)?;
                return Ok(AddressPair::of(index));
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(failed(error)),
        }
    }
    Err(Error::Exhausted {
        what: "another network",
    })
}

/// The addresses of a sandbox, if it has some.
pub(super) fn addresses_of(id: &SandboxId) -> Option<AddressPair> {
    Some(AddressPair::of(allocation_of(id)?.0))
}

fn allocation_of(id: &SandboxId) -> Option<(u32, PathBuf)> {
    let entries = fs::read_dir(run_dir().join("net")).ok()?;
    entries.flatten().find_map(|entry| {
        let is_its = fs::read_to_string(entry.path()).is_ok_and(|owner| owner == id.as_str());
        let index = entry.file_name().to_str()?.parse().ok()?;
        is_its.then(|| (index, entry.path()))
    })
}

/// Makes the network outside of the namespace: rules first.
pub(super) async fn create(
    id: &SandboxId,
    pair: AddressPair,
    destinations: &[Destination],
    procs: &[PathBuf],
) -> Result<()> {
    let (space, link, outside) = (namespace(id), interface(id), pair.outside);
    let script = "nft -f - <<RULES && ip -batch - <<LINKS && \
                  echo 1 > /proc/sys/net/ipv4/conf/$3/route_localnet\n$1\nRULES\n$2\nLINKS\n";
    let links = format!(
        "netns add {space}\nlink add {link} type veth peer name eth0 netns {space}\n\
         addr add {outside}/30 dev {link}\nlink set {link} up"
    );
    let rules = render_rules(id, destinations);
    let mut shell = program::shell(script, [&rules, &links, &link], procs);
    program::run("making the network", &mut shell).await
}

/// Makes the network inside of the namespace. A program that listens on the loopback address alone is reached too.
pub(super) async fn create_inside(
    id: &SandboxId,
    pair: AddressPair,
    procs: &[PathBuf],
) -> Result<()> {
    let script = "ip -batch - <<LINKS && nft -f - <<RULES && \
                  echo 1 > /proc/sys/net/ipv4/conf/eth0/route_localnet\n$1\nLINKS\n$2\nRULES\n";
    let AddressPair { outside, inside } = pair;
    let links = format!(
        "link set lo up\naddr add {inside}/30 dev eth0\nlink set eth0 up\n\
         route add default via {outside}"
    );
    let rules = "table ip sandbox {\n chain reached {\n  type nat hook prerouting priority dstnat;\n  \
                 iifname \"eth0\" tcp dport 1-65535 dnat to 127.0.0.1\n }\n}";
    let file = namespace_file(id);
    // Whether there is IPv6 is the machine's choice.
    let quiet = "echo 1 2>/dev/null > /proc/sys/net/ipv6/conf/all/disable_ipv6; ";
    let script = format!("{}{quiet}{script}", program::JOIN);
    let mut enter = program::command("nsenter");
    enter
        .arg(format!("--net={}", file.display()))
        .args(["--", "/bin/sh", "-c", &script, "sh", &links, rules])
        .env("PROCS", program::procs_variable(procs));
    program::run("making the network", &mut enter).await
}

fn render_rules(id: &SandboxId, destinations: &[Destination]) -> String {
    let (table, link) = (table(id), interface(id));
    let mut leads = String::new();
    let mut allowed = String::new();
    for destination in destinations {
        let (inside, to) = (address_of(&destination.name), destination.address);
        let which = format!("ip daddr {inside} tcp dport {PORT}");
        let _ = writeln!(leads, "  iifname \"{link}\" {which} dnat ip to {to}");
        let _ = writeln!(allowed, "  {which} counter name allowed accept");
    }
    format!(
        "table inet {table} {{\n counter allowed {{ }}\n counter refused {{ }}\n \
         chain lead {{\n  type nat hook prerouting priority dstnat;\n{leads} }}\n \
         chain sandbox {{\n  ct state established accept\n{allowed}  counter name refused drop\n }}\n \
         chain guard {{\n  type filter hook prerouting priority mangle;\n  \
         iifname \"{link}\" jump sandbox\n }}\n}}"
    )
}

/// How many connections were let through, and how many packets were not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Traffic {
    pub allowed: u64,
    pub refused: u64,
}

pub(super) async fn traffic(id: &SandboxId) -> Result<Traffic> {
    const STEP: &str = "reading the counters";
    let mut nft = program::command("nft");
    nft.args(["-j", "list", "counters", "table", "inet", &table(id)]);
    let text = program::run_with(STEP, &mut nft, None).await?;
    let value: serde_json::Value =
        serde_json::from_str(&text).map_err(|error| Error::failed(STEP, error))?;
    let count = |name: &str| {
        let all = value["nftables"].as_array().into_iter().flatten();
        let counters = all.map(|one| &one["counter"]);
        let one = counters.into_iter().find(|one| one["name"] == name);
        one.and_then(|one| one["packets"].as_u64()).unwrap_or(0)
    };
    Ok(Traffic {
        allowed: count("allowed"),
        refused: count("refused"),
    })
}

/// Removes the network. Missing parts are no error.
pub(super) async fn destroy(id: &SandboxId) -> Result<()> {
    const STEP: &str = "removing the network";
    // Adding a table that is there does nothing, and then there is one to remove. The inner rules go with
    // their namespace; the pair of interfaces would too, but later than we say that it is gone.
    let script = "printf 'table inet %s\ndelete table inet %s\n' $1 $1 | nft -f - && \
                  printf 'link del %s\nnetns del %s\n' $3 $2 | ip -force -batch - 2>/dev/null; \
                  test ! -e /run/netns/$2 && test ! -e /sys/class/net/$3";
    let names = [table(id), namespace(id), interface(id)];
    program::run(STEP, &mut program::shell(script, names, &[])).await?;
    if let Some((_, file)) = allocation_of(id) {
        match fs::remove_file(file) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(Error::failed(STEP, error));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Lists the sandboxes that have a namespace, rules or addresses.
pub(super) async fn list_sandboxes() -> Result<Vec<SandboxId>> {
    let mut nft = program::command("nft");
    nft.args(["list", "tables", "inet"]);
    let tables = program::run_with("listing rules", &mut nft, None).await?;
    let tables = tables.lines().filter_map(|line| {
        let name = line.split_ascii_whitespace().last()?;
        name.strip_prefix("proliferate_")?.parse().ok()
    });
    let spaces = fs::read_dir("/run/netns").into_iter().flatten().flatten();
    let named = spaces.filter_map(|entry| {
        let name = entry.file_name();
        name.to_str()?.strip_prefix("proliferate-")?.parse().ok()
    });
    let taken = fs::read_dir(run_dir().join("net")).into_iter().flatten();
    let taken = taken
        .flatten()
        .filter_map(|entry| fs::read_to_string(entry.path()).ok()?.parse().ok());
    Ok(named.chain(taken).chain(tables).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn destination(name: &str, address: &str) -> Destination {
        Destination {
            name: name.to_owned(),
            address: address.parse().unwrap(),
        }
    }

    #[test]
    fn the_rules_name_the_destinations_and_nothing_else() {
        let id = "0123456789ab".parse().unwrap();
        let destinations = [
            destination("gateway", "127.0.0.1:4198"),
            destination("model", "127.0.0.1:4199"),
        ];
        let text = format!(
            "{}\n\n{}",
            render_rules(&id, &destinations),
            hosts(&destinations)
        );
        insta::assert_snapshot!(text);
    }

    #[test]
    fn destinations_are_names_on_this_machine() {
        for (name, address, good) in [
            ("gateway", "127.0.0.1:80", true),
            ("model-proxy", "127.0.0.1:65535", true),
            ("", "127.0.0.1:80", false),
            ("localhost", "127.0.0.1:80", false),
            ("a b", "127.0.0.1:80", false),
            ("a\nb", "127.0.0.1:80", false),
            ("a;drop", "127.0.0.1:80", false),
            ("gateway", "[::1]:80", false),
            ("gateway", "8.8.8.8:80", false),
        ] {
            let checked = check_destinations(&[destination(name, address)]);
            assert_eq!(checked.is_ok(), good, "{name} {address}: {checked:?}");
        }
        let twice = destination("gateway", "127.0.0.1:80");
        assert!(check_destinations(&[twice.clone(), twice]).is_err());
    }

    #[test]
    fn pairs_do_not_overlap() {
        assert_eq!(AddressPair::of(0).inside, Ipv4Addr::new(198, 18, 0, 2));
        assert_eq!(AddressPair::of(1).outside, Ipv4Addr::new(198, 18, 0, 5));
        let last = AddressPair::of(SANDBOX_NETWORKS_MAX - 1);
        assert_eq!(last.inside, Ipv4Addr::new(198, 18, 255, 254));
    }
}
