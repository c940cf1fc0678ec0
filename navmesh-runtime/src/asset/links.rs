//! Links, column by column.
//!
//! Links share their ends: many leave from the end of one platform and land on
//! the end of another. So each end is stored once, as a *port*, sorted along
//! its platform, and links refer to ports by number. The y of a port is stored
//! only where it is not that of the platform's surface. Durations are not
//! stored: they follow from the trajectories.

use glam::Vec2;

#[cfg(feature = "write")]
use super::codec::Writer;
use super::codec::{DecodeError, Reader};
use super::floats::{self, Lattice};
use super::ints::{self, unzigzag};
use crate::mesh::{FloorSpot, Link, LinkKind, Platform, PlatformId, Platforms, TrajectoryParams};

/// The order of ports: along each platform.
#[cfg(feature = "write")]
fn order(a: &FloorSpot, b: &FloorSpot) -> std::cmp::Ordering {
    (a.platform.cmp(&b.platform))
        .then(a.position.x.total_cmp(&b.position.x))
        .then(a.position.y.total_cmp(&b.position.y))
}

#[cfg(feature = "write")]
fn ends(link: &Link) -> [FloorSpot; 2] {
    let ends = [(link.from_platform, link.from), (link.to_platform, link.to)];
    ends.map(|(platform, position)| FloorSpot { platform, position })
}

/// Writes all links of a layer.
#[cfg(feature = "write")]
pub(super) fn encode(links: &[Link], platforms: &Platforms) -> Vec<u8> {
    let mut ports: Vec<FloorSpot> = links.iter().flat_map(ends).collect();
    ports.sort_unstable_by(order);
    ports.dedup_by(|a, b| order(a, b).is_eq());
    let mut out = Writer::default();
    out.put_count(links.len());
    out.put_count(ports.len());
    encode_ports(&mut out, &ports, platforms);

    // Every end of a link is among the ports.
    let index = |port| ports.binary_search_by(|other| order(other, &port));
    let index = |port| index(port).unwrap_or_default() as i32;
    let ends: Vec<[i32; 2]> = links.iter().map(|l| ends(l).map(index)).collect();
    let mut last = 0;
    let from = ends.iter().map(|&[from, _]| {
        // Links are sorted by the platform they leave, and so are ports: steps are small.
        let step = from.wrapping_sub(std::mem::replace(&mut last, from));
        ints::zigzag(step)
    });
    let from: Vec<u32> = from.collect();
    let to: Vec<u32> = ends
        .iter()
        .map(|&[from, to]| ints::zigzag(to.wrapping_sub(from)))
        .collect();
    let forms: Vec<u32> = links.iter().map(form).collect();
    for column in [from, to, forms] {
        out.put(ints::encode(&column));
    }
    // Parameters hold f32 values, so nothing is lost here.
    let launches = || links.iter().flat_map(|l| l.params.launches());
    let legs = || links.iter().flat_map(|l| l.params.legs());
    let start_speeds = links.iter().filter_map(|l| l.params.start_speed());
    for column in [
        launches().map(|launch| launch.time as f32).collect(),
        launches().map(|launch| launch.speed as f32).collect(),
        legs().map(|leg| leg.duration as f32).collect(),
        legs().map(|leg| leg.speed as f32).collect(),
        start_speeds.map(|speed| speed as f32).collect(),
        links.iter().map(|l| l.tolerance).collect::<Vec<f32>>(),
    ] {
        floats::encode(&mut out, &column);
    }
    out.pad_for(links.len().max(ports.len()));
    out.into_bytes()
}

/// Reads all links of a layer. Their durations are left at zero.
pub(super) fn decode(bytes: &[u8], platforms: &Platforms) -> Result<Vec<Link>, DecodeError> {
    let mut reader = Reader::new(bytes);
    let count = reader.get_count()?;
    let port_count = reader.get_count()?;
    let ports = decode_ports(&mut reader, port_count, platforms)?;
    let from = ints::decode(reader.get()?, count)?;
    let to = ints::decode(reader.get()?, count)?;
    let forms = ints::decode(reader.get()?, count)?;
    let count_of = |number: fn(u32) -> usize| forms.iter().map(|&form| number(form)).sum();
    let (launch_count, leg_count) = (count_of(launches_of), count_of(legs_of));
    let mut finite = |count, least| {
        let values = floats::decode(&mut reader, count)?;
        if values
            .iter()
            .all(|value| value.is_finite() && *value >= least)
        {
            Ok(values)
        } else {
            Err("has a link with a number that is not finite, or a time below zero")
        }
    };
    let (times, launch_speeds) = (finite(launch_count, 0.0)?, finite(launch_count, f32::MIN)?);
    let (durations, leg_speeds) = (finite(leg_count, 0.0)?, finite(leg_count, f32::MIN)?);
    let start_speeds = finite(count_of(start_speeds_of), f32::MIN)?;
    let tolerances = finite(count, 0.0)?;
    // The columns of links and ports whose values are all equal take no bytes, so the section
    // has to have a bit for each of the larger number.
    reader.finish(count.max(port_count))?;

    let port = |index: i32| {
        usize::try_from(index)
            .ok()
            .and_then(|index| ports.get(index))
            .ok_or("has a link to a port that does not exist")
    };
    let unread = Link {
        kind: LinkKind::Jump,
        from_platform: PlatformId(0),
        to_platform: PlatformId(0),
        from: Vec2::ZERO,
        to: Vec2::ZERO,
        duration: 0.0,
        tolerance: 0.0,
        params: TrajectoryParams::default(),
    };
    // Filled in place: to put a link together and then move it to the list takes an eighth
    // of the time to load it.
    let mut links = vec![unread; count];
    let mut from_port = 0_i32;
    let mut launches = times.iter().zip(&launch_speeds);
    let mut legs = durations.iter().zip(&leg_speeds);
    let mut start_speeds = start_speeds.iter();
    let ends = from.iter().zip(&to);
    let columns = ends.zip(&forms).zip(&tolerances);
    for (link, (((&from, &to), &form), &tolerance)) in links.iter_mut().zip(columns) {
        from_port = from_port.wrapping_add(unzigzag(from));
        let from = port(from_port)?;
        let to = port(from_port.wrapping_add(unzigzag(to)))?;
        let kind = LinkKind::ALL.get((form >> 5) as usize).copied();
        link.kind = kind.ok_or("has a link of an unknown kind")?;
        (link.from_platform, link.from) = (from.platform, from.position);
        (link.to_platform, link.to) = (to.platform, to.position);
        link.tolerance = tolerance;
        let rows = link.params.rows_mut(launches_of(form), legs_of(form));
        for (row, (&time, &speed)) in rows.0.iter_mut().zip(&mut launches) {
            *row = [time, speed];
        }
        for (row, (&duration, &speed)) in rows.1.iter_mut().zip(&mut legs) {
            *row = [duration, speed];
        }
        if !rows.0.is_sorted_by(|a, b| a[0] <= b[0]) {
            return Err("has launches out of order");
        }
        if start_speeds_of(form) > 0 {
            link.params.set_start_speed(start_speeds.next().copied());
        }
    }
    Ok(links)
}

