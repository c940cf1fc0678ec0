//! Interval arithmetic for the exhaustive search.

use super::Spans;

/// The speeds that lead into the open interval (a, b), measured from the
/// start, at one of `times`.
pub fn speeds_into(a: f64, b: f64, times: &[f64]) -> (f64, f64) {
    let per = |d: f64, s: f64| {
        if s > 0.0 || d == 0.0 {
            d / s.max(f64::MIN_POSITIVE)
        } else {
            d.signum() * f64::INFINITY
        }
    };
    let lo = times
        .iter()
        .map(|&s| per(a, s))
        .fold(f64::INFINITY, f64::min);
    let hi = times
        .iter()
        .map(|&s| per(b, s))
        .fold(f64::NEG_INFINITY, f64::max);
    (lo, hi)
}

/// Closed intervals without open ones.
pub fn without(set: &Spans, holes: &Spans) -> Spans {
    let mut left = Spans::new();
    for &(a, b) in set {
        for (fa, fb) in complement(holes, a, b) {
            if fa.max(a) <= fb.min(b) {
                left.push((fa.max(a), fb.min(b)));
            }
        }
    }
    left
}

/// Sorts intervals and joins those that overlap.
pub fn unite(mut spans: Spans) -> Spans {
    spans.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut out: Spans = Vec::new();
    for span in spans {
        match out.last_mut() {
            // Open spans that touch leave a point between them.
            Some(last) if span.0 < last.1 => last.1 = last.1.max(span.1),
            _ => out.push(span),
        }
    }
    out
}

/// The intervals between sorted open intervals.
pub fn complement(spans: &Spans, from: f64, to: f64) -> Spans {
    let mut out = Spans::new();
    let mut at = from;
    for &(a, b) in spans {
        if a >= at {
            out.push((at, a));
        }
        at = at.max(b);
    }
    if at <= to {
        out.push((at, to));
    }
    out
}
