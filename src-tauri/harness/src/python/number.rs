//! Numbers as Python reads them from text.

use super::{repr, strip};

/// Digits that `int()` reads in decimal.
const INT_DIGITS: usize = 4300;

/// `int(text, base)` in decimal digits, or the message of the `ValueError`. Digits are those of ASCII.
pub fn int(text: &str, base: u32) -> Result<String, String> {
    let wrong = || format!("invalid literal for int() with base {base}: {}", repr(text));
    let trimmed = strip(text);
    let (negative, rest) = match trimmed.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, trimmed.strip_prefix('+').unwrap_or(trimmed)),
    };
    let mark = match base {
        2 => 'b',
        8 => 'o',
        16 => 'x',
        _ => '\0',
    };
    let marked = rest.strip_prefix('0').and_then(|rest| rest.strip_prefix([mark, mark.to_ascii_uppercase()]));
    let digits = marked.unwrap_or(rest);
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(base)) {
        return Err(wrong());
    }
    if base == 10 && digits.len() > INT_DIGITS {
        return Err(format!(
            "Exceeds the limit ({INT_DIGITS} digits) for integer string conversion: value has {} digits; use \
             sys.set_int_max_str_digits() to increase the limit",
            digits.len()
        ));
    }
    let number = decimal(digits, base);
    Ok(if negative && number != "0" { format!("-{number}") } else { number })
}

/// `float(text)`, or the message of the `ValueError`.
pub fn float(text: &str) -> Result<f64, String> {
    let number = strip(text);
    // Rust takes more than Python does only in the names of infinity.
    let is_number = number.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'));
    let wrong = || format!("could not convert string to float: {}", repr(text));
    number.parse().ok().filter(|_| is_number).ok_or_else(wrong)
}

/// Whether `str()` refuses a number of so many digits.
pub fn is_too_long(digits: &str) -> bool {
    digits.trim_start_matches('-').len() > INT_DIGITS
}

/// Numbers of any base with more digits than this have more than [`INT_DIGITS`] decimal ones. They cannot be converted.
const LONGEST: usize = 14_300;

/// Digits of any base as decimal digits without leading zeros.
fn decimal(digits: &str, base: u32) -> String {
    const LIMB: u64 = 1_000_000_000;
    if base == 10 {
        let kept = digits.trim_start_matches('0');
        return if kept.is_empty() { "0".into() } else { kept.into() };
    }
    let digits = digits.trim_start_matches('0');
    if digits.len() > LONGEST {
        return "9".repeat(INT_DIGITS + 1);
    }
    let mut limbs: Vec<u64> = vec![0];
    for digit in digits.chars().filter_map(|digit| digit.to_digit(base)) {
        let mut carry = u64::from(digit);
        for limb in &mut limbs {
            let sum = *limb * u64::from(base) + carry;
            *limb = sum % LIMB;
            carry = sum / LIMB;
        }
        if carry > 0 {
            limbs.push(carry);
        }
    }
    let mut rest = limbs.iter().rev();
    let first = rest.next().map_or_else(String::new, u64::to_string);
    rest.fold(first, |out, limb| out + &format!("{limb:09}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_whole_numbers_of_any_length() {
        assert_eq!(int("123456789012345678901234567890", 10), Ok("123456789012345678901234567890".into()));
        assert_eq!(int("ffffffffffffffffffff", 16), Ok("1208925819614629174706175".into()));
        assert_eq!(int(" -007 ", 8), Ok("-7".into()));
        assert_eq!(int("-0", 10), Ok("0".into()));
        assert_eq!(int("09", 8), Err("invalid literal for int() with base 8: '09'".into()));
        assert_eq!(int("", 16), Err("invalid literal for int() with base 16: ''".into()));
    }

    #[test]
    fn reads_floats() {
        assert_eq!(float(" 1e400 "), Ok(f64::INFINITY));
        assert_eq!(float("1.e-3"), Ok(0.001));
        assert_eq!(float("x"), Err("could not convert string to float: 'x'".into()));
    }
}
