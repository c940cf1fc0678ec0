//! For every move that can be made, the links that thinning keeps, with
//! walking, offer a route between the same two positions at `link_stretch`
//! times its cost. Links without a tolerance cost more than they take.

use crate::common;
use crate::random_cases;

use common::{Tiles, tiles};
use navmesh_runtime::mesh::{AgentProfile, Link, NavMesh};
use proptest::prelude::*;

fn baked(world: &Tiles, stretch: f32, is_smooth: bool) -> NavMesh {
    let mut agent = AgentProfile::ground("ground", 16.0);
    agent.air_acceleration = agent.air_acceleration.filter(|_| is_smooth);
    world.baked(agent, stretch)
}

/// What a link costs where links are compared.
fn cost(link: &Link) -> f32 {
    link.duration
        * match link.tolerance {
            0.0 => 1.5,
            narrow if narrow < 3.0 / 64.0 => 1.25,
            _ => 1.0,
        }
}

/// The cost of the cheapest route from the start of one link to its end over kept
/// links and walking, and how many links it has. Dijkstra's algorithm, in which a
/// node is the end of a link.
fn route(kept: &[Link], link: &Link, speed: f32) -> (f32, usize) {
    let walk = |a: f32, b: f32| (a - b).abs() / speed;
    let mut costs = vec![(f32::INFINITY, 0); kept.len()];
    let relax = |costs: &mut Vec<(f32, usize)>, platform, x, (cost, links): (f32, usize)| {
        for (known, next) in costs.iter_mut().zip(kept) {
            let there = cost + walk(x, next.from.x) + self::cost(next);
            if next.from_platform == platform && there < known.0 {
                *known = (there, links + 1);
            }
        }
    };
    relax(&mut costs, link.from_platform, link.from.x, (0.0, 0));
    let mut is_open = vec![true; kept.len()];
    let mut best = (f32::INFINITY, 0);
    loop {
        let open = (0..kept.len()).filter(|i| is_open[*i] && costs[*i].0 < best.0);
        let Some(next) = open.min_by(|a, b| costs[*a].0.total_cmp(&costs[*b].0)) else {
            return best;
        };
        is_open[next] = false;
        let (cost, links) = costs[next];
        let total = cost + walk(kept[next].to.x, link.to.x);
        if kept[next].to_platform == link.to_platform && total < best.0 {
            best = (total, links);
        }
        relax(
            &mut costs,
            kept[next].to_platform,
            kept[next].to.x,
            (cost, links),
        );
    }
}

/// The cheapest route over one link between the same two platforms.
fn direct(kept: &[Link], link: &Link, speed: f32) -> f32 {
    let ends = (link.from_platform, link.to_platform);
    let same = kept
        .iter()
        .filter(|k| (k.from_platform, k.to_platform) == ends);
    let same: Vec<Link> = same.copied().collect();
    route(&same, link, speed).0
}

proptest! {
    #![proptest_config(random_cases::cases(24))]

    #[test]
    fn thinned_links_offer_a_route_for_every_link(
        world in tiles(8..24, 6..14, 16),
        percent in 101u8..160,
        is_smooth in any::<bool>(),
    ) {
        let stretch = f32::from(percent) / 100.0;
        let (all, thinned) = (baked(&world, 1.0, is_smooth), baked(&world, stretch, is_smooth));
        // Thinning compares moves before their ends are set inwards from the ends of
        // platforms by what a body runs in two ticks, and to the middle of the room around
        // them, by at most 6/128 s. Jumps at full speed begin and end farther from the ends.
        let inset = if is_smooth { 2.0 * (2.0 / 60.0 + 6.0 / 128.0) } else { 0.0 };
        let (all, thinned) = (&all.layers()[0], &thinned.layers()[0]);
        let speed = all.profile().run_speed;
        prop_assert!(thinned.links().len() <= all.links().len());
        for link in all.links() {
            let (found, _) = route(thinned.links(), link, speed);
            // A move for which routes with a tolerance are near is replaced before it is known
            // what tolerance it would have.
            let most = 1.5 * link.duration;
            prop_assert!(found <= (most + inset) * stretch * 1.0001 + inset, "{link:?}: {found}\n{:#?}", world.lines());
        }
        // Without thinning, no link is replaced outright by others that a body can
        // follow as well.
        for (i, link) in all.links().iter().enumerate() {
            let others = all.links().iter().enumerate();
            let others = others.filter(|(j, k)| *j != i && (k.tolerance > 0.0 || link.tolerance == 0.0));
            let others: Vec<Link> = others.map(|(_, k)| *k).collect();
            prop_assert!(direct(&others, link, speed) >= cost(link) * 0.9999, "{link:?} is beaten");
        }
    }
}

/// A jump over a platform is left out, because two jumps by way of it take as long.
/// Without thinning or without the platform, it is kept.
#[test]
fn a_route_over_a_third_platform_replaces_a_link() {
    let is_across = |ground: &str, stretch| {
        let air = ".".repeat(ground.len());
        let tiles = Tiles::new(16, &[&air, &air, &air, ground, &air]);
        let mesh = baked(&tiles, stretch, true);
        let (layer, last) = (&mesh.layers()[0], ground.len() as f32 * 16.0);
        let mut links = layer.links().iter();
        links.any(|link| link.from.x < 48.0 && link.to.x > last - 48.0)
    };
    assert!(is_across("##....##", 1.25));
    assert!(is_across("##.##.##", 1.0));
    assert!(!is_across("##.##.##", 1.25));
}
