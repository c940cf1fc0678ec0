//! The platforms and links of a layer, for drawing them.

use std::mem::MaybeUninit;

use navmesh_runtime::mesh::StepKind;
use navmesh_runtime::mesh::{Link, LinkId, Platform, PlatformId};
use navmesh_runtime::motion::Airborne;

use crate::border::{Error, NbResult, NbVec2, Versioned, guard, put_list};
use crate::mesh::{NbMesh, layer_of};
use crate::report::NbStepKind;

/// A floor, ladder, wall or ceiling along which an agent can move without a break.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct NbPlatform {
    /// How agents move along it, one of `NbStepKind`: `NB_STEP_KIND_FLOOR`,
    /// `NB_STEP_KIND_LADDER`, `NB_STEP_KIND_WALL_CLIMB` or `NB_STEP_KIND_CEILING_CLIMB`.
    pub kind: u32,
    /// The number of its group: agents can go from any platform of a group to any other.
    pub component: u32,
    /// Feet at the left end; on ladders and walls, at the end with the smaller y.
    pub left: NbVec2,
    /// Feet at the other end.
    pub right: NbVec2,
}

// SAFETY: repr(C), numbers of four bytes only.
unsafe impl Versioned for NbPlatform {
    const NAME: &'static str = "NbPlatform";
    const FIRST: usize = 24;
}

impl From<Platform<'_>> for NbPlatform {
    fn from(platform: Platform<'_>) -> Self {
        Self {
            kind: NbStepKind::from(StepKind::from(platform.kind)) as u32,
            component: platform.component,
            left: platform.left().into(),
            right: platform.right().into(),
        }
    }
}

/// A baked motion from one platform to another, in this direction.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct NbLink {
    /// One of `NbStepKind`; `NB_STEP_KIND_FLOOR` where the agent walks on but cannot walk
    /// back, for instance through a one-way wall.
    pub kind: u32,
    /// The number of the platform that it leaves.
    pub from_platform: u32,
    /// The number of the platform that it leads to.
    pub to_platform: u32,
    /// Seconds; for a portal, its cost.
    pub duration: f32,
    /// How many seconds late the agent may take off, 0 to 0.25.
    pub tolerance: f32,
    /// Feet at the start.
    pub from: NbVec2,
    /// Feet at the end.
    pub to: NbVec2,
}

// SAFETY: repr(C), numbers of four bytes only.
unsafe impl Versioned for NbLink {
    const NAME: &'static str = "NbLink";
    const FIRST: usize = 36;
}

impl From<&Link> for NbLink {
    fn from(link: &Link) -> Self {
        Self {
            kind: NbStepKind::from(link.kind.of_step()) as u32,
            from_platform: link.from_platform.0,
            to_platform: link.to_platform.0,
            duration: link.duration,
            tolerance: link.tolerance,
            from: link.from.into(),
            to: link.to.into(),
        }
    }
}

/// The platforms of a layer. Their numbers are their places in this list.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nb_layer_platforms(
    mesh: Option<&NbMesh>,
    layer: u32,
    platforms: *mut NbPlatform,
    capacity: usize,
    platform_size: usize,
    count: Option<&mut MaybeUninit<usize>>,
) -> NbResult {
    guard(|| {
        let layer = layer_of(mesh, layer)?;
        let numbers = 0..layer.platforms().len() as u32;
        let own = numbers.filter_map(|number| layer.platform(PlatformId(number)).map(Into::into));
        // SAFETY: a buffer of that capacity: the contract of the header.
        unsafe { put_list(own, platforms, capacity, platform_size, count) }
    })
}

/// The line that the feet follow on a platform, from its left end to its right end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nb_platform_points(
    mesh: Option<&NbMesh>,
    layer: u32,
    platform: u32,
    points: *mut NbVec2,
    capacity: usize,
    count: Option<&mut MaybeUninit<usize>>,
) -> NbResult {
    guard(|| {
        let found = layer_of(mesh, layer)?.platform(PlatformId(platform));
        let found = found.ok_or_else(|| unknown("platform", platform))?;
        let own = found.surface.iter().map(|&point| point.into());
        // SAFETY: a buffer of that capacity: the contract of the header.
        unsafe { put_list(own, points, capacity, size_of::<NbVec2>(), count) }
    })
}

/// The links of a layer. Their numbers are their places in this list.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nb_layer_links(
    mesh: Option<&NbMesh>,
    layer: u32,
    links: *mut NbLink,
    capacity: usize,
    link_size: usize,
    count: Option<&mut MaybeUninit<usize>>,
) -> NbResult {
    guard(|| {
        let own = layer_of(mesh, layer)?.links().iter().map(NbLink::from);
        // SAFETY: a buffer of that capacity: the contract of the header.
        unsafe { put_list(own, links, capacity, link_size, count) }
    })
}

/// `count` points of the motion along a link, at equal times from its start to its end:
/// the curve of a jump or drop, otherwise a straight line.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nb_link_points(
    mesh: Option<&NbMesh>,
    layer: u32,
    link: u32,
    points: *mut NbVec2,
    count: usize,
) -> NbResult {
    guard(|| {
        let layer = layer_of(mesh, layer)?;
        let found = layer.link(LinkId(link));
        let found = found.ok_or_else(|| unknown("link", link))?;
        let is_airborne = found.kind.is_airborne();
        let curve = is_airborne.then(|| Airborne::along(found, layer, layer.profile()));
        let curve = curve.flatten();
        let last = count.saturating_sub(1).max(1) as f64;
        if points.is_null() && count > 0 {
            let text = format_args!("{count} points have no room in a null buffer");
            return Err(Error::new(NbResult::ErrorBuffer, text));
        }
        let own = (0..count).map(|i| {
            let part = i as f64 / last;
            let Some(mut curve) = curve else {
                return found.from.lerp(found.to, part as f32).into();
            };
            curve.advance(curve.duration() * part);
            curve.position().into()
        });
        // SAFETY: a buffer of that capacity: the contract of the header.
        unsafe { put_list(own, points, count, size_of::<NbVec2>(), None) }
    })
}

fn unknown(what: &str, number: u32) -> Error {
    Error::unknown(format_args!(
        "there is no {what} {number} in the layer; list them with nb_layer_{what}s"
    ))
}
