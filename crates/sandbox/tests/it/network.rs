//! The network of the root tier: destinations only.

use std::{
    io::{Read as _, Write as _},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use sandbox::{Destination, Handle, ProcessSpec, Provider as _, local::Tier};

use crate::{
    conformance::until,
    support::{Machine, bounded, spec},
};

/// A server of this machine that greets, and counts whom.
struct Greeter {
    address: SocketAddr,
    greeted: Arc<AtomicUsize>,
}

impl Greeter {
    fn listen(on: &str) -> Self {
        let listener = TcpListener::bind(on).unwrap();
        let address = listener.local_addr().unwrap();
        let greeted = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&greeted);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                counted.fetch_add(1, Ordering::SeqCst);
                let _ = (&stream).write_all(b"welcome\n");
            }
        });
        Self { address, greeted }
    }

    fn greeted(&self) -> usize {
        self.greeted.load(Ordering::SeqCst)
    }
}

/// Tries to read a line from there.
async fn reach(machine: &Machine, handle: &Handle, host: &str, port: u16) -> String {
    let line = format!(
        "timeout 1 bash -c 'exec 3<>/dev/tcp/{host}/{port} && head -n 1 <&3' 2>/dev/null || echo no"
    );
    machine.output(handle, &line).await.trim().to_owned()
}

#[tokio::test]
async fn only_destinations_are_reached_by_name() {
    bounded(async {
        let (gateway, model) = (
            Greeter::listen("127.0.0.1:0"),
            Greeter::listen("127.0.0.1:0"),
        );
        let stranger = Greeter::listen("0.0.0.0:0");
        let machine = Machine::new(Tier::Root);
        let mut spec = spec();
        let to = |name: &str, address| Destination {
            name: name.to_owned(),
            address,
        };
        spec.destinations = vec![to("gateway", gateway.address), to("model", model.address)];
        let inside = machine.local.address_inside(&spec.destinations[0]);
        assert_eq!(inside, "gateway:80");
        let handle = machine.local.create(spec).await.unwrap();
        assert_eq!(reach(&machine, &handle, "gateway", 80).await, "welcome");
        assert_eq!(reach(&machine, &handle, "model", 80).await, "welcome");
        assert_eq!((gateway.greeted(), model.greeted()), (1, 1));
        let before = machine.local.traffic(&handle).await.unwrap();
        assert_eq!((before.allowed, before.refused), (2, 0));

        let other = machine.create().await;
        let endpoint = machine.local.endpoint(&other, 9000).await.unwrap();
        let serve = "perl -MIO::Socket::INET -e '$s=IO::Socket::INET->new(Listen=>5,LocalAddr=>\
                     \"0.0.0.0\",LocalPort=>9000,ReuseAddr=>1) or die; while ($c=$s->accept) \
                     { print $c \"welcome\\n\"; close $c }'";
        let serve = ProcessSpec::new("serve", ["/bin/sh", "-c", serve]);
        machine.local.start(&other, serve).await.unwrap();
        until(|| async { TcpStream::connect(endpoint.address).is_ok() }).await;

        let port = stranger.address.port();
        let own = machine
            .local
            .endpoint(&handle, 1)
            .await
            .unwrap()
            .address
            .ip()
            .to_string();
        let host = own.rsplit_once('.').unwrap();
        let host = format!("{}.{}", host.0, host.1.parse::<u8>().unwrap() - 1);
        for (name, port) in [
            (host.as_str(), port),
            (host.as_str(), gateway.address.port()),
            (&endpoint.address.ip().to_string(), 9000),
            ("gateway", port),
            ("127.0.0.1", port),
            ("1.1.1.1", 80),
            ("198.19.0.1", 80),
            ("169.254.169.254", 80),
        ] {
            assert_eq!(
                reach(&machine, &handle, name, port).await,
                "no",
                "{name}:{port}"
            );
        }
        assert_eq!(stranger.greeted(), 0);
        assert_eq!(gateway.greeted(), 1);
        let after = machine.local.traffic(&handle).await.unwrap();
        assert_eq!(after.allowed, 2);
        assert!(after.refused >= 5, "{after:?}");
    })
    .await;
}

#[tokio::test]
async fn there_is_no_name_service_and_no_other_protocol() {
    bounded(async {
        let machine = Machine::new(Tier::Root);
        let handle = machine.create().await;
        let look = "getent hosts example.com && echo found; ip -6 addr show scope global; \
                    bash -c 'echo x > /dev/udp/1.1.1.1/53'; \
                    ping -c 1 -W 1 1.1.1.1 >/dev/null 2>&1 && echo pinged; echo done";
        assert_eq!(machine.output(&handle, look).await, "done\n");
        let traffic = machine.local.traffic(&handle).await.unwrap();
        assert!(traffic.refused >= 1, "{traffic:?}");
        assert_eq!(traffic.allowed, 0);
    })
    .await;
}

/// Development servers commonly listen on the loopback address alone.
#[tokio::test]
async fn an_endpoint_leads_to_a_server_inside() {
    bounded(async {
        for tier in [Tier::Root, Tier::Rootless] {
            let machine = Machine::new(tier);
            let handle = machine.create().await;
            let endpoint = machine.local.endpoint(&handle, 5173).await.unwrap();
            let again = machine.local.endpoint(&handle, 5173).await.unwrap();
            assert_eq!(endpoint, again);
            let serve = format!(
                "$s=IO::Socket::INET->new(Listen=>5,LocalAddr=>\"127.0.0.1\",LocalPort=>{},\
                 ReuseAddr=>1) or die; while ($c=$s->accept) {{ print $c \"inside\"; close $c }}",
                endpoint.listen.port()
            );
            let serve = ProcessSpec::new("serve", ["perl", "-MIO::Socket::INET", "-e", &serve]);
            machine.local.start(&handle, serve).await.unwrap();
            until(|| async { TcpStream::connect(endpoint.address).is_ok() }).await;
            let mut stream = TcpStream::connect(endpoint.address).unwrap();
            stream
                .set_read_timeout(Some(Duration::from_mins(1)))
                .unwrap();
            let mut text = String::new();
            stream.read_to_string(&mut text).unwrap();
            assert_eq!(text, "inside");
        }
    })
    .await;
}
