//! Links, column by column.
//!
//! Links share their ends: many leave from the end of one platform and land on
//! the end of another. So each end is stored once, as a *port*, sorted along
//! its platform, and links refer to ports by number. The y of a port is stored
//! only where it is not that of the platform's surface.
//!
//! Links share their motions, too: in levels of tiles, about half of them have the
//! kind, parameters and tolerance of another. Each *motion* is stored once, in the
//! order in which links first have them. Durations are not stored: they follow from
//! the trajectories.

use glam::Vec2;

#[cfg(feature = "write")]
use super::codec::Writer;
use super::codec::{DecodeError, Reader};
use super::floats::{self, Lattice};
use super::ints::{self, unzigzag};
use crate::mesh::{FloorSpot, Link, Platform, PlatformId, Platforms, StepKind, TrajectoryParams};

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
pub fn encode(links: &[Link], platforms: &Platforms) -> Vec<u8> {
    let mut ports: Vec<FloorSpot> = links.iter().flat_map(ends).collect();
    ports.sort_unstable_by(order);
    ports.dedup_by(|a, b| order(a, b).is_eq());
    let mut out = Writer::default();
    out.put_count(links.len());
    out.put_count(ports.len());
    encode_ports(&mut out, &ports, platforms);

    let (mut from_ports, mut to_ports, mut last) = (Vec::new(), Vec::new(), 0);
    for link in links {
        // Every end of a link is among the ports.
        let [from, to] = ends(link).map(|end| {
            let port = ports.binary_search_by(|port| order(port, &end));
            port.unwrap_or_default() as i32
        });
        // Links are sorted by the platform they leave, and so are ports: steps are small.
        from_ports.push(ints::zigzag(from.wrapping_sub(last)));
        to_ports.push(ints::zigzag(to.wrapping_sub(from)));
        last = from;
    }
    let (motions, of) = motions(links);
    let forms: Vec<u32> = motions.iter().map(|link| form(link)).collect();
    for column in [from_ports, to_ports, of, forms] {
        out.put(ints::encode(&column));
    }
    // Parameters hold f32 values, so nothing is lost here.
    let launches = || motions.iter().flat_map(|l| l.params.launches());
    let legs = || motions.iter().flat_map(|l| l.params.legs());
    let start_speeds = motions.iter().filter_map(|l| l.params.start_speed());
    for column in [
        launches().map(|launch| launch.time as f32).collect(),
        launches().map(|launch| launch.speed as f32).collect(),
        legs().map(|leg| leg.duration as f32).collect(),
        legs().map(|leg| leg.speed as f32).collect(),
        start_speeds.map(|speed| speed as f32).collect(),
        motions.iter().map(|l| l.tolerance).collect::<Vec<f32>>(),
    ] {
        floats::encode(&mut out, &column);
    }
    out.pad_for(links.len().max(ports.len()));
    out.into_bytes()
}

/// A link for each motion; and for each link, how many motions earlier than the next new
/// one its motion is: 0 for a new one.
#[cfg(feature = "write")]
fn motions(links: &[Link]) -> (Vec<&Link>, Vec<u32>) {
    use std::collections::BTreeMap;
    let (mut numbers, mut motions) = (BTreeMap::new(), Vec::new());
    let of = links.iter().map(|link| {
        let launches = link.params.launches().map(|l| (l.time, l.speed));
        let legs = link.params.legs().map(|leg| (leg.duration, leg.speed));
        let numbers_of = launches.chain(legs).flat_map(|(a, b)| [a, b]);
        let others = [
            link.params.start_speed().unwrap_or(0.0),
            link.tolerance.into(),
        ];
        let bits: Vec<u64> = numbers_of.chain(others).map(f64::to_bits).collect();
        let next = motions.len();
        let number = *numbers.entry((form(link), bits)).or_insert(next);
        if number == next {
            motions.push(link);
        }
        (next - number) as u32
    });
    let of = of.collect();
    (motions, of)
}

/// Reads links of a layer that `may_be` of their kinds, and the number of each one's motion. Their durations are left
/// at zero.
pub fn decode(
    bytes: &[u8],
    platforms: &Platforms,
    may_be: fn(StepKind) -> bool,
) -> Result<(Vec<Link>, Vec<u32>), DecodeError> {
    let mut reader = Reader::new(bytes);
    let count = reader.get_count()?;
    let port_count = reader.get_count()?;
    let ports = decode_ports(&mut reader, port_count, platforms)?;
    let from = ints::decode(reader.get()?, count)?;
    let to = ints::decode(reader.get()?, count)?;
    let (of, motion_count) = decode_motion_numbers(reader.get()?, count)?;
    let motions = decode_motions(&mut reader, motion_count)?;
    if !motions.iter().all(|motion| may_be(motion.kind)) {
        return Err("has a link of a kind that another section holds");
    }
    // The columns of links and ports whose values are all equal take no bytes, so the section
    // has to have a bit for each of the larger number.
    reader.finish(count.max(port_count))?;

    let port = |index: i32| {
        let port = ports.get(index as u32 as usize);
        port.ok_or("has a link to a port that does not exist")
    };
    // All numbers are below the count.
    let mut links: Vec<Link> = of.iter().map(|&motion| motions[motion as usize]).collect();
    let mut from_port = 0_i32;
    for (link, (&from, &to)) in links.iter_mut().zip(from.iter().zip(&to)) {
        from_port = from_port.wrapping_add(unzigzag(from));
        let from = port(from_port)?;
        let to = port(from_port.wrapping_add(unzigzag(to)))?;
        (link.from_platform, link.from) = (from.platform, from.position);
        (link.to_platform, link.to) = (to.platform, to.position);
    }
    Ok((links, of))
}

