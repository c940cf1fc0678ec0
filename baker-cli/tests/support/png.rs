//! Pixels of PNG files.

use std::io::Cursor;

/// The width and the pixels of a PNG that is 8-bit RGB.
pub(crate) fn pixels(bytes: &[u8]) -> (u32, Vec<[u8; 3]>) {
    let mut reader = png::Decoder::new(Cursor::new(bytes)).read_info().unwrap();
    let mut samples = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut samples).unwrap();
    assert_eq!(
        (info.color_type, info.bit_depth),
        (png::ColorType::Rgb, png::BitDepth::Eight)
    );
    (info.width, samples.as_chunks().0.to_vec())
}