/// The form of a link: its launches less one in bits 0 and 1, its stored legs in bits 2
/// and 3, in bit 4 whether it is smooth, and its kind in the bits above.
#[cfg(feature = "write")]
fn form(link: &Link) -> u32 {
    let (launches, legs) = (link.params.launches().len(), link.params.legs().len());
    let is_smooth = link.params.start_speed().is_some();
    (launches as u32 - 1) | (legs as u32) << 2 | u32::from(is_smooth) << 4 | (link.kind as u32) << 5
}

const fn launches_of(form: u32) -> usize {
    (form & 3) as usize + 1
}

const fn legs_of(form: u32) -> usize {
    (form >> 2 & 3) as usize
}

/// How many speeds at take-off are stored.
const fn start_speeds_of(form: u32) -> usize {
    (form >> 4 & 1) as usize
}

/// Writes how many ports each platform has, their x, and the y of those that
/// are not on the surface.
#[cfg(feature = "write")]
fn encode_ports(out: &mut Writer, ports: &[FloorSpot], platforms: &Platforms) {
    let mut counts = vec![0_u32; platforms.len()];
    for port in ports {
        counts[port.platform.index()] += 1;
    }
    out.put(ints::encode(&counts));
    let xs: Vec<f32> = ports.iter().map(|p| p.position.x).collect();
    let left = |lattice: Lattice, number, _| left_step(lattice, platforms, number);
    floats::encode_groups(out, &xs, counts.into_iter(), left, |step| step as u32);
    let is_derived = |p: &FloorSpot| {
        let y = platforms
            .get(p.platform)
            .map(|on| derived_y(&on, p.position.x));
        y.is_some_and(|y| y.to_bits() == p.position.y.to_bits())
    };
    let explicit: Vec<u32> = ports.iter().map(|p| u32::from(!is_derived(p))).collect();
    out.put(ints::encode(&explicit));
    let ys: Vec<f32> = ports
        .iter()
        .filter(|p| !is_derived(p))
        .map(|p| p.position.y)
        .collect();
    floats::encode(out, &ys);
}

fn decode_ports(
    reader: &mut Reader<'_>,
    count: usize,
    platforms: &Platforms,
) -> Result<Vec<FloorSpot>, DecodeError> {
    let counts = ints::decode(reader.get()?, platforms.len())?;
    let total: u64 = counts.iter().map(|&n| u64::from(n)).sum();
    if total != count as u64 {
        return Err("has ports that do not add up");
    }
    let left = |lattice: Lattice, number, _| left_step(lattice, platforms, number);
    let sizes = counts.iter().copied();
    let xs = floats::decode_groups(reader, count, sizes, left, |step| step as i32)?;
    let explicit = ints::decode(reader.get()?, count)?;
    if explicit.iter().any(|&flag| flag > 1) {
        return Err("has a port whose height is of an unknown kind");
    }
    let explicit_count = explicit.iter().filter(|&&flag| flag == 1).count();
    let mut ys = floats::decode(reader, explicit_count)?.into_iter();
    let mut xs = xs.into_iter().zip(explicit);
    let mut ports = Vec::with_capacity(count);
    for (platform, &count) in platforms.iter().zip(&counts) {
        ports.extend(xs.by_ref().take(count as usize).map(|(x, explicit)| {
            let y = match explicit {
                1 => ys.next().unwrap_or_default(),
                _ => derived_y(&platform, x),
            };
            FloorSpot {
                platform: platform.id,
                position: Vec2::new(x, y),
            }
        }));
    }
    Ok(ports)
}

/// The lattice step nearest to the left end of a platform, by its number: the
/// first port is stored as a difference to it.
fn left_step(lattice: Lattice, platforms: &Platforms, number: usize) -> i32 {
    let platform = platforms.get(PlatformId(number as u32));
    platform.map_or(0, |p| lattice.nearest(p.left().x))
}

/// The y of a platform's surface at `x`; NaN beyond its ends.
fn derived_y(platform: &Platform<'_>, x: f32) -> f32 {
    platform.height_at(x).unwrap_or(f32::NAN)
}
