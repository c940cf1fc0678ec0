//! Checksums of forged baked files.

/// Sets the checksums of the sections and of their table, so that changes reach
/// what is behind them.
pub(crate) fn correct(file: &mut [u8]) {
    let number = |file: &[u8], at: usize| {
        let bytes = file.get(at..)?.first_chunk::<4>()?;
        Some(u32::from_le_bytes(*bytes) as usize)
    };
    let put = |file: &mut [u8], at: usize, check: u32| {
        if let Some(place) = file.get_mut(at..at + 4) {
            place.copy_from_slice(&check.to_le_bytes());
        }
    };
    let count = number(file, 12).unwrap_or_default().min(file.len() / 16);
    for entry in (0..count).map(|i| 16 + 16 * i) {
        let range = number(file, entry + 4).zip(number(file, entry + 8));
        let content = range.and_then(|(from, length)| file.get(from..from.checked_add(length)?));
        if let Some(check) = content.map(crc32fast::hash) {
            put(file, entry + 12, check);
        }
    }
    let end = 16 + 16 * count;
    if let Some(check) = file.get(..end).map(crc32fast::hash) {
        put(file, end, check);
    }
}
