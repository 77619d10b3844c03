//! Published vectors (RFC 8785 and its reference test data), what must be refused, and properties.

use super::*;
use proptest::prelude::*;
use serde_json::json;

fn canonical(text: &str) -> String {
    String::from_utf8(canonical_bytes(&parse(text.as_bytes()).unwrap())).unwrap()
}

/// The digest that stands for a value.
fn digest(value: &Value) -> String {
    sha256_hex(&canonical_bytes(value))
}

/// The inputs of the reference test data with the digests of their published outputs.
#[test]
fn reference_files() {
    let cases = [
        (
            r#"[56,{"d":true,"10":null,"1":[ ]}]"#,
            "099601b171cafed97c333f8878d68e7f8c8f795412adb34b2fdcf0e7c7beac42",
        ),
        (
            r#"{"peach":"This sorting order","péché":"is wrong according to French","pêche":"but canonicalization MUST","sin":"ignore locale"}"#,
            "d99d0ebdcb0033cb858cfa830ae46bc0fb3309413b271f1da828c89901a27ed5",
        ),
        (
            r#"{"1":{"f":{"f":"hi","F":5},"\n":56.0},"10":{},"":"empty","a":{},"111":[{"e":"yes","E":"no"}],"A":{}}"#,
            "605f65004ec2db7692522a0852c22f1c989e036d547e88963d1a3143cf3195d5",
        ),
        (
            "{\"Unnormalized Unicode\":\"A\u{30a}\"}",
            "0d99aad92a125196ff887876643fd3206786a84ddce2cee52ba4ad256d2381d3",
        ),
        (
            r#"{"\u20ac":"Euro Sign","\r":"Carriage Return","\u000a":"Newline","1":"One","\u0080":"Control\u007f","\ud83d\ude02":"Smiley","\u00f6":"Latin Small Letter O With Diaeresis","\ufb33":"Hebrew Letter Dalet With Dagesh","</script>":"Browser Challenge"}"#,
            "6af595a9aa80110b964b4de3f82a05fa6ae7423005019bacfa2620dddc4e94d1",
        ),
    ];
    for (input, expected) in cases {
        assert_eq!(sha256_hex(canonical(input).as_bytes()), expected, "{input}");
    }
    // This one contains 1E30, which [`parse`] refuses; the canonical form itself is the published
    // one.
    let values = r#"{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}"#;
    let lenient: Value = serde_json::from_str(values).unwrap();
    assert_eq!(
        digest(&lenient),
        "2d5e01a318d0f0879ab568c4be289c8b1f64ef8921a53c6277d5e069978baacb"
    );
    assert!(parse(values.as_bytes()).is_err());
}

/// RFC 8785, appendix B.
#[test]
fn numbers_of_the_rfc() {
    let table: &[(u64, &str)] = &[
        (0x0000_0000_0000_0000, "0"),
        (0x8000_0000_0000_0000, "0"),
        (0x0000_0000_0000_0001, "5e-324"),
        (0x7fef_ffff_ffff_ffff, "1.7976931348623157e+308"),
        (0x4340_0000_0000_0000, "9007199254740992"),
        (0x4430_0000_0000_0000, "295147905179352830000"),
        (0x44b5_2d02_c7e1_4af5, "9.999999999999997e+22"),
        (0x44b5_2d02_c7e1_4af6, "1e+23"),
        (0x44b5_2d02_c7e1_4af7, "1.0000000000000001e+23"),
        (0x444b_1ae4_d6e2_ef4e, "999999999999999700000"),
        (0x444b_1ae4_d6e2_ef4f, "999999999999999900000"),
        (0x444b_1ae4_d6e2_ef50, "1e+21"),
        (0x3eb0_c6f7_a0b5_ed8c, "9.999999999999997e-7"),
        (0x3eb0_c6f7_a0b5_ed8d, "0.000001"),
        (0x41b3_de43_5555_5553, "333333333.3333332"),
        (0x41b3_de43_5555_5554, "333333333.33333325"),
        (0x41b3_de43_5555_5555, "333333333.3333333"),
        (0x41b3_de43_5555_5556, "333333333.3333334"),
        (0x41b3_de43_5555_5557, "333333333.33333343"),
        (0xbecb_f647_612f_3696, "-0.0000033333333333333333"),
        (0x4314_3ff3_c1cb_0959, "1424953923781206.2"),
    ];
    for (bits, text) in table {
        let value = json!(f64::from_bits(*bits));
        assert_eq!(canonical_bytes(&value), text.as_bytes(), "{bits:016x}");
    }
}

