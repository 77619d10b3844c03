//! Addresses as tables: every spelling of one that leads inside, and what stays reachable.

use std::{
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    sync::Mutex,
};

use async_trait::async_trait;

use super::*;

/// Returns one list after the other, then the last again, and counts the lookups.
#[derive(Debug)]
struct Scripted {
    answers: Vec<Vec<&'static str>>,
    asked: Mutex<usize>,
}

impl Scripted {
    fn new(answers: &[&[&'static str]]) -> Arc<Self> {
        Arc::new(Self {
            answers: answers.iter().map(|answer| answer.to_vec()).collect(),
            asked: Mutex::new(0),
        })
    }
}

#[async_trait]
impl Resolve for Scripted {
    async fn resolve(&self, _host: &str) -> io::Result<Vec<IpAddr>> {
        let mut asked = self.asked.lock().unwrap();
        let answer = &self.answers[(*asked).min(self.answers.len() - 1)];
        *asked += 1;
        Ok(answer.iter().map(|text| text.parse().unwrap()).collect())
    }
}

fn guard(allowed: &[&str]) -> EgressGuard {
    let allowed = allowed.iter().map(|host| host.parse().unwrap());
    EgressGuard::new(Scripted::new(&[&["93.184.215.14"]]), allowed)
}

/// The first and the last address of each range that is not public, and the public ones beside it.
#[rustfmt::skip]
const RANGES: &[(&str, &str, &[&str])] = &[
    ("0.0.0.0", "0.255.255.255", &["1.0.0.0"]),
    ("10.0.0.0", "10.255.255.255", &["9.255.255.255", "11.0.0.0"]),
    ("100.64.0.0", "100.127.255.255", &["100.63.255.255", "100.128.0.0"]),
    ("127.0.0.0", "127.255.255.255", &["126.255.255.255", "128.0.0.0"]),
    ("169.254.0.0", "169.254.255.255", &["169.253.255.255", "169.255.0.0"]),
    ("172.16.0.0", "172.31.255.255", &["172.15.255.255", "172.32.0.0"]),
    ("192.0.0.0", "192.0.0.255", &["191.255.255.255", "192.0.1.0"]),
    ("192.0.2.0", "192.0.2.255", &["192.0.3.0"]),
    ("192.88.99.0", "192.88.99.255", &["192.88.98.255", "192.88.100.0"]),
    ("192.168.0.0", "192.168.255.255", &["192.167.255.255", "192.169.0.0"]),
    ("198.18.0.0", "198.19.255.255", &["198.17.255.255", "198.20.0.0"]),
    ("198.51.100.0", "198.51.100.255", &["198.51.99.255", "198.51.101.0"]),
    ("203.0.113.0", "203.0.113.255", &["203.0.112.255", "203.0.114.0"]),
    ("224.0.0.0", "239.255.255.255", &["223.255.255.255"]),
    ("240.0.0.0", "255.255.255.255", &[]),
    ("::", "::1", &[]),
    ("::2", "::ffff:ffff", &[]),
    ("::ffff:0:0:0", "::ffff:0:ffff:ffff", &[]),
    ("64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff", &[]),
    ("100::", "100::ffff:ffff:ffff:ffff", &[]),
    ("2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", &["2001:200::"]),
    ("2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", &["2001:db9::"]),
    ("3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", &["3fff:1000::"]),
    // Unassigned ranges, on either side of the public network.
    ("64:ff9b::1:0:0", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", &["2000::", "2003::1"]),
    ("4000::", "ffff::", &["3ffe::"]),
    ("5f00::", "5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff", &[]),
    ("fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", &[]),
    ("fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff", &[]),
    ("fec0::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", &[]),
    ("ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", &[]),
];

#[test]
fn case_40_every_range_that_is_not_public_is_known() {
    let public = |text: &str| is_public(text.parse().unwrap());
    for (first, last, outside) in RANGES {
        assert!(!public(first), "{first}");
        assert!(!public(last), "{last}");
        for outside in *outside {
            assert!(public(outside), "{outside}");
        }
    }
}

#[test]
fn case_40_an_address_within_another_is_read() {
    for (inner, is_good) in [
        ("a9fe:a9fe", false), // 169.254.169.254
        ("7f00:1", false),
        ("a00:1", false),
        ("0:0", false),
        ("808:808", true),
    ] {
        let forms = [format!("64:ff9b::{inner}"), format!("2002:{inner}::1")];
        for form in forms {
            assert_eq!(is_public(form.parse().unwrap()), is_good, "{form}");
        }
        // Only the mapped form reaches the embedded address; the compatible one is obsolete.
        let mapped = format!("::ffff:{inner}").parse().unwrap();
        assert_eq!(is_public(mapped), is_good, "{mapped}");
        let compatible = format!("::{inner}").parse().unwrap();
        assert!(!is_public(compatible), "{compatible}");
    }
}

/// Every form that embeds an IPv4 address, and whether it may lead to a public one at all.
fn forms(inner: Ipv4Addr) -> Vec<(String, Ipv6Addr, bool)> {
    let [a, b, c, d] = inner.octets().map(u16::from);
    let (high, low) = (a << 8 | b, c << 8 | d);
    let form = |name: &str, text: String, may_be_public: bool| {
        (name.to_owned(), text.parse().unwrap(), may_be_public)
    };
    vec![
        form("mapped", format!("::ffff:{inner}"), true),
        form("translated", format!("::ffff:0:{inner}"), false),
        form("compatible", format!("::{inner}"), false),
        form("nat64", format!("64:ff9b::{inner}"), true),
        form("local nat64 /96", format!("64:ff9b:1::{inner}"), false),
        // As RFC 6052 lays it out behind a prefix of 48 bits, around a byte of zeros.
        form(
            "local nat64 /48",
            format!("64:ff9b:1:{high:x}:{:x}:{:x}::", c, d << 8),
            false,
        ),
        form("6to4", format!("2002:{high:x}:{low:x}::1"), true),
        form(
            "teredo server",
            format!("2001:0:{high:x}:{low:x}::1"),
            false,
        ),
        form(
            "teredo client",
            format!("2001::{:x}:{:x}", !high, !low),
            false,
        ),
        form("isatap", format!("2606:2800::5efe:{inner}"), true),
        form(
            "isatap, unique",
            format!("2606:2800::200:5efe:{inner}"),
            true,
        ),
        form("isatap, link-local", format!("fe80::5efe:{inner}"), false),
        form(
            "isatap within 6to4",
            format!("2002:808:808::5efe:{inner}"),
            true,
        ),
    ]
}

#[test]
fn case_40_every_form_that_holds_an_inside_address_is_refused() {
    for (inner, is_good) in [
        ("169.254.169.254", false),
        ("127.0.0.1", false),
        ("10.0.0.1", false),
        ("192.168.1.1", false),
        ("0.0.0.0", false),
        ("8.8.8.8", true),
    ] {
        for (name, address, may_be_public) in forms(inner.parse().unwrap()) {
            let expected = is_good && may_be_public;
            assert_eq!(is_public(address.into()), expected, "{name}: {address}");
        }
    }
}

proptest::proptest! {
    /// For every IPv4 address: no form of a non-public one is public.
    #[test]
    fn case_40_no_form_is_better_than_the_address_in_it(bits: u32) {
        let inner = Ipv4Addr::from_bits(bits);
        let is_good = is_public(inner.into());
        for (name, address, may_be_public) in forms(inner) {
            let expected = is_good && may_be_public;
            proptest::prop_assert_eq!(is_public(address.into()), expected, "{}: {}", name, address);
        }
    }

    /// An address outside of the assigned ranges leads nowhere, or through NAT64.
    #[test]
    fn case_40_what_was_not_given_out_is_not_public(bits: u128) {
        let address = Ipv6Addr::from_bits(bits);
        if is_public(address.into()) {
            let is_global = bits >> 125 == 1;
            let is_nat64 = bits >> 32 == 0x64_ff9b << 64;
            proptest::prop_assert!(is_global || is_nat64 || address.to_ipv4_mapped().is_some());
        }
    }
}

#[tokio::test]
async fn case_40_every_spelling_of_an_inside_address_is_refused() {
    use Refused::{HoldsUser, NotAUrl, NotHttps, NotPublic};
    let table = [
        ("https://169.254.169.254/latest/meta-data", NotPublic),
        ("https://2852039166/", NotPublic),
        ("https://0xa9fea9fe/", NotPublic),
        ("https://0xA9.0xFE.0xA9.0xFE/", NotPublic),
        ("https://0251.0376.0251.0376/", NotPublic),
        ("https://169.254.43518/", NotPublic),
        ("https://169.16689662/", NotPublic),
        ("https://[::ffff:169.254.169.254]/", NotPublic),
        ("https://[::ffff:a9fe:a9fe]/", NotPublic),
        ("https://[0:0:0:0:0:ffff:a9fe:a9fe]/", NotPublic),
        ("https://[::169.254.169.254]/", NotPublic),
        ("https://[64:ff9b::a9fe:a9fe]/", NotPublic),
        ("https://[2002:a9fe:a9fe::]/", NotPublic),
        ("https://[::ffff:0:169.254.169.254]/", NotPublic),
        ("https://[::ffff:0:a9fe:a9fe]/", NotPublic),
        ("https://[64:ff9b:1::a9fe:a9fe]/", NotPublic),
        ("https://[2001:0:a9fe:a9fe::1]/", NotPublic),
        ("https://[2606:2800::5efe:a9fe:a9fe]/", NotPublic),
        ("https://[2606:2800::200:5efe:a9fe:a9fe]/", NotPublic),
        ("https://[fd00:ec2::254]/", NotPublic),
        ("https://[::1]/", NotPublic),
        ("https://[::]/", NotPublic),
        ("https://127.1/", NotPublic),
        ("https://0/", NotPublic),
        ("https://2130706433/", NotPublic),
        ("https://017700000001/", NotPublic),
        // Full-width and circled digits, and the full stop of another script.
        ("https://１２７.０.０.１/", NotPublic),
        ("https://①②⑦.0.0.1/", NotPublic),
        ("https://127。0。0。1/", NotPublic),
        ("https://%31%32%37.0.0.1/", NotPublic),
        ("https://127.0.0.1./", NotPublic),
        ("https://localhost/", NotPublic),
        ("https://localhost./", NotPublic),
        ("https://LOCALHOST/", NotPublic),
        ("https://a.localhost/", NotPublic),
        ("https://printer.local/", NotPublic),
        ("https://metadata.google.internal/", NotPublic),
        ("https://user@example.com/", HoldsUser),
        ("https://user:pass@example.com/", HoldsUser),
        ("https://:pass@example.com/", HoldsUser),
        ("https://example.com@169.254.169.254/", HoldsUser),
        ("http://example.com/", NotHttps),
        ("file:///etc/passwd", NotHttps),
        ("ftp://example.com/", NotHttps),
        ("gopher://example.com/", NotHttps),
        ("data:text/plain,x", NotHttps),
        ("unix:/run/docker.sock", NotHttps),
        ("example.com", NotAUrl),
        ("https://", NotAUrl),
        ("https://[::1/", NotAUrl),
        ("https://999.1.1.1/", NotAUrl),
        ("", NotAUrl),
    ];
    let guard = guard(&[]);
    for (url, expected) in table {
        assert_eq!(guard.check(url).await.err(), Some(expected), "{url}");
    }
    let long = format!("https://example.com/{}", "a".repeat(URL_LENGTH_MAX));
    assert_eq!(guard.check(&long).await.err(), Some(NotAUrl));
    for good in [
        "https://example.com/x?y",
        "https://8.8.8.8:8443/",
        "https://internals.com/",
    ] {
        assert!(guard.check(good).await.is_ok(), "{good}");
    }
}

#[tokio::test]
async fn case_41_a_name_is_only_as_good_as_its_worst_address() {
    let table: &[(&[&str], Option<Refused>)] = &[
        (&["93.184.215.14", "2606:2800::1"], None),
        (&["93.184.215.14", "127.0.0.1"], Some(Refused::NotPublic)),
        (&["::ffff:10.0.0.1"], Some(Refused::NotPublic)),
        (&["fd00:ec2::254"], Some(Refused::NotPublic)),
        (&["::ffff:0:10.0.0.1"], Some(Refused::NotPublic)),
        (&["2606:2800::5efe:7f00:1"], Some(Refused::NotPublic)),
        (&[], Some(Refused::Unresolved)),
    ];
    for (addresses, expected) in table {
        let guard = EgressGuard::new(Scripted::new(&[addresses]), []);
        let found = guard.check("https://example.com/").await.err();
        assert_eq!(found, *expected, "{addresses:?}");
    }
    let many = vec!["93.184.215.14"; EGRESS_ADDRESSES_MAX + 1];
    let guard = EgressGuard::new(Scripted::new(&[&many]), []);
    let found = guard.check("https://example.com/").await.err();
    assert_eq!(found, Some(Refused::Unresolved));
}

/// The first response is public, every later one is not: the checked addresses are the ones used.
#[tokio::test]
async fn case_41_a_name_is_resolved_once() {
    let resolver = Scripted::new(&[&["93.184.215.14"], &["127.0.0.1"]]);
    let guard = EgressGuard::new(resolver.clone(), []);
    let route = guard.check("https://example.com/").await.unwrap();
    assert_eq!(route.addresses, ["93.184.215.14:443".parse().unwrap()]);
    route.client(Duration::from_secs(1)).unwrap();
    assert_eq!(*resolver.asked.lock().unwrap(), 1);
    // A new check gets the current addresses.
    assert!(guard.check("https://example.com/").await.is_err());
}

#[tokio::test]
async fn what_is_allowed_is_allowed_by_host_and_port() {
    let guard = guard(&["127.0.0.1:9000", "ocr.internal:443", "[::1]:9000"]);
    for good in [
        "http://127.0.0.1:9000/",
        "https://127.0.0.1:9000/",
        "http://0x7f.1:9000/",
        "https://ocr.internal/",
        "http://[::1]:9000/",
    ] {
        assert!(guard.check(good).await.is_ok(), "{good}");
    }
    for bad in [
        "http://127.0.0.1:9001/",
        "http://127.0.0.2:9000/",
        "http://ocr.internal/",
        "https://x.ocr.internal/",
        "http://user@127.0.0.1:9000/",
        "file://127.0.0.1:9000/",
    ] {
        assert!(guard.check(bad).await.is_err(), "{bad}");
    }
}

#[test]
fn an_allowed_host_is_written_one_way() {
    for good in ["127.0.0.1:9000", "ocr.example:443", "[::1]:80"] {
        assert_eq!(good.parse::<AllowedHost>().unwrap().to_string(), good);
    }
    let bad = [
        "",
        "host",
        "host:",
        "host:0",
        "host:99999",
        ":80",
        "HOST:80",
        "0x7f.1:80",
        "a b:80",
        "user@host:80",
        "host/x:80",
        "::1:80",
        "*:80",
    ];
    for bad in bad {
        assert!(bad.parse::<AllowedHost>().is_err(), "{bad}");
    }
}
