//! For every move that can be made, the links that thinning keeps, with
//! walking, offer a route between the same two positions at `link_stretch`
//! times its cost. N5.

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

/// The cost of the cheapest route from the start of one link to its end over
/// one kept link and walking.
fn route(kept: &[Link], link: &Link, speed: f32) -> f32 {
    kept.iter()
        .filter(|k| (k.from_platform, k.to_platform) == (link.from_platform, link.to_platform))
        .map(|k| k.duration + ((k.from.x - link.from.x).abs() + (k.to.x - link.to.x).abs()) / speed)
        .fold(f32::INFINITY, f32::min)
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
        // Thinning compares moves before their landings are set inwards from the
        // ends of platforms by what a body runs in a tick.
        let inset = if is_smooth { 1.0 / 60.0 } else { 0.0 };
        let (all, thinned) = (&all.layers()[0], &thinned.layers()[0]);
        let speed = all.profile().run_speed;
        prop_assert!(thinned.links().len() <= all.links().len());
        for link in all.links() {
            let cost = route(thinned.links(), link, speed);
            prop_assert!(cost <= (link.duration + inset) * stretch * 1.0001 + inset, "{link:?}: {cost}\n{:#?}", world.lines());
        }
        // Without thinning, no link is replaced outright by others that a body can
        // follow as well.
        for (i, link) in all.links().iter().enumerate() {
            let others = all.links().iter().enumerate();
            let others = others.filter(|(j, k)| *j != i && (k.tolerance > 0.0 || link.tolerance == 0.0));
            let others: Vec<Link> = others.map(|(_, k)| *k).collect();
            prop_assert!(route(&others, link, speed) >= link.duration * 0.9999, "{link:?} is beaten");
        }
    }
}
