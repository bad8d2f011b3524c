//! Digits of base64. What may be between them, and how they must end, each language sees in its own way.

/// The bytes of these digits; bits that are left over are dropped. `None` if one is not a digit.
pub fn bytes(digits: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(digits.len() / 4 * 3 + 2);
    let mut held = 0_u32;
    for (count, digit) in digits.iter().enumerate() {
        held = held << 6 | u32::from(value(*digit)?);
        if count % 4 != 0 {
            out.push(u8::try_from(held >> (6 - 2 * (count % 4)) & 0xFF).expect("it is a byte"));
        }
    }
    Some(out)
}

pub fn is_digit(byte: u8) -> bool {
    value(byte).is_some()
}

fn value(digit: u8) -> Option<u8> {
    match digit {
        b'A'..=b'Z' => Some(digit - b'A'),
        b'a'..=b'z' => Some(digit - b'a' + 26),
        b'0'..=b'9' => Some(digit - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    }
}
