//! Moves that are found with the least work, beside those of all take-offs
//! followed to their ends.

use std::collections::BTreeSet;

use navmesh_runtime::mesh::{AgentProfile, EdgeSet};
use proptest::prelude::*;

use super::*;
use crate::Settings;
use crate::pipeline::agent_space;
use crate::rows;
use crate::surfaces::Surfaces;

/// The moves from a platform, by following every take-off to its end.
fn all_moves(finder: &MoveFinder<'_>, buffers: &mut SearchBuffers, platform: usize) -> Vec<Move> {
    finder.enter(buffers, platform);
    let endpoints = &finder.endpoints.items;
    let mut moves = Vec::new();
    for endpoint in finder.endpoints.range(platform) {
        let from = endpoints[endpoint];
        let (mut found, mut platforms) = (BTreeSet::new(), BTreeSet::new());
        for take_off in finder.take_offs(endpoint) {
            let window = finder.window(&from, take_off);
            let flight = *finder.vertical_motion(&from, take_off).last();
            finder.fly(buffers, endpoint, take_off, &window, |region, arrival| {
                for reached in arrival.intervals {
                    let (all, layout, cut) = (&region.landings, finder.layout, arrival.cut);
                    all.within(cut, reached.x, &finder.endpoints, layout, |landing| {
                        let to = landing.to;
                        let is_new = match landing.index {
                            Some(index) => !found.contains(&index),
                            None => !platforms.contains(&to.platform),
                        };
                        if !is_new
                            || to.platform == from.platform
                            || !finder.is_within_limits(&from, &to, take_off.jumps())
                        {
                            return;
                        }
                        found.extend(landing.index);
                        platforms.insert(to.platform);
                        moves.push(Move {
                            endpoint: endpoint as u32,
                            from,
                            to,
                            take_off,
                            duration: flight.falling_at(to.y),
                        });
                    });
                }
            });
        }
    }
    moves
}

fn agents() -> impl Strategy<Value = AgentProfile> {
    let far = prop::sample::select(vec![0.0_f32, 40.0, 100.0, 1000.0]);
    let switches = prop::array::uniform4(any::<bool>());
    (far, 0_u8..4, switches).prop_map(|(far, air_jumps, switches)| {
        let [steers, drops, climbs, glides] = switches;
        let mut agent = AgentProfile::ground("ground", 16.0);
        agent.max_jump[0] = far;
        agent.max_drop = [far, 0.7 * far];
        agent.air_jumps = air_jumps;
        agent.air_control = steers;
        if drops {
            agent.edges = agent.edges | EdgeSet::DROP_THROUGH;
        }
        if climbs {
            agent.edges = agent.edges | EdgeSet::CLIMB;
            agent.climb_speed = 50.0;
        }
        if glides {
            agent.max_fall_speed = Some(120.0);
        }
        agent
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    /// Take-offs that are not followed, or not to their ends, would find nothing
    /// more.
    #[test]
    fn moves_are_those_of_all_take_offs(
        agent in agents(),
        rows in prop::collection::vec(
            prop::collection::vec(prop::sample::select("..........###-^H<>v".chars().collect::<Vec<_>>()), 24)
                .prop_map(String::from_iter),
            6..16,
        ),
        tile in prop::sample::select(vec![6_u32, 16]),
    ) {
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let level = if tile < 16 {
            rows::bitmap("random", tile, &rows)
        } else {
            rows::level("random", tile, &rows)
        };
        let settings = Settings::for_agents(vec![agent.clone()]);
        let layout = Layout::new(&level, &settings).unwrap();
        let limits = layout.limits(&agent);
        let space = agent_space(&level, None, &[], &layout, &agent);
        let surfaces = Surfaces::find(space.as_ref(), &layout, &limits);
        let Some(slabs) = surfaces.slabs.as_ref() else { return Ok(()) };
        let finder = MoveFinder::new(&limits, &layout, slabs, &surfaces.platforms);
        let mut buffers = SearchBuffers::default();
        for platform in 0..surfaces.platforms.len() {
            let moves = finder.moves_from(&mut buffers, platform);
            let expected = all_moves(&finder, &mut SearchBuffers::default(), platform);
            // Without air control, others follow.
            prop_assert!(moves.len() == expected.len() || !agent.air_control && moves.len() > expected.len());
            for (found, expected) in moves.iter().zip(&expected) {
                prop_assert_eq!(found, expected);
            }
        }
    }
}
