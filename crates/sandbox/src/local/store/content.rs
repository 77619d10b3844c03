//! Reads the content of files without their holes: the kernel says where data is, so that a file of a hundred gigabytes that
//! holds one byte costs what that byte costs.
//!
//! INVARIANT: a digest depends on what is in a file alone, not on which of its zeros are holes: a copy has others than what
//! was copied.

use std::{
    fs::File,
    io::{self, Read as _, Seek as _},
    os::unix::fs::FileExt as _,
};

use aws_lc_rs::digest::Context;
use rustix::{
    fs::{SeekFrom, seek},
    io::Errno,
};

use super::bounds::WalkTally;

/// Zeros of this length become holes, and are left out of digests.
pub(super) const CHUNK: usize = 128 * 1024;
static ZEROS: [u8; CHUNK] = [0; CHUNK];

/// How files are hashed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DigestScheme {
    /// Each byte, zeros too: layers of earlier versions, and templates.
    EveryByte,
    /// What is not zero, with its offset.
    DataOnly,
}

/// Finds the offset of the next data, if the file has any.
fn next_data(file: &File, at: u64) -> io::Result<Option<u64>> {
    match seek(file, SeekFrom::Data(at)) {
        Ok(data) => Ok(Some(data)),
        Err(Errno::NXIO) => Ok(None),
        // A file system that does not know has data everywhere.
        Err(Errno::INVAL | Errno::OPNOTSUPP) => Ok(Some(at)),
        Err(error) => Err(error.into()),
    }
}

/// Reads the data of a file into the digest and the copy.
pub(super) fn hash_data(
    source: &File,
    target: Option<&File>,
    hash: &mut Context,
    tally: &mut WalkTally,
    buffer: &mut [u8],
) -> io::Result<()> {
    let size = source.metadata()?.len();
    tally.count_file(size)?;
    let mut at = 0;
    while let Some(data) = next_data(source, at)?
        && data < size
    {
        // Chunks have their places in the file, whatever its holes are.
        at = data - data % CHUNK as u64;
        let read = read_at(source, buffer, at)?;
        tally.count_read(read)?;
        let chunk = &buffer[..read];
        if *chunk != ZEROS[..read] {
            for number in [at, read as u64] {
                hash.update(&number.to_le_bytes());
            }
            hash.update(chunk);
            tally.stored += read as u64;
            if let Some(target) = target {
                target.write_all_at(chunk, at)?;
            }
        }
        at += CHUNK as u64;
    }
    for number in [u64::MAX, size] {
        hash.update(&number.to_le_bytes());
    }
    target.map_or(Ok(()), |target| target.set_len(size))
}

/// Reads until the buffer is full or the file ends.
fn read_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    let mut read = 0;
    while read < buffer.len() {
        match file.read_at(&mut buffer[read..], at + read as u64) {
            Ok(0) => break,
            Ok(more) => read += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(read)
}

/// Reads every byte of a file into the digest.
pub(super) fn hash_every_byte(
    mut source: &File,
    hash: &mut Context,
    tally: &mut WalkTally,
    buffer: &mut [u8],
) -> io::Result<()> {
    source.rewind()?;
    let mut size = 0_u64;
    loop {
        let read = source.read(buffer)?;
        if read == 0 {
            break;
        }
        // Without a bound: it was copied when there was none.
        tally.check_stopped()?;
        hash.update(&buffer[..read]);
        size += read as u64;
    }
    hash.update(&size.to_le_bytes());
    tally.bytes += size;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::MetadataExt as _;

    use aws_lc_rs::digest::SHA256;
    use proptest::prelude::*;

    use super::*;

    fn digest(file: &File, target: Option<&File>) -> String {
        let mut hash = Context::new(&SHA256);
        let mut buffer = vec![0; CHUNK];
        hash_data(
            file,
            target,
            &mut hash,
            &mut WalkTally::default(),
            &mut buffer,
        )
        .unwrap();
        hex::encode(hash.finish())
    }

    fn bytes(mut file: &File) -> Vec<u8> {
        let mut bytes = Vec::new();
        file.rewind().unwrap();
        file.read_to_end(&mut bytes).unwrap();
        bytes
    }

    #[test]
    fn a_file_of_holes_costs_what_is_in_it() {
        let file = tempfile::tempfile().unwrap();
        file.set_len(150 << 30).unwrap();
        file.write_all_at(b"one", 100 << 30).unwrap();
        let copy = tempfile::tempfile().unwrap();
        let mut tally = WalkTally::default();
        let (mut hash, mut buffer) = (Context::new(&SHA256), vec![0; CHUNK]);
        hash_data(&file, Some(&copy), &mut hash, &mut tally, &mut buffer).unwrap();
        assert_eq!(tally.bytes, 150 << 30);
        assert_eq!(copy.metadata().unwrap().len(), 150 << 30);
        assert_eq!(digest(&copy, None), hex::encode(hash.finish()));
        assert_eq!(read_at(&copy, &mut buffer[..3], 100 << 30).unwrap(), 3);
        assert_eq!(&buffer[..3], b"one");
        assert!(copy.metadata().unwrap().blocks() * 512 <= CHUNK as u64);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn a_copy_is_what_it_was_and_has_its_digest_wherever_the_holes_are(
            writes in prop::collection::vec((0_u64..800_000, 0_u8..3, 1_usize..50_000), 0..8),
            size in 0_u64..900_000,
        ) {
            // The same bytes in a file with holes and in one without.
            let sparse = tempfile::tempfile().unwrap();
            for (at, byte, length) in &writes {
                sparse.write_all_at(&vec![*byte; *length], *at).unwrap();
            }
            sparse.set_len(size).unwrap();
            let whole = bytes(&sparse);
            let dense = tempfile::tempfile().unwrap();
            dense.write_all_at(&whole, 0).unwrap();
            let copy = tempfile::tempfile().unwrap();
            let known = digest(&sparse, Some(&copy));
            prop_assert_eq!(&digest(&dense, None), &known);
            prop_assert_eq!(&digest(&copy, None), &known);
            prop_assert_eq!(bytes(&copy), whole.clone());
            if let Some(first) = whole.first() {
                dense.write_all_at(&[first.wrapping_add(1)], 0).unwrap();
                prop_assert_ne!(&digest(&dense, None), &known);
            }
            dense.set_len(size + 1).unwrap();
            prop_assert_ne!(&digest(&dense, None), &known);
        }
    }
}
