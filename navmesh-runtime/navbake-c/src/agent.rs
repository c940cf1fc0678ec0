//! Agents.

use std::mem::MaybeUninit;
use std::sync::MutexGuard;

use navmesh_runtime::Navigator;
use navmesh_runtime::motion::{Avoidance, NavAgent};

use crate::border::{
    Error, NbResult, NbVec2, Outcome, Shared, amount, free, guard, handle, place, put, put_list,
    put_new, read_struct, size_of_struct, write_struct,
};
use crate::filter::{NbFilter, read_filter};
use crate::mesh::{NbMesh, NbProfile, layer_named, layer_of};
use crate::navigator::{self, NbNav};
use crate::report::{NbBody, NbCommand, NbEvent, NbPose, NbStep};

/// How an agent moves where others of its level are in its way.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NbAvoidance {
    /// Through them, as a new agent does.
    Overlap = 0,
    /// It keeps a gap.
    Queue = 1,
    /// It keeps a gap, and makes way for one that comes towards it.
    Yield = 2,
}

/// An agent that follows paths.
#[derive(Debug)]
pub struct NbAgent(pub(crate) Shared<NavAgent>);

fn lock(agent: Option<&NbAgent>) -> Outcome<MutexGuard<'_, NavAgent>> {
    handle(agent, "agent")?.0.lock("agent")
}

fn change(agent: Option<&NbAgent>, f: impl FnOnce(&mut NavAgent)) -> NbResult {
    guard(|| {
        f(&mut *lock(agent)?);
        Ok(())
    })
}

/// Makes an agent of a layer with its feet at a position. In the first step it finds
/// its place there; in the air above a floor, it begins with a fall. It moves in the
/// layer that a level was baked with for its agent, in this or any other level.
#[unsafe(no_mangle)]
pub extern "C" fn nb_agent_new(
    mesh: Option<&NbMesh>,
    layer: u32,
    position: NbVec2,
    agent: Option<&mut MaybeUninit<Option<Box<NbAgent>>>>,
) -> NbResult {
    guard(|| {
        put_new(agent, || {
            let agent = NavAgent::new(layer_of(mesh, layer)?, place(position, "position")?);
            Ok(NbAgent(Shared::new(agent)))
        })
    })
}

/// Frees an agent. If the navigator has a budget, call `nb_agent_cancel` before;
/// otherwise it still works on the request of the agent and keeps the memory.
#[unsafe(no_mangle)]
pub extern "C" fn nb_agent_free(agent: Option<Box<NbAgent>>) {
    free(agent);
}

/// Stops an agent and takes back its request for a path.
#[unsafe(no_mangle)]
pub extern "C" fn nb_agent_cancel(agent: Option<&NbAgent>, nav: Option<&NbNav>) -> NbResult {
    guard(|| in_level(agent, nav, |agent, nav| nav.forget(agent)))
}

/// Sends an agent to a position: from where it is on a floor and in flight, from the
/// end of a jump. May be called in every frame. A position that is not finite is an error.
#[unsafe(no_mangle)]
pub extern "C" fn nb_agent_set_destination(
    agent: Option<&NbAgent>,
    destination: NbVec2,
) -> NbResult {
    guard(|| {
        let destination = place(destination, "destination")?;
        lock(agent)?.go_to(destination);
        Ok(())
    })
}

/// The destination of an agent; its position if it has none.
#[unsafe(no_mangle)]
pub extern "C" fn nb_agent_destination(
    agent: Option<&NbAgent>,
    destination: Option<&mut MaybeUninit<NbVec2>>,
) -> NbResult {
    guard(|| {
        let agent = lock(agent)?;
        let at = agent.destination().unwrap_or(agent.pose().position);
        put(destination, at.into())
    })
}

/// Stops an agent. A jump is finished first.
#[unsafe(no_mangle)]
pub extern "C" fn nb_agent_stop(agent: Option<&NbAgent>) -> NbResult {
    change(agent, NavAgent::stop)
}

/// Throws an agent with a velocity: an explosion, a hit. When it has landed, it goes
/// on to its destination.
#[unsafe(no_mangle)]
pub extern "C" fn nb_agent_launch(agent: Option<&NbAgent>, velocity: NbVec2) -> NbResult {
    guard(|| {
        let velocity = place(velocity, "velocity")?;
        lock(agent)?.launch(velocity);
        Ok(())
    })
}

