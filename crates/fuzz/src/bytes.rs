//! Reading choices and documents out of a target's bytes.

/// The first byte as a choice, and what is behind it.
pub(crate) fn choice(bytes: &[u8]) -> (usize, &[u8]) {
    match bytes.split_first() {
        Some((first, rest)) => (usize::from(*first), rest),
        None => (0, bytes),
    }
}

/// The bytes in pieces of uneven lengths that `seed` decides, from one byte to some hundred.
pub(crate) fn pieces(bytes: &[u8], seed: usize) -> Vec<&[u8]> {
    let (mut rest, mut state, mut pieces) = (bytes, seed, Vec::new());
    while !rest.is_empty() {
        state = state.wrapping_mul(31).wrapping_add(17) % 257;
        let length = match seed % 3 {
            0 => 1,
            1 => 1 + state % 7,
            _ => 1 + state,
        };
        let (piece, behind) = rest.split_at(length.min(rest.len()));
        pieces.push(piece);
        rest = behind;
    }
    pieces
}

/// The first line, and what is behind it.
pub(crate) fn line(bytes: &[u8]) -> (&[u8], &[u8]) {
    match bytes.iter().position(|byte| *byte == b'\n') {
        Some(end) => (&bytes[..end], &bytes[end + 1..]),
        None => (bytes, &[]),
    }
}