#[test]
fn keys_sort_by_utf16_code_units() {
    assert_eq!(
        canonical("{\"\u{fffd}\":1,\"\u{10000}\":2}"),
        "{\"\u{10000}\":2,\"\u{fffd}\":1}"
    );
}

#[test]
fn what_would_collide_or_be_read_differently_is_refused() {
    let deep = |n: usize| format!("{}1{}", "[".repeat(n), "]".repeat(n));
    let refused = [
        "9007199254740992".to_owned(),
        "9007199254740993".to_owned(),
        "-9007199254740993".to_owned(),
        "18446744073709551615".to_owned(),
        "18446744073709551616".to_owned(),
        "9007199254740993.0".to_owned(),
        "1e400".to_owned(),
        "NaN".to_owned(),
        "Infinity".to_owned(),
        r#"{"a":1,"a":2}"#.to_owned(),
        r#"{"a":{"b":1,"\u0062":2}}"#.to_owned(),
        r#""\ud800""#.to_owned(),
        r#""\udc00\ud800""#.to_owned(),
        "\u{feff}{}".to_owned(),
        "{} {}".to_owned(),
        "{\"a\":1,}".to_owned(),
        "01".to_owned(),
        String::new(),
        deep(JSON_DEPTH_MAX + 1),
    ];
    for text in refused {
        assert!(
            parse(text.as_bytes()).is_err(),
            "{}",
            &text[..text.len().min(40)]
        );
    }
    assert!(parse(b"\xff").is_err());
    for text in [
        "9007199254740991",
        "-9007199254740991",
        "1.5e300",
        &deep(JSON_DEPTH_MAX),
    ] {
        let accepted = parse(text.as_bytes());
        assert_eq!(
            accepted.is_ok(),
            text != "1.5e300",
            "{}",
            &text[..text.len().min(40)]
        );
    }
}

#[test]
fn known_digest() {
    // FIPS 180-2, appendix B.1.
    let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert_eq!(sha256_hex(b"abc"), abc);
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-(1_i64 << 53) + 1..(1 << 53)).prop_map(Value::from),
        (-1e6..1e6).prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(".{0,4}", inner, 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// Equal as JSON: 1 and 1.0 are the same number.
fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one.as_f64() == other.as_f64(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .all(|(key, value)| other.get(key).is_some_and(|o| same(value, o)))
        }
        _ => one == other,
    }
}

/// The fast path is only taken where it makes no difference.
#[test]
fn every_character_is_written_the_same_both_ways() {
    let text: String = ('\0'..='\u{ffff}').collect();
    let value = serde_json::json!({ "text": text, "n": [0, -1, true, null], "": {} });
    assert!(is_plain(&value));
    let reference = serde_json_canonicalizer::to_vec(&value).unwrap();
    assert_eq!(canonical_bytes(&value), reference);
    assert!(!is_plain(&serde_json::json!([1.0])));
    assert!(!is_plain(&serde_json::json!({ "\u{ffff}": 1 })));
}

proptest! {
    #[test]
    fn a_second_implementation_agrees(value in any_json()) {
        prop_assert_eq!(canonical_bytes(&value), serde_jcs::to_vec(&value).unwrap());
    }

    #[test]
    fn a_second_implementation_agrees_on_every_double(bits in any::<u64>()) {
        if let Some(number) = Number::from_f64(f64::from_bits(bits)) {
            let value = Value::Number(number);
            prop_assert_eq!(canonical_bytes(&value), serde_jcs::to_vec(&value).unwrap());
        }
    }

    #[test]
    fn both_ways_of_writing_agree(value in any_json()) {
        let reference = serde_json_canonicalizer::to_vec(&value).unwrap();
        prop_assert_eq!(canonical_bytes(&value), reference);
    }

    #[test]
    fn the_canonical_form_reads_back_and_is_its_own_form(value in any_json()) {
        let bytes = canonical_bytes(&value);
        let again = parse(&bytes).unwrap();
        prop_assert!(same(&value, &again), "{value} became {again}");
        prop_assert_eq!(canonical_bytes(&again), bytes);
        prop_assert!(check(&value).is_ok());
    }

    #[test]
    fn equal_values_hash_alike_and_different_ones_do_not(one in any_json(), other in any_json()) {
        prop_assert_eq!(digest(&one) == digest(&other), same(&one, &other));
        let pretty = serde_json::to_vec_pretty(&one).unwrap();
        prop_assert_eq!(digest(&parse(&pretty).unwrap()), digest(&one));
    }

    #[test]
    fn any_bytes_are_read_or_refused_without_panic(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        let _ = parse(&bytes);
    }
}
