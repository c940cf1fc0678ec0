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
use crate::mesh::{Link, LinkKind, Platform, PlatformId, Platforms, TrajectoryParams};

/// A position on a platform at which links begin or end.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Port {
    platform: PlatformId,
    at: Vec2,
}

#[cfg(feature = "write")]
impl Port {
    fn order(&self, other: &Self) -> std::cmp::Ordering {
        (self.platform.cmp(&other.platform))
            .then(self.at.x.total_cmp(&other.at.x))
            .then(self.at.y.total_cmp(&other.at.y))
    }
}

/// The ports of all links, sorted and without duplicates.
#[cfg(feature = "write")]
fn ports_of(links: &[Link]) -> Vec<Port> {
    let mut ports: Vec<Port> = links.iter().flat_map(ends).collect();
    ports.sort_unstable_by(Port::order);
    ports.dedup_by(|a, b| a.order(b).is_eq());
    ports
}

#[cfg(feature = "write")]
fn ends(link: &Link) -> [Port; 2] {
    [
        Port {
            platform: link.from_platform,
            at: link.from,
        },
        Port {
            platform: link.to_platform,
            at: link.to,
        },
    ]
}

/// The number of a kind in the file: its position in [`LinkKind::ALL`].
#[cfg(feature = "write")]
fn number_of(kind: LinkKind) -> u32 {
    LinkKind::ALL.iter().position(|&k| k == kind).unwrap_or(0) as u32
}

fn kind_of(number: u32) -> Result<LinkKind, DecodeError> {
    LinkKind::ALL
        .get(number as usize)
        .copied()
        .ok_or("has a link of an unknown kind")
}

