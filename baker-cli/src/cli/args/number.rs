//! Numbers on the command line.

/// Samples a second.
pub(in crate::cli) fn frequency(text: &str) -> Result<f64, String> {
    let rule = "samples a second: a number above 0, at most 10000";
    let hz: f64 = text.parse().map_err(|_| rule.to_string())?;
    if hz > 0.0 && hz <= 10_000.0 {
        Ok(hz)
    } else {
        Err(rule.to_string())
    }
}

/// A moment of a simulation, or how long something takes there.
pub(in crate::cli) fn seconds(text: &str) -> Result<f64, String> {
    let value = text.trim().parse::<f64>().ok();
    value
        .filter(|v| (0.0..=3600.0).contains(v))
        .ok_or_else(|| format!("{text:?} is not a number of seconds from 0 to 3600"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequencies_are_above_zero() {
        assert!(frequency("0").is_err() && frequency("60").is_ok());
    }
}
