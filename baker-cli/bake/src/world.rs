//! From level pixels, in which a level is baked, to world units.

use glam::Vec2;
use navmesh_runtime::mesh::{
    AirCell, Fall, Launch, LayerParts, Leg, Link, MeshError, MovingPlatform, OneWayBarrier,
    Platforms, TrajectoryParams,
};

/// A layer in units of which `scale` make a pixel. `down` is the change of y when a
/// point moves down by one unit.
///
/// # Errors
/// Never, for a layer that was baked.
pub fn layer(layer: LayerParts, scale: f64, down: f32) -> Result<LayerParts, MeshError> {
    if scale == 1.0 {
        return Ok(layer);
    }
    let lines = layer.platforms.iter().map(|platform| {
        let points = platform.surface.iter();
        let points: Vec<Vec2> = points.map(|p| point(*p, scale)).collect();
        (platform.kind, points)
    });
    let platforms = Platforms::of_kinds(lines)?;
    let fall = Fall::from(&layer.profile);
    let links = layer.links.iter();
    let links = links
        .map(|each| link(each, scale, fall, down))
        .collect::<Result<_, _>>()?;
    let barriers = layer.barriers.iter().map(|barrier| OneWayBarrier {
        at: number(barrier.at, scale),
        low: number(barrier.low, scale),
        high: number(barrier.high, scale),
        ..*barrier
    });
    let barriers = barriers.collect();
    let air = layer.air.iter().map(|cell| AirCell {
        top: number(cell.top, scale),
        bottom: number(cell.bottom, scale),
        upper: cell.upper.map(|x| number(x, scale)),
        lower: cell.lower.map(|x| number(x, scale)),
    });
    let air = air.collect();
    let mut lines = layer.lines.clone();
    for line in &mut lines {
        line.points = line.points.iter().map(|p| point(*p, scale)).collect();
    }
    Ok(LayerParts {
        platforms,
        links,
        barriers,
        air,
        lines,
        ..layer
    })
}

/// A platform that moves in units of which `scale` make a pixel.
pub fn moving_platform(mut on: MovingPlatform, scale: f64) -> MovingPlatform {
    on.size = point(on.size, scale);
    on.deck = on.deck.map(|x| number(x, scale));
    for (_, at) in &mut on.schedule.keys {
        *at = point(*at, scale);
    }
    for transfer in on.boards.iter_mut().chain(&mut on.exits) {
        transfer.floor = point(transfer.floor, scale);
        transfer.start = transfer.start.map(|(on, at)| (on, point(at, scale)));
        transfer.deck = number(transfer.deck, scale);
        transfer.across = number(transfer.across, scale);
        transfer.launch = transfer.launch.map(|speed| number(speed, scale));
    }
    on
}

fn number(pixels: f32, scale: f64) -> f32 {
    (f64::from(pixels) * scale) as f32
}

/// A point in world units.
pub fn point(pixels: Vec2, scale: f64) -> Vec2 {
    (pixels.as_dvec2() * scale).as_vec2()
}

/// A link in world units, for an agent that falls like this.
///
/// # Errors
/// When a number is too large for 32 bits.
pub fn link(link: &Link, scale: f64, fall: Fall, down: f32) -> Result<Link, MeshError> {
    if scale == 1.0 {
        return Ok(*link);
    }
    let mut moved = *link;
    (moved.from, moved.to) = (point(link.from, scale), point(link.to, scale));
    if link.kind.is_airborne() {
        moved.params = scaled(&link.params, scale, None)?;
        moved.params = with_duration(&moved, &link.params, scale, fall, down);
    }
    Ok(moved)
}

/// The parameters of a motion with speeds in world units, and with this last launch
/// instead of its own.
fn scaled(
    params: &TrajectoryParams,
    scale: f64,
    last: Option<f32>,
) -> Result<TrajectoryParams, MeshError> {
    let speed = |launch: Launch| Launch {
        speed: launch.speed * scale,
        ..launch
    };
    let mut launches: Vec<Launch> = params.launches().map(speed).collect();
    if let (Some(launch), Some(speed)) = (launches.last_mut(), last) {
        launch.speed = speed.into();
    }
    let legs = params.legs().map(|leg| Leg {
        speed: leg.speed * scale,
        ..leg
    });
    let legs: Vec<Leg> = legs.collect();
    let all = TrajectoryParams::new(&launches, &legs)?;
    match params.start_speed() {
        Some(speed) => all.with_start_speed(speed * scale),
        None => Ok(all),
    }
}

/// Among how many 32-bit numbers either way the last launch is looked for. The ends of a
/// hop of a pixel, 4,000 pixels from the origin, are off by as much as a thousand of them.
const NEARBY: u32 = 1 << 14;

/// The parameters of a link in world units that takes the time that it takes in pixels,
/// where its parameters are `pixels`.
///
/// Ends and speeds are rounded to 32 bits. Near the apex, that changes the duration by
/// much, or puts the landing out of reach. The last launch, a little faster or slower,
/// restores the duration, and so the whole motion.
fn with_duration(
    link: &Link,
    pixels: &TrajectoryParams,
    scale: f64,
    fall: Fall,
    down: f32,
) -> TrajectoryParams {
    let seconds = f64::from(link.duration);
    let launch = pixels.launches().last().map_or(0.0, |last| last.speed);
    let speed = (launch * scale) as f32;
    if speed <= 0.0 {
        return link.params;
    }
    let takes = |bits: u32| {
        let params = scaled(pixels, scale, Some(f32::from_bits(bits))).ok()?;
        let motion = params.between(link.from, link.to, fall, down).ok()?;
        Some((motion.duration, params))
    };
    // The duration grows with the speed.
    let bits = speed.to_bits();
    let (mut slow, mut fast) = (bits.saturating_sub(NEARBY), bits.saturating_add(NEARBY));
    while fast - slow > 1 {
        let middle = slow + (fast - slow) / 2;
        match takes(middle) {
            Some((duration, _)) if duration >= seconds => fast = middle,
            _ => slow = middle,
        }
    }
    let either = [slow, fast].into_iter().filter_map(takes);
    let nearest = either.min_by(|(a, _), (b, _)| {
        let [a, b] = [a, b].map(|duration| (duration - seconds).abs());
        a.total_cmp(&b)
    });
    nearest.map_or(link.params, |(_, params)| params)
}