/// Reads the number of the motion of each link, and the number of motions.
fn decode_motion_numbers(bytes: &[u8], links: usize) -> Result<(Vec<u32>, usize), DecodeError> {
    let (mut count, mut are_known) = (0_u32, true);
    let numbers = ints::decode_as(bytes, links, |earlier| {
        are_known &= earlier <= count;
        let number = count.wrapping_sub(earlier);
        count += u32::from(earlier == 0);
        number
    })?;
    if are_known {
        Ok((numbers, count as usize))
    } else {
        Err("has a link with a motion that does not exist")
    }
}

/// Reads so many motions: links without their ends.
fn decode_motions(reader: &mut Reader<'_>, count: usize) -> Result<Vec<Link>, DecodeError> {
    let forms = ints::decode(reader.get()?, count)?;
    let count_of = |number: fn(u32) -> usize| forms.iter().map(|&form| number(form)).sum();
    let (launch_count, leg_count) = (count_of(launches_of), count_of(legs_of));
    let mut finite = |count, least: f32| {
        floats::decode_if(reader, count, |value| (least..=f32::MAX).contains(&value))
    };
    let (times, launch_speeds) = (finite(launch_count, 0.0)?, finite(launch_count, f32::MIN)?);
    let (durations, leg_speeds) = (finite(leg_count, 0.0)?, finite(leg_count, f32::MIN)?);
    let start_speeds = finite(count_of(start_speeds_of), f32::MIN)?;
    let tolerances = finite(count, 0.0)?;

    let unread = Link {
        kind: StepKind::Jump,
        from_platform: PlatformId(0),
        to_platform: PlatformId(0),
        from: Vec2::ZERO,
        to: Vec2::ZERO,
        duration: 0.0,
        tolerance: 0.0,
        params: TrajectoryParams::default(),
    };
    // Filled in place: to put a motion together and then move it to the list takes longer.
    let mut motions = vec![unread; count];
    let mut launches = times.iter().zip(&launch_speeds);
    let mut legs = durations.iter().zip(&leg_speeds);
    let mut start_speeds = start_speeds.iter();
    for (motion, (&form, &tolerance)) in motions.iter_mut().zip(forms.iter().zip(&tolerances)) {
        let kind = StepKind::LINKS.get((form >> 5) as usize).copied();
        motion.kind = kind.ok_or("has a link of an unknown kind")?;
        motion.tolerance = tolerance;
        let rows = motion.params.rows_mut(launches_of(form), legs_of(form));
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
            motion.params.set_start_speed(start_speeds.next().copied());
        }
    }
    Ok(motions)
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
    let mut xs = xs.iter().zip(&explicit);
    let mut ports = Vec::with_capacity(count);
    for (platform, &count) in platforms.iter().zip(&counts) {
        for (&x, &explicit) in xs.by_ref().take(count as usize) {
            let y = match explicit {
                1 => ys.next().unwrap_or_default(),
                _ => derived_y(&platform, x),
            };
            ports.push(FloorSpot {
                platform: platform.id,
                position: Vec2::new(x, y),
            });
        }
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

#[cfg(all(test, feature = "write"))]
mod tests {
    use super::*;
    use crate::mesh::Launch;

    #[test]
    fn links_share_motions() {
        let floors = [[0.0, 1000.0], [2000.0, 3000.0]];
        let floors = floors.map(|[left, right]| [Vec2::new(left, 0.0), Vec2::new(right, 0.0)]);
        let platforms = Platforms::new(floors).unwrap();
        let link = |number: u32| {
            let speed = 100.0 + f64::from(number % 3) / 3.0;
            let params = TrajectoryParams::new(&[Launch { time: 0.0, speed }], &[]).unwrap();
            let from = Vec2::new(number as f32, 0.0);
            Link {
                kind: StepKind::Jump,
                from_platform: PlatformId(0),
                to_platform: PlatformId(1),
                from,
                to: from + Vec2::X * 2000.0,
                duration: 0.0,
                tolerance: 0.125,
                params: params.with_start_speed(1.0 / 3.0).unwrap(),
            }
        };
        let links: Vec<Link> = (0..900).map(link).collect();
        assert_eq!(motions(&links).0, [&links[0], &links[1], &links[2]]);
        let bytes = encode(&links, &platforms);
        let motions = (0..900).map(|number| number % 3).collect();
        let decoded = decode(&bytes, &platforms, |_| true);
        assert_eq!(decoded, Ok((links, motions)));
        assert!(bytes.len() < 900, "{} bytes", bytes.len());
    }

    #[test]
    fn a_motion_must_be_that_of_a_link_before() {
        let decode = |column: &[u32]| decode_motion_numbers(&ints::encode(column), column.len());
        assert_eq!(decode(&[0, 0, 1, 2, 0]), Ok((vec![0, 1, 1, 0, 2], 3)));
        for column in [&[1][..], &[0, 1, 2], &[0, 0, 3]] {
            let error = decode(column).unwrap_err();
            assert!(error.contains("motion that does not exist"), "{error}");
        }
    }
}