/// Writes all links of a layer.
#[cfg(feature = "write")]
pub(super) fn encode(links: &[Link], platforms: &Platforms) -> Vec<u8> {
    let ports = ports_of(links);
    let mut out = Writer::default();
    out.put_count(links.len());
    out.put_count(ports.len());
    encode_ports(&mut out, &ports, platforms);

    let index = |port: &Port| {
        // Every end of a link is among the ports.
        ports
            .binary_search_by(|other| other.order(port))
            .unwrap_or_default() as i32
    };
    let ends: Vec<[i32; 2]> = links.iter().map(|l| ends(l).map(|p| index(&p))).collect();
    let mut last = 0;
    let from = ends.iter().map(|&[from, _]| {
        let step = from.wrapping_sub(std::mem::replace(&mut last, from));
        ints::zigzag(step)
    });
    let from: Vec<u32> = from.collect();
    let to: Vec<u32> = ends
        .iter()
        .map(|&[from, to]| ints::zigzag(to.wrapping_sub(from)))
        .collect();
    let kinds: Vec<u32> = links.iter().map(|l| number_of(l.kind)).collect();
    let shapes: Vec<u32> = links
        .iter()
        .map(|l| (l.params.launches().len() as u32 - 1) | (l.params.legs().len() as u32) << 2)
        .collect();
    for column in [from, to, kinds, shapes] {
        out.put_bytes(&ints::encode(&column));
    }
    // Parameters hold f32 values, so nothing is lost here.
    let launches = || links.iter().flat_map(|l| l.params.launches());
    let legs = || links.iter().flat_map(|l| l.params.legs());
    for column in [
        launches().map(|launch| launch.time as f32).collect(),
        launches().map(|launch| launch.speed as f32).collect(),
        legs().map(|leg| leg.duration as f32).collect(),
        legs().map(|leg| leg.speed as f32).collect(),
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
    let kinds = ints::decode(reader.get()?, count)?;
    let shapes = ints::decode(reader.get()?, count)?;
    if shapes.iter().any(|&shape| shape > 15) {
        return Err("has a trajectory with too many legs");
    }
    let launch_count = shapes.iter().map(|&s| (s & 3) as usize + 1).sum();
    let leg_count = shapes.iter().map(|&s| (s >> 2) as usize).sum();
    let times = floats::decode(&mut reader, launch_count)?;
    let launch_speeds = floats::decode(&mut reader, launch_count)?;
    let durations = floats::decode(&mut reader, leg_count)?;
    let leg_speeds = floats::decode(&mut reader, leg_count)?;
    let tolerances = floats::decode(&mut reader, count)?;
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
    let pair = |(a, b)| [a, b];
    let mut launches = times.into_iter().zip(launch_speeds).map(pair);
    let mut legs = durations.into_iter().zip(leg_speeds).map(pair);
    let ends = from.into_iter().zip(to);
    let columns = ends.zip(kinds).zip(shapes).zip(tolerances);
    for (link, ((((from, to), kind), shape), tolerance)) in links.iter_mut().zip(columns) {
        from_port = from_port.wrapping_add(unzigzag(from));
        let from = port(from_port)?;
        let to = port(from_port.wrapping_add(unzigzag(to)))?;
        link.kind = kind_of(kind)?;
        (link.from_platform, link.from) = (from.platform, from.at);
        (link.to_platform, link.to) = (to.platform, to.at);
        link.tolerance = tolerance;
        let launches = launches.by_ref().take((shape & 3) as usize + 1);
        let legs = legs.by_ref().take((shape >> 2) as usize);
        (link.params.set_rows(launches, legs))
            .map_err(|_| "has a launch or leg whose numbers make no sense")?;
    }
    Ok(links)
}

/// Writes how many ports each platform has, their x, and the y of those that
/// are not on the surface.
#[cfg(feature = "write")]
fn encode_ports(out: &mut Writer, ports: &[Port], platforms: &Platforms) {
    let mut counts = vec![0_u32; platforms.len()];
    for port in ports {
        counts[port.platform.index()] += 1;
    }
    out.put_bytes(&ints::encode(&counts));
    let xs: Vec<f32> = ports.iter().map(|p| p.at.x).collect();
    if let Some((lattice, steps)) = Lattice::fit(&xs) {
        out.put(true);
        lattice.encode(out);
        let (mut firsts, mut others) = (Vec::new(), Vec::new());
        let mut last = None;
        for (port, step) in ports.iter().zip(steps) {
            match last {
                Some((platform, x)) if platform == port.platform => {
                    others.push(step.wrapping_sub(x) as u32);
                }
                _ => {
                    let left = left_step(&lattice, platforms.get(port.platform));
                    firsts.push(step.wrapping_sub(left) as u32);
                }
            }
            last = Some((port.platform, step));
        }
        out.put_bytes(&ints::encode(&firsts));
        out.put_bytes(&ints::encode(&others));
    } else {
        out.put(false);
        floats::encode(out, &xs);
    }
    let is_derived = |p: &Port| {
        let platform = platforms.get(p.platform);
        platform.is_some_and(|on| derived_y(&on, p.at.x).to_bits() == p.at.y.to_bits())
    };
    let explicit: Vec<u32> = ports.iter().map(|p| u32::from(!is_derived(p))).collect();
    out.put_bytes(&ints::encode(&explicit));
    let ys: Vec<f32> = ports
        .iter()
        .filter(|p| !is_derived(p))
        .map(|p| p.at.y)
        .collect();
    floats::encode(out, &ys);
}

fn decode_ports(
    reader: &mut Reader<'_>,
    count: usize,
    platforms: &Platforms,
) -> Result<Vec<Port>, DecodeError> {
    let counts = ints::decode(reader.get()?, platforms.len())?;
    let total: u64 = counts.iter().map(|&n| u64::from(n)).sum();
    if total != count as u64 {
        return Err("has ports that do not add up");
    }
    let busy = counts.iter().filter(|&&n| n > 0).count();
    let xs = if reader.get::<bool>()? {
        let lattice = Lattice::decode(reader)?;
        let firsts = ints::decode(reader.get()?, busy)?;
        let others = ints::decode(reader.get()?, count - busy)?;
        let (mut firsts, mut others) = (firsts.into_iter(), others.into_iter());
        let mut steps = Vec::with_capacity(count);
        for (platform, &ports) in platforms.iter().zip(&counts) {
            if ports == 0 {
                continue;
            }
            let first = firsts.next().unwrap_or_default();
            let mut step = left_step(&lattice, Some(platform)).wrapping_add(first as i32);
            steps.push(step);
            steps.extend(others.by_ref().take(ports as usize - 1).map(|d| {
                step = step.wrapping_add(d as i32);
                step
            }));
        }
        lattice.values(steps.into_iter())?
    } else {
        floats::decode(reader, count)?
    };
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
            Port {
                platform: platform.id,
                at: Vec2::new(x, y),
            }
        }));
    }
    Ok(ports)
}

/// The lattice step nearest to a platform's left end: the first port is stored
/// as a difference to it.
fn left_step(lattice: &Lattice, platform: Option<Platform<'_>>) -> i32 {
    platform.map_or(0, |p| lattice.nearest(p.left().x))
}

/// The y of a platform's surface at `x`; NaN beyond its ends.
fn derived_y(platform: &Platform<'_>, x: f32) -> f32 {
    platform.height_at(x).unwrap_or(f32::NAN)
}
