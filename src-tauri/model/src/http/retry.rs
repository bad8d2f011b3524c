//! When to ask again.

use std::time::Duration;

use reqwest::StatusCode;
use reqwest::header::{DATE, HeaderMap, RETRY_AFTER};

/// The longest wait before the first retry; before each further one it is four times as long. The actual wait is random
/// up to this, so that clients that were refused together do not come back together.
const FIRST_WAIT: Duration = Duration::from_secs(1);

/// How long to wait after attempt `attempt` (from 0) failed; `None`: the server asks for more than `longest`, and would
/// refuse again before that. `asked` is what the server asked for, `jitter` a random number from 0 up to 1.
pub fn pause(attempt: usize, asked: Option<Duration>, jitter: f64, longest: Duration) -> Option<Duration> {
    let times = u32::try_from(attempt).ok().and_then(|attempt| 4u32.checked_pow(attempt)).unwrap_or(u32::MAX);
    let backoff = FIRST_WAIT.saturating_mul(times).min(longest);
    let pause = asked.unwrap_or_else(|| backoff.mul_f64(jitter));
    (pause <= longest).then_some(pause)
}

/// Whether the same request may succeed next time. Some servers say so themselves.
pub fn may_pass(status: StatusCode, headers: &HeaderMap) -> bool {
    match text(headers, "x-should-retry") {
        Some("true") => true,
        Some("false") => false,
        Some(_) | None => {
            let passing = [StatusCode::REQUEST_TIMEOUT, StatusCode::CONFLICT, StatusCode::TOO_MANY_REQUESTS];
            passing.contains(&status) || status.is_server_error()
        }
    }
}

/// `retry-after-ms`, or `Retry-After` in seconds, or as a date, which is compared with the date the server itself gives.
pub fn asked(headers: &HeaderMap) -> Option<Duration> {
    let number = |text: &str| text.parse::<f64>().ok().and_then(|number| Duration::try_from_secs_f64(number).ok());
    if let Some(wait) = text(headers, "retry-after-ms").and_then(number) {
        return Some(wait / 1000);
    }
    let after = text(headers, RETRY_AFTER.as_str())?;
    if let Some(wait) = number(after) {
        return Some(wait);
    }
    let date = |text| jiff::fmt::rfc2822::parse(text).ok().map(|date| date.timestamp());
    let wait = date(after)?.duration_since(date(text(headers, DATE.as_str())?)?);
    Some(Duration::try_from(wait).unwrap_or(Duration::ZERO))
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim)
}

#[cfg(test)]
mod tests {
    use reqwest::header::{HeaderName, HeaderValue};

    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        let pairs = pairs.iter().copied();
        pairs.map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value))).collect()
    }

    #[test]
    fn waits_as_asked_or_ever_longer_up_to_a_limit() {
        let second = Duration::from_secs;
        let pause = |attempt, asked, jitter| pause(attempt, asked, jitter, second(30));
        assert_eq!(
            [0, 1, 2, 3, 100].map(|attempt| pause(attempt, None, 0.5)),
            [Duration::from_millis(500), second(2), second(8), second(15), second(15)].map(Some)
        );
        assert_eq!(pause(1, None, 0.0), Some(Duration::ZERO), "the wait is drawn from all of it");
        assert_eq!(pause(0, Some(second(30)), 0.5), Some(second(30)));
        assert_eq!(pause(0, Some(second(31)), 0.5), None);
        assert_eq!(pause(1, Some(second(0)), 0.5), Some(second(0)));
    }

    #[test]
    fn reads_milliseconds_seconds_and_dates() {
        let now = ("date", "Sat, 21 Nov 2026 07:00:00 GMT");
        let asked = |pairs: &[_]| asked(&headers(pairs));
        assert_eq!(asked(&[("retry-after", " 7 ")]), Some(Duration::from_secs(7)));
        assert_eq!(asked(&[("retry-after", "0.5")]), Some(Duration::from_millis(500)));
        assert_eq!(asked(&[("retry-after", "7"), ("retry-after-ms", "120")]), Some(Duration::from_millis(120)));
        assert_eq!(asked(&[("retry-after", "Sat, 21 Nov 2026 07:00:12 GMT"), now]), Some(Duration::from_secs(12)));
        assert_eq!(asked(&[("retry-after", "Sat, 21 Nov 2026 06:59:00 GMT"), now]), Some(Duration::ZERO));
        assert_eq!(asked(&[("retry-after", "Sat, 21 Nov 2026 07:00:12 GMT")]), None, "no date to compare with");
        for nonsense in ["soon", "-1", "NaN", "1e300"] {
            assert_eq!(asked(&[("retry-after", nonsense)]), None, "{nonsense}");
        }
        assert_eq!(asked(&[]), None);
    }

    #[test]
    fn asks_again_where_that_may_help() {
        let passes = |status, pairs: &[_]| may_pass(StatusCode::from_u16(status).unwrap(), &headers(pairs));
        assert_eq!([408, 409, 429, 500, 503, 529].map(|status| passes(status, &[])), [true; 6]);
        assert_eq!([301, 400, 401, 404, 413].map(|status| passes(status, &[])), [false; 5]);
        assert!(!passes(500, &[("x-should-retry", "false")]), "the server knows best");
        assert!(passes(400, &[("x-should-retry", "true")]));
    }
}
