//! When to ask again.

use std::time::Duration;

use reqwest::header::{DATE, HeaderMap, RETRY_AFTER};

/// Before the first and before the second retry; there is no third.
const BACKOFF: [Duration; 2] = [Duration::from_millis(500), Duration::from_secs(2)];

/// The longest a server may make us wait. One that asks for more is not asked again, since it would refuse again.
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// How long to wait after attempt `attempt` (from 0) failed; `None`: give up. `asked` is what the server asked for.
pub fn pause(attempt: usize, asked: Option<Duration>) -> Option<Duration> {
    let backoff = *BACKOFF.get(attempt)?;
    let pause = asked.unwrap_or(backoff);
    (pause <= LONGEST_WAIT).then_some(pause)
}

/// `Retry-After` in seconds, or as a date, which is compared with the date the server itself gives.
pub fn asked(headers: &HeaderMap) -> Option<Duration> {
    let value = |name| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    let after = value(RETRY_AFTER)?;
    if let Ok(seconds) = after.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = |text| jiff::fmt::rfc2822::parse(text).ok().map(|date| date.timestamp());
    let wait = date(after)?.duration_since(date(value(DATE)?)?);
    Some(Duration::try_from(wait).unwrap_or(Duration::ZERO))
}

#[cfg(test)]
mod tests {
    use reqwest::header::{HeaderName, HeaderValue};

    use super::*;

    fn headers(pairs: &[(HeaderName, &'static str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (name.clone(), HeaderValue::from_static(value))).collect()
    }

    #[test]
    fn waits_as_asked_up_to_a_limit_and_gives_up_after_two_retries() {
        let second = Duration::from_secs;
        assert_eq!([0, 1, 2].map(|attempt| pause(attempt, None)), [Some(BACKOFF[0]), Some(BACKOFF[1]), None]);
        assert_eq!(pause(0, Some(second(30))), Some(second(30)));
        assert_eq!(pause(0, Some(second(31))), None);
        assert_eq!(pause(1, Some(second(0))), Some(second(0)));
        assert_eq!(pause(2, Some(second(0))), None);
    }

    #[test]
    fn reads_seconds_and_dates() {
        let now = (DATE, "Sat, 21 Nov 2026 07:00:00 GMT");
        let asked = |pairs: &[_]| asked(&headers(pairs));
        assert_eq!(asked(&[(RETRY_AFTER, " 7 ")]), Some(Duration::from_secs(7)));
        assert_eq!(
            asked(&[(RETRY_AFTER, "Sat, 21 Nov 2026 07:00:12 GMT"), now.clone()]),
            Some(Duration::from_secs(12))
        );
        assert_eq!(asked(&[(RETRY_AFTER, "Sat, 21 Nov 2026 06:59:00 GMT"), now]), Some(Duration::ZERO));
        assert_eq!(asked(&[(RETRY_AFTER, "Sat, 21 Nov 2026 07:00:12 GMT")]), None, "no date to compare with");
        assert_eq!(asked(&[(RETRY_AFTER, "soon")]), None);
        assert_eq!(asked(&[]), None);
    }
}
