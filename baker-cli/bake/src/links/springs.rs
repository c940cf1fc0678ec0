//! Links of springs, which throw a body upwards that touches them.
//!
//! For all other motions a spring is closed, as a closed door is: no link stops on it or leads
//! through it. Its own links begin where a body that walks to it first touches it: at the ends
//! of the floor beside it. They are found as jumps are, by a body that can jump exactly so high.

use glam::DVec2;
use navmesh_runtime::mesh::{AgentProfile, EdgeSet, MarkerKind, PlatformKind, marker_kind};

use crate::agent_limits::AgentLimits;
use crate::connection::{Connection, Endpoint};
use crate::flight::moves::MoveFinder;
use crate::flight::take_off::{Departure, TakeOff};
use crate::flight::trajectory_solver::TrajectorySolver;
use crate::geometry::ConfigurationSpace;
use crate::layout::Layout;
use crate::level::{Level, LevelMarker, Rect};
use crate::links::spanner::links_of;
use crate::surfaces::Surfaces;

/// Positions at which a flight is compared with springs: in a step, a body moves by far less
/// than the size of a spring.
const SAMPLES: u32 = 1000;

/// A spring that throws one agent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spring {
    /// Feet that touch it; also at its sides.
    touched: Rect,
    /// Upward, pixels/s.
    speed: f64,
}

impl Spring {
    /// How it throws a body from a position; `None` where the body does not touch it.
    pub fn take_off(&self, from: &Endpoint) -> Option<TakeOff> {
        let Rect { min, max } = self.touched;
        let touches = (min.x..=max.x).contains(&from.x) && (min.y..=max.y).contains(&from.y);
        touches.then(|| TakeOff::new(Departure::Thrown(self.speed as f32)))
    }
}

/// The markers of a level that are springs.
fn springs(level: &Level) -> impl Iterator<Item = &LevelMarker> {
    let markers = level.markers.iter();
    markers.filter(|marker| {
        marker_kind(&marker.class) == MarkerKind::Spring && marker.area.size().min_element() > 0.0
    })
}

/// Whether a level has springs.
pub fn has_springs(level: &Level) -> bool {
    springs(level).next().is_some()
}

/// Where bodies are thrown that touch it: all springs but those that are pressed.
pub fn closed_springs(level: &Level) -> impl Iterator<Item = Rect> {
    let closed = springs(level).filter(|marker| {
        let pressed = marker.property("only_when_pressed").unwrap_or_default();
        !["true", "1"].contains(&pressed.to_lowercase().as_str())
    });
    closed.map(|marker| marker.area)
}

/// The upward speed with which a spring throws an agent (pixels/s); `None` when the level does
/// not say it, or says another direction. `scale` is pixels per unit.
fn speed_of(marker: &LevelMarker, limits: &AgentLimits, scale: f64) -> Option<f64> {
    let number = |text: Option<&str>| -> Option<f64> { text?.parse().ok() };
    let is_up = (marker.property("direction")).is_none_or(|way| way.is_empty() || way == "up");
    let of_height =
        number(marker.property("height")).map(|height| 2.0 * limits.fall.gravity * height * scale);
    let speed = number(marker.property("velocity")).filter(|speed| *speed != 0.0);
    let speed = speed
        .map(|speed| speed * scale)
        .or(of_height.map(f64::sqrt));
    speed.filter(|speed| is_up && speed.is_finite() && *speed > 0.0)
}

/// The links by which the springs of a level throw an agent, which stands on `surfaces`.
/// `space` is that without springs.
pub fn spring_links(
    level: &Level,
    space: &dyn ConfigurationSpace,
    surfaces: &Surfaces,
    layout: &Layout,
    agent: &AgentProfile,
    stretch: f64,
) -> Vec<Connection> {
    let limits = layout.limits(agent);
    let scale = f64::from(layout.units.pixels_per_unit);
    let thrown = springs(level).filter_map(|own| Some((own.area, speed_of(own, &limits, scale)?)));
    let thrown: Vec<(Rect, f64)> = thrown.collect();
    if thrown.is_empty() {
        return Vec::new();
    }
    // A body that is thrown makes flights, whatever the agent can do itself.
    let mut limits = AgentLimits {
        edges: limits.edges | EdgeSet::JUMP,
        air_jumps: 0,
        ..limits
    };
    let Some(slabs) = Surfaces::find(space, layout, &limits).slabs else {
        return Vec::new();
    };
    let closed: Vec<Rect> = closed_springs(level).collect();
    let mut links = Vec::new();
    for (area, speed) in thrown {
        let fall = limits.max_drop.y + 0.5 * speed * speed / limits.fall.gravity;
        let seconds = speed / limits.fall.gravity + limits.fall.time_to(0.0, -fall);
        limits.jump_speed = speed;
        limits.max_jump.x = limits.run_speed * seconds;
        limits.max_jump.y = 0.5 * speed * speed / limits.fall.gravity;
        let mut finder = MoveFinder::new(&limits, layout, &slabs, &surfaces.platforms);
        let slack = 1e-2 * layout.spacing;
        let mut touched = area;
        touched.min -= DVec2::new(0.5 * limits.body.x + slack, 0.0);
        touched.max += DVec2::new(0.5 * limits.body.x + slack, slack);
        finder.spring = Some(Spring { touched, speed });
        let solver = TrajectorySolver {
            finder: &finder,
            space,
        };
        for (platform, line) in surfaces.platforms.iter().enumerate() {
            let mut ends = finder.endpoints.get(platform).iter();
            let touches = |end: &Endpoint| finder.spring.is_some_and(|s| s.take_off(end).is_some());
            if line.kind == PlatformKind::Floor && ends.any(touches) {
                let own = links_of(&solver, platform, stretch);
                links.extend(
                    own.into_iter()
                        .filter(|link| !meets_spring(link, &limits, area, &closed)),
                );
            }
        }
    }
    links
}

/// Whether a flight leads a body onto a spring: the one at `own` while it falls, or any other.
fn meets_spring(link: &Connection, limits: &AgentLimits, own: Rect, closed: &[Rect]) -> bool {
    let (from, to) = (link.from.point(), link.to.point());
    let Ok(flight) = link
        .params
        .trajectory(to.x - from.x, from.y - to.y, limits.fall)
    else {
        return true;
    };
    let half = 0.5 * limits.body.x;
    (1..=SAMPLES).any(|sample| {
        let time = flight.duration * f64::from(sample) / f64::from(SAMPLES);
        let offset = flight.offset(time);
        let feet = from + DVec2::new(offset.x, -offset.y);
        let is_thrown = flight.velocity(time).y > 0.0;
        closed.iter().any(|spring| {
            let is_inside = spring.min.x < feet.x + half
                && feet.x - half < spring.max.x
                && spring.min.y < feet.y
                && feet.y - limits.body.y < spring.max.y;
            is_inside && !(is_thrown && *spring == own)
        })
    })
}
