//! Checks of links against their layer.

use glam::Vec2;

use super::error::MeshError;
use super::grid::Grid;
use super::ids::PlatformId;
use super::link::Link;
use super::platform::{Platform, Platforms};
use super::profile::AgentProfile;

/// Checks every link and sets its duration to that of its trajectory.
pub(super) fn check_links(
    links: &mut [Link],
    platforms: &Platforms,
    profile: &AgentProfile,
    grid: &Grid,
) -> Result<(), MeshError> {
    let mut last = PlatformId(0);
    // Positions are f32 and surfaces are interpolated: at the greatest grid
    // coordinate, 2^21 spacings, f32 has steps of 1/4 spacing; in levels of
    // usual size the error stays far below 1/100.
    let slack = grid.spacing * 1e-2;
    for (number, link) in links.iter_mut().enumerate() {
        let bad = |what| MeshError::of("link", number, what);
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
        link.duration = if link.kind.is_airborne() {
            let trajectory = link.trajectory(profile.fall(), grid.y_axis.down());
            trajectory
                .map_err(|error| format!("link {number}: {error}"))?
                .duration as f32
        } else {
            let seconds = link.params.steady_seconds();
            seconds.ok_or_else(|| bad("has the launches or legs of a flight"))?
        };
        if !(link.tolerance.is_finite() && link.tolerance >= 0.0) {
            return Err(bad("has a tolerance that is negative or not finite"));
        }
    }
    Ok(())
}