/// Stuns an agent until it is enabled: it lies where it is, or falls first.
#[unsafe(no_mangle)]
pub extern "C" fn nb_agent_stun(agent: Option<&NbAgent>) -> NbResult {
    change(agent, NavAgent::stun)
}

/// Disables an agent until it is enabled: it does not move, even in mid-air.
#[unsafe(no_mangle)]
pub extern "C" fn nb_agent_disable(agent: Option<&NbAgent>) -> NbResult {
    change(agent, NavAgent::disable)
}

/// Ends a stun or a disabling.
#[unsafe(no_mangle)]
pub extern "C" fn nb_agent_enable(agent: Option<&NbAgent>) -> NbResult {
    change(agent, NavAgent::enable)
}

/// Ends a link that the game performs: the agent goes on from the end of the link, and one
/// that drives a body from where the body is.
#[unsafe(no_mangle)]
pub extern "C" fn nb_agent_finish_link(agent: Option<&NbAgent>) -> NbResult {
    change(agent, NavAgent::finish_link)
}

/// Moves an agent to another position, where it finds its place.
#[unsafe(no_mangle)]
pub extern "C" fn nb_agent_teleport(agent: Option<&NbAgent>, position: NbVec2) -> NbResult {
    guard(|| {
        let position = place(position, "position")?;
        lock(agent)?.teleport(position);
        Ok(())
    })
}

/// Whether an agent that cannot reach its destination goes to the reachable point
/// nearest to it. A new agent does not.
#[unsafe(no_mangle)]
pub extern "C" fn nb_agent_set_allow_partial_path(agent: Option<&NbAgent>, allow: i32) -> NbResult {
    change(agent, |agent| agent.set_allow_partial_path(allow != 0))
}

/// Lets the paths of an agent lead through closed doors that are breakable, for about so
/// many seconds each; less than 0, or no number, for an agent that breaks nothing.
#[unsafe(no_mangle)]
pub extern "C" fn nb_agent_set_break_cost(agent: Option<&NbAgent>, seconds: f32) -> NbResult {
    change(agent, |agent| {
        agent.set_break_cost(Some(seconds).filter(|seconds| *seconds >= 0.0));
    })
}

/// Sets how an agent moves where others of its level are in its way: one of `NbAvoidance`.
#[unsafe(no_mangle)]
pub extern "C" fn nb_agent_set_avoidance(agent: Option<&NbAgent>, avoidance: u32) -> NbResult {
    guard(|| {
        let avoidance = match avoidance {
            0 => Avoidance::Overlap,
            1 => Avoidance::Queue,
            2 => Avoidance::Yield,
            _ => return Err(Error::argument("the avoidance is none of `NbAvoidance`")),
        };
        lock(agent)?.set_avoidance(avoidance);
        Ok(())
    })
}

/// Sets the greatest distance between the planned position of a body that moves exactly
/// and the one that `nb_agent_drive` reports, finite and not negative. Half the grid's
/// spacing for a new agent.
#[unsafe(no_mangle)]
pub extern "C" fn nb_agent_set_tolerance(agent: Option<&NbAgent>, tolerance: f32) -> NbResult {
    guard(|| {
        let tolerance = amount(tolerance, "tolerance")?;
        lock(agent)?.set_tolerance(tolerance);
        Ok(())
    })
}

/// Sets other limits than the layer was baked for, for instance those of a wounded
/// agent. `body` and `down` are not read. Begin with `nb_layer_profile`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nb_agent_set_profile(
    agent: Option<&NbAgent>,
    profile: *const NbProfile,
) -> NbResult {
    guard(|| {
        // SAFETY: a struct of its size: the contract of the header.
        let limits = unsafe { read_struct(profile) }?;
        let mut agent = lock(agent)?;
        let profile = limits.limit(agent.profile());
        agent.set_profile(profile).map_err(Error::argument)
    })
}

/// Sets what the paths of an agent may not use, and what costs more; null for nothing.
/// Close doors that concern all agents with `nb_nav_set_door` instead.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nb_agent_set_filter(
    agent: Option<&NbAgent>,
    filter: *const NbFilter,
) -> NbResult {
    guard(|| {
        // SAFETY: null, or a struct of its size: the contract of the header.
        let filter = unsafe { read_filter(filter) }?;
        lock(agent)?.set_filter(filter);
        Ok(())
    })
}

