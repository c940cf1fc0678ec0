//! Checks of links against their layer.

use glam::Vec2;

use super::error::MeshError;
use super::grid::Grid;
use super::ids::PlatformId;
use super::link::Link;
use super::platform::{Platform, Platforms};
use super::profile::AgentProfile;

/// Whether the durations of links are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Durations {
    /// They are known, and must agree with the trajectories.
    Given,
    /// They are not known, and are taken from the trajectories.
    Missing,
}

/// Checks every link and sets its duration to that of its trajectory. Returns,
/// for each platform, where its links end.
pub(super) fn check_links(
    links: &mut [Link],
    durations: Durations,
    platforms: &Platforms,
    profile: &AgentProfile,
    grid: &Grid,
) -> Result<Vec<u32>, MeshError> {
    let mut ends = vec![0u32; platforms.len()];
    let mut last = PlatformId(0);
    // Positions are f32 and surfaces are interpolated: at the greatest grid
    // coordinate, 2^21 spacings, f32 has steps of 1/4 spacing; in levels of
    // usual size the error stays far below 1/100.
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
            return Err(bad("has another duration than its trajectory"));
        }
        link.duration = duration as f32;
        if !(link.tolerance.is_finite() && link.tolerance >= 0.0) {
            return Err(bad("has a tolerance that is negative or not finite"));
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
