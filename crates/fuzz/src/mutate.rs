//! Mutants of a corpus: what a fuzzer without a view of coverage can do, the same for the same seed.

/// No mutant is longer.
const LENGTH_MAX: usize = 64 * 1024;
/// Bytes and texts that parsers look at closely.
const TOKENS: [&[u8]; 24] = [
    b"\0",
    b"\n",
    b"\r\n",
    b"\"",
    b"'",
    b"\\",
    b"{",
    b"}",
    b"[",
    b"]",
    b":",
    b",",
    b"0000",
    b"ffff",
    b"-1",
    b"1e999",
    b"null",
    b"\\u0000",
    b"\xff",
    b"\xe2\x80\xae",
    b"..",
    b"/",
    b" ",
    b"#",
];

/// A generator of numbers (SplitMix64).
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`, or zero.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        let end = end.max(1) as u64;
        usize::try_from(self.next() % end).unwrap_or(0)
    }
}

/// One of the inputs with a few changes.
pub(crate) fn mutant(inputs: &[Vec<u8>], numbers: &mut Numbers) -> Vec<u8> {
    let mut bytes = pick(inputs, numbers).to_vec();
    for _ in 0..=numbers.below(4) {
        change(&mut bytes, inputs, numbers);
        bytes.truncate(LENGTH_MAX);
    }
    bytes
}

fn pick<'a>(inputs: &'a [Vec<u8>], numbers: &mut Numbers) -> &'a [u8] {
    inputs
        .get(numbers.below(inputs.len()))
        .map_or(&[], Vec::as_slice)
}

fn change(bytes: &mut Vec<u8>, inputs: &[Vec<u8>], numbers: &mut Numbers) {
    let at = numbers.below(bytes.len() + 1);
    let end = at + numbers.below((bytes.len() - at).min(64) + 1);
    match numbers.below(8) {
        0 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << numbers.below(8);
            }
        }
        1 => drop(bytes.drain(at..end)),
        2 => {
            let again = bytes[at..end].to_vec();
            bytes.splice(end..end, again);
        }
        3 => {
            let token = TOKENS[numbers.below(TOKENS.len())];
            bytes.splice(at..at, token.iter().copied());
        }
        4 => {
            let token = TOKENS[numbers.below(TOKENS.len())];
            bytes.splice(at..end, token.iter().copied());
        }
        5 => bytes.truncate(at),
        6 => line_of(bytes, inputs, numbers),
        _ => {
            let other = pick(inputs, numbers);
            let from = numbers.below(other.len() + 1);
            bytes.truncate(at);
            bytes.extend_from_slice(&other[from..]);
        }
    }
}

/// Puts a line of another input somewhere between two lines.
fn line_of(bytes: &mut Vec<u8>, inputs: &[Vec<u8>], numbers: &mut Numbers) {
    let lines: Vec<&[u8]> = pick(inputs, numbers)
        .split_inclusive(|byte| *byte == b'\n')
        .collect();
    let line = lines
        .get(numbers.below(lines.len()))
        .copied()
        .unwrap_or_default();
    let from = numbers.below(bytes.len() + 1);
    let place = bytes[from..].iter().position(|byte| *byte == b'\n');
    let place = place.map_or(bytes.len(), |at| from + at + 1);
    bytes.splice(place..place, line.iter().copied());
}