/// Sets the greatest horizontal acceleration in the air of a body that
/// `nb_agent_drive` steers; infinity for none. A new agent has that of its profile.
#[unsafe(no_mangle)]
pub extern "C" fn nb_agent_set_air_acceleration(
    agent: Option<&NbAgent>,
    acceleration: f32,
) -> NbResult {
    guard(|| {
        let acceleration = if acceleration == f32::INFINITY {
            acceleration
        } else {
            amount(acceleration, "acceleration")?
        };
        lock(agent)?.set_air_acceleration(acceleration);
        Ok(())
    })
}

/// Locks an agent and its level, which must have a layer for it.
pub(crate) fn in_level<T>(
    agent: Option<&NbAgent>,
    nav: Option<&NbNav>,
    f: impl FnOnce(&mut NavAgent, &mut Navigator) -> T,
) -> Outcome<T> {
    let (mut agent, mut level) = (lock(agent)?, navigator::lock(nav)?);
    if level.nav.layer_of(&agent).is_none() {
        // The error names the layers that there are.
        layer_named(level.nav.mesh(), agent.name())?;
    }
    Ok(f(&mut agent, &mut level.nav))
}

/// Moves an agent on by `seconds`, which are finite and not negative, and writes its
/// pose. A level that was not baked for the agent is an error.
///
/// `pose` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nb_agent_step(
    agent: Option<&NbAgent>,
    nav: Option<&NbNav>,
    seconds: f32,
    pose: *mut NbPose,
) -> NbResult {
    guard(|| {
        let seconds = amount(seconds, "time of the step")?;
        if !pose.is_null() {
            // SAFETY: a struct of its size: the contract of the header.
            unsafe { size_of_struct(pose.cast_const()) }?;
        }
        let moved = in_level(agent, nav, |agent, nav| agent.update(nav, seconds))?;
        if pose.is_null() {
            return Ok(());
        }
        // SAFETY: a struct of its size: the contract of the header.
        unsafe { write_struct(pose, &moved.into()) }
    })
}

/// One fixed step of an agent whose body the game's physics moves, instead of
/// `nb_agent_step`: reports the body, and writes what the body should do. `seconds` are
/// finite and not negative. The guide `motion.md` of navmesh-runtime has the loop.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nb_agent_drive(
    agent: Option<&NbAgent>,
    nav: Option<&NbNav>,
    body: *const NbBody,
    seconds: f32,
    command: *mut NbCommand,
) -> NbResult {
    guard(|| {
        // SAFETY: a struct of its size: the contract of the header.
        let body = unsafe { read_struct(body) }?;
        // SAFETY: a struct of its size: the contract of the header.
        unsafe { size_of_struct(command.cast_const()) }?;
        let seconds = amount(seconds, "time of the step")?;
        let own = in_level(agent, nav, |agent, nav| {
            agent.drive(nav, body.into(), seconds)
        })?;
        // SAFETY: a struct of its size: the contract of the header.
        unsafe { write_struct(command, &own.into()) }
    })
}

/// Where an agent is and what it does, without a step.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nb_agent_pose(agent: Option<&NbAgent>, pose: *mut NbPose) -> NbResult {
    guard(|| {
        let own = lock(agent)?.pose();
        // SAFETY: a struct of its size: the contract of the header.
        unsafe { write_struct(pose, &own.into()) }
    })
}

/// What happened in the last step, in order.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nb_agent_events(
    agent: Option<&NbAgent>,
    events: *mut NbEvent,
    capacity: usize,
    event_size: usize,
    count: Option<&mut MaybeUninit<usize>>,
) -> NbResult {
    guard(|| {
        let agent = lock(agent)?;
        let own = agent.events().iter().map(|&event| event.into());
        // SAFETY: a buffer of that capacity: the contract of the header.
        unsafe { put_list(own, events, capacity, event_size, count) }
    })
}

/// The steps ahead of an agent, for drawing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nb_agent_remaining_path(
    agent: Option<&NbAgent>,
    steps: *mut NbStep,
    capacity: usize,
    step_size: usize,
    count: Option<&mut MaybeUninit<usize>>,
) -> NbResult {
    guard(|| {
        let agent = lock(agent)?;
        let own = agent.remaining_path().iter().map(NbStep::from);
        // SAFETY: a buffer of that capacity: the contract of the header.
        unsafe { put_list(own, steps, capacity, step_size, count) }
    })
}
