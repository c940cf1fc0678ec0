//! Whether links fit their layer.

use glam::Vec2;

use super::{AgentProfile, Grid, Link, MeshError, Platform, PlatformId, Platforms};

/// Where the durations of links come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Durations {
    /// They are given, and must agree with the arcs.
    Given,
    /// They are to be taken from the arcs.
    Missing,
}

/// Checks every link, sets its duration to that of its arc, and finds where
/// the links of each platform end.
pub(super) fn check_links(
    links: &mut [Link],
    durations: Durations,
    platforms: &Platforms,
    profile: &AgentProfile,
    grid: &Grid,
) -> Result<Vec<u32>, MeshError> {
    let mut ends = vec![0u32; platforms.len()];
    let mut last = PlatformId(0);
    // Ends lie on the surface up to the rounding of its interpolation.
    let slack = grid.spacing * 1e-2;
    for (i, link) in links.iter_mut().enumerate() {
        let number = i as u32;
        let bad = |what| MeshError::Link { link: number, what };
        let (Some(from), Some(to)) = (
            platforms.get(link.from_platform),
            platforms.get(link.to_platform),
        ) else {
            return Err(bad("joins a platform that does not exist"));
        };
        if link.from_platform < last {
            return Err(bad("is out of order"));
        }
        last = link.from_platform;
        let on = |platform: &Platform<'_>, p: Vec2| {
            p.is_finite() && platform.holds(p, slack + profile.step_height)
        };
        if !on(&from, link.from) || !on(&to, link.to) {
            return Err(bad("does not end on its platforms"));
        }
        let duration = if link.kind.is_airborne() {
            let trajectory = link.trajectory(profile.fall(), grid.y_axis.down());
            let trajectory = trajectory.map_err(|source| MeshError::Trajectory {
                link: number,
                source,
            })?;
            trajectory.duration()
        } else {
            let seconds = link.params.steady_seconds();
            f64::from(seconds.ok_or_else(|| bad("has the launches or legs of a flight"))?)
        };
        let off = (duration - f64::from(link.duration)).abs();
        if durations == Durations::Given && (off.is_nan() || off > 1e-3) {
            return Err(bad("takes another time than its arc"));
        }
        link.duration = duration as f32;
        if !(link.tolerance.is_finite() && link.tolerance >= 0.0) {
            return Err(bad("has a tolerance that is not a number, 0 or more"));
        }
        ends[link.from_platform.index()] = number + 1;
    }
    // A platform without links ends where the one before it does.
    let mut end = 0;
    for e in &mut ends {
        end = end.max(*e);
        *e = end;
    }
    Ok(ends)
}
