//! A picture of words, without a font: letters of straight strokes, drawn with a round pen, as PNG.

/// Strokes on a grid of 4 by 6, from the upper left.
fn strokes(letter: char) -> &'static [&'static [(f32, f32)]] {
    match letter {
        'A' => &[&[(0., 6.), (2., 0.), (4., 6.)], &[(0.8, 4.), (3.2, 4.)]],
        'E' => &[
            &[(4., 0.), (0., 0.), (0., 6.), (4., 6.)],
            &[(0., 3.), (3., 3.)],
        ],
        'F' => &[&[(4., 0.), (0., 0.), (0., 6.)], &[(0., 3.), (3., 3.)]],
        'H' => &[
            &[(0., 0.), (0., 6.)],
            &[(4., 0.), (4., 6.)],
            &[(0., 3.), (4., 3.)],
        ],
        'I' => &[&[(2., 0.), (2., 6.)]],
        'L' => &[&[(0., 0.), (0., 6.), (4., 6.)]],
        'M' => &[&[(0., 6.), (0., 0.), (2., 4.), (4., 0.), (4., 6.)]],
        'N' => &[&[(0., 6.), (0., 0.), (4., 6.), (4., 0.)]],
        'T' => &[&[(0., 0.), (4., 0.)], &[(2., 0.), (2., 6.)]],
        'V' => &[&[(0., 0.), (2., 6.), (4., 0.)]],
        'W' => &[&[(0., 0.), (1., 6.), (2., 1.5), (3., 6.), (4., 0.)]],
        'Y' => &[&[(0., 0.), (2., 3.), (4., 0.)], &[(2., 3.), (2., 6.)]],
        ' ' => &[],
        _ => panic!("no strokes for {letter}"),
    }
}

const UNIT: f32 = 8.;
const PEN: f32 = 3.6;

/// Black on white.
pub fn png(text: &str) -> Vec<u8> {
    let advance = 6. * UNIT;
    let margin = 5. * UNIT;
    let mut lines = Vec::new();
    let mut x = margin;
    for letter in text.chars() {
        for stroke in strokes(letter) {
            let place = |(dx, dy): (f32, f32)| (x + dx * UNIT, margin + dy * UNIT);
            lines.extend(
                stroke
                    .windows(2)
                    .map(|ends| (place(ends[0]), place(ends[1]))),
            );
        }
        x += advance;
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let (width, height) = ((x + margin) as u32, (6. * UNIT + 2. * margin) as u32);
    let mut rows = Vec::new();
    for y in 0..height {
        rows.push(0);
        rows.extend((0..width).map(|x| shade(&lines, x, y)));
    }
    encoded(width, height, &rows)
}

type Point = (f32, f32);

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss
)]
fn shade(lines: &[(Point, Point)], x: u32, y: u32) -> u8 {
    let (x, y) = (x as f32, y as f32);
    let distance = |((ax, ay), (bx, by)): &(Point, Point)| {
        let (dx, dy) = (bx - ax, by - ay);
        let along = ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy);
        let along = along.clamp(0., 1.);
        (x - ax - along * dx).hypot(y - ay - along * dy)
    };
    let nearest = lines.iter().map(distance).fold(f32::MAX, f32::min);
    ((nearest - PEN + 0.5).clamp(0., 1.) * 255.) as u8
}

fn encoded(width: u32, height: u32, rows: &[u8]) -> Vec<u8> {
    let mut header = Vec::new();
    header.extend(width.to_be_bytes());
    header.extend(height.to_be_bytes());
    // Eight bits of grey, nothing special.
    header.extend([8, 0, 0, 0, 0]);
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    for (name, data) in [
        (b"IHDR", header),
        (b"IDAT", stored(rows)),
        (b"IEND", Vec::new()),
    ] {
        let length = u32::try_from(data.len()).expect("a short chunk");
        let body = [&name[..], &data].concat();
        file.extend(length.to_be_bytes());
        file.extend(&body);
        file.extend(crc(&body).to_be_bytes());
    }
    file
}

/// A zlib stream that compresses nothing.
fn stored(bytes: &[u8]) -> Vec<u8> {
    let mut stream = vec![0x78, 0x01];
    let mut chunks = bytes.chunks(0xffff).peekable();
    while let Some(chunk) = chunks.next() {
        stream.push(u8::from(chunks.peek().is_none()));
        let length = u16::try_from(chunk.len()).expect("a short chunk");
        stream.extend(length.to_le_bytes());
        stream.extend((!length).to_le_bytes());
        stream.extend(chunk);
    }
    let (mut a, mut b) = (1_u32, 0_u32);
    for byte in bytes {
        a = (a + u32::from(*byte)) % 65521;
        b = (b + a) % 65521;
    }
    stream.extend((b << 16 | a).to_be_bytes());
    stream
}

fn crc(bytes: &[u8]) -> u32 {
    let step = |crc: u32, byte: &u8| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            (crc >> 1) ^ (0xedb8_8320 & 0_u32.wrapping_sub(crc & 1))
        })
    };
    !bytes.iter().fold(!0, step)
}
